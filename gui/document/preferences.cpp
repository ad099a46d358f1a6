#include "gui/document/preferences.h"

#include <QDir>
#include <QFileInfo>
#include <QSettings>
#include <QStandardPaths>

#include <algorithm>

namespace descry::gui {
namespace {
constexpr int kRecentFiles = 20;
}

Preferences::Preferences(bool persistent, QObject* parent) : QObject(parent) {
  if (!persistent) return;
  settings_ = std::make_unique<QSettings>(QSettings::IniFormat, QSettings::UserScope,
                                          QStringLiteral("descry"), QStringLiteral("inspector"));
  theme_ = settings_->value(QStringLiteral("theme"), theme_).toString();
  alwaysReload_ = settings_->value(QStringLiteral("alwaysReload"), false).toBool();
  letterKeys_ = settings_->value(QStringLiteral("letterKeys"), true).toBool();
  windowState_ = settings_->value(QStringLiteral("windowState")).toByteArray();
  windowGeometry_ = settings_->value(QStringLiteral("windowGeometry")).toByteArray();
  const int count = std::min(settings_->beginReadArray(QStringLiteral("recent")), kRecentFiles);
  for (int i = 0; i < count; ++i) {
    settings_->setArrayIndex(i);
    RecentFile file;
    file.path = settings_->value(QStringLiteral("path")).toString();
    file.graphs = settings_->value(QStringLiteral("graphs")).toInt();
    file.nodes = settings_->value(QStringLiteral("nodes")).toInt();
    file.opened = settings_->value(QStringLiteral("opened")).toDateTime();
    file.pinned = settings_->value(QStringLiteral("pinned")).toBool();
    if (!file.path.isEmpty()) recent_.push_back(file);
  }
  settings_->endArray();
}

Preferences::~Preferences() = default;

void Preferences::setTheme(const QString& name) {
  if (name == theme_) return;
  theme_ = name;
  if (settings_) settings_->setValue(QStringLiteral("theme"), name);
  emit themeChanged();
}

void Preferences::setAlwaysReload(bool on) {
  alwaysReload_ = on;
  if (settings_) settings_->setValue(QStringLiteral("alwaysReload"), on);
}

void Preferences::setLetterKeys(bool on) {
  if (letterKeys_ == on) return;
  letterKeys_ = on;
  if (settings_) settings_->setValue(QStringLiteral("letterKeys"), on);
  emit letterKeysChanged();
}

void Preferences::setWindow(const QByteArray& geometry, const QByteArray& state) {
  windowGeometry_ = geometry;
  windowState_ = state;
  if (!settings_) return;
  settings_->setValue(QStringLiteral("windowGeometry"), geometry);
  settings_->setValue(QStringLiteral("windowState"), state);
}

QVector<RecentFile> Preferences::recent() const {
  QVector<RecentFile> list = recent_;
  for (RecentFile& file : list) file.missing = !QFileInfo::exists(file.path);
  std::stable_sort(list.begin(), list.end(),
                   [](const RecentFile& a, const RecentFile& b) { return a.pinned > b.pinned; });
  return list;
}

void Preferences::addRecent(const QString& path, int graphs, int nodes) {
  RecentFile file;
  file.path = QFileInfo(path).absoluteFilePath();
  file.graphs = graphs;
  file.nodes = nodes;
  file.opened = QDateTime::currentDateTime();
  for (qsizetype i = recent_.size() - 1; i >= 0; --i) {
    if (recent_[i].path != file.path) continue;
    file.pinned = recent_[i].pinned;
    recent_.removeAt(i);
  }
  recent_.prepend(file);
  while (recent_.size() > kRecentFiles) {
    qsizetype drop = recent_.size() - 1;
    while (drop > 0 && recent_[drop].pinned) --drop;
    recent_.removeAt(drop);
  }
  saveRecent();
}

void Preferences::removeRecent(const QString& path) {
  recent_.erase(
      std::remove_if(recent_.begin(), recent_.end(), [&](const RecentFile& f) { return f.path == path; }),
      recent_.end());
  saveRecent();
}

void Preferences::setPinned(const QString& path, bool pinned) {
  for (RecentFile& file : recent_)
    if (file.path == path) file.pinned = pinned;
  saveRecent();
}

void Preferences::saveRecent() {
  if (settings_) {
    settings_->beginWriteArray(QStringLiteral("recent"), static_cast<int>(recent_.size()));
    for (int i = 0; i < recent_.size(); ++i) {
      settings_->setArrayIndex(i);
      settings_->setValue(QStringLiteral("path"), recent_[i].path);
      settings_->setValue(QStringLiteral("graphs"), recent_[i].graphs);
      settings_->setValue(QStringLiteral("nodes"), recent_[i].nodes);
      settings_->setValue(QStringLiteral("opened"), recent_[i].opened);
      settings_->setValue(QStringLiteral("pinned"), recent_[i].pinned);
    }
    settings_->endArray();
  }
  emit recentChanged();
}

QString Preferences::dataFolder() const {
  if (!settings_) return {};
  return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + QStringLiteral("/descry");
}

}  // namespace descry::gui

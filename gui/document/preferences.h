// What the program remembers between runs: theme, recent files, reload habit, key habit, window layout.
#pragma once

#include <QByteArray>
#include <QDateTime>
#include <QObject>
#include <QString>
#include <QVector>

#include <memory>

class QSettings;

namespace descry::gui {

struct RecentFile {
  QString path;
  int graphs = 0;
  int nodes = 0;  ///< of the graph that was shown first
  QDateTime opened;
  bool pinned = false;
  bool missing = false;  ///< not on disk at this moment
};

class Preferences : public QObject {
  Q_OBJECT
 public:
  /// `persistent` false keeps all in memory: for scripts and tests.
  explicit Preferences(bool persistent, QObject* parent = nullptr);
  ~Preferences() override;

  bool persistent() const { return settings_ != nullptr; }

  QString theme() const { return theme_; }  ///< system, light, dark, contrast
  void setTheme(const QString& name);
  bool alwaysReload() const { return alwaysReload_; }
  void setAlwaysReload(bool on);
  bool letterKeys() const { return letterKeys_; }  ///< single-letter shortcuts on the canvas
  void setLetterKeys(bool on);
  QByteArray windowState() const { return windowState_; }
  QByteArray windowGeometry() const { return windowGeometry_; }
  void setWindow(const QByteArray& geometry, const QByteArray& state);

  /// Pinned ones first, then newest first; at most 20. Looks on the disk which ones are missing.
  QVector<RecentFile> recent() const;
  void addRecent(const QString& path, int graphs, int nodes);
  void removeRecent(const QString& path);
  void setPinned(const QString& path, bool pinned);

  /// Folder for the autosaved workspace; empty when nothing is to be kept.
  QString dataFolder() const;

 signals:
  void themeChanged();
  void recentChanged();
  void letterKeysChanged();

 private:
  void saveRecent();

  std::unique_ptr<QSettings> settings_;
  QString theme_ = QStringLiteral("system");
  bool alwaysReload_ = false;
  bool letterKeys_ = true;
  QByteArray windowState_, windowGeometry_;
  QVector<RecentFile> recent_;
};

}  // namespace descry::gui

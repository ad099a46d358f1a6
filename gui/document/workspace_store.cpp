#include "gui/document/workspace_store.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QHash>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>

#include <algorithm>
#include <cmath>

namespace descry::gui {
namespace {

constexpr auto kSchema = "descry.workspace/1";
constexpr qint64 kLargestWorkspace = 64 << 20;
constexpr double kFarthest = 1e12;  // of a view point; drawings end long before
constexpr qint64 kLargestHashed = qint64(1) << 30;

const char* groupName(session::GroupBy g) {
  switch (g) {
    case session::GroupBy::None:
      return "none";
    case session::GroupBy::Module:
      return "module";
    case session::GroupBy::Phase:
      return "phase";
    case session::GroupBy::SourceLine:
      return "source";
  }
  return "module";
}

session::GroupBy groupFrom(const QString& name) {
  for (auto g : {session::GroupBy::None, session::GroupBy::Phase, session::GroupBy::SourceLine})
    if (name == QLatin1String(groupName(g))) return g;
  return session::GroupBy::Module;
}

QJsonObject viewToJson(const ViewState& view) {
  QJsonObject o;
  o["group_by"] = groupName(view.groupBy);
  o["left_to_right"] = view.leftToRight;
  o["joint_u"] = view.jointU;
  o["hide_views"] = view.hideViews;
  o["hide_symbolic_sizes"] = view.hideSymbolicSizes;
  QJsonArray folded;
  for (const std::string& path : view.folded) folded.append(QString::fromStdString(path));
  o["folded"] = folded;
  o["query"] = view.query;
  return o;
}

ViewState viewFromJson(const QJsonObject& o) {
  ViewState view;
  view.groupBy = groupFrom(o["group_by"].toString());
  view.leftToRight = o["left_to_right"].toBool();
  view.jointU = o["joint_u"].toBool();
  view.hideViews = o["hide_views"].toBool();
  view.hideSymbolicSizes = o["hide_symbolic_sizes"].toBool();
  for (const auto& path : o["folded"].toArray()) view.folded.insert(path.toString().toStdString());
  view.query = o["query"].toString();
  return view;
}

QJsonObject runToJson(const RunSettings& s) {
  QJsonObject o;
  for (const QString& option : GraphRuns::optionNames()) o[option] = GraphRuns::valueOf(s, option);
  return o;
}

/// What cannot be read stays as it is by default.
RunSettings runFromJson(const QJsonObject& o) {
  RunSettings s;
  for (const QString& option : GraphRuns::optionNames())
    if (o[option].isString()) GraphRuns::set(s, option, o[option].toString());
  return s;
}

QString findFile(const QJsonObject& o, const QString& folder) {
  const QString absolute = o["path"].toString();
  if (QFileInfo::exists(absolute) || folder.isEmpty()) return absolute;
  const QString relative = QDir(folder).filePath(o["relative"].toString());
  if (!o["relative"].toString().isEmpty() && QFileInfo::exists(relative)) return QDir::cleanPath(relative);
  const QString beside = QDir(folder).filePath(QFileInfo(absolute).fileName());
  return QFileInfo::exists(beside) ? beside : absolute;
}

}  // namespace

QByteArray writeWorkspace(const WorkspaceState& state, const QString& folder) {
  QJsonObject root;
  root["schema"] = kSchema;
  root["theme"] = state.theme;
  QJsonArray files;
  for (const WorkspaceFile& file : state.files) {
    QJsonObject o;
    o["path"] = file.path;
    if (!folder.isEmpty()) o["relative"] = QDir(folder).relativeFilePath(file.path);
    if (!file.sha256.isEmpty()) o["sha256"] = file.sha256;
    if (file.size >= 0) o["size"] = file.size;
    files.append(o);
  }
  root["files"] = files;
  QJsonArray tabs;
  for (const WorkspaceTab& tab : state.tabs) {
    QJsonObject o;
    o["file"] = tab.file;
    o["graph"] = tab.graph;
    o["view"] = viewToJson(tab.view);
    o["selection"] = QJsonArray::fromStringList(tab.selection);
    if (tab.camera.zoom > 0)
      o["camera"] = QJsonObject{{"zoom", tab.camera.zoom}, {"x", tab.camera.x}, {"y", tab.camera.y}};
    if (!tab.passes.pipeline.isEmpty())
      o["passes"] = QJsonObject{
          {"pipeline", tab.passes.pipeline}, {"position", tab.passes.position}, {"graph", tab.passes.graph}};
    if (!(tab.runs == RunSettings())) o["run"] = runToJson(tab.runs);
    tabs.append(o);
  }
  root["tabs"] = tabs;
  root["current"] = state.current;
  if (!state.window.isEmpty()) root["window"] = QString::fromLatin1(state.window.toBase64());
  return QJsonDocument(root).toJson(QJsonDocument::Indented);
}

std::optional<WorkspaceState> readWorkspace(const QByteArray& json, const QString& folder, QString* error) {
  auto fail = [error](const QString& text) {
    if (error) *error = text;
    return std::nullopt;
  };
  QJsonParseError parse;
  const QJsonDocument doc = QJsonDocument::fromJson(json, &parse);
  if (parse.error != QJsonParseError::NoError)
    return fail(QStringLiteral("byte %1: %2").arg(parse.offset).arg(parse.errorString()));
  const QJsonObject root = doc.object();
  if (root["schema"].toString() != QLatin1String(kSchema))
    return fail(QStringLiteral("expected \"schema\": \"%1\", found \"%2\"")
                    .arg(QLatin1String(kSchema), root["schema"].toString()));
  WorkspaceState state;
  state.theme = root["theme"].toString();
  QHash<QString, QString> moved;
  for (const auto& value : root["files"].toArray()) {
    const QJsonObject o = value.toObject();
    WorkspaceFile file;
    file.path = findFile(o, folder);
    file.sha256 = o["sha256"].toString();
    file.size = o["size"].toInteger(-1);
    moved.insert(o["path"].toString(), file.path);
    state.files.push_back(file);
  }
  for (const auto& value : root["tabs"].toArray()) {
    const QJsonObject o = value.toObject();
    WorkspaceTab tab;
    tab.file = moved.value(o["file"].toString(), o["file"].toString());
    tab.graph = o["graph"].toString();
    tab.view = viewFromJson(o["view"].toObject());
    for (const auto& name : o["selection"].toArray()) {
      if (tab.selection.size() >= kMostSavedSelection) break;
      tab.selection.push_back(name.toString());
    }
    const QJsonObject camera = o["camera"].toObject();
    const ViewPoint at{camera["zoom"].toDouble(), camera["x"].toDouble(), camera["y"].toDouble()};
    if (at.zoom > 0 && std::abs(at.x) < kFarthest && std::abs(at.y) < kFarthest) tab.camera = at;
    const QJsonObject passes = o["passes"].toObject();
    tab.passes = {passes["pipeline"].toString(), std::max(0, passes["position"].toInt()),
                  passes["graph"].toString()};
    tab.runs = runFromJson(o["run"].toObject());
    if (!tab.file.isEmpty()) state.tabs.push_back(std::move(tab));
  }
  state.current = root["current"].toInt(-1);
  state.window = QByteArray::fromBase64(root["window"].toString().toLatin1());
  return state;
}

void hashFiles(WorkspaceState& state) {
  for (WorkspaceFile& file : state.files) {
    QFile f(file.path);
    if (!QFileInfo(f).isFile() || f.size() > kLargestHashed || !f.open(QIODevice::ReadOnly)) continue;
    QCryptographicHash hash(QCryptographicHash::Sha256);
    hash.addData(&f);
    file.sha256 = QString::fromLatin1(hash.result().toHex());
    file.size = f.size();
  }
}

bool saveWorkspaceFile(const QString& path, const WorkspaceState& state, QString* error) {
  QSaveFile file(path);
  const QByteArray json = writeWorkspace(state, QFileInfo(path).absolutePath());
  if (!file.open(QIODevice::WriteOnly) || file.write(json) != json.size() || !file.commit()) {
    if (error) *error = QStringLiteral("%1: %2").arg(path, file.errorString());
    return false;
  }
  return true;
}

std::optional<WorkspaceState> loadWorkspaceFile(const QString& path, QString* error) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) {
    if (error) *error = QStringLiteral("%1: %2").arg(path, file.errorString());
    return std::nullopt;
  }
  if (file.size() > kLargestWorkspace) {
    if (error) *error = QStringLiteral("%1: larger than %2 MiB").arg(path).arg(kLargestWorkspace >> 20);
    return std::nullopt;
  }
  QString why;
  auto state = readWorkspace(file.readAll(), QFileInfo(path).absolutePath(), &why);
  if (!state && error) *error = QStringLiteral("%1: %2").arg(path, why);
  return state;
}

QString Autosave::file() const {
  return folder_ + QStringLiteral("/last-workspace.descry");
}

bool Autosave::save(const WorkspaceState& state) const {
  if (folder_.isEmpty() || !QDir().mkpath(folder_)) return false;
  return saveWorkspaceFile(file(), state, nullptr);
}

void Autosave::markClean() const {
  if (!folder_.isEmpty()) QFile::remove(file());
}

std::optional<WorkspaceState> Autosave::afterCrash() const {
  if (folder_.isEmpty() || !QFileInfo::exists(file())) return std::nullopt;
  auto state = loadWorkspaceFile(file(), nullptr);
  if (state && state->tabs.empty()) return std::nullopt;
  return state;
}

}  // namespace descry::gui

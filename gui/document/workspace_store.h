// The workspace file (`.descry`, JSON): which graphs are open and how they are shown. Also the autosaved one.
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

#include "gui/document/graph_tab.h"

namespace descry::gui {

constexpr int kMostSavedSelection = 1000;

struct WorkspaceFile {
  QString path;    ///< absolute
  QString sha256;  ///< of the content, empty when it was not taken
  qint64 size = -1;
};

/// Passes that were run on a tab's graph, and the state that is shown. They run again when the tab comes
/// back.
struct WorkspacePasses {
  QString pipeline;  ///< empty: none were run
  int position = 0;
  QString graph;  ///< forward, backward, ...
  friend bool operator==(const WorkspacePasses&, const WorkspacePasses&) = default;
};

struct WorkspaceTab {
  QString file, graph;
  WorkspacePasses passes;
  RunSettings runs;  ///< runs themselves do not come back
  ViewState view;
  QStringList selection;
  ViewPoint camera;
};

struct WorkspaceState {
  QString theme;
  std::vector<WorkspaceFile> files;
  std::vector<WorkspaceTab> tabs;
  int current = -1;
  QByteArray window;  ///< dock places, as QMainWindow::saveState gives them
};

/// Paths are written relative to `folder` as well, so that a workspace can travel with its files.
QByteArray writeWorkspace(const WorkspaceState& state, const QString& folder);
/// Nothing for text that is no workspace; `error` says what was expected. Files that moved are looked for
/// beside the workspace.
std::optional<WorkspaceState> readWorkspace(const QByteArray& json, const QString& folder, QString* error);

/// Fills in size and hash of each file. Reads the files: for a worker.
void hashFiles(WorkspaceState& state);

/// Written to a temporary file, then renamed.
bool saveWorkspaceFile(const QString& path, const WorkspaceState& state, QString* error);
std::optional<WorkspaceState> loadWorkspaceFile(const QString& path, QString* error);

/// The last workspace, kept in the data folder with a mark that says whether the program ended by itself.
class Autosave {
 public:
  /// An empty folder keeps nothing.
  explicit Autosave(QString folder) : folder_(std::move(folder)) {}
  bool save(const WorkspaceState& state) const;
  /// The program ends by itself: nothing to offer at the next start.
  void markClean() const;
  /// The workspace of a run that did not end by itself.
  std::optional<WorkspaceState> afterCrash() const;

 private:
  QString file() const;
  QString folder_;
};

}  // namespace descry::gui

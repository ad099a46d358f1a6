// The inspector's one door to the session: opened files, graph tabs, the shared selection, places, problems,
// reload.
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "gui/document/graph_tab.h"
#include "gui/document/jobs.h"
#include "gui/document/open_file.h"
#include "gui/document/places.h"
#include "gui/document/preferences.h"
#include "ir/annotations/colours.h"

class QFileSystemWatcher;

namespace descry::gui {

struct WorkspaceState;

class Document : public QObject {
  Q_OBJECT
 public:
  explicit Document(bool persistent, QObject* parent = nullptr);
  ~Document() override;

  Jobs& jobs() { return jobs_; }
  Preferences& preferences() { return preferences_; }

  // ---- files
  /// Opens `FILE`, `FILE::GRAPH` or `FILE::GRAPH#node`, folders too, and shows the graph. Returns at once;
  /// `opened` or `openFailed` follows.
  void open(const QString& address);
  const std::vector<OpenFile>& files() const { return files_; }
  /// Null when no such file is open.
  const OpenFile* fileOf(const QString& path) const;
  void closeFile(const QString& path);
  /// Reads the file again; tabs keep folds, query, selection and camera.
  void reload(const QString& path);
  void ignoreChange(const QString& path);

  // ---- graphs
  /// Shows a graph of an open file in a tab: the tab that has it, else a new one. `select` may be empty.
  void openGraph(const QString& path, const QString& graphId, const QString& select = {});
  const std::vector<std::unique_ptr<GraphTab>>& tabs() const { return tabs_; }
  GraphTab* current() const { return current_; }
  int indexOf(const GraphTab* tab) const;
  void setCurrent(GraphTab* tab);
  void closeTab(GraphTab* tab);
  /// Selects nodes of a tab by name, in a job; `failed` follows when none of them exists.
  void selectByName(GraphTab* tab, const QStringList& names);

  // ---- colours
  /// What fills tell, in all tabs and in exported pictures.
  ir::ColourMode colours() const { return colours_; }
  void setColours(ir::ColourMode mode);

  // ---- places
  bool canGoBack() const { return places_.canGoBack(); }
  bool canGoForward() const { return places_.canGoForward(); }
  void goBack() { goTo(places_.back()); }
  void goForward() { goTo(places_.forward()); }

  // ---- problems of files that could not be opened
  const std::vector<ir::Diagnostic>& openProblems() const { return openProblems_; }

  // ---- workspace
  WorkspaceState workspace() const;
  void restore(const WorkspaceState& state);
  /// Where a workspace gets the places of docks from.
  void setWindowState(std::function<QByteArray()> source) { windowState_ = std::move(source); }

 signals:
  void filesChanged();
  void opened(const QString& path);
  void openFailed(const QString& path, const QString& message);
  void tabAdded(descry::gui::GraphTab* tab);
  void tabClosing(descry::gui::GraphTab* tab);
  void currentChanged(descry::gui::GraphTab* tab);  ///< null when the last tab is closed
  void selectionChanged();                          ///< of the current tab, or another tab became current
  void placesChanged();
  void windowStateRestored(const QByteArray& state);
  void problemsChanged();
  void coloursChanged();
  void fileChangedOnDisk(const QString& path);
  /// A line for the status bar.
  void message(const QString& text);
  /// Something that was asked for could not be done, and why.
  void failed(const QString& text);

 private:
  struct Loaded;
  struct TabStart;

  void showLoaded(const Loaded& loaded, const QString& select, const std::optional<ViewState>& state);
  void openWith(const QString& address, const std::optional<ViewState>& state, const QStringList& select,
                std::function<void(bool)> done);
  GraphTab* addTab(session::DocumentPtr file, session::LoadedGraphPtr graph, const QString& graphId,
                   const std::optional<ViewState>& state);
  GraphTab* findTab(const QString& path, const QString& graphId) const;
  void makeExplorer(const QString& path);
  void fail(const QString& path, const ir::Diagnostic& diagnostic);
  void watch(const QString& path);
  void checkChanged();
  void goTo(const Place* place);
  void reloadTabs(const QString& path, const session::DocumentPtr& fresh);

  Jobs jobs_;
  Preferences preferences_;
  std::vector<OpenFile> files_;
  std::vector<std::unique_ptr<GraphTab>> tabs_;
  GraphTab* current_ = nullptr;
  std::function<QByteArray()> windowState_;
  Places places_;
  ir::ColourMode colours_ = ir::ColourMode::Phase;
  std::vector<ir::Diagnostic> openProblems_;
  QFileSystemWatcher* watcher_ = nullptr;
  QTimer changeTimer_;
};

}  // namespace descry::gui

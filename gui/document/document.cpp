#include "gui/document/document.h"

#include <QDir>
#include <QFileInfo>
#include <QFileSystemWatcher>

#include <algorithm>

#include "gui/document/workspace_store.h"

namespace descry::gui {
namespace {

QString toQ(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

Place placeOf(const GraphTab& tab) {
  return {tab.path(), tab.graphId(), tab.current(), tab.passes().state()};
}

constexpr int kChangeDelayMs = 300;  // writers touch a file several times in a row

}  // namespace

ReadSummary readSummary(const session::Document& document) {
  ReadSummary s;
  const importers::Input& input = document.input();
  s.graphs = static_cast<int>(input.graphs().size());
  s.records = static_cast<int>(input.records().size());
  // A hash that differs says that the log was edited (paths cut, say), and an event without a partner that
  // the run was odd; neither says that anything could not be read.
  for (const auto& record : input.records()) {
    if (!record.lost()) continue;
    ++s.damagedRecords;
    s.damagedGraphs += record.graph >= 0;
  }
  s.problems = static_cast<int>(input.diagnostics().errors() + input.diagnostics().warnings());
  for (const auto& d : input.diagnostics().all())
    s.problems -= d.code == "payload-hash" || d.code == "unpaired-event";
  return s;
}

/// What an open job brings back.
struct Document::Loaded {
  session::DocumentPtr document;
  session::LoadedGraphPtr graph;
  QString graphId, node;
  std::optional<ir::Diagnostic> error;
};

Document::Document(bool persistent, QObject* parent) : QObject(parent), preferences_(persistent) {
  watcher_ = new QFileSystemWatcher(this);
  changeTimer_.setSingleShot(true);
  changeTimer_.setInterval(kChangeDelayMs);
  connect(&changeTimer_, &QTimer::timeout, this, &Document::checkChanged);
  connect(watcher_, &QFileSystemWatcher::fileChanged, this, [this] { changeTimer_.start(); });
  connect(watcher_, &QFileSystemWatcher::directoryChanged, this, [this] { changeTimer_.start(); });
}

Document::~Document() {
  jobs_.cancelAll();
  current_ = nullptr;
  tabs_.clear();
}

void Document::open(const QString& address) {
  openWith(address, {}, {}, {});
}

void Document::openWith(const QString& address, const std::optional<ViewState>& state,
                        const QStringList& select, std::function<void(bool)> done) {
  const session::Address parts = session::parseAddress(address.toStdString());
  const QString path = toQ(parts.file);
  session::DocumentPtr known;
  if (const OpenFile* file = fileOf(path)) known = file->document;
  jobs_.start(
      tr("Opening %1").arg(QFileInfo(path).fileName()), this,
      [parts, known](JobControl& control) {
        Loaded loaded;
        loaded.document = known;
        loaded.node = toQ(parts.node);
        if (!loaded.document) {
          importers::OpenOptions options;
          options.progress.cancel = &control.cancelled;
          options.progress.report = [&control](double f, std::string_view) {
            control.permille = static_cast<int>(f * 1000);
          };
          auto opened = session::Document::open(parts.file, options);
          if (!opened) {
            loaded.error = opened.error();
            return loaded;
          }
          loaded.document = *opened;
        }
        auto graph = loaded.document->graph(parts.graph);
        if (!graph) {
          loaded.error = graph.error();
          return loaded;
        }
        loaded.graph = *graph;
        // A prefix of an id becomes the id; the path of a subgraph has no shorter form.
        loaded.graphId = toQ(loaded.graph->subgraph == 0 ? loaded.graph->entry.id : parts.graph);
        return loaded;
      },
      [this, path, state, select, done = std::move(done)](Loaded loaded) {
        const bool ok = loaded.graph != nullptr;
        if (loaded.document && !fileOf(path)) {
          files_.push_back({loaded.document, path, nullptr, false});
          watch(path);
          preferences_.addRecent(path, static_cast<int>(loaded.document->input().graphs().size()),
                                 ok ? static_cast<int>(loaded.graph->graph->size()) : 0);
          makeExplorer(path);
          emit filesChanged();
        }
        if (ok) {
          openProblems_.erase(std::remove_if(openProblems_.begin(), openProblems_.end(),
                                             [&](const ir::Diagnostic& d) { return toQ(d.file) == path; }),
                              openProblems_.end());
          GraphTab* tab = findTab(path, loaded.graphId);
          if (!tab) tab = addTab(loaded.document, loaded.graph, loaded.graphId, state);
          setCurrent(tab);
          QStringList names = select;
          if (!loaded.node.isEmpty()) names.push_back(loaded.node);
          selectByName(tab, names);
          emit problemsChanged();
          emit opened(path);
        } else {
          fail(path, *loaded.error);
        }
        if (done) done(ok);
      });
}

void Document::fail(const QString& path, const ir::Diagnostic& diagnostic) {
  ir::Diagnostic d = diagnostic;
  if (d.file.empty()) d.file = path.toStdString();
  openProblems_.push_back(d);
  emit problemsChanged();
  emit openFailed(path, toQ(d.text()));
}

const OpenFile* Document::fileOf(const QString& path) const {
  for (const OpenFile& file : files_)
    if (file.path == path) return &file;
  return nullptr;
}

void Document::makeExplorer(const QString& path) {
  const OpenFile* file = fileOf(path);
  if (!file) return;
  jobs_.start(
      tr("Explorer"), this,
      [document = file->document](JobControl&) {
        return std::make_shared<const std::vector<session::ExplorerItem>>(session::explorer(*document));
      },
      [this, path](std::shared_ptr<const std::vector<session::ExplorerItem>> rows) {
        for (OpenFile& f : files_)
          if (f.path == path) f.explorer = std::move(rows);
        emit filesChanged();
      },
      true);
}

void Document::openGraph(const QString& path, const QString& graphId, const QString& select) {
  if (GraphTab* tab = findTab(path, graphId)) {
    setCurrent(tab);
    if (!select.isEmpty()) selectByName(tab, {select});
    return;
  }
  openWith(path + QStringLiteral("::") + graphId, {}, select.isEmpty() ? QStringList() : QStringList(select),
           {});
}

GraphTab* Document::findTab(const QString& path, const QString& graphId) const {
  for (const auto& tab : tabs_)
    if (tab->path() == path && tab->graphId() == graphId) return tab.get();
  return nullptr;
}

GraphTab* Document::addTab(session::DocumentPtr file, session::LoadedGraphPtr graph, const QString& graphId,
                           const std::optional<ViewState>& state) {
  tabs_.push_back(std::make_unique<GraphTab>(jobs_, std::move(file), std::move(graph), graphId));
  GraphTab* tab = tabs_.back().get();
  connect(tab, &GraphTab::selectionChanged, this, [this, tab](bool visit) {
    if (visit && tab->current()) {
      places_.visit(placeOf(*tab));
      emit placesChanged();
    }
    if (tab == current_) emit selectionChanged();
  });
  connect(&tab->passes(), &PassStepper::stateShown, this, [this, tab](bool visit) {
    if (!visit) return;
    places_.visit(placeOf(*tab));
    emit placesChanged();
  });
  connect(&tab->passes(), &PassStepper::message, this, &Document::message);
  connect(&tab->passes(), &PassStepper::failed, this, &Document::failed);
  connect(&tab->runs(), &GraphRuns::message, this, &Document::message);
  connect(&tab->runs(), &GraphRuns::failed, this, &Document::failed);
  emit tabAdded(tab);
  if (state) tab->change(tr("Restore"), *state);
  if (!tab->layoutRunning()) tab->relayout();
  tab->request(Part::Problems);
  return tab;
}

int Document::indexOf(const GraphTab* tab) const {
  for (size_t i = 0; i < tabs_.size(); ++i)
    if (tabs_[i].get() == tab) return static_cast<int>(i);
  return -1;
}

void Document::setCurrent(GraphTab* tab) {
  if (tab == current_) return;
  current_ = tab;
  if (tab) {
    places_.visit(placeOf(*tab));
    emit placesChanged();
  }
  emit currentChanged(tab);
  emit selectionChanged();
}

void Document::closeTab(GraphTab* tab) {
  const int index = indexOf(tab);
  if (index < 0) return;
  if (tab == current_) {
    GraphTab* next = nullptr;
    if (tabs_.size() > 1)
      next = tabs_[index + 1 < static_cast<int>(tabs_.size()) ? index + 1 : index - 1].get();
    setCurrent(next);
  }
  emit tabClosing(tab);
  tabs_.erase(tabs_.begin() + index);
}

void Document::closeFile(const QString& path) {
  for (size_t i = tabs_.size(); i-- > 0;)
    if (tabs_[i]->path() == path) closeTab(tabs_[i].get());
  for (size_t i = 0; i < files_.size(); ++i) {
    if (files_[i].path != path) continue;
    jobs_.dispose(files_[i].document);
    files_.erase(files_.begin() + static_cast<long>(i));
    watcher_->removePath(path);
    break;
  }
  emit filesChanged();
}

void Document::selectByName(GraphTab* tab, const QStringList& names) {
  if (names.isEmpty()) return;
  jobs_.start(
      tr("Selecting"), tab,
      [graph = tab->graph(), names](JobControl&) {
        const NameIndex index(graph);
        std::vector<ir::NodeId> nodes;
        for (const QString& name : names)
          if (const ir::NodeId id = index.find(name.toStdString())) nodes.push_back(id);
        return nodes;
      },
      [this, tab, names](std::vector<ir::NodeId> nodes) {
        if (nodes.empty())
          emit failed(tr("There is no node '%1' in %2").arg(names.last(), tab->graphId()));
        else
          tab->selectAll(std::move(nodes));
      },
      true);
}

void Document::setColours(ir::ColourMode mode) {
  if (mode == colours_) return;
  colours_ = mode;
  emit coloursChanged();
}

void Document::goTo(const Place* place) {
  if (!place) return;
  const Place copy = *place;
  emit placesChanged();
  GraphTab* tab = findTab(copy.path, copy.graphId);
  if (!tab) {
    openWith(copy.path + QStringLiteral("::") + copy.graphId, {}, {}, {});
    return;
  }
  if (tab != current_) {
    current_ = tab;
    emit currentChanged(tab);
    emit selectionChanged();
  }
  if (copy.state == tab->passes().state())
    tab->select(copy.node ? std::vector<ir::NodeId>{copy.node} : std::vector<ir::NodeId>{}, false);
  else if (!tab->passes().restore(copy.state, copy.node))
    emit message(tr("The passes of that place were run anew since; the graph stays as it is."));
}

// ---- reload

void Document::watch(const QString& path) {
  if (QFileInfo::exists(path)) watcher_->addPath(path);
}

void Document::checkChanged() {
  for (OpenFile& file : files_) {
    // Editors replace a file by renaming; the watch is lost with the old one.
    if (!watcher_->files().contains(file.path) && !watcher_->directories().contains(file.path))
      watch(file.path);
    if (file.changedOnDisk || !file.document->changedOnDisk()) continue;
    if (!QFileInfo::exists(file.path)) continue;
    file.changedOnDisk = true;
    const QString path = file.path;
    if (preferences_.alwaysReload()) {
      reload(path);
      return checkChanged();
    }
    emit fileChangedOnDisk(path);
  }
}

void Document::ignoreChange(const QString& path) {
  // The flag stays set until the next reload: later changes of an ignored file are ignored too.
  for (OpenFile& file : files_)
    if (file.path == path) file.changedOnDisk = true;
}

void Document::reload(const QString& path) {
  if (!fileOf(path)) return;
  jobs_.start(
      tr("Reading %1 again").arg(QFileInfo(path).fileName()), this,
      [path](JobControl& control) {
        importers::OpenOptions options;
        options.progress.cancel = &control.cancelled;
        return session::Document::open(path.toStdString(), options);
      },
      [this, path](ir::Result<session::DocumentPtr> fresh) {
        if (!fresh) {
          fail(path, fresh.error());
          return;
        }
        reloadTabs(path, *fresh);
      });
}

void Document::reloadTabs(const QString& path, const session::DocumentPtr& fresh) {
  for (OpenFile& file : files_) {
    if (file.path != path) continue;
    jobs_.dispose(std::exchange(file.document, fresh));
    file.changedOnDisk = false;
    file.explorer = nullptr;
  }
  watch(path);
  makeExplorer(path);
  emit filesChanged();
  for (const auto& tab : tabs_) {
    if (tab->path() != path) continue;
    GraphTab* target = tab.get();
    jobs_.start(
        tr("Reading %1 again").arg(tab->graphId()), target,
        [fresh, id = tab->graphId().toStdString()](JobControl&) { return fresh->graph(id); },
        [this, path, fresh, target](ir::Result<session::LoadedGraphPtr> graph) {
          if (graph)
            target->replaceGraph(fresh, *graph);
          else
            fail(path, graph.error());
          target->request(Part::Problems);
          emit problemsChanged();
        });
  }
  emit message(tr("%1 was read again").arg(QFileInfo(path).fileName()));
}

// ---- workspace

WorkspaceState Document::workspace() const {
  WorkspaceState state;
  state.theme = preferences_.theme();
  for (const OpenFile& file : files_)
    state.files.push_back({QFileInfo(file.path).absoluteFilePath(), {}, -1});
  for (const auto& tab : tabs_) {
    WorkspaceTab t;
    t.file = QFileInfo(tab->path()).absoluteFilePath();
    t.graph = tab->graphId();
    t.view = tab->state();
    t.selection = tab->selectedNames();
    while (t.selection.size() > kMostSavedSelection) t.selection.removeFirst();
    t.camera = tab->viewPoint();
    t.runs = tab->runs().settings();
    if (const PassStepper& passes = tab->passes(); passes.passRun())
      t.passes = {passes.rerunText(), static_cast<int>(passes.position()), passes.graphName()};
    state.tabs.push_back(std::move(t));
  }
  state.current = indexOf(current_);
  if (windowState_) state.window = windowState_();
  return state;
}

void Document::restore(const WorkspaceState& state) {
  if (!state.window.isEmpty()) emit windowStateRestored(state.window);
  // Tabs open one after another, so that they come back in their order.
  auto remaining = std::make_shared<std::vector<WorkspaceTab>>(state.tabs);
  auto step = std::make_shared<std::function<void(size_t)>>();
  std::weak_ptr<std::function<void(size_t)>> weak = step;
  const int current = state.current;
  *step = [this, remaining, weak, current](size_t i) {
    if (i >= remaining->size()) {
      if (current >= 0 && current < static_cast<int>(tabs_.size())) setCurrent(tabs_[current].get());
      return;
    }
    const WorkspaceTab& tab = (*remaining)[i];
    auto next = weak.lock();
    openWith(tab.file + QStringLiteral("::") + tab.graph, tab.view, tab.selection,
             [this, next, i, camera = tab.camera, passes = tab.passes, runs = tab.runs](bool opened) {
               if (opened && current_) {
                 current_->setViewPoint(camera);
                 current_->runs().setSettings(runs);
                 if (!passes.pipeline.isEmpty())
                   current_->passes().resume(passes.pipeline, static_cast<size_t>(passes.position),
                                             passes.graph);
               }
               (*next)(i + 1);
             });
  };
  (*step)(0);
}

}  // namespace descry::gui

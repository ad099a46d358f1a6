// Menus, toolbar and the questions that actions ask when a person starts them without arguments.
#include <QActionGroup>
#include <QApplication>
#include <QDialog>
#include <QFileDialog>
#include <QFileInfo>
#include <QJsonObject>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QTabWidget>
#include <QTableWidget>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

#include "gui/app/breadcrumb_bar.h"
#include "gui/app/export_dialog.h"
#include "gui/app/graph_page.h"
#include "gui/app/key_sheet.h"
#include "gui/app/main_window.h"
#include "gui/app/palette_dialog.h"
#include "gui/app/query_bar.h"
#include "gui/app/window_actions.h"
#include "gui/document/document_actions.h"
#include "gui/document/engine.h"
#include "gui/models/table_model.h"
#include "gui/panels/icons.h"
#include "gui/panels/panel.h"
#include "gui/panels/row_views.h"

namespace descry::gui {
namespace {

constexpr int kMostPayload = 2 << 20;
constexpr int kMostTableRows = 20000;
constexpr int kMostGoTo = 60;
constexpr size_t kMostHits = 2000;

QList<QKeySequence> sequences(const Action& action) {
  QList<QKeySequence> list;
  // Keys of the canvas reach it without a shortcut; a shortcut would take letters from text fields.
  if (action.scope == KeyScope::Canvas) return list;
  for (const QString& key : action.keys.split(QStringLiteral("; "), Qt::SkipEmptyParts))
    if (key.size() > 1) list << QKeySequence(key, QKeySequence::PortableText);
  return list;
}

}  // namespace

void MainWindow::buildActions() {
  addFileActions(actions_, document_);
  addSelectionActions(actions_, document_);
  addViewActions(actions_, document_);
  addPassActions(actions_, document_);
  addRunActions(actions_, document_);
  addValueActions(actions_, document_);
  addWindowActions(*this);
  const auto self = [this](const char* id, const QString& title, const char* group, const char* keys,
                           std::function<void()> run) {
    actions_.add(
        {.id = id,
         .title = title,
         .group = group,
         .keys = keys,
         .cli = [this,
                 id](const QJsonObject&) { return scriptCommandLine(document_, QString::fromLatin1(id)); },
         .run =
             [run](const QJsonObject&) {
               run();
               return ActionOutcome::done();
             }});
  };
  self("palette", tr("Command palette"), "Window", "Ctrl+Shift+P; Ctrl+K", [this] { askPalette(); });
  actions_.add({.id = "keys",
                .title = tr("Keys"),
                .group = "Window",
                .keys = "F1; ?",
                .cli = [](const QJsonObject&) { return QStringLiteral("descry open --help"); },
                .run =
                    [this](const QJsonObject&) {
                      QString title = tr("Graph");
                      QString help =
                          currentPage()
                              ? tr("Drag pans, Ctrl+wheel zooms, a click selects. Arrows follow edges.")
                              : QString();
                      for (Panel* p : panels_)
                        if (p->isAncestorOf(QApplication::focusWidget())) {
                          title = p->windowTitle();
                          help = p->help();
                        }
                      auto* sheet = new KeySheet(actions_, title, help, this);
                      sheet->setAttribute(Qt::WA_DeleteOnClose);
                      sheet->show();
                      return ActionOutcome::done();
                    }});
  actions_.add({.id = "about",
                .title = tr("About Descry"),
                .group = "Window",
                .cli = [](const QJsonObject&) { return QStringLiteral("descry --version"); },
                .run =
                    [this](const QJsonObject&) {
                      auto* box =
                          new QMessageBox(QMessageBox::NoIcon, tr("About Descry"),
                                          tr("<b>Descry %1</b><br>Inspector for AOT autograd graphs.<br><br>"
                                             "Qt %2. Apache License 2.0.")
                                              .arg(QString::fromLatin1(session::versionText()),
                                                   QString::fromLatin1(qVersion())),
                                          QMessageBox::Ok, this);
                      box->setObjectName(QStringLiteral("aboutBox"));
                      box->setAttribute(Qt::WA_DeleteOnClose);
                      box->setIconPixmap(iconPixmap(IconKind::App, theme_.accent, 56, devicePixelRatioF()));
                      box->open();
                      return ActionOutcome::done();
                    }});

  prompts_["open"] = [this](const QJsonObject&) { askFile(QStringLiteral("open")); };
  prompts_["open-folder"] = [this](const QJsonObject&) { askFile(QStringLiteral("open-folder")); };
  prompts_["load-workspace"] = [this](const QJsonObject&) { askFile(QStringLiteral("load-workspace")); };
  prompts_["save-workspace"] = [this](const QJsonObject&) { askFile(QStringLiteral("save-workspace")); };
  prompts_["shot"] = [this](const QJsonObject&) { askFile(QStringLiteral("shot")); };
  prompts_["query"] = [this](const QJsonObject&) { query_->focusQuery(); };
  prompts_["goto"] = [this](const QJsonObject&) { askGoTo(); };
  prompts_["run-passes"] = [this](const QJsonObject&) { askPasses(); };
  prompts_["go-to-pass"] = [this](const QJsonObject&) { askStep(); };
  prompts_["query-all"] = [this](const QJsonObject&) { askQueryAll(); };
  for (const char* id : {"theme", "choose-layout"})
    prompts_[id] = [this, id = QString::fromLatin1(id)](const QJsonObject&) { askChoice(id); };
  prompts_["export"] = [this](const QJsonObject&) { askExport(); };

  for (const auto& action : actions_.all()) {
    auto* q = new QAction(action->title, this);
    q->setObjectName(action->id);
    q->setShortcuts(sequences(*action));
    q->setCheckable(action->checked != nullptr);
    connect(q, &QAction::triggered, this, [this, id = action->id] { trigger(id); });
    addAction(q);
    qtActions_[action->id] = q;
  }
}

QAction* MainWindow::qtAction(const QString& id) {
  return qtActions_.value(id);
}

void MainWindow::buildMenus() {
  const auto fill = [this](QMenu* menu, std::initializer_list<const char*> ids) {
    for (const char* id : ids) {
      if (!*id)
        menu->addSeparator();
      else if (QAction* q = qtAction(QString::fromLatin1(id)))
        menu->addAction(q);
    }
    // Grey only while the menu is open: a key pressed at any time can then say why nothing happens.
    connect(menu, &QMenu::aboutToShow, this, [this, menu] {
      for (QAction* q : menu->actions()) {
        const Action* a = actions_.find(q->objectName());
        if (!a) continue;
        q->setEnabled(!a->unavailable || a->unavailable().isEmpty());
        if (a->checked) q->setChecked(a->checked());
      }
    });
    connect(menu, &QMenu::aboutToHide, this, [menu] {
      for (QAction* q : menu->actions()) q->setEnabled(true);
    });
  };
  QMenu* file = menuBar()->addMenu(tr("&File"));
  fill(file, {"open", "open-folder"});
  recentMenu_ = file->addMenu(tr("Open recent"));
  connect(recentMenu_, &QMenu::aboutToShow, this, &MainWindow::fillRecent);
  fill(file, {"reload", "", "export", "repeat-export", "shot", "", "save-workspace", "load-workspace", "",
              "close-tab", "close-file", "quit"});
  QMenu* edit = menuBar()->addMenu(tr("&Edit"));
  fill(edit, {"undo", "redo", "", "copy-name", "copy-address", "copy-table", "", "select-same-op",
              "select-same-module", "select-hits", "clear-selection"});
  QMenu* go = menuBar()->addMenu(tr("&Go"));
  fill(go,
       {"back", "forward", "", "goto", "partner", "", "producer", "consumer", "previous-node", "next-node",
        "", "query", "query-all", "next-hit", "previous-hit", "clear-query", "", "next-tab", "previous-tab"});
  QMenu* view = menuBar()->addMenu(tr("&View"));
  for (Panel* p : panels_) {
    QAction* q = p->toggleViewAction();
    q->setShortcut({});
    q->setText(tr("%1 dock").arg(p->windowTitle()));
    view->addAction(q);
  }
  view->addSeparator();
  fill(view, {"layout-read", "layout-passes", "layout-joint", "layout-performance", "layout-numerics",
              "reset-layout", ""});
  QMenu* themes = view->addMenu(tr("Theme"));
  auto* group = new QActionGroup(this);
  for (const ActionChoice& choice : actions_.find(QStringLiteral("theme"))->choices) {
    QAction* q = themes->addAction(choice.title, this, [this, name = choice.name] {
      trigger(QStringLiteral("theme"), QJsonObject{{"name", name}});
    });
    q->setCheckable(true);
    q->setData(choice.name);
    group->addAction(q);
  }
  connect(themes, &QMenu::aboutToShow, this, [this, themes] {
    for (QAction* q : themes->actions())
      q->setChecked(q->data().toString() == document_.preferences().theme());
  });
  fill(view, {"letter-keys", "full-screen"});
  QMenu* graph = menuBar()->addMenu(tr("G&raph"));
  fill(graph, {"fit",
               "fit-selection",
               "fit-neighbourhood",
               "zoom-in",
               "zoom-out",
               "zoom",
               "",
               "minimap",
               "legend",
               "colour-by",
               "previous-colours",
               "",
               "group-by",
               "expand",
               "collapse",
               "expand-all",
               "collapse-all",
               "",
               "choose-layout",
               "joint-u",
               "flow",
               "hide-views",
               "hide-symbolic-sizes",
               "",
               "layout",
               "stop"});
  QMenu* passes = menuBar()->addMenu(tr("&Passes"));
  fill(passes,
       {"run-passes", "", "previous-pass", "next-pass", "go-to-pass", "pass-graph", "", "select-saved",
        "save-value", "recompute-value", "clear-wishes", "", "compare-recorded", "open-recorded"});
  QMenu* run = menuBar()->addMenu(tr("&Run"));
  fill(run, {"run", "run-to", "stop", "", "next-suspect", "previous-suspect", "", "compare-last-runs", "",
             "heat-log", "heat-clip", "", "copy-run-command"});
  QMenu* help = menuBar()->addMenu(tr("&Help"));
  fill(help, {"palette", "keys", "", "about"});
}

/// A button of the toolbar with the choices of an action below it; the one in force is marked.
QToolButton* MainWindow::choices(const QString& id) {
  const Action* action = actions_.find(id);
  auto* button = new QToolButton(bar_);
  button->setObjectName(id + QStringLiteral("Button"));
  button->setAccessibleName(action->title);
  button->setToolTip(QStringLiteral("%1 (%2)").arg(action->title, action->keys));
  button->setIcon(qtAction(id)->icon());
  button->setPopupMode(QToolButton::InstantPopup);
  button->setFocusPolicy(Qt::TabFocus);
  connect(qtAction(id), &QAction::changed, button,
          [button, q = qtAction(id)] { button->setIcon(q->icon()); });
  auto* menu = new QMenu(button);
  button->setMenu(menu);
  connect(menu, &QMenu::aboutToShow, this, [this, menu, id, action] {
    menu->clear();
    const QString why = action->unavailable ? action->unavailable() : QString();
    if (!why.isEmpty()) menu->addAction(why)->setEnabled(false);
    for (const ActionChoice& choice : action->choices) {
      QAction* q = menu->addAction(choice.title, this, [this, id, name = choice.name] {
        trigger(id, QJsonObject{{QStringLiteral("name"), name}});
      });
      q->setEnabled(why.isEmpty());
      q->setCheckable(true);
      q->setChecked(why.isEmpty() && action->chosen && action->chosen() == choice.name);
    }
  });
  return button;
}

void MainWindow::buildToolBar() {
  bar_ = addToolBar(tr("Main"));
  bar_->setObjectName(QStringLiteral("mainToolBar"));
  bar_->setMovable(false);
  bar_->setIconSize(QSize(18, 18));
  bar_->setContextMenuPolicy(Qt::PreventContextMenu);
  for (const char* id : {"open", "back", "forward"}) bar_->addAction(qtAction(QString::fromLatin1(id)));
  bar_->addSeparator();
  bar_->addWidget(breadcrumbs_);
  breadcrumbs_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  bar_->addWidget(query_);
  bar_->addSeparator();
  for (const char* id : {"partner", "fit"}) bar_->addAction(qtAction(QString::fromLatin1(id)));
  for (const char* id : {"colour-by", "group-by", "choose-layout"})
    bar_->addWidget(choices(QString::fromLatin1(id)));
  for (const char* id : {"export", "palette"}) bar_->addAction(qtAction(QString::fromLatin1(id)));
  for (QAction* q : bar_->actions()) {
    const Action* a = actions_.find(q->objectName());
    if (!a) continue;
    q->setToolTip(a->keys.isEmpty() ? a->title : QStringLiteral("%1 (%2)").arg(a->title, a->keys));
    if (auto* button = qobject_cast<QToolButton*>(bar_->widgetForAction(q)))
      button->setFocusPolicy(Qt::TabFocus);
  }
}

void MainWindow::refreshIcons() {
  const std::pair<const char*, IconKind> icons[] = {
      {"open", IconKind::Open},         {"back", IconKind::Back},       {"forward", IconKind::Forward},
      {"partner", IconKind::Partner},   {"fit", IconKind::Fit},         {"export", IconKind::Export},
      {"palette", IconKind::Palette},   {"undo", IconKind::Undo},       {"redo", IconKind::Redo},
      {"copy-name", IconKind::Copy},    {"keys", IconKind::Keys},       {"query", IconKind::Search},
      {"colour-by", IconKind::Colours}, {"group-by", IconKind::Groups}, {"choose-layout", IconKind::Drawing}};
  for (const auto& [id, kind] : icons)
    if (QAction* q = qtAction(QString::fromLatin1(id))) q->setIcon(makeIcon(kind, theme_.text));
  for (auto* close : tabs_->findChildren<QToolButton*>(QStringLiteral("closeTab")))
    close->setIcon(makeIcon(IconKind::Close, theme_.mutedText));
  setWindowIcon(makeIcon(IconKind::App, theme_.accent));
}

void MainWindow::fillRecent() {
  recentMenu_->clear();
  for (const RecentFile& file : document_.preferences().recent()) {
    QAction* q = recentMenu_->addAction(file.missing ? tr("%1 (missing)").arg(file.path) : file.path, this,
                                        [this, path = file.path] { document_.open(path); });
    q->setEnabled(!file.missing);
  }
  if (recentMenu_->isEmpty()) recentMenu_->addAction(tr("Nothing was opened yet"))->setEnabled(false);
}

void MainWindow::askFile(const QString& id) {
  const QString folder =
      document_.current() ? QFileInfo(document_.current()->path()).absolutePath() : QString();
  QString path;
  if (id == QLatin1String("open-folder"))
    path = QFileDialog::getExistingDirectory(this, tr("Open a trace folder"), folder);
  else if (id == QLatin1String("open"))
    path = QFileDialog::getOpenFileName(this, tr("Open"), folder);
  else if (id == QLatin1String("load-workspace"))
    path = QFileDialog::getOpenFileName(this, tr("Open workspace"), folder, tr("Workspaces (*.descry)"));
  else if (id == QLatin1String("save-workspace"))
    path =
        QFileDialog::getSaveFileName(this, tr("Save workspace"), folder + QStringLiteral("/workspace.descry"),
                                     tr("Workspaces (*.descry)"));
  else
    path = QFileDialog::getSaveFileName(this, tr("Save picture"), folder + QStringLiteral("/window.png"),
                                        tr("PNG (*.png)"));
  if (!path.isEmpty()) trigger(id, QJsonObject{{"file", path}});
}

void MainWindow::askPalette() {
  std::vector<PaletteEntry> entries;
  for (const auto& a : actions_.all()) {
    if (!a->inPalette && !prompts_.contains(a->id)) continue;
    entries.push_back({a->id, a->title, a->group, a->keys, a->unavailable ? a->unavailable() : QString()});
  }
  palette_->ask(tr("What do you want to do?"), std::move(entries),
                [this](const PaletteEntry* entry, const QString&) { trigger(entry->id); });
}

void MainWindow::askGoTo() {
  GraphTab* tab = document_.current();
  tab->request(Part::Names);
  palette_->ask(
      tr("Name, index, or :line"), {},
      [this](const PaletteEntry* entry, const QString& typed) {
        const QString where = entry ? entry->id : typed;
        if (!where.isEmpty()) trigger(QStringLiteral("goto"), QJsonObject{{"where", where}});
      },
      true);
  palette_->setSource([tab = QPointer<GraphTab>(tab)](const QString& typed) {
    std::vector<PaletteEntry> entries;
    if (!tab || !tab->names()) return entries;
    for (const ir::NodeId id : tab->names()->match(typed.toStdString(), kMostGoTo))
      entries.push_back({tab->nameOf(id),
                         tab->nameOf(id),
                         toQString(tab->graph()->graph->target(id)),
                         QString::number(tab->names()->orderOf(id)),
                         {}});
    return entries;
  });
}

void MainWindow::askChoice(const QString& id) {
  const Action* action = actions_.find(id);
  std::vector<PaletteEntry> entries;
  for (const ActionChoice& choice : action->choices)
    entries.push_back({choice.name, choice.title, {}, {}, {}});
  palette_->ask(action->title, std::move(entries), [this, id](const PaletteEntry* entry, const QString&) {
    trigger(id, QJsonObject{{QStringLiteral("name"), entry->id}});
  });
}

void MainWindow::askPasses() {
  std::vector<PaletteEntry> entries;
  for (const PipelineChoice& choice : document_.current()->passes().choices())
    entries.push_back({choice.text, choice.text, choice.summary, {}, {}});
  palette_->ask(
      tr("Which passes? A pipeline, or passes with commas between"), std::move(entries),
      [this](const PaletteEntry* entry, const QString& typed) {
        const QString passes = entry ? entry->id : typed.trimmed();
        if (!passes.isEmpty())
          trigger(QStringLiteral("run-passes"), QJsonObject{{QStringLiteral("passes"), passes}});
      },
      true);
}

void MainWindow::askStep() {
  const PassStepper& passes = document_.current()->passes();
  std::vector<PaletteEntry> entries;
  for (size_t i = 0; i <= passes.lastPosition(); ++i) {
    const PassStepRow& step = passes.steps()[i];
    const QString title = QStringLiteral("%1  %2").arg(i).arg(step.pass.isEmpty() ? tr("start") : step.pass);
    entries.push_back({QString::number(i), title, step.summary, {}, {}});
  }
  palette_->ask(tr("Which pass?"), std::move(entries), [this](const PaletteEntry* entry, const QString&) {
    trigger(QStringLiteral("go-to-pass"), QJsonObject{{QStringLiteral("position"), entry->id}});
  });
}

void MainWindow::askQueryAll() {
  palette_->ask(
      tr("Query all graphs of %1").arg(QFileInfo(document_.current()->path()).fileName()), {},
      [this](const PaletteEntry*, const QString& typed) {
        if (!typed.trimmed().isEmpty())
          trigger(QStringLiteral("query-all"), QJsonObject{{QStringLiteral("text"), typed}});
      },
      true);
}

void MainWindow::showAllHits(const QString& path, const QString& query, const session::AllHits& hits) {
  std::vector<PaletteEntry> entries;
  std::vector<std::pair<QString, QString>> places;  // graph, node
  for (const session::GraphHits& g : hits.graphs)
    for (ir::NodeId node : g.nodes) {
      if (entries.size() == kMostHits) break;
      const QString graph = toQString(g.graph->entry.id), name = toQString(g.graph->graph->nodeName(node));
      entries.push_back(
          {QString::number(places.size()), name, toQString(g.graph->graph->target(node)), graph, {}});
      places.emplace_back(graph, name);
    }
  const QString found =
      tr("%1: %2 in %3 of %4")
          .arg(query, toQString(session::counted(hits.hits, "node")), QString::number(hits.graphs.size()),
               toQString(session::counted(hits.searched, "graph"))) +
      (entries.size() < hits.hits ? tr(", the first %1 below").arg(entries.size()) : QString());
  showMessage(found);
  palette_->ask(found, std::move(entries), [this, path, places](const PaletteEntry* entry, const QString&) {
    const auto& [graph, node] = places[static_cast<size_t>(entry->id.toInt())];
    document_.openGraph(path, graph, node);
  });
}

void MainWindow::askExport() {
  auto* dialog = new ExportDialog(document_, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this, [this, dialog] {
    const session::ExportRequest r = dialog->request();
    trigger(QStringLiteral("export"), QJsonObject{{"file", QString::fromStdString(r.path)},
                                                  {"format", QString::fromStdString(r.format)},
                                                  {"theme", QString::fromStdString(r.theme)},
                                                  {"scale", dialog->scale()}});
  });
  dialog->open();
}

void MainWindow::contextMenu(QPoint at, ir::NodeId node, const QString& group) {
  GraphTab* tab = document_.current();
  if (!tab) return;
  if (node && !tab->isSelected(node)) tab->select(node);
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  const auto add = [&](std::initializer_list<const char*> ids) {
    for (const char* id : ids) menu->addAction(qtAction(QString::fromLatin1(id)));
    menu->addSeparator();
  };
  if (node) {
    add({"partner", "producer", "consumer", "fit-neighbourhood"});
    add({"select-same-op", "select-same-module"});
    add({"run-to"});
    if (tab->passes().cut()) add({"save-value", "recompute-value"});
    add({"copy-name", "copy-address"});
  }
  if (!group.isEmpty()) {
    menu->addAction(tr("Expand %1").arg(group), this, [this, group] {
      trigger(QStringLiteral("expand"), QJsonObject{{"group", group}});
    });
    menu->addAction(tr("Collapse %1").arg(group), this, [this, group] {
      trigger(QStringLiteral("collapse"), QJsonObject{{"group", group}});
    });
    menu->addSeparator();
  }
  add({"fit", "group-by", "joint-u", "flow", "export"});
  menu->popup(at);
}

void MainWindow::showRecord(const QString& path, int record) {
  const OpenFile* file = document_.fileOf(path);
  if (!file || record >= static_cast<int>(file->document->input().records().size())) return;
  const auto& entry = file->document->input().records()[static_cast<size_t>(record)];
  const QString title = toQString(entry.kind + (entry.name.empty() ? "" : " " + entry.name));
  document_.jobs().start(
      tr("Reading a record"), this,
      [document = file->document, record](JobControl&) {
        auto text = document->input().payload(static_cast<size_t>(record));
        if (!text) return QString::fromStdString(text.error().text());
        QString shown = QString::fromUtf8(
            text->data(), static_cast<qsizetype>(std::min<size_t>(text->size(), kMostPayload)));
        if (text->size() > static_cast<size_t>(kMostPayload))
          shown += MainWindow::tr("\n... %1 more bytes").arg(text->size() - kMostPayload);
        return shown;
      },
      [this, title](const QString& text) {
        auto* dialog = new QDialog(this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setWindowTitle(title);
        auto* column = new QVBoxLayout(dialog);
        column->setContentsMargins(0, 0, 0, 0);
        auto* view = new QPlainTextEdit(text, dialog);
        view->setReadOnly(true);
        view->setLineWrapMode(QPlainTextEdit::NoWrap);
        view->setFont(codeFont());
        view->setFrameShape(QFrame::NoFrame);
        column->addWidget(view);
        dialog->resize(860, 620);
        dialog->show();
      });
}

void MainWindow::showFactTable(const QString& path, int table) {
  const OpenFile* file = document_.fileOf(path);
  if (!file || table >= static_cast<int>(file->document->input().tables().size())) return;
  const importers::FactTable& facts = file->document->input().tables()[static_cast<size_t>(table)];
  auto* dialog = new QDialog(this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(tr("%1: %2 rows").arg(toQString(facts.name)).arg(facts.rows.size()));
  auto* column = new QVBoxLayout(dialog);
  column->setContentsMargins(0, 0, 0, 0);
  const int rows = static_cast<int>(std::min<size_t>(facts.rows.size(), kMostTableRows));
  auto* view = new QTableWidget(rows, static_cast<int>(facts.columns.size()), dialog);
  setUpTable(view, toQString(facts.name));
  view->setEditTriggers(QAbstractItemView::NoEditTriggers);
  for (size_t c = 0; c < facts.columns.size(); ++c)
    view->setHorizontalHeaderItem(static_cast<int>(c), new QTableWidgetItem(toQString(facts.columns[c])));
  for (int r = 0; r < rows; ++r) {
    const auto& row = facts.rows[static_cast<size_t>(r)];
    for (size_t c = 0; c < std::min(row.size(), facts.columns.size()); ++c)
      view->setItem(r, static_cast<int>(c), new QTableWidgetItem(toQString(row[c])));
  }
  fitColumns(view);
  column->addWidget(view);
  dialog->resize(900, 560);
  dialog->show();
}

}  // namespace descry::gui

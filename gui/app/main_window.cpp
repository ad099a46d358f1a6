#include "gui/app/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDialog>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QLineEdit>
#include <QMimeData>
#include <QPainter>
#include <QScrollArea>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>

#include "gui/app/breadcrumb_bar.h"
#include "gui/app/graph_page.h"
#include "gui/app/notice_bar.h"
#include "gui/app/palette_dialog.h"
#include "gui/app/query_bar.h"
#include "gui/app/start_page.h"
#include "gui/app/status_line.h"
#include "gui/app/style_sheet.h"
#include "gui/panels/descriptors/descriptors_panel.h"
#include "gui/panels/explorer/explorer_panel.h"
#include "gui/panels/icons.h"
#include "gui/panels/node/node_panel.h"
#include "gui/panels/outline/outline_panel.h"
#include "gui/panels/passes/passes_panel.h"
#include "gui/panels/problems/problems_panel.h"
#include "gui/panels/run/run_panel.h"
#include "gui/panels/table/table_panel.h"
#include "gui/panels/text/text_panel.h"
#include "gui/panels/timings/timings_panel.h"
#include "gui/panels/value/value_panel.h"

namespace descry::gui {
namespace {
constexpr int kAutosaveMs = 20000;
constexpr int kMessageMs = 8000;
constexpr int kWindowStateVersion = 1;
}  // namespace

MainWindow::MainWindow(Document& document, QWidget* parent) : QMainWindow(parent), document_(document) {
  setObjectName(QStringLiteral("mainWindow"));
  setAcceptDrops(true);
  setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
  setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
  setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  resize(1600, 1000);
  buildCentre();
  buildDocks();
  buildActions();
  buildToolBar();
  buildMenus();
  palette_ = new PaletteDialog(this);
  connectDocument();
  document_.setWindowState([this] { return saveState(kWindowStateVersion); });
  connect(&document_, &Document::windowStateRestored, this,
          [this](const QByteArray& state) { restoreState(state, kWindowStateVersion); });
  refreshTheme();
  updateTitle();
  if (!document_.preferences().windowState().isEmpty()) {
    restoreGeometry(document_.preferences().windowGeometry());
    restoreState(document_.preferences().windowState(), kWindowStateVersion);
  }
}

MainWindow::~MainWindow() {
  // The document outlives the window; nothing may call back into half of it.
  disconnect(&document_, nullptr, this, nullptr);
  document_.setWindowState({});
}

void MainWindow::buildCentre() {
  query_ = new QueryBar(document_, this);
  breadcrumbs_ = new BreadcrumbBar(document_, this);
  auto* centre = new QWidget(this);
  auto* column = new QVBoxLayout(centre);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  notice_ = new NoticeBar(centre);
  column->addWidget(notice_);
  column->addWidget(query_->strip());
  stack_ = new QStackedWidget(centre);
  start_ = new StartPage(document_.preferences(), stack_);
  tabs_ = new QTabWidget(stack_);
  tabs_->setDocumentMode(true);
  tabs_->setMovable(false);
  tabs_->setElideMode(Qt::ElideMiddle);
  startArea_ = new QScrollArea(stack_);
  startArea_->setWidgetResizable(true);
  startArea_->setWidget(start_);
  stack_->addWidget(startArea_);
  stack_->addWidget(tabs_);
  column->addWidget(stack_, 1);
  setCentralWidget(centre);
  status_ = new StatusLine(document_, this);
  statusBar()->addPermanentWidget(status_);
  statusBar()->setSizeGripEnabled(false);

  connect(start_, &StartPage::openRequested, &document_, &Document::open);
  connect(start_, &StartPage::browseRequested, this, [this] { trigger(QStringLiteral("open")); });
  connect(tabs_, &QTabWidget::currentChanged, this, [this](int index) {
    if (switching_ || index < 0) return;
    document_.setCurrent(static_cast<GraphPage*>(tabs_->widget(index))->tab());
  });
  connect(query_, &QueryBar::actionRequested, this, [this](const QString& id) { trigger(id); });
  connect(query_, &QueryBar::left, this, [this] {
    if (currentPage()) currentPage()->canvas()->setFocus();
  });
  connect(status_, &StatusLine::cancelRequested, this, [this] { trigger(QStringLiteral("stop")); });
}

void MainWindow::buildDocks() {
  auto* explorer = new ExplorerPanel(document_, this);
  connect(explorer, &ExplorerPanel::recordRequested, this, &MainWindow::showRecord);
  connect(explorer, &ExplorerPanel::tableRequested, this, &MainWindow::showFactTable);
  panels_ = {explorer,
             new OutlinePanel(document_, this),
             new NodePanel(document_, this),
             new TextPanel(document_, this),
             new DescriptorsPanel(document_, this),
             new TablePanel(document_, this),
             new ProblemsPanel(document_, this),
             new PassesPanel(document_, this),
             new RunPanel(document_, this),
             new ValuePanel(document_, this),
             new TimingsPanel(document_, this)};
  for (Panel* p : panels_) {
    addDockWidget(p->defaultArea(), p);
    connect(p, &Panel::actionRequested, this, &MainWindow::trigger);
  }
  resetLayout();
}

Panel* MainWindow::panel(const QString& id) const {
  for (Panel* p : panels_)
    if (p->id() == id) return p;
  return nullptr;
}

void MainWindow::resetLayout() {
  applyPreset(QStringLiteral("read"));
}

void MainWindow::applyPreset(const QString& name) {
  const bool joint = name == QLatin1String("joint"), stepping = name == QLatin1String("passes");
  const bool performance = name == QLatin1String("performance"), numerics = name == QLatin1String("numerics");
  for (Panel* p : panels_) {
    p->setFloating(false);
    removeDockWidget(p);
  }
  auto add = [this](const char* id, Qt::DockWidgetArea area) {
    Panel* p = panel(QString::fromLatin1(id));
    addDockWidget(area, p);
    p->show();
    return p;
  };
  Panel* explorer = add("explorer", Qt::LeftDockWidgetArea);
  Panel* outline = add("outline", Qt::LeftDockWidgetArea);
  splitDockWidget(explorer, outline, Qt::Vertical);
  Panel* node = add("node", Qt::RightDockWidgetArea);
  Panel* value = add("value", Qt::RightDockWidgetArea);
  tabifyDockWidget(node, value);
  Panel* text = add("text", Qt::BottomDockWidgetArea);
  Panel* descriptors = add("descriptors", Qt::BottomDockWidgetArea);
  Panel* table = add("table", Qt::BottomDockWidgetArea);
  Panel* problems = add("problems", Qt::BottomDockWidgetArea);
  tabifyDockWidget(text, descriptors);
  tabifyDockWidget(descriptors, table);
  Panel* passes = add("passes", Qt::BottomDockWidgetArea);
  tabifyDockWidget(table, problems);
  tabifyDockWidget(problems, passes);
  Panel* run = add("run", Qt::BottomDockWidgetArea);
  tabifyDockWidget(passes, run);
  Panel* timings = add("timings", Qt::BottomDockWidgetArea);
  tabifyDockWidget(run, timings);
  (joint ? descriptors : stepping ? passes : performance ? timings : numerics ? run : text)->raise();
  (numerics ? value : node)->raise();
  const int height = std::max(600, this->height());
  resizeDocks({explorer, node}, {stepping ? 250 : 310, stepping ? 290 : 350}, Qt::Horizontal);
  resizeDocks({explorer, outline}, {height / 2, height / 2}, Qt::Vertical);
  resizeDocks({text}, {joint || stepping || performance || numerics ? height * 2 / 5 : height / 4},
              Qt::Vertical);
}

void MainWindow::showDock(const QString& id, bool focus) {
  Panel* p = panel(id);
  if (!p) return;
  p->show();
  p->raise();
  if (focus && p->focusTarget()) p->focusTarget()->setFocus();
}

void MainWindow::hideDock(const QString& id) {
  if (Panel* p = panel(id)) p->hide();
}

void MainWindow::connectDocument() {
  connect(&document_, &Document::tabAdded, this, &MainWindow::addPage);
  connect(&document_, &Document::tabClosing, this, &MainWindow::removePage);
  connect(&document_, &Document::coloursChanged, this, [this] {
    for (int i = 0; i < tabs_->count(); ++i)
      static_cast<GraphPage*>(tabs_->widget(i))->setColours(document_.colours());
  });
  connect(&document_, &Document::currentChanged, this, [this](GraphTab* tab) {
    switching_ = true;
    for (int i = 0; i < tabs_->count(); ++i)
      if (static_cast<GraphPage*>(tabs_->widget(i))->tab() == tab) tabs_->setCurrentIndex(i);
    switching_ = false;
    stack_->setCurrentWidget(tab ? static_cast<QWidget*>(tabs_) : startArea_);
    updateTitle();
  });
  connect(&document_, &Document::opened, this, [this](const QString& path) {
    notice_->dismiss(QStringLiteral("failed"));
    showReadState(path);
    if (currentPage() && !query_->edit()->hasFocus()) currentPage()->canvas()->setFocus();
  });
  connect(&document_, &Document::openFailed, this, [this](const QString& path, const QString& text) {
    lastMessage_ = text;
    notice_->showNotice(QStringLiteral("failed"),
                        tr("%1 could not be opened. %2").arg(QFileInfo(path).fileName(), text),
                        {{tr("Show problems"), [this] { showDock(QStringLiteral("problems"), true); }}});
  });
  connect(&document_, &Document::fileChangedOnDisk, this, [this](const QString& path) {
    notice_->showNotice(QStringLiteral("changed"),
                        tr("%1 has changed on disk.").arg(QFileInfo(path).fileName()),
                        {{tr("Reload"), [this, path] { document_.reload(path); }},
                         {tr("Ignore"), [this, path] { document_.ignoreChange(path); }},
                         {tr("Always reload"), [this, path] {
                            document_.preferences().setAlwaysReload(true);
                            document_.reload(path);
                          }}});
  });
  connect(&document_, &Document::message, this, &MainWindow::showMessage);
  connect(&document_, &Document::failed, this, &MainWindow::showMessage);
  connect(&document_, &Document::selectionChanged, this, [this] {
    // The details open at the first selection and then keep whatever the person made of them.
    if (openedNode_ || !document_.current() || !document_.current()->current()) return;
    openedNode_ = true;
    if (panel(QStringLiteral("node"))->isHidden()) showDock(QStringLiteral("node"), false);
  });
  connect(&document_.preferences(), &Preferences::themeChanged, this, &MainWindow::refreshTheme);
  connect(&document_.preferences(), &Preferences::letterKeysChanged, this, [this] {
    for (int i = 0; i < tabs_->count(); ++i)
      static_cast<GraphPage*>(tabs_->widget(i))
          ->canvas()
          ->setSingleKeys(document_.preferences().letterKeys());
  });
}

void MainWindow::showReadState(const QString& path) {
  const OpenFile* file = document_.fileOf(path);
  if (!file) return;
  const ReadSummary s = readSummary(*file->document);
  if (s.whole()) {
    notice_->dismiss(QStringLiteral("partial"));
    return;
  }
  QStringList parts;
  if (s.damagedGraphs)
    parts << tr("%1 of %2 graphs damaged").arg(s.damagedGraphs).arg(s.graphs);
  else
    parts << tr("all %1 graphs were found").arg(s.graphs);
  if (s.damagedRecords) parts << tr("%1 of %2 records damaged").arg(s.damagedRecords).arg(s.records);
  parts << tr("%1 problems in the file itself").arg(s.problems);
  notice_->showNotice(
      QStringLiteral("partial"),
      tr("%1 was read in part: %2.").arg(QFileInfo(path).fileName(), parts.join(QStringLiteral(", "))),
      {{tr("Show problems"), [this] { showDock(QStringLiteral("problems"), true); }}});
}

void MainWindow::addPage(GraphTab* tab) {
  auto* page = new GraphPage(tab, theme_, tabs_);
  page->canvas()->setSingleKeys(document_.preferences().letterKeys());
  page->setColours(document_.colours());
  if (!document_.preferences().persistent()) page->keepStill();
  connect(page, &GraphPage::actionRequested, this, &MainWindow::trigger);
  connect(page, &GraphPage::message, this, &MainWindow::showMessage);
  connect(page->canvas(), &GraphCanvas::contextMenuRequested, this, &MainWindow::contextMenu);
  connect(page->canvas(), &GraphCanvas::nodeActivated, this,
          [this] { showDock(QStringLiteral("node"), false); });
  switching_ = true;
  const int index = tabs_->addTab(page, tab->title());
  nameTabs();
  connect(&tab->passes(), &PassStepper::changed, this, &MainWindow::nameTabs);
  tabs_->setTabToolTip(index, tab->address());
  auto* close = new QToolButton(tabs_);
  close->setObjectName(QStringLiteral("closeTab"));
  close->setIcon(makeIcon(IconKind::Close, theme_.mutedText));
  close->setIconSize(QSize(12, 12));
  close->setAccessibleName(tr("Close %1").arg(tab->title()));
  close->setFocusPolicy(Qt::NoFocus);
  connect(close, &QToolButton::clicked, this, [this, tab] { document_.closeTab(tab); });
  tabs_->tabBar()->setTabButton(index, QTabBar::RightSide, close);
  switching_ = false;
}

void MainWindow::nameTabs() {
  for (int i = 0; i < tabs_->count(); ++i) {
    const GraphTab* one = static_cast<GraphPage*>(tabs_->widget(i))->tab();
    QString text = one->title();
    // Graphs of two files may have the same id; then the tabs say the file too.
    for (int k = 0; k < tabs_->count(); ++k) {
      const GraphTab* other = static_cast<GraphPage*>(tabs_->widget(k))->tab();
      if (one != other && one->title() == other->title() && one->path() != other->path())
        text = tr("%1  %2").arg(QFileInfo(one->path()).fileName(), one->title());
    }
    text += one->passes().stateText();
    if (tabs_->tabText(i) != text) tabs_->setTabText(i, text);
  }
}

void MainWindow::removePage(GraphTab* tab) {
  switching_ = true;
  for (int i = tabs_->count() - 1; i >= 0; --i) {
    auto* page = static_cast<GraphPage*>(tabs_->widget(i));
    if (page->tab() != tab) continue;
    tabs_->removeTab(i);
    delete page;
  }
  switching_ = false;
}

GraphPage* MainWindow::currentPage() const {
  return document_.current() ? static_cast<GraphPage*>(tabs_->currentWidget()) : nullptr;
}

void MainWindow::refreshTheme() {
  theme_ = themeFromPreference(document_.preferences().theme());
  descry::gui::applyTheme(*qApp, theme_);
  for (Panel* p : panels_) p->applyTheme(theme_);
  for (int i = 0; i < tabs_->count(); ++i)
    static_cast<GraphPage*>(tabs_->widget(i))->canvas()->setTheme(theme_);
  query_->applyTheme(theme_);
  start_->applyTheme(theme_);
  refreshIcons();
}

void MainWindow::updateTitle() {
  const GraphTab* tab = document_.current();
  setWindowTitle(tab ? tr("%1 \u2013 %2 \u2013 Descry").arg(tab->graphId(), QFileInfo(tab->path()).fileName())
                     : tr("Descry"));
}

void MainWindow::showMessage(const QString& text) {
  lastMessage_ = text;
  statusBar()->showMessage(text, kMessageMs);
}

bool MainWindow::settled() const {
  if (!document_.jobs().idle() || query_->pending()) return false;
  const GraphPage* page = currentPage();
  return !page || page->settled();
}

QImage MainWindow::picture() {
  if (GraphPage* page = currentPage()) page->canvas()->finishRefining();
  QImage image = grab().toImage();
  // Dialogs are windows of their own; a person sees them in front of this one.
  QPainter painter(&image);
  for (QDialog* dialog : findChildren<QDialog*>()) {
    if (!dialog->isVisible()) continue;
    const QPoint at((width() - dialog->width()) / 2, (height() - dialog->height()) / 2);
    painter.fillRect(rect(), QColor(0, 0, 0, 70));
    painter.drawPixmap(at, dialog->grab());
  }
  return image;
}

void MainWindow::trigger(const QString& id, const QJsonObject& args) {
  if (args.isEmpty() && prompts_.contains(id)) {
    const Action* action = actions_.find(id);
    const QString why = action && action->unavailable ? action->unavailable() : QString();
    if (!why.isEmpty()) return showMessage(why);
    return prompts_[id](args);
  }
  const ActionOutcome outcome = actions_.run(id, args);
  if (!outcome.message.isEmpty()) showMessage(outcome.message);
}

void MainWindow::openDroppedFiles(const QStringList& paths) {
  for (const QString& path : paths) document_.open(path);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  QStringList paths;
  for (const QUrl& url : event->mimeData()->urls())
    if (url.isLocalFile()) paths.push_back(url.toLocalFile());
  if (paths.isEmpty()) return;
  event->acceptProposedAction();
  openDroppedFiles(paths);
}

void MainWindow::keyPressEvent(QKeyEvent* event) {
  // Keys without a modifier that no child wanted.
  if (event->text() == QLatin1String("/")) return trigger(QStringLiteral("query"));
  if (event->text() == QLatin1String("?")) return trigger(QStringLiteral("keys"));
  if (event->text() == QLatin1String("[")) return trigger(QStringLiteral("previous-pass"));
  if (event->text() == QLatin1String("]")) return trigger(QStringLiteral("next-pass"));
  // Letters that the canvas does not take itself act while it has the focus.
  const GraphPage* page = currentPage();
  const bool plain = !(event->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier));
  if (page && page->canvas()->hasFocus() && plain && document_.preferences().letterKeys() &&
      !event->isAutoRepeat()) {
    const QKeySequence pressed(event->keyCombination());
    for (const auto& action : actions_.all())
      if (action->scope == KeyScope::Canvas && !action->keys.isEmpty() &&
          QKeySequence(action->keys, QKeySequence::PortableText) == pressed)
        return trigger(action->id);
  }
  QMainWindow::keyPressEvent(event);
}

// ---- workspace

void MainWindow::startAutosave(const QString& folder) {
  autosave_.emplace(folder);
  autosaveTimer_.setInterval(kAutosaveMs);
  connect(&autosaveTimer_, &QTimer::timeout, this, [this] {
    document_.jobs().start(
        tr("Autosave"), this,
        [autosave = *autosave_, state = document_.workspace()](JobControl&) { return autosave.save(state); },
        [](bool) {}, true);
  });
  autosaveTimer_.start();
}

void MainWindow::offerRestore(const WorkspaceState& state) {
  notice_->showNotice(
      QStringLiteral("restore"),
      tr("Descry did not end by itself last time. Restore its %1 tabs?").arg(state.tabs.size()),
      {{tr("Restore"), [this, state] { document_.restore(state); }}});
}

void MainWindow::changeEvent(QEvent* event) {
  if (event->type() == QEvent::ActivationChange && !isActiveWindow() && autosave_ &&
      autosaveTimer_.isActive()) {
    document_.jobs().start(
        tr("Autosave"), this,
        [autosave = *autosave_, state = document_.workspace()](JobControl&) { return autosave.save(state); },
        [](bool) {}, true);
  }
  QMainWindow::changeEvent(event);
}

bool MainWindow::event(QEvent* event) {
  const bool done = QMainWindow::event(event);
  // Docks that are arranged anew leave an empty bar of tabs behind, above whatever stands there now.
  if (event->type() == QEvent::LayoutRequest)
    for (QTabBar* bar : findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly))
      if (const bool any = bar->count() > 0; any == bar->isHidden()) bar->setVisible(any);
  return done;
}

void MainWindow::closeEvent(QCloseEvent* event) {
  autosaveTimer_.stop();
  document_.preferences().setWindow(saveGeometry(), saveState(kWindowStateVersion));
  document_.jobs().cancelAll();
  event->accept();
  emit closed();
}

}  // namespace descry::gui

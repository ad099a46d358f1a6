// The inspector's window: toolbar, breadcrumbs, query, tabs, docks, status; every action goes through the
// registry.
#pragma once

#include <QHash>
#include <QMainWindow>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "gui/canvas/colour_mode.h"
#include "gui/document/actions.h"
#include "gui/document/document.h"
#include "gui/document/engine.h"
#include "gui/document/workspace_store.h"
#include "gui/theme/theme.h"

class QMenu;
class QScrollArea;
class QStackedWidget;
class QTabWidget;
class QToolBar;
class QToolButton;

namespace descry::gui {

class BreadcrumbBar;
class GraphPage;
class NoticeBar;
class PaletteDialog;
class Panel;
class QueryBar;
class StartPage;
class StatusLine;
class TablePanel;

class MainWindow final : public QMainWindow {
  Q_OBJECT
 public:
  explicit MainWindow(Document& document, QWidget* parent = nullptr);
  ~MainWindow() override;

  Document& document() { return document_; }
  Actions& actions() { return actions_; }
  const Theme& theme() const { return theme_; }
  GraphPage* currentPage() const;
  Panel* panel(const QString& id) const;
  const std::vector<Panel*>& panels() const { return panels_; }
  NoticeBar* notice() const { return notice_; }
  QueryBar* queryBar() const { return query_; }
  BreadcrumbBar* breadcrumbs() const { return breadcrumbs_; }
  StatusLine* statusLine() const { return status_; }
  PaletteDialog* palettePopup() const { return palette_; }

  /// As from a menu: actions that need something from the person ask for it first. Failures are shown.
  void trigger(const QString& id, const QJsonObject& args = {});
  /// Nothing runs, nothing waits to run, and what is shown is final.
  bool settled() const;
  /// Picture of the window without waiting.
  QImage picture();
  void showDock(const QString& id, bool focus);
  void hideDock(const QString& id);
  void applyPreset(const QString& name);  ///< read, passes, joint
  void resetLayout();
  /// Lists the hits of a query on all graphs; a choice goes there.
  void showAllHits(const QString& path, const QString& query, const session::AllHits& hits);
  void openDroppedFiles(const QStringList& paths);
  void offerRestore(const WorkspaceState& state);
  /// Keeps the last workspace up to date in `folder`.
  void startAutosave(const QString& folder);
  QString lastMessage() const { return lastMessage_; }

 signals:
  void closed();

 protected:
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  friend class WindowActions;
  // main_window.cpp
  void buildCentre();
  void buildDocks();
  void connectDocument();
  void refreshTheme();
  void addPage(GraphTab* tab);
  void removePage(GraphTab* tab);
  void nameTabs();
  void showMessage(const QString& text);
  void showReadState(const QString& path);
  void updateTitle();
  // window_menus.cpp
  void buildActions();
  void buildMenus();
  void buildToolBar();
  QToolButton* choices(const QString& id);
  void refreshIcons();
  void fillRecent();
  QAction* qtAction(const QString& id);
  void askFile(const QString& id);
  void askPalette();
  void askGoTo();
  void askChoice(const QString& id);
  void askQueryAll();
  void askPasses();
  void askStep();
  void askExport();
  void contextMenu(QPoint at, ir::NodeId node, const QString& group);
  void showRecord(const QString& path, int record);
  void showFactTable(const QString& path, int table);

  Document& document_;
  Actions actions_;
  QHash<QString, std::function<void(const QJsonObject&)>> prompts_;
  QHash<QString, QAction*> qtActions_;
  Theme theme_ = Theme::light();

  QStackedWidget* stack_ = nullptr;
  StartPage* start_ = nullptr;
  QScrollArea* startArea_ = nullptr;
  QTabWidget* tabs_ = nullptr;
  NoticeBar* notice_ = nullptr;
  QueryBar* query_ = nullptr;
  BreadcrumbBar* breadcrumbs_ = nullptr;
  StatusLine* status_ = nullptr;
  PaletteDialog* palette_ = nullptr;
  QToolBar* bar_ = nullptr;
  QMenu* recentMenu_ = nullptr;
  std::vector<Panel*> panels_;
  std::optional<Autosave> autosave_;
  QTimer autosaveTimer_;
  QString lastMessage_;
  bool openedNode_ = false;
  bool switching_ = false;
};

}  // namespace descry::gui

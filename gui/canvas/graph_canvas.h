// The drawing area of the inspector: shows one Scene, lets people move about in it and select, and reports by
// signals what they ask for. Knows boxes, lines and groups only; what they mean and how they change is
// decided by the receivers.
#pragma once

#include <QImage>
#include <QPoint>
#include <QPointF>
#include <QRectF>
#include <QString>
#include <QWidget>
#include <functional>
#include <memory>
#include <vector>

#include "gui/canvas/camera.h"
#include "gui/canvas/colour_mode.h"
#include "gui/theme/theme.h"
#include "ir/annotations/heat.h"
#include "ir/annotations/scene.h"

class QKeyEvent;

namespace descry::gui {

class BackBuffer;
class CanvasHover;
class HoverCardWidget;
class LegendWidget;
class MinimapWidget;
struct PreparedScene;
struct View;
class SceneIndex;
class ScenePainter;
class SceneTopology;
class CanvasSelection;

/// What happens to the camera when a new scene arrives.
enum class ViewPolicy : uint8_t {
  Fit,   ///< show all
  Keep,  ///< keep the current node (else the group just folded, else the centre) where it is on the screen
};

/// Content of the card that appears while the pointer rests on a node.
struct HoverCard {
  QString title;
  QString subtitle;
  std::vector<std::pair<QString, QString>> rows;  ///< label, value; plain text
};

class GraphCanvas : public QWidget {
  Q_OBJECT

 public:
  explicit GraphCanvas(QWidget* parent = nullptr);
  ~GraphCanvas() override;

  // --- what is shown ---
  /// Null shows an empty canvas. Selection and hits are carried over by node id; what is gone leaves them.
  void setScene(std::shared_ptr<PreparedScene> scene, ViewPolicy policy = ViewPolicy::Fit);
  /// Prepares the scene here: for small ones and tests.
  void setScene(std::shared_ptr<const ir::Scene> scene, ViewPolicy policy = ViewPolicy::Fit);
  const std::shared_ptr<const ir::Scene>& scene() const { return scene_; }
  void setTheme(const Theme& theme);
  const Theme& theme() const { return theme_; }
  void setColourMode(ColourMode mode);
  ColourMode colourMode() const { return colourMode_; }
  /// What a run adds: places on the scale of the colour mode, badges, the path from a cause. Null for
  /// nothing. They are carried over to the next scene.
  void setRun(std::shared_ptr<const ir::Heat> heat, std::shared_ptr<const ir::RunMarks> marks);
  const std::shared_ptr<const ir::Heat>& heat() const { return heat_; }
  const std::shared_ptr<const ir::RunMarks>& marks() const { return marks_; }
  /// Hints in the middle of an empty canvas, e.g. "Open a trace".
  void setEmptyText(const QString& text);
  /// A thin line of text and a bar at the top; fraction < 0: unknown length. Empty text hides it.
  void setProgress(const QString& text, double fraction);

  // --- selection ---
  std::vector<ir::NodeId> selectedNodes() const;  ///< in program order, without output boxes
  ir::NodeId currentNode() const;  ///< the one with the keyboard; invalid if none or an output box
  int currentOutputSlot() const;   ///< >= 0: the current box is that output
  QString currentGroup() const;    ///< path of the selected group, else of the current node's group
  /// Replaces the selection; the first is current. Emits selectionChanged only if it differs. `reveal` brings
  /// it into view.
  void selectNodes(const std::vector<ir::NodeId>& nodes, bool reveal = true);
  void selectOutputSlot(int slot, bool reveal = true);
  void selectGroup(const QString& path, bool reveal = true);
  void clearSelection();

  // --- search hits: all else is dimmed ---
  void setHits(const std::vector<ir::NodeId>& hits);
  void clearHits();

  // --- camera ---
  const Camera& camera() const { return camera_; }
  double zoom() const { return camera_.zoom; }
  void setZoom(double zoom);  ///< about the current node if it is in view, else about the middle
  /// The view is still the one that was chosen for the whole graph: nobody moved it.
  bool showsWhole() const { return refit_ == Refit::Opening || refit_ == Refit::Whole; }
  void setCamera(const Camera& camera, bool animated = false);
  /// The scene point in the middle, also when the widget gets its size only later.
  void lookAt(QPointF scenePoint, double zoom);
  QRectF visibleArea() const;  ///< in scene units
  void fitAll();
  void fitSelection();
  void fitNeighbourhood();  ///< selection and whatever is one edge away
  void centreOn(ir::NodeId node);
  void zoomIn();
  void zoomOut();

  // --- preferences ---
  void setMinimapVisible(bool visible);  ///< it still hides itself when all is in view
  bool isMinimapVisible() const { return minimapWanted_; }
  void setLegendVisible(bool visible);
  bool isLegendVisible() const { return legendWanted_; }
  void setWheelZooms(bool on) { wheelZooms_ = on; }        ///< else the wheel pans and Ctrl+wheel zooms
  void setSingleKeys(bool on) { singleKeys_ = on; }        ///< letters and digits without a modifier act
  void setReducedMotion(bool on) { reducedMotion_ = on; }  ///< default: what the desktop's style says
  void setShowSymbolicEdges(bool on);                      ///< hair lines of symbolic sizes; off by default
  /// Facts for the hover card that the scene does not hold. Without it the card is made from the scene alone.
  void setHoverCardProvider(std::function<HoverCard(ir::NodeId)> provider);
  /// Lines for the card that is made from the scene: what a run found.
  void setHoverRows(std::function<std::vector<std::pair<QString, QString>>(ir::NodeId)> rows);

  // --- pictures ---
  /// What the widget shows now, without waiting for deferred refinement, overlays included.
  QImage grabView();
  bool isRefining() const;  ///< part of the view is still a scaled preview
  void finishRefining();    ///< draws what is missing; for screenshots

  /// Index into scene()->nodes under a widget position, -1 for none. Groups and edges likewise.
  int nodeAt(QPointF position) const;
  int groupAt(QPointF position) const;  ///< folded cards, and headers of open groups
  int edgeAt(QPointF position) const;
  QRectF nodeRectOnScreen(ir::NodeId node) const;

 signals:
  void selectionChanged();
  void currentNodeChanged(descry::ir::NodeId node);
  void outputSlotSelected(int slot);
  void groupSelected(const QString& path);
  void nodeActivated(descry::ir::NodeId node);     ///< double click or Enter
  void groupToggleRequested(const QString& path);  ///< double click on a group
  void expandRequested(const QString& path, bool deep);
  void collapseRequested(const QString& path, bool deep);
  void isolateRequested(const std::vector<descry::ir::NodeId>& nodes);
  void hideRequested(const std::vector<descry::ir::NodeId>& nodes, bool others);
  void partnerRequested(descry::ir::NodeId node);  ///< J
  void escapePressed();                            ///< nothing was left to clear
  void contextMenuRequested(QPoint globalPosition, descry::ir::NodeId node, const QString& groupPath);
  void hovered(descry::ir::NodeId node);  ///< invalid when the pointer leaves
  void cameraChanged();
  void visibleGroupChanged(const QString& path);  ///< deepest group that fills the view, "" for none
  void refined();                                 ///< no preview is left on the screen
  void minimapVisibilityChanged(bool wanted);

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  struct Drag;
  struct Motion;

  // graph_canvas.cpp
  void applyCamera(const Camera& camera);
  void moveCamera(const Camera& camera, bool animated);
  void stopMotion();
  void invalidate();
  void placeOverlays();
  void suggestLegend();
  void restyle();
  void markLegend();
  void updateVisibleGroup();
  QRectF boxRect(int box) const;  ///< of a node, or of the folded card that hides it
  bool underOverlay(const QRectF& onScreen) const;
  QRectF selectionBounds(bool neighbours) const;
  /// All of it, or the beginning of a graph whose boxes would be specks.
  Camera openingView() const;
  void revealRect(const QRectF& rect);
  void zoomAt(QPointF position, double factor, bool animated);
  void announceCurrent();
  double minimumZoom() const;
  QPointF zoomAnchor() const;
  void paintOverlay(QPainter& painter);
  void paintMarks(QPainter& painter, const View& view);
  void paintEmpty(QPainter& painter);
  void paintProgress(QPainter& painter);

  // canvas_keys.cpp
  bool handleKey(QKeyEvent* event);
  bool handlesKey(const QKeyEvent* event) const;
  bool navigate(QKeyEvent* event);
  bool requestByKey(QKeyEvent* event);
  void goTo(int box);

  // canvas_mouse.cpp
  void clickAt(QPointF position, Qt::KeyboardModifiers modifiers);
  void finishArea(Qt::KeyboardModifiers modifiers);
  void setSelection(std::vector<uint32_t> boxes, int current);
  void setCurrentGroup(int group);
  void selectPath(int from, int to);
  void updateHover(QPointF position);
  void showHoverCard();
  void endHover();

  std::shared_ptr<const ir::Scene> scene_;
  Theme theme_;
  Camera camera_;
  ColourMode colourMode_ = ColourMode::Phase;
  std::shared_ptr<PreparedScene> prepared_;  // holds the next three
  const SceneIndex* index_ = nullptr;
  const SceneTopology* topology_ = nullptr;
  ScenePainter* painter_ = nullptr;
  std::unique_ptr<BackBuffer> buffer_;
  std::unique_ptr<CanvasSelection> selection_;
  std::unique_ptr<CanvasHover> hover_;
  std::unique_ptr<Drag> drag_;
  std::unique_ptr<Motion> motion_;
  MinimapWidget* minimap_ = nullptr;
  LegendWidget* legend_ = nullptr;
  HoverCardWidget* card_ = nullptr;
  std::function<HoverCard(ir::NodeId)> cardProvider_;
  std::function<std::vector<std::pair<QString, QString>>(ir::NodeId)> cardRows_;
  std::shared_ptr<const ir::Heat> heat_;
  std::shared_ptr<const ir::RunMarks> marks_;
  std::vector<ir::NodeId> hits_;
  bool hitsActive_ = false;
  QString emptyText_, progressText_, visibleGroup_;
  double progressFraction_ = -1;
  bool minimapWanted_ = true, legendWanted_ = true;
  bool wheelZooms_ = false, singleKeys_ = true, reducedMotion_ = false, showSymbolic_ = false;
  /// What a new size of the widget fits again, until the view is moved.
  enum class Refit : uint8_t { None, Opening, Whole, Point } refit_ = Refit::None;
  QPointF refitPoint_;
};

}  // namespace descry::gui

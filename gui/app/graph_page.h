// Ties one graph tab to one canvas: picture, selection, hits and requests go both ways.
#pragma once

#include <QTimer>
#include <QWidget>

#include "gui/canvas/graph_canvas.h"
#include "gui/document/graph_tab.h"

namespace descry::gui {

class GraphPage final : public QWidget {
  Q_OBJECT
 public:
  GraphPage(GraphTab* tab, const Theme& theme, QWidget* parent);
  GraphTab* tab() const { return tab_; }
  GraphCanvas* canvas() const { return canvas_; }
  /// The picture on the screen is the final one.
  bool settled() const;
  /// The camera jumps instead of gliding: scripts and tests see where a motion ends, not its middle.
  void keepStill();
  /// What fills tell; colours that show a run need one.
  void setColours(ColourMode mode);

 signals:
  void actionRequested(const QString& id, const QJsonObject& args);
  void message(const QString& text);

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void showScene();
  void takeScene(std::shared_ptr<PreparedScene> scene);
  void showSelection();
  void takeSelection();
  void showHits();
  void showProgress();
  void showRun();
  GraphTab* tab_;
  GraphCanvas* canvas_;
  QTimer progress_;
  JobControlPtr preparing_;
  bool first_ = true;
  ViewState drawn_;
  PassStepper::State drawnState_;  ///< of the picture that is shown
  bool taking_ = false;
  bool still_ = false;
};

}  // namespace descry::gui

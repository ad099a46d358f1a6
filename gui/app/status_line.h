// The status bar's fixed part: counts, selection, layout time, how much was read, the running job with
// Cancel.
#pragma once

#include <QPointer>
#include <QTimer>
#include <QWidget>

#include "gui/document/document.h"

class QLabel;
class QProgressBar;
class QPushButton;

namespace descry::gui {

class StatusLine final : public QWidget {
  Q_OBJECT
 public:
  StatusLine(Document& document, QWidget* parent);
  QString text() const;

 signals:
  void cancelRequested();

 private:
  void follow(GraphTab* tab);
  void showFacts();
  void showJob();
  Document& document_;
  QPointer<GraphTab> tab_;
  QLabel *facts_, *job_;
  QProgressBar* bar_;
  QPushButton* cancel_;
  QTimer tick_;
};

}  // namespace descry::gui

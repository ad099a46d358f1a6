// Export: format, theme, size; a preview, an estimate, and the command line that does the same.
#pragma once

#include <QDialog>
#include <QPointer>
#include <QTimer>

#include "gui/document/document.h"
#include "gui/document/engine.h"

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace descry::gui {

class ExportDialog final : public QDialog {
  Q_OBJECT
 public:
  ExportDialog(Document& document, QWidget* parent);
  session::ExportRequest request() const;
  double scale() const;
  QString commandLine() const;
  QString estimate() const;

 private:
  void refresh();
  void startPreview();
  void browse();
  Document& document_;
  QPointer<GraphTab> tab_;
  QListWidget* formats_;
  QComboBox* theme_;
  QDoubleSpinBox* scale_;
  QLineEdit* path_;
  QLabel *preview_, *estimate_, *summary_;
  QLineEdit* command_;
  QPushButton* save_;
  JobControlPtr previewJob_;
  QTimer delay_;
};

}  // namespace descry::gui

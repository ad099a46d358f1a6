// The options of the passes that Run would run, as a form.
#pragma once

#include <QScrollArea>

#include <vector>

#include "gui/document/engine.h"

class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;

namespace descry::gui {

class PassSettings final : public QScrollArea {
  Q_OBJECT
 public:
  explicit PassSettings(QWidget* parent);
  /// `error`: why there are none; shown in their place.
  void setOptions(const std::vector<session::PipelineOption>& options, const QString& error);
  /// The field of an option; null when the pipeline has no such option.
  QWidget* field(const QString& option) const;

 signals:
  void chosen(const QString& option, const QString& value);

 private:
  struct Row {
    QString pass, name;
    QLabel* label = nullptr;
    QComboBox* choice = nullptr;  ///< of options with alternatives
    QLineEdit* text = nullptr;    ///< of others
    QLabel* meaning = nullptr;
  };
  void build(const std::vector<session::PipelineOption>& options);
  void show(const Row& row, const session::PipelineOption& option);

  QWidget* page_ = nullptr;
  QGridLayout* grid_ = nullptr;
  std::vector<Row> rows_;
};

}  // namespace descry::gui

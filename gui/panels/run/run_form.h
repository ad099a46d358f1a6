// How a run is done, as a form. Every field is an option of `set-run-option`.
#pragma once

#include <QScrollArea>

#include "gui/document/graph_runs.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace descry::gui {

class RunForm final : public QScrollArea {
  Q_OBJECT
 public:
  explicit RunForm(QWidget* parent);
  /// Null: nothing is open. `bytes`: of values that are kept now.
  /// `noBackward`: why there are no gradients to ask for; empty when there are.
  void show(const RunSettings* settings, qint64 bytes, const QString& noBackward = {});

  QComboBox* inputs() const { return inputs_; }
  QComboBox* device() const { return device_; }
  QComboBox* executor() const { return executor_; }
  QCheckBox* backward() const { return backward_; }
  QSpinBox* timed() const { return timed_; }
  QComboBox* keep() const { return keep_; }
  QLineEdit* memory() const { return memory_; }
  QLineEdit* seed() const { return seed_; }
  QLineEdit* tolerance() const { return tolerance_; }

 signals:
  void chosen(const QString& option, const QString& value);
  void fileWanted();

 private:
  QComboBox* inputs_ = nullptr;
  QComboBox* device_ = nullptr;
  QComboBox* executor_ = nullptr;
  QCheckBox* backward_ = nullptr;
  QSpinBox* timed_ = nullptr;
  QComboBox* keep_ = nullptr;
  QLineEdit* memory_ = nullptr;
  QLineEdit* seed_ = nullptr;
  QLineEdit* tolerance_ = nullptr;
  QLabel* kept_ = nullptr;
};

}  // namespace descry::gui

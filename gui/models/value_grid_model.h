// Elements of a tensor in a grid: two of its dimensions, at an index of the others. Cells are made when they
// are looked at, so that a tensor may be as large as it likes.
#pragma once

#include <QAbstractTableModel>

#include "gui/document/value_look.h"

namespace descry::gui {

class ValueGridModel final : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Role { kBadRole = Qt::UserRole + 1 };
  using QAbstractTableModel::QAbstractTableModel;

  /// Null: nothing. The look outlives the model, or is taken away by another call.
  void show(const ValueLook* look);
  /// The element of a cell: `[0, 3] = -0.0123`, with its bits.
  QString cellText(const QModelIndex& index) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  QString element(int row, int column, session::NumberFormat format) const;
  const ValueLook* look_ = nullptr;
  runtime::TensorRef tensor_;
  int rows_ = 0, columns_ = 0;
};

/// Figures of a value with their names: count, min, max, ..., in the order in which they are read.
std::vector<std::pair<QString, QString>> statisticsRows(const runtime::ValueStatistics& statistics);
/// `max abs 1e-6, max rel 2e-5, ULP 1 (max 12), cosine 1, SNR 132 dB, 0 outside`.
QString comparisonWords(const runtime::Comparison& comparison);
/// What a histogram shows, for those who do not see it.
QString histogramWords(const session::ValueHistogram& histogram, const session::ValueHistogram* other);

}  // namespace descry::gui

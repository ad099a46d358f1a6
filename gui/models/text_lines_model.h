// The printed text as a list of lines: rows for screen readers and tests; the text view draws from the same
// lines.
#pragma once

#include <QAbstractListModel>

#include <memory>

#include "gui/document/graph_rows.h"
#include "gui/models/table_model.h"

namespace descry::gui {

class TextLinesModel final : public QAbstractListModel {
  Q_OBJECT
 public:
  using QAbstractListModel::QAbstractListModel;

  void setLines(std::shared_ptr<const TextLines> lines) {
    beginResetModel();
    lines_ = std::move(lines);
    endResetModel();
  }
  const std::shared_ptr<const TextLines>& lines() const { return lines_; }

  int rowCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() || !lines_ ? 0 : static_cast<int>(lines_->size());
  }
  QVariant data(const QModelIndex& index, int role) const override {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const auto line = static_cast<uint32_t>(index.row());
    if (role == Qt::DisplayRole) return toQString(lines_->line(line));
    if (role == kNodeRole) return lines_->nodeAt(line).index;
    return {};
  }

 private:
  std::shared_ptr<const TextLines> lines_;
};

}  // namespace descry::gui

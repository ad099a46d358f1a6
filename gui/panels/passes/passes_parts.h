// What the two halves of the Passes panel share: columns of its tables, and how rows look.
#pragma once

#include <QStyledItemDelegate>

#include "gui/models/cells_model.h"
#include "gui/panels/column_fit.h"
#include "gui/theme/theme.h"

namespace descry::gui {

enum StepColumn { kStepAt, kStepPass, kStepGraphs, kStepNodes, kStepWhat };
enum CutColumn { kCutAt, kCutValue, kCutType, kCutBytes, kCutFate, kCutWhy };

/// Colours of the tones of a row.
class ToneDelegate final : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void setTheme(const Theme& theme) { theme_ = theme; }
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    const auto tone = static_cast<CellTone>(index.data(CellsModel::kToneRole).toInt());
    if (tone == CellTone::Dim) option->palette.setColor(QPalette::Text, theme_.mutedText);
    if (tone == CellTone::Error) option->palette.setColor(QPalette::Text, theme_.error);
    option->text = breakableText(option->text);  // what ColumnFit measures
  }

 private:
  Theme theme_ = Theme::light();
};

}  // namespace descry::gui

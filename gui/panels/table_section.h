// A line of text, and a table of text cells below it when there are rows: what the pages of panels are made
// of.
#pragma once

#include <QStyledItemDelegate>

#include <vector>

#include "gui/models/cells_model.h"
#include "gui/panels/column_fit.h"
#include "gui/theme/theme.h"

class QLabel;
class QTableView;
class QVBoxLayout;

namespace descry::gui {

/// Colours of the tones of a row.
class ToneDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void setTheme(const Theme& theme) { theme_ = theme; }
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

 protected:
  Theme theme_ = Theme::light();
};

struct TableSection {
  QLabel* headline = nullptr;
  QTableView* table = nullptr;
  CellsModel* model = nullptr;
  ColumnFit* fit = nullptr;
  ToneDelegate* delegate = nullptr;

  /// Rows, or the text where there are none.
  void show(std::vector<CellRow> rows, const QString& text) const;
};

/// Columns in `numbers` are aligned to the right; text of the `flexible` ones breaks into lines where there
/// is little room. The copy key copies the selected rows, with tabs between cells.
TableSection makeTableSection(QWidget* page, const QString& name, const QStringList& titles,
                              std::vector<int> numbers, std::vector<int> flexible);
/// A page of a tab widget with nothing around its parts.
QVBoxLayout* bareColumn(QWidget* page);

}  // namespace descry::gui

#include "gui/panels/table_section.h"

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QTableView>
#include <QVBoxLayout>

#include "gui/panels/row_views.h"

namespace descry::gui {

void ToneDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
  QStyledItemDelegate::initStyleOption(option, index);
  const auto tone = static_cast<CellTone>(index.data(CellsModel::kToneRole).toInt());
  if (tone == CellTone::Dim) option->palette.setColor(QPalette::Text, theme_.mutedText);
  if (tone == CellTone::Error) option->palette.setColor(QPalette::Text, theme_.error);
  option->text = breakableText(option->text);  // what ColumnFit measures
}

void TableSection::show(std::vector<CellRow> rows, const QString& text) const {
  const bool any = !rows.empty();
  model->setRows(std::move(rows));
  table->setVisible(any);
  headline->setText(text);
  headline->setVisible(!text.isEmpty());
  if (any) fit->refit();
}

TableSection makeTableSection(QWidget* page, const QString& name, const QStringList& titles,
                              std::vector<int> numbers, std::vector<int> flexible) {
  TableSection section;
  section.headline = new QLabel(page);
  section.headline->setWordWrap(true);
  section.headline->setTextFormat(Qt::PlainText);
  section.headline->setTextInteractionFlags(Qt::TextSelectableByMouse);
  section.headline->setContentsMargins(10, 6, 10, 6);
  section.headline->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  section.model = new CellsModel(titles, std::move(numbers), page);
  section.table = new QTableView(page);
  setUpTable(section.table, name);
  section.table->setModel(section.model);
  section.delegate = new ToneDelegate(page);
  section.table->setItemDelegate(section.delegate);
  section.fit = new ColumnFit(section.table, std::move(flexible));
  onCopyKey(section.table, [table = section.table] {
    QString text;
    for (const QModelIndex& row : table->selectionModel()->selectedRows()) {
      QStringList cells;
      for (int c = 0; c < table->model()->columnCount(); ++c)
        cells << row.siblingAtColumn(c).data().toString();
      text += cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
    }
    QApplication::clipboard()->setText(text);
  });
  return section;
}

QVBoxLayout* bareColumn(QWidget* page) {
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  return column;
}

}  // namespace descry::gui

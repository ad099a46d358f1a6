// Keeps tables of text readable at any width without dragging.
#pragma once

#include <QObject>
#include <QStyledItemDelegate>

#include <vector>

class QTableView;

namespace descry::gui {

/// The text with places where a line may break inside names, types and calls.
QString breakableText(const QString& text);

/// A table's columns are as wide as their title and content. Where that is more than there is room for, the
/// flexible ones share what the others leave, and their text breaks into lines. The last flexible column
/// takes what is too much. Columns that a person has dragged stay until the rows are others.
///
/// The table's delegate has to show breakableText() text. Cost: a look at every cell of up to 1000 rows; of
/// more, at the longest ones.
class ColumnFit final : public QObject {
 public:
  ColumnFit(QTableView* table, std::vector<int> flexible);
  /// The rows are others.
  void refit();
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  struct Column {
    int natural = 0;  ///< all of it on one line
    int least = 0;    ///< the title, and the longest part that does not break
    bool flexible = false;
  };
  void measure();
  void apply();
  std::vector<int> widthsFor(int room) const;
  void fitRows();

  QTableView* table_;
  std::vector<int> flexible_;
  std::vector<Column> columns_;
  bool applying_ = false, dragged_ = false;
};

}  // namespace descry::gui

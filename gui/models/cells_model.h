// Rows of text cells, ready to show: for small tables whose rows have no type of their own.
#pragma once

#include <QStringList>

#include <vector>

#include "gui/models/table_model.h"

namespace descry::gui {

enum class CellTone : uint8_t {
  Normal,
  Dim,     ///< nothing happened here
  Strong,  ///< the current one, or what a person asked for
  Error,
};

struct CellRow {
  QStringList cells;
  CellTone tone = CellTone::Normal;
  QString node;           ///< name of the node that the row is about; empty for none
  QString tip = {};       ///< of the whole row; empty: each cell shows its own text
  QStringList tips = {};  ///< of cells that show less than there is
};

class CellsModel final : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Role { kToneRole = kSeverityRole + 1, kNameRole };
  /// Columns in `numbers` are aligned to the right.
  CellsModel(QStringList titles, std::vector<int> numbers, QObject* parent = nullptr);

  void setRows(std::vector<CellRow> rows);
  const CellRow* row(int index) const;
  /// -1 when no row is about `node`.
  int rowOf(const QString& node) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  bool isNumber(int column) const;
  QStringList titles_;
  std::vector<int> numbers_;
  std::vector<CellRow> rows_;
};

}  // namespace descry::gui

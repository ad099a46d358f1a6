// Tree of all open files: file > rank > compile id > graph, records and tables.
#pragma once

#include <QAbstractItemModel>
#include <QString>

#include <memory>
#include <vector>

#include "gui/models/table_model.h"
#include "session/views.h"

namespace descry::gui {

/// One file of the explorer.
struct ExplorerFile {
  QString path;
  std::shared_ptr<const std::vector<session::ExplorerItem>> items;  ///< null: still being made
  std::vector<QString> graphIds;                                    ///< of the input's graphs
};

/// A graph that passes made.
struct ExplorerState {
  QString name, pass;  ///< joint; trace-joint
  int position = 0;
  friend bool operator==(const ExplorerState&, const ExplorerState&) = default;
};

class ExplorerModel final : public QAbstractItemModel {
  Q_OBJECT
 public:
  enum Column { NameColumn, DetailColumn, ColumnCount };
  enum Role {
    kPathRole = Qt::UserRole + 100,
    kGraphIdRole,
    kKindRole,
    kRecordRole,
    kTableRole,
    kPositionRole,  ///< of a state; invalid for other rows
    kStateNameRole
  };
  using QAbstractItemModel::QAbstractItemModel;

  void setFiles(std::vector<ExplorerFile> files);
  QModelIndex find(const QString& path, const QString& graphId) const;
  /// The graphs that passes made of one, below it. They go with the next setFiles.
  void setStates(const QString& path, const QString& graphId, std::vector<ExplorerState> states);

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& index) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  struct Entry {
    size_t file = 0;
    int item = -1;    ///< index into the file's items, -1: the file itself
    int state = -1;   ///< index into states_: a row below the graph of `item`
    int parent = -1;  ///< index into entries_
    int row = 0;
    std::vector<int> children;
  };
  std::vector<ExplorerFile> files_;
  std::vector<Entry> entries_;
  std::vector<ExplorerState> states_;
  std::vector<int> top_;
};

}  // namespace descry::gui

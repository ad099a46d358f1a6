// Table and tree views with one look and one way to link rows and the selection.
#pragma once

#include <QTableView>
#include <QTreeView>

#include <functional>

namespace descry::gui {

/// Rows of one height, no grid, whole rows selected, columns that can be moved and resized.
void setUpTable(QTableView* table, const QString& accessibleName);
void setUpTree(QTreeView* tree, const QString& accessibleName);
/// Calls `copy` for the copy key while the view has the focus; the window's own "copy name" stays out of it.
void onCopyKey(QAbstractItemView* view, std::function<void()> copy);
/// Columns as wide as their title and the first rows need, at most `most` pixels.
void fitColumns(QTableView* table, int most = 320);

}  // namespace descry::gui

// Entries of the command palette and of "go to", filtered by what is typed.
#pragma once

#include <QAbstractListModel>
#include <QString>

#include <vector>

namespace descry::gui {

struct PaletteEntry {
  QString id, title, detail, key;
  QString unavailable;  ///< reason, empty when it can be used
};

class PaletteModel final : public QAbstractListModel {
  Q_OBJECT
 public:
  enum Role { kIdRole = Qt::UserRole + 1, kDetailRole, kKeyRole, kUnavailableRole };
  using QAbstractListModel::QAbstractListModel;

  void setEntries(std::vector<PaletteEntry> entries);
  /// Every letter of each typed word must occur in order, in the title, the id or the detail; better matches
  /// come first, those in the title before the others.
  void setFilter(const QString& text);
  const PaletteEntry* entry(int row) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;

  /// Higher is better, -1 for no match.
  static int score(const QString& text, const QString& typed);

 private:
  std::vector<PaletteEntry> entries_;
  std::vector<int> shown_;
  QString filter_;
};

}  // namespace descry::gui

#include "gui/models/palette_model.h"

#include <QStringList>

#include <algorithm>

namespace descry::gui {
namespace {

int scoreWord(const QString& text, const QString& word) {
  const qsizetype at = text.indexOf(word);
  if (at >= 0) {
    const bool start = at == 0 || !text[at - 1].isLetterOrNumber();
    return (start ? 300 : 150) - static_cast<int>(std::min<qsizetype>(at, 100));
  }
  // Letters in order with gaps; each gap costs.
  int gaps = 0;
  qsizetype from = 0;
  for (const QChar c : word) {
    const qsizetype found = text.indexOf(c, from);
    if (found < 0) return -1;
    gaps += from && found > from ? static_cast<int>(std::min<qsizetype>(found - from, 10)) : 0;
    from = found + 1;
  }
  return std::max(1, 80 - 5 * gaps);
}

}  // namespace

int PaletteModel::score(const QString& text, const QString& typed) {
  const QString low = text.toLower();
  int total = 0;
  for (const QString& word : typed.toLower().split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
    const int s = scoreWord(low, word);
    if (s < 0) return -1;
    total += s;
  }
  return total;
}

void PaletteModel::setEntries(std::vector<PaletteEntry> entries) {
  entries_ = std::move(entries);
  setFilter(filter_);
}

void PaletteModel::setFilter(const QString& text) {
  beginResetModel();
  filter_ = text;
  shown_.clear();
  std::vector<std::pair<int, int>> scored;
  for (size_t i = 0; i < entries_.size(); ++i) {
    const PaletteEntry& e = entries_[i];
    int s = score(e.title, text);
    for (const QString* other : {&e.id, &e.detail})
      if (const int by = score(*other, text); by >= 0) s = std::max(s, by / 2);
    if (s >= 0) scored.emplace_back(-s, static_cast<int>(i));
  }
  std::sort(scored.begin(), scored.end());
  for (const auto& [s, i] : scored) shown_.push_back(i);
  endResetModel();
}

const PaletteEntry* PaletteModel::entry(int row) const {
  if (row < 0 || row >= static_cast<int>(shown_.size())) return nullptr;
  return &entries_[static_cast<size_t>(shown_[static_cast<size_t>(row)])];
}

int PaletteModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(shown_.size());
}

QVariant PaletteModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const PaletteEntry& e = *entry(index.row());
  switch (role) {
    case Qt::DisplayRole:
      return e.title;
    case Qt::ToolTipRole:
      return e.unavailable.isEmpty() ? e.detail : e.unavailable;
    case kIdRole:
      return e.id;
    case kDetailRole:
      return e.detail;
    case kKeyRole:
      return e.key;
    case kUnavailableRole:
      return e.unavailable;
    default:
      return {};
  }
}

}  // namespace descry::gui

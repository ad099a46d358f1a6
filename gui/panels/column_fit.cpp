#include "gui/panels/column_fit.h"

#include <QEvent>
#include <QFontMetrics>
#include <QHeaderView>
#include <QTableView>

#include <algorithm>
#include <numeric>

namespace descry::gui {
namespace {

constexpr int kCellPadding = 24, kTitlePadding = 22, kRowPadding = 8;
constexpr int kMeasuredRows = 1000;  // of more, only the longest texts are measured, and rows are alike
constexpr int kMostLines = 8;        // what is longer is cut; the tip has all of it
constexpr int kWidestWord = 150, kLongestText = 600;

/// A bold font: the rows that matter most are bold, and have to fit as well.
QFontMetrics boldMetrics(const QTableView& table) {
  QFont font = table.font();
  font.setBold(true);
  return QFontMetrics(font);
}

int longestPart(const QFontMetrics& metrics, const QString& text) {
  int widest = 0;
  qsizetype from = 0;
  for (qsizetype i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] != QLatin1Char(' ') && text[i] != QChar(0x200B)) continue;
    widest = std::max(widest, metrics.horizontalAdvance(text.mid(from, i - from)));
    from = i + 1;
  }
  return widest;
}

int wrappedHeight(const QFontMetrics& metrics, const QString& text, int width) {
  return metrics.boundingRect(QRect(0, 0, std::max(width, 20), 100000), Qt::TextWordWrap, text).height();
}

}  // namespace

QString breakableText(const QString& text) {
  QString out;
  out.reserve(text.size() + 16);
  for (const QChar c : text) {
    out += c;
    if (QStringLiteral(",(=_+.])/|").contains(c)) out += QChar(0x200B);
  }
  return out;
}

ColumnFit::ColumnFit(QTableView* table, std::vector<int> flexible)
    : QObject(table), table_(table), flexible_(std::move(flexible)) {
  table->setWordWrap(true);
  table->horizontalHeader()->setStretchLastSection(false);
  table->viewport()->installEventFilter(this);
  connect(table->horizontalHeader(), &QHeaderView::sectionResized, this, [this] {
    if (applying_ || columns_.empty()) return;  // nothing was measured yet
    dragged_ = true;
    table_->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    fitRows();
  });
}

void ColumnFit::refit() {
  dragged_ = false;
  measure();
  apply();
}

bool ColumnFit::eventFilter(QObject* object, QEvent* event) {
  // Scroll bars that come and go with the rows resize the view while it is fitted.
  if (event->type() == QEvent::Resize && !columns_.empty() && !applying_) {
    if (dragged_)
      fitRows();
    else
      apply();
  }
  return QObject::eventFilter(object, event);
}

void ColumnFit::measure() {
  const QAbstractItemModel* model = table_->model();
  const QFontMetrics bold = boldMetrics(*table_);
  const int rows = model->rowCount();
  columns_.assign(static_cast<size_t>(model->columnCount()), {});
  for (int c = 0; c < model->columnCount(); ++c) {
    Column& column = columns_[static_cast<size_t>(c)];
    const QString title = model->headerData(c, Qt::Horizontal).toString();
    column.least = column.natural = bold.horizontalAdvance(title) + kTitlePadding;
    column.flexible = std::find(flexible_.begin(), flexible_.end(), c) != flexible_.end();
    // A text that is clearly shorter than the longest so far is not wider.
    qsizetype longest = 0;
    for (int r = 0; r < rows; ++r) {
      const QString text = model->index(r, c).data().toString().left(kLongestText);
      if (rows > kMeasuredRows && text.size() <= longest) continue;
      if (text.size() * 2 < longest) continue;
      longest = std::max(longest, text.size());
      column.natural = std::max(column.natural, bold.horizontalAdvance(text) + kCellPadding);
      if (column.flexible)
        column.least = std::max(column.least,
                                std::min(longestPart(bold, breakableText(text)), kWidestWord) + kCellPadding);
    }
    if (!column.flexible) column.least = column.natural;
  }
}

/// As few lines as there is room for: the narrow columns stay on one line, the wide ones get as many as it
/// takes.
std::vector<int> ColumnFit::widthsFor(int room) const {
  std::vector<int> out;
  for (int lines = 1; lines <= kMostLines; ++lines) {
    out.clear();
    for (size_t i = 0; i < columns_.size(); ++i) {
      const Column& c = columns_[i];
      if (table_->isColumnHidden(static_cast<int>(i))) {
        out.push_back(0);
        continue;
      }
      // A line does not break where it is full, but before.
      const int share = lines == 1 ? c.natural : (c.natural - kCellPadding) / lines + 36 + kCellPadding;
      out.push_back(c.flexible ? std::clamp(share, c.least, std::max(c.natural, c.least)) : c.natural);
    }
    if (std::accumulate(out.begin(), out.end(), 0) <= room) break;
  }
  int rest = room - std::accumulate(out.begin(), out.end(), 0);
  // More lines rather than a bar to scroll by.
  for (auto it = flexible_.rbegin(); it != flexible_.rend() && rest < 0; ++it) {
    const auto c = static_cast<size_t>(*it);
    if (table_->isColumnHidden(*it)) continue;
    const int less = std::min(-rest, std::max(0, out[c] - columns_[c].least));
    out[c] -= less;
    rest += less;
  }
  // What is left over goes to the columns that break, the last ones first.
  for (auto it = flexible_.rbegin(); it != flexible_.rend() && rest > 0; ++it) {
    const auto c = static_cast<size_t>(*it);
    if (table_->isColumnHidden(*it)) continue;
    const int more = std::min(rest, std::max(0, columns_[c].natural - out[c]));
    out[c] += more;
    rest -= more;
  }
  if (rest > 0 && !flexible_.empty()) out[static_cast<size_t>(flexible_.back())] += rest;
  return out;
}

void ColumnFit::apply() {
  applying_ = true;
  for (int turn = 0; turn < 3; ++turn) {
    const int room = table_->viewport()->width();
    const std::vector<int> widths = widthsFor(room);
    // A bar that was needed before would stay and take the room of a row.
    const bool fits = std::accumulate(widths.begin(), widths.end(), 0) <= room;
    table_->setHorizontalScrollBarPolicy(fits ? Qt::ScrollBarAlwaysOff : Qt::ScrollBarAsNeeded);
    for (size_t c = 0; c < widths.size(); ++c)
      if (!table_->isColumnHidden(static_cast<int>(c)))
        table_->setColumnWidth(static_cast<int>(c), widths[c]);
    fitRows();
    if (table_->viewport()->width() == room) break;
  }
  applying_ = false;
}

void ColumnFit::fitRows() {
  const QAbstractItemModel* model = table_->model();
  const QFontMetrics bold = boldMetrics(*table_), plain = table_->fontMetrics();
  const int rows = model->rowCount(), line = std::max(bold.lineSpacing(), plain.lineSpacing());
  QHeaderView* header = table_->verticalHeader();
  const auto height = [&](int lines) { return line * std::clamp(lines, 1, kMostLines) + kRowPadding; };
  const auto linesOf = [&](int r) {
    int lines = 1;
    for (const int c : flexible_) {
      if (table_->isColumnHidden(c)) continue;
      const QString text = model->index(r, c).data().toString().left(kLongestText);
      const int width = table_->columnWidth(c) - kCellPadding;
      const QFontMetrics& font = model->index(r, c).data(Qt::FontRole).isValid() ? bold : plain;
      if (font.horizontalAdvance(text) <= width) continue;
      lines = std::max(lines, (wrappedHeight(font, breakableText(text), width) + line - 1) / line);
    }
    return lines;
  };
  if (rows > kMeasuredRows) {
    int lines = 1;
    for (const int c : flexible_)
      if (columns_[static_cast<size_t>(c)].natural > table_->columnWidth(c)) lines = 2;
    header->setDefaultSectionSize(height(lines));
    return;
  }
  header->setDefaultSectionSize(height(1));
  for (int r = 0; r < rows; ++r) {
    const int wanted = height(linesOf(r));
    if (header->sectionSize(r) != wanted) header->resizeSection(r, wanted);
  }
}

}  // namespace descry::gui

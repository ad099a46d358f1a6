#include "gui/models/value_grid_model.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>

#include "gui/models/table_model.h"
#include "session/value_text.h"

namespace descry::gui {
namespace {

constexpr int64_t kMostRows = 1000000, kMostColumns = 10000;  // what a table can still scroll through

QString tr(const char* text) {
  return QCoreApplication::translate("ValueGrid", text);
}

}  // namespace

void ValueGridModel::show(const ValueLook* look) {
  beginResetModel();
  look_ = look;
  tensor_ = look ? look->tensor() : runtime::TensorRef();
  rows_ = tensor_ ? static_cast<int>(std::min(look->rows(), kMostRows)) : 0;
  columns_ = tensor_ ? static_cast<int>(std::min(look->columns(), kMostColumns)) : 0;
  endResetModel();
}

int ValueGridModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : rows_;
}

int ValueGridModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : columns_;
}

QString ValueGridModel::element(int row, int column, session::NumberFormat format) const {
  return toQString(session::elementText(*tensor_, look_->indexOf(row, column), format));
}

QString ValueGridModel::cellText(const QModelIndex& index) const {
  if (!index.isValid() || !tensor_) return {};
  return tr("%1 = %2, bits %3")
      .arg(toQString(session::indexText(look_->indexOf(index.row(), index.column()))),
           element(index.row(), index.column(), session::NumberFormat::Exact),
           element(index.row(), index.column(), session::NumberFormat::Hex));
}

QVariant ValueGridModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || !tensor_) return {};
  switch (role) {
    case Qt::DisplayRole:
      return element(index.row(), index.column(), look_->format());
    case Qt::ToolTipRole:
      return cellText(index);
    case Qt::TextAlignmentRole:
      return int(Qt::AlignRight | Qt::AlignVCenter);
    case kBadRole: {
      const QString text = element(index.row(), index.column(), session::NumberFormat::Short);
      return text.contains(QLatin1String("nan")) || text.contains(QLatin1String("inf"));
    }
    default:
      return {};
  }
}

QVariant ValueGridModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (role == Qt::DisplayRole) {
    const bool none =
        look_ && (orientation == Qt::Vertical ? look_->slice().rows : look_->slice().columns) < 0;
    return none ? QString() : QString::number(section);
  }
  if (role == Qt::TextAlignmentRole) return int(Qt::AlignRight | Qt::AlignVCenter);
  return {};
}

std::vector<std::pair<QString, QString>> statisticsRows(const runtime::ValueStatistics& s) {
  const QLocale locale(QLocale::English);
  const auto count = [&](int64_t n) { return locale.toString(static_cast<qlonglong>(n)); };
  const auto number = [&](double v) {
    return s.finite ? toQString(session::shortNumber(v)) : QStringLiteral("-");
  };
  return {{tr("count"), count(s.count)},    {tr("zeros"), count(s.zeros)},
          {tr("min"), number(s.min)},       {tr("denormals"), count(s.denormals)},
          {tr("max"), number(s.max)},       {tr("NaN"), count(s.nan)},
          {tr("mean"), number(s.mean)},     {tr("+Inf"), count(s.plusInf)},
          {tr("std"), number(s.std)},       {tr("-Inf"), count(s.minusInf)},
          {tr("absmax"), number(s.absMax)}, {tr("finite"), count(s.finite)}};
}

QString comparisonWords(const runtime::Comparison& c) {
  const auto number = [](double v) { return QString::number(v, 'g', 4); };
  return tr("max abs %1, max rel %2, ULP %3 (max %4), cosine %5, SNR %6 dB, %7 outside")
      .arg(number(c.maxAbs), number(c.maxRel), number(c.medianUlp), number(c.maxUlp), number(c.cosine),
           number(c.snr))
      .arg(c.outside);
}

QString histogramWords(const session::ValueHistogram& h, const session::ValueHistogram* other) {
  const auto number = [](double v) { return toQString(session::shortNumber(v)); };
  size_t fullest = 0;
  for (size_t i = 0; i < h.counts.size(); ++i)
    if (h.counts[i] > h.counts[fullest]) fullest = i;
  QString text = tr("%1 bins from %2 to %3; the fullest has %4 elements from %5 to %6")
                     .arg(h.counts.size())
                     .arg(number(h.edges.front()), number(h.edges.back()))
                     .arg(h.counts[fullest])
                     .arg(number(h.edges[fullest]), number(h.edges[fullest + 1]));
  if (h.below + h.above) text += tr("; %1 outside").arg(h.below + h.above);
  if (h.logarithmic)
    text += tr("; absolute values, %1 zeros and %2 negative ones").arg(h.zeros).arg(h.negative);
  if (h.notFinite) text += tr("; %1 not finite").arg(h.notFinite);
  if (other) text += tr("; the other run beside it");
  return text;
}

}  // namespace descry::gui

#include "gui/models/timings_model.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "session/node_text.h"

namespace descry::gui {
namespace {

constexpr double kRowHeight = 24, kLeastWidth = 2;

QString tr(const char* text) {
  return QCoreApplication::translate("Timings", text);
}

QString percent(double share) {
  return QString::number(share * 100, 'f', share < 0.01 ? 2 : 1) + QStringLiteral(" %");
}

QString seconds(double s) {
  return toQString(session::secondsText(s));
}

/// `38.0 to 39.9 \u00B5s`: the unit once where it is the same.
QString quartiles(const session::Spread& s) {
  const QString low = seconds(s.low), high = seconds(s.high);
  const QString unit = low.section(QLatin1Char(' '), 1);
  const bool same = unit == high.section(QLatin1Char(' '), 1);
  return tr("%1 to %2").arg(same ? low.section(QLatin1Char(' '), 0, 0) : low, high);
}

}  // namespace

void TimingsModel::setRun(const session::RunView* view, const ComparedRuns* compared) {
  beginResetModel();
  rows_.clear();
  slowest_ = 0;
  if (view && view->timed()) {
    const ir::Graph& graph = *view->run->graph->graph;
    for (const session::NodeView& n : view->nodes) {
      if (!n.time.runs) continue;
      Row row;
      row.node = n.node;
      row.name = toQString(graph.nodeName(n.node));
      row.op = toQString(session::shortOp(graph, n.node));
      row.time = n.time;
      row.share = view->sum.median > 0 ? n.time.median / view->sum.median : 0;
      row.tip = toQString(session::spreadText(n.time));
      if (n.backward > 0)
        row.tip += tr("\n%1 forward, %2 backward").arg(seconds(n.forward), seconds(n.backward));
      if (n.parts.size() > 1) row.tip += tr("\n%1 steps were run for it").arg(n.parts.size());
      if (const session::TimeDelta* d = compared ? compared->time(n.node) : nullptr) {
        row.delta = d->seconds;
        row.verdict = toQString(d->verdict);
        if (d->shown)
          row.verdict += QStringLiteral(" (%1%2)").arg(d->seconds > 0 ? QStringLiteral("+") : QString(),
                                                       seconds(d->seconds));
      }
      slowest_ = std::max(slowest_, n.time.median);
      rows_.push_back(std::move(row));
    }
  }
  std::stable_sort(rows_.begin(), rows_.end(),
                   [](const Row& a, const Row& b) { return a.time.median > b.time.median; });
  endResetModel();
}

ir::NodeId TimingsModel::nodeAt(int row) const {
  return row >= 0 && row < static_cast<int>(rows_.size()) ? rows_[static_cast<size_t>(row)].node
                                                          : ir::NodeId{};
}

int TimingsModel::rowOf(ir::NodeId node) const {
  for (size_t i = 0; i < rows_.size(); ++i)
    if (rows_[i].node == node) return static_cast<int>(i);
  return -1;
}

int TimingsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int TimingsModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

QVariant TimingsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const Row& r = rows_[static_cast<size_t>(index.row())];
  switch (role) {
    case Qt::DisplayRole:
      switch (index.column()) {
        case NodeColumn:
          return r.name;
        case OpColumn:
          return r.op;
        case TimeColumn:
          return seconds(r.time.median);
        case ShareColumn:
          return percent(r.share);
        case SpreadColumn:
          return r.time.runs > 1 ? quartiles(r.time) : tr("1 run");
        case DeltaColumn:
          return r.verdict;
        default:
          return {};
      }
    case Qt::ToolTipRole:
      return r.tip;
    case Qt::TextAlignmentRole:
      return index.column() == TimeColumn || index.column() == ShareColumn
                 ? int(Qt::AlignRight | Qt::AlignVCenter)
                 : int(Qt::AlignLeft | Qt::AlignVCenter);
    case kNodeRole:
      return r.node.index;
    case kBarRole:
      return slowest_ > 0 ? r.time.median / slowest_ : 0.0;
    default:
      return {};
  }
}

QVariant TimingsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  switch (section) {
    case NodeColumn:
      return tr("Node");
    case OpColumn:
      return tr("Op");
    case TimeColumn:
      return tr("Median");
    case ShareColumn:
      return tr("Share");
    case SpreadColumn:
      return tr("Quartiles");
    case DeltaColumn:
      return tr("Against B");
    default:
      return {};
  }
}

void TimingsModel::sort(int column, Qt::SortOrder order) {
  emit layoutAboutToBeChanged();
  const auto less = [column](const Row& a, const Row& b) {
    switch (column) {
      case NodeColumn:
        return a.name < b.name;
      case OpColumn:
        return a.op < b.op;
      case SpreadColumn:
        return a.time.high - a.time.low < b.time.high - b.time.low;
      case DeltaColumn:
        return a.delta < b.delta;
      default:
        return a.time.median < b.time.median;
    }
  };
  std::stable_sort(rows_.begin(), rows_.end(), [&](const Row& a, const Row& b) {
    return order == Qt::AscendingOrder ? less(a, b) : less(b, a);
  });
  emit layoutChanged();
}

QString timingSummary(const session::RunView& view) {
  const double rest = view.whole.median - view.sum.median;
  QString text = tr("Whole run %1  \u00B7  nodes together %2")
                     .arg(toQString(session::spreadText(view.whole)), seconds(view.sum.median));
  text +=
      rest >= 0
          ? tr("  \u00B7  measuring overhead %1 (the difference: calls between nodes, and taking the times)")
                .arg(seconds(rest))
          : tr("  \u00B7  the nodes together took %1 more than the whole run: noise").arg(seconds(-rest));
  if (view.elsewhere > 0)
    text += tr("  \u00B7  %1 of it in steps that belong to no node: sums of gradients, constants")
                .arg(seconds(view.elsewhere));
  return text;
}

QString selectionTime(const session::RunView& view, const std::vector<ir::NodeId>& nodes) {
  double sum = 0;
  size_t timed = 0;
  for (const ir::NodeId node : nodes)
    if (const session::NodeView* n = view.find(node); n && n->time.runs) {
      sum += n->time.median;
      ++timed;
    }
  if (!timed) return {};
  return tr("%1 selected: %2, %3 of the nodes")
      .arg(toQString(session::counted(timed, "node")), seconds(sum),
           percent(view.sum.median > 0 ? sum / view.sum.median : 0));
}

// ---- pictures

std::vector<TimeBox> icicleBoxes(const session::TimeTree& tree, const QRectF& area) {
  std::vector<TimeBox> out;
  if (tree.items.empty() || !(tree.items[0].seconds > 0)) return out;
  std::vector<int> depth(tree.items.size(), 0);
  int deepest = 0;
  for (size_t i = 1; i < tree.items.size(); ++i) {
    depth[i] = depth[static_cast<size_t>(tree.items[i].parent)] + 1;
    deepest = std::max(deepest, depth[i]);
  }
  const double height = std::min(kRowHeight, area.height() / (deepest + 1));
  std::vector<double> left(tree.items.size(), 0);  // where the next child begins
  std::unordered_map<int32_t, size_t> rest;        // by parent: the box of its thin children
  for (size_t i = 0; i < tree.items.size(); ++i) {
    const session::TimeTree::Item& item = tree.items[i];
    const double width = area.width() * item.seconds / tree.items[0].seconds;
    double x = area.left();
    if (item.parent >= 0) {
      x = left[static_cast<size_t>(item.parent)];
      left[static_cast<size_t>(item.parent)] += width;
    }
    left[i] = x;
    // Brothers lie beside one another, the slowest first: what is too thin is the rest of them.
    if (width < kLeastWidth) {
      if (const auto it = rest.find(item.parent); it != rest.end()) {
        TimeBox& box = out[it->second];
        box.rect.setRight(x + width);
        ++box.more;
      } else {
        rest[item.parent] = out.size();
        out.push_back(
            {QRectF(x, area.top() + height * depth[i], width, height), static_cast<int>(i), depth[i], 1});
      }
      continue;
    }
    out.push_back({QRectF(x, area.top() + height * depth[i], width, height), static_cast<int>(i), depth[i]});
  }
  return out;
}

std::vector<TimeBox> treemapBoxes(const session::TimeTree& tree, const QRectF& area) {
  std::vector<TimeBox> out;
  if (tree.items.empty() || !(tree.items[0].seconds > 0)) return out;
  std::vector<int> items;
  double total = 0;
  for (size_t i = 1; i < tree.items.size(); ++i)
    if (tree.items[i].parent == 0 && tree.items[i].seconds > 0) {
      items.push_back(static_cast<int>(i));
      total += tree.items[i].seconds;
    }
  // Bruls, Huizing, van Wijk: "Squarified Treemaps" (2000). Items come by size.
  const double scale = area.width() * area.height() / std::max(total, 1e-300);
  QRectF rest = area;
  size_t at = 0;
  const auto areaOf = [&](int item) { return tree.items[static_cast<size_t>(item)].seconds * scale; };
  while (at < items.size() && rest.width() > 0 && rest.height() > 0) {
    const double side = std::min(rest.width(), rest.height());
    const auto worst = [&](size_t from, size_t to, double sum) {
      const double largest = areaOf(items[from]), least = areaOf(items[to - 1]);
      return std::max(side * side * largest / (sum * sum), sum * sum / (side * side * least));
    };
    size_t end = at + 1;
    double sum = areaOf(items[at]);
    while (end < items.size()) {
      const double next = sum + areaOf(items[end]);
      if (worst(at, end + 1, next) > worst(at, end, sum)) break;
      sum = next;
      ++end;
    }
    const double thick = sum / side;
    const bool column = rest.width() >= rest.height();  // the strip stands along the shorter side
    double along = column ? rest.top() : rest.left();
    for (size_t i = at; i < end; ++i) {
      const double length = areaOf(items[i]) / thick;
      out.push_back(
          {column ? QRectF(rest.left(), along, thick, length) : QRectF(along, rest.top(), length, thick),
           items[i], 1});
      along += length;
    }
    if (column)
      rest.setLeft(rest.left() + thick);
    else
      rest.setTop(rest.top() + thick);
    at = end;
  }
  return out;
}

std::vector<ir::NodeId> nodesOf(const session::TimeTree& tree, const TimeBox& box) {
  std::vector<ir::NodeId> out;
  for (int i = box.item; i < box.item + std::max(box.more, 1); ++i) {
    const std::vector<ir::NodeId> some = nodesBelow(tree, i);
    out.insert(out.end(), some.begin(), some.end());
  }
  return out;
}

std::vector<ir::NodeId> nodesBelow(const session::TimeTree& tree, int item) {
  std::vector<ir::NodeId> out;
  std::vector<bool> inside(tree.items.size(), false);
  for (size_t i = 0; i < tree.items.size(); ++i) {
    const int32_t parent = tree.items[i].parent;
    inside[i] = static_cast<int>(i) == item || (parent >= 0 && inside[static_cast<size_t>(parent)]);
    if (inside[i]) out.insert(out.end(), tree.items[i].nodes.begin(), tree.items[i].nodes.end());
  }
  return out;
}

}  // namespace descry::gui

#include "gui/document/value_look.h"

#include <algorithm>

#include "gui/document/graph_tab.h"

namespace descry::gui {
namespace {

constexpr int64_t kMostCopied = 64;  // rows and columns of a grid as text

QString toQ(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

std::vector<int64_t> sizesOf(const runtime::Tensor& t) {
  std::vector<int64_t> out;
  for (const auto& s : t.meta.sizes) out.push_back(s.value);
  return out;
}

}  // namespace

ValueLook::ValueLook(GraphTab& tab) : tab_(tab) {
  connect(&tab, &GraphTab::selectionChanged, this, &ValueLook::follow);
  connect(&tab.runs(), &GraphRuns::changed, this, &ValueLook::follow);
}

ValueLook::~ValueLook() {
  if (job_) job_->cancelled = true;
}

/// Another node, or another run.
void ValueLook::follow() {
  const KeptRunPtr run = tab_.runs().shown();
  const std::shared_ptr<const session::RunView> view = run ? run->view : nullptr;
  const ir::NodeId node = tab_.current();
  const bool same = view == view_ && node == node_;
  // The histogram of the other run comes and goes with the comparison.
  if (same) {
    makeHistogram();
    return;
  }
  view_ = view;
  node_ = node;
  choices_.clear();
  chosen_ = -1;
  const session::NodeView* n = view ? view->find(node) : nullptr;
  if (n) {
    const session::Run& r = *view->run;
    const ir::Graph& ran = r.module->root();
    const auto add = [&](const session::NodeRun& row, const QString& part, bool own) {
      for (const session::NodeTensor& t : row.tensors) {
        ValueChoice c;
        c.name = std::string(ran.nodeName(row.node)) + t.piece;
        const QString given = toQ(std::string(tab_.graph()->graph->nodeName(node)) + t.piece),
                      ranAs = toQ(c.name);
        c.title = (own ? given : ranAs) + QStringLiteral(": ") + toQ(t.type) +
                  (own && ranAs != given ? tr(", run as %1").arg(ranAs) : QString()) + part;
        c.own = own;
        c.tensor = &t;
        c.ran = row.node;
        choices_.push_back(std::move(c));
      }
    };
    if (n->own) add(r.nodes[*n->own], n->parts.size() > 1 ? tr(", its value") : QString(), true);
    if (n->input)
      for (const session::NodeRun& row : r.inputs)
        if (session::originOf(r, row.node) == node ||
            ran.nodeName(row.node) == tab_.graph()->graph->nodeName(node))
          add(row, {}, true);
    for (const uint32_t p : n->parts) {
      if (n->own && p == *n->own) continue;
      const ir::NodeId id = r.nodes[p].node;
      const bool back = id.index < r.backward.size() && r.backward[id.index];
      add(r.nodes[p], back ? tr(", backward") : tr(", on the way"), false);
    }
  }
  if (!choices_.empty()) {
    chosen_ = 0;
    for (size_t i = 0; i < choices_.size(); ++i)
      if (toQ(choices_[i].name) == wanted_) chosen_ = static_cast<int>(i);
  }
  resetSlice();
  histograms_ = nullptr;
  emit changed();
  makeHistogram();
}

bool ValueLook::choose(int index) {
  if (index < 0 || index >= static_cast<int>(choices_.size())) return false;
  if (index == chosen_) return true;
  chosen_ = index;
  wanted_ = toQ(choices_[static_cast<size_t>(index)].name);
  resetSlice();
  histograms_ = nullptr;
  emit changed();
  makeHistogram();
  return true;
}

bool ValueLook::choose(const QString& name) {
  for (size_t i = 0; i < choices_.size(); ++i)
    if (toQ(choices_[i].name) == name) return choose(static_cast<int>(i));
  return false;
}

const ValueChoice* ValueLook::choice() const {
  return chosen_ >= 0 ? &choices_[static_cast<size_t>(chosen_)] : nullptr;
}

runtime::TensorRef ValueLook::tensor() const {
  const ValueChoice* c = choice();
  return c ? c->tensor->tensor : runtime::TensorRef();
}

const std::optional<runtime::ValueStatistics>& ValueLook::statistics() const {
  static const std::optional<runtime::ValueStatistics> none{};
  const ValueChoice* c = choice();
  return c ? c->tensor->statistics : none;
}

QString ValueLook::absence() const {
  if (const QString why = tab_.runs().nothingYet(); !why.isEmpty()) return why;
  const KeptRunPtr run = tab_.runs().shown();
  if (run->settings.keep == RunSettings::Keep::None)
    return tr("Run %1 looked at no values. Keep values: all shows them; of the compiled executor nothing is "
              "fused then.")
        .arg(run->number);
  if (!node_) return tr("Select a node to see its value.");
  const QString name = tab_.nameOf(node_);
  if (choices_.empty()) {
    const session::NodeView* n = view_ ? view_->find(node_) : nullptr;
    if (n) return tr("%1 gives no tensor: %2.").arg(name, n->type.empty() ? tr("nothing") : toQ(n->type));
    return run->end == KeptRun::End::Finished
               ? tr("Nothing was run for %1.").arg(name)
               : tr("The run ended before %1: it %2.").arg(name, run->endText());
  }
  if (tensor()) return {};
  if (run->settings.keep == RunSettings::Keep::Statistics)
    return tr("Run %1 kept statistics only. Keep values: all, or selected, keeps the elements.")
        .arg(run->number);
  if (run->settings.keep == RunSettings::Keep::Selected)
    return tr("Run %1 kept the values of the nodes that were selected then, and %2 was not one.")
        .arg(run->number)
        .arg(name);
  return tr("The elements of %1 are no longer kept: runs keep at most %2. Its statistics stay.")
      .arg(name, GraphRuns::valueOf(tab_.runs().settings(), QStringLiteral("memory")));
}

// ---- histogram

void ValueLook::setHistogramOptions(const session::HistogramOptions& options) {
  histogramOptions_ = options;
  makeHistogram();
}

void ValueLook::makeHistogram() {
  if (job_) job_->cancelled = true;
  job_ = nullptr;
  const runtime::TensorRef first = tensor();
  if (!first) {
    histograms_ = nullptr;
    emit histogramChanged();
    return;
  }
  runtime::TensorRef second;
  if (const ComparedRuns* c = tab_.runs().compared())
    for (const session::ComparedValue& v : c->comparison.values)
      if (v.a && v.b && v.a->name == choice()->name) second = v.b->tensor;
  job_ = tab_.jobs().start(
      tr("Histogram"), this,
      [first, second, options = histogramOptions_](JobControl&) {
        auto made = std::make_shared<Histograms>();
        if (second) {
          auto both = session::valueHistograms(*first, *second, options);
          made->first = both[0];
          made->second = both[1];
        } else {
          made->first = session::valueHistogram(*first, options);
        }
        return made;
      },
      [this](std::shared_ptr<Histograms> made) {
        job_ = nullptr;
        histograms_ = std::move(made);
        emit histogramChanged();
      },
      true);
}

// ---- elements

void ValueLook::resetSlice() {
  slice_ = {};
  cell_ = {-1, -1};
  const runtime::TensorRef t = tensor();
  if (!t) return;
  const int dims = static_cast<int>(t->meta.sizes.size());
  slice_.index.assign(static_cast<size_t>(dims), 0);
  slice_.columns = dims - 1;
  slice_.rows = dims - 2 >= 0 ? dims - 2 : -1;
}

void ValueLook::setSlice(const ValueSlice& slice) {
  const runtime::TensorRef t = tensor();
  if (!t) return;
  const std::vector<int64_t> sizes = sizesOf(*t);
  ValueSlice next = slice;
  const int dims = static_cast<int>(sizes.size());
  next.index.resize(sizes.size(), 0);
  for (size_t d = 0; d < sizes.size(); ++d)
    next.index[d] = std::clamp<int64_t>(next.index[d], 0, std::max<int64_t>(sizes[d] - 1, 0));
  if (next.rows >= dims || next.columns >= dims || (dims > 0 && next.columns < 0)) return;
  // One dimension cannot be both: what stood there before takes the other side.
  if (next.rows == next.columns && dims > 0) {
    if (next.columns != slice_.columns)
      next.rows = slice_.columns;
    else
      next.columns = slice_.rows;
    if (next.columns < 0) std::swap(next.rows, next.columns);
    if (next.rows == next.columns) next.rows = -1;
  }
  if (next == slice_) return;
  slice_ = std::move(next);
  cell_ = {-1, -1};
  emit sliceChanged();
}

QString ValueLook::setSlice(const QString& text) {
  const runtime::TensorRef t = tensor();
  if (!t) return absence().isEmpty() ? tr("there is no value") : absence();
  const auto ranges = session::readSlice(text.toStdString(), *t);
  if (!ranges) return toQ(ranges.error().message);
  const std::vector<int64_t> sizes = sizesOf(*t);
  ValueSlice next;
  next.index.assign(sizes.size(), 0);
  std::vector<int> shown;
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (d < ranges->size() && (*ranges)[d].single)
      next.index[d] = (*ranges)[d].begin < 0 ? (*ranges)[d].begin + sizes[d] : (*ranges)[d].begin;
    else
      shown.push_back(static_cast<int>(d));
    if (next.index[d] < 0 || (sizes[d] > 0 && next.index[d] >= sizes[d]))
      return tr("index %1 is outside of dimension %2, which has %3").arg(next.index[d]).arg(d).arg(sizes[d]);
  }
  if (shown.size() > 2)
    return tr("at most two dimensions can be shown at once; name a number for the others, as in 0, :, :");
  if (shown.empty() && !sizes.empty()) shown.push_back(static_cast<int>(sizes.size()) - 1);
  next.columns = shown.empty() ? -1 : shown.back();
  next.rows = shown.size() == 2 ? shown.front() : -1;
  setSlice(next);
  return {};
}

QString ValueLook::sliceText() const {
  QStringList parts;
  for (size_t d = 0; d < slice_.index.size(); ++d)
    parts << (static_cast<int>(d) == slice_.rows || static_cast<int>(d) == slice_.columns
                  ? QStringLiteral(":")
                  : QString::number(slice_.index[d]));
  return parts.join(QStringLiteral(", "));
}

void ValueLook::setFormat(session::NumberFormat format) {
  if (format == format_) return;
  format_ = format;
  emit sliceChanged();
}

std::vector<int64_t> ValueLook::indexOf(int64_t row, int64_t column) const {
  std::vector<int64_t> index = slice_.index;
  if (slice_.rows >= 0) index[static_cast<size_t>(slice_.rows)] = row;
  if (slice_.columns >= 0) index[static_cast<size_t>(slice_.columns)] = column;
  return index;
}

int64_t ValueLook::rows() const {
  const runtime::TensorRef t = tensor();
  if (!t) return 0;
  return slice_.rows >= 0 ? t->meta.sizes[static_cast<size_t>(slice_.rows)].value : 1;
}

int64_t ValueLook::columns() const {
  const runtime::TensorRef t = tensor();
  if (!t) return 0;
  return slice_.columns >= 0 ? t->meta.sizes[static_cast<size_t>(slice_.columns)].value : 1;
}

bool ValueLook::showFirstBad() {
  const runtime::TensorRef t = tensor();
  const auto index = t ? session::firstBadIndex(*t) : std::nullopt;
  if (!index) return false;
  ValueSlice next = slice_;
  next.index = *index;
  slice_ = next;
  cell_ = {slice_.rows >= 0 ? (*index)[static_cast<size_t>(slice_.rows)] : 0,
           slice_.columns >= 0 ? (*index)[static_cast<size_t>(slice_.columns)] : 0};
  emit sliceChanged();
  return true;
}

QString ValueLook::gridText() const {
  const runtime::TensorRef t = tensor();
  if (!t) return {};
  std::vector<session::SliceRange> ranges;
  for (size_t d = 0; d < slice_.index.size(); ++d) {
    session::SliceRange r;
    if (static_cast<int>(d) != slice_.rows && static_cast<int>(d) != slice_.columns) {
      r.begin = slice_.index[d];
      r.single = true;
    }
    ranges.push_back(r);
  }
  const auto part = session::sliceOf(t, ranges);
  if (!part) return {};
  session::SliceTextOptions options;
  options.format = format_;
  options.rows = options.columns = static_cast<size_t>(kMostCopied);
  return toQ(session::sliceText(**part, options));
}

std::vector<int64_t> ValueLook::strides(bool* known) const {
  std::vector<int64_t> out;
  if (known) *known = false;
  const ValueChoice* c = choice();
  const runtime::TensorRef t = tensor();
  if (!c || !t) return out;
  const std::vector<int64_t> sizes = sizesOf(*t);
  // What is kept is a copy without gaps: the graph knows how the value lay.
  const ir::Type& type = view_->run->module->root().type(c->ran);
  if (c->tensor->piece.empty() && type.kind == ir::TypeKind::Tensor && type.tensor.strides &&
      type.tensor.strides->size() == sizes.size()) {
    for (const ir::Dim& d : *type.tensor.strides) out.push_back(d.value);
    const bool plain = std::none_of(type.tensor.strides->begin(), type.tensor.strides->end(),
                                    [](const ir::Dim& d) { return d.symbolic(); });
    if (plain) {
      if (known) *known = true;
      return out;
    }
    out.clear();
  }
  int64_t step = 1;
  out.assign(sizes.size(), 1);
  for (size_t d = sizes.size(); d-- > 0;) {
    out[d] = step;
    step *= std::max<int64_t>(sizes[d], 1);
  }
  return out;
}

}  // namespace descry::gui

// What runs say about the shown graph: colours, marks, lines of the hover card, suspects and problems.
#include <algorithm>

#include "gui/document/graph_runs.h"
#include "gui/document/graph_tab.h"
#include "session/node_text.h"
#include "session/value_text.h"

namespace descry::gui {
namespace {

/// So many rows of what one graph's runs found; how many more there are is the last one.
constexpr size_t kMostProblems = 500;

QString toQ(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

std::string badText(const runtime::ValueStatistics& s) {
  std::string text;
  const auto add = [&text](int64_t n, const char* what) {
    if (n) text += (text.empty() ? "" : ", ") + std::to_string(n) + " " + what;
  };
  add(s.nan, "NaN");
  add(s.plusInf, "+Inf");
  add(s.minusInf, "-Inf");
  return text + " of " + session::counted(static_cast<uint64_t>(s.count), "element");
}

}  // namespace

void GraphRuns::forgetPictures() {
  heats_ = {};
  marks_ = nullptr;
}

void GraphRuns::setHeatOptions(const session::HeatOptions& options) {
  heatOptions_ = options;
  heats_ = {};
  emit marksChanged();
}

std::shared_ptr<const ir::Heat> GraphRuns::heat(ir::ColourMode mode) const {
  const session::RunView* v = view();
  if (!v || !ir::isHeatMode(mode)) return nullptr;
  std::shared_ptr<const ir::Heat>& heat = heats_[static_cast<size_t>(mode)];
  if (heat) return heat;
  if (mode == ir::ColourMode::Time) heat = std::make_shared<ir::Heat>(session::timeHeat(*v, heatOptions_));
  if (mode == ir::ColourMode::Numeric) heat = std::make_shared<ir::Heat>(session::numericHeat(*v));
  if (mode == ir::ColourMode::Error && compared_)
    heat = std::make_shared<ir::Heat>(session::errorHeat(*v, compared_->nodes));
  return heat;
}

std::shared_ptr<const ir::RunMarks> GraphRuns::marks() const {
  const session::RunView* v = view();
  if (!v) return nullptr;
  if (marks_) return marks_;
  auto marks = std::make_shared<ir::RunMarks>();
  marks->badges.assign(v->of.size(), 0);
  for (const ir::NodeId node : v->bad) marks->badges[node.index] |= ir::kBadgeProblem;
  if (compared_)
    for (const session::NodeDifference& d : compared_->nodes)
      if (d.differs) marks->badges[d.node.index] |= ir::kBadgeMismatch;
  marks->path = session::causePath(*v, tab_.current());
  marks->failed = v->failed;
  marks_ = marks;
  return marks_;
}

std::vector<std::pair<QString, QString>> GraphRuns::hoverRows(ir::NodeId node) const {
  std::vector<std::pair<QString, QString>> rows;
  const session::RunView* v = view();
  const session::NodeView* n = v ? v->find(node) : nullptr;
  if (!n) return rows;
  if (n->time.runs) {
    const double share = v->sum.median > 0 ? n->time.median / v->sum.median * 100 : 0;
    rows.emplace_back(
        tr("time"),
        tr("%1, %2 %").arg(toQ(session::spreadText(n->time))).arg(share, 0, 'f', share < 1 ? 2 : 1));
    if (n->backward > 0)
      rows.emplace_back(tr("of it"), tr("%1 forward, %2 backward")
                                         .arg(toQ(session::secondsText(n->forward)),
                                              toQ(session::secondsText(n->backward))));
  }
  if (const std::string work = session::workText(*n); !work.empty()) rows.emplace_back(tr("work"), toQ(work));
  if (!n->step.empty()) rows.emplace_back(tr("step"), toQ(n->step));
  if (!n->type.empty()) rows.emplace_back(tr("value"), toQ(n->type + ", " + session::formatBytes(n->bytes)));
  if (n->statistics && n->statistics->finite)
    rows.emplace_back(tr("range"), tr("%1 to %2, mean %3")
                                       .arg(toQ(session::shortNumber(n->statistics->min)),
                                            toQ(session::shortNumber(n->statistics->max)),
                                            toQ(session::shortNumber(n->statistics->mean))));
  if (n->statistics && n->statistics->bad()) rows.emplace_back(tr("bad"), toQ(badText(*n->statistics)));
  if (const session::NodeDifference* d = compared_ ? compared_->find(node) : nullptr; d && d->value)
    rows.emplace_back(tr("run %1").arg(against_), toQ(d->verdict));
  if (const session::TimeDelta* d = compared_ ? compared_->time(node) : nullptr; d && d->b.runs)
    rows.emplace_back(tr("its time"), toQ(session::spreadText(d->b) + ": " + d->verdict));
  return rows;
}

std::vector<ir::NodeId> GraphRuns::suspects() const {
  std::vector<ir::NodeId> out;
  const session::RunView* v = view();
  if (!v) return out;
  for (const session::NodeView& n : v->nodes) {
    const session::NodeDifference* d = compared_ ? compared_->find(n.node) : nullptr;
    if (n.bad || (d && d->differs)) out.push_back(n.node);
  }
  return out;
}

std::shared_ptr<const session::QueryRunFacts> GraphRuns::queryFacts() const {
  const session::RunView* v = view();
  if (!v) return nullptr;
  return std::make_shared<session::QueryRunFacts>(
      session::queryFacts(*v, compared_ ? compared_->nodes : std::vector<session::NodeDifference>()));
}

bool GraphRuns::stepSuspect(int direction) {
  const std::vector<ir::NodeId> list = suspects();
  if (list.empty()) return false;
  const auto at = std::find(list.begin(), list.end(), tab_.current());
  if (at == list.end()) {
    // The cause comes first.
    const ir::NodeId first = view()->firstBad;
    const auto cause = std::find(list.begin(), list.end(), first);
    tab_.select(cause != list.end() ? *cause : direction > 0 ? list.front() : list.back());
    return true;
  }
  const auto n = static_cast<std::ptrdiff_t>(list.size());
  tab_.select(list[static_cast<size_t>(((at - list.begin()) + direction + n) % n)]);
  return true;
}

std::vector<ProblemRow> GraphRuns::problems() const {
  std::vector<ProblemRow> rows;
  const KeptRunPtr run = shown();
  size_t left = 0;
  const auto isFull = [&] {
    left += rows.size() >= kMostProblems;
    return rows.size() >= kMostProblems;
  };
  const auto add = [&](ir::Severity severity, const char* code, std::string message, ir::NodeId node) {
    ProblemRow row;
    row.diagnostic = ir::failure(code, std::move(message));
    row.diagnostic.severity = severity;
    if (node.valid()) row.diagnostic.node = std::string(tab_.graph()->graph->nodeName(node));
    row.node = node;
    rows.push_back(std::move(row));
  };
  // The last one that did not come to its end, and what the shown one found.
  if (!runs_.empty()) {
    const KeptRun& last = *runs_.back();
    if (last.graph == tab_.graph() &&
        (last.end == KeptRun::End::Failed || last.end == KeptRun::End::Refused)) {
      ProblemRow row;
      row.diagnostic = last.why;
      row.diagnostic.message = "run " + std::to_string(last.number) + ": " + last.why.message;
      if (last.view) row.node = last.view->failed;
      rows.push_back(std::move(row));
    }
  }
  const session::RunView* v = view();
  if (!v) return rows;
  for (const ir::NodeId node : v->bad) {
    if (isFull()) continue;
    const session::NodeView& n = *v->find(node);
    const bool cause = node == v->firstBad;
    const std::vector<ir::NodeId> path = session::causePath(*v, node);
    std::string message = n.statistics && n.statistics->bad()
                              ? badText(*n.statistics)
                              : std::to_string(n.bad) + " NaN or infinities on the way or in gradients";
    if (cause) {
      message += ": it makes them of inputs that have none";
    } else if (n.input) {
      message += ": it was given so";
    } else if (path.size() > 1) {
      message += ", from " + std::string(tab_.graph()->graph->nodeName(path.front()));
    }
    add(cause || n.input ? ir::Severity::Error : ir::Severity::Warning, "nan", std::move(message), node);
  }
  if (compared_)
    for (const session::NodeDifference& d : compared_->nodes) {
      if (!d.differs || isFull()) continue;
      const runtime::Comparison& c = d.value->comparison;
      std::string message =
          "run " + std::to_string(shown_) + " and run " + std::to_string(against_) + ": " + d.verdict;
      if (c.count && d.value->basis == "values")
        message += ", " + std::to_string(c.outside) + " of " +
                   session::counted(static_cast<uint64_t>(c.count), "element") + " outside, max abs " +
                   session::shortNumber(c.maxAbs);
      add(ir::Severity::Warning, "mismatch", std::move(message), d.node);
    }
  if (left)
    add(ir::Severity::Note, "more",
        std::to_string(left) + " more are not listed: N and Shift+N go through all of them", {});
  return rows;
}

}  // namespace descry::gui

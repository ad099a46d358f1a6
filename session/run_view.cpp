#include "session/run_view.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <unordered_map>

#include "ir/analysis/module_paths.h"
#include "runtime/core/numbers.h"
#include "session/node_text.h"
#include "session/run_compare.h"
#include "session/value_text.h"

namespace descry::session {

namespace {

bool isBackward(const Run& run, ir::NodeId ran) {
  return ran.index < run.backward.size() && run.backward[ran.index];
}

bool isBad(const NodeRun& n) {
  return n.statistics && n.statistics->bad();
}

int64_t badCount(const NodeRun& n) {
  return n.statistics ? n.statistics->nan + n.statistics->plusInf + n.statistics->minusInf : 0;
}

}  // namespace

std::string secondsText(double seconds) {
  char text[40];
  const double size = std::abs(seconds);
  const auto put = [&](double v, const char* unit) {
    const int digits = std::abs(v) >= 100 ? 0 : std::abs(v) >= 10 ? 1 : 2;
    std::snprintf(text, sizeof text, "%.*f %s", digits, v, unit);
  };
  if (size >= 1)
    put(seconds, "s");
  else if (size >= 1e-3)
    put(seconds * 1e3, "ms");
  else if (size >= 1e-6)
    put(seconds * 1e6, "\u00B5s");
  else
    put(seconds * 1e9, "ns");
  return text;
}

std::string workText(const NodeView& n) {
  const auto scaled = [](double v, const char* unit) {
    constexpr const char* kPrefixes[] = {"", "k", "M", "G", "T"};
    int p = 0;
    while (v >= 1000 && p < 4) {
      v /= 1000;
      ++p;
    }
    char text[48];
    std::snprintf(text, sizeof text, "%.3g %s%s", v, kPrefixes[p], unit);
    return std::string(text);
  };
  std::string text;
  if (n.flops) text = scaled(static_cast<double>(n.flops), "FLOP");
  if (n.moved) text += (text.empty() ? "" : ", ") + formatBytes(n.moved) + " moved";
  if (text.empty() || !(n.time.median > 0)) return text;
  if (n.flops) text += ": " + scaled(static_cast<double>(n.flops) / n.time.median, "FLOP/s");
  if (n.moved) text += (n.flops ? ", " : ": ") + scaled(static_cast<double>(n.moved) / n.time.median, "B/s");
  return text;
}

std::string spreadText(const Spread& s) {
  if (!s.runs) return {};
  if (s.runs == 1) return secondsText(s.median) + " (1 run)";
  return secondsText(s.median) + " (" + secondsText(s.low) + " to " + secondsText(s.high) + ", " +
         std::to_string(s.runs) + " runs)";
}

ir::NodeId originOf(const Run& run, ir::NodeId ran) {
  if (run.origins.empty()) return run.graph->graph->contains(ran) ? ran : ir::NodeId{};
  if (ran.index >= run.origins.size()) return {};
  const ir::NodeId origin = run.origins[ran.index];
  return run.graph->graph->contains(origin) ? origin : ir::NodeId{};
}

namespace {

class ViewMaker {
 public:
  ViewMaker(const RunPtr& run, size_t warmUp) : run_(*run), graph_(*run->graph->graph), warmUp_(warmUp) {
    view_.run = run;
    view_.of.assign(graph_.idBound(), -1);
  }

  RunView take() {
    inputs();
    nodes();
    steps();
    for (size_t i = 0; i < view_.nodes.size(); ++i) {
      NodeView& n = view_.nodes[i];
      if (const auto it = times_.find(i); it != times_.end()) n.time = quartilesOf(it->second);
      if (n.own) {
        const NodeRun& own = run_.nodes[*n.own];
        n.bytes = own.bytes;
        n.type = own.type;
        n.statistics = own.statistics;
      }
      if (n.bad) view_.bad.push_back(n.node);
    }
    view_.sum = quartilesOf(sums_);
    const size_t skip = run_.times.size() > warmUp_ ? warmUp_ : 0;
    view_.whole = quartilesOf({run_.times.begin() + static_cast<std::ptrdiff_t>(skip), run_.times.end()});
    if (run_.firstBad.valid()) view_.firstBad = originOf(run_, run_.firstBad);
    if (run_.failure) {
      const std::string& name = run_.failure->node;
      view_.failed = graph_.find(name.substr(0, name.find(' ')));
    }
    return std::move(view_);
  }

 private:
  NodeView& slotOf(ir::NodeId node) {
    int32_t& at = view_.of[node.index];
    if (at < 0) {
      at = static_cast<int32_t>(view_.nodes.size());
      view_.nodes.emplace_back().node = node;
    }
    return view_.nodes[static_cast<size_t>(at)];
  }

  void inputs() {
    for (const NodeRun& input : run_.inputs) {
      ir::NodeId node = originOf(run_, input.node);
      // Memory and gradients of outputs are inputs of what was run, not of the graph.
      if (!node.valid()) node = graph_.find(run_.module->root().nodeName(input.node));
      if (!node.valid() || graph_.node(node).op != ir::OpKind::Placeholder) continue;
      NodeView& n = slotOf(node);
      n.input = true;
      n.type = input.type;
      n.bytes = input.bytes;
      n.statistics = input.statistics;
      n.bad += badCount(input);
    }
  }

  /// How many times all of them have. A run that was stopped has measured some once more than others.
  template <class List>
  void countRepeats(const List& list) {
    size_t repeats = list.empty() ? 0 : SIZE_MAX;
    for (const auto& part : list) repeats = std::min(repeats, part.times.size());
    first_ = static_cast<std::ptrdiff_t>(std::min(warmUp_, repeats));
    last_ = static_cast<std::ptrdiff_t>(repeats);
    sums_.assign(static_cast<size_t>(last_ - first_), 0.0);
  }

  /// Of a part, for a node or for none of the graph. Its median.
  double addTimes(const std::vector<double>& all, ir::NodeId node) {
    const std::vector<double> own(all.begin() + first_, all.begin() + last_);
    const double median = quartilesOf(own).median;
    for (size_t r = 0; r < own.size(); ++r) sums_[r] += own[r];
    if (!node.valid()) {
      view_.elsewhere += median;
      return median;
    }
    slotOf(node);
    std::vector<double>& sum = times_[static_cast<size_t>(view_.of[node.index])];
    sum.resize(own.size(), 0.0);
    for (size_t r = 0; r < own.size(); ++r) sum[r] += own[r];
    return median;
  }

  void nodes() {
    countRepeats(run_.nodes);
    const std::vector<NodeCost> costs = nodeCosts(run_);
    for (size_t i = 0; i < run_.nodes.size(); ++i) {
      const NodeRun& part = run_.nodes[i];
      const ir::NodeId node = originOf(run_, part.node);
      const double median = addTimes(part.times, node);
      if (!node.valid()) continue;
      NodeView& n = slotOf(node);
      const bool back = isBackward(run_, part.node);
      n.parts.push_back(static_cast<uint32_t>(i));
      if (!back || !n.own) n.own = static_cast<uint32_t>(i);
      (back ? n.backward : n.forward) += median;
      n.bad += badCount(part);
      if (i >= costs.size()) continue;
      n.flops += costs[i].flops.value_or(0);
      n.moved += costs[i].bytes;
    }
  }

  /// Of the compiled executor: a step's time is that of the node whose value it makes, its last one.
  void steps() {
    if (!run_.plan || run_.plan->timed.empty()) return;
    countRepeats(run_.plan->timed);
    for (const PlanStepRun& step : run_.plan->timed) {
      ir::NodeId maker;
      for (const ir::NodeId ran : step.nodes)
        if (const ir::NodeId node = originOf(run_, ran); node.valid()) maker = node;
      const double median = addTimes(step.times, maker);
      if (!maker.valid()) continue;
      NodeView& n = slotOf(maker);
      (step.nodes.empty() || !isBackward(run_, step.nodes.back()) ? n.forward : n.backward) += median;
      n.flops += step.flops.value_or(0);
      n.moved += step.bytes;
      n.step += (n.step.empty() ? "" : "; ") + step.text;
      for (const ir::NodeId ran : step.nodes) {
        const ir::NodeId node = originOf(run_, ran);
        if (!node.valid() || node == maker) continue;
        NodeView& other = slotOf(node);
        if (other.step.empty()) other.step = "in the step of " + std::string(graph_.nodeName(maker));
      }
    }
  }

  const Run& run_;
  const ir::Graph& graph_;
  size_t warmUp_;
  RunView view_;
  std::ptrdiff_t first_ = 0, last_ = 0;                    ///< of the times that count
  std::vector<double> sums_;                               ///< of all parts, by run
  std::unordered_map<size_t, std::vector<double>> times_;  ///< by index of the view
};

}  // namespace

RunView viewOf(const RunPtr& run, size_t warmUp) {
  return ViewMaker(run, warmUp).take();
}

std::vector<ir::NodeId> causePath(const RunView& view, ir::NodeId node) {
  const Run& run = *view.run;
  const NodeView* n = view.find(node);
  if (!n || !n->bad) return {};
  const ir::Graph& ran = run.module->root();
  std::vector<const NodeRun*> rowOf(ran.idBound(), nullptr);
  for (const std::vector<NodeRun>* list : {&run.inputs, &run.nodes})
    for (const NodeRun& row : *list) rowOf[row.node.index] = &row;
  std::vector<ir::NodeId> path;  // of Run::module, from the end
  // A path to a result knows of writes, too.
  for (const BadPath& known : run.badPaths) {
    size_t at = known.nodes.size();
    for (size_t i = 0; i < known.nodes.size(); ++i)
      if (originOf(run, known.nodes[i]) == node) at = i;
    if (at == known.nodes.size()) continue;
    for (size_t i = at + 1; i-- > 0;) path.push_back(known.nodes[i]);
    break;
  }
  if (path.empty()) {
    for (size_t i = n->parts.size(); i-- > 0 && path.empty();)
      if (isBad(run.nodes[n->parts[i]])) path.push_back(run.nodes[n->parts[i]].node);
    while (!path.empty() && path.size() <= ran.size()) {
      ir::NodeId from;
      ran.forEachInput(path.back(), [&](ir::NodeId in) {
        if (!from.valid() && in.index < rowOf.size() && rowOf[in.index] && isBad(*rowOf[in.index])) from = in;
      });
      if (!from.valid()) break;
      path.push_back(from);
    }
  }
  std::vector<ir::NodeId> out;
  for (size_t i = path.size(); i-- > 0;) {
    ir::NodeId origin = originOf(run, path[i]);
    if (!origin.valid() && ran.node(path[i]).op == ir::OpKind::Placeholder)
      origin = run.graph->graph->find(ran.nodeName(path[i]));
    if (origin.valid() && (out.empty() || !(out.back() == origin))) out.push_back(origin);
  }
  if (out.empty()) out.push_back(node);  // an input that was given so
  return out;
}

std::vector<NodeDifference> nodeDifferences(const RunView& a, const RunComparison& comparison) {
  const Run& run = *a.run;
  const ir::Graph& graph = *run.graph->graph;
  std::vector<NodeDifference> out;
  std::vector<int32_t> at(graph.idBound(), -1);
  std::unordered_map<std::string_view, ir::NodeId> ownOf;  // name of what ran -> node of the graph
  for (const NodeView& n : a.nodes) {
    at[n.node.index] = static_cast<int32_t>(out.size());
    out.push_back({n.node, nullptr, "not run"});
    if (n.own) ownOf[run.module->root().nodeName(run.nodes[*n.own].node)] = n.node;
    if (n.input) ownOf[graph.nodeName(n.node)] = n.node;
  }
  for (const ComparedValue& v : comparison.values) {
    if (!v.a) continue;
    std::string_view name = v.a->name;  // `split.1` is a piece of split
    auto it = ownOf.find(name);
    if (it == ownOf.end()) it = ownOf.find(name.substr(0, name.find('.')));
    if (it == ownOf.end()) continue;
    NodeDifference& d = out[static_cast<size_t>(at[it->second.index])];
    const runtime::Comparison& c = v.comparison;
    double size = -1;
    if (v.b && v.basis == "values") {
      // A relative error on a log scale from one step of the dtype to nothing in common.
      const double step =
          v.b->tensor ? std::max(runtime::toleranceFor(v.b->tensor->meta.dtype).relative, 1e-16) : 1e-7;
      if (c.verdict == runtime::Verdict::Within || c.verdict == runtime::Verdict::Outside) {
        const double relative = std::isfinite(c.snr) ? std::pow(10, -c.snr / 20) : c.outside ? 1.0 : 0.0;
        const double least = step / 64;
        size = relative <= least ? 0 : std::clamp(1 - std::log(relative) / std::log(least), 0.0, 1.0);
      } else if (c.verdict != runtime::Verdict::BitEqual) {
        size = 1;
      }
    } else if (v.b && v.differs()) {
      size = 1;
    }
    const bool worse = !d.value || size > d.size || (v.differs() && !d.differs);
    if (!worse) continue;
    d.value = &v;
    d.size = size;
    d.differs = v.b && v.differs();
    d.verdict = v.b ? std::string(runtime::verdictName(c.verdict)) : "no partner";
  }
  return out;
}

QueryRunFacts queryFacts(const RunView& view, const std::vector<NodeDifference>& differences) {
  QueryRunFacts facts;
  const double none = std::nan("");
  facts.seconds.assign(view.of.size(), none);
  facts.bad.assign(view.of.size(), none);
  for (const NodeView& n : view.nodes) {
    if (n.time.runs) facts.seconds[n.node.index] = n.time.median;
    facts.bad[n.node.index] = static_cast<double>(n.bad);
  }
  if (differences.empty()) return facts;
  facts.error.assign(view.of.size(), none);
  for (const NodeDifference& d : differences)
    if (d.value && d.value->b && d.value->basis == "values")
      facts.error[d.node.index] = d.value->comparison.maxAbs;
  return facts;
}

TimeDelta timeDelta(const Spread& a, const Spread& b) {
  TimeDelta d;
  d.a = a;
  d.b = b;
  if (!a.runs || !b.runs) {
    d.verdict = a.runs ? "only in A" : b.runs ? "only in B" : "not timed";
    return d;
  }
  d.seconds = a.median - b.median;
  d.shown = a.low > b.high || b.low > a.high;
  // One run has no spread to compare with.
  if (a.runs < 3 || b.runs < 3) d.shown = false;
  if (!d.shown) {
    d.verdict = "no difference shown";
    return d;
  }
  const double fast = std::min(a.median, b.median), slow = std::max(a.median, b.median);
  char text[48];
  std::snprintf(text, sizeof text, "%.2fx %s", fast > 0 ? slow / fast : 1.0,
                a.median > b.median ? "slower" : "faster");
  d.verdict = text;
  return d;
}

std::vector<TimeDelta> timeDeltas(const RunView& a, const RunView& b) {
  std::vector<TimeDelta> out;
  for (const NodeView& n : a.nodes) {
    if (n.input) continue;
    const ir::NodeId there = b.run->graph->graph->find(a.run->graph->graph->nodeName(n.node));
    const NodeView* other = there.valid() ? b.find(there) : nullptr;
    TimeDelta d = timeDelta(n.time, other ? other->time : Spread{});
    d.node = n.node;
    out.push_back(std::move(d));
  }
  return out;
}

// ---- trees

namespace {

class TreeMaker {
 public:
  explicit TreeMaker(const char* root) { tree_.items.push_back({root, {}, -1}); }

  void add(std::string_view path, ir::NodeId node, double seconds) {
    tree_.items[placeOf(path, seconds)].nodes.push_back(node);
  }

 private:
  /// Adds the time along the way.
  size_t placeOf(std::string_view path, double seconds) {
    int32_t at = 0;
    tree_.items[0].seconds += seconds;
    for (size_t from = 0; from < path.size();) {
      const size_t end = std::min(path.find('.', from), path.size());
      const std::string whole(path.substr(0, end));
      const auto [it, fresh] = known_.try_emplace(whole, static_cast<int32_t>(tree_.items.size()));
      if (fresh) tree_.items.push_back({std::string(path.substr(from, end - from)), whole, at});
      at = it->second;
      tree_.items[static_cast<size_t>(at)].seconds += seconds;
      from = end + 1;
    }
    return static_cast<size_t>(at);
  }

 public:
  /// The same, with the node as the last level.
  void add(std::string_view path, ir::NodeId node, double seconds, std::string_view name) {
    const size_t place = placeOf(path, seconds);
    TimeTree::Item leaf{std::string(name), std::string(name), static_cast<int32_t>(place)};
    leaf.seconds = seconds;
    leaf.nodes = {node};
    tree_.items.push_back(std::move(leaf));
  }

  /// Parents first, brothers by time.
  TimeTree take() {
    std::vector<std::vector<int32_t>> children(tree_.items.size());
    for (size_t i = 1; i < tree_.items.size(); ++i)
      children[static_cast<size_t>(tree_.items[i].parent)].push_back(static_cast<int32_t>(i));
    TimeTree out;
    std::vector<std::pair<int32_t, int32_t>> open = {{0, -1}};  // item, its parent in `out`
    for (size_t k = 0; k < open.size(); ++k) {
      const auto [item, parent] = open[k];
      out.items.push_back(std::move(tree_.items[static_cast<size_t>(item)]));
      out.items.back().parent = parent;
      std::vector<int32_t>& below = children[static_cast<size_t>(item)];
      std::stable_sort(below.begin(), below.end(), [&](int32_t x, int32_t y) {
        return tree_.items[static_cast<size_t>(x)].seconds > tree_.items[static_cast<size_t>(y)].seconds;
      });
      for (const int32_t c : below) open.emplace_back(c, static_cast<int32_t>(k));
    }
    return out;
  }

 private:
  TimeTree tree_;
  std::unordered_map<std::string, int32_t> known_;
};

}  // namespace

TimeTree timesByModule(const RunView& view) {
  TreeMaker maker("all nodes");
  const ir::ModuleMap modules = ir::findModules(*view.run->graph->graph);
  for (const NodeView& n : view.nodes)
    if (n.time.runs)
      maker.add(modules.path(n.node), n.node, n.forward + n.backward,
                view.run->graph->graph->nodeName(n.node));
  return maker.take();
}

TimeTree timesByOp(const RunView& view) {
  TreeMaker maker("all nodes");
  for (const NodeView& n : view.nodes) {
    if (!n.time.runs) continue;
    std::string op(shortOp(*view.run->graph->graph, n.node));
    std::replace(op.begin(), op.end(), '.', ' ');  // an overload is no level
    maker.add(op, n.node, n.forward + n.backward);
  }
  return maker.take();
}

// ---- heat

namespace {

ir::Heat emptyHeat(const RunView& view) {
  ir::Heat heat;
  heat.at.assign(view.of.size(), -1);
  heat.texts.resize(view.of.size());
  return heat;
}

/// Four digits: enough to read along a scale.
std::string few(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", x);
  return text;
}

std::string percent(double share) {
  char text[24];
  std::snprintf(text, sizeof text,
                share >= 0.1     ? "%.0f %%"
                : share >= 0.001 ? "%.1f %%"
                                 : "%.2g %%",
                share * 100);
  return text;
}

}  // namespace

ir::Heat timeHeat(const RunView& view, const HeatOptions& options) {
  ir::Heat heat = emptyHeat(view);
  if (!view.timed()) {
    heat.title = "time";
    heat.note = "no times were taken";
    return heat;
  }
  const double total = view.sum.median > 0 ? view.sum.median : 1;
  std::vector<double> sorted;
  for (const NodeView& n : view.nodes)
    if (n.time.runs) sorted.push_back(n.time.median);
  std::sort(sorted.begin(), sorted.end());
  double low = 0, high = 1;
  if (!sorted.empty()) {
    const size_t last = sorted.size() - 1;
    low = options.clip ? sorted[last / 100] : sorted.front();
    high = options.clip ? sorted[last - last / 100] : sorted.back();
  }
  if (options.log) low = std::max(low, high * 1e-6);
  if (!(high > low)) high = low > 0 ? low * 1.001 : 1e-9;
  if (!options.log) low = std::min(low, 0.0);
  const auto place = [&](double v) {
    const double at =
        options.log ? std::log(std::max(v, low) / low) / std::log(high / low) : (v - low) / (high - low);
    return static_cast<float>(std::clamp(at, 0.0, 1.0));
  };
  for (const NodeView& n : view.nodes) {
    if (!n.time.runs) continue;
    heat.at[n.node.index] = place(n.time.median);
    heat.texts[n.node.index] = secondsText(n.time.median) + ", " + percent(n.time.median / total);
  }
  heat.title = "time: share of " + secondsText(total);
  for (const double at : {0.0, 0.5, 1.0}) {
    const double v = options.log ? low * std::pow(high / low, at) : low + (high - low) * at;
    heat.ticks.push_back({static_cast<float>(at), secondsText(v) + " \u00B7 " + percent(v / total)});
  }
  heat.note = std::string(options.log ? "logarithmic" : "linear") +
              (options.clip && sorted.size() > 100 ? ", clipped to percentiles 1 to 99" : "") +
              "; medians of " + std::to_string(view.sum.runs) + (view.sum.runs == 1 ? " run" : " runs");
  return heat;
}

ir::Heat numericHeat(const RunView& view) {
  ir::Heat heat = emptyHeat(view);
  heat.scale = ir::Heat::Scale::Diverging;
  heat.title = "mean of the value, in parts of its largest element";
  heat.strips.resize(view.of.size());
  double most = 0;
  for (const NodeView& n : view.nodes)
    if (n.statistics && n.statistics->finite) most = std::max(most, n.statistics->absMax);
  // Four decades on each side of zero, for all nodes alike.
  const double unit = most > 0 ? most * 1e-4 : 1;
  const auto axis = [&](double x) {
    const double size = most > 0 ? std::log1p(std::abs(x) / unit) / std::log1p(most / unit) : 0;
    return static_cast<float>(0.5 + 0.5 * std::copysign(size, x));
  };
  size_t known = 0;
  for (const NodeView& n : view.nodes) {
    if (!n.statistics) continue;
    ++known;
    const runtime::ValueStatistics& s = *n.statistics;
    if (!s.finite) continue;
    const double lean = s.absMax > 0 ? std::clamp(s.mean / s.absMax, -1.0, 1.0) : 0;
    // The square root shows small leanings, too.
    heat.at[n.node.index] = static_cast<float>(0.5 + 0.5 * std::copysign(std::sqrt(std::abs(lean)), lean));
    heat.strips[n.node.index] = {axis(s.min), axis(s.max)};
    heat.texts[n.node.index] = "min " + few(s.min) + ", mean " + few(s.mean) + ", max " + few(s.max);
  }
  heat.ticks = {{0, "-1"}, {0.5f, "0"}, {1, "+1"}};
  heat.note =
      known ? "bar: smallest to largest element, log, to \u00B1" + few(most) : "no values were looked at";
  return heat;
}

ir::Heat errorHeat(const RunView& a, const std::vector<NodeDifference>& differences) {
  ir::Heat heat = emptyHeat(a);
  heat.title = "how far run A is from run B";
  size_t equal = 0, compared = 0;
  for (const NodeDifference& d : differences) {
    if (!d.value || !d.value->b) continue;
    ++compared;
    const runtime::Comparison& c = d.value->comparison;
    if (c.verdict == runtime::Verdict::BitEqual) {
      ++equal;
      heat.texts[d.node.index] = "bit-equal";
      continue;
    }
    heat.at[d.node.index] = static_cast<float>(std::max(d.size, 0.0));
    heat.texts[d.node.index] =
        d.verdict + ": max abs " + few(c.maxAbs) + ", median " + few(c.medianUlp) + " ULP";
  }
  heat.ticks = {{0, "1 ULP"}, {0.5f, "half of the digits"}, {1, "nothing in common"}};
  heat.note = std::to_string(equal) + " of " + std::to_string(compared) +
              " compared values are bit-equal and have no colour";
  return heat;
}

}  // namespace descry::session

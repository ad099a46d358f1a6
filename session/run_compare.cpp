#include "session/run_compare.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "session/diff.h"
#include "session/graph_run.h"
#include "session/value_text.h"

namespace descry::session {

using runtime::DType;
using runtime::Verdict;

runtime::Tolerance Tolerances::of(DType dtype, int64_t length) const {
  const auto own = dtypes.find(dtype);
  runtime::Tolerance t = own != dtypes.end() ? own->second : all.value_or(runtime::toleranceFor(dtype));
  const ir::DTypeInfo& info = ir::dtypeInfo(dtype);
  if (byLength && (info.floating || info.complex)) {
    const double grows = std::sqrt(static_cast<double>(std::max<int64_t>(1, length)));
    t.relative *= grows;
    t.absolute *= grows;
  }
  return t;
}

namespace {

std::optional<double> numberIn(std::string_view text) {
  double x = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
  if (error != std::errc() || end != text.data() + text.size() || !(x >= 0)) return std::nullopt;
  return x;
}

std::optional<runtime::Tolerance> toleranceIn(std::string_view text) {
  const size_t colon = text.find(':');
  const std::optional<double> relative = numberIn(text.substr(0, colon));
  const std::optional<double> absolute =
      colon == std::string_view::npos ? relative : numberIn(text.substr(colon + 1));
  if (!relative || !absolute) return std::nullopt;
  return runtime::Tolerance{*absolute, *relative};
}

std::string exactNumber(double x) {
  char text[40];
  const auto [end, error] = std::to_chars(text, text + sizeof text, x);
  return error == std::errc() ? std::string(text, end) : std::string();
}

}  // namespace

ir::Result<Tolerances> readTolerances(std::string_view text) {
  Tolerances out;
  bool lengthTold = false;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(',', at), text.size());
    const std::string_view part = text.substr(at, end - at);
    at = end + 1;
    const size_t equals = part.find('=');
    if (part == "length=on" || part == "length=off") {
      out.byLength = part == "length=on";
      lengthTold = true;
      continue;
    }
    const std::string_view name =
        equals == std::string_view::npos ? std::string_view() : part.substr(0, equals);
    const std::optional<runtime::Tolerance> t =
        toleranceIn(equals == std::string_view::npos ? part : part.substr(equals + 1));
    DType dtype = DType::Unknown;
    if (equals != std::string_view::npos) {
      dtype = ir::dtypeFromShortName(name);
      if (dtype == DType::Unknown) dtype = ir::dtypeFromTorchName(name);
    }
    if (!t || (equals != std::string_view::npos && dtype == DType::Unknown))
      return ir::failure("bad-tolerance",
                         "`" + std::string(part) +
                             "` is no tolerance: 1e-4, f32=1e-4 (relative to the largest element), "
                             "f32=1e-4:1e-6 (and absolute), length=off");
    if (dtype == DType::Unknown)
      out.all = *t;
    else
      out.dtypes[dtype] = *t;
  }
  if (!lengthTold && (out.all || !out.dtypes.empty())) out.byLength = false;
  return out;
}

std::string tolerancesText(const Tolerances& tolerances) {
  std::string out;
  const auto add = [&](std::string_view name, const runtime::Tolerance& t) {
    out += (out.empty() ? "" : ",") + std::string(name) + (name.empty() ? "" : "=") + exactNumber(t.relative);
    if (t.absolute != t.relative) out += ":" + exactNumber(t.absolute);
  };
  if (tolerances.all) add({}, *tolerances.all);
  for (const auto& [dtype, t] : tolerances.dtypes) add(ir::dtypeInfo(dtype).shortName, t);
  if (!out.empty() && tolerances.byLength) return out + ",length=on";
  return out.empty() && !tolerances.byLength ? std::string("length=off") : out;
}

size_t RunComparison::count(Verdict verdict) const {
  return static_cast<size_t>(std::count_if(
      values.begin(), values.end(), [&](const ComparedValue& v) { return v.comparison.verdict == verdict; }));
}

bool RunComparison::agree() const {
  bool any = false;
  for (const ComparedValue& v : results) {
    if (!v.equal()) return false;
    any = true;
  }
  for (const ComparedValue& v : values) {
    if (v.differs()) return false;
    any = any || v.equal();
  }
  return any;
}

namespace {

/// Statistics are equal within what two ways of summing give.
Verdict byStatistics(const runtime::ValueStatistics& a, const runtime::ValueStatistics& b,
                     const runtime::Tolerance& t) {
  if (a.nan != b.nan || a.plusInf != b.plusInf || a.minusInf != b.minusInf) return Verdict::Outside;
  const double limit = t.absolute + t.relative * b.absMax;
  for (const auto& [x, y] : {std::pair{a.min, b.min}, {a.max, b.max}, {a.mean, b.mean}, {a.std, b.std}})
    if (!(std::fabs(x - y) <= limit)) return Verdict::Outside;
  return Verdict::Within;
}

class Pairer {
 public:
  Pairer(const std::vector<KeptTensor>& a, const std::vector<KeptTensor>& b)
      : a_(a), b_(b), toA_(b.size(), kNone), toB_(a.size(), kNone), reason_(b.size()) {}

  /// `.1` of `split.1`, given the node.
  static std::string pieceOf(const KeptTensor& k, const ir::Graph& g) {
    return k.name.substr(std::min(k.name.size(), g.nodeName(k.node).size()));
  }

  void byNodes(const RunValues& a, const RunValues& b) {
    if (!a.graph || !b.graph) return;
    const GraphDiff diff = diffGraphs(a.graph, b.graph);
    std::vector<const NodeDiff*> before(a.graph->graph->idBound());
    for (const NodeDiff& n : diff.nodes)
      if (n.before && n.after) before[n.before.index] = &n;
    std::unordered_map<std::string, size_t> at;
    for (size_t j = 0; j < b_.size(); ++j)
      if (b_[j].node.valid())
        at.try_emplace(std::to_string(b_[j].node.index) + pieceOf(b_[j], *b.graph->graph), j);
    for (size_t i = 0; i < a_.size(); ++i) {
      if (!a_[i].node.valid() || !before[a_[i].node.index]) continue;
      const NodeDiff& n = *before[a_[i].node.index];
      const auto found = at.find(std::to_string(n.after.index) + pieceOf(a_[i], *a.graph->graph));
      if (found != at.end()) pair(i, found->second, n.reason);
    }
  }

  /// Equal keys that each side has once among those that have no partner.
  template <class Key>
  void byKey(const char* reason, Key&& key) {
    std::unordered_map<std::string, std::vector<size_t>> left, right;
    for (size_t i = 0; i < a_.size(); ++i)
      if (toB_[i] == kNone)
        if (std::string k = key(a_[i]); !k.empty()) left[std::move(k)].push_back(i);
    for (size_t j = 0; j < b_.size(); ++j)
      if (toA_[j] == kNone)
        if (std::string k = key(b_[j]); !k.empty()) right[std::move(k)].push_back(j);
    for (const auto& [k, mine] : left) {
      const auto theirs = right.find(k);
      if (theirs != right.end() && mine.size() == 1 && theirs->second.size() == 1)
        pair(mine[0], theirs->second[0], reason);
    }
  }

  /// What other programs saved has the names of the graph that was asked for: the last of the values that
  /// were made for such a node is what it gives.
  void byOrigin() {
    std::unordered_map<std::string, size_t> left, right;
    for (size_t i = 0; i < a_.size(); ++i)
      if (toB_[i] == kNone && !a_[i].origin.empty()) left[a_[i].origin] = i;
    for (size_t j = 0; j < b_.size(); ++j)
      if (toA_[j] == kNone && !b_[j].origin.empty()) right[b_[j].origin] = j;
    for (size_t j = 0; j < b_.size(); ++j)
      if (const auto i = left.find(b_[j].name); !b_[j].node.valid() && i != left.end())
        pair(i->second, j, "name of the node that it was made for");
    for (size_t i = 0; i < a_.size(); ++i)
      if (const auto j = right.find(a_[i].name); !a_[i].node.valid() && j != right.end())
        pair(i, j->second, "name of the node that it was made for");
  }

  static constexpr size_t kNone = SIZE_MAX;
  const std::vector<KeptTensor>&a_, &b_;
  std::vector<size_t> toA_, toB_;
  std::vector<std::string> reason_;  // by B

 private:
  void pair(size_t i, size_t j, const std::string& reason) {
    if (toB_[i] != kNone || toA_[j] != kNone) return;
    toB_[i] = j;
    toA_[j] = i;
    reason_[j] = reason;
  }
};

/// Memory whose contents are whatever was there: it stands for nothing.
bool notSet(const KeptTensor& k) {
  return k.op.starts_with("aten.empty") || k.op.starts_with("aten.new_empty");
}

bool nothingKept(const KeptTensor& k) {
  return !k.tensor && !k.statistics && !k.hash;
}

}  // namespace

void compareValue(ComparedValue& row, const Tolerances& tolerances) {
  runtime::Comparison& c = row.comparison;
  if (!row.a || !row.b) return;
  const ir::Type ta = ir::parseType(row.a->type), tb = ir::parseType(row.b->type);
  row.tolerance = tolerances.of(tb.tensor.dtype, std::max(row.a->length, row.b->length));
  if (row.a->tensor && row.b->tensor) {
    row.basis = "values";
    c = ta.tensor.dtype == tb.tensor.dtype
            ? runtime::compareTensors(*row.a->tensor, *row.b->tensor, row.tolerance)
            : runtime::compareWithReference(
                  *row.a->tensor, *row.b->tensor,
                  tolerances.of(ta.tensor.dtype, std::max(row.a->length, row.b->length)));
    return;
  }
  c.count = tb.tensor.numel().value_or(0);
  if (ta.tensor.shape != tb.tensor.shape) {
    c.verdict = Verdict::ShapeDiffers;
    return;
  }
  if (ta.tensor.dtype != tb.tensor.dtype) {
    c.verdict = Verdict::DTypeDiffers;
    return;
  }
  // One side may have what the other was not asked to keep: statistics and hashes are made of tensors.
  const auto statistics = [](const KeptTensor& k) {
    return k.statistics || !k.tensor ? k.statistics : std::optional(runtime::statisticsOf(*k.tensor));
  };
  const auto hash = [](const KeptTensor& k) {
    return k.hash || !k.tensor ? k.hash : std::optional(runtime::contentHash(*k.tensor));
  };
  const std::optional<uint64_t> ha = hash(*row.a), hb = hash(*row.b);
  if (ha && hb && *ha == *hb) {
    row.basis = "hash";
    c.verdict = Verdict::BitEqual;
    return;
  }
  const auto sa = statistics(*row.a), sb = statistics(*row.b);
  if (sa && sb) {
    row.basis = "statistics";
    c.verdict = byStatistics(*sa, *sb, row.tolerance);
  } else if (ha && hb) {
    row.basis = "hash";
    c.verdict = Verdict::Outside;
  } else {
    c.verdict = Verdict::NotRun;
  }
}

namespace {

/// Without tolerances nothing is compared.
std::vector<ComparedValue> rowsOf(const Pairer& pairs, const RunValues& a, const RunValues& b,
                                  const Tolerances* tolerances) {
  std::vector<ComparedValue> out;
  size_t next = 0;
  const auto lonely = [&](size_t end) {
    for (; next < end; ++next) {
      if (pairs.toB_[next] != Pairer::kNone) continue;
      ComparedValue& row = out.emplace_back();
      row.a = &pairs.a_[next];
      if (!b.ended) row.comparison.verdict = Verdict::NotRun;
    }
  };
  for (size_t j = 0; j < pairs.b_.size(); ++j) {
    const size_t i = pairs.toA_[j];
    if (i != Pairer::kNone) lonely(i);
    ComparedValue row;
    row.b = &pairs.b_[j];
    if (i != Pairer::kNone) {
      row.a = &pairs.a_[i];
      row.reason = pairs.reason_[j];
      if (notSet(*row.b)) continue;
      if (!tolerances) {
        row.comparison.verdict = Verdict::NotRun;
      } else {
        if (nothingKept(*row.a) && nothingKept(*row.b)) continue;  // nobody asked for it
        compareValue(row, *tolerances);
      }
    } else if (!a.ended) {
      row.comparison.verdict = Verdict::NotRun;
    }
    out.push_back(std::move(row));
  }
  lonely(pairs.a_.size());
  return out;
}

Pairer pairedNodes(const RunValues& a, const RunValues& b) {
  Pairer nodes(a.values, b.values);
  nodes.byNodes(a, b);
  nodes.byKey("made for the same node", [](const KeptTensor& k) {
    return k.origin.empty() || k.input ? std::string() : k.origin + "\n" + k.op + "\n" + k.type;
  });
  nodes.byKey("same name", [](const KeptTensor& k) { return k.name; });
  nodes.byOrigin();
  return nodes;
}

}  // namespace

std::vector<ComparedValue> pairValues(const RunValues& a, const RunValues& b) {
  return rowsOf(pairedNodes(a, b), a, b, nullptr);
}

RunComparison compareRuns(const RunValues& a, const RunValues& b, const Tolerances& tolerances) {
  RunComparison out;
  out.values = rowsOf(pairedNodes(a, b), a, b, &tolerances);
  Pairer results(a.results, b.results);
  results.byKey("same result", [](const KeptTensor& k) { return k.name; });
  if (!a.results.empty() && !b.results.empty()) out.results = rowsOf(results, a, b, &tolerances);
  std::stable_sort(out.results.begin(), out.results.end(),
                   [](const ComparedValue& x, const ComparedValue& y) {
                     return (x.b ? x.b : x.a)->name < (y.b ? y.b : y.a)->name;
                   });
  for (size_t i = 0; i < out.values.size() && !out.firstDifferent; ++i)
    if (out.values[i].differs()) out.firstDifferent = i;
  return out;
}

namespace {

bool isResultName(std::string_view name) {
  for (const std::string_view prefix : {"out.", "grad.", "grad_storage.", "after."})
    if (name.starts_with(prefix)) return true;
  return false;
}

}  // namespace

std::vector<ComparedResult> compareResults(const Run& run, const runtime::TensorFile& reference,
                                           const Tolerances& tolerances) {
  std::vector<ComparedResult> out;
  for (const RunValue& v : run.results) {
    if (!v.tensor) continue;
    ComparedResult row{v.name, valueType(*v.tensor), {}};
    row.comparison.count = v.tensor->meta.numel().value;
    if (const runtime::TensorRef other = reference.find(v.name)) {
      row.comparison = runtime::compareTensors(*v.tensor, *other, tolerances.of(other->meta.dtype));
    }
    out.push_back(std::move(row));
  }
  // What the file has and the run does not give. Gradients are asked for only with --backward.
  const bool gradients = !run.backward.empty() &&
                         std::find(run.backward.begin(), run.backward.end(), true) != run.backward.end();
  for (const auto& [name, tensor] : reference.tensors) {
    if (!isResultName(name) || (name.starts_with("grad") && !gradients)) continue;
    if (std::none_of(out.begin(), out.end(),
                     [&, n = std::string_view(name)](const ComparedResult& r) { return r.name == n; }))
      out.push_back({name, valueType(*tensor), {}});
  }
  return out;
}

}  // namespace descry::session

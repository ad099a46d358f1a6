#include "session/run_reference.h"

#include <algorithm>
#include <cmath>

#include "runtime/compare/wide_machine.h"
#include "runtime/core/memory.h"
#include "runtime/interpreter/graph_runner.h"
#include "session/run_recorder.h"
#include "session/run_setup.h"
#include "session/value_text.h"

namespace descry::session {

using ir::NodeId;
using runtime::EvalError;
using runtime::TensorRef;
using runtime::Value;
using runtime::Values;
using runtime::Verdict;

std::string_view errorKindName(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::Exact:
      return "exact";
    case ErrorKind::Rounding:
      return "rounding";
    case ErrorKind::Cancellation:
      return "cancellation";
    case ErrorKind::Carried:
      return "carried";
    case ErrorKind::Fault:
      return "fault";
    case ErrorKind::NotRaised:
      break;
  }
  return "not raised";
}

size_t ReferenceRun::count(ErrorKind kind) const {
  const std::vector<ReferenceRow>& rows = nodes.empty() ? results : nodes;
  return static_cast<size_t>(
      std::count_if(rows.begin(), rows.end(), [&](const ReferenceRow& r) { return r.kind == kind; }));
}

std::optional<size_t> ReferenceRun::first(ErrorKind kind) const {
  for (size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i].kind == kind) return i;
  return std::nullopt;
}

namespace {

/// The tensors of a value in order, as NodeRun::tensors has them.
void flatten(const Value& v, std::vector<TensorRef>& out) {
  if (v.isTensor()) out.push_back(runtime::resolved(runtime::tensorOf(v)));
  if (v.isList())
    for (const Value& i : v.items()) flatten(i, out);
}

/// The value with its floats by their absolute values.
Value absolute(const Value& v) {
  if (v.isList()) {
    Values items;
    for (const Value& i : v.items()) items.push_back(absolute(i));
    return Value(std::move(items), v.kind());
  }
  if (!v.isTensor() || !ir::dtypeInfo(v.meta().dtype).floating) return v;
  const TensorRef out = runtime::copyOf(runtime::viewOf(*runtime::tensorOf(v)), v.meta().dtype);
  auto* x = reinterpret_cast<double*>(out->storage->data());
  for (int64_t i = 0; i < out->meta.numel().value; ++i) x[i] = std::fabs(x[i]);
  return Value(out);
}

double largestOf(const Value& v) {
  std::vector<TensorRef> tensors;
  flatten(v, tensors);
  double most = 0;
  for (const TensorRef& t : tensors) most = std::max(most, runtime::statisticsOf(*t).absMax);
  return most;
}

bool isFloat(const Value& v) {
  return v.isTensor() && (ir::dtypeInfo(v.meta().dtype).floating || ir::dtypeInfo(v.meta().dtype).complex);
}

class Reference {
 public:
  Reference(const RunSetup& setup, const RunPtr& run, const RunRequest& request, const Tolerances& tolerances)
      : setup_(setup),
        root_(setup.root()),
        tolerances_(tolerances),
        ops_(request.ops ? *request.ops : ir::allOps()),
        machine_(ops_),
        runner_(*setup.module(), setup.root(), machine_) {
    out_.run = run;
    machine_.cancelled = request.cancelled;
    machine_.generator.seed(request.seed);
  }

  ReferenceRun made() {
    for (const auto& [name, value] : setup_.attributes(machine_))
      runner_.setAttribute(name, runtime::widened(value));
    RunSetup::Given given = setup_.given();
    widenInputs(given);
    values_.assign(root_.idBound(), {});
    kept_.assign(root_.idBound(), nullptr);
    stale_.assign(root_.idBound(), false);
    lost_.assign(root_.idBound(), false);
    lengths_.assign(root_.idBound(), 1);
    for (const NodeRun& n : out_.run->inputs) kept_[n.node.index] = &n;
    for (const NodeRun& n : out_.run->nodes) kept_[n.node.index] = &n;
    findLastReaders();
    const std::vector<NodeId> placeholders = root_.placeholders();
    for (size_t i = 0; i < placeholders.size() && i < given.values.size(); ++i)
      values_[placeholders[i].index] = given.values[i];
    for (const NodeId id : root_.nodes()) {
      const ir::OpKind op = root_.node(id).op;
      if (op != ir::OpKind::Placeholder && op != ir::OpKind::Output) node(id);
    }
    results(runner_.outputsOf(values_), given);
    return std::move(out_);
  }

 private:
  /// Inputs share memory as before.
  static void widenInputs(RunSetup::Given& given) {
    std::map<const runtime::Storage*, TensorRef> memories;
    const auto wide = [&](const TensorRef& t) {
      const runtime::DType to = runtime::wideDType(t->meta.dtype);
      if (to == t->meta.dtype) return t;
      TensorRef& memory = memories[t->storage.get()];
      if (!memory) {
        runtime::Meta flat;
        flat.dtype = t->meta.dtype;
        flat.sizes = {static_cast<int64_t>(t->storage->bytes()) / runtime::itemBytes(flat.dtype)};
        flat.strides = {1};
        memory = runtime::copyOf(runtime::viewOf(*runtime::viewInto(*t, flat)), to);
      }
      runtime::Meta m = t->meta;
      m.dtype = to;
      return runtime::viewInto(*memory, m);
    };
    for (auto& [k, memory] : given.inputs.memories) memory = wide(memory);
    for (Value& v : given.inputs.values)
      if (v.isTensor()) v = Value(wide(runtime::tensorOf(v)));
    for (Value& v : given.values)
      if (v.isTensor()) v = Value(wide(runtime::tensorOf(v)));
  }

  /// Values go when nobody reads them any more: the reference takes twice the memory of the run as it is.
  void findLastReaders() {
    std::vector<uint32_t> last(root_.idBound(), NodeId::kNone);
    for (const NodeId id : root_.nodes()) {
      last[id.index] = id.index;
      root_.forEachInput(id, [&](NodeId in) { last[in.index] = id.index; });
    }
    dead_.resize(root_.idBound());
    for (uint32_t i = 0; i < last.size(); ++i)
      if (last[i] != NodeId::kNone) dead_[last[i]].push_back(i);
    // What is returned stays.
    if (root_.output().valid()) dead_[root_.output().index].clear();
  }

  const ir::OpDef* opOf(NodeId id) const {
    return root_.target(id).starts_with("torch.ops.") ? ops_.find(root_.target(id)) : nullptr;
  }

  /// Why the node goes on from what the run gave; empty when it has a reference of its own.
  std::string reasonToTake(NodeId id, const ir::OpDef* op) const {
    if (!op) return {};
    bool lost = false;
    root_.forEachInput(id, [&](NodeId in) { lost = lost || lost_[in.index]; });
    if (lost) return "reads memory that was written by its bits";
    const std::string why = runtime::notRaised(*op);
    if (why.empty() || !why.starts_with("looks at the bits")) return why;
    // Complex numbers as pairs of floats are the same in wider ones.
    const NodeRun* own = kept_[id.index];
    bool floats = own && !own->tensors.empty();
    if (floats) {
      const ir::DTypeInfo& info = ir::dtypeInfo(ir::parseType(own->tensors[0].type).tensor.dtype);
      floats = info.floating || info.complex;
    }
    bool complexSide = false;
    root_.forEachInput(id, [&](NodeId in) {
      const Value& v = values_[in.index];
      if (v.isTensor()) complexSide = complexSide || ir::dtypeInfo(v.meta().dtype).complex;
      floats = floats && isFloat(v);
    });
    if (own && !own->tensors.empty())
      complexSide = complexSide || ir::dtypeInfo(ir::parseType(own->tensors[0].type).tensor.dtype).complex;
    return floats && complexSide ? std::string() : why;
  }

  void node(NodeId id) {
    const NodeRun* own = kept_[id.index];
    if (!own) return;  // the run ended before
    const ir::OpDef* op = opOf(id);
    int64_t& length = lengths_[id.index];
    const int64_t ownLength = summedLength(root_, id);
    length = ownLength;
    root_.forEachInput(id, [&](NodeId in) { length = std::max(length, lengths_[in.index]); });
    std::string why = reasonToTake(id, op);
    const bool writes = mayWrite(root_, id, ops_);
    bool known = true;
    root_.forEachInput(id, [&](NodeId in) { known = known && !stale_[in.index]; });
    if (why.empty()) {
      try {
        values_[id.index] = runner_.runNode(id, values_);
      } catch (const EvalError& e) {
        if (e.code == "cancelled" || e.code == "out-of-memory") throw;
        why = "cannot be computed in float64: " + std::string(e.what());
      }
    }
    if (!why.empty()) {
      values_[id.index] = runtime::widened(own->value);
      // A view that is no view here: what is written to it does not reach what it is a view of.
      if (op && op->has(ir::kOpView) && values_[id.index].isTensor()) {
        BitView& view = bitViews_.emplace_back();
        view.memory = runtime::tensorOf(values_[id.index])->storage;
        root_.forEachInput(id, [&](NodeId in) { addMemory(values_[in.index], view.base); });
      }
      out_.notRaised.push_back(std::string(root_.nodeName(id)) + ": " + why);
    }
    if (writes) writtenBy(id);
    compare(id, *own, op, why, known && !writes, ownLength);
    for (const uint32_t i : dead_[id.index]) values_[i] = {};
  }

  /// What the run kept of values in the memory that a node wrote is no longer what later nodes read.
  void writtenBy(NodeId id) {
    std::vector<const runtime::Storage*> written;
    root_.forEachInput(id, [&](NodeId in) { addMemory(values_[in.index], written); });
    for (const BitView& view : bitViews_) {
      if (std::find(written.begin(), written.end(), view.memory.get()) == written.end()) continue;
      anyLost_ = true;
      for (uint32_t i = 0; i < values_.size(); ++i)
        if (shares(values_[i], view.base)) lost_[i] = true;
    }
    for (uint32_t i = 0; i < values_.size(); ++i)
      if (i != id.index && shares(values_[i], written)) stale_[i] = true;
  }

  static void addMemory(const Value& v, std::vector<const runtime::Storage*>& out) {
    if (v.isTensor()) out.push_back(runtime::tensorOf(v)->storage.get());
    if (v.isList())
      for (const Value& i : v.items()) addMemory(i, out);
  }
  static bool shares(const Value& v, const std::vector<const runtime::Storage*>& memory) {
    std::vector<const runtime::Storage*> own;
    addMemory(v, own);
    return std::any_of(own.begin(), own.end(), [&](const runtime::Storage* s) {
      return std::find(memory.begin(), memory.end(), s) != memory.end();
    });
  }

  void compare(NodeId id, const NodeRun& own, const ir::OpDef* op, const std::string& why, bool known,
               int64_t ownLength) {
    std::vector<TensorRef> reference;
    flatten(values_[id.index], reference);
    std::vector<TensorRef> alone, bound;
    double inputs = 0;
    if (known && why.empty()) aloneOf(id, alone, bound, inputs);
    for (size_t i = 0; i < own.tensors.size() && i < reference.size(); ++i) {
      const NodeTensor& t = own.tensors[i];
      if (!t.tensor) continue;
      ReferenceRow row;
      row.node = id;
      row.name = std::string(root_.nodeName(id)) + t.piece;
      row.op = std::string(root_.target(id).starts_with("torch.ops.") ? root_.target(id).substr(10)
                                                                      : root_.target(id));
      row.type = t.type;
      row.why = why;
      row.own.verdict = Verdict::NotRun;
      row.tolerance = tolerances_.of(t.tensor->meta.dtype, lengths_[id.index]);
      row.error = runtime::compareWithReference(*t.tensor, *reference[i], row.tolerance);
      if (!why.empty()) {
        row.kind = ErrorKind::NotRaised;
        out_.nodes.push_back(std::move(row));
        continue;
      }
      bool fault = false, cancels = false;
      if (i < alone.size()) {
        const runtime::Tolerance limit = tolerances_.of(t.tensor->meta.dtype, ownLength);
        row.own = runtime::compareWithReference(*t.tensor, *alone[i], limit);
        if (row.own.verdict != Verdict::BitEqual && row.own.verdict != Verdict::Within) {
          // A sum is rounded as its terms are large, not as what is left of them.
          double terms = i < bound.size() ? runtime::statisticsOf(*bound[i]).absMax : 0;
          if (!op || !op->has(ir::kOpPointwise)) terms = std::max(terms, inputs);
          const bool numbers = row.own.verdict == Verdict::Outside && sameBad(*t.tensor, *alone[i]);
          cancels = numbers && row.own.maxAbs <= limit.absolute + limit.relative * terms;
          fault = !cancels;
        }
      }
      const bool within = row.error.verdict == Verdict::BitEqual || row.error.verdict == Verdict::Within;
      row.kind = fault                    ? ErrorKind::Fault
                 : cancels                ? ErrorKind::Cancellation
                 : !within                ? ErrorKind::Carried
                 : row.error.maxUlp > 0.5 ? ErrorKind::Rounding
                                          : ErrorKind::Exact;
      if (row.kind == ErrorKind::Exact && row.error.maxAbs > 0 && row.error.maxUlp == 0)
        row.kind = ErrorKind::Rounding;  // of a dtype without ULPs
      out_.nodes.push_back(std::move(row));
    }
  }

  /// NaN and infinities stand at the same places.
  static bool sameBad(const runtime::Tensor& a, const runtime::Tensor& b) {
    const runtime::ValueStatistics x = runtime::statisticsOf(a), y = runtime::statisticsOf(b);
    return x.nan == y.nan && x.plusInf == y.plusInf && x.minusInf == y.minusInf;
  }

  /// Float64 of what the run's node read; and of the absolute values, for ops that sum.
  void aloneOf(NodeId id, std::vector<TensorRef>& alone, std::vector<TensorRef>& bound, double& inputs) {
    Values environment(root_.idBound());
    bool there = true;
    root_.forEachInput(id, [&](NodeId in) {
      const NodeRun* n = kept_[in.index];
      if (n && (n->value.isTensor() || n->value.isList() || !n->tensors.empty()))
        environment[in.index] = runtime::widened(n->value);
      else if (n && n->tensors.empty())
        environment[in.index] = values_[in.index];  // numbers
      else
        there = false;
      inputs = std::max(inputs, largestOf(environment[in.index]));
    });
    if (!there) return;
    try {
      flatten(runner_.runNode(id, environment), alone);
      if (summedLength(root_, id) <= 1) return;
      for (Value& v : environment) v = absolute(v);
      flatten(runner_.runNode(id, environment), bound);
    } catch (const EvalError& e) {
      if (e.code == "cancelled" || e.code == "out-of-memory") throw;
    }
  }

  void results(const Values& outputs, const RunSetup::Given& given) {
    if (!out_.run->ended || out_.run->failure) return;
    int64_t longest = 1;
    for (const int64_t n : lengths_) longest = std::max(longest, n);
    const std::vector<RunValue> wide = setup_.results(outputs, given);
    for (const RunValue& v : out_.run->results) {
      const auto found =
          std::find_if(wide.begin(), wide.end(), [&](const RunValue& w) { return w.name == v.name; });
      if (!v.tensor || found == wide.end() || !found->tensor) continue;
      ReferenceRow row;
      row.name = v.name;
      row.type = valueType(*v.tensor);
      row.own.verdict = Verdict::NotRun;
      row.tolerance = tolerances_.of(v.tensor->meta.dtype, longest);
      row.error = runtime::compareWithReference(*v.tensor, *found->tensor, row.tolerance);
      const bool within = row.error.verdict == Verdict::BitEqual || row.error.verdict == Verdict::Within;
      row.kind = !within                                          ? ErrorKind::Carried
                 : row.error.maxAbs > 0 && row.error.maxUlp > 0.5 ? ErrorKind::Rounding
                                                                  : ErrorKind::Exact;
      out_.results.push_back(std::move(row));
    }
  }

  const RunSetup& setup_;
  const ir::Graph& root_;
  const Tolerances& tolerances_;
  const ir::OpRegistry& ops_;
  runtime::WideMachine machine_;
  runtime::GraphRunner runner_;
  ReferenceRun out_;
  Values values_;                     ///< by node: the reference
  std::vector<const NodeRun*> kept_;  ///< by node: the run
  std::vector<bool> stale_;           ///< by node: its memory was written after it had run
  std::vector<bool> lost_;            ///< by node: its memory was written through a view that is none here
  /// What was taken from the run in place of a view.
  struct BitView {
    runtime::StorageRef memory;
    std::vector<const runtime::Storage*> base;  ///< that it would be a view of
  };
  std::vector<BitView> bitViews_;
  bool anyLost_ = false;
  std::vector<int64_t> lengths_;             ///< by node: elements summed on the way to it
  std::vector<std::vector<uint32_t>> dead_;  ///< by node: values that nobody reads behind it
};

}  // namespace

ReferenceRun referenceOf(const RunSetup& setup, const RunPtr& run, const RunRequest& request,
                         const Tolerances& tolerances) {
  return Reference(setup, run, request, tolerances).made();
}

ir::Result<ReferenceRun> runReference(const Document& document, const LoadedGraphPtr& graph,
                                      const RunRequest& request, const Tolerances& tolerances) {
  const MemoryLimit limit(request.memoryCap);
  RunRequest asked = request;
  const bool compiled = request.executor == "compiled";
  asked.keepValues = !compiled;
  asked.keepNodes.clear();
  asked.keepBytes = 0;
  ir::Result<std::shared_ptr<RunSetup>> setup = RunSetup::make(document, graph, asked);
  if (!setup) return setup.error();
  ir::Result<RunPtr> run = runSetup(*setup, asked);
  if (!run) return run.error();
  if ((*run)->failure) {
    ReferenceRun failed;
    failed.run = *run;
    return failed;
  }
  try {
    RunPtr values = *run;
    if (compiled) {
      // The values of nodes that the reference goes on from, where it has none of its own: those of the
      // interpreter. What is judged are the results.
      asked.executor = "interpret";
      asked.keepValues = true;
      ir::Result<RunPtr> interpreted = runSetup(*setup, asked);
      if (!interpreted) return interpreted.error();
      if ((*interpreted)->failure) return *(*interpreted)->failure;
      auto both = std::make_shared<Run>(**interpreted);
      both->results = (*run)->results;
      values = both;
    }
    ReferenceRun out = referenceOf(**setup, values, request, tolerances);
    if (compiled) {
      out.nodes.clear();
      out.run = *run;
    }
    return out;
  } catch (const runtime::RunFailure& e) {
    return (*setup)->failure(e);
  } catch (const EvalError& e) {
    return (*setup)->failure(e.code, e.what());
  }
}

}  // namespace descry::session

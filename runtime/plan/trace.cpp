#include "runtime/plan/trace.h"

#include <algorithm>

#include "ir/ops/eval/strides.h"
#include "ir/ops/rules/op_rules.h"
#include "runtime/interpreter/pointwise.h"

namespace descry::runtime {

using ir::NodeId;
using ir::OpKind;

std::string PlannedOp::name() const {
  if (kind == Node) return "node";
  if (!op) return "convert";
  std::string s = op->target();
  constexpr std::string_view kPrefix = "torch.ops.";
  return s.starts_with(kPrefix) ? s.substr(kPrefix.size()) : s;
}

bool sameLayout(const Meta& a, const Meta& b) {
  if (a.dtype != b.dtype || a.conj != b.conj || a.neg != b.neg || a.offset.value != b.offset.value ||
      a.sizes.size() != b.sizes.size())
    return false;
  for (size_t d = 0; d < a.sizes.size(); ++d)
    if (a.sizes[d].value != b.sizes[d].value ||
        (a.sizes[d].value > 1 && a.strides[d].value != b.strides[d].value))
      return false;
  return true;
}

bool staysInRegister(DType dtype) {
  switch (dtype) {
    case DType::F64:
    case DType::F32:
    case DType::F16:
    case DType::BF16:
    case DType::C128:
    case DType::C64:
    case DType::I64:
    case DType::I32:
    case DType::I16:
    case DType::I8:
    case DType::U8:
    case DType::B8:
      return true;
    default:
      return false;
  }
}

namespace {

/// Decompositions may unroll loops; a node that comes to more ops than this is called as it stands.
constexpr size_t kMostOpsOfNode = 2000;
constexpr int kDeepest = 200;
/// Sums of so many bytes do not overflow.
constexpr size_t kMostBytes = size_t{1} << 44;

[[noreturn]] void giveUp(std::string why) {
  throw EvalError("not-planned", std::move(why));
}

bool plainSizes(const Meta& m) {
  const auto plain = [](const ir::eval::Int& n) { return !n.symbolic(); };
  return std::all_of(m.sizes.begin(), m.sizes.end(), plain) &&
         std::all_of(m.strides.begin(), m.strides.end(), plain) && plain(m.offset);
}

/// Ops whose result has the elements of their argument, converted to its dtype.
bool isConversion(const OpDef& op) {
  if (op.ns() != "aten" && op.ns() != "prims") return false;
  const std::string_view n = op.name();
  return n == "clone" || n == "_to_copy" || n == "convert_element_type" || n == "lift_fresh_copy";
}

/// These run graphs on what they are given, and look at no contents.
bool isTransparent(std::string_view higherOrder) {
  constexpr std::string_view kNames[] = {"invoke_subgraph",
                                         "wrap",
                                         "checkpoint",
                                         "tag_activation_checkpoint",
                                         "wrap_activation_checkpoint",
                                         "wrap_with_autocast",
                                         "wrap_with_set_grad_enabled",
                                         "hints_wrapper",
                                         "strict_mode"};
  const size_t dot = higherOrder.find('.');
  return std::find(std::begin(kNames), std::end(kNames), higherOrder.substr(0, dot)) != std::end(kNames);
}

/// A machine that notes what is to be done.
class Recorder : public Machine {
 public:
  explicit Recorder(const ir::OpRegistry& ops) : Machine(ops) {}

  std::vector<PlannedOp> recorded;
  NodeId node;
  size_t atNode = 0;                                   ///< how many were recorded when the node began
  bool wrote = false;                                  ///< something wanted to write since then
  std::unordered_map<const Storage*, size_t> bytesOf;  ///< of storages that stand for memory

  using Machine::call;
  Value call(const OpDef& op, Values args) override {
    struct Depth {
      int& d;
      explicit Depth(int& depth) : d(depth) { ++d; }
      ~Depth() { --d; }
    } depth(depth_);
    if (depth_ > kDeepest) giveUp("ops that call one another without end");
    if (recorded.size() > atNode + kMostOpsOfNode) giveUp("it is taken apart into too many ops");
    const auto [at, fresh] = ways_.try_emplace(&op);
    if (fresh) at->second = planOf(op);
    const OpPlan way = at->second;
    if (op.has(ir::kOpMutates) || op.has(ir::kOpInplaceView)) {
      wrote = true;
      giveUp(op.target() + " writes");
    }
    switch (way.way) {
      case Way::Kernel:
        if (!way.kernel->make) return kernel(op, way, std::move(args));
        return asItStands(op, std::move(args), "its results depend on data");
      case Way::Pointwise:
        return pointwise(op, std::move(args));
      case Way::View:
        return viewed(op, args);
      case Way::ViewCopy:
        return viewCopy(way, std::move(args));
      case Way::Lists:
      case Way::Decomposition:
      case Way::Composite:
        return apart(op, way, std::move(args));
      default:
        giveUp("nothing here can run " + op.target());
    }
  }

 private:
  /// A result of its own.
  TensorRef fresh(Meta m) {
    if (!plainSizes(m)) giveUp("its sizes depend on data");
    m.wrappedNumber = m.conj = m.neg = false;
    m.offset = 0;
    if (const std::string fault = ir::eval::faultOf(m); !fault.empty()) throw EvalError("value-error", fault);
    if (extentBytes(m) > kMostBytes) giveUp("it needs more memory than there is");
    auto t = ir::eval::make<Tensor>();
    t->storage = std::make_shared<Storage>(0);
    t->meta = std::move(m);
    bytesOf[t->storage.get()] = extentBytes(t->meta);
    return t;
  }

  Value shapeOf(const OpDef& op, const Values& args) {
    const size_t before = recorded.size();
    Value shape = rules().shape(op, args);
    // What a rule computes of contents is nothing that a shape may depend on here.
    if (recorded.size() != before) giveUp("its sizes depend on data");
    return shape;
  }

  /// Fresh results as a shape rule says; the value is made of them.
  Value results(const Value& shape, std::vector<TensorRef>& out) {
    if (shape.isTensor()) {
      out.push_back(fresh(shape.meta()));
      return Value(out[0]);
    }
    if (!shape.isList()) giveUp("its result is no tensor");
    Values items;
    for (const Value& v : shape.items()) {
      out.push_back(v.isTensor() ? fresh(v.meta()) : TensorRef());
      if (!out.back() && !v.isNone()) giveUp("its results are no tensors");
      items.push_back(out.back() ? Value(out.back()) : v);
    }
    return Value(std::move(items), shape.kind());
  }

  Value record(PlannedOp::Kind kind, const OpDef* op, Values args, const Value& shape,
               const struct Kernel* kernel = nullptr, std::string why = {}) {
    PlannedOp o;
    o.kind = kind;
    o.op = op;
    o.kernel = kernel;
    o.args = std::move(args);
    o.node = node;
    o.why = std::move(why);
    const Value made = results(shape, o.results);
    recorded.push_back(std::move(o));
    return made;
  }

  /// The elements of `v` in a tensor laid out as `m`.
  Value converted(const Value& v, const Meta& m) {
    Value shape(ir::eval::make<ir::eval::TensorBase>());
    shape.tensor()->meta = m;
    return record(PlannedOp::Pointwise, nullptr, {v}, shape);
  }

  Value kernel(const OpDef& op, const OpPlan& way, Values args) {
    const Value shape = shapeOf(op, args);
    if (isConversion(op) && shape.isTensor() && args.at(0).isTensor() &&
        args[0].meta().sizes.size() == shape.meta().sizes.size())
      return converted(args[0], shape.meta());
    return record(PlannedOp::Kernel, &op, std::move(args), shape, way.kernel);
  }

  Value asItStands(const OpDef& op, Values args, std::string why) {
    if (!op.rules().shape) giveUp(std::move(why));
    const Value shape = shapeOf(op, args);
    return record(PlannedOp::Call, &op, std::move(args), shape, nullptr, std::move(why));
  }

  Value pointwise(const OpDef& op, Values args) {
    const Value shape = shapeOf(op, args);
    if (!shape.isTensor()) giveUp("a pointwise op of several results");
    (void)pointwiseProgram(op, args, shape.meta().dtype);
    return record(PlannedOp::Pointwise, &op, std::move(args), shape);
  }

  Value viewed(const OpDef& op, const Values& args) {
    const TensorRef base = tensorOf(args.at(0));
    if (!base) giveUp("a view of nothing");
    const Value shape = shapeOf(op, args);
    const auto made = [&](const Meta& m) {
      if (!plainSizes(m)) giveUp("its sizes depend on data");
      Meta own = m;
      own.wrappedNumber = false;
      if (const std::string fault = ir::eval::faultOf(own); !fault.empty())
        throw EvalError("value-error", fault);
      const auto known = bytesOf.find(base->storage.get());
      checkInside(own, known == bytesOf.end() ? base->storage->bytes() : known->second);
      return Value(viewInto(*base, std::move(own)));
    };
    if (!shape.isList()) return made(shape.meta());
    Values items;
    for (const Value& v : shape.items()) items.push_back(made(v.meta()));
    return Value(std::move(items), shape.kind());
  }

  Value viewCopy(const OpPlan& way, Values args) {
    const auto copied = [&](const Value& v) {
      Meta m = v.meta();
      m.strides = ir::eval::contiguousStrides(m.sizes);
      return converted(v, m);
    };
    const Value v = call(*way.other, std::move(args));
    if (!v.isList()) return copied(v);
    Values items;
    for (const Value& i : v.items()) items.push_back(copied(i));
    return Value(std::move(items), v.kind());
  }

  /// By what it is taken apart into; where that cannot be done ahead of a run, as it stands.
  Value apart(const OpDef& op, const OpPlan& way, Values args) {
    const size_t before = recorded.size();
    try {
      if (way.way == Way::Lists) {
        const auto& arguments = op.schema().arguments;
        for (size_t i = 0; i < arguments.size(); ++i)
          if (arguments[i].name == "scalars" && args[i].isTensor()) giveUp("numbers depend on data");
        return lists(op, way, args);
      }
      return decomposed(op, way, args);
    } catch (const EvalError& e) {
      recorded.resize(before);
      return asItStands(op, std::move(args), e.what());
    }
  }

  Value decomposed(const OpDef& op, const OpPlan& way, const Values& args) {
    const auto notHere = [](const Value& v) {
      return v.kind() == VKind::Object && v.text() == "NotImplemented";
    };
    Value result = rules().run(*way.body, args);
    if (notHere(result)) {
      const ir::rules::OpRules& rule = op.rules();
      if (rule.inductor && rule.inductor.get() != way.body) result = rules().run(*rule.inductor, args);
      if (notHere(result)) giveUp("nothing here can run " + op.target() + " with these arguments");
    }
    if (way.way == Way::Composite || !op.rules().shape) return result;
    // Layouts are those of the op, not of what it was taken apart into; and results are no arguments.
    const Value shape = shapeOf(op, args);
    const auto laidOut = [&](const Value& v, const Value& as) -> Value {
      if (!v.isTensor() || !as.isTensor()) return v;
      const TensorRef t = tensorOf(v);
      Meta m = as.meta();
      m.wrappedNumber = m.conj = m.neg = false;
      m.offset = t->meta.offset;
      bool same = sameLayout(t->meta, m);
      // The one op that gives the memory of its argument without saying so.
      if (op.name() != "_unsafe_view")
        for (const Value& a : args)
          forEachTensor(a, [&](const Tensor& in) { same = same && in.storage != t->storage; });
      return same ? v : converted(v, m);
    };
    if (!result.isList() || !shape.isList()) return laidOut(result, shape);
    Values items;
    for (size_t i = 0; i < result.items().size(); ++i)
      items.push_back(i < shape.items().size() ? laidOut(result.items()[i], shape.items()[i])
                                               : result.items()[i]);
    return Value(std::move(items), result.kind());
  }

  std::unordered_map<const OpDef*, OpPlan> ways_;
  int depth_ = 0;
};

/// Empty when a graph writes nothing; `root`: nothing but inputs, with `copy_` at its end. Else what does.
std::string writesWithin(const ir::Graph& graph, const ir::OpRegistry& ops, bool root) {
  bool writing = false;
  for (const NodeId id : graph.nodes()) {
    const ir::Node& n = graph.node(id);
    if (n.op == OpKind::Placeholder || n.op == OpKind::Output || n.op == OpKind::GetAttr) continue;
    const std::string_view target = graph.target(id);
    if (root && n.op == OpKind::CallFunction && target == "torch.ops.aten.copy_.default" &&
        graph.argCount(id) == 2 && graph.arg(id, 0).kind() == ir::ValueKind::NodeRef &&
        graph.node(graph.arg(id, 0).node()).op == OpKind::Placeholder) {
      writing = true;
      continue;
    }
    const std::string name(graph.nodeName(id));
    if (writing) return "`" + name + "` stands behind a write";
    const OpDef* op = ops.find(target);
    if (op && (op->has(ir::kOpMutates) || op->has(ir::kOpInplaceView))) return "`" + name + "` writes";
  }
  return {};
}

}  // namespace

PlannedGraph traceGraph(const ir::Module& module, const ir::Graph& graph, const ir::OpRegistry& ops,
                        const std::unordered_map<std::string, Value>& attributes, const Values& inputs,
                        const std::vector<size_t>& inputBytes, const std::function<bool()>& cancelled) {
  PlannedGraph out;
  // Graphs that are called may write what they are given.
  for (const ir::Graph& g : module.graphs)
    if (out.whole.empty()) out.whole = writesWithin(g, ops, &g == &graph);
  out.values.assign(graph.idBound(), {});
  out.dynamic.assign(graph.idBound(), false);
  if (!out.whole.empty()) return out;
  Recorder recorder(ops);
  GraphRunner runner(module, graph, recorder);
  for (const auto& [name, value] : attributes) runner.setAttribute(name, value);
  const std::vector<NodeId> placeholders = graph.placeholders();
  for (size_t i = 0; i < placeholders.size(); ++i) {
    out.values[placeholders[i].index] = inputs.at(i);
    if (inputs[i].isTensor()) recorder.bytesOf[tensorOf(inputs[i])->storage.get()] = inputBytes.at(i);
  }
  const auto dependsOnDynamic = [&](NodeId id) {
    bool any = false;
    graph.forEachInput(id, [&](NodeId in) { any = any || out.dynamic[in.index]; });
    return any;
  };
  for (const NodeId id : graph.nodes()) {
    const ir::Node& n = graph.node(id);
    if (n.op == OpKind::Placeholder || n.op == OpKind::Output) continue;
    if (cancelled && cancelled()) throw EvalError("cancelled", "stopped");
    recorder.node = id;
    recorder.atNode = recorder.recorded.size();
    recorder.wrote = false;
    const std::string_view target = graph.target(id);
    if (target == "torch.ops.aten.copy_.default") {
      PlannedOp write;
      write.kind = PlannedOp::Write;
      write.op = ops.find(target);
      write.node = id;
      if (!dependsOnDynamic(id)) {
        write.args = runner.argumentsOf(id, out.values);
        out.values[id.index] = write.args[0];
      } else {
        out.values[id.index] = out.values[graph.arg(id, 0).node().index];
      }
      recorder.recorded.push_back(std::move(write));
      continue;
    }
    std::string why;
    constexpr std::string_view kHigherOrder = "torch.ops.higher_order.";
    if (dependsOnDynamic(id))
      why = "it reads what is known only then";
    else if (target.starts_with(kHigherOrder) && !isTransparent(target.substr(kHigherOrder.size())))
      why = "a higher-order op";
    if (why.empty()) {
      try {
        out.values[id.index] = runner.runNode(id, out.values);
        continue;
      } catch (const EvalError& e) {
        why = e.what();
      }
      if (recorder.wrote) {
        out.whole = "`" + std::string(graph.nodeName(id)) + "` writes";
        return out;
      }
    }
    recorder.recorded.resize(recorder.atNode);
    PlannedOp whole;
    whole.kind = PlannedOp::Node;
    whole.node = id;
    whole.why = std::move(why);
    // The values of others that it reads: they have to be there.
    graph.forEachInput(id, [&](NodeId in) {
      if (!out.dynamic[in.index]) whole.args.push_back(out.values[in.index]);
    });
    recorder.recorded.push_back(std::move(whole));
    out.dynamic[id.index] = true;
  }
  if (graph.output().valid()) out.dynamicOutputs = dependsOnDynamic(graph.output());
  out.outputs = runner.outputsOf(out.values);
  out.ops = std::move(recorder.recorded);
  return out;
}

}  // namespace descry::runtime

#include "passes/aot/program.h"

#include <algorithm>
#include <cmath>
#include <new>

#include "ir/ops/eval/builtins.h"
#include "ir/ops/eval/literals.h"
#include "ir/ops/eval/strides.h"
#include "passes/aot/higher_order.h"
#include "passes/aot/hop.h"
#include "passes/autodiff/call_arguments.h"

namespace descry::passes {

using ir::ArgView;
using ir::NodeId;
using ir::OpKind;
using ir::ValueKind;
using ir::eval::Keywords;
using ir::rules::BinaryOp;
using ir::rules::CompareOp;

Int intOfText(const std::string& text, const std::unordered_map<std::string, int64_t>& hints) {
  ir::Result<ir::SymExpr> e = ir::SymExpr::parse(text);
  if (!e) throw EvalError("type-error", "cannot read the size " + text);
  if (e->isInteger()) return e->integer();
  ir::SymExpr::Bindings known(hints.begin(), hints.end());
  bool hasHint = true;
  for (const std::string& s : e->symbols())
    if (!known.count(s)) {
      // Without a recorded hint a size stands for a number that few constants equal and many divide, as
      // programs split sizes into parts; unbacked symbols have none.
      hasHint = hasHint && !s.starts_with("u");
      known[s] = 5040 + 720 * static_cast<int64_t>(known.size());
    }
  ir::Result<int64_t> value = e->evaluate(known);
  return ir::eval::symbolicInt(*e, value ? *value : 4096, hasHint);
}

std::optional<Meta> metaOfType(const ir::Type& type, const std::unordered_map<std::string, int64_t>& hints) {
  try {
    return checkedMeta(type, hints);
  } catch (const EvalError&) {
    return std::nullopt;
  }
}

std::optional<Meta> checkedMeta(const ir::Type& type, const std::unordered_map<std::string, int64_t>& hints) {
  if (type.kind != ir::TypeKind::Tensor) return std::nullopt;
  Meta m;
  m.dtype = type.tensor.dtype;
  if (m.dtype == ir::DType::Unknown) return std::nullopt;
  // `1.5` and `oo` are read as expressions; no size is one.
  for (const ir::Dim& d : type.tensor.shape)
    if (d.symbolic() && (d.text.find('.') != std::string::npos || d.text == "oo" || d.text == "-oo"))
      throw EvalError("bad-type", "no tensor has the type " + type.text + ": " + d.text + " is no integer");
  for (const ir::Dim& d : type.tensor.shape)
    m.sizes.push_back(d.symbolic() ? intOfText(d.text, hints) : Int(d.value));
  if (type.tensor.strides) {
    for (const ir::Dim& d : *type.tensor.strides)
      m.strides.push_back(d.symbolic() ? intOfText(d.text, hints) : Int(d.value));
  } else {
    m.strides = ir::eval::contiguousStrides(m.sizes);
  }
  m.device = ir::eval::deviceId(type.tensor.device.empty() ? "cpu" : type.tensor.device);
  if (const std::string why = faultOf(m); !why.empty())
    throw EvalError("bad-type", "no tensor has the type " + type.text + ": " + why);
  return m;
}

Value Program::valueOf(ArgView arg, const Values& env) const {
  if (arg.kind() == ValueKind::NodeRef) return env[arg.node().index];
  const std::optional<VKind> container = ir::eval::containerOf(arg);
  if (!container) return ir::eval::literalOf(arg);
  Values items;
  items.reserve(arg.size());
  for (uint32_t i = 0; i < arg.size(); ++i) items.push_back(valueOf(arg[i], env));
  return Value(std::move(items), *container);
}

Values Program::run(Tracer& tracer, const Values& inputs) const {
  struct Restore {
    Tracer& t;
    ir::SourceId source;
    ~Restore() { t.source = source; }
  } restore{tracer, tracer.source};
  return runNodes(tracer, inputs);
}

namespace {

/// Calls f with each symbol for data in a type, `u0`.
template <class F>
void forUnbacked(const ir::Type& type, F&& f) {
  const auto scan = [&](const std::string& text) {
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] != 'u' ||
          (i && (std::isalnum(static_cast<unsigned char>(text[i - 1])) || text[i - 1] == '_')))
        continue;
      size_t end = i + 1;
      while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end]))) ++end;
      if (end > i + 1 && end < i + 10) f(text.substr(i, end - i));
      i = end - 1;
    }
  };
  for (const ir::Dim& d : type.tensor.shape)
    if (d.symbolic()) scan(d.text);
  scan(type.sym);
}

/// Higher-order ops that return numbers of their own making.
bool makesNumbers(const ir::Graph& graph, NodeId id) {
  std::string_view target = graph.target(id);
  if (target.ends_with(".default")) target.remove_suffix(8);
  return target == "torch.ops.higher_order.while_loop" || target == "torch.ops.higher_order.switch";
}

/// By node: the symbols for data that first appear in its type, or in that of a part of its result.
std::vector<std::pair<NodeId, std::vector<std::string>>> unbackedNames(const ir::Graph& graph) {
  std::vector<std::pair<NodeId, std::vector<std::string>>> out;
  std::vector<std::string> seen;
  for (const NodeId id : graph.nodes()) {
    const bool input = graph.node(id).op == OpKind::Placeholder;
    std::vector<std::string> found;
    const auto look = [&](NodeId at) {
      forUnbacked(graph.type(at), [&](const std::string& s) {
        if (std::find(seen.begin(), seen.end(), s) != seen.end()) return;
        seen.push_back(s);
        if (!input) found.push_back(s);
      });
    };
    look(id);
    if (!input && !graph.node(id).type)
      for (const NodeId user : graph.users(id))
        if (graph.target(user) == "operator.getitem") look(user);
    // What a higher-order op returns comes out of a function of its own, but for such numbers.
    if (!found.empty() &&
        (!graph.target(id).starts_with("torch.ops.higher_order.") || makesNumbers(graph, id)))
      out.emplace_back(id, std::move(found));
  }
  return out;
}

std::unordered_map<std::string_view, size_t> positions(const std::vector<std::string>& names) {
  std::unordered_map<std::string_view, size_t> out;
  for (size_t i = 0; i < names.size(); ++i) out.emplace(names[i], i);
  return out;
}

}  // namespace

uint32_t Program::firstFreeUnbacked() const {
  const auto after = [](const ir::Graph& g) {
    uint32_t free = 0;
    for (const NodeId id : g.nodes())
      forUnbacked(g.type(id), [&](const std::string& s) {
        free = std::max(free, static_cast<uint32_t>(std::stoul(s.substr(1))) + 1);
      });
    return free;
  };
  uint32_t free = 0;
  for (const ir::Graph& g : module_.graphs) {
    free = std::max(free, after(g));
    // The numbers that a loop returns have symbols whether they are used or not, the first ones behind those
    // of its body.
    for (const NodeId id : g.nodes()) {
      if (g.node(id).op != OpKind::CallFunction || !makesNumbers(g, id) || g.argCount(id) < 3) continue;
      const ArgView body = g.arg(id, 1), carried = g.arg(id, 2);
      const ir::Graph* inner =
          body.kind() == ir::ValueKind::NodeRef ? module_.child(g, g.target(body.node())) : nullptr;
      if (!inner) continue;
      uint32_t numbers = 0;
      for (uint32_t i = 0; i < carried.size(); ++i) {
        const ArgView v = carried[i];
        const bool node = v.kind() == ir::ValueKind::NodeRef;
        if (node ? g.type(v.node()).kind == ir::TypeKind::Sym : v.kind() == ir::ValueKind::Int) ++numbers;
      }
      if (numbers) free = std::max(free, after(*inner) + numbers);
    }
  }
  return free;
}

Values Program::runNodes(Tracer& tracer, const Values& inputs) const {
  if (graph_.truncated && !graph_.output().valid()) {
    const EvalError cut("truncated-graph",
                        "the text of the graph '" + graph_.name + "' ends without a return");
    if (graph_.last().valid()) throw TraceFailure(cut, graph_, graph_.last());
    throw cut;
  }
  if (const size_t wanted = lifted_.size() + graph_.placeholders().size(); wanted != inputs.size())
    throw EvalError("subgraph-inputs", "the graph '" + graph_.name + "' takes " + std::to_string(wanted) +
                                           (wanted == 1 ? " input" : " inputs") + ", the call passes " +
                                           std::to_string(inputs.size()));
  Values env(graph_.idBound());
  // Levels of torch.func that were opened here and are still open, by the node that opened each.
  std::vector<NodeId> opened;
  const auto depth = [&] { return tracer.levels ? tracer.levels->depth() : size_t{0}; };
  const size_t outer = depth();
  // The root runs under the names that it was captured with; inside of its functions symbols are new each
  // time.
  const bool isRoot = &graph_ == &module_.root();
  const auto named =
      isRoot ? unbackedNames(graph_) : std::vector<std::pair<NodeId, std::vector<std::string>>>();
  auto nextNamed = named.begin();
  size_t next = lifted_.size();
  const std::unordered_map<std::string_view, size_t> attributes = positions(lifted_);
  for (const NodeId id : graph_.nodes()) {
    const ir::Node& n = graph_.node(id);
    tracer.throwIfCancelled();
    if (n.op == OpKind::GetAttr && !attributes.empty())
      if (const auto at = attributes.find(graph_.target(id)); at != attributes.end()) {
        env[id.index] = inputs.at(at->second);
        continue;
      }
    if (n.op == OpKind::Placeholder) {
      env[id.index] = inputs[next++];
      continue;
    }
    if (n.op == OpKind::Output) continue;
    if (!tracer.sourceFixed && graph_.source(id).comment.index) tracer.source = n.source;
    if (&graph_ == &module_.root()) tracer.programNode = id.index;
    if (isRoot) {
      tracer.unbackedNames.clear();
      if (nextNamed != named.end() && nextNamed->first == id) tracer.unbackedNames = (nextNamed++)->second;
    }
    try {
      tracer.countCall();
      env[id.index] = runNode(tracer, id, env);
    } catch (const TraceFailure&) {
      throw;
    } catch (const EvalError& e) {
      throw TraceFailure(e, graph_, id);
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& e) {
      throw TraceFailure(EvalError("internal", std::string("Descry stumbled over this call: ") + e.what()),
                         graph_, id);
    }
    if (const size_t now = depth(); now > outer + opened.size())
      opened.resize(now - outer, id);
    else
      opened.resize(std::max(now, outer) - outer);
  }
  if (!opened.empty())
    throw TraceFailure(EvalError("bad-call", "the level of torch.func that is opened here is never closed"),
                       graph_, opened.back());
  Values out;
  for (const ArgView& v : graph_.outputs()) {
    if (v.kind() == ir::ValueKind::NodeRef && graph_.node(v.node()).op == OpKind::GetAttr &&
        module_.child(graph_, graph_.target(v.node())))
      throw TraceFailure(EvalError("bad-output", "a graph cannot return the subgraph " +
                                                     std::string(graph_.nodeName(v.node()))),
                         graph_, v.node());
    out.push_back(valueOf(v, env));
  }
  return out;
}

Value Program::runNode(Tracer& tracer, NodeId id, const Values& env) const {
  const ir::Node& n = graph_.node(id);
  const std::string_view target = graph_.target(id);
  Values args;
  for (uint32_t i = 0; i < graph_.argCount(id); ++i) args.push_back(valueOf(graph_.arg(id, i), env));
  Keywords keywords;
  for (uint32_t i = 0; i < graph_.kwargCount(id); ++i)
    keywords.emplace_back(graph_.kwargKey(id, i), valueOf(graph_.kwarg(id, i), env));
  switch (n.op) {
    case OpKind::GetAttr: {
      if (module_.child(graph_, target)) return Value::str("self." + std::string(target), VKind::Object);
      const std::optional<Meta> m = checkedMeta(graph_.type(id), {});
      if (!m)
        throw EvalError("missing-type", "the type of the attribute self." + std::string(target) +
                                            " is not written, so nothing is known about it");
      return tracer.attributeTensor(target, *m);
    }
    case OpKind::CallModule:
      throw EvalError("unsupported-call",
                      "calls of submodules (self." + std::string(target) +
                          ") are opaque here: capture the graph with its modules inlined");
    case OpKind::CallMethod: {
      if (!args.empty() && args[0].isTensor())
        return call(tracer, id, "." + std::string(target), std::move(args), keywords);
      if (args.empty()) throw EvalError("type-error", "a method call needs an object");
      bool known = false;
      Values rest(args.begin() + 1, args.end());
      const Value v = ir::eval::plainMethod(tracer.rules(), args[0], target, rest, known);
      if (!known)
        throw EvalError("unsupported-call", "no method " + std::string(target) + " of " + args[0].describe());
      return v;
    }
    default:
      return call(tracer, id, target, std::move(args), keywords);
  }
}

bool Program::switches(Tracer& tracer, std::string_view target, const Values& args, Value& out) const {
  const CallArguments given(target, args);
  constexpr std::string_view kAmp = "torch.amp.";
  if (target.starts_with(kAmp)) {
    std::string_view name = target.substr(kAmp.size());
    if (name.starts_with("autocast_mode.")) name.remove_prefix(std::string_view("autocast_mode.").size());
    if (name == "_enter_autocast") {
      const auto at = [&](size_t i) { return i < args.size() ? args[i] : Value(); };
      const bool enabled = args.size() < 3 || given.flag(2);
      const std::optional<ir::DType> dtype = at(1).isNone() ? std::nullopt : std::optional(at(1).asDType());
      out = Value(static_cast<int64_t>(tracer.autocast.enter(given.text(0), dtype, enabled)));
      return true;
    }
    if (name == "_exit_autocast") {
      tracer.autocast.exit(static_cast<size_t>(given.integer(0)));
      return true;
    }
  }
  if (target == "torch._C._set_grad_enabled" || target == "torch.set_grad_enabled" ||
      target == "torch._C.set_grad_enabled") {
    tracer.gradMode = given.flag(0);
    return true;
  }
  if (target == "torch.autograd.grad_mode._enter_inference_mode") {
    tracer.inferenceMode = args.empty() || given.flag(0);
    tracer.gradMode = tracer.gradMode && !tracer.inferenceMode;
    return true;
  }
  if (target == "torch.autograd.grad_mode._exit_inference_mode") {
    tracer.inferenceMode = false;
    return true;
  }
  const bool isSize = target == "torch._check_is_size", isCheck = target == "torch._check";
  if ((isSize || isCheck) && !args.empty() && args[0].symbolic()) {
    const ir::SymExpr& e = args[0].sym()->expr;
    tracer.numberFacts->assume(isSize ? ir::symRelation(ir::SymRel::Ge, e, 0) : e);
  }
  for (std::string_view quiet :
       {"torch._C._log_api_usage_once", "torch._check_is_size", "torch._dynamo.graph_break", "torch._check"})
    if (target == quiet) return true;
  return false;
}

namespace {
/// A comparison of symbolic integers is a value of the graph; nothing is decided until somebody asks.
bool symbolicComparison(Tracer& tracer, CompareOp op, std::string_view name, const Values& args, Value& out) {
  static constexpr ir::SymRel kRelations[] = {ir::SymRel::Eq, ir::SymRel::Ne, ir::SymRel::Lt,
                                              ir::SymRel::Le, ir::SymRel::Gt, ir::SymRel::Ge};
  static constexpr CompareOp kOps[] = {CompareOp::Eq, CompareOp::Ne, CompareOp::Lt,
                                       CompareOp::Le, CompareOp::Gt, CompareOp::Ge};
  const auto at = std::find(std::begin(kOps), std::end(kOps), op) - std::begin(kOps);
  if (at == std::ssize(kOps) || !args[0].isInt() || !args[1].isInt()) return false;
  if (!args[0].symbolic() && !args[1].symbolic()) return false;
  const Int a = args[0].toInt(), b = args[1].toInt();
  auto s = make<ir::eval::Symbolic>();
  s->expr = ir::symRelation(kRelations[at], a.expr(), b.expr());
  if (s->expr.kind() != ir::SymKind::Relation) return false;
  s->isBool = true;
  s->hasHint = (!a.sym || a.sym->hasHint) && (!b.sym || b.sym->hasHint);
  const bool hints[] = {a.value == b.value, a.value != b.value,
                        a.value<b.value, a.value <= b.value, a.value> b.value, a.value >= b.value};
  out = Value::symBool(s, s->hasHint && hints[at]);
  tracer.symbolic(name, args[0], args[1], out);
  return true;
}
}  // namespace

bool Program::operatorCall(Tracer& tracer, std::string_view name, Values& args, Value& out) const {
  ir::eval::Interpreter& in = tracer.rules();
  const CallArguments given(name, args);
  if (args.size() == 2) {
    // Of a tensor too: methods written in Python, as `2 - x`, `2 / x`, `x // 2`.
    if (const auto op = ir::eval::binaryNamed(name)) {
      out = in.binary(*op, args[0], args[1], true);
      return true;
    }
    if (const auto op = ir::eval::compareNamed(name)) {
      if (!symbolicComparison(tracer, *op, name, args, out)) out = in.compare(*op, args[0], args[1], true);
      return true;
    }
  }
  static constexpr std::pair<std::string_view, std::string_view> kInplace[] = {{"iadd", "add_"},
                                                                               {"isub", "sub_"},
                                                                               {"imul", "mul_"},
                                                                               {"itruediv", "div_"},
                                                                               {"ifloordiv", "floor_divide_"},
                                                                               {"imod", "remainder_"},
                                                                               {"ipow", "pow_"},
                                                                               {"iand", "__iand__"},
                                                                               {"ior", "__ior__"},
                                                                               {"ixor", "__ixor__"},
                                                                               {"ilshift", "__ilshift__"},
                                                                               {"irshift", "__irshift__"}};
  for (const auto& [text, op] : kInplace)
    if (text == name && args.size() == 2) {
      if (args[0].isTensor()) {
        out = in.callOp(in.ops().findName("aten", op), args, {}, true, true);
        return true;
      }
      std::string plain(name.substr(1));
      if (plain == "and" || plain == "or") plain += "_";
      return operatorCall(tracer, plain, args, out);
    }
  if (name == "getitem" && args.size() == 2) {
    if (runScalarIndex(tracer, args, out)) return true;
    out = in.subscript(args[0], args[1], true);
    return true;
  }
  if (name == "setitem" && args.size() == 3) {
    given.tensor(0);
    tracer.setIndex(args[0], args[1], args[2]);
    out = args[0];
    return true;
  }
  if (name == "neg" || name == "invert" || name == "pos") {
    out = in.unary(name == "neg" ? '-' : name == "pos" ? '+' : '~', given.at(0), true);
    return true;
  }
  if (name == "not_") {
    out = Value::boolean(!given.at(0).truthy());
    return true;
  }
  if (name == "truth") {
    out = Value::boolean(given.at(0).truthy());
    return true;
  }
  if (name == "abs") {
    Keywords none;
    out = ir::eval::builtinAt(ir::eval::findBuiltin("abs")).call(in, args, none);
    return true;
  }
  return false;
}

Value Program::call(Tracer& tracer, NodeId id, std::string_view target, Values args,
                    const Keywords& keywords) const {
  ir::eval::Interpreter& in = tracer.rules();
  if (Value out; switches(tracer, target, args, out)) return out;
  if (target.starts_with("operator.")) {
    Value out;
    if (operatorCall(tracer, target.substr(9), args, out)) return out;
  }
  if (target == "torch._C._autograd._get_data_attr") {
    // `x.data`: the same memory without history; writes to it do not count as writes to x.
    CallArguments(target, args).tensor(0);
    const Value v = tracer.op("detach", {args[0]});
    tensorIn(v)->version = {};
    return v;
  }
  if (!target.starts_with("torch.ops.") && !target.starts_with("."))
    if (const SubclassClass* c = findSubclass(target))
      return tracer.constructSubclass(*c, target, args, keywords);
  if (Value out; runLevelCall(tracer, target, args, keywords, out)) return out;
  if (target == "builtins.getattr" || target == "getattr") {
    if (args.size() > 1 && args[1].kind() == VKind::Str) return in.attributeOf(args[0], args[1].text());
  }
  if (target.starts_with("torch.ops.higher_order.") || target.starts_with("torch.utils.checkpoint.") ||
      target.starts_with("torch._higher_order_ops."))
    return runHigherOrder(*this, tracer, id, target, args, keywords);
  if (target == "torch.ops.aten.sym_size.int" && args.size() == 2 && args[0].isTensor()) {
    // A size is no call: the graph takes it from whichever value had it first.
    const Ints& sizes = args[0].meta().sizes;
    return Value(sizes[static_cast<size_t>(CallArguments(target, args).dimension(1, sizes.size()))]);
  }
  if (target.starts_with("torch.ops.")) {
    std::string_view ns, name, overload;
    ir::splitTarget(target, ns, name, overload);
    const OpDef* head = tracer.ops().findName(ns, name);
    if (!head) return opaque(tracer, id, target, args, keywords);
    if (overload.empty() && !head->declared()) return in.callOp(head, std::move(args), keywords, true);
    const OpDef* op = tracer.ops().find(target);
    if (!op) throw EvalError("unknown-op", "the op has no overload '" + std::string(overload) + "'");
    Values bound;
    std::string why;
    if (!ir::eval::bindTo(*op, args, keywords, true, false, bound, &why, true))
      throw EvalError("type-error", op->target() + ": " + why);
    if (!op->declared()) return tracer.call(*op, std::move(bound));
    return tracer.callTyped(*op, std::move(bound), typedResults(graph_, id, tracer.higherOrder->hints));
  }
  const std::string_view plain = target.starts_with("builtins.") ? target.substr(9)
                                 : target.starts_with("math.")   ? target.substr(5)
                                                                 : target;
  if (target.starts_with("builtins.") || target.starts_with("math.")) {
    const int64_t builtin = ir::eval::findBuiltin(plain);
    Keywords copy = keywords;
    if (builtin >= 0) {
      const Value out = ir::eval::builtinAt(builtin).call(in, args, copy);
      // Python has no floats for these.
      const auto finite = [](const Value& v) {
        return v.isNumber() && !v.symbolic() && std::isfinite(v.toReal());
      };
      if (target.starts_with("math.") && out.kind() == VKind::Float && !out.symbolic() && !finite(out) &&
          std::all_of(args.begin(), args.end(), finite))
        throw EvalError("value-error",
                        plain == "exp" || plain == "pow" ? "math range error" : "math domain error");
      return out;
    }
  }
  if (target.starts_with(".") && !args.empty()) {
    if (args[0].isTensor() && (target == ".numel" || target == ".nelement")) return tracer.numel(args[0]);
    Value out;
    Values rest(args.begin() + 1, args.end());
    if (!tracer.ops().pythonBody(target) &&
        ir::eval::tensorMethod(args[0], target.substr(1), rest, keywords, out))
      return out;
  }
  return in.callSpelling(target, std::move(args), keywords);
}

}  // namespace descry::passes

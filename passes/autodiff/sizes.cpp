// Symbolic numbers of the graph: which node stands for a size, when it is written down, and the names that
// PyTorch takes while it computes with sizes.
#include <algorithm>

#include "ir/ops/eval/builtins.h"
#include "passes/autodiff/tracer.h"

namespace descry::passes {

using ir::NodeId;
using ir::eval::Symbolic;

NodeId Tracer::readSize(const PendingSize& p, const std::string& text) {
  return emit(p.stride ? "torch.ops.aten.sym_stride.int" : "torch.ops.aten.sym_size.int",
              {Value(p.tensor), Value(int64_t{p.dim})}, {}, graph_.context().type("Sym(" + text + ")"),
              p.stride ? "sym_stride_int" : "sym_size_int");
}

NodeId Tracer::emitNumber(Symbolic& number, std::string_view target, const Values& args,
                          std::string_view name) {
  const std::string text = number.expr.text();
  const NodeId node = emit(target, args, {}, graph_.context().type("Sym(" + text + ")"), name);
  if (!recording) return node;
  number.node = node.index;
  symbols_.emplace(text, node);
  return node;
}

NodeId Tracer::pendingNode(Symbolic& number) {
  if (const auto result = pendingResults_.find(&number); result != pendingResults_.end()) {
    const PendingNumber p = std::move(result->second);
    pendingResults_.erase(result);
    return emitNumber(number, p.target, p.args, p.name);
  }
  if (const auto own = pendingNumbers_.find(&number); own != pendingNumbers_.end()) {
    const std::string text = number.expr.text();
    const NodeId node = readSize(own->second.second, text);
    if (recording) number.node = node.index;
    symbols_.emplace(text, node);
    pendingSizes_.erase(text);
    return node;
  }
  return {};
}

NodeId Tracer::nodeOf(const Int& i) {
  const std::string text = i.sym->expr.text();
  if (i.sym->node != NodeId::kNone) return {i.sym->node};
  if (const NodeId own = pendingNode(*i.sym); own.valid()) return own;
  const auto known = symbols_.find(text);
  if (known != symbols_.end()) return known->second;
  const auto pending = pendingSizes_.find(text);
  if (pending != pendingSizes_.end()) {
    const PendingSize p = pending->second;
    pendingSizes_.erase(pending);
    const NodeId node = readSize(p, text);
    symbols_.emplace(text, node);
    return node;
  }
  // Built from its parts, as a program would compute it.
  const ir::SymExpr& e = i.sym->expr;
  const auto part = [&](const ir::SymExpr& x, int64_t hint) -> Value {
    if (x.isInteger()) return Value(x.integer());
    return Value(ir::eval::symbolicInt(x, hint, i.sym->hasHint));
  };
  const auto fold = [&](const char* op) {
    Value sum = part(e.args()[0], 0);
    ir::SymExpr so = e.args()[0];
    for (size_t k = 1; k < e.args().size(); ++k) {
      so = op[0] == 'a' ? so + e.args()[k] : so * e.args()[k];
      const Value next = part(e.args()[k], 0);
      Value result = part(so, i.value);
      if (result.symbolic()) symbolic(op, sum, next, result);
      sum = result;
    }
    return sum;
  };
  Value made;
  switch (e.kind()) {
    case ir::SymKind::Add:
      made = fold("add");
      break;
    case ir::SymKind::Mul:
      made = fold("mul");
      break;
    case ir::SymKind::FloorDiv: {
      made = Value(i);
      symbolic("floordiv", part(e.args()[0], 0), part(e.args()[1], 0), made);
      break;
    }
    case ir::SymKind::Pow: {
      made = Value(i);
      symbolic("pow", part(e.args()[0], 0), part(e.args()[1], 0), made);
      break;
    }
    case ir::SymKind::Function:
      if ((e.name() == "Mod" || e.name() == "PythonMod") && e.args().size() == 2) {
        made = Value(i);
        symbolic("mod", part(e.args()[0], 0), part(e.args()[1], 0), made);
        break;
      }
      if ((e.name() == "Max" || e.name() == "Min") && e.args().size() == 2) {
        made = Value(i);
        symbolic(e.name() == "Max" ? "sym_max" : "sym_min", part(e.args()[0], 0), part(e.args()[1], 0), made);
        break;
      }
      [[fallthrough]];
    default:
      throw EvalError("unbound-symbol", "no value of the graph holds the size " + text);
  }
  const auto now = symbols_.find(text);
  if (now == symbols_.end())
    throw EvalError("unbound-symbol", "no value of the graph holds the size " + text);
  return now->second;
}

NodeId Tracer::nodeOfNumber(const Value& v) {
  if (v.sym()->node != NodeId::kNone) return {v.sym()->node};
  if (v.isInt()) return nodeOf(v.toInt());
  if (const NodeId own = pendingNode(*v.sym()); own.valid()) return own;
  const auto known = symbols_.find(v.sym()->expr.text());
  if (known == symbols_.end())
    throw EvalError("unbound-symbol", "no value of the graph holds " + v.sym()->expr.text());
  return known->second;
}

Value Tracer::symbolInput(NodeId node, ir::SymExpr expr, int64_t hint, bool hasHint) {
  symbols_.emplace(expr.text(), node);
  Int i = ir::eval::symbolicInt(std::move(expr), hint, hasHint,
                                hasHint ? Ref<ir::eval::NumberFacts>() : numberFacts);
  i.sym->node = node.index;
  return Value(i);
}

Value Tracer::numel(const Value& tensor) {
  Tensor* t = tensorIn(tensor);
  const Meta& m = tensor.meta();
  if (!t || std::none_of(m.sizes.begin(), m.sizes.end(), [](const Int& s) { return s.symbolic(); }))
    return Value(m.numel());
  // A tensor counts its elements once. A value of the graph is asked for their number where that is used;
  // what wraps it multiplies its sizes.
  if (t->extras->numel.isNone() && recording && !t->isOuter() && t->node.valid()) {
    const Int n = m.numel();
    const Int own = ir::eval::symbolicInt(n.expr(), n.value, n.sym && n.sym->hasHint, numberFacts);
    if (!own.symbolic()) return Value(n);
    pendingResults_[own.sym.get()] = {
        own.sym, "torch.ops.aten.sym_numel.default", {tensor}, "sym_numel_default"};
    t->extras.own().numel = Value(own);
  }
  if (t->extras->numel.isNone()) {
    Value n(1);
    for (const Int& s : m.sizes) n = rules_.binary(ir::rules::BinaryOp::Mul, n, Value(s), false);
    t->extras.own().numel = n;
  }
  return t->extras->numel;
}

void Tracer::symbolic(std::string_view op, const Value& a, const Value& b, Value& result) {
  if (!result.symbolic()) return;
  std::string target;
  if (op.starts_with("sym_"))
    target = "torch." + std::string(op);
  else if (op == "floor" || op == "ceil" || op == "trunc")
    target = "math." + std::string(op);
  else
    target = "operator." + std::string(op);
  Values args = {a};
  if (!b.isNone()) args.push_back(b);
  if (!recording) return;
  if (lazyNumbers)
    pendingResults_[result.sym()] = {Ref<Symbolic>(result.sym()), std::move(target), std::move(args)};
  else
    emitNumber(*result.sym(), target, args);
}

/// Strides of a new tensor are computed, also where they come out as those of an operand. PyTorch remembers
/// those of the forward from its first run, in which sizes were called what they were when the program was
/// captured.
Value Tracer::withComputedStrides(const Value& v) const {
  if (v.isList()) {
    Values items;
    for (const Value& i : v.items()) items.push_back(withComputedStrides(i));
    return Value(std::move(items), v.kind());
  }
  if (!v.isTensor() || v.meta().wrappedNumber) return v;
  const Ints& strides = v.meta().strides;
  // One that is an operand's own stride was taken over; one that is a size was multiplied by 1.
  const auto taken = [&, sizes = v.meta().sizes](const Int& i) {
    if (std::none_of(sizes.begin(), sizes.end(), [&](const Int& s) { return s.sym == i.sym; })) return false;
    return !originalName(i).empty() || (apartSubclasses && i.symbolic() && i.sym->node != NodeId::kNone);
  };
  if (std::none_of(strides.begin(), strides.end(), taken)) return v;
  auto t = make<Tensor>();
  t->meta = v.meta();
  for (Int& i : t->meta.strides) {
    if (!taken(i)) continue;
    std::string name = originalName(i);
    if (const auto found = namesAtCapture.find(name); found != namesAtCapture.end()) name = found->second;
    auto stride = make<RenamedSize>();
    stride->expr = i.expr();
    stride->hasHint = i.sym->hasHint;
    if (phase == Phase::Forward && recording && name != stride->expr.text()) stride->original = name;
    i = Int(i.value, stride);
  }
  return Value(t);
}

namespace {
bool isNumber(const Int& i, int64_t value) {
  return !i.symbolic() && i.value == value;
}
}  // namespace

/// Names are taken by what is computed with symbolic numbers only; a factor of 1 gives the other factor.
Int Tracer::namedProduct(const Int& a, const Int& b) {
  if ((a.symbolic() || b.symbolic()) && !isNumber(a, 1) && !isNumber(b, 1)) freshName("mul");
  return a * b;
}

void Tracer::nameStorageBytes(const Meta& m) {
  if (!recording || lazyNumbers) return;
  bool sum = false;
  for (size_t i = 0; i < m.sizes.size(); ++i) {
    const Int &size = m.sizes[i], &stride = m.strides[i];
    const bool computed = size.symbolic() || stride.symbolic();
    if (size.symbolic()) freshName("sub");
    const Int last = namedProduct(stride, size.symbolic() ? size : Int(size.value - 1));
    // A factor of 0 gives a plain number.
    sum = sum || (computed && !isNumber(last, 0));
    if (sum) freshName("add");
  }
  if (!sum) return;
  freshName("add");
  freshName("mul");
}

void Tracer::nameViewStrides(const TensorRef& self, const Ints& shape) {
  if (!recording || lazyNumbers) return;
  numel(Value(self));
  Int all = 1;
  for (const Int& i : shape) all = namedProduct(all, i);  // infer_size
  const Ints &sizes = self->meta.sizes, &strides = self->meta.strides;
  all = 1;
  for (const Int& i : sizes) all = namedProduct(all, i);
  if (sizes.empty() || all == Int(0)) return;
  // computeStride: from the last dimension on, pieces of the tensor that are dense are matched with
  // dimensions of the view.
  size_t at = shape.size();
  Int chunk = strides.back(), had = 1, seen = 1;
  for (size_t d = sizes.size(); d-- > 0;) {
    had = namedProduct(had, sizes[d]);
    if (d > 0 && (sizes[d - 1] == Int(1) || strides[d - 1] == namedProduct(had, chunk))) continue;
    for (; at > 0 && (seen < had || shape[at - 1] == Int(1)); --at) {
      namedProduct(seen, chunk);
      seen = namedProduct(seen, shape[at - 1]);
    }
    if (!(seen == had) || d == 0) return;
    chunk = strides[d - 1];
    had = seen = 1;
  }
}

}  // namespace descry::passes

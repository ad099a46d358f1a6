// Writing nodes: names as torch.fx gives them, arguments as PyTorch's dispatcher passes them on.
#include <algorithm>
#include <unordered_set>

#include "ir/ops/eval/builtins.h"
#include "ir/ops/eval/strides.h"
#include "passes/autodiff/tracer.h"

namespace descry::passes {

using ir::Cell;
using ir::NodeId;
using ir::ValueKind;
using ir::eval::Symbolic;

namespace {

/// Names that torch.fx gives no node: Python's keywords and built-ins and those it imports itself.
bool isReservedName(const std::string& name) {
  static const std::unordered_set<std::string> kReserved = {
      "False",    "None",       "True",      "and",       "as",           "assert",     "async",
      "await",    "break",      "class",     "continue",  "def",          "del",        "elif",
      "else",     "except",     "finally",   "for",       "from",         "global",     "if",
      "import",   "in",         "is",        "lambda",    "nonlocal",     "not",        "or",
      "pass",     "raise",      "return",    "try",       "while",        "with",       "yield",
      "abs",      "aiter",      "all",       "anext",     "any",          "ascii",      "bin",
      "bool",     "breakpoint", "bytearray", "bytes",     "callable",     "chr",        "classmethod",
      "compile",  "complex",    "copyright", "credits",   "delattr",      "dict",       "dir",
      "divmod",   "enumerate",  "eval",      "exec",      "exit",         "filter",     "float",
      "format",   "frozenset",  "getattr",   "globals",   "hasattr",      "hash",       "help",
      "hex",      "id",         "input",     "int",       "isinstance",   "issubclass", "iter",
      "len",      "license",    "list",      "locals",    "map",          "max",        "memoryview",
      "min",      "next",       "object",    "oct",       "open",         "ord",        "pow",
      "print",    "property",   "quit",      "range",     "repr",         "reversed",   "round",
      "set",      "setattr",    "slice",     "sorted",    "staticmethod", "str",        "sum",
      "super",    "tuple",      "type",      "vars",      "zip",          "inf",        "nan",
      "NoneType", "torch",      "device",    "fx_pytree", "pytree"};
  return kReserved.count(name) > 0;
}

/// The name FX takes from an op: special methods without their underscores, words apart.
std::string snakeCase(std::string_view s) {
  if (s.size() > 4 && s.starts_with("__") && s.ends_with("__")) s = s.substr(2, s.size() - 4);
  std::string out;
  bool lower = false;
  for (char c : s) {
    if (lower && c >= 'A' && c <= 'Z') out += '_';
    lower = (c >= 'a' && c <= 'z');
    out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

}  // namespace

Tracer::Tracer(const ir::OpRegistry& ops, ir::Graph& graph, Decompositions d)
    : decompositions(d), ops_(ops), graph_(graph), rules_(ops, *this) {}

ir::StrId Tracer::freshName(std::string_view wanted) {
  std::string base(wanted);
  for (char& c : base)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  if (base.empty()) base = "_unnamed";
  if (base[0] >= '0' && base[0] <= '9') base.insert(base.begin(), '_');
  std::string candidate = base;
  uint32_t number = 0;
  bool numbered = false;
  const size_t underscore = base.rfind('_');
  if (underscore != std::string::npos && underscore > 0 && underscore + 1 < base.size() &&
      base.size() - underscore < 10 &&
      std::all_of(base.begin() + static_cast<std::ptrdiff_t>(underscore) + 1, base.end(),
                  [](char c) { return c >= '0' && c <= '9'; })) {
    number = static_cast<uint32_t>(std::stoul(base.substr(underscore + 1)));
    numbered = true;
    base.resize(underscore);
  }
  ir::Context& texts = graph_.context();
  ir::StrId id = texts.intern(candidate);
  const ir::StrId baseId = numbered ? texts.intern(base) : id;
  const auto next = [&] {
    candidate.assign(base).append(1, '_').append(std::to_string(++number));
    id = texts.intern(candidate);
  };
  if (!numbered || names_[id.index].used) {
    number = names_[baseId.index].count;
    if (isReservedName(candidate)) next();
  }
  while (names_[id.index].used) next();
  names_[id.index].used = true;
  names_[baseId.index].count = number;
  return id;
}

std::vector<std::string> Tracer::goneNames() const {
  ir::IdMap<bool> present;
  for (const NodeId id : graph_.nodes()) present[graph_.node(id).name.index] = true;
  std::vector<std::string> out;
  names_.forEach([&](uint32_t id, const NameUse& use) {
    if (use.used && !present[id]) out.emplace_back(graph_.str(ir::StrId{id}));
  });
  std::sort(out.begin(), out.end(), [](const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  });
  return out;
}

ir::TypeId Tracer::typeOf(const Meta& m) {
  std::string text(ir::dtypeInfo(m.dtype).shortName);
  const auto list = [&](const Ints& ints) {
    text += '[';
    for (size_t i = 0; i < ints.size(); ++i) {
      if (i) text += ", ";
      text += ints[i].str();
    }
    text += ']';
  };
  list(m.sizes);
  list(m.strides);
  text += ir::eval::deviceText(m.device);
  return graph_.context().type(text);
}

ir::TypeId Tracer::typeOf(const Value& v) {
  if (v.isTensor()) return typeOf(v.meta());
  if (v.symbolic()) return graph_.context().type("Sym(" + v.sym()->expr.text() + ")");
  if (v.isInt()) return graph_.context().type("Sym(" + std::to_string(v.raw()) + ")");
  return {};
}

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

Cell Tracer::cellOf(const Value& v) {
  switch (v.kind()) {
    case VKind::None:
      return Cell::none();
    case VKind::Bool:
      if (v.symbolic()) return Cell::ref(nodeOfNumber(v));
      return Cell::boolean(v.asBool());
    case VKind::Int:
      return v.symbolic() ? Cell::ref(nodeOf(v.toInt())) : Cell::integer(v.raw());
    case VKind::Float:
      return v.symbolic() ? Cell::ref(nodeOfNumber(v)) : Cell::real(v.rawReal());
    case VKind::Complex: {
      const std::string text = "complex(" + ir::eval::textOf(Value::real(v.rawReal())) + ", " +
                               ir::eval::textOf(Value::real(v.imag())) + ")";
      return Cell::text(ValueKind::Complex, graph_.context().intern(text));
    }
    case VKind::Str:
      return Cell::text(ValueKind::Str, graph_.context().intern(v.text()));
    case VKind::DType:
      return Cell::text(ValueKind::Dtype, graph_.context().intern(
                                              "torch." + std::string(ir::dtypeInfo(v.asDType()).torchName)));
    case VKind::Device:
      return Cell::text(ValueKind::Device, graph_.context().intern(ir::eval::deviceText(v.asDevice())));
    case VKind::Layout:
      return Cell::text(ValueKind::Layout, graph_.context().intern("torch.strided"));
    case VKind::MemoryFormat: {
      static constexpr const char* kNames[] = {"torch.contiguous_format", "torch.preserve_format",
                                               "torch.channels_last", "torch.channels_last_3d"};
      return Cell::text(ValueKind::MemoryFormat,
                        graph_.context().intern(kNames[static_cast<size_t>(v.asMemoryFormat())]));
    }
    case VKind::Tensor: {
      if (v.meta().wrappedNumber) return cellOf(static_cast<ir::eval::WrappedNumber*>(v.tensor())->number);
      const auto* t = static_cast<Tensor*>(v.tensor());
      if (t->isWrapper())
        throw EvalError("subclass-unsupported",
                        "a tensor of the wrapper subclass " + t->extras->subclass +
                            " is passed to a call that is supported for plain tensors only");
      if (!t->node.valid()) throw EvalError("internal", "a tensor without a value reached the graph");
      return Cell::ref(t->node);
    }
    case VKind::List:
    case VKind::Tuple:
    case VKind::Dict:
    case VKind::Slice: {
      std::vector<Cell> kids;
      kids.reserve(v.items().size());
      for (const Value& i : v.items()) kids.push_back(cellOf(i));
      const uint32_t first =
          kids.empty() ? 0 : graph_.pushCells(kids.data(), static_cast<uint32_t>(kids.size()));
      const ValueKind kind = v.kind() == VKind::List    ? ValueKind::List
                             : v.kind() == VKind::Tuple ? ValueKind::Tuple
                             : v.kind() == VKind::Dict  ? ValueKind::Dict
                                                        : ValueKind::Slice;
      return Cell::container(kind, static_cast<uint32_t>(v.kind() == VKind::Dict ? kids.size() : kids.size()),
                             first);
    }
    case VKind::Ellipsis:
      return Cell::ellipsis();
    case VKind::Object: {
      const std::string& text = v.text();
      if (text.starts_with("self."))
        return Cell::text(ValueKind::GraphRef, graph_.context().intern(text.substr(5)));
      if (text.starts_with("torch.ops.")) return Cell::text(ValueKind::OpRef, graph_.context().intern(text));
      return Cell::text(ValueKind::Opaque, graph_.context().intern(text));
    }
    case VKind::Function:
      break;
  }
  throw EvalError("internal", "a function reached the graph");
}

NodeId Tracer::emit(std::string_view target, const Values& args,
                    const std::vector<std::pair<std::string, Value>>& keywords, ir::TypeId type,
                    std::string_view name) {
  countCall();
  if (!recording) return {0};
  std::vector<Cell> cells;
  cells.reserve(args.size() + 2 * keywords.size());
  for (const Value& v : args) cells.push_back(cellOf(v));
  for (const auto& [key, v] : keywords) {
    cells.push_back(Cell::text(ValueKind::Str, graph_.context().intern(key)));
    cells.push_back(cellOf(v));
  }
  ir::Node n;
  n.op = ir::OpKind::CallFunction;
  n.target = graph_.context().intern(target);
  if (name.empty()) {
    std::string_view ns, base, overload;
    if (ir::splitTarget(target, ns, base, overload) && target.starts_with("torch.ops."))
      name = base;
    else
      name = target.substr(target.rfind('.') + 1);
  }
  n.name = freshName(snakeCase(name));
  n.type = type;
  n.source = source;
  n.argCount = static_cast<uint32_t>(args.size());
  n.kwargCount = static_cast<uint32_t>(keywords.size());
  n.args = cells.empty() ? 0 : graph_.pushCells(cells.data(), static_cast<uint32_t>(cells.size()));
  const NodeId id = graph_.append(n);
  graph_.linkUses(id);
  if (facts.size() <= id.index) facts.resize(id.index + 1);
  NodeFacts& fact = facts[id.index];
  fact = {phase, recompute, region, currentSequence_};
  fact.origin = programNode;
  if (onEmit) onEmit(id);
  return id;
}

NodeId Tracer::emitAttribute(std::string_view attribute, ir::TypeId type) {
  if (!recording) return {0};
  ir::Node n;
  n.op = ir::OpKind::GetAttr;
  n.target = graph_.context().intern(attribute);
  n.name = freshName(attribute);
  n.type = type;
  n.source = source;
  const NodeId id = graph_.append(n);
  if (facts.size() <= id.index) facts.resize(id.index + 1);
  NodeFacts& fact = facts[id.index];
  fact = {phase, recompute, region, currentSequence_};
  fact.origin = programNode;
  return id;
}

namespace {
/// Equal to the default of a schema, so that the dispatcher passes nothing on.
bool isDefault(const Value& v, const std::optional<Value>& byDefault) {
  if (!byDefault) return false;
  if (v.isTensor() || byDefault->isTensor()) return false;
  if (v.symbolic()) return false;
  if (v.kind() == VKind::Bool || byDefault->kind() == VKind::Bool)
    return v.kind() == byDefault->kind() && v.raw() == byDefault->raw();
  // 0 and 0.0 are two values here.
  if (v.isNumber() && v.kind() != byDefault->kind()) return false;
  return ir::eval::sameAs(v, *byDefault) && v.isNone() == byDefault->isNone();
}
}  // namespace

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

// Views of views of what is written are made again from the start, and regions call regions twice: a program
// of some thousand steps can ask for any number of nodes.
void Tracer::refuseCalls() {
  throw EvalError("graph-too-large", "the graph of this program has more than " + std::to_string(kMostCalls) +
                                         " nodes before dead code is removed");
}

void Tracer::checkResults(const OpDef& op, const Value& metas) {
  if (metas.isList()) {
    for (const Value& v : metas.items()) checkResults(op, v);
    return;
  }
  if (!metas.isTensor()) return;
  if (const std::string why = ir::eval::faultOf(metas.meta()); !why.empty())
    throw EvalError("shape-error", op.target() + "(): " + why);
}

void Tracer::checkDevices(const OpDef& op, const Values& args) {
  const Tensor* common = nullptr;
  const auto onlyNumber = [](const Tensor& t) { return t.meta.device == 0 && t.meta.sizes.empty(); };
  const auto look = [&](const Value& v) {
    const Tensor* t = tensorIn(v);
    if (!t) return;
    if (!common || (common->meta.device != t->meta.device && onlyNumber(*common)))
      common = t;
    else if (common->meta.device != t->meta.device && !onlyNumber(*t))
      throw EvalError(
          "device-mismatch",
          op.target() +
              "(): Expected all tensors to be on the same device, but found at least two devices, " +
              ir::eval::deviceText(common->meta.device) + " and " + ir::eval::deviceText(t->meta.device) +
              "!");
    else if (common->meta.device == t->meta.device && onlyNumber(*common))
      common = t;
  };
  for (const Value& v : args) {
    if (!v.isList())
      look(v);
    else
      for (const Value& i : v.items()) look(i);
  }
}

Value Tracer::emitOp(const OpDef& op, const Values& args) {
  // Other ops have rules of their own for devices, and a copy goes from one to another.
  if ((op.has(ir::kOpPointwise) || op.has(ir::kOpMatmul)) && op.name().find("copy") == std::string_view::npos)
    checkDevices(op, args);
  Value metas = resultsOf(op, args);
  checkResults(op, metas);
  if (!op.has(ir::kOpView)) metas = withComputedStrides(metas);
  if (apartSubclasses) computedViewSizes(op, args, metas);
  const Value out = emitCall(op, args, metas);
  if (op.has(ir::kOpView) && !args.empty())
    if (const Tensor* of = tensorIn(args[0]))
      for (const Value& v : out.isList() ? out.items() : Values{out})
        if (Tensor* t = tensorIn(v)) t->memory = of->memory;
  return out;
}

void Tracer::splitArguments(const OpDef& op, const Values& args, Values& positional,
                            std::vector<std::pair<std::string, Value>>& keywords) const {
  const ir::Schema& schema = op.schema();
  const ir::rules::OpRules& rules = op.rules();
  size_t count = 0;
  while (count < schema.arguments.size() && !schema.arguments[count].keywordOnly) ++count;
  positional.assign(args.begin(), args.begin() + static_cast<std::ptrdiff_t>(count));
  while (!positional.empty() && isDefault(positional.back(), rules.defaults[positional.size() - 1]))
    positional.pop_back();
  for (size_t i = count; i < schema.arguments.size(); ++i)
    if (!isDefault(args[i], rules.defaults[i])) keywords.emplace_back(schema.arguments[i].name, args[i]);
}

Value Tracer::emitCall(const OpDef& op, const Values& args, const Value& metas) {
  Values shown;
  std::vector<std::pair<std::string, Value>> keywords;
  splitArguments(op, args, shown, keywords);
  const bool single = metas.isTensor();
  const NodeId node = emit(op.target(), shown, keywords,
                           single             ? typeOf(metas.meta())
                           : metas.isNumber() ? typeOf(metas)
                                              : ir::TypeId{});
  return track(node, metas);
}

Value Tracer::track(NodeId node, const Value& metas) {
  if (metas.isTensor()) {
    TensorRef t = inner(node, metas.meta());
    return Value(t);
  }
  if (metas.isList()) {
    Values out;
    int64_t i = 0;
    auto holder = make<Tensor>();
    holder->node = node;
    for (const Value& m : metas.items()) {
      const NodeId item = !recording ? NodeId{0}
                                     : emit("operator.getitem", {Value(TensorRef(holder)), Value(i++)}, {},
                                            m.isTensor()   ? typeOf(m.meta())
                                            : m.symbolic() ? typeOf(m)
                                                           : ir::TypeId{},
                                            "getitem");
      out.push_back(m.isNone() ? Value() : track(item, m));
    }
    return Value(std::move(out), metas.kind());
  }
  if (metas.symbolic() && recording) {
    metas.sym()->node = node.index;
    symbols_.emplace(metas.sym()->expr.text(), node);
  }
  return metas;
}

namespace {
/// The type by the names that sizes had at first; empty when that is how they are called now.
std::string originalType(const Meta& m) {
  const auto fixed = [](const Ints& ints) {
    return std::none_of(ints.begin(), ints.end(), [](const Int& i) { return i.symbolic(); });
  };
  if (fixed(m.sizes) && fixed(m.strides)) return {};
  bool any = false;
  const auto list = [&](const Ints& ints) {
    std::string text = "[";
    for (const Int& i : ints) {
      const std::string original = originalName(i);
      any = any || !original.empty();
      text += (text.size() > 1 ? ", " : "") + (original.empty() ? i.str() : original);
    }
    return text + "]";
  };
  const std::string text = std::string(ir::dtypeInfo(m.dtype).shortName) + list(m.sizes) + list(m.strides) +
                           ir::eval::deviceText(m.device);
  return any ? text : std::string();
}
}  // namespace

TensorRef Tracer::inner(NodeId node, const Meta& meta) {
  auto t = make<Tensor>();
  t->meta = meta;
  t->meta.wrappedNumber = false;
  t->node = node;
  t->memory = ++memories_;
  if (recording && node.valid())
    if (std::string text = originalType(meta); !text.empty()) originalTypes[node.index] = std::move(text);
  for (uint32_t i = 0; i < meta.sizes.size(); ++i)
    if (meta.sizes[i].symbolic()) {
      const std::string text = meta.sizes[i].sym->expr.text();
      // What is computed from the symbols of the inputs is not read from an input: it may be a tangent.
      const bool derived = recording && graph_.node(node).op == ir::OpKind::Placeholder &&
                           meta.sizes[i].sym->expr.kind() != ir::SymKind::Symbol;
      if (!symbols_.count(text) && !derived) pendingSizes_.try_emplace(text, PendingSize{t, i, false});
      if (Symbolic* s = meta.sizes[i].sym.get(); s->node == NodeId::kNone)
        pendingNumbers_.try_emplace(s, Ref<Symbolic>(s), PendingSize{t, i, false});
    }
  for (uint32_t i = 0; i < meta.strides.size(); ++i)
    if (meta.strides[i].symbolic()) {
      const std::string text = meta.strides[i].sym->expr.text();
      if (!symbols_.count(text)) pendingSizes_.try_emplace(text, PendingSize{t, i, true});
      if (Symbolic* s = meta.strides[i].sym.get(); s->node == NodeId::kNone)
        pendingNumbers_.try_emplace(s, Ref<Symbolic>(s), PendingSize{t, i, true});
    }
  return t;
}

}  // namespace descry::passes

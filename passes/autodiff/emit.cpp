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

#include "passes/aot/boundary.h"

#include <algorithm>

#include "ir/ops/eval/strides.h"
#include "passes/aot/program.h"

namespace descry::passes {

using ir::DescKind;
using ir::Descriptor;

namespace {

/// The class of a piece of an input, or of an output, that is no more than a piece.
Descriptor piece(DescKind ofInput, const Descriptor& base, int64_t idx, std::string attr = {}) {
  static constexpr std::pair<DescKind, DescKind> kOfOutput[] = {
      {DescKind::SubclassGetAttrInput, DescKind::SubclassGetAttrOutput},
      {DescKind::SubclassSizeInput, DescKind::SubclassSizeOutput},
      {DescKind::SubclassStrideInput, DescKind::SubclassStrideOutput}};
  DescKind kind = ofInput;
  if (base.isOutput())
    for (const auto& [input, output] : kOfOutput)
      if (input == ofInput) kind = output;
  ir::Result<Descriptor> d = Descriptor::wrap(kind, base, idx, std::move(attr));
  if (!d) throw EvalError("internal", d.error().message);
  return *d;
}

/// Calls f(size or stride, its descriptor) for those that are symbolic: sizes, then strides.
template <class F>
void forEachSymbolic(const Meta& meta, const Descriptor& desc, F&& f) {
  for (size_t i = 0; i < meta.sizes.size(); ++i)
    if (meta.sizes[i].symbolic())
      f(meta.sizes[i], piece(DescKind::SubclassSizeInput, desc, static_cast<int64_t>(i)));
  for (size_t i = 0; i < meta.strides.size(); ++i)
    if (meta.strides[i].symbolic())
      f(meta.strides[i], piece(DescKind::SubclassStrideInput, desc, static_cast<int64_t>(i)));
}

bool symbolic(const Ints& ints) {
  return std::any_of(ints.begin(), ints.end(), [](const Int& i) { return i.symbolic(); });
}

}  // namespace

ir::Argument argumentOf(Tracer& tracer, const Value& v) {
  if (Tensor* t = tensorIn(v)) return ir::Argument(tracer.innerOf(TensorRef(t))->node);
  if (v.symbolic()) return ir::Argument(tracer.nodeOfNumber(v));
  switch (v.kind()) {
    case VKind::Int:
      return ir::Argument(v.raw());
    case VKind::Bool:
      return ir::Argument::boolean(v.asBool());
    case VKind::Float:
      return ir::Argument(v.rawReal());
    case VKind::List:
    case VKind::Tuple: {
      std::vector<ir::Argument> items;
      for (const Value& i : v.items()) items.push_back(argumentOf(tracer, i));
      return v.kind() == VKind::List ? ir::Argument::list(std::move(items))
                                     : ir::Argument::tuple(std::move(items));
    }
    default:
      return ir::Argument::none();
  }
}

bool needsSubclassDispatch(const ViewAndMutationMeta& meta, const std::vector<AotInput>& inputs) {
  return std::any_of(inputs.begin(), inputs.end(), [](const AotInput& i) { return !i.layout.plain(); }) ||
         std::any_of(meta.subclassFwGraphOutMeta.begin(), meta.subclassFwGraphOutMeta.end(),
                     [](const SubclassMeta& m) { return !m.name.empty(); });
}

TensorRef layOut(Tracer& tracer, const Meta& meta, const SubclassLayout& layout,
                 const std::function<TensorRef(const Meta&)>& plain) {
  if (layout.plain()) return plain(meta);
  std::vector<std::pair<std::string, TensorRef>> pieces;
  for (const SubclassLayout::Inner& i : layout.inner)
    pieces.emplace_back(i.attr, layOut(tracer, i.meta, i.layout, plain));
  TensorRef t = tracer.wrapPieces(layout.name, std::move(pieces));
  t->meta = meta;
  return t;
}

// ---- names of sizes

namespace {
/// `Max(1, s)` is s: sizes that are symbols are at least 1.
ir::SymExpr withoutFloors(const ir::SymExpr& e) {
  switch (e.kind()) {
    case ir::SymKind::Add:
    case ir::SymKind::Mul: {
      ir::SymExpr out = withoutFloors(e.args()[0]);
      for (size_t k = 1; k < e.args().size(); ++k) {
        const ir::SymExpr next = withoutFloors(e.args()[k]);
        out = e.kind() == ir::SymKind::Add ? out + next : out * next;
      }
      return out;
    }
    case ir::SymKind::Function:
      if (e.name() == "Max" && e.args().size() == 2 && e.args()[0] == ir::SymExpr(1) &&
          e.args()[1].kind() == ir::SymKind::Symbol && e.args()[1].name().starts_with('s'))
        return e.args()[1];
      return e;
    default:
      return e;
  }
}
}  // namespace

Int underFinalNames(const Int& i, const std::unordered_map<std::string, std::string>& equal) {
  if (!i.symbolic() || equal.empty()) return i;
  std::unordered_map<std::string, ir::SymExpr> values;
  for (const std::string& s : i.sym->expr.symbols())
    if (const auto found = equal.find(s); found != equal.end())
      if (const auto e = ir::SymExpr::parse(found->second)) values.emplace(s, *e);
  if (values.empty()) return i;
  ir::SymExpr e = withoutFloors(i.sym->expr.substitute(values));
  if (e.isInteger()) return e.integer();
  auto size = make<RenamedSize>();
  size->expr = std::move(e);
  size->hasHint = i.sym->hasHint;
  size->original = originalName(i);
  if (size->original.empty()) size->original = i.str();
  return Int(i.value, size);
}

Meta underFinalNames(const Meta& meta, const std::unordered_map<std::string, std::string>& equal) {
  if (equal.empty()) return meta;
  Meta out = meta;
  for (Ints* list : {&out.sizes, &out.strides})
    for (Int& i : *list) i = underFinalNames(i, equal);
  return out;
}

// ---- placeholders

namespace {
/// The numbers of a meta are tied to the nodes of one graph.
Meta withOwnNumbers(const Meta& meta) {
  Meta out = meta;
  for (Ints* list : {&out.sizes, &out.strides})
    for (Int& i : *list)
      if (i.symbolic()) {
        auto own = make<RenamedSize>();
        static_cast<ir::eval::Symbolic&>(*own) = *i.sym;
        own->original = originalName(i);
        own->node = ir::NodeId::kNone;
        i = Int(i.value, own);
      }
  return out;
}
}  // namespace

ir::NodeId Placeholders::place(ir::TypeId type, const Descriptor& desc) {
  const ir::StrId name = tracer_.freshName(prefix_ + std::to_string(next_++) + suffix_);
  const ir::NodeId node = graph_.addPlaceholder(graph_.str(name), type, graph_.context().descriptor(desc));
  ++added_;
  if (tracer_.facts.size() <= node.index) tracer_.facts.resize(node.index + 1);
  return node;
}

Value Placeholders::symbol(ir::NodeId node, const AotInput& input) {
  const Int i = underFinalNames(intOfText(input.symbol, facts_.hints), facts_.equal);
  if (!i.symbolic()) return Value(i);
  const Value v = tracer_.symbolInput(node, i.sym->expr, i.value, i.sym->hasHint);
  if (facts_.equal.empty()) return v;
  auto size = make<RenamedSize>();
  size->expr = i.sym->expr;
  size->hasHint = i.sym->hasHint;
  size->node = node.index;
  size->original = !input.originalSymbol.empty() ? input.originalSymbol : originalName(i);
  if (size->original == size->expr.text()) size->original.clear();
  if (!size->original.empty()) tracer_.originalTypes[node.index] = "Sym(" + size->original + ")";
  return Value(Int(i.value, size));
}

std::vector<ir::NodeId> Placeholders::placeSizes(const Meta& meta, const Descriptor& desc) {
  std::vector<ir::NodeId> nodes;
  forEachSymbolic(meta, desc, [&](const Int& i, const Descriptor& d) {
    const ir::NodeId node = place(graph_.context().type("Sym(" + i.str() + ")"), d);
    if (const std::string original = originalName(i); !original.empty())
      tracer_.originalTypes[node.index] = "Sym(" + original + ")";
    // In the end PyTorch replaces a node by the last input of the same value.
    tracer_.sizeInput(node, i);
    nodes.push_back(node);
  });
  return nodes;
}

TensorRef Placeholders::tensor(const Meta& given, const SubclassLayout& layout, const Descriptor& desc,
                               bool sizes, bool inside) {
  const Meta meta = withOwnNumbers(underFinalNames(given, facts_.equal));
  TensorRef t;
  if (layout.plain()) {
    const ir::NodeId node = place(tracer_.typeOf(meta), desc);
    t = tracer_.input(node, meta, false);
  } else {
    std::vector<std::pair<std::string, TensorRef>> pieces;
    for (const SubclassLayout::Inner& i : layout.inner)
      pieces.emplace_back(
          i.attr,
          tensor(i.meta, i.layout, piece(DescKind::SubclassGetAttrInput, desc, 0, i.attr), sizes, true));
    t = tracer_.wrapPieces(layout.name, std::move(pieces));
    t->meta = meta;
  }
  if (!sizes || (layout.plain() && !inside)) return t;
  const std::vector<ir::NodeId> nodes = placeSizes(meta, desc);
  if (layout.plain()) return t;
  // The sizes of the wrapper are those very inputs.
  size_t at = 0;
  for (Ints* list : {&t->meta.sizes, &t->meta.strides})
    for (Int& i : *list)
      if (i.symbolic()) i.sym->node = nodes[at++].index;
  return t;
}

Value Placeholders::add(const AotInput& input, bool requiresGrad, bool sizes) {
  added_ = 0;
  if (input.meta) {
    TensorRef t = tensor(*input.meta, input.layout, input.descriptor, sizes, false);
    t->requiresGrad = requiresGrad;
    return Value(t);
  }
  ir::TypeId type;
  if (!input.symbol.empty()) {
    const Int i = underFinalNames(intOfText(input.symbol, facts_.hints), facts_.equal);
    type = graph_.context().type("Sym(" + (facts_.equal.empty() ? input.symbol : i.str()) + ")");
  }
  const ir::NodeId node = place(type, input.descriptor);
  return input.symbol.empty() ? input.number : symbol(node, input);
}

void joinPieces(const Values& values, const std::vector<AotInput>& inputs) {
  for (size_t i = 0; i < inputs.size(); ++i) {
    Tensor* self = tensorIn(values[i]);
    if (!self || self->isWrapper() || !inputs[i].sameAsPiece) continue;
    const size_t holder = inputs[i].sameAsPiece->first, at = inputs[i].sameAsPiece->second;
    Tensor* other = holder < values.size() ? tensorIn(values[holder]) : nullptr;
    size_t k = 0;
    if (other)
      forEachPlain(*other, [&](Tensor& held) {
        if (k++ != at) return;
        Tensor& first = holder < i ? held : *self;
        const Tensor& last = holder < i ? *self : held;
        first.value = last.value;
        first.storage->base = last.value;
      });
  }
}

// ---- results

void Results::add(ir::Argument argument, ir::DescId desc) {
  arguments.push_back(std::move(argument));
  descs.push_back(desc);
}

void Results::append(Results&& others) {
  for (ir::Argument& a : others.arguments) arguments.push_back(std::move(a));
  descs.insert(descs.end(), others.descs.begin(), others.descs.end());
}

void Results::addSizes(Tracer& tracer, const Meta& meta, const Descriptor& desc) {
  forEachSymbolic(meta, desc, [&](const Int& i, const Descriptor& d) {
    add(ir::Argument(tracer.nodeOf(i)), tracer.graph().context().descriptor(d));
  });
}

void Results::addTensor(Tracer& tracer, const TensorRef& t, const Descriptor& desc, bool inside,
                        const std::vector<ir::NodeId>* instead, size_t& at) {
  if (!t->isWrapper()) {
    const TensorRef inner = tracer.innerOf(t);
    const ir::NodeId node = instead ? instead->at(at++) : inner->node;
    add(ir::Argument(node), tracer.graph().context().descriptor(desc));
    if (inside) addSizes(tracer, inner->meta, desc);
    return;
  }
  for (const auto& [attr, inner] : t->extras->pieces)
    addTensor(tracer, inner, piece(DescKind::SubclassGetAttrInput, desc, 0, attr), true, instead, at);
  addSizes(tracer, t->meta, desc);
}

void Results::add(Tracer& tracer, const Value& v, const std::optional<Descriptor>& desc,
                  const std::vector<ir::NodeId>* instead) {
  ir::Context& context = tracer.graph().context();
  const ir::DescId id = desc ? context.descriptor(*desc) : context.descriptor("None");
  Tensor* t = tensorIn(v);
  size_t at = 0;
  if (t && t->isWrapper() && desc) return addTensor(tracer, TensorRef(t), *desc, false, instead, at);
  add(instead ? ir::Argument(instead->at(0)) : argumentOf(tracer, v), id);
}

// ---- how subclasses are put together again

namespace {

std::string listText(const Ints& ints) {
  std::string out;
  for (const Int& i : ints) out += (out.empty() ? "" : ", ") + i.str();
  return out;
}

/// The layout that a tangent is made to have: of plain dense tensors their strides, else a memory format.
TangentLayout tangentLayout(const Meta& m, const SubclassLayout& layout) {
  bool overlaps = false;
  for (size_t d = 0; d < m.sizes.size(); ++d)
    overlaps = overlaps || (m.strides[d] == Int(0) && Int(1) < m.sizes[d]);
  TangentLayout out;
  if (!layout.plain() || symbolic(m.sizes) || symbolic(m.strides) || overlaps) {
    static constexpr const char* kNames[] = {"torch.contiguous_format", "torch.preserve_format",
                                             "torch.channels_last", "torch.channels_last_3d"};
    out.memoryFormat = kNames[static_cast<size_t>(ir::eval::suggestFormat(m))];
  } else {
    for (const Int& i : m.sizes) out.size.push_back(i.value);
    for (const Int& i : m.strides) out.stride.push_back(i.value);
  }
  return out;
}

/// The first attribute when the sizes (or strides) of all inner tensors are those of the wrapper.
std::string sameAsOuter(const Ints& outer, const SubclassLayout& layout, Ints Meta::*which) {
  for (const SubclassLayout::Inner& i : layout.inner)
    if (listText(i.meta.*which) != listText(outer)) return {};
  return layout.inner.empty() ? std::string() : layout.inner.front().attr;
}

SubclassMeta metaOf(const Meta& m, const SubclassLayout& layout, int64_t& next, bool symints, bool formats) {
  SubclassMeta out;
  const auto count = [&](const Ints& ints, std::vector<bool>& flags) {
    for (const Int& i : ints) {
      flags.push_back(i.symbolic());
      next += i.symbolic();
    }
  };
  if (formats) out.memoryFormat = tangentLayout(m, layout);
  if (layout.plain()) {
    // PyTorch counts these one too far.
    out.index = ++next;
    if (symints) {
      count(m.sizes, out.symbolicSizes);
      count(m.strides, out.symbolicStrides);
    }
    return out;
  }
  out.name = layout.name;
  out.index = next;
  out.includedSymints = symints;
  for (const SubclassLayout::Inner& i : layout.inner) {
    out.attrs.push_back(i.attr);
    out.inner.push_back(metaOf(i.meta, i.layout, next, symints, formats));
  }
  std::vector<bool> flags;
  if (symints) {
    count(m.sizes, flags);
    count(m.strides, flags);
  }
  out.argCount = next - out.index;
  for (const Int& i : m.sizes) out.outerSize.push_back(i.str());
  for (const Int& i : m.strides) out.outerStride.push_back(i.str());
  out.outerSizeFromAttr = sameAsOuter(m.sizes, layout, &Meta::sizes);
  out.outerStrideFromAttr = sameAsOuter(m.strides, layout, &Meta::strides);
  return out;
}

}  // namespace

std::vector<SubclassMeta> subclassMetas(
    const std::vector<std::pair<std::optional<Meta>, SubclassLayout>>& values, bool countSymints,
    bool withMemoryFormat) {
  std::vector<SubclassMeta> out;
  int64_t next = 0;
  for (const auto& [meta, layout] : values) {
    if (meta && !layout.plain()) {
      out.push_back(metaOf(*meta, layout, next, countSymints, withMemoryFormat));
      continue;
    }
    SubclassMeta plain;
    plain.index = next++;
    if (withMemoryFormat && meta) plain.memoryFormat = tangentLayout(*meta, layout);
    out.push_back(std::move(plain));
  }
  return out;
}

void fillSubclassMetas(ViewAndMutationMeta& meta, const std::vector<AotInput>& inputs, Tracer& tracer,
                       const Values& outputs, const CapturedFacts& facts) {
  const auto named = [&](const Meta& m) { return underFinalNames(m, facts.equal); };
  const std::function<SubclassLayout(const SubclassLayout&)> namedLayout = [&](const SubclassLayout& l) {
    SubclassLayout out = l;
    for (SubclassLayout::Inner& i : out.inner) {
      i.meta = named(i.meta);
      i.layout = namedLayout(i.layout);
    }
    return out;
  };
  using Described = std::vector<std::pair<std::optional<Meta>, SubclassLayout>>;
  Described in, out, tangents;
  for (const AotInput& i : inputs)
    in.emplace_back(i.meta ? std::optional(named(*i.meta)) : std::nullopt, namedLayout(i.layout));
  for (const Value& v : outputs) {
    Tensor* t = tensorIn(v);
    if (t) tracer.sync(*t);
    out.emplace_back(t ? std::optional(named(t->meta)) : std::nullopt,
                     t ? namedLayout(layoutOf(*t)) : SubclassLayout());
  }
  for (size_t i = 0; i < meta.tracedTangents.size(); ++i)
    tangents.emplace_back(named(meta.tracedTangents[i]), namedLayout(meta.tangentLayouts[i]));
  meta.subclassInpMeta = subclassMetas(in, true, false);
  meta.subclassFwGraphOutMeta = subclassMetas(out, true, false);
  meta.subclassTangentMeta = subclassMetas(tangents, false, true);
}

}  // namespace descry::passes

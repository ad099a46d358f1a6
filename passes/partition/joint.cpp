#include "passes/partition/joint.h"

#include <algorithm>
#include <cmath>

#include "ir/types/sym_expr.h"
#include "passes/core/number_kind.h"

namespace descry::passes::partition {

using ir::DescKind;
using ir::NodeId;
using ir::OpKind;
using ir::TypeKind;

namespace {

constexpr int64_t kUnknownSize = 4096;  // PyTorch's guess for a size without hint

InputRole inputRoleOf(const ir::Descriptor* d) {
  if (!d) return InputRole::Primal;
  if (d->isTangent()) return InputRole::Tangent;
  switch (d->kind()) {
    case DescKind::BackwardTokenInput:
      return InputRole::Tangent;
    case DescKind::PhiloxForwardSeedInput:
    case DescKind::PhiloxForwardBaseOffsetInput:
      return InputRole::ForwardSeed;
    case DescKind::PhiloxBackwardSeedInput:
    case DescKind::PhiloxBackwardBaseOffsetInput:
      return InputRole::BackwardSeed;
    default:
      return InputRole::Primal;
  }
}

/// Of `Sym(...)`, which does not say whether it is an integer.
ValueClass symbolicClass(const std::string& text) {
  const auto expr = ir::SymExpr::parse(text);
  if (!expr) return ValueClass::Int;
  switch (expr->kind()) {
    case ir::SymKind::Bool:
    case ir::SymKind::Relation:
    case ir::SymKind::Logic:
      return ValueClass::Bool;
    case ir::SymKind::Real:
      return ValueClass::Float;
    default:
      break;
  }
  if (isFloatNumber(*expr)) return ValueClass::Float;
  return ValueClass::Int;
}

ValueClass classOf(const NodeRole& role, const ir::Type& type) {
  switch (role.value) {
    case ValueRole::Tensor:
      return ValueClass::Tensor;
    case ValueRole::Int:
      return ValueClass::Int;
    case ValueRole::Float:
      return ValueClass::Float;
    case ValueRole::Bool:
      return ValueClass::Bool;
    case ValueRole::Opaque:
      return ValueClass::Opaque;
    case ValueRole::BackwardState:
      return ValueClass::BackwardState;
    case ValueRole::Auto:
      break;
  }
  switch (type.kind) {
    case TypeKind::Tensor:
    case TypeKind::Wrapped:
      return ValueClass::Tensor;
    case TypeKind::Sym:
      return symbolicClass(type.sym);
    default:
      return ValueClass::None;
  }
}

}  // namespace

ItemLists ItemLists::transposed(const ItemLists& from, uint32_t lists) {
  ItemLists out;
  std::vector<uint32_t> count(lists + 1, 0);
  for (uint32_t item : from.items_) ++count[item + 1];
  for (uint32_t i = 0; i < lists; ++i) count[i + 1] += count[i];
  out.begin_ = count;
  out.items_.resize(from.items_.size());
  for (uint32_t i = 0; i + 1 < from.begin_.size(); ++i)
    for (uint32_t item : from[i]) out.items_[count[item]++] = i;
  return out;
}

Joint::Joint(const PartitionInput& in, const PartitionOptions& opts, const JointOptions& what)
    : input(in), options(opts), graph(*in.joint), table_(*in.joint, in.ops ? *in.ops : ir::allOps()) {
  std::vector<NodeId> order;
  order.reserve(graph.size());
  for (NodeId id : graph.nodes()) order.push_back(id);

  if (what.removeDead) {
    std::vector<bool> needed(graph.idBound(), false);
    std::vector<NodeId> live;
    live.reserve(order.size());
    for (size_t k = order.size(); k-- > 0;) {
      const NodeId id = order[k];
      const OpKind op = graph.node(id).op;
      const OpFacts& f = table_.of(id);
      const bool stays = op == OpKind::Placeholder || op == OpKind::Output || f.has(kImpure) ||
                         (opts.fallbackRandom && f.has(kSeeded));
      if (!stays && !needed[id.index]) continue;
      graph.forEachInput(id, [&](NodeId n) { needed[n.index] = true; });
      live.push_back(id);
    }
    order.assign(live.rbegin(), live.rend());
  }

  itemOf.assign(graph.idBound(), kNoItem);
  if (what.mergeEqual) {
    const std::vector<uint32_t> equal = findEqual(*this, order, table_);
    std::vector<NodeId> kept;
    kept.reserve(order.size());
    for (uint32_t k = 0; k < order.size(); ++k) {
      if (equal[k] == k) {
        itemOf[order[k].index] = static_cast<uint32_t>(kept.size());
        kept.push_back(order[k]);
      } else {
        itemOf[order[k].index] = itemOf[order[equal[k]].index];
      }
    }
    order = std::move(kept);
  } else {
    for (uint32_t k = 0; k < order.size(); ++k) itemOf[order[k].index] = k;
  }
  readRoles(order);
  ids = std::move(order);
  link();
}

void Joint::readRoles(const std::vector<NodeId>& order) {
  const size_t n = order.size();
  facts.resize(n), kind.resize(n), value.resize(n), inputRole.resize(n, InputRole::Auto), role.resize(n);
  forcedSave.assign(n, false);
  std::vector<uint8_t> classByType;  // ValueClass + 1
  for (uint32_t i = 0; i < n; ++i) {
    const NodeId id = order[i];
    const ir::Node& node = graph.node(id);
    kind[i] = node.op;
    facts[i] = &table_.of(id);
    if (id.index < input.roles.size()) role[i] = input.roles[id.index];
    if (node.op == OpKind::Placeholder)
      inputRole[i] = role[i].input == InputRole::Auto ? inputRoleOf(graph.descriptor(id)) : role[i].input;
    if (role[i].value != ValueRole::Auto) {
      value[i] = classOf(role[i], graph.type(id));
      continue;
    }
    if (node.type.index >= classByType.size()) classByType.resize(node.type.index + 64, 0);
    uint8_t& known = classByType[node.type.index];
    if (!known) known = static_cast<uint8_t>(classOf(role[i], graph.type(id))) + 1;
    value[i] = static_cast<ValueClass>(known - 1);
  }
  for (const PartitionOverride& o : input.overrides) {
    const uint32_t i = o.node.index < itemOf.size() ? itemOf[o.node.index] : kNoItem;
    if (i == kNoItem) continue;
    const bool save = o.wish == PartitionOverride::Wish::Save;
    role[i].recompute = save ? RecomputePolicy::MustSave : RecomputePolicy::MustRecompute;
    forcedSave[i] = save;
  }
}

void Joint::link() {
  const uint32_t n = size();
  inputs.begin(n);
  std::vector<uint32_t> seenBy(n, kNoItem);
  for (uint32_t i = 0; i < n; ++i) {
    graph.forEachInput(ids[i], [&](NodeId in) {
      const uint32_t item = itemOf[in.index];
      if (item == kNoItem || seenBy[item] == i) return;
      seenBy[item] = i;
      inputs.push(item);
    });
    inputs.endList();
  }
  users = ItemLists::transposed(inputs, n);
  uint32_t at = 0;
  for (const ir::ArgView& v : graph.outputs()) {
    JointOutput out;
    out.item = itemOfCell(v);
    out.cell = v.cellIndex();
    if (at < graph.outputDescs.size()) out.desc = graph.outputDescs[at];
    (at < input.forwardOutputs ? forwardOutputs : backwardOutputs).push_back(out);
    ++at;
  }
}

bool Joint::mustBeInForward(uint32_t i) const {
  if (role[i].tag == PartitionTag::MustBeInForward) return true;
  return role[i].tag != PartitionTag::Backward && role[i].tag != PartitionTag::MustBeInBackward &&
         facts[i]->has(kMutable);
}

bool Joint::mustBeInBackward(uint32_t i) const {
  if (role[i].tag == PartitionTag::MustBeInBackward) return true;
  return role[i].tag == PartitionTag::Backward && facts[i]->has(kMutable);
}

uint32_t Joint::itemOfCell(const ir::ArgView& v) const {
  return v.kind() == ir::ValueKind::NodeRef ? itemOf[v.node().index] : kNoItem;
}

uint32_t Joint::argumentItem(uint32_t i, uint32_t index) const {
  return index < graph.argCount(ids[i]) ? itemOfCell(graph.arg(ids[i], index)) : kNoItem;
}

bool Joint::isRandom(uint32_t i) const {
  if (!facts[i]->has(kSeeded)) return false;
  const int16_t at = facts[i]->dropoutArgument;
  if (at < 0) return true;
  const NodeId id = ids[i];
  std::optional<ir::ArgView> given = graph.kwargIf(id, "dropout_p");
  if (static_cast<uint32_t>(at) < graph.argCount(id)) given = graph.arg(id, static_cast<uint32_t>(at));
  if (given) {
    if (given->kind() == ir::ValueKind::Float) return given->real() != 0;
    if (given->kind() == ir::ValueKind::Int) return given->integer() != 0;
    return true;
  }
  const auto& fallback = facts[i]->def->schema().arguments[static_cast<size_t>(at)].defaultText;
  return !fallback || (*fallback != "0.0" && *fallback != "0" && *fallback != "0.");
}

int64_t Joint::sizeHint(const ir::Dim& dim) const {
  if (!dim.symbolic()) return dim.value;
  if (!input.hint) return kUnknownSize;
  if (const auto v = input.hint(dim.text)) return *v;
  const auto expr = ir::SymExpr::parse(dim.text);
  if (!expr) return kUnknownSize;
  ir::SymExpr::Bindings values;
  for (const std::string& s : expr->symbols()) values[s] = input.hint(s).value_or(kUnknownSize);
  const auto v = expr->evaluate(values);
  return v ? *v : kUnknownSize;
}

int64_t Joint::bytesOf(uint32_t i) const {
  switch (value[i]) {
    case ValueClass::Int:
    case ValueClass::Float:
    case ValueClass::Bool:
      return 1;
    case ValueClass::Opaque:
    case ValueClass::BackwardState:
      return 0;
    case ValueClass::None: {
      if (role[i].bytes >= 0) return role[i].bytes;
      int64_t sum = 0;  // a tuple: what is taken out of it
      for (uint32_t user : users[i])
        if (facts[user]->name == OpName::Getitem && value[user] == ValueClass::Tensor) sum += bytesOf(user);
      return sum;
    }
    case ValueClass::Tensor:
      break;
  }
  const uint32_t type = graph.node(ids[i]).type.index;
  if (type >= bytesByType_.size()) bytesByType_.resize(type + 64, -1);
  int64_t& known = bytesByType_[type];
  if (known >= 0) return known;
  const ir::TensorType& t = graph.type(ids[i]).tensor;
  const uint16_t bits = ir::dtypeInfo(t.dtype).bits;
  double product = 1;
  int64_t elements = 1;
  for (const ir::Dim& d : t.shape) {
    const int64_t size = std::max<int64_t>(sizeHint(d), 0);
    product *= static_cast<double>(size);
    if (product > 1e16) break;  // more than any machine has; keeps sums of weights small enough
    elements *= size;
  }
  if (product > 1e16) elements = int64_t{1} << 53;
  return known = elements * std::max<int64_t>(bits / 8, 1);
}

const std::vector<std::string>& Joint::symbolsOf(ir::TypeId type) const {
  if (type.index >= symbolsByType_.size()) symbolsByType_.resize(type.index + 64);
  auto& known = symbolsByType_[type.index];
  if (known) return *known;
  known = std::make_unique<std::vector<std::string>>();
  const auto add = [&](const std::string& text) {
    if (const auto expr = ir::SymExpr::parse(text))
      for (const std::string& s : expr->symbols()) known->push_back(s);
  };
  const ir::Type& t = graph.context().types.at(type);
  if (t.kind == TypeKind::Sym) add(t.sym);
  for (const ir::Dim& d : t.tensor.shape)
    if (d.symbolic()) add(d.text);
  if (t.tensor.strides)
    for (const ir::Dim& d : *t.tensor.strides)
      if (d.symbolic()) add(d.text);
  std::sort(known->begin(), known->end());
  known->erase(std::unique(known->begin(), known->end()), known->end());
  return *known;
}

ir::TypeId Joint::originalType(uint32_t i) const {
  if (input.originalType)
    if (const std::string text = input.originalType(ids[i]); !text.empty()) return graph.context().type(text);
  return graph.node(ids[i]).type;
}

std::vector<std::string> Joint::symbolsOf(uint32_t i) const {
  std::vector<std::string> out = symbolsOf(graph.node(ids[i]).type);
  const ir::TypeId original = originalType(i);
  if (original == graph.node(ids[i]).type) return out;
  const std::vector<std::string>& more = symbolsOf(original);
  out.insert(out.end(), more.begin(), more.end());
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

std::string Joint::bindsSymbol(uint32_t i) const {
  if (value[i] != ValueClass::Int) return {};
  if (kind[i] != OpKind::Placeholder && !facts[i]->has(kBindsSymbol)) return {};
  const ir::TypeId type = originalType(i);
  const std::vector<std::string>& symbols = symbolsOf(type);
  return symbols.size() == 1 && graph.context().types.at(type).sym == symbols[0] ? symbols[0] : std::string();
}

}  // namespace descry::passes::partition

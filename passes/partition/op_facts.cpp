#include "passes/partition/op_facts.h"

#include <algorithm>
#include <unordered_set>

namespace descry::passes::partition {

namespace {

using ir::OpDef;

// The lists name op families: `aten.sum` is every overload of it. They belong into the op table.

constexpr std::string_view kViews =
    "aten.alias aten.as_strided aten.expand aten.permute aten.select aten.slice aten.split aten.squeeze "
    "aten.t "
    "aten.unsqueeze aten.view prims.broadcast_in_dim";

/// Beside the views and the families with a pointwise overload.
constexpr std::string_view kCheap =
    "aten.__and__ aten.__or__ aten._grad_sum_to_size aten._to_copy aten._unsafe_view aten.amax aten.any "
    "aten.arange aten.argmax aten.broadcast_tensors aten.empty aten.empty_like aten.full aten.full_like "
    "aten.gather aten.index aten.lift_fresh_copy aten.mean aten.new_zeros aten.ones aten.reshape "
    "aten.scalar_tensor aten.std aten.sum aten.sum_to_size aten.to aten.triu aten.type_as aten.var "
    "aten.var_mean aten.zeros aten.zeros_like "
    "prims._low_memory_max_pool_offsets_to_indices prims.convert_element_type prims.div prims.iota "
    "prims.prepare_softmax_online prims.sum prims.var "
    "operator.abs operator.add operator.and_ operator.eq operator.floordiv operator.ge operator.getitem "
    "operator.gt operator.le operator.lshift operator.lt operator.mod operator.mul operator.ne operator.neg "
    "operator.or_ operator.pos operator.pow operator.rshift operator.sub operator.truediv operator.xor "
    "builtins.round math.ceil math.floor math.trunc torch.sym_float torch.sym_ite torch.sym_max "
    "torch.sym_min "
    "torch.sym_not torch._sym_acos torch._sym_asin torch._sym_atan torch._sym_cos torch._sym_cosh "
    "torch._sym_log2 torch._sym_sin torch._sym_sinh torch._sym_sqrt torch._sym_tan torch._sym_tanh";

constexpr std::string_view kRandom = "aten.native_dropout aten.rand_like aten.randn_like";

constexpr std::string_view kExpensive =
    "aten._efficient_attention_forward aten._flash_attention_forward "
    "aten._scaled_dot_product_efficient_attention aten._scaled_dot_product_flash_attention aten._scaled_mm "
    "aten.addmm aten.bmm aten.convolution aten.convolution_backward aten.mm aten.upsample_bilinear2d";

constexpr std::string_view kKeptApart =
    "aten._fused_dropout aten._standard_gamma aten.bernoulli aten.binomial aten.dropout aten.empty "
    "aten.multinomial aten.native_dropout aten.normal aten.poisson aten.rand aten.rand_like aten.randint "
    "aten.randn aten.randperm aten.rrelu";

/// Whole targets whose results nobody saves.
constexpr std::string_view kUnsaved =
    "aten._assert_scalar.default aten._assert_async.default aten._assert_async.msg "
    "profiler._record_function_enter_new.default profiler._record_function_enter.default "
    "profiler._record_function_exit.default profiler._record_function_exit._RecordFunction";

std::unordered_map<std::string_view, uint32_t> readLists() {
  std::unordered_map<std::string_view, uint32_t> out;
  const auto add = [&](std::string_view list, uint32_t facts) {
    for (size_t from = 0; from < list.size();) {
      const size_t end = std::min(list.find(' ', from), list.size());
      out[list.substr(from, end - from)] |= facts;
      from = end + 1;
    }
  };
  add(kViews, kViewOp | kRecomputable);
  add(kCheap, kRecomputable);
  add(kRandom, kRandomOp);
  add(kExpensive, kComputeIntensive);
  add(kKeptApart, kNeverMerged);
  add(kUnsaved, kSkipped);
  return out;
}

uint32_t listed(std::string_view family) {
  static const std::unordered_map<std::string_view, uint32_t> lists = readLists();
  const auto it = lists.find(family);
  return it == lists.end() ? 0 : it->second;
}

/// A name that says that a call changes something: `copy_`, `_set_grad_enabled`, `_enter_autocast`.
bool nameMarksMutation(std::string_view name) {
  const size_t n = name.size();
  if (n && name[n - 1] == '_' && (n == 1 || name[n - 2] != '_')) return true;
  for (std::string_view word : {"set", "enter", "exit", "seed"}) {
    for (size_t at = name.find(word); at != std::string_view::npos; at = name.find(word, at + 1)) {
      const size_t end = at + word.size();
      const bool starts = at == 0 || (name[at - 1] == '_' && (at == 1 || name[at - 2] != '_'));
      const bool ends = end == n || (name[end] == '_' && (end + 1 == n || name[end + 1] != '_'));
      if (starts && ends) return true;
    }
  }
  return false;
}

OpName nameOf(std::string_view family, std::string_view target) {
  static const std::unordered_map<std::string_view, OpName> byFamily = {
      {"operator.getitem", OpName::Getitem},
      {"aten.cat", OpName::Cat},
      {"higher_order.with_effects", OpName::WithEffects},
      {"higher_order.invoke_subgraph", OpName::InvokeSubgraph},
      {"higher_order.auto_functionalized", OpName::AutoFunctionalized},
      {"higher_order.auto_functionalized_v2", OpName::AutoFunctionalizedV2},
      {"higher_order.triton_kernel_wrapper_functional", OpName::TritonFunctional}};
  static const std::unordered_map<std::string_view, OpName> byTarget = {
      {"aten.copy_.default", OpName::Copy},
      {"aten.lift_fresh.default", OpName::LiftFresh},
      {"aten.lift_fresh_copy.default", OpName::LiftFresh},
      {"aten.view.default", OpName::ViewOrReshape},
      {"aten.reshape.default", OpName::ViewOrReshape},
      {"aten._assert_scalar.default", OpName::AssertScalar}};
  if (const auto it = byFamily.find(family); it != byFamily.end()) return it->second;
  if (const auto it = byTarget.find(target); it != byTarget.end()) return it->second;
  return OpName::Other;
}

bool sameSet(const ir::AliasInfo& a, const ir::AliasInfo& b) {
  for (const std::string& name : a.before)
    if (std::find(b.before.begin(), b.before.end(), name) != b.before.end()) return true;
  return false;
}

/// The argument whose memory the first result shares, or -1.
int16_t aliasArgument(const ir::Schema& schema) {
  if (schema.returns.empty()) return -1;
  const ir::SchemaType& result = schema.returns[0].type;
  if (!result.alias) return -1;
  for (size_t i = 0; i < schema.arguments.size(); ++i) {
    const auto& alias = schema.arguments[i].type.alias;
    if (!alias) continue;
    // `Tensor(a -> *) self` gives a list of views, `Tensor(a)[]`.
    if (sameSet(*alias, *result.alias)) return static_cast<int16_t>(i);
  }
  return -1;
}

}  // namespace

OpFacts factsOf(std::string_view target, const ir::OpRegistry& ops) {
  OpFacts out;
  constexpr std::string_view kOps = "torch.ops.";
  if (!target.starts_with(kOps)) {
    out.facts = listed(target);
    out.name = nameOf(target, target);
    const size_t dot = target.rfind('.');
    if (nameMarksMutation(dot == std::string_view::npos ? target : target.substr(dot + 1)))
      out.facts |= kMutationMark;
    if (ir::hasEffect(ops, target, false)) out.facts |= kImpure;
    if (out.has(kRecomputable | kRandomOp)) out.facts |= kFusible;
    return out;
  }
  const std::string_view path = target.substr(kOps.size());
  std::string_view ns, name, overload;
  ir::splitTarget(target, ns, name, overload);
  const std::string_view family = path.substr(0, ns.size() + 1 + name.size());
  out.def = ops.find(target);
  out.facts = listed(family) | listed(path);
  out.name = nameOf(family, path);
  if (ir::hasEffect(ops, target, false)) out.facts |= kImpure;
  if (ns == "higher_order") {
    if (nameMarksMutation(name)) out.facts |= kMutationMark;
    // torch.fx drops these when nobody reads them: a token or a result that is read keeps them.
    if (name == "with_effects" || name == "triton_kernel_wrapper_mutation")
      out.facts &= ~static_cast<uint32_t>(kImpure);
    return out;
  }
  out.facts |= kOverload;
  if (ns == "aten")
    for (const OpDef* def = ops.findName(ns, name); def; def = def->nextOverload())
      if (def->has(ir::kOpPointwise)) out.facts |= kRecomputable;
  if (out.has(kRecomputable | kRandomOp)) out.facts |= kFusible;
  if (ns != "aten" && ns != "prim" && ns != "prims") out.facts |= kCustom;
  if (ns == "_c10d_functional") {
    out.facts |= kCollective;
    if (name == "wait_tensor" || name == "wait_tensors") out.facts |= kWait;
  }
  if (out.def) {
    const ir::Schema& schema = out.def->schema();
    if (schema.isMutable())
      out.facts |= kMutable | (path != "inductor.resize_storage_bytes_.default" ? kMutationMark : 0u);
    if (out.def->has(ir::kOpRandom)) out.facts |= kSeeded;
    out.aliasArgument = aliasArgument(schema);
    for (size_t i = 0; i < schema.arguments.size(); ++i)
      if (schema.arguments[i].name == "dropout_p") out.dropoutArgument = static_cast<int16_t>(i);
  } else if (out.has(kImpure)) {
    out.facts |= kMutable | kMutationMark;  // nothing but the name is known
  }
  // Shares memory although its schema does not say so.
  if (path == "aten._unsafe_view.default") out.aliasArgument = 0;
  if (path == "aten._local_scalar_dense.default" || path == "aten.item.default") out.facts |= kBindsSymbol;
  if (path == "aten.copy_.default" || path == "aten.set_.source_Tensor" ||
      path == "aten.shallow_copy_data_.default" || path == "fsdp.copy_.default")
    out.facts |= kAllowedMutation;
  return out;
}

const OpFacts& OpFactTable::of(ir::NodeId id) {
  static const OpFacts none;
  const ir::Node& n = graph_.node(id);
  if (n.op != ir::OpKind::CallFunction) return none;
  if (n.target.index >= byTarget_.size()) byTarget_.resize(n.target.index + n.target.index / 2 + 16);
  std::unique_ptr<OpFacts>& known = byTarget_[n.target.index];
  if (!known) known = std::make_unique<OpFacts>(factsOf(graph_.str(n.target), ops_));
  return *known;
}

}  // namespace descry::passes::partition

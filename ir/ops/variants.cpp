#include "ir/ops/variants.h"

#include <algorithm>
#include <mutex>
#include <unordered_map>

namespace descry::ir {

namespace {
const OpDef* searched(const OpDef& op) {
  const OpRegistry& ops = op.registry();
  const OpDef* variant = nullptr;
  const auto overloadOf = [&](std::string_view name, std::string_view overload) -> const OpDef* {
    for (const OpDef* o = ops.findName(op.ns(), name); o; o = o->nextOverload())
      if (o->overload() == overload && !o->has(kOpMutates)) return o;
    return nullptr;
  };
  const std::string_view name = op.name(), overload = op.overload();
  const Schema& schema = op.schema();
  const bool out = std::any_of(schema.arguments.begin(), schema.arguments.end(),
                               [](const SchemaArgument& a) { return a.keywordOnly && a.type.writes(); });
  if (out) {
    std::string base(overload);
    if (base == "out")
      base = "default";
    else if (base.ends_with("_out"))
      base.resize(base.size() - 4);
    variant = overloadOf(name, base);
    if (!variant) {
      // `sum.IntList_out` belongs to `sum.dim_IntList`: the one with the same arguments but for the written
      // ones.
      std::vector<std::string> wanted;
      for (const SchemaArgument& a : schema.arguments)
        if (!a.type.writes()) wanted.push_back(a.name + a.type.str());
      for (const OpDef* o = op.head(); o && !variant; o = o->nextOverload()) {
        if (o->has(kOpMutates)) continue;
        std::vector<std::string> have;
        for (const SchemaArgument& a : o->schema().arguments) have.push_back(a.name + a.type.str());
        if (have == wanted) variant = o;
      }
    }
  } else if (name.ends_with("_") && !name.ends_with("__")) {
    const std::string_view base = name.substr(0, name.size() - 1);
    // The overload with the same parameters: pow_.Scalar writes what pow.Tensor_Scalar gives, not pow.Scalar.
    const auto parameters = [](const OpDef& o) {
      std::string text;
      for (const SchemaArgument& a : o.schema().arguments) {
        text += a.name + ":" + a.type.base + (a.type.isList() ? "[]" : "") + " ";
      }
      return text;
    };
    const std::string wanted = parameters(op);
    if (const OpDef* same = overloadOf(base, overload); same && parameters(*same) == wanted) variant = same;
    for (const OpDef* o = ops.findName(op.ns(), base); o && !variant; o = o->nextOverload())
      if (!o->has(kOpMutates) && parameters(*o) == wanted) variant = o;
    if (!variant) variant = overloadOf(base, overload);
    if (!variant) variant = overloadOf(std::string(base) + "_functional", overload);
    if (!variant && ops.findName(op.ns(), base) && !ops.findName(op.ns(), base)->nextOverload())
      variant = ops.findName(op.ns(), base);
  } else if (name.starts_with("__i") && name.ends_with("__")) {
    variant = overloadOf("__" + std::string(name.substr(3)), overload);
  }
  if (!variant) variant = overloadOf(std::string(name) + "_functional", overload);
  return variant;
}
}  // namespace

const OpDef* functionalVariant(const OpDef& op) {
  // Tables of declared ops end with the run that they were read for: another op may stand at their place
  // afterwards.
  if (&op.registry() != &allOps()) return searched(op);
  static std::mutex mutex;
  static std::unordered_map<const OpDef*, const OpDef*> known;
  {
    const std::lock_guard lock(mutex);
    const auto found = known.find(&op);
    if (found != known.end()) return found->second;
  }
  const OpDef* variant = searched(op);
  const std::lock_guard lock(mutex);
  known.emplace(&op, variant);
  return variant;
}

const OpDef* viewOfCopy(const OpDef& op) {
  if (!op.has(kOpViewCopy) || !op.name().ends_with("_copy")) return nullptr;
  for (const OpDef* o = op.registry().findName(op.ns(), op.name().substr(0, op.name().size() - 5)); o;
       o = o->nextOverload())
    if (o->overload() == op.overload()) return o;
  return nullptr;
}

}  // namespace descry::ir

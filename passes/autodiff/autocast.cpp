#include "passes/autodiff/autocast.h"

#include <algorithm>

#include "ir/ops/eval/promotion.h"
#include "passes/autodiff/tracer.h"

namespace descry::passes {

using ir::rules::CastPolicy;
using ir::rules::kCastDevices;

Autocast::Region* Autocast::of(std::string_view device) {
  for (size_t d = 0; d < regions_.size(); ++d)
    if (kCastDevices[d] == device) return &regions_[d];
  return nullptr;
}

size_t Autocast::enter(std::string_view device, std::optional<ir::DType> dtype, bool enabled) {
  Region* region = of(device);
  if (!region)
    throw EvalError("unsupported-call",
                    "autocast on " + std::string(device) + ": only the policies of cpu and cuda are known");
  left_.push_back({static_cast<size_t>(region - regions_.data()), *region});
  if (dtype) region->dtype = *dtype;
  // On the CPU PyTorch warns of other dtypes and goes on without autocast.
  region->enabled =
      enabled && (device == "cuda" || region->dtype == ir::DType::BF16 || region->dtype == ir::DType::F16);
  return left_.size() - 1;
}

void Autocast::exit(size_t number) {
  if (number >= left_.size())
    throw EvalError("type-error", "an autocast region is left that was not entered");
  regions_[left_[number].device] = left_[number].before;
}

namespace {

bool isOn(const Value& v, size_t device) {
  if (!v.isTensor() || v.meta().wrappedNumber) return false;
  const std::string text = ir::eval::deviceText(v.meta().device);
  return text.substr(0, text.find(':')) == kCastDevices[device];
}

/// Whether autocast would cast the tensor: floating point, and not double.
bool eligible(const Value& v, size_t device) {
  return isOn(v, device) && ir::eval::isFloating(v.meta().dtype) && v.meta().dtype != ir::DType::F64;
}

template <class F>
bool anyTensor(const Values& args, F&& f) {
  return std::any_of(args.begin(), args.end(), [&](const Value& v) {
    return f(v) || (v.isList() && std::any_of(v.items().begin(), v.items().end(), f));
  });
}

/// The widest dtype among what would be cast; at least that of the region.
ir::DType widest(const Values& args, size_t device, ir::DType lower) {
  ir::DType out = lower;
  anyTensor(args, [&](const Value& v) {
    if (!eligible(v, device)) return false;
    const ir::DType t = v.meta().dtype;
    if (out == ir::DType::F32 || t == ir::DType::F32)
      out = ir::DType::F32;
    else if (t != lower)
      throw EvalError("autocast-dtype", "Unexpected floating ScalarType in at::autocast::prioritize");
    return false;
  });
  return out;
}

/// The overload that takes a dtype behind the arguments of `op`.
const OpDef& withDtype(const OpDef& op) {
  const size_t n = op.schema().arguments.size();
  for (const OpDef* o = op.head(); o; o = o->nextOverload())
    if (const auto& a = o->schema().arguments;
        a.size() == n + 1 && a.back().name == "dtype" && a[1].name == op.schema().arguments[1].name)
      return *o;
  throw EvalError("internal", "no overload of " + op.target() + " takes a dtype");
}

}  // namespace

std::optional<size_t> Tracer::castDevice(const OpDef& op, const Values& args) const {
  const auto& policies = op.rules().autocast;
  // As in the dispatcher, cuda comes before cpu where an op has tensors on both.
  for (size_t device = policies.size(); device-- > 0;)
    if (policies[device] != CastPolicy::None && autocast.acts(device) &&
        anyTensor(args, [&](const Value& v) { return isOn(v, device); }))
      return device;
  return std::nullopt;
}

Value Tracer::callCast(const OpDef& op, Values args, size_t device) {
  // Levels that record gradients get the casts like any other call; batching comes before autocast in
  // PyTorch.
  if (levels && levels->batches())
    throw EvalError("unsupported-call",
                    "autocast of " + op.target() + " inside torch.func.vmap is not supported");
  struct Leave {
    Autocast& a;
    size_t device;
    bool was;
    ~Leave() { a.setInside(device, was); }
  } leave{autocast, device, autocast.setInside(device, true)};
  const auto castTo = [&](ir::DType to) {
    const auto cast = [&](const Value& v) {
      return eligible(v, device) && v.meta().dtype != to ? exact("aten.to.dtype", {v, Value::dtype(to)}) : v;
    };
    // PyTorch's wrapper casts inside the list of arguments of a C++ call, which its compiler evaluates from
    // the last on.
    for (size_t i = args.size(); i-- > 0;) {
      Value& v = args[i];
      if (v.isList() && anyTensor(v.items(), [&](const Value& i) { return i.isTensor(); })) {
        Values items;
        for (const Value& item : v.items()) items.push_back(cast(item));
        v = Value(std::move(items), v.kind());
      } else {
        v = cast(v);
      }
    }
  };
  const ir::DType lower = autocast.region(device).dtype;
  switch (op.rules().autocast[device]) {
    case CastPolicy::LowerPrecision:
      castTo(lower);
      break;
    case CastPolicy::Fp32:
      castTo(ir::DType::F32);
      break;
    case CastPolicy::Promote:
      castTo(widest(args, device, lower));
      break;
    case CastPolicy::Fp32SetOptDtype:
      if (!args.empty() && eligible(args[0], device))
        for (size_t i = 0; i < args.size(); ++i)
          if (args[i].isNone() && op.schema().arguments[i].type.base == "ScalarType")
            args[i] = Value::dtype(ir::DType::F32);
      break;
    case CastPolicy::Fp32AppendDtype: {
      args.push_back(Value::dtype(eligible(args.at(0), device) ? ir::DType::F32 : args.at(0).meta().dtype));
      return call(withDtype(op), std::move(args));
    }
    case CastPolicy::Refused:
      throw EvalError(
          "autocast-refused",
          "torch.nn.functional.binary_cross_entropy and torch.nn.BCELoss are unsafe to autocast.");
    case CastPolicy::None:
      break;
  }
  return call(op, std::move(args));
}

}  // namespace descry::passes

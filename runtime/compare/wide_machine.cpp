#include "runtime/compare/wide_machine.h"

#include <algorithm>

namespace descry::runtime {

DType wideDType(DType dtype) {
  const ir::DTypeInfo& info = ir::dtypeInfo(dtype);
  return info.complex ? DType::C128 : info.floating ? DType::F64 : dtype;
}

TensorRef widened(const TensorRef& t) {
  const DType wide = wideDType(t->meta.dtype);
  if (wide == t->meta.dtype) return t;
  const TensorRef plain = resolved(t);
  Meta meta = plain->meta;
  meta.dtype = wide;
  meta.offset = 0;
  // The same strides: kernels and shape rules ask for them. Layouts that hold an element twice, or leave
  // holes that cost more than they are, become dense.
  TensorRef out;
  const size_t extent = extentBytes(plain->meta) / static_cast<size_t>(itemBytes(plain->meta.dtype));
  const auto elements = static_cast<size_t>(plain->meta.numel().value);
  out = extent == elements ? allocate(meta) : allocate(Dims(meta.sizes), wide);
  copyElements(viewOf(*out), viewOf(*plain));
  return out;
}

Value widened(const Value& v) {
  if (v.isTensor()) return Value(widened(tensorOf(v)));
  if (v.kind() == VKind::DType) return Value::dtype(wideDType(v.asDType()));
  if (!v.isList()) return v;
  Values items;
  for (const Value& i : v.items()) items.push_back(widened(i));
  return Value(std::move(items), v.kind());
}

namespace {

bool isNarrow(const Value& v) {
  return v.isTensor() && wideDType(v.meta().dtype) != v.meta().dtype;
}

bool anyNarrow(const Value& v) {
  if (v.isList()) return std::any_of(v.items().begin(), v.items().end(), anyNarrow);
  return isNarrow(v);
}

/// Whether no tensor among the arguments is a float, but there are tensors.
bool onlyIntegers(const Values& args) {
  bool any = false;
  for (const Value& v : args) {
    if (!v.isTensor()) continue;
    const ir::DTypeInfo& info = ir::dtypeInfo(v.meta().dtype);
    if (info.floating || info.complex) return false;
    any = true;
  }
  return any;
}

}  // namespace

Value WideMachine::call(const OpDef& op, Values args) {
  const bool writes = op.has(ir::kOpMutates);
  for (Value& v : args)
    if (v.kind() == VKind::DType || (!writes && (v.isList() || isNarrow(v)))) v = widened(v);
  const bool integers = op.has(ir::kOpPointwise) && !writes && onlyIntegers(args);
  const Values before = integers ? args : Values();
  Value out = Machine::call(op, std::move(args));
  if (writes || op.has(ir::kOpView) || !anyNarrow(out)) return out;
  if (!integers) return widened(out);
  // An op like division, which makes floats of integers: computed in the default dtype it would be rounded.
  Values again = before;
  for (Value& v : again)
    if (v.isTensor()) v = Value(contiguousOf(resolved(tensorOf(v)), DType::F64));
  return Machine::call(op, std::move(again));
}

bool WideMachine::special(std::string_view name, Values& args, Value& result) {
  for (Value& v : args)
    if (v.kind() == VKind::DType) v = widened(v);
  if (!Machine::special(name, args, result)) return false;
  result = widened(result);
  return true;
}

std::string notRaised(const OpDef& op) {
  if (op.has(ir::kOpRandom)) return "random numbers are those of the run";
  const std::string_view name = op.name();
  for (const std::string_view bits : {"view", "view_dtype", "bitcast_convert_type", "view_copy"})
    if (name == bits && op.overload() == "dtype") return "looks at the bits of floats";
  if (name.starts_with("empty") || name.starts_with("new_empty")) return "its contents are not set";
  if (name == "nan_to_num") return "takes the largest number of its dtype";
  if (name == "nextafter") return "steps from one number of a dtype to the next";
  if (op.ns() == "quantized" || op.ns() == "quantized_decomposed" ||
      name.find("quantize") != std::string_view::npos)
    return "rounds to numbers of a scale on purpose";
  if (name.find("_scaled_mm") != std::string_view::npos || name.find("int_mm") != std::string_view::npos)
    return "takes numbers of one dtype only";
  return {};
}

}  // namespace descry::runtime

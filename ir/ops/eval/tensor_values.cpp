// Tensors in rules: what can be asked of them without computing, and operators on them.
#include <algorithm>

#include "ir/ops/eval/builtins.h"
#include "ir/ops/eval/promotion.h"
#include "ir/ops/eval/strides.h"

namespace descry::ir::eval {

using rules::BinaryOp;

bool tensorAttribute(Interpreter& in, const Value& tensor, std::string_view name, Value& out) {
  const Meta& m = tensor.meta();
  if (name == "dtype") return out = Value::dtype(m.dtype), true;
  if (name == "device") return out = Value::device(m.device), true;
  if (name == "shape") return out = Value(m.sizes), true;
  if (name == "ndim") return out = Value(static_cast<int64_t>(m.sizes.size())), true;
  if (name == "layout") return out = Value::layout(m.layout), true;
  if (name == "itemsize") return out = Value(itemSize(m.dtype)), true;
  if (name == "nbytes") return out = Value(m.numel() * Int(itemSize(m.dtype))), true;
  if (name == "is_cuda") return out = Value::boolean(deviceText(m.device).starts_with("cuda")), true;
  if (name == "is_cpu") return out = Value::boolean(deviceText(m.device).starts_with("cpu")), true;
  if (name == "is_meta") return out = Value::boolean(deviceText(m.device) == "meta"), true;
  for (std::string_view off : {"is_sparse", "is_quantized", "is_nested", "is_mkldnn", "is_mps", "is_xpu",
                               "is_sparse_csr", "is_vulkan", "is_mtia", "is_xla"})
    if (off == name) return out = Value::boolean(false), true;
  if (name == "requires_grad") {
    out = Value::boolean(false);
    in.host().attribute(tensor, name, out);
    return true;
  }
  return false;
}

bool tensorMethod(const Value& tensor, std::string_view name, Values& args, const Keywords& keywords,
                  Value& out) {
  const Meta& m = tensor.meta();
  const int64_t n = static_cast<int64_t>(m.sizes.size());
  const auto dimArgument = [&] {
    return static_cast<size_t>(wrapDim(argument(args, keywords, 0, "dim").toInt(), n));
  };
  const bool dimGiven = !args.empty() || std::any_of(keywords.begin(), keywords.end(),
                                                     [](const auto& k) { return k.first == "dim"; });
  if (name == "dim" || name == "ndimension") return out = Value(n), true;
  if (name == "size" || name == "sym_size") {
    if (!dimGiven) return out = Value(m.sizes), true;
    if (n == 0)
      throw EvalError("index-error", "Dimension specified as " +
                                         argument(args, keywords, 0, "dim").describe() +
                                         " but tensor has no dimensions");
    return out = Value(m.sizes[dimArgument()]), true;
  }
  if (name == "sizes" || name == "sym_sizes") return out = Value(m.sizes), true;
  if (name == "stride" || name == "sym_stride") {
    if (!dimGiven) return out = Value(m.strides), true;
    if (n == 0)
      throw EvalError("index-error", "Dimension specified as " +
                                         argument(args, keywords, 0, "dim").describe() +
                                         " but tensor has no dimensions");
    return out = Value(m.strides[dimArgument()]), true;
  }
  if (name == "strides" || name == "sym_strides") return out = Value(m.strides), true;
  if (name == "storage_offset" || name == "sym_storage_offset") return out = Value(m.offset), true;
  if (name == "numel" || name == "nelement" || name == "sym_numel") {
    out = Value(m.numel());
    return true;
  }
  if (name == "is_complex") return out = Value::boolean(isComplex(m.dtype)), true;
  if (name == "is_floating_point") return out = Value::boolean(isFloating(m.dtype)), true;
  if (name == "is_signed") return out = Value::boolean(dtypeInfo(m.dtype).isSigned), true;
  if (name == "element_size") return out = Value(itemSize(m.dtype)), true;
  if (name == "is_contiguous") {
    const Value format = argument(args, keywords, 0, "memory_format");
    return out = Value::boolean(isContiguous(
               m, format.kind() == VKind::MemoryFormat ? format.asMemoryFormat() : MemoryFormat::Contiguous)),
           true;
  }
  if (name == "is_non_overlapping_and_dense") return out = Value::boolean(isNonOverlappingAndDense(m)), true;
  if (name == "suggest_memory_format") return out = Value::memoryFormat(suggestFormat(m)), true;
  if (name == "is_conj") return out = Value::boolean(m.conj), true;
  if (name == "is_neg") return out = Value::boolean(m.neg), true;
  if (name == "is_inference") return out = Value::boolean(false), true;
  if (name == "is_cuda") return out = Value::boolean(deviceText(m.device).starts_with("cuda")), true;
  if (name == "get_device") return out = Value(deviceText(m.device) == "cpu" ? -1 : 0), true;
  if (name == "is_same_size") {
    const Value other = argument(args, keywords, 0, "other");
    if (!other.isTensor())
      throw EvalError("bad-call", "is_same_size() takes a tensor, found " + other.describe());
    const Meta& o = other.meta();
    return out = Value::boolean(o.sizes.size() == m.sizes.size() &&
                                std::equal(m.sizes.begin(), m.sizes.end(), o.sizes.begin())),
           true;
  }
  return false;
}

Value tensorBinary(Interpreter& in, BinaryOp op, const Value& a, const Value& b, bool python) {
  const auto call = [&](std::string_view name, Values args) {
    return in.callOp(in.ops().findName("aten", name), std::move(args), {}, python, true);
  };
  const auto overload = [&](std::string_view target, Values args) {
    return in.host().call(*in.ops().find(target), std::move(args));
  };
  static constexpr const char* kNames[] = {
      "add",    "sub",         "mul",        "div",         "floor_divide", "remainder", "pow",
      "matmul", "bitwise_and", "bitwise_or", "bitwise_xor", "__lshift__",   "__rshift__"};
  const char* name = kNames[static_cast<size_t>(op)];
  if (python && (op == BinaryOp::And || op == BinaryOp::Or || op == BinaryOp::Xor))
    name = op == BinaryOp::And ? "__and__" : op == BinaryOp::Or ? "__or__" : "__xor__";
  if (a.isTensor() && (b.isTensor() || python)) return call(name, {a, b});
  if (a.isTensor()) {
    // C++ operators on a tensor and a number choose the Scalar overloads.
    switch (op) {
      case BinaryOp::Add:
        return overload("aten.add.Scalar", {a, b, 1});
      case BinaryOp::Sub:
        return overload("aten.sub.Scalar", {a, b, 1});
      case BinaryOp::Mul:
        return overload("aten.mul.Scalar", {a, b});
      case BinaryOp::Div:
        return overload("aten.div.Scalar", {a, b});
      default:
        return call(name, {a, b});
    }
  }
  switch (op) {
    case BinaryOp::Add:
      return python ? call("add", {b, a}) : overload("aten.add.Scalar", {b, a, 1});
    case BinaryOp::Mul:
      return python ? call("mul", {b, a}) : overload("aten.mul.Scalar", {b, a});
    case BinaryOp::Sub:
    case BinaryOp::Div: {
      const bool sub = op == BinaryOp::Sub;
      if (python && sub) return overload("aten.rsub.Scalar", {b, a, 1});
      if (python) return call("mul", {call("reciprocal", {b}), a});
      // C++ fills a tensor with the number first.
      const Value empty = in.callOp(in.ops().findName("aten", "empty_like"), {b},
                                    {{"memory_format", Value::memoryFormat(MemoryFormat::Preserve)}}, false);
      return call(sub ? "sub_" : "div_", {call("fill_", {empty, a}), b});
    }
    case BinaryOp::FloorDiv:
      // Tensor.__rfloordiv__ is floor_divide(other, self).
      return call("floor_divide", {a, b});
    case BinaryOp::And:
    case BinaryOp::Or:
    case BinaryOp::Xor:
      return call(kNames[static_cast<size_t>(op)], {b, a});
    case BinaryOp::Shl:
      return call("bitwise_left_shift", {a, b});
    case BinaryOp::Shr:
      return call("bitwise_right_shift", {a, b});
    default:
      return call(name, {a, b});
  }
}

}  // namespace descry::ir::eval

#include "ir/ops/eval/literals.h"

#include <algorithm>
#include <string>

#include "ir/ops/eval/builtins.h"

namespace descry::ir::eval {

using rules::BinaryOp;
using rules::CompareOp;

namespace {

/// (2+3j), 1j, complex(0.0, 1.0)
Value complexOf(std::string text) {
  constexpr std::string_view kCall = "complex(";
  char* end = nullptr;
  if (text.starts_with(kCall)) {
    const double re = std::strtod(text.c_str() + kCall.size(), &end);
    return Value::complex(re, *end == ',' ? std::strtod(end + 1, nullptr) : 0);
  }
  text.erase(std::remove_if(text.begin(), text.end(), [](char c) { return c == '(' || c == ')'; }),
             text.end());
  const double first = std::strtod(text.c_str(), &end);
  if (*end == 'j') return Value::complex(0, first);
  return Value::complex(first, std::strtod(end, nullptr));
}

template <class Op, size_t N>
std::optional<Op> named(const std::pair<std::string_view, Op> (&all)[N], std::string_view name) {
  for (const auto& [text, op] : all)
    if (text == name) return op;
  return std::nullopt;
}

}  // namespace

std::optional<VKind> containerOf(const ArgView& argument) {
  switch (argument.kind()) {
    case ValueKind::Tuple:
      return VKind::Tuple;
    case ValueKind::List:
      return VKind::List;
    case ValueKind::Dict:
      return VKind::Dict;
    case ValueKind::Slice:
      return VKind::Slice;
    default:
      return std::nullopt;
  }
}

Value literalOf(const ArgView& arg) {
  switch (arg.kind()) {
    case ValueKind::None:
      return {};
    case ValueKind::Int:
      return arg.integer();
    case ValueKind::Float:
      return Value::real(arg.real());
    case ValueKind::Bool:
      return Value::boolean(arg.boolean());
    case ValueKind::Str:
      return Value::str(arg.text());
    case ValueKind::Complex:
      return complexOf(std::string(arg.text()));
    case ValueKind::Ellipsis:
      return Value::ellipsis();
    case ValueKind::Dtype: {
      const DType t = dtypeFromTorchName(arg.text());
      if (t == DType::Unknown) throw EvalError("type-error", "unknown dtype " + std::string(arg.text()));
      return Value::dtype(t);
    }
    case ValueKind::Device:
      return Value::device(deviceId(arg.text()));
    case ValueKind::Layout:
      return Value::layout(arg.text().ends_with("strided") ? Layout::Strided : Layout::Sparse);
    case ValueKind::GraphRef:
      return Value::str("self." + std::string(arg.text()), VKind::Object);
    case ValueKind::MemoryFormat:
    case ValueKind::BigInt:
    case ValueKind::Opaque: {
      Value v;
      if (constantNamed(arg.text(), v)) return v;
      if (arg.text().starts_with("complex(")) return complexOf(std::string(arg.text()));
      break;
    }
    default:
      break;
  }
  return Value::str(arg.text(), VKind::Object);
}

std::optional<BinaryOp> binaryNamed(std::string_view name) {
  static constexpr std::pair<std::string_view, BinaryOp> kAll[] = {
      {"add", BinaryOp::Add},     {"sub", BinaryOp::Sub},           {"mul", BinaryOp::Mul},
      {"truediv", BinaryOp::Div}, {"floordiv", BinaryOp::FloorDiv}, {"mod", BinaryOp::Mod},
      {"pow", BinaryOp::Pow},     {"matmul", BinaryOp::MatMul},     {"and_", BinaryOp::And},
      {"or_", BinaryOp::Or},      {"xor", BinaryOp::Xor},           {"lshift", BinaryOp::Shl},
      {"rshift", BinaryOp::Shr}};
  return named(kAll, name);
}

std::optional<CompareOp> compareNamed(std::string_view name) {
  static constexpr std::pair<std::string_view, CompareOp> kAll[] = {
      {"eq", CompareOp::Eq}, {"ne", CompareOp::Ne}, {"lt", CompareOp::Lt},  {"le", CompareOp::Le},
      {"gt", CompareOp::Gt}, {"ge", CompareOp::Ge}, {"is_", CompareOp::Is}, {"is_not", CompareOp::IsNot}};
  return named(kAll, name);
}

}  // namespace descry::ir::eval

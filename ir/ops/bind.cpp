#include "ir/ops/bind.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "ir/support/python_text.h"

namespace descry::ir {

namespace {

/// Kinds whose real value is not known here.
bool opaqueKind(ValueKind kind) {
  return kind == ValueKind::NodeRef || kind == ValueKind::Opaque || kind == ValueKind::OpRef ||
         kind == ValueKind::GraphRef;
}

bool number(ValueKind kind) {
  return kind == ValueKind::Int || kind == ValueKind::BigInt || kind == ValueKind::Float ||
         kind == ValueKind::Bool || kind == ValueKind::Complex;
}

bool integral(ValueKind kind) {
  return kind == ValueKind::Int || kind == ValueKind::BigInt || kind == ValueKind::Bool;
}

/// True when a plain value of `kind` may be read as `base`.
bool fitsBase(ValueKind kind, const std::string& base) {
  if (opaqueKind(kind)) return true;
  // None is read as an undefined tensor.
  if (base == "Tensor") return number(kind) || kind == ValueKind::None;
  if (base == "Scalar" || base == "number") return number(kind);
  // Enums (layout, dtype, memory format) are integers below the Python level.
  if (base == "int" || base == "SymInt")
    return integral(kind) || kind == ValueKind::Dtype || kind == ValueKind::Layout ||
           kind == ValueKind::MemoryFormat;
  if (base == "float" || base == "SymFloat") return integral(kind) || kind == ValueKind::Float;
  if (base == "complex") return number(kind);
  if (base == "bool" || base == "SymBool") return kind == ValueKind::Bool || kind == ValueKind::Int;
  if (base == "str" || base == "Dimname") return kind == ValueKind::Str;
  if (base == "ScalarType") return kind == ValueKind::Dtype || kind == ValueKind::Int;
  if (base == "Layout") return kind == ValueKind::Layout || kind == ValueKind::Int;
  if (base == "MemoryFormat") return kind == ValueKind::MemoryFormat || kind == ValueKind::Int;
  if (base == "Device") return kind == ValueKind::Device || kind == ValueKind::Str || kind == ValueKind::Int;
  return true;  // type variables, Any, classes, generators, streams
}

bool fits(const ArgView& value, const SchemaType& type, size_t wrap) {
  const ValueKind kind = value.kind();
  if (opaqueKind(kind)) return true;
  if (wrap == type.wraps.size()) return fitsBase(kind, type.base);
  const SchemaType::Wrap& w = type.wraps[wrap];
  if (!w.list) return kind == ValueKind::None || fits(value, type, wrap + 1);
  if (kind == ValueKind::List || kind == ValueKind::Tuple) {
    for (uint32_t i = 0; i < value.size(); ++i)
      if (!fits(value[i], type, wrap + 1)) return false;
    return true;
  }
  // `int[2]` takes one int for all its items.
  return w.size >= 1 && fits(value, type, wrap + 1);
}

const char* kindWords(ValueKind kind) {
  switch (kind) {
    case ValueKind::None:
      return "None";
    case ValueKind::NodeRef:
      return "a node";
    case ValueKind::Int:
      return "an int";
    case ValueKind::BigInt:
      return "an int";
    case ValueKind::Float:
      return "a float";
    case ValueKind::Bool:
      return "a bool";
    case ValueKind::Str:
      return "a string";
    case ValueKind::Complex:
      return "a complex number";
    case ValueKind::Tuple:
      return "a tuple";
    case ValueKind::List:
      return "a list";
    case ValueKind::Dict:
      return "a dict";
    case ValueKind::Slice:
      return "a slice";
    case ValueKind::Ellipsis:
      return "an ellipsis";
    case ValueKind::Dtype:
      return "a dtype";
    case ValueKind::Device:
      return "a device";
    case ValueKind::Layout:
      return "a layout";
    case ValueKind::MemoryFormat:
      return "a memory format";
    case ValueKind::OpRef:
      return "an op";
    case ValueKind::GraphRef:
      return "a subgraph";
    case ValueKind::Opaque:
      return "unread text";
  }
  return "a value";
}

std::optional<Argument> literal(std::string_view text, int depth) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  if (text.empty()) return std::nullopt;
  if (text == "None") return Argument::none();
  if (text == "True" || text == "False") return Argument::boolean(text == "True");
  const char first = text.front();
  if (first == '"' || first == '\'') {
    if (text.size() < 2 || text.back() != first) return std::nullopt;
    return Argument::str(unescapePython(text.substr(1, text.size() - 2)));
  }
  if ((first == '[' && text.back() == ']') || (first == '(' && text.back() == ')')) {
    if (depth > 8) return std::nullopt;
    std::vector<Argument> items;
    std::string_view body = text.substr(1, text.size() - 2);
    while (!body.empty()) {
      size_t end = 0;
      int open = 0;
      while (end < body.size() && (body[end] != ',' || open)) {
        if (body[end] == '[') ++open;
        if (body[end] == ']') --open;
        ++end;
      }
      std::optional<Argument> item = literal(body.substr(0, end), depth + 1);
      if (!item) return std::nullopt;
      items.push_back(std::move(*item));
      body.remove_prefix(std::min(end + 1, body.size()));
    }
    return first == '[' ? Argument::list(std::move(items)) : Argument::of(ValueKind::Tuple, std::move(items));
  }
  int64_t integer = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), integer);
  if (error == std::errc() && end == text.data() + text.size()) return Argument(integer);
  if ((first >= '0' && first <= '9') || first == '-' || first == '.' || text == "inf") {
    const std::string copy(text);
    char* stop = nullptr;
    const double real = std::strtod(copy.c_str(), &stop);
    if (stop == copy.c_str() + copy.size()) return Argument(real);
  }
  return std::nullopt;
}

}  // namespace

std::optional<ArgView> BoundCall::value(std::string_view name) const {
  for (const BoundArgument& a : arguments)
    if (a.argument->name == name) return a.value;
  return std::nullopt;
}

bool fitsSchemaType(const ArgView& value, const SchemaType& type) {
  return fits(value, type, 0);
}

std::optional<Argument> defaultValue(const SchemaArgument& argument) {
  if (!argument.defaultText) return std::nullopt;
  std::optional<Argument> value = literal(*argument.defaultText, 0);
  // `float p=1` means 1.0.
  if (value && value->kind == ValueKind::Int && argument.type.base == "float" && !argument.type.isList())
    return Argument(static_cast<double>(value->i));
  return value;
}

BoundCall bindArguments(const Schema& schema, const Graph& graph, NodeId node) {
  BoundCall call;
  call.arguments.reserve(schema.arguments.size());
  for (const SchemaArgument& a : schema.arguments) call.arguments.push_back({&a, std::nullopt});

  size_t positional = 0;
  while (positional < schema.arguments.size() && !schema.arguments[positional].keywordOnly) ++positional;

  const uint32_t given = graph.argCount(node);
  for (uint32_t i = 0; i < given; ++i) {
    if (i < positional)
      call.arguments[i].value = graph.arg(node, i);
    else if (schema.varargs)
      call.extra.push_back(graph.arg(node, i));
  }
  if (given > positional && !schema.varargs) {
    call.problems.push_back({"arity", "takes at most " + std::to_string(positional) +
                                          " positional arguments, found " + std::to_string(given)});
  }

  for (uint32_t i = 0; i < graph.kwargCount(node); ++i) {
    const std::string_view key = graph.kwargKey(node, i);
    auto found = std::find_if(call.arguments.begin(), call.arguments.end(),
                              [&](const BoundArgument& a) { return a.argument->name == key; });
    if (found == call.arguments.end()) {
      if (schema.varargs)
        call.extra.push_back(graph.kwarg(node, i));
      else
        call.problems.push_back({"unknown-keyword", "takes no argument '" + std::string(key) + "'"});
    } else if (found->value) {
      call.problems.push_back({"duplicate-argument", "argument '" + std::string(key) + "' is given twice"});
    } else {
      found->value = graph.kwarg(node, i);
    }
  }

  for (const BoundArgument& a : call.arguments) {
    if (!a.value) {
      if (!a.argument->defaultText)
        call.problems.push_back({"missing-argument", "argument '" + a.argument->name + "' is missing"});
    } else if (!fits(*a.value, a.argument->type, 0)) {
      call.problems.push_back({"argument-type", "argument '" + a.argument->name + "' wants " +
                                                    a.argument->type.str() + ", found " +
                                                    kindWords(a.value->kind())});
    }
  }
  return call;
}

}  // namespace descry::ir

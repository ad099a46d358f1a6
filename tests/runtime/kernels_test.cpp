// Single ops against PyTorch: every line of ops/*.jsonl is a call and what PyTorch computed for it
// (scripts/golden_kernels).
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "runtime/interpreter/machine.h"

namespace descry::runtime {
namespace {

using nlohmann::json;

double realOf(const json& j) {
  if (j.is_string()) {
    const std::string s = j.get<std::string>();
    return s == "nan" ? NAN : s == "inf" ? INFINITY : -INFINITY;
  }
  if (j.is_boolean()) return j.get<bool>();
  return j.get<double>();
}

Value numberOf(const json& j) {
  if (j.is_array()) return Value::complex(realOf(j[0]), realOf(j[1]));
  if (j.is_boolean()) return Value::boolean(j.get<bool>());
  if (j.is_number_unsigned()) return Value(static_cast<int64_t>(j.get<uint64_t>()));
  if (j.is_number_integer()) return Value(j.get<int64_t>());
  return Value::real(realOf(j));
}

TensorRef tensorOfJson(const json& j) {
  Meta m;
  m.dtype = ir::dtypeFromTorchName(j.at("dtype").get<std::string>());
  for (const json& s : j.at("size")) m.sizes.emplace_back(s.get<int64_t>());
  for (const json& s : j.at("stride")) m.strides.emplace_back(s.get<int64_t>());
  m.offset = j.at("offset").get<int64_t>();
  auto t = ir::eval::make<Tensor>();
  const json& data = j.at("data");
  t->storage = std::make_shared<Storage>(data.size() * static_cast<size_t>(itemBytes(m.dtype)));
  for (size_t i = 0; i < data.size(); ++i)
    storeNumber(m.dtype, t->storage->data() + static_cast<int64_t>(i) * itemBytes(m.dtype),
                numberOf(data[i]));
  t->meta = std::move(m);
  return t;
}

Value valueOf(const json& j) {
  if (j.is_null()) return {};
  if (j.is_string()) return Value::str(j.get<std::string>());
  if (j.is_array()) {
    Values items;
    for (const json& i : j) items.push_back(valueOf(i));
    return Value(std::move(items));
  }
  if (!j.is_object()) return numberOf(j);
  if (j.contains("tensor")) return Value(tensorOfJson(j["tensor"]));
  if (j.contains("dtype")) return Value::dtype(ir::dtypeFromTorchName(j["dtype"].get<std::string>()));
  if (j.contains("device")) return Value::device(ir::eval::deviceId(j["device"].get<std::string>()));
  if (j.contains("float")) return Value::real(realOf(j["float"]));
  if (j.contains("complex")) return numberOf(j["complex"]);
  const std::string format = j.at("memory_format").get<std::string>();
  return Value::memoryFormat(format == "channels_last"      ? ir::eval::MemoryFormat::ChannelsLast
                             : format == "channels_last_3d" ? ir::eval::MemoryFormat::ChannelsLast3d
                             : format == "preserve_format"  ? ir::eval::MemoryFormat::Preserve
                                                            : ir::eval::MemoryFormat::Contiguous);
}

double toleranceOf(DType dtype) {
  switch (dtype) {
    case DType::F64:
    case DType::C128:
      return 1e-9;
    case DType::F32:
    case DType::C64:
      return 2e-5;
    case DType::F16:
      return 2e-3;
    case DType::BF16:
      return 2e-2;
    case DType::F8E4M3FN:
    case DType::F8E4M3FNUZ:
      return 0.13;
    case DType::F8E5M2:
    case DType::F8E5M2FNUZ:
      return 0.26;
    default:
      return 0;
  }
}

std::string textOfInts(const Dims& d) {
  std::string s = "[";
  for (const int64_t i : d) s += (s.size() > 1 ? ", " : "") + std::to_string(i);
  return s + "]";
}

/// Empty when equal.
std::string difference(const TensorRef& got, const TensorRef& want, bool shapesOnly, double tolerance) {
  if (!got) return "no tensor";
  if (got->meta.dtype != want->meta.dtype)
    return "dtype " + std::string(scalarTypeName(got->meta.dtype)) + ", PyTorch " +
           std::string(scalarTypeName(want->meta.dtype));
  const View g = viewOf(*resolved(got)), w = viewOf(*want);
  if (!(g.sizes == w.sizes)) return "sizes " + textOfInts(g.sizes) + ", PyTorch " + textOfInts(w.sizes);
  const View layout = viewOf(*got);
  for (size_t d = 0; d < w.dim(); ++d)
    if (w.sizes[d] > 1 && w.numel() && layout.strides[d] != w.strides[d])
      return "strides " + textOfInts(layout.strides) + ", PyTorch " + textOfInts(w.strides);
  if (shapesOnly) return {};
  const TensorRef a = contiguousOf(resolved(got)), b = contiguousOf(want);
  const int64_t n = w.numel(), item = itemBytes(w.dtype);
  double largest = 0;
  const auto parts = [&](const Value& v) {
    return v.kind() == VKind::Complex                          ? std::array{v.toReal(), v.imag()}
           : v.kind() == VKind::Int || v.kind() == VKind::Bool ? std::array{static_cast<double>(v.raw()), 0.0}
                                                               : std::array{v.toReal(), 0.0};
  };
  for (int64_t i = 0; i < n; ++i)
    for (const double x :
         parts(numberAt(w.dtype, b->storage->data() + b->meta.offset.value * item + i * item)))
      if (std::isfinite(x)) largest = std::max(largest, std::fabs(x));
  const double limit = tolerance * (1 + largest);
  for (int64_t i = 0; i < n; ++i) {
    const Value x = numberAt(w.dtype, a->storage->data() + a->meta.offset.value * item + i * item);
    const Value y = numberAt(w.dtype, b->storage->data() + b->meta.offset.value * item + i * item);
    if ((y.kind() == VKind::Int || y.kind() == VKind::Bool) ? x.raw() != y.raw() : [&] {
          const auto p = parts(x), q = parts(y);
          for (int k = 0; k < 2; ++k) {
            if (std::isnan(q[k])   ? !std::isnan(p[k])
                : std::isinf(q[k]) ? p[k] != q[k]
                                   : !(std::fabs(p[k] - q[k]) <= limit))
              return true;
          }
          return false;
        }()) {
      const auto p = parts(x), q = parts(y);
      return "[" + std::to_string(i) + "] " + std::to_string(p[0]) +
             (p[1] != 0 ? "+" + std::to_string(p[1]) + "j" : "") + ", PyTorch " + std::to_string(q[0]) +
             (q[1] != 0 ? "+" + std::to_string(q[1]) + "j" : "");
    }
  }
  return {};
}

void flatten(const Value& v, Values& out) {
  if (v.isList())
    for (const Value& i : v.items()) flatten(i, out);
  else
    out.push_back(v);
}

std::string compare(const Value& got, const json& want, bool shapesOnly, double tolerance) {
  if (want.is_object() && want.contains("tensor")) {
    const TensorRef w = tensorOfJson(want["tensor"]);
    return difference(got.isTensor() ? tensorOf(got) : TensorRef(), w, shapesOnly,
                      tolerance > 0 ? tolerance : toleranceOf(w->meta.dtype));
  }
  const Value w = valueOf(want);
  if (w.isNone()) return got.isNone() ? "" : "a result, PyTorch gives None";
  if (!got.isNumber() ||
      (w.isNumber() && std::fabs(got.toReal() - w.toReal()) > 1e-6 * (1 + std::fabs(w.toReal()))))
    return got.describe() + ", PyTorch " + w.describe();
  return {};
}

std::string check(const json& line) {
  const std::string target = line.at("op");
  const OpDef* op = ir::allOps().find(target);
  if (!op) return "unknown op";
  Machine machine;
  machine.generator.seed(line.value("seed", 0));
  ir::eval::Values args, bound;
  for (const json& a : line.at("args")) args.push_back(valueOf(a));
  std::vector<std::string> names;
  ir::eval::Keywords keywords;
  for (const auto& [k, v] : line.at("kwargs").items()) names.push_back(k);
  for (const std::string& k : names) keywords.emplace_back(k, valueOf(line["kwargs"][k]));
  std::string why;
  if (!ir::eval::bindTo(*op, args, keywords, true, false, bound, &why, true)) return "does not bind: " + why;
  try {
    Values got;
    flatten(machine.call(*op, bound), got);
    const bool shapes = line.value("shapes", false);
    const double tolerance = line.value("tolerance", 0.0);
    const json& want = line.at("out");
    for (size_t i = 0; i < want.size(); ++i) {
      if (want[i].is_null() && i >= got.size()) continue;
      if (i >= got.size()) return "too few results";
      if (const std::string d = compare(got[i], want[i], shapes, tolerance); !d.empty())
        return "result " + std::to_string(i) + ": " + d;
    }
    const json expected = line.value("written", json::object());
    for (const auto& [name, tensors] : expected.items()) {
      const auto& arguments = op->schema().arguments;
      for (size_t i = 0; i < arguments.size(); ++i) {
        if (arguments[i].name != name) continue;
        Values written;
        flatten(bound[i], written);
        for (size_t k = 0; k < tensors.size(); ++k)
          if (const std::string d = compare(written.at(k), tensors[k], shapes, tolerance); !d.empty())
            return name + ": " + d;
      }
    }
  } catch (const EvalError& e) {
    return std::string(e.what()) + " [" + e.code + "]";
  }
  return {};
}

TEST(Kernels, AgreeWithPyTorch) {
  const std::filesystem::path folder = std::filesystem::path(DESCRY_SOURCE_DIR) / "tests/runtime/ops";
  const char* only = std::getenv("DESCRY_FAMILY");
  size_t calls = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".jsonl" || (only && entry.path().stem() != only)) continue;
    std::ifstream in(entry.path());
    std::string text;
    for (int number = 1; std::getline(in, text); ++number) {
      const json line = json::parse(text);
      ++calls;
      const std::string why = check(line);
      if (!why.empty()) {
        std::string shown = line["args"].dump() + " " + line["kwargs"].dump();
        if (shown.size() > 300) shown = shown.substr(0, 300) + "...";
        ADD_FAILURE() << entry.path().filename().string() << ":" << number << ": "
                      << line["op"].get<std::string>() << ": " << why << "\n    " << shown;
      }
    }
  }
  EXPECT_GT(calls, only ? 0u : 100u);
}

}  // namespace
}  // namespace descry::runtime

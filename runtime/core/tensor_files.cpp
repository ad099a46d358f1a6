#include "runtime/core/tensor_files.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "ir/ops/eval/strides.h"

namespace descry::runtime {

namespace {

struct DTypeName {
  DType dtype;
  std::string_view safetensors, numpy;  ///< of .npy without the byte order; empty: there is none
};
constexpr DTypeName kNames[] = {{DType::F64, "F64", "f8"},
                                {DType::F32, "F32", "f4"},
                                {DType::F16, "F16", "f2"},
                                {DType::BF16, "BF16", ""},
                                {DType::I64, "I64", "i8"},
                                {DType::I32, "I32", "i4"},
                                {DType::I16, "I16", "i2"},
                                {DType::I8, "I8", "i1"},
                                {DType::U64, "U64", "u8"},
                                {DType::U32, "U32", "u4"},
                                {DType::U16, "U16", "u2"},
                                {DType::U8, "U8", "u1"},
                                {DType::B8, "BOOL", "b1"},
                                {DType::C64, "C64", "c8"},
                                {DType::C128, "C128", "c16"},
                                {DType::F8E4M3FN, "F8_E4M3", ""},
                                {DType::F8E5M2, "F8_E5M2", ""},
                                {DType::F8E4M3FNUZ, "F8_E4M3FNUZ", ""},
                                {DType::F8E5M2FNUZ, "F8_E5M2FNUZ", ""}};

ir::Diagnostic bad(const char* code, std::string message, int64_t byte) {
  ir::Diagnostic d = ir::failure(code, std::move(message));
  d.loc.byte = byte;
  return d;
}

/// Elements that sizes stand for; nothing when one is negative or the product does not fit.
std::optional<int64_t> countOf(const Dims& sizes, int64_t item) {
  int64_t n = 1;
  for (const int64_t s : sizes)
    if (s < 0 || __builtin_mul_overflow(n, s, &n)) return std::nullopt;
  int64_t bytes = 0;
  if (__builtin_mul_overflow(n, item, &bytes)) return std::nullopt;
  return n;
}

}  // namespace

TensorRef TensorFile::find(std::string_view name) const {
  const auto at = std::lower_bound(tensors.begin(), tensors.end(), name,
                                   [](const auto& t, std::string_view n) { return t.first < n; });
  return at != tensors.end() && at->first == name ? at->second : TensorRef();
}

ir::Result<TensorFile> readSafetensors(std::string_view bytes) {
  const auto fail = [](std::string message, int64_t byte) {
    return bad("bad-safetensors", std::move(message), byte);
  };
  if (bytes.size() < 8)
    return fail("the file ends inside the length of the header", static_cast<int64_t>(bytes.size()));
  uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  if (length > bytes.size() - 8 || length > 100'000'000)
    return fail("a header of " + std::to_string(length) + " bytes does not fit into the file", 0);
  const auto head = nlohmann::json::parse(bytes.substr(8, length), nullptr, false);
  if (!head.is_object()) return fail("the header is no JSON object", 8);
  const std::string_view data = bytes.substr(8 + length);
  TensorFile out;
  for (const auto& [name, entry] : head.items()) {
    if (name == "__metadata__") {
      if (!entry.is_object()) return fail("__metadata__ is no object", 8);
      for (const auto& [k, v] : entry.items())
        if (v.is_string()) out.metadata[k] = v.get<std::string>();
      continue;
    }
    if (!entry.is_object() || !entry.contains("dtype") || !entry["dtype"].is_string() ||
        !entry.contains("shape") || !entry["shape"].is_array() || !entry.contains("data_offsets") ||
        !entry["data_offsets"].is_array() || entry["data_offsets"].size() != 2)
      return fail("the entry of '" + name + "' is not complete", 8);
    const std::string dtypeName = entry["dtype"].get<std::string>();
    const auto known = std::find_if(std::begin(kNames), std::end(kNames),
                                    [&](const DTypeName& d) { return d.safetensors == dtypeName; });
    if (known == std::end(kNames))
      return bad("unsupported-dtype", "'" + name + "' has the dtype " + dtypeName + ", which is not known",
                 8);
    Dims sizes;
    for (const auto& s : entry["shape"]) {
      if (!s.is_number_integer() || s.get<double>() < 0 || s.get<double>() > 9e18)
        return fail("the shape of '" + name + "' has something else than sizes", 8);
      sizes.push_back(s.get<int64_t>());
    }
    const auto &from = entry["data_offsets"][0], &to = entry["data_offsets"][1];
    if (!from.is_number_unsigned() || !to.is_number_unsigned())
      return fail("the place of '" + name + "' is no number", 8);
    const uint64_t begin = from.get<uint64_t>(), end = to.get<uint64_t>();
    if (begin > end || end > data.size())
      return fail("'" + name + "' lies behind the end of the file", static_cast<int64_t>(8 + length));
    const int64_t item = itemBytes(known->dtype);
    const std::optional<int64_t> n = countOf(sizes, item);
    if (!n || static_cast<uint64_t>(*n * item) != end - begin)
      return fail(
          "'" + name + "' has " + std::to_string(end - begin) + " bytes, which its shape does not fit",
          static_cast<int64_t>(8 + length + begin));
    const TensorRef t = allocate(sizes, known->dtype);
    if (end > begin) std::memcpy(t->storage->data(), data.data() + begin, end - begin);
    out.tensors.emplace_back(name, t);
  }
  std::sort(out.tensors.begin(), out.tensors.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  return out;
}

std::string safetensorsBytes(const TensorFile& file) {
  nlohmann::ordered_json head = nlohmann::ordered_json::object();
  if (!file.metadata.empty()) {
    nlohmann::ordered_json meta = nlohmann::ordered_json::object();
    for (const auto& [k, v] : file.metadata) meta[k] = v;
    head["__metadata__"] = meta;
  }
  std::string data;
  for (const auto& [name, tensor] : file.tensors) {
    const TensorRef t = contiguousOf(tensor);
    const View v = viewOf(*t);
    std::string_view dtype;
    for (const DTypeName& d : kNames)
      if (d.dtype == v.dtype) dtype = d.safetensors;
    if (dtype.empty()) unsupportedDType(v.dtype, "safetensors");
    const size_t bytes = static_cast<size_t>(v.numel() * itemBytes(v.dtype));
    head[name] = {{"dtype", dtype},
                  {"shape", std::vector<int64_t>(v.sizes.begin(), v.sizes.end())},
                  {"data_offsets", {data.size(), data.size() + bytes}}};
    if (bytes) data.append(reinterpret_cast<const char*>(v.data), bytes);
  }
  std::string text = head.dump();
  text.append((8 - text.size() % 8) % 8, ' ');
  std::string out(8, '\0');
  const uint64_t length = text.size();
  std::memcpy(out.data(), &length, 8);
  return out + text + data;
}

ir::Result<TensorRef> readNpy(std::string_view bytes) {
  const auto fail = [](std::string message, int64_t byte) {
    return bad("bad-npy", std::move(message), byte);
  };
  if (!bytes.starts_with("\x93NUMPY") || bytes.size() < 10) return fail("this is no .npy file", 0);
  const int major = bytes[6];
  if (major < 1 || major > 3)
    return fail("version " + std::to_string(major) + " of the format is not known", 6);
  size_t length = 0, start = 10;
  if (major == 1) {
    uint16_t n = 0;
    std::memcpy(&n, bytes.data() + 8, 2);
    length = n;
  } else {
    if (bytes.size() < 12) return fail("the file ends inside its header", 8);
    uint32_t n = 0;
    std::memcpy(&n, bytes.data() + 8, 4);
    length = n;
    start = 12;
  }
  if (length > bytes.size() - start) return fail("the header does not fit into the file", 8);
  const std::string_view head = bytes.substr(start, length), data = bytes.substr(start + length);
  // {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
  const auto after = [&](std::string_view key) {
    const size_t at = head.find(key);
    if (at == std::string_view::npos) return std::string_view();
    std::string_view rest = head.substr(at + key.size());
    rest.remove_prefix(std::min(rest.find_first_not_of(": "), rest.size()));
    return rest;
  };
  std::string_view descr = after("'descr'"), order = after("'fortran_order'"), shape = after("'shape'");
  if (descr.size() < 4 || descr[0] != '\'' || shape.empty() || shape[0] != '(')
    return fail("the header names no plain dtype and shape", static_cast<int64_t>(start));
  descr = descr.substr(1, std::min(descr.find('\'', 1), descr.size()) - 1);
  const bool bigEndian = descr.starts_with('>');
  if (!descr.empty() && std::string_view("<>=|").find(descr[0]) != std::string_view::npos)
    descr.remove_prefix(1);
  const auto known = std::find_if(std::begin(kNames), std::end(kNames),
                                  [&](const DTypeName& d) { return !d.numpy.empty() && d.numpy == descr; });
  if (known == std::end(kNames))
    return bad("unsupported-dtype", "the dtype '" + std::string(descr) + "' is not supported",
               static_cast<int64_t>(start));
  Dims sizes;
  for (size_t i = 1; i < shape.size() && shape[i] != ')';) {
    if (shape[i] == ' ' || shape[i] == ',' || shape[i] == 'L') {
      ++i;
      continue;
    }
    int64_t n = 0;
    const auto [end, error] = std::from_chars(shape.data() + i, shape.data() + shape.size(), n);
    if (error != std::errc())
      return fail("the shape holds something else than sizes", static_cast<int64_t>(start));
    sizes.push_back(n);
    i = static_cast<size_t>(end - shape.data());
  }
  const int64_t item = itemBytes(known->dtype);
  const std::optional<int64_t> n = countOf(sizes, item);
  if (!n || static_cast<uint64_t>(*n * item) > data.size())
    return fail("the file holds fewer bytes than its shape needs", static_cast<int64_t>(start + length));
  Meta m;
  m.dtype = known->dtype;
  m.sizes = sizes.ints();
  m.strides = contiguous(sizes).ints();
  if (order.starts_with("True")) {
    int64_t step = 1;
    for (size_t d = 0; d < sizes.size(); ++d) {
      m.strides[d] = step;
      step *= std::max<int64_t>(sizes[d], 1);
    }
  }
  const TensorRef t = allocate(m);
  std::byte* to = t->storage->data();
  if (*n) std::memcpy(to, data.data(), static_cast<size_t>(*n * item));
  if (bigEndian) {
    const int64_t part = ir::dtypeInfo(known->dtype).complex ? item / 2 : item;
    for (int64_t i = 0; i < *n * item; i += part) std::reverse(to + i, to + i + part);
  }
  return t;
}

std::string npyBytes(const Tensor& tensor) {
  const TensorRef t = copyOf(viewOf(tensor), tensor.meta.dtype);
  const View v = viewOf(*t);
  std::string_view dtype;
  for (const DTypeName& d : kNames)
    if (d.dtype == v.dtype) dtype = d.numpy;
  if (dtype.empty()) unsupportedDType(v.dtype, ".npy");
  std::string head = "{'descr': '" + std::string(itemBytes(v.dtype) == 1 ? "|" : "<") + std::string(dtype) +
                     "', 'fortran_order': False, 'shape': (";
  for (const int64_t s : v.sizes) head += std::to_string(s) + ",";
  head += "), }";
  head.append(63 - (10 + head.size()) % 64, ' ');
  head += '\n';
  std::string out = "\x93NUMPY";
  out += '\1';
  out += '\0';
  const auto length = static_cast<uint16_t>(head.size());
  out.append(reinterpret_cast<const char*>(&length), 2);
  out += head;
  if (v.numel())
    out.append(reinterpret_cast<const char*>(v.data), static_cast<size_t>(v.numel() * itemBytes(v.dtype)));
  return out;
}

}  // namespace descry::runtime

#include "runtime/interpreter/shape_memo.h"

#include <algorithm>
#include <bit>

#include "runtime/core/tensor.h"

namespace descry::runtime {

using ir::eval::Int;
using ir::eval::Ints;
using ir::eval::Meta;
using ir::eval::TensorBase;
using ir::eval::Value;
using ir::eval::Values;
using ir::eval::VKind;

namespace {

/// A list of more is no argument that is asked for often.
constexpr size_t kLongest = 64;
constexpr int kDeepest = 3;

bool plain(const Ints& list) {
  return std::none_of(list.begin(), list.end(), [](const Int& i) { return i.symbolic(); });
}
bool sameMeta(const Meta& a, const Meta& b) {
  return a.dtype == b.dtype && a.layout == b.layout && a.conj == b.conj && a.neg == b.neg &&
         a.wrappedNumber == b.wrappedNumber && a.device == b.device && a.offset.value == b.offset.value &&
         sameNumbers(a.sizes, b.sizes) && sameNumbers(a.strides, b.strides);
}

bool same(const Value& a, const Value& b) {
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case VKind::Tensor:
      return sameMeta(a.meta(), b.meta());
    case VKind::Float:
      return std::bit_cast<uint64_t>(a.rawReal()) == std::bit_cast<uint64_t>(b.rawReal());
    case VKind::Str:
      return a.text() == b.text();
    case VKind::List:
    case VKind::Tuple: {
      const Values &x = a.items(), &y = b.items();
      if (x.size() != y.size()) return false;
      for (size_t i = 0; i < x.size(); ++i)
        if (!same(x[i], y[i])) return false;
      return true;
    }
    default:
      return a.raw() == b.raw();
  }
}

/// The same value with layouts in the place of tensors. False for what is not remembered.
bool layoutsOf(const Value& v, Value& out, int depth = 0) {
  switch (v.kind()) {
    case VKind::Tensor: {
      const Meta& m = v.meta();
      if (!plain(m.sizes) || !plain(m.strides) || m.offset.symbolic()) return false;
      auto t = ir::eval::make<TensorBase>();
      t->meta = m;
      out = Value(t);
      return true;
    }
    case VKind::List:
    case VKind::Tuple: {
      if (depth > kDeepest || v.items().size() > kLongest) return false;
      Values items(v.items().size());
      for (size_t i = 0; i < items.size(); ++i)
        if (!layoutsOf(v.items()[i], items[i], depth + 1)) return false;
      out = Value(std::move(items), v.kind());
      return true;
    }
    case VKind::None:
    case VKind::Bool:
    case VKind::Int:
    case VKind::Float:
    case VKind::Str:
    case VKind::DType:
    case VKind::Device:
    case VKind::Layout:
    case VKind::MemoryFormat:
      if (v.symbolic()) return false;
      out = v;
      return true;
    default:
      return false;
  }
}

void mix(size_t& hash, uint64_t v) {
  hash = (hash ^ static_cast<size_t>(v)) * size_t{0x9E3779B97F4A7C15u};
}
void mix(size_t& hash, const Value& v) {
  mix(hash, static_cast<uint64_t>(v.kind()));
  if (v.isTensor()) {
    for (const Int& n : v.meta().sizes) mix(hash, static_cast<uint64_t>(n.value));
    mix(hash, static_cast<uint64_t>(v.meta().offset.value));
  } else if (v.isList()) {
    for (size_t i = 0; i < v.items().size() && i < 8; ++i)
      mix(hash, v.items()[i].isInt() ? static_cast<uint64_t>(v.items()[i].raw()) : 0);
  } else if (v.isInt()) {
    mix(hash, static_cast<uint64_t>(v.raw()));
  }
}

}  // namespace

size_t ShapeMemo::placeOf(const OpDef& op, const Values& args) {
  size_t hash = 0;
  mix(hash, reinterpret_cast<uintptr_t>(&op));
  for (const Value& v : args) mix(hash, v);
  return (hash >> 20) % kEntries;
}

const Value* ShapeMemo::find(const OpDef& op, const Values& args) const {
  if (entries_.empty()) return nullptr;
  const Entry& e = entries_[placeOf(op, args)];
  if (e.op != &op || e.args.size() != args.size()) return nullptr;
  for (size_t i = 0; i < args.size(); ++i) {
    if (args[i].symbolic() || !same(args[i], e.args[i])) return nullptr;
  }
  return &e.shape;
}

void ShapeMemo::put(const OpDef& op, const Values& args, const Value& shape) {
  Entry e;
  e.op = &op;
  e.args.resize(args.size());
  for (size_t i = 0; i < args.size(); ++i)
    if (!layoutsOf(args[i], e.args[i])) return;
  if (!layoutsOf(shape, e.shape)) return;
  if (entries_.empty()) entries_.resize(kEntries);
  entries_[placeOf(op, args)] = std::move(e);
}

}  // namespace descry::runtime

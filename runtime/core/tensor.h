// Tensors with contents: a layout over memory that views share.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <vector>

#include "ir/ops/eval/value.h"
#include "runtime/core/numbers.h"

namespace descry::ir {
class OpDef;
}

namespace descry::runtime {

using ir::OpDef;
using ir::eval::Int;
using ir::eval::Ints;
using ir::eval::Meta;
using ir::eval::Ref;
using ir::eval::Value;
using ir::eval::Values;
using ir::eval::VKind;

/// Sizes, strides or indices of one tensor. Few enough to stay inside the object.
class Dims {
 public:
  Dims() = default;
  Dims(std::initializer_list<int64_t> v) { assign(v.begin(), v.end()); }
  explicit Dims(const std::vector<int64_t>& v) { assign(v.begin(), v.end()); }
  explicit Dims(const Ints& v);
  Dims(size_t n, int64_t value) { resize(n, value); }
  Dims(const Dims& o) { assign(o.begin(), o.end()); }
  Dims& operator=(const Dims& o) {
    if (this != &o) assign(o.begin(), o.end());
    return *this;
  }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  int64_t* data() { return size_ > kInside ? outside_.get() : inside_; }
  const int64_t* data() const { return size_ > kInside ? outside_.get() : inside_; }
  int64_t* begin() { return data(); }
  int64_t* end() { return data() + size_; }
  const int64_t* begin() const { return data(); }
  const int64_t* end() const { return data() + size_; }
  /// Kernels ask for dimensions that hostile tensors do not have: they throw.
  int64_t& operator[](size_t i) {
    if (i >= size_) refuseDim(i, size_);
    return data()[i];
  }
  int64_t operator[](size_t i) const {
    if (i >= size_) refuseDim(i, size_);
    return data()[i];
  }
  int64_t back() const { return (*this)[size_ - 1]; }
  void resize(size_t n, int64_t value = 0);
  void push_back(int64_t v) {
    resize(size_ + 1);
    data()[size_ - 1] = v;
  }
  template <class It>
  void assign(It first, It last) {
    resize(static_cast<size_t>(last - first));
    std::copy(first, last, data());
  }
  void insert(size_t at, int64_t v);
  void erase(size_t at);
  friend bool operator==(const Dims& a, const Dims& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }
  Ints ints() const { return Ints(begin(), end()); }

 private:
  [[noreturn]] static void refuseDim(size_t i, size_t dims);
  static constexpr size_t kInside = 6;
  size_t size_ = 0;
  int64_t inside_[kInside];
  std::unique_ptr<int64_t[]> outside_;
};
/// The greatest number where the product does not fit.
int64_t productOf(const Dims& d);
Dims contiguous(const Dims& sizes);

/// Memory that tensors share. Contents of fresh storage are not set.
class Storage {
 public:
  /// Throws `out-of-memory` when the cap of the process's allocator would be passed (memory.h).
  explicit Storage(size_t bytes);
  ~Storage();
  Storage(const Storage&) = delete;
  std::byte* data() const { return data_; }
  size_t bytes() const { return bytes_; }
  /// Keeps what fits.
  void resize(size_t bytes);
  /// Stands for memory that belongs to somebody else from now on, who keeps it as long as this is used.
  void borrow(std::byte* data, size_t bytes);

 private:
  std::byte* data_ = nullptr;
  size_t bytes_ = 0, capacity_ = 0;
};
using StorageRef = std::shared_ptr<Storage>;

/// `meta` has plain numbers only.
struct Tensor : ir::eval::TensorBase {
  StorageRef storage;
  uint32_t version = 0;  ///< raised by writes
};
using TensorRef = Ref<Tensor>;

/// Of sizes or strides without symbols.
bool sameNumbers(const Ints& a, const Ints& b);

/// itemBytes where every access asks for it.
constexpr size_t elementBytes(DType dtype) {
  switch (dtype) {
    case DType::C128:
      return 16;
    case DType::F64:
    case DType::I64:
    case DType::U64:
    case DType::C64:
      return 8;
    case DType::F32:
    case DType::I32:
    case DType::U32:
      return 4;
    case DType::F16:
    case DType::BF16:
    case DType::I16:
    case DType::U16:
      return 2;
    case DType::I8:
    case DType::U8:
    case DType::B8:
    case DType::F8E4M3FN:
    case DType::F8E5M2:
    case DType::F8E4M3FNUZ:
    case DType::F8E5M2FNUZ:
      return 1;
    default:
      return 0;
  }
}
/// Whether a kernel for T may run over memory of a dtype: of elements of its size, or of the parts of complex
/// ones.
template <class T>
constexpr bool holdsElementsOf(DType dtype) {
  const size_t bytes = elementBytes(dtype);
  return bytes == sizeof(T) || bytes == 0 ||
         (bytes == 2 * sizeof(T) && (dtype == DType::C64 || dtype == DType::C128));
}
[[noreturn]] void refuseElements(DType dtype);

/// A layout over raw memory, for kernels.
struct View {
  DType dtype = DType::F32;
  std::byte* data = nullptr;  ///< of the first element
  Dims sizes, strides;        ///< strides in elements

  size_t dim() const { return sizes.size(); }
  int64_t numel() const { return productOf(sizes); }
  int64_t size(int64_t d) const {
    return sizes[d < 0 ? static_cast<size_t>(d + static_cast<int64_t>(dim())) : static_cast<size_t>(d)];
  }
  int64_t stride(int64_t d) const {
    return strides[d < 0 ? static_cast<size_t>(d + static_cast<int64_t>(dim())) : static_cast<size_t>(d)];
  }
  bool contiguous() const;
  /// The elements as a kernel for T sees them; throws `type-error` when they are of another size (parts of
  /// complex numbers are floats).
  template <class T>
  T* as() const {
    if (data && !holdsElementsOf<T>(dtype)) refuseElements(dtype);
    return reinterpret_cast<T*>(data);
  }
  /// Fixes one index: a view of one dimension less.
  View select(int64_t dim, int64_t index) const;
  View narrow(int64_t dim, int64_t start, int64_t length) const;
  View permuted(const std::vector<int64_t>& order) const;
  View transposed(int64_t a, int64_t b) const;
  /// The dimension `dim` last.
  View movedToEnd(int64_t dim) const;
  View unsqueezed(int64_t dim) const;
  /// Broadcast to `sizes`; throws `shape-mismatch`.
  View expanded(const Dims& sizes) const;
  /// Other sizes of the same elements; only of a contiguous view.
  View reshaped(const Dims& sizes) const;
};

int64_t itemBytes(DType dtype);
/// Bytes from the first to the last element. Layouts that no memory holds give more than any has.
size_t extentBytes(const Meta& meta);
/// Bytes from the start of the memory to the end of the last element; 0 where there is none.
size_t endBytes(const Meta& meta);
/// Throws `shape-mismatch` when a layout does not lie inside of a memory of this size.
void checkInside(const Meta& meta, size_t bytes);

/// Throws when the layout does not lie inside of its memory: nothing is read or written elsewhere.
View viewOf(const Tensor& t);
/// A fresh tensor of this layout (offset 0); contents are not set. Throws `value-error` for negative sizes.
TensorRef allocate(Meta meta);
TensorRef allocate(const Dims& sizes, DType dtype);
TensorRef allocateZeros(const Dims& sizes, DType dtype);
/// A layout over the memory of `t`.
TensorRef viewInto(const Tensor& t, Meta meta);
/// 0-d, of a number (dtype: that of Python's number unless given).
TensorRef scalarTensor(const Value& number, DType dtype);

/// Element by element with conversion (convertTo); sizes are equal, or src is broadcast. Overlapping memory:
/// as if src were read first.
void copyElements(const View& dst, const View& src);
void fillElements(const View& dst, const Value& number);
/// Zero bits everywhere.
void zeroElements(const View& dst);
/// The elements in order in fresh memory, converted. The tensor itself when it already is so.
TensorRef contiguousOf(const TensorRef& t, DType dtype);
TensorRef contiguousOf(const TensorRef& t);
/// A contiguous copy of a view in fresh memory, converted.
TensorRef copyOf(const View& v, DType dtype);

/// One element as a number: bool, int, float or complex.
Value numberAt(DType dtype, const std::byte* at);
/// Writes a number as an element.
void storeNumber(DType dtype, std::byte* at, const Value& number);

}  // namespace descry::runtime

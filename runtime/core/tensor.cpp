#include "runtime/core/tensor.h"

#include <algorithm>
#include <limits>

#include "ir/ops/eval/promotion.h"
#include "ir/ops/eval/strides.h"
#include "runtime/core/iterate.h"
#include "runtime/core/memory.h"

namespace descry::runtime {

Dims::Dims(const Ints& v) {
  resize(v.size());
  for (size_t i = 0; i < v.size(); ++i) (*this)[i] = v[i].value;
}

void Dims::refuseDim(size_t i, size_t dims) {
  throw EvalError("index-error", "Dimension out of range: a tensor of " + std::to_string(dims) +
                                     " dimensions has none of the number " +
                                     std::to_string(static_cast<int64_t>(i)));
}

void Dims::resize(size_t n, int64_t value) {
  if (n > kInside && size_ <= kInside) {
    auto grown = std::make_unique<int64_t[]>(n);
    std::copy(inside_, inside_ + size_, grown.get());
    outside_ = std::move(grown);
  } else if (n > kInside && n > size_) {
    auto grown = std::make_unique<int64_t[]>(n);
    std::copy(outside_.get(), outside_.get() + size_, grown.get());
    outside_ = std::move(grown);
  } else if (n <= kInside && size_ > kInside) {
    std::copy(outside_.get(), outside_.get() + n, inside_);
    outside_.reset();
  }
  const size_t old = size_;
  size_ = n;
  if (n > old) std::fill(data() + old, data() + n, value);
}

void Dims::insert(size_t at, int64_t v) {
  push_back(v);
  std::rotate(begin() + at, end() - 1, end());
}

void Dims::erase(size_t at) {
  std::copy(begin() + at + 1, end(), begin() + at);
  resize(size_ - 1);
}

int64_t productOf(const Dims& d) {
  int64_t n = 1;
  for (const int64_t s : d) {
    if (s == 0) return 0;
    if (__builtin_mul_overflow(n, s, &n)) n = std::numeric_limits<int64_t>::max();
  }
  return n;
}

Dims contiguous(const Dims& sizes) {
  Dims out(sizes.size(), 1);
  int64_t step = 1;
  for (size_t d = sizes.size(); d-- > 0;) {
    out[d] = step;
    if (__builtin_mul_overflow(step, std::max<int64_t>(sizes[d], 1), &step))
      step = std::numeric_limits<int64_t>::max();
  }
  return out;
}

Storage::Storage(size_t bytes) : bytes_(bytes) {
  if (bytes) data_ = allocateBytes(bytes, capacity_);
}

Storage::~Storage() {
  if (capacity_) releaseBytes(data_, capacity_);
}

void Storage::resize(size_t bytes) {
  if (bytes > capacity_) {
    size_t capacity = 0;
    std::byte* grown = allocateBytes(bytes, capacity);
    if (bytes_) std::memcpy(grown, data_, bytes_);
    if (capacity_) releaseBytes(data_, capacity_);
    data_ = grown;
    capacity_ = capacity;
  }
  bytes_ = bytes;
}

void Storage::borrow(std::byte* data, size_t bytes) {
  if (capacity_) releaseBytes(data_, capacity_);
  data_ = data;
  bytes_ = bytes;
  capacity_ = 0;
}

void refuseElements(DType dtype) {
  throw EvalError("type-error", "a tensor of " + std::string(ir::dtypeInfo(dtype).torchName) +
                                    " stands where another dtype is expected");
}

bool View::contiguous() const {
  int64_t step = 1;
  for (size_t d = dim(); d-- > 0;) {
    if (sizes[d] == 0) return true;
    if (sizes[d] != 1) {
      if (strides[d] != step) return false;
      step *= sizes[d];
    }
  }
  return true;
}

namespace {

size_t wrapped(int64_t d, size_t dim) {
  const auto n = static_cast<int64_t>(dim);
  if (d < -n || d >= n)
    throw EvalError("index-error", "Dimension out of range (expected to be in range of [" +
                                       std::to_string(-n) + ", " + std::to_string(n - 1) + "], but got " +
                                       std::to_string(d) + ")");
  return static_cast<size_t>(d < 0 ? d + n : d);
}

}  // namespace

View View::select(int64_t d, int64_t index) const {
  const size_t at = wrapped(d, dim());
  if (index < 0 || index >= sizes[at])
    throw EvalError("index-error", "select(): index " + std::to_string(index) +
                                       " out of range for a dimension of size " + std::to_string(sizes[at]));
  View v = *this;
  if (data) v.data += index * strides[at] * itemBytes(dtype);
  v.sizes.erase(at);
  v.strides.erase(at);
  return v;
}

View View::narrow(int64_t d, int64_t start, int64_t length) const {
  const size_t at = wrapped(d, dim());
  if (start < 0 || length < 0 || start > sizes[at] - length)
    throw EvalError("index-error", "start (" + std::to_string(start) + ") + length (" +
                                       std::to_string(length) + ") exceeds dimension size (" +
                                       std::to_string(sizes[at]) + ").");
  View v = *this;
  if (length && data) v.data += start * strides[at] * itemBytes(dtype);
  v.sizes[at] = length;
  return v;
}

View View::permuted(const std::vector<int64_t>& order) const {
  if (order.size() != dim())
    throw EvalError("shape-mismatch", "an order of " + std::to_string(order.size()) +
                                          " dimensions for a tensor of " + std::to_string(dim()));
  View v = *this;
  for (size_t i = 0; i < order.size(); ++i) {
    const size_t at = wrapped(order[i], dim());
    v.sizes[i] = sizes[at];
    v.strides[i] = strides[at];
  }
  return v;
}

View View::transposed(int64_t a, int64_t b) const {
  View v = *this;
  std::swap(v.sizes[wrapped(a, dim())], v.sizes[wrapped(b, dim())]);
  std::swap(v.strides[wrapped(a, dim())], v.strides[wrapped(b, dim())]);
  return v;
}

View View::movedToEnd(int64_t d) const {
  if (dim() == 0) return *this;
  const size_t at = wrapped(d, dim());
  View v = *this;
  std::rotate(v.sizes.begin() + at, v.sizes.begin() + at + 1, v.sizes.end());
  std::rotate(v.strides.begin() + at, v.strides.begin() + at + 1, v.strides.end());
  return v;
}

View View::unsqueezed(int64_t d) const {
  const size_t at = wrapped(d, dim() + 1);
  View v = *this;
  v.strides.insert(at, at < dim() ? sizes[at] * strides[at] : 1);
  v.sizes.insert(at, 1);
  return v;
}

View View::expanded(const Dims& to) const {
  View v = *this;
  if (to.size() < dim()) throw EvalError("shape-mismatch", "a tensor is expanded to fewer dimensions");
  v.sizes = to;
  v.strides = Dims(to.size(), 0);
  const size_t ahead = to.size() - dim();
  for (size_t d = 0; d < dim(); ++d) {
    if (sizes[d] == to[ahead + d]) {
      v.strides[ahead + d] = strides[d];
    } else if (sizes[d] != 1) {
      throw EvalError("shape-mismatch", "The size of tensor a (" + std::to_string(to[ahead + d]) +
                                            ") must match the size of tensor b (" + std::to_string(sizes[d]) +
                                            ") at non-singleton dimension " + std::to_string(ahead + d));
    }
  }
  return v;
}

View View::reshaped(const Dims& to) const {
  if (productOf(to) != numel())
    throw EvalError("shape-mismatch", "a tensor of " + std::to_string(numel()) +
                                          " elements has not the sizes of " + std::to_string(productOf(to)));
  View v = *this;
  v.sizes = to;
  v.strides = runtime::contiguous(to);
  return v;
}

int64_t itemBytes(DType dtype) {
  return ir::dtypeInfo(dtype).bits / 8;
}

namespace {

/// More than any memory holds.
constexpr size_t kTooMany = std::numeric_limits<size_t>::max() / 2;

std::string listText(const Ints& ints) {
  std::string s = "[";
  for (const Int& i : ints) s += (s.size() > 1 ? ", " : "") + std::to_string(i.value);
  return s + "]";
}

size_t endFrom(const Meta& m, int64_t offset) {
  if (m.sizes.size() != m.strides.size())
    throw EvalError("value-error", "mismatch in length of strides and shape");
  int64_t last = offset;
  bool tooMany = last < 0;
  for (size_t d = 0; d < m.sizes.size(); ++d) {
    const int64_t size = m.sizes[d].value, stride = m.strides[d].value;
    if (size == 0) return 0;
    int64_t reach = 0;
    tooMany = tooMany || size < 0 || stride < 0 || __builtin_mul_overflow(size - 1, stride, &reach) ||
              __builtin_add_overflow(last, reach, &last);
  }
  int64_t bytes = 0;
  if (tooMany || __builtin_add_overflow(last, 1, &last) ||
      __builtin_mul_overflow(last, itemBytes(m.dtype), &bytes))
    return kTooMany;
  return static_cast<size_t>(bytes);
}

}  // namespace

size_t extentBytes(const Meta& m) {
  return endFrom(m, 0);
}

size_t endBytes(const Meta& m) {
  return endFrom(m, m.offset.value);
}

void checkInside(const Meta& m, size_t bytes) {
  const size_t end = endBytes(m);
  if (end <= bytes) return;
  throw EvalError("shape-mismatch", "setStorage: sizes " + listText(m.sizes) + ", strides " +
                                        listText(m.strides) + ", storage offset " +
                                        std::to_string(m.offset.value) + ", and itemsize " +
                                        std::to_string(itemBytes(m.dtype)) + " requiring a storage size of " +
                                        std::to_string(end) + " are out of bounds for storage of size " +
                                        std::to_string(bytes));
}

View viewOf(const Tensor& t) {
  checkInside(t.meta, t.storage->bytes());
  View v;
  v.dtype = t.meta.dtype;
  v.sizes = Dims(t.meta.sizes);
  v.strides = Dims(t.meta.strides);
  std::byte* data = t.storage->data();
  // An offset behind the end is allowed where there is no element.
  if (data) v.data = v.numel() ? data + t.meta.offset.value * itemBytes(v.dtype) : data;
  return v;
}

TensorRef allocate(Meta meta) {
  for (const Int& s : meta.sizes)
    if (s.value < 0)
      throw EvalError("value-error", "Trying to create tensor with negative dimension " +
                                         std::to_string(s.value) + ": " + listText(meta.sizes));
  for (const Int& s : meta.strides)
    if (s.value < 0)
      throw EvalError("value-error",
                      "a tensor with the negative strides " + listText(meta.strides) + " is asked for");
  auto t = ir::eval::make<Tensor>();
  meta.offset = 0;
  t->storage = std::make_shared<Storage>(extentBytes(meta));
  t->meta = std::move(meta);
  return t;
}

TensorRef allocate(const Dims& sizes, DType dtype) {
  Meta m;
  m.dtype = dtype;
  m.sizes = sizes.ints();
  m.strides = contiguous(sizes).ints();
  return allocate(std::move(m));
}

TensorRef allocateZeros(const Dims& sizes, DType dtype) {
  TensorRef t = allocate(sizes, dtype);
  if (t->storage->bytes()) std::memset(t->storage->data(), 0, t->storage->bytes());
  return t;
}

TensorRef viewInto(const Tensor& t, Meta meta) {
  auto v = ir::eval::make<Tensor>();
  v->storage = t.storage;
  v->meta = std::move(meta);
  return v;
}

TensorRef scalarTensor(const Value& number, DType dtype) {
  TensorRef t = allocate(Dims{}, dtype);
  storeNumber(dtype, t->storage->data(), number);
  return t;
}

Value numberAt(DType dtype, const std::byte* at) {
  return visitAny(dtype, [&]<class T>(TypeTag<T>) -> Value {
    T v;
    std::memcpy(&v, at, sizeof v);
    if constexpr (std::is_same_v<T, bool>)
      return Value::boolean(v);
    else if constexpr (std::is_integral_v<T>)
      return Value(static_cast<int64_t>(v));
    else if constexpr (kIsComplex<T>)
      return Value::complex(static_cast<double>(v.real()), static_cast<double>(v.imag()));
    else
      return Value::real(static_cast<double>(static_cast<Compute<T>>(v)));
  });
}

void storeNumber(DType dtype, std::byte* at, const Value& number) {
  visitAny(dtype, [&]<class T>(TypeTag<T>) {
    T v{};
    switch (number.kind()) {
      case VKind::Bool:
        v = convertTo<T>(number.asBool());
        break;
      case VKind::Int:
        v = convertTo<T>(number.raw());
        break;
      case VKind::Complex:
        v = convertTo<T>(std::complex<double>(number.toReal(), number.imag()));
        break;
      default:
        v = convertTo<T>(number.toReal());
    }
    std::memcpy(at, &v, sizeof v);
  });
}

namespace {

/// First and last byte that a view touches.
std::pair<const std::byte*, const std::byte*> span(const View& v) {
  if (v.numel() == 0) return {v.data, v.data};
  const std::byte *low = v.data, *high = v.data + itemBytes(v.dtype);
  for (size_t d = 0; d < v.dim(); ++d) {
    const int64_t reach = (v.sizes[d] - 1) * v.strides[d] * itemBytes(v.dtype);
    (reach < 0 ? low : high) += reach;
  }
  return {low, high};
}

bool sameLayout(const View& a, const View& b) {
  return a.data == b.data && a.dtype == b.dtype && a.sizes == b.sizes && a.strides == b.strides;
}

template <class To, class From>
void copyRuns(const Iteration& it) {
  const bool dense = it.innerStride(0) == sizeof(To) && it.innerStride(1) == sizeof(From);
  it.forEachRunParallel([dense](std::byte* const* at, const int64_t* step, int64_t n) {
    if constexpr (std::is_same_v<To, From>) {
      if (dense) {
        std::memcpy(at[0], at[1], static_cast<size_t>(n) * sizeof(To));
        return;
      }
    }
    if (dense) {
      To* d = reinterpret_cast<To*>(at[0]);
      const From* s = reinterpret_cast<const From*>(at[1]);
      for (int64_t i = 0; i < n; ++i) d[i] = convertTo<To>(s[i]);
    } else {
      for (int64_t i = 0; i < n; ++i)
        *reinterpret_cast<To*>(at[0] + i * step[0]) =
            convertTo<To>(*reinterpret_cast<const From*>(at[1] + i * step[1]));
    }
  });
}

}  // namespace

void copyElements(const View& dst, const View& src) {
  if (dst.numel() == 0) {
    (void)src.expanded(dst.sizes);
    return;
  }
  if (sameLayout(dst, src)) return;
  const auto [dLow, dHigh] = span(dst);
  const auto [sLow, sHigh] = span(src);
  if (src.numel() && dLow < sHigh && sLow < dHigh) {
    const TensorRef apart = copyOf(src, src.dtype);
    copyElements(dst, viewOf(*apart));
    return;
  }
  const Iteration it{dst, src};
  if (dst.dtype == src.dtype) {
    switch (itemBytes(dst.dtype)) {
      case 1:
        return copyRuns<uint8_t, uint8_t>(it);
      case 2:
        return copyRuns<uint16_t, uint16_t>(it);
      case 4:
        return copyRuns<uint32_t, uint32_t>(it);
      case 8:
        return copyRuns<uint64_t, uint64_t>(it);
      default:
        return copyRuns<std::complex<double>, std::complex<double>>(it);
    }
  }
  visitAny(dst.dtype, [&]<class To>(TypeTag<To>) {
    visitAny(src.dtype, [&]<class From>(TypeTag<From>) { copyRuns<To, From>(it); });
  });
}

void fillElements(const View& dst, const Value& number) {
  std::byte one[16];
  storeNumber(dst.dtype, one, number);
  const auto fill = [&]<class T>(TypeTag<T>) {
    T v;
    std::memcpy(&v, one, sizeof v);
    forEachParallel<T>([v](T& x) { x = v; }, dst);
  };
  switch (itemBytes(dst.dtype)) {
    case 1:
      return fill(TypeTag<uint8_t>{});
    case 2:
      return fill(TypeTag<uint16_t>{});
    case 4:
      return fill(TypeTag<uint32_t>{});
    case 8:
      return fill(TypeTag<uint64_t>{});
    default:
      return fill(TypeTag<std::complex<double>>{});
  }
}

void zeroElements(const View& dst) {
  if (dst.numel() && dst.contiguous())
    std::memset(dst.data, 0, static_cast<size_t>(dst.numel() * itemBytes(dst.dtype)));
  else
    fillElements(dst, Value(0));
}

TensorRef copyOf(const View& v, DType dtype) {
  TensorRef t = allocate(v.sizes, dtype);
  copyElements(viewOf(*t), v);
  return t;
}

TensorRef contiguousOf(const TensorRef& t, DType dtype) {
  const View v = viewOf(*t);
  if (v.dtype == dtype && v.contiguous()) return t;
  return copyOf(v, dtype);
}

TensorRef contiguousOf(const TensorRef& t) {
  return contiguousOf(t, t->meta.dtype);
}

bool sameNumbers(const Ints& a, const Ints& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(),
                                            [](const Int& x, const Int& y) { return x.value == y.value; });
}

}  // namespace descry::runtime

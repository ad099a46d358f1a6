// Indexing by tensors and masks, and search in sorted sequences.
#include "runtime/interpreter/kernels/element_support.h"

namespace descry::runtime {
namespace {

using ir::eval::contiguousStrides;

// ---- where the elements are that indices choose

/// The places of elements that are not zero, in order: one list of indices for each dimension.
std::vector<TensorRef> placesOfTrue(const View& mask) {
  const TensorRef dense = copyOf(mask, DType::B8);
  const bool* on = viewOf(*dense).as<bool>();
  const int64_t n = mask.numel();
  const int64_t count = std::count(on, on + n, true);
  std::vector<TensorRef> out;
  std::vector<int64_t*> at;
  for (size_t d = 0; d < mask.dim(); ++d) {
    out.push_back(allocate(Dims{count}, DType::I64));
    at.push_back(viewOf(*out.back()).as<int64_t>());
  }
  Dims index(mask.dim(), 0);
  int64_t found = 0;
  for (int64_t i = 0; i < n; ++i) {
    if (on[i]) {
      for (size_t d = 0; d < at.size(); ++d) at[d][found] = index[d];
      ++found;
    }
    for (size_t d = mask.dim(); d-- > 0;) {
      if (++index[d] < mask.sizes[d]) break;
      index[d] = 0;
    }
  }
  return out;
}

/// The entries of an index list, one for each dimension (null: all of it); masks become the places where they
/// are true.
std::vector<TensorRef> expandedIndices(Call& c, const View& self) {
  std::vector<TensorRef> out;
  for (const TensorRef& t : c.tensors("indices")) {
    if (!t || (t->meta.dtype != DType::B8 && t->meta.dtype != DType::U8)) {
      out.push_back(t);
      continue;
    }
    const View mask = viewOf(*t);
    for (size_t d = 0; d < mask.dim(); ++d)
      if (out.size() + d >= self.dim() || mask.sizes[d] != self.sizes[out.size() + d])
        throw EvalError("index-error",
                        "The shape of the mask " + sizesText(mask.sizes) + " at index " + std::to_string(d) +
                            " does not match the shape of the indexed tensor " + sizesText(self.sizes) +
                            " at index " + std::to_string(out.size() + d));
    for (TensorRef& places : placesOfTrue(mask)) out.push_back(std::move(places));
  }
  if (out.size() > self.dim())
    throw EvalError("index-error", "too many indices for tensor of dimension " + std::to_string(self.dim()) +
                                       " (got " + std::to_string(out.size()) + ")");
  return out;
}

/// What an index list means for a tensor.
struct Places {
  View offsets;      ///< in elements, for each combination of the indices; its sizes are those that they
                     ///< broadcast to
  View rest;         ///< the dimensions without indices, at index 0 of the others
  size_t front = 0;  ///< the dimensions of `rest` that stand before those of the indices in the result
  Dims resultSizes() const {
    Dims sizes;
    for (size_t d = 0; d < front; ++d) sizes.push_back(rest.sizes[d]);
    for (const int64_t s : offsets.sizes) sizes.push_back(s);
    for (size_t d = front; d < rest.dim(); ++d) sizes.push_back(rest.sizes[d]);
    return sizes;
  }
  /// A view over all dimensions of the result that moves with `rest` alone, or with the offsets alone.
  View restOverResult() const { return spread(rest, true); }
  View offsetsOverResult() const { return spread(offsets, false); }

 private:
  View spread(const View& v, bool ofRest) const {
    View out = v;
    out.sizes = resultSizes();
    out.strides = Dims(out.sizes.size(), 0);
    for (size_t d = 0; d < v.dim(); ++d) {
      const size_t at = !ofRest ? front + d : d < front ? d : d + offsets.dim();
      out.strides[at] = v.strides[d];
    }
    return out;
  }
};

Places placesOf(Call& c, const View& self, const std::vector<TensorRef>& indices) {
  Places p;
  std::vector<View> views;
  std::vector<size_t> dims;
  Ints sizes;
  for (size_t d = 0; d < indices.size(); ++d) {
    if (!indices[d]) continue;
    views.push_back(indexView(c, indices[d]));
    dims.push_back(d);
    try {
      sizes = dims.size() == 1 ? views.back().sizes.ints()
                               : ir::eval::broadcastSizes(sizes, views.back().sizes.ints());
    } catch (const EvalError&) {
      std::string all;
      for (const TensorRef& t : indices)
        if (t) all += (all.empty() ? "" : ", ") + sizesText(Dims(t->meta.sizes));
      throw EvalError("index-error",
                      "shape mismatch: indexing tensors could not be broadcast together with shapes " + all);
    }
  }
  p.offsets = c.scratchZeros(Dims(sizes), DType::I64);
  for (size_t k = 0; k < views.size(); ++k) {
    const Bounds bounds{self.sizes[dims[k]], static_cast<int64_t>(dims[k]), true};
    const int64_t stride = self.strides[dims[k]];
    forEachParallel<int64_t, int64_t>(
        [bounds, stride](int64_t& offset, const int64_t& i) { offset += bounds(i) * stride; }, p.offsets,
        views[k]);
  }
  p.rest = self;
  for (size_t k = dims.size(); k-- > 0;) {
    p.rest.sizes.erase(dims[k]);
    p.rest.strides.erase(dims[k]);
  }
  // Neighbouring dimensions are replaced where they are; others move to the front.
  if (!dims.empty() && dims.back() - dims.front() + 1 == dims.size()) p.front = dims.front();
  return p;
}

Value index(Call& c) {
  const View self = c.hold(c.tensor("self"));
  const std::vector<TensorRef> indices = expandedIndices(c, self);
  if (std::none_of(indices.begin(), indices.end(), [](const TensorRef& t) { return static_cast<bool>(t); }))
    return Value(cloneOf(c.tensor("self")));
  Values args = argumentsOf(c);
  Values list;
  for (const TensorRef& t : indices) list.push_back(Value(t));
  args[c.at("indices")] = Value(std::move(list));
  Meta m = c.machine().rules().shape(c.op(), args).meta();
  m.wrappedNumber = m.conj = m.neg = false;
  const TensorRef made = allocate(std::move(m));
  const Places places = placesOf(c, self, indices);
  const View out = viewOf(*made);
  if (out.numel()) readAt(out, places.restOverResult(), places.offsetsOverResult());
  return Value(made);
}

/// One after the other in the order of the indices, so that the last of several for one place stays.
template <class T, class F>
void writeAt(const Places& p, const View& values, F&& combine) {
  // The values at index 0 of the index dimensions, and how far behind they are for others.
  View heads = values;
  std::vector<int64_t> behind(static_cast<size_t>(p.offsets.numel()), 0);
  const size_t ahead = p.front, many = p.offsets.dim();
  Dims index(many, 0);
  int64_t offset = 0;
  for (int64_t& b : behind) {
    b = offset;
    for (size_t d = many; d-- > 0;) {
      offset += values.strides[ahead + d];
      if (++index[d] < p.offsets.sizes[d]) break;
      offset -= index[d] * values.strides[ahead + d];
      index[d] = 0;
    }
  }
  for (size_t d = many; d-- > 0;) {
    heads.sizes.erase(ahead + d);
    heads.strides.erase(ahead + d);
  }
  const int64_t* to = p.offsets.as<int64_t>();
  const auto count = static_cast<int64_t>(behind.size());
  const Iteration it{p.rest, heads};
  it.forEachRunParallel(
      [&](std::byte* const* at, const int64_t* step, int64_t n) {
        for (int64_t k = 0; k < count; ++k) {
          std::byte* dst = at[0] + to[k] * static_cast<int64_t>(sizeof(T));
          const std::byte* src = at[1] + behind[static_cast<size_t>(k)] * static_cast<int64_t>(sizeof(T));
          for (int64_t i = 0; i < n; ++i)
            combine(*reinterpret_cast<T*>(dst + i * step[0]), *reinterpret_cast<const T*>(src + i * step[1]));
        }
      },
      lineGrain(count));
}

void put(Call& c, const View& self) {
  const std::vector<TensorRef> indices = expandedIndices(c, self);
  const TensorRef given = c.tensor("values");
  if (given->meta.dtype != self.dtype)
    throw EvalError("type-error", "Index put requires the source and destination dtypes match, got " +
                                      std::string(scalarTypeName(self.dtype)) + " for the destination and " +
                                      std::string(scalarTypeName(given->meta.dtype)) + " for the source.");
  View values = readBeside(c, given);
  const bool adds = c.flag("accumulate");
  const Places places = placesOf(c, self, indices);
  const Dims sizes = places.resultSizes();
  try {
    values = values.expanded(sizes);
  } catch (const EvalError&) {
    throw EvalError("shape-mismatch",
                    "shape mismatch: value tensor of shape " + sizesText(viewOf(*given).sizes) +
                        " cannot be broadcast to indexing result of shape " + sizesText(sizes));
  }
  if (values.numel() == 0) return;
  if (adds)
    visitAny(self.dtype, [&]<class T>(TypeTag<T>) {
      writeAt<T>(places, values, [](T& a, const T& b) { a = plus(a, b); });
    });
  else
    visitBytes(self.dtype,
               [&]<class T>(TypeTag<T>) { writeAt<T>(places, values, [](T& a, const T& b) { a = b; }); });
}

// ---- along one dimension, or over all elements

void indexSelect(Call& c) {
  View self = c.view(0), out = c.out();
  const int64_t dim = wrappedDim(c.integer("dim"), self.dim());
  self = atLeastOneDim(self);
  out = atLeastOneDim(out);
  const View index = indexView(c, c.tensor("index"));
  if (index.dim() > 1) throw EvalError("index-error", "index_select(): Index is supposed to be a vector");
  if (c.out().dim() == 0 && index.numel() != 1)
    throw EvalError("index-error", "index_select(): Index to scalar can have only 1 value, got " +
                                       std::to_string(index.numel()) + " value(s)");
  const Bounds bounds{self.size(dim), dim, false, "index out of range in self"};
  View offsets = c.scratch({index.numel()}, DType::I64);
  const int64_t stride = self.stride(dim);
  forEach<int64_t, int64_t>([&](int64_t& offset, const int64_t& i) { offset = bounds(i) * stride; }, offsets,
                            atLeastOneDim(index));
  if (out.numel() == 0) return;
  const int64_t step = offsets.strides[0];
  offsets.strides = Dims(out.dim(), 0);
  offsets.strides[static_cast<size_t>(dim)] = step;
  offsets.sizes = self.sizes = out.sizes;
  self.strides[static_cast<size_t>(dim)] = 0;
  readAt(out, self, offsets);
}

[[noreturn]] void refusePlace(int64_t i, int64_t n) {
  throw EvalError("index-error", "out of range: tried to access index " + std::to_string(i) +
                                     " on a tensor of " + std::to_string(n) + " elements.");
}
int64_t placeAmong(int64_t i, int64_t n) {
  if (i < -n || i >= n) refusePlace(i, n);
  return i < 0 ? i + n : i;
}

void take(Call& c) {
  const View self = c.dense("self"), index = indexView(c, c.tensor("index"));
  const int64_t n = self.numel();
  if (n == 0 && index.numel()) throw EvalError("index-error", "take(): tried to take from an empty tensor");
  visitBytes(self.dtype, [&]<class T>(TypeTag<T>) {
    const T* from = self.as<T>();
    forEachParallel<T, int64_t>([from, n](T& out, const int64_t& i) { out = from[placeAmong(i, n)]; },
                                c.out(), index);
  });
}

void putElements(Call& c, const View& self) {
  const View index = c.hold(contiguousOf(c.tensor("index"), DType::I64));
  const View source = c.hold(contiguousOf(c.tensor("source")));
  if (source.dtype != self.dtype)
    throw EvalError("type-error",
                    "put_(): self and source expected to have the same dtype, but got self.dtype = " +
                        std::string(scalarTypeName(self.dtype)) +
                        " and source.dtype = " + std::string(scalarTypeName(source.dtype)));
  if (source.numel() != index.numel())
    throw EvalError(
        "shape-mismatch",
        "put_(): Expected source and index to have the same number of elements, but got source.numel() = " +
            std::to_string(source.numel()) + ", index.numel() = " + std::to_string(index.numel()));
  const bool adds = c.flag("accumulate");
  const int64_t n = self.numel();
  const bool direct = self.contiguous();
  const View to = direct ? self : c.hold(copyOf(self, self.dtype));
  visitAny(self.dtype, [&]<class T>(TypeTag<T>) {
    T* at = to.as<T>();
    const T* from = source.as<T>();
    const int64_t* places = index.as<int64_t>();
    for (int64_t i = 0; i < index.numel(); ++i) {
      T& place = at[placeAmong(places[i], n)];
      place = adds ? plus(place, from[i]) : from[i];
    }
  });
  if (!direct) copyElements(self, to);
}

// ---- masks

/// Both broadcast against each other, in order in memory.
std::pair<View, View> withMask(Call& c, const TensorRef& self, const TensorRef& mask) {
  if (mask->meta.dtype != DType::B8 && mask->meta.dtype != DType::U8)
    throw EvalError("type-error", c.op().target() + ": expected BoolTensor or ByteTensor for mask");
  const Dims sizes(ir::eval::broadcastSizes(self->meta.sizes, mask->meta.sizes));
  return {c.hold(copyOf(viewOf(*self).expanded(sizes), self->meta.dtype)),
          c.hold(copyOf(viewOf(*mask).expanded(sizes), DType::B8))};
}

TensorRef selectByMask(Call& c, const TensorRef& self, const TensorRef& mask) {
  const auto pair = withMask(c, self, mask);
  const View from = pair.first;
  const bool* on = pair.second.as<bool>();
  const int64_t n = from.numel();
  const TensorRef made = allocate(Dims{std::count(on, on + n, true)}, from.dtype);
  visitBytes(from.dtype, [&]<class T>(TypeTag<T>) {
    T* to = viewOf(*made).as<T>();
    const T* at = from.as<T>();
    for (int64_t i = 0; i < n; ++i)
      if (on[i]) *to++ = at[i];
  });
  return made;
}

Value maskedSelect(Call& c) {
  return Value(selectByMask(c, c.tensor("self"), c.tensor("mask")));
}

void maskedScatter(Call& c) {
  const View out = c.denseOut();
  const auto pair = withMask(c, c.tensor("self"), c.tensor("mask"));
  const View source = c.dense("source");
  if (source.dtype != out.dtype)
    throw EvalError("type-error", "masked_scatter_: expected self and source to have same dtypes but got " +
                                      std::string(scalarTypeName(out.dtype)) + " and " +
                                      std::string(scalarTypeName(source.dtype)));
  const int64_t n = out.numel(), many = source.numel();
  const bool* on = pair.second.as<bool>();
  visitBytes(out.dtype, [&]<class T>(TypeTag<T>) {
    T* to = out.as<T>();
    const T *self = pair.first.as<T>(), *from = source.as<T>();
    int64_t used = 0;
    for (int64_t i = 0; i < n; ++i) {
      if (on[i] && used == many)
        throw EvalError(
            "value-error",
            "masked_scatter: expected self and mask to have the same number of elements as source, Number "
            "of elements of source < number of ones in mask");
      to[i] = on[i] ? from[used++] : self[i];
    }
  });
}

/// The gradient of `source`: what was taken from it, then zeros.
void maskedScatterBackward(Call& c) {
  const View out = c.denseOut();
  zeroElements(out);
  const TensorRef chosen = selectByMask(c, c.tensor("grad_output"), c.tensor("mask"));
  const View from = viewOf(*chosen);
  if (from.numel() > out.numel())
    throw EvalError("shape-mismatch",
                    "masked_scatter_backward: more elements are chosen than the source has");
  const View flat = out.reshaped({out.numel()});
  copyElements(flat.narrow(0, 0, from.numel()), from);
}

/// Rows of indices of what is not zero.
Value nonzero(Call& c) {
  const View self = c.view(0);
  const std::vector<TensorRef> places = placesOfTrue(self);
  int64_t count = self.dim() ? viewOf(*places[0]).numel() : 0;
  if (self.dim() == 0) count = numberAt(self.dtype, self.data).truthy() ? 1 : 0;
  const bool fixed = c.knows("size");
  const int64_t rows = fixed ? c.integer("size") : count;
  if (rows < 0) throw EvalError("value-error", "nonzero_static: 'size' must be an non-negative integer");
  // How many there are is known after the places of each dimension: these lie side by side.
  Meta m;
  m.dtype = DType::I64;
  m.sizes = {rows, static_cast<int64_t>(self.dim())};
  m.strides = fixed ? contiguousStrides(m.sizes) : Ints{1, std::max<int64_t>(rows, 1)};
  const TensorRef made = allocate(std::move(m));
  const View out = viewOf(*made);
  count = std::min(count, rows);
  for (size_t d = 0; d < self.dim(); ++d) {
    const View column = out.select(1, static_cast<int64_t>(d));
    copyElements(column.narrow(0, 0, count), viewOf(*places[d]).narrow(0, 0, count));
    if (rows > count)
      fillElements(column.narrow(0, count, rows - count), Value(fixed ? c.integer("fill_value") : 0));
  }
  return Value(made);
}

// ---- search

/// How many elements of a sorted row come before a value (right: or are equal to it).
template <class T>
int64_t placeIn(const T* row, const int64_t* order, int64_t n, T value, bool right) {
  int64_t low = 0;
  while (low < n) {
    const int64_t middle = low + (n - low) / 2;
    const Compute<T> x = order ? row[order[middle]] : row[middle], v = value;
    // NaN is the largest number: it is never before a value.
    if (right ? !(x > v) : !(x >= v))
      low = middle + 1;
    else
      n = middle;
  }
  return low;
}

void search(Call& c, const TensorRef& sorted, const TensorRef& values, bool right, const TensorRef& sorter) {
  const Dims rows(sorted->meta.sizes), sizes(values->meta.sizes);
  const bool one = rows.size() == 1;
  if (rows.empty())
    throw EvalError("value-error", "boundaries tensor should have positive dimension, but got 0 dimension");
  bool fits = one || rows.size() == sizes.size();
  for (size_t d = 0; !one && fits && d + 1 < rows.size(); ++d) fits = rows[d] == sizes[d];
  if (!fits)
    throw EvalError(
        "shape-mismatch",
        "torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 dimensions of "
        "boundaries tensor and input value tensor must match, but we got boundaries tensor " +
            sizesText(rows) + " and input value tensor " + sizesText(sizes));
  const DType dtype = sorted->meta.dtype;
  if (values->meta.dtype != dtype && !sizes.empty())
    throw EvalError(
        "type-error",
        "torch.searchsorted(): boundary tensor and input value tensor should have same dtype, but got "
        "boundary tensor dtype " +
            std::string(scalarTypeName(dtype)) + " and input value tensor dtype " +
            std::string(scalarTypeName(values->meta.dtype)));
  // A single value may be of another dtype; then the wider one counts.
  const DType computed = values->meta.dtype == dtype ? dtype : DType::F64;
  const View row = c.hold(contiguousOf(sorted, computed)), value = c.hold(contiguousOf(values, computed));
  const int64_t length = rows.back(), many = one ? value.numel() : sizes.back();
  const int64_t* order = nullptr;
  if (sorter) {
    if (!(Dims(sorter->meta.sizes) == rows))
      throw EvalError(
          "shape-mismatch",
          "torch.searchsorted(): boundary and sorter must have the same size, but got boundary tensor " +
              sizesText(rows) + "and got sorter tensor " + sizesText(Dims(sorter->meta.sizes)));
    const View o = c.hold(contiguousOf(sorter, DType::I64));
    order = o.as<int64_t>();
    for (int64_t i = 0; i < o.numel(); ++i)
      if (order[i] < 0 || order[i] >= length)
        throw EvalError("index-error", "torch.searchsorted(): sorter index out of range");
  }
  const View out = c.denseOut(0, DType::I64);
  int64_t* to = out.as<int64_t>();
  visitReal(computed, [&]<class T>(TypeTag<T>) {
    const T *in = row.as<T>(), *wanted = value.as<T>();
    parallelFor(0, value.numel(), 512, [&](int64_t from, int64_t end) {
      for (int64_t i = from; i < end; ++i) {
        const int64_t start = one || many == 0 ? 0 : i / many * length;
        to[i] = placeIn(in + start, order ? order + start : nullptr, length, wanted[i], right);
      }
    });
  });
}

void searchsorted(Call& c) {
  bool right = c.flag("right");
  if (c.given("side")) {
    const std::string& side = c.text("side");
    if (side != "left" && side != "right")
      throw EvalError("value-error",
                      "torch.searchsorted(): side can only be 'left' or 'right' but got " + side);
    if (right && side == "left")
      throw EvalError("value-error",
                      "torch.searchsorted(): side and right can't be set to opposites, got side of left "
                      "while right was True");
    right = side == "right";
  }
  search(c, c.tensor("sorted_sequence"), c.tensor("self"), right,
         c.given("sorter") ? c.tensor("sorter") : TensorRef());
}

void bucketize(Call& c) {
  const TensorRef boundaries = c.tensor("boundaries");
  if (boundaries->meta.dim() != 1)
    throw EvalError("value-error", "boundaries tensor must be 1 dimension, but got dim(" +
                                       std::to_string(boundaries->meta.dim()) + ")");
  search(c, boundaries, c.tensor("self"), c.flag("right"), {});
}

}  // namespace

void addIndexingKernels(KernelTable& table) {
  table.make("aten.index.Tensor aten._unsafe_index.Tensor", index);
  table.fill("aten.index_put.default aten._index_put_impl.default aten._unsafe_index_put.default",
             onCopy<put>);
  table.make("aten.index_put_.default aten._index_put_impl_.default prims._unsafe_index_put_.default",
             inPlace<put>);
  table.fill("aten.index_select.default", indexSelect);
  table.fill("aten.take.default", take);
  table.fill("aten.put.default", onCopy<putElements>);
  table.make("aten.put_.default", inPlace<putElements>);
  table.make("aten.masked_select.default", maskedSelect);
  table.fill("aten.masked_scatter.default", maskedScatter);
  table.fill("aten.masked_scatter_backward.default", maskedScatterBackward);
  table.make("aten.nonzero.default aten.nonzero_static.default", nonzero);
  table.fill("aten.searchsorted.Tensor aten.searchsorted.Scalar", searchsorted);
  table.fill("aten.bucketize.Tensor aten.bucketize.Scalar", bucketize);
}

}  // namespace descry::runtime

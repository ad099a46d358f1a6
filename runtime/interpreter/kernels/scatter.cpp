// Gather and scatter along one dimension.
#include "runtime/interpreter/kernels/element_support.h"

namespace descry::runtime {
namespace {

/// Elements of `self` as far as an index tensor reaches in the dimensions other than `dim`.
View reached(View v, const View& index, int64_t dim) {
  for (size_t d = 0; d < v.dim(); ++d)
    if (static_cast<int64_t>(d) != dim) v.sizes[d] = index.sizes[d];
  return v;
}

void checkIndex(const View& self, const View& index, const View* src, int64_t dim, std::string_view op) {
  if (index.dim() != self.dim())
    throw EvalError("shape-mismatch", "Index tensor must have the same number of dimensions as " +
                                          std::string(op == "gather" ? "input" : "self") + " tensor");
  if (src && src->dim() != index.dim())
    throw EvalError("shape-mismatch", "Index tensor must have the same number of dimensions as src tensor");
  bool fits = true;
  for (size_t d = 0; d < index.dim(); ++d) {
    if (static_cast<int64_t>(d) != dim) fits = fits && index.sizes[d] <= self.sizes[d];
    if (src) fits = fits && index.sizes[d] <= src->sizes[d];
  }
  if (fits) return;
  if (op == "gather")
    throw EvalError("shape-mismatch", "Size does not match at dimension of index " + sizesText(index.sizes) +
                                          " and input " + sizesText(self.sizes) + " apart from dimension " +
                                          std::to_string(dim));
  throw EvalError("shape-mismatch",
                  "Expected index " + sizesText(index.sizes) + " to be no larger than self " +
                      sizesText(self.sizes) + " apart from dimension " + std::to_string(dim) +
                      (src ? " and to be no larger than src " + sizesText(src->sizes) : ""));
}

void gather(Call& c) {
  const View index = atLeastOneDim(indexView(c, c.tensor("index")));
  View self = c.view("self");
  const int64_t dim = wrappedDim(c.integer("dim"), self.dim());
  self = atLeastOneDim(self);
  if (index.numel() == 0) return;
  checkIndex(self, index, nullptr, dim, "gather");
  const Bounds bounds{self.size(dim), dim};
  const int64_t stride = self.stride(dim);
  View heads = reached(self, index, dim);
  heads.sizes[static_cast<size_t>(dim)] = index.size(dim);
  heads.strides[static_cast<size_t>(dim)] = 0;
  visitBytes(self.dtype, [&]<class T>(TypeTag<T>) {
    forEachParallel<T, T, int64_t>(
        [bounds, stride](T& out, const T& head, const int64_t& i) { out = *(&head + bounds(i) * stride); },
        atLeastOneDim(c.out()), heads, index);
  });
}

// What happens to an element that is scattered to.
struct Assign {
  template <class T>
  void operator()(T& a, const T& b) const {
    a = b;
  }
};
struct Add {
  template <class T>
  void operator()(T& a, const T& b) const {
    a = plus(a, b);
  }
};
struct Multiply {
  template <class T>
  void operator()(T& a, const T& b) const {
    a = times(a, b);
  }
};
struct Greatest {
  template <class T>
  void operator()(T& a, const T& b) const {
    if (isNanValue(b) || (!isNanValue(a) && lessThan(a, b))) a = b;
  }
};
struct Least {
  template <class T>
  void operator()(T& a, const T& b) const {
    if (isNanValue(b) || (!isNanValue(a) && lessThan(b, a))) a = b;
  }
};

/// combine(self at index, src), in order along `dim`, for all lines at once; lines do not meet.
template <class T, class F>
void scatterLines(const View& self, const View& index, const View& src, const Bounds& bounds,
                  const F& combine) {
  if (index.numel() == 0) return;
  const int64_t dim = bounds.dim, length = index.size(dim);
  const int64_t to = self.stride(dim), by = index.stride(dim), from = src.stride(dim);
  const View heads = reached(self, index, dim).select(dim, 0);
  const Iteration it{heads, index.select(dim, 0), reached(src, index, dim).select(dim, 0)};
  it.forEachRunParallel(
      [&](std::byte* const* at, const int64_t* step, int64_t n) {
        for (int64_t j = 0; j < length; ++j)
          for (int64_t i = 0; i < n; ++i) {
            const int64_t place = bounds(*(reinterpret_cast<const int64_t*>(at[1] + i * step[1]) + j * by));
            combine(*(reinterpret_cast<T*>(at[0] + i * step[0]) + place * to),
                    *(reinterpret_cast<const T*>(at[2] + i * step[2]) + j * from));
          }
      },
      lineGrain(length));
}

/// One number in the place of a source.
View everywhere(Call& c, const Value& number, DType dtype, const Dims& sizes) {
  return c.hold(scalarTensor(plainNumber(number), dtype)).expanded(sizes);
}

enum class Reduce { Assign, Sum, Product, Mean, Greatest, Least };

Reduce reduceOf(std::string_view name, std::string_view op) {
  if (name == "sum" || name == "add") return Reduce::Sum;
  if (name == "prod" || name == "multiply") return Reduce::Product;
  if (name == "mean") return Reduce::Mean;
  if (name == "amax") return Reduce::Greatest;
  if (name == "amin") return Reduce::Least;
  throw EvalError("value-error", std::string(op) + ": reduce argument must be one of its names, but got " +
                                     std::string(name));
}

/// What changes nothing when it is reduced with.
Value identityOf(Reduce r, DType dtype) {
  const ir::DTypeInfo& info = ir::dtypeInfo(dtype);
  switch (r) {
    case Reduce::Product:
      return Value(1);
    case Reduce::Greatest:
    case Reduce::Least:
      if (info.floating) return Value::real(r == Reduce::Greatest ? -INFINITY : INFINITY);
      return visitReal(dtype, [&]<class T>(TypeTag<T>) -> Value {
        if constexpr (std::is_integral_v<T>)
          return Value(static_cast<int64_t>(r == Reduce::Greatest ? std::numeric_limits<T>::lowest()
                                                                  : std::numeric_limits<T>::max()));
        else
          return Value(0);
      });
    default:
      return Value(0);
  }
}

void scatterBy(Reduce r, const View& self, const View& index, const View& src, const Bounds& bounds) {
  switch (r) {
    case Reduce::Assign:
      return visitBytes(self.dtype,
                        [&]<class T>(TypeTag<T>) { scatterLines<T>(self, index, src, bounds, Assign{}); });
    case Reduce::Sum:
    case Reduce::Mean:
      return visitAny(self.dtype,
                      [&]<class T>(TypeTag<T>) { scatterLines<T>(self, index, src, bounds, Add{}); });
    case Reduce::Product:
      return visitAny(self.dtype,
                      [&]<class T>(TypeTag<T>) { scatterLines<T>(self, index, src, bounds, Multiply{}); });
    case Reduce::Greatest:
      return visitReal(self.dtype,
                       [&]<class T>(TypeTag<T>) { scatterLines<T>(self, index, src, bounds, Greatest{}); });
    case Reduce::Least:
      return visitReal(self.dtype,
                       [&]<class T>(TypeTag<T>) { scatterLines<T>(self, index, src, bounds, Least{}); });
  }
}

/// Scatters with the value that `self` has at first as one of those reduced, or not.
void reduceInto(Call& c, Reduce r, const View& self, const View& index, const View& src, const Bounds& bounds,
                bool includeSelf) {
  if (index.numel() == 0) return;
  if (!includeSelf)
    scatterBy(Reduce::Assign, self, index, everywhere(c, identityOf(r, self.dtype), self.dtype, index.sizes),
              bounds);
  scatterBy(r, self, index, src, bounds);
  if (r != Reduce::Mean) return;
  const View counts = c.scratch(self.sizes, DType::I64);
  fillElements(counts, Value(includeSelf ? 1 : 0));
  scatterBy(Reduce::Sum, counts, index, everywhere(c, Value(1), DType::I64, index.sizes), bounds);
  visitCommon(self.dtype, [&]<class T>(TypeTag<T>) {
    forEachParallel<T, int64_t>(
        [](T& x, const int64_t& n) {
          if (n < 2) return;
          if constexpr (std::is_same_v<T, bool>) {
            x = false;
          } else if constexpr (std::is_integral_v<T>) {
            const auto v = static_cast<int64_t>(x);
            x = static_cast<T>(v / n - (v % n < 0 ? 1 : 0));
          } else {
            x = T(static_cast<Compute<T>>(x) / convertTo<Compute<T>>(n));
          }
        },
        self, counts);
  });
}

void sameDType(const View& self, const View& src, std::string_view op) {
  if (self.dtype != src.dtype)
    throw EvalError("type-error", std::string(op) + "(): Expected self.dtype to be equal to src.dtype");
}

void scatter(Call& c, const View& target) {
  const View self = atLeastOneDim(target);
  const View index = atLeastOneDim(readBeside(c, c.tensor("index")->meta.dtype == DType::I64
                                                     ? c.tensor("index")
                                                     : copyOf(indexView(c, c.tensor("index")), DType::I64)));
  const int64_t dim = wrappedDim(c.integer("dim"), target.dim());
  const std::string name(c.op().name().substr(0, c.op().name().find_last_not_of('_') + 1));
  if (index.numel() == 0) return;
  View src;
  if (c.knows("src")) {
    src = atLeastOneDim(readBeside(c, "src"));
    sameDType(self, src, name);
    checkIndex(self, index, &src, dim, name);
  } else {
    checkIndex(self, index, nullptr, dim, name);
    src = everywhere(c, c.value("value"), self.dtype, index.sizes);
  }
  Reduce r = name == "scatter_add" ? Reduce::Sum : Reduce::Assign;
  if (c.knows("reduce")) r = reduceOf(c.text("reduce"), name);
  reduceInto(c, r, self, index, src, Bounds{self.size(dim), dim},
             !c.knows("include_self") || c.flag("include_self"));
}

/// A list of indices along one dimension, for each line of a source (or of `self` itself).
struct Listed {
  View self, index, src;
  Bounds bounds;
};
Listed listed(Call& c, const View& target, std::string_view sourceName) {
  Listed l;
  const std::string name(c.op().name().substr(0, c.op().name().find_last_not_of('_') + 1));
  l.self = atLeastOneDim(target);
  const int64_t dim = wrappedDim(c.integer("dim"), target.dim());
  View list = indexView(c, c.tensor("index"));
  if (list.dim() > 1)
    throw EvalError("index-error", name + "_(): Index is supposed to be a vector, but got dim: " +
                                       std::to_string(list.dim()));
  list = atLeastOneDim(list);
  Dims sizes = l.self.sizes;
  sizes[static_cast<size_t>(dim)] = list.numel();
  l.bounds = Bounds{l.self.size(dim), dim};
  if (sourceName.empty()) {
    l.src = everywhere(c, c.value("value"), l.self.dtype, sizes);
  } else {
    l.src = readBeside(c, sourceName);
    if (l.src.dtype != l.self.dtype)
      throw EvalError("type-error", name + "_(): self (" + std::string(scalarTypeName(l.self.dtype)) +
                                        ") and source (" + std::string(scalarTypeName(l.src.dtype)) +
                                        ") must have the same scalar type");
    if (l.src.dim() == 0) {
      if (list.numel() != 1)
        throw EvalError("index-error", name +
                                           "_(): When source is scalar, index should have one element (got " +
                                           std::to_string(list.numel()) + ")");
      l.src = l.src.expanded(sizes);
    }
    if (l.src.dim() == l.self.dim() && l.src.size(dim) != list.numel())
      throw EvalError("index-error", name + "_(): Number of indices (" + std::to_string(list.numel()) +
                                         ") should be equal to source.size(dim): (" +
                                         std::to_string(l.src.size(dim)) +
                                         "), for dim: " + std::to_string(dim));
    if (!(l.src.sizes == sizes))
      throw EvalError("shape-mismatch", "The size of source " + sizesText(l.src.sizes) +
                                            " must match that of self " + sizesText(l.self.sizes) +
                                            " in all dimensions but " + std::to_string(dim));
  }
  l.index = list;
  l.index.sizes = sizes;
  l.index.strides = Dims(sizes.size(), 0);
  l.index.strides[static_cast<size_t>(dim)] = list.strides[0];
  return l;
}

void indexAdd(Call& c, const View& self) {
  Listed l = listed(c, self, "source");
  l.bounds.message = "index out of range in self";
  if (l.index.numel() == 0) return;
  visitAny(self.dtype, [&]<class T>(TypeTag<T>) {
    const T factor = elementOf<T>(c.value("alpha"));
    const auto add = [factor](T& a, const T& b) {
      if constexpr (std::is_integral_v<T>)
        a = plus(a, times(factor, b));
      else
        a = T(static_cast<Compute<T>>(a) + static_cast<Compute<T>>(factor) * static_cast<Compute<T>>(b));
    };
    scatterLines<T>(l.self, l.index, l.src, l.bounds, add);
  });
}

void indexCopy(Call& c, const View& self) {
  const Listed l = listed(c, self, "source");
  scatterBy(Reduce::Assign, l.self, l.index, l.src, l.bounds);
}

void indexFill(Call& c, const View& self) {
  Listed l = listed(c, self, "");
  l.bounds.negative = true;
  scatterBy(Reduce::Assign, l.self, l.index, l.src, l.bounds);
}

void indexReduce(Call& c, const View& self) {
  Listed l = listed(c, self, "source");
  l.bounds.message = "index out of range in self";
  const Reduce r = reduceOf(c.text("reduce"), "index_reduce");
  reduceInto(c, r, l.self, l.index, l.src, l.bounds, c.flag("include_self"));
}

}  // namespace

void addScatterKernels(KernelTable& table) {
  table.fill("aten.gather.default", gather);
  table.fill(
      "aten.scatter.src aten.scatter.value aten.scatter.reduce aten.scatter.value_reduce "
      "aten.scatter_add.default "
      "aten.scatter_reduce.two",
      onCopy<scatter>);
  table.make(
      "aten.scatter_.src aten.scatter_.value aten.scatter_.reduce aten.scatter_.value_reduce "
      "aten.scatter_add_.default aten.scatter_reduce_.two",
      inPlace<scatter>);
  table.fill("aten.index_add.default", onCopy<indexAdd>);
  table.make("aten.index_add_.default", inPlace<indexAdd>);
  table.fill("aten.index_copy.default", onCopy<indexCopy>);
  table.make("aten.index_copy_.default", inPlace<indexCopy>);
  table.fill("aten.index_fill.int_Scalar aten.index_fill.int_Tensor", onCopy<indexFill>);
  table.make("aten.index_fill_.int_Scalar aten.index_fill_.int_Tensor", inPlace<indexFill>);
  table.fill("aten.index_reduce.default", onCopy<indexReduce>);
  table.make("aten.index_reduce_.default", inPlace<indexReduce>);
}

}  // namespace descry::runtime

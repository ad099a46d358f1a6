// Sums, products, extremes, truth, moments and norms over dimensions.
#include <cmath>
#include <limits>
#include <memory>

#include "ir/ops/eval/promotion.h"
#include "ir/ops/eval/strides.h"
#include "runtime/interpreter/kernels/reduce.h"

namespace descry::runtime {

namespace {

// ---- what is folded

template <class A>
struct Adding {
  using Result = A;
  A start() const { return A(0); }
  template <class T>
  A of(T v, int64_t) const {
    return convertTo<A>(v);
  }
  A join(A a, A b) const {
    if constexpr (std::is_same_v<A, int64_t>)
      return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
    else
      return a + b;
  }
};
/// NaN counts as nothing.
template <class A>
struct AddingNumbers : Adding<A> {
  template <class T>
  A of(T v, int64_t) const {
    const A a = convertTo<A>(v);
    return a == a ? a : A(0);
  }
};
template <class A>
struct Multiplying : Adding<A> {
  A start() const { return A(1); }
  A join(A a, A b) const {
    if constexpr (std::is_same_v<A, int64_t>)
      return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
    else
      return a * b;
  }
};
struct Xor {
  using Result = int64_t;
  int64_t start() const { return 0; }
  template <class T>
  int64_t of(T v, int64_t) const {
    return convertTo<int64_t>(v);
  }
  int64_t join(int64_t a, int64_t b) const { return a ^ b; }
};
/// The bits of each number as a double or as an integer.
struct XorOfBits : Xor {
  template <class T>
  int64_t of(T v, int64_t) const {
    if constexpr (kIsFloat<T>)
      return std::bit_cast<int64_t>(convertTo<double>(v));
    else
      return convertTo<int64_t>(v);
  }
};
template <bool all>
struct Truth {
  using Result = bool;
  bool start() const { return all; }
  template <class T>
  bool of(T v, int64_t) const {
    return convertTo<bool>(v);
  }
  bool join(bool a, bool b) const { return all ? a & b : a | b; }
};
struct CountingTrue : Adding<int64_t> {
  template <class T>
  int64_t of(T v, int64_t) const {
    return convertTo<bool>(v);
  }
};
template <class A, bool greatest>
struct Extreme {
  using Result = A;
  A start() const {
    if constexpr (std::is_floating_point_v<A>)
      return greatest ? -std::numeric_limits<A>::infinity() : std::numeric_limits<A>::infinity();
    else
      return greatest ? std::numeric_limits<A>::lowest() : std::numeric_limits<A>::max();
  }
  template <class T>
  A of(T v, int64_t) const {
    return static_cast<A>(v);
  }
  /// NaN wins.
  A join(A a, A b) const { return greatest ? (a > b || a != a ? a : b) : (a < b || a != a ? a : b); }
};
/// Squares of distances to the mean of each output.
struct Deviation : Adding<double> {
  const double* means;
  explicit Deviation(const double* m) : means(m) {}
  template <class T>
  double of(T v, int64_t output) const {
    const double d = convertTo<double>(v) - means[output];
    return d * d;
  }
};

template <class A, class T>
A magnitude(T v) {
  if constexpr (kIsComplex<T>)
    return std::hypot(static_cast<A>(v.real()), static_cast<A>(v.imag()));
  else
    return std::abs(static_cast<A>(v));
}
enum class Power { One, Two, Any };
template <Power kind, class A>
struct Powers : Adding<A> {
  A order;
  explicit Powers(double o) : order(static_cast<A>(o)) {}
  template <class T>
  A of(T v, int64_t) const {
    const A m = magnitude<A>(v);
    if constexpr (kind == Power::One) return m;
    if constexpr (kind == Power::Two) return m * m;
    if (order == 0) return m != 0;
    return std::pow(m, order);
  }
};
template <bool greatest, class A>
struct ExtremeMagnitude : Extreme<A, greatest> {
  template <class T>
  A of(T v, int64_t) const {
    return magnitude<A>(v);
  }
};

}  // namespace

template <class A>
constexpr bool kPlainSum<Adding<A>> = true;
template <class A>
constexpr bool kPlainGreatest<Extreme<A, true>> = true;

namespace {

// ---- arguments

struct Operand {
  View x;
  std::vector<bool> folded;
  int64_t count = 1;  ///< elements of one output
};

Operand operandOf(Call& c, bool emptyIsNone = false) {
  Operand o;
  o.x = c.hold(c.tensor(0));
  // Rare dtypes are converted to common ones.
  if (o.x.dtype == DType::U16 || o.x.dtype == DType::U32 || o.x.dtype == DType::U64)
    o.x = c.hold(copyOf(o.x, DType::I64));
  else if (ir::eval::isFloating(o.x.dtype) && itemBytes(o.x.dtype) == 1)
    o.x = c.hold(copyOf(o.x, DType::F32));
  const char* name = c.knows("dim") ? "dim" : c.knows("dims") ? "dims" : nullptr;
  const bool given = name && c.given(name);
  o.folded = markedDims(name ? c.integers(name) : std::vector<int64_t>(), o.x.dim(), emptyIsNone && given);
  for (size_t d = 0; d < o.x.dim(); ++d)
    if (o.folded[d]) o.count *= o.x.sizes[d];
  return o;
}

bool isWhole(DType dtype) {
  return dtype == DType::B8 || ir::eval::isIntegral(dtype);
}

/// Sums and products of whole numbers, in 64 bits.
template <class F>
void foldedWhole(Call& c, Operand& o) {
  const View out = c.denseOut(0);
  if (!isWhole(o.x.dtype) || itemBytes(out.dtype) < itemBytes(o.x.dtype))
    o.x = c.hold(copyOf(o.x, out.dtype));
  visitCommon(o.x.dtype, [&]<class T>(TypeTag<T>) {
    if constexpr (std::is_integral_v<T>) {
      const DType to = out.dtype;
      fold<T>(o.x, o.folded, F{},
              [&](int64_t at, int64_t v) { storeNumber(to, out.data + at * itemBytes(to), Value(v)); });
    }
  });
}
/// Of real and complex ones: elements are converted to the dtype of the result first, but where half
/// precision is summed in float anyway.
template <template <class> class F>
void foldedReal(Call& c, Operand& o, const auto& finish) {
  const View out = c.denseOut(0);
  const bool small = out.dtype == DType::F32 && (o.x.dtype == DType::F16 || o.x.dtype == DType::BF16);
  if (o.x.dtype != out.dtype && !small) o.x = c.hold(copyOf(o.x, out.dtype));
  const auto run = [&]<class T, class Out>(TypeTag<T>, TypeTag<Out>) {
    using A = Sum<Out>;
    Out* to = out.as<Out>();
    fold<T>(o.x, o.folded, F<A>{}, [&](int64_t at, A v) { to[at] = convertTo<Out>(finish(v, o.count)); });
  };
  if (small && o.x.dtype == DType::F16)
    run(TypeTag<Half>{}, TypeTag<float>{});
  else if (small)
    run(TypeTag<BFloat16>{}, TypeTag<float>{});
  else
    visitFloatingOrComplex(o.x.dtype, [&]<class T>(TypeTag<T> t) { run(t, t); });
}
template <template <class> class F>
void folded(Call& c, const auto& finish) {
  Operand o = operandOf(c);
  if (isWhole(c.out().dtype))
    foldedWhole<F<int64_t>>(c, o);
  else
    foldedReal<F>(c, o, finish);
}

constexpr auto asIs = [](auto v, int64_t) { return v; };

void sum(Call& c) {
  folded<Adding>(c, asIs);
}
void nansum(Call& c) {
  if (isWhole(c.out().dtype)) return sum(c);
  Operand o = operandOf(c);
  foldedReal<AddingNumbers>(c, o, asIs);
}
void product(Call& c) {
  folded<Multiplying>(c, asIs);
}
void mean(Call& c) {
  if (isWhole(c.out().dtype))
    throw EvalError("unsupported-dtype",
                    "mean(): could not infer output dtype. Input dtype must be either a floating "
                    "point or complex dtype. Got: " +
                        std::string(scalarTypeName(c.out().dtype)));
  Operand o = operandOf(c);
  foldedReal<Adding>(c, o, [](auto v, int64_t n) {
    using A = decltype(v);
    if constexpr (kIsComplex<A>)
      return v / static_cast<typename A::value_type>(n);
    else
      return v / static_cast<A>(n);
  });
}

template <class F>
void foldAny(Call& c, const F& f, bool emptyIsNone = false) {
  const Operand o = operandOf(c, emptyIsNone);
  const View out = c.denseOut(0);
  visitCommon(o.x.dtype, [&]<class T>(TypeTag<T>) {
    const bool wide = itemBytes(out.dtype) == 8;
    fold<T>(o.x, o.folded, f, [&](int64_t at, auto v) {
      if (wide)
        out.as<int64_t>()[at] = static_cast<int64_t>(v);
      else
        out.as<uint8_t>()[at] = v != 0;
    });
  });
}
template <bool all>
void truth(Call& c) {
  foldAny(c, Truth<all>{}, true);
}
void countNonzero(Call& c) {
  foldAny(c, CountingTrue{});
}
void xorSum(Call& c) {
  Operand o = operandOf(c);
  if (!isWhole(o.x.dtype)) unsupportedDType(o.x.dtype, "\"xor_sum\"");
  foldedWhole<Xor>(c, o);
}
void hashTensor(Call& c) {
  if (c.integer("mode", 0) != 0)
    throw EvalError("value-error", "Unknown hash_tensor mode: " + std::to_string(c.integer("mode")));
  foldAny(c, XorOfBits{});
}

// ---- extremes

void needsElements(const Call& c, const Operand& o) {
  if (o.count) return;
  for (size_t d = 0; d < o.x.dim(); ++d)
    if (!o.folded[d] && o.x.sizes[d] == 0) return;
  const std::string name(c.op().name());
  const bool all = std::find(o.folded.begin(), o.folded.end(), false) == o.folded.end();
  if (all)
    throw EvalError("value-error",
                    name +
                        "(): Expected reduction dim to be specified for input.numel() == 0. Specify "
                        "the reduction dim with the 'dim' argument.");
  for (size_t d = 0; d < o.x.dim(); ++d)
    if (o.folded[d] && o.x.sizes[d] == 0)
      throw EvalError("index-error",
                      name + "(): Expected reduction dim " + std::to_string(d) + " to have non-zero size.");
}

template <bool greatest>
void extremeTo(const Operand& o, const View& out) {
  visitReal(o.x.dtype, [&]<class T>(TypeTag<T>) {
    using A = Compute<T>;
    T* to = out.as<T>();
    fold<T>(o.x, o.folded, Extreme<A, greatest>{}, [&](int64_t at, A v) { to[at] = convertTo<T>(v); });
  });
}
template <bool greatest>
void extreme(Call& c) {
  const Operand o = operandOf(c);
  needsElements(c, o);
  extremeTo<greatest>(o, c.denseOut(0, o.x.dtype));
}
void aminmax(Call& c) {
  const Operand o = operandOf(c);
  needsElements(c, o);
  extremeTo<false>(o, c.denseOut(0));
  extremeTo<true>(o, c.denseOut(1));
}

/// Where the extreme along one dimension is: the first of equal ones, and the first NaN if there is one. The
/// memory is [outer, n, inner].
template <bool greatest, class T>
void pick(const T* x, int64_t outer, int64_t n, int64_t inner, T* values, int64_t* indices) {
  constexpr int64_t kColumns = 64;
  const int64_t chunks = (inner + kColumns - 1) / kColumns;
  parallelFor(0, outer * chunks,
              std::max<int64_t>(1, 32768 / std::max<int64_t>(1, n * std::min(inner, kColumns))),
              [&](int64_t from, int64_t to) {
                for (int64_t k = from; k < to; ++k) {
                  const int64_t o = k / chunks, first = k % chunks * kColumns,
                                width = std::min(kColumns, inner - first);
                  const T* base = x + o * n * inner + first;
                  Compute<T> best[kColumns];
                  int64_t at[kColumns];
                  for (int64_t j = 0; j < width; ++j) {
                    best[j] = static_cast<Compute<T>>(base[j]);
                    at[j] = 0;
                  }
                  for (int64_t r = 1; r < n; ++r)
                    for (int64_t j = 0; j < width; ++j) {
                      const Compute<T> v = static_cast<Compute<T>>(base[r * inner + j]);
                      // Not below, which a NaN is not either, unless the best is one.
                      const bool better = greatest ? !(v <= best[j]) : !(v >= best[j]);
                      if (better && best[j] == best[j]) {
                        best[j] = v;
                        at[j] = r;
                      }
                    }
                  for (int64_t j = 0; j < width; ++j) {
                    if (values) values[o * inner + first + j] = base[at[j] * inner + j];
                    indices[o * inner + first + j] = at[j];
                  }
                }
              });
}

template <bool greatest>
void picked(Call& c, bool withValues) {
  const Operand o = operandOf(c);
  needsElements(c, o);
  const View x = c.hold(contiguousOf(c.tensor(0)));
  const bool all = !c.given("dim");
  const size_t d =
      all || x.dim() == 0
          ? 0
          : static_cast<size_t>(ir::eval::wrapDim(c.integer("dim"), static_cast<int64_t>(x.dim())));
  int64_t outer = 1, n = 1, inner = 1;
  for (size_t i = 0; i < x.dim(); ++i) (all || i == d ? n : i < d ? outer : inner) *= x.sizes[i];
  const View indices = c.denseOut(withValues ? 1 : 0);
  if (outer * inner == 0) return;
  visitReal(x.dtype, [&]<class T>(TypeTag<T>) {
    T* values = withValues ? c.denseOut(0).as<T>() : nullptr;
    pick<greatest>(x.as<T>(), outer, n, inner, values, indices.as<int64_t>());
  });
}
template <bool greatest>
void extremeAlong(Call& c) {
  picked<greatest>(c, true);
}
template <bool greatest>
void argExtreme(Call& c) {
  picked<greatest>(c, false);
}

// ---- moments

/// Mean and variance of each output, in double: the mean first, then the squares of the distances to it.
struct Moments {
  std::vector<double> means, variances;
};
Moments momentsOf(const View& x, const std::vector<bool>& folded, int64_t count, double correction) {
  Moments m;
  m.means.resize(static_cast<size_t>(countOutputs(x, folded)));
  m.variances.resize(m.means.size());
  const double n = static_cast<double>(count), divisor = std::max(0.0, n - correction);
  visitFloating(x.dtype, [&]<class T>(TypeTag<T>) {
    fold<T>(x, folded, Adding<double>{},
            [&](int64_t at, double v) { m.means[static_cast<size_t>(at)] = v / n; });
    fold<T>(x, folded, Deviation(m.means.data()),
            [&](int64_t at, double v) { m.variances[static_cast<size_t>(at)] = v / divisor; });
  });
  return m;
}

/// One part of complex numbers.
View partOf(const View& x, bool imaginary) {
  View v = x;
  v.dtype = ir::eval::toReal(x.dtype);
  if (imaginary) v.data += itemBytes(v.dtype);
  for (int64_t& s : v.strides) s *= 2;
  return v;
}

template <bool root, bool withMean>
void variance(Call& c) {
  const Operand o = operandOf(c);
  double correction = 1;
  if (c.knows("correction")) correction = c.real("correction", 1);
  if (c.knows("unbiased")) correction = c.flag(c.at("unbiased")) ? 1 : 0;
  const bool isComplex = ir::eval::isComplex(o.x.dtype);
  const Moments re = momentsOf(isComplex ? partOf(o.x, false) : o.x, o.folded, o.count, correction);
  Moments im;
  if (isComplex) im = momentsOf(partOf(o.x, true), o.folded, o.count, correction);
  const View out = c.denseOut(0);
  visitFloating(out.dtype, [&]<class T>(TypeTag<T>) {
    for (size_t i = 0; i < re.variances.size(); ++i) {
      const double v = re.variances[i] + (isComplex ? im.variances[i] : 0);
      out.as<T>()[i] = convertTo<T>(root ? std::sqrt(v) : v);
    }
  });
  if constexpr (withMean) {
    const View means = c.denseOut(1);
    visitFloatingOrComplex(means.dtype, [&]<class T>(TypeTag<T>) {
      for (size_t i = 0; i < re.means.size(); ++i)
        means.as<T>()[i] = convertTo<T>(std::complex<double>(re.means[i], isComplex ? im.means[i] : 0));
    });
  }
}

// ---- norms

template <bool root>
void norm(Call& c) {
  Operand o = operandOf(c);
  if (c.knows("dtype") && c.given("dtype") && o.x.dtype != c.value("dtype").asDType())
    o.x = c.hold(copyOf(o.x, c.value("dtype").asDType()));
  const double order = c.real("ord");
  if (o.count == 0 && (order < 0 || std::isinf(order)) && productOf(c.out().sizes) > 0)
    throw EvalError("value-error",
                    std::string("linalg.vector_norm cannot compute the ") +
                        (std::isinf(order) ? "infinity" : std::to_string(order)) +
                        " norm on an empty tensor because the operation does not have an identity");
  const View out = c.denseOut(0);
  std::vector<double> results(static_cast<size_t>(out.numel()));
  visitFloatingOrComplex(o.x.dtype, [&]<class T>(TypeTag<T>) {
    using A = std::conditional_t<std::is_same_v<T, double> || std::is_same_v<T, std::complex<double>>, double,
                                 float>;
    const auto with = [&](const auto& f) {
      fold<T>(o.x, o.folded, f, [&](int64_t at, A v) { results[static_cast<size_t>(at)] = v; });
    };
    if (order == 1)
      with(Powers<Power::One, A>(1));
    else if (order == 2)
      with(Powers<Power::Two, A>(2));
    else if (order == HUGE_VAL)
      with(ExtremeMagnitude<true, A>{});
    else if (order == -HUGE_VAL)
      with(ExtremeMagnitude<false, A>{});
    else
      with(Powers<Power::Any, A>(order));
  });
  for (double& v : results) {
    // The greatest of no elements.
    if (v == -HUGE_VAL) v = 0;
    if (root && order == 2)
      v = std::sqrt(v);
    else if (root && order != 0 && order != 1 && !std::isinf(order))
      v = std::pow(v, 1 / order);
  }
  visitFloating(out.dtype, [&]<class Out>(TypeTag<Out>) {
    for (size_t i = 0; i < results.size(); ++i) out.as<Out>()[i] = convertTo<Out>(results[i]);
  });
}

}  // namespace

void addReductionKernels(KernelTable& table) {
  table.fill("aten.sum.default aten.sum.dim_IntList prims.sum.default", sum, kRowWise);
  table.fill("aten.nansum.default", nansum);
  table.fill("aten.mean.default aten.mean.dim", mean, kRowWise);
  table.fill("aten.prod.default aten.prod.dim_int prims.prod.default", product, kRowWise);
  table.fill("aten.any.default aten.any.dim aten.any.dims", truth<false>, kRowWise);
  table.fill("aten.all.default aten.all.dim aten.all.dims", truth<true>, kRowWise);
  table.fill("aten.count_nonzero.default aten.count_nonzero.dim_IntList", countNonzero);
  table.fill("aten.amax.default aten.max.default prims.amax.default", extreme<true>, kRowWise);
  table.fill("aten.amin.default aten.min.default prims.amin.default", extreme<false>, kRowWise);
  table.fill("aten.aminmax.default", aminmax);
  table.fill("aten.max.dim", extremeAlong<true>);
  table.fill("aten.min.dim", extremeAlong<false>);
  table.fill("aten.argmax.default", argExtreme<true>, kRowWise);
  table.fill("aten.argmin.default", argExtreme<false>, kRowWise);
  table.fill("aten.var.correction prims.var.default", variance<false, false>, kRowWise);
  table.fill("aten.std.correction", variance<true, false>, kRowWise);
  table.fill("aten.var_mean.correction", variance<false, true>, kRowWise);
  table.fill("aten.std_mean.correction", variance<true, true>);
  table.fill("aten.linalg_vector_norm.default", norm<true>);
  table.fill("aten.linalg__powsum.default", norm<false>);
  table.fill("prims.xor_sum.default", xorSum);
  table.fill("aten.hash_tensor.default", hashTensor);
}

}  // namespace descry::runtime

// Fresh tensors: filled with a number, ranges, windows; copies and conversions.
#include <cmath>
#include <numbers>

#include "runtime/interpreter/kernels/element_support.h"

namespace descry::runtime {
namespace {

using std::numbers::pi;

/// Memory as it comes; where results have to be the same each time, filled with what stands out.
void unset(Call& c) {
  if (!c.machine().deterministic) return;
  const View out = c.out();
  visitAny(out.dtype, [&]<class T>(TypeTag<T>) {
    T stands;
    if constexpr (kIsComplex<T>)
      stands = T(NAN, NAN);
    else if constexpr (kIsFloat<T>)
      stands = T(NAN);
    else
      stands = std::numeric_limits<T>::max();
    forEachParallel<T>([stands](T& x) { x = stands; }, out);
  });
}

void zeros(Call& c) {
  zeroElements(c.out());
}
void ones(Call& c) {
  fillElements(c.out(), Value(1));
}

void full(Call& c) {
  fillElements(c.out(), c.value("fill_value"));
}
void scalarOf(Call& c) {
  fillElements(c.out(), c.value("s"));
}
void fillCopy(Call& c) {
  fillElements(c.out(), plainNumber(c.value("value")));
}
void fillBody(Call& c, const View& self) {
  fillElements(self, plainNumber(c.value("value")));
}
void zeroBody(Call&, const View& self) {
  zeroElements(self);
}

void copied(Call& c) {
  copyElements(c.out(), c.view(0));
}
void copyOfSource(Call& c) {
  copyElements(c.out(), c.view(1));
}
/// What lies behind a conjugate or negative view is changed back on the way.
Value copyInto(Call& c) {
  const TensorRef self = tensorOf(c.value(0));
  if (!self) throw EvalError("type-error", c.op().target() + " needs a tensor");
  const View to = viewOf(*self);
  if (!self->meta.conj && !self->meta.neg) {
    copyElements(to, c.view(1));
  } else {
    const TensorRef turned = copyOf(c.view(1).expanded(to.sizes), to.dtype);
    turned->meta.conj = self->meta.conj;
    turned->meta.neg = self->meta.neg;
    copyElements(to, viewOf(*resolved(turned)));
  }
  ++self->version;
  return c.value(0);
}
Value clonedWhole(Call& c) {
  return Value(cloneOf(c.tensor(0)));
}

// ---- ranges

/// out[i] = f(i), i counted in the order of the elements.
template <class T, class F>
void number(Call& c, F&& f) {
  const View out = c.denseOut();
  T* at = out.as<T>();
  parallelFor(0, out.numel(), 16384, [&](int64_t from, int64_t to) {
    for (int64_t i = from; i < to; ++i) at[i] = f(i);
  });
}

void rangeOf(Call& c, const Value& start, const Value& step) {
  visitAny(c.out().dtype, [&]<class T>(TypeTag<T>) {
    if constexpr (std::is_integral_v<T>) {
      const auto first = static_cast<uint64_t>(elementOf<int64_t>(start));
      const auto by = static_cast<uint64_t>(elementOf<int64_t>(step));
      number<T>(c, [=](int64_t i) {
        return convertTo<T>(static_cast<int64_t>(first + static_cast<uint64_t>(i) * by));
      });
    } else {
      const double first = elementOf<double>(start), by = elementOf<double>(step);
      number<T>(c, [=](int64_t i) { return convertTo<T>(first + static_cast<double>(i) * by); });
    }
  });
}
void arange(Call& c) {
  const Value step = c.knows("step") ? c.value("step") : Value(1);
  if (elementOf<double>(step) == 0) throw EvalError("value-error", "step must be nonzero");
  rangeOf(c, c.knows("start") ? c.value("start") : Value(0), step);
}
Value rangeInto(Call& c) {
  const Value made = c.call("aten.range.default", {c.value("start"), c.value("end")});
  c.call("aten.resize_.default", {c.value("out"), Value(made.meta().sizes)});
  c.call("aten.copy_.default", {c.value("out"), made});
  return c.value("out");
}
void iota(Call& c) {
  rangeOf(c, c.value("start"), c.value("step"));
}

/// Both halves are counted from their own end, so that both ends are exact.
template <class S, class F>
void spaced(Call& c, F&& finish) {
  const S start = elementOf<S>(c.value("start")), end = elementOf<S>(c.value("end"));
  const int64_t steps = c.integer("steps");
  visitAny(c.out().dtype, [&]<class T>(TypeTag<T>) {
    if constexpr (kIsComplex<T> == kIsComplex<S>) {
      using R = std::conditional_t<std::is_same_v<T, double> || std::is_integral_v<T>, double,
                                   std::conditional_t<kIsComplex<T>, T, float>>;
      R first = convertTo<R>(start), last = convertTo<R>(end);
      if constexpr (std::is_integral_v<T>) {
        first = convertTo<R>(convertTo<T>(start));
        last = convertTo<R>(convertTo<T>(end));
      }
      const R by = steps > 1 ? (last - first) / R(static_cast<double>(steps - 1)) : R(0);
      number<T>(c, [=](int64_t i) {
        if (steps == 1) return convertTo<T>(finish(first));
        return convertTo<T>(finish(i < steps / 2 ? first + by * R(static_cast<double>(i))
                                                 : last - by * R(static_cast<double>(steps - i - 1))));
      });
    }
  });
}
bool complexNumbers(const Call& c) {
  return ir::dtypeInfo(c.result()->meta.dtype).complex;
}
void linspace(Call& c) {
  if (complexNumbers(c))
    spaced<std::complex<double>>(c, [](auto x) { return x; });
  else
    spaced<double>(c, [](auto x) { return x; });
}
void logspace(Call& c) {
  const double base = c.real("base");
  const auto power = [base](auto x) { return std::pow(decltype(x)(base), x); };
  if (complexNumbers(c))
    spaced<std::complex<double>>(c, power);
  else
    spaced<double>(c, power);
}

void eye(Call& c) {
  View out = c.out();
  zeroElements(out);
  const int64_t n = std::min(out.sizes[0], out.sizes[1]);
  out.strides = {out.strides[0] + out.strides[1]};
  out.sizes = {n};
  fillElements(out, Value(1));
}

/// Rows and columns of the places below (or above) a diagonal of a matrix.
template <bool lower>
void triangle(Call& c) {
  const int64_t rows = c.integer("row"), columns = c.integer("col"),
                offset = std::clamp(c.integer("offset"), -rows, columns);
  const View out = c.denseOut();
  const int64_t n = out.sizes[1];
  visitAny(out.dtype, [&]<class T>(TypeTag<T>) {
    T* at = out.as<T>();
    int64_t k = 0;
    // Rows without a place are not walked through: there may be more of them than places.
    for (int64_t r = lower ? std::max<int64_t>(-offset, 0) : 0; r < rows && k < n; ++r) {
      const int64_t bound = std::clamp<int64_t>(r + offset + (lower ? 1 : 0), 0, columns);
      for (int64_t col = lower ? 0 : bound; col < (lower ? bound : columns) && k < n; ++col, ++k) {
        at[k] = convertTo<T>(r);
        at[n + k] = convertTo<T>(col);
      }
    }
  });
}

// ---- windows

double besselI0(double x) {
  double term = 1, sum = 1;
  for (int k = 1; k < 2000 && term > sum * 1e-18; ++k) {
    term *= (x / (2 * k)) * (x / (2 * k));
    sum += term;
  }
  return sum;
}

/// f(i, n): element i of the window of n + 1 elements that is symmetric; a periodic one lacks the last.
template <class F>
void window(Call& c, F&& f) {
  const int64_t length = c.integer("window_length");
  const bool periodic = !c.knows("periodic") || c.flag("periodic");
  const auto last = static_cast<double>(periodic ? length : length - 1);
  visitFloating(c.out().dtype, [&]<class T>(TypeTag<T>) {
    number<T>(c,
              [&](int64_t i) { return convertTo<T>(length == 1 ? 1.0 : f(static_cast<double>(i), last)); });
  });
}
void bartlett(Call& c) {
  window(c, [](double i, double n) { return i <= n / 2 ? i * 2 / n : 2 - i * 2 / n; });
}
void blackman(Call& c) {
  window(c, [](double i, double n) {
    return std::cos(i * 4 * pi / n) * 0.08 - std::cos(i * 2 * pi / n) * 0.5 + 0.42;
  });
}
void cosineWindow(Call& c, double alpha, double beta) {
  window(c, [=](double i, double n) { return alpha - beta * std::cos(i * 2 * pi / n); });
}
void hann(Call& c) {
  cosineWindow(c, 0.5, 0.5);
}
void hamming(Call& c) {
  cosineWindow(c, c.knows("alpha") ? c.real("alpha") : 0.54, c.knows("beta") ? c.real("beta") : 0.46);
}
void kaiser(Call& c) {
  const double beta = c.knows("beta") ? c.real("beta") : 12.0;
  window(c, [beta](double i, double n) {
    const double x = 2 * i / n - 1;
    return besselI0(beta * std::sqrt(std::max(0.0, 1 - x * x))) / besselI0(beta);
  });
}

void frequencies(Call& c) {
  const int64_t n = c.integer("n");
  const bool half = c.op().name() == "fft_rfftfreq";
  const double step = 1.0 / (static_cast<double>(n) * c.real("d"));
  visitFloatingOrComplex(c.out().dtype, [&]<class T>(TypeTag<T>) {
    number<T>(c, [=](int64_t i) {
      const int64_t k = half || i < (n + 1) / 2 ? i : i - n;
      return convertTo<T>(static_cast<double>(k) * step);
    });
  });
}

// ---- complex numbers from two tensors

template <bool polarForm>
void complexOf(Call& c) {
  const View a = c.view(0), b = c.view(1), out = c.out();
  if (a.dtype != b.dtype)
    throw EvalError("type-error", "Expected object of scalar type " + std::string(scalarTypeName(a.dtype)) +
                                      " but got scalar type " + std::string(scalarTypeName(b.dtype)) +
                                      " for second argument");
  const auto join = [&]<class T>(TypeTag<T>) {
    forEachParallel<std::complex<T>, T, T>(
        [](std::complex<T>& z, const T& x, const T& y) {
          z = polarForm ? std::complex<T>(x * std::cos(y), x * std::sin(y)) : std::complex<T>(x, y);
        },
        out, a, b);
  };
  if (a.dtype == DType::F64)
    join(TypeTag<double>{});
  else if (a.dtype == DType::F32)
    join(TypeTag<float>{});
  else
    unsupportedDType(a.dtype, polarForm ? "polar" : "complex");
}

}  // namespace

void addCreationKernels(KernelTable& table) {
  table.fill(
      "aten.empty.memory_format aten.empty_strided.default aten.empty_like.default "
      "aten.empty_permuted.default "
      "aten.new_empty.default aten.new_empty_strided.default prims.empty.default prims.empty_strided.default "
      "prims.empty_permuted.default aten._make_dep_token.default",
      unset);
  table.fill(
      "aten.zeros.default aten.zeros_like.default aten.new_zeros.default aten.zero.default "
      "aten._efficientzerotensor.default aten._new_zeros_with_same_feature_meta.default",
      zeros);
  table.fill("aten.ones.default aten.ones_like.default aten.new_ones.default", ones);
  table.fill(
      "aten.full.default aten.full_like.default aten.new_full.default prims.full.default "
      "prims.full_like.default",
      full);
  table.fill("aten.scalar_tensor.default prims.scalar_tensor.default", scalarOf);
  table.fill("aten.fill.Scalar aten.fill.Tensor prims.fill.default", fillCopy);
  table.make("aten.fill_.Scalar aten.fill_.Tensor", inPlace<fillBody>);
  table.make("aten.zero_.default", inPlace<zeroBody>);
  table.fill(
      "aten.clone.default prims.clone.default aten._to_copy.default prims.convert_element_type.default "
      "aten.lift_fresh_copy.default aten.lift.default aten._pin_memory.default",
      copied);
  table.fill("aten.copy.default", copyOfSource);
  table.make("aten.copy_.default prims.copy_to.default", copyInto);
  table.make("aten._lazy_clone.default", clonedWhole);
  table.fill(
      "aten.arange.default aten.arange.start aten.arange.start_step aten.range.default aten.range.step",
      arange);
  table.make("aten.range.out_", rangeInto);
  table.fill("prims.iota.default", iota);
  table.fill(
      "aten.linspace.default aten.linspace.Scalar_Tensor aten.linspace.Tensor_Scalar "
      "aten.linspace.Tensor_Tensor",
      linspace);
  table.fill(
      "aten.logspace.default aten.logspace.Scalar_Tensor aten.logspace.Tensor_Scalar "
      "aten.logspace.Tensor_Tensor",
      logspace);
  table.fill("aten.eye.default aten.eye.m", eye);
  table.fill("aten.tril_indices.default", triangle<true>);
  table.fill("aten.triu_indices.default", triangle<false>);
  table.fill("aten.bartlett_window.default aten.bartlett_window.periodic", bartlett);
  table.fill("aten.blackman_window.default aten.blackman_window.periodic", blackman);
  table.fill("aten.hann_window.default aten.hann_window.periodic", hann);
  table.fill(
      "aten.hamming_window.default aten.hamming_window.periodic aten.hamming_window.periodic_alpha "
      "aten.hamming_window.periodic_alpha_beta",
      hamming);
  table.fill("aten.kaiser_window.default aten.kaiser_window.periodic aten.kaiser_window.beta", kaiser);
  table.fill("aten.fft_fftfreq.default aten.fft_rfftfreq.default", frequencies);
  table.fill("aten.complex.default", complexOf<false>);
  table.fill("aten.polar.default", complexOf<true>);
}

}  // namespace descry::runtime

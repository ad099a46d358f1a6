// Quantization to a grid of numbers: real (to integers and back) and pretended (in floats).
#include <cmath>

#include "ir/ops/eval/promotion.h"
#include "runtime/interpreter/kernels/element_support.h"

namespace descry::runtime {
namespace {

struct Grid {
  int64_t low, high;
};
Grid gridOf(const Call& c) {
  const Grid g{elementOf<int64_t>(c.value("quant_min")), elementOf<int64_t>(c.value("quant_max"))};
  if (g.low > g.high)
    throw EvalError("value-error", "`quant_min` should be less than or equal to `quant_max`.");
  return g;
}

/// A list of numbers, one for each index of dimension `axis` of a tensor.
View alongAxis(const View& list, const Dims& sizes, int64_t axis) {
  if (list.numel() != sizes[static_cast<size_t>(axis)])
    throw EvalError("shape-mismatch", "scale and zero-point need one number for each index of dimension " +
                                          std::to_string(axis) + ", not " + std::to_string(list.numel()));
  View v = list;
  v.sizes = sizes;
  v.strides = Dims(sizes.size(), 0);
  v.strides[static_cast<size_t>(axis)] = list.dim() ? list.strides[list.dim() - 1] : 0;
  return v;
}
int64_t axisOf(const Call& c, const View& self) {
  const int64_t axis = c.integer(c.knows("axis") ? "axis" : "ch_axis");
  if (axis < 0 || axis >= static_cast<int64_t>(self.dim()))
    throw EvalError("value-error", "`axis` must be between 0 and number of dimensions of input");
  return axis;
}

// ---- pretended quantization

/// What quantities are computed in beside elements of T.
template <class T>
using Wide = std::conditional_t<std::is_same_v<T, double>, double, float>;

/// The place on the grid, not yet cut to it. `late`: the zero-point is added after rounding; else in one step
/// with the product, as PyTorch's compiled kernels do.
template <bool late, class T>
int64_t placeOf(T x, float inverse, float zero) {
  using A = Wide<T>;
  const A v = static_cast<A>(x), factor = static_cast<A>(inverse), z = static_cast<A>(zero);
  return convertTo<int64_t>(late ? z + std::nearbyint(v * factor) : std::nearbyint(std::fma(v, factor, z)));
}

/// `A`: what the way back is computed in.
template <class A, bool late>
void pretend(const View& out, const View& mask, const View& self, const View& scale, const View& zero,
             const Grid& g) {
  visitFloating(self.dtype, [&]<class T>(TypeTag<T>) {
    forEachParallel<T, bool, T, float, float>(
        [g](T& y, bool& in, const T& x, const float& s, const float& z) {
          const int64_t q = placeOf<late>(x, 1.0f / s, z);
          in = q >= g.low && q <= g.high;
          y = convertTo<T>((static_cast<A>(std::clamp(q, g.low, g.high)) - static_cast<A>(z)) *
                           static_cast<A>(s));
        },
        out, mask, self, scale, zero);
  });
}

/// One number of a call for all elements.
View number(Call& c, const Value& v, const Dims& sizes) {
  return c.hold(scalarTensor(plainNumber(v), DType::F32)).expanded(sizes);
}
View firstOf(Call& c, const TensorRef& t, const Dims& sizes) {
  const View v = c.hold(contiguousOf(t, DType::F32));
  if (v.numel() < 1) throw EvalError("shape-mismatch", "a tensor of one element is wanted");
  View one = v;
  one.sizes = one.strides = Dims();
  return one.expanded(sizes);
}

void fakeQuantize(Call& c) {
  const View self = c.view("self");
  const Grid g = gridOf(c);
  const int64_t zero = c.integer("zero_point");
  if (zero < g.low || zero > g.high)
    throw EvalError("value-error", "`zero_point` must be between `quant_min` and `quant_max`.");
  pretend<float, true>(c.out(0), c.out(1), self, number(c, c.value("scale"), self.sizes),
                       number(c, c.value("zero_point"), self.sizes), g);
}

void fakeQuantizeByTensors(Call& c) {
  const View self = c.view("self");
  const View enabled = c.dense("fake_quant_enabled");
  if (enabled.numel() && !numberAt(enabled.dtype, enabled.data).truthy()) {
    copyElements(c.out(0), self);
    fillElements(c.out(1), Value(1));
    return;
  }
  pretend<float, true>(c.out(0), c.out(1), self, firstOf(c, c.tensor("scale"), self.sizes),
                       firstOf(c, c.tensor("zero_point"), self.sizes), gridOf(c));
}

void pretendChannels(Call& c, const View& out, const View& mask, const View& self, const TensorRef& scale,
                     const TensorRef& zero, int64_t axis, const Grid& g) {
  const View s = alongAxis(c.hold(contiguousOf(scale, DType::F32)), self.sizes, axis);
  const View z = alongAxis(c.hold(contiguousOf(zero, DType::F32)), self.sizes, axis);
  if (ir::dtypeInfo(zero->meta.dtype).floating)
    pretend<double, false>(out, mask, self, s, z, g);
  else
    pretend<double, true>(out, mask, self, s, z, g);
}

void fakeQuantizeChannels(Call& c) {
  const View self = c.view("self");
  const Grid g = gridOf(c);
  const TensorRef zero = c.tensor("zero_point");
  if (!ir::dtypeInfo(zero->meta.dtype).floating) {
    const View z = c.hold(contiguousOf(zero, DType::I64));
    for (int64_t i = 0; i < z.numel(); ++i)
      if (z.as<int64_t>()[i] < g.low || z.as<int64_t>()[i] > g.high)
        throw EvalError("value-error", "`zero_point` must be between `quant_min` and `quant_max`.");
  }
  pretendChannels(c, c.out(0), c.out(1), self, c.tensor("scale"), zero, axisOf(c, self), g);
}

// ---- with scale and zero-point that are learned

/// Zero-points brought to the grid; the gradient of one for a whole tensor rounds halves up.
View roundedZeros(Call& c, const Grid& g, bool halvesUp) {
  const View given = c.hold(contiguousOf(c.tensor("zero_point"), DType::F32));
  const View out = c.scratch(given.sizes, DType::F32);
  for (int64_t i = 0; i < given.numel(); ++i) {
    const float z = given.as<float>()[i];
    const float rounded = halvesUp ? z + 0.5f : std::nearbyint(z);
    out.as<float>()[i] =
        std::trunc(std::clamp(rounded, static_cast<float>(g.low), static_cast<float>(g.high)));
  }
  return out;
}

struct Learned {
  View scale, zero;  ///< over all elements
  int64_t axis = -1;
};
Learned learnedOf(Call& c, const View& self, const Grid& g, bool backward) {
  Learned l;
  const bool channels = c.knows("axis");
  const View zeros = roundedZeros(c, g, backward && !channels),
             scales = c.hold(contiguousOf(c.tensor("scale"), DType::F32));
  if (channels) {
    l.axis = axisOf(c, self);
    l.scale = alongAxis(scales, self.sizes, l.axis);
    l.zero = alongAxis(zeros, self.sizes, l.axis);
    return l;
  }
  if (scales.numel() != 1 || zeros.numel() != 1)
    throw EvalError("shape-mismatch", "scale and zero-point need to have one element");
  l.scale = scales.reshaped(Dims()).expanded(self.sizes);
  l.zero = zeros.reshaped(Dims()).expanded(self.sizes);
  return l;
}

void learnable(Call& c) {
  const View self = c.view("self");
  const Grid g = gridOf(c);
  const Learned l = learnedOf(c, self, g, false);
  pretend<float, true>(c.out(0), c.scratch(self.sizes, DType::B8), self, l.scale, l.zero, g);
}

void learnableBackward(Call& c) {
  const View self = c.view("self"), grad = c.view("grad");
  const Grid g = gridOf(c);
  const Learned l = learnedOf(c, self, g, true);
  const auto factor = static_cast<float>(c.real("grad_factor"));
  const View scaleParts = c.scratch(self.sizes, DType::F32), zeroParts = c.scratch(self.sizes, DType::F32);
  visitFloating(self.dtype, [&]<class T>(TypeTag<T>) {
    forEachParallel<T, float, float, T, T, float, float>(
        [g, factor](T& dx, float& ds, float& dz, const T& given, const T& value, const float& s,
                    const float& z) {
          const auto dy = static_cast<float>(static_cast<Compute<T>>(given));
          const auto x = static_cast<float>(static_cast<Compute<T>>(value));
          const float inverse = 1.0f / s;
          const int64_t q = placeOf<false>(value, inverse, z);
          const bool inside = q >= g.low && q <= g.high;
          dx = inside ? given : T(0);
          dz = inside ? 0 : dy * -s * factor;
          if (inside)
            ds = dy * ((static_cast<float>(q) - z) * s - x) * inverse * factor;
          else
            ds = dy * (static_cast<float>(q < g.low ? g.low : g.high) - z) * factor;
        },
        c.out(0), scaleParts, zeroParts, grad, self, l.scale, l.zero);
  });
  // Summed over all dimensions but the axis.
  const auto sum = [&](const View& parts, const View& out) {
    std::vector<double> sums(static_cast<size_t>(out.numel()), 0.0);
    for (size_t i = 0; i < sums.size(); ++i)
      forEach<float>([&](const float& x) { sums[i] += static_cast<double>(x); },
                     l.axis < 0 ? parts : parts.select(l.axis, static_cast<int64_t>(i)));
    visitCommon(out.dtype, [&]<class T>(TypeTag<T>) {
      for (size_t i = 0; i < sums.size(); ++i) out.as<T>()[i] = convertTo<T>(sums[i]);
    });
  };
  sum(scaleParts, c.denseOut(1));
  sum(zeroParts, c.denseOut(2));
}

// ---- scale and zero-point from the range of what was seen

struct Parameters {
  float scale;
  int32_t zero;
};
/// As quant_utils::ChooseQuantizationParams.
Parameters chooseParameters(float low, float high, const Grid& g, bool symmetric) {
  constexpr float kSmallest = 6.1e-5f;
  const double steps = static_cast<double>(g.high - g.low), qLow = static_cast<double>(g.low),
               qHigh = static_cast<double>(g.high);
  const bool both = low < 0 && high > 0 && symmetric;
  if (both) {
    const auto lowest = static_cast<float>(-((g.high - g.low) / 2 + 1)),
               highest = static_cast<float>((g.high - g.low) / 2);
    const double most = std::max(std::fabs(static_cast<double>(low / lowest)),
                                 std::fabs(static_cast<double>(high / highest)));
    low = static_cast<float>(most * static_cast<double>(lowest));
    high = static_cast<float>(most * static_cast<double>(highest));
  }
  low = std::min(low, 0.0f);
  high = std::max(high, 0.0f);
  double scale = (static_cast<double>(high) - static_cast<double>(low)) / steps;
  if (static_cast<float>(scale) == 0 || std::isinf(1.0f / static_cast<float>(scale))) scale = 0.1;
  if (scale < static_cast<double>(kSmallest)) {
    const auto before = static_cast<float>(scale);
    scale = static_cast<double>(kSmallest);
    if (low == 0) {
      high = kSmallest * static_cast<float>(steps);
    } else if (high == 0) {
      low = -kSmallest * static_cast<float>(steps);
    } else {
      low *= kSmallest / before;
      high *= kSmallest / before;
    }
  }
  // Of the two ends, that whose place is known better counts.
  const double atLow = static_cast<double>(low) / scale, atHigh = static_cast<double>(high) / scale;
  double zero = std::fabs(qLow) - std::fabs(atLow) < std::fabs(qHigh) - std::fabs(atHigh) ? qLow - atLow
                                                                                          : qHigh - atHigh;
  if (both) zero = (qLow + qHigh) / 2;
  return {static_cast<float>(scale), static_cast<int32_t>(std::nearbyint(std::clamp(zero, qLow, qHigh)))};
}

/// The running range moves towards that of `self`; the first one is taken as it is.
void observe(Call& c, const View& self, const View& lows, const View& highs, int64_t axis) {
  const auto rate = static_cast<float>(c.real("averaging_const"));
  for (int64_t i = 0; i < lows.numel(); ++i) {
    float low = INFINITY, high = -INFINITY;
    const View part = axis < 0 ? self : self.select(axis, i);
    if (part.numel() == 0)
      throw EvalError("shape-mismatch", "an observer cannot see a tensor without elements");
    visitFloating(self.dtype, [&]<class T>(TypeTag<T>) {
      forEach<T>(
          [&](const T& v) {
            const auto x = static_cast<float>(v);
            if (std::isnan(x)) low = high = x;
            if (x < low) low = x;
            if (x > high) high = x;
          },
          part);
    });
    float &keptLow = lows.as<float>()[i], &keptHigh = highs.as<float>()[i];
    keptLow = std::isinf(keptLow) ? low : keptLow + rate * (low - keptLow);
    keptHigh = std::isinf(keptHigh) ? high : keptHigh + rate * (high - keptHigh);
  }
}

bool isOn(Call& c, std::string_view name) {
  const View v = c.dense(name);
  return v.numel() && numberAt(v.dtype, v.data).truthy();
}

/// The state is read from and written to the four tensors.
void observeAndQuantize(Call& c, const View& out, const View& mask, const std::array<TensorRef, 4>& state) {
  const View self = c.view("self");
  const int64_t axis = c.flag("per_row_fake_quant") ? axisOf(c, self) : -1;
  const bool quantizes = isOn(c, "fake_quant_on"), observes = isOn(c, "observer_on");
  const int64_t rows = axis < 0 ? 1 : self.sizes[static_cast<size_t>(axis)];
  if (observes || quantizes)
    for (const TensorRef& t : state)
      if (viewOf(*t).numel() != rows)
        throw EvalError("shape-mismatch",
                        "the state of an observer needs " + std::to_string(rows) + " elements");
  const View lows = c.hold(copyOf(viewOf(*state[0]), DType::F32)),
             highs = c.hold(copyOf(viewOf(*state[1]), DType::F32));
  if (observes) {
    observe(c, self, lows, highs, axis);
    copyElements(viewOf(*state[0]), lows);
    copyElements(viewOf(*state[1]), highs);
  }
  if (!quantizes) {
    copyElements(out, self);
    fillElements(mask, Value(1));
    return;
  }
  const View scales = c.scratch(lows.sizes, DType::F32), zeros = c.scratch(lows.sizes, DType::I32);
  for (int64_t i = 0; i < rows; ++i) {
    const Parameters p =
        chooseParameters(lows.as<float>()[i], highs.as<float>()[i], gridOf(c), c.flag("symmetric_quant"));
    scales.as<float>()[i] = p.scale;
    zeros.as<int32_t>()[i] = p.zero;
  }
  copyElements(viewOf(*state[2]), scales.reshaped(viewOf(*state[2]).sizes));
  copyElements(viewOf(*state[3]), zeros.reshaped(viewOf(*state[3]).sizes));
  if (axis >= 0)
    pretendChannels(c, out, mask, self, state[2], state[3], axis, gridOf(c));
  else
    pretend<float, true>(out, mask, self, firstOf(c, state[2], self.sizes), firstOf(c, state[3], self.sizes),
                         gridOf(c));
}

constexpr std::array<std::string_view, 4> kState{"running_min", "running_max", "scale", "zero_point"};

Value observedFakeQuantize(Call& c) {
  const TensorRef self = c.tensor("self");
  std::array<TensorRef, 4> state;
  for (size_t i = 0; i < 4; ++i) state[i] = tensorOf(c.value(kState[i]));
  // Of rows that were not seen yet there is no state: it is made.
  if (c.flag("per_row_fake_quant") && viewOf(*state[0]).numel() == 0 && isOn(c, "observer_on")) {
    const int64_t rows = viewOf(*self).sizes[static_cast<size_t>(axisOf(c, viewOf(*self)))];
    for (size_t i = 0; i < 4; ++i) {
      c.call("aten.resize_.default", {Value(state[i]), Value(Ints{rows})});
      fillElements(viewOf(*state[i]),
                   i < 2 ? Value::real(i == 0 ? INFINITY : -INFINITY) : Value(i == 2 ? 1 : 0));
    }
  }
  Meta m = self->meta, flags = self->meta;
  m.wrappedNumber = flags.wrappedNumber = false;
  m.strides = flags.strides = ir::eval::stridesLike(m.sizes, m.strides);
  flags.dtype = DType::B8;
  const TensorRef out = allocate(std::move(m)), mask = allocate(std::move(flags));
  observeAndQuantize(c, viewOf(*out), viewOf(*mask), state);
  for (const TensorRef& t : state) ++t->version;
  return Value::tuple({Value(out), Value(mask)});
}
void observedFakeQuantizeFunctional(Call& c) {
  std::array<TensorRef, 4> state;
  for (size_t i = 0; i < 4; ++i) {
    copyElements(c.out(2 + i), c.view(kState[i]));
    state[i] = c.result(2 + i);
  }
  observeAndQuantize(c, c.out(0), c.out(1), state);
}

// ---- to integers and back

/// Scale and zero-point over all elements of a tensor, as the kind of quantization spreads them.
struct Spread {
  View self, out, scale, zero;
  bool wide = false;  ///< the scale is a tensor of float64
};
Spread spreadOf(Call& c) {
  const bool named = c.op().name().find("_channel") != std::string_view::npos;
  const bool group = c.knows("group_size"), token = c.op().name().ends_with("_token");
  Spread s;
  s.self = c.hold(c.tensor(0));
  s.out = c.out();
  const std::string_view scaleName = c.knows("scales") ? "scales" : "scale",
                         zeroName = c.knows("zero_points") ? "zero_points" : "zero_point";
  const TensorRef scale = c.tensor(scaleName);
  const TensorRef zero =
      c.given(zeroName) ? c.tensor(zeroName) : allocateZeros(Dims(scale->meta.sizes), DType::I32);
  const bool single = !named && !token;
  s.wide = !single && scale->meta.dtype == DType::F64;
  const View scales = c.hold(contiguousOf(scale, single || s.wide ? DType::F64 : DType::F32));
  const View zeros = c.hold(contiguousOf(zero));
  if (group) {
    int64_t size = c.integer("group_size");
    const int64_t last = s.self.dim() ? s.self.size(-1) : 0;
    if (s.self.dim() != 2) throw EvalError("shape-mismatch", "input must be 2-dimensional");
    if (size > last && scales.dim() && scales.size(-1) == 1) size = last;
    if (size <= 1) throw EvalError("value-error", "group_size must be > 1");
    if (last % size) throw EvalError("shape-mismatch", "input.shape[-1] must be divisible by group_size");
    const int64_t groups = s.self.numel() / size;
    s.self = c.dense(0).reshaped({groups, size});
    s.out = c.denseOut().reshaped({groups, size});
    s.scale = alongAxis(scales.reshaped({scales.numel()}), s.self.sizes, 0);
    s.zero = zeros.numel() == 1 && groups != 1 ? zeros.reshaped(Dims()).expanded(s.self.sizes)
                                               : alongAxis(zeros.reshaped({zeros.numel()}), s.self.sizes, 0);
  } else if (token) {
    s.scale = scales.expanded(s.self.sizes);
    s.zero = zeros.expanded(s.self.sizes);
  } else if (named) {
    s.scale = alongAxis(scales, s.self.sizes, axisOf(c, s.self));
    s.zero = alongAxis(zeros, s.self.sizes, axisOf(c, s.self));
  } else {
    if (scales.numel() != 1 || zeros.numel() != 1)
      throw EvalError("shape-mismatch", "Expecting scale tensor to be one element, but received " +
                                            std::to_string(scales.numel()));
    s.scale = scales.reshaped(Dims()).expanded(s.self.sizes);
    s.zero = zeros.reshaped(Dims()).expanded(s.self.sizes);
  }
  return s;
}

void quantize(Call& c) {
  const Spread s = spreadOf(c);
  const Grid g = gridOf(c);
  // For tokens and groups the zero-point is added before rounding.
  const bool early = c.op().name().ends_with("_token") || c.knows("group_size");
  const auto run = [&]<class A>(TypeTag<A>, const View& self) {
    const View zero = c.hold(copyOf(s.zero, s.wide ? DType::F64 : DType::F32));
    visitAny(s.out.dtype, [&]<class T>(TypeTag<T>) {
      const auto at = [g, early](A x, A inverse, A z) {
        const A q = early ? std::nearbyint(x * inverse + z) : std::nearbyint(x * inverse) + z;
        return convertTo<T>(std::isnan(q) ? q : std::clamp(q, static_cast<A>(g.low), static_cast<A>(g.high)));
      };
      if (s.scale.dtype == DType::F64)
        forEachParallel<T, A, double, A>([&](T& y, const A& x, const double& scale,
                                             const A& z) { y = at(x, static_cast<A>(1.0 / scale), z); },
                                         s.out, self, s.scale, zero);
      else
        forEachParallel<T, A, float, A>([&](T& y, const A& x, const float& scale,
                                            const A& z) { y = at(x, static_cast<A>(1.0f / scale), z); },
                                        s.out, self, s.scale, zero);
    });
  };
  if (s.wide)
    run(TypeTag<double>{}, c.hold(copyOf(s.self, DType::F64)));
  else
    run(TypeTag<float>{}, s.self.dtype == DType::F32 ? s.self : c.hold(copyOf(s.self, DType::F32)));
}

void dequantize(Call& c) {
  const Spread s = spreadOf(c);
  const bool single = s.scale.dtype == DType::F64 && !s.wide;
  if (single) {
    // The whole computation is in the dtype of the result.
    visitFloating(s.out.dtype, [&]<class T>(TypeTag<T>) {
      const View zero = c.hold(copyOf(s.zero, DType::F64)), self = c.hold(copyOf(s.self, s.out.dtype));
      forEachParallel<T, T, double, double>(
          [](T& y, const T& x, const double& scale, const double& z) {
            const T apart(static_cast<Compute<T>>(x) - static_cast<Compute<T>>(z));
            y = T(static_cast<Compute<T>>(apart) * static_cast<Compute<T>>(scale));
          },
          s.out, self, s.scale, zero);
    });
    return;
  }
  // The difference is one of the dtypes of both, the product one of the scale.
  const DType both = ir::eval::promote(s.self.dtype, s.zero.dtype);
  const auto run = [&]<class A>(TypeTag<A>) {
    visitCommon(both, [&]<class I>(TypeTag<I>) {
      const View self = c.hold(copyOf(s.self, both)), zero = c.hold(copyOf(s.zero, both));
      visitFloating(s.out.dtype, [&]<class T>(TypeTag<T>) {
        forEachParallel<T, I, A, I>(
            [](T& y, const I& x, const A& scale, const I& z) {
              if constexpr (!kIsComplex<I>)
                y = convertTo<T>(convertTo<A>(plus(x, times(z, convertTo<I>(-1)))) * scale);
            },
            s.out, self, s.scale, zero);
      });
    });
  };
  if (s.wide)
    run(TypeTag<double>{});
  else
    run(TypeTag<float>{});
}

void fakeQuantizeDecomposed(Call& c) {
  const View self = c.dense(0, DType::F32);
  const Grid g = gridOf(c);
  const int64_t axis = axisOf(c, self);
  const View scale = alongAxis(c.dense("scales", DType::F32), self.sizes, axis);
  // Zero-points are cut to whole numbers.
  const View whole = c.hold(copyOf(c.view("zero_points"), DType::I32));
  const View zero = alongAxis(c.hold(copyOf(whole, DType::F32)), self.sizes, axis);
  forEachParallel<float, float, float, float>(
      [g](float& y, const float& x, const float& s, const float& z) {
        const float q = std::nearbyint(x * (1.0f / s)) + z;
        y = ((std::isnan(q) ? q : std::clamp(q, static_cast<float>(g.low), static_cast<float>(g.high))) - z) *
            s;
      },
      c.denseOut(), self, scale, zero);
}

/// The exponent of a float, rounded up, as a power of two of 8 bits.
void roundedUpExponent(Call& c) {
  const View self = c.dense(0, DType::F32), out = c.denseOut();
  forEachParallel<uint8_t, float>(
      [](uint8_t& y, const float& x) {
        const uint32_t bits = std::bit_cast<uint32_t>(x);
        const uint32_t exponent = (bits >> 23 & 0xFF) + ((bits & 0x7FFFFF) != 0 ? 1 : 0);
        y = static_cast<uint8_t>(std::min<uint32_t>(exponent, 254));
      },
      out, self);
}

}  // namespace

void addQuantizedKernels(KernelTable& table) {
  table.fill("aten.fake_quantize_per_tensor_affine_cachemask.default", fakeQuantize);
  table.fill("aten._fake_quantize_per_tensor_affine_cachemask_tensor_qparams.default", fakeQuantizeByTensors);
  table.fill("aten.fake_quantize_per_channel_affine_cachemask.default", fakeQuantizeChannels);
  table.fill(
      "aten._fake_quantize_learnable_per_tensor_affine.default "
      "aten._fake_quantize_learnable_per_channel_affine.default",
      learnable);
  table.fill(
      "aten._fake_quantize_learnable_per_tensor_affine_backward.default "
      "aten._fake_quantize_learnable_per_channel_affine_backward.default",
      learnableBackward);
  table.make("aten._fused_moving_avg_obs_fq_helper.default", observedFakeQuantize);
  table.fill("aten._fused_moving_avg_obs_fq_helper_functional.default", observedFakeQuantizeFunctional);
  table.fill(
      "quantized_decomposed.quantize_per_tensor.default quantized_decomposed.quantize_per_tensor.tensor "
      "quantized_decomposed.quantize_per_tensor.tensor2 quantized_decomposed.quantize_per_channel.default "
      "quantized_decomposed.quantize_per_token.default "
      "quantized_decomposed.quantize_per_channel_group.default",
      quantize);
  table.fill(
      "quantized_decomposed.dequantize_per_tensor.default quantized_decomposed.dequantize_per_tensor.tensor "
      "quantized_decomposed.dequantize_per_tensor.tensor2 "
      "quantized_decomposed.dequantize_per_channel.default "
      "quantized_decomposed.dequantize_per_token.default "
      "quantized_decomposed.dequantize_per_channel_group.default",
      dequantize);
  table.fill("quantized_decomposed.fake_quant_per_channel.default", fakeQuantizeDecomposed);
  table.fill("prims.inductor_cvt_e8m0_rceil.default", roundedUpExponent);
}

}  // namespace descry::runtime

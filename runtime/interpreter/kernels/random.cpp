// Random tensors: the numbers of PyTorch's CPU generator, drawn in the order that its kernels draw them.
#include <cmath>
#include <limits>
#include <numeric>

#include "ir/ops/eval/promotion.h"
#include "ir/ops/eval/strides.h"
#include "runtime/interpreter/machine.h"

namespace descry::runtime {

namespace {

/// Bits of a random number that a float of this type holds.
template <class T>
constexpr int digitsOf() {
  if constexpr (std::is_same_v<T, double>) return 53;
  if constexpr (std::is_same_v<T, Half>) return 11;
  if constexpr (std::is_same_v<T, BFloat16>) return 8;
  return 24;
}

/// [from, to): at::uniform_real_distribution<T>.
template <class T>
Compute<T> uniformOf(Generator& g, Compute<T> from, Compute<T> to) {
  using A = Compute<T>;
  if constexpr (std::is_same_v<A, double>)
    return g.uniformDouble() * (to - from) + from;
  else
    return g.uniformFloat() * (to - from) + from;
}

/// Calls f() for each element in the order of memory and stores what it gives.
template <class T, class F>
void drawInto(const View& out, const F& f) {
  forEach<T>([&](T& x) { x = convertTo<T>(f()); }, out);
}

template <class A>
constexpr DType drawnType() {
  if constexpr (std::is_same_v<A, bool>) return DType::B8;
  if constexpr (std::is_same_v<A, int64_t>) return DType::I64;
  return DType::F64;
}
/// The same where few dtypes matter: numbers of type A are drawn and then converted.
template <class A, class F>
void drawConverted(const View& out, const F& f) {
  if (out.dtype == drawnType<A>()) return drawInto<A>(out, f);
  if (ir::eval::isComplex(out.dtype)) unsupportedDType(out.dtype, "a random op");
  Meta m;
  m.dtype = drawnType<A>();
  m.sizes = out.sizes.ints();
  m.strides = ir::eval::stridesLike(m.sizes, out.strides.ints());
  const TensorRef drawn = allocate(std::move(m));
  drawInto<A>(viewOf(*drawn), f);
  copyElements(out, viewOf(*drawn));
}

View realView(const View& v) {
  if (!ir::eval::isComplex(v.dtype)) return v;
  View r = v;
  r.dtype = ir::eval::toReal(v.dtype);
  for (int64_t& s : r.strides) s *= 2;
  r.sizes.push_back(2);
  r.strides.push_back(1);
  return r;
}

void uniform(Generator& g, const View& to, double from, double until) {
  const View out = realView(to);
  if (!(from <= until))
    throw EvalError("value-error", "uniform_ expects to return a [from, to) range, but found from=" +
                                       std::to_string(from) + " > to=" + std::to_string(until));
  visitFloating(out.dtype, [&]<class T>(TypeTag<T>) {
    using A = Compute<T>;
    drawInto<T>(out, [&] { return uniformOf<T>(g, static_cast<A>(from), static_cast<A>(until)); });
  });
}

/// Pairs of uniform numbers, eight apart, become pairs of normal ones (Box-Muller).
template <class A>
void sixteenNormals(A* data, A mean, A std) {
  for (size_t j = 0; j < 8; ++j) {
    const A radius = std::sqrt(A(-2) * std::log(A(1) - data[j]));
    const A theta = static_cast<A>(2 * M_PI) * data[j + 8];
    data[j] = radius * std::cos(theta) * std + mean;
    data[j + 8] = radius * std::sin(theta) * std + mean;
  }
}

/// Sixteen at a time; what is left over is the end of sixteen new ones. Float and double draw all uniform
/// numbers first, the others those of sixteen at a time.
template <class T>
void manyNormals(Generator& g, T* data, int64_t n, double mean, double std) {
  using A = Compute<T>;
  const auto draw = [&] { return uniformOf<A>(g, 0, 1); };
  const auto make = [&](A* some) { sixteenNormals<A>(some, static_cast<A>(mean), static_cast<A>(std)); };
  A sixteen[16];
  if constexpr (kIsSmallFloat<T>) {
    for (int64_t i = 0; i < n; i += 16) {
      for (A& u : sixteen) u = draw();
      make(sixteen);
      T* to = data + std::min(i, n - 16);
      for (size_t j = 0; j < 16; ++j) to[j] = T(sixteen[j]);
    }
  } else {
    for (int64_t i = 0; i < n; ++i) data[i] = draw();
    for (int64_t i = 0; i + 16 <= n; i += 16) make(data + i);
    if (n % 16 == 0) return;
    for (int64_t i = n - 16; i < n; ++i) data[i] = draw();
    make(data + n - 16);
  }
}

void normal(Generator& g, const View& to, double mean, double std) {
  if (!(std >= 0))
    throw EvalError("value-error", "normal expects std >= 0.0, but found std " + std::to_string(std));
  const View out = realView(to);
  // Half of the variance for each part.
  if (ir::eval::isComplex(to.dtype)) std /= std::sqrt(2.0);
  visitFloating(out.dtype, [&]<class T>(TypeTag<T>) {
    if (out.numel() >= 16 && out.contiguous())
      manyNormals<T>(g, out.as<T>(), out.numel(), mean, std);
    else
      drawInto<T>(out, [&] { return g.normal(mean, std); });
  });
}

/// Whole numbers from `base`, `range` of them (0: all of 64 bits).
void integersFrom(Generator& g, const View& out, uint64_t range, int64_t base) {
  drawConverted<int64_t>(out, [&] {
    if (range == 0) return static_cast<int64_t>(g.random64());
    const uint64_t bits = range >= (uint64_t{1} << 28) ? g.random64() : g.random32();
    return static_cast<int64_t>(bits % range + static_cast<uint64_t>(base));
  });
}
void integersBetween(Generator& g, const View& out, int64_t from, int64_t to) {
  if (from >= to)
    throw EvalError("value-error", "random_ expects 'from' to be less than 'to', but got from=" +
                                       std::to_string(from) + " >= to=" + std::to_string(to));
  integersFrom(g, out, static_cast<uint64_t>(to) - static_cast<uint64_t>(from), from);
}

template <class T>
constexpr int64_t largestInteger() {
  if constexpr (std::is_same_v<T, bool>)
    return 1;
  else if constexpr (std::is_integral_v<T>)
    return sizeof(T) == 8 ? std::numeric_limits<int64_t>::max()
                          : static_cast<int64_t>(std::numeric_limits<T>::max());
  else
    return int64_t{1} << digitsOf<T>();
}

int64_t largestInteger(DType dtype) {
  return visitAny(dtype, []<class T>(TypeTag<T>) { return largestInteger<T>(); });
}

/// All whole numbers that the dtype holds.
void anyIntegers(Generator& g, const View& out) {
  const uint64_t range = static_cast<uint64_t>(largestInteger(out.dtype)) + 1;
  const bool wide = itemBytes(out.dtype) == 8;
  drawConverted<int64_t>(out,
                         [&] { return static_cast<int64_t>((wide ? g.random64() : g.random32()) % range); });
}

void bernoulli(Generator& g, const View& out, double p) {
  if (!(p >= 0 && p <= 1))
    throw EvalError("value-error", "bernoulli_ expects p to be in [0, 1], but got p=" + std::to_string(p));
  drawConverted<bool>(out, [&] { return g.uniformDouble() < p; });
}
void bernoulliOf(Generator& g, const View& out, const View& p) {
  const bool isDouble = p.dtype == DType::F64;
  const TensorRef drawn = allocate(out.sizes, DType::B8), wide = copyOf(p.expanded(out.sizes), DType::F64);
  forEach<bool, double>(
      [&](bool& x, const double& chance) {
        if (!(chance >= 0 && chance <= 1))
          throw EvalError("value-error", "Expected p_in >= 0 && p_in <= 1 to be true, but got false.");
        x = (isDouble ? g.uniformDouble() : static_cast<double>(g.uniformFloat())) < chance;
      },
      viewOf(*drawn), viewOf(*wide));
  copyElements(out, viewOf(*drawn));
}

void exponential(Generator& g, const View& out, double lambda) {
  if (!(lambda > 0))
    throw EvalError("value-error",
                    "exponential_ expects lambda > 0.0, but found lambda=" + std::to_string(lambda));
  visitFloating(out.dtype, [&]<class T>(TypeTag<T>) {
    drawInto<T>(out, [&] { return -1.0 / lambda * std::log1p(-g.uniformDouble()); });
  });
}

Generator& generatorOf(const Call& c) {
  return c.machine().generator;
}

// ---- kernels: each fills a result, or its first argument in place

using Filler = void (*)(Call&, const View&);
template <Filler fill>
void result(Call& c) {
  fill(c, c.out());
}
template <Filler fill>
Value inPlace(Call& c) {
  const TensorRef self = tensorOf(c.value(0));
  fill(c, viewOf(*self));
  ++self->version;
  return c.value(0);
}

void uniformBetween(Call& c, const View& out) {
  uniform(generatorOf(c), out, c.real("from"), c.real("to"));
}
void standardUniform(Call& c, const View& out) {
  uniform(generatorOf(c), out, 0, 1);
}
void standardNormal(Call& c, const View& out) {
  normal(generatorOf(c), out, 0, 1);
}
void normalOf(Call& c, const View& out) {
  normal(generatorOf(c), out, c.real("mean"), c.real("std"));
}
/// Mean or deviation of each element.
void normalOfTensors(Call& c, const View& out) {
  const Value &mean = c.value("mean"), &std = c.value("std");
  const TensorRef m = tensorOf(mean), s = tensorOf(std);
  const DType wide = out.dtype == DType::F64 ? DType::F64 : DType::F32;
  if (!std.isTensor())
    normal(generatorOf(c), out, 0, std.toReal());
  else
    normal(generatorOf(c), out, 0, 1);
  const TensorRef means = copyOf(viewOf(*m).expanded(out.sizes), wide),
                  deviations = copyOf(viewOf(*s).expanded(out.sizes), wide);
  visitFloating(out.dtype, [&]<class T>(TypeTag<T>) {
    using A = Compute<T>;
    forEach<T, A, A>(
        [&](T& x, const A& mu, const A& sigma) {
          if (std.isTensor() && !(sigma >= 0))
            throw EvalError("value-error", "normal expects all elements of std >= 0.0");
          x = T((std.isTensor() ? static_cast<A>(T(static_cast<A>(x) * sigma)) : static_cast<A>(x)) + mu);
        },
        out, viewOf(*means), viewOf(*deviations));
  });
}
void integersBelow(Call& c, const View& out) {
  const int64_t low = c.knows("low") ? c.integer("low") : 0;
  const int64_t high = c.value("high").isTensor() ? numberAt(c.view("high").dtype, c.view("high").data).raw()
                                                  : c.integer("high");
  integersBetween(generatorOf(c), out, low, high);
}
void randomIntegers(Call& c, const View& out) {
  const bool bounded = c.knows("to");
  if (!bounded) return anyIntegers(generatorOf(c), out);
  const int64_t from = c.knows("from") ? c.integer("from") : 0;
  if (c.given("to")) return integersBetween(generatorOf(c), out, from, c.integer("to"));
  const int64_t most = largestInteger(out.dtype);
  integersFrom(generatorOf(c), out, static_cast<uint64_t>(most) - static_cast<uint64_t>(from) + 1, from);
}
void bernoulliWith(Call& c, const View& out) {
  const Value& p = c.knows("p") ? c.value("p") : c.value(0);
  if (p.isTensor())
    bernoulliOf(generatorOf(c), out, c.view(c.knows("p") ? c.at("p") : 0));
  else
    bernoulli(generatorOf(c), out, p.toReal());
}
void exponentialWith(Call& c, const View& out) {
  exponential(generatorOf(c), out, c.real("lambd"));
}
void geometric(Call& c, const View& out) {
  const double p = c.real("p");
  if (!(p > 0 && p < 1))
    throw EvalError("value-error", "geometric_ expects p to be in (0, 1), but got p=" + std::to_string(p));
  Generator& g = generatorOf(c);
  drawConverted<double>(out, [&] { return std::ceil(std::log(g.uniformDouble()) / std::log1p(-p)); });
}
void cauchy(Call& c, const View& out) {
  const double median = c.real("median"), sigma = c.real("sigma");
  if (!(sigma > 0))
    throw EvalError("value-error", "cauchy_ expects sigma > 0.0, but found sigma=" + std::to_string(sigma));
  Generator& g = generatorOf(c);
  drawConverted<double>(out, [&] { return median + sigma * std::tan(M_PI * (g.uniformDouble() - 0.5)); });
}
void logNormal(Call& c, const View& out) {
  const double mean = c.real("mean"), std = c.real("std");
  if (!(std > 0))
    throw EvalError("value-error", "log_normal_ expects std > 0.0, but found std=" + std::to_string(std));
  Generator& g = generatorOf(c);
  drawConverted<double>(out, [&] { return std::exp(g.normal(mean, std)); });
}

void permutation(Call& c) {
  const View out = c.denseOut(0, DType::I64);
  int64_t* p = out.as<int64_t>();
  const int64_t n = out.numel();
  std::iota(p, p + n, int64_t{0});
  Generator& g = generatorOf(c);
  for (int64_t i = 0; i + 1 < n; ++i)
    std::swap(p[i], p[i + static_cast<int64_t>(g.random32() % static_cast<uint64_t>(n - i))]);
}

void nativeDropout(Call& c) {
  const double p = c.real("p");
  const View x = c.view(0), out = c.out(0), mask = c.out(1);
  const bool train = !c.knows("train") || !c.given("train") || c.flag(c.at("train"));
  if (!train) {
    copyElements(out, x);
    fillElements(mask, Value::boolean(true));
    return;
  }
  const double keep = 1 - p, scale = keep == 0 ? 0 : 1 / keep;
  bernoulli(generatorOf(c), mask, keep);
  visitFloatingOrComplex(x.dtype, [&]<class T>(TypeTag<T>) {
    forEachParallel<T, T, bool>(
        [scale](T& y, const T& v, const bool& kept) {
          using A = Compute<T>;
          y = convertTo<T>(convertTo<A>(v) * convertTo<A>(kept) * convertTo<A>(scale));
        },
        out, x, mask);
  });
}

/// Negative elements are scaled by random numbers, which `noise` holds.
void rrelu(Call& c, const View& out, const View& noise) {
  const View x = c.view(0);
  const double lower = c.real("lower"), upper = c.real("upper");
  Generator& g = generatorOf(c);
  const bool training = c.flag("training");
  visitFloating(x.dtype, [&]<class T>(TypeTag<T>) {
    forEach<T, T, T>(
        [&](T& n, T& y, const T& v) {
          using A = Compute<T>;
          const A a = static_cast<A>(v);
          if (a > 0 || a != a || (!training && a == 0)) {
            y = v;
            if (training) n = T(A(1));
            return;
          }
          const A r = static_cast<A>(training ? uniformOf<double>(g, lower, upper) : (lower + upper) / 2);
          y = T(a * r);
          if (training) n = T(r);
        },
        noise, out, x);
  });
}
Value rreluWithNoise(Call& c) {
  const TensorRef noise = tensorOf(c.value("noise"));
  Values args;
  for (size_t i = 0; i < c.count(); ++i) args.push_back(c.value(i));
  Meta m = c.machine().rules().shape(c.op(), args).meta();
  m.wrappedNumber = m.conj = m.neg = false;
  const TensorRef out = allocate(std::move(m));
  rrelu(c, viewOf(*out), viewOf(*noise));
  ++noise->version;
  return Value(out);
}
void rreluFunctional(Call& c) {
  copyElements(c.out(1), c.view("noise"));
  rrelu(c, c.out(0), c.out(1));
}

// ---- functional random numbers

/// Each element has its own subsequence of the stream of the seed, as CUDA's kernels have it for tensors that
/// one launch covers; the offset counts numbers of one subsequence.
void philoxRand(Call& c) {
  const View seed = c.view("seed"), offset = c.view("offset"), out = c.denseOut(0, DType::F32);
  const auto key = static_cast<uint64_t>(numberAt(seed.dtype, seed.data).raw());
  const auto counter = static_cast<uint64_t>(numberAt(offset.dtype, offset.data).raw()) / 4;
  parallelFor(0, out.numel(), 4096, [&](int64_t from, int64_t to) {
    for (int64_t i = from; i < to; ++i) {
      const float u =
          static_cast<float>(philox(key, counter, static_cast<uint64_t>(i))[0]) * 0x1p-32f + 0x1p-33f;
      out.as<float>()[i] = u == 1.0f ? 0.0f : u;
    }
  });
  fillElements(c.out(1), Value(int64_t{4}));
}
void inductorSeeds(Call& c, const View& out) {
  integersFrom(generatorOf(c), out, ~uint64_t{0}, std::numeric_limits<int64_t>::min());
}
void lookupSeed(Call& c) {
  const View seeds = c.view(0);
  const int64_t at = c.integer("index");
  if (at < 0 || at >= seeds.size(0))
    throw EvalError("index-error", "index " + std::to_string(at) + " is out of bounds");
  copyElements(c.out(), seeds.select(0, at));
}
void inductorRandom(Call& c, const View& out) {
  if (c.text(c.at("mode")) == "rand")
    uniform(generatorOf(c), out, 0, 1);
  else
    normal(generatorOf(c), out, 0, 1);
}

}  // namespace

void addRandomKernels(KernelTable& table) {
  table.fill("aten.rand.default aten.rand.generator aten.rand_like.default aten.rand_like.generator",
             result<standardUniform>);
  table.fill("aten.randn.default aten.randn.generator aten.randn_like.default aten.randn_like.generator",
             result<standardNormal>);
  table.fill(
      "aten.randint.default aten.randint.generator aten.randint.low aten.randint.low_generator "
      "aten.randint_like.default aten.randint_like.generator aten.randint_like.low_dtype "
      "aten.randint_like.low_generator_dtype aten.randint_like.Tensor aten.randint_like.Tensor_generator "
      "prims.inductor_randint.default",
      result<integersBelow>);
  table.fill("aten.randperm.default aten.randperm.generator", permutation);
  table.fill("aten.uniform.default", result<uniformBetween>);
  table.make("aten.uniform_.default", inPlace<uniformBetween>);
  table.fill("aten.normal.float_float aten.normal_functional.default prims.normal.default", result<normalOf>);
  table.make("aten.normal_.default", inPlace<normalOf>);
  table.fill("aten.normal.Tensor_Tensor aten.normal.Tensor_float aten.normal.float_Tensor",
             result<normalOfTensors>);
  table.fill("aten.random.default aten.random.from aten.random.to", result<randomIntegers>);
  table.make("aten.random_.default aten.random_.from aten.random_.to", inPlace<randomIntegers>);
  table.fill("aten.bernoulli.default aten.bernoulli.p aten.bernoulli.Tensor", result<bernoulliWith>);
  table.make("aten.bernoulli_.float aten.bernoulli_.Tensor", inPlace<bernoulliWith>);
  table.fill("aten.exponential.default", result<exponentialWith>);
  table.make("aten.exponential_.default", inPlace<exponentialWith>);
  table.fill("aten.geometric.default", result<geometric>);
  table.make("aten.geometric_.default", inPlace<geometric>);
  table.fill("aten.cauchy.default", result<cauchy>);
  table.make("aten.cauchy_.default", inPlace<cauchy>);
  table.fill("aten.log_normal.default", result<logNormal>);
  table.make("aten.log_normal_.default", inPlace<logNormal>);
  table.fill("aten.native_dropout.default aten._fused_dropout.default", nativeDropout);
  table.make("aten.rrelu_with_noise.default", rreluWithNoise);
  table.fill("aten.rrelu_with_noise_functional.default", rreluFunctional);
  table.fill("rngprims.philox_rand.default", philoxRand);
  table.fill("prims.inductor_seed.default prims.inductor_seeds.default", result<inductorSeeds>);
  table.fill("prims.inductor_lookup_seed.default", lookupSeed);
  table.fill("prims.inductor_random.default", result<inductorRandom>);
}

}  // namespace descry::runtime

// Sampling of images and volumes at the points of a grid.
#include <cmath>

#include "runtime/interpreter/kernels/element_support.h"

namespace descry::runtime {
namespace {

enum Mode : int64_t { kLinear, kNearest, kCubic };
enum Border : int64_t { kZeros, kEdge, kReflect };

/// What is common to the calls; images are volumes of depth 1.
struct Sampler {
  int64_t mode = kLinear, border = kZeros;
  bool corners = false;
  size_t dims = 2;
  std::array<int64_t, 3> sizes{1, 1, 1};  ///< of the input: x, y, z

  int64_t at(const std::array<int64_t, 3>& p) const { return (p[2] * sizes[1] + p[1]) * sizes[0] + p[0]; }
  bool inside(const std::array<int64_t, 3>& p) const {
    for (size_t d = 0; d < dims; ++d)
      if (p[d] < 0 || p[d] >= sizes[d]) return false;
    return true;
  }
};

/// A coordinate in elements, and how it moves with the one of the grid.
template <class A>
struct Coordinate {
  A x, slope;
};

template <class A>
Coordinate<A> unnormalized(const Sampler& s, A x, int64_t size) {
  if (s.corners) return {(x + 1) / 2 * static_cast<A>(size - 1), static_cast<A>(size - 1) / 2};
  return {((x + 1) * static_cast<A>(size) - 1) / 2, static_cast<A>(size) / 2};
}
template <class A>
void clip(Coordinate<A>& c, int64_t size) {
  const A most = static_cast<A>(size - 1);
  if (!(c.x > 0))  // NaN too
    c = {0, 0};
  else if (c.x >= most)
    c = {most, 0};
}
/// Back and forth between the borders, given as twice their coordinates.
template <class A>
void reflect(Coordinate<A>& c, int64_t twiceLow, int64_t twiceHigh) {
  if (twiceLow == twiceHigh) {
    c = {0, 0};
    return;
  }
  const A low = static_cast<A>(twiceLow) / 2, span = static_cast<A>(twiceHigh - twiceLow) / 2;
  A x = c.x - low;
  A sign = 1;
  if (x < 0) {
    sign = -1;
    x = -x;
  }
  const A extra = std::fmod(x, span);
  const A flips = std::floor(x / span);
  if (std::fmod(flips, A(2)) == 0)
    c = {extra + low, c.slope * sign};
  else
    c = {span - extra + low, -c.slope * sign};
}
template <class A>
void intoBorders(const Sampler& s, Coordinate<A>& c, int64_t size) {
  if (s.border == kReflect) {
    if (s.corners)
      reflect(c, 0, 2 * (size - 1));
    else
      reflect(c, -1, 2 * size - 1);
  }
  if (s.border != kZeros) clip(c, size);
}

/// As an index: what is no number lies outside.
template <class A>
int64_t indexOf(A x) {
  return x > -1e9 && x < 1e9 ? static_cast<int64_t>(x) : -100;
}

template <class A>
std::array<A, 4> cubicWeights(A t) {
  const A a = A(-0.75);
  const auto near = [a](A x) { return ((a + 2) * x - (a + 3)) * x * x + 1; };
  const auto far = [a](A x) { return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a; };
  return {far(t + 1), near(t), near(1 - t), far(2 - t)};
}
template <class A>
std::array<A, 4> cubicSlopes(A t) {
  const A a = A(-0.75);
  const auto near = [a](A x) { return (3 * (a + 2) * x - 2 * (a + 3)) * x; };
  const auto far = [a](A x) { return (3 * a * x - 10 * a) * x + 8 * a; };
  return {far(t + 1), near(t), -near(1 - t), -far(2 - t)};
}

/// An element of the input, its weight, and how the weight moves with each coordinate of the grid.
template <class A>
struct Tap {
  int64_t at;
  A weight;
  std::array<A, 3> slope;
};

/// What a point of the grid is made of.
template <class A>
void tapsAt(const Sampler& s, const std::array<A, 3>& point, std::vector<Tap<A>>& taps) {
  taps.clear();
  std::array<Coordinate<A>, 3> c;
  for (size_t d = 0; d < s.dims; ++d) {
    c[d] = unnormalized(s, point[d], s.sizes[d]);
    if (s.mode != kCubic) intoBorders(s, c[d], s.sizes[d]);
  }
  if (s.mode == kNearest) {
    std::array<int64_t, 3> p{0, 0, 0};
    for (size_t d = 0; d < s.dims; ++d) p[d] = indexOf(std::nearbyint(c[d].x));
    if (s.inside(p)) taps.push_back({s.at(p), A(1), {0, 0, 0}});
    return;
  }
  for (size_t d = 0; d < s.dims; ++d)
    if (!std::isfinite(c[d].x)) {
      const A nan = std::numeric_limits<A>::quiet_NaN();
      taps.push_back({0, nan, {nan, nan, nan}});
      return;
    }
  if (s.mode == kLinear) {
    std::array<int64_t, 3> low{0, 0, 0};
    for (size_t d = 0; d < s.dims; ++d) low[d] = indexOf(std::floor(c[d].x));
    for (unsigned corner = 0; corner < 1u << s.dims; ++corner) {
      std::array<int64_t, 3> p = low;
      std::array<A, 3> w{1, 1, 1};
      for (size_t d = 0; d < s.dims; ++d) {
        const bool high = corner >> d & 1;
        const A part = c[d].x - static_cast<A>(low[d]);
        p[d] += high;
        w[d] = high ? part : 1 - part;
      }
      if (!s.inside(p)) continue;
      Tap<A> tap{s.at(p), w[0] * w[1] * w[2], {0, 0, 0}};
      for (size_t d = 0; d < s.dims; ++d) {
        A slope = corner >> d & 1 ? c[d].slope : -c[d].slope;
        for (size_t k = 0; k < s.dims; ++k)
          if (k != d) slope *= w[k];
        tap.slope[d] = slope;
      }
      taps.push_back(tap);
    }
    return;
  }
  // Cubic, of images: borders apply to each of the sixteen elements.
  std::array<std::array<A, 4>, 2> weight, slope;
  std::array<int64_t, 2> low;
  for (size_t d = 0; d < 2; ++d) {
    const A floor = std::floor(c[d].x);
    low[d] = indexOf(floor);
    weight[d] = cubicWeights(c[d].x - floor);
    slope[d] = cubicSlopes(c[d].x - floor);
  }
  const auto bounded = [&](int64_t i, int64_t size) {
    Coordinate<A> e{static_cast<A>(i), 1};
    intoBorders(s, e, size);
    return indexOf(e.x);
  };
  for (size_t y = 0; y < 4; ++y)
    for (size_t x = 0; x < 4; ++x) {
      std::array<int64_t, 3> p{bounded(low[0] - 1 + static_cast<int64_t>(x), s.sizes[0]),
                               bounded(low[1] - 1 + static_cast<int64_t>(y), s.sizes[1]), 0};
      if (!s.inside(p)) continue;
      taps.push_back({s.at(p),
                      weight[0][x] * weight[1][y],
                      {slope[0][x] * weight[1][y] * c[0].slope, weight[0][x] * slope[1][y] * c[1].slope, 0}});
    }
}

Sampler samplerOf(Call& c, const View& input, const View& grid) {
  Sampler s;
  s.dims = input.dim() - 2;
  if (input.dim() < 4 || input.dim() > 5 || grid.dim() != input.dim() ||
      grid.size(-1) != static_cast<int64_t>(s.dims) || grid.sizes[0] != input.sizes[0])
    throw EvalError(
        "shape-mismatch",
        "grid_sampler(): expected grid and input to have same batch size, but got input with sizes " +
            sizesText(input.sizes) + " and grid with sizes " + sizesText(grid.sizes));
  for (size_t d = 0; d < s.dims; ++d) {
    s.sizes[d] = input.size(-1 - static_cast<int64_t>(d));
    if (s.sizes[d] <= 0)
      throw EvalError(
          "shape-mismatch",
          "grid_sampler(): expected input to have non-empty spatial dimensions, but input has sizes " +
              sizesText(input.sizes));
  }
  if (c.knows("interpolation_mode")) {
    s.mode = c.integer("interpolation_mode");
    s.border = c.integer("padding_mode");
    s.corners = c.flag("align_corners");
  } else {
    s.corners = true;
  }
  if (s.mode < 0 || s.mode > kCubic || s.border < 0 || s.border > kReflect)
    throw EvalError("value-error", "grid_sampler(): an unknown mode");
  if (s.mode == kCubic && s.dims == 3)
    throw EvalError("value-error", "grid_sampler(): bicubic interpolation only supports 4D input");
  return s;
}

/// Calls f(batch, first point, number of points ahead, taps) for each point of the grid.
template <class T, class F>
void forEachPoint(const Sampler& s, const View& grid, F&& f) {
  using A = Compute<T>;
  const auto dims = static_cast<int64_t>(s.dims);
  const int64_t batch = grid.sizes[0], points = batch ? grid.numel() / batch / dims : 0;
  parallelFor(0, batch, 1, [&](int64_t from, int64_t to) {
    std::vector<Tap<A>> taps;
    for (int64_t n = from; n < to; ++n)
      for (int64_t i = 0; i < points; ++i) {
        std::array<A, 3> point{0, 0, 0};
        for (int64_t d = 0; d < dims; ++d)
          point[static_cast<size_t>(d)] = static_cast<A>(grid.as<T>()[(n * points + i) * dims + d]);
        tapsAt(s, point, taps);
        f(n, i, points, taps);
      }
  });
}

void sample(Call& c) {
  const View input = c.dense(0), grid = c.dense(1, input.dtype), out = c.denseOut();
  if (out.numel() == 0) return;
  const Sampler s = samplerOf(c, input, grid);
  const int64_t channels = input.sizes[1], size = s.sizes[0] * s.sizes[1] * s.sizes[2];
  visitFloating(input.dtype, [&]<class T>(TypeTag<T>) {
    using A = Compute<T>;
    forEachPoint<T>(s, grid, [&](int64_t n, int64_t i, int64_t points, const std::vector<Tap<A>>& taps) {
      for (int64_t k = 0; k < channels; ++k) {
        const T* plane = input.as<T>() + (n * channels + k) * size;
        A sum = 0;
        for (const Tap<A>& t : taps) sum += t.weight * static_cast<A>(plane[t.at]);
        out.as<T>()[(n * channels + k) * points + i] = T(sum);
      }
    });
  });
}

void sampleBackwardOf(Call& c, const View& grad, const View& input, const View& grid) {
  const Sampler s = samplerOf(c, input, grid);
  const bool wanted = c.has(0);
  const View gradInput = wanted ? c.denseOut(0) : View{}, gradGrid = c.denseOut(1);
  const int64_t channels = input.sizes[1], size = s.sizes[0] * s.sizes[1] * s.sizes[2];
  if (grad.dim() != input.dim() || grad.numel() != grid.numel() / static_cast<int64_t>(s.dims) * channels)
    throw EvalError("shape-mismatch", "the gradient of grid_sampler does not fit its grid");
  zeroElements(gradGrid);
  if (wanted) zeroElements(gradInput);
  visitFloating(input.dtype, [&]<class T>(TypeTag<T>) {
    using A = Compute<T>;
    std::vector<A> sums(wanted ? static_cast<size_t>(input.numel()) : 0, A(0));
    forEachPoint<T>(s, grid, [&](int64_t n, int64_t i, int64_t points, const std::vector<Tap<A>>& taps) {
      std::array<A, 3> moved{0, 0, 0};
      for (int64_t k = 0; k < channels; ++k) {
        const int64_t plane = (n * channels + k) * size;
        const A g = static_cast<A>(grad.as<T>()[(n * channels + k) * points + i]);
        for (const Tap<A>& t : taps) {
          if (wanted) sums[static_cast<size_t>(plane + t.at)] += t.weight * g;
          const A v = static_cast<A>(input.as<T>()[plane + t.at]) * g;
          for (size_t d = 0; d < s.dims; ++d) moved[d] += t.slope[d] * v;
        }
      }
      for (size_t d = 0; d < s.dims; ++d)
        gradGrid.as<T>()[(n * points + i) * static_cast<int64_t>(s.dims) + static_cast<int64_t>(d)] =
            T(moved[d]);
    });
    for (size_t i = 0; i < sums.size(); ++i) gradInput.as<T>()[i] = T(sums[i]);
  });
}
void sampleBackward(Call& c) {
  sampleBackwardOf(c, c.dense("grad_output"), c.dense("input"), c.dense("grid"));
}
void cudnnSampleBackward(Call& c) {
  sampleBackwardOf(c, c.dense("grad_output"), c.dense("self"), c.dense("grid"));
}

/// The affine maps of cuDNN's ops, which line up corners.
void affineGrid(Call& c) {
  const int64_t n = c.integer("N"), channels = c.integer("C"), height = c.integer("H"),
                width = c.integer("W");
  copyElements(c.out(), viewOf(*tensorOf(c.call("aten.affine_grid_generator.default",
                                                {c.value("theta"), Value(Ints{n, channels, height, width}),
                                                 Value::boolean(true)}))));
}
void affineGridBackward(Call& c) {
  const int64_t n = c.integer("N"), channels = c.integer("C"), height = c.integer("H"),
                width = c.integer("W");
  copyElements(c.out(), viewOf(*tensorOf(c.call("aten.affine_grid_generator_backward.default",
                                                {c.value("grad"), Value(Ints{n, channels, height, width}),
                                                 Value::boolean(true)}))));
}

}  // namespace

void addGridSamplingKernels(KernelTable& table) {
  table.fill(
      "aten.grid_sampler_2d.default aten.grid_sampler_3d.default aten._grid_sampler_2d_cpu_fallback.default "
      "aten.cudnn_grid_sampler.default",
      sample);
  table.fill(
      "aten.grid_sampler_2d_backward.default aten.grid_sampler_3d_backward.default "
      "aten._grid_sampler_2d_cpu_fallback_backward.default",
      sampleBackward);
  table.fill("aten.cudnn_grid_sampler_backward.default", cudnnSampleBackward);
  table.fill("aten.cudnn_affine_grid_generator.default", affineGrid);
  table.fill("aten.cudnn_affine_grid_generator_backward.default", affineGridBackward);
}

}  // namespace descry::runtime

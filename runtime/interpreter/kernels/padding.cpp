// Padding by a number, by reflection and by the border, for one to three dimensions.
#include "runtime/interpreter/kernels/element_support.h"

namespace descry::runtime {
namespace {

/// Negative entries of `pad` cut.
void constantPad(Call& c) {
  const std::vector<int64_t> pad = c.integers("pad");
  View out = c.out(), self = c.view("self");
  fillElements(out, c.value("value"));
  for (size_t k = 0; 2 * k + 1 < pad.size(); ++k) {
    const auto dim = static_cast<int64_t>(self.dim() - 1 - k);
    const int64_t left = pad[2 * k], right = pad[2 * k + 1];
    const int64_t length = self.size(dim) - std::max<int64_t>(-left, 0) - std::max<int64_t>(-right, 0);
    if (length <= 0) return;
    self = self.narrow(dim, std::max<int64_t>(-left, 0), length);
    out = out.narrow(dim, std::max<int64_t>(left, 0), length);
  }
  copyElements(out, self);
}

/// For each place of a padded dimension, where in the unpadded one its value is from.
std::vector<int64_t> sources(int64_t length, int64_t left, int64_t padded, bool reflects) {
  std::vector<int64_t> from(static_cast<size_t>(padded));
  if (length <= 0) throw EvalError("shape-mismatch", "padding of a dimension without elements");
  for (int64_t i = 0; i < padded; ++i) {
    int64_t k = i - left;
    if (reflects) {
      if (k < 0) k = -k;
      if (k >= length) k = 2 * (length - 1) - k;
    }
    from[static_cast<size_t>(i)] = std::clamp<int64_t>(k, 0, length - 1);
  }
  return from;
}

struct Bordered {
  View offsets;     ///< of the source of each place of the padded dimensions, in elements
  size_t dims = 0;  ///< padded ones, the last
};

/// `stride` of the unpadded tensor per dimension.
Bordered bordered(Call& c, const View& unpadded, const View& padded) {
  const std::vector<int64_t> pad = c.integers("padding");
  const bool reflects = c.op().name().find("reflection") == 0;
  Bordered b;
  b.dims = pad.size() / 2;
  if (b.dims == 0 || b.dims > unpadded.dim())
    throw EvalError("shape-mismatch", "more padding than dimensions");
  if (padded.dim() != unpadded.dim())
    throw EvalError("shape-mismatch", "a padded tensor has " + std::to_string(unpadded.dim()) +
                                          " dimensions, not " + std::to_string(padded.dim()));
  for (size_t d = 0; d + b.dims < padded.dim(); ++d)
    if (padded.sizes[d] != unpadded.sizes[d])
      throw EvalError("shape-mismatch", "gradOutput dimension " + std::to_string(d) +
                                            " unexpected. Expected: " + std::to_string(unpadded.sizes[d]) +
                                            ", Got: " + std::to_string(padded.sizes[d]));
  Dims sizes;
  for (size_t d = padded.dim() - b.dims; d < padded.dim(); ++d) {
    const size_t k = padded.dim() - 1 - d;
    if (padded.sizes[d] != unpadded.sizes[d] + pad[2 * k] + pad[2 * k + 1])
      throw EvalError("shape-mismatch", "gradOutput dimension " + std::to_string(d) +
                                            " unexpected. Expected: " +
                                            std::to_string(unpadded.sizes[d] + pad[2 * k] + pad[2 * k + 1]) +
                                            ", Got: " + std::to_string(padded.sizes[d]));
    sizes.push_back(padded.sizes[d]);
  }
  b.offsets = c.scratchZeros(sizes, DType::I64);
  if (b.offsets.numel() == 0) return b;
  for (size_t d = 0; d < b.dims; ++d) {
    const size_t at = unpadded.dim() - b.dims + d;
    const std::vector<int64_t> from =
        sources(unpadded.sizes[at], pad[2 * (b.dims - 1 - d)], sizes[d], reflects);
    const int64_t stride = unpadded.strides[at];
    for (int64_t i = 0; i < sizes[d]; ++i) {
      const int64_t add = from[static_cast<size_t>(i)] * stride;
      forEach<int64_t>([add](int64_t& o) { o += add; }, b.offsets.select(static_cast<int64_t>(d), i));
    }
  }
  return b;
}

void borderPad(Call& c) {
  View self = c.view("self"), out = c.out();
  if (out.numel() == 0) return;
  const Bordered b = bordered(c, self, out);
  View offsets = b.offsets;
  for (size_t d = 0; d < b.dims; ++d) self.strides[self.dim() - 1 - d] = 0;
  self.sizes = out.sizes;
  Dims strides(out.dim() - b.dims, 0);
  for (const int64_t s : b.offsets.strides) strides.push_back(s);
  offsets.sizes = out.sizes;
  offsets.strides = strides;
  readAt(out, self, offsets);
}

void borderPadBackward(Call& c) {
  const View out = c.denseOut(), grad = c.dense("grad_output");
  zeroElements(out);
  if (out.numel() == 0 || grad.numel() == 0) return;
  const Bordered b = bordered(c, out, grad);
  const int64_t places = b.offsets.numel(), planes = grad.numel() / places, plane = out.numel() / planes;
  const int64_t* to = b.offsets.as<int64_t>();
  visitFloatingOrComplex(out.dtype, [&]<class T>(TypeTag<T>) {
    parallelFor(0, planes, lineGrain(places), [&](int64_t from, int64_t end) {
      for (int64_t p = from; p < end; ++p) {
        T* into = out.as<T>() + p * plane;
        const T* g = grad.as<T>() + p * places;
        for (int64_t i = 0; i < places; ++i) into[to[i]] = plus(into[to[i]], g[i]);
      }
    });
  });
}

}  // namespace

void addPaddingKernels(KernelTable& table) {
  table.fill("aten.constant_pad_nd.default", constantPad);
  table.fill(
      "aten.reflection_pad1d.default aten.reflection_pad2d.default aten.reflection_pad3d.default "
      "aten.replication_pad1d.default aten.replication_pad2d.default aten.replication_pad3d.default",
      borderPad);
  table.fill(
      "aten.reflection_pad1d_backward.default aten.reflection_pad2d_backward.default "
      "aten.reflection_pad3d_backward.default aten.replication_pad1d_backward.default "
      "aten.replication_pad2d_backward.default aten.replication_pad3d_backward.default",
      borderPadBackward);
}

}  // namespace descry::runtime

// Strides and memory formats, as PyTorch's kernels choose them.
#pragma once

#include <vector>

#include "ir/ops/eval/value.h"

namespace descry::ir::eval {

Ints contiguousStrides(const Ints& sizes);
/// Strides of a fresh tensor in `format`; Preserve and formats of another rank mean contiguous.
Ints stridesFor(const Ints& sizes, MemoryFormat format);
bool isContiguous(const Meta& m, MemoryFormat format = MemoryFormat::Contiguous);
bool isNonOverlappingAndDense(const Meta& m);
/// contiguous, channels_last or channels_last_3d, by strides alone.
MemoryFormat suggestFormat(const Meta& m);
/// Strides that empty_like(preserve_format) gives.
Ints stridesLike(const Ints& sizes, const Ints& strides);
/// Throws `shape-mismatch`.
Ints broadcastSizes(const Ints& a, const Ints& b);
/// Strides of an elementwise result of these operands broadcast to `sizes`, as fake tensors choose them (the
/// order of strides of the operands decides; `basicArithmetic`: add, sub, mul and div have a shortcut for
/// symbolic sizes).
Ints elementwiseStrides(const Ints& sizes, const std::vector<const Meta*>& operands, bool basicArithmetic);
/// The order of dimensions behind it, fastest first.
std::vector<size_t> elementwiseOrder(const Ints& sizes, const std::vector<const Meta*>& operands);
/// Strides of `view(newSizes)` when it needs no copy (computeStride), else nothing.
bool viewStrides(const Ints& sizes, const Ints& strides, const Ints& newSizes, Ints& out);
/// Replaces -1. Throws `shape-mismatch`.
Ints inferSize(const Ints& sizes, const Int& numel);
/// Why nothing can be laid out so, in words: a negative size, stride or offset, or elements past 64 bits.
/// Empty for all that can; symbolic numbers are not looked at.
std::string faultOf(const Meta& m);
/// Throws `index-error`.
int64_t wrapDim(const Int& d, int64_t ndim);

}  // namespace descry::ir::eval

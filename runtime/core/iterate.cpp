#include "runtime/core/iterate.h"

#include <algorithm>
#include <numeric>

namespace descry::runtime {

Iteration::Iteration(std::span<const View> operands) : count_(operands.size()) {
  const View& first = operands[0];
  numel_ = first.numel();
  const size_t rank = first.dim();
  std::array<Dims, kMost> strides;
  for (size_t k = 0; k < count_; ++k) {
    const View v = k ? operands[k].expanded(first.sizes) : first;
    data_[k] = v.data;
    strides[k] = v.strides;
    for (int64_t& s : strides[k]) s *= itemBytes(v.dtype);
  }
  // Fastest first: by the stride of the first operand that moves in both dimensions.
  std::vector<size_t> order;
  for (size_t d = rank; d-- > 0;)
    if (first.sizes[d] != 1) order.push_back(d);
  for (size_t i = 1; i < order.size(); ++i)
    for (size_t j = i; j > 0; --j) {
      bool swap = false;
      for (size_t k = 0; k < count_; ++k) {
        const int64_t inner = std::abs(strides[k][order[j - 1]]), outer = std::abs(strides[k][order[j]]);
        if (inner == 0 || outer == 0 || inner == outer) continue;
        swap = outer < inner;
        break;
      }
      if (!swap) break;
      std::swap(order[j - 1], order[j]);
    }
  for (const size_t d : order) {
    const size_t last = sizes_.size();
    bool joins = last > 0;
    for (size_t k = 0; k < count_ && joins; ++k)
      joins = strides_[k][last - 1] * sizes_[last - 1] == strides[k][d];
    if (joins) {
      sizes_[last - 1] *= first.sizes[d];
      continue;
    }
    sizes_.push_back(first.sizes[d]);
    for (size_t k = 0; k < count_; ++k) strides_[k].push_back(strides[k][d]);
  }
}

}  // namespace descry::runtime

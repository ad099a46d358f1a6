#include "runtime/plan/epilogue.h"

#include <algorithm>
#include <unordered_map>

#include "ir/ops/eval/strides.h"
#include "runtime/core/gemm.h"
#include "runtime/interpreter/kernels/numeric.h"

namespace descry::runtime {

namespace {

/// Products of fewer elements are not worth the trouble.
constexpr int64_t kLeast = 4096;
/// The dimension behind some in front that hold so many elements; dimensions of one element go to the front.
std::optional<size_t> cutAt(const Dims& sizes, size_t from, int64_t elements) {
  int64_t n = 1;
  size_t d = from;
  while (d < sizes.size() && n < elements) n *= sizes[d++];
  return n == elements ? std::optional<size_t>(d) : std::nullopt;
}

}  // namespace

std::optional<Epilogue::Operand> Epilogue::operandOf(const Tensor& t, const Dims& space, size_t batchDims,
                                                     size_t rowDims) const {
  if (t.meta.conj || t.meta.neg) return {};
  // Strides in the space of the loop: where the tensor is broadcast, zero.
  Dims strides(space.size(), 0);
  const size_t rank = t.meta.sizes.size();
  if (rank > space.size()) return {};
  for (size_t d = 0; d < rank; ++d) {
    const size_t at = space.size() - rank + d;
    if (t.meta.sizes[d].value == space[at])
      strides[at] = t.meta.strides[d].value;
    else if (t.meta.sizes[d].value != 1)
      return {};
  }
  // Each part of the dimensions has to be as one.
  const auto joined = [&](size_t from, size_t to) -> std::optional<int64_t> {
    std::optional<int64_t> inner;
    int64_t expected = 0;
    for (size_t d = to; d-- > from;) {
      if (space[d] == 1) continue;
      if (inner && strides[d] != expected) return {};
      if (!inner) inner = strides[d];
      expected = strides[d] * space[d];
    }
    return inner.value_or(0);
  };
  const std::optional<int64_t> batch = joined(0, batchDims), row = joined(batchDims, rowDims),
                               column = joined(rowDims, space.size());
  if (!batch || !row || !column) return {};
  return Operand{&t, *batch, *row, *column};
}

std::optional<Epilogue> Epilogue::of(const PlannedOp& product, const GroupLoop& loop, const LoopCode& code) {
  const Tensor& result = *product.results.at(0);
  const Dims sizes(result.meta.sizes);
  if (sizes.size() < 2 || !ir::eval::isContiguous(result.meta) ||
      (result.meta.dtype != DType::F32 && result.meta.dtype != DType::F64))
    return {};
  Epilogue e;
  e.result_ = &result;
  e.loop_ = &loop;
  e.code_ = &code;
  e.batch_ = sizes.size() == 3 ? sizes[0] : 1;
  e.rows_ = sizes[sizes.size() - 2];
  e.columns_ = sizes.back();
  if (e.elements() < kLeast) return {};
  const Dims space(loop.outputs.at(0)->meta.sizes);
  if (extentOf(space, 0, space.size()) != e.elements()) return {};
  const std::optional<size_t> batchDims = cutAt(space, 0, e.batch_);
  if (!batchDims) return {};
  const std::optional<size_t> rowDims = cutAt(space, *batchDims, e.rows_);
  if (!rowDims || extentOf(space, *rowDims, space.size()) != e.columns_) return {};
  int reads = 0;
  for (const TensorRef& t : loop.inputs) {
    if (t->storage == result.storage) {
      // Element on element: the same elements in the same order.
      if (t->meta.offset.value != result.meta.offset.value || !(Dims(t->meta.sizes) == space) ||
          !ir::eval::isContiguous(t->meta) || t->meta.dtype != result.meta.dtype)
        return {};
      ++reads;
    }
    const std::optional<Operand> o = e.operandOf(*t, space, *batchDims, *rowDims);
    if (!o) return {};
    e.inputs_.push_back(*o);
  }
  for (const TensorRef& t : loop.outputs) {
    if (!(Dims(t->meta.sizes) == space)) return {};
    const std::optional<Operand> o = e.operandOf(*t, space, *batchDims, *rowDims);
    if (!o) return {};
    e.outputs_.push_back(*o);
  }
  if (reads != 1) return {};
  return e;
}

View Epilogue::viewOf(const Operand& o, const GemmBlock& block) const {
  View v;
  v.dtype = o.tensor->meta.dtype;
  const int64_t at = o.tensor->meta.offset.value + block.index * o.batch + block.rowBegin * o.row +
                     block.columnBegin * o.column;
  v.data = o.tensor->storage->data() + at * itemBytes(v.dtype);
  v.sizes = {block.rowEnd - block.rowBegin, block.columnEnd - block.columnBegin};
  v.strides = {o.row, o.column};
  return v;
}

void Epilogue::run(const GemmBlock& block) const {
  thread_local std::vector<View> inputs, outputs;
  inputs.clear();
  outputs.clear();
  for (const Operand& o : inputs_) inputs.push_back(viewOf(o, block));
  for (const Operand& o : outputs_) outputs.push_back(viewOf(o, block));
  code_->run(inputs, loop_->numbers, outputs);
}

const std::byte* Epilogue::target() const {
  return result_->storage->data() + result_->meta.offset.value * itemBytes(result_->meta.dtype);
}

std::vector<EpilogueJoin> findEpilogues(std::span<const RowStep> steps, const std::vector<bool>& taken,
                                        const std::unordered_map<const Storage*, size_t>& firstWritten) {
  std::vector<EpilogueJoin> out;
  std::vector<bool> used(steps.size(), false);
  std::unordered_map<const Storage*, size_t> products;
  for (size_t i = 0; i < steps.size(); ++i) {
    if (taken[i]) continue;
    const RowStep& s = steps[i];
    if (s.kernel && s.kernel->results.size() == 1 && s.kernel->results[0] &&
        (s.kernel->kernel->facts & kProduct))
      products.emplace(s.kernel->results[0]->storage.get(), i);
    if (!s.loop) continue;
    // The last product that it reads: all else has to be there before.
    std::optional<size_t> product;
    for (const TensorRef& t : s.loop->inputs)
      if (const auto at = products.find(t->storage.get()); at != products.end())
        product = std::max(product.value_or(0), at->second);
    if (!product || used[*product]) continue;
    const Storage* const result = steps[*product].kernel->results[0]->storage.get();
    bool ready = true;
    for (const TensorRef& t : s.loop->inputs) {
      const auto made = firstWritten.find(t->storage.get());
      ready = ready && (t->storage.get() == result || made == firstWritten.end() || made->second < *product);
    }
    if (!ready || !Epilogue::of(*steps[*product].kernel, *s.loop, *s.code)) continue;
    used[*product] = true;
    out.push_back({*product, i});
  }
  return out;
}

}  // namespace descry::runtime

// How a kernel sees a call: its arguments by the names of the schema, and memory for its results.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ir/ops/registry.h"
#include "runtime/core/iterate.h"
#include "runtime/core/random.h"
#include "runtime/core/tensor.h"

namespace descry::runtime {

class Machine;

/// One call of an op with arguments bound in the order of its schema, defaults filled in. Arguments are named
/// as in the schema (`dim`) or by position.
class Call {
 public:
  /// `results`: what the kernel fills; empty for kernels that make their results themselves.
  Call(Machine& machine, const OpDef& op, Values& args, std::vector<TensorRef> results)
      : machine_(machine), op_(op), args_(args), results_(std::move(results)) {}

  Machine& machine() const { return machine_; }
  const OpDef& op() const { return op_; }
  size_t count() const { return args_.size(); }
  /// Position of an argument; throws `internal` when the schema has none of this name.
  size_t at(std::string_view name) const;
  bool knows(std::string_view name) const;  ///< the schema has it

  const Value& value(size_t i) const { return args_.at(i); }
  bool given(size_t i) const { return !args_.at(i).isNone(); }
  /// A tensor; a number that stands for one becomes a 0-d tensor. Conjugate and negative views are resolved.
  TensorRef tensor(size_t i) const;
  /// Its layout; what stands for a number or a resolved view is kept until the call ends.
  View view(size_t i) const;
  /// The elements in order, converted.
  View dense(size_t i, DType dtype);
  View dense(size_t i);
  std::vector<TensorRef> tensors(size_t i) const;  ///< of a list; null where it holds None
  int64_t integer(size_t i) const { return args_.at(i).toInt().value; }
  int64_t integer(size_t i, int64_t otherwise) const { return given(i) ? integer(i) : otherwise; }
  double real(size_t i) const { return args_.at(i).toReal(); }
  double real(size_t i, double otherwise) const { return given(i) ? real(i) : otherwise; }
  bool flag(size_t i) const { return args_.at(i).truthy(); }
  std::vector<int64_t> integers(size_t i) const;  ///< of a list or one integer; empty for None
  /// The same brought to `n` entries: a single one stands for all, none for `otherwise`.
  std::vector<int64_t> integers(size_t i, size_t n, int64_t otherwise) const;
  const std::string& text(size_t i) const { return args_.at(i).text(); }

  const Value& value(std::string_view name) const { return value(at(name)); }
  bool given(std::string_view name) const { return given(at(name)); }
  TensorRef tensor(std::string_view name) const { return tensor(at(name)); }
  View view(std::string_view name) const { return view(at(name)); }
  View dense(std::string_view name, DType dtype) { return dense(at(name), dtype); }
  View dense(std::string_view name) { return dense(at(name)); }
  std::vector<TensorRef> tensors(std::string_view name) const { return tensors(at(name)); }
  int64_t integer(std::string_view name) const { return integer(at(name)); }
  int64_t integer(std::string_view name, int64_t otherwise) const { return integer(at(name), otherwise); }
  double real(std::string_view name) const { return real(at(name)); }
  double real(std::string_view name, double otherwise) const { return real(at(name), otherwise); }
  bool flag(std::string_view name) const { return flag(at(name)); }
  std::vector<int64_t> integers(std::string_view name) const { return integers(at(name)); }
  std::vector<int64_t> integers(std::string_view name, size_t n, int64_t otherwise) const {
    return integers(at(name), n, otherwise);
  }
  const std::string& text(std::string_view name) const { return text(at(name)); }

  /// A result laid out as the shape rule says; its contents are not set. Of absent results: has() is false.
  size_t results() const { return results_.size(); }
  bool has(size_t i) const { return i < results_.size() && results_[i]; }
  const TensorRef& result(size_t i = 0) const { return results_.at(i); }
  View out(size_t i = 0) const { return viewOf(*results_.at(i)); }
  /// Contiguous memory of the result's sizes that is copied to it by `finish`, or the result itself when that
  /// is contiguous and of this dtype.
  View denseOut(size_t i, DType dtype);
  View denseOut(size_t i = 0);
  /// Writes back what denseOut gave; called by the machine after the kernel.
  void finish();
  /// Gives back what was kept for one run: the call may be made again.
  void reset() {
    held_.clear();
    copies_.clear();
  }

  /// Keeps a tensor until the call ends and gives its layout: `hold(contiguousOf(t))`.
  View hold(TensorRef t);
  /// Fresh memory until the call ends.
  View scratch(const Dims& sizes, DType dtype) { return hold(allocate(sizes, dtype)); }
  View scratchZeros(const Dims& sizes, DType dtype) { return hold(allocateZeros(sizes, dtype)); }
  /// Calls another op: `call("aten.sum.dim_IntList", {x, dims, ...})`, arguments by position, missing ones by
  /// default.
  Value call(std::string_view target, Values args) const;

 private:
  Machine& machine_;
  const OpDef& op_;
  Values& args_;
  std::vector<TensorRef> results_;
  mutable std::vector<TensorRef> held_;
  std::vector<std::pair<TensorRef, size_t>> copies_;  ///< dense memory, result
};

/// Fills the results, which are allocated by the shape rule of the op.
using FillKernel = void (*)(Call&);
/// Makes its results: for ops whose result sizes depend on data, that return numbers, or that write
/// arguments.
using MakeKernel = Value (*)(Call&);

/// What a plan may know of a kernel, said where it is registered.
enum KernelFacts : uint8_t {
  /// Goes along `dim` or `normalized_shape`; where that is the last dimensions, rows in front of them have
  /// results of their own that do not depend on one another. `weight` and `bias` are the same for all.
  kRowWise = 1,
  /// A product of matrices, or of each of a batch, by gemm().
  kProduct = 2
};
struct Kernel {
  FillKernel fill = nullptr;
  MakeKernel make = nullptr;
  uint8_t facts = 0;  ///< KernelFacts
};

class KernelTable {
 public:
  /// Targets without `torch.ops.`, several separated by blanks: "aten.sum.dim_IntList prims.sum.default".
  void fill(std::string_view targets, FillKernel kernel, uint8_t facts = 0) {
    add(targets, {kernel, nullptr, facts});
  }
  void make(std::string_view targets, MakeKernel kernel) { add(targets, {nullptr, kernel}); }
  /// By `ns.name.overload`; null when there is none.
  const Kernel* find(const OpDef& op) const;
  size_t size() const { return kernels_.size(); }
  std::vector<std::string> targets() const;

 private:
  void add(std::string_view targets, Kernel kernel);
  std::unordered_map<std::string, Kernel> kernels_;
};

/// All kernels; each file of runtime/interpreter/kernels adds its own. Built on first use, thread safe.
const KernelTable& kernels();

// One function a file of kernels, called by kernels().
void addConvolutionKernels(KernelTable& table);
void addCreationKernels(KernelTable& table);
void addDistributionKernels(KernelTable& table);
void addEffectKernels(KernelTable& table);
void addEmbeddingKernels(KernelTable& table);
void addGridSamplingKernels(KernelTable& table);
void addHistogramKernels(KernelTable& table);
void addFlexAttentionKernels(KernelTable& table);
void addIndexingKernels(KernelTable& table);
void addLinalgKernels(KernelTable& table);
void addMatmulKernels(KernelTable& table);
void addNormalizationKernels(KernelTable& table);
void addOptimizerKernels(KernelTable& table);
void addAttentionKernels(KernelTable& table);
void addPaddingKernels(KernelTable& table);
void addPoolingKernels(KernelTable& table);
void addRandomKernels(KernelTable& table);
void addRecurrentKernels(KernelTable& table);
void addReductionKernels(KernelTable& table);
void addResamplingKernels(KernelTable& table);
void addScanKernels(KernelTable& table);
void addScatterKernels(KernelTable& table);
void addSegmentKernels(KernelTable& table);
void addSoftmaxKernels(KernelTable& table);
void addSortingKernels(KernelTable& table);
void addSpectralKernels(KernelTable& table);
void addLossKernels(KernelTable& table);
void addPointwiseKernels(KernelTable& table);
void addQuantizedKernels(KernelTable& table);
void addViewKernels(KernelTable& table);

}  // namespace descry::runtime

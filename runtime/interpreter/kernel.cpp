#include "runtime/interpreter/kernel.h"

#include "runtime/interpreter/machine.h"

namespace descry::runtime {

size_t Call::at(std::string_view name) const {
  const auto& arguments = op_.schema().arguments;
  for (size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i].name == name) return i;
  throw EvalError("internal", "the kernel of " + op_.target() + " asks for an argument `" +
                                  std::string(name) + "` that its schema has not");
}

bool Call::knows(std::string_view name) const {
  for (const ir::SchemaArgument& a : op_.schema().arguments)
    if (a.name == name) return true;
  return false;
}

TensorRef Call::tensor(size_t i) const {
  const TensorRef t = tensorOf(args_.at(i));
  if (!t)
    throw EvalError("type-error", op_.target() + " needs a tensor for `" + op_.schema().arguments[i].name +
                                      "`, not " + args_[i].describe());
  return resolved(t);
}

View Call::view(size_t i) const {
  TensorRef t = tensor(i);
  const View v = viewOf(*t);
  if (!args_[i].isTensor() || t.get() != args_[i].tensor()) held_.push_back(std::move(t));
  return v;
}

View Call::hold(TensorRef t) {
  held_.push_back(std::move(t));
  return viewOf(*held_.back());
}

View Call::dense(size_t i, DType dtype) {
  return hold(contiguousOf(tensor(i), dtype));
}

View Call::dense(size_t i) {
  return hold(contiguousOf(tensor(i)));
}

std::vector<TensorRef> Call::tensors(size_t i) const {
  std::vector<TensorRef> out;
  for (const Value& v : args_.at(i).items()) {
    const TensorRef t = tensorOf(v);
    out.push_back(t ? resolved(t) : t);
  }
  return out;
}

std::vector<int64_t> Call::integers(size_t i) const {
  const Value& v = args_.at(i);
  if (v.isNone()) return {};
  std::vector<int64_t> out;
  for (const Int& n : v.toInts()) out.push_back(n.value);
  return out;
}

std::vector<int64_t> Call::integers(size_t i, size_t n, int64_t otherwise) const {
  std::vector<int64_t> out = integers(i);
  if (out.empty()) out.assign(n, otherwise);
  if (out.size() == 1) out.resize(n, out[0]);
  if (out.size() != n)
    throw EvalError("value-error", "expected `" + op_.schema().arguments[i].name +
                                       "` to be a single integer value or a list of " + std::to_string(n) +
                                       " values, but got " + std::to_string(out.size()));
  return out;
}

View Call::denseOut(size_t i, DType dtype) {
  const TensorRef& t = results_.at(i);
  const View v = viewOf(*t);
  if (v.dtype == dtype && v.contiguous()) return v;
  TensorRef dense = allocate(v.sizes, dtype);
  copies_.emplace_back(dense, i);
  return viewOf(*dense);
}

View Call::denseOut(size_t i) {
  return denseOut(i, results_.at(i)->meta.dtype);
}

void Call::finish() {
  for (const auto& [dense, i] : copies_) copyElements(viewOf(*results_[i]), viewOf(*dense));
  copies_.clear();
}

Value Call::call(std::string_view target, Values args) const {
  return machine_.call(target, std::move(args));
}

void KernelTable::add(std::string_view targets, Kernel kernel) {
  while (!targets.empty()) {
    const size_t end = std::min(targets.find_first_of(" \n"), targets.size());
    if (end) kernels_.emplace(std::string(targets.substr(0, end)), kernel);
    targets.remove_prefix(std::min(end + 1, targets.size()));
  }
}

const Kernel* KernelTable::find(const OpDef& op) const {
  std::string key(op.ns());
  key += '.';
  key += op.name();
  key += '.';
  key += op.overload().empty() ? "default" : op.overload();
  const auto at = kernels_.find(key);
  return at == kernels_.end() ? nullptr : &at->second;
}

std::vector<std::string> KernelTable::targets() const {
  std::vector<std::string> out;
  for (const auto& [target, kernel] : kernels_) out.push_back(target);
  std::sort(out.begin(), out.end());
  return out;
}

const KernelTable& kernels() {
  static const KernelTable table = [] {
    KernelTable t;
    addAttentionKernels(t);
    addConvolutionKernels(t);
    addCreationKernels(t);
    addDistributionKernels(t);
    addEffectKernels(t);
    addEmbeddingKernels(t);
    addGridSamplingKernels(t);
    addHistogramKernels(t);
    addFlexAttentionKernels(t);
    addIndexingKernels(t);
    addLinalgKernels(t);
    addLossKernels(t);
    addMatmulKernels(t);
    addNormalizationKernels(t);
    addOptimizerKernels(t);
    addPaddingKernels(t);
    addPointwiseKernels(t);
    addPoolingKernels(t);
    addQuantizedKernels(t);
    addRandomKernels(t);
    addRecurrentKernels(t);
    addReductionKernels(t);
    addResamplingKernels(t);
    addScanKernels(t);
    addScatterKernels(t);
    addSegmentKernels(t);
    addSoftmaxKernels(t);
    addSortingKernels(t);
    addSpectralKernels(t);
    addViewKernels(t);
    return t;
  }();
  return table;
}

}  // namespace descry::runtime

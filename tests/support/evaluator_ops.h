// The ops of the evaluator, by groups. Private to tests/support.
#pragma once

#include <optional>

#include "tests/support/evaluator.h"

namespace descry::test {

/// A call with its arguments by position or name.
struct Call {
  const std::string& op;
  const std::string& overload;
  const std::vector<Item>& args;
  const Keywords& keywords;

  /// None when it is not given.
  Item arg(size_t position, std::string_view name) const;
  TensorPtr tensor(size_t position, std::string_view name) const;
  int64_t integer(size_t position, std::string_view name, int64_t byDefault) const;
  double number(size_t position, std::string_view name, double byDefault) const;
  bool boolean(size_t position, std::string_view name, bool byDefault) const;
  Sizes ints(size_t position, std::string_view name) const;
};

/// Nothing when the group does not know the op.
using OpGroup = std::optional<Item> (*)(const Call&);
std::optional<Item> callView(const Call& c);       ///< views, in place or not
std::optional<Item> callPointwise(const Call& c);  ///< element by element, with broadcasting
std::optional<Item> callReduction(const Call& c);  ///< along dims: sums, softmax, products of matrices
std::optional<Item> callOther(const Call& c);      ///< new tensors, copies, scatters of views, joins

/// Dim from the end when negative.
int64_t wrapDim(int64_t dim, size_t rank);
/// Calls f(index) for every index of `sizes` in row-major order.
template <class F>
void forEachIndex(const Sizes& sizes, F&& f) {
  int64_t n = 1;
  for (const int64_t s : sizes) n *= s;
  Sizes index(sizes.size(), 0);
  for (int64_t k = 0; k < n; ++k) {
    f(index);
    for (size_t d = sizes.size(); d-- > 0;) {
      if (++index[d] < sizes[d]) break;
      index[d] = 0;
    }
  }
}
/// The element at an index.
double& at(const Tensor& t, const Sizes& index);
/// A new contiguous tensor with the same values.
TensorPtr copyOf(const Tensor& t);
/// A new tensor with the sizes, strides and gaps of `t`, and its values.
TensorPtr cloneOf(const Tensor& t);
Sizes broadcast(const Sizes& a, const Sizes& b);
/// As a view of `sizes`, spread where a size is 1.
TensorPtr expanded(const TensorPtr& t, const Sizes& sizes);

}  // namespace descry::test

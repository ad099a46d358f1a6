// Runs graphs of aten ops on small dense tensors of doubles. It knows storages and strides, so that a program
// that writes through views runs as it would in PyTorch. It is written for tests: slow, strict, and
// independent of the rules of the op table.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "ir/core/graph.h"

namespace descry::test {

using Sizes = std::vector<int64_t>;

struct EvaluationError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A tensor object. Several may share a storage; an in-place view changes the object itself. Every dtype is
/// held as double.
struct Tensor {
  std::shared_ptr<std::vector<double>> storage;
  Sizes sizes, strides;
  int64_t offset = 0;

  int64_t numel() const;
  /// Element at a position in row-major order, whatever the strides are.
  double& at(int64_t flat) const;
  std::vector<double> values() const;
};
using TensorPtr = std::shared_ptr<Tensor>;

Sizes contiguousStrides(const Sizes& sizes);
/// Zeros.
TensorPtr newTensor(const Sizes& sizes);
/// Zeros with given strides and nothing between or around the elements.
TensorPtr newTensor(const Sizes& sizes, const Sizes& strides);
TensorPtr viewOf(const TensorPtr& t, Sizes sizes, Sizes strides, int64_t offset);

/// An argument or a result.
struct Item {
  enum class Kind : uint8_t { None, Tensor, List, Int, Real, Bool, Text };
  Kind kind = Kind::None;
  TensorPtr tensor;
  std::vector<Item> items;
  int64_t i = 0;
  double d = 0;
  std::string text;

  Item() = default;
  Item(TensorPtr t) : kind(Kind::Tensor), tensor(std::move(t)) {}             // NOLINT: implicit on purpose
  Item(std::vector<Item> list) : kind(Kind::List), items(std::move(list)) {}  // NOLINT
  Item(const Sizes& ints);                                                    // NOLINT
  Item(int64_t v) : kind(Kind::Int), i(v), d(static_cast<double>(v)) {}       // NOLINT
  Item(int v) : Item(static_cast<int64_t>(v)) {}                              // NOLINT
  Item(double v) : kind(Kind::Real), d(v) {}                                  // NOLINT
  static Item boolean(bool v);
  static Item string(std::string v);

  bool isNumber() const { return kind == Kind::Int || kind == Kind::Real || kind == Kind::Bool; }
};

using Keywords = std::map<std::string, Item, std::less<>>;

/// One op by the name of its overload: `add.Tensor`, `select_scatter.default`. Throws EvaluationError when it
/// is not known or its arguments do not fit.
Item call(std::string_view op, const std::vector<Item>& args, const Keywords& keywords = {});

struct Evaluation {
  std::vector<Item> outputs;
  std::map<std::string, Item, std::less<>> values;  ///< by node name
};

/// Runs `graph` on `inputs` (by placeholder). Every result is held against the type that the graph gives it:
/// sizes always, strides of views and in-place results; new tensors get the strides of their type. Throws
/// EvaluationError naming the node.
Evaluation evaluate(const ir::Graph& graph, const std::vector<Item>& inputs);

}  // namespace descry::test

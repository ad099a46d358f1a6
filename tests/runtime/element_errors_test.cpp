// What kernels that move and choose elements refuse, in PyTorch's words: nothing in a tensor is trusted.
#include <gtest/gtest.h>

#include "runtime/interpreter/machine.h"

namespace descry::runtime {
namespace {

Value numbers(const Dims& sizes, const std::vector<double>& values, DType dtype) {
  const TensorRef t = allocateZeros(sizes, dtype);
  for (size_t i = 0; i < values.size(); ++i)
    storeNumber(dtype, t->storage->data() + static_cast<int64_t>(i) * itemBytes(dtype),
                Value::real(values[i]));
  return Value(t);
}
Value floats(const Dims& sizes) {
  return numbers(sizes, {}, DType::F32);
}
Value indices(const std::vector<double>& values) {
  return numbers({static_cast<int64_t>(values.size())}, values, DType::I64);
}

std::string refusal(std::string_view target, Values args) {
  Machine machine;
  try {
    machine.call(target, std::move(args));
  } catch (const EvalError& e) {
    return e.code + ": " + e.what();
  }
  return "no error";
}

TEST(ElementErrors, IndicesOutOfRange) {
  EXPECT_EQ(refusal("aten.index.Tensor", {floats({3, 2}), Value(Values{indices({0, 3})})}),
            "index-error: index 3 is out of bounds for dimension 0 with size 3");
  EXPECT_EQ(refusal("aten.index.Tensor", {floats({3, 2}), Value(Values{Value(), indices({-3})})}),
            "index-error: index -3 is out of bounds for dimension 1 with size 2");
  EXPECT_EQ(refusal("aten.index_put_.default", {floats({3}), Value(Values{indices({5})}), floats({1})}),
            "index-error: index 5 is out of bounds for dimension 0 with size 3");
  EXPECT_EQ(refusal("aten.index_select.default", {floats({3}), 0, indices({-1})}),
            "index-error: index out of range in self");
  EXPECT_EQ(refusal("aten.gather.default", {floats({3}), 0, indices({-1})}),
            "index-error: index -1 is out of bounds for dimension 0 with size 3");
  EXPECT_EQ(refusal("aten.scatter_add.default", {floats({3}), 0, indices({3}), floats({1})}),
            "index-error: index 3 is out of bounds for dimension 0 with size 3");
  EXPECT_EQ(refusal("aten.take.default", {floats({3}), indices({10})}),
            "index-error: out of range: tried to access index 10 on a tensor of 3 elements.");
  EXPECT_EQ(refusal("aten.embedding.default", {floats({3, 2}), indices({3})}),
            "index-error: index out of range in self");
  EXPECT_EQ(refusal("aten._embedding_bag.default", {floats({3, 2}), indices({7}), indices({0})}),
            "index-error: embedding_bag: Expected idx >= 0 && idx < num_embeddings but found idx to be 7");
  EXPECT_TRUE(refusal("aten.max_unpool2d.default",
                      {floats({1, 1, 1}), numbers({1, 1, 1}, {9}, DType::I64), Value(Ints{2, 2})})
                  .starts_with("index-error: Found an invalid max index: 9"));
}

TEST(ElementErrors, SizesThatDoNotFit) {
  EXPECT_EQ(refusal("aten.scatter.src", {floats({3}), 0, indices({0, 1}), floats({1})}),
            "shape-mismatch: Expected index [2] to be no larger than self [3] apart from dimension 0 and to "
            "be no larger "
            "than src [1]");
  EXPECT_EQ(refusal("aten.index_put.default", {floats({3}), Value(Values{indices({0, 1})}), floats({3})}),
            "shape-mismatch: shape mismatch: value tensor of shape [3] cannot be broadcast to indexing "
            "result of shape [2]");
  EXPECT_EQ(refusal("aten.slice_scatter.default", {floats({4}), floats({3}), 0, 0, 2}),
            "shape-mismatch: expected src to have a size equal to the slice of self. src size = [3], slice "
            "size = [2]");
  EXPECT_EQ(refusal("inductor._reinterpret_tensor.default", {floats({4}), Value(Ints{5}), Value(Ints{1})}),
            "shape-mismatch: setStorage: sizes [5], strides [1], storage offset 0, and itemsize 4 requiring "
            "a storage size "
            "of 20 are out of bounds for storage of size 16");
  EXPECT_TRUE(
      refusal("aten.masked_scatter.default", {floats({2}), numbers({2}, {1, 1}, DType::B8), floats({1})})
          .starts_with("value-error: masked_scatter: expected self and mask"));
  EXPECT_EQ(refusal("aten.topk.default", {floats({3}), 2, 0}), "no error");
}

TEST(ElementErrors, Assertions) {
  EXPECT_EQ(refusal("aten._assert_async.msg", {floats({}), Value::str("it is zero")}),
            "assertion-failed: it is zero");
  EXPECT_EQ(refusal("aten._assert_scalar.default", {Value::boolean(false), Value::str("no")}),
            "assertion-failed: no");
  EXPECT_EQ(refusal("aten.sym_constrain_range.default", {5, 6, 7}),
            "value-error: Invalid value range for 5 between [6, 7].");
  EXPECT_EQ(refusal("aten.bincount.default", {indices({-1})}),
            "value-error: bincount only supports 1-d non-negative integral inputs.");
}

TEST(Float8, ValuesAndOverflow) {
  // e4m3fn stays at its largest number, e5m2 has infinities, the kinds without negative zero have NaN only.
  EXPECT_EQ(Float8E4M3FN(1e6f).bits, 0x7E);
  EXPECT_EQ(Float8E4M3FN(-INFINITY).bits, 0xFE);
  EXPECT_EQ(Float8E5M2(1e6f).bits, 0x7C);
  EXPECT_EQ(Float8E4M3FNUZ(1e6f).bits, 0x80);
  EXPECT_EQ(Float8E5M2FNUZ(-0.0f).bits, 0x00);
  const auto comesBack = []<class T>(TypeTag<T>) {
    for (int bits = 0; bits < 256; ++bits) {
      T t;
      t.bits = static_cast<uint8_t>(bits);
      const float f = t;
      if (std::isnan(f) || std::isinf(f)) continue;
      EXPECT_EQ(T(f).bits, bits);
    }
  };
  comesBack(TypeTag<Float8E4M3FN>{});
  comesBack(TypeTag<Float8E5M2>{});
  comesBack(TypeTag<Float8E4M3FNUZ>{});
  comesBack(TypeTag<Float8E5M2FNUZ>{});
}

}  // namespace
}  // namespace descry::runtime

// Calls that make no sense: each is refused with an error, nothing is read or written outside of a memory,
// and no tensor is left in a state that it cannot be in.
#include <gtest/gtest.h>

#include <functional>

#include "runtime/core/memory.h"
#include "runtime/interpreter/machine.h"

namespace descry::runtime {
namespace {

constexpr int64_t kHuge = int64_t{1} << 62;
constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();

Value tensor(const Dims& sizes, DType dtype = DType::F32, double value = 1) {
  const TensorRef t = allocate(sizes, dtype);
  fillElements(viewOf(*t), Value::real(value));
  return Value(t);
}
Value floats(std::initializer_list<int64_t> sizes) {
  return tensor(Dims(sizes));
}
Value indices(std::initializer_list<int64_t> numbers, DType dtype = DType::I64) {
  const TensorRef t = allocate({static_cast<int64_t>(numbers.size())}, dtype);
  int64_t k = 0;
  for (const int64_t n : numbers) storeNumber(dtype, viewOf(*t).data + k++ * itemBytes(dtype), Value(n));
  return Value(t);
}
Value list(std::initializer_list<Value> items) {
  return Value(Values(items));
}
Value ints(std::initializer_list<int64_t> numbers) {
  Values items;
  for (const int64_t n : numbers) items.emplace_back(n);
  return Value(std::move(items));
}
Value no() {
  return Value::boolean(false);
}

class Hostile : public testing::Test {
 protected:
  void SetUp() override { setMemoryCap(uint64_t{256} << 20); }
  void TearDown() override { setMemoryCap(0); }

  Value call(std::string_view op, Values args) { return machine_.call(op, std::move(args)); }
  /// The code of the error that a call gives; empty when it gives none.
  std::string refused(std::string_view op, Values args) {
    try {
      call(op, std::move(args));
      return {};
    } catch (const EvalError& e) {
      message_ = e.what();
      return e.code;
    }
  }
  std::string message_;
  Machine machine_;
};

TEST_F(Hostile, ViewsStayInsideOfTheirMemory) {
  const Value x = floats({4});
  EXPECT_EQ(refused("aten.as_strided.default", {x, ints({4, 1000}), ints({1, 1000})}), "shape-mismatch");
  EXPECT_NE(message_.find("out of bounds for storage of size 16"), std::string::npos) << message_;
  EXPECT_EQ(refused("aten.as_strided.default", {x, ints({4}), ints({1}), Value(1)}), "shape-mismatch");
  EXPECT_EQ(refused("aten.as_strided_.default", {x, ints({5}), ints({1})}), "shape-mismatch");
  EXPECT_EQ(x.meta().sizes.at(0).value, 4);
  EXPECT_NE(refused("aten.as_strided.default", {x, ints({kHuge, 4}), ints({kHuge, 1})}), "");
  EXPECT_NE(refused("aten.as_strided.default", {x, ints({2}), ints({-1}), Value(3)}), "");
  EXPECT_NE(refused("aten.as_strided.default", {x, ints({2}), ints({1}), Value(-1)}), "");
  EXPECT_NE(refused("prims.as_strided.default", {x, ints({5}), ints({1}), Value(0)}), "");
  EXPECT_NE(refused("aten.as_strided_copy.default", {x, ints({5}), ints({1})}), "");
  EXPECT_NE(refused("aten.as_strided_scatter.default", {x, floats({5}), ints({5}), ints({1})}), "");
  EXPECT_NE(refused("inductor._reinterpret_tensor.default", {x, ints({5}), ints({1})}), "");
  // Without elements any place is fine, and what fits is.
  EXPECT_EQ(refused("aten.as_strided.default", {x, ints({0}), ints({1}), Value(100)}), "");
  EXPECT_EQ(refused("aten.as_strided.default", {x, ints({2, 2}), ints({2, 1})}), "");
}

TEST_F(Hostile, MemoryThatShrankIsNotRead) {
  const Value x = floats({4});
  call("inductor.resize_storage_bytes_.default", {x, Value(0)});
  EXPECT_EQ(refused("aten.sin.default", {x}), "shape-mismatch");
  EXPECT_EQ(refused("aten.mm.default", {call("aten.view.default", {x, ints({2, 2})}), floats({2, 2})}),
            "shape-mismatch");
  EXPECT_EQ(refused("aten.fill_.Scalar", {x, Value(1)}), "shape-mismatch");
}

TEST_F(Hostile, ResizeThatFailsChangesNothing) {
  const Value x = floats({4});
  EXPECT_EQ(refused("aten.resize_.default", {x, ints({kHuge})}), "out-of-memory");
  EXPECT_NE(refused("aten.resize_.default", {x, ints({kHuge, kHuge})}), "");
  EXPECT_EQ(refused("aten.resize_.default", {x, ints({-1})}), "value-error");
  EXPECT_EQ(x.meta().sizes.at(0).value, 4);
  EXPECT_EQ(numberAt(DType::F32, viewOf(*tensorOf(call("aten.sum.default", {x}))).data).toReal(), 4);
  call("aten.resize_.default", {x, ints({9})});
  call("aten.fill_.Scalar", {x, Value(1)});
  EXPECT_EQ(numberAt(DType::F32, viewOf(*tensorOf(call("aten.sum.default", {x}))).data).toReal(), 9);
}

TEST_F(Hostile, SizesThatNoMemoryHolds) {
  const Value x = floats({4});
  for (const int64_t n : {int64_t{1} << 40, kHuge}) {
    EXPECT_EQ(refused("aten.full.default", {ints({n}), Value(1)}), "out-of-memory");
    EXPECT_NE(refused("aten.zeros.default", {ints({n, n, n})}), "");
    EXPECT_EQ(refused("aten.arange.default", {Value(n)}), "out-of-memory");
    EXPECT_NE(refused("aten.eye.default", {Value(n)}), "");
    EXPECT_EQ(refused("aten.randperm.default", {Value(n)}), "out-of-memory");
    EXPECT_EQ(refused("aten.empty_strided.default", {ints({2, 2}), ints({n, 1})}), "out-of-memory");
    EXPECT_EQ(refused("aten.hann_window.default", {Value(n)}), "out-of-memory");
    EXPECT_EQ(refused("aten.histc.default", {x, Value(n)}), "out-of-memory");
    EXPECT_NE(refused("aten.repeat.default", {x, ints({n})}), "");
    EXPECT_NE(refused("aten.masked_scatter_backward.default", {x, tensor({4}, DType::B8), ints({n, n})}), "");
    EXPECT_NE(refused("aten.multinomial.default", {x, Value(n), Value::boolean(true)}), "");
  }
  for (const int64_t n : {int64_t{-1}, kLeast}) {
    EXPECT_NE(refused("aten.full.default", {ints({n}), Value(1)}), "");
    EXPECT_NE(refused("aten.repeat.default", {x, ints({n})}), "");
    EXPECT_NE(refused("aten.empty_strided.default", {ints({2}), ints({n})}), "");
    // -1 keeps a size; there is no least number less one.
    EXPECT_NE(refused("aten.expand.default", {x, ints({n == -1 ? -2 : n, 4})}), "");
  }
  // The places of a triangle are few, however many rows there are.
  EXPECT_EQ(call("aten.triu_indices.default", {Value(int64_t{1} << 40), Value(3)}).meta().sizes.at(1).value,
            6);
  EXPECT_EQ(call("aten.tril_indices.default", {Value(3), Value(int64_t{1} << 40)}).meta().sizes.at(1).value,
            6);
}

TEST_F(Hostile, ElementsThatLieInOnePlaceAreNotWritten) {
  const auto expanded = [&] { return call("aten.expand.default", {floats({1, 3}), ints({2, 3})}); };
  for (const char* op :
       {"aten.sin_.default", "aten.relu_.default", "aten.normal_.default", "aten.logical_not_.default"})
    EXPECT_EQ(refused(op, {expanded()}), "overlapping-write") << op;
  EXPECT_EQ(refused("aten.add_.Tensor", {expanded(), floats({2, 3})}), "overlapping-write");
  EXPECT_EQ(refused("aten.copy_.default", {expanded(), floats({2, 3})}), "overlapping-write");
  EXPECT_EQ(refused("aten.cumsum_.default", {expanded(), Value(0)}), "overlapping-write");
  EXPECT_EQ(refused("aten.index_add_.default", {expanded(), Value(0), indices({0}), floats({1, 3})}),
            "overlapping-write");
  for (const char* op : {"aten.zero_.default", "aten.tril_.default"})
    EXPECT_EQ(refused(op, {expanded()}), "") << op;
  EXPECT_EQ(refused("aten.fill_.Scalar", {expanded(), Value(2)}), "");
  // Read and written in part.
  const Value x = floats({6});
  const auto part = [&](int64_t from) {
    return call("aten.slice.Tensor", {x, Value(0), Value(from), Value(from + 5)});
  };
  EXPECT_EQ(refused("aten.add_.Tensor", {part(1), part(0)}), "overlapping-write");
  EXPECT_EQ(refused("aten.add_.Tensor", {part(1), part(1)}), "");
}

TEST_F(Hostile, GradientsOfOtherSizes) {
  const Value half = Value::dtype(DType::F32);
  EXPECT_NE(refused("aten._softmax_backward_data.default", {floats({3, 4}), floats({0}), Value(1), half}),
            "");
  EXPECT_NE(refused("aten._log_softmax_backward_data.default", {floats({3, 4}), floats({4}), Value(1), half}),
            "");
  EXPECT_NE(refused("aten._masked_softmax_backward.default",
                    {floats({2, 3, 4}), floats({2, 3, 0}), tensor({2, 3, 4}, DType::B8, 0), Value(2)}),
            "");
  EXPECT_NE(refused("aten._weight_norm_interface_backward.default",
                    {floats({3, 0, 4}), floats({3, 2, 4}), floats({1, 1, 4}), floats({1, 1, 4}), Value(2)}),
            "");
  EXPECT_NE(refused("aten._adaptive_avg_pool2d_backward.default", {floats({2, 2, 3}), floats({})}), "");
  EXPECT_NE(refused("aten.reflection_pad1d_backward.default", {floats({}), floats({2, 4}), ints({2, 1})}),
            "");
  EXPECT_NE(refused("aten.upsample_bilinear2d_backward.default",
                    {floats({1, 2, 5, 3}), ints({}), ints({1, 2, 3, 4}), no()}),
            "");
  EXPECT_NE(refused("aten._scaled_dot_product_flash_attention_for_cpu_backward.default",
                    {floats({0, 0, 0, 0}), floats({1, 1, 3, 4}), floats({1, 1, 2, 4}), floats({1, 1, 2, 4}),
                     floats({1, 1, 3, 4}), floats({1, 1, 3}), Value::real(0), no()}),
            "");
  EXPECT_NE(refused("aten._pack_padded_sequence_backward.default",
                    {floats({7, 2}), ints({4, kHuge, 2}), indices({3, 2}), no()}),
            "");
  EXPECT_NE(refused("aten.glu_jvp.default", {floats({2, 3}), floats({2, 6}), floats({}), Value(1)}), "");
}

TEST_F(Hostile, FactorsThatDoNotFit) {
  EXPECT_NE(refused("aten.cholesky_solve.default", {floats({3, 2}), floats({3, 0})}), "");
  EXPECT_NE(refused("aten.cholesky_solve.default", {floats({2, 3, 2}), floats({3, 3, 3})}), "");
  const Value b = floats({3, 2}), lu = floats({3, 3});
  for (const Value& pivots :
       {indices({}, DType::I32), indices({1, 2}, DType::I32), indices({0, 1, 2}, DType::I32),
        indices({1, 2, 99}, DType::I32), tensor({}, DType::I32)}) {
    EXPECT_NE(refused("aten.linalg_lu_solve.default", {lu, pivots, b, Value::boolean(true), no()}), "");
    EXPECT_NE(refused("aten.linalg_ldl_solve.default", {lu, pivots, b}), "");
    EXPECT_NE(refused("aten.lu_unpack.default", {lu, pivots, Value::boolean(true), Value::boolean(true)}),
              "");
  }
}

TEST_F(Hostile, ListsAndElementsOfOtherKinds) {
  const auto adam = [&](const Value& grad, const Value& step) {
    const auto one = [](const Value& v) { return list({v}); };
    return refused("aten._fused_adam.default",
                   {one(floats({2})), one(grad), one(floats({2})), one(floats({2})), list({}), one(step),
                    Value::real(0.1), Value::real(0.9), Value::real(0.99), Value::real(0), Value::real(1e-8),
                    no(), no()});
  };
  EXPECT_EQ(adam(floats({2}), floats({})), "");
  EXPECT_NE(adam(floats({2}), floats({0})), "");
  EXPECT_NE(adam(tensor({2}, DType::F64), floats({})), "");
  EXPECT_NE(adam(tensor({2}, DType::BF16), floats({})), "");
  EXPECT_NE(refused("aten.index_select.default", {floats({}), Value(0), indices({})}), "");
  EXPECT_NE(
      refused("aten.embedding_renorm_.default", {floats({}), indices({0}), Value::real(0.5), Value::real(1)}),
      "");
  EXPECT_NE(refused("prims.reshape.default", {floats({3, 0}), ints({2, 3})}), "");
  EXPECT_NE(refused("prims.inductor_force_stride_order.default", {floats({2, 3}), ints({})}), "");
  EXPECT_NE(refused("prims.copy_strided.default", {floats({2, 3}), ints({1, -1})}), "");
}

TEST_F(Hostile, NumbersInPlaceOfTensors) {
  // They are tensors as long as the call lasts.
  for (const char* op : {"aten.sort.default", "aten.nonzero.default"})
    EXPECT_EQ(refused(op, {Value(1)}), "") << op;
}

TEST_F(Hostile, DTypesThatDoNotAgree) {
  const Value input = tensor({1, 2, 4, 4}, DType::F64);
  EXPECT_NE(refused("aten.avg_pool2d_backward.default", {floats({1, 2, 3, 3}), input, ints({2, 2}),
                                                         ints({1, 1}), ints({0, 0}), no(), no(), Value()}),
            "");
  EXPECT_NE(refused("aten._adaptive_avg_pool2d_backward.default", {floats({1, 2, 2, 2}), input}), "");
  EXPECT_NE(refused("aten.reflection_pad1d_backward.default",
                    {floats({2, 7}), tensor({2, 4}, DType::C64), ints({2, 1})}),
            "");
  EXPECT_NE(refused("aten.grid_sampler_2d_backward.default",
                    {floats({1, 2, 3, 2}), input, tensor({1, 3, 2, 2}, DType::F64), Value(0), Value(0), no(),
                     list({Value::boolean(true), Value::boolean(true)})}),
            "");
  EXPECT_NE(
      refused("aten.embedding_dense_backward.default",
              {tensor({2, 3, 2}, DType::F16), tensor({2, 3, 2}, DType::I64, 0), Value(5), Value(-1), no()}),
      "");
  EXPECT_NE(refused("aten._transform_bias_rescale_qkv.default",
                    {tensor({1, 3, 12}, DType::B8), tensor({12}, DType::F64), Value(2)}),
            "");
}

TEST_F(Hostile, OtherNumbersOfDimensions) {
  EXPECT_NE(refused("aten._adaptive_avg_pool2d.default", {floats({2, 4, 5}), ints({2, 2, 2, 2, 2, 2})}), "");
  EXPECT_NE(refused("aten.adaptive_max_pool2d.default", {floats({2, 4, 5}), ints({2, 3, 3})}), "");
  EXPECT_NE(refused("aten._pdist_forward.default", {floats({3}), Value::real(3)}), "");
  EXPECT_NE(
      refused("aten.linalg_pinv.atol_rtol_tensor", {floats({3, 4}), Value(), Value(), Value::boolean(true)}),
      "");
  EXPECT_NE(refused("aten.linalg_pinv.atol_rtol_tensor", {floats({3, 3}), Value(), floats({0})}), "");
  EXPECT_NE(refused("aten.fractional_max_pool3d.default",
                    {floats({1, 2, 4, 5, 4}), ints({2, std::numeric_limits<int64_t>::max(), 2}),
                     ints({2, 2, 2}), floats({1, 2, 3})}),
            "");
  EXPECT_NE(refused("aten.convolution_backward.default",
                    {floats({1, 4, 6, 6}), floats({1, 2, 3, 3}), floats({2, 2, 3, 3}), ints({0}),
                     ints({2, 2}), ints({1, 1}), ints({1, 1}), Value::boolean(true), ints({1, 1}), Value(2),
                     list({Value::boolean(true), Value::boolean(true), Value::boolean(true)})}),
            "");
  EXPECT_NE(refused("aten.conv_tbc.default", {floats({5, 2, 3}), floats({3, 3, 7}), floats({2}), Value(1)}),
            "");
  EXPECT_NE(refused("aten.col2im.default", {floats({1, 12, 10}), ints({5, 4, 5, 4}), ints({2, 3}),
                                            ints({2, 1}), ints({1, 1}), ints({1, 2})}),
            "");
  EXPECT_NE(refused("prims._low_memory_max_pool_offsets_to_indices.default",
                    {tensor({1, 2, 3, 3}, DType::I8), ints({0, 3}), ints({5, 5}), ints({2, 2}), ints({1, 1}),
                     ints({1, 1})}),
            "");
  // One place of a kernel: how far the next would be plays no part.
  EXPECT_EQ(refused("aten.convolution.default",
                    {floats({1, 2, 4, 4}), floats({2, 2, 3, 3}), Value(), ints({kHuge, kHuge}), ints({0, 0}),
                     ints({1, 1}), no(), ints({0, 0}), Value(1)}),
            "");
  EXPECT_NE(refused("aten.native_group_norm.default", {floats({2, 4, 3}), Value(), Value(), Value(2),
                                                       Value(4), Value(kHuge), Value(1), Value::real(1e-3)}),
            "");
}

TEST_F(Hostile, IntegersAtTheirEnds) {
  const Value least = indices({kLeast, 7}), minus = indices({-1, 0});
  for (const char* op :
       {"aten.div.Tensor_mode", "aten.floor_divide.default", "aten.remainder.Tensor", "aten.fmod.Tensor"}) {
    const bool mode = std::string_view(op).ends_with("mode");
    EXPECT_EQ(refused(op, mode ? Values{least, minus, Value::str("floor")} : Values{least, minus}),
              "zero-division")
        << op;
  }
  const Value one = indices({-1, -1});
  EXPECT_EQ(refused("aten.floor_divide.default", {least, one}), "");
  EXPECT_EQ(refused("aten.remainder.Tensor", {least, one}), "");
  EXPECT_EQ(refused("aten.bitwise_left_shift.Tensor", {least, indices({64, -1})}), "");
  EXPECT_EQ(refused("aten.bitwise_right_shift.Tensor", {least, indices({1000, kLeast})}), "");
  EXPECT_EQ(refused("aten.abs.default", {least}), "");
  EXPECT_EQ(refused("aten.neg.default", {least}), "");
}

}  // namespace
}  // namespace descry::runtime

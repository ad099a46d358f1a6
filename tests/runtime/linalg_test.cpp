// What has no unique answer or is too large for golden files: decompositions are multiplied out again,
// products are compared with their definition for each width of vectors.
#include <gtest/gtest.h>

#include <random>

#include "runtime/core/gemm.h"
#include "runtime/interpreter/machine.h"

namespace descry::runtime {
namespace {

std::mt19937_64 random64(7);

TensorRef randomTensor(const Dims& sizes, DType dtype) {
  const TensorRef t = allocate(sizes, dtype);
  std::normal_distribution<double> normal;
  const View v = viewOf(*t);
  const int64_t item = itemBytes(dtype);
  for (int64_t i = 0; i < v.numel(); ++i)
    storeNumber(dtype, v.data + i * item,
                ir::dtypeInfo(dtype).complex    ? Value::complex(normal(random64), normal(random64))
                : ir::dtypeInfo(dtype).floating ? Value::real(normal(random64))
                                                : Value(static_cast<int64_t>(random64() % 100)));
  return t;
}

class Linalg : public testing::Test {
 protected:
  Value call(const char* op, Values args) { return machine.call(op, std::move(args)); }
  Value adjoint(const Value& v) {
    return call("aten.conj_physical.default", {call("aten.transpose.int", {v, Value(-2), Value(-1)})});
  }
  Value times(const Value& a, const Value& b) { return call("aten.matmul.default", {a, b}); }
  /// The greatest difference of two tensors, in double.
  double distance(const Value& a, const Value& b) {
    const TensorRef x = copyOf(viewOf(*resolved(tensorOf(a))), DType::C128);
    const TensorRef y = copyOf(viewOf(*resolved(tensorOf(b))).expanded(viewOf(*x).sizes), DType::C128);
    double most = 0;
    for (int64_t i = 0; i < viewOf(*x).numel(); ++i) {
      const double d =
          std::abs(viewOf(*x).as<std::complex<double>>()[i] - viewOf(*y).as<std::complex<double>>()[i]);
      most = std::isnan(d) ? INFINITY : std::max(most, d);
    }
    return most;
  }
  Value identity(int64_t n, DType dtype) {
    const TensorRef t = allocateZeros({n, n}, dtype);
    for (int64_t i = 0; i < n; ++i)
      storeNumber(dtype, viewOf(*t).data + i * (n + 1) * itemBytes(dtype), Value::real(1));
    return Value(t);
  }
  Value diagonal(const Value& values, DType dtype) {
    const View v = viewOf(*tensorOf(values));
    const int64_t n = v.size(0);
    const TensorRef t = allocateZeros({n, n}, dtype);
    for (int64_t i = 0; i < n; ++i)
      storeNumber(dtype, viewOf(*t).data + i * (n + 1) * itemBytes(dtype),
                  numberAt(v.dtype, v.data + i * v.stride(0) * itemBytes(v.dtype)));
    return Value(t);
  }
  static double tolerance(DType dtype, int64_t n) {
    return (dtype == DType::F32 || dtype == DType::C64 ? 2e-5 : 1e-12) * static_cast<double>(n + 1);
  }

  Machine machine;
};
constexpr DType kDTypes[] = {DType::F32, DType::F64, DType::C64, DType::C128};

TEST_F(Linalg, ProductsOfEveryVectorWidth) {
  for (const int width : {16, 32, 64}) {
    limitGemmVectors(width);
    for (const DType dtype :
         {DType::F32, DType::F64, DType::C64, DType::C128, DType::I64, DType::I32, DType::F16, DType::BF16})
      for (const std::array<int64_t, 3> size : {std::array<int64_t, 3>{1, 1, 1},
                                                {5, 37, 3},
                                                {70, 1, 300},
                                                {1, 65, 41},
                                                {65, 70, 300},
                                                {150, 33, 20}})
        for (int layout = 0; layout < 4; ++layout) {
          const auto [m, n, k] = size;
          TensorRef a = randomTensor(layout & 1 ? Dims{k, m} : Dims{m, k}, dtype);
          TensorRef b = randomTensor(layout & 2 ? Dims{n, k} : Dims{k, n}, dtype);
          const View va = layout & 1 ? viewOf(*a).transposed(0, 1) : viewOf(*a);
          const View vb = layout & 2 ? viewOf(*b).transposed(0, 1) : viewOf(*b);
          const TensorRef c = allocate({m, n}, dtype);
          Gemm g;
          g.dtype = g.out = dtype;
          g.m = m;
          g.n = n;
          g.k = k;
          g.a = matricesOf(va);
          g.b = matricesOf(vb);
          g.c = matricesOf(viewOf(*c));
          gemm(g);
          const TensorRef x = copyOf(va, DType::C128), y = copyOf(vb, DType::C128),
                          z = copyOf(viewOf(*c), DType::C128);
          using C = std::complex<double>;
          double most = 0;
          for (int64_t i = 0; i < m; ++i)
            for (int64_t j = 0; j < n; ++j) {
              C sum = 0;
              for (int64_t p = 0; p < k; ++p)
                sum += viewOf(*x).as<C>()[i * k + p] * viewOf(*y).as<C>()[p * n + j];
              most = std::max(most, std::abs(sum - viewOf(*z).as<C>()[i * n + j]));
            }
          const double limit = dtype == DType::F64 || dtype == DType::C128  ? 1e-11
                               : dtype == DType::F32 || dtype == DType::C64 ? 1e-3
                               : dtype == DType::F16                        ? 0.1
                               : dtype == DType::BF16                       ? 0.6
                                                                            : 0;
          EXPECT_LE(most, limit) << ir::dtypeInfo(dtype).torchName << " " << m << "x" << n << "x" << k
                                 << " layout " << layout << " width " << width;
        }
  }
  limitGemmVectors(64);
}

TEST_F(Linalg, FactorsMultipliedOut) {
  for (const DType dtype : kDTypes)
    for (const int64_t n : {1, 2, 5, 40, 75}) {
      SCOPED_TRACE(std::string(ir::dtypeInfo(dtype).torchName) + " " + std::to_string(n));
      const Value a(randomTensor({n, n}, dtype));
      const double limit = tolerance(dtype, n);
      const Value lu = call("aten.linalg_lu.default", {a});
      EXPECT_LE(distance(times(lu.items()[0], times(lu.items()[1], lu.items()[2])), a), limit);
      const Value gram = times(a, adjoint(a));
      const Value l = call("aten.linalg_cholesky_ex.default", {gram}).items()[0];
      EXPECT_LE(distance(times(l, adjoint(l)), gram), limit * static_cast<double>(n + 1));
      const Value qr = call("aten.linalg_qr.default", {a});
      EXPECT_LE(distance(times(qr.items()[0], qr.items()[1]), a), limit);
      EXPECT_LE(distance(times(adjoint(qr.items()[0]), qr.items()[0]), identity(n, dtype)), limit);
    }
}

TEST_F(Linalg, SpectraMultipliedOut) {
  for (const DType dtype : kDTypes)
    for (const int64_t n : {1, 2, 3, 8, 33}) {
      SCOPED_TRACE(std::string(ir::dtypeInfo(dtype).torchName) + " " + std::to_string(n));
      const double limit = tolerance(dtype, n);
      const Value a(randomTensor({n, n}, dtype));
      const Value gram = times(a, adjoint(a));
      for (const char* triangle : {"L", "U"}) {
        const Value e = call("aten._linalg_eigh.default", {gram, Value::str(triangle), Value::boolean(true)});
        const Value &values = e.items()[0], &vectors = e.items()[1];
        EXPECT_LE(distance(times(gram, vectors), times(vectors, diagonal(values, dtype))),
                  limit * static_cast<double>(n + 1));
        EXPECT_LE(distance(times(adjoint(vectors), vectors), identity(n, dtype)), limit);
      }
      const DType complex = dtype == DType::F32 || dtype == DType::C64 ? DType::C64 : DType::C128;
      const Value e = call("aten.linalg_eig.default", {a});
      const Value wide(copyOf(viewOf(*tensorOf(a)), complex));
      EXPECT_LE(distance(times(wide, e.items()[1]), times(e.items()[1], diagonal(e.items()[0], complex))),
                limit * 4);
      for (const int64_t m : {n, n + 3, std::max<int64_t>(n - 2, 1)})
        for (const bool full : {false, true}) {
          const Value b(randomTensor({m, n}, dtype));
          const Value svd = call("aten._linalg_svd.default", {b, Value::boolean(full)});
          const Value &u = svd.items()[0], &s = svd.items()[1], &vh = svd.items()[2];
          const int64_t k = std::min(m, n);
          const Value left = call("aten.narrow.default", {u, Value(1), Value(0), Value(k)});
          const Value right = call("aten.narrow.default", {vh, Value(0), Value(0), Value(k)});
          EXPECT_LE(distance(times(left, times(diagonal(s, dtype), right)), b), limit);
          EXPECT_LE(distance(times(adjoint(u), u), identity(full ? m : k, dtype)), limit);
          EXPECT_LE(distance(times(vh, adjoint(vh)), identity(full ? n : k, dtype)), limit);
        }
    }
}

TEST_F(Linalg, MatricesOfLowRank) {
  const Value column(randomTensor({6, 1}, DType::F64)), row(randomTensor({1, 4}, DType::F64));
  for (const Value& a : {times(column, row), Value(allocateZeros({6, 4}, DType::F64))}) {
    const Value svd = call("aten._linalg_svd.default", {a, Value::boolean(true)});
    EXPECT_LE(distance(times(adjoint(svd.items()[0]), svd.items()[0]), identity(6, DType::F64)), 1e-12);
    EXPECT_LE(distance(times(svd.items()[2], adjoint(svd.items()[2])), identity(4, DType::F64)), 1e-12);
  }
  const Value same = identity(5, DType::F64);
  const Value e = call("aten.linalg_eig.default", {same});
  EXPECT_LE(distance(e.items()[1], same), 1e-12);
}

TEST_F(Linalg, ErrorsAreNamed) {
  const Value bad =
      call("aten.linalg_cholesky_ex.default", {Value(allocateZeros({2, 2}, DType::F32))}).items()[1];
  try {
    call("aten._linalg_check_errors.default", {bad, Value::str("linalg.cholesky"), Value::boolean(true)});
    ADD_FAILURE() << "no error";
  } catch (const EvalError& e) {
    EXPECT_EQ(std::string(e.code), "linalg-error");
    EXPECT_NE(std::string(e.what()).find("the leading minor of order 1 is not positive-definite"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace descry::runtime

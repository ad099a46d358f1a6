// Loop programs by themselves: building, text, and running over layouts.
#include <gtest/gtest.h>

#include <cmath>

#include "runtime/interpreter/machine.h"
#include "runtime/loops/executor.h"
#include "runtime/loops/expression.h"

namespace descry::runtime {
namespace {

TensorRef counted(const Dims& sizes, DType dtype) {
  const TensorRef t = allocate(sizes, dtype);
  for (int64_t i = 0; i < productOf(sizes); ++i)
    storeNumber(dtype, t->storage->data() + i * itemBytes(dtype), Value(i));
  return t;
}
double at(const TensorRef& t, int64_t i) {
  return numberAt(t->meta.dtype, t->storage->data() + i * itemBytes(t->meta.dtype)).toReal();
}

TEST(LoopBuilder, PromotesFoldsAndWritesEqualInstructionsOnce) {
  LoopBuilder b;
  const LoopRegister x = b.input(DType::F32), n = b.input(DType::I32);
  const LoopRegister sum = b.emit(LoopOp::Add, x, n);
  EXPECT_EQ(b.type(sum), LoopType::Float);
  EXPECT_EQ(b.emit(LoopOp::Add, x, n), sum);
  EXPECT_EQ(b.emit(LoopOp::Mul, sum, b.constant(int64_t{1})), sum);
  const LoopRegister six = b.emit(LoopOp::Mul, b.constant(int64_t{2}), b.constant(int64_t{3}));
  ASSERT_NE(b.known(six), nullptr);
  EXPECT_EQ(b.known(six)->as<int64_t>(), 6);
  b.output(b.emit(LoopOp::Exp, sum), DType::F32);
  LoopProgram p = b.take();
  std::vector<size_t> inputs, parameters;
  dropUnused(p, inputs, parameters);
  EXPECT_EQ(p.text(),
            "r0: float = input 0 float32\n"
            "r1: int = input 1 int32\n"
            "r2: float = convert r1\n"
            "r3: float = add r0, r2\n" +
                std::string("r") + std::to_string(p.outputs[0].value) +
                ": float = exp r3\n"
                "output r" +
                std::to_string(p.outputs[0].value) + " as float32\n");
}

TEST(LoopBuilder, RefusesOpsThatATypeDoesNotHave) {
  LoopBuilder b;
  const LoopRegister z = b.input(DType::C64);
  EXPECT_THROW(b.emit(LoopOp::Lt, z, z), EvalError);
  EXPECT_THROW(b.emit(LoopOp::Erf, z), EvalError);
}

TEST(LoopCode, RunsSeveralOutputsOverAnyLayout) {
  LoopBuilder b;
  const LoopRegister x = b.input(DType::F32), y = b.input(DType::F64), k = b.parameter(LoopType::Double);
  const LoopRegister sum = b.emit(LoopOp::Add, x, b.emit(LoopOp::Mul, y, k));
  b.output(sum, DType::F64);
  b.output(b.emit(LoopOp::Gt, sum, b.constant(LoopNumber::of(LoopType::Double, 100.0))), DType::B8);
  b.output(sum, DType::I32);
  const LoopCode code(b.take());
  // More elements than a tile has; one operand transposed, one broadcast.
  const TensorRef xs = counted(Dims{40, 50}, DType::F32), ys = counted(Dims{1, 40}, DType::F64);
  const TensorRef sums = allocate(Dims{50, 40}, DType::F64), above = allocate(Dims{50, 40}, DType::B8),
                  whole = allocate(Dims{50, 40}, DType::I32);
  const View ins[] = {viewOf(*xs).transposed(0, 1), viewOf(*ys)};
  const LoopNumber numbers[] = {LoopNumber::of(LoopType::Double, 0.5)};
  const View outs[] = {viewOf(*sums), viewOf(*above), viewOf(*whole)};
  code.run(ins, numbers, outs);
  for (int64_t i = 0; i < 50; ++i)
    for (int64_t j = 0; j < 40; ++j) {
      const double want = static_cast<double>(j * 50 + i) + 0.5 * static_cast<double>(j);
      ASSERT_EQ(at(sums, i * 40 + j), want);
      ASSERT_EQ(at(above, i * 40 + j), want > 100 ? 1 : 0);
      ASSERT_EQ(at(whole, i * 40 + j), std::trunc(want));
    }
}

TEST(LoopCode, GivesTheSameOnSeveralThreads) {
  LoopBuilder b;
  const LoopRegister x = b.input(DType::F32), y = b.input(DType::F32);
  b.output(b.emit(LoopOp::Add, b.emit(LoopOp::Exp, b.emit(LoopOp::Neg, x)), y), DType::F32);
  const LoopCode code(b.take());
  const int threads = threadCount();
  const TensorRef xs = counted(Dims{300, 701}, DType::F32), ys = counted(Dims{701}, DType::F32);
  const View in[] = {viewOf(*xs), viewOf(*ys)};
  std::vector<TensorRef> results;
  for (const int n : {1, 4}) {
    setThreadCount(n);
    results.push_back(allocate(Dims{300, 701}, DType::F32));
    const View out[] = {viewOf(*results.back())};
    code.run(in, {}, out);
  }
  setThreadCount(threads);
  EXPECT_EQ(std::memcmp(results[0]->storage->data(), results[1]->storage->data(), 300 * 701 * 4), 0);
  EXPECT_EQ(at(results[0], 701 + 5), 5);
}

TEST(LoopCode, GivesANumberTheSameResultWhereverItStands) {
  for (const LoopOp op : {LoopOp::Exp, LoopOp::Tanh, LoopOp::Log1p, LoopOp::Erf, LoopOp::Sin, LoopOp::Pow})
    for (const DType d : {DType::F32, DType::F64}) {
      LoopBuilder b(loopTypeOf(d));
      const LoopRegister x = b.input(d);
      b.output(op == LoopOp::Pow ? b.emit(op, x, b.input(d)) : b.emit(op, x), d);
      const LoopCode code(b.take());
      const size_t item = static_cast<size_t>(itemBytes(d));
      const int64_t n = 1100;
      const TensorRef xs = allocate(Dims{n}, d), all = allocate(Dims{n}, d), some = allocate(Dims{n}, d);
      for (int64_t i = 0; i < n; ++i)
        storeNumber(d, xs->storage->data() + static_cast<size_t>(i) * item,
                    Value::real(0.01 + 0.0037 * static_cast<double>(i)));
      const auto run = [&](const TensorRef& to, int64_t from, int64_t count) {
        View in = viewOf(*xs), out = viewOf(*to);
        in.data += static_cast<size_t>(from) * item;
        out.data += static_cast<size_t>(from) * item;
        in.sizes = out.sizes = Dims{count};
        const View ins[] = {in, in}, outs[] = {out};
        code.run(std::span<const View>(ins, code.program().inputs.size()), {}, outs);
      };
      run(all, 0, n);
      for (const int64_t piece : {1, 7, 100}) {
        for (int64_t i = 0; i < n; i += piece) run(some, i, std::min(piece, n - i));
        EXPECT_EQ(std::memcmp(all->storage->data(), some->storage->data(), static_cast<size_t>(n) * item), 0)
            << loopOpName(op) << " in pieces of " << piece;
      }
    }
}

/// Loops for older processors, which this one can run too.
std::vector<const LoopKernels*> allKernels() {
  std::vector<const LoopKernels*> out = {&loopKernelsBase()};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) out.push_back(&loopKernelsAvx2());
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
    out.push_back(&loopKernelsAvx512());
#endif
  if (&loopKernels() != out.back()) out.push_back(&loopKernels());
  return out;
}

TEST(LoopKernels, AgreeOnAllProcessors) {
  constexpr int64_t n = 77;
  const auto isMath = [](LoopOp op) {
    switch (op) {
#define DESCRY_X(NAME, TEXT) case LoopOp::NAME:
      DESCRY_LOOP_VECTOR_MATH(DESCRY_X)
#undef DESCRY_X
      case LoopOp::Pow:
      case LoopOp::Atan2:
      case LoopOp::Hypot:
        return true;
      default:
        return false;
    }
  };
  const std::vector<const LoopKernels*> kernels = allKernels();
  size_t compared = 0;
  const auto compare = [&]<class T>(TypeTag<T>, LoopOp op, LoopType type) {
    std::vector<T> a(n), b(n), c(n);
    for (int64_t i = 0; i < n; ++i) {
      const auto k = static_cast<size_t>(i);
      // Within what all functions are defined for, and at their edges.
      a[k] = static_cast<T>(std::is_integral_v<T> ? i % 9
                            : i % 11 == 0         ? 1
                                                  : 0.013 * static_cast<double>(i) - 0.1);
      b[k] = static_cast<T>(std::is_integral_v<T> ? i % 5 + 1 : 1.7 - 0.02 * static_cast<double>(i));
      c[k] = static_cast<T>(i % 2);
    }
    std::vector<std::vector<std::byte>> results;
    for (const LoopKernels* k : kernels) {
      const LoopKernel f = k->instruction(op, type, type);
      if (!f) return;
      results.emplace_back(n * 16, std::byte{0});
      f(results.back().data(), a.data(), b.data(), op == LoopOp::Fma ? c.data() : nullptr, n);
    }
    ++compared;
    for (size_t k = 1; k < results.size(); ++k) {
      if (!isMath(op)) {
        EXPECT_EQ(results[k], results[0]) << loopOpName(op) << " of " << loopTypeName(type);
        continue;
      }
      if constexpr (std::is_floating_point_v<T>)
        for (int64_t i = 0; i < n; ++i) {
          T x, y;
          std::memcpy(&x, results[k].data() + i * static_cast<int64_t>(sizeof(T)), sizeof x);
          std::memcpy(&y, results[0].data() + i * static_cast<int64_t>(sizeof(T)), sizeof y);
          if (x == y || (std::isnan(y) && std::isnan(x))) continue;
          const T unit = std::nextafter(std::abs(y), std::numeric_limits<T>::infinity()) - std::abs(y);
          EXPECT_LE(std::abs(x - y), 4 * unit)
              << loopOpName(op) << " of " << a[static_cast<size_t>(i)] << ", " << b[static_cast<size_t>(i)];
        }
    }
  };
  for (int op = 0; op <= static_cast<int>(LoopOp::Copy); ++op) {
    const auto o = static_cast<LoopOp>(op);
    if (o == LoopOp::Select || o == LoopOp::Convert || o == LoopOp::MakeComplex) continue;
    compare(TypeTag<float>{}, o, LoopType::Float);
    compare(TypeTag<double>{}, o, LoopType::Double);
    compare(TypeTag<int64_t>{}, o, LoopType::Int);
  }
  EXPECT_GT(compared, 100u);
}

TEST(LoopCode, WritesOverItsInput) {
  LoopBuilder b;
  const LoopRegister x = b.input(DType::F32), y = b.emit(LoopOp::Add, x, b.constant(1.0));
  // The input is read after the output is there.
  b.output(y, DType::F32);
  b.output(b.emit(LoopOp::Mul, y, x), DType::F32);
  const LoopCode code(b.take());
  const TensorRef t = counted(Dims{700}, DType::F32), other = allocate(Dims{700}, DType::F32);
  const View in[] = {viewOf(*t)}, outs[] = {viewOf(*t), viewOf(*other)};
  code.run(in, {}, outs);
  for (int64_t i = 0; i < 700; ++i) {
    ASSERT_EQ(at(t, i), static_cast<double>(i + 1));
    ASSERT_EQ(at(other, i), static_cast<double>(i * (i + 1)));
  }
}

TEST(LoopCode, RefusesWhatDoesNotFit) {
  LoopBuilder b;
  b.output(b.emit(LoopOp::Neg, b.input(DType::F32)), DType::F32);
  const LoopCode code(b.take());
  const TensorRef five = counted(Dims{5}, DType::F32), three = counted(Dims{3}, DType::F32);
  const View in[] = {viewOf(*five)}, out[] = {viewOf(*three)};
  EXPECT_THROW(code.run(in, {}, out), EvalError);
  EXPECT_THROW(code.run({}, {}, out), EvalError);
}

TEST(LoopCode, DivisionByZeroCountsOnlyWhereItIsReached) {
  const ir::OpRegistry& ops = ir::allOps();
  const TensorRef a = counted(Dims{3}, DType::I64), zeros = allocateZeros(Dims{3}, DType::I64),
                  out = allocate(Dims{3}, DType::I64);
  runPointwise(*ops.find("torch.ops.aten.lcm.default"), {Value(a), Value(zeros)}, viewOf(*out));
  EXPECT_EQ(at(out, 2), 0);
  EXPECT_THROW(
      runPointwise(*ops.find("torch.ops.aten.floor_divide.default"), {Value(a), Value(zeros)}, viewOf(*out)),
      EvalError);
}

TEST(Expressions, LoopsRunForEachElementAsLongAsItAsks) {
  ir::OpRegistry own;
  std::vector<ir::Diagnostic> problems;
  own.read(
      "op a::steps(Tensor x) -> Tensor\n  scalar:\n    n = 0\n    while x != 1:\n"
      "      if x % 2 == 0:\n        x = x // 2\n      else:\n        x = 3 * x + 1\n      n += 1\n    "
      "return n\n",
      "own.ops", &problems);
  ASSERT_TRUE(problems.empty()) << problems[0].message;
  const ir::OpDef& op = *own.find("torch.ops.a.steps.default");
  const TensorRef x = counted(Dims{30}, DType::I64), out = allocate(Dims{30}, DType::I64);
  storeNumber(DType::I64, x->storage->data(), Value(1));
  runPointwise(op, {Value(x)}, viewOf(*out));
  for (int64_t i = 1; i < 30; ++i) {
    int64_t n = 0;
    for (int64_t v = i; v != 1; v = v % 2 ? 3 * v + 1 : v / 2) ++n;
    EXPECT_EQ(at(out, i), static_cast<double>(n)) << i;
  }
}

}  // namespace
}  // namespace descry::runtime

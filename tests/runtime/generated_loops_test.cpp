// Code made while running gives what the loops of single instructions give, bit by bit.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "runtime/loops/executor.h"

namespace descry::runtime {
namespace {

constexpr LoopOp kUnary[] = {
    LoopOp::Neg,         LoopOp::Abs,   LoopOp::Sqrt,           LoopOp::Floor, LoopOp::Ceil,
    LoopOp::Trunc,       LoopOp::Round, LoopOp::Signbit,        LoopOp::IsNan, LoopOp::IsInf,
    LoopOp::RoundToHalf, LoopOp::Not,   LoopOp::RoundToBFloat16};
constexpr LoopOp kBinary[] = {LoopOp::Add, LoopOp::Sub, LoopOp::Mul, LoopOp::Div,
                              LoopOp::Min, LoopOp::Max, LoopOp::And, LoopOp::Or,
                              LoopOp::Xor, LoopOp::Eq,  LoopOp::Ne,  LoopOp::Lt,
                              LoopOp::Le,  LoopOp::Gt,  LoopOp::Ge,  LoopOp::Copysign};
constexpr DType kDTypes[] = {DType::F32, DType::F64, DType::I64, DType::B8};

double special(DType dtype, std::mt19937& random) {
  static const double reals[] = {0.0,      -0.0,      1,     -1,   0.5,   1.5,  2.5,     -2.5,      NAN,
                                 INFINITY, -INFINITY, 1e-42, 3e38, -7.25, 1e10, 65519.0, 1.00390625};
  static const double whole[] = {0, 1, -1, 2, -2, 7, 9e18, -9e18, 255, 1e6};
  if (dtype == DType::B8) return random() % 2;
  if (dtype == DType::I64) return whole[random() % std::size(whole)];
  return random() % 2 ? reals[random() % std::size(reals)] : static_cast<double>(random()) / 1e9 - 2;
}
TensorRef filled(const Dims& sizes, DType dtype, std::mt19937& random) {
  const TensorRef t = allocate(sizes, dtype);
  for (int64_t i = 0; i < productOf(sizes); ++i) {
    std::byte* at = t->storage->data() + i * itemBytes(dtype);
    if (dtype == DType::I64)
      storeNumber(dtype, at, Value(convertTo<int64_t>(special(dtype, random))));
    else
      storeNumber(dtype, at, Value::real(special(dtype, random)));
  }
  return t;
}
/// NaN is NaN, whatever its payload.
bool same(DType dtype, const std::byte* a, const std::byte* b) {
  if (std::memcmp(a, b, static_cast<size_t>(itemBytes(dtype))) == 0) return true;
  if (dtype != DType::F32 && dtype != DType::F64) return false;
  return std::isnan(numberAt(dtype, a).toReal()) && std::isnan(numberAt(dtype, b).toReal());
}
DType dtypeOf(LoopType t) {
  return t == LoopType::Float    ? DType::F32
         : t == LoopType::Double ? DType::F64
         : t == LoopType::Int    ? DType::I64
                                 : DType::B8;
}

class GeneratedLoops : public ::testing::Test {
 protected:
  /// Built where Xbyak is. A processor without AVX-512 has no such code; ctest then says "skipped", not
  /// "passed" (SKIP_REGULAR_EXPRESSION).
  void SetUp() override {
    if (!canGenerateLoops()) GTEST_SKIP() << "no AVX-512 here: there is no code to test";
  }
  void TearDown() override { LoopCode::setGenerate(LoopCode::Generate::WhenItPays); }

  static std::vector<TensorRef> run(const LoopCode& code, LoopCode::Generate when, const Dims& sizes,
                                    const std::vector<View>& inputs, const std::vector<LoopNumber>& numbers) {
    LoopCode::setGenerate(when);
    std::vector<TensorRef> out;
    std::vector<View> views;
    for (const auto& o : code.program().outputs) {
      out.push_back(allocate(sizes, o.dtype));
      views.push_back(viewOf(*out.back()));
    }
    code.run(inputs, numbers, views);
    return out;
  }
  static void expectSame(const LoopProgram& program, const Dims& sizes, const std::vector<View>& inputs,
                         const std::vector<LoopNumber>& numbers = {}) {
    const LoopCode plain(program), generated(program);
    const auto want = run(plain, LoopCode::Generate::Never, sizes, inputs, numbers);
    const auto have = run(generated, LoopCode::Generate::Always, sizes, inputs, numbers);
    for (size_t k = 0; k < want.size(); ++k) {
      const DType dtype = want[k]->meta.dtype;
      for (int64_t i = 0; i < productOf(sizes); ++i) {
        const std::byte* a = want[k]->storage->data() + i * itemBytes(dtype);
        const std::byte* b = have[k]->storage->data() + i * itemBytes(dtype);
        ASSERT_TRUE(same(dtype, a, b))
            << "output " << k << " element " << i << ": " << numberAt(dtype, b).toReal() << " instead of "
            << numberAt(dtype, a).toReal() << "\n"
            << program.text();
      }
    }
  }
};

/// A program with an operand of each type, some numbers for all, and results that do not fit their machine
/// registers at once.
LoopProgram randomProgram(std::mt19937& random, int instructions, std::vector<DType>& inputs,
                          std::vector<LoopNumber>& numbers) {
  LoopBuilder b;
  std::vector<LoopRegister> made;
  for (const DType d : kDTypes) {
    for (int k = 0; k < 2; ++k) {
      made.push_back(b.input(d));
      inputs.push_back(d);
    }
    made.push_back(b.parameter(loopTypeOf(d)));
    numbers.push_back(LoopNumber::of(loopTypeOf(d), special(d, random)));
  }
  made.push_back(b.constant(0.75));
  const auto any = [&] { return made[random() % made.size()]; };
  std::vector<LoopRegister> fresh;
  while (static_cast<int>(fresh.size()) < instructions) {
    try {
      LoopRegister r = kNoRegister;
      switch (random() % 5) {
        case 0:
          r = b.emit(kUnary[random() % std::size(kUnary)], any());
          break;
        case 1:
          r = b.select(b.truth(any()), any(), any());
          break;
        case 2:
          r = b.convert(any(), static_cast<LoopType>(random() % 4));
          break;
        default:
          r = b.emit(kBinary[random() % std::size(kBinary)], any(), any());
      }
      made.push_back(r);
      fresh.push_back(r);
    } catch (const EvalError&) {
      // The type has no such op.
    }
  }
  for (size_t k = 0; k < fresh.size(); ++k)
    if (k + 1 == fresh.size() || random() % 4 == 0) b.output(fresh[k], dtypeOf(b.type(fresh[k])));
  LoopProgram p = b.take();
  std::vector<size_t> usedInputs, usedNumbers;
  dropUnused(p, usedInputs, usedNumbers);
  std::vector<DType> in;
  std::vector<LoopNumber> num;
  for (const size_t k : usedInputs) in.push_back(inputs[k]);
  for (const size_t k : usedNumbers) num.push_back(numbers[k]);
  inputs = in;
  numbers = num;
  return p;
}

TEST_F(GeneratedLoops, EachInstructionOnNumbersOfAllKinds) {
  std::mt19937 random(3);
  int programs = 0;
  for (const bool withNumber : {false, true})
    for (const DType d : kDTypes) {
      const auto with = [&](LoopOp op, int operands) {
        LoopBuilder b(d == DType::F64 ? LoopType::Double : LoopType::Float);
        const LoopRegister x = b.input(d), y = withNumber ? b.parameter(loopTypeOf(d)) : b.input(d);
        LoopRegister r = kNoRegister;
        try {
          r = operands == 1 ? b.emit(op, x) : operands == 2 ? b.emit(op, x, y) : b.emit(op, y, x);
        } catch (const EvalError&) {
          return;
        }
        b.output(r, dtypeOf(b.type(r)));
        LoopProgram p = b.take();
        std::vector<size_t> inputs, numbers;
        dropUnused(p, inputs, numbers);
        for (const int64_t n : {1, 15, 16, 37, 1100}) {
          std::vector<TensorRef> tensors;
          std::vector<View> views;
          for (size_t k = 0; k < inputs.size(); ++k) {
            tensors.push_back(filled(Dims{n}, d, random));
            views.push_back(viewOf(*tensors.back()));
          }
          std::vector<LoopNumber> values;
          for (size_t k = 0; k < numbers.size(); ++k)
            values.push_back(LoopNumber::of(loopTypeOf(d), special(d, random)));
          expectSame(p, Dims{n}, views, values);
          if (HasFatalFailure()) return;
        }
        ++programs;
      };
      for (const LoopOp op : kUnary) with(op, 1);
      for (const LoopOp op : kBinary) with(op, 2), with(op, 3);
    }
  EXPECT_GT(programs, 150);
}

TEST_F(GeneratedLoops, RandomProgramsOfAllTypes) {
  for (unsigned seed = 0; seed < 400; ++seed) {
    std::mt19937 random(seed);
    std::vector<DType> inputs;
    std::vector<LoopNumber> numbers;
    const LoopProgram p = randomProgram(random, 2 + static_cast<int>(random() % 60), inputs, numbers);
    const int64_t n = 1 + static_cast<int64_t>(random() % 1300);
    std::vector<TensorRef> tensors;
    std::vector<View> views;
    for (const DType d : inputs) {
      tensors.push_back(filled(Dims{n}, d, random));
      views.push_back(viewOf(*tensors.back()));
    }
    SCOPED_TRACE("seed " + std::to_string(seed));
    expectSame(p, Dims{n}, views, numbers);
    if (HasFatalFailure()) return;
  }
}

/// Distance in representable numbers around the true value.
double unitsOff(float have, double want) {
  if (std::isnan(want)) return std::isnan(have) ? 0 : 1e9;
  const float nearest = static_cast<float>(want);
  if (std::isinf(nearest) || nearest == 0)
    return have == nearest ? 0 : std::abs(have - nearest) < 1e-44 ? 1 : 1e9;
  const double unit =
      std::abs(static_cast<double>(std::nextafter(nearest, INFINITY)) - static_cast<double>(nearest));
  return std::abs(static_cast<double>(have) - want) / unit;
}

TEST_F(GeneratedLoops, FunctionsOfOneNumber) {
  using Reference = double (*)(double);
  const std::pair<LoopOp, Reference> functions[] = {{LoopOp::Exp, [](double x) { return std::exp(x); }},
                                                    {LoopOp::Erf, [](double x) { return std::erf(x); }},
                                                    {LoopOp::Tanh, [](double x) { return std::tanh(x); }}};
  std::vector<float> points = {0.0f,    -0.0f, INFINITY, -INFINITY, NAN,        1e-42f, -1e-42f,
                               1e-20f,  3e38f, -3e38f,   88.7f,     88.8f,      -87.4f, -103.9f,
                               -104.1f, 1.0f,  -1.0f,    0.625f,    0.62499994f};
  for (int i = -400000; i <= 400000; ++i) points.push_back(static_cast<float>(i) * 0.00025f);
  const auto n = static_cast<int64_t>(points.size());
  const TensorRef xs = allocate(Dims{n}, DType::F32), ys = allocate(Dims{n}, DType::F32);
  std::copy(points.begin(), points.end(), viewOf(*xs).as<float>());
  LoopCode::setGenerate(LoopCode::Generate::Always);
  for (const auto& [op, reference] : functions) {
    LoopBuilder b;
    b.output(b.emit(op, b.input(DType::F32)), DType::F32);
    const LoopCode code(b.take());
    const View in[] = {viewOf(*xs)}, out[] = {viewOf(*ys)};
    code.run(in, {}, out);
    const float* y = viewOf(*ys).as<float>();
    double most = 0;
    for (int64_t i = 0; i < n; ++i) {
      const float x = points[static_cast<size_t>(i)];
      const double off = unitsOff(y[i], reference(static_cast<double>(x)));
      most = std::max(most, off);
      ASSERT_LT(off, 1.5) << loopOpName(op) << " of " << x << " is " << y[i];
    }
    EXPECT_GT(most, 0.4) << "no rounding at all is not believable";
    EXPECT_EQ(std::signbit(y[1]), op != LoopOp::Exp) << loopOpName(op) << " of -0";
  }
}

TEST_F(GeneratedLoops, FunctionsGiveTheSameAloneAndAmongOthers) {
  std::mt19937 random(8);
  for (const LoopOp op : {LoopOp::Exp, LoopOp::Erf, LoopOp::Tanh}) {
    LoopBuilder b;
    const LoopRegister x = b.input(DType::F32);
    b.output(b.emit(LoopOp::Mul, b.emit(op, b.emit(LoopOp::Add, x, b.constant(0.25))), x), DType::F32);
    const LoopProgram p = b.take();
    for (const int64_t n : {3, 100, 1777}) {
      const TensorRef xs = filled(Dims{n}, DType::F32, random);
      expectSame(p, Dims{n}, {viewOf(*xs)});
    }
  }
}

TEST_F(GeneratedLoops, AnyLayout) {
  std::mt19937 random(5);
  LoopBuilder b;
  const LoopRegister x = b.input(DType::F32), y = b.input(DType::F16), z = b.input(DType::I32);
  const LoopRegister sum = b.emit(LoopOp::Add, b.emit(LoopOp::Mul, x, y), z);
  b.output(b.emit(LoopOp::Exp, sum), DType::F32);
  b.output(b.emit(LoopOp::Mul, b.emit(LoopOp::Abs, sum), y), DType::F16);
  const LoopProgram p = b.take();
  const TensorRef xs = filled(Dims{40, 70}, DType::F32, random),
                  ys = filled(Dims{70, 40}, DType::F16, random), zs = allocate(Dims{40}, DType::I32);
  for (int64_t i = 0; i < 40; ++i) storeNumber(DType::I32, zs->storage->data() + 4 * i, Value(i % 7 - 3));
  expectSame(p, Dims{70, 40}, {viewOf(*xs).transposed(0, 1), viewOf(*ys), viewOf(*zs)});
}

TEST_F(GeneratedLoops, OneElementForAllOfALongRun) {
  std::mt19937 random(6);
  LoopBuilder b;
  const LoopRegister x = b.input(DType::F32), y = b.input(DType::F32);
  b.output(b.emit(LoopOp::Mul, b.emit(LoopOp::Add, x, y), x), DType::F32);
  const LoopProgram p = b.take();
  const TensorRef xs = filled(Dims{5000}, DType::F32, random), one = filled(Dims{1}, DType::F32, random);
  expectSame(p, Dims{5000}, {viewOf(*xs), viewOf(*one)});
}

TEST_F(GeneratedLoops, WritesOverItsOperands) {
  LoopBuilder b;
  const LoopRegister x = b.input(DType::F32), y = b.input(DType::F32);
  const LoopRegister sum = b.emit(LoopOp::Add, x, b.constant(1.0));
  // Goes where y lies, which is read later.
  b.output(sum, DType::F32);
  b.output(b.emit(LoopOp::Mul, sum, b.emit(LoopOp::Sub, y, x)), DType::F32);
  const LoopCode code(b.take());
  LoopCode::setGenerate(LoopCode::Generate::Always);
  for (const int64_t n : {5, 700, 70000}) {
    const TensorRef xs = allocate(Dims{n}, DType::F32), ys = allocate(Dims{n}, DType::F32);
    for (int64_t i = 0; i < n; ++i) {
      storeNumber(DType::F32, xs->storage->data() + 4 * i, Value(i % 100));
      storeNumber(DType::F32, ys->storage->data() + 4 * i, Value(i % 9));
    }
    const View in[] = {viewOf(*xs), viewOf(*ys)}, out[] = {viewOf(*ys), viewOf(*xs)};
    code.run(in, {}, out);
    for (int64_t i = 0; i < n; ++i) {
      const double a = static_cast<double>(i % 100), c = static_cast<double>(i % 9);
      ASSERT_EQ(numberAt(DType::F32, ys->storage->data() + 4 * i).toReal(), a + 1);
      ASSERT_EQ(numberAt(DType::F32, xs->storage->data() + 4 * i).toReal(), (a + 1) * (c - a));
    }
  }
}

TEST_F(GeneratedLoops, LargeResultsGoPastTheCaches) {
  LoopBuilder b;
  const LoopRegister x = b.input(DType::F32), y = b.input(DType::F32);
  const LoopRegister sum = b.emit(LoopOp::Add, x, y);
  b.output(sum, DType::F32);
  b.output(b.emit(LoopOp::Exp, b.emit(LoopOp::Neg, sum)), DType::F32);
  b.output(b.emit(LoopOp::Lt, x, y), DType::B8);
  const LoopProgram p = b.take();
  const int64_t n = (int64_t{17} << 20) / 4 + 3;
  const TensorRef xs = allocate(Dims{n}, DType::F32), ys = allocate(Dims{n}, DType::F32);
  for (int64_t i = 0; i < n; ++i) {
    reinterpret_cast<float*>(xs->storage->data())[i] = static_cast<float>(i % 1009) / 64;
    reinterpret_cast<float*>(ys->storage->data())[i] = static_cast<float>(i % 101) / 8;
  }
  const LoopCode plain(p), generated(p);
  const auto want = run(plain, LoopCode::Generate::Never, Dims{n}, {viewOf(*xs), viewOf(*ys)}, {});
  const auto have = run(generated, LoopCode::Generate::Always, Dims{n}, {viewOf(*xs), viewOf(*ys)}, {});
  for (size_t k = 0; k < 3; ++k)
    EXPECT_EQ(std::memcmp(want[k]->storage->data(), have[k]->storage->data(),
                          static_cast<size_t>(n) * (k == 2 ? 1 : 4)),
              0);
}

}  // namespace
}  // namespace descry::runtime

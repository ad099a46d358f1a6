// Loop programs: what is computed for each element of some tensors of equal sizes, as a list of instructions.
//
// A program has typed registers. A register stands for one value per element; it is given by an input tensor,
// by a constant, by a parameter (a number that is the same for all elements and comes with each run), or by
// the instruction that writes it. Instructions run in order. Each register is written by one instruction, but
// for those of loops: a loop over masks
//
//     r4 = constant 1
//     r5 = ...                       what is carried starts as a copy
//   L0:
//     r6 = lt r4, r2                 condition
//     r7 = and r3, r6                elements that go on; r3: those that entered
//     leave r7, L1                   when there are none
//     r8 = ...
//     r5 = select r7, r8, r5         carried values change where the element goes on
//     repeat L0
//   L1:
//
// `leave` also skips the costly side of a choice that no element takes. Choices are selects otherwise: both
// sides are computed. Integer division takes a mask of the elements that count: only for those a zero divisor
// is an error.
//
// Programs are made by a LoopBuilder, carried out by runLoop (executor.h), and printed by text(). They know
// nothing of ops: the expressions of several ops can be put into one program, the result register of one as
// the operand of the next.
#pragma once

#include <array>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runtime/core/numbers.h"

namespace descry::runtime {

enum class LoopType : uint8_t { Bool, Int, Float, Double, ComplexFloat, ComplexDouble };
constexpr size_t kLoopTypes = 6;

// Functions of one real argument; the first list has vector forms in the C library.
// clang-format off
#define DESCRY_LOOP_VECTOR_MATH(X) \
  X(Exp, exp) X(Exp2, exp2) X(Expm1, expm1) X(Log, log) X(Log2, log2) X(Log10, log10) X(Log1p, log1p) \
  X(Sin, sin) X(Cos, cos) X(Tan, tan) X(Asin, asin) X(Acos, acos) X(Atan, atan) X(Sinh, sinh) \
  X(Cosh, cosh) X(Tanh, tanh) X(Asinh, asinh) X(Acosh, acosh) X(Atanh, atanh) X(Erf, erf) X(Erfc, erfc)
#define DESCRY_LOOP_SPECIAL(X) \
  X(Lgamma, lgamma) X(Digamma, digamma) X(Erfinv, erfinv) X(Erfcinv, erfcinv) X(Erfcx, erfcx) \
  X(AiryAi, airy_ai) X(BesselJ0, bessel_j0) X(BesselJ1, bessel_j1) X(BesselY0, bessel_y0) \
  X(BesselY1, bessel_y1) X(BesselI0e, bessel_i0e) X(BesselI1e, bessel_i1e) X(BesselK0e, bessel_k0e) \
  X(BesselK1e, bessel_k1e)
#define DESCRY_LOOP_OTHERS(X) \
  X(Add, add) X(Sub, sub) X(Mul, mul) X(Div, div) X(FloorDiv, floor_div) X(Mod, mod) \
  X(TruncDiv, trunc_div) X(Fmod, fmod) X(Pow, pow) X(Min, min) X(Max, max) X(And, and) X(Or, or) \
  X(Xor, xor) X(Not, not) X(Shl, shl) X(Shr, shr) X(Eq, eq) X(Ne, ne) X(Lt, lt) X(Le, le) X(Gt, gt) X(Ge, ge) \
  X(Select, select) X(Neg, neg) X(Abs, abs) X(Sqrt, sqrt) X(Floor, floor) X(Ceil, ceil) X(Trunc, trunc) \
  X(Round, round) X(Atan2, atan2) X(Hypot, hypot) X(Copysign, copysign) X(Nextafter, nextafter) \
  X(NextafterHalf, nextafter_half) X(NextafterBFloat16, nextafter_bfloat16) X(Fma, fma) X(Gcd, gcd) \
  X(Signbit, signbit) X(IsNan, isnan) X(IsInf, isinf) X(FrexpMantissa, frexp_mantissa) \
  X(FrexpExponent, frexp_exponent) X(Zeta, zeta) X(GammaLower, gamma_lower) X(GammaUpper, gamma_upper) \
  X(Conj, conj) X(Real, real) X(Imag, imag) X(Angle, angle) X(Sgn, sgn) X(MakeComplex, complex) \
  X(Convert, convert) X(RoundToHalf, round_to_half) X(RoundToBFloat16, round_to_bfloat16) X(Copy, copy) \
  X(Leave, leave) X(Repeat, repeat)
// clang-format on

enum class LoopOp : uint8_t {
#define DESCRY_X(NAME, TEXT) NAME,
  DESCRY_LOOP_VECTOR_MATH(DESCRY_X) DESCRY_LOOP_SPECIAL(DESCRY_X) DESCRY_LOOP_OTHERS(DESCRY_X)
#undef DESCRY_X
};
std::string_view loopOpName(LoopOp op);
std::string_view loopTypeName(LoopType type);

/// Calls f(TypeTag<T>) with the C++ type of a register's elements.
template <class F>
decltype(auto) visitLoopType(LoopType type, F&& f) {
  switch (type) {
    case LoopType::Bool:
      return f(TypeTag<bool>{});
    case LoopType::Int:
      return f(TypeTag<int64_t>{});
    case LoopType::Float:
      return f(TypeTag<float>{});
    case LoopType::Double:
      return f(TypeTag<double>{});
    case LoopType::ComplexFloat:
      return f(TypeTag<std::complex<float>>{});
    default:
      return f(TypeTag<std::complex<double>>{});
  }
}
size_t loopTypeBytes(LoopType type);
/// The type that elements of a tensor have in a register: small floats are computed in float.
LoopType loopTypeOf(DType dtype);
bool isComplex(LoopType type);
LoopType realTypeOf(LoopType type);  ///< of a complex one; others stay

/// One number of a register.
struct LoopNumber {
  LoopType type = LoopType::Int;
  alignas(16) std::array<std::byte, 16> bytes{};

  template <class T>
  static LoopNumber of(LoopType type, T v) {
    LoopNumber n;
    n.type = type;
    visitLoopType(type, [&]<class To>(TypeTag<To>) {
      const To c = convertTo<To>(v);
      std::memcpy(n.bytes.data(), &c, sizeof c);
    });
    return n;
  }
  template <class T>
  T as() const {
    return visitLoopType(type, [&]<class From>(TypeTag<From>) {
      From v;
      std::memcpy(&v, bytes.data(), sizeof v);
      return convertTo<T>(v);
    });
  }
};

using LoopRegister = int32_t;
constexpr LoopRegister kNoRegister = -1;

struct LoopInstruction {
  LoopOp op{};
  LoopType type{};                    ///< of the operands (Select: of what is chosen from)
  LoopRegister result = kNoRegister;  ///< of Leave and Repeat: none
  std::array<LoopRegister, 3> operands = {kNoRegister, kNoRegister, kNoRegister};
  int32_t target = 0;  ///< of Leave and Repeat: index of the instruction to go on with
};

struct LoopProgram {
  struct Given {
    LoopRegister result = kNoRegister;
    DType dtype{};  ///< of an input
  };
  struct Constant {
    LoopRegister result = kNoRegister;
    LoopNumber value;
  };
  struct Output {
    LoopRegister value = kNoRegister;
    DType dtype{};
  };
  std::vector<LoopType> registers;
  std::vector<Given> inputs;             ///< one each tensor, in the order that they are passed in
  std::vector<LoopRegister> parameters;  ///< in order
  std::vector<Constant> constants;
  std::vector<LoopInstruction> instructions;
  std::vector<Output> outputs;

  /// One line an input, constant, instruction and output.
  std::string text() const;
};

/// Takes out what no output needs: instructions, constants, inputs and parameters. `inputs` and `parameters`
/// become the old numbers of those that are left.
void dropUnused(LoopProgram& program, std::vector<size_t>& inputs, std::vector<size_t>& parameters);

/// Writes a program. Operands are brought to a common type, constants are computed while building, and equal
/// instructions are written once.
class LoopBuilder {
 public:
  /// `real`: the type that integers and literals become where a real number is needed.
  explicit LoopBuilder(LoopType real = LoopType::Float) : real_(real) {}

  LoopType real() const { return real_; }
  void setReal(LoopType real) { real_ = real; }
  LoopType type(LoopRegister r) const { return program_.registers[static_cast<size_t>(r)]; }

  LoopRegister input(DType dtype);
  LoopRegister parameter(LoopType type);
  LoopRegister constant(const LoopNumber& value);
  LoopRegister constant(bool v) { return constant(LoopNumber::of(LoopType::Bool, v)); }
  LoopRegister constant(int64_t v) { return constant(LoopNumber::of(LoopType::Int, v)); }
  /// Of the real type.
  LoopRegister constant(double v) { return constant(LoopNumber::of(real_, v)); }
  void output(LoopRegister value, DType dtype) { program_.outputs.push_back({value, dtype}); }

  /// The value of a register that is known while building; null else.
  const LoopNumber* known(LoopRegister r) const;

  /// Operands are promoted as the op asks: Bool and Int become real for functions of real numbers, and all
  /// get the widest type. Throws `unsupported-dtype` where an op has no form for the type.
  LoopRegister emit(LoopOp op, LoopRegister a, LoopRegister b = kNoRegister, LoopRegister c = kNoRegister);
  LoopRegister convert(LoopRegister r, LoopType type);
  /// Any number as a truth value.
  LoopRegister truth(LoopRegister r);
  LoopRegister select(LoopRegister condition, LoopRegister yes, LoopRegister no);
  /// As an element of this dtype is: what is computed in float is rounded to half precision.
  LoopRegister rounded(LoopRegister r, DType dtype);

  // Conditions that hold where instructions are written: masks of division and of loops.
  void push(LoopRegister condition, bool holds) { conditions_.emplace_back(condition, holds); }
  void pop() { conditions_.pop_back(); }
  /// Where the element comes to what is written now: kNoRegister for all.
  LoopRegister mask();

  /// A register of its own that `assign` changes under a mask; starts as `initial`.
  LoopRegister variable(LoopRegister initial, LoopType type);
  void assign(LoopRegister variable, LoopRegister mask, LoopRegister value);
  /// Begins what is skipped when no element of `mask` is set, and ends it. Its place is returned.
  size_t skipUnless(LoopRegister mask);
  void endSkip(size_t at);
  /// A loop: `begin`, condition, `leave`, body, `end`.
  size_t beginLoop();
  size_t leaveUnless(LoopRegister mask);
  void endLoop(size_t begin, size_t leave);

  const LoopProgram& program() const { return program_; }
  LoopProgram take() { return std::move(program_); }

 private:
  struct Key {
    LoopOp op;
    LoopType type, result;
    std::array<LoopRegister, 3> operands;
    auto operator<=>(const Key&) const = default;
  };
  LoopRegister add(LoopType type);
  LoopRegister write(LoopOp op, LoopType type, LoopType result, std::array<LoopRegister, 3> operands);
  LoopRegister fold(LoopOp op, LoopType type, LoopType result, const std::array<LoopRegister, 3>& operands);
  /// Powers that are products, quotients and roots, as PyTorch computes them; kNoRegister for others.
  LoopRegister power(LoopRegister a, double exponent);
  std::optional<bool> certain(LoopOp op, LoopRegister a, LoopRegister b) const;
  int32_t here() const { return static_cast<int32_t>(program_.instructions.size()); }

  LoopType real_;
  LoopProgram program_;
  std::vector<int32_t> constantOf_;  ///< by register: its index among the constants, or -1
  std::map<Key, LoopRegister> written_;
  std::vector<std::pair<LoopRegister, bool>> conditions_;
  std::vector<std::map<Key, LoopRegister>> outer_;  ///< what was written before a part that may be skipped
};

}  // namespace descry::runtime

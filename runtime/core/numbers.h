// C++ types of the elements of tensors, and code that is chosen by dtype.
#pragma once

#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

#include "ir/ops/eval/value.h"
#include "ir/types/dtype.h"

namespace descry::runtime {

using ir::DType;
using ir::eval::EvalError;

/// IEEE binary16. Arithmetic is done in float; conversion rounds to nearest even.
struct Half {
  uint16_t bits = 0;
  Half() = default;
  Half(float f) : bits(fromFloat(f)) {}             // NOLINT: implicit on purpose
  operator float() const { return toFloat(bits); }  // NOLINT

  static float toFloat(uint16_t h) {
#if defined(__FLT16_MAX__) && defined(__x86_64__) && !defined(__clang__) && __GNUC__ >= 13
    return static_cast<float>(std::bit_cast<_Float16>(h));
#else
    const uint32_t sign = static_cast<uint32_t>(h & 0x8000) << 16;
    const uint32_t exponent = (h >> 10) & 31, fraction = h & 1023;
    if (exponent == 31) return std::bit_cast<float>(sign | 0x7F800000u | fraction << 13);
    if (exponent == 0) {
      const float small = static_cast<float>(fraction) * 0x1p-24f;
      return sign ? -small : small;
    }
    return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
#endif
  }
  static uint16_t fromFloat(float f) {
    const uint32_t u = std::bit_cast<uint32_t>(f);
    const uint32_t sign = (u >> 16) & 0x8000, magnitude = u & 0x7FFFFFFF;
    if (magnitude > 0x7F800000) return static_cast<uint16_t>(sign | 0x7E00);
    if (magnitude >= 0x477FF000) return static_cast<uint16_t>(sign | 0x7C00);  // rounds to infinity
    if (magnitude < 0x38800000) {
      // Below 2^-14: the sum with 0.5 leaves the rounded fraction in the low bits.
      const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
      return static_cast<uint16_t>(sign | (std::bit_cast<uint32_t>(shifted) - 0x3F000000u));
    }
    const uint32_t odd = (magnitude >> 13) & 1;
    return static_cast<uint16_t>(sign | ((magnitude - 0x38000000u + 0xFFF + odd) >> 13));
  }
};

/// The upper half of a float.
struct BFloat16 {
  uint16_t bits = 0;
  BFloat16() = default;
  BFloat16(float f) {  // NOLINT
    const uint32_t u = std::bit_cast<uint32_t>(f);
    if ((u & 0x7FFFFFFF) > 0x7F800000)
      bits = 0x7FC0;
    else
      bits = static_cast<uint16_t>((u + 0x7FFF + ((u >> 16) & 1)) >> 16);
  }
  operator float() const { return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16); }  // NOLINT
};

/// An 8-bit float: E exponent bits and M fraction bits behind the sign. Finite: no infinities, all ones is
/// NaN; Unsigned zero (the fnuz kinds): no negative zero, 0x80 is NaN and the bias is one more.
template <int E, int M, bool Finite, bool Fnuz>
struct Float8 {
  uint8_t bits = 0;
  Float8() = default;
  Float8(float f);         // NOLINT
  operator float() const;  // NOLINT
  static constexpr int kBias = (1 << (E - 1)) - 1 + (Fnuz ? 1 : 0);
};
using Float8E4M3FN = Float8<4, 3, true, false>;
using Float8E5M2 = Float8<5, 2, false, false>;
using Float8E4M3FNUZ = Float8<4, 3, true, true>;
using Float8E5M2FNUZ = Float8<5, 2, true, true>;

// One set of these for all processors: files that are compiled for newer ones must not bring their own.
extern template struct Float8<4, 3, true, false>;
extern template struct Float8<5, 2, false, false>;
extern template struct Float8<4, 3, true, true>;
extern template struct Float8<5, 2, true, true>;

template <class T>
struct IsComplex : std::false_type {};
template <class T>
struct IsComplex<std::complex<T>> : std::true_type {};
template <class T>
constexpr bool kIsComplex = IsComplex<T>::value;
/// Half, BFloat16 and the 8-bit floats: computed in float.
template <class T>
constexpr bool kIsSmallFloat = !std::is_arithmetic_v<T> && !kIsComplex<T>;
template <class T>
constexpr bool kIsFloat = std::is_floating_point_v<T> || kIsSmallFloat<T>;

/// What an element is computed in: float for small floats, else itself (at::opmath_type).
template <class T>
using Compute = std::conditional_t<kIsSmallFloat<T>, float, T>;
/// What sums are kept in (at::acc_type on the CPU): double for double, float for small floats and float,
/// 64-bit integers.
template <class T>
using Sum = std::conditional_t<
    kIsComplex<T>, T,
    std::conditional_t<kIsSmallFloat<T>, float, std::conditional_t<std::is_floating_point_v<T>, T, int64_t>>>;

template <class T>
struct TypeTag {
  using type = T;
};

[[noreturn]] void unsupportedDType(DType dtype, std::string_view what = {});

// Each calls f(TypeTag<T>) with the type of one element, and refuses dtypes that it does not name.
template <class F>
decltype(auto) visitFloating(DType dtype, F&& f) {
  switch (dtype) {
    case DType::F64:
      return f(TypeTag<double>{});
    case DType::F32:
      return f(TypeTag<float>{});
    case DType::F16:
      return f(TypeTag<Half>{});
    case DType::BF16:
      return f(TypeTag<BFloat16>{});
    default:
      unsupportedDType(dtype);
  }
}
template <class F>
decltype(auto) visitFloatingOrComplex(DType dtype, F&& f) {
  switch (dtype) {
    case DType::C128:
      return f(TypeTag<std::complex<double>>{});
    case DType::C64:
      return f(TypeTag<std::complex<float>>{});
    default:
      return visitFloating(dtype, std::forward<F>(f));
  }
}
/// Real dtypes with an order, but for 8-bit floats and wide unsigned integers, which few kernels take.
template <class F>
decltype(auto) visitReal(DType dtype, F&& f) {
  switch (dtype) {
    case DType::I64:
      return f(TypeTag<int64_t>{});
    case DType::I32:
      return f(TypeTag<int32_t>{});
    case DType::I16:
      return f(TypeTag<int16_t>{});
    case DType::I8:
      return f(TypeTag<int8_t>{});
    case DType::U8:
      return f(TypeTag<uint8_t>{});
    case DType::B8:
      return f(TypeTag<bool>{});
    default:
      return visitFloating(dtype, std::forward<F>(f));
  }
}
/// Those and complex ones: what kernels commonly take.
template <class F>
decltype(auto) visitCommon(DType dtype, F&& f) {
  switch (dtype) {
    case DType::C128:
      return f(TypeTag<std::complex<double>>{});
    case DType::C64:
      return f(TypeTag<std::complex<float>>{});
    default:
      return visitReal(dtype, std::forward<F>(f));
  }
}
template <class F>
decltype(auto) visitAny(DType dtype, F&& f) {
  switch (dtype) {
    case DType::F8E4M3FN:
      return f(TypeTag<Float8E4M3FN>{});
    case DType::F8E5M2:
      return f(TypeTag<Float8E5M2>{});
    case DType::F8E4M3FNUZ:
      return f(TypeTag<Float8E4M3FNUZ>{});
    case DType::F8E5M2FNUZ:
      return f(TypeTag<Float8E5M2FNUZ>{});
    case DType::U64:
      return f(TypeTag<uint64_t>{});
    case DType::U32:
      return f(TypeTag<uint32_t>{});
    case DType::U16:
      return f(TypeTag<uint16_t>{});
    default:
      return visitCommon(dtype, std::forward<F>(f));
  }
}

/// As a cast in PyTorch's kernels (c10::convert): complex to real drops the imaginary part, all but zero is
/// true; of floats outside of the range of an integer what x86 gives.
template <class To, class From>
To convertTo(From v) {
  if constexpr (std::is_same_v<To, From>) {
    return v;
  } else if constexpr (kIsComplex<From>) {
    if constexpr (kIsComplex<To>)
      return To(static_cast<typename To::value_type>(v.real()),
                static_cast<typename To::value_type>(v.imag()));
    else if constexpr (std::is_same_v<To, bool>)
      return v.real() != 0 || v.imag() != 0;
    else
      return convertTo<To>(v.real());
  } else if constexpr (kIsComplex<To>) {
    return To(convertTo<typename To::value_type>(v), 0);
  } else if constexpr (kIsSmallFloat<From>) {
    return convertTo<To>(static_cast<float>(v));
  } else if constexpr (kIsSmallFloat<To>) {
    return To(static_cast<float>(v));
  } else if constexpr (std::is_same_v<To, bool>) {
    return v != 0;
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    constexpr From top = static_cast<From>(9223372036854775808.0);
    if constexpr (std::is_same_v<To, uint64_t>) {
      if (v >= top && v < top * 2) return static_cast<uint64_t>(v);
    }
    // x86 has conversions to 32 and to 64 bits, each of which gives its smallest number for what does not
    // fit; narrower integers are cut out of the one of 32 bits.
    if constexpr (sizeof(To) < 4 || std::is_same_v<To, int32_t>) {
      constexpr From small = static_cast<From>(2147483648.0);
      return static_cast<To>(v > -small - 1 && v < small ? static_cast<int32_t>(v) : INT32_MIN);
    }
    if (!(v >= -top && v < top)) return static_cast<To>(INT64_MIN);
    return static_cast<To>(static_cast<int64_t>(v));
  } else {
    return static_cast<To>(v);
  }
}

/// Names such as `Float`, `Half`, `Long`, `Bool`, as PyTorch's messages have them.
std::string_view scalarTypeName(DType dtype);

}  // namespace descry::runtime

// How far two tensors are apart.
#pragma once

#include <cstdint>
#include <string_view>

#include "runtime/core/tensor.h"

namespace descry::runtime {

enum class Verdict : uint8_t {
  BitEqual,
  Within,  ///< every element is within the tolerance
  Outside,
  DTypeDiffers,
  ShapeDiffers,
  NoPartner,
  NotRun  ///< a run ended before one of both
};
/// "bit-equal", "within", "outside", "dtype differs", "shape differs", "no partner", "not run".
std::string_view verdictName(Verdict verdict);

/// |a - b| <= absolute + relative * (largest |b| of the tensor): what is lost by rounding grows with the
/// largest number that took part.
struct Tolerance {
  double absolute = 0, relative = 0;
};
/// By dtype: what results of one order of operations differ by in another. `length`: how many elements were
/// summed for each element; rounding errors of a sum grow with its square root.
Tolerance toleranceFor(DType dtype, int64_t length = 1);

struct Comparison {
  Verdict verdict = Verdict::NoPartner;
  int64_t count = 0, outside = 0;  ///< elements; outside of the tolerance
  double maxAbs = 0, maxRel = 0;   ///< over elements that are finite in both; maxRel over those with |b| > 0
  double medianUlp = 0, maxUlp = 0;  ///< distance in representable numbers of the dtype; of floats only
  double cosine = 1;                 ///< of the angle between both as vectors
  double snr = 0;                    ///< dB, of |b|^2 over |a - b|^2; infinite when equal
  int64_t firstOutside = -1;         ///< place in row-major order
};
/// `b` is the reference. NaN equals NaN, an infinity the same infinity.
Comparison compareTensors(const Tensor& a, const Tensor& b, const Tolerance& tolerance);
/// The same where the reference has more digits: `a` is compared as it is, and ULPs are those of its own
/// dtype at the reference. Integers and bools are compared as compareTensors does.
Comparison compareWithReference(const Tensor& a, const Tensor& reference, const Tolerance& tolerance);
/// From a number to the next larger one in a float dtype (of complex dtypes: of their parts); 0 for others.
double spacingAt(DType dtype, double x);

/// Of dtype, sizes and contents in row-major order. The same on every machine.
uint64_t contentHash(const Tensor& t);

}  // namespace descry::runtime

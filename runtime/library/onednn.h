// Products and convolutions by oneDNN 2.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "runtime/library/library.h"

namespace descry::runtime::library {

/// Null where it is not there.
Multiply<float> oneDnnMultiply();
std::string oneDnnVersion();
bool wantsOneDnn();

/// Images [batch, channels, size...] and weights [out, in of a group, kernel...], dense, of float. The image
/// that a window moves over is the input, whatever the direction of the computation.
struct Convolution {
  int dims = 2;                                    ///< of an image: 1 to 3
  int64_t batch = 0, groups = 1, in = 0, out = 0;  ///< channels of all groups
  std::array<int64_t, 3> inSize{}, outSize{}, kernel{}, stride{}, padding{}, dilation{};
};

/// False: nothing was done; it is for others. `bias` may be null.
bool convolveForward(const Convolution& c, const float* input, const float* weight, const float* bias,
                     float* output);
/// The gradient of the input; also a transposed convolution, `bias` by channel of the input.
bool convolveInput(const Convolution& c, const float* output, const float* weight, float* input);
bool convolveWeight(const Convolution& c, const float* input, const float* output, float* weight);

}  // namespace descry::runtime::library

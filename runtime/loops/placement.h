// Which machine registers the values of a part of a loop program have.
#pragma once

#include <array>
#include <vector>

#include "runtime/loops/generated.h"

namespace descry::runtime {

/// Vector registers 0 to 27 hold values, 28 to 30 what an instruction needs in between, 31 the byte 1 in each
/// byte. Masks 2 to 6 hold values, 1 says which elements of the last vector there are, 7 is free for use.
constexpr int kVectors = 28, kOnes = 31, kFirstMask = 2, kLastMask = 6;
constexpr int kWidth = 16;  ///< elements at a time: one vector of floats, two of 64-bit numbers

/// Which machine registers the values of a part have, and when they are loaded.
struct Placement {
  static constexpr int kNone = -1;
  std::vector<std::array<int, 2> > at;           ///< by register: vectors or a mask
  std::vector<std::vector<LoopRegister> > load;  ///< by instruction of the part: registers loaded ahead of it
  std::vector<LoopRegister> loaded, uniforms, stored;
};

/// Of the instructions [from, to). False when registers do not suffice; `reached` is the instruction then.
bool placeRegisters(const LoopParts& parts, size_t from, size_t to, bool loadsFirst, Placement& out,
                    size_t& reached);

}  // namespace descry::runtime

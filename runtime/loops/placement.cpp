#include "runtime/loops/placement.h"

#include <algorithm>

namespace descry::runtime {

namespace {

class Placer {
 public:
  Placer(const LoopParts& parts, size_t from, size_t to, bool loadsFirst)
      : parts_(parts), from_(from), to_(to), loadsFirst_(loadsFirst) {}

  bool run(Placement& out, size_t& reached) {
    const auto& code = parts_.program.instructions;
    const size_t registers = parts_.program.registers.size();
    out = Placement();
    out.at.assign(registers, {Placement::kNone, Placement::kNone});
    out.load.resize(to_ - from_);
    for (int v = kVectors; v-- > 0;) vectors_.push_back(v);
    for (int m = kLastMask; m >= kFirstMask; --m) masks_.push_back(m);
    std::vector<size_t> last(registers, 0);
    std::vector<bool> needed(registers, false);
    for (size_t k = 0; k < code.size(); ++k)
      for (const LoopRegister r : code[k].operands) {
        if (r == kNoRegister) continue;
        if (k >= from_ && k < to_)
          last[index(r)] = k;
        else
          needed[index(r)] = true;
      }
    for (const auto& o : parts_.program.outputs) needed[index(o.value)] = true;
    if (loadsFirst_ && !loadAll(out)) return false;
    for (size_t k = from_; k < to_; ++k) {
      reached = k;
      if (parts_.once[k]) continue;
      const auto freeLast = [&](LoopRegister r) {
        if (r != kNoRegister && !parts_.uniform[index(r)] && last[index(r)] <= k) give(out, r);
      };
      for (const LoopRegister r : code[k].operands) {
        if (r == kNoRegister) continue;
        if (parts_.uniform[index(r)]) {
          if (std::find(out.uniforms.begin(), out.uniforms.end(), r) == out.uniforms.end())
            out.uniforms.push_back(r);
          continue;
        }
        if (out.at[index(r)][0] != Placement::kNone) continue;
        if (!take(out, r)) return false;
        out.load[k - from_].push_back(r);
        out.loaded.push_back(r);
      }
      const LoopRegister result = code[k].result;
      if (!take(out, result)) return false;
      if (needed[index(result)]) out.stored.push_back(result);
      for (size_t i = 0; i < 3; ++i) {
        const LoopRegister r = code[k].operands[i];
        if (std::find(code[k].operands.begin(), code[k].operands.begin() + i, r) ==
            code[k].operands.begin() + i)
          freeLast(r);
      }
      if (last[index(result)] <= k) give(out, result);
    }
    return true;
  }

 private:
  static size_t index(LoopRegister r) { return static_cast<size_t>(r); }
  bool loadAll(Placement& out) {
    const auto& code = parts_.program.instructions;
    std::vector<bool> made(parts_.program.registers.size(), false);
    for (size_t k = from_; k < to_; ++k) {
      if (parts_.once[k]) continue;
      for (const LoopRegister r : code[k].operands) {
        if (r == kNoRegister || parts_.uniform[index(r)] || made[index(r)]) continue;
        if (out.at[index(r)][0] != Placement::kNone) continue;
        if (!take(out, r)) return false;
        out.load[0].push_back(r);
        out.loaded.push_back(r);
      }
      made[index(code[k].result)] = true;
    }
    return true;
  }
  bool take(Placement& out, LoopRegister r) {
    const LoopType type = parts_.program.registers[index(r)];
    auto& at = out.at[index(r)];
    std::vector<int>& from = type == LoopType::Bool ? masks_ : vectors_;
    const size_t count = type == LoopType::Double || type == LoopType::Int ? 2 : 1;
    if (from.size() < count) return false;
    for (size_t h = 0; h < count; ++h) {
      at[h] = from.back();
      from.pop_back();
    }
    return true;
  }
  /// The numbers stay in `at`: a register is placed once.
  void give(const Placement& out, LoopRegister r) {
    const auto& at = out.at[index(r)];
    std::vector<int>& to = parts_.program.registers[index(r)] == LoopType::Bool ? masks_ : vectors_;
    for (const int v : at)
      if (v != Placement::kNone) to.push_back(v);
  }

  const LoopParts& parts_;
  size_t from_, to_;
  bool loadsFirst_;
  std::vector<int> vectors_, masks_;
};

}  // namespace

bool placeRegisters(const LoopParts& parts, size_t from, size_t to, bool loadsFirst, Placement& out,
                    size_t& reached) {
  return Placer(parts, from, to, loadsFirst).run(out, reached);
}

}  // namespace descry::runtime

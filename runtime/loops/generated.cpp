#include "runtime/loops/generated.h"

#include <algorithm>
#include <bit>

#include "runtime/core/numbers.h"
#include "runtime/loops/placement.h"

#if defined(DESCRY_XBYAK) && defined(__x86_64__)
#include <xbyak/xbyak.h>
#define DESCRY_GENERATES_LOOPS 1
#endif

namespace descry::runtime {

#if !defined(DESCRY_GENERATES_LOOPS)

bool canGenerateLoops() {
  return false;
}
bool hasCode(const LoopParts&, const LoopInstruction&) {
  return false;
}
std::unique_ptr<GeneratedLoop> generateLoop(const LoopParts&, size_t, size_t&, bool) {
  return nullptr;
}
LoopKernel generatedKernel(LoopOp, LoopType) {
  return nullptr;
}

#else

namespace {

using Xbyak::Address;
using Xbyak::Label;
using Xbyak::Operand;
using Xbyak::Opmask;
using Xbyak::Reg64;
using Xbyak::Xmm;
using Xbyak::Ymm;
using Xbyak::Zmm;

bool isReal(LoopType t) {
  return t == LoopType::Float || t == LoopType::Double;
}
bool isPlain(LoopType t) {
  return isReal(t) || t == LoopType::Int || t == LoopType::Bool;
}

class Generator : public GeneratedLoop, private Xbyak::CodeGenerator {
 public:
  Generator(const LoopParts& parts, const Placement& placement, size_t from, size_t to)
      : Xbyak::CodeGenerator(4096, Xbyak::AutoGrow), parts_(parts), place_(placement), from_(from), to_(to) {
    emit();
    readyRE();
    function = getCode<Function>();
  }

 private:
  static constexpr int kPointers = 10;
  /// Bytes that memory is asked for ahead: the machine does so by itself, but not over the ends of pages.
  static constexpr int kAhead = 4096;
  const Reg64 slots_ = rdi, count_ = rsi, streams_ = rdx, at_ = rcx;

  static size_t index(LoopRegister r) { return static_cast<size_t>(r); }
  LoopType type(LoopRegister r) const { return parts_.program.registers[index(r)]; }
  static bool isWide(LoopType t) { return t == LoopType::Double || t == LoopType::Int; }
  static int halves(LoopType t) { return isWide(t) ? 2 : 1; }
  Reg64 pointerRegister(int k) const {
    const Reg64 all[kPointers] = {r8, r9, r10, r11, rbx, rbp, r12, r13, r14, r15};
    return all[k];
  }

  void emit() {
    const Reg64 saved[] = {rbx, rbp, r12, r13, r14, r15};
    for (const Reg64& r : saved) push(r);
    const int uniformBytes = (8 * static_cast<int>(place_.uniforms.size()) + 15) / 16 * 16;
    sub(rsp, uniformBytes + 8);
    // Numbers that are the same for all lie beside one another on the stack.
    for (size_t k = 0; k < place_.uniforms.size(); ++k) {
      mov(rax, ptr[slots_ + 8 * slot(place_.uniforms[k])]);
      mov(rax, ptr[rax]);
      mov(ptr[rsp + static_cast<int>(8 * k)], rax);
    }
    for (const auto* list : {&place_.loaded, &place_.stored})
      for (const LoopRegister r : *list) {
        if (pointers_.size() == kPointers) break;
        if (std::find(pointers_.begin(), pointers_.end(), r) != pointers_.end()) continue;
        mov(pointerRegister(static_cast<int>(pointers_.size())), ptr[slots_ + 8 * slot(r)]);
        pointers_.push_back(r);
      }
    mov(eax, 0x01010101);
    vpbroadcastd(Zmm(kOnes), eax);
    xor_(ecx, ecx);
    Label streaming, rest, end;
    test(streams_, streams_);
    jnz(streaming, T_NEAR);
    wholeVectors(rest, false);
    L(streaming);
    wholeVectors(rest, true);
    sfence();
    L(rest);
    mov(rax, count_);
    sub(rax, at_);
    jle(end, T_NEAR);
    // Fewer elements than a vector has.
    push(rcx);
    mov(ecx, eax);
    mov(eax, 1);
    shl(eax, cl);
    sub(eax, 1);
    pop(rcx);
    kmovw(k1, eax);
    tail_ = true;
    streamed_ = false;
    body();
    L(end);
    add(rsp, uniformBytes + 8);
    for (size_t k = std::size(saved); k-- > 0;) pop(saved[k]);
    vzeroupper();
    ret();
    constants();
  }

  void wholeVectors(const Label& rest, bool streamed) {
    Label again, done;
    tail_ = false;
    streamed_ = streamed;
    L(again);
    lea(rax, ptr[at_ + kWidth]);
    cmp(rax, count_);
    jg(streamed ? done : rest, T_NEAR);
    body();
    add(at_, kWidth);
    jmp(again, T_NEAR);
    if (streamed) L(done);
  }

  void body() {
    const auto& code = parts_.program.instructions;
    for (size_t k = from_; k < to_; ++k) {
      for (const LoopRegister r : place_.load[k - from_]) load(r);
      if (parts_.once[k]) continue;
      instruction(code[k]);
      if (std::find(place_.stored.begin(), place_.stored.end(), code[k].result) != place_.stored.end())
        store(code[k].result);
    }
  }

  // ---- operands

  int slot(LoopRegister r) const { return parts_.slotOf[index(r)]; }
  Zmm vec(LoopRegister r, int half = 0) const { return Zmm(place_.at[index(r)][static_cast<size_t>(half)]); }
  Opmask maskOf(LoopRegister r) {
    if (!parts_.uniform[index(r)]) return Opmask(place_.at[index(r)][0]);
    vpbroadcastb(Xmm(30), ptr[rsp + uniformAt(r)]);
    vptestmb(k7, Xmm(30), Xmm(30));
    return k7;
  }
  int uniformAt(LoopRegister r) const {
    return static_cast<int>(
        8 * (std::find(place_.uniforms.begin(), place_.uniforms.end(), r) - place_.uniforms.begin()));
  }
  Address uniformOf(LoopRegister r) { return ptr_b[rsp + uniformAt(r)]; }
  /// A second operand: a register, or a number for all from memory.
  template <class F>
  void with(LoopRegister r, int half, F&& f) {
    if (parts_.uniform[index(r)])
      f(static_cast<const Operand&>(uniformOf(r)));
    else
      f(static_cast<const Operand&>(vec(r, half)));
  }
  /// A first operand: always a register.
  Zmm inRegister(LoopRegister r, int half, int spare) {
    if (!parts_.uniform[index(r)]) return vec(r, half);
    if (isWide(type(r)))
      vbroadcastsd(Zmm(spare), ptr[rsp + uniformAt(r)]);
    else
      vbroadcastss(Zmm(spare), ptr[rsp + uniformAt(r)]);
    return Zmm(spare);
  }
  Address memory(LoopRegister r, int half, int itemBytes, int beyond = 0) {
    const auto known = std::find(pointers_.begin(), pointers_.end(), r);
    Reg64 base = rdx;
    if (known != pointers_.end())
      base = pointerRegister(static_cast<int>(known - pointers_.begin()));
    else
      mov(rdx, ptr[slots_ + 8 * slot(r)]);
    return ptr[base + at_ * itemBytes + 64 * half + beyond];
  }
  void tailHigh() { kshiftrw(k7, k1, 8); }

  void load(LoopRegister r) {
    const LoopType t = type(r);
    if (t == LoopType::Bool) {
      if (tail_)
        vmovdqu8(Xmm(30) | k1 | T_z, memory(r, 0, 1));
      else
        vmovdqu8(Xmm(30), memory(r, 0, 1));
      vptestmb(Opmask(place_.at[index(r)][0]), Xmm(30), Xmm(30));
      return;
    }
    for (int h = 0; h < halves(t); ++h) {
      const Zmm to = vec(r, h);
      const Address from = memory(r, h, isWide(t) ? 8 : 4);
      if (!tail_) {
        prefetcht0(memory(r, h, isWide(t) ? 8 : 4, kAhead));
        vmovups(to, from);
      } else if (!isWide(t)) {
        vmovups(to | k1 | T_z, from);
      } else {
        if (h) tailHigh();
        vmovupd(to | (h ? k7 : k1) | T_z, from);
      }
    }
  }
  void store(LoopRegister r) {
    const LoopType t = type(r);
    if (t == LoopType::Bool) {
      const Xmm bytes(30);
      vmovdqu8(bytes | Opmask(place_.at[index(r)][0]) | T_z, Xmm(kOnes));
      const Address to = memory(r, 0, 1);
      if (tail_)
        vmovdqu8(to | k1, bytes);
      else if (streamed_)
        vmovntdq(to, bytes);
      else
        vmovdqu8(to, bytes);
      return;
    }
    for (int h = 0; h < halves(t); ++h) {
      const Zmm from = vec(r, h);
      const Address to = memory(r, h, isWide(t) ? 8 : 4);
      if (streamed_) {
        vmovntps(to, from);
      } else if (!tail_) {
        vmovups(to, from);
      } else if (!isWide(t)) {
        vmovups(to | k1, from);
      } else {
        if (h) tailHigh();
        vmovupd(to | (h ? k7 : k1), from);
      }
    }
  }

  // ---- constants behind the code, by their bits

  struct Constant {
    uint64_t bits;
    int bytes;
    Label label;
  };
  Label& constantLabel(uint64_t bits, int bytes) {
    for (auto& c : constants_)
      if (c->bits == bits && c->bytes == bytes) return c->label;
    constants_.push_back(std::make_unique<Constant>());
    constants_.back()->bits = bits;
    constants_.back()->bytes = bytes;
    return constants_.back()->label;
  }
  /// The same in each element.
  Address constant(LoopType t, uint64_t ofFloat, uint64_t ofWide) {
    return ptr_b[rip + constantLabel(isWide(t) ? ofWide : ofFloat, isWide(t) ? 8 : 4)];
  }
  Address scalarConstant(LoopType t, uint64_t ofFloat, uint64_t ofWide) {
    return ptr[rip + constantLabel(isWide(t) ? ofWide : ofFloat, isWide(t) ? 8 : 4)];
  }
  void constants() {
    align(8);
    for (auto& c : constants_) {
      L(c->label);
      dq(c->bits);
    }
  }
  Address signs(LoopType t) { return constant(t, 0x80000000u, uint64_t{1} << 63); }
  Address magnitudes(LoopType t) { return constant(t, 0x7FFFFFFFu, ~(uint64_t{1} << 63)); }

  // ---- instructions

  void instruction(const LoopInstruction& i) {
    switch (i.type) {
      case LoopType::Bool:
        return ofBool(i);
      case LoopType::Int:
        return ofInt(i);
      default:
        return ofReal(i);
    }
  }

  template <class F>
  void each(const LoopInstruction& i, F&& f) {
    for (int h = 0; h < halves(i.type); ++h) f(h, vec(i.result, h));
  }
  /// The bits of both halves as one mask.
  template <class F>
  void compare(const LoopInstruction& i, F&& f) {
    const Opmask to(place_.at[index(i.result)][0]);
    f(0, to);
    if (halves(i.type) == 1) return;
    f(1, k7);
    kshiftlw(k7, k7, 8);
    korw(to, to, k7);
  }
  void compareReal(const LoopInstruction& i, int predicate) {
    compare(i, [&](int h, const Opmask& to) {
      const Zmm a = inRegister(i.operands[0], h, 28);
      with(i.operands[1], h, [&](const Operand& b) {
        if (i.type == LoopType::Double)
          vcmppd(to, a, b, static_cast<uint8_t>(predicate));
        else
          vcmpps(to, a, b, static_cast<uint8_t>(predicate));
      });
    });
  }
  void compareInt(const LoopInstruction& i, int predicate) {
    compare(i, [&](int h, const Opmask& to) {
      const Zmm a = inRegister(i.operands[0], h, 28);
      with(i.operands[1], h, [&](const Operand& b) { vpcmpq(to, a, b, static_cast<uint8_t>(predicate)); });
    });
  }
  void select(const LoopInstruction& i) {
    Opmask mask = maskOf(i.operands[0]);
    for (int h = 0; h < halves(i.type); ++h) {
      if (h && mask.getIdx() != k7.getIdx()) {
        kshiftrw(k7, mask, 8);
        mask = k7;
      }
      const Zmm no = inRegister(i.operands[2], h, 28), to = vec(i.result, h);
      with(i.operands[1], h, [&](const Operand& yes) {
        if (isWide(i.type))
          vblendmpd(to | mask, no, yes);
        else
          vblendmps(to | mask, no, yes);
      });
    }
  }
  void copy(const LoopInstruction& i) {
    each(i, [&](int h, const Zmm& to) { vmovaps(to, inRegister(i.operands[0], h, 28)); });
  }
#define DESCRY_X(NAME, PS, PD)                                           \
  void NAME(LoopType t, const Zmm& to, const Zmm& a, const Operand& b) { \
    if (t == LoopType::Double)                                           \
      PD(to, a, b);                                                      \
    else                                                                 \
      PS(to, a, b);                                                      \
  }
  DESCRY_X(addReal, vaddps, vaddpd)
  DESCRY_X(subReal, vsubps, vsubpd)
  DESCRY_X(mulReal, vmulps, vmulpd)
  DESCRY_X(divReal, vdivps, vdivpd)
  DESCRY_X(minReal, vminps, vminpd)
  DESCRY_X(maxReal, vmaxps, vmaxpd)
  DESCRY_X(andReal, vandps, vandpd)
  DESCRY_X(orReal, vorps, vorpd)
  DESCRY_X(xorReal, vxorps, vxorpd)
#undef DESCRY_X
  using Binary = void (Generator::*)(LoopType, const Zmm&, const Zmm&, const Operand&);
  void binary(const LoopInstruction& i, Binary f) {
    each(i, [&](int h, const Zmm& to) {
      const Zmm a = inRegister(i.operands[0], h, 28);
      with(i.operands[1], h, [&](const Operand& b) { (this->*f)(i.type, to, a, b); });
    });
  }
  /// The smaller or larger one; a NaN wins. The machine's gives the second operand when one is NaN.
  void extreme(const LoopInstruction& i, Binary f) {
    each(i, [&](int h, const Zmm& to) {
      const Zmm a = inRegister(i.operands[0], h, 28);
      with(i.operands[1], h, [&](const Operand& b) { (this->*f)(i.type, to, a, b); });
      if (i.type == LoopType::Double) {
        vcmppd(k7, a, a, 3);
        vmovapd(to | k7, a);
      } else {
        vcmpps(k7, a, a, 3);
        vmovaps(to | k7, a);
      }
    });
  }
  void round(const LoopInstruction& i, int mode) {
    each(i, [&](int h, const Zmm& to) {
      const Zmm a = inRegister(i.operands[0], h, 28);
      if (i.type == LoopType::Double)
        vrndscalepd(to, a, static_cast<uint8_t>(mode | 8));
      else
        vrndscaleps(to, a, static_cast<uint8_t>(mode | 8));
    });
  }

  void ofReal(const LoopInstruction& i) {
    const LoopType t = i.type;
    switch (i.op) {
      case LoopOp::Add:
        return binary(i, &Generator::addReal);
      case LoopOp::Sub:
        return binary(i, &Generator::subReal);
      case LoopOp::Mul:
        return binary(i, &Generator::mulReal);
      case LoopOp::Div:
        return binary(i, &Generator::divReal);
      case LoopOp::Min:
        return extreme(i, &Generator::minReal);
      case LoopOp::Max:
        return extreme(i, &Generator::maxReal);
      case LoopOp::Neg:
        return each(
            i, [&](int h, const Zmm& to) { xorReal(t, to, inRegister(i.operands[0], h, 28), signs(t)); });
      case LoopOp::Abs:
        return each(i, [&](int h, const Zmm& to) {
          andReal(t, to, inRegister(i.operands[0], h, 28), magnitudes(t));
        });
      case LoopOp::Copysign:
        return each(i, [&](int h, const Zmm& to) {
          const Zmm sign = inRegister(i.operands[1], h, 29);
          andReal(t, Zmm(29), sign, signs(t));
          andReal(t, to, inRegister(i.operands[0], h, 28), magnitudes(t));
          orReal(t, to, to, Zmm(29));
        });
      case LoopOp::Sqrt:
        return each(i, [&](int h, const Zmm& to) {
          with(i.operands[0], h, [&](const Operand& a) {
            if (t == LoopType::Double)
              vsqrtpd(to, a);
            else
              vsqrtps(to, a);
          });
        });
      case LoopOp::Round:
        return round(i, 0);
      case LoopOp::Floor:
        return round(i, 1);
      case LoopOp::Ceil:
        return round(i, 2);
      case LoopOp::Trunc:
        return round(i, 3);
      case LoopOp::Fma:
        return each(i, [&](int h, const Zmm& to) {
          const Zmm a = inRegister(i.operands[0], h, 28), c = inRegister(i.operands[2], h, 29);
          vmovaps(Zmm(30), c);
          with(i.operands[1], h, [&](const Operand& b) {
            if (t == LoopType::Double)
              vfmadd231pd(Zmm(30), a, b);
            else
              vfmadd231ps(Zmm(30), a, b);
          });
          vmovaps(to, Zmm(30));
        });
      case LoopOp::Eq:
        return compareReal(i, 0x00);
      case LoopOp::Ne:
        return compareReal(i, 0x04);
      case LoopOp::Lt:
        return compareReal(i, 0x11);
      case LoopOp::Le:
        return compareReal(i, 0x12);
      case LoopOp::Gt:
        return compareReal(i, 0x1E);
      case LoopOp::Ge:
        return compareReal(i, 0x1D);
      case LoopOp::Signbit:
        return compare(i, [&](int h, const Opmask& to) {
          const Zmm a = inRegister(i.operands[0], h, 28);
          if (t == LoopType::Double)
            vpmovq2m(to, a);
          else
            vpmovd2m(to, a);
        });
      case LoopOp::IsNan:
      case LoopOp::IsInf:
        return compare(i, [&](int h, const Opmask& to) {
          const Zmm a = inRegister(i.operands[0], h, 28);
          const uint8_t classes = i.op == LoopOp::IsNan ? 0x81 : 0x18;
          if (t == LoopType::Double)
            vfpclasspd(to, a, classes);
          else
            vfpclassps(to, a, classes);
        });
      case LoopOp::RoundToHalf:
        vcvtps2ph(Ymm(30), inRegister(i.operands[0], 0, 28), 0);
        vcvtph2ps(vec(i.result), Ymm(30));
        return;
      case LoopOp::RoundToBFloat16:
        return toBFloat16(vec(i.result), inRegister(i.operands[0], 0, 28));
      case LoopOp::Exp:
        return exponential(vec(i.result), vec(i.operands[0]));
      case LoopOp::Erf:
        return errorFunction(vec(i.result), vec(i.operands[0]));
      case LoopOp::Tanh:
        return hyperbolicTangent(vec(i.result), vec(i.operands[0]));
      case LoopOp::Select:
        return select(i);
      case LoopOp::Copy:
        return copy(i);
      default:
        return convertReal(i);
    }
  }

  // Functions of float to about 1.3 units in the last place. The polynomials are minimax fits, found by
  // reweighted least squares and rounded to float; tests measure the errors.
  Address ofFloat(float x) {
    return constant(LoopType::Float, std::bit_cast<uint32_t>(x), 0);
  }
  void fillWith(const Zmm& to, float x) {
    vbroadcastss(to, scalarConstant(LoopType::Float, std::bit_cast<uint32_t>(x), 0));
  }
  /// The coefficient of the highest power first.
  void polynomial(const Zmm& to, const Zmm& x, std::initializer_list<float> coefficients) {
    const float* c = coefficients.begin();
    fillWith(to, *c);
    while (++c != coefficients.end()) vfmadd213ps(to, x, ofFloat(*c));
  }
  /// 2^n e^r with r between -ln 2 / 2 and ln 2 / 2. `to` may be `x`; uses 28 and 29.
  void exponential(const Zmm& to, const Zmm& x) {
    // Outside of these results are zero and infinity. Of a NaN the machine gives the second operand.
    fillWith(Zmm(28), 89.0f);
    vminps(Zmm(28), Zmm(28), x);
    fillWith(Zmm(29), -104.0f);
    vmaxps(Zmm(28), Zmm(29), Zmm(28));
    exponentialWithin(to, Zmm(28));
  }
  /// Of numbers that are not that large. Uses 28 and 29.
  void exponentialWithin(const Zmm& to, const Zmm& x) {
    const Zmm r(28), n(29);
    vmulps(n, x, ofFloat(1.44269504f));
    vrndscaleps(n, n, 8);
    if (r.getIdx() != x.getIdx()) vmovaps(r, x);
    vfnmadd231ps(r, n, ofFloat(0.693359375f));
    vfnmadd231ps(r, n, ofFloat(-0.00021219444170128554f));
    polynomial(to, r,
               {0.0013814596459269524f, 0.0083687175065279f, 0.04166838899254799f, 0.1666652113199234f,
                0.4999999403953552f, 1.0f, 1.0f});
    vscalefps(to, to, n);
  }
  /// `to`, which is not negative where x is not, gets the sign of x: -0 of -0 too.
  void signOf(const Zmm& to, const Zmm& x) {
    vpternlogd(to, x, signs(LoopType::Float), 0xF8);
  }
  void errorFunction(const Zmm& to, const Zmm& x) {
    const Zmm size(30), square(28), small(29);
    vandps(size, x, magnitudes(LoopType::Float));
    // From 1 on: 1 - e^q, which is 1 from 4 on.
    fillWith(square, 4.0f);
    vminps(square, square, size);
    polynomial(to, square,
               {2.120858653142932e-07f, -2.4754237529123202e-05f, 0.00046035784180276096f,
                -0.004270636476576328f, 0.025348925963044167f, -0.10860659927129745f, -0.6330657601356506f,
                -1.1296494007110596f, 0.00020206545013934374f});
    exponentialWithin(to, to);
    fillWith(square, 1.0f);
    vsubps(to, square, to);
    vmulps(square, x, x);
    polynomial(small, square,
               {7.853857823647559e-05f, -0.0008010192541405559f, 0.005188327748328447f,
                -0.026853810995817184f, 0.1128358542919159f, -0.3761262595653534f, 0.12837916612625122f});
    vfmadd213ps(small, x, x);
    vcmpps(k7, size, ofFloat(1.0f), 0x11);
    vmovaps(to | k7, small);
    signOf(to, x);
  }
  void hyperbolicTangent(const Zmm& to, const Zmm& x) {
    const Zmm size(30), square(28), small(29);
    constexpr float kSmall = 0.625f;
    vandps(size, x, magnitudes(LoopType::Float));
    // 1 - 2 / (e^2x + 1), which is 1 from 10 on.
    fillWith(square, 10.0f);
    vminps(square, square, size);
    vaddps(to, square, square);
    exponentialWithin(to, to);
    vaddps(to, to, ofFloat(1.0f));
    fillWith(square, 2.0f);
    vdivps(to, square, to);
    fillWith(square, 1.0f);
    vsubps(to, square, to);
    vmulps(square, x, x);
    polynomial(small, square,
               {-0.005693510174751282f, 0.020630402490496635f, -0.05373761057853699f, 0.13331425189971924f,
                -0.3333328068256378f});
    vmulps(small, small, square);
    vfmadd213ps(small, x, x);
    vcmpps(k7, size, ofFloat(kSmall), 0x11);
    vmovaps(to | k7, small);
    signOf(to, x);
  }
  /// Half way cases go to the even neighbour; NaN becomes the one that PyTorch writes.
  void toBFloat16(const Zmm& to, const Zmm& from) {
    const Zmm t(29);
    vpsrld(t, from, 16);
    vpandd(t, t, constant(LoopType::Float, 1, 0));
    vpaddd(t, t, constant(LoopType::Float, 0x7FFF, 0));
    vcmpps(k7, from, from, 3);
    vpaddd(t, t, from);
    vpandd(t, t, constant(LoopType::Float, 0xFFFF0000u, 0));
    vbroadcastss(t | k7, scalarConstant(LoopType::Float, 0x7FC00000u, 0));
    vmovaps(to, t);
  }
  void convertReal(const LoopInstruction& i) {
    const LoopRegister from = i.operands[0];
    const LoopType to = type(i.result);
    const Ymm spare(30);
    if (to == LoopType::Bool) {
      vxorps(Xmm(28), Xmm(28), Xmm(28));
      return compare(i, [&](int h, const Opmask& mask) {
        if (i.type == LoopType::Double)
          vcmppd(mask, vec(from, h), Zmm(28), 4);
        else
          vcmpps(mask, vec(from, h), Zmm(28), 4);
      });
    }
    if (i.type == LoopType::Double && to == LoopType::Int) {
      for (int h = 0; h < 2; ++h) vcvttpd2qq(vec(i.result, h), vec(from, h));
    } else if (i.type == LoopType::Double) {
      vcvtpd2ps(Ymm(vec(i.result).getIdx()), vec(from, 0));
      vcvtpd2ps(spare, vec(from, 1));
      vinsertf32x8(vec(i.result), vec(i.result), spare, 1);
    } else {
      const Ymm low(vec(from).getIdx());
      vextractf32x8(spare, vec(from), 1);
      if (to == LoopType::Int) {
        vcvttps2qq(vec(i.result, 0), low);
        vcvttps2qq(vec(i.result, 1), spare);
      } else {
        vcvtps2pd(vec(i.result, 0), low);
        vcvtps2pd(vec(i.result, 1), spare);
      }
    }
  }

  void ofInt(const LoopInstruction& i) {
    const auto binaryInt = [&](auto&& f) {
      each(i, [&](int h, const Zmm& to) {
        const Zmm a = inRegister(i.operands[0], h, 28);
        with(i.operands[1], h, [&](const Operand& b) { f(to, a, b); });
      });
    };
    switch (i.op) {
      case LoopOp::Add:
        return binaryInt([&](const Zmm& to, const Zmm& a, const Operand& b) { vpaddq(to, a, b); });
      case LoopOp::Sub:
        return binaryInt([&](const Zmm& to, const Zmm& a, const Operand& b) { vpsubq(to, a, b); });
      case LoopOp::Mul:
        return binaryInt([&](const Zmm& to, const Zmm& a, const Operand& b) { vpmullq(to, a, b); });
      case LoopOp::Min:
        return binaryInt([&](const Zmm& to, const Zmm& a, const Operand& b) { vpminsq(to, a, b); });
      case LoopOp::Max:
        return binaryInt([&](const Zmm& to, const Zmm& a, const Operand& b) { vpmaxsq(to, a, b); });
      case LoopOp::And:
        return binaryInt([&](const Zmm& to, const Zmm& a, const Operand& b) { vpandq(to, a, b); });
      case LoopOp::Or:
        return binaryInt([&](const Zmm& to, const Zmm& a, const Operand& b) { vporq(to, a, b); });
      case LoopOp::Xor:
        return binaryInt([&](const Zmm& to, const Zmm& a, const Operand& b) { vpxorq(to, a, b); });
      case LoopOp::Not:
        return each(i, [&](int h, const Zmm& to) {
          const Zmm a = inRegister(i.operands[0], h, 28);
          vpternlogq(to, a, a, 0x55);
        });
      case LoopOp::Neg:
        return each(i, [&](int h, const Zmm& to) {
          const Zmm a = inRegister(i.operands[0], h, 28);
          vpxorq(Zmm(29), Zmm(29), Zmm(29));
          vpsubq(to, Zmm(29), a);
        });
      case LoopOp::Abs:
        return each(i, [&](int h, const Zmm& to) { vpabsq(to, inRegister(i.operands[0], h, 28)); });
      case LoopOp::Signbit:
        return compare(i, [&](int h, const Opmask& to) { vpmovq2m(to, inRegister(i.operands[0], h, 28)); });
      case LoopOp::Eq:
        return compareInt(i, 0);
      case LoopOp::Lt:
        return compareInt(i, 1);
      case LoopOp::Le:
        return compareInt(i, 2);
      case LoopOp::Ne:
        return compareInt(i, 4);
      case LoopOp::Ge:
        return compareInt(i, 5);
      case LoopOp::Gt:
        return compareInt(i, 6);
      case LoopOp::Select:
        return select(i);
      case LoopOp::Copy:
        return copy(i);
      default:
        break;
    }
    // Conversions.
    const LoopRegister from = i.operands[0];
    switch (type(i.result)) {
      case LoopType::Bool:
        return compare(i, [&](int h, const Opmask& to) { vptestmq(to, vec(from, h), vec(from, h)); });
      case LoopType::Double:
        for (int h = 0; h < 2; ++h) vcvtqq2pd(vec(i.result, h), vec(from, h));
        return;
      default:
        vcvtqq2ps(Ymm(vec(i.result).getIdx()), vec(from, 0));
        vcvtqq2ps(Ymm(30), vec(from, 1));
        vinsertf32x8(vec(i.result), vec(i.result), Ymm(30), 1);
    }
  }

  void ofBool(const LoopInstruction& i) {
    const LoopType to = type(i.result);
    if (i.op == LoopOp::Convert) {
      Opmask mask = maskOf(i.operands[0]);
      for (int h = 0; h < halves(to); ++h) {
        if (h) {
          kshiftrw(k7, mask, 8);
          mask = k7;
        }
        if (to == LoopType::Float)
          vbroadcastss(vec(i.result, h) | mask | T_z, scalarConstant(to, 0x3F800000u, 0));
        else
          vbroadcastsd(vec(i.result, h) | mask | T_z,
                       scalarConstant(to, 0, to == LoopType::Int ? 1 : 0x3FF0000000000000u));
      }
      return;
    }
    const Opmask result(place_.at[index(i.result)][0]);
    const Opmask a = maskOf(i.operands[0]);
    if (i.op == LoopOp::Not) return knotw(result, a);
    if (i.op == LoopOp::Copy) return kmovw(result, a);
    // At most one operand is the same for all, else it would not be carried out here.
    const Opmask b = maskOf(i.operands[1]);
    switch (i.op) {
      case LoopOp::And:
        return kandw(result, a, b);
      case LoopOp::Or:
        return korw(result, a, b);
      case LoopOp::Ne:
      case LoopOp::Xor:
        return kxorw(result, a, b);
      case LoopOp::Eq:
        return kxnorw(result, a, b);
      case LoopOp::Lt:
        return kandnw(result, a, b);
      case LoopOp::Gt:
        return kandnw(result, b, a);
      default: {  // Select: neither choice is the same for all
        const Opmask no(place_.at[index(i.operands[2])][0]);
        kandnw(result, a, no);
        kandw(k7, a, b);
        korw(result, result, k7);
      }
    }
  }

  const LoopParts& parts_;
  const Placement& place_;
  size_t from_, to_;
  std::vector<LoopRegister> pointers_;
  std::vector<std::unique_ptr<Constant> > constants_;
  bool tail_ = false, streamed_ = false;
};

}  // namespace

bool canGenerateLoops() {
  static const bool can = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                          __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
  return can;
}

bool hasCode(const LoopParts& parts, const LoopInstruction& i) {
  if (i.result == kNoRegister || parts.varies[static_cast<size_t>(i.result)]) return false;
  const LoopType result = parts.program.registers[static_cast<size_t>(i.result)];
  if (!isPlain(i.type) || !isPlain(result)) return false;
  const auto uniform = [&](size_t k) {
    return i.operands[k] != kNoRegister && parts.uniform[static_cast<size_t>(i.operands[k])];
  };
  switch (i.op) {
    case LoopOp::Add:
    case LoopOp::Sub:
    case LoopOp::Mul:
    case LoopOp::Neg:
    case LoopOp::Abs:
    case LoopOp::Min:
    case LoopOp::Max:
    case LoopOp::Le:
    case LoopOp::Ge:
    case LoopOp::Signbit:
      return i.type != LoopType::Bool;
    case LoopOp::Eq:
    case LoopOp::Ne:
    case LoopOp::Lt:
    case LoopOp::Gt:
    case LoopOp::Copy:
      return true;
    case LoopOp::And:
    case LoopOp::Or:
    case LoopOp::Xor:
    case LoopOp::Not:
      return !isReal(i.type);
    case LoopOp::Convert:
      return i.type != result && !uniform(0);
    case LoopOp::Select:
      return i.type != LoopType::Bool || (!uniform(0) && !uniform(1) && !uniform(2));
    case LoopOp::RoundToHalf:
    case LoopOp::RoundToBFloat16:
      return i.type == LoopType::Float;
    case LoopOp::Exp:
    case LoopOp::Erf:
    case LoopOp::Tanh:
      return i.type == LoopType::Float && !uniform(0);
    case LoopOp::Div:
    case LoopOp::Sqrt:
    case LoopOp::Floor:
    case LoopOp::Ceil:
    case LoopOp::Trunc:
    case LoopOp::Round:
    case LoopOp::Copysign:
    case LoopOp::Fma:
    case LoopOp::IsNan:
    case LoopOp::IsInf:
      return isReal(i.type);
    default:
      return false;
  }
}

std::unique_ptr<GeneratedLoop> generateLoop(const LoopParts& parts, size_t from, size_t& to,
                                            bool loadsFirst) {
  Placement placement;
  for (size_t reached = from; !placeRegisters(parts, from, to, loadsFirst, placement, reached);) {
    if (reached == from || loadsFirst) return nullptr;
    to = reached;
  }
  try {
    return std::make_unique<Generator>(parts, placement, from, to);
  } catch (const Xbyak::Error&) {
    return nullptr;  // no executable memory
  }
}

namespace {

/// The code of one function, by itself.
template <LoopOp op>
const GeneratedLoop* aloneOf() {
  static const std::unique_ptr<GeneratedLoop> loop = []() -> std::unique_ptr<GeneratedLoop> {
    LoopBuilder b;
    b.output(b.emit(op, b.input(DType::F32)), DType::F32);
    const LoopProgram program = b.take();
    const std::vector<int32_t> slots = {0, 1};
    const std::vector<bool> none(program.registers.size(), false), noneOnce(1, false);
    size_t end = 1;
    return generateLoop({program, slots, none, noneOnce, none}, 0, end, false);
  }();
  return loop.get();
}
template <LoopOp op>
void runAlone(void* out, const void* a, const void*, const void*, int64_t n) {
  // Slots are written only where the program says, which is not here.
  std::byte* const slots[] = {static_cast<std::byte*>(const_cast<void*>(a)), static_cast<std::byte*>(out)};
  aloneOf<op>()->run(slots, n, false);
}
template <LoopOp op>
LoopKernel kernelAlone() {
  return aloneOf<op>() ? runAlone<op> : nullptr;
}

}  // namespace

LoopKernel generatedKernel(LoopOp op, LoopType type) {
  if (type != LoopType::Float || !canGenerateLoops()) return nullptr;
  switch (op) {
    case LoopOp::Exp:
      return kernelAlone<LoopOp::Exp>();
    case LoopOp::Erf:
      return kernelAlone<LoopOp::Erf>();
    case LoopOp::Tanh:
      return kernelAlone<LoopOp::Tanh>();
    default:
      return nullptr;
  }
}

#endif

}  // namespace descry::runtime

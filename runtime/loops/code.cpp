// Making loop programs ready to run.
#include <algorithm>

#include "runtime/loops/executor.h"
#include "runtime/loops/generated.h"

namespace descry::runtime {

namespace {

/// How many additions an instruction costs, about; for sharing work among threads.
int64_t costOf(const LoopInstruction& i) {
  switch (i.op) {
#define DESCRY_X(NAME, TEXT) case LoopOp::NAME:
    DESCRY_LOOP_VECTOR_MATH(DESCRY_X) return isComplex(i.type) ? 80 : 10;
    DESCRY_LOOP_SPECIAL(DESCRY_X) return 200;
#undef DESCRY_X
    case LoopOp::Zeta:
    case LoopOp::GammaLower:
    case LoopOp::GammaUpper:
      return 400;
    case LoopOp::Repeat:
      return 20;
    case LoopOp::Pow:
    case LoopOp::FloorDiv:
    case LoopOp::Mod:
    case LoopOp::TruncDiv:
    case LoopOp::Fmod:
    case LoopOp::Gcd:
    case LoopOp::Atan2:
    case LoopOp::Hypot:
      return 20;
    default:
      return 1;
  }
}

bool isControl(LoopOp op) {
  return op == LoopOp::Leave || op == LoopOp::Repeat;
}

}  // namespace

LoopCode::LoopCode(LoopProgram program) : program_(std::move(program)) {
  const auto& code = program_.instructions;
  const size_t registers = program_.registers.size(), count = code.size();
  slotOf_.assign(registers, -1);
  const auto newSlot = [&](size_t bytes) {
    slotBytes_.push_back(bytes);
    return static_cast<int32_t>(slotBytes_.size() - 1);
  };
  const auto bytesOf = [&](LoopRegister r) {
    return loopTypeBytes(program_.registers[static_cast<size_t>(r)]);
  };
  // What comes from outside, and what goes there, has memory of its own: it may lie in a tensor.
  std::vector<bool> isUniform(registers, false);
  const auto own = [&](LoopRegister r) {
    int32_t& slot = slotOf_[static_cast<size_t>(r)];
    if (slot < 0) slot = newSlot(bytesOf(r));
  };
  for (const auto& i : program_.inputs) own(i.result);
  for (const LoopRegister r : program_.parameters) {
    own(r);
    isUniform[static_cast<size_t>(r)] = true;
  }
  for (const auto& c : program_.constants) {
    own(c.result);
    isUniform[static_cast<size_t>(c.result)] = true;
  }
  for (const auto& o : program_.outputs) own(o.value);

  // Where registers are written and read last. What a loop carries or reads from outside lives to its end.
  std::vector<size_t> writes(registers, 0), first(registers, count), last(registers, 0);
  for (size_t k = 0; k < count; ++k) {
    const auto touch = [&](LoopRegister r) {
      if (r == kNoRegister) return;
      first[static_cast<size_t>(r)] = std::min(first[static_cast<size_t>(r)], k);
      last[static_cast<size_t>(r)] = std::max(last[static_cast<size_t>(r)], k);
    };
    touch(code[k].result);
    for (const LoopRegister r : code[k].operands) touch(r);
    if (code[k].result != kNoRegister) ++writes[static_cast<size_t>(code[k].result)];
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t k = 0; k < count; ++k) {
      if (code[k].op != LoopOp::Repeat) continue;
      const size_t begin = static_cast<size_t>(code[k].target);
      for (size_t r = 0; r < registers; ++r)
        if (first[r] < begin && last[r] >= begin && last[r] < k) {
          last[r] = k;
          changed = true;
        }
    }
  }
  // Instructions of numbers that are the same for all elements run once. Those that may be skipped do not:
  // their numbers may not fit.
  std::vector<bool> inside(count, false);
  for (size_t k = 0; k < count; ++k) {
    if (!isControl(code[k].op)) continue;
    const size_t a = std::min(k, static_cast<size_t>(code[k].target)),
                 b = std::max(k, static_cast<size_t>(code[k].target));
    for (size_t i = a; i < b && i < count; ++i) inside[i] = true;
  }
  std::vector<bool> hoisted(count, false);
  for (size_t k = 0; k < count; ++k) {
    if (isControl(code[k].op) || inside[k] || writes[static_cast<size_t>(code[k].result)] != 1) continue;
    hoisted[k] = std::all_of(code[k].operands.begin(), code[k].operands.end(), [&](LoopRegister r) {
      return r == kNoRegister || isUniform[static_cast<size_t>(r)];
    });
    if (!hoisted[k]) continue;
    isUniform[static_cast<size_t>(code[k].result)] = true;
    own(code[k].result);
  }
  // The others share memory: a slot is free again when its register is read last.
  std::vector<int32_t> freeSlots;
  std::vector<bool> shared(registers, false);
  for (size_t k = 0; k < count; ++k) {
    const LoopRegister result = code[k].result;
    if (result != kNoRegister && slotOf_[static_cast<size_t>(result)] < 0) {
      const auto fit = std::find_if(freeSlots.begin(), freeSlots.end(), [&](int32_t s) {
        return slotBytes_[static_cast<size_t>(s)] == bytesOf(result);
      });
      if (fit != freeSlots.end()) {
        slotOf_[static_cast<size_t>(result)] = *fit;
        freeSlots.erase(fit);
      } else {
        slotOf_[static_cast<size_t>(result)] = newSlot(bytesOf(result));
      }
      shared[static_cast<size_t>(result)] = true;
    }
    for (size_t r = 0; r < registers; ++r)
      if (shared[r] && last[r] == k) {
        shared[r] = false;
        freeSlots.push_back(slotOf_[r]);
      }
  }
  for (const size_t bytes : slotBytes_) {
    slotOffset_.push_back(tileBytes_);
    tileBytes_ += static_cast<size_t>(kTile) * bytes;
  }
  // Steps, with jumps to where their targets now are.
  std::vector<int32_t> place(count + 1, 0);
  const auto slot = [&](LoopRegister r) { return r == kNoRegister ? -1 : slotOf_[static_cast<size_t>(r)]; };
  const LoopKernels& kernels = loopKernels();
  writtenByStep_.assign(registers, false);
  for (size_t k = 0; k < count; ++k) {
    place[k] = static_cast<int32_t>(steps_.size());
    Step s;
    s.result = slot(code[k].result);
    for (size_t i = 0; i < 3; ++i) s.operands[i] = slot(code[k].operands[i]);
    s.leaves = code[k].op == LoopOp::Leave;
    s.repeats = code[k].op == LoopOp::Repeat;
    s.target = code[k].target;
    if (!isControl(code[k].op))
      s.kernel = kernels.instruction(code[k].op, code[k].type,
                                     program_.registers[static_cast<size_t>(code[k].result)]);
    stepOf_.push_back(hoisted[k] ? -1 : static_cast<int32_t>(steps_.size()));
    (hoisted[k] ? uniform_ : steps_).push_back(s);
    if (!hoisted[k] && code[k].result != kNoRegister)
      writtenByStep_[static_cast<size_t>(code[k].result)] = true;
    if (!hoisted[k]) cost_ += costOf(code[k]);
  }
  place[count] = static_cast<int32_t>(steps_.size());
  setTargets(steps_, place);
  isUniform_ = std::move(isUniform);
  once_ = std::move(hoisted);
  for (const size_t n : writes) varies_.push_back(n > 1);
}

/// `place`: by instruction, the step that it became.
void LoopCode::setTargets(std::vector<Step>& steps, const std::vector<int32_t>& place) const {
  for (Step& s : steps)
    if (s.leaves || s.repeats) s.target = place[static_cast<size_t>(s.target)];
}

// ---- code of its own

namespace {

std::atomic<LoopCode::Generate> generateWhen{LoopCode::Generate::WhenItPays};
/// Elements times instructions that take about as long as it takes to make code.
constexpr int64_t kWorthCode = int64_t{1} << 21;

}  // namespace

void LoopCode::setGenerate(Generate when) {
  generateWhen = when;
}

const LoopCode::Generated* LoopCode::generatedFor(int64_t elements) const {
  const Generate when = generateWhen.load(std::memory_order_relaxed);
  if (when == Generate::Never || !canGenerateLoops()) return nullptr;
  if (const Generated* made = ready_.load(std::memory_order_acquire))
    return made->loops.empty() ? nullptr : made;
  const int64_t work = elements * std::max<int64_t>(1, std::ssize(steps_));
  if (when == Generate::WhenItPays && done_.fetch_add(work, std::memory_order_relaxed) + work < kWorthCode)
    return nullptr;
  std::call_once(generateOnce_, [this] {
    auto made = std::make_unique<Generated>();
    generate(*made);
    generated_ = std::move(made);
    ready_.store(generated_.get(), std::memory_order_release);
  });
  const Generated* made = ready_.load(std::memory_order_acquire);
  return made->loops.empty() ? nullptr : made;
}

void LoopCode::generate(Generated& out) const {
  const auto& code = program_.instructions;
  const LoopParts parts{program_, slotOf_, isUniform_, once_, varies_};
  std::vector<bool> isTarget(code.size() + 1, false);
  for (const LoopInstruction& i : code)
    if (isControl(i.op)) isTarget[static_cast<size_t>(i.target)] = true;
  std::vector<int32_t> place(code.size() + 1, 0);
  std::vector<size_t> loopOf(code.size(), code.size());  // by instruction
  for (size_t k = 0; k < code.size();) {
    place[k] = static_cast<int32_t>(out.steps.size());
    if (once_[k]) {
      ++k;
      continue;
    }
    size_t end = k, count = 0;
    while (end < code.size() && (end == k || !isTarget[end]) && !isControl(code[end].op) &&
           (once_[end] || hasCode(parts, code[end])))
      count += !once_[end++];
    std::unique_ptr<GeneratedLoop> loop;
    // A lone instruction has a loop already.
    const bool all = count == steps_.size();
    if (all) loop = generateLoop(parts, k, end, true);
    out.all = loop != nullptr;
    if (!loop && count >= 2) loop = generateLoop(parts, k, end, false);
    if (!loop) {
      Step s = steps_[static_cast<size_t>(stepOf_[k])];
      s.target = code[k].target;
      out.steps.push_back(std::move(s));
      ++k;
      continue;
    }
    Step s;
    s.generated = loop.get();
    for (size_t i = k; i < end; ++i) {
      place[i] = static_cast<int32_t>(out.steps.size());
      if (once_[i]) continue;
      loopOf[i] = out.loops.size();
      s.writes.push_back(code[i].result);
    }
    std::erase_if(s.writes, [&](LoopRegister r) {
      return std::none_of(program_.outputs.begin(), program_.outputs.end(),
                          [r](const auto& o) { return o.value == r; });
    });
    out.steps.push_back(std::move(s));
    out.loops.push_back(std::move(loop));
    k = end;
  }
  place[code.size()] = static_cast<int32_t>(out.steps.size());
  setTargets(out.steps, place);
  out.mayStream.assign(program_.registers.size(), false);
  std::vector<size_t> writtenBy(program_.registers.size(), code.size());
  for (size_t k = 0; k < code.size(); ++k)
    if (loopOf[k] < code.size()) writtenBy[static_cast<size_t>(code[k].result)] = loopOf[k];
  for (const Step& s : out.steps)
    for (const LoopRegister r : s.writes) out.mayStream[static_cast<size_t>(r)] = true;
  for (size_t k = 0; k < code.size(); ++k)
    for (const LoopRegister r : code[k].operands)
      if (r != kNoRegister && writtenBy[static_cast<size_t>(r)] != loopOf[k])
        out.mayStream[static_cast<size_t>(r)] = false;
}

}  // namespace descry::runtime

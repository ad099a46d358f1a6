#include "runtime/loops/executor.h"

#include <algorithm>
#include <memory>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "runtime/core/threads.h"

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

/// Results of so many bytes are written past the caches: a store there first reads what it overwrites.
constexpr int64_t kStreamed = int64_t{16} << 20;

void streamOut(std::byte* to, const std::byte* from, size_t bytes) {
#if defined(__SSE2__)
  if (reinterpret_cast<uintptr_t>(to) % 16 == 0) {
    const size_t whole = bytes / 16 * 16;
    for (size_t i = 0; i < whole; i += 16)
      _mm_stream_si128(reinterpret_cast<__m128i*>(to + i),
                       _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i)));
    std::memcpy(to + whole, from + whole, bytes - whole);
    return;
  }
#endif
  std::memcpy(to, from, bytes);
}

/// Memory of this thread for tiles and pointers; grows as needed.
struct Scratch {
  std::unique_ptr<std::byte[]> memory;
  size_t size = 0;
  std::byte* get(size_t bytes) {
    if (size < bytes + 64) {
      size = bytes + 64;
      memory.reset(new std::byte[size]);
    }
    const auto address = reinterpret_cast<uintptr_t>(memory.get());
    return memory.get() + (64 - address % 64) % 64;
  }
};

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
    (hoisted[k] ? uniform_ : steps_).push_back(s);
    if (!hoisted[k] && code[k].result != kNoRegister)
      writtenByStep_[static_cast<size_t>(code[k].result)] = true;
    if (!hoisted[k]) cost_ += costOf(code[k]);
  }
  place[count] = static_cast<int32_t>(steps_.size());
  for (Step& s : steps_)
    if (s.leaves || s.repeats) s.target = place[static_cast<size_t>(s.target)];
}

/// Tensors of one run, with as few dimensions as they allow.
struct LoopCode::Walk {
  struct Operand {
    std::byte* data = nullptr;
    Dims strides;          ///< bytes, fastest dimension first
    bool dense = false;    ///< elements one after the other, in the order of the walk
    bool uniform = false;  ///< one element for all
    bool direct = false;   ///< dense and of the type of its register: computed with where it lies
    bool streams = false;  ///< the same, and too large for caches: goes past them from a tile
    int64_t item = 0;
    LoopLoad load = nullptr;
    LoopStore store = nullptr;
  };
  int64_t numel = 0;
  Dims sizes;  ///< fastest first
  std::vector<Operand> inputs, outputs;

  /// Calls f(offset in bytes, elements) for the pieces of an operand in [from, from + n) that have one
  /// stride.
  template <class F>
  void pieces(const Operand& o, int64_t from, int64_t n, F&& f) const {
    const size_t rank = sizes.size();
    Dims index(rank, 0);
    int64_t rest = from, offset = 0;
    for (size_t d = 0; d < rank; ++d) {
      index[d] = rest % sizes[d];
      rest /= sizes[d];
      offset += index[d] * o.strides[d];
    }
    while (n > 0) {
      const int64_t take = rank ? std::min(n, sizes[0] - index[0]) : 1;
      f(offset, take);
      n -= take;
      if (n == 0) return;
      offset -= index[0] * o.strides[0];
      index[0] = 0;
      for (size_t d = 1; d < rank; ++d) {
        offset += o.strides[d];
        if (++index[d] < sizes[d]) break;
        offset -= sizes[d] * o.strides[d];
        index[d] = 0;
      }
    }
  }
};

namespace {

/// Brings dimensions into the order of the strides of the first operand that moves in them, and joins those
/// that all operands allow. `strides[k]`: of operand k in bytes by dimension.
void joinDims(const Dims& sizes, std::vector<Dims>& strides, Dims& joined) {
  std::vector<size_t> order;
  for (size_t d = sizes.size(); d-- > 0;)
    if (sizes[d] != 1) order.push_back(d);
  for (size_t i = 1; i < order.size(); ++i)
    for (size_t j = i; j > 0; --j) {
      bool swap = false;
      for (const Dims& s : strides) {
        const int64_t inner = s[order[j - 1]], outer = s[order[j]];
        if (inner == 0 || outer == 0 || inner == outer) continue;
        swap = outer < inner;
        break;
      }
      if (!swap) break;
      std::swap(order[j - 1], order[j]);
    }
  std::vector<Dims> out(strides.size());
  for (const size_t d : order) {
    const size_t last = joined.size();
    const bool joins = last > 0 && [&] {
      for (size_t k = 0; k < strides.size(); ++k)
        if (out[k][last - 1] * joined[last - 1] != strides[k][d]) return false;
      return true;
    }();
    if (joins) {
      joined[last - 1] *= sizes[d];
      continue;
    }
    joined.push_back(sizes[d]);
    for (size_t k = 0; k < strides.size(); ++k) out[k].push_back(strides[k][d]);
  }
  strides = std::move(out);
}

}  // namespace

void LoopCode::run(std::span<const View> inputs, std::span<const LoopNumber> parameters,
                   std::span<const View> outputs) const {
  if (inputs.size() != program_.inputs.size() || outputs.size() != program_.outputs.size() ||
      parameters.size() != program_.parameters.size() || outputs.empty())
    throw EvalError("internal", "a loop program is run with other operands than it was made for");
  thread_local Walk reused;
  // A body of parallelFor never comes here again, so one is enough for each thread.
  layOut(reused, inputs, outputs);
  runAll(reused, parameters);
}

BoundLoop::BoundLoop(const LoopCode& code, std::span<const View> inputs, std::vector<LoopNumber> parameters,
                     std::span<const View> outputs)
    : code_(&code), walk_(std::make_unique<LoopCode::Walk>()), parameters_(std::move(parameters)) {
  const LoopProgram& p = code.program();
  if (inputs.size() != p.inputs.size() || outputs.size() != p.outputs.size() ||
      parameters_.size() != p.parameters.size() || outputs.empty())
    throw EvalError("internal", "a loop program is bound to other operands than it was made for");
  code.layOut(*walk_, inputs, outputs);
}
BoundLoop::BoundLoop(BoundLoop&&) noexcept = default;
BoundLoop& BoundLoop::operator=(BoundLoop&&) noexcept = default;
BoundLoop::~BoundLoop() = default;

void BoundLoop::setInput(size_t k, std::byte* data) {
  walk_->inputs[k].data = data;
}

void BoundLoop::setOutput(size_t k, std::byte* data) {
  walk_->outputs[k].data = data;
}

void BoundLoop::run() const {
  code_->runAll(*walk_, parameters_);
}

void LoopCode::layOut(Walk& walk, std::span<const View> inputs, std::span<const View> outputs) const {
  const Dims& sizes = outputs[0].sizes;
  walk.numel = productOf(sizes);
  walk.inputs.resize(inputs.size());
  walk.outputs.resize(outputs.size());
  // One run of memory for all: no need to look at dimensions.
  bool plain = true;
  for (const View& v : outputs) plain = plain && v.sizes == sizes && v.contiguous();
  for (const View& v : inputs) plain = plain && (v.numel() == 1 || (v.sizes == sizes && v.contiguous()));
  const LoopKernels& kernels = loopKernels();
  const auto set = [&](Walk::Operand& o, const View& v, LoopRegister r) {
    o.data = v.data;
    o.item = itemBytes(v.dtype);
    o.direct = o.dense && loopTypeOf(v.dtype) == program_.registers[static_cast<size_t>(r)] &&
               static_cast<int64_t>(loopTypeBytes(loopTypeOf(v.dtype))) == o.item;
  };
  if (plain) {
    walk.sizes = Dims{walk.numel};
    for (size_t k = 0; k < inputs.size(); ++k) {
      Walk::Operand& o = walk.inputs[k];
      o.uniform = inputs[k].numel() == 1 && walk.numel != 1;
      o.dense = !o.uniform;
    }
    for (Walk::Operand& o : walk.outputs) o.dense = true, o.uniform = false;
    for (const View& v : inputs)
      if (v.dim() > sizes.size()) (void)v.expanded(sizes);
  } else {
    std::vector<Dims> strides;
    const auto add = [&](const View& v) {
      strides.push_back(v.expanded(sizes).strides);
      for (int64_t& s : strides.back()) s *= itemBytes(v.dtype);
    };
    for (const View& v : outputs) add(v);
    for (const View& v : inputs) add(v);
    walk.sizes = Dims();
    joinDims(sizes, strides, walk.sizes);
    const auto laidOut = [&](Walk::Operand& o, const View& v, size_t k) {
      o.strides = strides[k];
      o.dense = o.strides.empty() || (o.strides.size() == 1 && o.strides[0] == itemBytes(v.dtype));
      // Dense in all dimensions although other operands keep them apart.
      if (!o.dense) {
        int64_t step = itemBytes(v.dtype);
        o.dense = true;
        for (size_t d = 0; d < o.strides.size() && o.dense; ++d) {
          o.dense = o.strides[d] == step;
          step *= walk.sizes[d];
        }
      }
      o.uniform =
          !o.dense && std::all_of(o.strides.begin(), o.strides.end(), [](int64_t s) { return s == 0; });
    };
    for (size_t k = 0; k < outputs.size(); ++k) laidOut(walk.outputs[k], outputs[k], k);
    for (size_t k = 0; k < inputs.size(); ++k) laidOut(walk.inputs[k], inputs[k], outputs.size() + k);
  }
  for (size_t k = 0; k < inputs.size(); ++k) {
    if (inputs[k].dtype != program_.inputs[k].dtype)
      throw EvalError("internal", "a loop program is run with an input of another dtype");
    set(walk.inputs[k], inputs[k], program_.inputs[k].result);
    // What goes out as it came in is kept apart from memory that another result may be written over.
    const LoopRegister r = program_.inputs[k].result;
    if (std::any_of(outputs.begin(), outputs.end(),
                    [&](const View& v) { return v.data == inputs[k].data; }) &&
        std::any_of(program_.outputs.begin(), program_.outputs.end(),
                    [r](const auto& o) { return o.value == r; }))
      walk.inputs[k].direct = false;
    if (!walk.inputs[k].direct) walk.inputs[k].load = kernels.load(inputs[k].dtype);
  }
  for (size_t k = 0; k < outputs.size(); ++k) {
    const LoopRegister r = program_.outputs[k].value;
    set(walk.outputs[k], outputs[k], r);
    Walk::Operand& o = walk.outputs[k];
    // Only what instructions write for each tile can be written in place.
    const auto again = [&] {
      for (size_t j = 0; j < k; ++j)
        if (program_.outputs[j].value == r) return true;
      return false;
    };
    // Memory that is also read is written when a tile is done.
    const bool read =
        std::any_of(inputs.begin(), inputs.end(), [&](const View& v) { return v.data == o.data; });
    o.direct = o.direct && !read && writtenByStep_[static_cast<size_t>(r)] && !again();
    o.streams = o.direct && walk.numel * o.item >= kStreamed;
    if (o.streams) o.direct = false;
    if (!o.direct) o.store = kernels.store(program_.registers[static_cast<size_t>(r)], outputs[k].dtype);
  }
}

void LoopCode::runAll(const Walk& walk, std::span<const LoopNumber> parameters) const {
  if (walk.numel == 0) return;
  const int64_t grain = std::max<int64_t>(kTile, 32768 / cost_);
  if (walk.numel <= grain) {
    runRange(walk, parameters, 0, walk.numel);
    return;
  }
  // Tiles are not cut.
  const int64_t tiles = (walk.numel + kTile - 1) / kTile;
  parallelFor(0, tiles, std::max<int64_t>(1, grain / kTile), [&](int64_t from, int64_t to) {
    runRange(walk, parameters, from * kTile, std::min(walk.numel, to * kTile));
  });
}

/// Asks for elements of later tiles while this one is computed, a few with each instruction: else memory has
/// nothing to do while it is computed, and nothing is computed while memory is read.
class LoopCode::Ahead {
 public:
  Ahead(const Walk& walk, size_t steps) {
    for (const Walk::Operand& o : walk.inputs)
      if (o.dense && walk.numel * o.item >= kStreamed && count_ < kMost) {
        data_[count_] = o.data;
        item_[count_++] = o.item;
      }
    size_t lines = 0;
    for (size_t k = 0; k < count_; ++k) lines += static_cast<size_t>(kTile * item_[k] + kLine - 1) / kLine;
    perStep_ = (lines + std::max<size_t>(steps, 1) - 1) / std::max<size_t>(steps, 1);
  }
  void startTile(int64_t begin, int64_t end) {
    stream_ = 0;
    begin_ = begin + kTilesAhead * kTile;
    end_ = std::min(begin_ + kTile, end);
    if (begin_ >= end_)
      stream_ = count_;
    else if (count_)
      at_ = data_[0] + begin_ * item_[0];
  }
  void some() {
    for (size_t n = 0; n < perStep_ && stream_ < count_; ++n) {
      __builtin_prefetch(at_);
      at_ += kLine;
      if (at_ >= data_[stream_] + end_ * item_[stream_] && ++stream_ < count_)
        at_ = data_[stream_] + begin_ * item_[stream_];
    }
  }

 private:
  static constexpr size_t kMost = 8;
  static constexpr int64_t kLine = 64, kTilesAhead = 2;
  const std::byte* data_[kMost];
  int64_t item_[kMost];
  size_t count_ = 0, perStep_ = 0, stream_ = 0;
  int64_t begin_ = 0, end_ = 0;
  const std::byte* at_ = nullptr;
};

void LoopCode::runRange(const Walk& walk, std::span<const LoopNumber> parameters, int64_t from,
                        int64_t to) const {
  thread_local Scratch scratch;
  const size_t slots = slotBytes_.size(), pointers = (slots * sizeof(std::byte*) + 63) / 64 * 64;
  std::byte* memory = scratch.get(pointers + tileBytes_);
  auto** at = reinterpret_cast<std::byte**>(memory);
  for (size_t s = 0; s < slots; ++s) at[s] = memory + pointers + slotOffset_[s];
  const auto slotAt = [&](LoopRegister r) -> std::byte*& { return at[slotOf_[static_cast<size_t>(r)]]; };
  const int64_t most = std::min<int64_t>(kTile, to - from);
  const auto fill = [&](LoopRegister r, const LoopNumber& n) {
    visitLoopType(program_.registers[static_cast<size_t>(r)], [&]<class T>(TypeTag<T>) {
      const T v = n.as<T>();
      T* p = reinterpret_cast<T*>(slotAt(r));
      for (int64_t i = 0; i < most; ++i) p[i] = v;
    });
  };
  for (const auto& c : program_.constants) fill(c.result, c.value);
  for (size_t k = 0; k < parameters.size(); ++k) fill(program_.parameters[k], parameters[k]);
  const auto pointer = [at](int32_t slot) -> std::byte* { return slot < 0 ? nullptr : at[slot]; };
  const auto carryOut = [&](const Step& s, int64_t n) {
    s.kernel(pointer(s.result), pointer(s.operands[0]), pointer(s.operands[1]), pointer(s.operands[2]), n);
  };
  for (const Step& s : uniform_) carryOut(s, most);
  for (size_t k = 0; k < walk.inputs.size(); ++k)
    if (walk.inputs[k].uniform)
      walk.inputs[k].load(slotAt(program_.inputs[k].result), walk.inputs[k].data, 0, most);

  const size_t count = steps_.size();
  Ahead fetch(walk, count);
  for (int64_t begin = from; begin < to; begin += kTile) {
    const int64_t n = std::min<int64_t>(kTile, to - begin);
    for (size_t k = 0; k < walk.inputs.size(); ++k) {
      const Walk::Operand& o = walk.inputs[k];
      std::byte*& slot = slotAt(program_.inputs[k].result);
      if (o.direct) {
        slot = o.data + begin * o.item;
      } else if (o.dense) {
        o.load(slot, o.data + begin * o.item, o.item, n);
      } else if (!o.uniform) {
        std::byte* into = slot;
        const int64_t bytes = static_cast<int64_t>(
            loopTypeBytes(program_.registers[static_cast<size_t>(program_.inputs[k].result)]));
        walk.pieces(o, begin, n, [&](int64_t offset, int64_t take) {
          o.load(into, o.data + offset, o.strides[0], take);
          into += take * bytes;
        });
      }
    }
    for (size_t k = 0; k < walk.outputs.size(); ++k)
      if (walk.outputs[k].direct)
        slotAt(program_.outputs[k].value) = walk.outputs[k].data + begin * walk.outputs[k].item;
    fetch.startTile(begin, to);
    for (size_t pc = 0; pc < count;) {
      const Step& s = steps_[pc];
      if (s.kernel) {
        fetch.some();
        carryOut(s, n);
        ++pc;
      } else if (s.repeats || std::memchr(pointer(s.operands[0]), 1, static_cast<size_t>(n)) == nullptr) {
        pc = static_cast<size_t>(s.target);
      } else {
        ++pc;
      }
    }
    for (size_t k = 0; k < walk.outputs.size(); ++k) {
      const Walk::Operand& o = walk.outputs[k];
      if (o.direct) continue;
      const std::byte* value = slotAt(program_.outputs[k].value);
      if (o.streams) {
        streamOut(o.data + begin * o.item, value, static_cast<size_t>(n * o.item));
        continue;
      }
      if (o.dense) {
        o.store(o.data + begin * o.item, o.item, value, n);
        continue;
      }
      const int64_t bytes = static_cast<int64_t>(
          loopTypeBytes(program_.registers[static_cast<size_t>(program_.outputs[k].value)]));
      walk.pieces(o, begin, n, [&](int64_t offset, int64_t take) {
        o.store(o.data + offset, o.strides[0], value, take);
        value += take * bytes;
      });
    }
  }
#if defined(__SSE2__)
  if (std::any_of(walk.outputs.begin(), walk.outputs.end(), [](const Walk::Operand& o) { return o.streams; }))
    _mm_sfence();
#endif
}

}  // namespace descry::runtime

#include "runtime/loops/executor.h"

#include <algorithm>
#include <memory>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "runtime/core/rows.h"
#include "runtime/core/threads.h"

namespace descry::runtime {

namespace {

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

/// Tensors of one run, with as few dimensions as they allow.
struct LoopCode::Walk {
  struct Operand {
    std::byte* data = nullptr;
    Dims strides;          ///< bytes, fastest dimension first
    bool dense = false;    ///< elements one after the other, in the order of the walk
    bool uniform = false;  ///< one element for all
    bool direct = false;   ///< dense and of the type of its register: computed with where it lies
    bool streams = false;  ///< the same, and too large for caches: goes past them from a tile
    bool over = false;     ///< the same, but where an operand lies, element on element
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
    bool read = false, alike = true;
    for (size_t j = 0; j < inputs.size(); ++j)
      if (inputs[j].data == o.data) {
        read = true;
        alike = alike && walk.inputs[j].dense;
      }
    o.direct = o.direct && writtenByStep_[static_cast<size_t>(r)] && !again();
    o.over = o.direct && read && alike;
    o.direct = o.direct && !read;
    o.streams = o.direct && walk.numel * o.item >= kPastCaches;
    if (o.streams) o.direct = false;
    if (!o.direct) o.store = kernels.store(program_.registers[static_cast<size_t>(r)], outputs[k].dtype);
  }
}

void LoopCode::runAll(const Walk& walk, std::span<const LoopNumber> parameters) const {
  if (walk.numel == 0) return;
  const Generated* generated = generatedFor(walk.numel);
  const int64_t grain = std::max<int64_t>(kTile, 32768 / cost_);
  if (walk.numel <= grain) {
    runRange(walk, generated, parameters, 0, walk.numel);
    return;
  }
  // Tiles are not cut.
  const int64_t tiles = (walk.numel + kTile - 1) / kTile;
  parallelFor(0, tiles, std::max<int64_t>(1, grain / kTile), [&](int64_t from, int64_t to) {
    runRange(walk, generated, parameters, from * kTile, std::min(walk.numel, to * kTile));
  });
}

/// Asks for elements of later tiles while this one is computed, a few with each instruction: else memory has
/// nothing to do while it is computed, and nothing is computed while memory is read.
class LoopCode::Ahead {
 public:
  Ahead(const Walk& walk, size_t steps) {
    for (const Walk::Operand& o : walk.inputs)
      if (o.dense && walk.numel * o.item >= kPastCaches && count_ < kMost) {
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

void LoopCode::runRange(const Walk& walk, const Generated* generated, std::span<const LoopNumber> parameters,
                        int64_t from, int64_t to) const {
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

  const std::vector<Step>& steps = generated ? generated->steps : steps_;
  const size_t count = steps.size();
  // Results that are written where they belong, not to a tile.
  thread_local std::vector<bool> inPlace;
  inPlace.assign(walk.outputs.size(), false);
  bool whole = generated && generated->all, streamsAny = false;
  for (size_t k = 0; k < walk.outputs.size(); ++k) {
    const Walk::Operand& o = walk.outputs[k];
    const bool streams = o.streams && generated && reinterpret_cast<uintptr_t>(o.data) % 64 == 0 &&
                         generated->mayStream[static_cast<size_t>(program_.outputs[k].value)];
    inPlace[k] = o.direct || streams || (o.over && generated && generated->all);
    streamsAny = streamsAny || o.streams;
    whole = whole && inPlace[k];
  }
  // A loop writes past the caches when all that it gives may go there.
  const auto streams = [&](const Step& s) {
    return !s.writes.empty() && std::all_of(s.writes.begin(), s.writes.end(), [&](LoopRegister r) {
      for (size_t k = 0; k < walk.outputs.size(); ++k)
        if (program_.outputs[k].value == r && (!walk.outputs[k].streams || !inPlace[k])) return false;
      return true;
    });
  };
  // What is the same for all elements lies in a tile, and reaches no further.
  for (const Walk::Operand& o : walk.inputs) whole = whole && o.direct;
  const int64_t tile = whole ? to - from : kTile;
  Ahead fetch(walk, count);
  for (int64_t begin = from; begin < to; begin += tile) {
    const int64_t n = std::min<int64_t>(tile, to - begin);
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
      if (inPlace[k]) slotAt(program_.outputs[k].value) = walk.outputs[k].data + begin * walk.outputs[k].item;
    if (!whole) fetch.startTile(begin, to);
    for (size_t pc = 0; pc < count;) {
      const Step& s = steps[pc];
      if (s.generated) {
        if (!whole) fetch.some();
        s.generated->run(at, n, streams(s));
        ++pc;
      } else if (s.kernel) {
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
      if (inPlace[k]) continue;
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
  if (streamsAny) _mm_sfence();
#endif
}

}  // namespace descry::runtime

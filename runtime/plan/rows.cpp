#include "runtime/plan/rows.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <unordered_map>

#include "ir/ops/eval/strides.h"
#include "runtime/core/threads.h"
#include "runtime/interpreter/machine.h"
#include "runtime/plan/memory_plan.h"

namespace descry::runtime {

namespace {

/// A sum of more numbers may be made of parts, by how many rows there are.
constexpr int64_t kLongest = 65536;

const Value* argumentNamed(const PlannedOp& op, std::string_view name) {
  const auto& arguments = op.op->schema().arguments;
  for (size_t i = 0; i < arguments.size() && i < op.args.size(); ++i)
    if (arguments[i].name == name) return &op.args[i];
  return nullptr;
}

/// How many dimensions in front a kernel leaves apart; none for kernels that mix rows.
std::optional<size_t> rowDimsOf(const PlannedOp& op) {
  if (!(op.kernel->facts & kRowWise)) return {};
  const Value* input = argumentNamed(op, "input");
  if (!input) input = &op.args.at(0);
  if (!input->isTensor()) return {};
  const Dims sizes(input->meta().sizes);
  const size_t rank = sizes.size();
  size_t count = rank;
  if (const Value* shape = argumentNamed(op, "normalized_shape")) {
    if (!shape->isList() || shape->items().size() > rank) return {};
    // Gradients of weight and bias are sums over rows.
    for (const TensorRef& t : op.results)
      if (t && t->meta.sizes.size() != rank) return {};
    count = rank - shape->items().size();
  } else {
    const Value* dim = argumentNamed(op, "dim");
    if (!dim || dim->isNone()) return {};
    std::vector<bool> gone(rank, false);
    for (const Int& d : dim->toInts()) {
      const int64_t at = d.value < 0 ? d.value + static_cast<int64_t>(rank) : d.value;
      if (at < 0 || at >= static_cast<int64_t>(rank)) return {};
      gone[static_cast<size_t>(at)] = true;
    }
    while (count > 0 && gone[count - 1]) --count;
    if (std::count(gone.begin(), gone.end(), true) != static_cast<int64_t>(rank - count)) return {};
  }
  int64_t length = 1;
  for (size_t d = count; d < rank; ++d) length *= sizes[d];
  if (count == 0 || count == rank || length >= kLongest) return {};
  return count;
}

/// The dimensions from `from` on lie one in the other without gaps.
bool isContiguousFrom(const Meta& m, size_t from) {
  int64_t step = 1;
  for (size_t d = m.sizes.size(); d-- > from;) {
    if (m.sizes[d].value != 1 && m.strides[d].value != step) return false;
    step *= m.sizes[d].value;
  }
  return true;
}

/// Where dimension `d` of the rows is in a tensor of `rank` dimensions that is read in a space of
/// `spaceRank`.
std::optional<size_t> rowDimIn(size_t d, size_t rank, size_t spaceRank) {
  if (d + rank < spaceRank) return {};
  return d + rank - spaceRank;
}

struct Use {
  TensorRef tensor;
  bool whole = false;  ///< the same for all rows
  bool result = false;
  size_t spaceRank = 0;
};
/// Tensors of a step; of loops inputs, then outputs.
std::vector<Use> usesOf(const RowStep& step) {
  std::vector<Use> out;
  if (step.loop) {
    const size_t rank = step.loop->outputs[0]->meta.sizes.size();
    for (const TensorRef& t : step.loop->inputs) out.push_back({t, false, false, rank});
    for (const TensorRef& t : step.loop->outputs) out.push_back({t, false, true, rank});
    return out;
  }
  const auto& arguments = step.kernel->op->schema().arguments;
  for (size_t i = 0; i < step.kernel->args.size(); ++i) {
    const Value& a = step.kernel->args[i];
    if (!a.isTensor()) continue;
    const bool whole = arguments[i].name == "weight" || arguments[i].name == "bias";
    out.push_back({tensorOf(a), whole, false, a.meta().sizes.size()});
  }
  for (const TensorRef& t : step.kernel->results)
    if (t) out.push_back({t, false, true, t->meta.sizes.size()});
  return out;
}

/// Strides by dimension of the rows, 0 where a tensor is the same for all; none where it does not go along
/// with them.
std::optional<Dims> rowStrides(const Use& use, const Dims& rows) {
  Dims out(rows.size(), 0);
  if (use.whole) return out;
  const Meta& m = use.tensor->meta;
  for (size_t d = 0; d < rows.size(); ++d) {
    const std::optional<size_t> at = rowDimIn(d, m.sizes.size(), use.spaceRank);
    if (!at || *at >= m.sizes.size()) {
      if (use.result || use.spaceRank <= d) return {};
      continue;
    }
    const int64_t size = m.sizes[*at].value;
    if (size == rows[d])
      out[d] = size == 1 ? 0 : m.strides[*at].value;
    else if (size != 1 || use.result)
      return {};
  }
  return out;
}

/// What is read for a row lies within that row of a contiguous tensor.
bool staysInRow(const Use& use, const Dims& strides, const Dims& rows, const Meta& made) {
  const Meta& m = use.tensor->meta;
  int64_t width = 1, last = m.offset.value;
  for (size_t d = rows.size(); d < made.sizes.size(); ++d) width *= made.sizes[d].value;
  for (size_t d = 0; d < rows.size(); ++d)
    if (rows[d] != 1 && strides[d] != made.strides[d].value) return false;
  for (size_t d = 0; d < m.sizes.size(); ++d) {
    const bool row = d + use.spaceRank >= m.sizes.size() && d + use.spaceRank - m.sizes.size() < rows.size();
    if (row || m.sizes[d].value == 1) continue;
    if (m.strides[d].value < 0) return false;
    last += (m.sizes[d].value - 1) * m.strides[d].value;
  }
  return m.offset.value >= 0 && last < width;
}

/// Whether steps mix no rows, and read what they give one another row by row.
class Fitting {
 public:
  Fitting(std::span<const RowStep> steps, size_t first, size_t last, const Dims& rows) : rows_(rows) {
    for (size_t i = first; i <= last && fits_; ++i) fits_ = step(steps[i]);
  }
  bool fits() const { return fits_; }

 private:
  bool step(const RowStep& s) {
    if (s.kernel) {
      const std::optional<size_t> own = rowDimsOf(*s.kernel);
      if (!own || *own < rows_.size()) return false;
    }
    for (const Use& use : usesOf(s)) {
      const Meta& m = use.tensor->meta;
      if (m.sizes.size() < rows_.size() && (use.result || s.kernel) && !use.whole) return false;
      const std::optional<Dims> strides = rowStrides(use, rows_);
      if (!strides) return false;
      if (use.result) {
        if (m.offset.value != 0 || !ir::eval::isContiguous(m)) return false;
        made_.emplace(use.tensor->storage.get(), &use.tensor->meta);
        continue;
      }
      // The order in which a kernel adds up numbers may depend on how they lie.
      if (s.kernel && !use.whole && !isContiguousFrom(m, rows_.size())) return false;
      const auto at = made_.find(use.tensor->storage.get());
      if (at == made_.end()) continue;
      if (use.whole) return false;
      if (!staysInRow(use, *strides, rows_, *at->second)) return false;
    }
    return true;
  }

  const Dims& rows_;
  std::unordered_map<const Storage*, const Meta*> made_;
  bool fits_ = true;
};

bool reads(const RowStep& reader, const RowStep& maker) {
  const std::vector<Use> made = usesOf(maker), read = usesOf(reader);
  for (const Use& m : made)
    for (const Use& r : read)
      if (m.result && !r.result && m.tensor->storage == r.tensor->storage) return true;
  return false;
}

/// How many rows at a time.
void cutRows(RowRange& range, std::span<const RowStep> steps, const RowLimits& limits) {
  const int64_t count = std::max<int64_t>(1, productOf(range.rows));
  std::unordered_map<const Storage*, int64_t> bytes;
  for (size_t i = range.first; i <= range.last; ++i)
    for (const Use& use : usesOf(steps[i])) {
      if (use.whole) continue;
      const int64_t own = productOf(Dims(use.tensor->meta.sizes)) * itemBytes(use.tensor->meta.dtype);
      int64_t& most = bytes[use.tensor->storage.get()];
      most = std::max(most, own);
    }
  int64_t all = 0;
  for (const auto& [storage, own] : bytes) all += own;
  int64_t want = std::max<int64_t>(1, limits.bytes * count / std::max<int64_t>(1, all));
  // Some for each of many threads; how many there are must not matter.
  want = std::min(want, std::max<int64_t>(1, count / 32));
  int64_t inner = 1;
  range.cut = range.rows.size() - 1;
  while (range.cut > 0 && inner * range.rows[range.cut] <= want) inner *= range.rows[range.cut--];
  range.take = std::clamp<int64_t>(want / inner, 1, std::max<int64_t>(1, range.rows[range.cut]));
  range.blocks = (range.rows[range.cut] + range.take - 1) / range.take;
  for (size_t d = 0; d < range.cut; ++d) range.blocks *= range.rows[d];
}

}  // namespace

std::vector<RowRange> findRows(std::span<const RowStep> steps, const RowLimits& limits) {
  std::vector<RowRange> out;
  if (!limits.join) return out;
  size_t free = 0;  // steps from here on are in no range
  for (size_t seed = 0; seed < steps.size(); ++seed) {
    if (seed < free || !steps[seed].kernel) continue;
    const std::optional<size_t> count = rowDimsOf(*steps[seed].kernel);
    if (!count) continue;
    const TensorRef input = usesOf(steps[seed])[0].tensor;
    RowRange r;
    r.first = r.last = seed;
    const Dims sizes(input->meta.sizes);
    if (productOf(sizes) < std::max<int64_t>(1, limits.elements)) continue;
    r.rows.resize(*count, 0);
    for (size_t d = 0; d < *count; ++d) r.rows[d] = sizes[d];
    const auto full = [&] { return r.last - r.first + 1 >= limits.steps; };
    const auto readInside = [&](size_t maker) {
      for (size_t i = r.first; i <= r.last; ++i)
        if (i != maker && reads(steps[i], steps[maker])) return true;
      return false;
    };
    const auto readsInside = [&](size_t reader) {
      for (size_t i = r.first; i <= r.last; ++i)
        if (i != reader && reads(steps[reader], steps[i])) return true;
      return false;
    };
    while (!full() && r.first > free && steps[r.first - 1].joins() && readInside(r.first - 1) &&
           Fitting(steps, r.first - 1, r.last, r.rows).fits())
      --r.first;
    while (!full() && r.last + 1 < steps.size() && steps[r.last + 1].joins() && readsInside(r.last + 1) &&
           Fitting(steps, r.first, r.last + 1, r.rows).fits())
      ++r.last;
    if (r.first == r.last) continue;
    cutRows(r, steps, limits);
    free = r.last + 1;
    out.push_back(r);
  }
  return out;
}

bool takesRowsOf(const RowRange& range, std::span<const RowStep> steps, const Storage& from, const Tensor& to,
                 size_t at) {
  for (size_t i = range.first; i <= range.last; ++i) {
    size_t reads = 0;
    for (const Use& use : usesOf(steps[i])) {
      if (use.tensor->storage.get() != &from) continue;
      if (use.result || use.whole || i > at) return false;
      if (itemBytes(use.tensor->meta.dtype) != itemBytes(to.meta.dtype)) return false;
      const std::optional<Dims> strides = rowStrides(use, range.rows);
      if (!strides || !staysInRow(use, *strides, range.rows, to.meta)) return false;
      if (i < at) continue;
      // In the step itself element on element.
      Meta as = use.tensor->meta;
      as.dtype = to.meta.dtype;
      if (!steps[i].loop || ++reads > 1 || !sameLayout(as, to.meta)) return false;
    }
  }
  return true;
}

// ---- running

/// A tensor of the steps, and some rows of it.
struct RowRunner::Operand {
  TensorRef whole, some;
  Dims strides;  ///< elements, by dimension of the rows
  bool inside = false;
  size_t place = 0;  ///< of inside: in the memory of the block
  std::byte* data = nullptr;

  void point(std::byte* memory, const Dims& at, size_t cut) {
    const int64_t item = itemBytes(whole->meta.dtype);
    int64_t elements = whole->meta.offset.value;
    if (!inside)
      for (size_t d = 0; d <= cut; ++d) elements += at[d] * strides[d];
    data = (inside ? memory + place : whole->storage->data()) + elements * item;
    some->storage->borrow(data, extentBytes(some->meta));
  }
};

namespace {

struct StepFailure {
  size_t step;
  EvalError error;
};

/// Lists of an argument are counted too: each block has its own.
Value ownCopy(const Value& v) {
  if (!v.isList()) return v;
  Values items;
  for (const Value& i : v.items()) items.push_back(ownCopy(i));
  return Value(std::move(items), v.kind());
}

}  // namespace

/// The steps on `take` rows of the dimension that is cut, for one thread.
struct RowRunner::Block {
  int64_t take = 0;
  std::vector<std::vector<Operand>> operands;  ///< by step: as usesOf
  std::vector<Values> args;                    ///< by step
  std::vector<std::optional<Call>> calls;
  std::vector<std::optional<BoundLoop>> loops;
  Storage memory{0};

  void runStep(size_t i, const RowStep& step) {
    if (step.kernel) {
      Call& call = *calls[i];
      call.reset();
      step.kernel->kernel->fill(call);
      call.finish();
      call.reset();
      return;
    }
    std::optional<BoundLoop>& bound = loops[i];
    const size_t inputs = step.loop->inputs.size();
    if (!bound) {
      std::vector<View> in, out;
      for (size_t k = 0; k < operands[i].size(); ++k)
        (k < inputs ? in : out).push_back(viewOf(*operands[i][k].some));
      bound.emplace(*step.code, in, step.loop->numbers, out);
    } else {
      for (size_t k = 0; k < operands[i].size(); ++k)
        if (k < inputs)
          bound->setInput(k, operands[i][k].data);
        else
          bound->setOutput(k - inputs, operands[i][k].data);
    }
    bound->run();
  }
};

RowRunner::RowRunner(const RowRange& range, std::span<const RowStep> steps,
                     std::vector<const Storage*> inside, Machine& machine)
    : range_(range), inside_(std::move(inside)), machine_(machine) {
  for (size_t i = range.first; i <= range.last; ++i) steps_.push_back(steps[i]);
}
RowRunner::~RowRunner() = default;

namespace {

/// Bytes that some rows of a result take, when only they are kept.
int64_t bytesOfRows(const Tensor& t, const RowRange& range, int64_t take) {
  int64_t elements = take;
  for (size_t d = range.cut + 1; d < t.meta.sizes.size(); ++d) elements *= t.meta.sizes[d].value;
  return elements * itemBytes(t.meta.dtype);
}

}  // namespace

std::unique_ptr<RowRunner::Block> RowRunner::makeBlock(int64_t take) const {
  auto b = std::make_unique<Block>();
  b->take = take;
  // Where what only these steps read lies.
  std::unordered_map<const Storage*, size_t> number;
  std::vector<Lifetime> lives;
  for (size_t i = 0; i < steps_.size(); ++i)
    for (const Use& use : usesOf(steps_[i])) {
      const Storage* s = use.tensor->storage.get();
      if (std::find(inside_.begin(), inside_.end(), s) == inside_.end()) continue;
      const auto [at, fresh] = number.try_emplace(s, lives.size());
      if (fresh) lives.push_back({static_cast<size_t>(bytesOfRows(*use.tensor, range_, take)), i, i});
      lives[at->second].last = i;
    }
  const MemoryPlan placed = planMemory(lives);
  b->memory.resize(placed.bytes);
  b->args.resize(steps_.size());
  b->calls.resize(steps_.size());
  b->loops.resize(steps_.size());
  for (const RowStep& s : steps_) {
    auto& operands = b->operands.emplace_back();
    for (const Use& use : usesOf(s)) {
      Operand o;
      o.whole = use.tensor;
      o.strides = *rowStrides(use, range_.rows);
      if (const auto at = number.find(use.tensor->storage.get()); at != number.end()) {
        o.inside = true;
        o.place = placed.offsets[at->second];
      }
      o.some = ir::eval::make<Tensor>();
      o.some->storage = std::make_shared<Storage>(0);
      o.some->meta = use.tensor->meta;
      o.some->meta.offset = 0;
      for (size_t d = 0; d <= range_.cut && !use.whole; ++d) {
        const std::optional<size_t> at = rowDimIn(d, o.some->meta.sizes.size(), use.spaceRank);
        if (!at || o.some->meta.sizes[*at].value == 1) continue;
        o.some->meta.sizes[*at] = d < range_.cut ? int64_t{1} : take;
      }
      operands.push_back(std::move(o));
    }
  }
  for (size_t i = 0; i < steps_.size(); ++i) {
    if (!steps_[i].kernel) continue;
    const PlannedOp& op = *steps_[i].kernel;
    size_t next = 0;
    for (const Value& a : op.args)
      b->args[i].push_back(a.isTensor() ? Value(b->operands[i][next++].some) : ownCopy(a));
    std::vector<TensorRef> results;
    for (const TensorRef& t : op.results) results.push_back(t ? b->operands[i][next++].some : TensorRef());
    b->calls[i].emplace(machine_, *op.op, b->args[i], std::move(results));
  }
  return b;
}

void RowRunner::makeBlocks() {
  const int64_t threads = threadCount(), length = range_.rows[range_.cut];
  const int64_t pieces = (length + range_.take - 1) / range_.take, rest = length % range_.take;
  const auto need = [&](int64_t take, int64_t count) {
    int64_t there = std::count_if(free_.begin(), free_.end(), [&](const auto& b) { return b->take == take; });
    for (; there < std::min(threads, count); ++there) free_.push_back(makeBlock(take));
  };
  need(range_.take, rest ? range_.blocks / pieces * (pieces - 1) : range_.blocks);
  if (rest) need(rest, range_.blocks / pieces);
}

std::unique_ptr<RowRunner::Block> RowRunner::borrow(int64_t take) {
  const std::lock_guard lock(mutex_);
  for (auto& b : free_)
    if (b->take == take) {
      std::unique_ptr<Block> out = std::move(b);
      std::swap(b, free_.back());
      free_.pop_back();
      return out;
    }
  throw EvalError("internal", "more threads than blocks of rows were made for");
}

void RowRunner::runBlock(int64_t index, std::vector<double>* seconds) {
  Dims at(range_.rows.size(), 0);
  const int64_t pieces = (range_.rows[range_.cut] + range_.take - 1) / range_.take;
  at[range_.cut] = index % pieces * range_.take;
  int64_t rest = index / pieces;
  for (size_t d = range_.cut; d-- > 0;) {
    at[d] = rest % range_.rows[d];
    rest /= range_.rows[d];
  }
  std::unique_ptr<Block> block = borrow(std::min(range_.take, range_.rows[range_.cut] - at[range_.cut]));
  using Clock = std::chrono::steady_clock;
  for (size_t i = 0; i < steps_.size(); ++i) {
    const Clock::time_point start = seconds ? Clock::now() : Clock::time_point{};
    for (Operand& o : block->operands[i]) o.point(block->memory.data(), at, range_.cut);
    try {
      block->runStep(i, steps_[i]);
    } catch (const EvalError& e) {
      throw StepFailure{range_.first + i, e};
    }
    if (seconds) (*seconds)[i] += std::chrono::duration<double>(Clock::now() - start).count();
  }
  const std::lock_guard lock(mutex_);
  free_.push_back(std::move(block));
}

void RowRunner::run(const std::function<void(size_t, const EvalError&)>& failed,
                    std::vector<double>* shares) {
  if (shares) shares->assign(steps_.size(), 0);
  // Here, on one thread: tensors count their users without care for threads.
  makeBlocks();
  try {
    parallelFor(0, range_.blocks, 1, [&](int64_t from, int64_t to) {
      std::vector<double> seconds(shares ? steps_.size() : 0);
      for (int64_t i = from; i < to; ++i) runBlock(i, shares ? &seconds : nullptr);
      if (!shares) return;
      const std::lock_guard lock(mutex_);
      for (size_t i = 0; i < seconds.size(); ++i) (*shares)[i] += seconds[i];
    });
  } catch (const StepFailure& f) {
    failed(f.step, f.error);
  }
  if (!shares) return;
  double all = 0;
  for (const double s : *shares) all += s;
  for (double& s : *shares) s = all > 0 ? s / all : 1.0 / static_cast<double>(shares->size());
}

}  // namespace descry::runtime

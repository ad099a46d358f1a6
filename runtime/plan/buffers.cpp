// The buffers of a plan: how long they live, and where they lie.
#include <algorithm>
#include <map>
#include <set>

#include "runtime/plan/prepared.h"

namespace descry::runtime {

using ir::NodeId;

namespace {

/// Elements one after the other from the start of the memory.
bool fillsMemory(const Tensor& t, size_t bytes) {
  return t.meta.offset.value == 0 &&
         static_cast<size_t>(productOf(Dims(t.meta.sizes)) * itemBytes(t.meta.dtype)) == bytes;
}

/// Of the same bytes each, in the same places.
bool sameElements(const Tensor& a, const Tensor& b) {
  Meta as = a.meta;
  as.dtype = b.meta.dtype;
  return itemBytes(a.meta.dtype) == itemBytes(b.meta.dtype) && sameLayout(as, b.meta);
}

}  // namespace

size_t Plan::bufferOf(const Tensor& t, PlanBuffer::Kind kind, std::string name) {
  const auto [at, fresh] = bufferOf_.try_emplace(t.storage.get(), buffers_.size());
  if (fresh) {
    PlanBuffer b;
    b.kind = kind;
    b.storage = t.storage;
    b.name = std::move(name);
    b.bytes = kind == PlanBuffer::Constant
                  ? t.storage->bytes()
                  : static_cast<size_t>(t.meta.offset.value * itemBytes(t.meta.dtype)) + extentBytes(t.meta);
    buffers_.push_back(std::move(b));
  }
  return at->second;
}

void Plan::addBuffers() {
  for (size_t i = 0; i < inputs_.size(); ++i)
    if (inputs_[i].isTensor())
      bufferOf(*tensorOf(inputs_[i]), PlanBuffer::Input, std::string(names_.nodeName(placeholders_[i])));
  for (const PlannedOp& op : graph_.ops)
    for (const TensorRef& t : op.results)
      if (t) bufferOf(*t, PlanBuffer::Inside, std::string(names_.nodeName(op.node)));
  // What nothing makes is there from the start.
  for (PlanStep& s : steps_) {
    std::set<size_t> reads, writes;
    for (const size_t k : s.group.ops) {
      for (const Value& a : graph_.ops[k].args)
        forEachTensor(a, [&](const Tensor& t) { reads.insert(bufferOf(t, PlanBuffer::Constant, {})); });
      for (const TensorRef& t : graph_.ops[k].results)
        if (t) writes.insert(bufferOf(*t, PlanBuffer::Inside, {}));
    }
    s.reads.assign(reads.begin(), reads.end());
    s.writes.assign(writes.begin(), writes.end());
  }
  for (const Value& v : graph_.outputs)
    forEachTensor(v, [&](const Tensor& t) {
      PlanBuffer& b = buffers_[bufferOf(t, PlanBuffer::Constant, {})];
      if (b.kind == PlanBuffer::Inside) b.kind = PlanBuffer::Output;
    });
}

void Plan::findLifetimes() {
  std::vector<size_t> maker(buffers_.size(), steps_.size());
  std::vector<bool> readElsewhere(buffers_.size(), false);
  for (size_t i = 0; i < steps_.size(); ++i) {
    for (const size_t b : steps_[i].writes) {
      maker[b] = i;
      buffers_[b].life.first = buffers_[b].life.last = i;
    }
    for (const size_t b : steps_[i].reads) {
      buffers_[b].life.last = std::max(buffers_[b].life.last, i);
      if (maker[b] != i) readElsewhere[b] = true;
      // What a node makes of it may lie in its memory.
      if (steps_[i].kind == PlanStep::Node) buffers_[b].life.last = steps_.size();
    }
  }
  for (PlanStep& s : steps_) {
    if (s.kind != PlanStep::Loop) continue;
    std::vector<size_t> inside;
    for (const size_t b : s.writes)
      if (!readElsewhere[b] && buffers_[b].kind == PlanBuffer::Inside) inside.push_back(b);
    // Values that nobody reads are still computed where that can fail.
    if (inside.size() == s.writes.size()) {
      const PlannedOp& last = graph_.ops[s.group.mayFail.empty() ? s.group.ops.back() : s.group.mayFail[0]];
      std::erase(inside, bufferOf_.at(last.results[0]->storage.get()));
    }
    for (const size_t b : inside) {
      buffers_[b].kind = PlanBuffer::Register;
      std::erase(s.writes, b);
      std::erase(s.reads, b);
    }
    // What the step makes itself is no input of it.
    for (const size_t b : s.writes) std::erase(s.reads, b);
  }
  // Values of nodes that are known only then, and are not needed any more.
  std::vector<size_t> last(names_.idBound(), steps_.size());
  for (size_t i = 0; i < steps_.size(); ++i)
    for (const NodeId node : steps_[i].nodes) {
      if (steps_[i].kind != PlanStep::Node && steps_[i].kind != PlanStep::Write) continue;
      last[node.index] = i;
      names_.forEachInput(node, [&](NodeId in) { last[in.index] = i; });
    }
  if (names_.output().valid())
    names_.forEachInput(names_.output(), [&](NodeId in) { last[in.index] = steps_.size(); });
  dead_.resize(steps_.size());
  for (uint32_t n = 0; n < last.size(); ++n) {
    if (!graph_.dynamic[n]) continue;
    dynamic_.push_back(n);
    if (last[n] < steps_.size()) dead_[last[n]].push_back(n);
  }
}

void Plan::joinRows() {
  std::vector<RowStep>& all = prepared_->rowSteps;
  for (size_t i = 0; i < steps_.size(); ++i) {
    RowStep s;
    if (steps_[i].kind == PlanStep::Loop) {
      s.loop = &prepared_->loops[i].loop;
      s.code = prepared_->loops[i].code.get();
    } else if (steps_[i].kind == PlanStep::Kernel) {
      s.kernel = &graph_.ops[steps_[i].group.ops[0]];
    }
    all.push_back(s);
  }
  rows_ = findRows(all, options_.rows);
  rowsAt_.assign(steps_.size(), rows_.size());
  for (size_t k = 0; k < rows_.size(); ++k) {
    const RowRange& r = rows_[k];
    std::vector<const Storage*> inside;
    for (size_t i = r.first; i <= r.last; ++i) {
      rowsAt_[i] = k;
      for (const size_t b : steps_[i].writes) {
        PlanBuffer& buffer = buffers_[b];
        if (buffer.kind == PlanBuffer::Inside && buffer.life.last <= r.last) {
          buffer.kind = PlanBuffer::Block;
          inside.push_back(buffer.storage.get());
        }
        // The first rows of what one step makes are there before the last rows of what another reads.
        buffer.life.first = r.first;
      }
      for (const size_t b : steps_[i].reads) {
        Lifetime& life = buffers_[b].life;
        if (life.last >= r.first && life.last <= r.last) life.last = r.last;
      }
    }
    prepared_->rows.push_back(std::make_unique<RowRunner>(r, all, std::move(inside), machine_));
  }
}

void Plan::joinEpilogues() {
  Prepared& p = *prepared_;
  p.epilogues.resize(steps_.size());
  p.productOf.assign(steps_.size(), steps_.size());
  p.followed.assign(steps_.size(), false);
  if (!options_.epilogues) return;
  std::vector<bool> taken;
  std::unordered_map<const Storage*, size_t> firstWritten;
  for (size_t i = 0; i < steps_.size(); ++i) {
    // What can fail does so in its turn.
    taken.push_back(rowsAt_[i] < rows_.size() || !steps_[i].group.mayFail.empty());
    for (const size_t b : steps_[i].writes) firstWritten.emplace(buffers_[b].storage.get(), i);
  }
  for (const EpilogueJoin& join : findEpilogues(p.rowSteps, taken, firstWritten)) {
    p.epilogues[join.product] =
        Epilogue::of(*p.rowSteps[join.product].kernel, p.loops[join.loop].loop, *p.loops[join.loop].code);
    p.productOf[join.loop] = join.product;
    for (const size_t b : steps_[join.loop].writes) buffers_[b].life.first = join.product;
  }
}

/// A result takes the place of an input that dies there: of a loop element on element, of steps that run
/// together row on row.
void Plan::shareInPlace() {
  for (size_t i = 0; i < steps_.size(); ++i) {
    if (rowsAt_[i] < rows_.size()) {
      shareRows(i);
      continue;
    }
    const GroupLoop& loop = prepared_->loops[i].loop;
    std::set<size_t> taken;
    for (const TensorRef& out : loop.outputs) {
      const size_t to = bufferOf_.at(out->storage.get());
      if (buffers_[to].kind != PlanBuffer::Inside || !fillsMemory(*out, buffers_[to].bytes)) continue;
      for (const TensorRef& in : loop.inputs) {
        const size_t from = bufferOf_.at(in->storage.get());
        const PlanBuffer& b = buffers_[from];
        if (const size_t product = prepared_->productOf[i]; product < steps_.size()) {
          // It runs earlier than here: only what the product itself makes is not needed in between.
          const auto reads = [&](const PlanStep& s) {
            return std::find(s.reads.begin(), s.reads.end(), from) != s.reads.end();
          };
          if (steps_[product].writes != std::vector<size_t>{from} ||
              std::count_if(steps_.begin(), steps_.end(), reads) != 1)
            continue;
        }
        if (b.kind != PlanBuffer::Inside || b.life.last != i || taken.count(from) ||
            !sameElements(*in, *out) || !fillsMemory(*in, b.bytes))
          continue;
        const auto ofSame = std::count_if(loop.inputs.begin(), loop.inputs.end(),
                                          [&](const TensorRef& t) { return t->storage == in->storage; });
        if (ofSame != 1) continue;  // also read in another order
        buffers_[to].takesPlaceOf = from;
        taken.insert(from);
        break;
      }
    }
  }
}

void Plan::shareRows(size_t step) {
  const RowRange& range = rows_[rowsAt_[step]];
  const std::vector<RowStep>& all = prepared_->rowSteps;
  const std::vector<TensorRef>& results =
      all[step].loop ? all[step].loop->outputs : all[step].kernel->results;
  for (const TensorRef& out : results) {
    if (!out) continue;
    const size_t to = bufferOf_.at(out->storage.get());
    if (buffers_[to].kind != PlanBuffer::Inside || buffers_[to].takesPlaceOf) continue;
    for (size_t i = range.first; i <= step && !buffers_[to].takesPlaceOf; ++i)
      for (const size_t from : steps_[i].reads) {
        const PlanBuffer& b = buffers_[from];
        if (b.kind != PlanBuffer::Inside || b.life.first >= range.first || b.life.last != range.last ||
            b.bytes != buffers_[to].bytes || b.given || !takesRowsOf(range, all, *b.storage, *out, step))
          continue;
        buffers_[from].given = true;
        buffers_[to].takesPlaceOf = from;
        break;
      }
  }
}

void Plan::placeBuffers() {
  // Buffers at one place are one: the root of each has the life of all.
  std::vector<size_t> root(buffers_.size());
  std::vector<Lifetime> lives(buffers_.size());
  for (size_t b = 0; b < buffers_.size(); ++b) {
    root[b] = b;
    while (buffers_[root[b]].takesPlaceOf) root[b] = *buffers_[root[b]].takesPlaceOf;
  }
  for (size_t b = 0; b < buffers_.size(); ++b) {
    PlanBuffer& at = buffers_[b];
    at.life.bytes = at.bytes;
    if (at.kind == PlanBuffer::Output) outputBuffers_.push_back(b), outputBytes_ += at.bytes;
    if (at.kind != PlanBuffer::Inside) continue;
    const size_t alignment = MemoryPlan::kAlignment;
    bytesWithoutReuse_ += (at.bytes + alignment - 1) / alignment * alignment;
    Lifetime& whole = lives[root[b]];
    if (whole.bytes == 0) whole = buffers_[root[b]].life;
    whole.first = std::min(whole.first, at.life.first);
    whole.last = std::max(whole.last, at.life.last);
    if (!options_.reuseMemory) whole.first = 0, whole.last = steps_.size();
  }
  if (options_.reuseMemory) placeWithinOutputs(root, lives);
  std::vector<size_t> number(buffers_.size(), 0);
  std::vector<Lifetime> placing;
  for (size_t b = 0; b < buffers_.size(); ++b) {
    if (buffers_[b].kind != PlanBuffer::Inside || buffers_[b].within || root[b] != b) continue;
    number[b] = placing.size();
    placing.push_back(lives[b]);
  }
  const MemoryPlan placed = planMemory(placing);
  for (size_t b = 0; b < buffers_.size(); ++b)
    if (buffers_[b].kind == PlanBuffer::Inside && !buffers_[b].within)
      buffers_[b].offset = placed.offsets[number[root[b]]];
  insideBytes_ = placed.bytes;
  outputs_.resize(outputBuffers_.size());
}

/// The memory of results is there before they are written. Buffers that are dead by then are put there, the
/// largest first, each into the smallest result that has room.
void Plan::placeWithinOutputs(const std::vector<size_t>& root, std::vector<Lifetime>& lives) {
  constexpr size_t kWorthIt = 256, kMost = 4096, kHosts = 256;
  std::vector<size_t> hosts, guests;
  for (const size_t b : outputBuffers_)
    if (buffers_[b].bytes >= kWorthIt) hosts.push_back(b);
  for (size_t b = 0; b < buffers_.size(); ++b)
    if (buffers_[b].kind == PlanBuffer::Inside && root[b] == b && buffers_[b].bytes >= kWorthIt)
      guests.push_back(b);
  const auto smaller = [&](size_t a, size_t b) { return buffers_[a].bytes < buffers_[b].bytes; };
  std::stable_sort(hosts.begin(), hosts.end(), smaller);
  if (hosts.size() > kHosts) hosts.erase(hosts.begin(), hosts.end() - kHosts);
  std::stable_sort(guests.begin(), guests.end(), [&](size_t a, size_t b) { return smaller(b, a); });
  if (guests.size() > kMost) guests.resize(kMost);
  struct Guest {
    Lifetime life;
    size_t begin, end;
  };
  std::map<size_t, std::vector<Guest>> taken;
  constexpr size_t kGuests = 64;
  for (const size_t g : guests)
    for (const size_t h : hosts) {
      if (buffers_[h].bytes < buffers_[g].bytes || buffers_[h].life.first <= lives[g].last) continue;
      std::vector<Guest>& there = taken[h];
      if (there.size() >= kGuests) continue;
      // At the start, or behind one that is there at the same time.
      std::optional<size_t> place;
      const auto fits = [&](size_t at) {
        return at + buffers_[g].bytes <= buffers_[h].bytes &&
               std::none_of(there.begin(), there.end(), [&](const Guest& o) {
                 return o.life.meets(lives[g]) && at < o.end && o.begin < at + buffers_[g].bytes;
               });
      };
      if (fits(0)) place = 0;
      for (size_t k = 0; k < there.size() && !place; ++k)
        if (there[k].life.meets(lives[g]) && fits(there[k].end)) place = there[k].end;
      if (!place) continue;
      constexpr size_t a = MemoryPlan::kAlignment;
      there.push_back({lives[g], *place, (*place + buffers_[g].bytes + a - 1) / a * a});
      buffers_[g].within = h;
      buffers_[g].offset = *place;
      break;
    }
  for (size_t b = 0; b < buffers_.size(); ++b)
    if (root[b] != b && buffers_[b].kind == PlanBuffer::Inside) {
      buffers_[b].within = buffers_[root[b]].within;
      buffers_[b].offset = buffers_[root[b]].offset;
    }
}

}  // namespace descry::runtime

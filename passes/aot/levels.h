// The levels of torch.func. Private to passes/aot.
#pragma once

#include "passes/autodiff/tracer.h"

namespace descry::passes {

class LevelStack : public Levels {
 public:
  explicit LevelStack(Tracer& tracer) : t_(tracer) {}

  Value call(const OpDef& op, Values args) override;
  bool descends() const override { return active_ > 0 && !stack_[active_ - 1]->vmap; }
  bool batches() const override { return active_ > 0 && stack_[active_ - 1]->vmap; }
  Value descend(const OpDef& op, Values args) override;
  const Level* innermost() const override { return active_ ? stack_[active_ - 1].get() : nullptr; }

  void open(bool vmap, bool forward = false);
  /// Throws `bad-call` when the innermost level is of the other kind, or none is open.
  void close(bool vmap);
  size_t depth() const override { return stack_.size(); }
  /// The open level of this number; null when none is.
  Ref<Level> numbered(int64_t number) const;
  /// A tensor as one of the innermost level, which is of forward mode.
  Value atInnermost(const Value& v) const;
  /// Past levels that are closed.
  Value stripped(const Value& v) const;

  Tracer& tracer() { return t_; }
  /// Runs f one level further down.
  template <class F>
  auto below(F&& f) {
    struct Restore {
      LevelStack& s;
      size_t active;
      bool gradMode;
      ~Restore() {
        s.active_ = active;
        s.t_.gradMode = gradMode;
      }
    } restore{*this, active_, t_.gradMode};
    const Level& top = *stack_[--active_];
    if (!top.vmap) t_.gradMode = top.outerGradMode;
    return f();
  }

 private:
  Tracer& t_;
  std::vector<Ref<Level>> stack_;
  size_t active_ = 0;
  bool inMatmul_ = false;
  const void* product_ = nullptr;  ///< of the last bmm
};

/// A tensor at a level: `lower` without its dimension `batchDim` (-1: with all).
Value atLevel(const Ref<Level>& level, const Value& lower, int64_t batchDim);
/// Calls an op on tensors of a vmap level (batching.cpp). `op` is not composite. Throws `no-batching-rule`.
Value callBatched(LevelStack& levels, const Ref<Level>& level, const OpDef& op, Values args);

}  // namespace descry::passes

// The functions that the tape is made of, but for those of users and of higher-order ops.
#pragma once

#include "passes/autodiff/tracer.h"

namespace descry::passes {

/// A recorded op of the table.
struct OpNode : AutogradNode {
  const OpDef* op = nullptr;        ///< as called
  const OpDef* formulas = nullptr;  ///< whose gradients hold: the functional variant of a writing op
  std::vector<Tracer::Saved> args;  ///< by argument of `formulas`
  std::vector<Tracer::Saved> results;
  std::vector<uint32_t> order;  ///< in which results are saved and unpacked
  struct Span {
    uint32_t argument, first, count;
    bool list;
  };
  std::vector<Span> spans;  ///< edges by argument

  std::string name() const override { return std::string(op->name()); }
  void release() override {
    next.clear();
    args.clear();
    results.clear();
  }

  bool needs(uint32_t argument, const std::vector<bool>& needed) const {
    for (const Span& s : spans)
      if (s.argument == argument)
        for (uint32_t i = s.first; i < s.first + s.count; ++i)
          if (needed[i]) return true;
    return false;
  }

  /// Formulas that a user registers get zeros for results whose gradient nobody asks for.
  void makeUpZeros(Tracer& tracer, Values& grads) const;

  Values apply(Tracer& tracer, Values grads, const std::vector<bool>& needed) override;
};

/// A write through a view: the gradient of the base is cut into the part that the view covers and the rest.
struct CopySlicesNode : AutogradNode {
  Meta base, view;
  ViewPathRef chain;
  Ref<AutogradNode> inner;

  std::string name() const override { return "CopySlices"; }
  void release() override {
    next.clear();
    chain = {};
    inner = {};
  }

  Values apply(Tracer& tracer, Values grads, const std::vector<bool>& needed) override;
};

/// `x.copy_(src)`.
struct CopyNode : AutogradNode {
  Meta source_;

  std::string name() const override { return "copy_"; }

  Values apply(Tracer& tracer, Values grads, const std::vector<bool>& needed) override;
};

/// A leaf: gradients that arrive here are picked up by the engine.
struct AccumulateNode : AutogradNode {
  std::string name() const override { return "AccumulateGrad"; }
  Values apply(Tracer&, Values, const std::vector<bool>&) override { return {}; }
  bool accumulates() const override { return true; }
};

}  // namespace descry::passes

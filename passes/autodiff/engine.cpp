// Reverse mode: runs the tape backwards in the order of PyTorch's engine.
#include <algorithm>
#include <queue>

#include "passes/autodiff/tracer.h"

namespace descry::passes {

namespace {

struct State {
  uint32_t dependencies = 0;
  bool needed = false, seen = false, queued = false;
  Values buffer;
};

struct Ready {
  AutogradNode* node;
  bool operator<(const Ready& o) const { return node->sequence < o.node->sequence; }
};

}  // namespace

bool knownToDiffer(const Ints& a, const Ints& b) {
  if (a.size() != b.size()) return true;
  const auto known = [](const Int& i) { return !i.symbolic() || i.sym->hasHint; };
  for (size_t i = 0; i < a.size(); ++i)
    if (known(a[i]) && known(b[i]) && !(a[i] == b[i])) return true;
  return false;
}

Value Tracer::sumTo(const Value& grad, const Ints& shape) {
  const Meta& m = grad.meta();
  if (shape.empty()) return op("sum", {grad});
  const size_t leading = m.sizes.size() - shape.size();
  Values dims;
  for (size_t i = 0; i < leading; ++i) dims.emplace_back(static_cast<int64_t>(i));
  for (size_t i = leading; i < m.sizes.size(); ++i)
    if (shape[i - leading] == Int(1) && !(m.sizes[i] == Int(1))) dims.emplace_back(static_cast<int64_t>(i));
  Value v = grad;
  if (!dims.empty()) v = exact("aten.sum.dim_IntList", {v, Value(std::move(dims)), Value::boolean(true)});
  return leading ? op("view", {v, Value(shape)}) : v;
}

Value Tracer::validated(Value grad, const GradMeta& want, const std::string& from, size_t index) {
  const Meta& m = grad.meta();
  if (knownToDiffer(m.sizes, want.sizes)) {
    bool expandable = want.sizes.size() <= m.sizes.size();
    for (size_t i = 0; i < want.sizes.size() && expandable; ++i) {
      const Int& w = want.sizes[want.sizes.size() - 1 - i];
      expandable = w == Int(1) || w == m.sizes[m.sizes.size() - 1 - i];
    }
    if (!expandable) {
      const auto shape = [](const Ints& sizes) {
        std::string text;
        for (const Int& i : sizes) text += (text.empty() ? "" : ", ") + i.str();
        return "[" + text + "]";
      };
      throw EvalError("invalid-gradient", "Function " + from + " returned an invalid gradient at index " +
                                              std::to_string(index) + " - got " + shape(m.sizes) +
                                              " but expected shape compatible with " + shape(want.sizes));
    }
    grad = sumTo(grad, want.sizes);
  }
  if (grad.meta().dtype != want.dtype) grad = this->op("to", {grad}, {{"dtype", Value::dtype(want.dtype)}});
  return grad;
}

Values Tracer::backward(const std::vector<TensorRef>& outputs, Values grads,
                        const std::vector<TensorRef>& inputs) {
  std::vector<Edge> roots;
  for (const TensorRef& o : outputs) {
    Edge e;
    try {
      e = gradientEdge(o);
    } catch (const EvalError& why) {
      throw NodeError(why, o->view->madeBy);
    }
    if (!e.node)
      throw EvalError("no-grad-fn", "element of tensors does not require grad and does not have a grad_fn");
    roots.push_back(e);
  }
  std::unordered_map<AutogradNode*, State> states;
  // Captures: input edges.
  std::unordered_map<AutogradNode*, std::vector<std::pair<uint32_t, size_t>>> captures;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Edge e = gradientEdge(inputs[i]);
    if (e.node) captures[e.node.get()].emplace_back(e.input, i);
  }
  Values results(inputs.size());
  // What can be reached, and what is on a way to an input. Post-order without recursion: tapes are long.
  struct Frame {
    AutogradNode* node;
    size_t at;
  };
  std::vector<Frame> stack;
  for (const Edge& r : roots) {
    if (states[r.node.get()].seen) continue;
    states[r.node.get()].seen = true;
    stack.push_back({r.node.get(), 0});
    while (!stack.empty()) {
      Frame& f = stack.back();
      if (f.at < f.node->next.size()) {
        AutogradNode* n = f.node->next[f.at++].node.get();
        if (!n) continue;
        State& s = states[n];
        ++s.dependencies;
        if (!s.seen) {
          s.seen = true;
          stack.push_back({n, 0});
        }
        continue;
      }
      bool needed = captures.count(f.node) > 0;
      for (const Edge& e : f.node->next)
        if (e.node && states[e.node.get()].needed) needed = true;
      states[f.node].needed = needed;
      stack.pop_back();
    }
  }
  std::priority_queue<Ready> ready;
  const auto deliver = [&](const Edge& e, const Value& grad, bool counts) {
    State& s = states[e.node.get()];
    if (counts && s.dependencies) --s.dependencies;
    if (s.needed) {
      if (s.buffer.empty()) s.buffer.resize(std::max<size_t>(e.node->inputs.size(), e.input + 1));
      if (s.buffer.size() <= e.input) s.buffer.resize(e.input + 1);
      if (!grad.isNone()) {
        Value& slot = s.buffer[e.input];
        slot = slot.isNone() ? grad : exact("aten.add.Tensor", {slot, grad});
      }
    }
    if (s.dependencies == 0 && !s.queued && s.needed && counts) {
      s.queued = true;
      ready.push({e.node.get()});
    }
  };
  // The root of all: each output's gradient arrives in turn. It counts as one edge each.
  for (const Edge& r : roots) ++states[r.node.get()].dependencies;
  for (size_t i = 0; i < roots.size(); ++i)
    deliver(
        roots[i],
        grads[i].isNone() ? grads[i] : validated(grads[i], roots[i].node->inputs[roots[i].input], "root", i),
        true);

  const ir::SourceId outerSource = source;
  const uint64_t outerSequence = currentSequence_;
  const uint32_t outerProgramNode = programNode;
  while (!ready.empty()) {
    throwIfCancelled();
    AutogradNode* node = ready.top().node;
    ready.pop();
    State& s = states[node];
    Values arrived = std::move(s.buffer);
    if (!node->hooks.empty()) source = backwardSource ? backwardSource(node->source) : node->source;
    for (const auto& [input, hook] : node->hooks)
      if (input < arrived.size() && !arrived[input].isNone()) arrived[input] = hook(*this, arrived[input]);
    if (const auto found = captures.find(node); found != captures.end())
      for (const auto& [input, index] : found->second)
        if (input < arrived.size()) results[index] = arrived[input];
    if (node->accumulates()) continue;
    std::vector<bool> needed(node->next.size(), false);
    bool any = false;
    for (size_t i = 0; i < node->next.size(); ++i) {
      needed[i] = node->next[i].node && states[node->next[i].node.get()].needed;
      any = any || needed[i];
    }
    if (!any) continue;
    source = backwardSource ? backwardSource(node->source) : node->source;
    currentSequence_ = node->sequence;
    programNode = node->programNode;
    arrived.resize(std::max(arrived.size(), node->inputs.size()));
    Values out;
    try {
      out = node->apply(*this, std::move(arrived), needed);
      out.resize(node->next.size());
      for (size_t i = 0; i < out.size(); ++i)
        if (!out[i].isNone() && node->next[i].node) {
          const Edge& e = node->next[i];
          if (needed[i] && e.input < e.node->inputs.size())
            out[i] = validated(out[i], e.node->inputs[e.input], nodeClass(node->name()) + "Backward0", i);
        }
    } catch (const NodeError&) {
      throw;
    } catch (const EvalError& e) {
      throw NodeError(e, node->programNode);
    }
    for (size_t i = 0; i < out.size(); ++i)
      if (node->next[i].node) deliver(node->next[i], needed[i] ? out[i] : Value(), true);
  }
  source = outerSource;
  programNode = outerProgramNode;
  currentSequence_ = outerSequence;
  return results;
}

Tracer::~Tracer() {
  // Long tapes would be freed by recursion otherwise, and in-place writes make them cyclic.
  for (const Ref<AutogradNode>& n : tape_) {
    n->hooks.clear();
    n->release();
  }
}

}  // namespace descry::passes

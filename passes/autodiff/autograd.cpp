// The tape: which calls are recorded, what they save, and how views and writes change history.
#include <algorithm>

#include "passes/autodiff/tape_nodes.h"

namespace descry::passes {

using ir::rules::GradRule;
using ir::rules::OpRules;

namespace {

/// Tensors in an argument, lists opened.
template <class F>
void forEachTensor(const Value& v, F&& f) {
  if (Tensor* t = tensorIn(v)) return f(TensorRef(t));
  if (v.isList())
    for (const Value& i : v.items()) forEachTensor(i, f);
}

/// A value whose tensors can be asked for sizes and dtypes, but hold nothing.
Value metaOnly(const Value& v) {
  if (Tensor* t = tensorIn(v)) {
    auto ghost = make<Tensor>();
    ghost->meta = t->meta;
    if (!t->extras->numel.isNone()) ghost->extras.own().numel = t->extras->numel;
    return Value(TensorRef(ghost));
  }
  if (v.isList()) {
    Values items;
    for (const Value& i : v.items()) items.push_back(metaOnly(i));
    return Value(std::move(items), v.kind());
  }
  return v;
}
}  // namespace

bool Tracer::requiresGrad(const Tensor& t) const {
  return t.requiresGrad || t.gradFn ||
         (t.isView() && differentiable(t.meta.dtype) && requiresGrad(*t.view->base));
}

Ref<AutogradNode> Tracer::gradFn(Tensor& t) {
  if (!t.isView()) return t.gradFn;
  if (!t.gradFn && !requiresGrad(*t.view->base)) return t.gradFn;
  if (t.version && t.attrVersion != t.version->version) {
    // The base was written since: the view's history is that of the same view taken of the base as it is now.
    refuseWriteTo(t, true);
    const bool grad = std::exchange(gradMode, true);
    const uint32_t now = t.version->version;
    t.attrVersion = now;
    const Value again = replay(t.view->way, t.view->base);
    gradMode = grad;
    Tensor* view = tensorIn(again);
    t.gradFn = view->gradFn;
    t.outputNr = view->outputNr;
    if (view == t.view->base.get()) {
      const Edge e = gradientEdge(t.view->base);
      t.gradFn = e.node;
      t.outputNr = e.input;
    }
  }
  return t.gradFn;
}

Edge Tracer::gradientEdge(const TensorRef& t) {
  if (Ref<AutogradNode> fn = gradFn(*t)) return {fn, t->outputNr};
  if (!t->requiresGrad) return {};
  if (!t->extras->accumulator) {
    auto a = make<AccumulateNode>();
    a->sequence = UINT64_MAX;
    a->inputs.push_back(gradMeta(t->meta));
    t->extras.own().accumulator = a;
  }
  return {t->extras->accumulator, 0};
}

Tracer::Saved Tracer::save(const Value& v, bool isResult) {
  Saved s;
  s.value = v;
  if (Tensor* t = tensorIn(v)) {
    if (t->version) s.version = t->version->version;
    // Tensors of a torch.func level are kept as they are: what they wrap has a history of its own.
    if (isResult && gradFn(*t) && !t->extras->level) {
      s.original = false;
      s.value = op("detach", {v});
    }
  }
  return s;
}

Value Tracer::unpack(const Saved& saved, std::string_view nodeName) {
  Tensor* t = tensorIn(saved.value);
  if (!t) return saved.value;
  const uint32_t now = t->version ? t->version->version : 0;
  if (now != saved.version)
    throw EvalError("modified-inplace",
                    "one of the variables needed for gradient computation has been modified by an inplace "
                    "operation: a saved tensor of " +
                        std::string(nodeName) + " is at version " + std::to_string(now) +
                        "; expected version " + std::to_string(saved.version) + " instead");
  if (saved.original) return saved.value;
  return op("detach", {saved.value});
}

void Tracer::bumpVersion(Tensor& t) {
  if (!t.version) t.version = make<VersionCounter>();
  ++t.version->version;
}

std::string nodeClass(std::string_view op) {
  std::string out;
  bool upper = true;
  for (char c : op) {
    if (c == '_') {
      upper = true;
      continue;
    }
    out += upper ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    upper = false;
  }
  return out;
}

void Tracer::refuseWriteTo(const Tensor& view, bool indirect) {
  if (view.view->origin == ViewOrigin::Plain) return;
  const std::string written = indirect ? "its base or another view of its base has been " : "is being ";
  const std::string of =
      view.gradFn ? "Output " + std::to_string(view.outputNr) + " of " + nodeClass(view.gradFn->name()) : "";
  const auto mode = [&](std::string_view made, std::string_view now) {
    return (of.empty() ? "A view was created in " : of + " is a view of a view which was created in ") +
           std::string(made) + " mode and " + written + "modified inplace " + std::string(now) +
           ". Given that this use case is ambiguous and error-prone, it is forbidden.";
  };
  std::string reason;
  if (view.view->origin == ViewOrigin::Inference)
    reason = mode("inference", "in normal mode");
  else if (view.view->origin == ViewOrigin::NoGrad || of.empty())
    reason = mode("no_grad", "with grad mode enabled");
  else
    reason = of + " is a view and " + written + "modified inplace.";
  if (view.view->origin == ViewOrigin::MultiOutput)
    reason +=
        " This view is the output of a function that returns multiple views. Such functions do not allow the "
        "output "
        "views to be modified inplace. You should replace the inplace operation by an out-of-place one.";
  if (view.view->origin == ViewOrigin::InCustomFunction)
    reason +=
        " This view was created inside a custom Function (or because an input was returned as-is) and the "
        "autograd "
        "logic to handle view+inplace would override the custom backward associated with the custom "
        "Function, leading "
        "to incorrect gradients. This behavior is forbidden.";
  throw EvalError("illegal-view-mutation", reason);
}

void Tracer::checkInplace(Tensor& t, bool anyRequires) {
  if (!gradMode || !anyRequires) return;
  if (t.isView()) {
    refuseWriteTo(t, false);
    if (requiresGrad(t) && isLeaf(*t.view->base))
      throw EvalError("leaf-mutation",
                      "a view of a leaf Variable that requires grad is being used in an in-place operation.");
  }
  if (requiresGrad(t) && isLeaf(t))
    throw EvalError("leaf-mutation",
                    "a leaf Variable that requires grad is being used in an in-place operation.");
}

void Tracer::rebaseHistory(const TensorRef& t, const Ref<AutogradNode>& node) {
  if (t->isView()) {
    auto slices = make<CopySlicesNode>();
    record(slices);
    // It knows both by their geometry, to which a number of elements belongs.
    numel(Value(t));
    numel(Value(t->view->base));
    slices->base = t->view->base->meta;
    slices->view = t->meta;
    slices->chain = t->view->way;
    slices->inner = node;
    slices->inputs = {gradMeta(t->view->base->meta)};
    slices->next = node->next;
    if (slices->next.empty()) slices->next.resize(1);
    slices->next[0] = gradientEdge(t->view->base);
    setGradientEdge(*t->view->base, {slices, 0});
    gradFn(*t);
    return;
  }
  setGradientEdge(*t, {node, 0});
}

void Tracer::trackView(const OpDef& op, const Values& args, const Value& result) {
  Tensor* self = tensorIn(args[0]);
  if (!self) return;
  if (!self->version) self->version = make<VersionCounter>();
  const auto mark = [&](Tensor* v, int32_t index) {
    if (!v || v == self) return;
    v->version = self->version;
    v->attrVersion = self->version->version;
    if (op.name() == "detach" || !differentiable(v->meta.dtype) || !differentiable(self->meta.dtype)) return;
    DifferentiableView& view = v->view.own();
    view.base = self->isView() ? self->view->base : TensorRef(self);
    ViewStep step{&op, args, index};
    step.args[0] = {};
    view.way = make<ViewPath>(std::move(step), self->view->way);
    view.origin = inferenceMode ? ViewOrigin::Inference
                  : !gradMode   ? ViewOrigin::NoGrad
                  : index >= 0  ? ViewOrigin::MultiOutput
                                : self->view->origin;
    view.madeBy = programNode;
  };
  if (result.isList()) {
    for (size_t i = 0; i < result.items().size(); ++i)
      mark(tensorIn(result.items()[i]), static_cast<int32_t>(i));
  } else {
    mark(tensorIn(result), -1);
  }
}

void Tracer::setHistory(const Value& result, const Ref<AutogradNode>& node, const OpRules& rules) {
  uint32_t nr = 0;
  const bool list = result.isList();
  const Values results = list ? result.items() : Values{result};
  for (const Value& v : results) {
    Tensor* t = tensorIn(v);
    node->inputs.push_back(t ? gradMeta(t->meta) : GradMeta{});
    const bool can =
        rules.differentiable.empty() || nr >= rules.differentiable.size() || rules.differentiable[nr];
    if (t && can && differentiable(t->meta.dtype)) setGradientEdge(*t, {node, nr});
    ++nr;
  }
}

void Tracer::nameCached(const Value& result) {
  // PyTorch's checkpoints keep a detached copy of every result while they trace. Nothing reads it, but its
  // name is gone.
  const char* name = decompositions == Decompositions::None ? "detach" : "alias";
  forEachTensor(result, [&](const TensorRef&) { freshName(name); });
}

Value Tracer::fromFactory(const Value& made) {
  // PyTorch makes a variable of the result: the same tensor where nobody else holds it, and a detached one
  // where a checkpoint does.
  return region && made.isTensor() && !isBelow() ? op("detach", {made}) : made;
}

bool Tracer::asksForGradient(const OpRules& rules, const Values& args) const {
  bool any = false;
  const auto look = [&](const Value& v) {
    forEachTensor(
        v, [&](const TensorRef& t) { any = any || (differentiable(t->meta.dtype) && requiresGrad(*t)); });
  };
  if (rules.grads.empty())
    for (const Value& v : args) look(v);
  for (const GradRule& g : rules.grads)
    for (uint32_t i : g.inputs)
      if (i < args.size()) look(args[i]);
  return any;
}

Ref<OpNode> Tracer::recordCall(const OpDef& op, const OpDef& formulas, const Values& args,
                               bool overwritesFirst) {
  const OpRules& rules = formulas.rules();
  auto n = make<OpNode>();
  record(n);
  n->op = &op;
  n->formulas = &formulas;
  std::vector<bool> hasFormula(args.size(), rules.grads.empty());
  std::vector<bool> saves(args.size(), false);
  for (const GradRule& g : rules.grads) {
    for (uint32_t i : g.inputs)
      if (i < args.size()) hasFormula[i] = true;
    // What only the gradient of an input reads that asks for none is not saved.
    bool wanted = false;
    for (uint32_t i : g.inputs)
      if (i < args.size())
        forEachTensor(args[i], [&](const TensorRef& t) {
          wanted = wanted || (differentiable(t->meta.dtype) && requiresGrad(*t));
        });
    for (size_t i = 0; i < g.savesInput.size() && i < args.size(); ++i) {
      saves[i] = saves[i] || (wanted && g.savesInput[i]);
      // Counted now, not when the gradient is computed.
      if (wanted && g.countsInput[i] && tensorIn(args[i])) numel(args[i]);
    }
  }
  for (uint32_t i = 0; i < args.size(); ++i) {
    if (!hasFormula[i]) continue;
    const bool list = args[i].isList();
    if (!list && !tensorIn(args[i])) continue;
    OpNode::Span span{i, static_cast<uint32_t>(n->next.size()), 0, list};
    const auto edge = [&](const Value& v) {
      Tensor* t = tensorIn(v);
      n->next.push_back(t && differentiable(t->meta.dtype) && requiresGrad(*t) ? gradientEdge(TensorRef(t))
                                                                               : Edge{});
      ++span.count;
    };
    if (list) {
      for (const Value& v : args[i].items()) edge(v);
    } else {
      edge(args[i]);
    }
    n->spans.push_back(span);
  }
  const auto copied = [&](const Value& v) { return this->op("clone", {v}); };
  for (uint32_t i = 0; i < args.size() && i < formulas.schema().arguments.size(); ++i) {
    // An in-place op overwrites what its formula reads: a copy is saved.
    if (!saves[i]) {
      n->args.push_back({metaOnly(args[i]), 0, true});
    } else if (overwritesFirst && i == 0 && !op.has(ir::kOpInplaceView)) {
      n->args.push_back(save(
          args[0].isList() ? Value(Values{copied(args[0].items().at(0))}, args[0].kind()) : copied(args[0]),
          false));
    } else {
      n->args.push_back(save(args[i], false));
    }
  }
  return n;
}

void Tracer::saveResults(OpNode& node, const Values& results) {
  const OpRules& rules = node.formulas->rules();
  const ir::Schema& schema = node.formulas->schema();
  std::vector<bool> saves;
  for (const GradRule& g : rules.grads)
    for (size_t i = 0; i < g.savesResult.size(); ++i) {
      if (saves.size() <= i) saves.resize(i + 1, false);
      saves[i] = saves[i] || g.savesResult[i];
    }
  const bool listResult = schema.returns.size() == 1 && schema.returns[0].type.isList();
  node.results.resize(results.size());
  // PyTorch saves results by name in alphabetical order, which shows in the order of the detach nodes.
  node.order.resize(results.size());
  for (uint32_t i = 0; i < results.size(); ++i) node.order[i] = i;
  if (!listResult)
    std::stable_sort(node.order.begin(), node.order.end(), [&](uint32_t a, uint32_t b) {
      const auto nameOf = [&](uint32_t i) {
        const std::string& n = schema.returns.at(i).name;
        return n.empty() ? "result" + std::to_string(i) : n;
      };
      return a < schema.returns.size() && b < schema.returns.size() && nameOf(a) < nameOf(b);
    });
  for (uint32_t i : node.order) {
    const bool wanted = listResult ? (!saves.empty() && saves[0]) : i < saves.size() && saves[i];
    Saved s;
    if (wanted) {
      s = save(results[i], true);
    } else {
      // Only its meta may be asked for.
      s.value = metaOnly(results[i]);
    }
    node.results[i] = s;
  }
}

Value Tracer::foreachInPlace(const OpDef& op, const OpDef& formulas, const Values& args) {
  const Values& written = args[0].items();
  std::vector<Ref<OpNode>> nodes(written.size());
  for (size_t i = 0; i < written.size(); ++i) {
    Values one = args;
    for (size_t k = 0; k < args.size(); ++k)
      if (args[k].isList() && args[k].items().size() == written.size())
        one[k] = Value(Values{args[k].items()[i]}, args[k].kind());
    const bool any =
        gradMode && !formulas.rules().notDifferentiable && asksForGradient(formulas.rules(), one);
    checkInplace(*tensorIn(written[i]), any);
    if (any) nodes[i] = recordCall(op, formulas, one, true);
  }
  const uint64_t outerSequence = currentSequence_;
  for (const Ref<OpNode>& n : nodes)
    if (n) currentSequence_ = n->sequence;
  const Value result = functionalize(op, args);
  currentSequence_ = outerSequence;
  // PyTorch does not count these writes while it traces: views keep the history that they had before.
  for (size_t i = 0; i < written.size(); ++i) {
    const TensorRef t(tensorIn(written[i]));
    if (!nodes[i] || !differentiable(t->meta.dtype)) continue;
    nodes[i]->inputs.push_back(gradMeta(t->meta));
    rebaseHistory(t, nodes[i]);
    saveResults(*nodes[i], {written[i]});
  }
  return result;
}

Value Tracer::autograd(const OpDef& op, Values args) {
  const bool writes = op.has(ir::kOpMutates);
  const OpDef* formulas = &op;
  if (writes) {
    const OpDef* variant = functionalVariant(op);
    if (variant && op.rules().grads.empty() && !op.rules().notDifferentiable) formulas = variant;
  }
  if (!writes && op.rules().grads.empty() && !op.rules().notDifferentiable)
    if (const OpDef* view = ir::viewOfCopy(op)) formulas = view;
  const OpRules& rules = formulas->rules();
  const ir::Schema& schema = op.schema();
  const bool isCopy = op.ns() == "aten" && op.name() == "copy_";
  const bool isDetach = op.ns() == "aten" && (op.name() == "detach" || op.name() == "detach_");
  // Batch norm and its like write running statistics besides what they return: those have no history.
  const bool inplace = writes && std::all_of(schema.returns.begin(), schema.returns.end(),
                                             [](const auto& r) { return r.type.writes(); });
  const bool outForm = writes && schema.arguments.size() > 0 && schema.arguments.back().keywordOnly &&
                       schema.arguments.back().type.writes();

  if (inplace && !args.empty() && args[0].isList() && op.name().starts_with("_foreach_"))
    return foreachInPlace(op, *formulas, args);

  // Whether a gradient may be asked for through this call.
  bool any = false;
  if (gradMode && !isDetach && !rules.notDifferentiable) {
    if (isCopy) {
      any = (tensorIn(args[0]) && requiresGrad(*tensorIn(args[0]))) ||
            (tensorIn(args[1]) && requiresGrad(*tensorIn(args[1])));
      any = any && differentiable(args[0].meta().dtype);
    } else {
      any = asksForGradient(rules, args);
    }
  }
  const bool returnsTensors = std::any_of(schema.returns.begin(), schema.returns.end(),
                                          [](const auto& r) { return r.type.isTensorLike(); });
  if (any && op.declared() && rules.grads.empty() && !returnsTensors) any = false;
  if (any && op.declared() && rules.grads.empty() && !rules.undefinedGradient)
    throw EvalError(
        "unknown-gradient",
        "a gradient has to pass " + op.target() + ", and its declaration does not say how: add `grad " +
            (schema.arguments.empty() ? "x" : schema.arguments[0].name) +
            ": ...`, `grad none` when its results have no gradient, or `grad undefined` when nothing was "
            "registered for autograd");
  if (outForm && any)
    throw EvalError("out-requires-grad", std::string(op.name()) +
                                             "(): functions with out=... arguments don't support automatic "
                                             "differentiation, but one of the arguments requires grad.");
  if (op.ns() == "aten" && op.name() == "resize_" && requiresGrad(*tensorIn(args[0])))
    throw EvalError("resized-gradient", "cannot resize variables that require grad");
  if (isDetach && inplace) {
    if (tensorIn(args[0])->view->base)
      throw EvalError("illegal-view-mutation", "Can't detach views in-place. Use detach() instead.");
  } else if (inplace) {
    for (size_t i = 0; i < schema.arguments.size(); ++i)
      if (schema.arguments[i].type.writes())
        forEachTensor(args[i], [&](const TensorRef& t) { checkInplace(*t, any || requiresGrad(*t)); });
  }

  Ref<AutogradNode> node;
  Ref<OpNode> recorded;
  if (any && isCopy) {
    auto n = make<CopyNode>();
    record(n);
    n->source_ = args[1].meta();
    n->next = {gradientEdge(TensorRef(tensorIn(args[0]))), {}};
    if (Tensor* src = tensorIn(args[1]); src && requiresGrad(*src)) n->next[1] = gradientEdge(TensorRef(src));
    node = n;
  } else if (any) {
    node = recorded = recordCall(op, *formulas, args, inplace);
  }

  const bool forward = !isDetach && forwardMode(args);
  Value original;
  if (forward && inplace && !isCopy && !op.has(ir::kOpInplaceView)) {
    const auto reads = [](const ir::rules::JvpRule& r) { return !r.primals.empty() && r.primals[0]; };
    const std::vector<ir::rules::JvpRule>& own = op.rules().jvps.empty() ? rules.jvps : op.rules().jvps;
    if (std::any_of(own.begin(), own.end(), reads)) original = this->op("clone", {args[0]});
  }
  if (forward && outForm)
    throw EvalError("forward-mode",
                    std::string(op.name()) + "(): functions with out=... arguments don't support forward AD");
  const uint64_t outerSequence = currentSequence_;
  if (node) currentSequence_ = node->sequence;
  Value result = functionalize(op, args);
  currentSequence_ = outerSequence;
  if (region && recording && !isDetach) nameCached(result);

  if (isDetach && op.name() == "detach_") {
    Tensor* t = tensorIn(args[0]);
    t->gradFn = {};
    t->requiresGrad = false;
    return args[0];
  }
  if (inplace) {
    bool first = true;
    for (size_t i = 0; i < schema.arguments.size(); ++i) {
      const ir::SchemaType& type = schema.arguments[i].type;
      if (!type.writes()) continue;
      // PyTorch counts a write by what the op returns: the noise of rrelu_with_noise_ is written unnoticed.
      const bool counted = schema.returns.empty() || !type.alias ||
                           std::any_of(schema.returns.begin(), schema.returns.end(), [&](const auto& r) {
                             return r.type.alias && r.type.alias->before == type.alias->before;
                           });
      forEachTensor(args[i], [&](const TensorRef& t) {
        if (counted) bumpVersion(*t);
        if (node && differentiable(t->meta.dtype)) {
          node->inputs.push_back(gradMeta(t->meta));
          if (first || args[i].isList()) {
            // A view in place is a new view of the same tensor, no write to it: its base keeps its history.
            if (args[i].isList() || op.has(ir::kOpInplaceView))
              setGradientEdge(*t, {node, static_cast<uint32_t>(node->inputs.size() - 1)});
            else
              rebaseHistory(t, node);
          }
          first = false;
        }
      });
    }
  } else {
    if (op.has(ir::kOpView)) {
      // The bits read as another type are a view that autograd does not know, by way of detach.
      if (op.name() == "view" && op.overload() == "dtype" && result.isTensor()) {
        const OpDef* detach = ops_.find("aten.detach.default");
        const Value bits = result;
        trackView(op, args, bits);
        result = functionalize(*detach, {bits});
        trackView(*detach, {bits}, result);
      } else {
        trackView(op, args, result);
      }
    }
    if (node) setHistory(result, node, rules);
  }
  if (forward) {
    if (isCopy)
      copyTangent(args[0], args[1]);
    else
      forwardOf(op, *formulas, args, original, result);
  }
  if (recorded) saveResults(*recorded, result.isList() ? result.items() : Values{result});
  return result;
}

}  // namespace descry::passes

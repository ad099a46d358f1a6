#include "runtime/interpreter/graph_runner.h"

#include <algorithm>
#include <chrono>

#include "ir/ops/eval/builtins.h"
#include "ir/ops/eval/literals.h"
#include "ir/ops/eval/promotion.h"

namespace descry::runtime {

using ir::ArgView;
using ir::NodeId;
using ir::OpKind;
using ir::ValueKind;
using ir::eval::Keywords;

namespace {

/// An argument: a constant, the value of a node, or a container of such.
struct Template {
  enum Kind : uint8_t { Constant, Node, Container } kind = Constant;
  Value constant;
  uint32_t node = 0;
  VKind container = VKind::List;
  std::vector<Template> items;

  Value value(const Values& environment) const {
    switch (kind) {
      case Constant:
        return constant;
      case Node:
        return environment[node];
      case Container:
        break;
    }
    Values out;
    out.reserve(items.size());
    for (const Template& t : items) out.push_back(t.value(environment));
    return Value(std::move(out), container);
  }
};

Template templateOf(ArgView arg) {
  Template t;
  if (arg.kind() == ValueKind::NodeRef) {
    t.kind = Template::Node;
    t.node = arg.node().index;
    return t;
  }
  const std::optional<VKind> container = ir::eval::containerOf(arg);
  if (!container) {
    t.constant = ir::eval::literalOf(arg);
    return t;
  }
  t.kind = Template::Container;
  t.container = *container;
  bool plain = true;
  for (uint32_t i = 0; i < arg.size(); ++i) {
    t.items.push_back(templateOf(arg[i]));
    plain = plain && t.items.back().kind == Template::Constant;
  }
  if (plain) {
    // Made once. Lists that a step changes are never constants: nothing in a graph changes a list.
    t.constant = t.value({});
    t.kind = Template::Constant;
  }
  return t;
}

std::string textOfValue(const Value& v, int depth) {
  if (v.isTensor()) {
    const Meta& m = v.meta();
    std::string s(ir::dtypeInfo(m.dtype).shortName);
    s += '[';
    for (size_t d = 0; d < m.sizes.size(); ++d) s += (d ? ", " : "") + m.sizes[d].str();
    return s + ']';
  }
  if (v.isList()) {
    std::string s = "[";
    for (size_t i = 0; i < v.items().size(); ++i) {
      if (i == 8 || depth > 3) return s + ", ...]";
      s += (i ? ", " : "") + textOfValue(v.items()[i], depth + 1);
    }
    return s + "]";
  }
  return ir::eval::textOf(v);
}

}  // namespace

std::string shapesOf(const Values& values) {
  std::string s;
  for (const Value& v : values) s += (s.empty() ? "" : ", ") + textOfValue(v, 0);
  return s;
}

namespace {

/// Python's operators on plain numbers, as symbolic sizes are computed with.
bool ofNumbers(ir::eval::Interpreter& rules, std::string_view target, const Values& args, Value& out) {
  if (target.starts_with("_operator.")) target.remove_prefix(1);
  if (!target.starts_with("operator.") || args.empty() || args.size() > 2) return false;
  if (!std::all_of(args.begin(), args.end(), [](const Value& v) { return v.isNumber(); })) return false;
  const std::string_view name = target.substr(9);
  if (args.size() == 2) {
    if (const auto op = ir::eval::binaryNamed(name))
      return out = rules.binary(*op, args[0], args[1], true), true;
    if (const auto op = ir::eval::compareNamed(name))
      return out = rules.compare(*op, args[0], args[1], true), true;
    return false;
  }
  if (name == "neg") return out = rules.unary('-', args[0], true), true;
  if (name == "not_") return out = Value::boolean(!args[0].truthy()), true;
  return false;
}

}  // namespace

struct GraphRunner::Step {
  enum Kind : uint8_t { Op, Spelling, GetItem, Attribute, SubgraphReference, HigherOrder } kind = Op;
  NodeId node;
  const OpDef* op = nullptr;
  std::string_view target;
  std::vector<Template> args;
  std::vector<std::pair<std::string_view, Template>> keywords;
  std::vector<uint32_t> dead;  ///< nodes that nobody reads behind this step

  /// Where the arguments of the op come from, once they were bound: number of `args`, then of `keywords`, or
  /// kBound for a value that is always the same.
  static constexpr uint32_t kBound = 0xFFFFFFFF;
  struct Source {
    uint32_t from = kBound;
    Value bound;
    bool tensor = false;  ///< only a tensor or None may come in without being bound again
  };
  std::vector<Source> sources;
  bool ready = false, simple = false;
};

struct GraphRunner::Prepared {
  const ir::Graph* graph = nullptr;
  std::vector<NodeId> placeholders;
  std::vector<Step> steps;
  std::vector<size_t> stepOf;  ///< by node, once it was asked for
  std::vector<Template> outputs;
};

GraphRunner::GraphRunner(const ir::Module& module, const ir::Graph& graph, Machine& machine)
    : module_(module), graph_(graph), machine_(machine) {
  prepared(graph);
}
GraphRunner::~GraphRunner() = default;

void GraphRunner::setAttribute(std::string name, Value value) {
  attributes_[std::move(name)] = std::move(value);
}

std::vector<std::string> GraphRunner::missingAttributes() const {
  std::vector<std::string> out;
  for (const auto& [graph, p] : prepared_)
    for (const Step& s : p->steps)
      if (s.kind == Step::Attribute && !attributes_.count(std::string(s.target))) out.emplace_back(s.target);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

GraphRunner::Prepared& GraphRunner::prepared(const ir::Graph& graph) {
  std::unique_ptr<Prepared>& slot = prepared_[&graph];
  if (slot) return *slot;
  auto made = std::make_unique<Prepared>();
  made->graph = &graph;
  if (graph.truncated && !graph.output().valid())
    throw EvalError("truncated-graph", "the text of the graph '" + graph.name + "' ends without a return");
  std::vector<uint32_t> lastUse(graph.idBound(), NodeId::kNone);
  for (const NodeId id : graph.nodes()) {
    const ir::Node& n = graph.node(id);
    if (n.op == OpKind::Placeholder) {
      made->placeholders.push_back(id);
      continue;
    }
    if (n.op == OpKind::Output) continue;
    Step step;
    step.node = id;
    step.target = graph.target(id);
    for (uint32_t i = 0; i < graph.argCount(id); ++i) step.args.push_back(templateOf(graph.arg(id, i)));
    for (uint32_t i = 0; i < graph.kwargCount(id); ++i)
      step.keywords.emplace_back(graph.kwargKey(id, i), templateOf(graph.kwarg(id, i)));
    if (n.op == OpKind::GetAttr) {
      step.kind = module_.child(graph, step.target) ? Step::SubgraphReference : Step::Attribute;
    } else if (n.op == OpKind::CallModule) {
      throw RunFailure(EvalError("unsupported-call",
                                 "a call of a submodule cannot be run: capture the graph with "
                                 "its modules inlined"),
                       graph, id, "");
    } else if (n.op == OpKind::CallMethod) {
      step.kind = Step::Spelling;
    } else if (step.target == "operator.getitem" || step.target == "_operator.getitem") {
      step.kind = Step::GetItem;
    } else if (step.target.starts_with("torch.ops.higher_order.")) {
      step.kind = Step::HigherOrder;
    } else if (step.target.starts_with("torch.ops.")) {
      std::string_view ns, name, overload;
      if (ir::splitTarget(step.target, ns, name, overload) && !overload.empty())
        step.op = machine_.ops().find(step.target);
      step.kind = step.op ? Step::Op : Step::Spelling;
    } else {
      step.kind = Step::Spelling;
    }
    const auto at = static_cast<uint32_t>(made->steps.size());
    graph.forEachInput(id, [&](NodeId in) { lastUse[in.index] = at; });
    lastUse[id.index] = at;  // a value that nobody reads dies at once
    made->steps.push_back(std::move(step));
  }
  for (const ArgView& v : graph.outputs()) made->outputs.push_back(templateOf(v));
  if (graph.output().valid())
    graph.forEachInput(graph.output(), [&](NodeId in) { lastUse[in.index] = NodeId::kNone; });
  for (uint32_t i = 0; i < lastUse.size(); ++i)
    if (lastUse[i] != NodeId::kNone) made->steps[lastUse[i]].dead.push_back(i);
  slot = std::move(made);
  return *slot;
}

Values GraphRunner::run(const Values& inputs, const RunHooks& hooks) {
  environment_.clear();
  return runGraph(prepared(graph_), inputs, &hooks, environment_);
}

Value GraphRunner::runNode(NodeId node, const Values& environment) {
  struct Running {
    std::vector<const ir::Graph*>& list;
    Running(std::vector<const ir::Graph*>& l, const ir::Graph* g) : list(l) { list.push_back(g); }
    ~Running() { list.pop_back(); }
  } running(running_, &graph_);
  return runStep(graph_, stepOf(node), environment);
}

Values GraphRunner::argumentsOf(NodeId node, const Values& environment) {
  Values out;
  const Step& step = stepOf(node);
  for (const Template& t : step.args) out.push_back(t.value(environment));
  for (const auto& [key, t] : step.keywords) out.push_back(t.value(environment));
  return out;
}

Values GraphRunner::outputsOf(const Values& environment) {
  Values out;
  for (const Template& t : prepared(graph_).outputs) out.push_back(t.value(environment));
  return out;
}

GraphRunner::Step& GraphRunner::stepOf(NodeId node) {
  Prepared& p = prepared(graph_);
  if (p.stepOf.empty()) {
    p.stepOf.assign(graph_.idBound(), 0);
    for (size_t i = 0; i < p.steps.size(); ++i) p.stepOf[p.steps[i].node.index] = i;
  }
  return p.steps.at(p.stepOf.at(node.index));
}

Values GraphRunner::callSubgraph(const Value& reference, const Values& inputs) {
  if (reference.kind() != VKind::Object || !reference.text().starts_with("self."))
    throw EvalError("bad-call", "a graph is expected, found " + reference.describe());
  const ir::Graph* child = module_.child(*running_.back(), std::string_view(reference.text()).substr(5));
  if (!child) throw EvalError("missing-graph", "there is no graph " + reference.text());
  if (running_.size() > 200) throw EvalError("rule-limit", "graphs that call one another without end");
  Values environment;
  return runGraph(prepared(*child), inputs, nullptr, environment);
}

Values GraphRunner::runGraph(Prepared& p, const Values& inputs, const RunHooks* hooks, Values& environment) {
  const ir::Graph& graph = *p.graph;
  if (inputs.size() != p.placeholders.size())
    throw EvalError("missing-input", "the graph '" + graph.name + "' takes " +
                                         std::to_string(p.placeholders.size()) + " inputs, given are " +
                                         std::to_string(inputs.size()));
  struct Running {
    std::vector<const ir::Graph*>& list;
    Running(std::vector<const ir::Graph*>& l, const ir::Graph* g) : list(l) { list.push_back(g); }
    ~Running() { list.pop_back(); }
  } running(running_, &graph);
  environment.assign(graph.idBound(), {});
  for (size_t i = 0; i < inputs.size(); ++i) environment[p.placeholders[i].index] = inputs[i];
  const bool keep = hooks && hooks->keepValues;
  using Clock = std::chrono::steady_clock;
  for (Step& step : p.steps) {
    if (hooks && hooks->goOn && !hooks->goOn(step.node)) break;
    const Clock::time_point start = hooks && hooks->time ? Clock::now() : Clock::time_point{};
    try {
      environment[step.node.index] = runStep(graph, step, environment);
    } catch (RunFailure& e) {
      if (hooks && !e.inRoot) {
        e.node = step.node;
        e.inRoot = true;
      }
      throw;
    } catch (const EvalError& e) {
      Values args;
      for (const Template& t : step.args) args.push_back(t.value(environment));
      RunFailure failure(e, graph, step.node, shapesOf(args));
      failure.inRoot = hooks != nullptr;
      throw failure;
    } catch (const std::bad_alloc&) {
      throw RunFailure(EvalError("out-of-memory", "the system has no more memory"), graph, step.node, "");
    }
    if (hooks && hooks->onNode) {
      const double seconds = hooks->time ? std::chrono::duration<double>(Clock::now() - start).count() : 0;
      hooks->onNode(step.node, environment[step.node.index], seconds);
    }
    if (!keep)
      for (const uint32_t dead : step.dead) environment[dead] = {};
  }
  Values out;
  for (const Template& t : p.outputs) out.push_back(t.value(environment));
  return out;
}

Value GraphRunner::runStep(const ir::Graph& graph, Step& step, const Values& environment) {
  switch (step.kind) {
    case Step::SubgraphReference:
      return Value::str("self." + std::string(step.target), VKind::Object);
    case Step::Attribute: {
      const auto at = attributes_.find(std::string(step.target));
      // Tree specs and the like are passed on by name.
      if (at == attributes_.end() && graph.type(step.node).kind != ir::TypeKind::Tensor)
        return Value::str("self." + std::string(step.target), VKind::Object);
      if (at == attributes_.end())
        throw EvalError("missing-attribute", "the values of the tensor self." + std::string(step.target) +
                                                 " are not known: the file does not hold them");
      return at->second;
    }
    case Step::GetItem: {
      const Value object = step.args.at(0).value(environment), index = step.args.at(1).value(environment);
      return machine_.rules().subscript(object, index, true);
    }
    case Step::Op:
      break;
    default: {
      Values args;
      for (const Template& t : step.args) args.push_back(t.value(environment));
      Keywords keywords;
      for (const auto& [key, t] : step.keywords) keywords.emplace_back(key, t.value(environment));
      if (step.kind == Step::HigherOrder) {
        std::string_view name = step.target.substr(std::string_view("torch.ops.higher_order.").size());
        if (const size_t dot = name.find('.'); dot != std::string_view::npos) name = name.substr(0, dot);
        return runHigherOrder({*this, name, std::move(args), std::move(keywords)});
      }
      if (step.target.starts_with("torch.ops.")) {
        std::string_view ns, name, overload;
        ir::splitTarget(step.target, ns, name, overload);
        const OpDef* head = machine_.ops().findName(ns, name);
        if (!head)
          throw EvalError("unsupported-op",
                          "the op " + std::string(step.target) +
                              " is not in the op table: nothing is known of what it computes");
        return machine_.rules().callOp(head->head(), std::move(args), keywords, true);
      }
      if (graph.node(step.node).op == OpKind::CallMethod) {
        if (!args.empty() && args[0].isTensor())
          return machine_.rules().callSpelling("." + std::string(step.target), std::move(args), keywords);
        bool known = false;
        Values rest(args.begin() + (args.empty() ? 0 : 1), args.end());
        const Value v = args.empty()
                            ? Value()
                            : ir::eval::plainMethod(machine_.rules(), args[0], step.target, rest, known);
        if (!known) throw EvalError("unsupported-call", "no method " + std::string(step.target));
        return v;
      }
      if (Value number; ofNumbers(machine_.rules(), step.target, args, number)) return number;
      return machine_.rules().callSpelling(step.target, std::move(args), keywords);
    }
  }
  if (step.ready && step.simple) {
    Values bound;
    bound.reserve(step.sources.size());
    bool fits = true;
    for (const Step::Source& s : step.sources) {
      if (s.from == Step::kBound) {
        bound.push_back(s.bound);
        continue;
      }
      bound.push_back(s.from < step.args.size()
                          ? step.args[s.from].value(environment)
                          : step.keywords[s.from - step.args.size()].second.value(environment));
      fits = fits && (!s.tensor || bound.back().isTensor() || bound.back().isNone());
    }
    if (fits) return machine_.call(*step.op, std::move(bound));
  }
  Values args;
  for (const Template& t : step.args) args.push_back(t.value(environment));
  Keywords keywords;
  for (const auto& [key, t] : step.keywords) keywords.emplace_back(key, t.value(environment));
  Values bound;
  std::string why;
  if (!ir::eval::bindTo(*step.op, args, keywords, true, false, bound, &why, true) &&
      !ir::eval::bindTo(*step.op, args, keywords, false, false, bound, &why, true))
    throw EvalError("type-error", std::string(step.target) + ": " + why);
  if (!step.ready) {
    // Which argument each parameter was given; what was converted while it was bound is simple only when it
    // is a constant.
    step.ready = step.simple = true;
    const ir::Schema& schema = step.op->schema();
    for (size_t i = 0; i < schema.arguments.size() && step.simple; ++i) {
      Step::Source source;
      uint32_t from = Step::kBound;
      if (i < step.args.size() && !schema.arguments[i].keywordOnly) from = static_cast<uint32_t>(i);
      for (size_t k = 0; k < step.keywords.size(); ++k)
        if (step.keywords[k].first == schema.arguments[i].name)
          from = static_cast<uint32_t>(step.args.size() + k);
      if (from == Step::kBound) {
        source.bound = bound[i];
      } else {
        const Template& t =
            from < step.args.size() ? step.args[from] : step.keywords[from - step.args.size()].second;
        if (t.kind == Template::Constant) {
          source.bound = bound[i];
        } else if (t.kind == Template::Node && schema.arguments[i].type.base == "Tensor" &&
                   !schema.arguments[i].type.isList() && (bound[i].isTensor() || bound[i].isNone())) {
          source.from = from;
          source.tensor = true;
        } else if (t.kind == Template::Container && schema.arguments[i].type.base == "Tensor") {
          source.from = from;
        } else {
          step.simple = false;
        }
      }
      step.sources.push_back(std::move(source));
    }
    // A call with keywords that the schema names otherwise, or ints one by one, is bound each time.
    if (step.args.size() + step.keywords.size() > schema.arguments.size()) step.simple = false;
  }
  return machine_.call(*step.op, std::move(bound));
}

}  // namespace descry::runtime

// Rules about nodes, names, order and subgraphs.
#include <unordered_map>
#include <unordered_set>

#include "ir/ops/bind.h"
#include "ir/support/python_text.h"
#include "ir/verify/checks.h"

namespace descry::ir {

void checkForest(const Module& module, DiagnosticSink& sink) {
  auto report = [&](const Graph& g, std::string message) {
    Diagnostic d;
    d.code = "subgraph-cycle";
    d.message = std::move(message);
    d.graph = g.name;
    d.loc = g.begin;
    sink.add(std::move(d));
  };
  const size_t count = module.graphs.size();
  std::vector<uint32_t> holders(count, 0);
  for (const Graph& g : module.graphs) {
    for (const Graph::Child& c : g.children) {
      if (c.graph >= count) {
        report(g, "'" + std::string(g.str(c.attribute)) + "' names a subgraph that the module does not have");
      } else if (++holders[c.graph] == 2) {
        report(module.graphs[c.graph], "subgraph '" + module.graphs[c.graph].name + "' has two parents");
      }
    }
  }
  // A graph that no root reaches is on a cycle, or below one.
  std::vector<bool> reached(count, false);
  std::vector<uint32_t> work;
  for (uint32_t i = 0; i < count; ++i)
    if (holders[i] == 0) work.push_back(i);
  while (!work.empty()) {
    const uint32_t at = work.back();
    work.pop_back();
    if (reached[at]) continue;
    reached[at] = true;
    for (const Graph::Child& c : module.graphs[at].children)
      if (c.graph < count) work.push_back(c.graph);
  }
  for (uint32_t i = 0; i < count; ++i)
    if (!reached[i]) report(module.graphs[i], "subgraph '" + module.graphs[i].name + "' is inside itself");
}

/// True for graphs that AOT printed with descriptors.
static bool hasDescriptors(const Graph& g) {
  if (!g.outputDescs.empty()) return true;
  for (NodeId id : g.nodes())
    if (g.node(id).desc) return true;
  return false;
}

void checkStructure(GraphCheck& check) {
  const Graph& g = check.graph;
  check.position.assign(g.idBound(), 0);
  uint32_t at = 0;
  for (NodeId id : g.nodes()) check.position[id.index] = ++at;

  std::unordered_map<uint32_t, NodeId> byName;
  byName.reserve(g.size());
  NodeId output;
  bool calls = false, lateReported = false;
  const bool aot = hasDescriptors(g);
  for (NodeId id : g.nodes()) {
    const Node& n = g.node(id);
    const bool isOutput = n.op == OpKind::Output;

    const auto [first, fresh] = byName.emplace(n.name.index, id);
    if (!fresh && !isOutput && g.node(first->second).op != OpKind::Output) {
      std::string message = "the name " + check.quoted(id) + " is taken by an earlier node";
      if (const uint32_t line = g.node(first->second).line) message += " on line " + std::to_string(line);
      check.report("duplicate-name", id, std::move(message));
    }
    if (!isOutput && !(n.flags & kNodeUnparsed) &&
        (!isIdentifier(g.nodeName(id)) || isPythonKeyword(g.nodeName(id))))
      check.report("name-not-identifier", id,
                   "the name " + pythonString(g.nodeName(id)) + " is no identifier");

    std::unordered_set<uint32_t> told;
    g.forEachInput(id, [&](NodeId in) {
      if (in.index >= g.idBound() || !check.position[in.index]) {
        if (told.insert(in.index).second)
          check.report("dangling-node", id, check.quoted(id) + " reads a node that is not in the graph");
        return;
      }
      if (g.node(in).op == OpKind::Output && told.insert(in.index).second)
        check.report("output-read", id, check.quoted(id) + " reads the output node");
      if (check.position[in.index] >= check.position[id.index] && told.insert(in.index).second) {
        if (in == id) {
          check.report("use-before-definition", id, check.quoted(id) + " reads itself");
        } else {
          std::string message =
              check.quoted(id) + " reads " + check.quoted(in) + ", which is defined below it";
          if (const uint32_t line = g.node(in).line) message += " on line " + std::to_string(line);
          check.report("use-before-definition", id, std::move(message));
        }
      }
    });

    if (n.flags & kNodeExternal) {
      check.report("undefined-name", id, check.quoted(id) + " is read but defined nowhere");
    } else if (n.flags & kNodeUnparsed) {
      check.report("unread-statement", id, "the statement of " + check.quoted(id) + " could not be read");
    }
    if (isOutput) {
      if (output)
        check.report("several-outputs", id, "a second output node");
      else if (g.next(id))
        check.report("output-order", id, "nodes follow the output node");
      output = id;
    } else if (n.op == OpKind::Placeholder) {
      if (calls && aot)
        check.report("placeholder-order", id,
                     "the input " + check.quoted(id) + " stands behind computed nodes");
      else if (calls && !lateReported)
        check.report("late-placeholder", id,
                     "the input " + check.quoted(id) + " stands behind computed nodes");
      lateReported |= calls;
    } else {
      calls = true;
    }
  }
  if (!output && !g.truncated && !g.style.pass)
    check.report("missing-output", {}, "the graph '" + g.name + "' has no output");
  if (g.truncated)
    check.report("truncated-graph", {}, "the text of the graph '" + g.name + "' ends without a return");
}

namespace {

/// Parameters of higher order ops that take a graph.
bool takesGraph(std::string_view parameter) {
  for (const char* known :
       {"true_fn", "false_fn", "cond_fn", "body_fn", "combine_fn", "subgraph", "fwd", "bwd", "wrapped_func",
        "function", "func", "gmod", "gm", "score_mod", "fw_graph", "joint_graph", "branches"})
    if (parameter == known) return true;
  return false;
}

class SubgraphCheck {
 public:
  explicit SubgraphCheck(GraphCheck& check) : check_(check), g_(check.graph) {}

  void run() {
    for (NodeId id : g_.nodes()) {
      const Node& n = g_.node(id);
      for (uint32_t i = 0; i < n.argCount; ++i) graphRefs(id, g_.arg(id, i), 0);
      for (uint32_t i = 0; i < n.kwargCount; ++i) graphRefs(id, g_.kwarg(id, i), 0);
      // Texts without a class around them (`gm.code`) do not print subgraphs; repro scripts make them in
      // `__init__`, which is not read.
      const bool printsSubgraphs =
          g_.style.hasClass && (g_.style.className != "Repro" || !g_.children.empty());
      if (n.op != OpKind::CallFunction || !printsSubgraphs || !check_.ops) continue;
      const OpDef* op = higherOrder(n.target);
      if (!op) continue;
      const BoundCall call = bindArguments(op->schema(), g_, id);
      for (const BoundArgument& a : call.arguments) {
        if (!a.value) continue;
        if (takesGraph(a.argument->name)) used(id, *a.value);
        // A block mask ends in the graph that says what is masked.
        if (a.argument->name == "block_mask" && a.value->size()) used(id, (*a.value)[a.value->size() - 1]);
      }
    }
  }

 private:
  const OpDef* higherOrder(StrId target) {
    const auto [found, fresh] = ops_.emplace(target.index, nullptr);
    if (fresh && g_.str(target).starts_with("torch.ops.higher_order."))
      found->second = check_.ops->find(g_.str(target));
    return found->second;
  }

  void used(NodeId user, const ArgView& value) {
    if (value.cell().isContainer()) {
      for (uint32_t i = 0; i < value.size(); ++i)
        if (value[i].kind() == ValueKind::NodeRef) used(user, value[i]);
      return;
    }
    if (value.kind() != ValueKind::NodeRef || !check_.position[value.node().index]) return;
    const NodeId attribute = value.node();
    if (g_.node(attribute).op != OpKind::GetAttr) return;
    if (!check_.module.child(g_, g_.target(attribute)))
      missing(attribute,
              check_.quoted(user) + " calls the subgraph '" + std::string(g_.target(attribute)) + "'");
  }

  /// No fault of a graph whose text cannot hold its subgraphs.
  void missing(NodeId node, const std::string& use) {
    if (g_.subgraphsLeftOut)
      check_.report("dangling-subgraph", node, use + ", which this form of text leaves out", Severity::Note);
    else
      check_.report("dangling-subgraph", node, use + ", which does not exist");
  }

  void graphRefs(NodeId node, const ArgView& value, int depth) {
    if (value.kind() == ValueKind::GraphRef) {
      if (!check_.module.child(g_, value.text()) && !named(value.text()))
        missing(node, check_.quoted(node) + " names the subgraph '" + std::string(value.text()) + "'");
      return;
    }
    if (depth > 200) return;
    for (uint32_t i = 0; i < value.size(); ++i) graphRefs(node, value[i], depth + 1);
  }

  bool named(std::string_view name) {
    if (!names_.size())
      for (const Graph& g : check_.module.graphs) names_.insert(g.name);
    return names_.count(std::string(name)) > 0;
  }

  GraphCheck& check_;
  const Graph& g_;
  std::unordered_map<uint32_t, const OpDef*> ops_;
  std::unordered_set<std::string> names_;
};

}  // namespace

void checkSubgraphs(GraphCheck& check) {
  SubgraphCheck(check).run();
}

}  // namespace descry::ir

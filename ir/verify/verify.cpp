#include "ir/verify/verify.h"

#include <cstring>

#include "ir/verify/checks.h"

namespace descry::ir {

const std::vector<VerifyRule>& verifyRules() {
  constexpr Severity kError = Severity::Error, kWarning = Severity::Warning, kNote = Severity::Note;
  static const std::vector<VerifyRule> kRules = {
      // Between graphs.
      {"subgraph-cycle", kError, "every subgraph exists, has one parent, and is not inside itself"},
      // Structure.
      {"duplicate-name", kError, "node names are unique in a graph"},
      {"name-not-identifier", kError, "a node's name is a Python identifier"},
      {"dangling-node", kError, "arguments name nodes that are in the graph"},
      {"use-before-definition", kError, "a value is defined above every node that reads it"},
      {"undefined-name", kError, "every name that is read is a parameter or a result"},
      {"unread-statement", kError, "every statement could be read"},
      {"missing-output", kError, "a graph has an output node"},
      {"several-outputs", kError, "a graph has one output node"},
      {"output-order", kError, "the output node is the last node"},
      {"output-read", kError, "no node reads the output node"},
      {"placeholder-order", kError, "in an AOT graph all placeholders stand first"},
      {"late-placeholder", kNote, "outside AOT graphs a placeholder may follow calls"},
      {"truncated-graph", kWarning, "the text of the graph was complete"},
      // Subgraphs.
      {"dangling-subgraph", kError,
       "a higher order op is given subgraphs that exist (a note where the form of text never prints them)"},
      // Types.
      {"type-malformed", kError, "a type annotation can be read, sizes are not negative"},
      {"stride-rank", kError, "strides, where written, are as many as sizes"},
      {"unknown-dtype", kNote, "a dtype is one of PyTorch's"},
      // Descriptors.
      {"descriptor-unknown", kNote, "a descriptor is of a known class"},
      {"descriptor-illegal", kError,
       "a descriptor wraps only what autograd and subclass flattening can make"},
      {"descriptor-side", kError, "inputs have input descriptors, outputs have output descriptors"},
      {"dummy-descriptor", kError, "a finished graph has no dummy descriptors"},
      {"descriptor-duplicate", kError, "no two inputs and no two outputs have equal descriptors"},
      {"descriptor-count", kError, "an output list has one descriptor per output"},
      {"descriptor-missing", kError, "in a joint graph every input has a descriptor"},
      {"grad-of-nothing", kError, "in a joint graph a gradient belongs to an input of the graph"},
      {"tangent-of-nothing", kError, "in a joint graph a tangent belongs to an output of the graph"},
      {"tangent-in-forward", kError, "in a joint graph no forward output depends on a tangent"},
      {"token-order", kError,
       "forward effect tokens lead the inputs and outputs, in order, and hold no elements"},
      {"saved-order", kError, "saved values end the outputs of a forward graph, numbered in order"},
      {"subclass-pieces", kError, "the pieces of one subclass stand next to one another"},
      // Calls.
      {"unknown-op", kNote, "an op is in the op table"},
      {"arity", kError, "a call gives no more positional arguments than the schema has"},
      {"unknown-keyword", kError, "a call names only arguments of the schema"},
      {"duplicate-argument", kError, "a call gives no argument twice"},
      {"missing-argument", kError, "a call gives every argument without a default"},
      {"argument-type", kError, "a literal argument is of a kind the schema takes"},
      {"output-arity", kError, "getitem takes a result that the op has"},
      {"mutation-target", kError, "in an AOT graph copy_ writes an input"},
  };
  return kRules;
}

static Severity severityOf(const char* code) {
  for (const VerifyRule& rule : verifyRules())
    if (std::strcmp(rule.code, code) == 0) return rule.severity;
  return Severity::Error;
}

void GraphCheck::report(const char* code, NodeId node, std::string message,
                        std::optional<Severity> severity) const {
  Diagnostic d;
  d.severity = severity ? *severity : severityOf(code);
  d.code = code;
  d.message = std::move(message);
  d.graph = graph.name;
  if (node) {
    const Node& n = graph.node(node);
    d.node = graph.nodeName(node);
    d.loc.line = n.line;
    d.loc.column = n.column;
  } else {
    d.loc = graph.begin;
  }
  sink.add(std::move(d));
}

void GraphCheck::reportOnce(const char* code, std::string_view key, NodeId node, std::string message) {
  const Node& n = graph.node(node);
  SourceLoc loc;
  loc.line = n.line;
  loc.column = n.column;
  sink.noteOnce(code, key, loc, std::move(message));
}

std::string GraphCheck::quoted(NodeId node) const {
  return "'" + std::string(graph.nodeName(node)) + "'";
}

void verifyModule(const Module& module, const OpRegistry* ops, DiagnosticSink& sink) {
  checkForest(module, sink);
  for (const Graph& graph : module.graphs) {
    GraphCheck check{module, graph, ops, sink, {}};
    checkStructure(check);
    checkSubgraphs(check);
    checkTypes(check);
    checkDescriptors(check);
    if (ops) checkCalls(check);
  }
}

}  // namespace descry::ir

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
      // Graphs of AOT autograd.
      {"not-functional", kError, "an AOT graph writes by copy_, set_ and their kind only"},
      {"read-after-write", kError, "in an AOT graph nothing computes with an input that was written"},
      {"written-twice", kError, "one pass copies to an input once"},
      {"token-chain", kError, "an effect token is taken once, and its chain ends in the pass where it began"},
      {"philox-slot", kError, "seeds and offsets of random state stand in their slots"},
      {"stateful-random", kError, "where random state is an input, no op on cuda draws from the generator"},
      {"dead-call", kError, "in an AOT graph a call without effect is read"},
      {"untyped-value", kError, "in an AOT graph every tensor has a type"},
      {"tangent-size", kError, "tangents come without sizes of the subclass that they are"},
      // Between the graphs of one compile.
      {"gradient-slot", kError,
       "a joint graph returns one gradient, or None, for each of its inputs, in order"},
      {"forward-inputs", kError,
       "a forward graph takes the inputs of the joint that are no tangents, in order"},
      {"forward-outputs", kError, "a forward graph returns first what the joint returns first"},
      {"backward-outputs", kError, "a backward graph returns the gradients of the joint"},
      {"foreign-call", kError, "a call of a forward or backward graph is the one of that name in the joint"},
      {"write-lost", kError, "an input that the joint writes is written in the forward or in the backward"},
      {"saved-crossing", kError, "a backward graph takes first what the forward saves, in order"},
      {"saved-symints", kError,
       "saved numbers are the last outputs of the forward and the first inputs of the backward"},
      {"saved-unchecked", kError, "saved tensors that are checked for writes come before those that are not"},
      {"saved-unread", kError, "a backward graph reads what is saved, but for numbers that types mention"},
      {"saved-tuple", kError, "a saved value is one value"},
      {"unbound-symbol", kError, "size symbols in the types of a backward graph come in as numbers"},
      // ViewAndMutationMeta.
      {"metadata-unread", kNote, "the metadata of a compile can be read"},
      {"meta-storage", kError,
       "an input that is given another storage has its metadata written, and not its data"},
      {"meta-base-index", kError,
       "base_idx stands at outputs that are made again from a base, and names one"},
      {"meta-base", kError, "each intermediate base is brought in by one output, in order"},
      {"meta-tangents", kError,
       "there is one tangent for each written input, output and base that autograd sees"},
      {"meta-inputs", kError, "the metadata has one entry for each input of the program"},
      {"meta-outputs", kError, "the metadata has one entry for each result of the program"},
      {"mutated-input", kError,
       "a graph returns the written inputs that the runtime copies back, and no others"},
      {"intermediate-base", kError, "a training graph returns the intermediate bases, in order"},
      {"returned-input", kError, "an output that is a written input is that input, or the copy into it"},
      {"meta-gradient", kError, "a gradient is returned for inputs that require one"},
      {"tangent-order", kError, "tangents come in the order of the metadata"},
      {"meta-tokens", kError, "there are as many tokens as the metadata says"},
      {"subclass-count", kError, "a wrapper subclass is as many inputs or outputs as the metadata says"},
      {"meta-saved", kError, "what crosses to the backward is what the metadata says"},
      {"donated-buffer", kError,
       "memory given to the backward belongs to saved tensors that nobody else has"},
      // Between the stages of AOT autograd.
      {"duplicate-input", kError, "a written input is not passed twice"},
      {"shared-memory", kError, "a written input shares no memory with another"},
      {"merged-inputs", kError, "merging inputs leaves each of them once, or as a view of one base"},
      {"meta-recollected", kError,
       "metadata worked out for merged inputs is what another look at the function finds"},
      {"untagged-write", kError, "a write to an input belongs to the forward or to the backward"},
      // Of a cut.
      {"must-save", kError, "what has to be saved is not computed again"},
      {"must-recompute", kError, "what has to be computed again is not saved"},
      {"wrong-side", kError, "what has to be in one part is not in the other"},
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
    checkAotGraph(check);
  }
}

}  // namespace descry::ir

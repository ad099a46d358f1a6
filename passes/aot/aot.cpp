#include "passes/aot/aot.h"

#include <iterator>
#include <new>
#include <unordered_set>
#include <utility>

#include "ir/ops/eval/strides.h"
#include "passes/aot/boundary.h"
#include "passes/aot/stages.h"

namespace descry::passes {

struct AotStages::Impl {
  Impl(const ir::Module& captured, const CapturedFacts& known, const AotOptions& options)
      : program(captured, captured.root()),
        facts(known),
        context(captured.contextPtr()),
        ops(options.ops ? *options.ops : ir::allOps()) {
    facts.unbacked = program.firstFreeUnbacked();
    liftAttributes(captured);
    f = [this](Tracer& t, const Values& inputs) {
      // The numbers of the program itself are written down as they are computed.
      struct Restore {
        Tracer& t;
        bool lazy;
        ~Restore() { t.lazyNumbers = lazy; }
      } restore{t, std::exchange(t.lazyNumbers, false)};
      return program.run(t, inputs);
    };
  }

  /// PyTorch passes the parameters and buffers of a captured module before everything else, parameters first,
  /// each in the order in which the graph reads them (aot_module_simplified; GraphModule copies what its
  /// graph names).
  void liftAttributes(const ir::Module& captured) {
    const ir::Graph& graph = captured.root();
    std::unordered_map<std::string_view, const CapturedInput*> known;
    for (const CapturedInput& a : facts.attributes) known.emplace(a.name, &a);
    std::vector<Attribute> parameters, buffers;
    std::unordered_set<std::string_view> seen;
    for (const ir::NodeId id : graph.nodes()) {
      if (graph.node(id).op != ir::OpKind::GetAttr || graph.type(id).kind != ir::TypeKind::Tensor) continue;
      const std::string_view target = graph.target(id);
      if (captured.child(graph, target) || !seen.insert(target).second) continue;
      Attribute a;
      a.node = id;
      if (const auto found = known.find(target); found != known.end()) a.input = *found->second;
      a.input.isStatic = true;
      a.input.descriptor = a.input.isParameter ? ir::Descriptor::param(std::string(target))
                                               : ir::Descriptor::buffer(std::string(target));
      (a.input.isParameter ? parameters : buffers).push_back(std::move(a));
    }
    attributes = std::move(parameters);
    attributes.insert(attributes.end(), std::make_move_iterator(buffers.begin()),
                      std::make_move_iterator(buffers.end()));
    std::vector<std::string> targets;
    for (const Attribute& a : attributes) targets.emplace_back(graph.target(a.node));
    program.liftAttributes(std::move(targets));
  }

  struct Attribute {
    ir::NodeId node;
    CapturedInput input;
  };
  std::vector<Attribute> attributes;  ///< inputs before the placeholders
  Program program;
  CapturedFacts facts;
  ir::ContextPtr context;
  const ir::OpRegistry& ops;
  FlatFunction f;
  std::vector<CapturedInput> aliases;  ///< parallel to the inputs of the result
};

AotStages::AotStages(const ir::Module& captured, const CapturedFacts& facts, const AotOptions& options)
    : captured_(captured), options_(options), impl_(std::make_unique<Impl>(captured, facts, options)) {
  out_.ops = options_.ops;
}
AotStages::~AotStages() = default;

namespace {
/// What stands in a rule that the user declares is reported there, with the call that led to it.
ir::Diagnostic placed(ir::Diagnostic d, const EvalError& e) {
  if (!e.line) return d;
  d.notes.push_back({d.loc, d.node.empty() ? "called here" : "called by " + d.node});
  d.file = e.file;
  d.loc.line = e.line;
  d.loc.column = e.column;
  return d;
}
}  // namespace

ir::Status guarded(const ir::Graph& captured, const std::function<void()>& f) {
  try {
    f();
  } catch (const TraceFailure& e) {
    ir::Diagnostic d = ir::failure(e.code, e.what());
    d.node = e.node;
    d.loc.line = e.nodeLine;
    d.loc.column = e.nodeColumn;
    return placed(std::move(d), e);
  } catch (const NodeError& e) {
    ir::Diagnostic d = ir::failure(e.code, e.what());
    if (const ir::NodeId at{e.programNode}; at.valid() && captured.contains(at)) {
      d.node = captured.nodeName(at);
      d.loc.line = captured.node(at).line;
      d.loc.column = captured.node(at).column;
    }
    return placed(std::move(d), e);
  } catch (const EvalError& e) {
    return placed(ir::failure(e.code, e.what()), e);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {
    return ir::failure("internal", std::string("Descry stumbled over this graph: ") + e.what());
  }
  return {};
}

template <class F>
ir::Status AotStages::guarded(F&& f) const {
  return passes::guarded(captured_.root(), f);
}

namespace {
void nameSizes(SubclassLayout& layout, const std::unordered_map<std::string, std::string>& equal) {
  for (SubclassLayout::Inner& i : layout.inner) {
    i.meta = underFinalNames(i.meta, equal);
    nameSizes(i.layout, equal);
  }
}

/// What an input of a wrapper subclass holds; `meta` becomes that of the wrapper.
ir::Result<SubclassLayout> layoutOfInput(const ir::Type& type, const SubclassLayout& told,
                                         std::optional<Meta>& meta,
                                         const std::unordered_map<std::string, int64_t>& hints) {
  const std::string name = told.plain() ? type.wrapper : told.name;
  const SubclassClass* known = findSubclass(name);
  if (!known)
    return ir::failure("subclass-unknown",
                       "what ops do on tensors of the wrapper subclass " + name + " is not known");
  if (!meta) {
    ir::Type plain = type;
    plain.kind = ir::TypeKind::Tensor;
    meta = metaOfType(plain, hints);
  }
  if (!meta)
    return ir::failure("missing-type", "dtype, sizes and strides of the subclass tensor are not written");
  if (!told.plain()) return told;
  SubclassLayout out;
  out.name = known->name;
  for (const std::string_view attr : known->attrs) out.inner.push_back({std::string(attr), *meta, {}});
  return out;
}
}  // namespace

ir::Status AotStages::readInputs() {
  const ir::Graph& graph = captured_.root();
  const CapturedFacts& facts = impl_->facts;
  const auto read = [&](ir::NodeId node, const CapturedInput* fact, ir::Descriptor plain) -> ir::Status {
    AotInput in;
    in.programNode = node.index;
    in.descriptor = fact && fact->descriptor ? *fact->descriptor : std::move(plain);
    const ir::Type& type = graph.type(node);
    const auto at = [&](ir::Diagnostic d) {
      d.node = graph.nodeName(node);
      d.loc.line = graph.node(node).line;
      d.loc.column = graph.node(node).column;
      return d;
    };
    const ir::Status known = guarded([&] {
      in.meta = fact && fact->meta ? fact->meta : checkedMeta(type, facts.hints);
      if (!in.meta && type.kind == ir::TypeKind::Sym) intOfText(type.sym, facts.hints);
    });
    if (!known) return at(known.error());
    if (fact) in.layout = fact->layout;
    if (type.kind == ir::TypeKind::Wrapped || !in.layout.plain()) {
      ir::Result<SubclassLayout> layout = layoutOfInput(type, in.layout, in.meta, facts.hints);
      if (!layout) return at(layout.error());
      in.layout = std::move(*layout);
      nameSizes(in.layout, facts.equalAtCapture);
    }
    if (in.meta) in.meta = underFinalNames(*in.meta, facts.equalAtCapture);
    if (!in.meta && type.kind == ir::TypeKind::Sym) {
      in.symbol = type.sym;
      const std::string name(graph.nodeName(node));
      if (name.size() > 1 && name[0] == 's' && name.find_first_not_of("0123456789", 1) == std::string::npos)
        in.originalSymbol = name;
      if (fact && !fact->originalSymbol.empty()) in.originalSymbol = fact->originalSymbol;
    } else if (!in.meta) {
      return at(ir::failure(
          "missing-type",
          "the type of input " + std::string(graph.nodeName(node)) +
              " is not written: AOT autograd needs dtype, sizes, strides and device of every input"));
    } else if (fact) {
      in.requiresGrad = fact->requiresGrad;
      in.isLeaf = fact->isLeaf;
      in.isStatic = fact->isStatic;
      in.storage = fact->storage;
      in.meta->offset = fact->offset;
      if (const std::string why = ir::eval::faultOf(*in.meta); !why.empty())
        return at(ir::failure("bad-type", "no tensor is as input " + std::string(graph.nodeName(node)) +
                                              " is said to be: " + why));
      if (fact->sameAs) in.sameAs = *fact->sameAs + impl_->attributes.size();
      in.sameAsPiece = fact->sameAsPiece;
      if (in.sameAsPiece) in.sameAsPiece->first += impl_->attributes.size();
    }
    out_.inputs.push_back(std::move(in));
    return {};
  };
  for (const Impl::Attribute& a : impl_->attributes) {
    if (ir::Status s = read(a.node, &a.input, {}); !s) return s;
    impl_->aliases.push_back(a.input);
  }
  const std::vector<ir::NodeId> placeholders = graph.placeholders();
  for (size_t i = 0; i < placeholders.size(); ++i) {
    const CapturedInput* fact = i < facts.inputs.size() ? &facts.inputs[i] : nullptr;
    if (ir::Status s = read(placeholders[i], fact, ir::Descriptor::plainInput(static_cast<int64_t>(i))); !s)
      return s;
    impl_->aliases.push_back(fact ? *fact : CapturedInput());
  }
  return {};
}

void AotStages::refuseWithSubclasses(const std::string& inputs) const {
  if (needsSubclassDispatch(out_.meta, out_.inputs))
    throw EvalError(
        "subclass-" + inputs + "-inputs",
        "Encountered " + inputs +
            " inputs that are mutated in the graph, but at least one input/output to the graph is a tensor "
            "subclass. This is not supported today. You can try to remove the aliasing yourself as a "
            "workaround");
}

void AotStages::refuseAliasedOutputs() const {
  const ir::Graph& graph = captured_.root();
  std::string list;
  ir::NodeId at;
  for (size_t i = 0; i < out_.meta.outputInfo.size(); ++i) {
    const OutputType type = out_.meta.outputInfo[i].type;
    if (type != OutputType::AliasOfIntermediate && type != OutputType::AliasOfIntermediateSaveAsOutput)
      continue;
    if (type == OutputType::AliasOfIntermediate) list += (list.empty() ? "" : ", ") + std::to_string(i);
    const auto outputs = graph.outputs();
    if (!at.valid() && i < outputs.size() && outputs[i].kind() == ir::ValueKind::NodeRef)
      at = outputs[i].node();
  }
  const EvalError e(
      "subclass-aliased-outputs",
      "torch.compile is currently being used with tensor subclass inputs. We are attempting to a compile a "
      "graph with two graph outputs that alias one another, specifically output indices: [" +
          list +
          "]. ANY output aliasing (even for regular tensors) is currently unsupported if there are any "
          "subclass outputs");
  if (at.valid()) throw TraceFailure(e, graph, at);
  throw e;
}

ir::Status AotStages::collectMetadata() {
  return guarded([&] {
    Impl& m = *impl_;
    out_.meta = passes::collectMetadata(m.f, out_.inputs, m.facts, m.ops, options_, m.context);
    training_ = needsAutograd(out_.meta, out_.inputs);
    out_.meta.isTrain = training_;
    if (out_.meta.numIntermediateBases > 0 && needsSubclassDispatch(out_.meta, out_.inputs))
      refuseAliasedOutputs();
  });
}

ir::Result<bool> AotStages::mergeDuplicates() {
  bool merged = false;
  const ir::Status s = guarded([&] {
    Impl& m = *impl_;
    auto before = std::make_shared<InputMerge>();
    before->inputs = out_.inputs;
    before->meta = out_.meta;
    before->places = passes::mergeDuplicates(m.f, out_.inputs, out_.meta, m.aliases);
    merged = !before->places.empty();
    if (!merged) return;
    refuseWithSubclasses("duplicate");
    out_.duplicates = std::move(before);
  });
  if (!s) return s.error();
  return merged;
}

ir::Result<bool> AotStages::mergeOverlapping() {
  bool merged = false;
  const ir::Status s = guarded([&] {
    Impl& m = *impl_;
    auto before = std::make_shared<InputMerge>();
    before->inputs = out_.inputs;
    before->meta = out_.meta;
    before->places = passes::mergeOverlapping(m.f, out_.inputs, out_.meta, m.aliases, training_);
    merged = !before->places.empty();
    if (!merged) return;
    refuseWithSubclasses("aliased");
    out_.overlaps = std::move(before);
  });
  if (!s) return s.error();
  return merged;
}

ir::Result<ViewAndMutationMeta> AotStages::recollected() const {
  ViewAndMutationMeta meta;
  const ir::Status s = guarded([&] {
    const Impl& m = *impl_;
    CapturedFacts facts = m.facts;
    facts.inputs = m.aliases;  // parallel to the inputs as they are
    meta = passes::collectMetadata(m.f, out_.inputs, facts, m.ops, options_, m.context);
  });
  if (!s) return s.error();
  return meta;
}

bool AotStages::flattenSubclasses() {
  flattened_ = true;
  return needsSubclassDispatch(out_.meta, out_.inputs);
}

bool AotStages::returnIntermediateBases() {
  bases_ = true;
  return training_ && out_.meta.numIntermediateBases > 0;
}

bool AotStages::threadTokens() {
  tokens_ = true;
  return !out_.meta.tokens.empty();
}

ir::Status AotStages::trace() {
  return guarded([&] {
    Impl& m = *impl_;
    out_.meta.isRngOpFunctionalized = options_.functionalizeRng != FunctionalizeRng::Off;
    Traced t = training_ ? traceJoint(m.f, out_.inputs, out_.meta, m.facts, m.ops, options_, m.context)
                         : traceInference(m.f, out_.inputs, out_.meta, m.facts, m.ops, options_, m.context);
    out_.joint = out_.inference = nullptr;
    (training_ ? out_.joint : out_.inference) = std::move(t.module);
    out_.facts = std::move(t.facts);
    out_.numForward = t.numForward;
    out_.meta.inputsWrittenInBackward = std::move(t.writtenInBackward);
    out_.placeholders = std::move(t.placeholders);
    out_.originalTypes = std::move(t.originalTypes);
    out_.assumed = std::move(t.assumed);
    out_.goneNames = std::move(t.goneNames);
  });
}

namespace {
StageGraph stageGraph(Traced&& t) {
  StageGraph g;
  g.module = std::move(t.module);
  for (const NodeFacts& f : t.facts) g.origins.push_back({f.origin});
  return g;
}
}  // namespace

ir::Result<StageGraph> AotStages::lowered() const {
  StageGraph g;
  const ir::Status s = guarded([&] {
    const Impl& m = *impl_;
    g = stageGraph(traceLowered(m.f, out_.inputs, m.facts, m.ops, m.context, flattened_));
  });
  if (!s) return s.error();
  return g;
}

ir::Result<StageGraph> AotStages::functional() const {
  StageGraph g;
  const ir::Status s = guarded([&] {
    const Impl& m = *impl_;
    AotOptions plain = options_;
    plain.decompositions = Decompositions::None;
    const ForwardPicture picture{bases_, tokens_};
    g = stageGraph(
        training_ ? traceJoint(m.f, out_.inputs, out_.meta, m.facts, m.ops, plain, m.context, picture)
                  : traceInference(m.f, out_.inputs, out_.meta, m.facts, m.ops, plain, m.context, picture));
  });
  if (!s) return s.error();
  return g;
}

ir::Result<AotResult> runAot(const ir::Module& captured, const CapturedFacts& facts,
                             const AotOptions& options) {
  AotStages stages(captured, facts, options);
  if (const ir::Status s = stages.readInputs(); !s) return s.error();
  if (const ir::Status s = stages.collectMetadata(); !s) return s.error();
  if (const ir::Result<bool> r = stages.mergeDuplicates(); !r) return r.error();
  if (const ir::Result<bool> r = stages.mergeOverlapping(); !r) return r.error();
  if (const ir::Status s = stages.trace(); !s) return s.error();
  return stages.take();
}

}  // namespace descry::passes

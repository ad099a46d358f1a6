#include "passes/aot/aot.h"

#include "passes/aot/stages.h"

namespace descry::passes {

struct AotStages::Impl {
  Impl(const ir::Module& captured, const CapturedFacts& known)
      : program(captured, captured.root()), facts(known), context(captured.contextPtr()) {
    facts.unbacked = program.firstFreeUnbacked();
    f = [this](Tracer& t, const Values& inputs) { return program.run(t, inputs); };
  }
  const Program program;
  CapturedFacts facts;
  ir::ContextPtr context;
  const ir::OpRegistry& ops = ir::allOps();
  FlatFunction f;
  std::vector<CapturedInput> aliases;  ///< parallel to the inputs of the result
};

AotStages::AotStages(const ir::Module& captured, const CapturedFacts& facts, const AotOptions& options)
    : captured_(captured), options_(options), impl_(std::make_unique<Impl>(captured, facts)) {}
AotStages::~AotStages() = default;

/// What the tracer throws, as an error at the user's node.
template <class F>
ir::Status AotStages::guarded(F&& f) const {
  try {
    f();
  } catch (const TraceFailure& e) {
    ir::Diagnostic d = ir::failure(e.code, e.what());
    d.node = e.node;
    d.loc.line = e.line;
    d.loc.column = e.column;
    return d;
  } catch (const NodeError& e) {
    ir::Diagnostic d = ir::failure(e.code, e.what());
    const ir::Graph& graph = captured_.root();
    if (const ir::NodeId at{e.programNode}; at.valid() && graph.contains(at)) {
      d.node = graph.nodeName(at);
      d.loc.line = graph.node(at).line;
      d.loc.column = graph.node(at).column;
    }
    return d;
  } catch (const EvalError& e) {
    return ir::failure(e.code, e.what());
  }
  return {};
}

ir::Status AotStages::readInputs() {
  const ir::Graph& graph = captured_.root();
  const CapturedFacts& facts = impl_->facts;
  const std::vector<ir::NodeId> placeholders = graph.placeholders();
  for (size_t i = 0; i < placeholders.size(); ++i) {
    AotInput in;
    in.programNode = placeholders[i].index;
    const CapturedInput* fact = i < facts.inputs.size() ? &facts.inputs[i] : nullptr;
    in.descriptor =
        fact && fact->descriptor ? *fact->descriptor : ir::Descriptor::plainInput(static_cast<int64_t>(i));
    const ir::Type& type = graph.type(placeholders[i]);
    in.meta = fact && fact->meta ? fact->meta : metaOfType(type, facts.hints);
    if (!in.meta) {
      if (type.kind == ir::TypeKind::Sym) {
        in.symbol = type.sym;
        const std::string name(graph.nodeName(placeholders[i]));
        if (name.size() > 1 && name[0] == 's' && name.find_first_not_of("0123456789", 1) == std::string::npos)
          in.originalSymbol = name;
      } else {
        ir::Diagnostic d = ir::failure(
            "missing-type",
            "the type of input " + std::string(graph.nodeName(placeholders[i])) +
                " is not written: AOT autograd needs dtype, sizes, strides and device of every input");
        d.node = graph.nodeName(placeholders[i]);
        d.loc.line = graph.node(placeholders[i]).line;
        return d;
      }
    } else if (fact) {
      in.requiresGrad = fact->requiresGrad;
      in.isLeaf = fact->isLeaf;
      in.isStatic = fact->isStatic;
      in.meta->offset = fact->offset;
      in.sameAs = fact->sameAs;
    }
    out_.inputs.push_back(std::move(in));
  }
  impl_->aliases = facts.inputs;
  impl_->aliases.resize(out_.inputs.size());
  return {};
}

ir::Status AotStages::collectMetadata() {
  return guarded([&] {
    Impl& m = *impl_;
    out_.meta = passes::collectMetadata(m.f, out_.inputs, m.facts, m.ops, options_, m.context);
    training_ = needsAutograd(out_.meta, out_.inputs);
    out_.meta.isTrain = training_;
  });
}

ir::Result<bool> AotStages::mergeDuplicates() {
  bool merged = false;
  const ir::Status s = guarded([&] {
    Impl& m = *impl_;
    merged = passes::mergeDuplicates(m.f, out_.inputs, out_.meta, m.aliases);
  });
  if (!s) return s.error();
  return merged;
}

ir::Result<bool> AotStages::mergeOverlapping() {
  bool merged = false;
  const ir::Status s = guarded([&] {
    Impl& m = *impl_;
    merged = passes::mergeOverlapping(m.f, out_.inputs, out_.meta, m.aliases, training_);
  });
  if (!s) return s.error();
  return merged;
}

ir::Status AotStages::trace() {
  return guarded([&] {
    Impl& m = *impl_;
    Traced t = training_ ? traceJoint(m.f, out_.inputs, out_.meta, m.facts, m.ops, options_, m.context)
                         : traceInference(m.f, out_.inputs, out_.meta, m.facts, m.ops, options_, m.context);
    out_.joint = out_.inference = nullptr;
    (training_ ? out_.joint : out_.inference) = std::move(t.module);
    out_.facts = std::move(t.facts);
    out_.numForward = t.numForward;
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
    g = stageGraph(traceLowered(m.f, out_.inputs, m.facts, m.ops, m.context));
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
    g = stageGraph(training_ ? traceJoint(m.f, out_.inputs, out_.meta, m.facts, m.ops, plain, m.context,
                                          JointExtent::ForwardOnly)
                             : traceInference(m.f, out_.inputs, out_.meta, m.facts, m.ops, plain, m.context));
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

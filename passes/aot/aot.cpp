#include "passes/aot/aot.h"

#include "passes/aot/stages.h"

namespace descry::passes {

ir::Result<AotResult> runAot(const ir::Module& captured, const CapturedFacts& known,
                             const AotOptions& options) {
  const ir::OpRegistry& ops = ir::allOps();
  const ir::Graph& graph = captured.root();
  const Program program(captured, graph);
  CapturedFacts facts = known;
  facts.unbacked = program.firstFreeUnbacked();
  AotResult out;
  try {
    int64_t position = 0;
    const std::vector<ir::NodeId> placeholders = graph.placeholders();
    for (size_t i = 0; i < placeholders.size(); ++i) {
      AotInput in;
      const CapturedInput* fact = i < facts.inputs.size() ? &facts.inputs[i] : nullptr;
      in.descriptor = fact && fact->descriptor ? *fact->descriptor : ir::Descriptor::plainInput(position);
      ++position;
      const ir::Type& type = graph.type(placeholders[i]);
      in.meta = fact && fact->meta ? fact->meta : metaOfType(type, facts.hints);
      if (!in.meta) {
        if (type.kind == ir::TypeKind::Sym) {
          in.symbol = type.sym;
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
        in.isParameter = fact->isParameter;
        in.meta->offset = fact->offset;
        in.sameAs = fact->sameAs;
      }
      out.inputs.push_back(std::move(in));
    }
    FlatFunction f = [&program](Tracer& t, const Values& inputs) { return program.run(t, inputs); };
    const ir::ContextPtr context = captured.contextPtr();
    out.meta = collectMetadata(f, out.inputs, facts, ops, options, context);
    bool training = needsAutograd(out.meta, out.inputs);
    std::vector<CapturedInput> aliases = facts.inputs;
    aliases.resize(out.inputs.size());
    if (mergeDuplicates(f, out.inputs, out.meta, aliases))
      out.meta = collectMetadata(f, out.inputs, facts, ops, options, context);
    const size_t tangentsBefore = out.meta.tracedTangents.size();
    if (const std::optional<size_t> added = mergeOverlapping(f, out.inputs, out.meta, aliases, training)) {
      out.meta = collectMetadata(f, out.inputs, facts, ops, options, context);
      out.meta.numMetadataMutationOutputs = *added;
      // PyTorch takes over the tangents that do not belong to written inputs by count, which goes wrong when the
      // written inputs that carry gradients are more or fewer now.
      if (training && out.meta.tracedTangents.size() != tangentsBefore)
        throw EvalError("alias-tangents", "outs_to_grad length (" +
                                              std::to_string(out.meta.tracedTangents.size()) +
                                              ") != tangents length (" + std::to_string(tangentsBefore) +
                                              "): inputs that share memory are written in a way that PyTorch's "
                                              "AOT autograd cannot follow");
    }
    out.meta.isTrain = training;
    if (training) {
      Traced t = traceJoint(f, out.inputs, out.meta, facts, ops, options, context);
      out.joint = std::move(t.module);
      out.facts = std::move(t.facts);
      out.numForward = t.numForward;
    } else {
      Traced t = traceInference(f, out.inputs, out.meta, facts, ops, options, context);
      out.inference = std::move(t.module);
      out.facts = std::move(t.facts);
      out.numForward = t.numForward;
    }
  } catch (const TraceFailure& e) {
    ir::Diagnostic d = ir::failure(e.code, e.what());
    d.node = e.node;
    d.loc.line = e.line;
    d.loc.column = e.column;
    return d;
  } catch (const GradientError& e) {
    ir::Diagnostic d = ir::failure(e.code, e.what());
    if (const ir::NodeId at{e.programNode}; at.valid() && graph.contains(at)) {
      d.node = graph.nodeName(at);
      d.loc.line = graph.node(at).line;
      d.loc.column = graph.node(at).column;
    }
    return d;
  } catch (const EvalError& e) {
    return ir::failure(e.code, e.what());
  }
  return out;
}

}  // namespace descry::passes

// The stages of AOT autograd on a flat function. Private to passes/aot.
#pragma once

#include <functional>
#include <vector>

#include "passes/aot/aot.h"
#include "passes/aot/program.h"

namespace descry::passes {

/// A function of flat inputs; run on the tensors of a tracer.
using FlatFunction = std::function<Values(Tracer&, const Values&)>;

/// Runs f; what the tracer throws becomes an error at the node of the captured graph that it belongs to.
ir::Status guarded(const ir::Graph& captured, const std::function<void()>& f);

/// A gradient function that only says that it must not be reached: of inputs that are no leaves.
Ref<AutogradNode> inputHistory(const Meta& meta);

ViewAndMutationMeta collectMetadata(const FlatFunction& f, const std::vector<AotInput>& inputs,
                                    const CapturedFacts& facts, const ir::OpRegistry& ops,
                                    const AotOptions& options, const ir::ContextPtr& context);

/// Training needs a joint graph; everything else is inference.
bool needsAutograd(const ViewAndMutationMeta& meta, const std::vector<AotInput>& inputs);

struct Traced {
  std::shared_ptr<ir::Module> module;
  std::vector<NodeFacts> facts;
  size_t numForward = 0;
  std::vector<size_t> placeholders;  ///< by input: how many it became
  std::unordered_map<uint32_t, std::string> originalTypes;
  std::vector<std::string> assumed;       ///< of ops that nothing is known of
  std::vector<size_t> writtenInBackward;  ///< inputs that the forward leaves alone
  std::vector<std::string> goneNames;     ///< as in Tracer, where a partitioner asks for them
};
/// A look at what would be differentiated, as it is before some of the stages: not the whole graph.
struct ForwardPicture {
  bool bases = true;   ///< intermediate bases are returned
  bool tokens = true;  ///< tokens run through the calls that have effects
};
Traced traceJoint(const FlatFunction& f, const std::vector<AotInput>& inputs, const ViewAndMutationMeta& meta,
                  const CapturedFacts& facts, const ir::OpRegistry& ops, const AotOptions& options,
                  const ir::ContextPtr& context, const std::optional<ForwardPicture>& picture = {});
/// The program in aten ops as it stands: composite ops are taken apart, writes stay writes, nothing is
/// differentiated. `flat`: tensors of wrapper subclasses are taken apart.
Traced traceLowered(const FlatFunction& f, const std::vector<AotInput>& inputs, const CapturedFacts& facts,
                    const ir::OpRegistry& ops, const ir::ContextPtr& context, bool flat);
Traced traceInference(const FlatFunction& f, const std::vector<AotInput>& inputs,
                      const ViewAndMutationMeta& meta, const CapturedFacts& facts, const ir::OpRegistry& ops,
                      const AotOptions& options, const ir::ContextPtr& context,
                      const ForwardPicture& picture = {});

/// Equal sizes, strides and offset.
bool sameLayout(const Meta& a, const Meta& b);
/// The tangent of a value: its own layout where that is fixed and no element lies upon another, else the
/// nearest memory format.
Meta tangentMeta(Meta value);

/// Whether two tensors of one storage may have an element in common.
bool mayOverlap(const Meta& a, const Meta& b);

/// Inputs that are the same object, and written, become one (3.3 of the pipeline); `meta` is that of the new
/// inputs then. Where each input went when they changed, else empty.
std::vector<InputMerge::Place> mergeDuplicates(FlatFunction& f, std::vector<AotInput>& inputs,
                                               ViewAndMutationMeta& meta,
                                               std::vector<CapturedInput>& aliases);
/// Inputs that may overlap, and are written, become one base (3.4); bases come first. `aliases` stays
/// parallel to `inputs`. Where each input went when some were merged, else empty. Throws
/// `alias-not-differentiable`, `alias-dtype`.
std::vector<InputMerge::Place> mergeOverlapping(FlatFunction& f, std::vector<AotInput>& inputs,
                                                ViewAndMutationMeta& meta,
                                                std::vector<CapturedInput>& aliases, bool training);

/// Nodes that nobody reads go, as torch.fx drops them.
/// Computes symbolic numbers once that are computed from symbolic inputs alone.
void dedupeNumbers(ir::Graph& graph);
void dropDead(ir::Graph& graph, const ir::OpRegistry& ops);

/// Gives the tracer what higher-order ops share during one trace (hop.h), and lets tokens order effects: the
/// first one is made by `firstToken`. `keepsWrites`: writes to inputs stay in the graph.
void startHigherOrder(Tracer& tracer, std::function<TensorRef()> firstToken, bool keepsWrites,
                      const CapturedFacts& facts, UnknownOps unknown = UnknownOps::Assume);
/// From now on ops whose effects keep their order get the token.
void orderEffects(Tracer& tracer);
/// What a token is: f32[0].
Meta tokenMeta();
/// Moves the subgraphs that were traced into the module of the root that calls them.
void adoptSubgraphs(ir::Module& module, HigherOrderState& state);

}  // namespace descry::passes

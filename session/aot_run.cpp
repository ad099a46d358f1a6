#include "session/aot_run.h"

#include <nlohmann/json.hpp>

#include "passes/aot/partition_input.h"
#include "passes/aot/tensorify.h"
#include "passes/aot/program.h"

namespace descry::session {

namespace {
/// A parameter, buffer or other attribute of a module, by its source.
bool ofModule(std::string_view source) {
  for (std::string_view part : {"._parameters[", "._buffers[", "._modules["})
    if (source.find(part) != std::string_view::npos) return true;
  return false;
}
}  // namespace

passes::CapturedFacts capturedFacts(const Document& document, const LoadedGraph& graph) {
  passes::CapturedFacts out;
  const std::string compile = graph.entry.compileId;
  for (const importers::FactTable& t : document.input().tables()) {
    if (t.name == "guards") {
      // The guard on global state says in which mode the graph was captured.
      for (const std::vector<std::string>& row : t.rows)
        if (row.size() > 4 && (compile.empty() || row[0].find(compile) != std::string::npos) &&
            row[4].find("\"grad_mode\":false") != std::string::npos)
          out.gradMode = false;
      continue;
    }
    if (t.name != "symbols") continue;
    for (const std::vector<std::string>& row : t.rows) {
      // compile, symbol, kind, value, ...
      if (row.size() < 4 || row[2] != "backed" ||
          (!compile.empty() && row[0].find(compile) == std::string::npos))
        continue;
      char* end = nullptr;
      const long long v = std::strtoll(row[3].c_str(), &end, 10);
      if (end != row[3].c_str()) out.hints[row[1]] = v;
    }
  }
  bool assumed = false;
  for (const ir::NodeId id : graph.graph->placeholders()) {
    passes::CapturedInput in;
    in.name = std::string(graph.graph->nodeName(id));
    const importers::InputFact* fact = nullptr;
    for (const importers::InputFact& f : graph.inputFacts)
      if (f.name == in.name) fact = &f;
    if (fact) {
      in.requiresGrad = fact->requiresGrad.value_or(false);
      in.isLeaf = fact->isLeaf.value_or(false);
      in.storage = fact->storage;
      in.isStatic = fact->isParameter.value_or(false) || ofModule(fact->source);
      in.source = fact->source;
      in.storageBytes = fact->storageBytes;
      in.offset = fact->offset;
      // The printed type of an input that is replaced in the graph is that of its end.
      if (graph.graph->type(id).kind == ir::TypeKind::Tensor &&
          graph.graph->type(id).text.find('s') == std::string::npos)
        in.meta = passes::metaOfType(ir::parseType(fact->type), out.hints);
      in.isView = fact->isView.value_or(false);
      if (fact->base) {
        in.base = fact->viewOf;
        in.baseMeta = passes::metaOfType(ir::parseType(fact->base->type), out.hints);
        if (in.baseMeta) in.baseMeta->offset = fact->base->offset;
        in.baseRequiresGrad = fact->base->requiresGrad;
        in.baseIsLeaf = fact->base->isLeaf;
      }
    } else {
      const ir::Type& type = graph.graph->type(id);
      if (type.kind == ir::TypeKind::Tensor) {
        const ir::DTypeInfo& d = ir::dtypeInfo(type.tensor.dtype);
        in.requiresGrad = d.floating || d.complex;
        in.isLeaf = !in.requiresGrad;
        assumed = true;
      }
    }
    out.inputs.push_back(std::move(in));
  }
  if (assumed)
    out.assumed.push_back(
        "the file does not say which inputs require gradients: every floating-point input is taken to, as a "
        "non-leaf");
  return out;
}

ir::Result<passes::AotResult> runAot(const Document& document, const LoadedGraph& graph,
                                     const passes::CapturedFacts& facts, const AotRequest& request) {
  passes::AotOptions options;
  options.decompositions = request.decompositions;
  // aot_eager keeps writes to inputs in the graph; its variant with Inductor's decompositions returns them.
  options.keepInputMutations =
      request.keepInputMutations.value_or(request.decompositions != passes::Decompositions::Inductor);
  ir::Result<passes::AotResult> result = passes::runAot(*graph.module, facts, options);
  if (!result) {
    ir::Diagnostic d = result.error();
    if (d.file.empty()) d.file = document.path();
    d.graph = graph.entry.id;
    return d;
  }
  // Inductor wants no tokens among inputs and outputs.
  result->unliftTokens =
      request.unliftTokens.value_or(request.decompositions == passes::Decompositions::Inductor);
  if (result->unliftTokens && result->inference && !result->meta.tokens.empty()) {
    auto unlifted = std::make_shared<ir::Module>(*result->inference);
    passes::unliftTokens(*unlifted);
    result->inference = std::move(unlifted);
  }
  return result;
}

ir::Result<passes::Partition> cutJoint(const passes::AotResult& result, const passes::CapturedFacts& facts,
                                       const passes::PassOptionValues& values) {
  passes::PartitionInput input = passes::partitionInputOf(result, facts);
  passes::PartitionOptions options;
  const std::shared_ptr<ir::Module> tensorified = passes::tensorifyNumbers(input, ir::allOps());
  if (const ir::Status s = passes::readPartitionOptions(values, input, options); !s) return s.error();
  ir::Result<passes::Partition> cut = passes::partitionJoint(input, options);
  if (cut && tensorified && !cut->stitched) cut->stitched = tensorified;
  if (cut && result.unliftTokens) {
    passes::unliftTokens(cut->forward);
    passes::unliftTokens(cut->backward);
  }
  return cut;
}

std::string aotMetaJson(const passes::AotResult& result) {
  using nlohmann::ordered_json;
  const passes::ViewAndMutationMeta& m = result.meta;
  ordered_json j;
  j["schema"] = "descry.aot.meta/1";
  j["input_info"] = ordered_json::array();
  for (const passes::InputAliasInfo& i : m.inputInfo)
    j["input_info"].push_back(
        {{"is_leaf", i.isLeaf},
         {"mutates_data", i.mutatesData},
         {"mutates_metadata", i.mutatesMetadata},
         {"mutations_hidden_from_autograd", i.mutationsHiddenFromAutograd},
         {"mutations_under_no_grad_or_inference_mode", i.mutationsUnderNoGradOrInferenceMode},
         {"mutation_inductor_storage_resize", i.mutationInductorStorageResize},
         {"mutates_storage_metadata", i.mutatesStorageMetadata},
         {"mutation_is_shallow_copy_data", i.mutationIsShallowCopyData},
         {"requires_grad", i.requiresGrad},
         {"keep_input_mutations", i.keepInputMutations}});
  j["output_info"] = ordered_json::array();
  for (const passes::OutputAliasInfo& o : m.outputInfo) {
    ordered_json row{{"output_type", std::string(passes::outputTypeName(o.type))}, {"raw_type", o.rawType}};
    row["base_idx"] = o.baseIdx ? ordered_json(*o.baseIdx) : ordered_json(nullptr);
    row["dynamic_dims"] = o.dynamicDims;
    row["requires_grad"] = o.requiresGrad;
    row["requires_grad_for_backward"] = o.requiresGradForBackward;
    j["output_info"].push_back(std::move(row));
  }
  j["num_intermediate_bases"] = m.numIntermediateBases;
  j["keep_input_mutations"] = m.keepInputMutations;
  j["traced_tangents_descs"] = ordered_json::array();
  for (const ir::Descriptor& d : m.tracedTangentsDescs) j["traced_tangents_descs"].push_back(d.repr());
  j["grad_enabled_mutation"] =
      m.gradEnabledMutation ? ordered_json(*m.gradEnabledMutation) : ordered_json(nullptr);
  j["tokens"] = m.tokens;
  j["is_train"] = m.isTrain;
  return j.dump(1);
}

}  // namespace descry::session

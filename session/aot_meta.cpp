// ViewAndMutationMeta as JSON, by PyTorch's field names (torch/_functorch/_aot_autograd/schemas.py).
#include <algorithm>

#include <nlohmann/json.hpp>

#include "passes/aot/donated_buffers.h"
#include "passes/aot/runtime_facts.h"
#include "session/aot_run.h"

namespace descry::session {
namespace {

using nlohmann::ordered_json;

ordered_json memoryFormatJson(const std::optional<passes::TangentLayout>& layout) {
  if (!layout) return nullptr;
  if (!layout->memoryFormat.empty())
    return {{"size", nullptr}, {"stride", nullptr}, {"memory_format", layout->memoryFormat}};
  return {{"size", layout->size}, {"stride", layout->stride}, {"memory_format", nullptr}};
}

/// PlainTensorMeta or SubclassCreationMeta.
ordered_json subclassMetaJson(const passes::SubclassMeta& m) {
  if (m.name.empty())
    return {{"class", "PlainTensorMeta"},
            {"unwrapped_idx", m.index},
            {"memory_format", memoryFormatJson(m.memoryFormat)},
            {"size_symbol_placeholders", m.symbolicSizes},
            {"stride_symbol_placeholders", m.symbolicStrides}};
  const auto sizes = [](const std::vector<std::string>& texts) {
    ordered_json out = ordered_json::array();
    for (const std::string& t : texts) {
      char* end = nullptr;
      const long long v = std::strtoll(t.c_str(), &end, 10);
      out.push_back(*end ? ordered_json(t) : ordered_json(v));
    }
    return out;
  };
  const auto orNone = [](const std::string& text) {
    return text.empty() ? ordered_json(nullptr) : ordered_json(text);
  };
  ordered_json attrs = ordered_json::object();
  for (size_t i = 0; i < m.attrs.size(); ++i) attrs[m.attrs[i]] = subclassMetaJson(m.inner[i]);
  return {{"class", "SubclassCreationMeta"},
          {"flat_tensor_start_idx", m.index},
          {"arg_count", m.argCount},
          {"included_subclass_symints", m.includedSymints},
          {"attrs", attrs},
          {"outer_size", sizes(m.outerSize)},
          {"outer_stride", sizes(m.outerStride)},
          {"meta", nullptr},
          {"original_subclass_type", m.name},
          {"memory_format", memoryFormatJson(m.memoryFormat)},
          {"outer_size_from_attr", orNone(m.outerSizeFromAttr)},
          {"outer_stride_from_attr", orNone(m.outerStrideFromAttr)}};
}

const char* mutationName(passes::MutationType type) {
  switch (type) {
    case passes::MutationType::NotMutated:
      break;
    case passes::MutationType::MutatedInGraph:
      return "MUTATED_IN_GRAPH";
    case passes::MutationType::MutatedOutGraph:
      return "MUTATED_OUT_GRAPH";
  }
  return "NOT_MUTATED";
}

/// What PyTorch derives from the lists of inputs and outputs.
void addDerived(ordered_json& j, const passes::ViewAndMutationMeta& m) {
  using passes::OutputType;
  std::vector<size_t> inGraph, seenByAutograd, aliased, unsafeViews;
  for (size_t i = 0; i < m.inputInfo.size(); ++i) {
    if (m.inputInfo[i].mutationType() != passes::MutationType::MutatedInGraph) continue;
    inGraph.push_back(i);
    if (!m.inputInfo[i].mutationsHiddenFromAutograd) seenByAutograd.push_back(i);
  }
  size_t ofInputs = 0, ofIntermediates = 0;
  bool dynamic = false;
  for (size_t i = 0; i < m.outputInfo.size(); ++i) {
    const OutputType t = m.outputInfo[i].type;
    const bool ofInput = t == OutputType::AliasOfInput || t == OutputType::IsInput;
    const bool ofIntermediate = t == OutputType::AliasOfIntermediate ||
                                t == OutputType::AliasOfIntermediateSaveAsOutput ||
                                t == OutputType::AliasOfIntermediateBaseIsUserOutput;
    ofInputs += ofInput;
    ofIntermediates += ofIntermediate;
    if (ofInput || ofIntermediate) aliased.push_back(i);
    if (t == OutputType::UnsafeViewAlias) unsafeViews.push_back(i);
    dynamic = dynamic || !m.outputInfo[i].dynamicDims.empty();
  }
  const std::vector<size_t> atRuntime = m.mutatedRuntimeIndices();
  const size_t returns = atRuntime.size() + m.outputInfo.size() + static_cast<size_t>(m.numIntermediateBases);
  j["mutated_inp_runtime_indices"] = atRuntime;
  j["mutated_graph_handled_indices"] = inGraph;
  j["mutated_graph_handled_indices_seen_by_autograd"] = seenByAutograd;
  j["aliased_out_indices"] = aliased;
  j["unsafe_view_out_indices"] = unsafeViews;
  j["num_outputs"] = m.outputInfo.size();
  j["num_outputs_non_aliased"] = m.outputInfo.size() - aliased.size();
  j["num_outputs_aliased_to_inputs"] = ofInputs;
  j["num_outputs_aliased_to_intermediates"] = ofIntermediates;
  j["num_outputs_aliased"] = aliased.size();
  j["num_unsafe_view_outputs"] = unsafeViews.size();
  j["dynamic_outputs"] = dynamic;
  j["num_forward_returns"] = returns;
  j["num_forward"] = returns + static_cast<size_t>(m.numOutputsRngOffset());
}

/// `f32[3, 4][4, 1]cpu`, of a wrapper in its class's name: as graphs print types.
std::string tangentType(const passes::Meta& m, const std::string& wrapper) {
  const auto list = [](const passes::Ints& ints) {
    std::string out = "[";
    for (const ir::eval::Int& i : ints) out += (out.size() > 1 ? ", " : "") + i.str();
    return out + "]";
  };
  const std::string plain = std::string(ir::dtypeInfo(m.dtype).shortName) + list(m.sizes) + list(m.strides) +
                            ir::eval::deviceText(m.device);
  return wrapper.empty() ? plain : wrapper + "(" + plain + ")";
}

/// What the partitioner finds; null where nothing was cut.
void addCut(ordered_json& j, const passes::AotResult& result, const passes::Partition* cut) {
  using passes::SavedKind;
  // Tokens that the cut takes out of inputs and outputs are none of the backward graph any more.
  j["num_backward_tokens"] = cut && result.unliftTokens ? 0 : passes::backwardTokens(result);
  if (!cut) {
    for (const char* field : {"num_symints_saved_for_bw", "num_tensors_saved_with_no_vc_check",
                              "num_opaque_objects_saved_for_bw", "bw_donated_idxs"})
      j[field] = nullptr;
    j["saved_tensor_is_graph_input"] = ordered_json::array();
    j["num_graphsafe_rng_states"] = 0;
    return;
  }
  const auto count = [&](SavedKind kind) {
    return std::count_if(cut->saved.begin(), cut->saved.end(),
                         [&](const passes::SavedValue& v) { return v.kind == kind; });
  };
  const ir::Graph& joint = cut->stitched ? cut->stitched->root() : result.joint->root();
  std::vector<bool> isInput;
  for (const passes::SavedValue& v : cut->saved)
    if (v.kind == SavedKind::Tensor || v.kind == SavedKind::TensorNoVersionCheck)
      isInput.push_back(joint.node(v.node).op == ir::OpKind::Placeholder);
  // States for random ops that the backward repeats are saved tensors too.
  isInput.insert(isInput.end(), cut->randomStates, false);
  j["num_symints_saved_for_bw"] = count(SavedKind::Symbol);
  j["num_tensors_saved_with_no_vc_check"] = count(SavedKind::TensorNoVersionCheck);
  j["num_opaque_objects_saved_for_bw"] = count(SavedKind::Opaque);
  j["saved_tensor_is_graph_input"] = isInput;
  j["num_graphsafe_rng_states"] = cut->graphsafeStates;
  j["bw_donated_idxs"] = passes::donatedBuffers(result, *cut);
}

}  // namespace

std::string aotMetaJson(const passes::AotResult& result, const passes::Partition* cut) {
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
         {"keep_input_mutations", i.keepInputMutations},
         {"mutation_type", mutationName(i.mutationType())}});
  j["output_info"] = ordered_json::array();
  for (const passes::OutputAliasInfo& o : m.outputInfo) {
    ordered_json row{{"output_type", std::string(passes::outputTypeName(o.type))}, {"raw_type", o.rawType}};
    row["base_idx"] = o.baseIdx ? ordered_json(*o.baseIdx) : ordered_json(nullptr);
    row["dynamic_dims"] = o.dynamicDims;
    row["requires_grad"] = o.requiresGrad;
    row["requires_grad_for_backward"] = o.requiresGradForBackward;
    row["view_meta_sequence"] =
        o.viewMetaSequence ? ordered_json(*o.viewMetaSequence) : ordered_json(nullptr);
    j["output_info"].push_back(std::move(row));
  }
  j["num_intermediate_bases"] = m.numIntermediateBases;
  j["keep_input_mutations"] = m.keepInputMutations;
  j["traced_tangents"] = ordered_json::array();
  for (size_t i = 0; i < m.tracedTangents.size(); ++i)
    j["traced_tangents"].push_back(tangentType(
        m.tracedTangents[i], i < m.tangentLayouts.size() ? m.tangentLayouts[i].name : std::string()));
  j["traced_tangents_descs"] = ordered_json::array();
  for (const ir::Descriptor& d : m.tracedTangentsDescs) j["traced_tangents_descs"].push_back(d.repr());
  const auto metas = [](const std::vector<passes::SubclassMeta>& list) {
    ordered_json out = ordered_json::array();
    for (const passes::SubclassMeta& s : list) out.push_back(subclassMetaJson(s));
    return out;
  };
  j["subclass_inp_meta"] = metas(m.subclassInpMeta);
  j["subclass_fw_graph_out_meta"] = metas(m.subclassFwGraphOutMeta);
  j["subclass_tangent_meta"] = metas(m.subclassTangentMeta);
  j["grad_enabled_mutation"] =
      m.gradEnabledMutation ? ordered_json(*m.gradEnabledMutation) : ordered_json(nullptr);
  j["static_input_indices"] = ordered_json::array();
  for (size_t i = 0; i < result.inputs.size(); ++i)
    if (result.inputs[i].isStatic) j["static_input_indices"].push_back(i + m.tokens.size());
  j["tokens"] = m.tokens;
  j["deterministic"] = m.deterministic;
  j["indices_of_inputs_that_requires_grad_with_mutations_in_bw"] = m.inputsWrittenInBackward;
  j["is_train"] = m.isTrain;
  j["is_rng_op_functionalized"] = m.isRngOpFunctionalized;
  j["num_outputs_rng_offset"] = m.numOutputsRngOffset();
  addDerived(j, m);
  addCut(j, result, cut);
  return j.dump(1);
}

}  // namespace descry::session

#include "passes/aot/metadata.h"

namespace descry::passes {

std::string_view outputTypeName(OutputType type) {
  static constexpr std::string_view kNames[] = {"non_alias",
                                                "alias_of_input",
                                                "is_input",
                                                "alias_of_intermediate_save_as_output",
                                                "alias_of_intermediate",
                                                "alias_of_intermediate_base_is_user_output",
                                                "unsafe_view_alias",
                                                "custom_function_view"};
  return kNames[static_cast<size_t>(type)];
}

MutationType InputAliasInfo::mutationType() const {
  if (!mutatesData && !mutatesMetadata && !mutationInductorStorageResize) return MutationType::NotMutated;
  const bool whole = mutatesData || mutatesStorageMetadata || mutationInductorStorageResize;
  const bool unseen = (!mutatesMetadata && !requiresGrad) || mutationsHiddenFromAutograd ||
                      mutationsUnderNoGradOrInferenceMode;
  return keepInputMutations && whole && unseen ? MutationType::MutatedInGraph : MutationType::MutatedOutGraph;
}

std::vector<size_t> ViewAndMutationMeta::mutatedRuntimeIndices() const {
  std::vector<size_t> out;
  for (size_t i = 0; i < inputInfo.size(); ++i)
    if (inputInfo[i].mutationType() == MutationType::MutatedOutGraph) out.push_back(i);
  return out;
}

}  // namespace descry::passes

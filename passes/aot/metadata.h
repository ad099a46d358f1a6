// What AOT autograd knows of a function before it traces it: aliasing and mutation of inputs and outputs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/descriptors/descriptor.h"
#include "passes/autodiff/subclass.h"

namespace descry::passes {

enum class OutputType : uint8_t {
  NonAlias,
  AliasOfInput,
  IsInput,
  AliasOfIntermediateSaveAsOutput,
  AliasOfIntermediate,
  AliasOfIntermediateBaseIsUserOutput,
  UnsafeViewAlias,
  CustomFunctionView
};
/// The runtime makes it of an input, or it is that input.
inline bool isViewOfInput(OutputType t) {
  return t == OutputType::AliasOfInput || t == OutputType::IsInput;
}
/// The graphs return it as it is, and its gradient arrives for itself: no view of an input or of a base.
inline bool isOwnOutput(OutputType t) {
  return t == OutputType::NonAlias || t == OutputType::UnsafeViewAlias || t == OutputType::CustomFunctionView;
}
/// As PyTorch names the members of OutputType: "non_alias".
std::string_view outputTypeName(OutputType type);

enum class MutationType : uint8_t { NotMutated, MutatedInGraph, MutatedOutGraph };

/// Fields and their names are PyTorch's (torch/_functorch/_aot_autograd/schemas.py).
struct InputAliasInfo {
  bool isLeaf = false;
  bool mutatesData = false;
  bool mutatesMetadata = false;
  bool mutationsHiddenFromAutograd = false;
  bool mutationsUnderNoGradOrInferenceMode = false;
  bool mutationInductorStorageResize = false;
  bool mutatesStorageMetadata = false;
  bool mutationIsShallowCopyData = false;
  bool requiresGrad = false;
  bool keepInputMutations = false;

  MutationType mutationType() const;
};

struct OutputAliasInfo {
  OutputType type = OutputType::NonAlias;
  std::string rawType;  ///< Python class of the value: a tensor class, "int"
  std::optional<int64_t> baseIdx;
  std::vector<int64_t> dynamicDims;
  bool requiresGrad = false;
  bool requiresGradForBackward = false;
  /// Views that make it of its base, first one first: `select_int`. Absent where the runtime does not replay
  /// them.
  std::optional<std::vector<std::string>> viewMetaSequence;
  bool isTensor = true;
};

/// MemoryFormatMeta: the layout that a tangent is made to have. Sizes and strides, or a memory format.
struct TangentLayout {
  std::vector<int64_t> size, stride;
  std::string memoryFormat;  ///< "torch.contiguous_format"; empty where sizes and strides are told
};

/// PlainTensorMeta or SubclassCreationMeta: where a value is found among the inputs or outputs of a graph
/// that knows no subclasses.
struct SubclassMeta {
  std::string name;   ///< of the class; empty: a PlainTensorMeta
  int64_t index = 0;  ///< unwrapped_idx, or flat_tensor_start_idx
  int64_t argCount = 1;
  bool includedSymints = false;
  std::vector<bool> symbolicSizes, symbolicStrides;  ///< of a plain tensor in a subclass
  std::vector<std::string> attrs;
  std::vector<SubclassMeta> inner;  ///< parallel to attrs
  std::vector<std::string> outerSize, outerStride;
  std::optional<TangentLayout> memoryFormat;
  std::string outerSizeFromAttr, outerStrideFromAttr;  ///< empty: None
};

struct ViewAndMutationMeta {
  std::vector<InputAliasInfo> inputInfo;
  std::vector<OutputAliasInfo> outputInfo;
  int64_t numIntermediateBases = 0;
  size_t numMetadataMutationOutputs =
      0;  ///< merged inputs whose sizes or strides changed, last among the outputs
  bool keepInputMutations = false;
  std::vector<Meta> tracedTangents;
  std::vector<SubclassLayout> tangentLayouts;  ///< parallel to tracedTangents
  std::vector<ir::Descriptor> tracedTangentsDescs;
  std::vector<SubclassMeta> subclassInpMeta, subclassFwGraphOutMeta, subclassTangentMeta;
  std::optional<bool> gradEnabledMutation;
  std::vector<std::string> tokens;
  bool isTrain = false;
  uint32_t unbacked = 0;  ///< number of the first symbol for data that is still free
  bool isRngOpFunctionalized = false;
  bool deterministic = false;                   ///< torch.use_deterministic_algorithms while it was compiled
  std::vector<size_t> inputsWrittenInBackward;  ///< only there; found by tracing the joint

  int64_t numOutputsRngOffset() const { return isRngOpFunctionalized ? 1 : 0; }
  std::vector<size_t> mutatedRuntimeIndices() const;
};

}  // namespace descry::passes

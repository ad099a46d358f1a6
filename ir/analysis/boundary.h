// What the inputs and outputs of a graph are: by descriptor, else by PyTorch's naming habits, and which of
// them belong together (input and gradient, output and tangent).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ir/core/graph.h"

namespace descry::ir {

enum class BoundaryKind : uint8_t {
  Unknown,
  Argument,
  Parameter,
  Buffer,
  Constant,
  SizeArgument,
  Tangent,
  BaseOfViews,
  SubclassPiece,
  RandomState,
  Token,
  SavedInput,  ///< backward graph: a value that the forward kept
  OpaqueObject,
  StandIn,
  Output,
  InputMutation,
  MetadataMutation,
  IntermediateBase,
  Gradient,
  SavedOutput,
  NoGradient,
  ConstantOutput
};
/// For people: "parameter", "saved value", "input mutation".
std::string_view boundaryKindName(BoundaryKind kind);

struct BoundaryInput {
  NodeId node;
  BoundaryKind kind = BoundaryKind::Unknown;
  bool inferred = false;     ///< kind comes from the name
  const char* rule = "";     ///< for inferred kinds: the rule used
  std::string path;          ///< readable path of parameters, buffers and captured locals: `layers.0.weight`
  int gradOutput = -1;       ///< output that is its gradient, by position
  int tangentOfOutput = -1;  ///< for tangents: the output it belongs to, by position
};
struct BoundaryOutput {
  NodeId node;  ///< invalid for constants and None
  BoundaryKind kind = BoundaryKind::Unknown;
  bool inferred = false;
  const char* rule = "";
  NodeId tangent;  ///< its tangent input
  NodeId gradOf;   ///< for gradients: the input
};

enum class GraphShape : uint8_t { Plain, Joint, Forward, Backward };

struct Boundary {
  std::vector<BoundaryInput> inputs;    ///< in call order
  std::vector<BoundaryOutput> outputs;  ///< flat, in order
  GraphShape shape = GraphShape::Plain;
  bool inferredShape = false;     ///< no descriptor said so
  std::vector<uint32_t> inputOf;  ///< by node id: index into inputs, or kNone
  static constexpr uint32_t kNone = 0xFFFFFFFF;

  const BoundaryInput* input(NodeId id) const {
    return id.index < inputOf.size() && inputOf[id.index] != kNone ? &inputs[inputOf[id.index]] : nullptr;
  }
  bool isTangent(NodeId id) const {
    const BoundaryInput* in = input(id);
    return in && in->kind == BoundaryKind::Tangent;
  }
};

/// Pairs are found by descriptor equality, as PyTorch's get_all_input_and_grad_nodes and
/// get_all_output_and_tangent_nodes do. Cost: linear.
Boundary findBoundary(const Graph& graph);

/// Reads the name that Dynamo or export gave an input: `L_self_modules_fc_parameters_weight_` is the
/// parameter `fc.weight`. A display hint only: underscores in attribute names make it ambiguous.
struct InputName {
  BoundaryKind kind = BoundaryKind::Unknown;
  std::string path;
  const char* rule = "";
};
InputName readInputName(std::string_view name);

}  // namespace descry::ir

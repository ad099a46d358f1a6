// Placeholders and results of traced graphs. Tensors of wrapper subclasses are taken apart here: into the
// plain tensors that they hold and, where asked for, into their symbolic sizes and strides. Private to
// passes/aot.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "passes/aot/aot.h"

namespace descry::passes {

/// Whether AOT autograd takes subclasses apart: an input is one, or what the graph returns.
bool needsSubclassDispatch(const ViewAndMutationMeta& meta, const std::vector<AotInput>& inputs);

/// An outer tensor, of a wrapper subclass where the layout says so. `plain` makes the plain tensors inside,
/// or the tensor.
TensorRef layOut(Tracer& tracer, const Meta& meta, const SubclassLayout& layout,
                 const std::function<TensorRef(const Meta&)>& plain);

/// Sizes and strides under the names that they have once symbols are known to be equal.
Meta underFinalNames(const Meta& meta, const std::unordered_map<std::string, std::string>& equal);
Int underFinalNames(const Int& i, const std::unordered_map<std::string, std::string>& equal);

/// The placeholders of a graph, in the order of its inputs.
class Placeholders {
 public:
  /// Names are `prefix`N`suffix`, from `first` on.
  Placeholders(Tracer& tracer, ir::Graph& graph, const CapturedFacts& facts, std::string prefix, size_t first,
               std::string suffix = {})
      : tracer_(tracer),
        graph_(graph),
        facts_(facts),
        prefix_(std::move(prefix)),
        suffix_(std::move(suffix)),
        next_(first) {}

  /// What the program gets for the input. `sizes`: those of subclasses are placeholders too, as of primals.
  Value add(const AotInput& input, bool requiresGrad, bool sizes = true);
  /// How many placeholders the last input became.
  size_t added() const { return added_; }

 private:
  ir::NodeId place(ir::TypeId type, const ir::Descriptor& desc);
  TensorRef tensor(const Meta& meta, const SubclassLayout& layout, const ir::Descriptor& desc, bool sizes,
                   bool inside);
  std::vector<ir::NodeId> placeSizes(const Meta& meta, const ir::Descriptor& desc);
  Value symbol(ir::NodeId node, const AotInput& input);

  Tracer& tracer_;
  ir::Graph& graph_;
  const CapturedFacts& facts_;
  std::string prefix_, suffix_;
  size_t next_, added_ = 0;
};

/// Where a tensor is an input and also held by another one, PyTorch reads the input that comes last for both.
void joinPieces(const Values& values, const std::vector<AotInput>& inputs);

/// How a graph names a value that it returns: a node, a number, a list of them; None for anything else.
ir::Argument argumentOf(Tracer& tracer, const Value& v);

/// The results of a graph with their descriptors.
struct Results {
  std::vector<ir::Argument> arguments;
  std::vector<ir::DescId> descs;

  void add(ir::Argument argument, ir::DescId desc);
  void append(Results&& others);
  /// A value of the program. `instead`: the nodes that are returned for the plain tensors in it. No
  /// descriptor: None.
  void add(Tracer& tracer, const Value& v, const std::optional<ir::Descriptor>& desc,
           const std::vector<ir::NodeId>* instead = nullptr);

 private:
  void addTensor(Tracer& tracer, const TensorRef& t, const ir::Descriptor& desc, bool inside,
                 const std::vector<ir::NodeId>* instead, size_t& at);
  void addSizes(Tracer& tracer, const Meta& meta, const ir::Descriptor& desc);
};

/// How tensors are put together again from what the graphs take and return (create_subclass_meta).
std::vector<SubclassMeta> subclassMetas(
    const std::vector<std::pair<std::optional<Meta>, SubclassLayout>>& values, bool countSymints,
    bool withMemoryFormat);
/// Of what a graph of this metadata takes, returns and gets as tangents; `outputs` are the mutated inputs,
/// the program's outputs and the intermediate bases.
void fillSubclassMetas(ViewAndMutationMeta& meta, const std::vector<AotInput>& inputs, Tracer& tracer,
                       const Values& outputs, const CapturedFacts& facts);

}  // namespace descry::passes

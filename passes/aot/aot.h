// AOT autograd: from a captured graph to metadata, joint graph or inference graph.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "ir/core/graph.h"
#include "ir/support/result.h"
#include "passes/aot/metadata.h"
#include "passes/autodiff/functional_random.h"

namespace descry::passes {

/// What is known of an input of a captured graph beyond its type.
struct CapturedInput {
  std::string name;    ///< placeholder
  std::string source;  ///< what names it where tensors are views of one another
  int64_t storageBytes = -1;
  std::optional<Meta> meta;  ///< as it was before the run; absent: as the graph types it
  SubclassLayout layout;     ///< of a tensor of a wrapper subclass; no name: as the type has it
  bool requiresGrad = false, isLeaf = true;
  bool isStatic = false;  ///< a parameter or buffer of a module: lives on, whatever is saved of it
  bool isParameter = false;
  std::string storage;  ///< inputs with equal non-empty ids share memory
  Int offset;           ///< in elements of that storage
  bool isView = false;
  std::string base;  ///< key of the tensor that it is a view of
  std::optional<Meta> baseMeta;
  bool baseRequiresGrad = false, baseIsLeaf = true;
  std::optional<size_t> sameAs;  ///< the same tensor object as this earlier input
  std::optional<std::pair<size_t, size_t>>
      sameAsPiece;             ///< as this plain tensor inside of that input, depth first
  std::string originalSymbol;  ///< of a size: its symbol before that was found equal to another; empty: as it
                               ///< is named
  std::optional<ir::Descriptor> descriptor;  ///< PlainAOTInput of its position when absent
};

struct CapturedFacts {
  std::vector<CapturedInput> inputs;  ///< by placeholder
  /// Of tensors that the graph holds as attributes; `name` is the attribute. One that is not named here is a
  /// buffer.
  std::vector<CapturedInput> attributes;
  std::unordered_map<std::string, int64_t> hints;  ///< of size symbols
  ir::SymExpr::Ranges ranges;                      ///< of size symbols that have an upper bound
  /// Size symbols that were found equal to others, and what they are called from then on: while the program
  /// was captured, and by taking subclasses apart. Both only where an input is a subclass.
  std::unordered_map<std::string, std::string> equalAtCapture, equal;
  std::string randomStateSize;  ///< symbol for the size of a random state of the CPU
  bool gradMode = true;
  bool deterministic = false;  ///< torch.use_deterministic_algorithms was on
  Autocast autocast;           ///< regions in which the graph was captured as a whole
  uint32_t unbacked = 0;       ///< number of the first symbol for data that the captured graph leaves free
  /// Whether writes to inputs stayed in the graphs that PyTorch made of this one; absent: not recorded.
  std::optional<bool> keptInputMutations;
  std::vector<std::string> assumed;  ///< what was not in the file, in words
  bool requiresGradAssumed = false;  ///< that of some inputs
};

/// What becomes of a custom op that is neither in the op table nor declared.
enum class UnknownOps : uint8_t {
  Assume,  ///< where nothing speaks against it, the op is taken to be pure, and that is said
  Refuse
};

/// off, cuda, any-device.
FunctionalizeRng functionalizeRngOf(std::string_view word);

struct AotOptions {
  Decompositions decompositions = Decompositions::None;
  bool keepInputMutations = true;
  std::shared_ptr<const ir::OpRegistry> ops;  ///< null: the op table
  UnknownOps unknownOps = UnknownOps::Assume;
  FunctionalizeRng functionalizeRng = FunctionalizeRng::Off;
  std::function<bool()> cancelled;  ///< asked often; error `cancelled`
};

/// How the tracer runs a higher-order op of this name, and its gradient, in words; empty where it does not.
struct HigherOrderFacts {
  std::string_view shape, gradient;
};
HigherOrderFacts higherOrderFacts(std::string_view name);

/// Inputs of the traced function, after duplicates and aliases were dealt with.
struct AotInput {
  std::optional<Meta> meta;    ///< absent for numbers
  SubclassLayout layout;       ///< of a tensor of a wrapper subclass
  std::string symbol;          ///< expression of a symbolic number
  std::string originalSymbol;  ///< its symbol before that was found equal to another
  Value number;                ///< a plain number
  ir::Descriptor descriptor;
  bool requiresGrad = false, isLeaf = true;
  bool isStatic = false;         ///< a parameter or buffer of a module: lives on, whatever is saved of it
  std::string storage;           ///< inputs with equal non-empty ids share memory
  std::optional<size_t> sameAs;  ///< one object with this earlier input
  std::optional<std::pair<size_t, size_t>>
      sameAsPiece;                           ///< one object with this plain tensor inside of that input
  uint32_t programNode = ir::NodeId::kNone;  ///< placeholder of the captured graph
};

/// What was there before inputs were merged, and where each of them went.
struct InputMerge {
  std::vector<AotInput> inputs;
  ViewAndMutationMeta meta;
  struct Place {
    size_t at = 0;      ///< among the inputs afterwards
    bool view = false;  ///< as a view of it
  };
  std::vector<Place> places;
};

struct AotResult {
  ViewAndMutationMeta meta;
  std::vector<AotInput> inputs;
  std::shared_ptr<const InputMerge> duplicates, overlaps;  ///< null where nothing was merged
  std::shared_ptr<ir::Module> joint;                       ///< null for inference
  std::shared_ptr<ir::Module> inference;                   ///< null for training
  std::vector<NodeFacts> facts;                            ///< of the joint, by node id
  std::vector<size_t>
      placeholders;  ///< by input: how many it became in the graph; tokens come before the first
  std::unordered_map<uint32_t, std::string> originalTypes;  ///< as in Tracer
  std::vector<std::string> goneNames;         ///< of nodes that the joint had while it was traced
  bool unliftTokens = false;                  ///< tokens leave the graphs that are compiled
  size_t numForward = 0;                      ///< outputs of the joint that belong to the forward graph
  std::vector<std::string> assumed;           ///< what was taken for granted of custom ops, in words
  std::shared_ptr<const ir::OpRegistry> ops;  ///< as in the options
};

/// `error.node` names the node of the captured graph where PyTorch would refuse it.
ir::Result<AotResult> runAot(const ir::Module& captured, const CapturedFacts& facts,
                             const AotOptions& options);

/// Says which inputs require gradients where the file does not, or where something else is to be tried:
/// `none`, `all` (every one that can), or names of placeholders and attributes with `,` or `+` between; they
/// are leaves then, and the others need none. Errors: `unknown-node`, `not-differentiable`.
ir::Status setRequiresGrad(CapturedFacts& facts, const ir::Graph& graph, std::string_view names);

/// What requiresGradAssumed means, in words.
inline constexpr std::string_view kGradientsAssumed =
    "the file does not say which inputs require gradients: every floating-point input is taken to, as a "
    "non-leaf, and every floating-point attribute, as a parameter";

/// Whether tokens of effects leave the compiled graphs when it was not said: Inductor wants none among inputs
/// and outputs.
inline bool unliftsTokens(std::optional<bool> said, Decompositions decompositions) {
  return said.value_or(decompositions == Decompositions::Inductor);
}

/// Takes the tokens of effects out of the inputs and outputs of a finished forward, backward or inference
/// graph and of its subgraphs: made by _make_token, sunk by _sink_tokens.
void unliftTokens(ir::Module& module);

/// A graph as it stands between two stages, and for each of its nodes the captured node that it was made for.
struct StageGraph {
  std::shared_ptr<ir::Module> module;
  std::vector<ir::NodeId> origins;  ///< by node id; invalid where there is none
};

/// The stages of runAot one by one, to be called in this order. After an error no further stage may be
/// called. `captured` and `facts` have to outlive it.
class AotStages {
 public:
  AotStages(const ir::Module& captured, const CapturedFacts& facts, const AotOptions& options);
  ~AotStages();

  ir::Status readInputs();
  ir::Status collectMetadata();
  ir::Result<bool> mergeDuplicates();   ///< whether there were any that had to be merged
  ir::Result<bool> mergeOverlapping();  ///< whether inputs were replaced by a common base
  /// From here on pictures of the program show what subclasses hold. Whether there are any.
  bool flattenSubclasses();
  /// From here on the functional program returns intermediate bases. Whether there are any.
  bool returnIntermediateBases();
  /// From here on tokens run through its effects. Whether there are any in the forward.
  bool threadTokens();
  ir::Status trace();

  /// Pictures of what the next stage would get. They cost a trace each and change nothing.
  ir::Result<StageGraph> lowered() const;
  ir::Result<StageGraph> functional() const;  ///< what is differentiated, or the inference graph

  /// What a look at the function with the inputs that it has now finds. Changes nothing.
  ir::Result<ViewAndMutationMeta> recollected() const;

  AotOptions& options() { return options_; }
  const AotResult& result() const { return out_; }
  void setUnliftTokens(bool on) { out_.unliftTokens = on; }
  AotResult take() { return std::move(out_); }
  bool training() const { return training_; }

 private:
  struct Impl;
  template <class F>
  ir::Status guarded(F&& f) const;
  [[noreturn]] void refuseAliasedOutputs() const;
  void refuseWithSubclasses(const std::string& inputs) const;

  const ir::Module& captured_;
  AotOptions options_;
  std::unique_ptr<Impl> impl_;
  AotResult out_;
  bool training_ = false, flattened_ = false, bases_ = false, tokens_ = false;
};

}  // namespace descry::passes

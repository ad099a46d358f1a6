// What a script says around its classes: inputs and subgraphs of repro scripts, the module tree that
// print(gm) writes, and the metadata files beside GraphNet models. Private to importers/fx_text.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ir/core/graph.h"

namespace descry::importers::fx {

struct ScriptFacts {
  struct InputFact {
    std::string name;  ///< placeholder; empty: the order says which
    std::string type;  ///< `f32[2, 3][3, 1]cpu`, `Sym(4)`; empty when it could not be read
  };
  /// `self.name = maker()` in the `__init__` of class `owner`. The maker `<lambda>` is a subgraph whose body
  /// the script lost.
  struct Attribute {
    std::string owner, name, maker;
  };
  std::vector<InputFact> inputs;  ///< from `load_args` or `args`
  std::vector<Attribute> attributes;
};

/// Reads `__init__`, `def load_args(reader)` and `args = [...]`. Anything else is skipped. Cost: linear.
ScriptFacts readScript(std::string_view text);

/// Types of placeholders by parameter name, from weight_meta.py and input_meta.py. Values are skipped.
void readModelMetadata(std::string_view text, std::unordered_map<std::string, std::string>& types);

/// `layer.0` -> `Linear(in_features=4, out_features=5, bias=True)` from the tree of print(gm).
std::unordered_map<std::string, std::string> readModuleTree(std::string_view text);

/// Gives placeholders their types; those with a tensor type keep it.
void annotateInputs(ir::Graph& graph, const std::vector<ScriptFacts::InputFact>& inputs);
void annotateInputs(ir::Graph& graph, const std::unordered_map<std::string, std::string>& types);

/// Adds `key: value` to the metadata of a node.
void addMeta(ir::Graph& graph, ir::NodeId id, std::string key, std::string value);

}  // namespace descry::importers::fx

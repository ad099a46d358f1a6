// Ids of graphs inside an input: short to type, unique, the same each time the file is opened.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

namespace descry::importers {

/// `aot_joint_graph` -> `joint`, `dynamo_output_graph` -> `dynamo`, `before_pre_grad_graph` ->
/// `before_pre_grad`.
std::string shortKind(std::string_view kind);

/// Kind of the only graph of a text file: the file's stem when that names a stage (`joint.txt`,
/// `aot_forward_graph.txt`), else `graph`.
std::string kindOfFile(std::string_view path);

class GraphIds {
 public:
  /// `[rank1:][0/0:]joint`, with `#2`, `#3` for repeated ones.
  std::string make(std::string_view rankPrefix, std::string_view shownCompileId, std::string_view kind);
  std::string unique(std::string wanted);

 private:
  std::unordered_map<std::string, int> used_;
};

/// `[!C/F/K_A]` (brackets optional) split into GraphEntry::compileId, shownCompileId and attempt.
/// False when it is no compile id.
bool splitCompileId(std::string_view text, std::string& id, std::string& shown, int& attempt);

}  // namespace descry::importers

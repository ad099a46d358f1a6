// Watches a run: keeps what was asked for of each value, and how NaN and infinities spread.
#pragma once

#include <memory>
#include <set>
#include <unordered_set>
#include <utility>
#include <vector>

#include "session/graph_run.h"

namespace descry::session {

/// Of one run of `graph`, the root of `run.module`. All outlive it.
class RunRecorder {
 public:
  RunRecorder(Run& run, const RunRequest& request, const ir::Graph& graph);

  void input(ir::NodeId node, const runtime::Value& v);
  void node(ir::NodeId node, const runtime::Value& v, double seconds);
  /// `names` of the results, by flat output; empty for what is no result.
  void end(const runtime::Values& outputs, const std::vector<std::string>& names);

 private:
  bool wanted(ir::NodeId node) const;
  void look(NodeRun& row, const runtime::Value& v, bool isInput);
  runtime::Value flatten(NodeRun& row, const runtime::Value& v, const std::string& piece, bool keep);
  void spread(const NodeRun& row, const runtime::Value& v, bool isInput);
  void markMemory(const runtime::Value& v, ir::NodeId from);
  void remember(const runtime::Value& v, ir::NodeId node);
  void makeRoom();

  Run& run_;
  const RunRequest& request_;
  const ir::Graph& graph_;
  bool looks_ = false;        ///< at tensors at all
  bool writes_ = false;       ///< some node may write: what is kept is a copy
  std::vector<bool> writer_;  ///< by node id
  std::unordered_set<uint32_t> keepOnly_;

  // ---- room for kept values
  uint64_t kept_ = 0, tick_ = 0;
  std::vector<uint64_t> used_;                   ///< by index of Run::nodes; 0: nothing is kept
  std::set<std::pair<uint64_t, size_t>> order_;  ///< (last use, index)
  std::vector<size_t> rowOf_;                    ///< by node id

  // ---- NaN and infinities
  static constexpr uint32_t kGood = 0xFFFFFFFF, kCause = 0xFFFFFFFE;
  std::vector<uint32_t> badFrom_;  ///< by node id: the bad node that it read, kCause, or kGood
  /// Memory of values so far, for writes through views. Only in graphs that write.
  std::vector<std::pair<std::weak_ptr<runtime::Storage>, ir::NodeId>> memories_;
};

/// Whether a node may write to memory that other values have.
bool mayWrite(const ir::Graph& graph, ir::NodeId node, const ir::OpRegistry& ops);
/// `f32[2, 3]`; of several `(f32[2], i64[2])`; of numbers the number.
std::string typeOfValue(const runtime::Value& v);
/// Bytes of the elements of all tensors in it.
int64_t bytesOfValue(const runtime::Value& v);
/// A contiguous copy, conjugate and negative views resolved.
runtime::TensorRef settledCopy(const runtime::Value& v);

}  // namespace descry::session

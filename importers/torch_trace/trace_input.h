// TORCH_TRACE logs as an input: one file, or one file per rank.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "importers/common/importer.h"
#include "importers/torch_trace/trace_index.h"

namespace descry::importers {

extern const Importer kTorchTraceImporter;

/// Where a record stands: file, and number of the record in it.
struct TraceRef {
  uint32_t file = 0, record = 0;
};

class TraceInput : public Input {
 public:
  /// Several files are the ranks of one run. Errors: `cancelled`.
  static ir::Result<std::unique_ptr<Input>> make(std::string path, std::vector<TraceIndex> files,
                                                 const OpenOptions& options);

  const std::vector<RecordEntry>& records() const override;
  const std::vector<FactTable>& tables() const override;
  std::optional<ExportSignature> exportSignature(size_t index) const override;
  ir::Result<std::shared_ptr<ir::Module>> load(size_t index, ir::DiagnosticSink& sink) const override;
  ir::Result<std::string> text(size_t index) const override;
  ir::Result<std::string> payload(size_t index) const override;
  std::string hashState(size_t index) const override;
  std::vector<InputFact> inputFacts(size_t index) const override;
  bool readInPart() const override;

  const std::vector<TraceIndex>& files() const { return files_; }

 private:
  TraceInput() = default;
  void listGraphs();
  void checkPayloads();
  std::string recordState(TraceRef ref) const;
  TraceRef refOf(size_t recordIndex) const;

  std::vector<TraceIndex> files_;
  std::vector<size_t> firstRecord_;                       // of each file, in records()
  std::vector<TraceRef> graphRefs_;                       // parallel to graphs_
  std::vector<std::pair<uint64_t, std::string>> states_;  // file << 32 | record, sorted
  mutable std::once_flag recordsOnce_, tablesOnce_;
  mutable std::vector<RecordEntry> lazyRecords_;
  mutable std::vector<FactTable> lazyTables_;
};

/// Tables of facts over all files (trace_facts.cpp).
std::vector<FactTable> traceTables(const std::vector<TraceIndex>& files);

/// `describe_*` records of one compile as facts, in order of first mention; `name` is still empty.
std::vector<InputFact> describedTensors(const TraceIndex& file, const CompileKey& key, uint16_t instance);

/// The placeholder that dynamo makes of a source: `L['x'].y[0]` -> `L_x_y_0_`.
std::string dynamoPlaceholder(std::string_view source);

/// False when `text` is no JSON document (or nests deeper than is read).
bool acceptableJson(std::string_view text);

}  // namespace descry::importers

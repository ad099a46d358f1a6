// What every importer delivers: an opened input with an index of its graphs, parsed when asked for.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "importers/common/export_signature.h"
#include "ir/core/graph.h"
#include "ir/support/diagnostic.h"
#include "ir/support/result.h"

namespace descry::importers {

/// One graph that an input holds. Known after indexing, before the graph is parsed.
struct GraphEntry {
  /// Unique in its input and stable: `0/0:joint`, `0/0:joint#2`, `!0/3/0:forward`, `rank1:0/0:forward`,
  /// `joint` (no compile id), `graph`, `graph#3`.
  std::string id;
  /// Record name of a trace log (`aot_joint_graph`), artifact name, or `graph` for plain text.
  std::string kind;
  /// Key of the compile, for scripts and for grouping: frame, compile of the frame, attempt as `0/0` or
  /// `0/0_1`. Frame ids count per process, so a compiled autograd id is only spelt when there is no frame:
  /// `!0`. Records of a trace log without any id: `None/None`. Empty when the format knows no ids.
  std::string compileId;
  /// The same for people, as PyTorch prints it: `0/0`, `!0/3/0_1`, `!0`; empty when there is none.
  std::string shownCompileId;
  std::optional<int> rank;
  int attempt = 0;
  int instance = 0;     ///< counts cache resets: the same compile id compiled again
  std::string title;    ///< banner or file name, for people
  std::string file;     ///< file inside a folder, else the input's path
  ir::SourceLoc begin;  ///< first line of the graph text in that file
  uint64_t bytes = 0;   ///< length of the text in the file
  /// "ok", "ok-without-cr", "mismatch"; "" when no hash was recorded; "unchecked" in big logs, see
  /// Input::hashState.
  std::string hashState;
};

/// One record of a log that is kept for people, graphs included.
struct RecordEntry {
  std::string kind;
  std::string name;            ///< artifact name, file name and the like
  std::string compileId;       ///< as GraphEntry::compileId
  std::string shownCompileId;  ///< as GraphEntry::shownCompileId
  std::optional<int> rank;
  std::string file;
  uint32_t line = 0;  ///< of the header
  int64_t byte = 0;
  uint64_t payloadBytes = 0;
  bool hasPayload = false;
  bool known = true;  ///< false: a kind Descry has no special view for
  /// "", "payload-hash", "bad-header", "bad-payload", "truncated", "payload-indent" (the TABs in front of the
  /// payload are gone and what was made of it does not match its hash), "orphan" (payload that no header
  /// announced), "junk" (lines that are no record), "ignored" (a file of a folder that was not read).
  std::string state;
  int graph = -1;  ///< index into graphs() when the payload is a graph

  /// True when a record, which may have been a graph, cannot be read as what it is. A hash that differs is no
  /// loss, nor is damaged JSON that is kept as text, nor lines that no record owns, nor payload lines behind
  /// a header that announced none.
  bool lost() const {
    return state == "bad-header" || state == "truncated" || state == "payload-indent" ||
           (state == "orphan" && kind == "(orphan)");
  }
};

/// A table of facts, such as guards, tensors or symbols.
struct FactTable {
  std::string name;  ///< "tensors", "symbols", "guards", "metrics", "frames", ...
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

/// What the log says about one graph input (describe_tensor, describe_source).
struct InputFact {
  std::string source;  ///< `L['x']`
  std::string name;    ///< placeholder that it was joined to, empty when it could not be joined
  std::optional<bool> requiresGrad, isLeaf, isParameter, isView;
  std::string viewOf;         ///< source or name of the base
  std::string baseOf;         ///< of an input that stands for several views: their sources
  std::string type;           ///< `f32[2, 3][3, 1]cpu` from the record
  std::string storage;        ///< storage id; equal ids share memory
  int64_t offset = 0;         ///< in elements of the storage
  int64_t storageBytes = -1;  ///< of the whole storage; -1 unknown
  std::string subclass;       ///< class of a wrapper subclass, as the log names it
  size_t candidates = 1;      ///< how many described tensors the input may be; this is the first
  /// Of the tensor that this one is a view of, when the log describes it.
  struct Base {
    std::string type;
    int64_t offset = 0;
    bool requiresGrad = false, isLeaf = false;
  };
  std::optional<Base> base;
};

struct Progress {
  std::function<void(double fraction, std::string_view what)>
      report;                                 ///< may be empty; called from the worker
  const std::atomic<bool>* cancel = nullptr;  ///< may be null
  bool cancelled() const { return cancel && cancel->load(std::memory_order_relaxed); }
};

struct OpenOptions {
  std::string format;  ///< force an importer by name; empty: sniff
  std::string name;    ///< what diagnostics call the input when it has no path, "<stdin>"
  Progress progress;
};

/// An opened input. All const members may be called from several threads.
class Input {
 public:
  virtual ~Input() = default;

  const std::string& path() const { return path_; }
  /// "fx-text", "torch-trace", "torch-logs", "fx-percent", "fx-tabular", "descry-json".
  const std::string& format() const { return format_; }
  /// Why this format was chosen, for people.
  const std::string& formatReason() const { return formatReason_; }
  const std::vector<GraphEntry>& graphs() const { return graphs_; }
  /// In file order. Big logs build this and the tables on first call.
  virtual const std::vector<RecordEntry>& records() const { return records_; }
  virtual const std::vector<FactTable>& tables() const { return tables_; }
  /// Found while indexing, in file order.
  const ir::DiagnosticSink& diagnostics() const { return diagnostics_; }
  /// True when a part of the file could not be read at all: records are lost, or the gzip file is cut. Says
  /// nothing about the text of single graphs, which `load` reads.
  virtual bool readInPart() const;

  /// Parses graph `index`. Never fails for damaged text: what could be read is returned, faults go to `sink`.
  /// Errors: the file is gone or changed.
  virtual ir::Result<std::shared_ptr<ir::Module>> load(size_t index, ir::DiagnosticSink& sink) const = 0;
  /// The exact text of graph `index` as it stands in the file (prefixes removed).
  virtual ir::Result<std::string> text(size_t index) const = 0;
  /// The payload of record `index`, TABs removed; the metadata object when the record has no payload.
  virtual ir::Result<std::string> payload(size_t index) const;
  /// GraphEntry::hashState, worked out now when it was "unchecked".
  virtual std::string hashState(size_t index) const;
  /// Facts about the inputs of graph `index`; empty when the log has none.
  virtual std::vector<InputFact> inputFacts(size_t index) const;
  /// The signature that stands behind graph `index` when it is a printed ExportedProgram.
  virtual std::optional<ExportSignature> exportSignature(size_t index) const;

  /// For openInput: why the format was chosen, and what was wrong with the gzip file around it.
  void setOpened(std::string reason, const std::string& damaged);

 protected:
  /// The file around the text is damaged: part of it could not be unpacked.
  bool damagedAround() const;

  std::string path_, format_, formatReason_;
  std::vector<GraphEntry> graphs_;
  std::vector<RecordEntry> records_;
  std::vector<FactTable> tables_;
  ir::DiagnosticSink diagnostics_;
};

/// A way to read one format.
struct Importer {
  const char* name;
  const char* summary;
  /// 0..100: how sure the importer is that `head` (the first 256 KiB) is its format. `reason` gets the
  /// evidence.
  int (*sniff)(std::string_view head, std::string& reason);
  /// `path` names a file; `content` is set instead when the bytes are already in memory (standard input,
  /// gzip).
  ir::Result<std::unique_ptr<Input>> (*open)(const std::string& path, std::optional<std::string> content,
                                             const OpenOptions& options);
};

/// Forces nothing, only says what a file would be opened as: the importer that is surest about `head`, or
/// null.
const Importer* sniffFormat(std::string_view head, std::string& reason);

/// All importers, in order of preference (importers/all_importers.cpp).
const std::vector<Importer>& allImporters();

/// Opens a file, a folder (of trace logs, or of graph files) or "-" (standard input). The format is found by
/// content, gzip is unpacked. Errors: `not-found`, `no-permission`, `is-empty`, `not-recognised`,
/// `too-large`, `cancelled`, `gzip-damaged`, `gzip-not-built`, `read-failed`.
ir::Result<std::unique_ptr<Input>> openInput(const std::string& path, const OpenOptions& options = {});

}  // namespace descry::importers

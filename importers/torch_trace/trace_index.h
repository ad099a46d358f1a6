// Index of one trace log: where each record stands, without its payload.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "importers/common/byte_source.h"
#include "importers/common/importer.h"
#include "importers/fx_text/fx_text.h"

namespace descry::importers {

/// The compile that a record belongs to. -1 stands for an absent part.
struct CompileKey {
  int64_t compiledAutograd = -1, frame = -1, frameCompile = -1, attempt = -1, rank = -1;
  friend bool operator==(const CompileKey&, const CompileKey&) = default;
  bool sameCompile(const CompileKey& o) const {
    return compiledAutograd == o.compiledAutograd && frame == o.frame && frameCompile == o.frameCompile;
  }
  std::string id() const;     ///< GraphEntry::compileId
  std::string shown() const;  ///< GraphEntry::shownCompileId
};

enum RecordFlag : uint8_t {
  kRecordHasPayload = 1,
  kRecordOrphan = 2,  ///< TAB lines without has_payload
  kRecordBadHeader = 4,
  kRecordJunk = 8,     ///< a run of lines that are no record; the payload span holds them as they are
  kRecordIndent = 16,  ///< the TABs in front of the payload were lost; `indent` blanks stand there instead
  kRecordUnsure = 32,  ///< with kRecordIndent: what was restored does not match the hash
};

struct TraceRecord {
  uint64_t byte = 0;     ///< of the header
  uint64_t payload = 0;  ///< bytes of the payload lines, TABs included
  uint64_t payloadEnd = 0;
  uint32_t line = 0;          ///< of the header, from 1
  uint32_t headerLength = 0;  ///< without the line end
  uint32_t jsonAt = 0;        ///< offset of the JSON object in the header line
  uint32_t kind = 0;          ///< index into TraceIndex::words
  uint32_t name = 0;          ///< the same, 0 when it has none
  uint32_t key = 0;           ///< index into TraceIndex::keys
  uint16_t instance = 0;
  uint8_t flags = 0;
  uint8_t indent = 0;  ///< of kRecordIndent
};

/// What kind of use a record kind or an artifact has.
enum class PayloadUse : uint8_t { Other, Graph, Script, Sniff };

struct TraceIndex {
  std::string file;
  std::shared_ptr<const ByteSource> source;
  std::optional<int> rank;  ///< of the file name
  std::vector<TraceRecord> records;
  std::vector<std::string> words{""};
  std::vector<CompileKey> keys;
  uint64_t lines = 0;
  uint64_t junkLines = 0;

  std::string_view bytes() const { return source->bytes(); }
  std::string_view header(const TraceRecord& r) const { return bytes().substr(r.byte, r.headerLength); }
  std::string_view headerJson(const TraceRecord& r) const { return header(r).substr(r.jsonAt); }
  std::string_view kind(const TraceRecord& r) const { return words[r.kind]; }
  std::string_view name(const TraceRecord& r) const { return words[r.name]; }
  const CompileKey& key(const TraceRecord& r) const { return keys[r.key]; }
  /// JSON text of the metadata value, empty for damaged headers.
  std::string_view metadata(const TraceRecord& r) const;
  /// The payload with TABs removed, lines joined by LF. `map` gets the place of each line when given.
  std::string payloadText(const TraceRecord& r, bool keepCr, LineMap* map = nullptr) const;
  /// "ok", "ok-without-cr", "mismatch", or "" without a recorded hash.
  std::string checkHash(const TraceRecord& r) const;
  PayloadUse use(const TraceRecord& r) const;
};

/// Faults go to `sink`, which names the file. Error: `cancelled`.
ir::Status indexTrace(TraceIndex& index, const Progress& progress, ir::DiagnosticSink& sink);

/// True for kinds and artifacts that have a meaning here; the others are only kept.
bool knownRecordKind(std::string_view kind);
bool knownArtifact(std::string_view name);

/// Rank in `dedicated_log_torch_trace_rank_3_abc.log`.
std::optional<int> rankOfFileName(std::string_view name);

}  // namespace descry::importers

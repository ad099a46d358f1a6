#include "importers/torch_trace/trace_input.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "importers/common/graph_ids.h"
#include "importers/torch_trace/header_scan.h"
#include "importers/torch_trace/timeline_check.h"
#include "ir/support/python_text.h"

namespace descry::importers {
namespace {

/// Up to this size every payload's hash is checked while opening; above only those of graphs that are read.
constexpr uint64_t kCheckAllBytes = 32u << 20;
constexpr size_t kSniffBytes = 64u << 10;

bool looksLikeGraph(std::string_view payload) {
  payload = payload.substr(0, kSniffBytes);
  if (payload.find("def forward(") != std::string_view::npos) return true;
  return payload.find("class ") != std::string_view::npos &&
         payload.find("torch.nn.Module):") != std::string_view::npos &&
         payload.find("def ") != std::string_view::npos;
}

/// Payload as text for the parser: the region that holds the module, with its places.
struct Region {
  std::string text;
  LineMap map;
};

Region graphRegion(const TraceIndex& file, const TraceRecord& r, PayloadUse use, ir::DiagnosticSink* sink) {
  Region out;
  out.text = file.payloadText(r, false, &out.map);
  if (use != PayloadUse::Graph) {
    const std::vector<FxRegion> regions = findFxRegions(out.text);
    if (!regions.empty()) {
      // Scripts hold one module; exported programs hold one with its parts nested.
      const FxRegion& region = regions.front();
      const size_t last = std::min<size_t>(
          out.map.lines.size(),
          region.line + std::count(out.text.begin() + region.begin, out.text.begin() + region.end, '\n') + 1);
      if (region.line < last) {
        out.map.lines = {out.map.lines.begin() + region.line, out.map.lines.begin() + last};
        out.map.first = out.map.lines.front();
      }
      out.text = out.text.substr(region.begin, region.end - region.begin);
    }
  }
  size_t bad = 0;
  std::string clean = ir::cleanUtf8(out.text, bad);
  if (bad) {
    out.text = std::move(clean);
    if (sink)
      sink->warning("invalid-utf8", {r.line, 1, static_cast<int64_t>(r.byte)},
                    std::to_string(bad) + " bytes are no UTF-8; shown as U+FFFD");
  }
  return out;
}

}  // namespace

ir::Result<std::unique_ptr<Input>> TraceInput::make(std::string path, std::vector<TraceIndex> files,
                                                    const OpenOptions& options) {
  std::unique_ptr<TraceInput> input(new TraceInput);
  input->path_ = std::move(path);
  input->format_ = "torch-trace";
  input->files_ = std::move(files);
  const double share = 1.0 / double(std::max<size_t>(1, input->files_.size()));
  for (size_t i = 0; i < input->files_.size(); ++i) {
    TraceIndex& file = input->files_[i];
    Progress progress = options.progress;
    if (options.progress.report)
      progress.report = [&, i](double f, std::string_view what) {
        options.progress.report((double(i) + f) * share, what);
      };
    input->diagnostics_.setFile(file.file);
    const ir::Status done = indexTrace(file, progress, input->diagnostics_);
    if (!done) return done.error();
    std::optional<int64_t> rank;
    for (const CompileKey& key : file.keys) {
      if (key.rank < 0) continue;
      if (rank && *rank != key.rank)
        input->diagnostics_.warning("rank-mismatch", {},
                                    "records of rank " + std::to_string(*rank) + " and of rank " +
                                        std::to_string(key.rank) + " stand in one file");
      if (!rank) rank = key.rank;
    }
    if (file.rank && rank && *rank != *file.rank)
      input->diagnostics_.warning("rank-mismatch", {},
                                  "the file name says rank " + std::to_string(*file.rank) +
                                      ", its records say rank " + std::to_string(*rank) +
                                      "; the file name is believed");
    if (!file.rank && rank) file.rank = static_cast<int>(*rank);
  }
  size_t first = 0;
  for (const TraceIndex& file : input->files_) {
    input->firstRecord_.push_back(first);
    first += file.records.size();
  }
  input->listGraphs();
  input->checkPayloads();
  return std::unique_ptr<Input>(std::move(input));
}

void TraceInput::listGraphs() {
  GraphIds ids;
  const bool ranks = files_.size() > 1;
  for (uint32_t f = 0; f < files_.size(); ++f) {
    const TraceIndex& file = files_[f];
    for (uint32_t i = 0; i < file.records.size(); ++i) {
      const TraceRecord& r = file.records[i];
      if (!knownRecordKind(file.kind(r)) && !(r.flags & (kRecordBadHeader | kRecordJunk)) && r.headerLength) {
        diagnostics_.setFile(file.file);
        diagnostics_.noteOnce(
            "unknown-record", file.kind(r), {r.line, 1, static_cast<int64_t>(r.byte)},
            "record kind '" + std::string(file.kind(r)) + "' has no view of its own; it is kept as text");
      }
      const PayloadUse use = file.use(r);
      if (use == PayloadUse::Other) continue;
      if (use == PayloadUse::Sniff &&
          !looksLikeGraph(file.bytes().substr(r.payload, r.payloadEnd - r.payload)))
        continue;
      GraphEntry g;
      const bool artifact = file.kind(r) == "artifact";
      g.kind = std::string(artifact ? file.name(r) : file.kind(r));
      const CompileKey& key = file.key(r);
      g.compileId = key.id();
      g.shownCompileId = key.shown();
      g.rank = file.rank;
      if (!g.rank && key.rank >= 0) g.rank = static_cast<int>(key.rank);
      g.attempt = key.attempt > 0 ? static_cast<int>(std::min<int64_t>(key.attempt, 1 << 30)) : 0;
      g.instance = r.instance;
      g.title = !artifact && r.name ? std::string(file.name(r)) : g.kind;
      g.file = file.file;
      const uint32_t tab = r.flags & kRecordIndent ? r.indent : file.bytes()[r.payload] == '\t' ? 1u : 0u;
      g.begin = {r.line + 1, 1u + tab, static_cast<int64_t>(r.payload + tab)};
      g.bytes = r.payloadEnd - r.payload;
      if (r.flags & kRecordHasPayload) g.hashState = "unchecked";
      g.id = ids.make(ranks && file.rank ? "rank" + std::to_string(*file.rank) + ":" : "", g.shownCompileId,
                      g.kind);
      graphs_.push_back(std::move(g));
      graphRefs_.push_back({f, i});
    }
  }
}

void TraceInput::checkPayloads() {
  uint64_t total = 0, graphBytes = 0;
  for (const TraceIndex& file : files_) total += file.bytes().size();
  for (const GraphEntry& g : graphs_) graphBytes += g.bytes;
  size_t mismatches = 0;
  ir::SourceLoc firstMismatch;
  std::string firstKind;
  TimelineCheck timeline;
  const auto keep = [&](TraceRef ref, std::string state) {
    states_.emplace_back(uint64_t(ref.file) << 32 | ref.record, std::move(state));
  };
  const auto check = [&](TraceRef ref, bool last) -> std::string {
    const TraceIndex& file = files_[ref.file];
    const TraceRecord& r = file.records[ref.record];
    const std::string state = file.checkHash(r);
    const ir::SourceLoc loc{r.line, 1, static_cast<int64_t>(r.byte)};
    const bool event = file.kind(r) == "chromium_event";
    const bool json =
        event || (file.kind(r) == "artifact" && file.metadata(r).find("\"json\"") != std::string_view::npos);
    const std::string payload = json ? file.payloadText(r, false) : "";
    // A matching hash says that nobody touched the payload, not that what wrote it wrote JSON. Some artifacts
    // say "json" and are text: only what begins like JSON can be damaged JSON.
    const size_t first = payload.find_first_not_of(" \t\r\n");
    const bool meant =
        event || (first != std::string::npos && (payload[first] == '{' || payload[first] == '['));
    const bool broken = json && meant && !acceptableJson(payload);
    if (event && !broken) timeline.add(payload, loc);
    if (r.flags & kRecordUnsure) return state;  // reported as a whole
    if (state != "mismatch" && !broken) return state;
    diagnostics_.setFile(file.file);
    const std::string kind(r.name ? file.name(r) : file.kind(r));
    // A whole log ends in a line end; one that does not was cut inside its last record.
    if (last && state == "mismatch" && !file.bytes().ends_with('\n')) {
      diagnostics_.warning(
          "truncated", loc,
          "the log ends inside this record (" + kind + "): its payload does not match its hash");
      keep(ref, "truncated");
      return state;
    }
    if (broken) {
      diagnostics_.warning("bad-payload", loc,
                           "the JSON payload of this record (" + kind + ") is damaged; it is kept as text");
      keep(ref, "bad-payload");
    } else {
      if (mismatches++ == 0) {
        firstMismatch = loc;
        firstKind = kind;
      }
      keep(ref, "payload-hash");
    }
    return state;
  };
  std::unordered_map<uint64_t, size_t> graphOf;
  for (size_t g = 0; g < graphRefs_.size(); ++g)
    graphOf[uint64_t(graphRefs_[g].file) << 32 | graphRefs_[g].record] = g;
  for (uint32_t f = 0; f < files_.size(); ++f) {
    const std::vector<TraceRecord>& records = files_[f].records;
    mismatches = 0;
    timeline = {};
    for (uint32_t i = 0; i < records.size(); ++i) {
      const TraceRecord& r = records[i];
      const bool last = i + 1 == records.size();
      if (r.flags & kRecordBadHeader) keep({f, i}, last ? "truncated" : "bad-header");
      if (r.flags & kRecordOrphan) keep({f, i}, "orphan");
      if (r.flags & kRecordJunk) keep({f, i}, "junk");
      if (r.flags & kRecordUnsure) keep({f, i}, "payload-indent");
      if (!(r.flags & kRecordHasPayload)) continue;
      const auto g = graphOf.find(uint64_t(f) << 32 | i);
      if (total > kCheckAllBytes && !last && (g == graphOf.end() || graphBytes > kCheckAllBytes)) continue;
      std::string state = check({f, i}, last);
      if (g != graphOf.end()) graphs_[g->second].hashState = std::move(state);
    }
    diagnostics_.setFile(files_[f].file);
    // Above the limit only some payloads were looked at: the partner may be among the others.
    if (total <= kCheckAllBytes) timeline.finish(diagnostics_);
    if (!mismatches) continue;
    // One warning a file: whoever edits a log (to cut paths, say) edits all of it.
    diagnostics_.warning(
        "payload-hash", firstMismatch,
        (mismatches == 1 ? "the payload of this record (" + firstKind + ") does not match its hash"
                         : std::to_string(mismatches) + " payloads, this one (" + firstKind +
                               ") first, do not match their hashes") +
            ": the log was edited or damaged");
  }
  std::sort(states_.begin(), states_.end());
}

bool TraceInput::readInPart() const {
  // Asked by every command: the list of records, which big logs make on demand, is not needed for it.
  if (damagedAround()) return true;
  for (const auto& [key, state] : states_) {
    RecordEntry e;
    e.state = state;
    const TraceIndex& file = files_[key >> 32];
    e.kind = std::string(file.kind(file.records[key & 0xFFFFFFFFu]));
    if (e.lost()) return true;
  }
  return false;
}

std::string TraceInput::recordState(TraceRef ref) const {
  const uint64_t key = uint64_t(ref.file) << 32 | ref.record;
  const auto it = std::lower_bound(states_.begin(), states_.end(), key,
                                   [](const auto& entry, uint64_t k) { return entry.first < k; });
  return it != states_.end() && it->first == key ? it->second : "";
}

const std::vector<RecordEntry>& TraceInput::records() const {
  std::call_once(recordsOnce_, [this] {
    std::unordered_map<uint64_t, int> graphOf;
    for (size_t g = 0; g < graphRefs_.size(); ++g)
      graphOf[uint64_t(graphRefs_[g].file) << 32 | graphRefs_[g].record] = static_cast<int>(g);
    size_t total = 0;
    for (const TraceIndex& file : files_) total += file.records.size();
    lazyRecords_.reserve(total);
    for (uint32_t f = 0; f < files_.size(); ++f) {
      const TraceIndex& file = files_[f];
      std::vector<std::pair<std::string, std::string>> ids;
      for (const CompileKey& key : file.keys) ids.emplace_back(key.id(), key.shown());
      for (uint32_t i = 0; i < file.records.size(); ++i) {
        const TraceRecord& r = file.records[i];
        RecordEntry e;
        e.kind = std::string(file.kind(r));
        e.name = std::string(file.name(r));
        if (r.headerLength && !(r.flags & kRecordBadHeader)) {
          e.compileId = ids[r.key].first;
          e.shownCompileId = ids[r.key].second;
          e.known = e.kind == "artifact" ? knownArtifact(e.name) : knownRecordKind(e.kind);
        } else {
          e.known = false;
        }
        const int64_t rank = file.keys[r.key].rank;
        if (rank >= 0)
          e.rank = static_cast<int>(rank);
        else
          e.rank = file.rank;
        e.file = file.file;
        e.line = r.line;
        e.byte = static_cast<int64_t>(r.byte);
        e.payloadBytes = r.payloadEnd - r.payload;
        e.hasPayload = r.payloadEnd > r.payload;
        e.state = recordState({f, i});
        if (const auto g = graphOf.find(uint64_t(f) << 32 | i); g != graphOf.end()) e.graph = g->second;
        lazyRecords_.push_back(std::move(e));
      }
    }
  });
  return lazyRecords_;
}

const std::vector<FactTable>& TraceInput::tables() const {
  std::call_once(tablesOnce_, [this] { lazyTables_ = traceTables(files_); });
  return lazyTables_;
}

TraceRef TraceInput::refOf(size_t recordIndex) const {
  const auto it = std::upper_bound(firstRecord_.begin(), firstRecord_.end(), recordIndex);
  const size_t f = static_cast<size_t>(it - firstRecord_.begin()) - 1;
  return {static_cast<uint32_t>(f), static_cast<uint32_t>(recordIndex - firstRecord_[f])};
}

ir::Result<std::shared_ptr<ir::Module>> TraceInput::load(size_t index, ir::DiagnosticSink& sink) const {
  if (index >= graphs_.size())
    return ir::failure("no-such-graph", "the input has no graph with this number", path_);
  const TraceRef ref = graphRefs_[index];
  const TraceIndex& file = files_[ref.file];
  if (const ir::Status same = file.source->unchanged(); !same) return same.error();
  if (sink.file().empty()) sink.setFile(file.file);
  const TraceRecord& r = file.records[ref.record];
  if (graphs_[index].hashState == "unchecked" && file.checkHash(r) == "mismatch")
    sink.warning("payload-hash", {r.line, 1, static_cast<int64_t>(r.byte)},
                 "the text of this graph does not match its hash: the log was edited or damaged");
  Region region = graphRegion(file, r, file.use(r), &sink);
  std::shared_ptr<ir::Module> module = parseFxText(region.text, region.map, sink);
  if (module && !module->graphs.empty() && recordState(ref) == "truncated") module->root().truncated = true;
  return module;
}

ir::Result<std::string> TraceInput::text(size_t index) const {
  if (index >= graphs_.size())
    return ir::failure("no-such-graph", "the input has no graph with this number", path_);
  const TraceRef ref = graphRefs_[index];
  const TraceIndex& file = files_[ref.file];
  if (const ir::Status same = file.source->unchanged(); !same) return same.error();
  const TraceRecord& r = file.records[ref.record];
  return graphRegion(file, r, file.use(r), nullptr).text;
}

ir::Result<std::string> TraceInput::payload(size_t index) const {
  size_t total = 0;
  for (const TraceIndex& file : files_) total += file.records.size();
  if (index >= total) return ir::failure("no-such-record", "the input has no record with this number", path_);
  const TraceRef ref = refOf(index);
  const TraceIndex& file = files_[ref.file];
  if (const ir::Status same = file.source->unchanged(); !same) return same.error();
  const TraceRecord& r = file.records[ref.record];
  if (r.payloadEnd > r.payload) return file.payloadText(r, false);
  if (r.flags & kRecordBadHeader) return std::string(file.header(r));
  return std::string(file.metadata(r));
}

std::optional<ExportSignature> TraceInput::exportSignature(size_t index) const {
  if (index >= graphs_.size() || graphs_[index].kind != "exported_program") return std::nullopt;
  const TraceIndex& file = files_[graphRefs_[index].file];
  if (!file.source->unchanged()) return std::nullopt;
  return findExportSignature(file.payloadText(file.records[graphRefs_[index].record], false));
}

std::string TraceInput::hashState(size_t index) const {
  if (index >= graphs_.size()) return "";
  if (graphs_[index].hashState != "unchecked") return graphs_[index].hashState;
  const TraceIndex& file = files_[graphRefs_[index].file];
  if (!file.source->unchanged()) return "unchecked";
  return file.checkHash(file.records[graphRefs_[index].record]);
}

namespace {

int sniffTrace(std::string_view head, std::string& reason) {
  if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
  int nonEmpty = 0;
  uint32_t line = 0;
  bool header = false;
  for (size_t at = 0; at < head.size() && nonEmpty < 200;) {
    ++line;
    const size_t nl = head.find('\n', at);
    std::string_view text = head.substr(at, nl == std::string_view::npos ? nl : nl - at);
    at = nl == std::string_view::npos ? head.size() : nl + 1;
    if (text.ends_with('\r')) text.remove_suffix(1);
    if (text.empty()) continue;
    ++nonEmpty;
    size_t json = 0;
    if (text[0] == '\t' || !scanHeaderPrefix(text, json)) continue;
    HeaderFields fields;
    size_t errorAt = 0;
    if (!scanHeaderJson(text.substr(json), fields, errorAt)) {
      header = true;  // cut by the end of the head, or damaged
      continue;
    }
    if (fields.kind.empty()) continue;
    if (!knownRecordKind(fields.kind)) {
      header = true;
      continue;
    }
    reason = "line " + std::to_string(line) + " is the header of a '" + std::string(fields.kind) +
             "' trace record";
    return 98;
  }
  if (!header) return 0;
  reason = "lines look like headers of trace records";
  return 60;
}

ir::Result<std::unique_ptr<Input>> openTrace(const std::string& path, std::optional<std::string> content,
                                             const OpenOptions& options) {
  TraceIndex index;
  index.file = path.empty() || path == "-" ? options.name : path;
  index.rank = rankOfFileName(path);
  if (content) {
    index.source = ByteSource::fromMemory(std::move(*content));
  } else {
    auto source = ByteSource::open(path);
    if (!source) return source.error();
    index.source = *source;
  }
  const std::string shown = index.file;
  std::vector<TraceIndex> files;
  files.push_back(std::move(index));
  return TraceInput::make(shown, std::move(files), options);
}

}  // namespace

const Importer kTorchTraceImporter{"torch-trace", "structured logs that TORCH_TRACE writes", sniffTrace,
                                   openTrace};

}  // namespace descry::importers

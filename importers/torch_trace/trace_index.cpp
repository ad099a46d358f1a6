#include "importers/torch_trace/trace_index.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "importers/common/json_escape.h"
#include "importers/common/md5.h"
#include "importers/torch_trace/header_scan.h"

namespace descry::importers {
namespace {

std::string part(int64_t value) {
  return value < 0 ? "None" : std::to_string(value);
}
std::string dash(int64_t value) {
  return value < 0 ? "-" : std::to_string(value);
}

void appendAttempt(std::string& out, int64_t attempt) {
  if (attempt <= 0) return;
  out += '_';
  out += std::to_string(attempt);
}

struct KeyHash {
  size_t operator()(const CompileKey& k) const {
    uint64_t h = 0xcbf29ce484222325ull;
    for (const int64_t v : {k.compiledAutograd, k.frame, k.frameCompile, k.attempt, k.rank})
      h = (h ^ static_cast<uint64_t>(v)) * 0x9E3779B97F4A7C15ull, h ^= h >> 29;
    return h;
  }
};

int64_t clip(std::optional<int64_t> value) {
  return value && *value >= 0 ? *value : -1;
}

class Indexer {
 public:
  Indexer(TraceIndex& index, const Progress& progress, ir::DiagnosticSink& sink)
      : index_(index), progress_(progress), sink_(sink), bytes_(index.bytes()) {}

  ir::Status run() {
    index_.records.reserve(std::min<size_t>(bytes_.size() / 400 + 16, 1u << 20));
    at_ = bytes_.substr(0, 3) == "\xEF\xBB\xBF" ? 3 : 0;
    line_ = 1;
    uint64_t nextReport = 0;
    while (at_ < bytes_.size()) {
      if (at_ >= nextReport) {
        if (progress_.cancelled()) return ir::failure("cancelled", "cancelled", index_.file);
        if (progress_.report) progress_.report(double(at_) / double(bytes_.size()), "indexing");
        nextReport = at_ + (4u << 20);
      }
      step();
    }
    index_.lines = line_ - 1;
    if (restored_)
      sink_.warning(
          "payload-indent", firstRestored_,
          restored_ == 1
              ? std::string("the payload of this record lost its TABs; its lines up to the next header "
                            "were taken")
              : std::to_string(restored_) +
                    " payloads, that of this record first, lost their TABs; their lines up to the next "
                    "header were taken");
    if (index_.junkLines)
      sink_.note("junk-lines", {firstJunk_.line, 1, firstJunk_.byte},
                 std::to_string(index_.junkLines) + " lines are no trace records");
    return {};
  }

 private:
  size_t lineEnd(size_t from) const {
    const void* hit = std::memchr(bytes_.data() + from, '\n', bytes_.size() - from);
    return hit ? static_cast<const char*>(hit) - bytes_.data() : bytes_.size();
  }

  static bool emptyLine(std::string_view line) { return line.empty() || line == "\r"; }

  void nextLine(size_t end) {
    at_ = end + 1 < bytes_.size() ? end + 1 : bytes_.size();
    ++line_;
  }

  /// Takes TAB lines, and lines that an editor emptied when a TAB line follows them.
  void takePayload(TraceRecord& record, bool emptied) {
    record.payload = record.payloadEnd = at_;
    while (at_ < bytes_.size()) {
      if (bytes_[at_] == '\t') {
        const size_t end = lineEnd(at_);
        record.payloadEnd = end;
        nextLine(end);
        continue;
      }
      if (!emptied) return;
      size_t ahead = at_;
      uint32_t lines = 0;
      while (ahead < bytes_.size() && (bytes_[ahead] == '\n' || bytes_.substr(ahead, 2) == "\r\n")) {
        ahead += bytes_[ahead] == '\n' ? 1 : 2;
        ++lines;
      }
      if (!lines || ahead >= bytes_.size() || bytes_[ahead] != '\t') return;
      at_ = ahead;
      line_ += lines;
    }
  }

  void step() {
    if (bytes_[at_] == '\t') {
      orphan();
      return;
    }
    const size_t end = lineEnd(at_);
    std::string_view line = bytes_.substr(at_, end - at_);
    if (line.ends_with('\r')) line.remove_suffix(1);
    TraceRecord record;
    record.byte = at_;
    record.line = line_;
    size_t jsonAt = 0;
    if (line.size() > 0xFFFFFFF0u || !scanHeaderPrefix(line, jsonAt)) {
      junk(end);
      return;
    }
    lastJunk_ = false;
    record.headerLength = static_cast<uint32_t>(line.size());
    record.jsonAt = static_cast<uint32_t>(jsonAt);
    nextLine(end);
    HeaderFields fields;
    size_t errorAt = 0;
    const bool ok = scanHeaderJson(line.substr(jsonAt), fields, errorAt);
    if (!ok || fields.kind.empty()) {
      record.flags = kRecordBadHeader;
      record.kind = word("(bad header)");
      record.key = key({});
      takePayload(record, true);
      const bool last = at_ >= bytes_.size();
      const ir::SourceLoc loc{record.line, static_cast<uint32_t>(jsonAt + errorAt + 1),
                              static_cast<int64_t>(record.byte + jsonAt + errorAt)};
      if (ok)
        sink_.warning("bad-header", loc, "the header has no record kind");
      else
        sink_.warning("bad-header", loc,
                      last ? std::string("the log ends inside the JSON of a header")
                           : std::string("the JSON of this header is damaged; the record is kept as text"));
      index_.records.push_back(record);
      return;
    }
    record.kind = word(fields.kind);
    record.name = nameOf(fields);
    record.key = key({clip(fields.compiledAutograd), clip(fields.frame), clip(fields.frameCompile),
                      clip(fields.attempt), clip(fields.rank)});
    record.instance = instance(fields, index_.keys[record.key]);
    if (fields.hasPayload) {
      record.flags = kRecordHasPayload;
      takePayload(record, true);
      if (record.payload == record.payloadEnd && at_ < bytes_.size() && bytes_[at_] != '\t')
        takeUnindented(record);
    } else {
      record.payload = record.payloadEnd = at_;
    }
    index_.records.push_back(record);
  }

  /// The lines up to the next header as the payload of a record that announced one, for logs whose TABs were
  /// turned into blanks or stripped when they were copied. Nothing is taken when a TAB line stands among
  /// them.
  void takeUnindented(TraceRecord& record) {
    struct Line {
      size_t begin, end;
    };
    size_t at = at_, size = 0, common = 255;
    std::vector<Line> lines;
    while (at < bytes_.size() && bytes_[at] != '\t') {
      const size_t end = lineEnd(at);
      const std::string_view line = bytes_.substr(at, end - at);
      size_t jsonAt = 0;
      if (scanHeaderPrefix(line.substr(0, 0xFFFFFFF0u), jsonAt)) break;
      lines.push_back({at, end});
      const size_t text = line.find_first_not_of(" \r");
      if (text != std::string_view::npos) {
        common = std::min(common, text);
        size = lines.size();
      }
      at = end + 1;
    }
    if (!size || (at < bytes_.size() && bytes_[at] == '\t')) return;
    record.flags |= kRecordIndent;
    record.payload = record.payloadEnd = at_;
    // Blank lines may end the payload or stand behind it, and a payload may be indented by itself: the hash
    // tells. A line of blanks is the last one of a printed module.
    const size_t indents[] = {common, 0, 8, 4, 2, 1};
    bool fits = false;
    for (const size_t count : {lines.size(), std::min(size + 1, lines.size()), size}) {
      if (record.payloadEnd == lines[count - 1].end) continue;  // tried
      record.payloadEnd = lines[count - 1].end;
      for (const size_t& indent : indents) {
        if (indent >= common && &indent != indents) continue;
        record.indent = static_cast<uint8_t>(indent);
        if (const std::string state = index_.checkHash(record); state == "ok" || state == "ok-without-cr") {
          fits = true;
          break;
        }
      }
      if (fits) break;
    }
    if (!fits) {
      record.flags |= kRecordUnsure;
      record.indent = static_cast<uint8_t>(common);
    }
    const auto taken =
        std::find_if(lines.begin(), lines.end(), [&](const Line& l) { return l.end == record.payloadEnd; });
    line_ += static_cast<uint32_t>(taken - lines.begin());
    nextLine(record.payloadEnd);
    if (restored_++ == 0) firstRestored_ = {record.line, 1, static_cast<int64_t>(record.byte)};
  }

  /// TAB lines that no header announced: they belong to the record before, when it has no payload of its own.
  void orphan() {
    const ir::SourceLoc loc{line_, 1, static_cast<int64_t>(at_)};
    TraceRecord* last = !lastJunk_ && !index_.records.empty() ? &index_.records.back() : nullptr;
    if (last && last->payload == last->payloadEnd && !(last->flags & kRecordJunk)) {
      last->flags |= kRecordOrphan;
      takePayload(*last, false);
    } else {
      TraceRecord record;
      record.byte = at_;
      record.line = line_;
      record.kind = word("(orphan)");
      record.key = key({});
      record.flags = kRecordOrphan;
      takePayload(record, false);
      index_.records.push_back(record);
      lastJunk_ = false;
    }
    sink_.warning("orphan-payload", loc, "payload lines that no header announced");
  }

  void junk(size_t end) {
    if (!emptyLine(bytes_.substr(at_, end - at_))) {
      if (index_.junkLines++ == 0) firstJunk_ = {line_, 1, static_cast<int64_t>(at_)};
      if (lastJunk_) {
        index_.records.back().payloadEnd = end;
      } else {
        TraceRecord record;
        record.byte = record.payload = at_;
        record.payloadEnd = end;
        record.line = line_;
        record.kind = word("(junk)");
        record.key = key({});
        record.flags = kRecordJunk;
        index_.records.push_back(record);
        lastJunk_ = true;
      }
    }
    nextLine(end);
  }

  uint32_t word(std::string_view text) {
    if (const auto found = words_.find(text); found != words_.end()) return found->second;
    const uint32_t id = static_cast<uint32_t>(index_.words.size());
    index_.words.push_back(text.find('\\') == std::string_view::npos ? std::string(text)
                                                                     : unescapeJson(text));
    // Keys point into the file or into a literal; both outlive the indexer.
    words_.emplace(text, id);
    return id;
  }

  uint32_t nameOf(const HeaderFields& fields) {
    if (fields.value.size() < 8 || fields.value[0] != '{') return 0;
    const std::string_view kind = fields.kind;
    const bool named = kind == "artifact" || kind == "dump_file" || kind == "graph_dump" || kind == "link" ||
                       kind == "optimize_ddp_split_child";
    const bool filed = kind == "inductor_output_code";
    if (!named && !filed && knownRecordKind(kind)) return 0;
    // The usual artifact header: {"name": "...", ... - found without scanning the object.
    static constexpr std::string_view kLead = "{\"name\": \"";
    if (named && fields.value.starts_with(kLead)) {
      const std::string_view rest = fields.value.substr(kLead.size());
      const size_t quote = rest.find_first_of("\"\\");
      if (quote != std::string_view::npos && rest[quote] == '"') return word(rest.substr(0, quote));
    }
    const auto found = jsonStringField(fields.value, filed ? "filename" : "name");
    if (!found || found->empty()) return 0;
    // Escaped names are rare; intern them through storage that lives as long as the indexer.
    kept_.push_back(std::make_unique<std::string>(*found));
    return word(*kept_.back());
  }

  uint32_t key(const CompileKey& k) {
    if (!index_.keys.empty() && index_.keys[lastKey_] == k) return lastKey_;
    const auto [it, fresh] = keys_.emplace(k, static_cast<uint32_t>(index_.keys.size()));
    if (fresh) index_.keys.push_back(k);
    return lastKey_ = it->second;
  }

  /// The same id compiled again after a reset: dynamo_start of an id that its metrics already closed.
  uint16_t instance(const HeaderFields& fields, const CompileKey& k) {
    if (k.frame < 0 && k.compiledAutograd < 0) return 0;
    CompileKey whole = k;
    whole.attempt = whole.rank = -1;
    State& state = states_[whole];
    if (fields.kind == "dynamo_start" && state.finished) {
      if (state.instance < 0xFFFF) ++state.instance;
      state.finished = false;
    } else if (fields.kind == "compilation_metrics") {
      state.finished = true;
    }
    return state.instance;
  }

  struct State {
    uint16_t instance = 0;
    bool finished = false;
  };
  TraceIndex& index_;
  const Progress& progress_;
  ir::DiagnosticSink& sink_;
  std::string_view bytes_;
  size_t at_ = 0;
  uint32_t line_ = 1;
  bool lastJunk_ = false;
  ir::SourceLoc firstJunk_, firstRestored_;
  size_t restored_ = 0;  // payloads without TABs
  std::unordered_map<std::string_view, uint32_t> words_;
  std::vector<std::unique_ptr<std::string>> kept_;
  std::unordered_map<CompileKey, uint32_t, KeyHash> keys_;
  uint32_t lastKey_ = 0;
  std::unordered_map<CompileKey, State, KeyHash> states_;
};

/// Calls f(text, byte, column) for each payload line, with its CR.
template <class F>
void forEachPayloadLine(std::string_view bytes, const TraceRecord& r, F&& f) {
  if (r.payload == r.payloadEnd && !(r.payload < bytes.size() && bytes[r.payload] == '\t')) return;
  size_t at = r.payload;
  while (at <= r.payloadEnd) {
    const void* hit = at < r.payloadEnd ? std::memchr(bytes.data() + at, '\n', r.payloadEnd - at) : nullptr;
    const size_t end = hit ? static_cast<const char*>(hit) - bytes.data() : r.payloadEnd;
    size_t tab = at < end && bytes[at] == '\t' && !(r.flags & kRecordJunk) ? 1 : 0;
    if (r.flags & kRecordIndent)
      for (tab = 0; tab < r.indent && at + tab < end && bytes[at + tab] == ' ';) ++tab;
    f(bytes.substr(at + tab, end - at - tab), at + tab, static_cast<uint32_t>(1 + tab));
    if (!hit) return;
    at = end + 1;
  }
}

}  // namespace

std::string CompileKey::id() const {
  std::string out;
  if (compiledAutograd >= 0 && frame < 0) {
    out = '!';
    out += std::to_string(compiledAutograd);
  } else {
    out = part(frame);
    out += '/';
    out += part(frameCompile);
  }
  appendAttempt(out, attempt);
  return out;
}

std::string CompileKey::shown() const {
  std::string out;
  if (compiledAutograd < 0 && frame < 0 && frameCompile < 0) return out;
  if (compiledAutograd >= 0) {
    out = '!';
    out += std::to_string(compiledAutograd);
  }
  if (frame >= 0 || frameCompile >= 0) {
    if (!out.empty()) out += '/';
    out += dash(frame);
    out += '/';
    out += dash(frameCompile);
  }
  appendAttempt(out, attempt);
  return out;
}

std::string_view TraceIndex::metadata(const TraceRecord& r) const {
  if (r.flags & (kRecordBadHeader | kRecordJunk) || !r.headerLength) return {};
  HeaderFields fields;
  size_t errorAt = 0;
  scanHeaderJson(headerJson(r), fields, errorAt);
  return fields.value;
}

std::string TraceIndex::payloadText(const TraceRecord& r, bool keepCr, LineMap* map) const {
  std::string out;
  out.reserve(r.payloadEnd - r.payload);
  uint32_t line = r.flags & kRecordJunk || !r.headerLength ? r.line : r.line + 1;
  bool first = true;
  forEachPayloadLine(bytes(), r, [&](std::string_view text, size_t byte, uint32_t column) {
    if (!first) out += '\n';
    if (map) {
      map->lines.push_back({line, column, static_cast<int64_t>(byte)});
      if (first) map->first = map->lines.front();
    }
    first = false;
    ++line;
    if (!keepCr && text.ends_with('\r')) text.remove_suffix(1);
    out += text;
  });
  return out;
}

std::string TraceIndex::checkHash(const TraceRecord& r) const {
  if (!(r.flags & kRecordHasPayload)) return "";
  HeaderFields fields;
  size_t errorAt = 0;
  if (!scanHeaderJson(headerJson(r), fields, errorAt)) return "";
  if (fields.hash.empty()) return "";
  Md5 plain, withoutCr;
  bool first = true, cr = false;
  forEachPayloadLine(bytes(), r, [&](std::string_view text, size_t, uint32_t) {
    if (!first) plain.add("\n");
    plain.add(text);
    if (text.ends_with('\r')) cr = true;
    first = false;
  });
  if (hex(plain.finish()) == fields.hash) return "ok";
  if (!cr) return "mismatch";
  first = true;
  forEachPayloadLine(bytes(), r, [&](std::string_view text, size_t, uint32_t) {
    if (!first) withoutCr.add("\n");
    if (text.ends_with('\r')) text.remove_suffix(1);
    withoutCr.add(text);
    first = false;
  });
  return hex(withoutCr.finish()) == fields.hash ? "ok-without-cr" : "mismatch";
}

ir::Status indexTrace(TraceIndex& index, const Progress& progress, ir::DiagnosticSink& sink) {
  return Indexer(index, progress, sink).run();
}

}  // namespace descry::importers

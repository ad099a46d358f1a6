#include "importers/torch_logs/torch_logs.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "importers/fx_percent/fx_percent.h"
#include "importers/torch_logs/messages.h"
#include "importers/torch_logs/rewrap.h"

namespace descry::importers {
namespace {

/// ` ===== Joint graph 0 =====` or `---submod_0 graph---`; empty when the line is none.
std::string bannerOf(std::string_view line) {
  while (line.starts_with(' ')) line.remove_prefix(1);
  while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.remove_suffix(1);
  for (const char mark : {'=', '-'}) {
    const size_t need = mark == '=' ? 5 : 3;
    size_t a = 0, b = 0;
    while (a < line.size() && line[a] == mark) ++a;
    if (a < need || a == line.size()) continue;
    while (b < line.size() && line[line.size() - 1 - b] == mark) ++b;
    if (b < need) continue;
    line.remove_prefix(a);
    line.remove_suffix(b);
    while (line.starts_with(' ')) line.remove_prefix(1);
    while (line.ends_with(' ')) line.remove_suffix(1);
    return std::string(line);
  }
  return "";
}

bool numbered(const std::string& title, std::string_view head, std::string& number) {
  if (!title.starts_with(head)) return false;
  number = title.substr(head.size());
  return !number.empty() &&
         std::all_of(number.begin(), number.end(), [](unsigned char c) { return std::isdigit(c); });
}

/// The name that trace logs use for the same graph, from banner and artifact.
std::string kindOf(const std::string& title, const std::string& artifact) {
  std::string number;
  if (numbered(title, "Joint graph ", number)) return "aot_joint_graph";
  if (numbered(title, "Forward graph ", number)) return "aot_forward_graph";
  if (numbered(title, "Backward graph ", number)) return "aot_backward_graph";
  if (title == "Compiled autograd graph")
    return artifact == "compiled_autograd_verbose" ? artifact : "compiled_autograd_graph";
  if (title == "BEFORE PRE GRAD") return "before_pre_grad_graph";
  if (title == "AFTER PRE GRAD") return "after_pre_grad_graph";
  if (title == "BEFORE POST GRAD") return "before_post_grad_graph";
  if (title == "AFTER POST GRAD") return "after_post_grad_graph";
  if (artifact == "graph_code" || artifact == "graph" ||
      (artifact.empty() && title.starts_with("__compiled_fn_")))
    return "dynamo_output_graph";
  if (artifact == "ddp_graphs") {
    if (title == "split graph") return "optimize_ddp_split_graph";
    if (title.starts_with("submod_")) return "optimize_ddp_split_child";
    return "ddp_graphs";
  }
  if (title == "tensorify_python_scalars") return title;
  if (!artifact.empty()) return artifact;
  return "graph";
}

/// Artifacts whose text has `class` and `def` that are no graphs.
bool neverFx(const std::string& artifact) {
  static const std::set<std::string> kNames{
      "ir_pre_fusion", "ir_post_fusion", "output_code", "kernel_code",  "bytecode",   "trace_bytecode",
      "guards",        "fusion",         "schedule",    "trace_source", "trace_call", "compute_dependencies",
      "loop_ordering"};
  return kNames.contains(artifact);
}

std::vector<std::string_view> linesOf(std::string_view text) {
  std::vector<std::string_view> out;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

/// Where the header of a table stands that old `__graph` messages print right behind the name of the function
/// and the path of its code: `__compiled_fn_1 <eval_with_key>.0 opcode  name  target  args  kwargs`. 0 when
/// the line is none.
uint32_t gluedTableHeader(std::string_view line) {
  const size_t header = line.find(" opcode ");
  if (header == std::string_view::npos) return 0;
  if (line.substr(0, header).find_first_not_of(' ') == std::string_view::npos) return 0;
  size_t at = header + 8;
  for (const std::string_view word : {" name ", " target ", " args ", " kwargs"}) {
    at = line.find(word, at);
    if (at == std::string_view::npos) return 0;
    at += word.size() - 1;
  }
  return static_cast<uint32_t>(header + 1);
}

class LogReader {
 public:
  LogReader(RegionInput& input, std::string_view text, const Wrapping& wrapping, const Progress& progress)
      : input_(input), text_(text), wrapping_(wrapping), progress_(progress) {}

  bool run() {
    const std::vector<LogMessage> messages = splitMessages(text_, wrapping_);
    size_t count = 0;
    for (const LogMessage& message : messages) {
      if ((++count & 1023) == 0 && progress_.cancelled()) return false;
      if (progress_.report && (count & 4095) == 0)
        progress_.report(double(count) / double(messages.size()), "reading messages");
      one(message);
    }
    settleForward();
    std::set<int> ranks;
    for (const GraphEntry& g : input_.graphs())
      if (g.rank) ranks.insert(*g.rank);
    input_.finish(ranks.size() > 1);
    return true;
  }

 private:
  void one(const LogMessage& given) {
    std::string body = input_.assemble(given.lines, nullptr);
    const LogMessage* whole = &given;
    LogMessage joined;
    if (body.find(" opcode ") != std::string::npos) {
      joined = given;
      joined.lines.clear();
      for (const LinePiece& piece : given.lines) {
        joined.lines.push_back(piece);
        const uint32_t cut = gluedTableHeader(text_.substr(piece.byte, piece.length));
        if (!cut) continue;
        LinePiece& path = joined.lines.back();
        LinePiece header = piece;
        path.length = cut;
        header.byte += cut;
        header.length -= cut;
        header.column += cut;
        joined.lines.push_back(header);
      }
      body = input_.assemble(joined.lines, nullptr);
      whole = &joined;
    }
    if (const std::vector<LineJoin> broken = findBrokenLines(linesOf(body)); !broken.empty()) {
      if (whole == &given) joined = given;
      for (size_t i = 0; i < joined.lines.size() && i < broken.size(); ++i) joined.lines[i].join = broken[i];
      body = input_.assemble(joined.lines, nullptr);
      whole = &joined;
    }
    const LogMessage& message = *whole;
    // Where each line of the body starts: a joined piece is no line of its own.
    starts_.clear();
    for (size_t i = 0; i < message.lines.size(); ++i)
      if (message.lines[i].join == LineJoin::No) starts_.push_back(i);
    const size_t before = input_.graphs().size();
    if (!neverFx(message.artifact))
      for (const FxRegion& region : findFxRegions(body))
        graph(message, body, RegionForm::Fx, region.begin, region.end, region.line, 0, region.title);
    for (const PercentRegion& region : findPercentRegions(body)) {
      const RegionForm form = region.form == PercentForm::Tabular ? RegionForm::Tabular : RegionForm::Percent;
      graph(message, body, form, region.begin, region.end, region.line, region.indent, region.title,
            region.form == PercentForm::Fragment);
    }
    if (message.form == LogLine::Form::None) return;
    record(message, body, input_.graphs().size() > before ? static_cast<int>(before) : -1);
  }

  void graph(const LogMessage& message, const std::string& body, RegionForm form, size_t begin, size_t end,
             uint32_t line, uint32_t indent, const std::string& title, bool fragment = false) {
    std::vector<LinePiece> pieces;
    uint32_t count = static_cast<uint32_t>(std::count(body.begin() + begin, body.begin() + end, '\n'));
    if (end > begin && body[end - 1] != '\n') ++count;
    const size_t from = line < starts_.size() ? starts_[line] : message.lines.size();
    const size_t to =
        size_t(line) + count < starts_.size() ? starts_[size_t(line) + count] : message.lines.size();
    for (size_t i = from; i < to; ++i) {
      LinePiece piece = message.lines[i];
      if (piece.join != LineJoin::No) {
        pieces.push_back(piece);
        continue;
      }
      const uint32_t cut = std::min(indent, piece.length);
      piece.byte += cut;
      piece.length -= cut;
      piece.column += cut;
      pieces.push_back(piece);
    }
    if (pieces.empty()) return;
    GraphEntry entry;
    // The banner is the nearest one above; text between is another graph's or blank.
    std::string banner;
    for (size_t i = std::min(from, message.lines.size() - 1), back = 0; i > 0 && back < 6; ++back) {
      --i;
      std::string clean;
      appendCleanLine(clean, text_.substr(message.lines[i].byte, message.lines[i].length), false);
      if (const std::string found = bannerOf(clean); !found.empty()) {
        banner = found;
        break;
      }
      if (clean.starts_with("        ")) break;
      // A name that stood on the line of a table's header.
      const size_t name = clean.find_first_not_of(' ');
      if (name != std::string::npos && clean.substr(name).starts_with("__compiled_fn_")) {
        banner = clean.substr(name, clean.find(' ', name) - name);
        break;
      }
    }
    entry.title = !banner.empty() ? banner : title;
    entry.kind = fragment ? "graph_fragment" : kindOf(banner, message.artifact);
    if (!message.compileId.empty())
      splitCompileId(message.compileId, entry.compileId, entry.shownCompileId, entry.attempt);
    entry.rank = message.rank;
    input_.addGraph(std::move(entry), form, std::move(pieces));
  }

  void record(const LogMessage& message, const std::string& body, int graph) {
    RecordEntry e;
    e.kind = message.artifact.empty() ? "message" : message.artifact;
    e.name = body.substr(0, std::min<size_t>(body.find('\n'), 160));
    while (!e.name.empty() && (static_cast<uint8_t>(e.name.back()) & 0x80)) e.name.pop_back();
    int attempt = 0;
    if (!message.compileId.empty()) splitCompileId(message.compileId, e.compileId, e.shownCompileId, attempt);
    e.rank = message.rank;
    e.graph = graph;
    facts(e, body, message);
    input_.addRecord(std::move(e), message.lines);
  }

  void facts(const RecordEntry& e, const std::string& body, const LogMessage& message) {
    const std::string line = message.lines.empty() ? "" : std::to_string(message.lines.front().line);
    if (e.kind == "recompiles" || e.kind == "recompiles_verbose")
      row("recompiles", {"compile", "line", "text"}, {e.shownCompileId, line, body});
    else if (e.kind == "graph_breaks" || body.starts_with("Graph break"))
      row("graph-breaks", {"compile", "line", "text"}, {e.shownCompileId, line, body});
    else if (e.kind == "guards")
      guards(e.shownCompileId, body);
  }

  void guards(const std::string& compile, const std::string& body) {
    for (size_t at = 0; at < body.size();) {
      const size_t end = std::min(body.find('\n', at), body.size());
      std::string_view s = std::string_view(body).substr(at, end - at);
      at = end + 1;
      int depth = 0;
      while (s.starts_with("| ")) {
        s.remove_prefix(2);
        ++depth;
      }
      if (!s.starts_with("+- ")) continue;
      s.remove_prefix(3);
      std::string place;
      if (const size_t hash = s.rfind("  # "); hash != std::string_view::npos) {
        place = std::string(s.substr(hash + 4));
        s = s.substr(0, hash);
        while (s.ends_with(' ')) s.remove_suffix(1);
      }
      const size_t colon = s.find(": ");
      row("guards", {"compile", "depth", "kind", "text", "place"},
          {compile, std::to_string(depth), std::string(s.substr(0, colon)),
           colon == std::string_view::npos ? "" : std::string(s.substr(colon + 2)), place});
    }
  }

  void row(const std::string& name, std::vector<std::string> columns, std::vector<std::string> cells) {
    auto& tables = input_.editTables();
    auto found =
        std::find_if(tables.begin(), tables.end(), [&](const FactTable& t) { return t.name == name; });
    if (found == tables.end()) {
      tables.push_back({name, std::move(columns), {}});
      found = tables.end() - 1;
    }
    found->rows.push_back(std::move(cells));
  }

  /// "Forward graph N" without a joint or a backward graph of the same N is an inference graph.
  void settleForward() {
    std::set<std::pair<int, std::string>> trained;
    std::string number;
    for (const GraphEntry& g : input_.graphs())
      if (numbered(g.title, "Joint graph ", number) || numbered(g.title, "Backward graph ", number))
        trained.insert({g.rank.value_or(-1), number});
    for (GraphEntry& g : input_.editGraphs())
      if (g.kind == "aot_forward_graph" && numbered(g.title, "Forward graph ", number) &&
          !trained.contains({g.rank.value_or(-1), number}))
        g.kind = "aot_inference_graph";
  }

  RegionInput& input_;
  std::string_view text_;
  const Wrapping& wrapping_;
  const Progress& progress_;
  std::vector<size_t> starts_;  // by line of the body: index into the pieces of the message at hand
};

int sniffLogs(std::string_view head, std::string& reason) {
  size_t prefixed = 0, basic = 0, torch = 0;
  uint32_t first = 0;
  const Wrapping wrapping = detectWrapping(head);
  size_t checked = 0;
  for (const LinePiece& piece : splitLines(head)) {
    const std::string_view raw = head.substr(piece.byte, piece.length);
    if (raw.empty()) continue;
    if (++checked > 4000) break;
    uint32_t cut = wrapping.launcher ? launcherPrefix(raw) : 0;
    if (!wrapping.shared.empty() && raw.size() >= wrapping.shared.size()) {
      const size_t bar = raw.find("| ");
      if (bar != std::string_view::npos && bar < 64) cut = static_cast<uint32_t>(bar + 2);
    }
    const LogLine line = splitLogLine(raw, cut);
    if (line.form == LogLine::Form::None) continue;
    if (!first) first = piece.line;
    (line.form == LogLine::Form::Basic ? basic : prefixed)++;
    if (!line.artifact.empty() || line.key.find("torch") != std::string_view::npos) ++torch;
  }
  if (prefixed >= 2 && torch) {
    reason = "line " + std::to_string(first) + " and " + std::to_string(prefixed - 1) +
             " more have the prefix of a TORCH_LOGS message";
    return 92;
  }
  if (basic + prefixed >= 1 && torch) {
    reason = "line " + std::to_string(first) + " has the prefix of a TORCH_LOGS message";
    return 90;
  }
  if (pastedFromPage(head)) {
    reason = "graph text with the blanks or quotes of a web page";
    std::string clean;
    for (const std::string_view line : linesOf(head)) {
      appendCleanLine(clean, line, wrapping.html);
      clean += '\n';
    }
    if (clean.find("def forward(") != std::string::npos || clean.find("graph():") != std::string::npos)
      return 86;
  }
  const bool graph = head.find("def forward(") != std::string_view::npos ||
                     head.find("torch.nn.Module)") != std::string_view::npos ||
                     head.find("graph():") != std::string_view::npos;
  if (!graph) return 0;
  const bool banner =
      head.find("TRACED GRAPH") != std::string_view::npos || head.find(" ===== ") != std::string_view::npos;
  if (wrapping.diff) return reason = "a diff around graph text", 86;
  if (wrapping.html) return reason = "HTML-escaped graph text", 86;
  if (!wrapping.shared.empty() || wrapping.launcher)
    return reason = "graph text behind the prefixes of a launcher", 86;
  if (wrapping.fences) return reason = "graph text in a Markdown fence", 86;
  if (wrapping.colours) return reason = "graph text with terminal colours", 86;
  if (!findBrokenLines(linesOf(head)).empty()) return reason = "graph text whose lines were broken", 86;
  if (banner) return reason = "graph text under a TORCH_LOGS banner", 86;
  return 0;
}

ir::Result<std::unique_ptr<Input>> openLogs(const std::string& path, std::optional<std::string> content,
                                            const OpenOptions& options) {
  std::shared_ptr<const ByteSource> source;
  if (content) {
    source = ByteSource::fromMemory(std::move(*content));
  } else {
    auto opened = ByteSource::open(path);
    if (!opened) return opened.error();
    source = *opened;
  }
  const std::string shown = path.empty() || path == "-" ? options.name : path;
  auto input = std::make_unique<RegionInput>(shown, "torch-logs", source);
  const std::string_view text = source->bytes();
  const Wrapping wrapping = detectWrapping(text.substr(0, 256u << 10));
  input->setHtml(wrapping.html);
  if (!LogReader(*input, text, wrapping, options.progress).run())
    return ir::failure("cancelled", "cancelled", shown);
  return std::unique_ptr<Input>(std::move(input));
}

}  // namespace

const Importer kTorchLogsImporter{"torch-logs", "TORCH_LOGS output and text pasted from it", sniffLogs,
                                  openLogs};

}  // namespace descry::importers

// Finds percent and tabular graphs in a text, and opens files that hold them.
#include <algorithm>

#include "importers/common/region_input.h"
#include "importers/fx_percent/fx_percent.h"

namespace descry::importers {
namespace {

struct Line {
  size_t begin = 0, end = 0;
  std::string_view text;  ///< without indentation and final blanks
  uint32_t indent = 0;
};

bool nodeLine(std::string_view s) {
  if (s.size() < 8 || s[0] != '%') return false;
  const size_t colon = s.find(" : ");
  if (colon == std::string_view::npos || colon > 4096) return false;
  const size_t equals = s.find("= ", colon);
  return equals != std::string_view::npos;
}

bool graphLine(std::string_view s) {
  return s.starts_with("graph(") && s.ends_with(':') && s.find(')') != std::string_view::npos;
}

bool tableHeader(std::string_view s) {
  if (!s.starts_with("opcode")) return false;
  size_t at = 6;
  for (const std::string_view word : {"name", "target", "args", "kwargs"}) {
    at = s.find(word, at);
    if (at == std::string_view::npos) return false;
    at += word.size();
  }
  return true;
}

bool tableRow(std::string_view s) {
  if (s.empty()) return false;
  if (s.find_first_not_of("- ") == std::string_view::npos) return true;
  for (const std::string_view op :
       {"placeholder ", "get_attr ", "call_function ", "call_method ", "call_module ", "output "})
    if (s.starts_with(op)) return true;
  return false;
}

std::vector<Line> linesOf(std::string_view text) {
  std::vector<Line> out;
  for (size_t at = 0; at < text.size();) {
    Line l;
    l.begin = at;
    l.end = std::min(text.find('\n', at), text.size());
    std::string_view s = text.substr(at, l.end - at);
    const size_t first = s.find_first_not_of(" \t");
    if (first != std::string_view::npos) {
      l.indent = static_cast<uint32_t>(first);
      s.remove_prefix(first);
      while (!s.empty() && (s.back() == ' ' || s.back() == '\r')) s.remove_suffix(1);
      l.text = s;
    }
    out.push_back(l);
    at = l.end + 1;
  }
  return out;
}

}  // namespace

std::vector<PercentRegion> findPercentRegions(std::string_view text) {
  std::vector<PercentRegion> out;
  // Most texts have none of this; say so without splitting them into lines.
  if (text.find("graph(") == std::string_view::npos && text.find("users=") == std::string_view::npos &&
      text.find("opcode") == std::string_view::npos && text.find("[target=") == std::string_view::npos)
    return out;
  const std::vector<Line> lines = linesOf(text);
  std::string title;
  for (size_t i = 0; i < lines.size();) {
    const std::string_view s = lines[i].text;
    PercentRegion r;
    r.begin = lines[i].begin;
    r.line = static_cast<uint32_t>(i);
    size_t last = i;  // one behind the region
    if (graphLine(s) || nodeLine(s)) {
      last = i + 1;
      for (; last < lines.size(); ++last) {
        const std::string_view t = lines[last].text;
        if (t.starts_with("return") && (t.size() == 6 || t[6] == ' ')) {
          ++last;
          break;
        }
        if (t.empty() || graphLine(t)) break;
        if (t[0] != '%' && t[0] != '#') break;
      }
      r.title = title;
    } else if (s == "# Graph fragment:") {
      r.form = PercentForm::Fragment;
      last = i + 1;
      r.begin = last < lines.size() ? lines[last].begin : lines[i].end;
      r.line = static_cast<uint32_t>(last);
      while (last < lines.size() &&
             (lines[last].text.starts_with("#   %") || lines[last].text.starts_with("#   return")))
        ++last;
      r.indent = r.line < lines.size() ? lines[r.line].indent + 4 : 0;
      if (last < lines.size())
        if (const size_t made = lines[last].text.find(" = async_compile"); made != std::string_view::npos)
          r.title = std::string(lines[last].text.substr(0, made));
    } else if (tableHeader(s)) {
      r.form = PercentForm::Tabular;
      last = i + 1;
      while (last < lines.size() && tableRow(lines[last].text)) ++last;
      r.title = title;
    } else {
      if (s.starts_with("---") && s.ends_with("---")) {
        std::string_view banner = s;
        while (banner.starts_with('-')) banner.remove_prefix(1);
        while (banner.ends_with('-')) banner.remove_suffix(1);
        title = std::string(banner);
      }
      ++i;
      continue;
    }
    title.clear();
    if (last > r.line) {
      r.end = std::min(lines[last - 1].end + 1, text.size());
      if (r.end > r.begin) out.push_back(r);
    }
    i = std::max(last, i + 1);
  }
  return out;
}

namespace {

/// Without node lines that stand in the middle of a printed module: those are damage of the module, no graph.
std::vector<PercentRegion> ownRegions(std::string_view text) {
  std::vector<PercentRegion> regions = findPercentRegions(text);
  const auto bare = [&](const PercentRegion& r) {
    const size_t at = text.find_first_not_of(" \t", r.begin);
    return r.form == PercentForm::Graph && at != std::string_view::npos && text[at] == '%';
  };
  if (std::none_of(regions.begin(), regions.end(), bare)) return regions;
  const std::vector<FxRegion> modules = findFxRegions(text);
  std::erase_if(regions, [&](const PercentRegion& r) {
    return bare(r) && std::any_of(modules.begin(), modules.end(),
                                  [&](const FxRegion& m) { return m.begin <= r.begin && r.begin < m.end; });
  });
  return regions;
}

/// The first graph of a text says what the text is.
int sniffRegions(std::string_view head, bool tabular, std::string& reason) {
  const std::vector<PercentRegion> regions = ownRegions(head);
  if (regions.empty() || (regions.front().form == PercentForm::Tabular) != tabular) return 0;
  const PercentRegion& r = regions.front();
  const std::string line = "line " + std::to_string(r.line + 1);
  switch (r.form) {
    case PercentForm::Graph:
      reason = line + " begins a graph in percent form";
      return 70;
    case PercentForm::Tabular:
      reason = line + " is the header of a table of nodes";
      return 70;
    case PercentForm::Fragment:
      reason = line + " is a graph fragment in generated code";
      return 45;
  }
  return 0;
}

int sniffPercent(std::string_view head, std::string& reason) {
  return sniffRegions(head, false, reason);
}

int sniffTabular(std::string_view head, std::string& reason) {
  return sniffRegions(head, true, reason);
}

ir::Result<std::unique_ptr<Input>> openPercent(const std::string& path, std::optional<std::string> content,
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
  const std::string_view text = source->bytes();
  const std::vector<PercentRegion> regions = ownRegions(text);
  const bool tabular = !regions.empty() && regions.front().form == PercentForm::Tabular;
  auto input = std::make_unique<RegionInput>(shown, tabular ? "fx-tabular" : "fx-percent", source);
  const std::vector<LinePiece> lines = splitLines(text);
  for (const PercentRegion& r : regions) {
    if (options.progress.cancelled()) return ir::failure("cancelled", "cancelled", shown);
    std::vector<LinePiece> pieces;
    for (size_t i = r.line; i < lines.size() && lines[i].byte < r.end; ++i) {
      LinePiece piece = lines[i];
      const uint32_t cut = std::min(r.indent, piece.length);
      piece.byte += cut;
      piece.length -= cut;
      piece.column += cut;
      pieces.push_back(piece);
    }
    GraphEntry entry;
    entry.kind = r.form == PercentForm::Fragment ? "graph_fragment"
                 : regions.size() == 1           ? kindOfFile(shown)
                                                 : "graph";
    entry.title = r.title;
    input->addGraph(std::move(entry),
                    r.form == PercentForm::Tabular ? RegionForm::Tabular : RegionForm::Percent,
                    std::move(pieces));
  }
  input->finish(false);
  return std::unique_ptr<Input>(std::move(input));
}

}  // namespace

const Importer kFxPercentImporter{"fx-percent", "graphs as print(graph) writes them, and fragments in code",
                                  sniffPercent, openPercent};
const Importer kFxTabularImporter{"fx-tabular", "graphs as graph.print_tabular() writes them", sniffTabular,
                                  openPercent};

}  // namespace descry::importers

// `graph.print_tabular()`: a header, a line of dashes that gives the columns, one row a node.
#include <algorithm>

#include "importers/fx_percent/builder.h"
#include "importers/fx_percent/fx_percent.h"

namespace descry::importers {

std::string normalPercentTarget(std::string_view target, ir::OpKind op);  // percent.cpp

namespace {

using percent::Bare;
using percent::Builder;
using percent::ValueReader;

std::string_view trimmed(std::string_view s) {
  while (s.starts_with(' ')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\r')) s.remove_suffix(1);
  return s;
}

bool opOf(std::string_view word, ir::OpKind& op) {
  for (const ir::OpKind kind : {ir::OpKind::Placeholder, ir::OpKind::GetAttr, ir::OpKind::CallFunction,
                                ir::OpKind::CallMethod, ir::OpKind::CallModule, ir::OpKind::Output})
    if (word == ir::opKindName(kind)) {
      op = kind;
      return true;
    }
  return false;
}

/// Columns from the dashes; without them from the header words.
std::vector<size_t> columnStarts(std::string_view header, std::string_view dashes) {
  std::vector<size_t> out;
  const std::string_view from = dashes.empty() ? header : dashes;
  for (size_t i = 0; i < from.size(); ++i)
    if (from[i] != ' ' && (i == 0 || from[i - 1] == ' ')) out.push_back(i);
  return out;
}

/// Cells by column starts. A long cell shifts what follows, so a start that falls into a word moves to the
/// next run of two blanks.
std::vector<std::string_view> cells(std::string_view row, const std::vector<size_t>& starts) {
  std::vector<std::string_view> out;
  size_t begin = starts.empty() ? 0 : starts[0];
  for (size_t k = 1; k < starts.size(); ++k) {
    size_t cut = starts[k];
    if (cut < begin) cut = begin;
    if (cut < row.size() && cut > 0 && row[cut - 1] != ' ') {
      const size_t gap = row.find("  ", cut);
      cut = gap == std::string_view::npos ? row.size() : row.find_first_not_of(' ', gap);
      if (cut == std::string_view::npos) cut = row.size();
    }
    out.push_back(begin < row.size() ? trimmed(row.substr(begin, cut - begin)) : std::string_view());
    begin = cut;
  }
  out.push_back(begin < row.size() ? trimmed(row.substr(begin)) : std::string_view());
  return out;
}

/// Width in characters is what print_tabular aligns; bytes and characters differ only outside ASCII.
}  // namespace

std::shared_ptr<ir::Module> parseTabularText(std::string_view text, const LineMap& map,
                                             ir::DiagnosticSink& sink) {
  Builder b(map, sink);
  std::string_view header;
  std::vector<size_t> starts;
  uint32_t line = 0;
  bool returned = false;
  for (size_t at = 0; at < text.size(); ++line) {
    const size_t nl = std::min(text.find('\n', at), text.size());
    std::string_view row = text.substr(at, nl - at);
    at = nl + 1;
    const std::string_view s = trimmed(row);
    if (s.empty()) continue;
    if (s.starts_with("opcode")) {
      header = row;
      starts = columnStarts(header, "");
      continue;
    }
    if (s.find_first_not_of("- ") == std::string_view::npos) {
      starts = columnStarts(header, row);
      continue;
    }
    const std::vector<std::string_view> c = cells(row, starts);
    ir::Graph::NodeSpec spec;
    if (c.size() < 5 || !opOf(c[0], spec.op)) {
      b.unparsed("", s, line);
      continue;
    }
    const size_t column = row.find_first_not_of(' ');
    const auto reader = [&](std::string_view cell) {
      const size_t where = cell.empty() ? column : static_cast<size_t>(cell.data() - row.data());
      return ValueReader(
          cell, [&](std::string_view name) { return b.find(name); },
          [&b, line, where](std::string_view name) { return b.findOrMake(name, line, where, false); });
    };
    ValueReader args = reader(c[3]), kwargs = reader(c[4]);
    ir::Argument list = args.value(spec.op == ir::OpKind::Output ? Bare::Node : Bare::Node);
    if (spec.op == ir::OpKind::Output) {
      const ir::Argument value =
          list.kind == ir::ValueKind::Tuple && list.items.size() == 1 ? list.items[0] : list;
      const ir::NodeId id = b.graph().setOutput(value);
      const ir::SourceLoc where = b.loc(line, column);
      b.graph().edit(id).line = where.line;
      b.graph().edit(id).column = where.column;
      returned = true;
      continue;
    }
    if (list.kind == ir::ValueKind::Tuple)
      spec.args = std::move(list.items);
    else if (!c[3].empty())
      spec.args.push_back(std::move(list));
    kwargs.keywords(Bare::Node, spec.kwargs);
    std::string target = normalPercentTarget(c[2], spec.op);
    // str() of an operator leaves out where it lives.
    if (spec.op == ir::OpKind::CallFunction && std::count(target.begin(), target.end(), '.') >= 1 &&
        !target.starts_with("torch.") && !target.starts_with("operator.") &&
        !target.starts_with("builtins.") && c[2][0] != '<')
      target = "torch.ops." + target;
    spec.name = c[1];
    spec.target = target;
    b.add(spec, line, column);
  }
  if (!returned) {
    b.graph().style.hasReturn = false;
    b.graph().truncated = true;
  }
  return b.done();
}

}  // namespace descry::importers

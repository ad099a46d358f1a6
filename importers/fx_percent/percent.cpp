// `graph():` with `%name : [num_users=1] = call_function[target=...](args = (...), kwargs = {...})` lines.
#include <algorithm>
#include <array>

#include "importers/fx_percent/builder.h"
#include "importers/fx_percent/fx_percent.h"
#include "ir/ops/bind.h"
#include "ir/ops/registry.h"

namespace descry::importers {
namespace {

using percent::Bare;
using percent::Builder;
using percent::ValueReader;

struct OpText {
  std::string_view text;
  ir::OpKind op;
};
constexpr std::array<OpText, 7> kOps{{{"= placeholder[target=", ir::OpKind::Placeholder},
                                      {"= PlaceHolder[target=", ir::OpKind::Placeholder},
                                      {"= get_attr[target=", ir::OpKind::GetAttr},
                                      {"= call_function[target=", ir::OpKind::CallFunction},
                                      {"= call_method[target=", ir::OpKind::CallMethod},
                                      {"= call_module[target=", ir::OpKind::CallModule},
                                      {"= self.", ir::OpKind::GetAttr}}};

/// The built-in functions of old prints: `<built-in function add>`.
std::string normalTarget(std::string_view target, ir::OpKind op) {
  if (op != ir::OpKind::CallFunction) return std::string(target);
  static constexpr std::string_view kFunction = "<built-in function ", kMethod = "<built-in method ",
                                    kPlain = "<function ";
  if (target.starts_with(kFunction)) {
    const std::string_view name = target.substr(kFunction.size(), target.find('>') - kFunction.size());
    return (name == "getattr" ? "builtins." : "operator.") + std::string(name);
  }
  if (target.starts_with(kMethod))
    return "torch." +
           std::string(target.substr(kMethod.size(), target.find(' ', kMethod.size()) - kMethod.size()));
  if (target.starts_with(kPlain))
    return std::string(target.substr(kPlain.size(), target.find(' ', kPlain.size()) - kPlain.size()));
  if (target.starts_with("_operator.")) return "operator." + std::string(target.substr(10));
  return std::string(target);
}

class PercentReader {
 public:
  PercentReader(std::string_view text, const LineMap& map, ir::DiagnosticSink& sink)
      : text_(text), b_(map, sink), fragment_(text.find("graph(") == std::string_view::npos) {}

  std::shared_ptr<ir::Module> run() {
    placeholderLines_ = text_.find("= placeholder[") != std::string_view::npos;
    uint32_t line = 0;
    bool returned = false;
    for (size_t at = 0; at < text_.size(); ++line) {
      const size_t nl = std::min(text_.find('\n', at), text_.size());
      std::string_view raw = text_.substr(at, nl - at);
      at = nl + 1;
      const size_t indent = raw.find_first_not_of(" \t");
      if (indent == std::string_view::npos) continue;
      std::string_view s = raw.substr(indent);
      while (!s.empty() && (s.back() == ' ' || s.back() == '\r')) s.remove_suffix(1);
      if (s.empty() || s[0] == '#') continue;
      if (s[0] == '%') {
        nodeLine(s, line, indent);
      } else if (s.starts_with("graph(")) {
        signature(s, line, indent);
      } else if (s == "return" || s.starts_with("return ")) {
        returnLine(s.substr(6), line, indent);
        returned = true;
      } else {
        b_.unparsed("", s, line);
      }
    }
    if (!returned) {
      b_.graph().style.hasReturn = false;
      if (!fragment_) b_.graph().truncated = true;
    }
    if (!fragment_ && returned) checkUsers();
    return b_.done();
  }

 private:
  ValueReader reader(std::string_view text, uint32_t line, size_t column) {
    return ValueReader(
        text, [this](std::string_view name) { return b_.find(name); },
        [this, line, column](std::string_view name) { return b_.findOrMake(name, line, column, fragment_); });
  }

  /// Very old prints list the inputs here and have no placeholder lines.
  void signature(std::string_view s, uint32_t line, size_t indent) {
    const size_t close = s.rfind(')');
    if (placeholderLines_ || close == std::string_view::npos || close < 6) return;
    std::string_view names = s.substr(6, close - 6);
    while (!names.empty()) {
      const size_t comma = std::min(names.find(','), names.size());
      std::string_view name = names.substr(0, comma);
      names.remove_prefix(std::min(comma + 1, names.size()));
      while (name.starts_with(' ')) name.remove_prefix(1);
      name = name.substr(0, name.find_first_of(" :"));
      if (name.starts_with('%')) name.remove_prefix(1);
      if (name.empty()) continue;
      ir::Graph::NodeSpec spec;
      spec.op = ir::OpKind::Placeholder;
      spec.name = name;
      b_.add(spec, line, indent);
    }
  }

  void nodeLine(std::string_view s, uint32_t line, size_t indent) {
    const size_t colon = s.find(" : ");
    const std::string_view name = s.substr(1, (colon == std::string_view::npos ? s.find(' ') : colon) - 1);
    size_t opAt = std::string_view::npos;
    const OpText* op = nullptr;
    if (colon != std::string_view::npos)
      for (const OpText& candidate : kOps) {
        const size_t found = s.find(candidate.text, colon + 2);
        if (found < opAt) {
          opAt = found;
          op = &candidate;
        }
      }
    if (!op || name.empty()) {
      b_.unparsed(name, s, line);
      return;
    }
    ir::Graph::NodeSpec spec;
    spec.op = op->op;
    spec.name = name;
    const std::string_view typed = s.substr(colon + 3, opAt > colon + 3 ? opAt - colon - 3 : 0);
    spec.type = type(typed);
    const std::string_view rest = s.substr(opAt + op->text.size());
    std::string target;
    size_t after = rest.size();
    if (op->text == "= self.") {
      target = std::string(rest);
    } else {
      int depth = 1;
      size_t i = 0;
      for (; i < rest.size(); ++i) {
        if (rest[i] == '[') ++depth;
        if (rest[i] == ']' && --depth == 0) break;
      }
      target = normalTarget(rest.substr(0, i), op->op);
      after = std::min(i + 1, rest.size());
    }
    spec.target = target;
    const size_t column = indent + (s.size() - rest.size()) + after;
    ValueReader values = reader(rest.substr(after), line, column);
    if (values.literal("(args = ")) {
      // A tuple of one prints with its comma, so a value that is no tuple is the argument itself.
      ir::Argument args = values.value(Bare::Text);
      if (args.kind == ir::ValueKind::Tuple)
        spec.args = std::move(args.items);
      else
        spec.args.push_back(std::move(args));
      if (values.literal(",") && values.literal("kwargs = ")) values.keywords(Bare::Text, spec.kwargs);
      if (!values.literal(")")) b_.graph().truncated = b_.graph().truncated || values.atEnd();
    } else if (op->op == ir::OpKind::Placeholder && values.literal("(default=")) {
      std::string_view text = rest.substr(after + 9);
      if (text.ends_with(')')) text.remove_suffix(1);
      spec.args.push_back(percent::bareWord(text));
    } else if (op->op != ir::OpKind::Placeholder && op->op != ir::OpKind::GetAttr) {
      b_.graph().truncated = true;
      b_.sink().warning("truncated", b_.loc(line, column),
                        "the arguments of '" + std::string(name) + "' are missing");
    }
    wordsForDevices(spec);
    const ir::NodeId id = b_.add(spec, line, indent);
    keepRawArguments(spec, id, rest.substr(after));
    expectUsers(typed, id, line, indent);
  }

  /// A bare `cpu` is a device or a string: the schema of the op tells.
  static void wordsForDevices(ir::Graph::NodeSpec& spec) {
    const auto isDevice = [](const ir::Argument& a) { return a.kind == ir::ValueKind::Device; };
    if (spec.op != ir::OpKind::CallFunction || std::none_of(spec.args.begin(), spec.args.end(), isDevice))
      return;
    const ir::OpDef* op = ir::allOps().find(spec.target);
    if (!op) return;
    const std::vector<ir::SchemaArgument>& wanted = op->schema().arguments;
    for (size_t i = 0; i < spec.args.size() && i < wanted.size(); ++i)
      if (isDevice(spec.args[i]) && wanted[i].type.base == "str" && !wanted[i].type.isList())
        spec.args[i] = ir::Argument::str(spec.args[i].text);
  }

  /// Strings have no quotes, so that one with a comma and a blank reads as two values. When the op does not
  /// take as many, the text is kept beside them.
  void keepRawArguments(const ir::Graph::NodeSpec& spec, ir::NodeId id, std::string_view raw) {
    const auto strings = std::count_if(spec.args.begin(), spec.args.end(),
                                       [](const ir::Argument& a) { return a.kind == ir::ValueKind::Str; });
    if (spec.op != ir::OpKind::CallFunction || strings < 2) return;
    const ir::OpDef* op = ir::allOps().find(spec.target);
    if (!op) {
      const auto spelt = ir::allOps().findSpelling(spec.target);
      if (spelt.empty()) return;
      op = spelt.front();
    }
    for (; op; op = op->nextOverload())
      if (ir::bindArguments(op->schema(), b_.graph(), id).ok()) return;
    b_.graph().setMeta(id, {{"arguments as printed", std::string(raw)}});
  }

  ir::TypeId type(std::string_view typed) {
    if (const size_t quote = typed.find('"'); quote != std::string_view::npos) {
      const size_t close = typed.find('"', quote + 1);
      if (close != std::string_view::npos)
        return b_.graph().context().type(typed.substr(quote + 1, close - quote - 1));
    }
    const size_t users = std::min(typed.find("[num_users="), typed.find("[#users="));
    std::string_view text = typed.substr(0, users);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    while (text.starts_with(' ')) text.remove_prefix(1);
    // Nodes without tensor metadata print the bare word, which says nothing.
    if (text.empty() || text == "Tensor") return {};
    return b_.graph().context().type(text);
  }

  void expectUsers(std::string_view typed, ir::NodeId id, uint32_t line, size_t indent) {
    size_t at = typed.find("users=");
    if (at == std::string_view::npos) return;
    uint32_t count = 0;
    for (at += 6; at < typed.size() && typed[at] >= '0' && typed[at] <= '9' && count < 100000000; ++at)
      count = count * 10 + static_cast<uint32_t>(typed[at] - '0');
    expected_.push_back({id, count, line, static_cast<uint32_t>(indent)});
  }

  void checkUsers() {
    for (const Expected& e : expected_) {
      const size_t have = b_.graph().users(e.id).size();
      if (have == e.count) continue;
      b_.sink().warning("user-count", b_.loc(e.line, e.indent),
                        "the text says " + std::to_string(e.count) + " users of '" +
                            std::string(b_.graph().nodeName(e.id)) + "', the graph has " +
                            std::to_string(have) + ": edited, or only a part");
      return;
    }
  }

  void returnLine(std::string_view rest, uint32_t line, size_t indent) {
    ValueReader values = reader(rest, line, indent + 7);
    std::vector<ir::Argument> items = values.list(Bare::Force);
    // `return %a,%b` of a fragment is a tuple.
    ir::Argument value = items.size() == 1 ? std::move(items.front()) : ir::Argument::tuple(std::move(items));
    if (rest.find_first_not_of(' ') == std::string_view::npos) value = ir::Argument::none();
    const ir::NodeId id = b_.graph().setOutput(value);
    const ir::SourceLoc at = b_.loc(line, indent);
    b_.graph().edit(id).line = at.line;
    b_.graph().edit(id).column = at.column;
  }

  struct Expected {
    ir::NodeId id;
    uint32_t count, line, indent;
  };
  std::string_view text_;
  Builder b_;
  bool fragment_;
  bool placeholderLines_ = false;
  std::vector<Expected> expected_;
};

}  // namespace

std::shared_ptr<ir::Module> parsePercentText(std::string_view text, const LineMap& map,
                                             ir::DiagnosticSink& sink) {
  return PercentReader(text, map, sink).run();
}

/// Shared with the tabular form.
std::string normalPercentTarget(std::string_view target, ir::OpKind op) {
  return normalTarget(target, op);
}

}  // namespace descry::importers

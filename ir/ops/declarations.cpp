#include "ir/ops/declarations.h"

#include <algorithm>
#include <unordered_set>

#include "ir/ops/rules/op_rules.h"

namespace descry::ir {

namespace {

/// One declaration text, cut into the lines that the op table's reader wants, and where each of them stood.
class DeclarationReader {
 public:
  DeclarationReader(const OpDeclarations& source, OpRegistry& ops) : source_(source), ops_(ops) {}

  Status run() {
    size_t begin = 0;
    for (uint32_t number = 1; begin <= source_.text.size(); ++number) {
      const size_t end = std::min(source_.text.find('\n', begin), source_.text.size());
      std::string_view line = std::string_view(source_.text).substr(begin, end - begin);
      if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
      if (const Status s = this->line(line, number); !s) return s;
      begin = end + 1;
    }
    std::vector<Diagnostic> problems;
    const size_t before = ops_.all().size();
    ops_.read(ops_.keep(std::move(table_)), ops_.keep(source_.name), &problems);
    for (size_t i = before; i < ops_.all().size() && problems.empty(); ++i) {
      const rules::OpRules& rules = ops_.all()[i].rules();
      problems = rules.problems;
      // Faults while a rule runs have a place as well.
      for (const auto* body : {&rules.shape, &rules.composite, &rules.core, &rules.inductor, &rules.philox,
                               &rules.inverse, &rules.run})
        if (*body) rules::place(**body, places_);
      for (const rules::GradRule& g : rules.grads) rules::place(*g.body, places_);
    }
    if (problems.empty()) return {};
    Diagnostic d = std::move(problems.front());
    d.file = source_.name;
    if (d.loc.line >= 1 && d.loc.line <= places_.size()) {
      const rules::Place& at = places_[d.loc.line - 1];
      d.loc.column = d.loc.column ? static_cast<uint32_t>(static_cast<int32_t>(d.loc.column) + at.shift)
                                  : firstColumns_[d.loc.line - 1];
      d.loc.line = at.line;
    }
    return d;
  }

 private:
  Status fault(const char* code, std::string message, uint32_t line, size_t column) const {
    Diagnostic d = failure(code, std::move(message), source_.name);
    d.loc.line = line;
    d.loc.column = static_cast<uint32_t>(column);
    return d;
  }

  /// A line of the table that stood at `line`; its character behind `indent` ones is that at `column`.
  void put(std::string text, uint32_t line, size_t column, size_t indent) {
    table_ += std::move(text) + "\n";
    places_.push_back({line, static_cast<int32_t>(column) - static_cast<int32_t>(indent) - 1});
    firstColumns_.push_back(static_cast<uint32_t>(column));
  }

  Status line(std::string_view line, uint32_t number) {
    const size_t first = std::min(line.find_first_not_of(" \t"), line.size());
    if (first == line.size() || line[first] == '#' || first > 0) {
      if (first > 0 && first < line.size() && line[first] != '#' && !hasOp_)
        return fault("table-syntax", "a property stands below the schema that it belongs to", number,
                     first + 1);
      // A comment behind a property.
      if (const size_t comment = line.find(" #", first);
          comment != std::string_view::npos && line.find('"') == std::string_view::npos)
        line = line.substr(0, comment);
      put(first == line.size() ? std::string() : std::string(line), number, first + 1, first);
      return {};
    }
    size_t at = line.starts_with("op ") ? 3 : 0;
    // Properties on the same line: `schema; is: effect; grad x: f(grad)`.
    const size_t stop = std::min(line.find(';', at), line.size());
    std::string_view schema = line.substr(at, stop - at);
    if (const size_t comment = schema.find(" #"); comment != std::string_view::npos) {
      schema = schema.substr(0, comment);
    }
    while (!schema.empty() && schema.back() == ' ') schema.remove_suffix(1);
    const Result<Schema> parsed = parseSchema(schema);
    if (!parsed) {
      const uint32_t column = std::max(parsed.error().loc.column, 1u);
      return fault("schema-syntax", parsed.error().message, number, at + column);
    }
    const size_t open = std::min(schema.find('('), schema.size());
    if (schema.substr(0, open).find("::") == std::string_view::npos)
      return fault("op-namespace", "expected a namespace, as in mylib::" + parsed->name, number, at + 1);
    if (ops_.findName(parsed->ns, parsed->name) && !declaredHere(*parsed))
      return fault("op-duplicate", "the op table knows " + parsed->ns + "::" + parsed->name + " already",
                   number, at + 1);
    if (!targets_.insert(parsed->target()).second)
      return fault("op-duplicate", "the op " + parsed->target() + " is declared twice", number, at + 1);
    hasOp_ = true;
    put("op " + std::string(schema), number, at + 1, 3);
    for (size_t from = stop + 1; from < line.size();) {
      const size_t end = std::min(line.find(';', from), line.size());
      const size_t begin = std::min(line.find_first_not_of(' ', from), end);
      if (begin < end) put("  " + std::string(line.substr(begin, end - begin)), number, begin + 1, 2);
      from = end + 1;
    }
    return {};
  }

  bool declaredHere(const Schema& schema) const {
    const OpDef* op = ops_.findName(schema.ns, schema.name);
    return op && op->declared();
  }

  const OpDeclarations& source_;
  OpRegistry& ops_;
  std::string table_;
  std::vector<rules::Place> places_;    ///< by line of table_
  std::vector<uint32_t> firstColumns_;  ///< of the lines themselves
  std::unordered_set<std::string> targets_;
  bool hasOp_ = false;
};

}  // namespace

Result<std::shared_ptr<const OpRegistry>> declareOps(const std::vector<OpDeclarations>& declarations) {
  auto ops = std::make_shared<OpRegistry>(&allOps());
  for (const OpDeclarations& d : declarations)
    if (const Status s = DeclarationReader(d, *ops).run(); !s) return s.error();
  return std::shared_ptr<const OpRegistry>(std::move(ops));
}

}  // namespace descry::ir

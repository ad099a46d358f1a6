#include <algorithm>
#include <map>

#include "cli/commands/commands.h"
#include "cli/support/json.h"
#include "cli/support/running.h"
#include "cli/support/sides.h"
#include "session/run_compare.h"
#include "session/value_text.h"

namespace descry::cli {

namespace {

using runtime::Verdict;
constexpr Verdict kVerdicts[] = {Verdict::BitEqual,     Verdict::Within,       Verdict::Outside,
                                 Verdict::DTypeDiffers, Verdict::ShapeDiffers, Verdict::NoPartner,
                                 Verdict::NotRun};

std::string nameOf(const session::KeptTensor* k) {
  return k ? k->name : std::string();
}

void rowsJson(Json& json, std::string_view key, const std::vector<session::ComparedValue>& rows) {
  json.key(key).array();
  for (const session::ComparedValue& v : rows) {
    const session::KeptTensor& shown = v.b ? *v.b : *v.a;
    json.object().textOrNull("a", nameOf(v.a)).textOrNull("b", nameOf(v.b));
    json.textOrNull("op", shown.op).field("type", shown.type).field("input", shown.input);
    json.textOrNull("matched_by", v.reason).textOrNull("basis", v.basis);
    json.field("length", shown.length);
    json.field("tolerance_relative", v.tolerance.relative).field("tolerance_absolute", v.tolerance.absolute);
    if (v.basis == "values")
      comparisonJson(json, v.comparison);
    else
      json.field("verdict", runtime::verdictName(v.comparison.verdict));
    json.end();
  }
  json.end();
}

std::string asJson(const session::RunComparison& c, const Sides& sides,
                   const session::Tolerances& tolerances) {
  Json json;
  json.object().field("schema", "descry.compare/1").field("a", sides.a.title).field("b", sides.b.title);
  json.field("agree", c.agree()).textOrNull("tolerance", session::tolerancesText(tolerances));
  json.key("counts").object();
  for (const Verdict v : kVerdicts) {
    std::string key(runtime::verdictName(v));
    std::replace(key.begin(), key.end(), ' ', '_');
    std::replace(key.begin(), key.end(), '-', '_');
    json.field(key, static_cast<uint64_t>(c.count(v)));
  }
  json.end().textOrNull("first_different",
                        c.firstDifferent ? nameOf(c.values[*c.firstDifferent].b) : std::string());
  rowsJson(json, "values", c.values);
  rowsJson(json, "results", c.results);
  json.end();
  return json.take();
}

std::string asTable(const session::RunComparison& c, bool all) {
  Table table({"A", "B", "OP", "TYPE", "VERDICT", "OUTSIDE", "MAX ABS", "MAX REL", "MEDIAN ULP", "MAX ULP",
               "COSINE", "SNR DB", "BY"});
  for (size_t k = 5; k < 12; ++k) table.right(k);
  for (const auto* rows : {&c.values, &c.results})
    for (const session::ComparedValue& v : *rows) {
      if (!all && rows == &c.values && !v.differs()) continue;
      const session::KeptTensor& shown = v.b ? *v.b : *v.a;
      const runtime::Comparison& x = v.comparison;
      const bool numbers = v.basis == "values" && x.verdict <= Verdict::Outside;
      const auto number = [&](double d) { return numbers ? session::shortNumber(d) : std::string(); };
      table.row({nameOf(v.a), nameOf(v.b), shown.op, shown.type, std::string(runtime::verdictName(x.verdict)),
                 numbers && x.outside ? std::to_string(x.outside) : "", number(x.maxAbs), number(x.maxRel),
                 number(x.medianUlp), number(x.maxUlp), number(x.cosine), number(x.snr), v.basis});
    }
  std::string out = table.empty() ? std::string() : table.text();
  std::string counts;
  for (const Verdict v : kVerdicts)
    if (const size_t n = c.count(v))
      counts += (counts.empty() ? "" : ", ") + std::to_string(n) + " " + std::string(runtime::verdictName(v));
  out += std::to_string(c.values.size()) + " values" + (counts.empty() ? "" : ": " + counts) + "\n";
  if (c.firstDifferent) {
    const session::ComparedValue& v = c.values[*c.firstDifferent];
    out += "the first that differs: " + tidy(nameOf(v.a)) + " and " + tidy(nameOf(v.b)) + " (" +
           (v.b->input ? std::string("an input") : tidy(v.b->op)) + ")\n";
  }
  return out;
}

/// Runs a side that is a graph. False, and reported, when that fails.
bool valuesOfSide(const session::BisectSide& side, const Opened& opened, const session::RunRequest& request,
                  bool nodes, Console& console, session::RunValues& out, int& code) {
  if (side.values) {
    out = *side.values;
    return true;
  }
  session::RunRequest asked = request;
  asked.executor = side.executor;
  asked.functional = side.functional;
  asked.keepValues = nodes;
  const ir::Result<session::RunPtr> run = session::runGraph(*side.document, side.graph, asked);
  if (!run) {
    code = failedRun(run.error(), console);
    return false;
  }
  reportAssumed((*run)->assumed, opened, console);
  if ((*run)->failure) {
    code = failedRun(*(*run)->failure, console);
    return false;
  }
  out = session::valuesOf(**run);
  out.title = side.title;
  return true;
}

int run(const Arguments& args, Console& console) {
  int code = kFine;
  session::Tolerances tolerances;
  if (!readTolerance(args, console, tolerances)) return kUsage;
  const std::optional<Sides> sides = readSides(args, console, code);
  if (!sides) return code;
  session::RunRequest request;
  const Opened& in = sides->openedA.ok() ? sides->openedA : sides->openedB;
  if (!readInputOptions(args, in.ok() ? in.document->path() : std::string(), console, request, code))
    return code;
  const bool nodes = !args.has("--results");
  session::RunValues a, b;
  if (!valuesOfSide(sides->a, sides->openedA, request, nodes, console, a, code) ||
      !valuesOfSide(sides->b, sides->openedB, request, nodes, console, b, code))
    return code;
  if (!nodes) {
    a.values.clear();
    b.values.clear();
  }
  const session::RunComparison c = session::compareRuns(a, b, tolerances);
  if (args.has("--json"))
    console.printExact(asJson(c, *sides, tolerances));
  else
    console.print(asTable(c, args.has("--all")));
  const bool paired =
      std::any_of(c.values.begin(), c.values.end(), [](const auto& v) { return v.a && v.b; }) ||
      std::any_of(c.results.begin(), c.results.end(), [](const auto& v) { return v.a && v.b; });
  if (!paired) console.say("no value of one side stands for one of the other: there is nothing to compare");
  return c.agree() ? sides->code : static_cast<int>(kDiffers);
}

std::vector<OptionDef> options() {
  std::vector<OptionDef> out = inputOptions();
  const std::vector<OptionDef> more = {
      executorsOption(),
      toleranceOption(),
      {"--all", 0, "", "list values that agree, too"},
      {"--results", 0, "", "compare what comes out alone, not the values of nodes"},
      {"--json", 0, "", "machine-readable (descry.compare/1)"}};
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

}  // namespace

CommandDef compareCommand() {
  return {"compare",
          "two runs beside each other, value by value",
          "A[::GRAPH] [B[::GRAPH]]",
          "Runs two graphs, or one with two executors, on the same inputs and compares every value that "
          "stands for the same: nodes are paired as in `descry diff`, so that graphs of different length "
          "align. Either side may be a file that `descry run --save-values` wrote, on this machine or "
          "another one, or any safetensors file with a tensor for each node under its name. B is the "
          "reference. Exit code 1 when a value or a result differs, or nothing could be compared.",
          options(),
          {{"descry compare before.txt after.txt", "the same numbers after a change?"},
           {"descry compare trace.log --backward --executors compiled,interpret", "both executors"},
           {"descry compare trace.log other-machine.safetensors --inputs in.safetensors",
            "this machine beside another one"}},
          1,
          2,
          run};
}

}  // namespace descry::cli

#include <algorithm>
#include <cstdio>

#include "cli/commands/commands.h"
#include "cli/support/json.h"
#include "cli/support/running.h"
#include "cli/support/sides.h"
#include "session/run_bisect.h"

namespace descry::cli {

namespace {

std::string asJson(const session::Bisection& b, const std::string& kind) {
  Json json;
  json.object().field("schema", "descry.bisect/1").field("kind", kind);
  json.field("places", static_cast<uint64_t>(b.places)).field("cancelled", b.cancelled);
  const auto place = [&](std::string_view key, const std::optional<size_t>& at, const std::string& name) {
    json.key(key);
    if (!at) {
      json.null();
      return;
    }
    json.object().field("at", static_cast<uint64_t>(*at)).field("name", name).end();
  };
  place("good", b.good, b.goodName);
  place("bad", b.bad, b.badName);
  json.textOrNull("detail", b.detail).key("probes").array();
  for (const session::Probe& p : b.probes)
    json.object()
        .field("at", static_cast<uint64_t>(p.at))
        .field("what", p.what)
        .field("outcome", session::outcomeName(p.outcome))
        .field("detail", p.detail)
        .field("resumed", p.resumed)
        .end();
  json.end().end();
  return json.take();
}

std::string verdict(const session::Bisection& b, bool passes) {
  const std::string where = passes ? "pass" : "node";
  if (b.cancelled)
    return "stopped: up to " + (b.goodName.empty() ? std::string("the start") : tidy(b.goodName)) +
           " both agree" + (b.bad ? ", at " + tidy(b.badName) + " they differ" : std::string()) + "\n";
  if (!b.bad)
    return b.good ? "nothing differs: " + std::string(passes ? "the last state agrees with the first\n"
                                                             : "both agree up to the last node\n")
                  : "there is nothing that could be looked at\n";
  std::string out = "first " + where + " that differs: " + tidy(b.badName) + "\n    " + tidy(b.detail) + "\n";
  out += "up to " + (b.goodName.empty() ? std::string("the start") : tidy(b.goodName)) + " both agree\n";
  const size_t between = *b.bad - b.good.value_or(0);
  if (between > 1)
    out += std::to_string(between - 1) + " between them could not be looked at: it may be one of those\n";
  return out;
}

int ended(const ir::Result<session::Bisection>& result, const Arguments& args, bool passes, const Opened& in,
          Console& console, int readCode) {
  if (!result) return failedRun(result.error(), console);
  reportAssumed(result->assumed, in, console);
  if (args.has("--json"))
    console.printExact(asJson(*result, passes ? "passes" : "nodes"));
  else
    console.print(verdict(*result, passes));
  if (result->cancelled) return kCancelled;
  if (result->bad) return kDiffers;
  return result->good ? readCode : static_cast<int>(kDiffers);
}

int run(const Arguments& args, Console& console) {
  int code = kFine;
  session::BisectRequest request;
  if (!readTolerance(args, console, request.tolerances)) return kUsage;
  request.resume = args.value("--resume");
  const bool json = args.has("--json");
  size_t number = 0;
  request.onProbe = [&](const session::Probe& p) {
    ++number;
    if (json) return;
    console.print(std::to_string(number) + ". " + tidy(p.what) + ": " +
                  std::string(session::outcomeName(p.outcome)) + (p.resumed ? " (looked at before)" : "") +
                  "  " + tidy(p.detail) + "\n");
  };
  if (!args.has("--passes")) {
    if (args.has("--executor"))
      return console.usage("--executor belongs to --passes: two sides take --executors A,B");
    const std::optional<Sides> sides = readSides(args, console, code);
    if (!sides) return code;
    const Opened& in = sides->openedA.ok() ? sides->openedA : sides->openedB;
    if (!readInputOptions(args, in.ok() ? in.document->path() : std::string(), console, request.run, code))
      return code;
    return ended(session::bisectNodes(sides->a, sides->b, request), args, false, in, console, sides->code);
  }
  if (args.words().size() != 1) return console.usage("--passes works on one graph");
  if (args.has("--executors"))
    return console.usage("--executors belongs to two sides: --passes takes --executor");
  const std::string pipeline = args.value("--passes");
  if (const auto steps = session::readPipeline(pipeline); !steps)
    return console.usage(steps.error().message + " [" + steps.error().code + "]");
  const Opened in = openGraph(
      args.words()[0], console, Takes::Graph, {},
      [&](const session::Document& document) { return session::graphForPasses(document, pipeline); });
  if (!in.ok()) return in.code;
  if (!readInputOptions(args, in.document->path(), console, request.run, code)) return code;
  request.run.executor = args.value("--executor", "interpret");
  return ended(session::bisectPasses(*in.document, in.graph, pipeline, request), args, true, in, console,
               in.code);
}

std::vector<OptionDef> options() {
  std::vector<OptionDef> out = inputOptions();
  const std::vector<OptionDef> more = {
      {"--passes", 'p', "LIST", "after which of these passes do results differ? As `aot` or `cse,dce`"},
      {"--executor", 0, "HOW", "with --passes: who runs the states", {"interpret", "compiled"}},
      executorsOption(),
      toleranceOption(),
      {"--resume", 0, "FILE", "write the search there after each probe, and go on from there"},
      {"--json", 0, "", "machine-readable (descry.bisect/1)"}};
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

}  // namespace

CommandDef bisectCommand() {
  return {
      "bisect",
      "after which pass, or at which node, do numbers part",
      "A[::GRAPH] [B[::GRAPH]]",
      "With --passes: runs the graphs that passes leave on the inputs of the first one and finds the pass "
      "after which results differ. With two sides (as of `descry compare`): finds the first node at which "
      "they differ, running each only up to where it looks. The search is binary: whatever is wrong at "
      "one place is taken to be wrong behind it. Ctrl+C and --timeout stop it; with --resume it goes on "
      "another time. Exit code 1 when a place was found, 0 when nothing differs, 6 when it was stopped.",
      options(),
      {{"descry bisect trace.log --passes aot", "which stage breaks the numbers?"},
       {"descry bisect trace.log --executors compiled,interpret",
        "up to which node do both executors agree?"},
       {"descry bisect new.txt old.safetensors --resume search.json",
        "against saved values, in several goes"}},
      1,
      2,
      run};
}

}  // namespace descry::cli

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "cli/commands/commands.h"
#include "cli/support/json.h"
#include "cli/support/running.h"
#include "session/run_bench.h"
#include "session/value_text.h"

namespace descry::cli {

namespace {

std::string asJson(const session::Bench& bench) {
  Json json;
  json.object().field("schema", "descry.bench/1");
  json.field("file", bench.graph->documentPath).field("graph", bench.graph->entry.id);
  roofJson(json, bench.roof);
  json.key("executors").array();
  for (const session::BenchRow& r : bench.rows) {
    json.object().field("executor", r.executor);
    if (r.failure) {
      json.field("failed", r.failure->message + " [" + r.failure->code + "]").end();
      continue;
    }
    json.field("first_seconds", r.first);
    quartilesJson(json, "seconds", r.whole);
    quartilesJson(json, "clocked_seconds", r.clocked);
    json.field("parts", static_cast<uint64_t>(r.parts)).field("sum_of_parts", r.sum);
    json.field("launch_gap", r.launchGap()).field("measuring_overhead", r.measuring());
    json.field("peak_bytes", r.peakBytes).field("flops", r.flops).field("known_flops", r.knownFlops);
    json.field("bytes", r.bytes).field("gflops_per_second", r.gflops).field("gbytes_per_second", r.gbytes);
    json.field("share_of_roof", r.share).end();
  }
  json.end().end();
  return json.take();
}

std::string number(const char* format, double x) {
  char text[48];
  std::snprintf(text, sizeof text, format, x);
  return text;
}

std::string asTable(const session::Bench& bench) {
  Table table({"EXECUTOR", "MS", "SPREAD", "RUNS", "FIRST MS", "PARTS", "SUM MS", "MEASURING MS", "GAP US",
               "GFLOP/S", "GB/S", "OF ROOF", "PEAK MB"});
  for (size_t c = 1; c < 13; ++c) table.right(c);
  std::string failed;
  bool known = true;
  for (const session::BenchRow& r : bench.rows) {
    if (r.failure) {
      table.row({r.executor, "failed", "", "", "", "", "", "", "", "", "", "", ""});
      continue;
    }
    known = known && r.flops;
    table.row({r.executor, milliseconds(r.whole.median), spreadText(r.whole), std::to_string(r.whole.runs),
               milliseconds(r.first), std::to_string(r.parts), milliseconds(r.sum),
               milliseconds(r.measuring()), number("%.3f", r.launchGap() * 1e6), number("%.3g", r.gflops),
               number("%.3g", r.gbytes), number("%.0f%%", r.share * 100),
               number("%.1f", static_cast<double>(r.peakBytes) / 1e6)});
  }
  std::string out = table.text();
  out +=
      "SUM: nodes or steps one by one; MEASURING: what the whole took longer while each was timed; GAP: what "
      "lies "
      "between two of them\n";
  if (!known) out += "operations of some ops are not known: GFLOP/S counts the others\n";
  return out + "roof, measured here: " + roofText(bench.roof) + "\n";
}

int run(const Arguments& args, Console& console) {
  session::BenchRequest request;
  if (args.has("--runs")) {
    const std::optional<uint64_t> n = session::readCount(args.value("--runs"), false);
    if (!n || *n < 1 || *n > 100000) return console.usage("--runs takes a number from 1 to 100000");
    request.runs = static_cast<unsigned>(*n);
  }
  if (args.has("--seconds")) {
    const std::string text = args.value("--seconds");
    char* end = nullptr;
    request.seconds = std::strtod(text.c_str(), &end);
    if (end == text.c_str() || *end || !(request.seconds > 0 && request.seconds <= 3600))
      return console.usage("--seconds takes a number above 0, up to 3600");
  }
  if (args.has("--executor")) request.executors = {args.value("--executor")};
  const Opened in = openGraph(args.words()[0], console, Takes::Graph, {}, session::graphToRun);
  if (!in.ok()) return in.code;
  int code = kFine;
  if (!readInputOptions(args, in.document->path(), console, request.run, code)) return code;
  const ir::Result<session::Bench> bench = session::benchGraph(*in.document, in.graph, request);
  if (!bench) return failedRun(bench.error(), console);
  reportAssumed(bench->assumed, in, console);
  bool failed = false;
  for (const session::BenchRow& r : bench->rows)
    if (r.failure) {
      console.report(*r.failure);
      failed = true;
    }
  if (args.has("--json"))
    console.printExact(asJson(*bench));
  else
    console.print(asTable(*bench));
  return failed ? static_cast<int>(kRunFailed) : in.code;
}

std::vector<OptionDef> options() {
  std::vector<OptionDef> out = inputOptions();
  const std::vector<OptionDef> more = {
      {"--executor", 0, "HOW", "this one alone", {"interpret", "compiled"}},
      {"--runs", 0, "N", "how often (default: as many as fit into --seconds, at least 5)"},
      {"--seconds", 0, "S", "for each executor (default 1)"},
      {"--json", 0, "", "machine-readable (descry.bench/1)"}};
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

}  // namespace

CommandDef benchCommand() {
  return {
      "bench",
      "how fast a graph runs",
      "FILE[::GRAPH]",
      "Times the graph with the interpreter and with the compiled executor: median and quartiles, the "
      "first call, nodes or plan steps one by one, operations and bytes a second beside what this machine "
      "can do, which is measured in the same process.",
      options(),
      {{"descry bench trace.log", "both executors on random inputs"},
       {"descry bench trace.log --backward --runs 100 --json", "with gradients, as JSON"}},
      1,
      1,
      run};
}

}  // namespace descry::cli

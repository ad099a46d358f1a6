#include "cli/commands/run_output.h"

#include <algorithm>
#include <cstdio>

#include "cli/support/json.h"
#include "cli/support/running.h"
#include "session/value_text.h"

namespace descry::cli {

namespace {

const ir::Graph& graphOf(const session::Run& run) {
  return run.module.get() == run.graph->module.get() ? *run.graph->graph : run.module->root();
}

std::string opOf(const session::Run& run, ir::NodeId node) {
  std::string_view target = graphOf(run).target(node);
  if (target.starts_with("torch.ops.")) target.remove_prefix(10);
  return std::string(target);
}

/// The node of the graph that was asked for, where it is another one.
std::string madeFor(const session::Run& run, ir::NodeId node) {
  if (node.index >= run.origins.size() || !run.origins[node.index].valid()) return {};
  const ir::NodeId origin = run.origins[node.index];
  return run.graph->graph->contains(origin) ? std::string(run.graph->graph->nodeName(origin)) : std::string();
}

bool isFine(runtime::Verdict v) {
  return v == runtime::Verdict::BitEqual || v == runtime::Verdict::Within;
}

std::string count(int64_t c) {
  return c ? std::to_string(c) : std::string();
}

std::string rate(double x) {
  if (!(x > 0)) return {};
  char text[32];
  std::snprintf(text, sizeof text, x >= 1000 ? "%.0f" : "%.3g", x);
  return text;
}

std::string percent(double share) {
  if (!(share > 0)) return {};
  char text[32];
  std::snprintf(text, sizeof text, "%.0f%%", share * 100);
  return text;
}

void statisticsFields(Json& json, const runtime::ValueStatistics& s) {
  session::statisticsJson(s, [&](const char* key, const auto& value) { json.field(key, value); });
}

void nodesJson(Json& json, const session::Run& run) {
  const ir::Graph& graph = graphOf(run);
  json.key("values").array();
  for (const auto* list : {&run.inputs, &run.nodes})
    for (const session::NodeRun& n : *list) {
      json.object().field("node", graph.nodeName(n.node)).field("op", opOf(run, n.node));
      json.textOrNull("for", madeFor(run, n.node)).field("type", n.type).field("bytes", n.bytes);
      json.field("input", list == &run.inputs);
      json.field("first_bad", n.node == run.firstBad);
      if (n.statistics) statisticsFields(json, *n.statistics);
      json.end();
    }
  json.end().key("bad_paths").array();
  for (const session::BadPath& p : run.badPaths) {
    json.object().field("result", p.result).field("from_input", p.fromInput).key("nodes").array();
    for (const ir::NodeId n : p.nodes) json.value(graph.nodeName(n));
    json.end().end();
  }
  json.end().textOrNull("first_bad_node",
                        run.firstBad.valid() ? graph.nodeName(run.firstBad) : std::string_view());
}

void profileJson(Json& json, const session::RunProfile& p) {
  json.key("profile").object();
  roofJson(json, p.roof);
  quartilesJson(json, "whole", p.whole);
  json.field("sum", p.sum).field("measuring_overhead", p.overhead()).key("rows").array();
  for (const session::ProfileRow& r : p.rows) {
    json.object().field("name", r.name).field("op", r.op).textOrNull("type", r.type);
    quartilesJson(json, "seconds", r.time);
    json.field("flops", r.cost.flops).field("bytes", r.cost.bytes);
    json.field("gflops_per_second", r.gflops).field("gbytes_per_second", r.gbytes);
    json.field("share_of_roof", r.share).field("bound", session::boundName(r.bound)).end();
  }
  json.end().end();
}

void referenceJson(Json& json, const session::ReferenceRun& r) {
  json.key("reference").object().field("dtype", "f64");
  for (const auto& [key, rows] : {std::pair{"nodes", &r.nodes}, {"results", &r.results}}) {
    json.key(key).array();
    for (const session::ReferenceRow& row : *rows) {
      json.object().field("name", row.name).field("op", row.op).field("type", row.type);
      json.field("kind", session::errorKindName(row.kind)).textOrNull("why", row.why);
      json.key("error").object();
      comparisonJson(json, row.error);
      json.end().key("own").object();
      comparisonJson(json, row.own);
      json.end().end();
    }
    json.end();
  }
  json.key("not_raised").array();
  for (const std::string& what : r.notRaised) json.value(what);
  json.end().end();
}

void histogramJson(Json& json, const ShownValue& v, const session::HistogramOptions& options) {
  const session::ValueHistogram h = session::valueHistogram(*v.tensor, options);
  json.object().field("value", v.name).field("type", session::valueType(*v.tensor));
  json.field("scale", h.logarithmic ? "log" : "linear").key("edges").array();
  for (const double e : h.edges) json.value(e);
  json.end().key("counts").array();
  for (const int64_t c : h.counts) json.value(c);
  json.end().field("below", h.below).field("above", h.above).field("zeros", h.zeros);
  json.field("negative", h.negative).field("not_finite", h.notFinite).end();
}

void shownJson(Json& json, const ShownValue& v, const session::SliceTextOptions& options) {
  json.object().field("value", v.name).field("type", session::valueType(*v.tensor));
  json.key("first_bad");
  if (v.bad) {
    json.array();
    for (const int64_t i : v.firstBad) json.value(i);
    json.end();
  } else {
    json.null();
  }
  json.field("text", session::sliceText(*v.tensor, options)).end();
}

}  // namespace

bool RunExtras::resultsAgree() const {
  return compared && !compared->empty() &&
         std::all_of(compared->begin(), compared->end(),
                     [](const session::ComparedResult& r) { return isFine(r.comparison.verdict); });
}

std::string runJson(const session::Run& run, const session::RunRequest& request, const RunExtras& extras) {
  Json json;
  json.object().field("schema", "descry.run/1");
  json.field("file", run.graph->documentPath).field("graph", run.graph->entry.id);
  json.field("executor", request.executor).field("device", "cpu").field("backward", request.backward);
  json.field("finished", run.ended && !run.failure);
  json.key("results").array();
  for (const session::RunValue& v : run.results) {
    json.object().field("name", v.name).textOrNull("meaning", v.meaning);
    if (v.tensor) {
      json.field("type", session::valueType(*v.tensor));
      statisticsFields(json, runtime::statisticsOf(*v.tensor));
    } else {
      json.field("value", v.text);
    }
    json.end();
  }
  json.end().field("nodes", static_cast<uint64_t>(run.nodes.size()));
  if (run.plan) {
    const session::RunPlan& p = *run.plan;
    json.key("plan")
        .object()
        .field("steps", static_cast<uint64_t>(p.steps))
        .field("loops", static_cast<uint64_t>(p.loops));
    json.field("fallbacks", static_cast<uint64_t>(p.fallbacks)).field("inside_bytes", p.insideBytes);
    json.field("bytes_without_reuse", p.bytesWithoutReuse).field("result_bytes", p.resultBytes);
    json.field("text", p.text).end();
  }
  if (extras.nodes) nodesJson(json, run);
  if (request.time) json.field("seconds", run.seconds);
  if (extras.profile) profileJson(json, *extras.profile);
  if (extras.reference) referenceJson(json, *extras.reference);
  if (extras.compared) {
    json.key("compared").array();
    for (const session::ComparedResult& r : *extras.compared) {
      json.object().field("name", r.name).field("type", r.type);
      comparisonJson(json, r.comparison);
      json.end();
    }
    json.end();
  }
  if (!extras.histograms.empty()) {
    json.key("histograms").array();
    for (const ShownValue& v : extras.histograms) histogramJson(json, v, extras.bins);
    json.end();
  }
  if (!extras.shown.empty()) {
    json.key("shown").array();
    for (const ShownValue& v : extras.shown) shownJson(json, v, extras.slice);
    json.end();
  }
  json.textOrNull("failed_node", run.failure ? run.failure->node : std::string());
  json.textOrNull("reason",
                  run.failure ? run.failure->message + " [" + run.failure->code + "]" : std::string());
  json.end();
  return json.take();
}

std::string resultsTable(const session::Run& run) {
  Table table({"NAME", "TYPE", "MIN", "MEAN", "MAX", "NAN", "MEANING"});
  for (size_t c = 2; c < 6; ++c) table.right(c);
  for (const session::RunValue& v : run.results) {
    if (!v.tensor) {
      table.row({v.name, v.text, "", "", "", "", v.meaning});
      continue;
    }
    const runtime::ValueStatistics s = runtime::statisticsOf(*v.tensor);
    const auto number = [&](double x) { return s.finite ? session::shortNumber(x) : std::string("-"); };
    table.row({v.name, session::valueType(*v.tensor), number(s.min), number(s.mean), number(s.max),
               s.nan ? std::to_string(s.nan) : "", v.meaning});
  }
  return table.empty() ? "the graph returns nothing\n" : table.text();
}

std::string nodesTable(const session::Run& run) {
  const bool traced = !run.origins.empty();
  std::vector<std::string> titles = {"NODE", "OP"};
  if (traced) titles.push_back("FOR");
  titles.push_back("TYPE");
  const size_t texts = titles.size();
  titles.insert(titles.end(), {"MIN", "MEAN", "MAX", "NAN", "INF"});
  Table table(titles);
  for (size_t c = texts; c < titles.size(); ++c) table.right(c);
  const ir::Graph& graph = graphOf(run);
  for (const session::NodeRun& n : run.nodes) {
    std::vector<std::string> row = {std::string(graph.nodeName(n.node)), opOf(run, n.node)};
    if (traced) row.push_back(madeFor(run, n.node));
    row.push_back(n.type);
    const runtime::ValueStatistics s = n.statistics.value_or(runtime::ValueStatistics{});
    const auto number = [&](double x) { return s.finite ? session::shortNumber(x) : std::string(); };
    row.insert(row.end(),
               {number(s.min), number(s.mean), number(s.max), count(s.nan), count(s.plusInf + s.minusInf)});
    table.row(std::move(row));
  }
  std::string out = table.text();
  out += run.firstBad.valid()
             ? "first bad node: " + tidy(graph.nodeName(run.firstBad)) + " (" +
                   tidy(opOf(run, run.firstBad)) + ") makes NaN or infinities of inputs that have none\n"
             : "no node makes NaN or infinities of inputs that have none\n";
  for (const session::BadPath& p : run.badPaths) {
    // Long ways are told by their ends.
    constexpr size_t kShown = 12;
    out += p.result + " is bad by";
    for (size_t i = 0; i < p.nodes.size(); ++i) {
      if (p.nodes.size() > kShown && i == kShown / 2) {
        out += " > ... " + std::to_string(p.nodes.size() - kShown) + " more ...";
        i = p.nodes.size() - kShown / 2;
      }
      out += (i ? " > " : " ") + tidy(graph.nodeName(p.nodes[i]));
    }
    out += p.fromInput ? " (an input)\n" : "\n";
  }
  return out;
}

std::string profileTable(const session::Run& run, const session::RunProfile& profile) {
  const bool steps = run.plan.has_value();
  Table table({steps ? "STEP" : "NODE", steps ? "NODES" : "OP", "MS", "SPREAD", "MFLOP", "MB", "GFLOP/S",
               "GB/S", "OF ROOF", "BOUND"});
  for (size_t c = 2; c < 9; ++c) table.right(c);
  for (const session::ProfileRow& r : profile.rows)
    table.row({r.name, steps && r.op.size() > 60 ? r.op.substr(0, 57) + "..." : r.op,
               milliseconds(r.time.median), spreadText(r.time),
               r.cost.flops ? rate(static_cast<double>(*r.cost.flops) / 1e6) : "?",
               rate(static_cast<double>(r.cost.bytes) / 1e6), rate(r.gflops), rate(r.gbytes),
               percent(r.share), std::string(session::boundName(r.bound))});
  std::string out = table.text();
  out += std::string(steps ? "steps " : "nodes ") + milliseconds(profile.sum) + " ms, whole run " +
         milliseconds(profile.whole.median) + " ms (" + std::to_string(profile.whole.runs) +
         " runs, medians); " + milliseconds(profile.overhead()) +
         " ms of a run lie between them: measuring and calling\n";
  if (steps) out += "making the plan took " + milliseconds(run.plan->planning) + " ms, once\n";
  return out + "roof, measured here: " + roofText(profile.roof) + "\n";
}

namespace {

void referenceRows(Table& table, const std::vector<session::ReferenceRow>& rows) {
  for (const session::ReferenceRow& r : rows) {
    const runtime::Comparison& e = r.error;
    const bool both = e.verdict <= runtime::Verdict::Outside;
    const bool own = r.own.verdict <= runtime::Verdict::Outside;
    const auto number = [](bool there, double x) { return there ? session::shortNumber(x) : std::string(); };
    table.row({r.name, r.op, r.type, std::string(session::errorKindName(r.kind)), number(both, e.maxAbs),
               number(both, e.medianUlp), number(both, e.maxUlp), number(both, e.snr),
               number(own, r.own.maxAbs), number(own, r.own.maxUlp)});
  }
}

}  // namespace

std::string referenceTable(const session::ReferenceRun& reference) {
  Table table(
      {"NODE", "OP", "TYPE", "ERROR", "MAX ABS", "MEDIAN ULP", "MAX ULP", "SNR DB", "OWN ABS", "OWN ULP"});
  for (size_t c = 4; c < 10; ++c) table.right(c);
  referenceRows(table, reference.nodes);
  referenceRows(table, reference.results);
  std::string out = table.text();
  using session::ErrorKind;
  for (const ErrorKind kind : {ErrorKind::Exact, ErrorKind::Rounding, ErrorKind::Cancellation,
                               ErrorKind::Carried, ErrorKind::Fault, ErrorKind::NotRaised})
    if (const size_t n = reference.count(kind))
      out += std::to_string(n) + " " + std::string(session::errorKindName(kind)) + "; ";
  if (out.ends_with("; ")) out.replace(out.size() - 2, 2, "\n");
  for (const std::string& what : reference.notRaised) out += "not raised: " + tidy(what) + "\n";
  if (const auto at = reference.first(ErrorKind::Fault))
    out += "first fault: " + tidy(reference.nodes[*at].name) +
           " gives what rounding does not explain for the values that it read\n";
  else if (const auto cancels = reference.first(ErrorKind::Cancellation))
    out += "first cancellation: " + tidy(reference.nodes[*cancels].name) +
           " takes large numbers from one another: what is left has few digits\n";
  return out;
}

std::string comparedTable(const std::vector<session::ComparedResult>& rows) {
  Table table({"NAME", "TYPE", "VERDICT", "OUTSIDE", "MAX ABS", "MAX REL", "MEDIAN ULP", "MAX ULP", "COSINE",
               "SNR DB"});
  for (size_t c = 3; c < 10; ++c) table.right(c);
  for (const session::ComparedResult& r : rows) {
    const runtime::Comparison& c = r.comparison;
    const bool both = c.verdict <= runtime::Verdict::Outside;
    const auto number = [&](double x) { return both ? session::shortNumber(x) : std::string(); };
    table.row({r.name, r.type, std::string(runtime::verdictName(c.verdict)),
               both ? std::to_string(c.outside) : "", number(c.maxAbs), number(c.maxRel), number(c.medianUlp),
               number(c.maxUlp), number(c.cosine), number(c.snr)});
  }
  return rows.empty() ? "there is nothing to compare\n" : table.text();
}

std::string histogramsText(const RunExtras& extras) {
  std::string out;
  for (const ShownValue& v : extras.histograms) {
    const runtime::ValueStatistics s = runtime::statisticsOf(*v.tensor);
    out += v.name + "  " + session::valueType(*v.tensor) + "  mean " + session::shortNumber(s.mean) +
           ", std " + session::shortNumber(s.std) + "\n" +
           session::histogramText(session::valueHistogram(*v.tensor, extras.bins));
  }
  return out;
}

std::string shownText(const RunExtras& extras) {
  std::string out;
  for (const ShownValue& v : extras.shown) {
    out += v.name + "  " + session::valueType(*v.tensor) + "\n" + session::sliceText(*v.tensor, extras.slice);
    if (v.bad) out += "the first bad element is at " + session::indexText(v.firstBad) + "\n";
  }
  return out;
}

}  // namespace descry::cli

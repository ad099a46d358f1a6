#include "passes/core/manager.h"

#include <algorithm>
#include <chrono>

#include "ir/verify/verify.h"

namespace descry::passes {

namespace {

std::string_view trim(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t')) s.remove_suffix(1);
  return s;
}

ir::Diagnostic at(size_t column, std::string code, std::string message) {
  ir::Diagnostic d = ir::failure(code, std::move(message));
  d.loc.column = static_cast<uint32_t>(column + 1);
  return d;
}

bool allowed(const PassOption& option, std::string_view value) {
  const std::string_view values = option.values;
  if (values == "NAMES") return true;
  if (values == "N") {
    size_t digits = 0, points = 0;
    for (const char c : value) {
      digits += c >= '0' && c <= '9';
      points += c == '.';
      if ((c < '0' || c > '9') && c != '.') return false;
    }
    return digits > 0 && points <= 1;
  }
  for (size_t from = 0; from <= values.size();) {
    const size_t bar = std::min(values.find('|', from), values.size());
    if (values.substr(from, bar - from) == value) return true;
    from = bar + 1;
  }
  return false;
}

}  // namespace

ir::Status checkOption(const PassDef& pass, std::string_view name, std::string_view value) {
  std::string known;
  for (const PassOption& o : pass.options) {
    if (o.name == name)
      return allowed(o, value) ? ir::Status()
                               : ir::failure("bad-option", std::string(name) + " takes " + o.values +
                                                               ", not `" + std::string(value) + "`");
    known += (known.empty() ? "" : ", ") + std::string(o.name);
  }
  return ir::failure("unknown-option", std::string(pass.name) + " has no option `" + std::string(name) + "`" +
                                           (known.empty() ? "" : "; it has " + known));
}

namespace {
ir::Result<PipelineStep> readStep(std::string_view whole, std::string_view text, const PassDef& pass) {
  PipelineStep step{&pass, {}, std::string(text)};
  const auto column = [&](std::string_view part) { return static_cast<size_t>(part.data() - whole.data()); };
  const size_t open = text.find('(');
  if (open == std::string_view::npos) return step;
  if (text.back() != ')') return at(column(text), "bad-pipeline", "`(` is not closed in `" + step.text + "`");
  std::string_view inside = text.substr(open + 1, text.size() - open - 2);
  while (!trim(inside).empty()) {
    const size_t comma = std::min(inside.find(','), inside.size());
    const std::string_view item = trim(inside.substr(0, comma));
    inside.remove_prefix(std::min(comma + 1, inside.size()));
    const size_t equals = std::min(item.find('='), item.size());
    const std::string_view name = trim(item.substr(0, equals));
    const std::string_view value = equals < item.size() ? trim(item.substr(equals + 1)) : "";
    if (const ir::Status ok = checkOption(pass, name, value); !ok)
      return at(column(item), ok.error().code, ok.error().message);
    step.options[std::string(name)] = std::string(value);
  }
  return step;
}

}  // namespace

std::string_view stageName(Stage stage) {
  constexpr std::string_view kNames[] = {"any",       "captured",   "lowered", "described",  "deduplicated",
                                         "unaliased", "functional", "traced",  "partitioned"};
  return kNames[static_cast<size_t>(stage)];
}

ir::Result<std::vector<PipelineStep>> parsePipeline(std::string_view text,
                                                    const std::vector<const PassDef*>& passes,
                                                    const std::vector<PipelineDef>& pipelines) {
  std::vector<PipelineStep> out;
  size_t from = 0;
  while (from <= text.size()) {
    size_t end = from;
    for (int depth = 0; end < text.size() && (depth > 0 || text[end] != ','); ++end)
      depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
    const std::string_view item = trim(text.substr(from, end - from));
    if (item.empty()) return at(from, "bad-pipeline", "the name of a pass is missing");
    const std::string_view name = trim(item.substr(0, item.find('(')));
    const auto pass =
        std::find_if(passes.begin(), passes.end(), [&](const PassDef* p) { return p->name == name; });
    const auto pipeline = std::find_if(pipelines.begin(), pipelines.end(),
                                       [&](const PipelineDef& p) { return p.name == name; });
    if (pass != passes.end()) {
      ir::Result<PipelineStep> step = readStep(text, item, **pass);
      if (!step) return step.error();
      out.push_back(std::move(*step));
    } else if (pipeline != pipelines.end()) {
      if (name.size() != item.size())
        return at(from, "unknown-option",
                  "a pipeline takes no options; give its passes instead: " + std::string(pipeline->passes));
      ir::Result<std::vector<PipelineStep>> inner = parsePipeline(pipeline->passes, passes, {});
      if (!inner) return inner.error();
      for (PipelineStep& s : *inner) out.push_back(std::move(s));
    } else {
      std::string known;
      for (const PassDef* p : passes) known += (known.empty() ? "" : ", ") + std::string(p->name);
      for (const PipelineDef& p : pipelines) known += ", " + std::string(p.name);
      return at(from, "unknown-pass", "there is no pass `" + std::string(name) + "`; there are " + known);
    }
    from = end + 1;
  }
  return out;
}

Recording runPipeline(ProgramState start, const std::vector<PipelineStep>& steps, const RunOptions& options) {
  Recording out;
  out.start = start;
  out.verified = options.verifyEach;
  ProgramState state = std::move(start);
  const PassContext context{options.ops ? options.ops : &ir::allOps()};
  // Who gives a stage, also where that is not the next one.
  const auto givenBy = [&](Stage stage) {
    std::string names;
    if (options.known)
      for (const PassDef* p : *options.known)
        if (p->gives == stage) names += (names.empty() ? "`" : ", `") + std::string(p->name) + "`";
    return names.empty() ? names : ", which " + names + " gives";
  };
  const auto fail = [&](const PipelineStep& step, ir::Diagnostic d) {
    out.failure = std::move(d);
    out.failed = step.text;
  };
  for (const PipelineStep& step : steps) {
    const PassDef& pass = *step.pass;
    if (options.cancelled && options.cancelled()) {
      fail(step, ir::failure("cancelled", "stopped before " + step.text));
      break;
    }
    if (pass.needs != Stage::Any && (state.stage < pass.needs || state.stage > pass.until)) {
      const bool early = state.stage < pass.needs;
      fail(step,
           ir::failure("pass-order", std::string(pass.name) +
                                         (early ? " needs a program at stage `" : " works up to stage `") +
                                         std::string(stageName(early ? pass.needs : pass.until)) + "`" +
                                         (early ? givenBy(pass.needs) : "") + ", and this one is at `" +
                                         std::string(stageName(state.stage)) + "`"));
      break;
    }
    PassRecord record;
    record.text = step.text;
    record.pass = &pass;
    const auto began = std::chrono::steady_clock::now();
    if (pass.run) {
      uint32_t removed = 0;
      for (StateGraph& g : state.graphs) {
        auto module = std::make_shared<ir::Module>(*g.module);
        uint32_t here = 0;
        for (ir::Graph& graph : module->graphs) here += pass.run(graph, context).removed;
        if (here) g.module = std::move(module);
        removed += here;
      }
      record.outcome.changed = removed != 0;
      record.outcome.summary =
          removed == 0 ? "nothing to do"
                       : std::to_string(removed) + (removed == 1 ? " node" : " nodes") + " removed";
    } else {
      ir::Result<PassOutcome> done = pass.apply(state, step.options, context);
      if (!done) {
        fail(step, done.error());
        break;
      }
      record.outcome = std::move(*done);
    }
    record.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    record.stage = state.stage;
    record.graphs = state.graphs;
    if (options.verifyEach && record.outcome.changed)
      for (const StateGraph& g : state.graphs) {
        ir::DiagnosticSink sink;
        ir::verifyModule(*g.module, context.ops, sink);
        for (const ir::Diagnostic& d : sink.all())
          if (d.severity == ir::Severity::Error) record.problems.push_back(d);
      }
    if (options.verifyEach && !pass.run) {
      ir::DiagnosticSink sink;
      if (state.data) state.data->verify(state.stage, sink);
      if (record.outcome.result) record.outcome.result->verify(state.stage, sink);
      for (const ir::Diagnostic& d : sink.all())
        if (d.severity == ir::Severity::Error) record.problems.push_back(d);
    }
    const bool broken = !record.problems.empty();
    out.passes.push_back(std::move(record));
    if (broken) {
      fail(step, ir::failure("verify-failed", "the verifier finds faults after " + step.text));
      break;
    }
  }
  return out;
}

}  // namespace descry::passes

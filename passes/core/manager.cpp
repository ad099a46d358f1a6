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

const PassOption* findOption(const PassDef& pass, std::string_view name) {
  const auto found = std::find_if(pass.options.begin(), pass.options.end(),
                                  [&](const PassOption& o) { return o.name == name; });
  return found == pass.options.end() ? nullptr : &*found;
}

std::string_view optionValue(const PipelineStep& step, const PassOption& option) {
  const auto given = step.options.find(std::string_view(option.name));
  return given == step.options.end() ? std::string_view(option.byDefault) : given->second;
}

namespace {

ir::Status checkOption(const PassDef& pass, std::string_view name, std::string_view value) {
  if (const PassOption* o = findOption(pass, name))
    return allowed(*o, value)
               ? ir::Status()
               : ir::failure("bad-option", std::string(name) + " takes " + o->values +
                                               (value.empty() ? std::string(", and was given no value")
                                                              : ", not `" + std::string(value) + "`"));
  std::string known;
  for (const PassOption& o : pass.options) known += (known.empty() ? "" : ", ") + std::string(o.name);
  return ir::failure("unknown-option", std::string(pass.name) + " has no option `" + std::string(name) + "`" +
                                           (known.empty() ? "" : "; it has " + known) +
                                           (value.empty() ? "; names for one option are joined by `+`" : ""));
}

/// `name(option=value, ...)`.
struct Item {
  std::string_view name;
  struct Given {
    std::string_view text, name, value;
  };
  std::vector<Given> options;
};

ir::Result<Item> readItem(std::string_view whole, std::string_view text) {
  const size_t open = std::min(text.find('('), text.size());
  Item item{trim(text.substr(0, open)), {}};
  if (open == text.size()) return item;
  if (text.back() != ')')
    return at(static_cast<size_t>(text.data() - whole.data()), "bad-pipeline",
              "`(` is not closed in `" + std::string(text) + "`");
  std::string_view inside = text.substr(open + 1, text.size() - open - 2);
  while (!trim(inside).empty()) {
    const size_t comma = std::min(inside.find(','), inside.size());
    const std::string_view option = trim(inside.substr(0, comma));
    inside.remove_prefix(std::min(comma + 1, inside.size()));
    const size_t equals = std::min(option.find('='), option.size());
    item.options.push_back({option, trim(option.substr(0, equals)),
                            equals < option.size() ? trim(option.substr(equals + 1)) : std::string_view()});
  }
  return item;
}

/// What stands between the commas that are not in parentheses.
std::vector<std::string_view> splitItems(std::string_view text) {
  std::vector<std::string_view> out;
  for (size_t from = 0; from <= text.size();) {
    size_t end = from;
    for (int depth = 0; end < text.size() && (depth > 0 || text[end] != ','); ++end)
      depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
    out.push_back(trim(text.substr(from, end - from)));
    from = end + 1;
  }
  return out;
}

/// The text of a step whose options were not all written there.
std::string stepText(const PipelineStep& step) {
  std::string options;
  for (const auto& [name, value] : step.options)
    options += (options.empty() ? "" : ", ") + name + "=" + value;
  return std::string(step.pass->name) + (options.empty() ? "" : "(" + options + ")");
}

/// Gives the options of `item` to those of its steps that have them.
ir::Status setOptions(std::string_view whole, const Item& item, std::vector<PipelineStep>& steps) {
  const auto wrong = [&](std::string_view place, const ir::Diagnostic& d) {
    return at(static_cast<size_t>(place.data() - whole.data()), d.code, d.message);
  };
  for (const Item::Given& given : item.options) {
    bool any = false;
    for (PipelineStep& step : steps) {
      if (steps.size() > 1 && !findOption(*step.pass, given.name)) continue;
      any = true;
      if (const ir::Status ok = checkOption(*step.pass, given.name, given.value); !ok)
        return wrong(given.text, ok.error());
      step.options[std::string(given.name)] = std::string(given.value);
    }
    if (!any)
      return wrong(given.text,
                   ir::failure("unknown-option", "no pass of " + std::string(item.name) + " has an option `" +
                                                     std::string(given.name) + "`"));
  }
  for (const PipelineStep& step : steps)
    if (const ir::Status ok = checkOptions(*step.pass, step.options); !ok)
      return wrong(item.options.empty() ? item.name : item.options.front().text, ok.error());
  return {};
}

}  // namespace

ir::Status checkOptions(const PassDef& pass, const PassOptionValues& values) {
  for (const auto& [name, value] : values)
    if (const ir::Status ok = checkOption(pass, name, value); !ok) return ok;
  return pass.fits ? pass.fits(values) : ir::Status();
}

std::string_view stageName(Stage stage) {
  constexpr std::string_view kNames[] = {"any",       "captured",   "lowered", "described",  "deduplicated",
                                         "unaliased", "functional", "traced",  "partitioned"};
  return kNames[static_cast<size_t>(stage)];
}

ir::Result<std::vector<PipelineStep>> parsePipeline(std::string_view text,
                                                    const std::vector<const PassDef*>& passes,
                                                    const std::vector<PipelineDef>& pipelines) {
  std::vector<PipelineStep> out;
  for (const std::string_view item : splitItems(text)) {
    const auto from = static_cast<size_t>(item.data() - text.data());
    if (item.empty()) return at(from, "bad-pipeline", "the name of a pass is missing");
    ir::Result<Item> read = readItem(text, item);
    if (!read) return read.error();
    const std::string_view name = read->name;
    const auto pass =
        std::find_if(passes.begin(), passes.end(), [&](const PassDef* p) { return p->name == name; });
    const auto pipeline = std::find_if(pipelines.begin(), pipelines.end(),
                                       [&](const PipelineDef& p) { return p.name == name; });
    std::vector<PipelineStep> steps;
    if (pass != passes.end()) {
      steps.push_back({*pass, {}, std::string(item)});
    } else if (pipeline != pipelines.end()) {
      ir::Result<std::vector<PipelineStep>> inner = parsePipeline(pipeline->passes, passes, {});
      if (!inner) return inner.error();
      steps = std::move(*inner);
    } else {
      std::string known;
      for (const PassDef* p : passes) known += (known.empty() ? "" : ", ") + std::string(p->name);
      for (const PipelineDef& p : pipelines) known += ", " + std::string(p.name);
      return at(from, "unknown-pass", "there is no pass `" + std::string(name) + "`; there are " + known);
    }
    if (const ir::Status set = setOptions(text, *read, steps); !set) return set.error();
    for (PipelineStep& s : steps) {
      if (pass == passes.end() && !read->options.empty()) s.text = stepText(s);
      out.push_back(std::move(s));
    }
  }
  return out;
}

ir::Result<std::string> withOption(std::string_view text, const std::vector<const PassDef*>& passes,
                                   const std::vector<PipelineDef>& pipelines, std::string_view option,
                                   std::string_view value) {
  if (const auto read = parsePipeline(text, passes, pipelines); !read) return read.error();
  std::string out;
  bool any = false;
  for (const std::string_view part : splitItems(text)) {
    const Item item = *readItem(text, part);
    bool has = false, differs = false;
    const auto plain = parsePipeline(item.name, passes, pipelines);
    for (const PipelineStep& step : *plain)
      if (const PassOption* o = findOption(*step.pass, option)) {
        has = true;
        differs = differs || optionValue(step, *o) != value;
      }
    any = any || has;
    std::string options;
    const auto add = [&](std::string_view one) {
      options += (options.empty() ? "" : ", ") + std::string(one);
    };
    for (const Item::Given& given : item.options)
      if (given.name != option) add(given.text);
    if (has && differs) add(std::string(option) + "=" + std::string(value));
    out += (out.empty() ? "" : ",") + std::string(item.name) + (options.empty() ? "" : "(" + options + ")");
  }
  if (!any)
    return ir::failure("unknown-option",
                       "no pass of `" + std::string(text) + "` has an option `" + std::string(option) + "`");
  if (const auto read = parsePipeline(out, passes, pipelines); !read) return read.error();
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

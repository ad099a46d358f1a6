#include <algorithm>
#include <cstdlib>

#include "cli/commands/commands.h"
#include "cli/commands/run_output.h"
#include "cli/support/console.h"
#include "cli/support/loading.h"
#include "cli/support/running.h"
#include "session/atomic_file.h"
#include "session/run_values.h"
#include "session/value_text.h"

namespace descry::cli {

namespace {

/// `name[slice]` in its parts.
std::pair<std::string, std::string> nameAndSlice(const std::string& text) {
  const size_t open = text.find('[');
  return {text.substr(0, open), open == std::string::npos ? std::string() : text.substr(open)};
}

/// The value of a node, a piece of it (`split.1`), an input, or a result. Null, and reported, when there is
/// none.
runtime::TensorRef findValue(const session::RunValues& values, const session::Run& run,
                             const std::string& name, Console& console) {
  const auto in = [&](const std::vector<session::KeptTensor>& list) -> runtime::TensorRef {
    for (const session::KeptTensor& k : list)
      if (k.name == name && k.tensor) return k.tensor;
    return {};
  };
  if (runtime::TensorRef t = in(values.values)) return t;
  if (runtime::TensorRef t = in(values.results)) return t;
  // The node of the file: the last of those that were made of it.
  runtime::TensorRef made;
  for (const session::KeptTensor& k : values.values)
    if (k.origin == name && k.tensor) made = k.tensor;
  if (made) return made;
  console.report(ir::failure("unknown-value",
                             "the run has no value `" + name +
                                 "`: it is no tensor of a node, an input or a result (--nodes lists them)",
                             run.graph->documentPath));
  return {};
}

/// False, and reported, when one is not there or its slice does not fit.
bool showValues(const std::vector<std::string>& asked, const session::RunValues& values,
                const session::Run& run, std::vector<ShownValue>& out, Console& console, int& code) {
  for (const std::string& text : asked) {
    const auto [name, slice] = nameAndSlice(text);
    ShownValue v;
    v.name = text;
    v.value = name;
    const runtime::TensorRef whole = findValue(values, run, name, console);
    if (!whole) {
      code = kRunFailed;
      return false;
    }
    v.tensor = whole;
    if (!slice.empty()) {
      const auto ranges = session::readSlice(slice, *whole);
      ir::Result<runtime::TensorRef> part =
          ranges ? session::sliceOf(whole, *ranges) : ir::Result<runtime::TensorRef>(ranges.error());
      if (!part) {
        code = console.usage(part.error().message + " [" + part.error().code + "]");
        return false;
      }
      v.tensor = *part;
    }
    if (const auto at = session::firstBadIndex(*v.tensor)) {
      v.bad = true;
      v.firstBad = *at;
    }
    out.push_back(std::move(v));
  }
  return true;
}

/// Words that are no options: `all`, `statistics`, `hash`, or nodes.
void readKeep(const std::string& text, session::RunRequest& request) {
  if (text == "all") {
    request.keepValues = true;
  } else if (text == "statistics") {
    request.statistics = true;
  } else if (text == "hash") {
    request.hashes = true;
  } else {
    request.keepValues = true;
    for (size_t at = 0; at <= text.size();) {
      const size_t end = std::min(text.find(',', at), text.size());
      if (end > at) request.keepNodes.push_back(text.substr(at, end - at));
      at = end + 1;
    }
  }
}

/// kFine, or the code of what was reported.
int readRequest(const Arguments& args, const std::string& opened, Console& console,
                session::RunRequest& request, RunExtras& extras, session::Tolerances& tolerances) {
  int code = kFine;
  if (!readInputOptions(args, opened, console, request, code)) return code;
  if (!readTolerance(args, console, tolerances)) return kUsage;
  request.executor = args.value("--executor", "interpret");
  request.time = args.has("--profile");
  request.statistics = extras.nodes = args.has("--nodes");
  request.upTo = args.value("--up-to");
  request.runs = request.time ? 5 : 1;
  if (args.has("--runs")) {
    const std::optional<uint64_t> n = session::readCount(args.value("--runs"), false);
    if (!n || *n < 1 || *n > 100000) return console.usage("--runs takes a number from 1 to 100000");
    request.runs = static_cast<unsigned>(*n);
  }
  if (args.has("--keep") && !args.has("--save-values"))
    return console.usage("--keep says what --save-values writes: it does not go without it");
  if (args.has("--save-values")) readKeep(args.value("--keep", "all"), request);
  if (args.has("--keep-memory")) {
    const std::optional<uint64_t> n = session::readCount(args.value("--keep-memory"), true);
    if (!n)
      return console.usage("--keep-memory takes a number of bytes, not `" + args.value("--keep-memory") +
                           "`");
    request.keepBytes = std::max<uint64_t>(1, *n);
    request.statistics = true;
  }
  if (args.has("--histogram") || args.has("--show-value")) {
    if (request.keepBytes)
      return console.usage("--keep-memory does not go with --histogram and --show-value");
    // What is looked at is kept, beside what is saved.
    if (!request.keepValues || !request.keepNodes.empty())
      for (const char* option : {"--histogram", "--show-value"})
        for (const std::string& text : args.values(option)) {
          const std::string name = nameAndSlice(text).first;
          request.keepNodes.push_back(name);
          // `split.1` is a piece of `split`.
          if (const size_t dot = name.find('.'); dot != std::string::npos)
            request.keepNodes.push_back(name.substr(0, dot));
        }
    request.keepValues = true;
  }
  extras.bins.logarithmic = args.value("--bins", "linear") == "log";
  if (args.has("--clip")) {
    const std::string text = args.value("--clip");
    char* end = nullptr;
    extras.bins.clip = std::strtod(text.c_str(), &end);
    if (end == text.c_str() || *end || !(extras.bins.clip >= 0 && extras.bins.clip < 0.5))
      return console.usage("--clip takes the share of elements to leave out at each end: 0 to 0.5");
  }
  extras.slice.format = session::numberFormat(args.value("--number-format", "short")).value();
  if (args.has("--reference") && (request.time || extras.nodes || args.has("--save-values") ||
                                  args.has("--up-to") || args.has("--histogram") || args.has("--show-value")))
    return console.usage(
        "--reference is a run of its own: it does not go with --nodes, --profile, --save-values, --up-to, "
        "--histogram and --show-value");
  return kFine;
}

int run(const Arguments& args, Console& console) {
  if (args.value("--device", "cpu") == "cuda") {
    console.say(
        "there is no CUDA device support yet: --device cpu runs here; docs/status.md says what is missing");
    return kDeviceMissing;
  }
  const Opened in = openGraph(args.words()[0], console, Takes::Graph, {}, session::graphToRun);
  if (!in.ok()) return in.code;
  session::RunRequest request;
  RunExtras extras;
  session::Tolerances tolerances;
  if (const int wrong = readRequest(args, in.document->path(), console, request, extras, tolerances))
    return wrong;
  std::optional<runtime::TensorFile> expected;
  if (args.has("--compare")) {
    ir::Result<runtime::TensorFile> file = session::readTensors(args.value("--compare"));
    if (!file) {
      console.report(file.error());
      return kCannotRead;
    }
    expected = std::move(*file);
  }
  session::RunPtr result;
  if (args.has("--reference")) {
    ir::Result<session::ReferenceRun> r = session::runReference(*in.document, in.graph, request, tolerances);
    if (!r) return failedRun(r.error(), console);
    result = r->run;
    extras.reference = std::move(*r);
  } else {
    const ir::Result<session::RunPtr> r = session::runGraph(*in.document, in.graph, request);
    if (!r) return failedRun(r.error(), console);
    result = *r;
  }
  const session::Run& done = *result;
  reportAssumed(done.assumed, in, console);
  for (const std::string& line : done.printed) console.print(line + "\n");
  if (done.failure) {
    console.report(*done.failure);
    extras = {};
    if (args.has("--json")) console.printExact(runJson(done, request, extras));
    return done.failure->code == "cancelled" ? kCancelled : kRunFailed;
  }
  if (request.keepValues || args.has("--save-values")) {
    const session::RunValues values = session::valuesOf(done);
    int code = kFine;
    if (!showValues(args.values("--histogram"), values, done, extras.histograms, console, code) ||
        !showValues(args.values("--show-value"), values, done, extras.shown, console, code))
      return code;
    if (const std::string path = args.value("--save-values"); !path.empty()) {
      if (outputIsInput(path, in, console)) return kUsage;
      if (const ir::Status s = session::writeFileAtomically(path, session::valueFileBytes(values)); !s)
        return console.fail(s.error());
    }
  }
  if (const std::string path = args.value("--save"); !path.empty()) {
    if (outputIsInput(path, in, console)) return kUsage;
    if (const ir::Status s = session::writeFileAtomically(path, session::resultBytes(done)); !s)
      return console.fail(s.error());
  }
  if (request.time) extras.profile = session::profileOf(done, runtime::measureRoof(0.6, request.cancelled));
  if (expected) extras.compared = session::compareResults(done, *expected, tolerances);
  if (args.has("--json")) {
    console.printExact(runJson(done, request, extras));
  } else {
    std::string out;
    if (extras.nodes) out += nodesTable(done);
    if (extras.profile) out += profileTable(done, *extras.profile);
    if (extras.reference) out += referenceTable(*extras.reference);
    out += histogramsText(extras) + shownText(extras);
    if (extras.compared) out += comparedTable(*extras.compared);
    if (out.empty() && !args.has("--save") && !args.has("--save-values")) out = resultsTable(done);
    console.print(out);
  }
  if (extras.compared && !extras.resultsAgree()) return kDiffers;
  if (extras.reference && extras.reference->count(session::ErrorKind::Fault)) return kDiffers;
  return in.code;
}

std::vector<OptionDef> options() {
  std::vector<OptionDef> out = inputOptions();
  const std::vector<OptionDef> more = {
      {"--executor", 0, "HOW", "node by node, or compiled", {"interpret", "compiled"}},
      {"--device", 0, "DEVICE", "where to run", {"cpu", "cuda"}},
      {"--save", 0, "FILE", "write the results as safetensors: out.J, grad.N, after.K"},
      {"--up-to", 0, "NODE", "end behind this node"},
      {"--nodes", 0, "",
       "print every node with its extremes, mean, NaN and infinities, the first that makes bad values of "
       "good ones, and how they spread to the results"},
      {"--histogram", 0, "NODE", "print the histogram of a value (node, input or result)", {}, true},
      {"--bins",
       0,
       "SCALE",
       "with --histogram: equal steps, or equal ratios of absolute values",
       {"linear", "log"}},
      {"--clip", 0, "SHARE", "with --histogram: leave out this share of the elements at each end (0.001)"},
      {"--show-value", 0, "NODE[SLICE]", "print elements, as `add` or `add[0, :, 2:5]`", {}, true},
      {"--number-format", 0, "FORMAT", "with --show-value", {"short", "exact", "fixed", "scientific", "hex"}},
      {"--save-values", 0, "FILE",
       "write values of nodes as safetensors, for `descry compare` and `descry bisect`"},
      {"--keep", 0, "WHAT", "with --save-values: all, statistics, hash, or NODE,... (default all)"},
      {"--keep-memory", 0, "BYTES",
       "kept values may take this much; then those go that were used longest ago, and their statistics stay"},
      {"--reference",
       0,
       "DTYPE",
       "run again with all floats as f64 and print the error of every node: rounding, cancellation, carried, "
       "or a fault (exit code 1)",
       {"f64"}},
      {"--profile", 0, "",
       "print how long every node (or step of the plan) takes, its operations, bytes and rates beside what "
       "the "
       "machine can do: medians of --runs runs"},
      {"--runs", 0, "N", "with --profile: how often (default 5)"},
      {"--compare", 0, "FILE",
       "compare the results with those of a safetensors file; exit code 1 when one is outside of the "
       "tolerance"},
      toleranceOption(),
      {"--json", 0, "", "machine-readable (descry.run/1)"}};
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

}  // namespace

CommandDef runCommand() {
  return {"run",
          "execute a graph",
          "FILE[::GRAPH]",
          "Runs a graph on the CPU, node by node, as eager PyTorch computes it: type promotion, rounding, "
          "views and "
          "writes. A captured graph is brought to aten ops first; with --backward gradients of the inputs "
          "follow. Without "
          "--inputs they are random numbers. Nothing in the file itself is executed but the ops it names.",
          options(),
          {{"descry run trace.log", "run the captured graph on random inputs"},
           {"descry run trace.log::0/0:joint --inputs values.safetensors --save out.safetensors",
            "on given inputs, results to a file"},
           {"descry run trace.log --backward --json", "outputs and gradients, as JSON"},
           {"descry run trace.log --nodes", "where do NaN come from?"},
           {"descry run trace.log --reference f64", "what is rounding, what is a fault?"},
           {"descry run trace.log --show-value 'mul[0, :4]' --number-format exact", "elements of a value"}},
          1,
          1,
          run};
}

}  // namespace descry::cli

#include "cli/support/running.h"

#include <cstdio>

#include "cli/support/json.h"
#include "session/value_text.h"

namespace descry::cli {

std::vector<OptionDef> inputOptions() {
  std::vector<OptionDef> out = {
      {"--inputs", 0, "FROM",
       "random:SEED (normal numbers), random:SEED:LOW..HIGH, zeros, ones, or a safetensors file with a "
       "tensor for each input under its name "
       "(tangent.J: the gradient of output J)"},
      {"--backward", 0, "", "also compute gradients of the inputs that require them"},
      {"--seed", 0, "N", "of random ops"},
      {"--memory", 0, "BYTES", "the run fails when its tensors need more: 500M, 2G"},
      {"--unknown-ops", 0, "HOW", "custom ops that are not declared", {"assume", "refuse"}}};
  const std::vector<OptionDef> ops = opOptions();
  out.insert(out.end(), ops.begin(), ops.end());
  return out;
}

OptionDef toleranceOption() {
  return {"--tolerance", 0, "WHAT",
          "what may differ: 1e-4 (relative to the largest element, and absolute), f32=1e-4,bf16=0.02, "
          "f32=1e-4:1e-6 "
          "(relative:absolute), length=on or off (grows with how much was summed); by dtype when left out, "
          "3e-05 for f32"};
}

bool readInputOptions(const Arguments& args, const std::string& opened, Console& console,
                      session::RunRequest& request, int& code) {
  request.inputs = args.value("--inputs", "random:0");
  request.backward = args.has("--backward");
  request.unknownOps = args.value("--unknown-ops", "assume") == "refuse" ? passes::UnknownOps::Refuse
                                                                         : passes::UnknownOps::Assume;
  request.cancelled = [] { return Console::cancelled().load(); };
  for (const auto& [option, target] : {std::pair{"--seed", &request.seed}, {"--memory", &request.memoryCap}})
    if (args.has(option)) {
      const std::optional<uint64_t> n = session::readCount(args.value(option), target == &request.memoryCap);
      if (!n) {
        code = console.usage(std::string(option) + " takes a number, not `" + args.value(option) + "`");
        return false;
      }
      *target = *n;
    }
  request.ops = readOpOptions(args, opened, console, code);
  return code == kFine;
}

bool readTolerance(const Arguments& args, Console& console, session::Tolerances& tolerances) {
  if (!args.has("--tolerance")) return true;
  ir::Result<session::Tolerances> t = session::readTolerances(args.value("--tolerance"));
  if (!t || args.value("--tolerance").empty()) {
    console.usage("--tolerance: " + (t ? std::string("nothing is given") : t.error().message));
    return false;
  }
  tolerances = std::move(*t);
  return true;
}

int failedRun(const ir::Diagnostic& error, Console& console) {
  console.report(error);
  const std::string& code = error.code;
  if (code == "cancelled") return kCancelled;
  if (code == "bad-inputs" || code == "bad-request" || code == "bad-resume" || code == "unknown-pass" ||
      code == "unknown-option" || code == "bad-option" || code == "bad-pipeline")
    return kUsage;
  return code == "cannot-read" || code == "bad-safetensors" || code == "bad-values" ? kCannotRead
                                                                                    : kRunFailed;
}

void reportAssumed(const std::vector<std::string>& assumed, const Opened& in, Console& console) {
  for (const std::string& what : assumed) {
    ir::Diagnostic d = ir::failure("assumed", what, in.document ? in.document->path() : std::string());
    d.severity = ir::Severity::Warning;
    if (in.graph) d.graph = in.graph->entry.id;
    console.report(d);
  }
}

std::string milliseconds(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4f", seconds * 1e3);
  return text;
}

std::string spreadText(const session::Quartiles& q) {
  return q.runs < 2 ? std::string() : milliseconds(q.low) + "-" + milliseconds(q.high);
}

std::string roofText(const runtime::MachineRoof& roof) {
  char text[160];
  std::snprintf(text, sizeof text, "%d thread%s, copies at %.1f GB/s, %.1f GFLOP/s in f32, %.1f in f64 (%s)",
                roof.threads, roof.threads == 1 ? "" : "s", roof.copyBytesPerSecond / 1e9,
                roof.flopsF32 / 1e9, roof.flopsF64 / 1e9, roof.vectors.c_str());
  return text;
}

void comparisonJson(Json& json, const runtime::Comparison& c) {
  json.field("verdict", runtime::verdictName(c.verdict));
  if (c.verdict > runtime::Verdict::Outside) return;
  json.field("count", c.count).field("outside", c.outside);
  json.field("max_abs", c.maxAbs).field("max_rel", c.maxRel);
  json.field("median_ulp", c.medianUlp).field("max_ulp", c.maxUlp);
  json.field("cosine", c.cosine).field("snr_db", c.snr);
  json.key("first_outside");
  if (c.firstOutside < 0)
    json.null();
  else
    json.value(c.firstOutside);
}

void quartilesJson(Json& json, std::string_view key, const session::Quartiles& q) {
  json.key(key).object().field("median", q.median).field("low", q.low).field("high", q.high);
  json.field("runs", static_cast<uint64_t>(q.runs)).end();
}

void roofJson(Json& json, const runtime::MachineRoof& roof) {
  json.key("roof").object().field("threads", roof.threads).field("vectors", roof.vectors);
  json.field("copy_bytes_per_second", roof.copyBytesPerSecond);
  json.field("flops_f32", roof.flopsF32).field("flops_f64", roof.flopsF64).end();
}

}  // namespace descry::cli

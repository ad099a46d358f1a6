#include <algorithm>

#include "cli/commands/commands.h"
#include "cli/support/console.h"
#include "cli/support/json.h"
#include "ir/ops/registry.h"

namespace descry::cli {

namespace {

struct TraitName {
  uint32_t bit;
  const char* name;
};
constexpr TraitName kTraits[] = {{ir::kOpPure, "pure"},
                                 {ir::kOpView, "view"},
                                 {ir::kOpMutates, "mutates"},
                                 {ir::kOpRandom, "random"},
                                 {ir::kOpPointwise, "pointwise"},
                                 {ir::kOpReduction, "reduction"},
                                 {ir::kOpCommunicates, "communicates"},
                                 {ir::kOpCore, "core"},
                                 {ir::kOpSideEffect, "side-effect"},
                                 {ir::kOpMatmul, "matmul"},
                                 {ir::kOpInplaceView, "inplace-view"},
                                 {ir::kOpDynamicShape, "dynamic-shape"},
                                 {ir::kOpDataDependent, "data-dependent"},
                                 {ir::kOpViewCopy, "view-copy"},
                                 {ir::kOpComposite, "composite"}};

std::string shortName(const ir::OpDef& op) {
  return std::string(op.ns()) + "." + std::string(op.name()) + "." + std::string(op.overload());
}

int run(const Arguments& args, Console& console) {
  std::vector<const ir::OpDef*> ops;
  std::string wanted = args.words().empty() ? "" : args.words()[0];
  if (const size_t colons = wanted.find("::"); colons != std::string::npos) wanted.replace(colons, 2, ".");
  for (const ir::OpDef& op : ir::allOps().all()) {
    if (wanted.empty() || shortName(op).find(wanted) != std::string::npos || op.target() == wanted)
      ops.push_back(&op);
  }
  std::sort(ops.begin(), ops.end(),
            [](const ir::OpDef* a, const ir::OpDef* b) { return shortName(*a) < shortName(*b); });
  std::vector<const ir::PythonFunction*> functions;
  for (const ir::PythonFunction& f : ir::allOps().pythonFunctions())
    if (wanted.empty() || f.spelling.find(wanted) != std::string_view::npos) functions.push_back(&f);
  std::sort(functions.begin(), functions.end(),
            [](const auto* a, const auto* b) { return a->spelling < b->spelling; });
  if (args.has("--json")) {
    Json json;
    json.object().field("schema", "descry.ops/1").key("ops").array();
    for (const ir::OpDef* op : ops) {
      json.object().field("target", op->target()).field("schema", op->schema().str()).key("traits").array();
      for (const TraitName& t : kTraits)
        if (op->has(t.bit)) json.value(t.name);
      json.end().key("spellings").array();
      for (std::string_view s : op->spellings()) json.value(s);
      // What later versions fill in; null says that it is not there, not that it is unknown.
      json.end().key("shape").null().key("gradient").null().key("kernel").null().end();
    }
    json.end().key("functions").array();
    for (const ir::PythonFunction* f : functions)
      json.object()
          .field("target", f->spelling)
          .field("signature", f->signature)
          .field("side_effect", f->sideEffect)
          .end();
    json.end().end();
    console.printExact(json.take());
    return kFine;
  }
  std::string out;
  for (const ir::OpDef* op : ops) {
    out += op->schema().str() + "\n    ";
    std::string traits;
    for (const TraitName& t : kTraits)
      if (op->has(t.bit)) traits += (traits.empty() ? "" : ", ") + std::string(t.name);
    out += traits.empty() ? "no traits" : traits;
    std::string spellings;
    for (std::string_view s : op->spellings()) spellings += " " + std::string(s);
    if (!spellings.empty()) out += "; written as" + spellings;
    out += "; shape, gradient, kernel: none in this version\n";
  }
  for (const ir::PythonFunction* f : functions)
    out += std::string(f->spelling) + std::string(f->signature) + "\n    Python function, no op of its own" +
           (f->sideEffect ? "; side effect" : "") + "\n";
  if (ops.empty() && functions.empty()) {
    console.say("no op with '" + wanted + "' in its name");
    return kDiffers;
  }
  console.print(out);
  return kFine;
}

}  // namespace

CommandDef opsCommand() {
  return {"ops",
          "the op table: schema, effects, spellings",
          "[NAME]",
          "Every op that Descry knows, by PyTorch's schema, with what follows from it: purity, views, "
          "writes; then the Python functions that graphs call and that are no ops themselves, by their "
          "signature. NAME keeps the ones that have it in their name. Shape functions, gradients and kernels "
          "belong to later versions "
          "and are blank. "
          "Ops that are not in the table are kept, shown and exported all the same.",
          {{"--json", 0, "", "machine-readable (descry.ops/1)"}},
          {{"descry ops add.Tensor", "what is known about an op"},
           {"descry ops --json | jq '.ops | length'", "how many there are"}},
          0,
          1,
          run};
}

}  // namespace descry::cli

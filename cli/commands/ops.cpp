#include <algorithm>
#include <cctype>

#include "cli/commands/commands.h"
#include "cli/support/console.h"
#include "cli/support/json.h"
#include "ir/ops/eval/element.h"
#include "ir/ops/registry.h"
#include "ir/ops/rules/op_rules.h"
#include "ir/ops/variants.h"
#include "session/aot_run.h"
#include "session/op_kernels.h"

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
                                 {ir::kOpComposite, "composite"},
                                 {ir::kOpOrdered, "ordered"}};

std::string shortName(const ir::OpDef& op) {
  return std::string(op.ns()) + "." + std::string(op.name()) + "." + std::string(op.overload());
}

std::vector<std::string_view> linesOf(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    out.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string indented(std::string_view text, size_t by) {
  std::string out;
  for (const std::string_view line : linesOf(text))
    out +=
        (out.empty() ? "" : "\n") + (line.empty() ? std::string() : std::string(by, ' ')) + std::string(line);
  return out;
}

/// Without the indentation that all lines share. A first line behind a key has none: the others go on below.
std::string dedented(std::string_view text) {
  const auto blanks = [](std::string_view line) {
    return std::min(line.find_first_not_of(' '), line.size());
  };
  const std::vector<std::string_view> lines = linesOf(text);
  const size_t from = !lines.empty() && blanks(lines[0]) == 0 ? 1 : 0;
  size_t shared = text.size();
  for (size_t i = from; i < lines.size(); ++i)
    if (blanks(lines[i]) < lines[i].size()) shared = std::min(shared, blanks(lines[i]));
  std::string out;
  for (size_t i = 0; i < lines.size(); ++i)
    out += (i == 0 ? "" : "\n") + std::string(i < from || !from ? 0 : 4, ' ') +
           std::string(lines[i].substr(i < from ? 0 : std::min(shared, lines[i].size())));
  return out;
}

/// How a fact of the table is known: its text, that it follows from the parts that a composite op calls, or
/// that it is that of the op without writes. Empty when there is none.
std::string factOf(const ir::OpDef& op, std::string_view key) {
  std::string out;
  for (const ir::TableProperty& p : op.properties()) {
    if (p.key != key) continue;
    if (!out.empty()) out += "\n";
    const bool several = p.text.find('\n') != std::string_view::npos;
    if (!p.name.empty()) out += std::string(p.name) + (several ? ":" : ": ");
    const std::string text = several ? dedented(p.text) : std::string(p.text);
    out += several && !p.name.empty() ? "\n" + indented(text, 4) : text;
  }
  return out;
}
bool returnsNothing(const ir::OpDef& op) {
  return op.schema().returns.empty() && !op.schema().varReturns;
}

/// How the tracer of `descry aot` runs it, when it is a higher-order op.
passes::HigherOrderFacts tracedAs(const ir::OpDef& op) {
  return op.has(ir::kOpComposite) ? passes::higherOrderFacts(op.name()) : passes::HigherOrderFacts{};
}

std::string shapeOf(const ir::OpDef& op) {
  if (std::string own = factOf(op, "shape"); !own.empty()) return own;
  if (op.hasProperty("composite")) return "of its parts";
  if (const auto traced = tracedAs(op); !traced.shape.empty()) return std::string(traced.shape);
  if (returnsNothing(op)) return "returns nothing";
  if (const ir::OpDef* view = ir::viewOfCopy(op); view && !shapeOf(*view).empty())
    return "as " + view->target() + ", in memory of its own";
  if (op.has(ir::kOpMutates)) {
    // What is written keeps its shape; other results are those of the op without writes.
    const bool onlyWritten = std::all_of(op.schema().returns.begin(), op.schema().returns.end(),
                                         [](const ir::SchemaArgument& r) { return r.type.writes(); });
    if (const ir::OpDef* pure = ir::functionalVariant(op); pure && !shapeOf(*pure).empty())
      return "as " + pure->target();
    if (onlyWritten) return "of the written arguments";
  }
  return {};
}

/// Only floating-point and complex tensors have gradients.
bool returnsTensors(const ir::OpDef& op) {
  return std::any_of(op.schema().returns.begin(), op.schema().returns.end(),
                     [](const ir::SchemaArgument& r) { return r.type.base == "Tensor"; });
}

std::string gradientOf(const ir::OpDef& op) {
  if (op.rules().notDifferentiable) return "not differentiable";
  if (std::string own = factOf(op, "grad"); !own.empty()) return own;
  if (op.hasProperty("composite")) return "of its parts";
  if (const auto traced = tracedAs(op); !traced.gradient.empty()) return std::string(traced.gradient);
  if (!returnsTensors(op) && !op.schema().varReturns) return "returns no tensor";
  if (const ir::OpDef* view = ir::viewOfCopy(op); view && !gradientOf(*view).empty())
    return "as " + view->target();
  if (op.has(ir::kOpMutates))
    if (const ir::OpDef* pure = ir::functionalVariant(op); pure && !gradientOf(*pure).empty())
      return "as " + pure->target();
  return {};
}

std::string scalarOf(const ir::OpDef& op) {
  const ir::OpDef* told = ir::eval::elementRule(op);
  return !told ? std::string() : told == &op ? factOf(op, "scalar") : "as " + told->target();
}

std::string lowered(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

/// By a part of its name, or by how programs call it: `torch.addmm`, `.addmm`, `operator.add`, `__add__`.
bool isMeant(const ir::OpDef& op, const std::string& wanted) {
  if (wanted.empty() || op.target() == wanted ||
      lowered(shortName(op)).find(lowered(wanted)) != std::string::npos)
    return true;
  return std::any_of(op.spellings().begin(), op.spellings().end(), [&](std::string_view s) {
    return s == wanted || (s.starts_with('.') && s.substr(1) == wanted);
  });
}

int run(const Arguments& args, Console& console) {
  std::vector<const ir::OpDef*> ops;
  std::string wanted = args.words().empty() ? "" : args.words()[0];
  if (const size_t colons = wanted.find("::"); colons != std::string::npos) wanted.replace(colons, 2, ".");
  for (const ir::OpDef& op : ir::allOps().all()) {
    if (isMeant(op, wanted)) ops.push_back(&op);
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
      json.end().textOrNull("shape", shapeOf(*op)).textOrNull("gradient", gradientOf(*op));
      json.textOrNull("autocast", factOf(*op, "autocast"));
      json.key("decompositions").array();
      for (const char* set : {"composite", "core", "inductor"})
        if (op->hasProperty(set)) json.value(set);
      json.end().textOrNull("scalar", scalarOf(*op)).textOrNull("kernel", session::kernelOf(*op)).end();
    }
    json.end().key("functions").array();
    for (const ir::PythonFunction* f : functions)
      json.object()
          .field("target", f->spelling)
          .field("signature", f->signature)
          .field("side_effect", f->sideEffect)
          .field("rule", !f->body.empty())
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
    out += "\n";
    for (const auto& [label, fact] : {std::pair<const char*, std::string>{"shape", shapeOf(*op)},
                                      {"gradient", gradientOf(*op)},
                                      {"autocast", factOf(*op, "autocast")},
                                      {"composite", factOf(*op, "composite")},
                                      {"core", factOf(*op, "core")},
                                      {"inductor", factOf(*op, "inductor")},
                                      {"scalar", scalarOf(*op)},
                                      {"kernel", session::kernelOf(*op)}}) {
      const std::string_view always[] = {"shape", "gradient", "kernel"};
      if (fact.empty() && std::find(std::begin(always), std::end(always), label) == std::end(always))
        continue;
      // Facts of several lines stand below their label.
      const std::string lines = fact.empty()                           ? " none"
                                : fact.find('\n') == std::string::npos ? " " + fact
                                                                       : "\n" + indented(fact, 8);
      out += std::string("    ") + label + ":" + lines + "\n";
    }
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
          "the op table: schema, effects, shape, gradient, autocast, decompositions",
          "[NAME]",
          "Every op that Descry knows, by PyTorch's schema, with what follows from it: purity, views, "
          "writes; then the Python functions that graphs call and that are no ops themselves, by their "
          "signature. With each: how the shape of its result follows, its gradient, what torch.autocast does "
          "with its arguments, and what it is taken apart into under which set of decompositions. NAME keeps "
          "the ones that have it in their name. Kernels belong "
          "to a later "
          "version and are blank. "
          "Ops that are not in the table are kept, shown and exported all the same.",
          {{"--json", 0, "", "machine-readable (descry.ops/1)"}},
          {{"descry ops add.Tensor", "what is known about an op"},
           {"descry ops --json | jq '.ops | length'", "how many there are"}},
          0,
          1,
          run};
}

}  // namespace descry::cli

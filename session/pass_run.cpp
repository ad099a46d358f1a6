#include "session/pass_run.h"

#include <algorithm>
#include <set>

#include "passes/aot/stage_passes.h"
#include "passes/partition/partition_pass.h"
#include "passes/pipelines/pipelines.h"
#include "session/aot_run.h"
#include "session/op_declarations.h"

namespace descry::session {

namespace {

/// What a graph of a file is to the passes.
std::pair<passes::Stage, std::string> stageOf(const LoadedGraph& g) {
  const std::string& id = g.entry.id;
  const auto is = [&](std::string_view kind) {
    const size_t colon = id.rfind(':');
    const std::string_view last = std::string_view(id).substr(colon == std::string::npos ? 0 : colon + 1);
    return last.substr(0, last.find('#')) == kind || g.entry.kind == kind;
  };
  if (is("joint") || is("aot_joint_graph")) return {passes::Stage::Traced, "joint"};
  if (is("inference") || is("aot_inference_graph")) return {passes::Stage::Traced, "inference"};
  if (is("forward") || is("aot_forward_graph")) return {passes::Stage::Partitioned, "forward"};
  if (is("backward") || is("aot_backward_graph")) return {passes::Stage::Partitioned, "backward"};
  for (const ir::NodeId p : g.graph->placeholders())
    if (const ir::DescId d = g.graph->node(p).desc;
        d && g.graph->str(g.graph->context().descriptor(d).text).starts_with("TangentAOTInput"))
      return {passes::Stage::Traced, "joint"};
  return {passes::Stage::Captured, "captured"};
}

/// The module with `graph` as its root: passes work on roots.
std::shared_ptr<const ir::Module> rootedAt(const LoadedGraph& g) {
  if (g.subgraph == 0) return g.module;
  auto module = std::make_shared<ir::Module>(*g.module);
  std::swap(module->graphs.front(), module->graphs[g.subgraph]);
  return module;
}

std::string_view fateName(passes::ValueFate fate) {
  constexpr std::string_view kNames[] = {"forward only", "saved",      "recomputed",
                                         "pruned",       "size saved", "bound for size"};
  return kNames[static_cast<size_t>(fate)];
}

}  // namespace

const std::vector<const passes::PassDef*>& passList() {
  return passes::allPasses();
}
const std::vector<passes::PipelineDef>& pipelineList() {
  return passes::allPipelines();
}

ir::Result<std::vector<passes::PipelineStep>> readPipeline(std::string_view text) {
  return passes::parsePipeline(text);
}

ir::Result<std::vector<PipelineOption>> pipelineOptions(std::string_view text) {
  const ir::Result<std::vector<passes::PipelineStep>> steps = passes::parsePipeline(text);
  if (!steps) return steps.error();
  std::vector<PipelineOption> out;
  std::set<std::string_view> seen;
  for (const passes::PipelineStep& step : *steps) {
    if (!seen.insert(step.pass->name).second) continue;
    for (const passes::PassOption& o : step.pass->options) {
      PipelineOption row{step.pass->name, o.name,    o.values, std::string(passes::optionValue(step, o)),
                         o.byDefault,     o.summary, {}};
      passes::PassOptionValues with = step.options;
      with[o.name] = row.value;
      // What the others rule out is said; that a value is missing is not.
      if (const ir::Status s = step.pass->fits ? step.pass->fits(with) : ir::Status(); !s)
        row.useless = s.error().message;
      out.push_back(std::move(row));
    }
  }
  return out;
}

ir::Result<std::string> withOption(std::string_view text, std::string_view option, std::string_view value) {
  return passes::withOption(text, passes::allPasses(), passes::allPipelines(), option, value);
}

std::string pipelineText(const std::vector<passes::PipelineStep>& steps) {
  std::string out;
  for (const passes::PipelineStep& s : steps) {
    std::string options;
    for (const auto& [name, value] : s.options) options += (options.empty() ? "" : ", ") + name + "=" + value;
    out +=
        (out.empty() ? "" : ",") + std::string(s.pass->name) + (options.empty() ? "" : "(" + options + ")");
  }
  return out;
}

PassRun::PassRun(LoadedGraphPtr start, passes::Recording recording)
    : start_(std::move(start)), recording_(std::move(recording)) {
  made_.resize(positions());
  for (size_t p = 0; p < positions(); ++p) made_[p].resize(graphCount(p));
  made_[0][0] = start_;
  cutAt_ = positionOf("partition");
  if (cutAt_ == 0) return;
  if (const auto* made =
          dynamic_cast<const passes::PartitionOutcome*>(recording_.passes[cutAt_ - 1].outcome.result.get()))
    cut_ = cutReport(*made->partition, recording_.at(cutAt_ - 1)[0].module->root());
  // The graph that a partition was run on is the file's own where nothing came before.
  if (cut_ && recording_.at(cutAt_ - 1)[0].module == recording_.start.graphs[0].module)
    if (auto cut = cutOf(0, graphName(0, 0), *start_->graph)) {
      auto with = std::make_shared<LoadedGraph>(*start_);
      with->cut = std::move(cut);
      made_[0][0] = std::move(with);
    }
}

std::shared_ptr<const std::vector<ir::NodeCut>> PassRun::cutOf(size_t position, const std::string& name,
                                                               const ir::Graph& graph) const {
  if (!cut_) return nullptr;
  const bool whole =
      position < cutAt_ && recording_.at(position)[0].module == recording_.at(cutAt_ - 1)[0].module;
  const bool forward = position >= cutAt_ && name == "forward";
  const bool backward = position >= cutAt_ && name == "backward";
  if (!whole && !forward && !backward) return nullptr;
  auto out = std::make_shared<std::vector<ir::NodeCut>>(graph.idBound());
  for (const DecisionRow& row : cut_->rows) {
    const ir::NodeId node = graph.find(row.node);
    if (!node) continue;
    const ir::CutFate fate = row.savedIndex >= 0        ? ir::CutFate::Saved
                             : row.fate == "recomputed" ? ir::CutFate::Recomputed
                                                        : ir::CutFate::ForwardOnly;
    // In the backward graph stand values that were handed over and values that are computed again.
    if (backward && fate == ir::CutFate::ForwardOnly) continue;
    // A size that is handed over takes no memory that would count.
    const bool size = graph.type(node).kind == ir::TypeKind::Sym;
    (*out)[node.index] = {fate, size ? 0 : row.bytes, row.reason};
  }
  return out;
}

LoadedGraphPtr PassRun::graph(size_t position, size_t which) const {
  const std::shared_ptr<const ir::Module>& module = recording_.at(position)[which].module;
  // Passes that changed nothing share the graph, and so its views.
  while (position > 0 && which < graphCount(position - 1) &&
         recording_.at(position - 1)[which].module == module)
    --position;
  const std::lock_guard lock(mutex_);
  LoadedGraphPtr& out = made_[position][which];
  if (out) return out;
  const std::string& name = graphName(position, which);
  importers::GraphEntry entry = start_->entry;
  entry.kind = name;
  entry.id = start_->entry.id + "@" + std::to_string(position) + ":" + name;
  entry.title = recording_.passes[position - 1].text;
  entry.begin = {};
  entry.bytes = 0;
  LoadedGraphPtr made = makeLoadedGraph(module, std::move(entry), start_->documentPath);
  if (auto cut = cutOf(position, name, *made->graph)) {
    auto with = std::make_shared<LoadedGraph>(*made);
    with->cut = std::move(cut);
    made = std::move(with);
  }
  return out = std::move(made);
}

ir::NodeId PassRun::origin(size_t position, size_t which, ir::NodeId node) const {
  const passes::StateGraph& state = recording_.at(position)[which];
  if (state.origins.empty())
    return recording_.start.graphs[0].module->root().contains(node) ? node : ir::NodeId{};
  return node.index < state.origins.size() ? state.origins[node.index] : ir::NodeId{};
}

size_t PassRun::positionOf(std::string_view pass) const {
  for (size_t i = recording_.passes.size(); i > 0; --i)
    if (recording_.passes[i - 1].pass->name == pass) return i;
  return 0;
}

std::string graphForPasses(const Document& document, std::string_view pipeline) {
  const ir::Result<std::vector<passes::PipelineStep>> steps = passes::parsePipeline(pipeline);
  if (!steps) return {};
  const auto first = std::find_if(steps->begin(), steps->end(), [](const passes::PipelineStep& s) {
    return s.pass->needs != passes::Stage::Any;
  });
  if (first == steps->end()) return {};
  const auto taken = [&](const ir::Result<LoadedGraphPtr>& g) {
    if (!g) return false;
    const passes::Stage stage = stageOf(**g).first;
    return stage >= first->pass->needs && stage <= first->pass->until;
  };
  const ir::Result<LoadedGraphPtr> byDefault = document.graph("");
  if (taken(byDefault)) return (*byDefault)->entry.id;
  const std::vector<importers::GraphEntry>& all = document.input().graphs();
  for (const bool captured : {true, false})
    for (size_t i = 0; i < all.size(); ++i)
      if ((all[i].kind == "dynamo_output_graph") == captured && taken(document.graphAt(i))) return all[i].id;
  return {};
}

ir::Result<PassRunPtr> runPasses(const Document& document, const LoadedGraphPtr& graph,
                                 std::string_view pipeline, const PassRunOptions& options) {
  ir::Result<std::vector<passes::PipelineStep>> steps = passes::parsePipeline(pipeline);
  if (!steps) return steps.error();
  passes::ProgramState state;
  const auto [stage, name] = stageOf(*graph);
  state.stage = stage;
  const std::shared_ptr<const ir::Module> module = rootedAt(*graph);
  state.graphs.push_back({name, module, {}});
  if (stage == passes::Stage::Captured) {
    auto data = std::make_shared<passes::AotData>();
    data->captured = module;
    data->facts = capturedFacts(document, *graph);
    data->ops = options.ops;
    data->cancelled = options.cancelled;
    state.data = std::move(data);
  }
  passes::Recording recording =
      passes::runPipeline(std::move(state), *steps,
                          {options.verifyEach, options.cancelled, options.ops.get(), &passes::allPasses()});
  if (recording.failure) {
    for (ir::DiagnosticNote& n : recording.failure->notes)
      if (!recording.failure->file.empty()) n.file = document.path();
    if (recording.failure->file.empty()) recording.failure->file = document.path();
    recording.failure->graph = graph->entry.id;
    if (recording.failure->code == "pass-order" && recording.passes.empty())
      if (const std::string other = graphForPasses(document, pipeline);
          !other.empty() && other != graph->entry.id)
        recording.failure->message += "; the graph `" + other + "` of this file is one that it takes";
  }
  return PassRunPtr(std::make_shared<PassRun>(graph, std::move(recording)));
}

std::string aotGraphKind(const LoadedGraph& graph) {
  const auto [stage, name] = stageOf(graph);
  return stage == passes::Stage::Captured ? std::string() : name;
}

LoadedGraphPtr recordedGraph(const Document& document, const LoadedGraph& captured, std::string_view kind) {
  const std::vector<importers::GraphEntry>& all = document.input().graphs();
  for (size_t i = 0; i < all.size(); ++i) {
    const importers::GraphEntry& e = all[i];
    if (e.compileId != captured.entry.compileId || e.attempt != captured.entry.attempt ||
        e.instance != captured.entry.instance || e.rank != captured.entry.rank)
      continue;
    const std::string_view last = std::string_view(e.id).substr(e.id.rfind(':') + 1);
    if (last.substr(0, last.find('#')) != kind) continue;
    const ir::Result<LoadedGraphPtr> g = document.graphAt(i);
    return g ? *g : nullptr;
  }
  return nullptr;
}

namespace {

/// Which parts of a type and of the signature a print has: old logs and short ones leave some out.
struct Written {
  bool descriptors = false, strides = false, devices = false, types = false;
};

Written writtenIn(const ir::Module& module) {
  Written w;
  for (const ir::Graph& g : module.graphs) {
    w.descriptors = w.descriptors || !g.outputDescs.empty();
    for (const ir::NodeId id : g.nodes()) {
      w.descriptors = w.descriptors || g.node(id).desc.index != 0;
      const ir::Type& t = g.type(id);
      if (t.kind != ir::TypeKind::Tensor) continue;
      w.types = true;
      w.strides = w.strides || t.tensor.strides.has_value();
      w.devices = w.devices || !t.tensor.device.empty();
    }
  }
  return w;
}

}  // namespace

GraphDiff compareWithRecorded(const LoadedGraphPtr& recorded, const LoadedGraphPtr& ours) {
  const Written there = writtenIn(*recorded->module), here = writtenIn(*ours->module);
  const bool lessTyped =
      there.types && ((here.strides && !there.strides) || (here.devices && !there.devices));
  if (!lessTyped && (there.descriptors || !here.descriptors)) return diffGraphs(recorded, ours);
  auto module = std::make_shared<ir::Module>(*ours->module);
  for (ir::Graph& g : module->graphs) {
    if (!there.descriptors) g.outputDescs.clear();
    for (const ir::NodeId id : g.nodes()) {
      if (!there.descriptors) g.setDesc(id, {});
      if (!lessTyped || g.type(id).kind != ir::TypeKind::Tensor) continue;
      ir::TensorType t = g.type(id).tensor;
      if (!there.strides) t.strides.reset();
      if (!there.devices) t.device.clear();
      g.setType(id, g.context().type(t.text()));
    }
  }
  return diffGraphs(recorded, makeLoadedGraph(module, ours->entry, ours->documentPath));
}

std::string cutHeadline(const CutReport& cut) {
  std::string out = cut.method + ": " + std::to_string(cut.saved) +
                    (cut.saved == 1 ? " value saved, " : " values saved, ") + std::to_string(cut.savedBytes) +
                    " bytes";
  if (cut.plainBytes) {
    const int64_t by = cut.savedBytes - *cut.plainBytes;
    out += by == 0 ? ": as many as the plain cut"
                   : ": " + std::to_string(by < 0 ? -by : by) + (by < 0 ? " fewer" : " more") +
                         " than the plain cut (" + std::to_string(*cut.plainBytes) + ")";
  }
  out += "; " + std::to_string(cut.recomputed) + " recomputed";
  if (cut.method == "min-cut") out += "; the cut costs " + std::to_string(cut.cutValue);
  return out;
}

std::vector<std::string> assumptions(const passes::Recording& recording) {
  std::vector<std::string> out;
  for (const passes::PassRecord& p : recording.passes)
    for (const auto& [about, what] : p.outcome.findings)
      if (about == "assumed" && std::find(out.begin(), out.end(), what) == out.end()) out.push_back(what);
  return out;
}

CutReport cutReport(const passes::Partition& partition, const ir::Graph& joint) {
  CutReport out;
  out.method = partition.method == passes::PartitionOptions::Method::MinCut ? "min-cut" : "default";
  out.cutValue = partition.cutValue;
  out.savedBytes = partition.savedBytes;
  const ir::Graph& cut = partition.stitched ? partition.stitched->root() : joint;
  for (const passes::ValueDecision& d : partition.decisions) {
    out.rows.push_back({std::string(cut.nodeName(d.node)), std::string(fateName(d.fate)),
                        passes::decisionReason(d), std::string(cut.type(d.node).text), d.bytes, d.weight,
                        d.savedIndex});
    out.saved += d.savedIndex >= 0;
    out.recomputed += d.fate == passes::ValueFate::Recomputed;
  }
  return out;
}

std::string otherCutOfRecorded(const Document& document, const PassRun& run,
                               std::function<bool()> cancelled) {
  if (!run.cut()) return {};
  std::string pipeline;
  for (const passes::PassRecord& p : run.recording().passes)
    pipeline += (pipeline.empty() ? "" : ",") + p.text;
  const std::string other = run.cut()->method == "default" ? "min-cut" : "default";
  const ir::Result<std::string> with = withOption(pipeline, "method", other);
  if (!with) return {};
  PassRunOptions options;
  options.cancelled = std::move(cancelled);
  const auto ops = readOpDeclarations({}, standingDeclarations(document.path()));
  if (!ops) return {};
  options.ops = *ops;
  const ir::Result<PassRunPtr> again = runPasses(document, run.start(), *with, options);
  if (!again || (*again)->recording().failure) return {};
  const size_t at = (*again)->positionOf("partition");
  bool any = false;
  for (size_t g = 0; g < (*again)->graphCount(at); ++g) {
    const LoadedGraphPtr recorded = recordedGraph(document, *run.start(), (*again)->graphName(at, g));
    if (!recorded) continue;
    any = true;
    if (!compareWithRecorded(recorded, (*again)->graph(at, g)).identical()) return {};
  }
  return any ? other : std::string();
}

std::optional<CutReport> cutReport(const PassRun& run) {
  return run.cut();
}

ir::Result<LoadedGraphPtr> graphAfter(const Document& document, const LoadedGraphPtr& graph,
                                      std::string_view pipeline, std::string_view name,
                                      std::function<bool()> cancelled) {
  PassRunOptions options;
  options.cancelled = std::move(cancelled);
  ir::Result<std::shared_ptr<const ir::OpRegistry>> ops =
      readOpDeclarations({}, standingDeclarations(document.path()));
  if (!ops) return ops.error();
  options.ops = *ops;
  const ir::Result<PassRunPtr> result = runPasses(document, graph, pipeline, options);
  if (!result) return result.error();
  const PassRun& run = **result;
  if (run.recording().failure) return *run.recording().failure;
  std::set<std::string> names;
  for (size_t at = run.positions(); at-- > 0;)
    for (size_t g = 0; g < run.graphCount(at); ++g) {
      if (name.empty() || run.graphName(at, g) == name) return run.graph(at, g);
      names.insert(run.graphName(at, g));
    }
  std::string known;
  for (const std::string& n : names) known += (known.empty() ? "" : ", ") + n;
  return ir::failure("state-unknown",
                     "these passes leave no graph `" + std::string(name) + "`; there are " + known);
}

}  // namespace descry::session

#include "session/aot_run.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "ir/verify/verify.h"
#include "passes/aot/invariants.h"
#include "passes/aot/partition_input.h"
#include "passes/aot/program.h"
#include "passes/aot/tensorify.h"
#include "passes/core/manager.h"
#include "passes/partition/verify_partition.h"
#include "session/recorded_meta.h"
#include "session/symbol_facts.h"

namespace descry::session {

namespace {
/// Which sources are modules: those that a parameter, buffer or submodule was reached through.
std::vector<std::string_view> modulesOf(const std::vector<importers::InputFact>& facts) {
  std::vector<std::string_view> out;
  for (const importers::InputFact& f : facts)
    for (std::string_view part : {"._parameters[", "._buffers[", "._modules["})
      for (size_t at = f.source.find(part); at != std::string::npos; at = f.source.find(part, at + 1))
        out.push_back(std::string_view(f.source).substr(0, at));
  return out;
}

/// A parameter, buffer or other tensor of a module: Dynamo takes its address to be static.
bool ofModule(std::string_view source, const std::vector<std::string_view>& modules) {
  return std::any_of(modules.begin(), modules.end(), [&](std::string_view m) {
    return source.starts_with(m) && source.size() > m.size() && source[m.size()] == '.';
  });
}

/// The regions of autocast that the guard on global state lists:
/// `"autocast_state":{"dtype":[15,5,...],"enabled":[...]}`, by kind of device, cpu and cuda first.
void readAutocast(std::string_view guard, passes::Autocast& out) {
  const auto list = [&](std::string_view key) {
    std::vector<std::string> items;
    const size_t state = guard.find("\"autocast_state\"");
    const size_t at = state == std::string_view::npos ? state : guard.find(key, state);
    if (at == std::string_view::npos) return items;
    const size_t begin = at + key.size(), end = std::min(guard.find(']', begin), guard.size());
    std::string item;
    for (const char c : guard.substr(begin, end - begin))
      if (c == ',')
        items.push_back(std::exchange(item, {}));
      else if (c != ' ')
        item += c;
    items.push_back(std::move(item));
    return items;
  };
  const std::vector<std::string> enabled = list("\"enabled\":["), dtypes = list("\"dtype\":[");
  for (size_t d = 0; d < 2 && d < enabled.size() && d < dtypes.size(); ++d) {
    passes::Autocast::Region& region = *out.of(ir::rules::kCastDevices[d]);
    region.enabled = enabled[d] == "true";
    // Numbers of c10::ScalarType.
    if (dtypes[d] == "5") region.dtype = ir::DType::F16;
    if (dtypes[d] == "15") region.dtype = ir::DType::BF16;
    if (dtypes[d] == "6") region.dtype = ir::DType::F32;
  }
}

/// An upper bound that a guard such as `s77 <= 25` sets.
void readBound(const std::string& guard, ir::SymExpr::Ranges& ranges) {
  const ir::Result<ir::SymExpr> e = ir::SymExpr::parse(guard);
  if (!e || e->kind() != ir::SymKind::Relation) return;
  const ir::SymExpr &a = e->args()[0], &b = e->args()[1];
  const auto bound = [&](const ir::SymExpr& symbol, const ir::SymExpr& limit, int64_t less) {
    if (symbol.kind() != ir::SymKind::Symbol || !limit.isInteger()) return;
    ir::SymRange& r =
        ranges.try_emplace(std::string(symbol.name()), ir::SymRange{2, INT64_MAX}).first->second;
    r.hi = std::min(r.hi, limit.integer() - less);
  };
  switch (e->relation()) {
    case ir::SymRel::Le:
      return bound(a, b, 0);
    case ir::SymRel::Lt:
      return bound(a, b, 1);
    case ir::SymRel::Ge:
      return bound(b, a, 0);
    case ir::SymRel::Gt:
      return bound(b, a, 1);
    default:
      return;
  }
}

/// What the metadata of the compile says, which PyTorch writes after it collected it.
std::optional<bool> keptInputMutations(const Document& document, const importers::GraphEntry& captured) {
  const importers::Input& input = document.input();
  for (size_t i = 0; i < input.records().size(); ++i) {
    const importers::RecordEntry& r = input.records()[i];
    if (r.name != kMetadataRecord || r.lost() || r.compileId != captured.compileId || r.rank != captured.rank)
      continue;
    const ir::Result<std::string> text = input.payload(i);
    const std::optional<RecordedMeta> meta = text ? readRecordedMeta(*text) : std::nullopt;
    if (meta) return meta->meta.keepInputMutations;
  }
  return std::nullopt;
}

}  // namespace

passes::CapturedFacts capturedFacts(const Document& document, const LoadedGraph& graph) {
  passes::CapturedFacts out;
  const std::string compile = graph.entry.compileId;
  for (const importers::FactTable& t : document.input().tables()) {
    if (t.name == "guards") {
      for (const std::vector<std::string>& row : t.rows) {
        if (row.size() < 5 || (!compile.empty() && row[0].find(compile) == std::string::npos)) continue;
        if (row[2] == "SYMBOLIC") readBound(row[4], out.ranges);
        // The guard on global state says in which mode the graph was captured.
        if (row[4].find("___check_global_state") != std::string::npos) {
          out.deterministic =
              out.deterministic || row[4].find("\"deterministic_algorithms\":true") != std::string::npos;
          out.gradMode = out.gradMode && row[4].find("\"grad_mode\":false") == std::string::npos;
          readAutocast(row[4], out.autocast);
        }
      }
      continue;
    }
    if (t.name != "symbols") continue;
    for (const std::vector<std::string>& row : t.rows) {
      // compile, symbol, kind, value, ...
      if (row.size() < 4 || row[2] != "backed" ||
          (!compile.empty() && row[0].find(compile) == std::string::npos))
        continue;
      char* end = nullptr;
      const long long v = std::strtoll(row[3].c_str(), &end, 10);
      if (end != row[3].c_str()) out.hints[row[1]] = v;
      // A tensor without a source that PyTorch faked at the cut.
      if (row.size() > 5 && row[3] == "5056" && row[5].starts_with("__meta_utils_unknown_tensor"))
        out.randomStateSize = row[1];
      // `[2, 64]`; `int_oo` where there is no end.
      if (row.size() > 4)
        if (const size_t comma = row[4].rfind(", "); comma != std::string::npos && row[4].ends_with(']'))
          readBound(row[1] + " <= " + row[4].substr(comma + 2, row[4].size() - comma - 3), out.ranges);
    }
  }
  bool assumed = false;
  const std::vector<std::string_view> modules = modulesOf(graph.inputFacts);
  std::unordered_map<std::string_view, const importers::InputFact*> factOf;
  for (const importers::InputFact& f : graph.inputFacts) factOf.insert_or_assign(f.name, &f);
  const auto read = [&](ir::NodeId id) {
    passes::CapturedInput in;
    in.name = std::string(graph.graph->nodeName(id));
    const auto found = factOf.find(in.name);
    if (const importers::InputFact* fact = found == factOf.end() ? nullptr : found->second) {
      if (fact->candidates > 1)
        out.assumed.push_back("the file does not say which of " + std::to_string(fact->candidates) +
                              " tensors " + in.name + " is: it is taken to be " + fact->source);
      in.requiresGrad = fact->requiresGrad.value_or(false);
      in.isLeaf = fact->isLeaf.value_or(false);
      in.storage = fact->storage;
      in.isParameter = fact->isParameter.value_or(false);
      in.isStatic = in.isParameter || ofModule(fact->source, modules);
      in.source = fact->source;
      in.storageBytes = fact->storageBytes;
      in.offset = fact->offset;
      // The printed type of an input that is replaced in the graph is that of its end.
      if (graph.graph->type(id).kind == ir::TypeKind::Tensor &&
          graph.graph->type(id).text.find('s') == std::string::npos)
        in.meta = passes::metaOfType(ir::parseType(fact->type), out.hints);
      in.isView = fact->isView.value_or(false);
      if (fact->base) {
        in.base = fact->viewOf;
        in.baseMeta = passes::metaOfType(ir::parseType(fact->base->type), out.hints);
        if (in.baseMeta) in.baseMeta->offset = fact->base->offset;
        in.baseRequiresGrad = fact->base->requiresGrad;
        in.baseIsLeaf = fact->base->isLeaf;
      }
    } else {
      const ir::Type& type = graph.graph->type(id);
      if (type.kind == ir::TypeKind::Tensor || type.kind == ir::TypeKind::Wrapped) {
        const ir::DTypeInfo& d = ir::dtypeInfo(type.tensor.dtype);
        in.requiresGrad = d.floating || d.complex;
        in.isLeaf = !in.requiresGrad;
        assumed = assumed || in.requiresGrad;
      }
    }
    return in;
  };
  for (const ir::NodeId id : graph.graph->placeholders()) out.inputs.push_back(read(id));
  for (const ir::NodeId id : graph.graph->nodes()) {
    if (graph.graph->node(id).op != ir::OpKind::GetAttr || graph.graph->type(id).kind != ir::TypeKind::Tensor)
      continue;
    passes::CapturedInput in = read(id);
    in.name = std::string(graph.graph->target(id));
    if (in.source.empty()) {  // nothing is written about it
      in.isParameter = in.requiresGrad;
      in.isLeaf = true;
    }
    out.attributes.push_back(std::move(in));
  }
  addSubclassFacts(document, graph, out);
  out.requiresGradAssumed = assumed;
  out.keptInputMutations = keptInputMutations(document, graph.entry);
  return out;
}

ir::Result<passes::AotResult> runAot(const Document& document, const LoadedGraph& graph,
                                     const passes::CapturedFacts& facts, const AotRequest& request) {
  passes::AotOptions options;
  options.decompositions = request.decompositions;
  options.ops = request.ops;
  options.unknownOps = request.unknownOps;
  options.functionalizeRng = request.functionalizeRng;
  options.cancelled = request.cancelled;
  // Where nothing is recorded: aot_eager keeps writes to inputs in the graph; its variant with Inductor's
  // decompositions returns them.
  options.keepInputMutations = request.keepInputMutations.value_or(
      facts.keptInputMutations.value_or(request.decompositions != passes::Decompositions::Inductor));
  ir::Result<passes::AotResult> result = passes::runAot(*graph.module, facts, options);
  if (!result) {
    ir::Diagnostic d = result.error();
    for (ir::DiagnosticNote& n : d.notes)
      if (!d.file.empty()) n.file = document.path();
    if (d.file.empty()) d.file = document.path();
    d.graph = graph.entry.id;
    return d;
  }
  result->unliftTokens = passes::unliftsTokens(request.unliftTokens, request.decompositions);
  if (result->unliftTokens && result->inference && !result->meta.tokens.empty()) {
    auto unlifted = std::make_shared<ir::Module>(*result->inference);
    passes::unliftTokens(*unlifted);
    result->inference = std::move(unlifted);
  }
  return result;
}

ir::Result<passes::Partition> cutJoint(const passes::AotResult& result, const passes::CapturedFacts& facts,
                                       const passes::PassOptionValues& values) {
  if (const ir::Status s = passes::checkOptions(passes::kPartition, values); !s) return s.error();
  passes::PartitionInput input = passes::partitionInputOf(result, facts);
  passes::PartitionOptions options;
  const std::shared_ptr<ir::Module> tensorified = passes::tensorifyNumbers(input, ir::allOps());
  if (const ir::Status s = passes::readPartitionOptions(values, input, options); !s) return s.error();
  ir::Result<passes::Partition> cut = passes::partitionJoint(input, options);
  if (cut && tensorified && !cut->stitched) cut->stitched = tensorified;
  if (cut && result.unliftTokens) {
    passes::unliftTokens(cut->forward);
    passes::unliftTokens(cut->backward);
  }
  return cut;
}

std::vector<ir::Diagnostic> verifyAot(const passes::AotResult& result, const passes::CapturedFacts& facts,
                                      const passes::Partition* cut) {
  ir::DiagnosticSink sink;
  const ir::OpRegistry& ops = result.ops ? *result.ops : ir::allOps();
  passes::verifyStage(result, passes::Stage::Traced, sink);
  for (const ir::Module* m : {static_cast<const ir::Module*>(result.joint.get()),
                              static_cast<const ir::Module*>(result.inference.get()),
                              cut ? &cut->forward : nullptr, cut ? &cut->backward : nullptr})
    if (m) ir::verifyModule(*m, &ops, sink);
  if (cut) passes::verifyPartition(passes::partitionInputOf(result, facts), *cut, sink);
  return sink.take();
}

}  // namespace descry::session

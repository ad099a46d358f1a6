#include "session/run_values.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "importers/fx_text/fx_text.h"
#include "ir/ops/registry.h"
#include "ir/text/printer.h"
#include "session/value_text.h"

namespace descry::session {

using ir::NodeId;
using Json = nlohmann::ordered_json;

namespace {

constexpr const char* kSchema = "descry.values/1";

std::string shortTarget(const ir::Graph& graph, NodeId node) {
  std::string_view target = graph.target(node);
  if (target.starts_with("torch.ops.")) target.remove_prefix(10);
  return std::string(target);
}

std::optional<int64_t> elementsOf(const ir::Graph& graph, NodeId node) {
  const ir::Type& t = graph.type(node);
  return t.kind == ir::TypeKind::Tensor || t.kind == ir::TypeKind::Wrapped ? t.tensor.numel() : std::nullopt;
}

/// Size `d` (from the back when negative) of an argument that is a node of known sizes; 0 else.
int64_t sizeOf(const ir::Graph& graph, NodeId node, uint32_t argument, int d) {
  if (argument >= graph.argCount(node)) return 0;
  const ir::ArgView v = graph.arg(node, argument);
  if (v.kind() != ir::ValueKind::NodeRef) return 0;
  const std::vector<ir::Dim>& shape = graph.type(v.node()).tensor.shape;
  const int n = static_cast<int>(shape.size()), at = d < 0 ? n + d : d;
  return at >= 0 && at < n && !shape[static_cast<size_t>(at)].symbolic()
             ? shape[static_cast<size_t>(at)].value
             : 0;
}

}  // namespace

int64_t summedLength(const ir::Graph& graph, NodeId node) {
  const std::string op = shortTarget(graph, node);
  std::string_view ns, name, overload;
  if (!ir::splitTarget(graph.target(node), ns, name, overload)) return 1;
  for (const std::string_view product :
       {"mm", "bmm", "matmul", "linear", "dot", "vdot", "mv", "_scaled_mm", "_int_mm"})
    if (name == product) return std::max<int64_t>(1, sizeOf(graph, node, 0, -1));
  for (const std::string_view product : {"addmm", "baddbmm", "addbmm", "addmv", "_addmm_activation"})
    if (name == product) return std::max<int64_t>(1, sizeOf(graph, node, 1, -1));
  if (name == "convolution" || (name.starts_with("conv") && !name.ends_with("backward"))) {
    int64_t taps = 1;
    for (int d = 1; d < 6; ++d)
      if (const int64_t s = sizeOf(graph, node, 1, d)) taps *= s;
    return taps;
  }
  if (name.find("scaled_dot_product") != std::string_view::npos)
    return std::max({int64_t{1}, sizeOf(graph, node, 1, -1), sizeOf(graph, node, 1, -2)});
  const ir::OpDef* known = ir::allOps().find(graph.target(node));
  bool sums = known && known->has(ir::kOpReduction);
  for (const std::string_view part :
       {"norm", "backward", "loss", "pool", "sum", "mean", "var", "cdist", "softmax"})
    sums = sums || name.find(part) != std::string_view::npos;
  if (!sums) return 1;
  int64_t most = 1, least = INT64_MAX;
  graph.forEachInput(node, [&](NodeId in) { most = std::max(most, elementsOf(graph, in).value_or(1)); });
  if (const auto own = elementsOf(graph, node))
    least = *own;
  else
    for (const NodeId user : graph.users(node))
      if (const auto part = elementsOf(graph, user); part && graph.target(user).ends_with("getitem"))
        least = std::min(least, *part);
  if (least == INT64_MAX || least <= 0) return 1;
  return std::max<int64_t>(1, most / least);
}

RunValues valuesOf(const Run& run) {
  RunValues out;
  out.title = run.graph->documentPath + "::" + run.graph->entry.id;
  out.graph = run.module.get() == run.graph->module.get() && run.origins.empty()
                  ? run.graph
                  : makeLoadedGraph(run.module, run.graph->entry, run.graph->documentPath);
  out.ended = run.ended && !run.failure;
  const ir::Graph& graph = *out.graph->graph;
  std::vector<int64_t> lengths(graph.idBound(), 1);
  const auto add = [&](const NodeRun& row, bool input) {
    int64_t& length = lengths[row.node.index];
    if (!input) {
      length = summedLength(graph, row.node);
      graph.forEachInput(row.node, [&](NodeId in) { length = std::max(length, lengths[in.index]); });
    }
    for (const NodeTensor& t : row.tensors) {
      KeptTensor k;
      k.name = std::string(graph.nodeName(row.node)) + t.piece;
      if (row.node.index < run.origins.size() && run.graph->graph->contains(run.origins[row.node.index]))
        k.origin = run.graph->graph->nodeName(run.origins[row.node.index]);
      if (!input) k.op = shortTarget(graph, row.node);
      k.node = row.node;
      k.type = t.type;
      k.length = length;
      k.input = input;
      k.tensor = t.tensor;
      k.statistics = t.statistics;
      k.hash = t.hash;
      out.values.push_back(std::move(k));
    }
  };
  for (const NodeRun& row : run.inputs) add(row, true);
  for (const NodeRun& row : run.nodes) add(row, false);
  int64_t longest = 1;
  for (const int64_t n : lengths) longest = std::max(longest, n);
  for (const RunValue& v : run.results) {
    if (!v.tensor) continue;
    KeptTensor k;
    k.name = v.name;
    k.type = valueType(*v.tensor);
    k.tensor = v.tensor;
    k.length = longest;
    out.results.push_back(std::move(k));
  }
  return out;
}

namespace {

Json describe(const KeptTensor& k) {
  Json j = {{"name", k.name}, {"type", k.type}};
  if (!k.origin.empty()) j["origin"] = k.origin;
  if (!k.op.empty()) j["op"] = k.op;
  if (k.input) j["input"] = true;
  if (k.length != 1) j["length"] = k.length;
  if (k.hash) j["hash"] = std::to_string(*k.hash);
  if (k.statistics) {
    Json& s = j["statistics"];
    statisticsJson(*k.statistics, [&](const char* key, const auto& value) { s[key] = value; });
    s["finite"] = k.statistics->finite;
    s["first_bad"] = k.statistics->firstBad;
  }
  return j;
}

KeptTensor described(const Json& j) {
  KeptTensor k;
  k.name = j.at("name").get<std::string>();
  k.type = j.at("type").get<std::string>();
  k.origin = j.value("origin", std::string());
  k.op = j.value("op", std::string());
  k.input = j.value("input", false);
  k.length = std::max<int64_t>(1, j.value("length", int64_t{1}));
  if (j.contains("hash")) k.hash = std::stoull(j.at("hash").get<std::string>());
  if (j.contains("statistics")) {
    const Json& s = j.at("statistics");
    runtime::ValueStatistics& v = k.statistics.emplace();
    v.count = s.at("count").get<int64_t>();
    v.finite = s.at("finite").get<int64_t>();
    v.firstBad = s.at("first_bad").get<int64_t>();
    for (const auto& [key, to] : {std::pair{"min", &v.min},
                                  {"max", &v.max},
                                  {"mean", &v.mean},
                                  {"std", &v.std},
                                  {"absmax", &v.absMax}})
      *to = s.value(key, 0.0);
    for (const auto& [key, to] : {std::pair{"zeros", &v.zeros},
                                  {"denormals", &v.denormals},
                                  {"nan", &v.nan},
                                  {"plus_inf", &v.plusInf},
                                  {"minus_inf", &v.minusInf}})
      *to = s.value(key, int64_t{0});
  }
  return k;
}

/// What other programs wrote: names alone say what is what.
RunValues ofPlainFile(const runtime::TensorFile& file) {
  RunValues out;
  for (const auto& [name, tensor] : file.tensors) {
    KeptTensor k;
    k.name = name;
    k.type = valueType(*tensor);
    k.tensor = tensor;
    bool result = false;
    for (const std::string_view prefix : {"out.", "grad.", "grad_storage.", "after."})
      result = result || std::string_view(name).starts_with(prefix);
    if (name.starts_with("node.")) k.name = name.substr(5);
    (result ? out.results : out.values).push_back(std::move(k));
  }
  return out;
}

}  // namespace

std::string valueFileBytes(const RunValues& values) {
  runtime::TensorFile file;
  Json j = {{"schema", kSchema}, {"title", values.title}, {"ended", values.ended}};
  j["graph"] = values.graph ? ir::printGraph(*values.graph->module, *values.graph->graph) : std::string();
  Json &nodes = j["values"] = Json::array(), &results = j["results"] = Json::array();
  for (const KeptTensor& k : values.values) {
    nodes.push_back(describe(k));
    if (k.tensor) file.tensors.emplace_back("node." + k.name, k.tensor);
  }
  for (const KeptTensor& k : values.results) {
    results.push_back(describe(k));
    if (k.tensor) file.tensors.emplace_back(k.name, k.tensor);
  }
  std::sort(file.tensors.begin(), file.tensors.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  file.metadata["descry.values"] = j.dump(-1, ' ', false, Json::error_handler_t::replace);
  return runtime::safetensorsBytes(file);
}

ir::Result<RunValues> readRunValues(const std::string& path) {
  ir::Result<runtime::TensorFile> file = readTensors(path);
  if (!file) return file.error();
  const auto told = file->metadata.find("descry.values");
  if (told == file->metadata.end()) {
    RunValues out = ofPlainFile(*file);
    out.title = path;
    return out;
  }
  const auto wrong = [&](const std::string& what) {
    return ir::failure("bad-values", "the metadata `descry.values` " + what, path);
  };
  RunValues out;
  try {
    const Json j = Json::parse(told->second);
    if (j.at("schema") != kSchema) return wrong("is of another version: " + j.at("schema").dump());
    out.title = path + " (" + j.at("title").get<std::string>() + ")";
    out.ended = j.at("ended").get<bool>();
    if (const std::string text = j.at("graph").get<std::string>(); !text.empty()) {
      ir::DiagnosticSink sink;
      importers::GraphEntry entry;
      entry.id = "graph";
      out.graph = makeLoadedGraph(importers::parseFxText(text, {}, sink), entry, path, sink.take());
    }
    for (const auto& [key, to] : {std::pair{"values", &out.values}, {"results", &out.results}})
      for (const Json& row : j.at(key)) {
        KeptTensor k = described(row);
        const bool result = to == &out.results;
        k.tensor = file->find(result ? k.name : "node." + k.name);
        if (k.tensor && valueType(*k.tensor) != k.type)
          return wrong("says " + k.type + " of " + k.name + ", which is " + valueType(*k.tensor));
        if (!result && out.graph) {
          k.node = out.graph->graph->find(k.name);
          if (const size_t dot = k.name.find('.'); !k.node.valid() && dot != std::string::npos)
            k.node = out.graph->graph->find(k.name.substr(0, dot));
        }
        to->push_back(std::move(k));
      }
  } catch (const std::exception& e) {
    return wrong("cannot be read: " + std::string(e.what()));
  }
  return out;
}

}  // namespace descry::session

#include "exporters/json/json.h"

#include <cctype>
#include <cmath>
#include <unordered_map>

#include "exporters/common/facts.h"
#include "exporters/json/json_writer.h"
#include "ir/support/python_text.h"

namespace descry::exporters {

using namespace ir;

namespace {

constexpr int kMaxDepth = 250;
constexpr int64_t kSafeInteger = int64_t{1} << 53;  // beyond it JavaScript rounds

/// Numbers entries by first use, so that equal graphs give equal tables.
class Numbering {
 public:
  int64_t of(uint32_t id) {
    const auto [it, fresh] = index_.try_emplace(id, static_cast<int64_t>(order_.size()));
    if (fresh) order_.push_back(id);
    return it->second;
  }
  const std::vector<uint32_t>& order() const { return order_; }

 private:
  std::unordered_map<uint32_t, int64_t> index_;
  std::vector<uint32_t> order_;
};

class GraphWriter {
 public:
  GraphWriter(const Module& module, std::string& out)
      : module_(module), context_(module.context()), w_(out) {}

  bool write(const ExportInput& input, const std::vector<const Graph*>& graphs);

 private:
  void number(const Graph& g);
  void graph(const Graph& g);
  void style(const PrintStyle& s);
  void node(const Graph& g, NodeId id);
  void value(const Graph& g, ArgView v, int depth);
  void texted(std::string_view kind, std::string_view text);
  void items(const Graph& g, ArgView v, int depth);
  void strings(std::string_view name, const std::vector<std::string>& texts);
  void typeEntry(const Type& type);
  void dims(std::string_view name, const std::vector<Dim>& dims);
  void symbols(const Type& type);
  void descriptorEntry(const DescEntry& entry);
  void descriptor(const Descriptor& d);
  void sourceEntry(const Source& source);

  const Module& module_;
  const Context& context_;
  JsonWriter w_;
  Numbering types_, descriptors_, sources_;
  std::unordered_map<const Graph*, int64_t> graphIndex_;
  std::vector<uint32_t> nodeIndex_;  // by node id of the graph being written
  bool tooDeep_ = false;
};

bool GraphWriter::write(const ExportInput& input, const std::vector<const Graph*>& graphs) {
  for (size_t i = 0; i < graphs.size(); ++i) graphIndex_.emplace(graphs[i], static_cast<int64_t>(i));
  w_.beginObject();
  w_.line();
  w_.field("schema", kGraphSchema);
  if (!input.kind.empty() && input.kind != "graph") {
    w_.line();
    w_.field("kind", input.kind);
  }
  if (!input.compileId.empty()) {
    w_.line();
    w_.field("compileId", input.compileId);
  }
  if (!input.title.empty()) {
    w_.line();
    w_.field("title", input.title);
  }
  // Tables stand before the graphs, so that a reader needs one pass and a cut file keeps its types.
  for (const Graph* g : graphs) number(*g);
  w_.line();
  w_.key("types");
  w_.beginArray();
  for (uint32_t id : types_.order()) {
    w_.line();
    typeEntry(context_.types.at({id}));
  }
  w_.endArray();
  w_.line();
  w_.key("descriptors");
  w_.beginArray();
  for (uint32_t id : descriptors_.order()) {
    w_.line();
    descriptorEntry(context_.descriptor(DescId{id}));
  }
  w_.endArray();
  w_.line();
  w_.key("sources");
  w_.beginArray();
  for (uint32_t id : sources_.order()) {
    w_.line();
    sourceEntry(context_.source(SourceId{id}));
  }
  w_.endArray();
  w_.line();
  w_.key("graphs");
  w_.beginArray();
  for (const Graph* g : graphs) {
    w_.line();
    graph(*g);
  }
  w_.endArray();
  w_.line();
  w_.endObject();
  return !tooDeep_;
}

void GraphWriter::strings(std::string_view name, const std::vector<std::string>& texts) {
  w_.key(name);
  w_.beginArray();
  for (const std::string& text : texts) w_.string(text);
  w_.endArray();
}

void GraphWriter::style(const PrintStyle& s) {
  constexpr std::string_view kForms[] = {"one-line",        "expanded", "pytree-compact",
                                         "pytree-expanded", "boxed",    "shuffle"};
  w_.beginObject();
  w_.field("className", s.className);
  w_.field("classBase", s.classBase);
  w_.field("origin", s.origin);
  w_.field("functionName", s.functionName);
  w_.field("signature", kForms[static_cast<size_t>(s.signature)]);
  w_.field("returnForm", s.returnForm == ReturnForm::Inline ? "inline" : "one-per-line");
  strings("signatureNames", s.signatureNames);
  w_.field("signatureTail", s.signatureTail);
  w_.field("shuffleLeaves", s.shuffleLeaves);
  w_.field("flattenSource", s.flattenSource);
  w_.field("outSpec", s.outSpec);
  w_.field("returnAnnotation", s.returnAnnotation);
  w_.field("quotedTypes", s.quotedTypes);
  w_.field("deletions", s.deletions);
  w_.field("hasClass", s.hasClass);
  w_.field("pass", s.pass);
  w_.field("hasReturn", s.hasReturn);
  strings("beforeReturn", s.beforeReturn);
  strings("trailing", s.trailing);
  w_.endObject();
}

void GraphWriter::number(const Graph& g) {
  for (NodeId id : g.nodes()) {
    const Node& n = g.node(id);
    if (n.type) types_.of(n.type.index);
    if (n.desc) descriptors_.of(n.desc.index);
    if (n.source) sources_.of(n.source.index);
  }
  for (DescId id : g.outputDescs)
    if (id) descriptors_.of(id.index);
}

void GraphWriter::graph(const Graph& g) {
  w_.beginObject();
  w_.field("name", g.name);
  if (!g.graphId.empty()) w_.field("graphId", g.graphId);
  if (g.truncated) w_.field("truncated", true);
  if (g.partial) w_.field("partial", true);
  if (g.subgraphsLeftOut) w_.field("subgraphsLeftOut", true);
  w_.line();
  w_.key("style");
  style(g.style);
  if (!g.children.empty()) {
    w_.line();
    w_.key("children");
    w_.beginArray();
    for (const Graph::Child& child : g.children) {
      if (child.graph >= module_.graphs.size()) continue;
      w_.beginObject();
      w_.field("attribute", context_.str(child.attribute));
      w_.field("graph", graphIndex_.at(&module_.graphs[child.graph]));
      w_.endObject();
    }
    w_.endArray();
  }
  if (!g.outputDescs.empty()) {
    w_.line();
    w_.key("outputDescriptors");
    w_.beginArray();
    for (DescId id : g.outputDescs) {
      if (id) {
        w_.integer(descriptors_.of(id.index));
      } else {
        w_.null();
      }
    }
    w_.endArray();
  }
  nodeIndex_.assign(g.idBound(), NodeId::kNone);
  uint32_t order = 0;
  for (NodeId id : g.nodes()) nodeIndex_[id.index] = order++;
  w_.line();
  w_.key("nodes");
  w_.beginArray();
  for (NodeId id : g.nodes()) {
    w_.line();
    node(g, id);
  }
  w_.endArray();
  w_.endObject();
}

void GraphWriter::node(const Graph& g, NodeId id) {
  const Node& n = g.node(id);
  w_.beginObject();
  w_.field("id", int64_t{nodeIndex_[id.index]});
  w_.field("name", g.str(n.name));
  w_.field("op", opKindName(n.op));
  w_.field("target", g.str(n.target));
  if (n.argCount) {
    w_.key("args");
    w_.beginArray();
    for (uint32_t i = 0; i < n.argCount; ++i) value(g, g.arg(id, i), 0);
    w_.endArray();
  }
  if (n.kwargCount) {
    w_.key("kwargs");
    w_.beginArray();
    for (uint32_t i = 0; i < n.kwargCount; ++i) {
      w_.beginObject();
      w_.field("name", g.kwargKey(id, i));
      w_.key("value");
      value(g, g.kwarg(id, i), 0);
      w_.endObject();
    }
    w_.endArray();
  }
  if (n.type) w_.field("type", types_.of(n.type.index));
  if (n.desc) w_.field("descriptor", descriptors_.of(n.desc.index));
  if (n.source) w_.field("source", sources_.of(n.source.index));
  if (n.flags & ~kNodeErased) {
    w_.key("flags");
    w_.beginArray();
    if (n.flags & kNodeStartsSource) w_.string("starts-source");
    if (n.flags & kNodeExternal) w_.string("external");
    if (n.flags & kNodeUnparsed) w_.string("unparsed");
    if (n.flags & kNodeNameMadeUp) w_.string("name-made-up");
    if (n.flags & kNodeBareCall) w_.string("bare-call");
    if (n.flags & kNodeKeepsResult) w_.string("keeps-result");
    w_.endArray();
  }
  if (const auto* meta = g.meta(id)) {
    w_.key("meta");
    w_.beginArray();
    for (const NodeMetaEntry& entry : *meta) {
      w_.beginObject();
      w_.field("key", entry.key);
      w_.field("value", entry.value);
      w_.endObject();
    }
    w_.endArray();
  }
  w_.endObject();
}

void GraphWriter::texted(std::string_view kind, std::string_view text) {
  w_.beginObject();
  w_.field(kind, text);
  w_.endObject();
}

void GraphWriter::items(const Graph& g, ArgView v, int depth) {
  w_.beginArray();
  for (uint32_t i = 0; i < v.size(); ++i) value(g, v[i], depth + 1);
  w_.endArray();
}

void GraphWriter::value(const Graph& g, ArgView v, int depth) {
  if (depth > kMaxDepth) {
    tooDeep_ = true;
    w_.null();
    return;
  }
  switch (v.kind()) {
    case ValueKind::None:
      w_.null();
      return;
    case ValueKind::Bool:
      w_.boolean(v.boolean());
      return;
    case ValueKind::Str:
      w_.string(v.text());
      return;
    case ValueKind::List:
      items(g, v, depth);
      return;
    case ValueKind::NodeRef: {
      const uint32_t at = v.node().index < nodeIndex_.size() ? nodeIndex_[v.node().index] : NodeId::kNone;
      if (at == NodeId::kNone) return texted("opaque", g.contains(v.node()) ? g.nodeName(v.node()) : "None");
      w_.beginObject();
      w_.field("node", int64_t{at});
      w_.endObject();
      return;
    }
    case ValueKind::Int:
      if (v.integer() > -kSafeInteger && v.integer() < kSafeInteger) return w_.integer(v.integer());
      return texted("int", std::to_string(v.integer()));
    case ValueKind::Float:
      w_.beginObject();
      w_.key("float");
      if (std::isfinite(v.real())) {
        w_.raw(pythonFloat(v.real()));
      } else {
        w_.string(pythonFloat(v.real()));
      }
      w_.endObject();
      return;
    case ValueKind::Tuple:
    case ValueKind::Slice:
      w_.beginObject();
      w_.key(v.kind() == ValueKind::Tuple ? "tuple" : "slice");
      items(g, v, depth);
      w_.endObject();
      return;
    case ValueKind::Dict:
      w_.beginObject();
      w_.key("dict");
      w_.beginArray();
      for (uint32_t i = 0; i < v.size(); i += 2) {
        w_.beginArray();
        value(g, v[i], depth + 1);
        if (i + 1 < v.size()) {
          value(g, v[i + 1], depth + 1);
        } else {
          w_.null();  // a key without value exists only in graphs that were built wrongly
        }
        w_.endArray();
      }
      w_.endArray();
      w_.endObject();
      return;
    case ValueKind::Ellipsis:
      w_.beginObject();
      w_.field("ellipsis", true);
      w_.endObject();
      return;
    case ValueKind::BigInt:
      return texted("int", v.text());
    case ValueKind::Complex:
      return texted("complex", v.text());
    case ValueKind::Dtype:
      return texted("dtype", v.text());
    case ValueKind::Device:
      return texted("device", v.text());
    case ValueKind::Layout:
      return texted("layout", v.text());
    case ValueKind::MemoryFormat:
      return texted("memoryFormat", v.text());
    case ValueKind::OpRef:
      return texted("op", v.text());
    case ValueKind::GraphRef:
      return texted("graph", v.text());
    case ValueKind::Opaque:
      return texted("opaque", v.text());
  }
}

void GraphWriter::dims(std::string_view name, const std::vector<Dim>& list) {
  w_.key(name);
  w_.beginArray();
  for (const Dim& dim : list) {
    if (dim.symbolic() || dim.value >= kSafeInteger || dim.value <= -kSafeInteger) {
      w_.string(dim.str());
    } else {
      w_.integer(dim.value);
    }
  }
  w_.endArray();
}

/// Names in an expression that are not functions: `Max(1, s0) + u1` gives s0 and u1.
void collectSymbols(std::string_view expr, std::vector<std::string>& names) {
  const auto isWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (size_t i = 0; i < expr.size();) {
    if (!isWord(expr[i])) {
      ++i;
      continue;
    }
    size_t end = i;
    while (end < expr.size() && (isWord(expr[end]) || expr[end] == '.')) ++end;
    const std::string_view word = expr.substr(i, end - i);
    i = end;
    if (std::isdigit(static_cast<unsigned char>(word[0])) || (i < expr.size() && expr[i] == '(')) continue;
    bool known = false;
    for (const std::string& name : names) known = known || name == word;
    if (!known && names.size() < 64) names.emplace_back(word);
  }
}

void GraphWriter::symbols(const Type& type) {
  std::vector<std::string> names;
  for (const Dim& dim : type.tensor.shape) collectSymbols(dim.text, names);
  if (type.tensor.strides)
    for (const Dim& dim : *type.tensor.strides) collectSymbols(dim.text, names);
  if (type.kind == TypeKind::Sym) collectSymbols(type.sym, names);
  if (!names.empty()) strings("symbols", names);
}

void GraphWriter::typeEntry(const Type& type) {
  constexpr std::string_view kKinds[] = {"none", "tensor", "sym", "wrapped", "python", "unknown"};
  w_.beginObject();
  w_.field("text", type.text);
  w_.field("kind", kKinds[static_cast<size_t>(type.kind)]);
  if (type.kind == TypeKind::Tensor || type.kind == TypeKind::Wrapped) {
    if (type.kind == TypeKind::Wrapped) w_.field("wrapper", type.wrapper);
    w_.field("dtype", dtypeOf(type));
    dims("shape", type.tensor.shape);
    if (type.tensor.strides) dims("strides", *type.tensor.strides);
    if (!type.tensor.device.empty()) w_.field("device", type.tensor.device);
  }
  if (type.kind == TypeKind::Sym) w_.field("expression", type.sym);
  symbols(type);
  w_.endObject();
}

void GraphWriter::descriptor(const Descriptor& outer) {
  // Inner descriptors nest; a loop keeps hostile depths off the stack.
  int open = 0;
  for (const Descriptor* d = &outer; d; d = d->base()) {
    if (open) w_.key("of");
    w_.beginObject();
    ++open;
    w_.field("class", d->className());
    if (d->hasIdx()) w_.field("idx", d->idx());
    if (!d->text().empty()) w_.field("text", d->text());
  }
  while (open-- > 0) w_.endObject();
}

void GraphWriter::descriptorEntry(const DescEntry& entry) {
  w_.beginObject();
  w_.field("repr", context_.str(entry.text));
  if (entry.descriptor) {
    w_.field("words", entry.descriptor->words());
    w_.key("parsed");
    descriptor(*entry.descriptor);
  }
  w_.endObject();
}

void GraphWriter::sourceEntry(const Source& source) {
  w_.beginObject();
  w_.field("comment", context_.str(source.comment));
  if (source.file) {
    w_.field("file", context_.str(source.file));
    w_.field("line", int64_t{source.line});
  }
  if (source.function) w_.field("function", context_.str(source.function));
  if (source.code) w_.field("code", context_.str(source.code));
  if (source.backward) w_.field("backward", true);
  if (source.noStackTrace) w_.field("noStackTrace", true);
  if (source.tags) w_.field("tags", context_.str(source.tags));
  w_.endObject();
}

}  // namespace

Result<std::string> exportJson(const ExportInput& input, const ExportOptions&) {
  const Module& module = *input.module;
  const Graph& root = input.graph ? *input.graph : module.root();
  std::vector<const Graph*> graphs;
  if (&root == &module.root()) {
    for (const Graph& g : module.graphs) graphs.push_back(&g);
  } else {
    graphs = reachableGraphs(module, root);
  }
  size_t nodes = 0;
  for (const Graph* g : graphs) nodes += g->size();
  std::string out;
  out.reserve(nodes * 160 + 4096);
  GraphWriter writer(module, out);
  if (!writer.write(input, graphs))
    return failure("export-failed", "argument values are nested deeper than " + std::to_string(kMaxDepth));
  out += '\n';
  return out;
}

}  // namespace descry::exporters

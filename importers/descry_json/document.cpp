#include "importers/descry_json/document.h"

#include <limits>
#include <unordered_map>

#include "importers/descry_json/field_reader.h"
#include "importers/descry_json/value_reader.h"

namespace descry::importers {

namespace {

using namespace ir;

constexpr int kMaxGraphDepth = 100;
constexpr size_t kMaxGraphs = 100000;

bool setSignature(PrintStyle& style, std::string_view name) {
  constexpr std::string_view kForms[] = {"one-line",        "expanded", "pytree-compact",
                                         "pytree-expanded", "boxed",    "shuffle"};
  for (size_t i = 0; i < std::size(kForms); ++i) {
    if (kForms[i] != name) continue;
    style.signature = static_cast<SignatureForm>(i);
    return true;
  }
  return false;
}

bool setReturn(PrintStyle& style, std::string_view name) {
  style.returnForm = name == "one-per-line" ? ReturnForm::OnePerLine : ReturnForm::Inline;
  return name == "one-per-line" || name == "inline";
}

bool opKindOf(std::string_view name, OpKind& kind) {
  for (OpKind k : {OpKind::Placeholder, OpKind::GetAttr, OpKind::CallFunction, OpKind::CallMethod,
                   OpKind::CallModule, OpKind::Output}) {
    if (opKindName(k) != name) continue;
    kind = k;
    return true;
  }
  return false;
}

class ModuleReader {
 public:
  ModuleReader(std::string_view text, DiagnosticSink& sink, ContextPtr context)
      : text_(text),
        fields_(text, sink),
        context_(std::move(context)),
        module_(std::make_shared<Module>(context_)) {}

  std::shared_ptr<Module> read();

 private:
  struct PendingChild {
    uint32_t parent;
    std::string attribute;
    int64_t graph;
    size_t offset;
  };
  struct Index {
    std::vector<bool> keep;                      // by position in "nodes"
    std::unordered_map<int64_t, uint32_t> byId;  // JSON id -> node index
  };

  template <class Id, class Make>
  void table(size_t offset, std::string_view name, std::string_view field, std::vector<Id>& out, Make make);
  void graphs(size_t offset);
  void graph(JsonReader& r, Graph& g, uint32_t index);
  void style(JsonReader& r, PrintStyle& style);
  void children(JsonReader& r, uint32_t parent);
  void linkChildren();
  void indexNodes(size_t offset, Index& index);
  void nodes(size_t offset, Graph& g, const Index& index);
  void node(JsonReader& r, Graph& g, ValueReader& values);
  void kwargs(JsonReader& r, Graph& g, ValueReader& values, std::vector<Cell>& cells);
  void flags(JsonReader& r, Node& node);
  void meta(JsonReader& r, std::vector<NodeMetaEntry>& entries);
  void outputDescriptors(JsonReader& r, std::vector<DescId>& out);
  template <class Id>
  void tableIndex(JsonReader& r, std::string_view what, const std::vector<Id>& table, bool have, Id& out);
  void syntax(const JsonReader& r);

  std::string_view text_;
  FieldReader fields_;
  ContextPtr context_;
  std::shared_ptr<Module> module_;
  std::vector<TypeId> types_;
  std::vector<DescId> descriptors_;
  std::vector<SourceId> sources_;
  bool haveTypes_ = false, haveDescriptors_ = false, haveSources_ = false;
  std::vector<PendingChild> pending_;
  bool syntaxReported_ = false;
  bool cut_ = false;  // the document ends in a syntax error
};

void ModuleReader::syntax(const JsonReader& r) {
  if (r.ok() || syntaxReported_) return;
  syntaxReported_ = true;
  fields_.fault("json-syntax", r.position(), r.error());
}

std::shared_ptr<Module> ModuleReader::read() {
  constexpr size_t kAbsent = std::numeric_limits<size_t>::max();
  size_t typesAt = kAbsent, descriptorsAt = kAbsent, sourcesAt = kAbsent, graphsAt = kAbsent;
  // Tables may stand behind the graphs (tools that sort names), so places are noted first.
  JsonReader r(text_);
  if (r.peek() == JsonKind::Object) r.enter();
  std::string key;
  for (bool first = true; r.nextKey(first, key);) {
    r.peek();
    size_t* const place = key == "types"         ? &typesAt
                          : key == "descriptors" ? &descriptorsAt
                          : key == "sources"     ? &sourcesAt
                          : key == "graphs"      ? &graphsAt
                                                 : nullptr;
    if (place) *place = r.position();
    r.skip();
  }
  cut_ = !r.ok();
  if (!cut_ && !r.atEnd()) fields_.fault("json-syntax", r.position(), "text behind the end of the document");

  if ((haveTypes_ = typesAt != kAbsent))
    table(typesAt, "types", "text", types_, [&](std::string_view t) { return context_->types.intern(t); });
  if ((haveDescriptors_ = descriptorsAt != kAbsent))
    table(descriptorsAt, "descriptors", "repr", descriptors_,
          [&](std::string_view t) { return context_->descriptor(t); });
  if ((haveSources_ = sourcesAt != kAbsent))
    table(sourcesAt, "sources", "comment", sources_, [&](std::string_view t) { return context_->source(t); });
  if (graphsAt != kAbsent) {
    graphs(graphsAt);
  } else if (!cut_) {
    fields_.fault("json-missing-field", 0, "the document has no \"graphs\"");
  }
  syntax(r);
  if (module_->graphs.empty()) module_->addGraph("");
  if (cut_) {
    for (Graph& g : module_->graphs) g.partial = true;
    module_->graphs.back().truncated = true;
  }
  linkChildren();
  return module_;
}

template <class Id, class Make>
void ModuleReader::table(size_t offset, std::string_view name, std::string_view field, std::vector<Id>& out,
                         Make make) {
  JsonReader r(text_, offset);
  if (!fields_.expect(r, JsonKind::Array, name)) return syntax(r);
  r.enter();
  std::string key, text;
  for (bool first = true; r.nextItem(first);) {
    out.push_back({});
    if (!fields_.expect(r, JsonKind::Object, std::string("an entry of ") + std::string(name))) continue;
    const size_t at = r.position();
    bool found = false;
    r.enter();
    for (bool firstKey = true; r.nextKey(firstKey, key);) {
      if (key != field) {
        r.skip();
      } else if (fields_.string(r, field, text)) {
        out.back() = make(text);
        found = true;
      }
    }
    if (!found && r.ok())
      fields_.fault("json-missing-field", at,
                    "an entry of " + std::string(name) + " needs \"" + std::string(field) + "\"");
  }
  syntax(r);
}

void ModuleReader::graphs(size_t offset) {
  JsonReader r(text_, offset);
  if (!fields_.expect(r, JsonKind::Array, "graphs")) return syntax(r);
  r.enter();
  for (bool first = true; r.nextItem(first);) {
    if (module_->graphs.size() >= kMaxGraphs) {
      fields_.fault("json-too-many-graphs", r.position(),
                    "only the first " + std::to_string(kMaxGraphs) + " graphs are read");
      return;
    }
    const uint32_t index = module_->addGraph("");
    if (!fields_.expect(r, JsonKind::Object, "an entry of graphs")) continue;
    graph(r, module_->graphs[index], index);
  }
  syntax(r);
}

void ModuleReader::graph(JsonReader& r, Graph& g, uint32_t index) {
  constexpr size_t kAbsent = std::numeric_limits<size_t>::max();
  g.begin = fields_.place(r.position());
  size_t nodesAt = kAbsent, descsAt = 0;
  std::vector<DescId> descs;
  std::string key;
  r.enter();
  for (bool first = true; r.nextKey(first, key);) {
    if (key == "name") {
      fields_.string(r, key, g.name);
    } else if (key == "graphId") {
      fields_.string(r, key, g.graphId);
    } else if (key == "truncated") {
      fields_.boolean(r, key, g.truncated);
    } else if (key == "partial") {
      fields_.boolean(r, key, g.partial);
    } else if (key == "subgraphsLeftOut") {
      fields_.boolean(r, key, g.subgraphsLeftOut);
    } else if (key == "style") {
      style(r, g.style);
    } else if (key == "children") {
      children(r, index);
    } else if (key == "outputDescriptors") {
      r.peek();
      descsAt = r.position();
      outputDescriptors(r, descs);
    } else if (key == "nodes") {
      if (r.peek() == JsonKind::Array) nodesAt = r.position();
      if (nodesAt == kAbsent) {
        fields_.expect(r, JsonKind::Array, "nodes");
      } else {
        r.skip();
      }
    } else {
      r.skip();
    }
  }
  const size_t endAt = r.position();
  if (nodesAt != kAbsent) {
    Index ids;
    indexNodes(nodesAt, ids);
    nodes(nodesAt, g, ids);
  } else if (r.ok()) {
    fields_.fault("json-missing-field", static_cast<size_t>(g.begin.byte), "a graph needs \"nodes\"");
  }
  const size_t outputs = g.outputs().size();
  if (!descs.empty() && descs.size() != outputs) {
    // Of a text that breaks off the output node is missing, which its syntax error says already; the graph
    // must be sound all the same, or what is exported from it cannot be read.
    if (r.ok())
      fields_.fault("json-bad-count", descsAt,
                    "outputDescriptors has " + std::to_string(descs.size()) + " entries for " +
                        std::to_string(outputs) + " outputs");
    descs.resize(outputs);
    g.partial = true;
  }
  g.outputDescs = std::move(descs);
  g.end = fields_.place(endAt);
}

void ModuleReader::style(JsonReader& r, PrintStyle& s) {
  if (!fields_.expect(r, JsonKind::Object, "style")) return;
  const std::pair<std::string_view, std::string*> texts[] = {{"className", &s.className},
                                                             {"classBase", &s.classBase},
                                                             {"origin", &s.origin},
                                                             {"functionName", &s.functionName},
                                                             {"signatureTail", &s.signatureTail},
                                                             {"shuffleLeaves", &s.shuffleLeaves},
                                                             {"flattenSource", &s.flattenSource},
                                                             {"outSpec", &s.outSpec},
                                                             {"returnAnnotation", &s.returnAnnotation}};
  const std::pair<std::string_view, bool*> flags[] = {{"quotedTypes", &s.quotedTypes},
                                                      {"deletions", &s.deletions},
                                                      {"hasClass", &s.hasClass},
                                                      {"pass", &s.pass},
                                                      {"hasReturn", &s.hasReturn}};
  const auto find = [](const auto& list, std::string_view key) {
    for (const auto& [name, member] : list)
      if (name == key) return member;
    return decltype(list[0].second){};
  };
  std::string key, form;
  r.enter();
  for (bool first = true; r.nextKey(first, key);) {
    r.peek();
    const size_t at = r.position();
    if (std::string* text = find(texts, key)) {
      fields_.string(r, key, *text);
    } else if (bool* flag = find(flags, key)) {
      fields_.boolean(r, key, *flag);
    } else if (key == "signatureNames") {
      fields_.strings(r, key, s.signatureNames);
    } else if (key == "beforeReturn") {
      fields_.strings(r, key, s.beforeReturn);
    } else if (key == "trailing") {
      fields_.strings(r, key, s.trailing);
    } else if (key == "signature" || key == "returnForm") {
      if (fields_.string(r, key, form) && !(key == "signature" ? setSignature(s, form) : setReturn(s, form)))
        fields_.fault("json-bad-value", at, "unknown " + key + " '" + form + "'");
    } else {
      r.skip();
    }
  }
}

void ModuleReader::children(JsonReader& r, uint32_t parent) {
  if (!fields_.expect(r, JsonKind::Array, "children")) return;
  std::string key;
  r.enter();
  for (bool first = true; r.nextItem(first);) {
    if (!fields_.expect(r, JsonKind::Object, "an entry of children")) continue;
    PendingChild child{parent, {}, -1, r.position()};
    bool attribute = false, graph = false;
    r.enter();
    for (bool firstKey = true; r.nextKey(firstKey, key);) {
      if (key == "attribute") {
        attribute = fields_.string(r, key, child.attribute);
      } else if (key == "graph") {
        graph = fields_.integer(r, key, child.graph);
      } else {
        r.skip();
      }
    }
    if (attribute && graph) {
      pending_.push_back(std::move(child));
    } else if (r.ok()) {
      fields_.fault("json-missing-field", child.offset, "a child needs \"attribute\" and \"graph\"");
    }
  }
}

/// Keeps a tree: every graph has at most one parent, none is below itself. Printing walks it by recursion.
void ModuleReader::linkChildren() {
  std::vector<Graph>& graphs = module_->graphs;
  std::vector<std::vector<const PendingChild*>> below(graphs.size());
  std::vector<bool> taken(graphs.size(), false);
  for (const PendingChild& c : pending_) {
    if (c.graph <= 0 || c.graph >= static_cast<int64_t>(graphs.size())) {
      fields_.fault("json-bad-reference", c.offset,
                    "child '" + c.attribute + "' names graph " + std::to_string(c.graph) + ", which is " +
                        (c.graph == 0 ? "the root" : "not in the document"));
    } else if (taken[static_cast<size_t>(c.graph)]) {
      fields_.fault("json-child-shared", c.offset,
                    "graph " + std::to_string(c.graph) + " already is the child of another graph");
    } else {
      taken[static_cast<size_t>(c.graph)] = true;
      below[c.parent].push_back(&c);
    }
  }
  std::vector<int> depth(graphs.size(), -1);
  std::vector<uint32_t> order;
  for (uint32_t i = 0; i < graphs.size(); ++i) {
    if (taken[i]) continue;
    depth[i] = 0;
    order.push_back(i);
  }
  for (size_t at = 0; at < order.size(); ++at) {
    const uint32_t parent = order[at];
    for (const PendingChild* c : below[parent]) {
      const auto child = static_cast<uint32_t>(c->graph);
      const bool deep = depth[parent] >= kMaxGraphDepth;
      depth[child] = deep ? 0 : depth[parent] + 1;
      order.push_back(child);
      if (deep) {
        fields_.fault("json-too-deep", c->offset,
                      "subgraphs are nested deeper than " + std::to_string(kMaxGraphDepth));
        continue;
      }
      graphs[parent].children.push_back({context_->intern(c->attribute), child});
      graphs[child].parent = parent;
    }
  }
  for (uint32_t i = 0; i < graphs.size(); ++i)
    if (depth[i] < 0)
      for (const PendingChild* c : below[i])
        fields_.fault("json-child-cycle", c->offset,
                      "child '" + c->attribute + "' is part of a cycle of graphs");
}

/// First of two passes: which nodes are sound, and the number that each id will get, so that references may
/// point forward.
void ModuleReader::indexNodes(size_t offset, Index& index) {
  JsonReader r(text_, offset);
  r.peek();
  r.enter();
  std::string key, text;
  uint32_t next = 0;
  bool haveOutput = false;
  for (bool first = true; r.nextItem(first);) {
    index.keep.push_back(false);
    if (!fields_.expect(r, JsonKind::Object, "an entry of nodes")) continue;
    const size_t at = r.position();
    int64_t id = -1;
    bool hasId = false, hasName = false, hasOp = false;
    OpKind op = OpKind::CallFunction;
    r.enter();
    for (bool firstKey = true; r.nextKey(firstKey, key);) {
      if (key == "id") {
        hasId = fields_.integer(r, key, id);
      } else if (key == "name") {
        hasName = r.peek() == JsonKind::String;
        r.skip();
      } else if (key == "op") {
        const size_t opAt = r.position();
        if (!fields_.string(r, key, text)) continue;
        hasOp = opKindOf(text, op);
        if (!hasOp) fields_.fault("json-bad-value", opAt, "unknown op '" + text + "'");
      } else {
        r.skip();
      }
    }
    if (!r.ok()) break;
    if (!hasId || !hasName || !hasOp) {
      fields_.fault("json-missing-field", at,
                    "a node needs \"id\", \"name\" and \"op\"; this one is left out");
    } else if (op == OpKind::Output && haveOutput) {
      fields_.fault("json-two-outputs", at, "a graph has one output node; this one is left out");
    } else if (!index.byId.emplace(id, next).second) {
      fields_.fault("json-duplicate-id", at,
                    "a node with id " + std::to_string(id) + " was there before; this one is left out");
    } else {
      index.keep.back() = true;
      ++next;
      haveOutput = haveOutput || op == OpKind::Output;
    }
  }
}

void ModuleReader::nodes(size_t offset, Graph& g, const Index& index) {
  JsonReader r(text_, offset);
  r.peek();
  r.enter();
  ValueReader values(fields_, g, index.byId);
  size_t at = 0;
  const size_t kept = index.byId.size();
  for (bool first = true; g.size() < kept && r.nextItem(first); ++at) {
    if (r.peek() == JsonKind::Object && index.keep[at]) {
      node(r, g, values);
    } else {
      g.partial = true;
      r.skip();
    }
  }
  if (at < index.keep.size()) g.partial = true;
  // Only now every node exists that a reference may point to.
  for (NodeId id : g.nodes()) g.linkUses(id);
}

void ModuleReader::node(JsonReader& r, Graph& g, ValueReader& values) {
  Node n;
  const SourceLoc place = fields_.place(r.position());
  n.line = place.line;
  n.column = place.column;
  std::vector<Cell> args, named;
  std::vector<NodeMetaEntry> entries;
  std::string key, text;
  r.enter();
  for (bool first = true; r.nextKey(first, key);) {
    if (key == "name") {
      if (fields_.string(r, key, text)) n.name = context_->intern(text);
    } else if (key == "op") {
      if (fields_.string(r, key, text)) opKindOf(text, n.op);
    } else if (key == "target") {
      if (fields_.string(r, key, text)) n.target = context_->intern(text);
    } else if (key == "args") {
      args.clear();
      if (!fields_.expect(r, JsonKind::Array, key)) continue;
      r.enter();
      for (bool firstItem = true; r.nextItem(firstItem);) args.push_back(values.value(r));
    } else if (key == "kwargs") {
      kwargs(r, g, values, named);
    } else if (key == "type") {
      tableIndex(r, "type", types_, haveTypes_, n.type);
    } else if (key == "descriptor") {
      tableIndex(r, "descriptor", descriptors_, haveDescriptors_, n.desc);
    } else if (key == "source") {
      tableIndex(r, "source", sources_, haveSources_, n.source);
    } else if (key == "flags") {
      flags(r, n);
    } else if (key == "meta") {
      meta(r, entries);
    } else {
      r.skip();
    }
  }
  n.argCount = static_cast<uint32_t>(args.size());
  n.kwargCount = static_cast<uint32_t>(named.size() / 2);
  args.insert(args.end(), named.begin(), named.end());
  n.args = g.pushCells(args.data(), static_cast<uint32_t>(args.size()));
  const NodeId id = g.append(n);
  if (!entries.empty()) g.setMeta(id, std::move(entries));
}

void ModuleReader::kwargs(JsonReader& r, Graph& g, ValueReader& values, std::vector<Cell>& cells) {
  cells.clear();
  if (!fields_.expect(r, JsonKind::Array, "kwargs")) return;
  std::string key, name;
  r.enter();
  for (bool first = true; r.nextItem(first);) {
    if (!fields_.expect(r, JsonKind::Object, "an entry of kwargs")) continue;
    const size_t at = r.position();
    bool hasName = false, hasValue = false;
    Cell cell;
    r.enter();
    for (bool firstKey = true; r.nextKey(firstKey, key);) {
      if (key == "name") {
        hasName = fields_.string(r, key, name);
      } else if (key == "value") {
        cell = values.value(r);
        hasValue = true;
      } else {
        r.skip();
      }
    }
    if (hasName && hasValue) {
      cells.push_back(Cell::text(ValueKind::Str, context_->intern(name)));
      cells.push_back(cell);
    } else if (r.ok()) {
      fields_.fault("json-missing-field", at, "an entry of kwargs needs \"name\" and \"value\"");
      g.partial = true;
    }
  }
}

void ModuleReader::flags(JsonReader& r, Node& node) {
  std::vector<std::string> names;
  fields_.strings(r, "flags", names);
  for (const std::string& name : names) {
    // Flags that are not known belong to newer files and only tune the printing.
    if (name == "starts-source") node.flags |= kNodeStartsSource;
    if (name == "external") node.flags |= kNodeExternal;
    if (name == "unparsed") node.flags |= kNodeUnparsed;
    if (name == "name-made-up") node.flags |= kNodeNameMadeUp;
    if (name == "bare-call") node.flags |= kNodeBareCall;
    if (name == "keeps-result") node.flags |= kNodeKeepsResult;
  }
}

void ModuleReader::meta(JsonReader& r, std::vector<NodeMetaEntry>& entries) {
  entries.clear();
  if (!fields_.expect(r, JsonKind::Array, "meta")) return;
  std::string key;
  r.enter();
  for (bool first = true; r.nextItem(first);) {
    if (!fields_.expect(r, JsonKind::Object, "an entry of meta")) continue;
    NodeMetaEntry entry;
    r.enter();
    for (bool firstKey = true; r.nextKey(firstKey, key);) {
      if (key == "key") {
        fields_.string(r, key, entry.key);
      } else if (key == "value") {
        fields_.string(r, key, entry.value);
      } else {
        r.skip();
      }
    }
    entries.push_back(std::move(entry));
  }
}

template <class Id>
void ModuleReader::tableIndex(JsonReader& r, std::string_view what, const std::vector<Id>& table, bool have,
                              Id& out) {
  r.peek();
  const size_t at = r.position();
  int64_t index = -1;
  if (!fields_.integer(r, what, index)) return;
  if (index >= 0 && index < static_cast<int64_t>(table.size())) {
    out = table[static_cast<size_t>(index)];
  } else if (have || !cut_) {
    fields_.fault("json-bad-reference", at,
                  std::string(what) + " " + std::to_string(index) + " is not in the table of " +
                      std::to_string(table.size()));
  }
}

void ModuleReader::outputDescriptors(JsonReader& r, std::vector<DescId>& out) {
  out.clear();
  if (!fields_.expect(r, JsonKind::Array, "outputDescriptors")) return;
  r.enter();
  for (bool first = true; r.nextItem(first);) {
    out.push_back({});
    if (r.peek() == JsonKind::Null) {
      r.readNull();
    } else {
      tableIndex(r, "output descriptor", descriptors_, haveDescriptors_, out.back());
    }
  }
}

}  // namespace

std::shared_ptr<Module> readDescryJsonModule(std::string_view text, DiagnosticSink& sink,
                                             ContextPtr context) {
  return ModuleReader(text, sink, std::move(context)).read();
}

}  // namespace descry::importers

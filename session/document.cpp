#include <algorithm>
#include <filesystem>

#include "session/companion.h"
#include "session/session.h"

namespace descry::session {

namespace fs = std::filesystem;

namespace {

/// Size and time of a file; a folder counts its files, so that a new log in it is noticed.
std::pair<int64_t, int64_t> stamp(const std::string& path) {
  std::error_code ec;
  const fs::file_status status = fs::status(path, ec);
  if (ec || path == "-") return {-1, -1};
  if (fs::is_directory(status)) {
    int64_t size = 0, newest = 0;
    int seen = 0;
    for (auto it = fs::directory_iterator(path, ec); !ec && it != fs::directory_iterator() && seen < 10000;
         it.increment(ec), ++seen) {
      std::error_code ignored;
      if (it->is_regular_file(ignored)) size += static_cast<int64_t>(it->file_size(ignored));
      newest = std::max<int64_t>(newest, it->last_write_time(ignored).time_since_epoch().count());
    }
    return {size, newest};
  }
  const auto size = fs::file_size(path, ec);
  const auto time = fs::last_write_time(path, ec);
  return {ec ? -1 : static_cast<int64_t>(size),
          ec ? -1 : static_cast<int64_t>(time.time_since_epoch().count())};
}

int rankOfKind(const std::string& kind) {
  static constexpr std::string_view kOrder[] = {"joint", "forward", "inference", "dynamo_output", "backward"};
  for (int i = 0; i < 5; ++i)
    if (kind.find(kOrder[i]) != std::string::npos) return i;
  return 5;
}

std::string listIds(const std::vector<importers::GraphEntry>& graphs, const std::vector<size_t>& which) {
  std::string out;
  for (size_t i = 0; i < which.size() && i < 12; ++i) out += (i ? ", " : "") + graphs[which[i]].id;
  if (which.size() > 12) out += ", and " + std::to_string(which.size() - 12) + " more";
  return out;
}

/// Walks `true_graph_0/false_graph_1` below the root graph.
std::optional<uint32_t> findSubgraph(const ir::Module& module, std::string_view path) {
  uint32_t at = 0;
  while (!path.empty()) {
    const size_t slash = path.find('/');
    const std::string_view part = path.substr(0, slash);
    path = slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
    bool found = false;
    for (const ir::Graph::Child& c : module.graphs[at].children) {
      if (module.context().str(c.attribute) != part || c.graph >= module.graphs.size()) continue;
      at = c.graph;
      found = true;
      break;
    }
    if (!found) return std::nullopt;
  }
  return at;
}

std::string listChildren(const ir::Module& module) {
  std::string out;
  for (const ir::Graph::Child& c : module.graphs[0].children)
    out += (out.empty() ? "" : ", ") + std::string(module.context().str(c.attribute));
  return out.empty() ? "none" : out;
}

}  // namespace

ir::Result<std::shared_ptr<Document>> Document::open(const std::string& path,
                                                     const importers::OpenOptions& options) {
  const auto [size, time] = stamp(path);
  ir::Result<std::unique_ptr<importers::Input>> input = importers::openInput(path, options);
  if (!input) return input.error();
  auto document = std::make_shared<Document>();
  document->path_ = path;
  document->input_ = std::move(*input);
  document->openedSize_ = size;
  document->openedTime_ = time;
  return document;
}

size_t Document::bestGraph() const {
  const auto& graphs = input_->graphs();
  size_t best = 0;
  for (size_t i = 1; i < graphs.size(); ++i)
    if (rankOfKind(graphs[i].kind) < rankOfKind(graphs[best].kind)) best = i;
  return best;
}

ir::Result<Document::Resolved> Document::resolve(std::string_view address) const {
  const auto& graphs = input_->graphs();
  if (graphs.empty()) {
    ir::Diagnostic d = ir::failure("no-graphs", "no graph found in this input", path_);
    if (!input_->records().empty())
      d.message +=
          " (" + std::to_string(input_->records().size()) + " other records; `descry info` lists them)";
    return d;
  }
  if (address.empty()) return Resolved{bestGraph(), ""};
  for (size_t i = 0; i < graphs.size(); ++i)
    if (graphs[i].id == address) return Resolved{i, ""};
  // `id/subgraph`: the longest id that stands before a slash.
  std::optional<size_t> owner;
  for (size_t i = 0; i < graphs.size(); ++i) {
    const std::string& id = graphs[i].id;
    if (address.size() > id.size() && address.substr(0, id.size()) == id && address[id.size()] == '/' &&
        (!owner || id.size() > graphs[*owner].id.size()))
      owner = i;
  }
  if (owner) return Resolved{*owner, std::string(address.substr(graphs[*owner].id.size() + 1))};
  std::vector<size_t> hits;
  for (size_t i = 0; i < graphs.size(); ++i)
    if (graphs[i].id.compare(0, address.size(), address) == 0) hits.push_back(i);
  if (hits.size() == 1) return Resolved{hits[0], ""};
  if (hits.size() > 1)
    return ir::failure(
        "graph-ambiguous",
        "'" + std::string(address) + "' may mean " + listIds(graphs, hits) + "; write more of the id", path_);
  std::vector<size_t> all(graphs.size());
  for (size_t i = 0; i < all.size(); ++i) all[i] = i;
  return ir::failure("graph-not-found",
                     "no graph '" + std::string(address) + "'; there are " + listIds(graphs, all), path_);
}

ir::Result<LoadedGraphPtr> Document::graph(std::string_view address) const {
  const ir::Result<Resolved> where = resolve(address);
  if (!where) return where.error();
  ir::Result<LoadedGraphPtr> loaded = graphAt(where->index);
  if (!loaded || where->subgraph.empty()) return loaded;
  const LoadedGraph& root = **loaded;
  const std::optional<uint32_t> sub = findSubgraph(*root.module, where->subgraph);
  if (!sub)
    return ir::failure("graph-not-found",
                       "graph '" + root.entry.id + "' has no subgraph '" + where->subgraph + "'; it has " +
                           listChildren(*root.module),
                       path_);
  return subgraph(*loaded, *sub, where->subgraph, true);
}

LoadedGraphPtr Document::subgraph(const LoadedGraphPtr& root, uint32_t index, const std::string& path,
                                  bool diagnostics) const {
  auto copy = std::make_shared<LoadedGraph>();
  copy->entry = root->entry;
  copy->entry.id = root->entry.id + "/" + path;
  copy->module = root->module;
  copy->subgraph = index;
  copy->graph = &root->module->graphs[index];
  if (diagnostics) copy->diagnostics = root->diagnostics;
  copy->graph->find("");
  copy->phases = ir::computePhases(*copy->graph);
  copy->documentPath = path_;
  return copy;
}

ir::Result<LoadedGraphPtr> Document::graphAt(size_t index) const {
  if (index >= input_->graphs().size())
    return ir::failure("graph-not-found", "no graph number " + std::to_string(index), path_);
  {
    std::lock_guard lock(mutex_);
    if (const auto it = cache_.find(index); it != cache_.end()) return it->second;
  }
  ir::DiagnosticSink sink;
  const importers::GraphEntry& entry = input_->graphs()[index];
  sink.setFile(entry.file.empty() ? path_ : entry.file);
  ir::Result<std::shared_ptr<ir::Module>> module = input_->load(index, sink);
  if (!module) return module.error();
  if (!*module || (*module)->graphs.empty())
    return ir::failure("no-graphs", "graph '" + entry.id + "' holds nothing that could be read", path_);
  auto companion = companionDescriptors(*input_, index, (*module)->root());
  LoadedGraphPtr loaded = makeLoadedGraph(*module, entry, path_, sink.take(), input_->inputFacts(index));
  auto signature = input_->exportSignature(index);
  if (!companion.empty() || signature) {
    auto joined = std::make_shared<LoadedGraph>(*loaded);
    joined->companionDescs = std::move(companion);
    if (signature)
      joined->signature = std::make_shared<const importers::ExportSignature>(std::move(*signature));
    loaded = joined;
  }
  std::lock_guard lock(mutex_);
  return cache_.emplace(index, std::move(loaded))
      .first->second;  // another thread may have been faster: its graph wins
}

LoadedGraphPtr makeLoadedGraph(std::shared_ptr<const ir::Module> module, importers::GraphEntry entry,
                               std::string path, std::vector<ir::Diagnostic> diagnostics,
                               std::vector<importers::InputFact> facts) {
  auto loaded = std::make_shared<LoadedGraph>();
  loaded->entry = std::move(entry);
  loaded->module = std::move(module);
  loaded->graph = &loaded->module->graphs.front();
  loaded->diagnostics = std::move(diagnostics);
  for (ir::Diagnostic& d : loaded->diagnostics)
    if (d.graph.empty()) d.graph = loaded->entry.id;
  loaded->inputFacts = std::move(facts);
  loaded->graph->find("");  // builds the name index now: later it is only read, from any thread
  loaded->phases = ir::computePhases(*loaded->graph);
  loaded->documentPath = std::move(path);
  return loaded;
}

std::vector<ir::Diagnostic> Document::diagnostics() const {
  std::vector<ir::Diagnostic> out = input_->diagnostics().all();
  std::lock_guard lock(mutex_);
  for (const auto& [index, loaded] : cache_)
    out.insert(out.end(), loaded->diagnostics.begin(), loaded->diagnostics.end());
  return out;
}

bool Document::changedOnDisk() const {
  if (openedSize_ < 0) return false;
  return stamp(path_) != std::pair(openedSize_, openedTime_);
}

Address parseAddress(std::string_view text) {
  Address out;
  std::error_code ec;
  if (text == "-" ||
      (!text.empty() && text.find('\0') == std::string_view::npos && fs::exists(fs::path(text), ec))) {
    out.file = text;
    return out;
  }
  // Of several `::`, the first behind which a file ends wins; else the last.
  size_t split = std::string_view::npos;
  for (size_t at = text.find("::"); at != std::string_view::npos; at = text.find("::", at + 1)) {
    split = at;
    const std::string_view file = text.substr(0, at);
    if (file == "-" ||
        (!file.empty() && file.find('\0') == std::string_view::npos && fs::exists(fs::path(file), ec)))
      break;
  }
  std::string_view rest = text;
  if (split != std::string_view::npos) {
    out.file = text.substr(0, split);
    rest = text.substr(split + 2);
  }
  // Ids hold `#2` themselves; node names never start with a digit.
  size_t hash = rest.rfind('#');
  if (hash != std::string_view::npos &&
      (hash + 1 == rest.size() || (rest[hash + 1] >= '0' && rest[hash + 1] <= '9')))
    hash = std::string_view::npos;
  if (hash != std::string_view::npos) {
    out.node = rest.substr(hash + 1);
    rest = rest.substr(0, hash);
  }
  (split != std::string_view::npos ? out.graph : out.file) = rest;
  return out;
}

}  // namespace descry::session

#include "importers/common/folder_input.h"

#include <dirent.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <map>
#include <mutex>

#include "importers/common/graph_ids.h"
#include "importers/common/gzip.h"
#include "importers/fx_text/fx_text.h"
#include "importers/torch_trace/trace_input.h"

namespace descry::importers {
namespace {

constexpr int kMaxDepth = 8;
constexpr size_t kMaxFiles = 20000;
constexpr size_t kHeadBytes = 256u << 10;

struct Found {
  std::string path;      ///< to open
  std::string relative;  ///< below the folder
};

/// Regular files below `path` in name order. Links to folders are not followed, so there are no cycles.
void walk(const std::string& path, const std::string& relative, int depth, std::vector<Found>& out, bool& cut,
          std::vector<std::string>& closed) {
  DIR* dir = opendir(path.c_str());
  if (!dir) {
    closed.push_back(relative.empty() ? path : relative);
    return;
  }
  std::vector<std::string> names;
  while (const dirent* entry = readdir(dir)) {
    const std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  closedir(dir);
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) {
    if (out.size() >= kMaxFiles) {
      cut = true;
      return;
    }
    const std::string full = path + "/" + name, shown = relative.empty() ? name : relative + "/" + name;
    struct stat info;
    if (lstat(full.c_str(), &info) != 0) continue;
    if (S_ISDIR(info.st_mode)) {
      if (depth >= kMaxDepth)
        cut = true;
      else if (name != "__pycache__" && name != ".git")
        walk(full, shown, depth + 1, out, cut, closed);
      continue;
    }
    if (S_ISLNK(info.st_mode) && (stat(full.c_str(), &info) != 0)) continue;
    if (S_ISREG(info.st_mode)) out.push_back({full, shown});
  }
}

std::string readHead(const std::string& path) {
  std::string head(kHeadBytes, '\0');
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (!file) return "";
  head.resize(std::fread(head.data(), 1, head.size(), file));
  std::fclose(file);
  return head;
}

/// True for the files of a GraphNet capture beside its `model.py`: they describe that model.
bool describesModel(const std::string& path) {
  const size_t slash = path.rfind('/');
  const size_t leaf = slash == std::string::npos ? 0 : slash + 1;
  const std::string_view name = std::string_view(path).substr(leaf);
  for (const std::string_view known :
       {"weight_meta.py", "input_meta.py", "input_tensor_constraints.py", "graph_net.json", "graph_hash.txt"})
    if (name == known) {
      struct stat info;
      return stat((path.substr(0, leaf) + "model.py").c_str(), &info) == 0 && S_ISREG(info.st_mode);
    }
  return false;
}

bool readableName(const std::string& name) {
  const size_t slash = name.rfind('/');
  const std::string leaf = slash == std::string::npos ? name : name.substr(slash + 1);
  const size_t dot = leaf.rfind('.');
  if (dot == std::string::npos) return true;
  const std::string ext = leaf.substr(dot);
  return ext == ".log" || ext == ".txt" || ext == ".py" || ext == ".json" || ext == ".gz" || ext == ".md" ||
         ext == ".diff" || ext == ".patch" || ext == ".out" || ext == ".err";
}

class FolderInput : public Input {
 public:
  FolderInput(std::string path, std::string format) {
    path_ = std::move(path);
    format_ = std::move(format);
    diagnostics_.setFile(path_);
  }

  void addChild(std::unique_ptr<Input> child, const std::string& relative, bool only) {
    const size_t number = children_.size();
    for (size_t i = 0; i < child->graphs().size(); ++i) {
      GraphEntry g = child->graphs()[i];
      if (!only) {
        // A file with one plain graph is named by its path alone.
        const bool plain = g.id == "graph";
        g.id = plain ? relative : relative + ":" + g.id;
        // In a folder the path says more than a class name does.
        if (g.title.empty() || (plain && g.kind == "graph")) g.title = relative;
      }
      g.id = ids_.unique(g.id);
      graphs_.push_back(std::move(g));
      refs_.push_back({number, i});
    }
    for (const ir::Diagnostic& d : child->diagnostics().all()) diagnostics_.add(d);
    children_.push_back(std::move(child));
  }

  void ignore(const std::string& path, const std::string& why) {
    RecordEntry e;
    e.kind = "file";
    e.name = why;
    e.file = path;
    e.state = "ignored";
    ignored_.push_back(std::move(e));
  }
  void finish(std::string reason) {
    formatReason_ = std::move(reason);
    if (!ignored_.empty())
      diagnostics_.note("files-ignored", {},
                        std::to_string(ignored_.size()) + " files hold no graph and were left out");
  }
  ir::DiagnosticSink& sink() { return diagnostics_; }
  size_t childCount() const { return children_.size(); }

  const std::vector<RecordEntry>& records() const override {
    std::call_once(recordsOnce_, [this] {
      size_t firstGraph = 0;
      for (size_t c = 0; c < children_.size(); ++c) {
        const std::vector<RecordEntry>& from = children_[c]->records();
        for (size_t i = 0; i < from.size(); ++i) {
          RecordEntry e = from[i];
          if (e.graph >= 0) e.graph += static_cast<int>(firstGraph);
          lazyRecords_.push_back(std::move(e));
          recordRefs_.push_back({c, i});
        }
        firstGraph += children_[c]->graphs().size();
      }
      lazyRecords_.insert(lazyRecords_.end(), ignored_.begin(), ignored_.end());
    });
    return lazyRecords_;
  }
  const std::vector<FactTable>& tables() const override {
    std::call_once(tablesOnce_, [this] {
      for (const auto& child : children_)
        for (const FactTable& table : child->tables()) {
          const auto same = std::find_if(lazyTables_.begin(), lazyTables_.end(), [&](const FactTable& t) {
            return t.name == table.name && t.columns == table.columns;
          });
          if (same == lazyTables_.end())
            lazyTables_.push_back(table);
          else
            same->rows.insert(same->rows.end(), table.rows.begin(), table.rows.end());
        }
    });
    return lazyTables_;
  }
  ir::Result<std::shared_ptr<ir::Module>> load(size_t index, ir::DiagnosticSink& sink) const override {
    if (index >= refs_.size())
      return ir::failure("no-such-graph", "the input has no graph with this number", path_);
    if (sink.file().empty()) sink.setFile(graphs_[index].file);
    return children_[refs_[index].first]->load(refs_[index].second, sink);
  }
  ir::Result<std::string> text(size_t index) const override {
    if (index >= refs_.size())
      return ir::failure("no-such-graph", "the input has no graph with this number", path_);
    return children_[refs_[index].first]->text(refs_[index].second);
  }
  ir::Result<std::string> payload(size_t index) const override {
    records();
    if (index >= recordRefs_.size()) return ir::failure("no-such-record", "this record has no text", path_);
    return children_[recordRefs_[index].first]->payload(recordRefs_[index].second);
  }
  bool readInPart() const override {
    return damagedAround() || std::any_of(children_.begin(), children_.end(),
                                          [](const auto& child) { return child->readInPart(); });
  }
  std::string hashState(size_t index) const override {
    return index < refs_.size() ? children_[refs_[index].first]->hashState(refs_[index].second) : "";
  }
  std::optional<ExportSignature> exportSignature(size_t index) const override {
    if (index >= refs_.size()) return std::nullopt;
    return children_[refs_[index].first]->exportSignature(refs_[index].second);
  }
  std::vector<InputFact> inputFacts(size_t index) const override {
    if (index >= refs_.size()) return {};
    return children_[refs_[index].first]->inputFacts(refs_[index].second);
  }

 private:
  std::vector<std::unique_ptr<Input>> children_;
  std::vector<std::pair<size_t, size_t>> refs_;
  std::vector<RecordEntry> ignored_;
  GraphIds ids_;
  mutable std::once_flag recordsOnce_, tablesOnce_;
  mutable std::vector<RecordEntry> lazyRecords_;
  mutable std::vector<FactTable> lazyTables_;
  mutable std::vector<std::pair<size_t, size_t>> recordRefs_;
};

}  // namespace

ir::Result<std::unique_ptr<Input>> openFolder(const std::string& path, const OpenOptions& options) {
  std::vector<Found> files;
  std::vector<std::string> closed;
  bool cut = false;
  std::string root = path;
  while (root.size() > 1 && root.back() == '/') root.pop_back();
  walk(root, "", 0, files, cut, closed);
  if (files.empty()) {
    if (!closed.empty()) return ir::failure("no-permission", "no permission to read this folder", path);
    return ir::failure("is-empty", "the folder holds no files", path);
  }

  // Rank files that lie in one folder are one run; every other file stands for itself.
  struct Part {
    std::string relative;
    std::vector<size_t> files;  ///< several: ranks
    bool trace = false;
  };
  std::vector<Part> parts;
  std::map<std::string, size_t> rankParts;
  std::vector<std::pair<size_t, std::string>> skipped;
  for (size_t i = 0; i < files.size(); ++i) {
    if (options.progress.cancelled()) return ir::failure("cancelled", "cancelled", path);
    if (!readableName(files[i].relative)) {
      skipped.emplace_back(i, "no format that Descry reads");
      continue;
    }
    const std::string head = readHead(files[i].path);
    if (head.empty()) {
      skipped.emplace_back(i, "empty");
      continue;
    }
    std::string reason;
    const Importer* importer = looksLikeGzip(head) ? nullptr : sniffFormat(head, reason);
    if (!importer && !looksLikeGzip(head)) {
      if (describesModel(files[i].path)) continue;
      const std::string_view other = otherFramework(head);
      skipped.emplace_back(i, other.empty() ? "no graph found in it"
                                            : "a " + std::string(other) + " program, not a torch graph");
      continue;
    }
    const bool trace = importer && std::string_view(importer->name) == kTorchTraceImporter.name;
    const std::string& relative = files[i].relative;
    if (trace && rankOfFileName(relative)) {
      const size_t slash = relative.rfind('/');
      const std::string dir = slash == std::string::npos ? "" : relative.substr(0, slash);
      const auto [it, fresh] = rankParts.emplace(dir, parts.size());
      if (fresh) parts.push_back({dir, {}, true});
      parts[it->second].files.push_back(i);
      continue;
    }
    parts.push_back({relative, {i}, trace});
  }

  auto folder = std::make_unique<FolderInput>(path, "folder");
  std::vector<std::pair<std::string, std::unique_ptr<Input>>> opened;
  for (const Part& part : parts) {
    if (options.progress.cancelled()) return ir::failure("cancelled", "cancelled", path);
    OpenOptions inner = options;
    inner.name.clear();
    ir::Result<std::unique_ptr<Input>> child = ir::failure("not-recognised", "");
    if (part.files.size() > 1 || (part.trace && rankOfFileName(part.relative))) {
      std::vector<TraceIndex> ranks;
      std::optional<ir::Diagnostic> fault;
      for (const size_t i : part.files) {
        auto source = ByteSource::open(files[i].path);
        if (!source) {
          skipped.emplace_back(i, source.error().message);
          continue;
        }
        TraceIndex index;
        index.file = files[i].path;
        index.rank = rankOfFileName(files[i].path);
        index.source = *source;
        ranks.push_back(std::move(index));
      }
      std::stable_sort(ranks.begin(), ranks.end(),
                       [](const TraceIndex& a, const TraceIndex& b) { return a.rank < b.rank; });
      child = TraceInput::make(part.relative.empty() ? path : part.relative, std::move(ranks), options);
    } else {
      child = openInput(files[part.files.front()].path, inner);
    }
    if (!child) {
      if (child.error().code == "cancelled") return child.error();
      for (const size_t i : part.files) skipped.emplace_back(i, child.error().message);
      continue;
    }
    if ((*child)->graphs().empty() && (*child)->records().empty()) {
      for (const size_t i : part.files) skipped.emplace_back(i, "no graph found in it");
      continue;
    }
    opened.emplace_back(part.relative, std::move(*child));
  }
  if (opened.empty())
    return ir::failure("not-recognised",
                       "none of its " + std::to_string(files.size()) + " files is one that Descry reads",
                       path);
  const bool only = opened.size() == 1;
  std::string reason;
  if (only && opened.front().second->format() == "torch-trace")
    folder = std::make_unique<FolderInput>(path, "torch-trace");
  reason = std::to_string(opened.size()) + (only ? " input" : " inputs") + " in this folder";
  for (auto& [relative, child] : opened) folder->addChild(std::move(child), relative, only);
  std::sort(skipped.begin(), skipped.end());
  for (const auto& [i, why] : skipped) folder->ignore(files[i].path, why);
  for (const std::string& name : closed)
    folder->sink().warning("no-permission", {}, "no permission to read '" + name + "'");
  if (cut) folder->sink().warning("folder-too-large", {}, "only part of this folder was read");
  folder->finish(reason);
  return std::unique_ptr<Input>(std::move(folder));
}

}  // namespace descry::importers

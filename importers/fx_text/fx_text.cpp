// The importer for FX readable text: a file that holds one module or many.
#include "importers/fx_text/fx_text.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <mutex>

#include "importers/common/byte_source.h"
#include "importers/common/graph_ids.h"
#include "importers/fx_text/script.h"
#include "ir/support/python_text.h"

namespace descry::importers {

namespace {

constexpr size_t kMaxText = size_t{1} << 30;

/// LF line ends, valid UTF-8, no colours. Lines keep their numbers; columns behind a removed colour shift.
std::string normalise(std::string_view text, ir::DiagnosticSink& sink) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  std::string out;
  const bool carriage = std::memchr(text.data(), '\r', text.size()) != nullptr;
  const bool escape = std::memchr(text.data(), '\x1b', text.size()) != nullptr;
  const bool nul = std::memchr(text.data(), '\0', text.size()) != nullptr;
  if (carriage || escape || nul) {
    out.reserve(text.size());
    for (size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      if (c == '\r') {
        if (i + 1 < text.size() && text[i + 1] == '\n') continue;
        out += '\n';
      } else if (c == '\x1b' && i + 1 < text.size() && text[i + 1] == '[') {
        size_t k = i + 2;
        while (k < text.size() && ((text[k] >= '0' && text[k] <= '9') || text[k] == ';')) ++k;
        if (k < text.size() && text[k] == 'm') i = k;
      } else if (c == '\0') {
        out += "\xEF\xBF\xBD";
      } else {
        out += c;
      }
    }
    if (nul) sink.warning("nul-byte", {}, "the text holds NUL bytes; they are shown as U+FFFD");
  } else {
    out = std::string(text);
  }
  size_t bad = 0;
  std::string clean = ir::cleanUtf8(out, bad);
  if (bad)
    sink.warning("invalid-utf8", {}, std::to_string(bad) + " bytes are not UTF-8; they are shown as U+FFFD");
  return clean;
}

constexpr size_t kMaxMetadata = size_t{64} << 20;
constexpr size_t kMaxScriptGraphs = 1000;  // subgraph classes may be used again and again

class FxTextInput final : public Input {
 public:
  FxTextInput(const std::string& path, std::string text, const OpenOptions& options)
      : text_(std::move(text)) {
    path_ = path.empty() ? options.name : path;
    format_ = "fx-text";
    diagnostics_.setFile(path_);
    text_ = normalise(text_, diagnostics_);
    regions_ = findFxRegions(text_);
    script_ = fx::readScript(text_);
    const std::vector<bool> used = usedAsSubgraphs();
    for (size_t i = 0; i < regions_.size(); ++i)
      if (!used[i]) listed_.push_back(i);
    for (size_t i = 0; i < listed_.size(); ++i) {
      const FxRegion& r = regions_[listed_[i]];
      GraphEntry g;
      g.id = i == 0 ? "graph" : "graph#" + std::to_string(i + 1);
      g.kind = listed_.size() == 1 ? kindOfFile(path_) : "graph";
      g.title = r.title;
      g.file = path_;
      g.begin = {r.line + 1, 1, static_cast<int64_t>(r.begin)};
      g.bytes = r.end - r.begin;
      graphs_.push_back(std::move(g));
    }
    listRanges();
  }

  void setReason(std::string reason) { formatReason_ = std::move(reason); }
  /// Files whose tensor metadata belongs to the inputs of this model.
  void setMetadata(std::vector<std::string> paths) { metadata_ = std::move(paths); }

  ir::Result<std::shared_ptr<ir::Module>> load(size_t index, ir::DiagnosticSink& sink) const override {
    if (index >= listed_.size())
      return ir::failure("no-such-graph", "the input has no graph with this number", path_);
    sink.setFile(path_);
    const size_t region = listed_[index];
    auto module = parse(region, sink, nullptr);
    addSubgraphs(*module, region, sink, kMaxClassNesting);
    labelModules(*module, region);
    ir::Graph& root = module->root();
    // A script feeds its last class.
    if (region + 1 == regions_.size()) fx::annotateInputs(root, script_.inputs);
    if (!metadata_.empty()) fx::annotateInputs(root, metadataTypes());
    return module;
  }

  ir::Result<std::string> text(size_t index) const override {
    if (index >= listed_.size())
      return ir::failure("no-such-graph", "the input has no graph with this number", path_);
    const FxRegion& r = regions_[listed_[index]];
    return text_.substr(r.begin, r.end - r.begin);
  }

  std::optional<ExportSignature> exportSignature(size_t index) const override {
    if (index >= listed_.size()) return std::nullopt;
    const size_t region = listed_[index], begin = regions_[region].begin;
    const size_t end = region + 1 < regions_.size() ? regions_[region + 1].begin : text_.size();
    return findExportSignature(std::string_view(text_).substr(begin, end - begin));
  }

 private:
  /// Of printed ExportedPrograms: the ranges of their symbols as a table.
  void listRanges() {
    if (text_.find("Range constraints: {") == std::string::npos) return;
    FactTable table{"range-constraints", {"graph", "symbol", "range"}, {}};
    for (size_t i = 0; i < graphs_.size(); ++i)
      if (const auto signature = exportSignature(i))
        for (const auto& [symbol, range] : signature->ranges)
          table.rows.push_back({graphs_[i].id, symbol, range});
    if (!table.rows.empty()) tables_.push_back(std::move(table));
  }

  static constexpr int kMaxClassNesting = 50;

  std::shared_ptr<ir::Module> parse(size_t region, ir::DiagnosticSink& sink, ir::ContextPtr context) const {
    const FxRegion& r = regions_[region];
    LineMap map;
    map.first = {r.line + 1, 1, static_cast<int64_t>(r.begin)};
    return parseFxText(std::string_view(text_).substr(r.begin, r.end - r.begin), map, sink,
                       std::move(context));
  }

  /// The class that `maker()` means above region `user`: the last one of this name.
  std::optional<size_t> madeBy(const std::string& maker, size_t user) const {
    for (size_t i = std::min(user, regions_.size()); i-- > 0;)
      if (regions_[i].title == maker) return i;
    return std::nullopt;
  }

  std::vector<bool> usedAsSubgraphs() const {
    std::vector<bool> used(regions_.size(), false);
    if (script_.attributes.empty()) return used;
    for (size_t i = 0; i < regions_.size(); ++i)
      for (const auto& a : script_.attributes)
        if (a.owner == regions_[i].title)
          if (const auto made = madeBy(a.maker, i)) used[*made] = true;
    return used;
  }

  /// Newer scripts write each subgraph as a class of its own above the one that uses it, and make it in
  /// `__init__`; older ones lost the bodies.
  void addSubgraphs(ir::Module& module, size_t region, ir::DiagnosticSink& sink, int depth) const {
    for (const auto& a : script_.attributes) {
      if (a.owner != regions_[region].title) continue;
      if (a.maker == "<lambda>") {
        sink.note("missing-subgraph", module.root().begin,
                  "the script does not hold the body of subgraph '" + a.name + "'");
        for (const ir::NodeId id : module.root().nodes())
          if (module.root().node(id).op == ir::OpKind::GetAttr && module.root().target(id) == a.name)
            fx::addMeta(module.root(), id, "subgraph", "missing: the script lost its body");
        continue;
      }
      const auto made = madeBy(a.maker, region);
      if (!made || depth == 0 || module.graphs.size() >= kMaxScriptGraphs) continue;
      const auto child = parse(*made, sink, module.contextPtr());
      addSubgraphs(*child, *made, sink, depth - 1);
      const uint32_t base = static_cast<uint32_t>(module.graphs.size());
      for (ir::Graph& g : child->graphs) {
        g.parent = g.parent ? *g.parent + base : 0;
        for (ir::Graph::Child& c : g.children) c.graph += base;
        module.graphs.push_back(std::move(g));
      }
      module.root().children.push_back({module.context().intern(a.name), base});
    }
  }

  /// print(gm) writes the tree of modules above the function.
  void labelModules(ir::Module& module, size_t region) const {
    ir::Graph& root = module.root();
    if (root.style.hasClass) return;
    const size_t from = region ? regions_[region - 1].end : 0;
    const std::string_view above = std::string_view(text_).substr(from, regions_[region].begin - from);
    if (above.find("): ") == std::string_view::npos) return;
    const auto tree = fx::readModuleTree(above);
    for (const ir::NodeId id : root.nodes())
      if (root.node(id).op == ir::OpKind::CallModule)
        if (const auto found = tree.find(std::string(root.target(id))); found != tree.end())
          fx::addMeta(root, id, "module", found->second);
  }

  const std::unordered_map<std::string, std::string>& metadataTypes() const {
    std::call_once(metadataOnce_, [this] {
      for (const std::string& path : metadata_)
        if (auto source = ByteSource::open(path); source && (*source)->bytes().size() <= kMaxMetadata)
          fx::readModelMetadata((*source)->bytes(), metadataTypes_);
    });
    return metadataTypes_;
  }

  std::string text_;
  std::vector<FxRegion> regions_;
  std::vector<size_t> listed_;  // regions that are graphs of their own
  fx::ScriptFacts script_;
  std::vector<std::string> metadata_;
  mutable std::once_flag metadataOnce_;
  mutable std::unordered_map<std::string, std::string> metadataTypes_;
};

int sniff(std::string_view head, std::string& reason) {
  if (!otherFramework(head).empty()) return 0;
  const bool cls =
      head.find("class ") != std::string_view::npos && head.find("Module):") != std::string_view::npos;
  const bool def = head.find("def forward(") != std::string_view::npos;
  if (cls && head.find("def ") != std::string_view::npos) {
    reason = "holds `class ...(torch.nn.Module):` with a function below";
    return 60;
  }
  if (def) {
    reason = "holds `def forward(`";
    return 50;
  }
  return 0;
}

ir::Result<std::unique_ptr<Input>> open(const std::string& path, std::optional<std::string> content,
                                        const OpenOptions& options) {
  if (!content) {
    auto source = ByteSource::open(path);
    if (!source) return source.error();
    const std::string_view view = (*source)->bytes();
    if (view.size() > kMaxText) return ir::failure("too-large", "graph text over 1 GiB", path);
    content = std::string(view);
  }
  std::string reason;
  sniff(std::string_view(*content).substr(0, 256 * 1024), reason);
  auto input = std::make_unique<FxTextInput>(path, std::move(*content), options);
  input->setReason(reason.empty() ? "asked for" : reason);
  std::vector<std::string> beside;
  for (const std::string& file : modelMetadataFiles(path)) {
    std::error_code error;
    if (std::filesystem::is_regular_file(file, error)) beside.push_back(file);
  }
  input->setMetadata(std::move(beside));
  return std::unique_ptr<Input>(std::move(input));
}

}  // namespace

std::vector<std::string> modelMetadataFiles(const std::string& path) {
  const std::filesystem::path file(path);
  if (file.filename() != "model.py") return {};
  std::vector<std::string> out;
  for (const char* name : {"weight_meta.py", "input_meta.py"})
    out.push_back((file.parent_path() / name).string());
  return out;
}

std::string_view otherFramework(std::string_view head) {
  if (head.starts_with("import paddle") || head.find("\nimport paddle") != std::string_view::npos ||
      head.find("(paddle.nn.Layer)") != std::string_view::npos)
    return "Paddle";
  return {};
}

const Importer kFxTextImporter = {"fx-text", "FX readable text (print_readable, gm.code, repro scripts)",
                                  sniff, open};

}  // namespace descry::importers

// The importer for FX readable text: a file that holds one module or many.
#include "importers/fx_text/fx_text.h"

#include <algorithm>
#include <cstring>

#include "importers/common/byte_source.h"
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

class FxTextInput final : public Input {
 public:
  FxTextInput(const std::string& path, std::string text, const OpenOptions& options)
      : text_(std::move(text)) {
    path_ = path.empty() ? options.name : path;
    format_ = "fx-text";
    diagnostics_.setFile(path_);
    text_ = normalise(text_, diagnostics_);
    regions_ = findFxRegions(text_);
    for (size_t i = 0; i < regions_.size(); ++i) {
      const FxRegion& r = regions_[i];
      GraphEntry g;
      g.id = i == 0 ? "graph" : "graph#" + std::to_string(i + 1);
      g.kind = "graph";
      g.title = r.title;
      g.file = path_;
      g.begin = {r.line + 1, 1, static_cast<int64_t>(r.begin)};
      g.bytes = r.end - r.begin;
      graphs_.push_back(std::move(g));
    }
  }

  void setReason(std::string reason) { formatReason_ = std::move(reason); }

  ir::Result<std::shared_ptr<ir::Module>> load(size_t index, ir::DiagnosticSink& sink) const override {
    const FxRegion& r = regions_[index];
    LineMap map;
    map.first = {r.line + 1, 1, static_cast<int64_t>(r.begin)};
    sink.setFile(path_);
    return parseFxText(std::string_view(text_).substr(r.begin, r.end - r.begin), map, sink);
  }

  ir::Result<std::string> text(size_t index) const override {
    const FxRegion& r = regions_[index];
    return text_.substr(r.begin, r.end - r.begin);
  }

 private:
  std::string text_;
  std::vector<FxRegion> regions_;
};

int sniff(std::string_view head, std::string& reason) {
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
  return std::unique_ptr<Input>(std::move(input));
}

}  // namespace

const Importer kFxTextImporter = {"fx-text", "FX readable text (print_readable, gm.code, repro scripts)",
                                  sniff, open};

}  // namespace descry::importers

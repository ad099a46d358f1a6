#include "importers/descry_json/descry_json.h"

#include "importers/common/byte_source.h"
#include "importers/descry_json/document.h"
#include "importers/descry_json/field_reader.h"
#include "ir/support/python_text.h"

namespace descry::importers {

namespace {

using ir::Diagnostic;
using ir::Result;

std::string_view withoutBom(std::string_view text) {
  return text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text;
}

int sniff(std::string_view head, std::string& reason) {
  head = withoutBom(head);
  const size_t start = head.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos || head[start] != '{') return 0;
  if (head.find("\"descry.graph/") == std::string_view::npos) return 0;
  reason = "a JSON object with \"schema\": \"descry.graph/...\"";
  return 100;
}

class DescryJsonInput : public Input {
 public:
  DescryJsonInput(std::string path, std::shared_ptr<const ByteSource> source, const DescryJsonHead& head)
      : source_(std::move(source)) {
    path_ = std::move(path);
    format_ = "descry-json";
    formatReason_ = "a JSON object with \"schema\": \"" + head.schema + "\"";
    GraphEntry entry;
    entry.id = "graph";
    entry.kind = head.kind.empty() ? "graph" : head.kind;
    entry.compileId = head.compileId;
    entry.title = head.title;
    entry.file = path_;
    entry.begin = {1, 1, 0};
    entry.bytes = source_->bytes().size();
    graphs_.push_back(std::move(entry));
    diagnostics_.setFile(path_);
  }

  Result<std::shared_ptr<ir::Module>> load(size_t index, ir::DiagnosticSink& sink) const override {
    if (index >= graphs_.size()) return ir::failure("graph-not-found", "the input holds one graph", path_);
    if (const ir::Status same = source_->unchanged(); !same.ok()) return same.error();
    if (sink.file().empty()) sink.setFile(path_);
    const std::shared_ptr<ir::Module> module = parseDescryJson(source_->bytes(), sink);
    if (!module) return ir::failure("json-not-descry", "the text is not a readable Descry graph", path_);
    return module;
  }

  Result<std::string> text(size_t index) const override {
    if (index >= graphs_.size()) return ir::failure("graph-not-found", "the input holds one graph", path_);
    if (const ir::Status same = source_->unchanged(); !same.ok()) return same.error();
    return std::string(source_->bytes());
  }

 private:
  std::shared_ptr<const ByteSource> source_;
};

Result<std::unique_ptr<Input>> open(const std::string& path, std::optional<std::string> content,
                                    const OpenOptions& options) {
  std::shared_ptr<const ByteSource> source;
  if (content) {
    source = ByteSource::fromMemory(std::move(*content));
  } else {
    auto opened = ByteSource::open(path);
    if (!opened.ok()) return opened.error();
    source = std::move(opened.value());
  }
  ir::DiagnosticSink sink;
  sink.setFile(options.name.empty() ? path : options.name);
  const std::string_view text = source->bytes();
  DescryJsonHead head;
  if (!readDescryJsonHead(withoutBom(text), sink, head)) {
    for (const Diagnostic& d : sink.all())
      if (d.severity == ir::Severity::Error) return d;
    return ir::failure("json-not-descry", "this is not a Descry graph in JSON", sink.file());
  }
  return std::unique_ptr<Input>(
      std::make_unique<DescryJsonInput>(options.name.empty() ? path : options.name, std::move(source), head));
}

}  // namespace

bool readDescryJsonHead(std::string_view text, ir::DiagnosticSink& sink, DescryJsonHead& head) {
  FieldReader fields(text, sink);
  JsonReader r(text);
  const JsonKind kind = r.peek();
  if (kind != JsonKind::Object) {
    fields.fault(kind == JsonKind::Bad ? "json-syntax" : "json-not-descry", r.position(),
                 kind == JsonKind::Bad ? r.error() : "a Descry graph in JSON is an object");
    return false;
  }
  r.enter();
  std::string key;
  size_t schemaAt = 0;
  for (bool first = true; r.nextKey(first, key);) {
    if (key == "schema") {
      r.peek();
      schemaAt = r.position();
      fields.string(r, key, head.schema);
    } else if (key == "kind") {
      fields.string(r, key, head.kind);
    } else if (key == "compileId") {
      fields.string(r, key, head.compileId);
    } else if (key == "title") {
      fields.string(r, key, head.title);
    } else if (key == "graphs" && !head.schema.empty()) {
      break;  // Descry writes the head first
    } else {
      r.skip();
    }
  }
  if (head.schema.empty()) {
    if (!r.ok()) {
      fields.fault("json-syntax", r.position(), r.error());
    } else {
      fields.fault("json-not-descry", 0, "\"schema\": \"descry.graph/1\" is missing");
    }
    return false;
  }
  constexpr std::string_view kPrefix = "descry.graph/";
  const std::string_view schema = head.schema;
  const size_t dot = schema.find('.', kPrefix.size());
  int64_t major = 0, minor = 0;
  if (!schema.starts_with(kPrefix) || !parseInt(schema.substr(0, dot).substr(kPrefix.size()), major) ||
      (dot != std::string_view::npos && !parseInt(schema.substr(dot + 1), minor))) {
    fields.fault("json-not-descry", schemaAt,
                 "the schema is '" + head.schema + "', expected 'descry.graph/1'");
    return false;
  }
  if (major != 1) {
    fields.fault("json-newer-schema", schemaAt,
                 "the file has schema '" + head.schema + "', this program reads 'descry.graph/1'");
    return false;
  }
  if (minor > 0)
    sink.note(
        "json-newer-minor", fields.place(schemaAt),
        "the file has the newer schema '" + head.schema + "'; what this program does not know is left out");
  return true;
}

std::shared_ptr<ir::Module> parseDescryJson(std::string_view text, ir::DiagnosticSink& sink,
                                            ir::ContextPtr context, DescryJsonHead* head) {
  text = withoutBom(text);
  size_t bad = 0;
  const std::string clean = ir::cleanUtf8(text, bad);
  if (bad) {
    sink.warning("json-bad-utf8", {1, 1, 0},
                 std::to_string(bad) + " bytes are not UTF-8 and were replaced by U+FFFD");
    text = clean;
  }
  DescryJsonHead own;
  if (!readDescryJsonHead(text, sink, head ? *head : own)) return nullptr;
  if (!context) context = std::make_shared<ir::Context>();
  return readDescryJsonModule(text, sink, std::move(context));
}

const Importer kDescryJsonImporter = {"descry-json", "Descry's own lossless JSON (descry.graph/1)", sniff,
                                      open};

}  // namespace descry::importers

#include "exporters/csv/csv.h"

#include <initializer_list>

#include "exporters/common/escape.h"
#include "exporters/common/facts.h"

namespace descry::exporters {

using namespace ir;

namespace {

class CsvWriter {
 public:
  explicit CsvWriter(std::initializer_list<std::string_view> columns) {
    for (std::string_view column : columns) field(column);
    endRow();
  }
  void field(std::string_view text) {
    if (!first_) out_ += ',';
    first_ = false;
    appendCsvField(out_, text);
  }
  void number(uint64_t value) { field(std::to_string(value)); }
  void optional(const std::optional<int64_t>& value) {
    field(value ? std::to_string(*value) : std::string());
  }
  void endRow() {
    out_ += "\r\n";
    first_ = true;
  }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
  bool first_ = true;
};

std::optional<int64_t> bytesOf(const Type& type) {
  if (type.kind != TypeKind::Tensor) return std::nullopt;
  return type.tensor.bytes();
}

void typeFields(CsvWriter& csv, const Type& type) {
  csv.field(type.text);
  csv.field(dtypeOf(type));
  csv.field(shapeOf(type));
  csv.optional(bytesOf(type));
}

}  // namespace

Result<std::string> exportNodeCsv(const ExportInput& input, const ExportOptions&) {
  const Subject subject(input);
  const Graph& g = subject.graph();
  // One pass over the argument trees counts readers; use lists would be walked once per node.
  std::vector<uint32_t> users(g.idBound(), 0), inputs(g.idBound(), 0), seenBy(g.idBound(), NodeId::kNone);
  for (NodeId id : g.nodes()) {
    g.forEachInput(id, [&](NodeId in) {
      if (seenBy[in.index] == id.index) return;
      seenBy[in.index] = id.index;
      ++users[in.index];
      ++inputs[id.index];
    });
  }
  CsvWriter csv({"order", "name", "op", "target", "type", "dtype", "shape", "bytes", "phase", "descriptor",
                 "file", "line", "inputs", "users"});
  uint32_t order = 0;
  for (NodeId id : g.nodes()) {
    const Node& n = g.node(id);
    const Source& source = g.source(id);
    csv.number(order++);
    csv.field(g.str(n.name));
    csv.field(opKindName(n.op));
    csv.field(g.str(n.target));
    typeFields(csv, g.type(id));
    const Phase phase = subject.phases()[id];
    csv.field(phase == Phase::None ? std::string_view() : phaseName(phase));
    csv.field(n.desc ? g.str(g.context().descriptor(n.desc).text) : std::string_view());
    csv.field(source.file ? g.str(source.file) : std::string_view());
    csv.field(source.line ? std::to_string(source.line) : std::string());
    csv.number(inputs[id.index]);
    csv.number(users[id.index]);
    csv.endRow();
  }
  return csv.take();
}

Result<std::string> exportIoCsv(const ExportInput& input, const ExportOptions&) {
  const Subject subject(input);
  const Graph& g = subject.graph();
  CsvWriter csv(
      {"direction", "position", "name", "type", "dtype", "shape", "bytes", "descriptor", "meaning"});
  uint32_t position = 0;
  for (NodeId id : g.placeholders()) {
    const Descriptor* d = g.descriptor(id);
    csv.field("input");
    csv.number(position++);
    csv.field(g.nodeName(id));
    typeFields(csv, g.type(id));
    csv.field(g.node(id).desc ? g.str(g.context().descriptor(g.node(id).desc).text) : std::string_view());
    csv.field(d ? d->words() : std::string());
    csv.endRow();
  }
  position = 0;
  for (const OutputSlot& slot : outputSlots(g)) {
    csv.field("output");
    csv.number(position++);
    csv.field(slot.value);
    typeFields(csv, slot.node ? g.type(slot.node) : Type());
    csv.field(slot.descriptor);
    csv.field(slot.parsed ? slot.parsed->words() : std::string());
    csv.endRow();
  }
  return csv.take();
}

}  // namespace descry::exporters

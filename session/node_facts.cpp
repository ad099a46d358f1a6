#include <algorithm>

#include "ir/analysis/boundary.h"
#include "ir/analysis/module_paths.h"
#include "ir/annotations/colours.h"
#include "ir/ops/registry.h"
#include "ir/text/printer.h"
#include "session/node_text.h"
#include "session/views.h"

namespace descry::session {

namespace {

constexpr size_t kMaxLinks = 200;  // rows per section: a constant read by 10^6 nodes must not fill the panel

class Facts {
 public:
  Facts(const LoadedGraph& lg, ir::NodeId id) : lg_(lg), g_(*lg.graph), id_(id), n_(g_.node(id)) {}

  std::vector<FactRow> run() {
    identity();
    type();
    io();
    links();
    source();
    log();
    return std::move(rows_);
  }

 private:
  FactRow& add(const char* section, std::string label, std::string value, Origin origin = Origin::Recorded) {
    FactRow row;
    row.section = section;
    row.label = std::move(label);
    row.value = std::move(value);
    row.origin = origin;
    rows_.push_back(std::move(row));
    return rows_.back();
  }

  void identity() {
    add("facts", "name", std::string(g_.nodeName(id_)));
    add("facts", "op", std::string(shortOp(g_, id_)));
    if (n_.target) add("facts", "target", std::string(g_.target(id_)));
    add("facts", "kind", std::string(ir::opKindName(n_.op)));
    add("facts", "role", std::string(ir::roleName(ir::nodeRole(g_, id_))));
    if (n_.op != ir::OpKind::Placeholder && n_.op != ir::OpKind::Output)
      add("facts", "expression", ir::printExpression(g_, id_));
    if (n_.flags & ir::kNodeExternal)
      add("facts", "note", "made up: the text uses this name but never defines it", Origin::Inferred).hint =
          "the text starts or breaks off inside the graph";
    if (n_.flags & ir::kNodeUnparsed)
      add("facts", "note", "this statement could not be read; its text is kept");
    const bool joint = lg_.phases.joint;
    if (joint || lg_.phases[id_] != ir::Phase::None) {
      add("facts", "phase", std::string(ir::phaseName(lg_.phases[id_])), Origin::Inferred).hint =
          "backward: depends on a tangent; forward: does not, and an output or effect needs it; either: only "
          "the "
          "backward uses it";
    }
    if (lg_.cut && id_.index < lg_.cut->size()) cut((*lg_.cut)[id_.index]);
    if (n_.op == ir::OpKind::CallFunction) {
      if (const ir::OpDef* def = ir::allOps().find(g_.target(id_)))
        add("facts", "schema", def->schema().str());
    }
  }

  void cut(const ir::NodeCut& c) {
    if (c.fate == ir::CutFate::None) return;
    add("facts", "cut",
        std::string(ir::cutFateText(c.fate)) + (c.reason.empty() ? std::string() : ": " + c.reason));
  }

  void type() {
    const ir::Type& t = g_.type(id_);
    if (t.kind == ir::TypeKind::None) {
      if (n_.op != ir::OpKind::Output)
        add("facts", "type", "", Origin::Absent).hint =
            "the text holds no types; print it with print_readable() on a graph with fake tensors, or use "
            "TORCH_TRACE";
      return;
    }
    add("facts", "type", t.text);
    if (t.kind != ir::TypeKind::Tensor) return;
    add("facts", "dtype",
        t.tensor.dtype == ir::DType::Unknown
            ? t.tensor.dtypeText
            : dtypeText(t) + " (torch." + std::string(ir::dtypeInfo(t.tensor.dtype).torchName) + ")");
    add("facts", "shape", shapeText(t));
    if (t.tensor.strides) {
      std::string s = "[";
      for (size_t i = 0; i < t.tensor.strides->size(); ++i)
        s += (i ? ", " : "") + (*t.tensor.strides)[i].str();
      add("facts", "strides", s + "]");
    } else {
      add("facts", "strides", "", Origin::Absent).hint =
          "print_readable(include_stride=True) and TORCH_TRACE write them";
    }
    if (t.tensor.device.empty())
      add("facts", "device", "", Origin::Absent).hint =
          "print_readable(include_device=True) and TORCH_TRACE write it";
    else
      add("facts", "device", t.tensor.device);
    if (const auto bytes = t.tensor.bytes())
      add("facts", "bytes", formatBytes(*bytes) + " (" + std::to_string(*bytes) + ")");
    else
      add("facts", "bytes", "", Origin::Absent).hint = "a size is symbolic or the dtype is not known";
  }

  void io() {
    if (n_.op != ir::OpKind::Placeholder && !isOutput()) return;
    for (const IoRow& row : ioRows(lg_)) {
      if (row.node != id_) continue;
      const std::string slot = (row.input ? "input " : "output ") + std::to_string(row.position);
      add("descriptor", slot, row.words, row.origin).hint = row.originRule;
      rows_.back().link = row.partner;
      if (!row.descriptor.empty()) add("descriptor", "descriptor", row.descriptor);
      if (const ir::Descriptor* d = row.input ? g_.descriptor(id_) : nullptr)
        add("descriptor", "expression", d->expr());
      if (!row.path.empty())
        add("descriptor", "path", row.path,
            row.origin == Origin::Recorded ? Origin::Recorded : Origin::Inferred)
            .hint = row.originRule;
      if (!row.gradOrTangent.empty()) {
        FactRow& r = add("descriptor", row.input ? "gradient" : "tangent", row.gradOrTangent, row.origin);
        r.link = row.partner;
        r.hint = row.originRule;
      }
      if (!row.source.empty()) add("log", "source", row.source);
      if (!row.facts.empty()) add("log", "tensor", row.facts);
    }
  }

  bool isOutput() const {
    for (ir::NodeId user : g_.users(id_))
      if (g_.node(user).op == ir::OpKind::Output) return true;
    return false;
  }

  void links() {
    size_t shown = 0, total = 0;
    for (ir::NodeId in : g_.inputs(id_)) {
      ++total;
      if (shown >= kMaxLinks) continue;
      add("inputs", std::to_string(shown++), std::string(g_.nodeName(in)) + ": " + g_.type(in).text).link =
          in;
    }
    if (total > shown) add("inputs", "", "and " + std::to_string(total - shown) + " more");
    shown = total = 0;
    for (ir::NodeId user : g_.users(id_)) {
      ++total;
      if (shown >= kMaxLinks) continue;
      const bool out = g_.node(user).op == ir::OpKind::Output;
      add("outputs", std::to_string(shown++),
          out ? "returned" : std::string(g_.nodeName(user)) + ": " + g_.type(user).text)
          .link = user;
    }
    if (total > shown) add("outputs", "", "and " + std::to_string(total - shown) + " more");
    if (!total && n_.op != ir::OpKind::Output) add("outputs", "", "nobody reads it");
  }

  void source() {
    const ir::Source& s = g_.source(id_);
    if (!n_.source || s.noStackTrace || !s.file) {
      if (n_.op == ir::OpKind::Output) return;
      add("source", "place", "", Origin::Absent).hint =
          "graphs captured by torch.compile hold it, traced ones (make_fx) do not";
    } else {
      std::string place = std::string(g_.str(s.file)) + ":" + std::to_string(s.line);
      add("source", s.backward ? "backward of" : "place", place);
      if (s.function) add("source", "function", std::string(g_.str(s.function)));
      if (s.code) add("source", "code", std::string(g_.str(s.code)));
    }
    if (s.tags) add("source", "tags", std::string(g_.str(s.tags)));
    const ir::ModuleMap modules = ir::findModules(g_);
    if (const std::string_view path = modules.path(id_); !path.empty())
      add("source", "module", std::string(path), modules.inferred ? Origin::Inferred : Origin::Recorded)
          .hint = modules.inferred ? "from " + modules.source : "";
    if (n_.line) add("source", "line in this file", std::to_string(n_.line));
  }

  void log() {
    if (const auto* meta = g_.meta(id_))
      for (const ir::NodeMetaEntry& e : *meta) add("log", e.key, e.value);
  }

  const LoadedGraph& lg_;
  const ir::Graph& g_;
  ir::NodeId id_;
  const ir::Node& n_;
  std::vector<FactRow> rows_;
};

}  // namespace

std::vector<FactRow> nodeFacts(const LoadedGraph& lg, ir::NodeId node) {
  if (!node || !lg.graph->contains(node)) return {};
  return Facts(lg, node).run();
}

}  // namespace descry::session

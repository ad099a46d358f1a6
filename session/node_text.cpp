#include "session/node_text.h"

#include "ir/annotations/colours.h"

namespace descry::session {

std::string_view shortTarget(std::string_view target) {
  std::string_view out = target;
  if (out.substr(0, 10) == "torch.ops.") {
    out.remove_prefix(10);
    if (const size_t dot = out.find('.'); dot != std::string_view::npos) out.remove_prefix(dot + 1);
    if (out.size() > 8 && out.substr(out.size() - 8) == ".default") out.remove_suffix(8);
    return out;
  }
  for (std::string_view prefix : {"operator.", "_operator.", "builtins.", "math."})
    if (out.substr(0, prefix.size()) == prefix) return out.substr(prefix.size());
  if (const size_t dot = out.rfind('.');
      dot != std::string_view::npos && dot + 1 < out.size() && out.substr(0, 6) == "torch.")
    return out.substr(dot + 1);
  return out;
}

std::string_view shortOp(const ir::Graph& graph, ir::NodeId id) {
  const ir::OpKind op = graph.node(id).op;
  if (op == ir::OpKind::CallFunction || op == ir::OpKind::CallMethod || op == ir::OpKind::CallModule)
    return shortTarget(graph.target(id));
  return ir::opKindName(op);
}

std::string dtypeText(const ir::Type& type) {
  if (type.kind == ir::TypeKind::Sym) return "Sym";
  if (type.kind != ir::TypeKind::Tensor && type.kind != ir::TypeKind::Wrapped) return {};
  if (type.tensor.dtype == ir::DType::Unknown) return type.tensor.dtypeText;
  return std::string(ir::dtypeInfo(type.tensor.dtype).shortName);
}

std::string shapeText(const ir::Type& type) {
  if (type.kind != ir::TypeKind::Tensor && type.kind != ir::TypeKind::Wrapped) return {};
  std::string out = "[";
  for (size_t i = 0; i < type.tensor.shape.size(); ++i) out += (i ? ", " : "") + type.tensor.shape[i].str();
  return out + "]";
}

std::optional<int64_t> bytesOf(const ir::Type& type) {
  if (type.kind != ir::TypeKind::Tensor) return std::nullopt;
  return type.tensor.bytes();
}

std::string formatBytes(int64_t bytes) {
  return ir::bytesWords(bytes);
}

std::string counted(uint64_t n, std::string_view noun) {
  return std::to_string(n) + " " + std::string(noun) + (n == 1 ? "" : "s");
}

}  // namespace descry::session

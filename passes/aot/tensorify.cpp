#include "passes/aot/tensorify.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>

#include "ir/ops/eval/promotion.h"
#include "ir/ops/registry.h"
#include "passes/core/number_kind.h"

namespace descry::passes {

namespace {

using ir::Argument;
using ir::DType;
using ir::NodeId;
using ir::SymExpr;
using ir::SymKind;

constexpr std::pair<std::string_view, std::string_view> kReplacements[] = {
    {"mul.Tensor", "mul.Tensor"},
    {"add.Tensor", "add.Tensor"},
    {"sub.Tensor", "sub.Tensor"},
    {"div.Tensor", "div.Tensor"},
    {"pow.Tensor_Tensor", "pow.Tensor_Tensor"},
    {"gt.Scalar", "gt.Tensor"},
    {"lt.Scalar", "lt.Tensor"},
    {"ge.Scalar", "ge.Tensor"},
    {"le.Scalar", "le.Tensor"},
    {"eq.Scalar", "eq.Tensor"},
    {"ne.Scalar", "ne.Tensor"},
    {"clamp_min.default", "clamp_min.Tensor"},
    {"clamp_max.default", "clamp_max.Tensor"}};

/// A 0-d tensor of the graph.
struct Tensor0 {
  NodeId node;
  DType dtype = DType::F32;
};

class Tensorifier {
 public:
  explicit Tensorifier(ir::Graph& graph) : graph_(graph) {}

  bool run() {
    const std::vector<NodeId> nodes = [&] {
      std::vector<NodeId> all;
      for (const NodeId id : graph_.nodes()) all.push_back(id);
      return all;
    }();
    size_t firstCall = 0;
    while (firstCall < nodes.size() && graph_.node(nodes[firstCall]).op == ir::OpKind::Placeholder)
      ++firstCall;
    bool changed = false;
    for (size_t i = 0; i + 1 < nodes.size(); ++i) {
      before_ = nodes[i < firstCall ? firstCall : i + 1];
      const NodeId id = nodes[i];
      remember(id);
      changed = replace(id) || changed;
    }
    return changed;
  }

 private:
  void remember(NodeId id) {
    if (graph_.type(id).kind != ir::TypeKind::Sym) return;
    const ir::Result<SymExpr> e = SymExpr::parse(graph_.type(id).sym);
    if (!e || e->isInteger()) return;
    numbers_.try_emplace(e->text(), id);
    if (graph_.node(id).op != ir::OpKind::CallFunction ||
        graph_.target(id) != "torch.ops.aten._local_scalar_dense.default")
      return;
    const NodeId from = graph_.arg(id, 0).node();
    const ir::Type& type = graph_.type(from);
    if (!ir::eval::isFloating(type.tensor.dtype)) return;
    source_ = id;
    device_ = type.tensor.device;
    Tensor0 t{from, type.tensor.dtype};
    if (!type.tensor.shape.empty())
      t = call("aten.reshape.default", {Argument(from), Argument::list({})}, t.dtype);
    tensors_[e->text()] = converted(t, DType::F64);
  }

  bool replace(NodeId id) {
    if (graph_.node(id).op != ir::OpKind::CallFunction || graph_.type(id).kind != ir::TypeKind::Tensor)
      return false;
    std::string_view target = graph_.target(id);
    if (!target.starts_with("torch.ops.aten.")) return false;
    target.remove_prefix(15);
    const auto found = std::find_if(std::begin(kReplacements), std::end(kReplacements),
                                    [&](const auto& r) { return r.first == target; });
    if (found == std::end(kReplacements)) return false;
    source_ = id;
    const DType dtype = graph_.type(id).tensor.dtype;
    device_ = graph_.type(id).tensor.device;
    const DType compute = dtype == DType::BF16 || dtype == DType::F16 ? DType::F32 : dtype;
    std::vector<Argument> args;
    bool any = false;
    for (uint32_t i = 0; i < graph_.argCount(id); ++i) {
      const ir::ArgView a = graph_.arg(id, i);
      args.push_back(graph_.toArgument(a));
      if (a.kind() != ir::ValueKind::NodeRef || graph_.type(a.node()).kind != ir::TypeKind::Sym) continue;
      const ir::Result<SymExpr> e = SymExpr::parse(graph_.type(a.node()).sym);
      if (!e || !isFloatNumber(*e)) continue;
      std::optional<Tensor0> t = tensorOf(*e);
      if (!t) return false;
      if (compute != DType::B8) t = converted(*t, compute);
      args.back() = Argument(t->node);
      any = true;
    }
    if (!any) return false;
    ir::Graph::NodeSpec spec;
    const std::string full = "torch.ops.aten." + std::string(found->second);
    const std::string name = nameOf("aten." + std::string(found->second));
    spec.name = name;
    spec.target = full;
    spec.args = std::move(args);
    for (uint32_t i = 0; i < graph_.kwargCount(id); ++i)
      spec.kwargs.emplace_back(graph_.kwargKey(id, i), graph_.toArgument(graph_.kwarg(id, i)));
    spec.type = graph_.node(id).type;
    spec.source = graph_.node(id).source;
    if (compute != dtype) {
      std::string text = graph_.type(id).text;
      text.replace(0, text.find('['), ir::dtypeInfo(compute).shortName);
      spec.type = graph_.context().type(text);
    }
    NodeId made = graph_.add(spec, before_);
    if (compute != dtype) {
      ir::Graph::NodeSpec back;
      back.name = "convert_element_type_default";
      back.target = "torch.ops.prims.convert_element_type.default";
      back.args = {Argument(made), dtypeArgument(dtype)};
      back.type = graph_.node(id).type;
      back.source = graph_.node(id).source;
      made = graph_.add(back, before_);
    }
    graph_.replaceAllUses(id, made);
    graph_.erase(id);
    return true;
  }

  std::optional<Tensor0> tensorOf(const SymExpr& e) {
    const std::string text = e.text();
    if (e.kind() == SymKind::Symbol && !tensors_.count(text)) {
      const auto number = numbers_.find(text);
      if (number == numbers_.end()) return std::nullopt;
      tensors_[text] = call("aten.scalar_tensor.default", {Argument(number->second)}, DType::F32);
    }
    // A constant is made again each time; the last one counts.
    if (e.isInteger()) tensors_[text] = constant(Argument(e.integer()), DType::I64);
    if (e.kind() == SymKind::Real)
      tensors_[text] = constant(Argument(std::strtod(e.name().c_str(), nullptr)), DType::F64);
    // A float with a sign is one number.
    if (e.kind() == SymKind::Mul && e.args().size() == 2 && e.args()[0].isInteger() &&
        e.args()[1].kind() == SymKind::Real)
      tensors_[text] = constant(Argument(static_cast<double>(e.args()[0].integer()) *
                                         std::strtod(e.args()[1].name().c_str(), nullptr)),
                                DType::F64);
    if (const auto known = tensors_.find(text); known != tensors_.end()) return known->second;
    std::vector<Tensor0> parts;
    std::vector<SymExpr> args = e.args();
    // sympy holds the number of a sum in front, wherever it prints it.
    if (e.kind() == SymKind::Add)
      std::stable_partition(args.begin(), args.end(), [](const SymExpr& a) { return a.isInteger(); });
    for (const SymExpr& a : args) {
      const std::optional<Tensor0> t = tensorOf(a);
      if (!t) return std::nullopt;
      parts.push_back(*t);
    }
    const auto fold = [&](std::string_view op) {
      Tensor0 all = parts[0];
      for (size_t i = 1; i < parts.size(); ++i)
        all = call(op, {Argument(all.node), Argument(parts[i].node)},
                   ir::eval::promote(all.dtype, parts[i].dtype));
      return all;
    };
    std::optional<Tensor0> made;
    if (e.kind() == SymKind::Add) made = fold("aten.add.Tensor");
    if (e.kind() == SymKind::Mul) made = fold("aten.mul.Tensor");
    if (e.kind() == SymKind::Function && e.name() == "Max") made = fold("aten.maximum.default");
    if (e.kind() == SymKind::Function && e.name() == "Min") made = fold("aten.minimum.default");
    if (e.kind() == SymKind::Pow) made = fold("aten.pow.Tensor_Tensor");
    if (e.kind() == SymKind::FloorDiv)
      made = call("aten.div.Tensor_mode", {Argument(parts[0].node), Argument(parts[1].node)},
                  ir::eval::promote(parts[0].dtype, parts[1].dtype),
                  {{"rounding_mode", Argument::str("floor")}});
    if (e.kind() == SymKind::Function && e.name() == "FloatTrueDiv") made = fold("aten.true_divide.Tensor");
    if (e.kind() == SymKind::Function && e.name() == "FloatPow") made = fold("aten.pow.Tensor_Tensor");
    if (e.kind() == SymKind::Function && e.name() == "ToFloat") made = converted(parts.at(0), DType::F64);
    if (made) tensors_[text] = *made;
    return made;
  }

  Tensor0 constant(const Argument& value, DType dtype) {
    return call("aten.scalar_tensor.default", {value}, dtype, {{"dtype", dtypeArgument(dtype)}});
  }
  Tensor0 converted(const Tensor0& t, DType dtype) {
    if (t.dtype == dtype) return t;
    return call("prims.convert_element_type.default", {Argument(t.node), dtypeArgument(dtype)}, dtype);
  }
  Argument dtypeArgument(DType dtype) {
    return Argument::texted(ir::ValueKind::Dtype, "torch." + std::string(ir::dtypeInfo(dtype).torchName));
  }

  static std::string nameOf(std::string_view target) {
    std::string name(target.substr(target.find('.') + 1));
    for (char& c : name) c = c == '.' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return name;
  }
  Tensor0 call(std::string_view target, std::vector<Argument> args, DType dtype,
               std::vector<std::pair<std::string, Argument>> keywords = {}) {
    ir::Graph::NodeSpec spec;
    const std::string full = "torch.ops." + std::string(target), name = nameOf(target);
    spec.target = full;
    spec.name = name;
    spec.args = std::move(args);
    spec.kwargs = std::move(keywords);
    spec.type = graph_.context().type(std::string(ir::dtypeInfo(dtype).shortName) + "[][]" + device_);
    spec.source = graph_.node(source_).source;
    return {graph_.add(spec, before_), dtype};
  }

  ir::Graph& graph_;
  NodeId before_, source_;
  std::string device_;
  std::map<std::string, NodeId> numbers_;
  std::map<std::string, Tensor0> tensors_;
};

}  // namespace

std::shared_ptr<ir::Module> tensorifyNumbers(PartitionInput& input, const ir::OpRegistry& ops) {
  if (!input.module) return nullptr;
  const ir::Graph& root = input.module->root();
  bool any = false;
  for (const NodeId id : root.nodes()) {
    if (root.type(id).kind != ir::TypeKind::Sym) continue;
    const ir::Result<SymExpr> e = SymExpr::parse(root.type(id).sym);
    any = any || (e && isFloatNumber(*e));
  }
  if (!any) return nullptr;
  auto module = std::make_shared<ir::Module>(*input.module);
  ir::Graph& graph = module->root();
  if (!Tensorifier(graph).run()) return nullptr;
  graph.eliminateDeadCode([&](NodeId id) {
    return graph.node(id).op == ir::OpKind::CallFunction && ir::hasEffect(ops, graph.target(id), false);
  });
  input.module = module.get();
  input.joint = &graph;
  input.roles.resize(std::max<size_t>(input.roles.size(), graph.idBound()));
  return module;
}

}  // namespace descry::passes

#include <vector>

#include "passes/cleanup/cleanup.h"

namespace descry::passes {

namespace {

/// Looks each distinct target up once: graphs repeat few ops many times.
class EffectCache {
 public:
  EffectCache(const ir::Graph& graph, const ir::OpRegistry& ops) : graph_(graph), ops_(ops) {}
  bool operator()(ir::NodeId id) {
    const ir::Node& n = graph_.node(id);
    if (n.op != ir::OpKind::CallFunction && n.op != ir::OpKind::CallMethod)
      return n.op != ir::OpKind::GetAttr;
    const uint32_t key = 2 * n.target.index + (n.op == ir::OpKind::CallMethod ? 1 : 0);
    if (key >= known_.size()) known_.resize(key + 64, 0);
    if (!known_[key]) {
      std::string target(graph_.str(n.target));
      if (n.op == ir::OpKind::CallMethod) target = "." + target;
      known_[key] = ir::hasEffect(ops_, target) ? 2 : 1;
    }
    return known_[key] == 2;
  }

 private:
  const ir::Graph& graph_;
  const ir::OpRegistry& ops_;
  std::vector<uint8_t> known_;
};

PassResult dce(ir::Graph& graph, const PassContext& context) {
  EffectCache effect(graph, *context.ops);
  return {graph.eliminateDeadCode([&](ir::NodeId id) { return effect(id); })};
}

}  // namespace

const PassDef kDce = {"dce", "remove nodes that nobody reads", dce};

}  // namespace descry::passes

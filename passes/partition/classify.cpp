#include "passes/partition/classify.h"

#include <algorithm>

#include "passes/partition/extract.h"

namespace descry::passes::partition {

using ir::OpKind;

std::vector<uint32_t> NodeSets::forwardInputs() const {
  std::vector<uint32_t> out = primals;
  out.insert(out.end(), forwardSeeds.begin(), forwardSeeds.end());
  return out;
}

ir::Result<NodeSets> classify(const Joint& joint) {
  const uint32_t n = joint.size();
  NodeSets s;
  s.tangentClosure.assign(n, false);
  s.isStatic.assign(n, false);
  s.forward.assign(n, false);
  for (uint32_t i = 0; i < n; ++i) {
    switch (joint.inputRole[i]) {
      case InputRole::Auto:
        break;
      case InputRole::Primal:
        s.primals.push_back(i);
        if (joint.value[i] == ValueClass::BackwardState) s.backwardStates.push_back(i);
        break;
      case InputRole::Tangent:
        s.tangents.push_back(i);
        s.tangentClosure[i] = true;
        break;
      case InputRole::ForwardSeed:
        s.forwardSeeds.push_back(i);
        break;
      case InputRole::BackwardSeed:
        s.backwardSeeds.push_back(i);
        break;
    }
    if (joint.mustBeInBackward(i)) s.tangentClosure[i] = true;
    if (!s.tangentClosure[i]) continue;
    s.anyBackward = true;
    for (uint32_t user : joint.users[i]) s.tangentClosure[user] = true;
  }
  s.backward = s.tangentClosure;
  for (const JointOutput& o : joint.backwardOutputs)
    if (o.item != kNoItem) s.backward[o.item] = s.anyBackward = true;
  for (uint32_t p : joint.input.staticInputs)
    if (p < s.primals.size()) s.isStatic[s.primals[p]] = true;

  auto forward = extract(joint, s.forwardInputs(), joint.forwardOutputs, Side::Forward);
  if (!forward) return forward.error();
  for (uint32_t i : forward->inputs) s.forward[i] = true;
  for (uint32_t i : forward->body) s.forward[i] = true;
  s.forwardOrder.assign(n, kNoItem);
  uint32_t count = 0;
  for (uint32_t i = 0; i < n; ++i)
    if (s.forward[i]) s.forwardOrder[i] = count++;
  return s;
}

std::vector<int32_t> distancesFromBackward(const Joint& joint, const NodeSets& sets) {
  std::vector<int32_t> distance(joint.size(), 0);
  for (uint32_t i = joint.size(); i-- > 0;) {
    if (joint.kind[i] == OpKind::Output) {
      distance[i] = kNeverInBackward;
    } else if (sets.forward[i]) {
      distance[i] = kNeverInBackward;
      for (uint32_t user : joint.users[i]) distance[i] = std::min(distance[i], distance[user] + 1);
    }
  }
  return distance;
}

}  // namespace descry::passes::partition

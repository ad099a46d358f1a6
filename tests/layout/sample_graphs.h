// Graphs shaped like those that Descry draws, shared by layout tests and the layout bench.
#pragma once

#include "layout/layout.h"

#include <array>
#include <cstdint>
#include <random>
#include <vector>

namespace descry::layout::samples {

inline uint32_t addNode(Input& input, Phase phase = Phase::None, int32_t group = -1, double width = 90) {
  InputNode node;
  node.size = {width, 28};
  node.phase = phase;
  node.group = group;
  input.nodes.push_back(node);
  return static_cast<uint32_t>(input.nodes.size()) - 1;
}

inline void addEdge(Input& input, uint32_t from, uint32_t to, bool weak = false) {
  input.edges.push_back({from, to, weak});
}

// A residual network: a chain with a skip over 2 to 5 nodes at every fourth, and a parameter at every fifth.
inline Input residualForward(uint32_t count, uint32_t seed = 1) {
  std::mt19937 random(seed);
  Input input;
  std::vector<uint32_t> chain{addNode(input, Phase::Forward)};
  while (input.nodes.size() < count) {
    bool parameter = chain.size() % 5 == 0 && input.nodes.size() + 1 < count;
    uint32_t p = parameter ? addNode(input, Phase::Forward, -1, 70) : 0;
    uint32_t v = addNode(input, Phase::Forward, -1, 60 + static_cast<double>(random() % 80));
    addEdge(input, chain.back(), v);
    if (parameter) addEdge(input, p, v);
    size_t skip = 2 + random() % 4;
    if (chain.size() % 4 == 0 && skip < chain.size()) addEdge(input, chain[chain.size() - 1 - skip], v);
    chain.push_back(v);
  }
  return input;
}

// The same, mirrored by a backward half: its edges turned round, and a saved value from about half of the
// forward nodes.
inline Input residualJoint(uint32_t count, uint32_t seed = 1) {
  Input input = residualForward(count / 2, seed);
  auto half = static_cast<uint32_t>(input.nodes.size());
  std::mt19937 random(seed + 1);
  std::vector<InputEdge> forward = input.edges;
  auto mirror = [&](uint32_t v) { return 2 * half - 1 - v; };
  for (uint32_t v = half; v-- > 0;) {
    uint32_t b = addNode(input, Phase::Backward, -1, input.nodes[v].size.w);
    input.nodes[b].twin = static_cast<int32_t>(v);
  }
  for (const InputEdge& e : forward) {
    addEdge(input, mirror(e.to), mirror(e.from));
    if (random() % 2) addEdge(input, e.from, mirror(e.to), true);
  }
  return input;
}

// A small transformer: `blocks` blocks of attention and MLP with parameters, each with modules as groups
// (blocks > attention, mlp), forward and backward in groups of their own, or in the same ones when
// `sharedGroups`.
inline Input transformerJoint(uint32_t blocks, bool grouped, bool sharedGroups = false) {
  Input input;
  auto addGroup = [&](int32_t parent) {
    if (!grouped) return -1;
    input.groups.push_back({parent, false, {160, 44}});
    return static_cast<int32_t>(input.groups.size()) - 1;
  };
  struct Op {
    uint32_t node;
    std::vector<uint32_t> inputs;
    int32_t groupKind;  // 0: block, 1: attention, 2: mlp
    uint32_t block;
    bool parameter;
  };
  std::vector<Op> ops;
  std::vector<std::array<int32_t, 3>> groups;
  auto op = [&](uint32_t block, int32_t kind, std::vector<uint32_t> from, double width = 90) {
    uint32_t v = addNode(input, Phase::Forward, groups[block][kind], width);
    for (uint32_t u : from) addEdge(input, u, v);
    ops.push_back({v, std::move(from), kind, block, false});
    return v;
  };
  auto parameter = [&](uint32_t block, int32_t kind) {
    uint32_t v = op(block, kind, {}, 70);
    ops.back().parameter = true;
    return v;
  };
  uint32_t x = addNode(input, Phase::Forward);
  for (uint32_t b = 0; b < blocks; ++b) {
    int32_t block = addGroup(-1), attention = addGroup(block), mlp = addGroup(block);
    groups.push_back({block, attention, mlp});
    auto linear = [&](int32_t kind, uint32_t in) {
      uint32_t w = parameter(b, kind);
      uint32_t t = op(b, kind, {w}, 50);
      return op(b, kind, {in, t});
    };
    uint32_t norm = op(b, 0, {x}, 120);
    uint32_t q = op(b, 1, {linear(1, norm)}), k = op(b, 1, {linear(1, norm)}),
             v = op(b, 1, {linear(1, norm)});
    uint32_t kt = op(b, 1, {k}, 70);
    uint32_t scores = op(b, 1, {q, kt});
    uint32_t soft = op(b, 1, {op(b, 1, {scores}, 60)}, 110);
    uint32_t mixed = op(b, 1, {op(b, 1, {soft, v})}, 70);
    uint32_t projected = linear(1, mixed);
    x = op(b, 0, {x, projected}, 60);
    uint32_t norm2 = op(b, 0, {x}, 120);
    uint32_t up = linear(2, norm2);
    uint32_t gelu = op(b, 2, {up}, 60);
    uint32_t down = linear(2, gelu);
    x = op(b, 0, {x, down}, 60);
  }
  uint32_t out = addNode(input, Phase::Forward, -1, 70);
  addEdge(input, x, out);

  uint32_t tangent = addNode(input, Phase::Backward, -1, 80);
  std::vector<std::vector<uint32_t>> gradients(input.nodes.size());
  gradients[x] = {tangent};
  std::vector<std::array<int32_t, 3>> backward = groups;
  if (!sharedGroups)
    for (auto& g : backward) {
      g[0] = addGroup(-1);
      g[1] = addGroup(g[0]);
      g[2] = addGroup(g[0]);
    }
  for (size_t i = ops.size(); i-- > 0;) {
    const Op& o = ops[i];
    int32_t group = backward[o.block][o.groupKind];
    auto& arriving = gradients[o.node];
    uint32_t g = arriving[0];
    for (size_t k = 1; k < arriving.size(); ++k) {
      uint32_t sum = addNode(input, Phase::Backward, group, 50);
      addEdge(input, g, sum);
      addEdge(input, arriving[k], sum);
      g = sum;
    }
    if (o.parameter) {
      uint32_t result = addNode(input, Phase::Backward, group, 70);
      input.nodes[result].twin = static_cast<int32_t>(o.node);
      addEdge(input, g, result);
      continue;
    }
    for (uint32_t u : o.inputs) {
      uint32_t d = addNode(input, Phase::Backward, group);
      input.nodes[d].twin = static_cast<int32_t>(o.node);
      addEdge(input, g, d);
      if (o.inputs.size() > 1)
        for (uint32_t other : o.inputs)
          if (other != u) addEdge(input, other, d, true);
      gradients[u].push_back(d);
    }
  }
  return input;
}

// Random: mostly forward edges to near nodes, some far; optional nested groups and phases. With `hostile`,
// any edge at all.
inline Input randomGraph(uint32_t count, uint32_t edges, uint32_t groups, uint32_t seed,
                         bool hostile = false) {
  std::mt19937 random(seed);
  Input input;
  for (uint32_t g = 0; g < groups; ++g)
    input.groups.push_back(
        {g > 0 && random() % 2 ? static_cast<int32_t>(random() % g) : -1, random() % 8 == 0, {120, 40}});
  for (uint32_t v = 0; v < count; ++v) {
    auto phase = v < count / 2 ? Phase::Forward : random() % 5 ? Phase::Backward : Phase::Either;
    int32_t group = groups && random() % 4 ? static_cast<int32_t>(random() % groups) : -1;
    addNode(input, phase, group, 20 + static_cast<double>(random() % 200));
    input.nodes[v].size.h = 16 + static_cast<double>(random() % 40);
    if (v >= count / 2 && random() % 2) input.nodes[v].twin = static_cast<int32_t>(random() % (count / 2));
  }
  for (uint32_t e = 0; e < edges && count > 1; ++e) {
    uint32_t a = random() % count;
    uint32_t b = random() % 4 ? a + 1 + random() % 12 : random() % count;
    b %= count;
    if (!hostile && a == b) continue;
    if (!hostile && a > b) std::swap(a, b);
    addEdge(input, a, b, random() % 10 == 0);
  }
  return input;
}

}  // namespace descry::layout::samples

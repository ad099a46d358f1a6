#include "passes/partition/max_flow.h"

#include <algorithm>
#include <numeric>

namespace descry::passes::partition {

namespace {

constexpr uint32_t kNone = 0xFFFFFFFF;

/// Edges by vertex, in order of addition.
struct Adjacency {
  std::vector<uint32_t> begin, edge;
  template <class Key>
  Adjacency(uint32_t vertices, uint32_t edges, const Key& key) : begin(vertices + 1, 0), edge(edges) {
    for (uint32_t e = 0; e < edges; ++e) ++begin[key(e) + 1];
    for (uint32_t v = 0; v < vertices; ++v) begin[v + 1] += begin[v];
    std::vector<uint32_t> at(begin.begin(), begin.end() - 1);
    for (uint32_t e = 0; e < edges; ++e) edge[at[key(e)]++] = e;
  }
};

/// Dinic on a small graph. Vertex 0 is the source, vertex 1 the sink.
class Dinic {
 public:
  void reset(uint32_t vertices) {
    first_.assign(vertices, kNone);
    to_.clear(), next_.clear(), left_.clear();
  }
  void add(uint32_t from, uint32_t to, int64_t capacity) {
    half(from, to, capacity);
    half(to, from, 0);
  }

  int64_t solve() {
    int64_t flow = 0;
    while (level()) {
      current_ = first_;
      while (int64_t sent = augment()) flow += sent;
    }
    return flow;
  }

  /// By vertex: reaches the sink over edges with room.
  std::vector<bool> sinkSide() const {
    std::vector<bool> side(first_.size(), false);
    std::vector<uint32_t> stack{1};
    side[1] = true;
    while (!stack.empty()) {
      const uint32_t v = stack.back();
      stack.pop_back();
      for (uint32_t e = first_[v]; e != kNone; e = next_[e]) {
        if (left_[e ^ 1] <= 0 || side[to_[e]]) continue;
        side[to_[e]] = true;
        stack.push_back(to_[e]);
      }
    }
    return side;
  }

 private:
  void half(uint32_t from, uint32_t to, int64_t capacity) {
    to_.push_back(to);
    left_.push_back(capacity);
    next_.push_back(first_[from]);
    first_[from] = static_cast<uint32_t>(to_.size() - 1);
  }

  /// Distances to the sink, so that paths never run into dead ends behind the last way out.
  bool level() {
    level_.assign(first_.size(), kNone);
    level_[1] = 0;
    queue_.assign(1, 1);
    for (size_t at = 0; at < queue_.size(); ++at) {
      const uint32_t v = queue_[at];
      for (uint32_t e = first_[v]; e != kNone; e = next_[e]) {
        if (left_[e ^ 1] <= 0 || level_[to_[e]] != kNone) continue;
        level_[to_[e]] = level_[v] + 1;
        queue_.push_back(to_[e]);
      }
    }
    return level_[0] != kNone;
  }

  int64_t augment() {
    path_.clear();
    uint32_t v = 0;
    while (v != 1) {
      uint32_t& e = current_[v];
      while (e != kNone && (left_[e] <= 0 || level_[to_[e]] == kNone || level_[to_[e]] + 1 != level_[v]))
        e = next_[e];
      if (e != kNone) {
        path_.push_back(e);
        v = to_[e];
        continue;
      }
      if (path_.empty()) return 0;
      v = to_[path_.back() ^ 1];
      current_[v] = next_[current_[v]];
      path_.pop_back();
    }
    int64_t sent = FlowNetwork::kInfinite;
    for (uint32_t e : path_) sent = std::min(sent, left_[e]);
    for (uint32_t e : path_) {
      left_[e] -= sent;
      left_[e ^ 1] += sent;
    }
    return sent;
  }

  std::vector<uint32_t> first_, current_, to_, next_, level_, queue_, path_;
  std::vector<int64_t> left_;
};

struct Sets {
  explicit Sets(uint32_t n) : parent(n) { std::iota(parent.begin(), parent.end(), 0u); }
  uint32_t find(uint32_t v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  }
  void unite(uint32_t a, uint32_t b) {
    a = find(a), b = find(b);
    if (a != b) parent[std::max(a, b)] = std::min(a, b);
  }
  std::vector<uint32_t> parent;
};

}  // namespace

void FlowNetwork::addEdge(uint32_t from, uint32_t to, int64_t capacity) {
  if (from != to && capacity > 0) edges_.push_back({from, to, capacity});
}

/// The greatest finite capacity that keeps all sums within 64 bits.
template <class Edges>
static int64_t greatestCapacity(const Edges& edges) {
  double sum = 0;
  for (const auto& e : edges)
    if (e.capacity != FlowNetwork::kInfinite) sum += static_cast<double>(e.capacity);
  constexpr int64_t kMost = int64_t{1} << 61;
  return sum < static_cast<double>(kMost) ? kMost : kMost / static_cast<int64_t>(edges.size());
}

FlowNetwork::Cut FlowNetwork::minimumCut(uint32_t source, uint32_t sink) const {
  Cut out;
  const int64_t greatest = greatestCapacity(edges_);
  const auto edgeCount = static_cast<uint32_t>(edges_.size());

  // What infinite edges tie to the source, with the edge each vertex was reached by.
  const Adjacency outgoing(vertices_, edgeCount, [&](uint32_t e) { return edges_[e].from; });
  std::vector<uint32_t> reachedBy(vertices_, kNone), queue{source};
  std::vector<bool> sourceTied(vertices_, false), sinkTied(vertices_, false);
  sourceTied[source] = true;
  for (size_t at = 0; at < queue.size() && !sourceTied[sink]; ++at) {
    const uint32_t v = queue[at];
    for (uint32_t k = outgoing.begin[v]; k < outgoing.begin[v + 1]; ++k) {
      const Edge& e = edges_[outgoing.edge[k]];
      if (e.capacity != kInfinite || sourceTied[e.to]) continue;
      sourceTied[e.to] = true;
      reachedBy[e.to] = v;
      queue.push_back(e.to);
    }
  }
  if (sourceTied[sink]) {
    for (uint32_t v = sink; v != kNone; v = reachedBy[v]) out.infinitePath.push_back(v);
    std::reverse(out.infinitePath.begin(), out.infinitePath.end());
    return out;
  }
  {
    const Adjacency incoming(vertices_, edgeCount, [&](uint32_t e) { return edges_[e].to; });
    queue.assign(1, sink);
    sinkTied[sink] = true;
    while (!queue.empty()) {
      const uint32_t v = queue.back();
      queue.pop_back();
      for (uint32_t k = incoming.begin[v]; k < incoming.begin[v + 1]; ++k) {
        const Edge& e = edges_[incoming.edge[k]];
        if (e.capacity != kInfinite || sinkTied[e.from]) continue;
        sinkTied[e.from] = true;
        queue.push_back(e.from);
      }
    }
  }

  // The rest falls apart into parts that flow from the source to the sink independently.
  const auto inner = [&](uint32_t v) { return !sourceTied[v] && !sinkTied[v]; };
  Sets parts(vertices_);
  std::vector<uint32_t> rest;
  int64_t finite = 0;
  for (uint32_t i = 0; i < edgeCount; ++i) {
    const Edge& e = edges_[i];
    if (sinkTied[e.from] || sourceTied[e.to]) continue;  // flow would only go round
    if (sourceTied[e.from] && sinkTied[e.to]) {
      out.value += std::min(e.capacity, greatest);  // must be cut
      continue;
    }
    if (inner(e.from) && inner(e.to)) parts.unite(e.from, e.to);
    if (e.capacity != kInfinite) finite += std::min(e.capacity, greatest);
    rest.push_back(i);
  }
  const auto partOf = [&](uint32_t i) {
    const Edge& e = edges_[i];
    return parts.find(inner(e.from) ? e.from : e.to);
  };
  std::vector<uint32_t> part(rest.size());
  for (size_t k = 0; k < rest.size(); ++k) part[k] = partOf(rest[k]);
  const Adjacency byPart(vertices_, static_cast<uint32_t>(rest.size()), [&](uint32_t k) { return part[k]; });

  out.sinkSide.assign(vertices_, false);
  for (uint32_t v = 0; v < vertices_; ++v) out.sinkSide[v] = sinkTied[v];
  const int64_t large = finite + 1;  // as good as infinite, and sums of it do not overflow
  std::vector<uint32_t> local(vertices_, kNone), members;
  Dinic dinic;
  for (uint32_t p = 0; p < vertices_; ++p) {
    const uint32_t from = byPart.begin[p], to = byPart.begin[p + 1];
    if (from == to) continue;
    members.assign(2, kNone);
    const auto number = [&](uint32_t v) -> uint32_t {
      if (sourceTied[v]) return 0;
      if (sinkTied[v]) return 1;
      if (local[v] == kNone) {
        local[v] = static_cast<uint32_t>(members.size());
        members.push_back(v);
      }
      return local[v];
    };
    for (uint32_t k = from; k < to; ++k) {
      number(edges_[rest[byPart.edge[k]]].from);
      number(edges_[rest[byPart.edge[k]]].to);
    }
    dinic.reset(static_cast<uint32_t>(members.size()));
    for (uint32_t k = from; k < to; ++k) {
      const Edge& e = edges_[rest[byPart.edge[k]]];
      const int64_t capacity = e.capacity == kInfinite ? large : std::min(e.capacity, greatest);
      dinic.add(number(e.from), number(e.to), capacity);
    }
    out.value += dinic.solve();
    const std::vector<bool> side = dinic.sinkSide();
    for (size_t m = 2; m < members.size(); ++m) out.sinkSide[members[m]] = side[m];
  }
  return out;
}

}  // namespace descry::passes::partition

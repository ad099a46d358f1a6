#include "session/diff.h"

#include <algorithm>
#include <unordered_map>

#include "ir/text/printer.h"

namespace descry::session {

namespace {

constexpr uint32_t kNone = 0xFFFFFFFF;

uint64_t mix(uint64_t h, uint64_t v) {
  const __uint128_t m = static_cast<__uint128_t>(h ^ (v + 0x9E3779B97F4A7C15ull)) * 0xA0761D6478BD642Full;
  return static_cast<uint64_t>(m) ^ static_cast<uint64_t>(m >> 64);
}

struct Side {
  const ir::Graph* g = nullptr;
  std::vector<ir::NodeId> nodes;    // without the output node
  std::vector<uint32_t> place;      // by node id
  std::vector<uint32_t> match;      // by place: place on the other side
  std::vector<const char*> reason;  // by place

  explicit Side(const ir::Graph& graph) : g(&graph) {
    place.assign(graph.idBound(), kNone);
    for (ir::NodeId id : graph.nodes()) {
      if (graph.node(id).op == ir::OpKind::Output) continue;
      place[id.index] = static_cast<uint32_t>(nodes.size());
      nodes.push_back(id);
    }
    match.assign(nodes.size(), kNone);
    reason.assign(nodes.size(), "");
  }

  uint64_t textHash(ir::StrId id) const { return ir::hashText(g->str(id)); }

  /// Hash of op and constants; `ofInput` says what stands for a node that is read.
  template <class F>
  uint64_t shallow(ir::NodeId id, F&& ofInput) const {
    const ir::Node& n = g->node(id);
    uint64_t h = mix(static_cast<uint64_t>(n.op), textHash(n.target));
    if (n.op == ir::OpKind::Placeholder) {
      // Inputs are equal when they mean the same; without a descriptor, when they have the same name.
      h = mix(1, 2);
      const ir::StrId desc = g->context().descriptor(n.desc).text;
      return mix(h, desc ? textHash(desc) : textHash(n.name));
    }
    std::vector<ir::ArgView> stack;
    const uint32_t total = n.argCount + 2 * n.kwargCount;
    for (uint32_t i = total; i-- > 0;) stack.emplace_back(g, n.args + i);
    while (!stack.empty()) {
      const ir::ArgView v = stack.back();
      stack.pop_back();
      h = mix(h, static_cast<uint64_t>(v.kind()));
      switch (v.kind()) {
        case ir::ValueKind::NodeRef:
          h = mix(h, ofInput(v.node()));
          break;
        case ir::ValueKind::Int:
        case ir::ValueKind::Bool:
          h = mix(h, static_cast<uint64_t>(v.integer()));
          break;
        case ir::ValueKind::Float:
          h = mix(h, static_cast<uint64_t>(v.cell().i));
          break;
        case ir::ValueKind::None:
        case ir::ValueKind::Ellipsis:
          break;
        default:
          if (v.cell().isContainer()) {
            h = mix(h, v.size());
            for (uint32_t i = v.size(); i-- > 0;) stack.push_back(v[i]);
          } else {
            h = mix(h, ir::hashText(v.text()));
          }
      }
    }
    return h;
  }
};

class Matcher {
 public:
  Matcher(const ir::Graph& a, const ir::Graph& b) : a_(a), b_(b) {}

  void run() {
    byKey("same name, op and arguments", [](const Side& s, uint32_t i) {
      const uint64_t h = s.shallow(s.nodes[i], [&](ir::NodeId in) { return s.textHash(s.g->node(in).name); });
      return mix(h, s.textHash(s.g->node(s.nodes[i]).name));
    });
    structure();
    fromReaders();
    byKey("same name and op", [](const Side& s, uint32_t i) {
      const ir::Node& n = s.g->node(s.nodes[i]);
      return mix(mix(7, s.textHash(n.name)), n.op == ir::OpKind::Placeholder ? 0 : s.textHash(n.target));
    });
    byNeighbours();
    byKey("same name",
          [](const Side& s, uint32_t i) { return mix(9, s.textHash(s.g->node(s.nodes[i]).name)); });
  }

  Side a_, b_;

 private:
  void pair(uint32_t i, uint32_t j, const char* reason) {
    a_.match[i] = j;
    b_.match[j] = i;
    a_.reason[i] = b_.reason[j] = reason;
  }

  /// Pairs the k-th unmatched node of each key on both sides.
  template <class Key>
  void byKey(const char* reason, Key&& key) {
    std::unordered_map<uint64_t, std::vector<uint32_t>> buckets;
    for (uint32_t j = static_cast<uint32_t>(b_.nodes.size()); j-- > 0;)
      if (b_.match[j] == kNone) buckets[key(b_, j)].push_back(j);
    if (buckets.empty()) return;
    for (uint32_t i = 0; i < a_.nodes.size(); ++i) {
      if (a_.match[i] != kNone) continue;
      const auto it = buckets.find(key(a_, i));
      if (it == buckets.end() || it->second.empty()) continue;
      pair(i, it->second.back(), reason);
      it->second.pop_back();
    }
  }

  static std::vector<uint64_t> structuralHashes(const Side& s) {
    std::vector<uint64_t> h(s.nodes.size(), 0);
    for (uint32_t i = 0; i < s.nodes.size(); ++i) {
      h[i] = s.shallow(s.nodes[i], [&](ir::NodeId in) -> uint64_t {
        const uint32_t p = s.place[in.index];
        return p < i ? h[p] : 3;  // damaged texts may use before definition
      });
    }
    return h;
  }

  void structure() {
    const std::vector<uint64_t> ha = structuralHashes(a_), hb = structuralHashes(b_);
    byKey("same structure from the inputs on",
          [&](const Side& s, uint32_t i) { return (&s == &a_ ? ha : hb)[i]; });
  }

  /// From the outputs back: nodes that fill the same argument of matched readers, or the same output.
  void fromReaders() {
    const auto va = a_.g->outputs(), vb = b_.g->outputs();
    for (size_t i = 0; i < va.size() && i < vb.size(); ++i) {
      if (va[i].kind() != ir::ValueKind::NodeRef || vb[i].kind() != ir::ValueKind::NodeRef) continue;
      tryPair(a_.place[va[i].node().index], b_.place[vb[i].node().index], "fills the same output");
    }
    for (uint32_t i = static_cast<uint32_t>(a_.nodes.size()); i-- > 0;) {
      if (a_.match[i] == kNone) continue;
      const std::vector<uint32_t> ina = inputs(a_, i), inb = inputs(b_, a_.match[i]);
      if (ina.size() != inb.size()) continue;
      for (size_t k = 0; k < ina.size(); ++k) tryPair(ina[k], inb[k], "read at the same place");
    }
  }

  static std::vector<uint32_t> inputs(const Side& s, uint32_t i) {
    std::vector<uint32_t> out;
    s.g->forEachInput(s.nodes[i], [&](ir::NodeId in) { out.push_back(s.place[in.index]); });
    return out;
  }

  void tryPair(uint32_t i, uint32_t j, const char* reason) {
    if (i == kNone || j == kNone || a_.match[i] != kNone || b_.match[j] != kNone) return;
    const ir::Node &x = a_.g->node(a_.nodes[i]), &y = b_.g->node(b_.nodes[j]);
    if (x.op != y.op || (x.op != ir::OpKind::Placeholder && a_.g->str(x.target) != b_.g->str(y.target)))
      return;
    pair(i, j, reason);
  }

  /// Same op and first matched input, or same op, shape and source line.
  void byNeighbours() {
    byKey("same op on the same input", [&](const Side& s, uint32_t i) {
      const ir::Node& n = s.g->node(s.nodes[i]);
      uint64_t h = mix(11, s.textHash(n.target));
      const std::vector<uint32_t> in = inputs(s, i);
      uint32_t key = kNone;
      if (!in.empty() && in[0] != kNone)
        key = &s == &a_ ? a_.match[in[0]] : (b_.match[in[0]] == kNone ? kNone : in[0]);
      // An unmatched input says nothing: such nodes get keys of their own.
      return key == kNone ? mix(mix(h, i), &s == &a_ ? 101 : 103) : mix(h, key);
    });
    byKey("same op, type and source line", [](const Side& s, uint32_t i) {
      const ir::Node& n = s.g->node(s.nodes[i]);
      const ir::Source& src = s.g->source(s.nodes[i]);
      uint64_t h = mix(13, s.textHash(n.target));
      h = mix(h, ir::hashText(s.g->type(s.nodes[i]).text));
      return mix(mix(h, ir::hashText(s.g->str(src.file))), src.line);
    });
  }
};

/// Marks which of `sequence` (distinct numbers) belong to a longest increasing subsequence.
std::vector<bool> increasing(const std::vector<uint32_t>& sequence) {
  std::vector<uint32_t> tails, previous(sequence.size(), kNone);
  for (uint32_t i = 0; i < sequence.size(); ++i) {
    const auto it = std::lower_bound(tails.begin(), tails.end(), i,
                                     [&](uint32_t t, uint32_t) { return sequence[t] < sequence[i]; });
    if (it != tails.begin()) previous[i] = *(it - 1);
    if (it == tails.end())
      tails.push_back(i);
    else
      *it = i;
  }
  std::vector<bool> in(sequence.size(), false);
  for (uint32_t at = tails.empty() ? kNone : tails.back(); at != kNone; at = previous[at]) in[at] = true;
  return in;
}

class Comparer {
 public:
  Comparer(const Matcher& m) : a_(m.a_), b_(m.b_) {}

  std::vector<FieldChange> fields(uint32_t i, uint32_t j) const {
    std::vector<FieldChange> out;
    const ir::NodeId x = a_.nodes[i], y = b_.nodes[j];
    const ir::Node &n = a_.g->node(x), &m = b_.g->node(y);
    auto text = [&](const char* field, std::string_view before, std::string_view after) {
      if (before != after) out.push_back({field, std::string(before), std::string(after)});
    };
    if (n.op != m.op) text("kind", ir::opKindName(n.op), ir::opKindName(m.op));
    if (n.op != ir::OpKind::Placeholder) {
      text("op", a_.g->target(x), b_.g->target(y));
      if (!sameArguments(n, m)) {
        const std::string before = arguments(*a_.g, x), after = arguments(*b_.g, y);
        out.push_back({"arguments", before, after});
      }
    }
    text("type", a_.g->type(x).text, b_.g->type(y).text);
    text("descriptor", a_.g->str(a_.g->context().descriptor(n.desc).text),
         b_.g->str(b_.g->context().descriptor(m.desc).text));
    return out;
  }

  bool sameValue(ir::ArgView x, ir::ArgView y) const {
    std::vector<std::pair<ir::ArgView, ir::ArgView>> stack{{x, y}};
    while (!stack.empty()) {
      const auto [v, w] = stack.back();
      stack.pop_back();
      if (v.kind() != w.kind()) return false;
      switch (v.kind()) {
        case ir::ValueKind::NodeRef: {
          const uint32_t p = a_.place[v.node().index], q = b_.place[w.node().index];
          if (p == kNone || q == kNone || a_.match[p] != q) return false;
          break;
        }
        case ir::ValueKind::Int:
        case ir::ValueKind::Bool:
        case ir::ValueKind::Float:
          if (v.cell().i != w.cell().i) return false;  // bits of floats: nan equals nan
          break;
        case ir::ValueKind::None:
        case ir::ValueKind::Ellipsis:
          break;
        default:
          if (v.cell().isContainer()) {
            if (v.size() != w.size()) return false;
            for (uint32_t i = 0; i < v.size(); ++i) stack.emplace_back(v[i], w[i]);
          } else if (v.text() != w.text()) {
            return false;
          }
      }
    }
    return true;
  }

 private:
  bool sameArguments(const ir::Node& n, const ir::Node& m) const {
    if (n.argCount != m.argCount || n.kwargCount != m.kwargCount) return false;
    for (uint32_t k = 0; k < n.argCount + 2 * n.kwargCount; ++k)
      if (!sameValue({a_.g, n.args + k}, {b_.g, m.args + k})) return false;
    return true;
  }

  static std::string arguments(const ir::Graph& g, ir::NodeId id) {
    std::string out = "(";
    for (uint32_t i = 0; i < g.argCount(id); ++i) out += (i ? ", " : "") + ir::printValue(g.arg(id, i));
    for (uint32_t i = 0; i < g.kwargCount(id); ++i)
      out += (out.size() > 1 ? ", " : "") + std::string(g.kwargKey(id, i)) + " = " +
             ir::printValue(g.kwarg(id, i));
    return out + ")";
  }

  const Side& a_;
  const Side& b_;
};

void compareOutputs(const Matcher& m, const Comparer& comparer, GraphDiff& diff) {
  const ir::Graph &a = *m.a_.g, &b = *m.b_.g;
  const auto va = a.outputs(), vb = b.outputs();
  auto describe = [](const ir::Graph& g, const std::vector<ir::ArgView>& v, size_t i) {
    if (i >= v.size()) return std::string();
    std::string out = ir::printValue(v[i]);
    if (i < g.outputDescs.size() && g.outputDescs[i])
      out += "  # " + std::string(g.str(g.context().descriptor(g.outputDescs[i]).text));
    return out;
  };
  auto descText = [](const ir::Graph& g, size_t i) {
    return i < g.outputDescs.size() ? g.str(g.context().descriptor(g.outputDescs[i]).text)
                                    : std::string_view();
  };
  for (size_t i = 0; i < std::max(va.size(), vb.size()); ++i) {
    if (i < va.size() && i < vb.size() && comparer.sameValue(va[i], vb[i]) &&
        descText(a, i) == descText(b, i))
      continue;
    diff.outputs.push_back({"output " + std::to_string(i), describe(a, va, i), describe(b, vb, i)});
  }
}

}  // namespace

std::string_view diffStateName(DiffState state) {
  switch (state) {
    case DiffState::Same:
      return "same";
    case DiffState::Changed:
      return "changed";
    case DiffState::Moved:
      return "moved";
    case DiffState::Renamed:
      return "renamed";
    case DiffState::Added:
      return "added";
    case DiffState::Removed:
      return "removed";
  }
  return "same";
}

GraphDiff diffGraphs(LoadedGraphPtr before, LoadedGraphPtr after) {
  GraphDiff diff;
  Matcher m(*before->graph, *after->graph);
  m.run();
  const Comparer comparer(m);
  diff.before = std::move(before);
  diff.after = std::move(after);

  std::vector<uint32_t> sequence, owner;
  for (uint32_t j = 0; j < m.b_.nodes.size(); ++j)
    if (m.b_.match[j] != kNone) {
      sequence.push_back(m.b_.match[j]);
      owner.push_back(j);
    }
  const std::vector<bool> inOrder = increasing(sequence);
  std::vector<bool> moved(m.b_.nodes.size(), false);
  for (size_t k = 0; k < owner.size(); ++k) moved[owner[k]] = !inOrder[k];

  uint32_t nextRemoved = 0;
  auto removedUpTo = [&](uint32_t end) {
    for (; nextRemoved < end; ++nextRemoved) {
      if (m.a_.match[nextRemoved] != kNone) continue;
      NodeDiff n;
      n.before = m.a_.nodes[nextRemoved];
      n.state = DiffState::Removed;
      ++diff.removed;
      diff.nodes.push_back(std::move(n));
    }
  };
  for (uint32_t j = 0; j < m.b_.nodes.size(); ++j) {
    NodeDiff n;
    n.after = m.b_.nodes[j];
    const uint32_t i = m.b_.match[j];
    if (i == kNone) {
      n.state = DiffState::Added;
      ++diff.added;
      diff.nodes.push_back(std::move(n));
      continue;
    }
    if (!moved[j]) removedUpTo(i);
    n.before = m.a_.nodes[i];
    n.reason = m.b_.reason[j];
    n.changes = comparer.fields(i, j);
    n.moved = moved[j];
    n.renamed = m.a_.g->nodeName(n.before) != m.b_.g->nodeName(n.after);
    n.state = !n.changes.empty() ? DiffState::Changed
              : n.moved          ? DiffState::Moved
              : n.renamed        ? DiffState::Renamed
                                 : DiffState::Same;
    switch (n.state) {
      case DiffState::Changed:
        ++diff.changed;
        break;
      case DiffState::Moved:
        ++diff.moved;
        break;
      case DiffState::Renamed:
        ++diff.renamed;
        break;
      default:
        ++diff.same;
    }
    diff.nodes.push_back(std::move(n));
  }
  removedUpTo(static_cast<uint32_t>(m.a_.nodes.size()));
  compareOutputs(m, comparer, diff);
  return diff;
}

std::vector<std::string> diffStates(const GraphDiff& diff) {
  std::vector<std::string> out(diff.after->graph->idBound(), "same");
  for (const NodeDiff& n : diff.nodes)
    if (n.after) out[n.after.index] = diffStateName(n.state);
  return out;
}

}  // namespace descry::session

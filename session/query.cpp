#include "session/query.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <unordered_map>

#include "ir/analysis/boundary.h"
#include "ir/analysis/module_paths.h"
#include "session/node_text.h"
#include "session/query_syntax.h"

namespace descry::session {

namespace {

using Bits = std::vector<char>;  // by place in program order

uint32_t characters(std::string_view text, uint32_t bytes) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < bytes && i < text.size(); ++i)
    n += (static_cast<unsigned char>(text[i]) & 0xC0) != 0x80;
  return n + (bytes > text.size() ? bytes - static_cast<uint32_t>(text.size()) : 0);
}

size_t count(const Bits& bits) {
  return static_cast<size_t>(std::count(bits.begin(), bits.end(), 1));
}

bool dimsMatch(const std::vector<std::string>& want, const std::vector<ir::Dim>& have) {
  const auto rest = std::find(want.begin(), want.end(), "..");
  auto one = [](const std::string& w, const ir::Dim& d) { return w == "*" || w == "?" || w == d.str(); };
  if (rest == want.end()) {
    if (want.size() != have.size()) return false;
    for (size_t i = 0; i < want.size(); ++i)
      if (!one(want[i], have[i])) return false;
    return true;
  }
  const size_t head = static_cast<size_t>(rest - want.begin()), tail = want.size() - head - 1;
  if (have.size() < head + tail) return false;
  for (size_t i = 0; i < head; ++i)
    if (!one(want[i], have[i])) return false;
  for (size_t i = 0; i < tail; ++i)
    if (!one(want[want.size() - 1 - i], have[have.size() - 1 - i])) return false;
  return true;
}

class Evaluator {
 public:
  Evaluator(const LoadedGraph& lg, const QueryScope& scope) : lg_(lg), g_(*lg.graph), scope_(scope) {
    place_.assign(g_.idBound(), 0);
    nodes_.reserve(g_.size());
    for (ir::NodeId id : g_.nodes()) {
      place_[id.index] = static_cast<uint32_t>(nodes_.size());
      nodes_.push_back(id);
    }
  }

  QueryResult run(std::string_view text) {
    QueryResult result;
    const ParsedQuery q = parseQuery(text);
    if (q.error) {
      result.error = *q.error;
      const uint32_t end = characters(text, q.error->column + q.error->length);
      result.error->column = characters(text, q.error->column);
      result.error->length = std::max<uint32_t>(1, end - std::min(end, result.error->column));
      return result;
    }
    text_ = text;
    Bits scopeBits(nodes_.size(), 1);
    if (q.scope != ParsedQuery::Scope::All) {
      const auto* set = q.scope == ParsedQuery::Scope::Selection ? scope_.selection : scope_.visible;
      const bool selection = q.scope == ParsedQuery::Scope::Selection;
      if (!set) {
        const size_t at = text.find("in:");
        result.error =
            QueryError{characters(text, static_cast<uint32_t>(at)), 3,
                       selection ? "in:selection needs a selection" : "in:visible works in the inspector"};
        return result;
      }
      std::fill(scopeBits.begin(), scopeBits.end(), 0);
      for (ir::NodeId id : *set)
        if (g_.contains(id)) scopeBits[place_[id.index]] = 1;
    }
    Bits hits = evaluateTop(q.root, scopeBits, result.why);
    if (error_) {
      result.error = error_;
      result.error->column = characters(text, error_->column);
      result.why.clear();
      return result;
    }
    for (size_t i = 0; i < nodes_.size(); ++i)
      if (hits[i]) result.nodes.push_back(nodes_[i]);
    if (q.sort) sort(result.nodes, *q.sort, q.descending);
    if (q.limit && result.nodes.size() > *q.limit) result.nodes.resize(*q.limit);
    return result;
  }

  /// Values of a field over the graph with how often each occurs: for completion.
  std::vector<std::pair<std::string, size_t>> valueCounts(FieldId field) {
    std::unordered_map<std::string, size_t> counts;
    for (ir::NodeId id : nodes_) {
      if (field == FieldId::Kind) {
        for (const std::string_view k : kinds(id)) ++counts[std::string(k)];
      } else if (field == FieldId::Shape) {
        if (std::string s = shapeText(g_.type(id)); !s.empty()) ++counts[s];
      } else if (const std::string_view t = fieldText(field, id); !t.empty()) {
        ++counts[std::string(t)];
      }
    }
    std::vector<std::pair<std::string, size_t>> out(counts.begin(), counts.end());
    std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) {
      return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    return out;
  }

 private:
  /// The outer `and` is evaluated clause by clause, so that an empty result can name the clause that emptied
  /// it.
  Bits evaluateTop(const QueryNode& root, const Bits& scope, std::string& why) {
    std::vector<const QueryNode*> clauses;
    if (root.kind == QueryNode::Kind::And)
      for (const QueryNode& c : root.children) clauses.push_back(&c);
    else
      clauses.push_back(&root);
    Bits now = scope;
    for (const QueryNode* c : clauses) {
      const size_t before = count(now);
      const Bits b = evaluate(*c, 0);
      for (size_t i = 0; i < now.size(); ++i) now[i] = now[i] && b[i];
      if (count(now) == 0 && why.empty()) {
        uint32_t length = c->length;
        if (!length || c->column + length > text_.size())
          length = static_cast<uint32_t>(text_.size()) - c->column;
        std::string clause(text_.substr(c->column, length));
        while (!clause.empty() && clause.back() == ' ') clause.pop_back();
        why = clause + " leaves 0 of " + std::to_string(before);
      }
    }
    return now;
  }

  Bits evaluate(const QueryNode& n, int depth) {
    Bits out(nodes_.size(), 0);
    switch (n.kind) {
      case QueryNode::Kind::All:
        std::fill(out.begin(), out.end(), 1);
        break;
      case QueryNode::Kind::And:
        std::fill(out.begin(), out.end(), 1);
        for (const QueryNode& c : n.children) {
          const Bits b = evaluate(c, depth);
          for (size_t i = 0; i < out.size(); ++i) out[i] = out[i] && b[i];
        }
        break;
      case QueryNode::Kind::Or:
        for (const QueryNode& c : n.children) {
          const Bits b = evaluate(c, depth);
          for (size_t i = 0; i < out.size(); ++i) out[i] = out[i] || b[i];
        }
        break;
      case QueryNode::Kind::Not: {
        const Bits b = evaluate(n.children[0], depth);
        for (size_t i = 0; i < out.size(); ++i) out[i] = !b[i];
        break;
      }
      case QueryNode::Kind::Path:
        return path(n, depth);
      case QueryNode::Kind::Saved:
        return saved(n, depth);
      case QueryNode::Kind::Word:
        for (size_t i = 0; i < nodes_.size(); ++i) out[i] = wordMatches(n, nodes_[i]);
        break;
      case QueryNode::Kind::Field:
        if (n.field == FieldId::State && !scope_.states && !error_)
          error_ = QueryError{n.column, n.length, "field 'state' is for diffs, and this is one graph"};
        needRun(n);
        fieldMatches(n, out);
        break;
    }
    return out;
  }

  /// Fields that only a run, or two, can tell.
  void needRun(const QueryNode& n) {
    const bool error = n.field == FieldId::Err;
    if (error_ || (!error && n.field != FieldId::Time && n.field != FieldId::Nan)) return;
    if (scope_.run && (!error || !scope_.run->error.empty())) return;
    error_ = QueryError{n.column, n.length,
                        "field '" + std::string(fieldTable()[static_cast<size_t>(n.field)].name) +
                            "' needs " + (error ? "two runs that are compared" : "a run of the graph") +
                            ", which the inspector has once there was one"};
  }

  std::optional<double> runFact(const std::vector<double>& facts, ir::NodeId id) const {
    if (id.index >= facts.size() || std::isnan(facts[id.index])) return std::nullopt;
    return facts[id.index];
  }

  Bits saved(const QueryNode& n, int depth) {
    auto fail = [&](std::string message) {
      if (!error_) error_ = QueryError{n.column, n.length, std::move(message)};
      return Bits(nodes_.size(), 0);
    };
    if (depth > 8) return fail("saved queries that name one another");
    if (!scope_.savedQueries) return fail("there are no saved queries here");
    const auto it = scope_.savedQueries->find(n.savedName);
    if (it == scope_.savedQueries->end()) return fail("no saved query '" + n.savedName + "'");
    const ParsedQuery q = parseQuery(it->second);
    if (q.error) return fail("saved query '" + n.savedName + "': " + q.error->message);
    return evaluate(q.root, depth + 1);
  }

  /// Nodes that stand at a term of some full match.
  Bits path(const QueryNode& n, int depth) {
    const size_t terms = n.children.size();
    std::vector<Bits> term, forward(terms), backward(terms);
    for (const QueryNode& c : n.children) term.push_back(evaluate(c, depth));
    auto both = [](Bits a, const Bits& b) {
      for (size_t i = 0; i < a.size(); ++i) a[i] = a[i] && b[i];
      return a;
    };
    forward[0] = term[0];
    for (size_t k = 1; k < terms; ++k)
      forward[k] = both(reach(forward[k - 1], n.steps[k - 1], true), term[k]);
    backward[terms - 1] = term[terms - 1];
    for (size_t k = terms - 1; k-- > 0;)
      backward[k] = both(reach(backward[k + 1], n.steps[k], false), term[k]);
    Bits out(nodes_.size(), 0);
    for (size_t k = 0; k < terms; ++k)
      for (size_t i = 0; i < out.size(); ++i) out[i] = out[i] || (forward[k][i] && backward[k][i]);
    return out;
  }

  /// One edge from `from`, to readers or to what is read.
  Bits step(const Bits& from, bool readers) {
    Bits out(nodes_.size(), 0);
    for (size_t i = 0; i < nodes_.size(); ++i) {
      if (readers) {
        g_.forEachInput(nodes_[i], [&](ir::NodeId in) { out[i] = out[i] || from[place_[in.index]]; });
      } else if (from[i]) {
        g_.forEachInput(nodes_[i], [&](ir::NodeId in) { out[place_[in.index]] = 1; });
      }
    }
    return out;
  }

  /// Nodes at a distance of step.min to step.max edges (max 0: no limit) from any of `from`.
  Bits reach(const Bits& from, const QueryNode::Step& s, bool readers) {
    Bits at = from, out(nodes_.size(), 0);
    if (s.max == 0) {
      at = step(from, readers);
      out = at;
      // Breadth first over what is new: each node enters once.
      std::vector<uint32_t> queue;
      for (uint32_t i = 0; i < at.size(); ++i)
        if (at[i]) queue.push_back(i);
      for (size_t head = 0; head < queue.size(); ++head) {
        auto visit = [&](ir::NodeId id) {
          const uint32_t p = place_[id.index];
          if (out[p]) return;
          out[p] = 1;
          queue.push_back(p);
        };
        if (readers) {
          for (ir::NodeId user : g_.users(nodes_[queue[head]])) visit(user);
        } else {
          g_.forEachInput(nodes_[queue[head]], visit);
        }
      }
      return out;
    }
    for (uint32_t d = 1; d <= s.max; ++d) {
      at = step(at, readers);
      if (d >= s.min)
        for (size_t i = 0; i < out.size(); ++i) out[i] = out[i] || at[i];
      if (std::find(at.begin(), at.end(), 1) == at.end()) break;
    }
    return out;
  }

  bool wordMatches(const QueryNode& n, ir::NodeId id) const {
    const std::string_view name = g_.nodeName(id), op = shortOp(g_, id), target = g_.target(id);
    for (const QueryValue& v : n.values) {
      if (v.pattern) {
        if (v.pattern->matches(name) || v.pattern->matches(op)) return true;
        if (v.kind == QueryValue::Kind::Regex && v.pattern->matches(target)) return true;
      } else if (v.text == name || v.text == op || v.text == target) {
        return true;
      }
    }
    return false;
  }

  const ir::Boundary& boundary() {
    if (!boundary_) {
      boundary_ = ir::findBoundary(g_);
      outputKinds_.assign(g_.idBound(), {});
      for (const ir::BoundaryOutput& o : boundary_->outputs)
        if (o.node) outputKinds_[o.node.index].push_back(ir::boundaryKindName(o.kind));
    }
    return *boundary_;
  }

  std::vector<std::string_view> kinds(ir::NodeId id) {
    if (roles_.empty()) roles_ = ir::nodeRoles(g_);
    std::vector<std::string_view> out{ir::roleName(roles_[id.index]), ir::opKindName(g_.node(id).op)};
    if (const ir::BoundaryInput* in = boundary().input(id)) {
      const std::string_view k = ir::boundaryKindName(in->kind);
      if (k != out[0]) out.push_back(k);
    }
    for (std::string_view k : outputKinds_[id.index]) out.push_back(k);
    return out;
  }

  /// Texts that are made on the way live until the next call.
  std::string_view fieldText(FieldId field, ir::NodeId id) {
    switch (field) {
      case FieldId::Name:
        return g_.nodeName(id);
      case FieldId::Op:
        return shortOp(g_, id);
      case FieldId::Target:
        return g_.target(id);
      case FieldId::Module:
        if (!modules_) modules_ = ir::findModules(g_);
        return modules_->path(id);
      case FieldId::File:
        return g_.str(g_.source(id).file);
      case FieldId::Dtype:
        scratch_ = dtypeText(g_.type(id));
        return scratch_;
      case FieldId::Phase:
        return lg_.phases[id] == ir::Phase::None ? std::string_view("none") : ir::phaseName(lg_.phases[id]);
      case FieldId::Desc:
        return description(id);
      case FieldId::State:
        return scope_.states && id.index < scope_.states->size()
                   ? std::string_view((*scope_.states)[id.index])
                   : std::string_view();
      default:
        return {};
    }
  }

  /// Descriptors as written, then in words, so that both `GradAOTOutput` and `gradient of` find them.
  std::string_view description(ir::NodeId id) {
    if (descriptions_.empty()) {
      descriptions_.resize(g_.idBound());
      auto append = [&](ir::NodeId node, ir::DescId desc) {
        if (!desc) return;
        std::string& text = descriptions_[node.index];
        if (!text.empty()) text += "; ";
        text += g_.str(g_.context().descriptor(desc).text);
        if (const ir::Descriptor* d = g_.descriptor(desc)) text += " = " + d->words();
      };
      for (ir::NodeId n : nodes_) append(n, g_.node(n).desc);
      const auto values = g_.outputs();
      for (size_t i = 0; i < values.size() && i < g_.outputDescs.size(); ++i)
        if (values[i].kind() == ir::ValueKind::NodeRef) append(values[i].node(), g_.outputDescs[i]);
    }
    return descriptions_[id.index];
  }

  bool isSaved(ir::NodeId id) {
    if (saved_.empty()) {
      saved_.assign(g_.idBound(), 0);
      if (lg_.cut) {
        for (size_t i = 0; i < lg_.cut->size() && i < saved_.size(); ++i)
          saved_[i] = (*lg_.cut)[i].fate == ir::CutFate::Saved;
        return saved_[id.index];
      }
      for (ir::NodeId n : nodes_) {
        if (lg_.phases[n] != ir::Phase::Backward || !lg_.phases.joint) continue;
        g_.forEachInput(n, [&](ir::NodeId in) {
          const ir::Phase phase = lg_.phases[in];
          if (phase == ir::Phase::Forward || phase == ir::Phase::Either) saved_[in.index] = 1;
        });
      }
      for (const ir::BoundaryOutput& o : boundary().outputs)
        if (o.node && o.kind == ir::BoundaryKind::SavedOutput) saved_[o.node.index] = 1;
      for (const ir::BoundaryInput& in : boundary().inputs)
        if (in.kind == ir::BoundaryKind::SavedInput) saved_[in.node.index] = 1;
    }
    return saved_[id.index];
  }

  bool isRecomputed(ir::NodeId id) const {
    if (lg_.cut) return id.index < lg_.cut->size() && (*lg_.cut)[id.index].fate == ir::CutFate::Recomputed;
    return g_.str(g_.source(id).tags).find("RECOMPUTE") != std::string_view::npos;
  }

  std::optional<double> number(FieldId field, ir::NodeId id) {
    const ir::Type& type = g_.type(id);
    switch (field) {
      case FieldId::Line: {
        const uint32_t line = g_.source(id).line;
        return line ? std::optional<double>(line) : std::nullopt;
      }
      case FieldId::Rank:
        if (type.kind != ir::TypeKind::Tensor) return std::nullopt;
        return static_cast<double>(type.tensor.shape.size());
      case FieldId::Bytes: {
        const auto bytes = bytesOf(type);
        return bytes ? std::optional<double>(static_cast<double>(*bytes)) : std::nullopt;
      }
      case FieldId::Users:
        return g_.useCount(id);
      case FieldId::Inputs: {
        uint32_t n = 0;
        g_.forEachInput(id, [&](ir::NodeId) { ++n; });
        return n;
      }
      case FieldId::Order:
        return place_[id.index];
      case FieldId::Time:
        return scope_.run ? runFact(scope_.run->seconds, id) : std::nullopt;
      case FieldId::Err:
        return scope_.run ? runFact(scope_.run->error, id) : std::nullopt;
      default:
        return std::nullopt;
    }
  }

  void fieldMatches(const QueryNode& n, Bits& out) {
    const FieldType type = fieldTable()[static_cast<size_t>(n.field)].type;
    const bool inverted = n.op == QueryOp::NotEqual || n.op == QueryOp::NotLike;
    for (size_t i = 0; i < nodes_.size(); ++i) {
      const ir::NodeId id = nodes_[i];
      bool hit = false;
      switch (type) {
        case FieldType::Number: {
          const auto value = number(n.field, id);
          // An absent number answers no question, not even `!=`.
          out[i] = value && compare(n, *value);
          continue;
        }
        case FieldType::Flag: {
          bool flag = n.field == FieldId::Saved ? isSaved(id)
                      : n.field == FieldId::Nan ? scope_.run && runFact(scope_.run->bad, id).value_or(0) > 0
                                                : isRecomputed(id);
          if (!n.values.empty()) {
            const bool wanted = n.values[0].text == "true" || n.values[0].text == "yes";
            hit = flag == wanted;
          } else {
            hit = flag;
          }
          break;
        }
        case FieldType::Shape:
          hit = shapeMatches(n, g_.type(id));
          break;
        case FieldType::Text:
          if (n.field == FieldId::Kind) {
            for (std::string_view k : kinds(id)) hit = hit || textMatches(n, k);
          } else {
            hit = textMatches(n, fieldText(n.field, id));
          }
          break;
      }
      out[i] = hit != inverted;
    }
  }

  static bool compare(const QueryNode& n, double value) {
    const double want = *n.values[0].number;
    switch (n.op) {
      case QueryOp::Less:
        return value < want;
      case QueryOp::LessEqual:
        return value <= want;
      case QueryOp::Greater:
        return value > want;
      case QueryOp::GreaterEqual:
        return value >= want;
      default:
        break;
    }
    bool any = false;
    for (const QueryValue& v : n.values) any = any || value == *v.number;
    return n.op == QueryOp::NotEqual ? !any : any;
  }

  static bool shapeMatches(const QueryNode& n, const ir::Type& type) {
    if (type.kind != ir::TypeKind::Tensor && type.kind != ir::TypeKind::Wrapped) return false;
    for (const QueryValue& v : n.values) {
      if (n.op == QueryOp::Has) {
        for (const ir::Dim& d : type.tensor.shape)
          if (d.str() == v.text) return true;
      } else if (v.kind == QueryValue::Kind::Shape) {
        if (dimsMatch(v.dims, type.tensor.shape)) return true;
      } else {
        const std::string text = shapeText(type);
        if (v.pattern ? v.pattern->matches(text) : text == v.text) return true;
      }
    }
    return false;
  }

  static std::string_view baseName(std::string_view path) {
    const size_t slash = path.rfind('/');
    return slash == std::string_view::npos ? path : path.substr(slash + 1);
  }

  static bool textMatches(const QueryNode& n, std::string_view text) {
    for (const QueryValue& v : n.values) {
      if (v.pattern) {
        if (v.pattern->matches(text)) return true;
        if (n.field == FieldId::File && v.pattern->matches(baseName(text))) return true;
      } else {
        if (v.text == text) return true;
        if (n.field == FieldId::File &&
            (v.text == baseName(text) ||
             (text.size() > v.text.size() && text[text.size() - v.text.size() - 1] == '/' &&
              text.substr(text.size() - v.text.size()) == v.text)))
          return true;
        if (n.field == FieldId::Dtype && v.text.size() > 3 && !text.empty()) {
          const ir::DType d = ir::dtypeFromTorchName(v.text);
          if (d != ir::DType::Unknown && ir::dtypeInfo(d).shortName == text) return true;
        }
        // `op=add` means any overload of add.
        if (n.field == FieldId::Op && text.size() > v.text.size() && text[v.text.size()] == '.' &&
            text.substr(0, v.text.size()) == v.text)
          return true;
        if (n.field == FieldId::Desc && text.substr(0, v.text.size()) == v.text &&
            text.substr(v.text.size(), 3) == " = ")
          return true;
      }
    }
    return false;
  }

  void sort(std::vector<ir::NodeId>& nodes, FieldId field, bool descending) {
    const FieldType type = fieldTable()[static_cast<size_t>(field)].type;
    if (type == FieldType::Number) {
      // Nodes without the number come last either way.
      std::vector<std::pair<double, ir::NodeId>> keyed;
      for (ir::NodeId id : nodes)
        keyed.emplace_back(number(field, id).value_or(descending ? -1e300 : 1e300), id);
      std::stable_sort(keyed.begin(), keyed.end(), [descending](const auto& a, const auto& b) {
        return descending ? a.first > b.first : a.first < b.first;
      });
      for (size_t i = 0; i < nodes.size(); ++i) nodes[i] = keyed[i].second;
      return;
    }
    std::vector<std::pair<std::string, ir::NodeId>> keyed;
    for (ir::NodeId id : nodes) {
      std::string key;
      if (field == FieldId::Shape)
        key = shapeText(g_.type(id));
      else if (field == FieldId::Kind)
        key = kinds(id)[0];
      else if (field == FieldId::Saved)
        key = isSaved(id) ? "1" : "0";
      else
        key = fieldText(field, id);
      keyed.emplace_back(std::move(key), id);
    }
    std::stable_sort(keyed.begin(), keyed.end(), [descending](const auto& a, const auto& b) {
      return descending ? a.first > b.first : a.first < b.first;
    });
    for (size_t i = 0; i < nodes.size(); ++i) nodes[i] = keyed[i].second;
  }

  const LoadedGraph& lg_;
  const ir::Graph& g_;
  const QueryScope& scope_;
  std::string_view text_;
  std::vector<ir::NodeId> nodes_;
  std::vector<uint32_t> place_;
  std::optional<QueryError> error_;
  std::optional<ir::ModuleMap> modules_;
  std::optional<ir::Boundary> boundary_;
  std::vector<std::vector<std::string_view>> outputKinds_;
  std::vector<ir::NodeRole> roles_;
  std::vector<std::string> descriptions_;
  std::vector<char> saved_;
  std::string scratch_;
};

bool startsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

}  // namespace

QueryResult runQuery(const LoadedGraph& graph, std::string_view query, const QueryScope& scope) {
  return Evaluator(graph, scope).run(query);
}

const std::vector<QueryField>& queryFields() {
  static const std::vector<QueryField> kFields = [] {
    std::vector<QueryField> out;
    for (const FieldInfo& f : fieldTable()) out.push_back({f.name, f.meaning});
    return out;
  }();
  return kFields;
}

std::vector<std::string> completeQuery(const LoadedGraph& graph, std::string_view query, size_t column) {
  std::string_view text = query.substr(0, std::min(column, query.size()));
  size_t from = text.size();
  while (from > 0 && std::string_view(" \t()\"").find(text[from - 1]) == std::string_view::npos) --from;
  const std::string_view word = text.substr(from);
  constexpr size_t kMost = 20;
  std::vector<std::string> out;
  const size_t op = word.find_first_of("=~<>!");
  if (op != std::string_view::npos) {
    const FieldInfo* f = findField(word.substr(0, op));
    if (!f) return out;
    size_t valueAt = op;
    while (valueAt < word.size() && std::string_view("=~<>!").find(word[valueAt]) != std::string_view::npos)
      ++valueAt;
    const std::string_view partial = word.substr(valueAt);
    if (f->type == FieldType::Flag) {
      for (const char* v : {"true", "false"})
        if (startsWith(v, partial)) out.push_back(std::string(word.substr(0, valueAt)) + v);
      return out;
    }
    if (f->type == FieldType::Number) return out;
    const QueryScope scope;
    for (const auto& [value, n] : Evaluator(graph, scope).valueCounts(f->id)) {
      if (!startsWith(value, partial) || value.find('"') != std::string::npos) continue;
      const bool quoted = value.find_first_of(" (){},") != std::string::npos && f->type != FieldType::Shape;
      out.push_back(std::string(word.substr(0, valueAt)) + (quoted ? "\"" + value + "\"" : value));
      if (out.size() >= kMost) break;
    }
    return out;
  }
  for (const FieldInfo& f : fieldTable())
    if (startsWith(f.name, word)) out.push_back(std::string(f.name) + (f.type == FieldType::Flag ? "" : "="));
  for (const char* w : {"and", "or", "not", "sort:", "limit:", "in:selection", "in:visible", "in:all"})
    if (startsWith(w, word)) out.emplace_back(w);
  if (startsWith(word, "sort:"))
    for (const FieldInfo& f : fieldTable())
      if (startsWith(f.name, word.substr(5))) out.push_back(std::string("sort:") + f.name);
  if (!word.empty()) {
    const QueryScope scope;
    Evaluator evaluator(graph, scope);
    for (FieldId field : {FieldId::Op, FieldId::Name}) {
      for (const auto& [value, n] : evaluator.valueCounts(field)) {
        if (out.size() >= kMost) return out;
        if (startsWith(value, word) && std::find(out.begin(), out.end(), value) == out.end())
          out.push_back(value);
      }
    }
  }
  return out;
}

}  // namespace descry::session

// Facts about graph inputs: describe_tensor, describe_source and describe_storage records.
#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

#include "importers/torch_trace/trace_input.h"
#include "importers/torch_trace/trace_json.h"
#include "ir/types/dtype.h"

namespace descry::importers {
namespace {

using nlohmann::json;

std::string listText(const json& values) {
  std::string out = "[";
  if (values.is_array())
    for (const json& v : values) {
      if (out.size() > 1) out += ", ";
      out += cellText(v);
    }
  out += ']';
  return out;
}

/// `device(type='cuda', index=0)` -> `cuda:0`.
std::string deviceText(const std::string& repr) {
  const size_t type = repr.find("type='");
  if (type == std::string::npos) return repr;
  const size_t end = repr.find('\'', type + 6);
  std::string out = repr.substr(type + 6, end == std::string::npos ? end : end - type - 6);
  const size_t index = repr.find("index=");
  if (index != std::string::npos) {
    const size_t close = repr.find_first_not_of("0123456789", index + 6);
    out += ':';
    out += repr.substr(index + 6, close == std::string::npos ? close : close - index - 6);
  }
  return out;
}

/// The description with the symbols that its sizes became, and its strides in terms of them: as a dense
/// layout has them, from the innermost dimension out.
json withSymbols(json tensor, const std::string& source,
                 const std::unordered_map<std::string, std::string>& symbols) {
  const auto size = tensor.find("size"), stride = tensor.find("stride");
  if (size == tensor.end() || !size->is_array()) return tensor;
  const json numbers = *size;
  bool any = false;
  for (size_t d = 0; d < numbers.size(); ++d) {
    const auto found = symbols.find(source + ".size()[" + std::to_string(d) + "]");
    if (found == symbols.end()) continue;
    (*size)[d] = found->second;
    any = true;
  }
  const auto whole = [](const json& j) { return j.is_number_integer(); };
  if (!any || stride == tensor.end() || !stride->is_array() || stride->size() != numbers.size() ||
      !std::all_of(stride->begin(), stride->end(), whole) ||
      !std::all_of(numbers.begin(), numbers.end(), whole))
    return tensor;
  std::vector<size_t> inwards(numbers.size());
  std::iota(inwards.begin(), inwards.end(), size_t{0});
  const json values = *stride;
  std::stable_sort(inwards.begin(), inwards.end(),
                   [&](size_t a, size_t b) { return values[a].get<int64_t>() < values[b].get<int64_t>(); });
  for (size_t k = 1; k < inwards.size(); ++k) {
    const size_t inner = inwards[k - 1], outer = inwards[k];
    int64_t dense = 0;
    if (__builtin_mul_overflow(numbers[inner].get<int64_t>(), values[inner].get<int64_t>(), &dense) ||
        dense != values[outer].get<int64_t>())
      continue;
    const json& s = (*size)[inner];
    const json& by = (*stride)[inner];
    if (whole(s) && whole(by)) continue;
    const std::string factor = s.is_string() ? s.get<std::string>() : s.dump();
    const std::string step = by.is_string() ? by.get<std::string>() : by.dump();
    (*stride)[outer] = step == "1" ? factor : factor == "1" ? step : step + "*" + factor;
  }
  return tensor;
}

std::optional<bool> flag(const json& object, const char* key) {
  // The writer leaves out what is false.
  const auto found = object.find(key);
  return found != object.end() && found->is_boolean() && found->get<bool>();
}

}  // namespace

std::string dynamoPlaceholder(std::string_view source) {
  std::string out;
  for (const char c : source) {
    const bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (word)
      out += c;
    else if (out.empty() || out.back() != '_')
      out += '_';
  }
  return out;
}

std::string tensorTypeText(const json& tensor) {
  const std::string torchName = member(tensor, "dtype");
  const ir::DType dtype = ir::dtypeFromTorchName(torchName);
  std::string out = dtype == ir::DType::Unknown ? torchName : std::string(ir::dtypeInfo(dtype).shortName);
  const auto size = tensor.find("size");
  out += size == tensor.end() ? "[]" : listText(*size);
  if (const auto stride = tensor.find("stride"); stride != tensor.end()) out += listText(*stride);
  return out + deviceText(member(tensor, "device"));
}

std::vector<InputFact> describedTensors(const TraceIndex& file, const CompileKey& key, uint16_t instance) {
  using Id = std::pair<int64_t, int64_t>;
  struct Tensor {
    json facts;
    std::string source;
    int64_t attempt = -1;
  };
  std::map<Id, Tensor> tensors;
  std::map<Id, int64_t> storageBytes;
  std::unordered_map<std::string, std::string> symbols;  // by where they come from: "L['x']._base.size()[0]"
  std::vector<Id> order;
  const auto idOf = [](const json& o, const char* what) -> int64_t {
    const auto found = o.find(what);
    return found != o.end() && found->is_number_integer() ? found->get<int64_t>() : -1;
  };
  for (const TraceRecord& r : file.records) {
    const bool tensor = file.kind(r) == "describe_tensor", source = file.kind(r) == "describe_source";
    const bool storage = file.kind(r) == "describe_storage", symbol = file.kind(r) == "create_symbol";
    if ((!tensor && !source && !storage && !symbol) || r.instance != instance ||
        !file.key(r).sameCompile(key))
      continue;
    const json o = parseJson(file.metadata(r));
    if (!o.is_object()) continue;
    if (symbol) {
      symbols[member(o, "source")] = member(o, "symbol");
      continue;
    }
    const Id id{idOf(o, "describer_id"), idOf(o, "id")};
    if (storage) {
      storageBytes[id] = idOf(o, "size");
      continue;
    }
    const auto [it, fresh] = tensors.try_emplace(id);
    if (fresh) order.push_back(id);
    it->second.attempt = file.key(r).attempt;
    if (tensor)
      it->second.facts = o;
    else
      it->second.source = member(o, "source");
  }
  // Gradients and bases are described with their tensor and have no source of their own.
  for (const Id& id : order) {
    const Tensor& t = tensors[id];
    if (t.source.empty() || !t.facts.is_object()) continue;
    for (const auto& [link, suffix] : {std::pair{"grad", ".grad"}, std::pair{"base", "._base"}}) {
      const auto other = tensors.find({id.first, idOf(t.facts, link)});
      if (other != tensors.end() && other->second.source.empty()) other->second.source = t.source + suffix;
    }
  }
  std::unordered_map<std::string, size_t> bySource;
  std::vector<InputFact> facts;
  std::vector<int64_t> attempts;
  for (const Id& id : order) {
    const Tensor& t = tensors[id];
    if (t.source.empty() || !t.facts.is_object()) continue;
    InputFact fact;
    fact.source = t.source;
    fact.requiresGrad = flag(t.facts, "requires_grad");
    fact.isLeaf = flag(t.facts, "is_leaf");
    fact.isParameter = flag(t.facts, "is_parameter");
    fact.isView = flag(t.facts, "is_view");
    fact.type = tensorTypeText(t.facts);
    fact.storage = member(t.facts, "storage");
    fact.offset = std::max<int64_t>(idOf(t.facts, "storage_offset"), 0);
    if (const auto bytes = storageBytes.find({id.first, idOf(t.facts, "storage")});
        bytes != storageBytes.end())
      fact.storageBytes = bytes->second;
    if (const int64_t base = idOf(t.facts, "base"); base >= 0) {
      const auto found = tensors.find({id.first, base});
      if (found != tensors.end()) fact.viewOf = found->second.source;
      if (found != tensors.end() && found->second.facts.is_object()) {
        const json& b = found->second.facts;
        fact.base =
            InputFact::Base{tensorTypeText(withSymbols(b, t.source + "._base", symbols)),
                            std::max<int64_t>(idOf(b, "storage_offset"), 0),
                            flag(b, "requires_grad").value_or(false), flag(b, "is_leaf").value_or(false)};
      }
      if (fact.viewOf.empty()) fact.viewOf = "tensor " + std::to_string(base);
    }
    // A restarted compile describes its inputs again: the attempt of the graph counts, else the last one.
    const auto [it, fresh] = bySource.emplace(fact.source, facts.size());
    if (fresh) {
      facts.push_back(std::move(fact));
      attempts.push_back(t.attempt);
    } else if (attempts[it->second] != key.attempt || t.attempt == key.attempt) {
      facts[it->second] = std::move(fact);
      attempts[it->second] = t.attempt;
    }
  }
  return facts;
}

namespace {

/// `L['self'].p[0]` and the attribute `self___p_0_` come to the same text.
std::string attributeKey(std::string_view text) {
  std::string out = dynamoPlaceholder(text);
  if (out.starts_with("L_")) out.erase(0, 2);
  while (out.starts_with('_')) out.erase(0, 1);
  while (out.ends_with('_')) out.pop_back();
  return out;
}

bool tensorLike(const ir::Graph& graph, ir::NodeId id) {
  return graph.type(id).kind != ir::TypeKind::Sym;
}

class Joiner {
 public:
  explicit Joiner(const std::vector<InputFact>& facts) {
    for (const InputFact& fact : facts) {
      if (fact.source.ends_with("._base")) bases_.push_back(&fact);
      bySource_.emplace(fact.source, &fact);
      placeholders_.emplace(dynamoPlaceholder(fact.source), &fact);
      attributes_.emplace(attributeKey(fact.source), &fact);
    }
  }

  /// The fact of each placeholder of a captured graph, in order; null where the log has none.
  std::vector<const InputFact*> placeholders(const ir::Graph& graph) const {
    std::vector<const InputFact*> out;
    for (const ir::NodeId id : graph.placeholders()) {
      const auto found = placeholders_.find(std::string(graph.target(id)));
      out.push_back(found == placeholders_.end() ? nullptr : found->second);
    }
    return out;
  }

  const InputFact* attribute(std::string_view target) const {
    const auto found = attributes_.find(attributeKey(target));
    return found == attributes_.end() ? nullptr : found->second;
  }

  /// Facts of the tensor that AOT autograd passes instead of views of it. `view` is one of them. The log
  /// describes the base when Python holds it (`view._base`); else only what the views share is known.
  InputFact baseOf(const InputFact& view, const std::vector<const InputFact*>& inputs) const {
    InputFact base;
    const auto described = view.viewOf.empty() ? bySource_.end() : bySource_.find(view.viewOf);
    if (described != bySource_.end())
      base = *described->second;
    else
      base.source = view.viewOf.empty() ? "storage of " + view.source : view.viewOf;
    base.storage = view.storage;
    for (const InputFact* other : inputs) {
      if (!other || other->source == base.source) continue;
      if (other != &view && (view.storage.empty() || other->storage != view.storage)) continue;
      base.baseOf += (base.baseOf.empty() ? "" : ", ") + other->source;
    }
    return base;
  }

  /// Facts of a captured graph: placeholders, then attributes that it reads.
  std::vector<InputFact> captured(const ir::Graph& graph) const {
    std::vector<InputFact> out;
    const auto add = [&](const InputFact* fact, ir::NodeId id, size_t candidates = 1) {
      if (!fact) return;
      out.push_back(*fact);
      out.back().name = std::string(graph.nodeName(id));
      out.back().candidates = candidates;
    };
    const std::vector<const InputFact*> facts = placeholders(graph);
    const std::vector<ir::NodeId> nodes = graph.placeholders();
    // The next input with a source of its own, by input.
    std::vector<const InputFact*> next(nodes.size() + 1, nullptr);
    for (size_t i = nodes.size(); i-- > 0;) next[i] = facts[i] ? facts[i] : next[i + 1];
    std::unordered_set<const InputFact*> taken;
    for (size_t i = 0; i < nodes.size(); ++i) {
      const InputFact* fact = facts[i];
      size_t candidates = fact ? 1 : 0;
      if (!fact && tensorLike(graph, nodes[i])) {
        // An input that was described before as the base of another has no source of its own. Inputs are
        // described in order, so that it stands before the next one that has.
        for (const InputFact* base : bases_) {
          if (next[i] && base >= next[i]) break;
          if (base->type != graph.type(nodes[i]).text || taken.contains(base)) continue;
          if (++candidates == 1) fact = base;
        }
        taken.insert(fact);
      }
      add(fact, nodes[i], candidates);
    }
    for (const ir::NodeId id : graph.nodes())
      if (graph.node(id).op == ir::OpKind::GetAttr) add(attribute(graph.target(id)), id);
    return out;
  }

 private:
  std::vector<const InputFact*> bases_;  ///< parts of one list, in its order
  std::unordered_map<std::string, const InputFact*> placeholders_, attributes_, bySource_;
};

}  // namespace

std::vector<InputFact> TraceInput::inputFacts(size_t index) const {
  if (index >= graphs_.size()) return {};
  const TraceRef ref = graphRefs_[index];
  const TraceIndex& file = files_[ref.file];
  const TraceRecord& record = file.records[ref.record];
  const CompileKey& key = file.key(record);
  const std::vector<InputFact> described = describedTensors(file, key, record.instance);
  if (described.empty()) return {};

  const auto unjoined = [&] { return described; };
  /// The graph of a kind in the same compile: the same attempt if there is one, else the last.
  const auto sibling = [&](std::string_view kind) -> std::optional<size_t> {
    std::optional<size_t> found;
    for (size_t i = 0; i < graphs_.size(); ++i) {
      if (graphs_[i].kind != kind || graphRefs_[i].file != ref.file) continue;
      const TraceRecord& other = file.records[graphRefs_[i].record];
      if (other.instance != record.instance || !file.key(other).sameCompile(key)) continue;
      if (found && graphs_[*found].attempt == graphs_[index].attempt &&
          graphs_[i].attempt != graphs_[index].attempt)
        continue;
      found = i;
    }
    return found;
  };
  const auto parse = [&](size_t graph) -> std::shared_ptr<ir::Module> {
    ir::DiagnosticSink quiet(1);
    auto module = load(graph, quiet);
    return module && *module && !(*module)->graphs.empty() ? *module : nullptr;
  };

  const Joiner joiner(described);
  const std::string& kind = graphs_[index].kind;
  const std::shared_ptr<ir::Module> own = parse(index);
  if (!own) return unjoined();
  if (kind == "dynamo_output_graph" || kind.find("pre_grad") != std::string::npos)
    return joiner.captured(own->root());

  const auto dynamo = sibling("dynamo_output_graph");
  const std::shared_ptr<ir::Module> captured = dynamo ? parse(*dynamo) : nullptr;
  if (!captured) return unjoined();
  const std::vector<const InputFact*> inputs = joiner.placeholders(captured->root());

  // AOT graphs take what dynamo hands over in the same order: PlainAOTInput(idx=k) is dynamo's input k.
  // Attributes of the captured graph come first and have no index. Without descriptors the k-th `primals` or
  // `arg` is input k.
  const auto join = [&](const ir::Graph& graph) {
    std::unordered_map<std::string, InputFact> out;
    size_t position = 0;
    const std::vector<ir::NodeId> nodes = graph.placeholders();
    const auto descriptor = [&](ir::NodeId id) {
      return graph.str(graph.context().descriptor(graph.node(id).desc).text);
    };
    const bool told =
        std::any_of(nodes.begin(), nodes.end(), [&](ir::NodeId id) { return !descriptor(id).empty(); });
    for (const ir::NodeId id : nodes) {
      const std::string_view name = graph.nodeName(id);
      std::string_view text = descriptor(id);
      bool base = false;
      for (const std::string_view wrapper : {"SyntheticBaseAOTInput(base_of=", "ViewBaseAOTInput(base_of="})
        if (text.starts_with(wrapper)) {
          text.remove_prefix(wrapper.size());
          base = true;
        }
      const InputFact* fact = nullptr;
      std::optional<size_t> at;
      static constexpr std::string_view kPlain = "PlainAOTInput(idx=";
      if (text.starts_with(kPlain)) {
        at = static_cast<size_t>(std::atoll(std::string(text.substr(kPlain.size())).c_str()));
      } else if (text.starts_with("ParamAOTInput(target='") || text.starts_with("BufferAOTInput(target='")) {
        const size_t quote = text.find('\'') + 1;
        fact = joiner.attribute(text.substr(quote, text.find('\'', quote) - quote));
      } else if (!told && (name.starts_with("primals_") || name.starts_with("arg"))) {
        at = position++;
      }
      if (at && *at < inputs.size()) fact = inputs[*at];
      if (!fact || !tensorLike(graph, id)) continue;
      InputFact mine = base ? joiner.baseOf(*fact, inputs) : *fact;
      mine.name = std::string(name);
      out.emplace(mine.name, std::move(mine));
    }
    return out;
  };
  std::unordered_map<std::string, InputFact> joined;
  const bool backward = kind == "aot_backward_graph";
  if (backward) {
    // Saved inputs keep their names from the joint graph.
    auto source = sibling("aot_joint_graph");
    if (!source) source = sibling("aot_forward_graph");
    const std::shared_ptr<ir::Module> other = source ? parse(*source) : nullptr;
    if (!other) return unjoined();
    joined = join(other->root());
  } else {
    joined = join(own->root());
  }
  std::vector<InputFact> out;
  for (const ir::NodeId id : own->root().placeholders()) {
    const auto found = joined.find(std::string(own->root().nodeName(id)));
    if (found != joined.end()) out.push_back(found->second);
  }
  return out;
}

}  // namespace descry::importers

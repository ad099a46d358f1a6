#include "session/run_inputs.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <utility>

#include "ir/ops/eval/promotion.h"
#include "ir/ops/eval/strides.h"
#include "passes/aot/program.h"
#include "runtime/core/iterate.h"
#include "runtime/core/random.h"

namespace descry::session {

using ir::eval::Meta;
using runtime::DType;
using runtime::EvalError;
using runtime::TensorRef;
using runtime::Value;
using runtime::VKind;

namespace {

std::string typeText(const Meta& m) {
  std::string s(ir::dtypeInfo(m.dtype).shortName);
  s += '[';
  for (size_t d = 0; d < m.sizes.size(); ++d) s += (d ? ", " : "") + m.sizes[d].str();
  return s + ']';
}

Meta plain(Meta m) {
  for (ir::eval::Ints* list : {&m.sizes, &m.strides})
    for (ir::eval::Int& i : *list) i = ir::eval::Int(i.value);
  m.offset = ir::eval::Int(m.offset.value);
  return m;
}

/// What the graph says an input is; nothing for numbers.
std::optional<Meta> askedFor(const LoadedGraph& graph, const passes::CapturedFacts& facts, size_t i,
                             ir::NodeId node) {
  if (i < facts.inputs.size() && facts.inputs[i].meta) return facts.inputs[i].meta;
  ir::Type type = graph.graph->type(node);
  if (type.kind == ir::TypeKind::Wrapped) type.kind = ir::TypeKind::Tensor;
  return passes::checkedMeta(type, facts.hints);
}

/// Empty when `given` may stand for `wanted`; symbolic sizes take any.
std::string mismatch(const Meta& wanted, const Meta& given) {
  bool fits = wanted.dtype == given.dtype && wanted.sizes.size() == given.sizes.size();
  for (size_t d = 0; fits && d < wanted.sizes.size(); ++d)
    fits = wanted.sizes[d].symbolic() || wanted.sizes[d].value == given.sizes[d].value;
  return fits ? std::string() : "the graph takes " + typeText(wanted) + ", given is " + typeText(given);
}

/// Sizes of the graph that are symbols take the numbers of the given tensors.
void learnSizes(const ir::Type& type, const Meta& given, std::unordered_map<std::string, int64_t>& hints) {
  const std::vector<ir::Dim>& shape = type.tensor.shape;
  for (size_t d = 0; d < shape.size() && d < given.sizes.size(); ++d)
    if (shape[d].symbolic()) hints[shape[d].text] = given.sizes[d].value;
}

class Maker {
 public:
  Maker(const LoadedGraph& graph, passes::CapturedFacts& facts) : graph_(graph), facts_(facts) {}

  ir::Result<RunInputs> made(std::string_view from) {
    runtime::Generator generator;
    bool ones = from == "ones";
    random_ = from.starts_with("random");
    if (random_) {
      std::string_view seed = from.size() > 7 ? from.substr(7) : std::string_view("0");
      if (const size_t colon = seed.find(':'); colon != std::string_view::npos) {
        if (!readRange(seed.substr(colon + 1)))
          return ir::failure("bad-inputs", "a range is LOW..HIGH with LOW below HIGH: random:0:-1..1");
        seed = seed.substr(0, colon);
      }
      uint64_t n = 0;
      const auto [end, error] = std::from_chars(seed.data(), seed.data() + seed.size(), n);
      if (error != std::errc() || end != seed.data() + seed.size())
        return ir::failure("bad-inputs", "a seed is a number: random:0");
      generator.seed(n);
    }
    std::map<std::string, size_t> memoryOf;
    std::map<size_t, int64_t> elements;
    const std::vector<ir::NodeId> placeholders = graph_.graph->placeholders();
    std::vector<std::optional<Meta>> metas;
    for (size_t i = 0; i < placeholders.size(); ++i) {
      std::optional<Meta> m = askedFor(graph_, facts_, i, placeholders[i]);
      passes::RunnableInput kind;
      const passes::CapturedInput* fact = i < facts_.inputs.size() ? &facts_.inputs[i] : nullptr;
      if (m) {
        kind.meta = plain(*m);
        if (fact) {
          kind.requiresGrad = fact->requiresGrad;
          kind.isLeaf = fact->isLeaf;
          if (!fact->storage.empty()) kind.meta->offset = fact->offset.value;
        }
        // Inputs of one storage share it; all others lie alone.
        const std::string key =
            fact && !fact->storage.empty() ? "s" + fact->storage : "i" + std::to_string(i);
        kind.storage = memoryOf.try_emplace(key, memoryOf.size()).first->second;
        const int64_t item = runtime::itemBytes(kind.meta->dtype);
        int64_t& n = elements[kind.storage];
        n = std::max(n, static_cast<int64_t>(runtime::endBytes(*kind.meta)) / item);
        if (fact && fact->storageBytes > 0 && fact->storageBytes / item < (int64_t{1} << 32))
          n = std::max(n, fact->storageBytes / item);
      } else if (graph_.graph->type(placeholders[i]).kind == ir::TypeKind::Sym) {
        const ir::eval::Int n = passes::intOfText(graph_.graph->type(placeholders[i]).sym, facts_.hints);
        kind.number = Value(n.value);
      } else {
        out_.assumed.push_back("nothing is known of the input " +
                               std::string(graph_.graph->nodeName(placeholders[i])) +
                               ": it is passed as None");
      }
      out_.kinds.push_back(std::move(kind));
    }
    for (passes::RunnableInput& kind : out_.kinds) {
      if (!kind.meta) {
        out_.values.push_back(kind.number);
        continue;
      }
      TensorRef& memory = out_.memories[kind.storage];
      if (!memory) {
        memory = runtime::allocate(runtime::Dims{elements[kind.storage]}, kind.meta->dtype);
        if (random_)
          fillRandom(memory, generator);
        else
          runtime::fillElements(runtime::viewOf(*memory), Value(ones ? 1 : 0));
      }
      if (memory->meta.dtype != kind.meta->dtype)
        return ir::failure("bad-inputs", "two inputs share memory and have different dtypes");
      kind.storageElements = elements[kind.storage];
      out_.values.emplace_back(runtime::viewInto(*memory, *kind.meta));
    }
    return std::move(out_);
  }

  ir::Result<RunInputs> read(const std::string& path) {
    ir::Result<runtime::TensorFile> file = readTensors(path);
    if (!file) return file.error();
    out_.fromFile = true;
    for (const auto& [name, tensor] : file->tensors) {
      size_t n = 0;
      if (numbered(name, "tangent.", n)) out_.tangents[n] = tensor;
      if (name.starts_with("attribute.")) out_.attributes[name.substr(10)] = tensor;
    }
    const auto layouts = file->metadata.find("inputs");
    const ir::Status done =
        layouts != file->metadata.end() ? byLayout(*file, layouts->second) : byName(*file);
    if (!done) {
      ir::Diagnostic d = done.error();
      if (d.file.empty()) d.file = path;
      return d;
    }
    return std::move(out_);
  }

 private:
  static bool numbered(std::string_view name, std::string_view prefix, size_t& n) {
    if (!name.starts_with(prefix)) return false;
    const std::string_view digits = name.substr(prefix.size());
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), n);
    return error == std::errc() && end == digits.data() + digits.size();
  }

  bool readRange(std::string_view text) {
    const size_t dots = text.find("..");
    if (dots == std::string_view::npos) return false;
    const std::string_view ends[] = {text.substr(0, dots), text.substr(dots + 2)};
    double values[2] = {};
    for (int i = 0; i < 2; ++i) {
      const auto [end, error] = std::from_chars(ends[i].data(), ends[i].data() + ends[i].size(), values[i]);
      if (error != std::errc() || end != ends[i].data() + ends[i].size() || !std::isfinite(values[i]))
        return false;
    }
    range_ = {values[0], values[1]};
    return values[0] < values[1];
  }

  /// Normal numbers, or even ones in the range that was asked for; integers from it, else from 0 to 4.
  void fillRandom(const TensorRef& memory, runtime::Generator& g) const {
    const auto number = [&] {
      return range_ ? range_->first + (range_->second - range_->first) * g.uniformDouble() : g.normal(0, 1);
    };
    const DType dtype = memory->meta.dtype;
    const ir::DTypeInfo& info = ir::dtypeInfo(dtype);
    std::byte* at = memory->storage->data();
    const int64_t n = memory->meta.sizes[0].value, item = runtime::itemBytes(dtype);
    for (int64_t i = 0; i < n; ++i, at += item) {
      if (info.complex) {
        const double re = g.normal(0, M_SQRT1_2);
        runtime::storeNumber(dtype, at, Value::complex(re, g.normal(0, M_SQRT1_2)));
      } else if (info.floating) {
        runtime::storeNumber(dtype, at, Value::real(number()));
      } else if (dtype == DType::B8) {
        runtime::storeNumber(dtype, at, Value::boolean(g.random32() & 1));
      } else {
        runtime::storeNumber(dtype, at, Value(integer(g)));
      }
    }
  }

  int64_t integer(runtime::Generator& g) const {
    if (!range_) return static_cast<int64_t>(g.random32() % 5);
    // Within what int64 holds; an empty set of integers gives the one below it.
    const auto whole = [](double v) { return static_cast<int64_t>(std::clamp(v, -9e18, 9e18)); };
    const int64_t low = whole(std::ceil(range_->first)),
                  high = std::max(low, whole(std::floor(range_->second)));
    return low + static_cast<int64_t>(g.random64() %
                                      (static_cast<uint64_t>(high) - static_cast<uint64_t>(low) + 1));
  }

  /// A size, a stride or a place in the metadata: JSON's floats and what 63 bits do not hold are none.
  struct NoCount {};
  static int64_t countIn(const nlohmann::json& j) {
    if (!j.is_number_unsigned() ||
        j.get<uint64_t>() > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
      throw NoCount{};
    return j.get<int64_t>();
  }

  ir::Status fits(size_t i, ir::NodeId node, const Meta& given) {
    const std::optional<Meta> wanted = askedFor(graph_, facts_, i, node);
    if (!wanted) return {};
    if (const std::string why = mismatch(*wanted, given); !why.empty()) {
      ir::Diagnostic d =
          ir::failure("input-mismatch",
                      "the input " + std::string(graph_.graph->nodeName(node)) + " does not fit: " + why);
      d.node = graph_.graph->nodeName(node);
      return d;
    }
    return {};
  }

  /// One tensor for each input, by name.
  ir::Status byName(const runtime::TensorFile& file) {
    const std::vector<ir::NodeId> placeholders = graph_.graph->placeholders();
    std::string missing;
    for (size_t i = 0; i < placeholders.size(); ++i) {
      const std::string name(graph_.graph->nodeName(placeholders[i]));
      passes::RunnableInput kind;
      // Captured graphs have two names for an input: `L_x_` in the signature, `l_x_` in the body.
      TensorRef t;
      for (const std::string_view known : {std::string_view(name), graph_.graph->target(placeholders[i])})
        for (const char* prefix : {"", "in."})
          if (!t) t = file.find(prefix + std::string(known));
      if (!t && graph_.graph->type(placeholders[i]).kind == ir::TypeKind::Sym) {
        const std::string& symbol = graph_.graph->type(placeholders[i]).sym;
        pendingNumbers_.emplace_back(i, symbol);
        out_.kinds.push_back(std::move(kind));
        out_.values.emplace_back();
        continue;
      }
      if (!t) {
        missing += (missing.empty() ? "" : ", ") + name;
        continue;
      }
      if (ir::Status s = fits(i, placeholders[i], t->meta); !s) return s;
      kind.meta = t->meta;
      kind.storage = i;
      kind.storageElements = t->meta.numel().value;
      if (i < facts_.inputs.size()) {
        kind.requiresGrad = facts_.inputs[i].requiresGrad;
        kind.isLeaf = facts_.inputs[i].isLeaf;
      }
      learnSizes(graph_.graph->type(placeholders[i]), t->meta, facts_.hints);
      Meta flat;
      flat.dtype = t->meta.dtype;
      flat.sizes = {t->meta.numel()};
      flat.strides = {1};
      out_.memories[i] = runtime::viewInto(*t, flat);
      out_.kinds.push_back(std::move(kind));
      out_.values.emplace_back(t);
    }
    if (!missing.empty())
      return ir::failure("missing-input", "the file holds no tensor for " + missing +
                                              "; tensors are named as the graph's inputs");
    for (const auto& [i, symbol] : pendingNumbers_)
      out_.values[i] = out_.kinds[i].number = Value(passes::intOfText(symbol, facts_.hints).value);
    return {};
  }

  /// Memories and how the inputs lie in them.
  ir::Status byLayout(const runtime::TensorFile& file, const std::string& text) {
    const auto list = nlohmann::json::parse(text, nullptr, false);
    const std::vector<ir::NodeId> placeholders = graph_.graph->placeholders();
    if (!list.is_array()) return ir::failure("bad-inputs", "the metadata `inputs` of the file is no list");
    if (list.size() != placeholders.size())
      return ir::failure("missing-input", "the graph takes " + std::to_string(placeholders.size()) +
                                              " inputs, the file has " + std::to_string(list.size()));
    for (const auto& [name, tensor] : file.tensors)
      if (size_t k = 0; numbered(name, "storage.", k)) out_.memories[k] = tensor;
    for (size_t i = 0; i < list.size(); ++i) {
      const auto& e = list[i];
      const std::string name(graph_.graph->nodeName(placeholders[i]));
      passes::RunnableInput kind;
      if (!e.is_object()) {
        if (const std::optional<Meta> wanted = askedFor(graph_, facts_, i, placeholders[i])) {
          ir::Diagnostic d =
              ir::failure("input-mismatch", "the input " + name + " does not fit: the graph takes " +
                                                typeText(*wanted) + ", given is no tensor");
          d.node = name;
          return d;
        }
        if (e.is_boolean())
          kind.number = Value::boolean(e.get<bool>());
        else if (e.is_number_integer())
          kind.number = Value(e.get<int64_t>());
        else if (e.is_number())
          kind.number = Value::real(e.get<double>());
        if (const ir::Type& type = graph_.graph->type(placeholders[i]);
            type.kind == ir::TypeKind::Sym && kind.number.isInt())
          facts_.hints[type.sym] = kind.number.raw();
        out_.values.push_back(kind.number);
        out_.kinds.push_back(std::move(kind));
        continue;
      }
      try {
        kind.storage = static_cast<size_t>(countIn(e.at("storage")));
        Meta m;
        m.dtype = ir::dtypeFromTorchName(e.at("dtype").get<std::string>());
        for (const auto& [key, list] : {std::pair{"size", &m.sizes}, {"stride", &m.strides}}) {
          if (!e.at(key).is_array()) throw NoCount{};
          for (const auto& s : e.at(key)) list->emplace_back(countIn(s));
        }
        m.offset = countIn(e.at("offset"));
        kind.requiresGrad = e.value("requires_grad", false);
        kind.isLeaf = e.value("leaf", true);
        kind.meta = std::move(m);
      } catch (const NoCount&) {
        return ir::failure("bad-inputs", "no tensor lies as the metadata says of " + name);
      } catch (const nlohmann::json::exception&) {
        return ir::failure("bad-inputs",
                           "the entry of the input " + name + " in the metadata is not complete");
      }
      const auto memory = out_.memories.find(kind.storage);
      if (memory == out_.memories.end())
        return ir::failure("missing-input", "the file has no storage." + std::to_string(kind.storage) +
                                                ", in which " + name + " lies");
      const Meta& m = *kind.meta;
      if (m.strides.size() != m.sizes.size() || !ir::eval::faultOf(m).empty() || m.offset.value < 0)
        return ir::failure("bad-inputs", "no tensor lies as the metadata says of " + name);
      kind.storageElements = memory->second->meta.numel().value;
      if (m.dtype != memory->second->meta.dtype)
        return ir::failure("bad-inputs", name + " has another dtype than the memory it lies in");
      if (runtime::endBytes(m) > memory->second->storage->bytes())
        return ir::failure("bad-inputs", name + " lies beyond its memory");
      if (ir::Status s = fits(i, placeholders[i], m); !s) return s;
      learnSizes(graph_.graph->type(placeholders[i]), m, facts_.hints);
      out_.values.emplace_back(runtime::viewInto(*memory->second, m));
      out_.kinds.push_back(std::move(kind));
    }
    return {};
  }

  const LoadedGraph& graph_;
  passes::CapturedFacts& facts_;
  RunInputs out_;
  bool random_ = false;
  std::optional<std::pair<double, double>> range_;  ///< of random numbers
  std::vector<std::pair<size_t, std::string>> pendingNumbers_;
};

}  // namespace

ir::Result<RunInputs> runInputs(const LoadedGraph& graph, passes::CapturedFacts& facts,
                                std::string_view from) {
  try {
    Maker maker(graph, facts);
    const bool made =
        from.empty() || from == "zeros" || from == "ones" || from == "random" || from.starts_with("random:");
    return made ? maker.made(from.empty() ? "random:0" : from) : maker.read(std::string(from));
  } catch (const EvalError& e) {
    return ir::failure(e.code, e.what());
  }
}

ir::Result<runtime::TensorFile> readTensors(const std::string& path) {
  std::error_code error;
  std::ifstream in(path, std::ios::binary);
  if (!in || std::filesystem::is_directory(path, error)) {
    ir::Diagnostic d = ir::failure("cannot-read", "the tensors cannot be read");
    d.file = path;
    return d;
  }
  std::ostringstream text;
  text << in.rdbuf();
  ir::Result<runtime::TensorFile> file = runtime::readSafetensors(text.view());
  if (file) return file;
  ir::Diagnostic d = file.error();
  d.file = path;
  return d;
}

RunInputs copyOf(const RunInputs& inputs) {
  RunInputs out = inputs;
  for (auto& [k, memory] : out.memories)
    memory = runtime::copyOf(runtime::viewOf(*memory), memory->meta.dtype);
  for (size_t i = 0; i < out.values.size(); ++i)
    if (out.kinds[i].meta)
      out.values[i] = Value(runtime::viewInto(*out.memories.at(out.kinds[i].storage), *out.kinds[i].meta));
  return out;
}

}  // namespace descry::session

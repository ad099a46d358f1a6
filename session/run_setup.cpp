#include "session/run_setup.h"

#include <algorithm>
#include <cstring>

#include "ir/ops/eval/builtins.h"
#include "passes/aot/program.h"
#include "runtime/core/memory.h"
#include "session/aot_run.h"
#include "session/pass_run.h"
#include "session/run_recorder.h"

namespace descry::session {

using ir::eval::Meta;
using passes::RunnableSlot;
using runtime::EvalError;
using runtime::TensorRef;
using runtime::Value;

MemoryLimit::MemoryLimit(uint64_t bytes) {
  runtime::setMemoryCap(bytes ? bytes : runtime::availableMemory());
}
MemoryLimit::~MemoryLimit() {
  runtime::setMemoryCap(0);
}

double medianOf(std::vector<double> v) {
  if (v.empty()) return 0;
  const auto middle = v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2);
  std::nth_element(v.begin(), middle, v.end());
  return *middle;
}

namespace {

TensorRef flatMemory(const runtime::Tensor& t) {
  Meta m;
  m.dtype = t.meta.dtype;
  m.sizes = {static_cast<int64_t>(t.storage->bytes()) / runtime::itemBytes(m.dtype)};
  m.strides = {1};
  return runtime::viewInto(t, m);
}

bool sameBytes(const runtime::Tensor& a, const runtime::Tensor& b) {
  const runtime::View x = runtime::viewOf(a), y = runtime::viewOf(b);
  return x.sizes == y.sizes && x.dtype == y.dtype &&
         (x.numel() == 0 ||
          std::memcmp(x.data, y.data, static_cast<size_t>(x.numel() * runtime::itemBytes(x.dtype))) == 0);
}

}  // namespace

ir::Result<std::shared_ptr<RunSetup>> RunSetup::make(const Document& document, const LoadedGraphPtr& graph,
                                                     const RunRequest& request) {
  const std::string kind = aotGraphKind(*graph);
  if (request.backward && (kind == "joint" || kind == "backward")) {
    ir::Diagnostic d = ir::failure(
        "bad-request", "the " + kind + " graph computes gradients already: they are among its results",
        graph->documentPath);
    d.graph = graph->entry.id;
    return d;
  }
  std::shared_ptr<RunSetup> setup(new RunSetup());
  setup->graph_ = graph;
  try {
    setup->facts_ = capturedFacts(document, *graph);
    // A plain tensor in its place would run, and give something else.
    const std::vector<ir::NodeId> placeholders = graph->graph->placeholders();
    for (size_t i = 0; i < placeholders.size(); ++i) {
      const ir::Type& type = graph->graph->type(placeholders[i]);
      const bool told = i < setup->facts_.inputs.size() && !setup->facts_.inputs[i].layout.plain();
      if (type.kind != ir::TypeKind::Wrapped && !told) continue;
      const std::string name(graph->graph->nodeName(placeholders[i]));
      ir::Diagnostic d =
          setup->failure("unsupported-input",
                         "the input " + name + " is a tensor of a wrapper subclass (" +
                             (told ? setup->facts_.inputs[i].layout.name : type.wrapper) +
                             "): graphs with such inputs are not run; those that AOT autograd makes of them, "
                             "which take the plain tensors inside, are");
      d.node = name;
      return d;
    }
    ir::Result<RunInputs> inputs = runInputs(*graph, setup->facts_, request.inputs);
    if (!inputs) return inputs.error();
    setup->before_ = std::move(*inputs);
    setup->assumed_ = setup->before_.assumed;
    if (request.backward || kind.empty()) {
      if (ir::Status s = setup->trace(request); !s) return s.error();
    } else {
      setup->module_ = graph->module;
      setup->root_ = graph->graph;
      for (size_t i = 0; i < setup->before_.values.size(); ++i)
        setup->slots_.push_back({RunnableSlot::Input, i});
    }
  } catch (const EvalError& e) {
    return setup->failure(e.code, e.what());
  }
  return setup;
}

ir::Status RunSetup::trace(const RunRequest& request) {
  passes::RunnableOptions options;
  options.backward = request.backward;
  options.functional = request.functional || request.executor == "compiled";
  options.ops = request.ops;
  options.unknownOps = request.unknownOps;
  options.cancelled = request.cancelled;
  ir::Result<passes::Runnable> made =
      passes::makeRunnable(*graph_->module, *graph_->graph, before_.kinds, facts_, options);
  if (!made) {
    ir::Diagnostic d = made.error();
    if (d.file.empty()) d.file = graph_->documentPath;
    // Tracing tells the place; people look for the name.
    if (d.node.empty() && d.loc.line && d.file == graph_->documentPath)
      for (const ir::NodeId id : graph_->graph->nodes())
        if (graph_->graph->node(id).line == d.loc.line) d.node = graph_->graph->nodeName(id);
    if (!d.node.empty() && d.message.find(d.node) == std::string::npos) d.message = d.node + ": " + d.message;
    d.graph = graph_->entry.id;
    return d;
  }
  module_ = made->module;
  root_ = &made->module->root();
  origins_ = std::move(made->origins);
  backward_ = std::move(made->backward);
  assumed_.insert(assumed_.end(), made->assumed.begin(), made->assumed.end());
  slots_ = std::move(made->inputs);
  resultSlots_ = std::move(made->results);
  literals_ = std::move(made->literals);
  return {};
}

const ir::Type* RunSetup::attributeType(std::string_view attribute) const {
  for (const ir::Graph& g : module_->graphs)
    for (const ir::NodeId id : g.nodes())
      if (g.node(id).op == ir::OpKind::GetAttr && g.target(id) == attribute &&
          g.type(id).kind == ir::TypeKind::Tensor)
        return &g.type(id);
  return nullptr;
}

ir::NodeId RunSetup::originOf(ir::NodeId node) const {
  if (origins_.empty()) return graph_->graph->contains(node) ? node : ir::NodeId{};
  if (node.index >= origins_.size() || !origins_[node.index].valid()) return {};
  return graph_->graph->contains(origins_[node.index]) ? origins_[node.index] : ir::NodeId{};
}

std::unordered_map<std::string, Value> RunSetup::attributes(runtime::Machine& machine) const {
  std::unordered_map<std::string, Value> out;
  for (const auto& [name, data] : literals_) {
    ir::eval::Values parts = {data, {}, {}};
    const ir::Type* type = attributeType(name);
    if (type) parts[1] = Value::dtype(type->tensor.dtype);
    Value made;
    machine.special("torch.tensor", parts, made);
    out[name] = made;
  }
  for (const auto& [name, tensor] : before_.attributes) out[name] = Value(tensor);
  return out;
}

/// The tangent of an output, as the gradient that arrives: that of the real part of <output, tangent>.
Value RunSetup::tangentOf(const RunInputs& inputs, size_t output, const ir::TensorType& type) const {
  const auto given = inputs.tangents.find(output);
  if (given != inputs.tangents.end()) {
    const TensorRef t = runtime::contiguousOf(given->second, type.dtype);
    const ir::eval::Ints& sizes = t->meta.sizes;
    bool fits = sizes.size() == type.shape.size();
    for (size_t d = 0; fits && d < sizes.size(); ++d)
      fits = type.shape[d].symbolic() || type.shape[d].value == sizes[d].value;
    if (!fits)
      throw EvalError("input-mismatch", "tangent." + std::to_string(output) +
                                            " does not have the sizes of its output: " + type.text());
    if (!ir::dtypeInfo(type.dtype).complex) return Value(t);
    const TensorRef turned = runtime::viewInto(*t, t->meta);
    turned->meta.conj = true;
    return Value(runtime::resolved(turned));
  }
  runtime::Dims sizes;
  for (const ir::Dim& d : type.shape) {
    if (d.symbolic())
      throw EvalError("missing-input", "the size " + d.str() + " of output " + std::to_string(output) +
                                           " depends on data: tangent." + std::to_string(output) +
                                           " has to be given");
    sizes.push_back(d.value);
  }
  const TensorRef made = runtime::allocate(sizes, type.dtype);
  runtime::fillElements(runtime::viewOf(*made), Value(1));
  return Value(made);
}

std::vector<size_t> RunSetup::tangentOutputs() const {
  std::vector<size_t> out;
  for (const RunnableSlot& s : slots_)
    if (s.kind == RunnableSlot::Tangent) out.push_back(s.index);
  return out;
}

RunSetup::Given RunSetup::given() const {
  Given out;
  out.inputs = copyOf(before_);
  const std::vector<ir::NodeId> placeholders = root_->placeholders();
  for (size_t k = 0; k < slots_.size(); ++k) {
    const RunnableSlot& s = slots_[k];
    if (s.kind == RunnableSlot::Input)
      out.values.push_back(out.inputs.values.at(s.index));
    else if (s.kind == RunnableSlot::Storage)
      out.values.emplace_back(out.inputs.memories.at(s.index));
    else
      out.values.push_back(tangentOf(out.inputs, s.index, root_->type(placeholders.at(k)).tensor));
  }
  return out;
}

std::string RunSetup::inputName(size_t i) const {
  const std::vector<ir::NodeId> p = graph_->graph->placeholders();
  return i < p.size() ? std::string(graph_->graph->nodeName(p[i])) : std::to_string(i);
}

RunnableSlot RunSetup::slotOf(size_t result) const {
  return resultSlots_.empty() ? RunnableSlot{RunnableSlot::Output, result} : resultSlots_.at(result);
}

/// `out.0`; memory has the name of its storage.
std::string RunSetup::resultName(const RunnableSlot& slot) const {
  switch (slot.kind) {
    case RunnableSlot::Output:
      return "out." + std::to_string(slot.index) + slot.piece;
    case RunnableSlot::Gradient:
      return "grad." + std::to_string(slot.index) + slot.piece;
    case RunnableSlot::StorageGradient:
      return "grad_storage." + std::to_string(slot.index);
    case RunnableSlot::StorageContents:
      return "after." + std::to_string(slot.index);
    case RunnableSlot::Contents:
      return "after." + std::to_string(before_.kinds.at(slot.index).storage);
    default:
      return {};
  }
}
std::vector<std::string> RunSetup::resultNames() const {
  std::vector<std::string> out;
  const size_t n = root_->outputs().size();
  for (size_t j = 0; j < n; ++j)
    out.push_back(j < resultSlots_.size() || resultSlots_.empty() ? resultName(slotOf(j)) : std::string());
  return out;
}

std::vector<RunValue> RunSetup::results(const runtime::Values& outputs, const Given& run) const {
  const RunInputs& given = run.inputs;
  std::vector<RunValue> made;
  const auto add = [&](std::string name, const Value& v, std::string meaning) {
    RunValue r;
    r.name = std::move(name);
    r.meaning = std::move(meaning);
    if (v.isTensor())
      r.tensor = settledCopy(v);
    else
      r.text = ir::eval::textOf(v);
    made.push_back(std::move(r));
  };
  std::map<size_t, TensorRef> after;
  for (size_t j = 0; j < outputs.size(); ++j) {
    const RunnableSlot slot = slotOf(j);
    switch (slot.kind) {
      case RunnableSlot::Output:
        add(resultName(slot), outputs[j], {});
        break;
      case RunnableSlot::Gradient:
        add(resultName(slot), outputs[j], "gradient of " + inputName(slot.index));
        break;
      case RunnableSlot::StorageGradient:
        add(resultName(slot), outputs[j], "gradient of the memory that inputs share");
        break;
      case RunnableSlot::StorageContents:
        after[slot.index] = settledCopy(outputs[j]);
        break;
      case RunnableSlot::Contents: {
        const size_t storage = given.kinds.at(slot.index).storage;
        const runtime::Dims now(runtime::tensorOf(outputs[j])->meta.sizes);
        if (slot.otherMemory || !(now == runtime::Dims(slot.meta->sizes))) {  // or it was resized
          after[storage] = flatMemory(*settledCopy(outputs[j]));
          break;
        }
        TensorRef memory = runtime::copyOf(runtime::viewOf(*before_.memories.at(storage)),
                                           before_.memories.at(storage)->meta.dtype);
        const size_t needed = runtime::endBytes(*slot.meta);
        if (memory->storage->bytes() < needed) {
          memory->storage->resize(needed);
          memory = flatMemory(*memory);
        }
        runtime::copyElements(runtime::viewOf(*runtime::viewInto(*memory, *slot.meta)),
                              runtime::viewOf(*runtime::resolved(runtime::tensorOf(outputs[j]))));
        after[storage] = memory;
        break;
      }
      default:
        break;
    }
  }
  // Where writes stayed in the graph the memory of the inputs has them.
  for (size_t i = 0; i < given.kinds.size(); ++i) {
    if (!given.kinds[i].meta || after.count(given.kinds[i].storage)) continue;
    const TensorRef now = runtime::tensorOf(given.values[i]);
    const TensorRef flat = flatMemory(*now);
    if (!sameBytes(*flat, *flatMemory(*before_.memories.at(given.kinds[i].storage))))
      after[given.kinds[i].storage] = flat;
  }
  for (const auto& [storage, tensor] : after) {
    if (sameBytes(*tensor, *flatMemory(*before_.memories.at(storage)))) continue;
    std::string names;
    for (size_t i = 0; i < given.kinds.size(); ++i)
      if (given.kinds[i].meta && given.kinds[i].storage == storage)
        names += (names.empty() ? "" : ", ") + inputName(i);
    add("after." + std::to_string(storage), Value(tensor), "memory of " + names + ", which was written");
  }
  return made;
}

ir::Diagnostic RunSetup::failure(const runtime::RunFailure& e) const {
  ir::Diagnostic d = ir::failure(e.code, e.what(), graph_->documentPath);
  d.node = e.nodeName;
  if (!e.arguments.empty()) d.message += " (called with " + e.arguments + ")";
  const ir::NodeId at = e.inRoot ? originOf(e.node) : ir::NodeId{};
  if (!origins_.empty() && at.valid() && graph_->graph->nodeName(at) != e.nodeName)
    d.node = std::string(graph_->graph->nodeName(at)) + " (" + e.nodeName + ")";
  if (at.valid()) {
    d.loc.line = graph_->graph->node(at).line;
    d.loc.column = graph_->graph->node(at).column;
  }
  d.message = d.node + ": " + d.message;
  d.graph = graph_->entry.id;
  return d;
}

ir::Diagnostic RunSetup::failure(const std::string& code, const std::string& message) const {
  ir::Diagnostic d = ir::failure(code, message, graph_->documentPath);
  d.graph = graph_->entry.id;
  return d;
}

}  // namespace descry::session

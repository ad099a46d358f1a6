#include "session/run_states.h"

#include <algorithm>
#include <map>
#include <set>

#include "ir/descriptors/descriptor.h"
#include "ir/ops/eval/builtins.h"
#include "runtime/plan/plan.h"
#include "session/run_recorder.h"

namespace descry::session {

using ir::DescKind;
using ir::NodeId;
using runtime::EvalError;
using runtime::TensorRef;
using runtime::Value;
using runtime::Values;

namespace {

struct Unfit {
  std::string why;
};

class StateRunner {
 public:
  StateRunner(const RunSetup& setup, const PassRun& passes, size_t position, const RunRequest& request)
      : setup_(setup),
        passes_(passes),
        position_(position),
        request_(request),
        start_(*setup.graph()->graph),
        captured_(aotGraphKind(*setup.graph()).empty()),
        machine_(request.ops ? *request.ops : ir::allOps()) {
    machine_.generator.seed(request.seed);
    machine_.cancelled = request.cancelled;
    const std::vector<NodeId> placeholders = start_.placeholders();
    for (size_t i = 0; i < placeholders.size(); ++i) {
      inputOf_[placeholders[i].index] = i;
      if (const ir::Descriptor* d = start_.descriptor(placeholders[i]))
        byDescriptor_.try_emplace(d->repr(), i);
    }
    for (size_t j = 0; j < start_.outputDescs.size(); ++j)
      if (const ir::Descriptor* d = start_.descriptor(start_.outputDescs[j]))
        outputOf_.try_emplace(d->repr(), j);
  }

  StateRun run() {
    try {
      given_ = setup_.given();
      for (size_t g = 0; g < passes_.graphCount(position_); ++g) graph(g);
      dropGradients();
      for (RunValue& v : setup_.results({}, given_))
        if (!after_.count(v.name)) out_.results.push_back(std::move(v));
      for (auto& [name, tensor] : after_) add(name, Value(tensor));
    } catch (const Unfit& e) {
      out_.skipped = e.why;
    } catch (const runtime::RunFailure& e) {
      fail(e.code,
           e.nodeName + ": " + e.what() + (e.arguments.empty() ? "" : " (called with " + e.arguments + ")"));
    } catch (const EvalError& e) {
      fail(e.code, e.what());
    } catch (const std::bad_alloc&) {
      fail("out-of-memory", "the system has no more memory");
    }
    return std::move(out_);
  }

 private:
  void fail(const std::string& code, const std::string& message) {
    if (code == "missing-attribute" || code == "missing-input")
      out_.skipped = message;
    else
      out_.failure = setup_.failure(code, message);
  }

  const passes::StateGraph& stateGraph(size_t which) const {
    return passes_.recording().at(position_)[which];
  }

  void graph(size_t which) {
    const ir::Module& module = *stateGraph(which).module;
    const ir::Graph& g = module.root();
    Values inputs;
    for (const NodeId id : g.placeholders()) inputs.push_back(inputFor(which, g, id));
    Values outputs;
    const auto attributes = setup_.attributes(machine_);
    if (request_.executor == "compiled") {
      runtime::Plan plan(module, g, machine_, attributes, inputs);
      outputs = plan.run(inputs);
    } else {
      runtime::GraphRunner runner(module, g, machine_);
      for (const auto& [name, value] : attributes) runner.setAttribute(name, value);
      outputs = runner.run(inputs);
    }
    results(which, g, outputs);
  }

  Value inputFor(size_t which, const ir::Graph& g, NodeId id) {
    const std::string name(g.nodeName(id));
    const NodeId origin = passes_.origin(position_, which, id);
    const auto at = origin.valid() ? inputOf_.find(origin.index) : inputOf_.end();
    const ir::Descriptor* d = g.descriptor(id);
    if (which > 0)  // of a backward: what the forward handed on
      if (const auto saved = saved_.find(name); saved != saved_.end()) return saved->second;
    const auto input = [&](size_t i) {
      if (d) byDescriptor_.try_emplace(d->repr(), i);
      return given_.inputs.values.at(i);
    };
    // The number of the argument is surer than where a node comes from.
    if (captured_ && d && d->kind() == DescKind::PlainInput && d->idx() >= 0 &&
        static_cast<size_t>(d->idx()) < given_.inputs.values.size())
      return input(static_cast<size_t>(d->idx()));
    if (at != inputOf_.end()) return input(at->second);
    if (d) {
      if (const auto found = byDescriptor_.find(d->repr()); found != byDescriptor_.end())
        return input(found->second);
      if (d->kind() == DescKind::TangentInput && d->base()) return tangent(*d->base(), g, id);
      if ((d->kind() == DescKind::ViewBaseInput || d->kind() == DescKind::SyntheticBaseInput) && d->base())
        return base(*d, g, id);
    }
    throw Unfit{"the input " + name + (d ? " (" + d->repr() + ")" : std::string()) +
                " is none of those that the first graph takes"};
  }

  /// Outputs that are views of inputs are made outside of the graph, and so are their gradients: those of the
  /// inputs are parts only, and stand for no result of the first graph.
  void dropGradients() {
    if (!captured_) return;
    for (const size_t output : setup_.tangentOutputs())
      if (!tangents_.count(output)) {
        out_.results.erase(std::remove_if(out_.results.begin(), out_.results.end(),
                                          [](const RunValue& v) { return v.name.starts_with("grad"); }),
                           out_.results.end());
        return;
      }
  }

  /// Sizes and strides of a type, when they are known.
  static std::optional<runtime::Meta> plainMeta(const ir::TensorType& type) {
    runtime::Meta m;
    m.dtype = type.dtype;
    runtime::Dims sizes;
    for (const ir::Dim& s : type.shape) {
      if (s.symbolic()) return std::nullopt;
      sizes.push_back(s.value);
    }
    runtime::Dims strides = runtime::contiguous(sizes);
    for (size_t d = 0; type.strides && d < sizes.size() && d < type.strides->size(); ++d) {
      if ((*type.strides)[d].symbolic()) return std::nullopt;
      strides[d] = (*type.strides)[d].value;
    }
    m.sizes = sizes.ints();
    m.strides = strides.ints();
    return m;
  }

  /// The tensor that an input is a view of: it begins where the memory begins.
  Value base(const ir::Descriptor& d, const ir::Graph& g, NodeId id) {
    const auto input = byDescriptor_.find(d.base()->repr());
    const ir::Descriptor& of = *d.base();
    size_t i = SIZE_MAX;
    if (input != byDescriptor_.end())
      i = input->second;
    else if (of.kind() == DescKind::PlainInput && of.idx() >= 0)
      i = static_cast<size_t>(of.idx());
    const std::optional<runtime::Meta> meta = plainMeta(g.type(id).tensor);
    if (i >= given_.inputs.kinds.size() || !given_.inputs.kinds[i].meta || !meta)
      throw Unfit{"nothing is known of " + d.repr()};
    const size_t storage = given_.inputs.kinds[i].storage;
    const TensorRef& memory = given_.inputs.memories.at(storage);
    if (meta->dtype != memory->meta.dtype || runtime::endBytes(*meta) > memory->storage->bytes())
      throw Unfit{"the memory of the input " + std::to_string(i) + " does not hold " + d.repr()};
    const TensorRef t = runtime::viewInto(*memory, *meta);
    bases_[d.repr()] = {storage, t};
    return Value(t);
  }

  /// Compiled graphs are given gradients as they were traced with, whatever strides they come with.
  static Value laidOut(const Value& v, const ir::TensorType& type) {
    const std::optional<runtime::Meta> meta = plainMeta(type);
    if (!v.isTensor() || !meta || !type.strides) return v;
    const TensorRef t = runtime::resolved(runtime::tensorOf(v));
    if (!(runtime::Dims(t->meta.sizes) == runtime::Dims(meta->sizes))) return v;
    const TensorRef out = runtime::allocate(*meta);
    runtime::copyElements(runtime::viewOf(*out), runtime::viewOf(*t));
    return Value(out);
  }

  Value tangent(const ir::Descriptor& of, const ir::Graph& g, NodeId id) {
    const ir::TensorType& type = g.type(id).tensor;
    if (of.kind() == DescKind::PlainOutput) {
      tangents_.insert(static_cast<size_t>(of.idx()));
      return laidOut(setup_.tangent(given_, static_cast<size_t>(of.idx()), type), type);
    }
    if (of.kind() != DescKind::InputMutationOutput) throw Unfit{"no gradient is known for " + of.repr()};
    // Nobody reads what an input holds in the end: no gradient arrives for it.
    runtime::Dims sizes;
    for (const ir::Dim& s : type.shape) {
      if (s.symbolic()) throw Unfit{"the sizes of the gradient of " + of.repr() + " are not known"};
      sizes.push_back(s.value);
    }
    return Value(runtime::allocateZeros(sizes, type.dtype));
  }

  void add(std::string name, const Value& v) {
    RunValue r;
    r.name = std::move(name);
    if (v.isTensor())
      r.tensor = settledCopy(v);
    else
      r.text = ir::eval::textOf(v);
    out_.results.push_back(std::move(r));
  }

  void results(size_t which, const ir::Graph& g, const Values& outputs) {
    const std::vector<ir::ArgView> returned = g.outputs();
    const bool described = g.outputDescs.size() == returned.size() &&
                           std::any_of(g.outputDescs.begin(), g.outputDescs.end(),
                                       [&](ir::DescId id) { return g.descriptor(id) != nullptr; });
    if (!described && returned.size() != start_.outputs().size())
      throw Unfit{"its outputs are not named, and there are more or fewer than of the first graph"};
    for (size_t j = 0; j < returned.size() && j < outputs.size(); ++j) {
      if (returned[j].kind() == ir::ValueKind::NodeRef)
        saved_[std::string(g.nodeName(returned[j].node()))] = outputs[j];
      if (!described) {
        add("out." + std::to_string(j), outputs[j]);
        continue;
      }
      const ir::Descriptor* d = g.descriptor(g.outputDescs[j]);
      if (d) result(which, *d, outputs[j]);
    }
  }

  void result(size_t, const ir::Descriptor& d, const Value& v) {
    if (!captured_) {
      if (const auto at = outputOf_.find(d.repr()); at != outputOf_.end())
        add("out." + std::to_string(at->second), v);
      return;
    }
    if (d.kind() == DescKind::PlainOutput) return add("out." + std::to_string(d.idx()), v);
    if (!d.base()) return;
    if (const auto known = bases_.find(d.base()->repr()); known != bases_.end())
      return resultOfBase(d, known->second.first, known->second.second, v);
    const auto input = byDescriptor_.find(d.base()->repr());
    if (input == byDescriptor_.end()) return;
    const size_t i = input->second;
    if (d.kind() == DescKind::GradOutput) return add("grad." + std::to_string(i), v);
    if (d.kind() != DescKind::InputMutationOutput || !v.isTensor() || !given_.inputs.kinds.at(i).meta) return;
    const passes::RunnableInput& kind = given_.inputs.kinds[i];
    const TensorRef now = runtime::resolved(runtime::tensorOf(v));
    if (!(runtime::Dims(now->meta.sizes) == runtime::Dims(kind.meta->sizes)))
      throw Unfit{"the input " + std::to_string(i) + " has other sizes in the end"};
    TensorRef& memory = after_["after." + std::to_string(kind.storage)];
    if (!memory) {
      const TensorRef& whole = given_.inputs.memories.at(kind.storage);
      memory = runtime::copyOf(runtime::viewOf(*whole), whole->meta.dtype);
    }
    runtime::copyElements(runtime::viewOf(*runtime::viewInto(*memory, *kind.meta)), runtime::viewOf(*now));
  }

  /// Of an input that stands for the memory that several lie in.
  void resultOfBase(const ir::Descriptor& d, size_t storage, const TensorRef& base, const Value& v) {
    if (!v.isTensor()) return;
    const TensorRef now = runtime::resolved(runtime::tensorOf(v));
    const TensorRef& memory = given_.inputs.memories.at(storage);
    if (!(runtime::Dims(now->meta.sizes) == runtime::Dims(base->meta.sizes)))
      throw Unfit{d.base()->repr() + " has other sizes in the end"};
    TensorRef flat = runtime::copyOf(runtime::viewOf(*memory), now->meta.dtype);
    if (d.kind() == DescKind::GradOutput) runtime::zeroElements(runtime::viewOf(*flat));
    runtime::Meta m = base->meta;
    m.dtype = now->meta.dtype;
    runtime::copyElements(runtime::viewOf(*runtime::viewInto(*flat, m)), runtime::viewOf(*now));
    if (d.kind() == DescKind::GradOutput)
      add("grad_storage." + std::to_string(storage), Value(flat));
    else if (d.kind() == DescKind::InputMutationOutput)
      after_["after." + std::to_string(storage)] = flat;
  }

  const RunSetup& setup_;
  const PassRun& passes_;
  size_t position_;
  const RunRequest& request_;
  const ir::Graph& start_;
  bool captured_;
  runtime::Machine machine_;
  RunSetup::Given given_;
  std::map<uint32_t, size_t> inputOf_;          ///< by placeholder of the first graph
  std::map<std::string, size_t> byDescriptor_;  ///< input by the descriptor that passes gave it
  std::map<std::string, size_t> outputOf_;      ///< of a first graph with descriptors
  std::map<std::string, std::pair<size_t, TensorRef>> bases_;  ///< by descriptor: memory, how it lies
  std::set<size_t> tangents_;                                  ///< outputs whose gradients were given
  std::map<std::string, Value> saved_;      ///< by node: what graphs of this state returned
  std::map<std::string, TensorRef> after_;  ///< memory with what is returned for written inputs
  StateRun out_;
};

}  // namespace

StateRun runState(const RunSetup& setup, const PassRun& passes, size_t position, const RunRequest& request) {
  return StateRunner(setup, passes, position, request).run();
}

}  // namespace descry::session

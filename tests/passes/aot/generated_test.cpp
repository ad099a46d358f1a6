// Random programs through the whole pipeline, held against running them: 300 programs with a fixed seed. A
// program that fails is made smaller before it is shown.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <set>

#include "importers/fx_text/fx_text.h"
#include "ir/text/printer.h"
#include "ir/verify/verify.h"
#include "passes/aot/stage_passes.h"
#include "passes/partition/partition_pass.h"
#include "passes/pipelines/pipelines.h"
#include "tests/support/random_programs.h"

namespace descry::test {
namespace {

using passes::AotData;
using passes::CapturedFacts;
using passes::CapturedInput;
using Memory = std::vector<std::shared_ptr<std::vector<double>>>;

/// What PyTorch refuses too: these programs do not count.
const std::set<std::string> kRefusals = {"modified-inplace", "illegal-view-mutation", "alias-tangents",
                                         "overlapping-write", "alias-not-differentiable"};

std::string keyOf(size_t storage) {
  return "base" + std::to_string(storage);
}

CapturedFacts factsOf(const Program& p) {
  CapturedFacts facts;
  for (size_t i = 0; i < p.inputs.size(); ++i) {
    const ProgramInput& in = p.inputs[i];
    const ProgramStorage& s = p.storages[in.storage];
    CapturedInput c;
    c.name = "v" + std::to_string(i);
    c.requiresGrad = s.requiresGrad;
    c.isLeaf = !s.requiresGrad;
    c.storage = "s" + std::to_string(in.storage);
    c.offset = in.offset;
    c.sameAs = in.sameAs;
    // The tensor that the others are views of is known by the name that they give their base.
    c.source = s.tracked && !in.isView ? keyOf(in.storage) : "L['" + c.name + "']";
    if (s.tracked && in.isView) {
      c.isView = true;
      c.base = keyOf(in.storage);
      passes::Meta base;
      base.dtype = ir::DType::F64;
      for (const int64_t n : s.sizes) base.sizes.push_back(n);
      for (const int64_t n : contiguousStrides(s.sizes)) base.strides.push_back(n);
      c.baseMeta = base;
      c.baseRequiresGrad = s.requiresGrad;
      c.baseIsLeaf = !s.requiresGrad;
    }
    facts.inputs.push_back(std::move(c));
  }
  return facts;
}

double near(double a, double b, double tolerance) {
  if (std::isnan(a) || std::isnan(b)) return false;
  return std::abs(a - b) <= tolerance * (1 + std::max(std::abs(a), std::abs(b)));
}

/// Empty when both are tensors with the same sizes and values, else why not.
std::string differs(const Item& a, const Item& b, double tolerance = 1e-9) {
  if (a.kind != Item::Kind::Tensor || b.kind != Item::Kind::Tensor)
    return a.kind == b.kind ? "" : "one is no tensor";
  if (a.tensor->sizes != b.tensor->sizes) return "sizes differ";
  const std::vector<double> x = a.tensor->values(), y = b.tensor->values();
  for (size_t i = 0; i < x.size(); ++i)
    if (!near(x[i], y[i], tolerance))
      return "element " + std::to_string(i) + ": " + std::to_string(x[i]) + ", not " + std::to_string(y[i]);
  return "";
}

struct Fault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

void expectSame(const Item& got, const Item& want, const std::string& what, double tolerance = 1e-9) {
  const std::string why = differs(got, want, tolerance);
  if (!why.empty()) throw Fault(what + ": " + why);
}

/// A tensor like `t` in memory of its own.
Item apart(const Item& item) {
  auto t = std::make_shared<Tensor>(*item.tensor);
  t->storage = std::make_shared<std::vector<double>>(*item.tensor->storage);
  return t;
}
std::vector<Item> apart(const std::vector<Item>& items) {
  std::vector<Item> out;
  for (const Item& i : items) out.push_back(i.kind == Item::Kind::Tensor ? apart(i) : i);
  return out;
}

class Check {
 public:
  Check(const Program& program, const char* pipeline) : p_(program), pipeline_(pipeline) {}

  std::string refusal;  ///< code of the error, when PyTorch refuses such a program as well
  bool trained = false;
  size_t gradients = 0;  ///< that were compared with differences
  std::string graphs;    ///< of the last state, for people

  void run() {
    if (!compile()) return;
    runLowered();
    runUnaliased();
    checkFunctional();
    checkTraced();
    if (trained) checkPartition();
  }

 private:
  const std::vector<passes::StateGraph>& after(const char* pass) const {
    for (const passes::PassRecord& r : recording_.passes)
      if (r.pass->name == std::string_view(pass)) return r.graphs;
    throw Fault(std::string("no pass ") + pass);
  }
  const ir::Graph& only(const char* pass) const { return after(pass).at(0).module->root(); }

  bool compile() {
    ir::DiagnosticSink sink;
    const std::shared_ptr<ir::Module> captured = importers::parseFxText(p_.text(), {}, sink);
    if (sink.errors() != 0) throw Fault("the program cannot be read");
    auto data = std::make_shared<AotData>();
    data->captured = captured;
    data->facts = factsOf(p_);
    data_ = data;
    passes::ProgramState state;
    state.stage = passes::Stage::Captured;
    state.graphs.push_back({"captured", captured, {}});
    state.data = data;
    recording_ = passes::runPipeline(std::move(state), *passes::parsePipeline(pipeline_), {true, {}});
    for (const passes::PassRecord& r : recording_.passes)
      for (const ir::Diagnostic& d : r.problems) throw Fault("verifier after " + r.text + ": " + d.text());
    if (recording_.failure) {
      if (!kRefusals.count(recording_.failure->code))
        throw Fault(recording_.failed + ": " + recording_.failure->code + ": " + recording_.failure->message);
      refusal = recording_.failure->code;
      return false;
    }
    trained = data->stages->training();
    for (const passes::StateGraph& g : recording_.passes.back().graphs) graphs += ir::printModule(*g.module);
    if (trained) graphs = ir::printModule(*after("trace-joint").at(0).module) + graphs;
    return true;
  }

  /// The lowered program on tensors that share memory as the caller's do, against the program itself.
  void runLowered() {
    Memory mine, theirs;
    const std::vector<Item> inputs = p_.makeInputs(mine);
    const std::vector<Item> values = p_.run(inputs);
    const std::vector<Item> given = p_.makeInputs(theirs);
    const Evaluation e = evaluate(only("lower"), given);
    if (e.outputs.size() != p_.outputs.size()) throw Fault("lowered: another number of outputs");
    for (size_t i = 0; i < e.outputs.size(); ++i)
      expectSame(e.outputs[i], values[p_.outputs[i]], "lowered: output " + std::to_string(i));
    for (size_t i = 0; i < given.size(); ++i)
      expectSame(given[i], inputs[i], "lowered: input " + std::to_string(i) + " afterwards");
    for (size_t s = 0; s < mine.size(); ++s)
      for (size_t k = 0; k < mine[s]->size(); ++k)
        if (!near((*mine[s])[k], (*theirs[s])[k], 1e-9))
          throw Fault("lowered: storage " + std::to_string(s) + " afterwards");
  }

  /// Inputs of the traced function, each in memory of its own: no input that is written shares it.
  std::vector<Item> tracedInputs() const {
    Memory memory;
    const std::vector<Item> caller = p_.makeInputs(memory);
    std::vector<Item> out;
    for (const passes::AotInput& in : data_->stages->result().inputs) {
      const ir::Descriptor& d = in.descriptor;
      const size_t at = static_cast<size_t>(d.root().idx());
      if (d.kind() == ir::DescKind::PlainInput) {
        out.push_back(apart(caller.at(at)));
        continue;
      }
      auto base = std::make_shared<Tensor>();
      base->storage = std::make_shared<std::vector<double>>(*memory[p_.inputs.at(at).storage]);
      base->sizes = d.kind() == ir::DescKind::SyntheticBaseInput
                        ? Sizes{static_cast<int64_t>(base->storage->size())}
                        : p_.storages[p_.inputs[at].storage].sizes;
      base->strides = contiguousStrides(base->sizes);
      out.emplace_back(base);
    }
    return out;
  }

  /// The program whose inputs no longer share memory: what the traced graphs have to compute.
  Evaluation eager(std::vector<Item>& inputs) const { return evaluate(only("synthetic-bases"), inputs); }

  void runUnaliased() {
    Memory memory;
    const std::vector<Item> values = p_.run(p_.makeInputs(memory));
    want_ = tracedInputs();
    const Evaluation e = eager(want_);
    outputs_ = e.outputs;
    for (size_t i = 0; i < p_.outputs.size(); ++i)
      expectSame(outputs_.at(i), values[p_.outputs[i]], "without shared memory: output " + std::to_string(i));
  }

  /// What the output or input that `d` names holds in the end, in the geometry of `like`.
  static Item valueOf(const ir::Descriptor& d, const std::vector<passes::AotInput>& traced,
                      const std::vector<Item>& inputs, const std::vector<Item>& outputs, size_t users,
                      const Item& like) {
    switch (d.kind()) {
      case ir::DescKind::PlainOutput:
        return outputs.at(static_cast<size_t>(d.idx()));
      case ir::DescKind::MetadataMutationOutput:
        return outputs.at(users + static_cast<size_t>(d.idx()));
      case ir::DescKind::InputMutationOutput:
        for (size_t i = 0; i < traced.size(); ++i)
          if (traced[i].descriptor == *d.base()) return inputs[i];
        throw Fault("no input " + d.base()->repr());
      case ir::DescKind::IntermediateBaseOutput: {
        auto base = std::make_shared<Tensor>(*like.tensor);
        base->storage = outputs.at(static_cast<size_t>(d.base()->idx())).tensor->storage;
        return base;
      }
      default:
        throw Fault("a forward output " + d.repr());
    }
  }

  static bool mutates(const ir::Graph& g, ir::NodeId id) {
    const ir::OpDef* op = ir::allOps().find(g.target(id));
    return op && (op->traits & ir::kOpMutates);
  }

  /// Writes are copies into inputs, and nothing reads an input once it is written. Views of what was copied
  /// may follow: PyTorch replays the views that are returned last.
  static void checkWrites(const ir::Graph& g, const std::string& name) {
    std::set<uint32_t> written;
    for (const ir::NodeId id : g.nodes()) {
      if (g.node(id).op != ir::OpKind::CallFunction) continue;
      const ir::OpDef* op = ir::allOps().find(g.target(id));
      const bool writes = op && (op->traits & ir::kOpMutates), views = op && (op->traits & ir::kOpView);
      const std::string node = name + ": " + std::string(g.nodeName(id));
      for (const ir::NodeId in : g.inputs(id))
        if (written.count(in.index)) throw Fault(node + " reads an input that is written");
      if (!writes) {
        if (!written.empty() && !views) throw Fault(node + " follows a write");
        continue;
      }
      const ir::ArgView to = g.arg(id, 0);
      if (g.target(id) != "torch.ops.aten.copy_.default" || to.kind() != ir::ValueKind::NodeRef ||
          g.node(to.node()).op != ir::OpKind::Placeholder)
        throw Fault(node + " writes");
      written.insert(to.node().index);
    }
  }

  void checkForwardOutputs(const ir::Graph& g, const Evaluation& e, const std::vector<Item>& given,
                           size_t count, const std::string& name) const {
    const passes::AotResult& r = data_->stages->result();
    std::vector<bool> returned(given.size(), false);
    for (size_t i = 0; i < count; ++i) {
      const ir::Descriptor* d = i < g.outputDescs.size() ? g.descriptor(g.outputDescs[i]) : nullptr;
      if (!d) throw Fault(name + ": output " + std::to_string(i) + " has no descriptor");
      expectSame(e.outputs.at(i), valueOf(*d, r.inputs, want_, outputs_, p_.outputs.size(), e.outputs[i]),
                 name + ": " + d->repr());
      if (d->kind() == ir::DescKind::InputMutationOutput)
        for (size_t k = 0; k < given.size(); ++k)
          returned[k] = returned[k] || r.inputs[k].descriptor == *d->base();
    }
    // An input that is returned is left as it was; any other one holds what the program leaves in it.
    const std::vector<Item> before = tracedInputs();
    for (size_t k = 0; k < given.size(); ++k)
      expectSame(given[k], returned[k] ? before[k] : want_[k],
                 name + ": " + r.inputs[k].descriptor.repr() + (returned[k] ? " is written" : " afterwards"));
  }

  void checkFunctional() const {
    const ir::Graph& g = only("functionalize");
    checkWrites(g, "functional");
    std::vector<Item> given = tracedInputs();
    // What would be differentiated copies nothing back, and returns all that is written and lives on.
    if (trained) {
      std::vector<Item> all = given;
      for (size_t more = given.size(); more < g.placeholders().size(); ++more) all.emplace_back();
      const Evaluation e = evaluate(g, all);
      for (size_t i = 0; i < g.outputDescs.size() && i < e.outputs.size(); ++i)
        if (const ir::Descriptor* d = g.descriptor(g.outputDescs[i]))
          expectSame(
              e.outputs[i],
              valueOf(*d, data_->stages->result().inputs, want_, outputs_, p_.outputs.size(), e.outputs[i]),
              "functional: " + d->repr());
      return;
    }
    const Evaluation e = evaluate(g, given);
    checkForwardOutputs(g, e, given, e.outputs.size(), "functional");
  }

  void checkTraced() {
    const ir::Graph& g = only("trace-joint");
    checkWrites(g, "traced");
    const passes::AotResult& r = data_->stages->result();
    std::vector<Item> given = tracedInputs(), all = given;
    if (trained) {
      const std::vector<ir::NodeId> placeholders = g.placeholders();
      uint64_t seed = 7;
      for (size_t i = given.size(); i < placeholders.size(); ++i) {
        const ir::Descriptor* d = g.descriptor(placeholders[i]);
        if (!d || d->kind() != ir::DescKind::TangentInput)
          throw Fault("an input of the joint is neither primal nor tangent");
        const ir::TensorType& type = g.type(placeholders[i]).tensor;
        Sizes sizes, strides;
        for (const ir::Dim& n : type.shape) sizes.push_back(n.value);
        for (const ir::Dim& n : *type.strides) strides.push_back(n.value);
        const TensorPtr t = newTensor(sizes, strides);
        for (int64_t k = 0; k < t->numel(); ++k) {
          seed = seed * 6364136223846793005u + 1442695040888963407u;
          t->at(k) = static_cast<double>(seed >> 40) / 8388608.0 - 1;
        }
        tangents_.emplace_back(*d->base(), t);
        all.emplace_back(t);
      }
    }
    jointInputs_ = apart(all);
    joint_ = evaluate(g, all);
    checkForwardOutputs(g, joint_, given, trained ? r.numForward : joint_.outputs.size(),
                        trained ? "joint" : "inference");
    afterJoint_ = given;
    if (!trained) return;
    for (size_t i = r.numForward; i < joint_.outputs.size(); ++i) {
      const ir::Descriptor* d = g.descriptor(g.outputDescs.at(i));
      if (d && d->kind() == ir::DescKind::GradOutput) checkGradient(*d, joint_.outputs[i]);
    }
  }

  /// Sum over all tangents of <value, tangent>.
  double objective(std::vector<Item> inputs) const {
    const Evaluation e = eager(inputs);
    double sum = 0;
    for (const auto& [d, t] : tangents_) {
      const Item value = valueOf(d, data_->stages->result().inputs, inputs, e.outputs, p_.outputs.size(), t);
      const std::vector<double> x = value.tensor->values(), y = t->values();
      if (x.size() != y.size()) throw Fault("a tangent of other sizes than " + d.repr());
      for (size_t k = 0; k < x.size(); ++k) sum += x[k] * y[k];
    }
    return sum;
  }

  void checkGradient(const ir::Descriptor& d, const Item& gradient) {
    const passes::AotResult& r = data_->stages->result();
    size_t at = 0;
    while (at < r.inputs.size() && !(r.inputs[at].descriptor == *d.base())) ++at;
    if (at == r.inputs.size()) throw Fault("a gradient of " + d.base()->repr());
    const std::vector<Item> start = tracedInputs();
    const Tensor& input = *start[at].tensor;
    if (gradient.kind == Item::Kind::Tensor && gradient.tensor->sizes != input.sizes)
      throw Fault(d.repr() + " has other sizes than its input");
    for (int64_t k = 0; k < input.numel(); ++k) {
      const double got = gradient.kind == Item::Kind::Tensor ? gradient.tensor->at(k) : 0;
      double want = 0;
      bool good = false;
      // A kink nearby shows with a large step only.
      for (const double step : {1e-5, 1e-6, 1e-7}) {
        std::vector<Item> up = apart(start), down = apart(start);
        up[at].tensor->at(k) += step;
        down[at].tensor->at(k) -= step;
        want = (objective(up) - objective(down)) / (2 * step);
        good = near(got, want, 1e-5);
        if (good) break;
      }
      if (!good)
        throw Fault(d.repr() + " element " + std::to_string(k) + ": " + std::to_string(got) +
                    ", differences say " + std::to_string(want));
      ++gradients;
    }
  }

  void checkPartition() const {
    const std::vector<passes::StateGraph>& parts = after("partition");
    if (parts.size() != 2) throw Fault("no two graphs after the partition");
    const ir::Graph &fw = parts[0].module->root(), &bw = parts[1].module->root();
    const size_t forward = data_->stages->result().numForward;
    std::vector<Item> given = apart(jointInputs_);
    given.resize(afterJoint_.size());
    if (fw.placeholders().size() != given.size())
      throw Fault("the forward graph has another number of inputs");
    const Evaluation first = evaluate(fw, given);
    for (size_t i = 0; i < forward; ++i)
      expectSame(first.outputs.at(i), joint_.outputs[i], "forward: output " + std::to_string(i));
    for (size_t i = 0; i < given.size(); ++i)
      expectSame(given[i], afterJoint_[i], "forward: input " + std::to_string(i) + " afterwards");
    // Saved values go by name, and the tangents follow.
    std::map<std::string, Item, std::less<>> saved;
    const std::vector<ir::ArgView> returned = fw.outputs();
    for (size_t i = forward; i < returned.size(); ++i)
      saved[std::string(fw.nodeName(returned[i].node()))] = first.outputs[i];
    const ir::Graph& joint = only("trace-joint");
    const std::vector<ir::NodeId> placeholders = joint.placeholders();
    for (size_t i = afterJoint_.size(); i < placeholders.size(); ++i)
      saved[std::string(joint.nodeName(placeholders[i]))] = jointInputs_[i];
    std::vector<Item> rest;
    for (const ir::NodeId id : bw.placeholders()) {
      const auto found = saved.find(bw.nodeName(id));
      if (found == saved.end()) throw Fault("backward: nobody gives " + std::string(bw.nodeName(id)));
      rest.push_back(found->second);
    }
    const Evaluation second = evaluate(bw, rest);
    if (second.outputs.size() + forward != joint_.outputs.size())
      throw Fault("backward: another number of outputs");
    for (size_t i = 0; i < second.outputs.size(); ++i)
      expectSame(second.outputs[i], joint_.outputs[forward + i], "backward: output " + std::to_string(i));
  }

  const Program& p_;
  const char* pipeline_;
  std::shared_ptr<AotData> data_;
  passes::Recording recording_;
  std::vector<Item> want_, outputs_;  ///< of the program without shared memory: inputs afterwards, outputs
  std::vector<std::pair<ir::Descriptor, TensorPtr>> tangents_;
  std::vector<Item> jointInputs_, afterJoint_;
  Evaluation joint_;
};

struct Outcome {
  std::string fault, refusal, graphs;
  bool trained = false;
  size_t gradients = 0;
};

Outcome check(const Program& p, const char* pipeline) {
  Check c(p, pipeline);
  Outcome out;
  try {
    c.run();
  } catch (const std::exception& e) {
    out.fault = e.what();
  }
  out.refusal = c.refusal;
  out.graphs = c.graphs;
  out.trained = c.trained;
  out.gradients = c.gradients;
  return out;
}

/// The smallest program that still fails, by leaving out statements and outputs one at a time.
Program shrink(Program p, const char* pipeline) {
  for (bool smaller = true; smaller;) {
    smaller = false;
    std::vector<Program> fewer;
    for (size_t k = p.statements.size(); k-- > 0;) fewer.push_back(p.without(k));
    for (size_t k = 0; k < p.outputs.size(); ++k) {
      fewer.push_back(p);
      fewer.back().outputs.erase(fewer.back().outputs.begin() + static_cast<int64_t>(k));
    }
    for (Program& f : fewer) {
      if (f.outputs.empty() || check(f, pipeline).fault.empty()) continue;
      p = std::move(f);
      smaller = true;
      break;
    }
  }
  return p;
}

std::string told(const Program& p) {
  std::string out = p.text();
  for (size_t i = 0; i < p.inputs.size(); ++i) {
    const ProgramInput& in = p.inputs[i];
    const ProgramStorage& s = p.storages[in.storage];
    out += "  v" + std::to_string(i) + ": storage " + std::to_string(in.storage) + " from " +
           std::to_string(in.offset) + (s.requiresGrad ? ", requires grad" : "") +
           (s.tracked && in.isView ? ", view" : "") + (in.sameAs ? ", the same tensor again" : "") + "\n";
  }
  return out;
}

TEST(Generated, ProgramsComputeTheSameAtEveryStage) {
  constexpr const char* kPipelines[] = {"aot", "aot-default",
                                        "lower(keep-input-mutations=off),collect-metadata,merge-duplicates,"
                                        "synthetic-bases,functionalize,trace-joint,partition"};
  const char* asked = std::getenv("DESCRY_GENERATED");  // how many, to look further than the test does
  const size_t wanted = asked ? static_cast<size_t>(std::atoi(asked)) : 300;
  ProgramGenerator generator(20240607);
  size_t accepted = 0, trained = 0, gradients = 0, failures = 0, statements = 0, written = 0, aliased = 0;
  std::map<std::string, size_t> refused;
  for (size_t tried = 0; accepted < wanted && tried < 4 * wanted; ++tried) {
    const Program p = generator.next();
    const char* pipeline = kPipelines[tried % 3];
    const Outcome o = check(p, pipeline);
    if (!o.refusal.empty()) {
      ++refused[o.refusal];
      continue;
    }
    ++accepted;
    trained += o.trained;
    gradients += o.gradients;
    statements += p.statements.size();
    written += p.text().find("_(") != std::string::npos;
    aliased += p.inputs.size() > p.storages.size();
    if (o.fault.empty()) continue;
    const Program small = shrink(p, pipeline);
    const Outcome again = check(small, pipeline);
    ADD_FAILURE() << "program " << tried << " with " << pipeline << ": " << again.fault << "\n"
                  << told(small) << again.graphs;
    if (++failures == 10 && !asked) break;
  }
  EXPECT_EQ(accepted, wanted) << "too many programs were refused";
  RecordProperty("refused", static_cast<int>(refused.size()));
  std::string why;
  for (const auto& [code, n] : refused) why += " " + code + ": " + std::to_string(n);
  std::printf(
      "%zu programs, %zu statements, %zu with writes, %zu with shared inputs, %zu trained, %zu "
      "gradients;%s\n",
      accepted, statements, written, aliased, trained, gradients, why.c_str());
  EXPECT_GT(trained, wanted / 3);
  EXPECT_GT(gradients, wanted);
}

}  // namespace
}  // namespace descry::test

// Partitions of joint graphs: what crosses, where nodes go, and what must be refused.
#include "passes/partition/partition.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "importers/fx_text/fx_text.h"
#include "ir/text/printer.h"

namespace {

using namespace descry;
using passes::NodeRole;
using passes::PartitionOptions;
using passes::PartitionTag;
using passes::RecomputePolicy;
using passes::ValueFate;
using Method = passes::PartitionOptions::Method;

/// A joint graph read from a body. Inputs are lines `name: "type"  # descriptor`, outputs `value,  #
/// descriptor`.
class JointText {
 public:
  JointText(const std::string& inputs, const std::string& body, const std::string& outputs) {
    std::string text =
        "class inner_f(torch.nn.Module):\n    def forward(\n        self,\n        primals,\n        "
        "tangents,\n    ):\n";
    std::string names;
    eachLine(inputs, [&](const std::string& line) {
      text += "        " + line + "\n";
      names += line.substr(0, line.find(':')) + ", ";
    });
    text += "        " + names + "= fx_pytree.tree_flatten_spec([primals, tangents], self._in_spec)\n";
    eachLine(body, [&](const std::string& line) { text += "        " + line + "\n"; });
    text += "        return pytree.tree_unflatten([\n";
    eachLine(outputs, [&](const std::string& line) { text += "            " + line + "\n"; });
    text += "        ], self._out_spec)\n";
    ir::DiagnosticSink sink;
    module_ = importers::parseFxText(text, {}, sink);
    EXPECT_EQ(sink.errors() + sink.warnings(), 0u) << (sink.all().empty() ? "" : sink.all()[0].text());
    input.module = module_.get();
    input.joint = &module_->root();
    input.forwardOutputs = passes::countForwardOutputs(joint());
    input.roles = passes::deriveRoles(joint(), input.forwardOutputs);
  }
  const ir::Graph& joint() const { return module_->root(); }
  ir::NodeId node(std::string_view name) const {
    const ir::NodeId id = joint().find(name);
    EXPECT_TRUE(id.valid()) << name;
    return id;
  }
  NodeRole& role(std::string_view name) { return input.roles[node(name).index]; }

  passes::PartitionInput input;

 private:
  template <class F>
  static void eachLine(const std::string& text, F&& f) {
    for (size_t from = 0; from < text.size();) {
      const size_t end = std::min(text.find('\n', from), text.size());
      f(text.substr(from, end - from));
      from = end + 1;
    }
  }
  std::shared_ptr<ir::Module> module_;
};

PartitionOptions with(Method method) {
  PartitionOptions o;
  o.method = method;
  return o;
}

passes::Partition cut(const JointText& t, const PartitionOptions& options) {
  auto out = passes::partitionJoint(t.input, options);
  EXPECT_TRUE(out.ok()) << (out ? "" : out.error().text());
  return std::move(*out);
}

std::string errorOf(const JointText& t, const PartitionOptions& options) {
  const auto out = passes::partitionJoint(t.input, options);
  return out ? "no error" : out.error().code;
}

std::vector<std::string> savedNames(const JointText& t, const passes::Partition& p) {
  std::vector<std::string> out;
  for (const passes::SavedValue& s : p.saved) out.emplace_back(t.joint().nodeName(s.node));
  return out;
}

using Names = std::vector<std::string>;

/// Targets of the calls, without `torch.ops.` and `.default`.
Names callsOf(const ir::Graph& g) {
  Names out;
  for (ir::NodeId id : g.nodes()) {
    if (g.node(id).op != ir::OpKind::CallFunction) continue;
    std::string target(g.target(id));
    if (target.starts_with("torch.ops.")) target = target.substr(10);
    if (target.ends_with(".default")) target.resize(target.size() - 8);
    out.push_back(target);
  }
  return out;
}

const passes::ValueDecision& decisionOf(const JointText& t, const passes::Partition& p,
                                        std::string_view name) {
  for (const passes::ValueDecision& d : p.decisions)
    if (t.joint().nodeName(d.node) == name) return d;
  ADD_FAILURE() << "no decision about " << name;
  return p.decisions.front();
}

constexpr const char* kOneInput =
    "primals_1: \"f32[8][1]cpu\"  # PlainAOTInput(idx=0)\n"
    "tangents_1: \"f32[8][1]cpu\"  # TangentAOTInput(output=PlainAOTOutput(idx=0))\n";

/// x.cos().cos() and its gradient.
JointText twoCosines() {
  return JointText(
      kOneInput,
      "# File: f.py:1 in f, code: return x.cos().cos()\n"
      "cos: \"f32[8][1]cpu\" = torch.ops.aten.cos.default(primals_1)\n"
      "cos_1: \"f32[8][1]cpu\" = torch.ops.aten.cos.default(cos)\n"
      "\n"
      "# Backward of forward node: File: f.py:1 in f, code: return x.cos().cos()\n"
      "sin: \"f32[8][1]cpu\" = torch.ops.aten.sin.default(cos);  cos = None\n"
      "neg: \"f32[8][1]cpu\" = torch.ops.aten.neg.default(sin);  sin = None\n"
      "mul: \"f32[8][1]cpu\" = torch.ops.aten.mul.Tensor(tangents_1, neg);  tangents_1 = neg = None\n"
      "sin_1: \"f32[8][1]cpu\" = torch.ops.aten.sin.default(primals_1);  primals_1 = None\n"
      "neg_1: \"f32[8][1]cpu\" = torch.ops.aten.neg.default(sin_1);  sin_1 = None\n"
      "mul_1: \"f32[8][1]cpu\" = torch.ops.aten.mul.Tensor(mul, neg_1);  mul = neg_1 = None\n",
      "cos_1,  # PlainAOTOutput(idx=0)\n"
      "mul_1,  # GradAOTOutput(grad_of=PlainAOTInput(idx=0))\n");
}

TEST(Partition, MinCutRecomputesWhatIsCheap) {
  const JointText t = twoCosines();
  const passes::Partition p = cut(t, with(Method::MinCut));
  EXPECT_EQ(ir::printModule(p.forward),
            "class GraphModule(torch.nn.Module):\n"
            "    def forward(\n"
            "        self,\n"
            "        primals_1: \"f32[8][1]cpu\",  # PlainAOTInput(idx=0)\n"
            "    ):\n"
            "        # File: f.py:1 in f, code: return x.cos().cos()\n"
            "        cos: \"f32[8][1]cpu\" = torch.ops.aten.cos.default(primals_1)\n"
            "        cos_1: \"f32[8][1]cpu\" = torch.ops.aten.cos.default(cos);  cos = None\n"
            "        return (\n"
            "            cos_1,  # PlainAOTOutput(idx=0)\n"
            "            primals_1,  # SavedForBackwardsAOTOutput(idx=0)\n"
            "        )\n");
  EXPECT_EQ(
      ir::printModule(p.backward),
      "class GraphModule(torch.nn.Module):\n"
      "    def forward(\n"
      "        self,\n"
      "        primals_1: \"f32[8][1]cpu\",  # PlainAOTInput(idx=0)\n"
      "        tangents_1: \"f32[8][1]cpu\",  # TangentAOTInput(output=PlainAOTOutput(idx=0))\n"
      "    ):\n"
      "        # Backward of forward node: File: f.py:1 in f, code: return x.cos().cos()\n"
      "        cos: \"f32[8][1]cpu\" = torch.ops.aten.cos.default(primals_1)\n"
      "        sin: \"f32[8][1]cpu\" = torch.ops.aten.sin.default(cos);  cos = None\n"
      "        neg: \"f32[8][1]cpu\" = torch.ops.aten.neg.default(sin);  sin = None\n"
      "        mul: \"f32[8][1]cpu\" = torch.ops.aten.mul.Tensor(tangents_1, neg);  tangents_1 = neg = None\n"
      "        sin_1: \"f32[8][1]cpu\" = torch.ops.aten.sin.default(primals_1);  primals_1 = None\n"
      "        neg_1: \"f32[8][1]cpu\" = torch.ops.aten.neg.default(sin_1);  sin_1 = None\n"
      "        mul_1: \"f32[8][1]cpu\" = torch.ops.aten.mul.Tensor(mul, neg_1);  mul = neg_1 = None\n"
      "        return (\n"
      "            mul_1,  # GradAOTOutput(grad_of=PlainAOTInput(idx=0))\n"
      "        )\n");
  EXPECT_EQ(p.savedBytes, 32);
  EXPECT_EQ(p.cutValue, 35);  // 32 bytes, one op away: times 1.1
  EXPECT_EQ(decisionOf(t, p, "cos").fate, ValueFate::Recomputed);
  EXPECT_EQ(decisionOf(t, p, "primals_1").ban, passes::BanRule::Input);
}

TEST(Partition, DefaultSavesWhatTheBackwardReads) {
  const JointText t = twoCosines();
  const passes::Partition p = cut(t, with(Method::Default));
  EXPECT_EQ(savedNames(t, p), (Names{"primals_1", "cos"}));
  EXPECT_EQ(callsOf(p.backward.root()),
            (Names{"aten.sin", "aten.neg", "aten.mul.Tensor", "aten.sin", "aten.neg", "aten.mul.Tensor"}));
  EXPECT_EQ(decisionOf(t, p, "cos_1").fate, ValueFate::Pruned);
}

TEST(Partition, WishesOverrideTheCut) {
  JointText t = twoCosines();
  t.input.overrides = {{t.node("cos"), passes::PartitionOverride::Wish::Save}};
  const passes::Partition saved = cut(t, with(Method::MinCut));
  EXPECT_EQ(savedNames(t, saved), (Names{"primals_1", "cos"}));
  EXPECT_EQ(saved.savedBytes, 64);

  t.input.overrides = {{t.node("cos"), passes::PartitionOverride::Wish::Recompute}};
  EXPECT_EQ(savedNames(t, cut(t, with(Method::Default))), (Names{"primals_1"}));
}

TEST(Partition, WishesThatCannotBeAreErrors) {
  JointText t = twoCosines();
  using Wish = passes::PartitionOverride::Wish;
  const auto refused = [&](std::vector<passes::PartitionOverride> wishes, Method method) {
    t.input.overrides = std::move(wishes);
    const auto p = passes::partitionJoint(t.input, with(method));
    return p ? std::string() : p.error().code + " " + p.error().message;
  };
  for (const Method method : {Method::Default, Method::MinCut}) {
    EXPECT_EQ(refused({{t.node("cos"), Wish::Save}, {t.node("cos"), Wish::Recompute}}, method),
              "partition-wish `cos` is asked to be saved and to be recomputed");
    EXPECT_EQ(refused({{t.node("tangents_1"), Wish::Save}}, method),
              "partition-wish `tangents_1` cannot be saved: it is an input of the backward graph");
    EXPECT_EQ(refused({{t.node("primals_1"), Wish::Recompute}}, method),
              "partition-wish `primals_1` cannot be recomputed: it is an input, which nothing computes");
    EXPECT_EQ(
        refused({{t.node("mul"), Wish::Save}}, method),
        "partition-wish `mul` cannot be saved: it is computed in the backward graph, from its gradients");
    EXPECT_EQ(refused({{t.node("cos"), Wish::Save}, {t.node("cos"), Wish::Save}}, method), "");
  }
  const auto p = passes::partitionJoint(t.input, with(Method::MinCut));
  ASSERT_TRUE(p);
  EXPECT_TRUE(passes::decisionText(decisionOf(t, *p, "cos")).starts_with("saved: it is asked for by hand ("));
  EXPECT_TRUE(passes::decisionReason(decisionOf(t, *p, "cos")).starts_with("it is asked for by hand ("));
}

TEST(Partition, ParametersAreFreeToSave) {
  JointText t(
      "primals_1: \"f32[8, 8][8, 1]cpu\"  # PlainAOTInput(idx=0)\n"
      "primals_2: \"f32[8, 8][8, 1]cpu\"  # PlainAOTInput(idx=1)\n"
      "tangents_1: \"f32[8, 8][8, 1]cpu\"  # TangentAOTInput(output=PlainAOTOutput(idx=0))\n",
      "add: \"f32[8, 8][8, 1]cpu\" = torch.ops.aten.add.Tensor(primals_1, primals_2)\n"
      "sin: \"f32[8, 8][8, 1]cpu\" = torch.ops.aten.sin.default(add)\n"
      "cos: \"f32[8, 8][8, 1]cpu\" = torch.ops.aten.cos.default(add);  add = None\n"
      "mul: \"f32[8, 8][8, 1]cpu\" = torch.ops.aten.mul.Tensor(tangents_1, cos);  tangents_1 = cos = None\n",
      "sin,  # PlainAOTOutput(idx=0)\nmul,  # GradAOTOutput(grad_of=PlainAOTInput(idx=0))\n"
      "mul,  # GradAOTOutput(grad_of=PlainAOTInput(idx=1))\n");
  // As dear as `add`; of equal cuts the one nearest to the backward graph is taken.
  EXPECT_EQ(savedNames(t, cut(t, with(Method::MinCut))), (Names{"cos"}));
  t.input.staticInputs = {0, 1};
  EXPECT_EQ(savedNames(t, cut(t, with(Method::MinCut))), (Names{"primals_1", "primals_2"}));
}

TEST(Partition, SizesAreSavedInsteadOfATensor) {
  const JointText t(
      "primals_1: \"Sym(s0)\"  # PlainAOTInput(idx=0)\n"
      "primals_2: \"f32[s0, 4][4, 1]cpu\"  # PlainAOTInput(idx=1)\n"
      "tangents_1: \"f32[4][1]cpu\"  # TangentAOTInput(output=PlainAOTOutput(idx=0))\n",
      "sum_1: \"f32[4][1]cpu\" = torch.ops.aten.sum.dim_IntList(primals_2, [0])\n"
      "# Backward of forward node: File: f.py:1 in f, code: return x.sum(0)\n"
      "sym_size_int: \"Sym(s0)\" = torch.ops.aten.sym_size.int(primals_2, 0);  primals_2 = None\n"
      "expand: \"f32[s0, 4][0, 1]cpu\" = torch.ops.aten.expand.default(tangents_1, [sym_size_int, 4])\n",
      "sum_1,  # PlainAOTOutput(idx=0)\nNone,  # None\nexpand,  # "
      "GradAOTOutput(grad_of=PlainAOTInput(idx=1))\n");
  const passes::Partition p = cut(t, with(Method::Default));
  EXPECT_EQ(savedNames(t, p), (Names{"primals_1", "sym_size_int"}));
  EXPECT_EQ(decisionOf(t, p, "primals_2").fate, ValueFate::SizeSaved);
}

TEST(Partition, SymbolsThatTypesMentionArePassedOn) {
  const JointText t(
      "primals_1: \"Sym(s0)\"  # PlainAOTInput(idx=0)\n"
      "primals_2: \"f32[s0][1]cpu\"  # PlainAOTInput(idx=1)\n"
      "tangents_1: \"f32[s0][1]cpu\"  # TangentAOTInput(output=PlainAOTOutput(idx=0))\n",
      "sin: \"f32[s0][1]cpu\" = torch.ops.aten.sin.default(primals_2)\n"
      "cos: \"f32[s0][1]cpu\" = torch.ops.aten.cos.default(primals_2);  primals_2 = None\n"
      "mul: \"f32[s0][1]cpu\" = torch.ops.aten.mul.Tensor(tangents_1, cos);  tangents_1 = cos = None\n",
      "sin,  # PlainAOTOutput(idx=0)\nNone,  # None\nmul,  # GradAOTOutput(grad_of=PlainAOTInput(idx=1))\n");
  const passes::Partition p = cut(t, with(Method::MinCut));
  EXPECT_EQ(savedNames(t, p), (Names{"primals_2", "primals_1"}));  // last of the forward outputs
  EXPECT_EQ(p.backward.root().nodeName(p.backward.root().first()), "primals_1");  // first backward input
  EXPECT_EQ(decisionOf(t, p, "primals_1").fate, ValueFate::BoundForSize);
}

/// sin(x) @ y under a checkpoint, then a sum.
JointText checkpointed(const char* first, const char* policy) {
  const std::string tag = std::string("ac_graph_id: 4 - ") + policy;
  return JointText(
      "primals_1: \"f32[4, 4][4, 1]cpu\"  # PlainAOTInput(idx=0)\n"
      "primals_2: \"f32[4, 4][4, 1]cpu\"  # PlainAOTInput(idx=1)\n"
      "tangents_1: \"f32[4, 4][4, 1]cpu\"  # TangentAOTInput(output=PlainAOTOutput(idx=0))\n",
      "# " + tag + " File: f.py:1 in f, code: x.sin() @ y\n" + "sin: \"f32[4, 4][4, 1]cpu\" = " + first +
          "\n" +
          "mm: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.mm.default(sin, primals_2)\n"
          "# File: f.py:2 in f, code: return h.exp()\n"
          "exp: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.exp.default(mm)\n"
          "# Backward of forward node: File: f.py:2 in f, code: return h.exp()\n"
          "mul: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.mul.Tensor(tangents_1, exp)\n"
          "neg: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.neg.default(mul)\n"
          "mul_1: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.mul.Tensor(neg, mm)\n"
          "mul_2: \"f32[4, 4][4, 1]cpu\" = torch.ops.aten.mul.Tensor(mul_1, sin)\n",
      "exp,  # PlainAOTOutput(idx=0)\nmul_2,  # GradAOTOutput(grad_of=PlainAOTInput(idx=0))\nNone,  # "
      "None\n");
}

TEST(Partition, CheckpointsAreRecomputedWhereTheyAreRead) {
  const JointText t = checkpointed("torch.ops.aten.sin.default(primals_1)", "MUST_RECOMPUTE");
  for (Method m : {Method::Default, Method::MinCut}) {
    const passes::Partition p = cut(t, with(m));
    EXPECT_EQ(savedNames(t, p), (Names{"primals_1", "primals_2", "exp"}));
    EXPECT_EQ(callsOf(p.backward.root()), (Names{"aten.mul.Tensor", "aten.neg", "aten.sin", "aten.mm",
                                                 "aten.mul.Tensor", "aten.mul.Tensor"}));
    EXPECT_TRUE(decisionOf(t, p, "mm").mustRecompute);
  }
}

TEST(Partition, MustSaveIsSaved) {
  const JointText t = checkpointed("torch.ops.aten.sin.default(primals_1)", "MUST_SAVE");
  EXPECT_EQ(savedNames(t, cut(t, with(Method::MinCut))), (Names{"sin", "mm", "exp"}));
}

TEST(Partition, RecomputedRandomOpsGetTheirStateBack) {
  JointText t = checkpointed("torch.ops.aten.bernoulli.p(primals_1, 0.5)", "MUST_RECOMPUTE");
  PartitionOptions options = with(Method::MinCut);
  passes::Partition p = cut(t, options);
  EXPECT_EQ(p.randomStates, 1u);
  EXPECT_EQ(callsOf(p.forward.root()), (Names{"higher_order.run_and_save_rng_state", "operator.getitem",
                                              "operator.getitem", "aten.mm", "aten.exp"}));
  EXPECT_TRUE(p.forward.root().outputDescs.empty());  // as PyTorch
  const ir::Graph& b = p.backward.root();
  const ir::NodeId run = b.find("run_with_rng_state");
  ASSERT_TRUE(run.valid());
  EXPECT_EQ(ir::printExpression(b, run),
            "torch.ops.higher_order.run_with_rng_state(rng_state_output_0, torch.ops.aten.bernoulli.p, "
            "primals_1, 0.5)");
  EXPECT_EQ(b.nodeName(b.next(b.find("rng_state_output_0"))), "tangents_1");

  options.describeRandomStates = true;
  p = cut(t, options);
  EXPECT_EQ(p.forward.root().outputDescs.size(), p.forward.root().outputs().size());

  // On a GPU both graphs take a generator.
  JointText g = checkpointed("torch.ops.aten.bernoulli.p(primals_1, 0.5)", "MUST_RECOMPUTE");
  ir::Context& context = g.joint().context();
  const_cast<ir::Graph&>(g.joint()).setType(g.node("sin"), context.type("f32[4, 4][4, 1]cuda:0"));
  p = cut(g, with(Method::MinCut));
  EXPECT_EQ(p.graphsafeStates, 1u);
  EXPECT_EQ(ir::printExpression(p.forward.root(), p.forward.root().find("graphsafe_run_with_rng_state")),
            "torch.ops.higher_order.graphsafe_run_with_rng_state(torch.ops.aten.bernoulli.p, primals_1, 0.5, "
            "rng_state = "
            "fwd_rng_state_0)");
}

TEST(Partition, WritesToInputsStayOnTheirSide) {
  JointText t(
      "primals_1: \"f32[8][1]cpu\"  # PlainAOTInput(idx=0)\n"
      "primals_2: \"f32[8][1]cpu\"  # PlainAOTInput(idx=1)\n"
      "tangents_1: \"f32[8][1]cpu\"  # TangentAOTInput(output=PlainAOTOutput(idx=0))\n",
      "sin: \"f32[8][1]cpu\" = torch.ops.aten.sin.default(primals_1)\n"
      "add: \"f32[8][1]cpu\" = torch.ops.aten.add.Tensor(primals_2, sin)\n"
      "cos: \"f32[8][1]cpu\" = torch.ops.aten.cos.default(primals_1)\n"
      "mul: \"f32[8][1]cpu\" = torch.ops.aten.mul.Tensor(tangents_1, cos)\n"
      "add_1: \"f32[8][1]cpu\" = torch.ops.aten.add.Tensor(add, mul)\n"
      "copy_: \"f32[8][1]cpu\" = torch.ops.aten.copy_.default(primals_2, add)\n"
      "copy__1: \"f32[8][1]cpu\" = torch.ops.aten.copy_.default(primals_2, add_1)\n",
      "sin,  # PlainAOTOutput(idx=0)\nmul,  # GradAOTOutput(grad_of=PlainAOTInput(idx=0))\nNone,  # None\n");
  EXPECT_EQ(t.role("copy_").tag, PartitionTag::MustBeInForward);
  EXPECT_EQ(t.role("copy__1").tag, PartitionTag::MustBeInBackward);
  for (Method m : {Method::Default, Method::MinCut}) {
    const passes::Partition p = cut(t, with(m));
    EXPECT_TRUE(p.forward.root().find("copy_").valid());
    EXPECT_FALSE(p.forward.root().find("copy__1").valid());
    EXPECT_TRUE(p.backward.root().find("copy__1").valid());
    EXPECT_EQ(decisionOf(t, p, "add").ban, passes::BanRule::MustSave);  // must not be added twice
  }
}

TEST(Partition, SaysWhatCanNeitherBeSavedNorRecomputed) {
  JointText t(kOneInput,
              "sin: \"f32[8][1]cpu\" = torch.ops.aten.sin.default(primals_1)\n"
              "mul: \"f32[8][1]cpu\" = torch.ops.aten.mul.Tensor(tangents_1, primals_1)\n",
              "sin,  # PlainAOTOutput(idx=0)\nmul,  # GradAOTOutput(grad_of=PlainAOTInput(idx=0))\n");
  t.role("primals_1").writtenAfterwards = true;
  const auto out = passes::partitionJoint(t.input, with(Method::MinCut));
  ASSERT_FALSE(out.ok());
  EXPECT_EQ(out.error().code, "partition-infinite-path");
  EXPECT_EQ(out.error().node, "primals_1");
  ASSERT_EQ(out.error().notes.size(), 2u);
  EXPECT_EQ(
      out.error().notes[0].message,
      "'primals_1' cannot be recomputed: it is an input, cannot be saved: the input is overwritten when "
      "the forward graph is done");
  EXPECT_EQ(out.error().notes[1].message,
            "'mul' depends on 'primals_1', must be computed in the backward graph");
}

TEST(Partition, RefusesWhatPyTorchRefuses) {
  JointText t = twoCosines();
  PartitionOptions o = with(Method::MinCut);
  o.memoryBudget = 1.5;
  EXPECT_EQ(errorOf(t, o), "partition-budget");
  t.input.forwardOutputs = 9;
  EXPECT_EQ(errorOf(t, with(Method::Default)), "partition-no-output");

  JointText invalid = twoCosines();
  invalid.input.forwardOutputs = 2;  // the gradient is no forward output
  EXPECT_EQ(errorOf(invalid, with(Method::MinCut)), "partition-invalid-output");

  JointText effect(
      "primals_1: \"f32[0][1]cpu\"  # ForwardTokenAOTInput(idx=0)\n"
      "tangents_1: \"f32[8][1]cpu\"  # TangentAOTInput(output=PlainAOTOutput(idx=0))\n",
      "with_effects = torch.ops.higher_order.with_effects(primals_1, torch.ops.aten._print.default, 'a')\n"
      "getitem: \"f32[0][1]cpu\" = with_effects[0]\n"
      "neg: \"f32[8][1]cpu\" = torch.ops.aten.neg.default(tangents_1)\n",
      "getitem,  # ForwardTokenAOTOutput(idx=0)\nneg,  # GradAOTOutput(grad_of=PlainAOTInput(idx=0))\n");
  effect.role("with_effects").recompute = RecomputePolicy::MustRecompute;
  EXPECT_EQ(errorOf(effect, with(Method::MinCut)), "partition-effect");
}

TEST(Partition, ABudgetTradesTimeForMemory) {
  std::string body, prev = "primals_1";
  for (int i = 0; i < 6; ++i) {
    const std::string n = std::to_string(i);
    body += "mm" + n + ": \"f32[64, 64][64, 1]cpu\" = torch.ops.aten.mm.default(" + prev + ", primals_1)\n";
    prev = "mm" + n;
  }
  std::string g = "tangents_1";
  for (int i = 6; i-- > 0;) {
    const std::string n = std::to_string(i);
    body += "g" + n + ": \"f32[64, 64][64, 1]cpu\" = torch.ops.aten.mm.default(" + g + ", mm" + n + ")\n";
    g = "g" + n;
  }
  const JointText t(
      "primals_1: \"f32[64, 64][64, 1]cpu\"  # PlainAOTInput(idx=0)\n"
      "tangents_1: \"f32[64, 64][64, 1]cpu\"  # TangentAOTInput(output=PlainAOTOutput(idx=0))\n",
      body, "mm5,  # PlainAOTOutput(idx=0)\n" + g + ",  # GradAOTOutput(grad_of=PlainAOTInput(idx=0))\n");
  int64_t before = INT64_MAX;
  for (double budget : {1.0, 0.7, 0.4, 0.0}) {
    PartitionOptions o = with(Method::MinCut);
    o.memoryBudget = budget;
    const passes::Partition p = cut(t, o);
    EXPECT_LT(p.savedBytes, before) << budget;
    before = p.savedBytes;
  }
  EXPECT_EQ(before, 64 * 64 * 4);  // the input alone
}

TEST(Partition, EqualCallsAreMergedAsPyTorchMergesThem) {
  const std::string sum = "\"f32[8][1]cpu\" = torch.ops.aten.sum.dim_IntList(primals_1, ";
  const JointText t(
      "primals_1: \"f32[8, 8][8, 1]cpu\"  # PlainAOTInput(idx=0)\n"
      "tangents_1: \"f32[8][1]cpu\"  # TangentAOTInput(output=PlainAOTOutput(idx=0))\n",
      "a: " + sum + "[-1])\nb: " + sum + "[-1])\nc: " + sum + "[-2])\nd: " + sum + "[-2])\n" +
          "e: \"f32[8][1]cpu\" = torch.ops.aten.mul.Tensor(a, 2)\nf: \"f32[8][1]cpu\" = "
          "torch.ops.aten.mul.Tensor(b, 2.0)\n"
          "g: \"f32[8][1]cpu\" = torch.ops.aten.add.Tensor(e, f)\nh: \"f32[8][1]cpu\" = "
          "torch.ops.aten.add.Tensor(c, d)\n"
          "i: \"f32[8][1]cpu\" = torch.ops.aten.add.Tensor(g, h)\n"
          "neg: \"f32[8][1]cpu\" = torch.ops.aten.neg.default(tangents_1)\n",
      "i,  # PlainAOTOutput(idx=0)\nneg,  # GradAOTOutput(grad_of=PlainAOTInput(idx=0))\n");
  // In Python -1 and -2 have one hash, and only the first call of a hash is found again.
  const passes::Partition p = cut(t, with(Method::MinCut));
  const ir::Graph& f = p.forward.root();
  EXPECT_TRUE(f.find("a").valid() && !f.find("b").valid() && f.find("c").valid() && f.find("d").valid());
  EXPECT_TRUE(f.find("e").valid() && f.find("f").valid());  // 2 is not 2.0
  PartitionOptions o = with(Method::MinCut);
  o.mergeEqual = false;
  EXPECT_TRUE(cut(t, o).forward.root().find("b").valid());
}

TEST(Partition, TokensCanBeTakenOutOfTheSignature) {
  const JointText t(
      "primals_1: \"f32[0][1]cpu\"  # ForwardTokenAOTInput(idx=0)\n"
      "primals_2: \"f32[8][1]cpu\"  # PlainAOTInput(idx=0)\n"
      "tangents_1: \"f32[8][1]cpu\"  # TangentAOTInput(output=PlainAOTOutput(idx=0))\n",
      "with_effects = torch.ops.higher_order.with_effects(primals_1, torch.ops.aten._print.default, 'a')\n"
      "getitem: \"f32[0][1]cpu\" = with_effects[0]\n"
      "sin: \"f32[8][1]cpu\" = torch.ops.aten.sin.default(primals_2)\n"
      "cos: \"f32[8][1]cpu\" = torch.ops.aten.cos.default(primals_2)\n"
      "mul: \"f32[8][1]cpu\" = torch.ops.aten.mul.Tensor(tangents_1, cos)\n",
      "getitem,  # ForwardTokenAOTOutput(idx=0)\nsin,  # PlainAOTOutput(idx=0)\n"
      "mul,  # GradAOTOutput(grad_of=PlainAOTInput(idx=0))\n");
  passes::Partition p = cut(t, with(Method::Default));
  passes::unliftTokens(p);
  EXPECT_EQ(callsOf(p.forward.root()), (Names{"prims._make_token", "higher_order.with_effects",
                                              "operator.getitem", "aten.sin", "prims._sink_tokens"}));
  EXPECT_EQ(p.forward.root().placeholders().size(), 1u);
  EXPECT_EQ(p.forward.root().outputs().size(), 2u);
}

/// layer(x) for a region that computes `first` and a sum of it; backward reads the sum, and `again` of x.
std::shared_ptr<ir::Module> regionCall(const std::string& type, const std::string& comment,
                                       const std::string& first) {
  ir::DiagnosticSink sink;
  const std::string t = ": \"" + type + "\"";
  const std::string layer = comment + "            first" + t + " = " + first +
                            "\n            # File: f.py:2 in layer, code: sum\n            sums" + t +
                            " = torch.ops.aten.cumsum.default(first, 0)\n";
  auto module = importers::parseFxText(
      "class inner_f(torch.nn.Module):\n    def forward(\n        self,\n        primals,\n        "
      "tangents,\n    ):\n"
      "        primals_1" +
          t +
          "  # PlainAOTInput(idx=0)\n"
          "        tangents_1" +
          t +
          "  # TangentAOTInput(output=PlainAOTOutput(idx=0))\n"
          "        primals_1, tangents_1, = fx_pytree.tree_flatten_spec([primals, tangents], self._in_spec)\n"
          "        region0 = self.region0\n"
          "        # Annotation: {'call_id': 3} File: f.py:1 in f, code: return layer(x)\n"
          "        invoke_subgraph = torch.ops.higher_order.invoke_subgraph(region0, 'fw_subgraph_0', "
          "primals_1)\n"
          "        getitem" +
          t +
          " = invoke_subgraph[0]\n"
          "        region1 = self.region1\n"
          "        # Annotation: {'call_id': 3} Backward of forward node: File: f.py:1 in f, code: return "
          "layer(x)\n"
          "        invoke_subgraph_1 = torch.ops.higher_order.invoke_subgraph(region1, 'bw_subgraph_0_0', "
          "primals_1, tangents_1)\n"
          "        getitem_1" +
          t +
          " = invoke_subgraph_1[0]\n"
          "        return pytree.tree_unflatten([\n"
          "            getitem,  # PlainAOTOutput(idx=0)\n"
          "            getitem_1,  # GradAOTOutput(grad_of=PlainAOTInput(idx=0))\n"
          "        ], self._out_spec)\n"
          "\n"
          "    class region0(torch.nn.Module):\n"
          "        def forward(self, arg0_1" +
          t + "):\n" + layer +
          "            return (sums,)\n"
          "\n"
          "    class region1(torch.nn.Module):\n"
          "        def forward(self, arg0_1" +
          t + ", arg1_1" + t + "):\n" + layer + "            mul" + t +
          " = torch.ops.aten.mul.Tensor(arg1_1, sums)\n"
          "            mul_1" +
          t +
          " = torch.ops.aten.mul.Tensor(mul, first)\n"
          "            return (mul_1, sums)\n",
      {}, sink);
  EXPECT_EQ(sink.errors(), 0u);
  return module;
}

passes::Partition cutRegions(const ir::Module& module, Method method, const Names& gone = {}) {
  passes::PartitionInput input;
  input.goneNames = gone;
  input.module = &module;
  input.joint = &module.root();
  input.forwardOutputs = 1;
  input.roles = passes::deriveRoles(module.root(), 1);
  auto p = passes::partitionJoint(input, with(method));
  EXPECT_TRUE(p.ok()) << (p ? "" : p.error().text());
  return std::move(*p);
}

TEST(Partition, NestedRegionsAreCutByThemselves) {
  const auto module = regionCall("f32[4][1]cpu", "", "torch.ops.aten.exp.default(arg0_1)");
  const passes::Partition p = cutRegions(*module, Method::MinCut);
  ASSERT_TRUE(p.stitched);
  ASSERT_EQ(p.saved.size(), 2u);
  EXPECT_EQ(p.stitched->root().nodeName(p.saved[0].node), "getitem_3");
  ASSERT_EQ(p.forward.graphs.size(), 2u);
  ASSERT_EQ(p.backward.graphs.size(), 2u);
  EXPECT_EQ(p.forward.graphs[1].outputs().size(), 3u);
  EXPECT_EQ(callsOf(p.backward.graphs[1]), (Names{"aten.mul.Tensor", "aten.mul.Tensor"}));
  const passes::Partition later = cutRegions(*module, Method::MinCut, {"getitem_2"});
  EXPECT_EQ(later.stitched->root().nodeName(later.saved[0].node), "getitem_4");
}

TEST(Partition, GeneratorsOfRegionsComeThroughTheSignature) {
  const auto module = regionCall(
      "f32[4][1]cuda:0", "            # ac_graph_id: 2 - MUST_RECOMPUTE File: f.py:2 in layer, code: draw\n",
      "torch.ops.aten.bernoulli.p(arg0_1, 0.5)");
  const passes::Partition p = cutRegions(*module, Method::MinCut);
  EXPECT_EQ(p.graphsafeStates, 1u);
  const ir::Graph& f = p.forward.root();
  EXPECT_EQ(
      ir::printExpression(f, f.find("invoke_subgraph")),
      "torch.ops.higher_order.invoke_subgraph(partitioned_fw_subgraph_0_0, 'partitioned_fw_subgraph_0_0', "
      "primals_1, fwd_rng_state_0)");
  EXPECT_TRUE(p.backward.root().find("bwd_rng_state_0").valid());
}

TEST(Partition, InputsAreToldApartByDescriptor) {
  JointText t = twoCosines();
  auto& g = const_cast<ir::Graph&>(t.joint());
  g.rename(t.node("tangents_1"), "weight");
  g.rename(t.node("primals_1"), "tangents_of_nothing");
  for (Method m : {Method::Default, Method::MinCut}) {
    const passes::Partition p = cut(t, with(m));
    EXPECT_EQ(savedNames(t, p)[0], "tangents_of_nothing");
    EXPECT_EQ(p.forward.root().placeholders().size(), 1u);
  }
}

// ---- random joint graphs

/// A joint graph of random pointwise and matrix ops, some with checkpoint policies.
std::unique_ptr<JointText> randomJoint(std::mt19937& random) {
  const auto pick = [&](const Names& from) { return from[random() % from.size()]; };
  const std::string type = ": \"f32[8, 8][8, 1]cpu\" = torch.ops.aten.";
  Names forward{"primals_1", "primals_2"};
  std::string body;
  int number = 0;
  const auto call = [&](const Names& pool, const std::string& must) {
    const std::string name = "v" + std::to_string(number++);
    const std::string a = must.empty() ? pick(pool) : must, b = pick(pool);
    switch (random() % 5) {
      case 0:
        body += name + type + "mm.default(" + a + ", " + b + ")\n";
        break;
      case 1:
        body += name + type + "mul.Tensor(" + a + ", " + b + ")\n";
        break;
      case 2:
        body += name + type + "permute.default(" + a + ", [1, 0])\n";
        break;
      case 3:
        body += name + type + "cumsum.default(" + a + ", 0)\n";
        break;
      default:
        body += name + type + "sin.default(" + a + ")\n";
    }
    return name;
  };
  const int policies = random() % 3;
  for (int i = 0, n = 2 + random() % 12; i < n; ++i) {
    if (policies == 0 && random() % 2)
      body += "# ac_graph_id: 7 - " + std::string(random() % 4 ? "PREFER_RECOMPUTE" : "MUST_SAVE") +
              " File: f.py:" + std::to_string(i) + " in f, code: x\n";
    else
      body += "# File: f.py:" + std::to_string(i) + " in f, code: x\n";
    forward.push_back(call(forward, ""));
  }
  const std::string out = forward.back();
  body += "# Backward of forward node: File: f.py:1 in f, code: x\n";
  Names grads{"tangents_1"};
  for (int i = 0, n = 1 + random() % 10; i < n; ++i) {
    Names pool = forward;
    pool.insert(pool.end(), grads.begin(), grads.end());
    grads.push_back(call(pool, random() % 4 ? pick(grads) : ""));
  }
  return std::make_unique<JointText>(
      "primals_1: \"f32[8, 8][8, 1]cpu\"  # PlainAOTInput(idx=0)\n"
      "primals_2: \"f32[8, 8][8, 1]cpu\"  # PlainAOTInput(idx=1)\n"
      "tangents_1: \"f32[8, 8][8, 1]cpu\"  # TangentAOTInput(output=PlainAOTOutput(idx=0))\n",
      body,
      out + ",  # PlainAOTOutput(idx=0)\n" + grads.back() +
          ",  # GradAOTOutput(grad_of=PlainAOTInput(idx=0))\n" + pick(grads) +
          ",  # GradAOTOutput(grad_of=PlainAOTInput(idx=1))\n");
}

/// Writes every value as the expression that computes it, numbered: equal numbers are equal expressions.
class Expressions {
 public:
  using Values = std::map<std::string, int>;
  std::vector<int> outputs(const ir::Graph& g, Values values) {
    for (ir::NodeId id : g.nodes()) {
      const std::string name(g.nodeName(id));
      if (g.node(id).op != ir::OpKind::CallFunction) continue;
      std::string key(g.target(id));
      for (uint32_t i = 0; i < g.argCount(id); ++i) {
        const ir::ArgView a = g.arg(id, i);
        key += a.kind() == ir::ValueKind::NodeRef
                   ? " %" + std::to_string(values.at(std::string(g.nodeName(a.node()))))
                   : " " + ir::printValue(a);
      }
      values[name] = numbers_.emplace(key, static_cast<int>(numbers_.size())).first->second + 100;
    }
    std::vector<int> out;
    for (const ir::ArgView& v : g.outputs()) out.push_back(values.at(std::string(g.nodeName(v.node()))));
    return out;
  }

 private:
  std::map<std::string, int> numbers_;
};

TEST(Partition, BothHalvesTogetherComputeTheJointGraph) {
  std::mt19937 random(7);
  for (int round = 0; round < 1500; ++round) {
    const auto t = randomJoint(random);
    for (int variant = 0; variant < 4; ++variant) {
      PartitionOptions o = with(variant == 0 ? Method::Default : Method::MinCut);
      o.aggressive = variant == 2;
      o.memoryBudget = variant == 3 ? 0.5 : 1;
      const auto p = passes::partitionJoint(t->input, o);
      ASSERT_TRUE(p.ok()) << "round " << round << ": " << p.error().text();
      Expressions expressions;
      const std::vector<int> joint =
          expressions.outputs(t->joint(), {{"primals_1", 0}, {"primals_2", 1}, {"tangents_1", 2}});
      const std::vector<int> forward =
          expressions.outputs(p->forward.root(), {{"primals_1", 0}, {"primals_2", 1}});
      ASSERT_EQ(forward.size(), 1 + p->saved.size()) << "round " << round;
      Expressions::Values backwardInputs{{"tangents_1", 2}};
      for (size_t k = 0; k < p->saved.size(); ++k)
        backwardInputs[std::string(t->joint().nodeName(p->saved[k].node))] = forward[1 + k];
      const std::vector<int> backward = expressions.outputs(p->backward.root(), backwardInputs);
      ASSERT_EQ(forward[0], joint[0]) << "round " << round;
      ASSERT_EQ(backward, std::vector<int>(joint.begin() + 1, joint.end())) << "round " << round;
      // Nothing crosses that is not read, and policies are kept.
      for (const passes::SavedValue& s : p->saved) {
        const ir::Graph& b = p->backward.root();
        EXPECT_TRUE(b.hasUsers(b.find(t->joint().nodeName(s.node)))) << "round " << round;
      }
      for (const passes::ValueDecision& d : p->decisions)
        if (d.mustRecompute && d.savedIndex >= 0) {
          EXPECT_EQ(t->joint().node(d.node).op, ir::OpKind::Placeholder) << "round " << round;
        }
    }
  }
}

TEST(Partition, EveryDecisionHasAReason) {
  std::mt19937 random(11);
  for (int round = 0; round < 50; ++round) {
    const auto t = randomJoint(random);
    for (Method m : {Method::Default, Method::MinCut})
      for (const passes::ValueDecision& d : cut(*t, with(m)).decisions)
        EXPECT_FALSE(passes::decisionText(d).empty());
  }
}

}  // namespace

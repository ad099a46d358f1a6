// The compiled executor against the interpreter, on graphs made at random, and what a plan promises of
// memory.
#include <gtest/gtest.h>

#include <algorithm>

#include "importers/fx_text/fx_text.h"
#include "passes/aot/runnable.h"
#include "runtime/core/memory.h"
#include "runtime/plan/plan.h"
#include "tests/runtime/random_graphs.h"
#include "tests/support/random_programs.h"

namespace descry::runtime {
namespace {

using test::GraphGenerator;
using test::RandomGraph;

std::shared_ptr<ir::Module> moduleOf(const std::string& text) {
  ir::DiagnosticSink sink;
  const std::shared_ptr<ir::Module> m = importers::parseFxText(text, {}, sink);
  EXPECT_EQ(sink.errors(), 0u) << text;
  return m;
}

std::string graphText(const std::string& parameters, const std::string& body, const std::string& returned) {
  return "class GraphModule(torch.nn.Module):\n    def forward(self, " + parameters + "):\n" + body +
         "        return (" + returned + ",)\n";
}

TensorRef counted(const Dims& sizes, DType dtype = DType::F32, double start = 1) {
  const TensorRef t = allocate(sizes, dtype);
  for (int64_t i = 0; i < productOf(sizes); ++i)
    storeNumber(dtype, t->storage->data() + i * itemBytes(dtype),
                Value::real(start + static_cast<double>(i) * 0.25));
  return t;
}

/// Empty when both are the same to the last bit, else why not. Layouts count too.
std::string differs(const Value& a, const Value& b) {
  if (a.isTensor() != b.isTensor()) return "one is no tensor";
  if (!a.isTensor()) return ir::eval::sameAs(a, b) ? "" : "numbers differ";
  const TensorRef x = tensorOf(a), y = tensorOf(b);
  if (shapesOf({a}) != shapesOf({b})) return shapesOf({a}) + ", not " + shapesOf({b});
  for (size_t d = 0; d < x->meta.sizes.size(); ++d)
    if (x->meta.sizes[d].value > 1 && x->meta.strides[d].value != y->meta.strides[d].value)
      return "strides differ";
  const TensorRef p = copyOf(viewOf(*resolved(x)), x->meta.dtype),
                  q = copyOf(viewOf(*resolved(y)), y->meta.dtype);
  const size_t item = static_cast<size_t>(itemBytes(x->meta.dtype));
  for (size_t i = 0; i < p->storage->bytes(); i += item)
    if (std::memcmp(p->storage->data() + i, q->storage->data() + i, item) != 0) {
      const Value m = numberAt(x->meta.dtype, p->storage->data() + i),
                  n = numberAt(x->meta.dtype, q->storage->data() + i);
      if (m.kind() == VKind::Float && m.toReal() != m.toReal() && n.toReal() != n.toReal())
        continue;  // NaN has many forms
      return "element " + std::to_string(i / item) + ": " + m.describe() + ", not " + n.describe();
    }
  return "";
}

std::string differs(const Values& a, const Values& b) {
  if (a.size() != b.size()) return "other outputs";
  for (size_t i = 0; i < a.size(); ++i)
    if (const std::string why = differs(a[i], b[i]); !why.empty())
      return "output " + std::to_string(i) + ": " + why;
  return "";
}

Values interpreted(const ir::Module& module, const Values& inputs, uint64_t seed) {
  Machine machine;
  machine.generator.seed(seed);
  return GraphRunner(module, module.root(), machine).run(inputs);
}

/// Buffers that live at the same time lie apart, but for one that takes the place of another; and nothing
/// lies outside of the memory of the plan.
std::string memoryFault(const Plan& plan) {
  const std::vector<PlanBuffer>& all = plan.buffers();
  if (plan.insideBytes() > plan.bytesWithoutReuse()) return "more memory than without reuse";
  for (size_t a = 0; a < all.size(); ++a) {
    if (all[a].kind != PlanBuffer::Inside) continue;
    if (all[a].within) {
      const PlanBuffer& host = all[*all[a].within];
      if (host.kind != PlanBuffer::Output || host.bytes < all[a].offset + all[a].bytes)
        return "no room in a result";
      if (host.life.first <= all[a].life.last) return "a result is written over a buffer in use";
    } else if (all[a].offset + all[a].bytes > plan.insideBytes()) {
      return "a buffer lies outside";
    }
    for (size_t b = 0; b < a; ++b) {
      if (all[b].kind != PlanBuffer::Inside || all[a].within != all[b].within) continue;
      const bool overlap =
          all[a].offset < all[b].offset + all[b].bytes && all[b].offset < all[a].offset + all[a].bytes;
      if (!overlap || !all[a].life.meets(all[b].life)) continue;
      const auto follows = [&](size_t x, size_t y) {
        const auto together = [&](const RowRange& r) {
          return all[x].life.first == r.first && all[y].life.last == r.last;
        };
        return all[x].takesPlaceOf == y && all[x].offset == all[y].offset &&
               (all[y].life.last == all[x].life.first ||
                std::any_of(plan.rows().begin(), plan.rows().end(), together));
      };
      if (!follows(a, b) && !follows(b, a))
        return "b" + std::to_string(a) + " and b" + std::to_string(b) + " overlap";
    }
  }
  // What a step reads was written before, and nothing has been put over it.
  std::vector<bool> there(all.size(), false);
  for (size_t i = 0; i < plan.steps().size(); ++i) {
    for (const size_t b : plan.steps()[i].reads)
      if (all[b].kind == PlanBuffer::Register)
        return "a step reads a value that never reaches memory";
      else if ((all[b].kind == PlanBuffer::Inside || all[b].kind == PlanBuffer::Output) && !there[b])
        return "step " + std::to_string(i) + " reads b" + std::to_string(b) + " before it is written";
      else if (all[b].kind == PlanBuffer::Inside && (i < all[b].life.first || i > all[b].life.last))
        return "step " + std::to_string(i) + " reads b" + std::to_string(b) + " out of its life";
    for (const size_t b : plan.steps()[i].writes) there[b] = true;
  }
  return "";
}

TEST(MemoryPlan, PlacesIntoGapsAndNeverOverlaps) {
  const std::vector<Lifetime> lives = {{100, 0, 1}, {1000, 1, 5}, {64, 2, 3},
                                       {128, 2, 6}, {0, 0, 9},    {500, 6, 8}};
  const MemoryPlan plan = planMemory(lives);
  // 1000 (1024) with 100 (128) at step 1; 64 and 128 beside it; 500 where 1000 was.
  EXPECT_EQ(plan.bytes, 1024u + 128u + 64u);
  for (size_t a = 0; a < lives.size(); ++a) {
    EXPECT_EQ(plan.offsets[a] % MemoryPlan::kAlignment, 0u);
    for (size_t b = 0; b < a; ++b)
      if (lives[a].bytes && lives[b].bytes && lives[a].meets(lives[b])) {
        EXPECT_TRUE(plan.offsets[a] + lives[a].bytes <= plan.offsets[b] ||
                    plan.offsets[b] + lives[b].bytes <= plan.offsets[a])
            << a << " and " << b;
      }
  }
}

TEST(MemoryPlan, PlacesVeryManyWithoutOverlap) {
  std::vector<Lifetime> lives;
  size_t sum = 0;
  for (size_t i = 0; i < 20000; ++i) {
    lives.push_back({64 * (1 + i % 7), i, i + i % 5});
    sum += lives.back().bytes;
  }
  const MemoryPlan plan = planMemory(lives);
  EXPECT_LT(plan.bytes, 64u * 7 * 12);
  EXPECT_GT(sum, plan.bytes * 1000);
  for (size_t a = 0; a < lives.size(); ++a)
    for (size_t b = a > 8 ? a - 8 : 0; b < a; ++b) {
      if (!lives[a].meets(lives[b])) continue;
      ASSERT_TRUE(plan.offsets[a] + lives[a].bytes <= plan.offsets[b] ||
                  plan.offsets[b] + lives[b].bytes <= plan.offsets[a])
          << a << " and " << b;
    }
}

TEST(Plan, AgreesWithTheInterpreterOnRandomGraphs) {
  const auto from =
      static_cast<uint64_t>(std::getenv("DESCRY_SEED") ? std::atoll(std::getenv("DESCRY_SEED")) : 0);
  const uint64_t graphs = std::getenv("DESCRY_SEED") ? 1 : 2000;
  size_t loops = 0, fused = 0, inPlace = 0, fallbacks = 0, reused = 0, together = 0, blocks = 0,
         rowsInPlace = 0, within = 0;
  for (uint64_t seed = from; seed < from + graphs; ++seed) {
    GraphGenerator generator(seed);
    const RandomGraph made = generator.next();
    const auto module = moduleOf(made.text);
    const Values want = interpreted(*module, made.inputs, seed);
    Machine machine;
    machine.generator.seed(seed);
    PlanOptions options;
    options.fusion.fuse = seed % 8 != 0;
    options.reuseMemory = seed % 16 != 3;
    // Small tensors in small pieces.
    if (seed % 2) options.rows = {true, 1, 512, 64};
    Plan plan(*module, module->root(), machine, {}, made.inputs, options);
    const std::string about = "seed " + std::to_string(seed) + "\n" + made.text + plan.text();
    ASSERT_EQ(plan.whole(), "") << about;
    ASSERT_EQ(memoryFault(plan), "") << about;
    const Values first = plan.run(made.inputs);
    ASSERT_EQ(differs(first, want), "") << about;
    // Other contents, then the first ones again: nothing is left over from a run, and results are not written
    // over.
    const Values inputs = generator.otherInputs(made.inputs);
    machine.generator.seed(seed + 1);
    Values second;
    std::string failed, wanted;
    try {
      second = plan.run(inputs);
    } catch (const RunFailure& e) {
      failed = e.code + " at " + e.nodeName;
    }
    Values other;
    try {
      other = interpreted(*module, inputs, seed + 1);
    } catch (const RunFailure& e) {
      wanted = e.code + " at " + e.nodeName;
    }
    ASSERT_EQ(failed, wanted) << about;
    ASSERT_EQ(differs(second, other), "") << "second run, " << about;
    machine.generator.seed(seed);
    ASSERT_EQ(differs(plan.run(made.inputs), want), "") << "third run, " << about;
    ASSERT_EQ(differs(first, want), "") << "written over, " << about;
    for (const PlanStep& s : plan.steps()) {
      loops += s.kind == PlanStep::Loop;
      fused += s.kind == PlanStep::Loop && s.group.ops.size() > 1;
    }
    for (const PlanBuffer& b : plan.buffers()) {
      inPlace += b.takesPlaceOf.has_value();
      within += b.within.has_value();
      for (const RowRange& r : plan.rows()) rowsInPlace += b.takesPlaceOf && b.life.first == r.first;
    }
    fallbacks += plan.fallbacks();
    reused += plan.insideBytes() < plan.bytesWithoutReuse();
    for (const RowRange& r : plan.rows()) ++together, blocks += r.blocks > 1;
  }
  if (graphs == 1) return;
  // The graphs have what this is about.
  EXPECT_GT(loops, 3000u);
  EXPECT_GT(fused, 1000u);
  EXPECT_GT(inPlace, 100u);
  EXPECT_GT(fallbacks, 10u);
  EXPECT_GT(reused, 500u);
  EXPECT_GT(together, 200u);
  EXPECT_GT(blocks, 50u);
  EXPECT_GT(rowsInPlace, 5u);
  EXPECT_GT(within, 100u);
}

/// Memory of the inputs of a program, and the inputs on it.
Values inputsOf(const test::Program& p, std::vector<TensorRef>& memories,
                std::vector<passes::RunnableInput>& kinds) {
  Values out;
  for (const test::ProgramStorage& s : p.storages) {
    const TensorRef t = allocate({static_cast<int64_t>(s.values.size())}, DType::F64);
    for (size_t i = 0; i < s.values.size(); ++i)
      reinterpret_cast<double*>(t->storage->data())[i] = s.values[i];
    memories.push_back(t);
  }
  for (const test::ProgramInput& in : p.inputs) {
    Meta m;
    m.dtype = DType::F64;
    for (const int64_t n : in.sizes) m.sizes.emplace_back(n);
    for (const int64_t n : in.strides) m.strides.emplace_back(n);
    m.offset = in.offset;
    passes::RunnableInput kind;
    kind.meta = m;
    kind.storage = in.storage;
    kind.storageElements = static_cast<int64_t>(p.storages[in.storage].values.size());
    kinds.push_back(kind);
    out.emplace_back(viewInto(*memories[in.storage], m));
  }
  return out;
}

/// What a runnable graph computes: outputs, then the memories of the inputs as they are in the end.
Values outcome(const test::Program& p, const ir::Module& captured, bool functional, std::string& text) {
  std::vector<TensorRef> memories;
  std::vector<passes::RunnableInput> kinds;
  const Values given = inputsOf(p, memories, kinds);
  passes::RunnableOptions options;
  options.functional = functional;
  const auto made = passes::makeRunnable(captured, captured.root(), kinds, {}, options);
  if (!made) throw EvalError(made.error().code, made.error().message);
  Values inputs;
  for (const passes::RunnableSlot& s : made->inputs)
    inputs.push_back(s.kind == passes::RunnableSlot::Input ? given.at(s.index) : Value(memories.at(s.index)));
  Machine machine;
  Values results;
  if (functional) {
    Plan plan(*made->module, made->module->root(), machine, {}, inputs);
    text = plan.text();
    if (const std::string fault = memoryFault(plan); !fault.empty()) throw EvalError("memory", fault);
    results = plan.run(inputs);
  } else {
    results = GraphRunner(*made->module, made->module->root(), machine).run(inputs);
  }
  Values outputs;
  for (size_t j = 0; j < results.size(); ++j) {
    const passes::RunnableSlot& s = made->results[j];
    if (s.kind == passes::RunnableSlot::Output)
      outputs.push_back(results[j].isTensor() ? Value(copyOf(viewOf(*tensorOf(results[j])), DType::F64))
                                              : results[j]);
  }
  for (size_t j = 0; j < results.size(); ++j) {
    const passes::RunnableSlot& s = made->results[j];
    if (s.kind == passes::RunnableSlot::Contents)
      copyElements(viewOf(*viewInto(*memories.at(kinds.at(s.index).storage), *s.meta)),
                   viewOf(*tensorOf(results[j])));
    else if (s.kind == passes::RunnableSlot::StorageContents)
      copyElements(viewOf(*memories.at(s.index)), viewOf(*tensorOf(results[j])));
  }
  for (const TensorRef& t : memories) outputs.emplace_back(t);
  return outputs;
}

TEST(Plan, AgreesWithTheInterpreterWhereProgramsWrite) {
  test::ProgramGenerator generator(5);
  size_t compared = 0, refused = 0;
  for (int k = 0; k < 500; ++k) {
    const test::Program p = generator.next();
    const auto captured = moduleOf(p.text());
    std::string text, refusal, wanted;
    Values got, want;
    try {
      want = outcome(p, *captured, false, text);
    } catch (const EvalError& e) {
      wanted = e.code;
    }
    try {
      got = outcome(p, *captured, true, text);
    } catch (const EvalError& e) {
      refusal = e.code + ": " + e.what();
    }
    if (!wanted.empty() || !refusal.empty()) {
      ASSERT_FALSE(wanted.empty()) << refusal << "\n" << p.text();
      ++refused;
      continue;
    }
    ASSERT_EQ(differs(got, want), "") << "program " << k << "\n" << p.text() << text;
    ++compared;
  }
  EXPECT_GT(compared, 450u) << refused;
}

TEST(Plan, FusesAChainIntoOneLoopWithoutMemoryOfItsOwn) {
  std::string body;
  for (int i = 0; i < 50; ++i)
    body += "        v" + std::to_string(i) + ": \"f32[8, 8]\" = torch.ops.aten." +
            (i % 2 ? "mul.Tensor(v" + std::to_string(i - 1) + ", 0.9)"
             : i   ? "sin.default(v" + std::to_string(i - 1) + ")"
                   : std::string("sin.default(x)")) +
            "\n";
  const auto module = moduleOf(graphText("x: \"f32[8, 8]\"", body, "v49"));
  Machine machine;
  const Values inputs = {Value(counted({8, 8}))};
  Plan plan(*module, module->root(), machine, {}, inputs);
  ASSERT_EQ(plan.steps().size(), 1u) << plan.text();
  EXPECT_EQ(plan.steps()[0].nodes.size(), 50u);
  EXPECT_EQ(plan.steps()[0].group.ends, "the graph ends");
  EXPECT_EQ(plan.insideBytes(), 0u);
  EXPECT_EQ(plan.outputBytes(), 256u);
  EXPECT_EQ(differs(plan.run(inputs), interpreted(*module, inputs, 0)), "");
  // After the first run a plan takes no memory: results are given back and used again.
  const uint64_t before = memoryCounts().allocations;
  for (int i = 0; i < 10; ++i) plan.run(inputs);
  EXPECT_EQ(memoryCounts().allocations, before);
}

/// Layer norm and attention weights, taken apart.
std::string normAndWeights() {
  const std::string full = "\"f32[6, 10, 96]\"", one = "\"f32[6, 10, 1]\"";
  return "        add: " + full + " = torch.ops.aten.add.Tensor(x, y)\n" + "        mean: " + one +
         " = torch.ops.aten.mean.dim(add, [2], True)\n" + "        sub: " + full +
         " = torch.ops.aten.sub.Tensor(add, mean)\n" + "        square: " + full +
         " = torch.ops.aten.mul.Tensor(sub, sub)\n" + "        var: " + one +
         " = torch.ops.aten.mean.dim(square, [2], True)\n" + "        eps: " + one +
         " = torch.ops.aten.add.Tensor(var, 1e-05)\n" + "        rsqrt: " + one +
         " = torch.ops.aten.rsqrt.default(eps)\n" + "        scaled: " + full +
         " = torch.ops.aten.mul.Tensor(sub, rsqrt)\n" + "        out: " + full +
         " = torch.ops.aten.mul.Tensor(scaled, w)\n" + "        soft: " + full +
         " = torch.ops.aten._softmax.default(out, -1, False)\n" + "        relu: " + full +
         " = torch.ops.aten.relu.default(soft)\n" +
         "        norm = torch.ops.aten.native_layer_norm.default(relu, [96], w, None, 1e-05)\n" +
         "        getitem: " + full + " = norm[0]\n" + "        getitem_1: " + one + " = norm[1]\n";
}

TEST(Plan, RunsStepsThatMixNoRowsSomeRowsAtATime) {
  const auto module = moduleOf(graphText("x: \"f32[6, 10, 96]\", y: \"f32[6, 10, 96]\", w: \"f32[96]\"",
                                         normAndWeights(), "getitem, getitem_1, add"));
  const Values inputs = {Value(counted({6, 10, 96})), Value(counted({6, 10, 96}, DType::F32, -3)),
                         Value(counted({96}, DType::F32, 0.5))};
  const Values want = interpreted(*module, inputs, 0);
  size_t smallest = 1 << 20;
  for (const int64_t bytes : {1, 2000, 20000, 100000, 10000000}) {
    Machine machine;
    PlanOptions options;
    options.rows = {true, 1, bytes, 64};
    Plan plan(*module, module->root(), machine, {}, inputs, options);
    ASSERT_EQ(plan.rows().size(), 1u) << plan.text();
    const RowRange& r = plan.rows()[0];
    EXPECT_EQ(r.first, 0u);
    EXPECT_EQ(r.last + 1, plan.steps().size()) << plan.text();
    EXPECT_EQ(r.rows, (Dims{6, 10}));
    smallest = std::min(smallest, static_cast<size_t>(r.blocks));
    // Nothing but results has memory as a whole.
    EXPECT_EQ(plan.insideBytes(), 0u) << plan.text();
    EXPECT_EQ(differs(plan.run(inputs), want), "") << bytes << "\n" << plan.text();
    EXPECT_EQ(differs(plan.run(inputs), want), "") << bytes;
    double all = 0;
    size_t told = 0;
    plan.onStep = [&](size_t, double seconds) {
      all += seconds;
      ++told;
    };
    EXPECT_EQ(differs(plan.run(inputs), want), "");
    EXPECT_EQ(told, plan.steps().size());
    EXPECT_GT(all, 0);
  }
  EXPECT_EQ(smallest, 60u);  // no more than a thirty-second of the rows at a time
  PlanOptions apart;
  apart.rows.join = false;
  Machine machine;
  Plan plan(*module, module->root(), machine, {}, inputs, apart);
  EXPECT_TRUE(plan.rows().empty());
  EXPECT_GT(plan.insideBytes(), 0u);
  EXPECT_EQ(differs(plan.run(inputs), want), "");
}

TEST(Plan, KeepsApartWhatMixesRows) {
  // The sum goes over rows, and the second softmax reads the first one turned.
  const auto module =
      moduleOf(graphText("x: \"f32[64, 64]\"",
                         "        exp: \"f32[64, 64]\" = torch.ops.aten.exp.default(x)\n"
                         "        a: \"f32[64, 64]\" = torch.ops.aten._softmax.default(exp, 1, False)\n"
                         "        s: \"f32[64]\" = torch.ops.aten.sum.dim_IntList(a, [0])\n"
                         "        t: \"f32[64, 64]\" = torch.ops.aten.t.default(a)\n"
                         "        neg: \"f32[64, 64]\" = torch.ops.aten.neg.default(t)\n"
                         "        b: \"f32[64, 64]\" = torch.ops.aten._softmax.default(neg, 1, False)\n"
                         "        sub: \"f32[64, 64]\" = torch.ops.aten.sub.Tensor(b, s)\n",
                         "sub"));
  Machine machine;
  const Values inputs = {Value(counted({64, 64}, DType::F32, -4))};
  PlanOptions options;
  options.rows = {true, 1, 1000, 64};
  Plan plan(*module, module->root(), machine, {}, inputs, options);
  ASSERT_EQ(plan.rows().size(), 1u) << plan.text();
  EXPECT_EQ(plan.rows()[0].first, 0u);
  EXPECT_EQ(plan.rows()[0].last, 1u) << plan.text();
  EXPECT_EQ(differs(plan.run(inputs), interpreted(*module, inputs, 0)), "") << plan.text();
}

TEST(Plan, SaysWhyALoopEnds) {
  const auto module =
      moduleOf(graphText("x: \"f32[4, 6]\", y: \"f32[6, 6]\"",
                         "        relu: \"f32[4, 6]\" = torch.ops.aten.relu.default(x)\n"
                         "        mm: \"f32[4, 6]\" = torch.ops.aten.mm.default(relu, y)\n"
                         "        exp: \"f32[4, 6]\" = torch.ops.aten.exp.default(mm)\n"
                         "        t: \"f32[6, 4]\" = torch.ops.aten.t.default(exp)\n"
                         "        neg: \"f32[6, 4]\" = torch.ops.aten.neg.default(t)\n"
                         "        sum_1: \"f32[6]\" = torch.ops.aten.sum.dim_IntList(neg, [1])\n"
                         "        add: \"f32[6, 6]\" = torch.ops.aten.add.Tensor(y, sum_1)\n",
                         "add"));
  Machine machine;
  const Values inputs = {Value(counted({4, 6})), Value(counted({6, 6}))};
  Plan plan(*module, module->root(), machine, {}, inputs);
  std::vector<std::string> ends;
  for (const PlanStep& s : plan.steps())
    if (s.kind == PlanStep::Loop) ends.push_back(s.group.ends);
  EXPECT_EQ(ends, (std::vector<std::string>{"aten.mm.default `mm` reads it",
                                            "aten.neg.default `neg` is of other sizes",
                                            "aten.sum.dim_IntList `sum_1` reads it", "the graph ends"}))
      << plan.text();
  EXPECT_EQ(differs(plan.run(inputs), interpreted(*module, inputs, 0)), "");
}

TEST(Plan, WritesInputsAtTheEndAndRunsOtherWritesNodeByNode) {
  const std::string parameters = "x: \"f32[3]\", y: \"f32[3]\"";
  const std::string sum = "        add: \"f32[3]\" = torch.ops.aten.add.Tensor(x, y)\n";
  const auto atEnd = moduleOf(graphText(
      parameters, sum + "        copy_: \"f32[3]\" = torch.ops.aten.copy_.default(x, add)\n", "add"));
  Machine machine;
  Values inputs = {Value(counted({3})), Value(counted({3}))};
  Plan plan(*atEnd, atEnd->root(), machine, {}, inputs);
  EXPECT_EQ(plan.whole(), "");
  plan.run(inputs);
  EXPECT_EQ(differs(inputs[0], Value(counted({3}, DType::F32, 2))), "element 1: 2.5, not 2.25");
  const auto within = moduleOf(
      graphText(parameters, "        add_: \"f32[3]\" = torch.ops.aten.add_.Tensor(x, y)\n" + sum, "add"));
  inputs = {Value(counted({3})), Value(counted({3}))};
  Plan whole(*within, within->root(), machine, {}, inputs);
  EXPECT_EQ(whole.whole(), "`add_` writes");
  EXPECT_EQ(whole.text(), "node by node: `add_` writes\n");
  const Values got = whole.run(inputs);
  inputs = {Value(counted({3})), Value(counted({3}))};
  EXPECT_EQ(differs(got, interpreted(*within, inputs, 0)), "");
}

TEST(Plan, RunsWhatIsKnownOnlyThenInItsPlace) {
  const auto module =
      moduleOf(graphText("x: \"f32[6]\"",
                         "        gt: \"b8[6]\" = torch.ops.aten.gt.Scalar(x, 1.4)\n"
                         "        nonzero: \"i64[u0, 1]\" = torch.ops.aten.nonzero.default(gt)\n"
                         "        mul: \"i64[u0, 1]\" = torch.ops.aten.mul.Tensor(nonzero, 3)\n"
                         "        exp: \"f32[6]\" = torch.ops.aten.exp.default(x)\n",
                         "mul, exp"));
  Machine machine;
  const Values inputs = {Value(counted({6}))};
  Plan plan(*module, module->root(), machine, {}, inputs);
  EXPECT_EQ(plan.fallbacks(), 2u) << plan.text();
  EXPECT_EQ(differs(plan.run(inputs), interpreted(*module, inputs, 0)), "");
  const Values other = {Value(counted({6}, DType::F32, 0.5))};
  EXPECT_EQ(differs(plan.run(other), interpreted(*module, other, 0)), "");
}

TEST(Plan, NamesTheNodeThatFails) {
  const auto module =
      moduleOf(graphText("x: \"i64[3]\", y: \"i64[3]\"",
                         "        add: \"i64[3]\" = torch.ops.aten.add.Tensor(x, 1)\n"
                         "        quotient: \"i64[3]\" = torch.ops.aten.floor_divide.default(add, y)\n"
                         "        neg: \"i64[3]\" = torch.ops.aten.neg.default(quotient)\n",
                         "neg"));
  Machine machine;
  const Values inputs = {Value(counted({3}, DType::I64)), Value(allocateZeros({3}, DType::I64))};
  Plan plan(*module, module->root(), machine, {}, inputs);
  try {
    plan.run(inputs);
    FAIL() << "divides by zero";
  } catch (const RunFailure& e) {
    EXPECT_EQ(e.code, "zero-division");
    EXPECT_EQ(e.nodeName, "quotient");
    EXPECT_EQ(e.arguments, "i64[3], i64[3]");
  }
  // Inputs of another layout are refused, and the plan runs on.
  try {
    plan.run({Value(counted({4}, DType::I64)), inputs[1]});
    FAIL() << "takes another layout";
  } catch (const EvalError& e) {
    EXPECT_EQ(e.code, "input-mismatch");
    EXPECT_EQ(std::string(e.what()),
              "the plan is for `x` as i64[3], not i64[4], in sizes, strides, or value");
  }
  const Values fine = {inputs[0], Value(counted({3}, DType::I64))};
  EXPECT_EQ(differs(plan.run(fine), interpreted(*module, fine, 0)), "");
}

TEST(Plan, KeepsToTheMemoryCap) {
  const auto module = moduleOf(graphText("x: \"f32[1000, 1000]\"",
                                         "        mm: \"f32[1000, 1000]\" = torch.ops.aten.mm.default(x, x)\n"
                                         "        sum_1: \"f32[]\" = torch.ops.aten.sum.default(mm)\n",
                                         "sum_1"));
  Machine machine;
  const Values inputs = {Value(allocateZeros({1000, 1000}, DType::F32))};
  Plan plan(*module, module->root(), machine, {}, inputs);
  EXPECT_EQ(plan.insideBytes(), 4000000u);
  setMemoryCap(6000000);
  std::string code;
  try {
    plan.run(inputs);
  } catch (const EvalError& e) {
    code = e.code;
  }
  setMemoryCap(0);
  EXPECT_EQ(code, "out-of-memory");
  EXPECT_EQ(numberAt(DType::F32, tensorOf(plan.run(inputs)[0])->storage->data()).toReal(), 0);
}

}  // namespace
}  // namespace descry::runtime

// Loops that run on blocks of products, against the interpreter.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "importers/fx_text/fx_text.h"
#include "runtime/core/threads.h"
#include "runtime/library/library.h"
#include "runtime/plan/plan.h"

namespace descry::runtime {
namespace {

struct Case {
  const char* name;
  const char* parameters;
  const char* body;
  const char* returned;
  std::vector<Dims> inputs;
  int joined;  ///< loops that run within a product
};

const Case kCases[] = {
    {"activation",
     "x, w",
     "y = torch.ops.aten.mm.default(x, w);  z = torch.ops.aten.relu.default(y)",
     "z",
     {{130, 70}, {70, 210}},
     1},
    {"bias_gelu_residual",
     "b, x, w, r",
     "y = torch.ops.aten.addmm.default(b, x, w);  g = torch.ops.aten.gelu.default(y);  "
     "z = torch.ops.aten.add.Tensor(g, r)",
     "z",
     {{300}, {200, 64}, {64, 300}, {200, 300}},
     1},
    {"view_between",
     "b, x, w",
     "y = torch.ops.aten.addmm.default(b, x, w);  v = torch.ops.aten.view.default(y, [4, 50, 300]);  "
     "z = torch.ops.aten.sigmoid.default(v)",
     "z",
     {{300}, {200, 64}, {64, 300}},
     1},
    {"also_returned",
     "x, w",
     "y = torch.ops.aten.mm.default(x, w);  z = torch.ops.aten.relu.default(y)",
     "y, z",
     {{130, 70}, {70, 210}},
     1},
    {"batches_and_mask",
     "x, w, m",
     "y = torch.ops.aten.bmm.default(x, w);  d = torch.ops.aten.mul.Tensor(y, 0.25);  "
     "z = torch.ops.aten.add.Tensor(d, m)",
     "z",
     {{6, 40, 16}, {6, 16, 90}, {40, 90}},
     1},
    {"its_own_factor_added",
     "a",
     "x = torch.ops.aten.mul.Tensor(a, 2.0);  y = torch.ops.aten.mm.default(x, x);  "
     "z = torch.ops.aten.add.Tensor(y, x);  u = torch.ops.aten.mm.default(z, z);  "
     "v = torch.ops.aten.tanh.default(u)",
     "v",
     {{96, 96}},
     2},
    {"read_later_too",
     "x, w",
     "y = torch.ops.aten.mm.default(x, w);  s = torch.ops.aten.sum.dim_IntList(y, [0]);  "
     "z = torch.ops.aten.relu.default(y);  t = torch.ops.aten.mm.default(z, w);  "
     "q = torch.ops.aten.add.Tensor(t, s)",
     "q",
     {{80, 80}, {80, 80}},
     2},
    {"transposed_reading",
     "x, w",
     "y = torch.ops.aten.mm.default(x, w);  t = torch.ops.aten.permute.default(y, [1, 0]);  "
     "z = torch.ops.aten.add.Tensor(t, y)",
     "z",
     {{90, 90}, {90, 90}},
     0},
    {"of_two_products",
     "x, w",
     "y = torch.ops.aten.mm.default(x, w);  u = torch.ops.aten.mm.default(w, x);  "
     "z = torch.ops.aten.mul.Tensor(y, u)",
     "z",
     {{90, 90}, {90, 90}},
     1},
    {"needs_what_comes_later",
     "x, w",
     "y = torch.ops.aten.mm.default(x, w);  u = torch.ops.aten.cumsum.default(x, 0);  "
     "z = torch.ops.aten.mul.Tensor(y, u)",
     "z",
     {{90, 90}, {90, 90}},
     0},
};

TensorRef numbers(const Dims& sizes, uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> in(-1, 1);
  const TensorRef t = allocate(sizes, DType::F32);
  auto* at = reinterpret_cast<float*>(t->storage->data());
  for (int64_t i = 0; i < productOf(sizes); ++i) at[i] = in(random);
  return t;
}

class Epilogues : public testing::TestWithParam<std::tuple<const char*, int>> {};

TEST_P(Epilogues, GiveWhatTheStepsGive) {
  ASSERT_TRUE(library::choose(std::get<0>(GetParam())));
  const int before = threadCount();
  setThreadCount(std::get<1>(GetParam()));
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.name);
    std::string body(c.body);
    for (size_t at; (at = body.find(";  ")) != std::string::npos;) body.replace(at, 3, "\n        ");
    ir::DiagnosticSink sink;
    const auto module = importers::parseFxText("class GraphModule(torch.nn.Module):\n    def forward(self, " +
                                                   std::string(c.parameters) + "):\n        " + body +
                                                   "\n        return (" + c.returned + ",)\n",
                                               {}, sink);
    ASSERT_EQ(sink.errors(), 0u);
    Values inputs;
    for (size_t i = 0; i < c.inputs.size(); ++i)
      inputs.emplace_back(numbers(c.inputs[i], static_cast<uint32_t>(i)));
    Machine machine;
    Plan plan(*module, module->root(), machine, {}, inputs);
    int joined = 0;
    const std::string text = plan.text();
    for (size_t at = text.find("within: step"); at != std::string::npos;
         at = text.find("within: step", at + 1))
      ++joined;
    EXPECT_EQ(joined, c.joined) << text;
    GraphRunner runner(*module, module->root(), machine);
    const Values want = runner.run(inputs);
    for (int run = 0; run < 3; ++run) {
      const Values have = plan.run(inputs);
      ASSERT_EQ(have.size(), want.size());
      for (size_t k = 0; k < want.size(); ++k) {
        const View a = viewOf(*contiguousOf(tensorOf(have[k]))), b = viewOf(*contiguousOf(tensorOf(want[k])));
        ASSERT_TRUE(a.sizes == b.sizes);
        for (int64_t i = 0; i < a.numel(); ++i)
          ASSERT_NEAR(a.as<float>()[i], b.as<float>()[i], 1e-3 * std::max(1.0f, std::abs(b.as<float>()[i])))
              << "output " << k << ", element " << i << "\n"
              << text;
      }
    }
  }
  setThreadCount(before);
  library::choose("auto");
}

INSTANTIATE_TEST_SUITE_P(, Epilogues,
                         testing::Combine(testing::Values("none", "auto"), testing::Values(1, 2, 3)),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param)) +
                                  std::to_string(std::get<1>(info.param));
                         });

}  // namespace
}  // namespace descry::runtime

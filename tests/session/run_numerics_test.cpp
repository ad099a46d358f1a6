// Values of runs: kept, compared, held against a reference, searched.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numeric>

#include "session/run_bisect.h"
#include "session/run_compare.h"
#include "session/run_profile.h"
#include "session/run_reference.h"
#include "session/run_setup.h"
#include "session/value_view.h"

namespace descry::session {
namespace {

using runtime::DType;
using runtime::TensorRef;
using runtime::Verdict;

TensorRef floats(std::initializer_list<float> values, const runtime::Dims& sizes) {
  const TensorRef t = runtime::allocate(sizes, DType::F32);
  std::copy(values.begin(), values.end(), reinterpret_cast<float*>(t->storage->data()));
  return t;
}
TensorRef floats(std::initializer_list<float> values) {
  return floats(values, runtime::Dims{static_cast<int64_t>(values.size())});
}

class Numerics : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("descry_numerics_" + std::to_string(::testing::UnitTest::GetInstance()->random_seed()) + "_" +
               ::testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  struct Opened {
    std::shared_ptr<Document> document;
    LoadedGraphPtr graph;
  };
  Opened open(const std::string& signature, const std::vector<std::string>& lines,
              const std::string& result) {
    const std::string path = (folder_ / ("g" + std::to_string(++files_) + ".txt")).string();
    std::ofstream out(path);
    out << "class GraphModule(torch.nn.Module):\n    def forward(self, " << signature << "):\n";
    for (const std::string& l : lines) out << "        " << l << "\n";
    out << "        return (" << result << ",)\n";
    out.close();
    Opened o;
    o.document = *Document::open(path);
    o.graph = *o.document->graph("");
    return o;
  }

  std::filesystem::path folder_;
  int files_ = 0;
};

const std::vector<std::string> kChain = {"mul: \"f32[4]\" = torch.ops.aten.mul.Tensor(x, 3)",
                                         "sin: \"f32[4]\" = torch.ops.aten.sin.default(mul)",
                                         "add: \"f32[4]\" = torch.ops.aten.add.Tensor(sin, x)"};

TEST_F(Numerics, TolerancesAreReadAndWritten) {
  for (const char* text : {"0.0001", "f32=0.0001:1e-06,bf16=0.02", "length=off", "0.01,f16=0.1,length=on"}) {
    const auto t = readTolerances(text);
    ASSERT_TRUE(t) << text;
    const auto again = readTolerances(tolerancesText(*t));
    ASSERT_TRUE(again);
    EXPECT_EQ(tolerancesText(*again), tolerancesText(*t)) << text;
    EXPECT_EQ(again->of(DType::BF16, 100).relative, t->of(DType::BF16, 100).relative);
  }
  const Tolerances asked = *readTolerances("f32=1e-3:1e-6");
  EXPECT_EQ(asked.of(DType::F32, 100).relative, 1e-3);
  EXPECT_EQ(asked.of(DType::F32, 100).absolute, 1e-6);
  // What was not asked for is by dtype and grows with the root of the length.
  EXPECT_DOUBLE_EQ(Tolerances{}.of(DType::F32, 100).relative,
                   10 * runtime::toleranceFor(DType::F32).relative);
  EXPECT_EQ(Tolerances{}.of(DType::I64, 100).absolute, 0);
  for (const char* text : {"x", "f32", "f32=", "f32=-1", "f33=1", "1e-3x", "length=maybe", "f32=1:2:3"})
    EXPECT_FALSE(readTolerances(text)) << text;
}

TEST_F(Numerics, ValuesGoThroughAFile) {
  const Opened o = open("x: \"f32[4]\"", kChain, "add");
  RunRequest request;
  request.keepValues = request.statistics = request.hashes = true;
  const RunPtr run = *runGraph(*o.document, o.graph, request);
  const RunValues values = valuesOf(*run);
  ASSERT_EQ(values.values.size(), 4u);
  const std::string path = (folder_ / "v.safetensors").string();
  std::ofstream(path, std::ios::binary) << valueFileBytes(values);
  const auto read = readRunValues(path);
  ASSERT_TRUE(read);
  ASSERT_EQ(read->values.size(), 4u);
  for (size_t i = 0; i < 4; ++i) {
    const KeptTensor &a = values.values[i], &b = read->values[i];
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.op, b.op);
    EXPECT_EQ(a.hash, b.hash);
    EXPECT_EQ(a.statistics->mean, b.statistics->mean);
    EXPECT_EQ(runtime::contentHash(*a.tensor), runtime::contentHash(*b.tensor));
    EXPECT_TRUE(b.node.valid());
  }
  EXPECT_TRUE(compareRuns(*read, values).agree());
}

TEST_F(Numerics, HashesTellDtypeSizesAndContents) {
  const TensorRef a = floats({1, 2, 3, 4}), same = floats({1, 2, 3, 4}), other = floats({1, 2, 3, 5}),
                  square = floats({1, 2, 3, 4}, {2, 2});
  EXPECT_EQ(runtime::contentHash(*a), runtime::contentHash(*same));
  EXPECT_NE(runtime::contentHash(*a), runtime::contentHash(*other));
  EXPECT_NE(runtime::contentHash(*a), runtime::contentHash(*square));
  const TensorRef bits = runtime::viewInto(*a, [&] {
    runtime::Meta m = a->meta;
    m.dtype = DType::I32;
    return m;
  }());
  EXPECT_NE(runtime::contentHash(*a), runtime::contentHash(*bits));
}

TEST_F(Numerics, UlpsOfTheNarrowDtypeBesideAWideReference) {
  EXPECT_EQ(runtime::spacingAt(DType::F32, 1.0), 0x1p-23);
  EXPECT_EQ(runtime::spacingAt(DType::BF16, 1.0), 0x1p-7);
  EXPECT_EQ(runtime::spacingAt(DType::F16, 0.0), 0x1p-24);
  EXPECT_EQ(runtime::spacingAt(DType::F16, 1e-8), 0x1p-24);
  EXPECT_EQ(runtime::spacingAt(DType::F64, 1e300), std::nextafter(1e300, 2e300) - 1e300);
  EXPECT_EQ(runtime::spacingAt(DType::F32, -3.0), 0x1p-22);
  const TensorRef a = floats({1, 2}), reference = runtime::allocate({2}, DType::F64);
  auto* y = reinterpret_cast<double*>(reference->storage->data());
  y[0] = 1 + 0x1p-24;  // half an ULP of float32
  y[1] = 2 - 0x1p-21;  // below 2 an ULP is half as large: four of them
  const runtime::Comparison c = runtime::compareWithReference(*a, *reference, {1e-3, 0});
  EXPECT_EQ(c.verdict, Verdict::Within);
  EXPECT_EQ(c.maxUlp, 4);
}

TEST_F(Numerics, AWrongKernelIsAFaultAndWhatReadsItIsNot) {
  const Opened o = open("x: \"f32[4]\"", kChain, "add");
  RunRequest request;
  request.keepValues = true;
  const std::shared_ptr<RunSetup> setup = *RunSetup::make(*o.document, o.graph, request);
  const RunPtr run = *runSetup(setup, request);
  const ReferenceRun fine = referenceOf(*setup, run, request);
  EXPECT_EQ(fine.count(ErrorKind::Fault), 0u);
  EXPECT_EQ(fine.nodes.size(), 3u);
  // The second node gives something else than the sine of what it read; the third adds it up rightly.
  auto wrong = std::make_shared<session::Run>(*run);
  const TensorRef bad = runtime::copyOf(runtime::viewOf(*wrong->nodes[1].tensors[0].tensor), DType::F32);
  reinterpret_cast<float*>(bad->storage->data())[2] += 0.01f;
  wrong->nodes[1].tensors[0].tensor = bad;
  wrong->nodes[1].value = runtime::Value(bad);
  const TensorRef sum = runtime::copyOf(runtime::viewOf(*wrong->nodes[2].tensors[0].tensor), DType::F32);
  reinterpret_cast<float*>(sum->storage->data())[2] =
      reinterpret_cast<float*>(bad->storage->data())[2] +
      reinterpret_cast<float*>(wrong->inputs[0].tensors[0].tensor->storage->data())[2];
  wrong->nodes[2].tensors[0].tensor = sum;
  wrong->nodes[2].value = runtime::Value(sum);
  const ReferenceRun r = referenceOf(*setup, wrong, request);
  EXPECT_EQ(r.nodes[1].kind, ErrorKind::Fault);
  EXPECT_EQ(r.nodes[1].own.firstOutside, 2);
  EXPECT_EQ(r.nodes[2].kind, ErrorKind::Carried);
  EXPECT_EQ(r.first(ErrorKind::Fault), 1u);
}

TEST_F(Numerics, SeveralProcessesAlignByNodesOfTheFile) {
  const Opened o = open("x: \"f32[4]\"",
                        {"first: \"f32[4]\" = torch.ops.aten.mul.Tensor(x, 3)",
                         "second: \"f32[4]\" = torch.ops.aten.sin.default(first)"},
                        "second");
  RunRequest request;
  request.keepValues = true;
  const RunValues values = valuesOf(**runGraph(*o.document, o.graph, request));
  RunValues other;  // names of the file alone, as another program knows them
  for (const KeptTensor& k : values.values)
    if (!k.input) other.values.push_back({k.origin, {}, {}, {}, k.type, 1, false, k.tensor, {}, {}});
  ASSERT_EQ(other.values[0].name, "first");
  const RunComparison c = compareRuns(values, other);
  EXPECT_EQ(c.count(Verdict::BitEqual), 2u);
  EXPECT_TRUE(c.agree());
}

TEST_F(Numerics, ARunThatEndedEarlyIsNotRunBehind) {
  const Opened o = open("x: \"f32[4]\"", kChain, "add");
  RunRequest request;
  request.keepValues = true;
  const RunValues whole = valuesOf(**runGraph(*o.document, o.graph, request));
  request.upTo = "sin";
  const RunValues part = valuesOf(**runGraph(*o.document, o.graph, request));
  EXPECT_FALSE(part.ended);
  const RunComparison c = compareRuns(part, whole);
  EXPECT_EQ(c.count(Verdict::NotRun), 1u);
  EXPECT_EQ(c.count(Verdict::BitEqual), 3u);
}

TEST_F(Numerics, KeptValuesAreThoseOfTheMoment) {
  const Opened o = open("x: \"f32[4]\"",
                        {"neg: \"f32[4]\" = torch.ops.aten.neg.default(x)",
                         "add_: \"f32[4]\" = torch.ops.aten.add_.Tensor(neg, 1)"},
                        "add_");
  RunRequest request;
  request.inputs = "ones";
  request.keepValues = true;
  const RunPtr run = *runGraph(*o.document, o.graph, request);
  EXPECT_EQ(elementText(*run->nodes[0].tensors[0].tensor, {0}), "-1");
  EXPECT_EQ(elementText(*run->nodes[1].tensors[0].tensor, {0}), "0");
}

TEST_F(Numerics, CostsOfNodes) {
  const Opened o = open("x: \"f64[4, 8]\", w: \"f64[8, 2]\"",
                        {"mm: \"f64[4, 2]\" = torch.ops.aten.mm.default(x, w)",
                         "view: \"f64[8]\" = torch.ops.aten.view.default(mm, [8])"},
                        "view");
  const RunPtr run = *runGraph(*o.document, o.graph, {});
  const std::vector<NodeCost> costs = nodeCosts(*run);
  ASSERT_EQ(costs.size(), 2u);
  EXPECT_EQ(costs[0].flops, 2 * 4 * 8 * 2);
  EXPECT_EQ(costs[0].bytes, 8 * (4 * 8 + 8 * 2 + 4 * 2));
  EXPECT_TRUE(costs[0].wide);
  EXPECT_EQ(costs[1].flops, 0);
  EXPECT_EQ(costs[1].bytes, 0);
  // What the roof explains: 128 operations in a second at 256 a second.
  auto timed = std::make_shared<session::Run>(*run);
  timed->nodes[0].times = {1, 1, 1};
  timed->nodes[1].times = {0.5, 0.5, 0.5};
  timed->times = {2, 2, 2};
  runtime::MachineRoof roof;
  roof.flopsF32 = 1e9;
  roof.flopsF64 = 256;
  roof.copyBytesPerSecond = 1e9;
  const RunProfile p = profileOf(*timed, roof);
  EXPECT_EQ(p.rows[0].bound, Bound::Compute);
  EXPECT_DOUBLE_EQ(p.rows[0].share, 0.5);
  EXPECT_EQ(p.rows[1].bound, Bound::Overhead);
  EXPECT_DOUBLE_EQ(p.sum, 1.5);
  EXPECT_DOUBLE_EQ(p.overhead(), 0.5);
  // Medians of rows and of the whole are those of different runs: what lies between is taken run by run.
  timed->nodes[0].times = {1, 9, 1};
  timed->nodes[1].times = {7, 0.5, 0.5};
  timed->times = {8.25, 9.75, 1.75};
  EXPECT_DOUBLE_EQ(profileOf(*timed, roof).overhead(), 0.25);
  roof.copyBytesPerSecond = 448 * 1.25;
  EXPECT_EQ(profileOf(*timed, roof).rows[0].bound, Bound::Memory);
}

TEST(ValueView, HistogramsOfExtremes) {
  const float most = std::numeric_limits<float>::max();
  const TensorRef t = floats({-most, 0, most, std::nanf("")});
  ValueHistogram h = valueHistogram(*t);
  EXPECT_EQ(h.counts.front() + h.counts.back(), 2);
  EXPECT_EQ(h.notFinite, 1);
  h = valueHistogram(*floats({2, 2, 2}));
  EXPECT_EQ(h.counts[0], 3);
  h = valueHistogram(*floats({}));
  EXPECT_EQ(h.largest(), 0);
  HistogramOptions log;
  log.logarithmic = true;
  h = valueHistogram(*floats({-1, 0, 1e-40f, 1e30f}), log);
  EXPECT_EQ(h.zeros, 1);
  EXPECT_EQ(h.negative, 1);
  EXPECT_EQ(std::accumulate(h.counts.begin(), h.counts.end(), int64_t{0}), 3);
  h = valueHistogram(*floats({0, 0}), log);
  EXPECT_EQ(h.zeros, 2);
  const auto both = valueHistograms(*floats({0, 1}), *floats({3, 4}));
  EXPECT_EQ(both[0].edges, both[1].edges);
  EXPECT_EQ(both[0].edges.back(), 4);
}

TEST(ValueView, SlicesAsPythonHasThem) {
  TensorRef t = runtime::allocate({3, 4}, DType::F32);
  for (int i = 0; i < 12; ++i) reinterpret_cast<float*>(t->storage->data())[i] = static_cast<float>(i);
  const auto text = [&](const char* slice) {
    const auto r = readSlice(slice, *t);
    if (!r) return r.error().code;
    const auto part = sliceOf(t, *r);
    return part ? sliceText(**part) : part.error().code;
  };
  EXPECT_EQ(text("[1]"), "4  5  6  7\n");
  EXPECT_EQ(text("-1, 1:3"), " 9  10\n");
  EXPECT_EQ(text("[..., 0]"), "0  4  8\n");
  EXPECT_EQ(text("[2, -1]"), "11\n");
  EXPECT_EQ(text("[0, 3:1]"), "no elements\n");
  EXPECT_EQ(text("[0, -100:2]"), "0  1\n");
  EXPECT_EQ(text("[3]"), "index-out-of-range");
  for (const char* bad : {"[0, 0, 0]", "[x]", "[..., ...]", "[::2]", "[99999999999999999999]"})
    EXPECT_EQ(text(bad), "bad-slice") << bad;
  SliceTextOptions few;
  few.rows = 2;
  few.columns = 2;
  EXPECT_EQ(sliceText(*t, few), "0  1  ...\n4  5  ...\n...\n");
}

TEST(ValueView, NumberFormats) {
  const TensorRef t = floats({0.1f, -INFINITY});
  EXPECT_EQ(elementText(*t, {0}, NumberFormat::Exact), "0.1");
  EXPECT_EQ(elementText(*t, {0}, NumberFormat::Fixed), "0.1000");
  EXPECT_EQ(elementText(*t, {0}, NumberFormat::Hex), "0x3dcccccd");
  EXPECT_EQ(elementText(*t, {1}, NumberFormat::Scientific), "-inf");
  EXPECT_EQ(elementText(*t, {2}), "");
  const TensorRef big = runtime::allocate({1}, DType::U64);
  *reinterpret_cast<uint64_t*>(big->storage->data()) = ~uint64_t{0};
  EXPECT_EQ(elementText(*big, {0}), "18446744073709551615");
  EXPECT_EQ(indexText(*firstBadIndex(*floats({1, NAN, 3, 4}, {2, 2}))), "[0, 1]");
}

}  // namespace
}  // namespace descry::session

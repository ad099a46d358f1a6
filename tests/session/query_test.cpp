#include "session/query.h"

#include "session/pattern.h"
#include "tests/session/graphs.h"

namespace descry::session {
namespace {

class QueryTest : public ::testing::Test {
 protected:
  std::string hits(std::string_view query, const QueryScope& scope = {}) {
    const QueryResult r = runQuery(*g_, query, scope);
    if (r.error) return "error " + std::to_string(r.error->column) + ": " + r.error->message;
    return names(*g_, r.nodes);
  }
  LoadedGraphPtr g_ = load(kJoint);
};

TEST_F(QueryTest, WordsSearchNamesAndOps) {
  EXPECT_EQ(hits("relu"), "relu");
  EXPECT_EQ(hits("MM"), "mm mm_1 mm_2");
  EXPECT_EQ(hits("\"mm\""), "mm mm_1 mm_2");  // the op is exactly mm
  EXPECT_EQ(hits("\"mm_1\""), "mm_1");
  EXPECT_EQ(hits("/^t(_\\d)?$/"), "t t_1");
  EXPECT_EQ(hits("mm_?"), "mm_1 mm_2");
}

TEST_F(QueryTest, Fields) {
  EXPECT_EQ(hits("op=mm"), "mm mm_1 mm_2");
  EXPECT_EQ(hits("op=le"), "le");  // any overload
  EXPECT_EQ(hits("target=torch.ops.aten.where.self"), "where");
  EXPECT_EQ(hits("dtype=b8"), "le");
  EXPECT_EQ(hits("dtype=torch.bool"), "le");
  EXPECT_EQ(hits("dtype in {b8,f64}"), "le");
  EXPECT_EQ(hits("shape=[8,*]"), "primals_1 t mm_1");
  EXPECT_EQ(hits("shape=[..,4]"), "t");
  EXPECT_EQ(hits("shape=[]"), "full");
  EXPECT_EQ(hits("shape has 4 and op=mm"), "mm mm_2");
  EXPECT_EQ(hits("rank=0"), "full");
  EXPECT_EQ(hits("bytes>=512 op=mm"), "mm_1");
  EXPECT_EQ(hits("bytes<0.01KiB"), "full");
  EXPECT_EQ(hits("kind=tangent"), "tangents_1");
  EXPECT_EQ(hits("kind=view"), "t t_1");
  EXPECT_EQ(hits("kind=gradient"), "mm_1 mm_2");
  EXPECT_EQ(hits("kind=parameter"), "primals_1");
  EXPECT_EQ(hits("phase=either"), "le full t t_1");
  EXPECT_EQ(hits("desc has \"fc.weight\""), "primals_1 mm_1");
  EXPECT_EQ(hits("desc~GradAOTOutput"), "mm_1 mm_2");
  EXPECT_EQ(hits("file=model.py line=7"), "mm t mm_1 t_1 mm_2");
  EXPECT_EQ(hits("users=0 not kind=output"), "");
  EXPECT_EQ(hits("order=0"), "primals_1");
  EXPECT_EQ(hits("inputs>2"), "where output");
}

TEST_F(QueryTest, Combinations) {
  EXPECT_EQ(hits("op=mm and not phase=forward"), "mm_1 mm_2");
  EXPECT_EQ(hits("relu or le"), "relu le");
  EXPECT_EQ(hits("(relu or le) dtype=b8"), "le");
  EXPECT_EQ(hits("op!=mm kind=call_function dtype!=f32"), "le");
  EXPECT_EQ(hits("name~mm name!~_1"), "mm mm_2");
  EXPECT_EQ(hits("not not relu"), "relu");
}

TEST_F(QueryTest, Paths) {
  EXPECT_EQ(hits("t -> op=mm"), "t mm_1 t_1 mm_2");
  EXPECT_EQ(hits("mm -> relu -> le"), "mm relu le");
  EXPECT_EQ(hits("name=mm ->> where"), "mm where");
  EXPECT_EQ(hits("name=mm ->{1,2} where"), "");
  EXPECT_EQ(hits("name=mm ->{3} where"), "mm where");
  EXPECT_EQ(hits("{relu,full} -> {le,where}"), "relu le full where");
}

TEST_F(QueryTest, SortLimitAndScope) {
  EXPECT_EQ(hits("op=mm sort:bytes- limit:1"), "mm_1");
  EXPECT_EQ(hits("op=mm sort:name-"), "mm_2 mm_1 mm");
  const std::vector<ir::NodeId> selection = {at(*g_, "mm"), at(*g_, "relu")};
  QueryScope scope;
  scope.selection = &selection;
  EXPECT_EQ(hits("in:selection op=mm", scope), "mm");
  EXPECT_EQ(hits("in:selection", scope), "mm relu");
  EXPECT_EQ(hits("in:selection"), "error 0: in:selection needs a selection");
}

TEST_F(QueryTest, SavedQueriesAndStates) {
  const std::map<std::string, std::string, std::less<>> saved = {{"products", "op=mm"}, {"loop", "@loop"}};
  QueryScope scope;
  scope.savedQueries = &saved;
  EXPECT_EQ(hits("@products phase=forward", scope), "mm");
  EXPECT_NE(hits("@loop", scope).find("name one another"), std::string::npos);
  std::vector<std::string> states(g_->graph->idBound(), "same");
  states[at(*g_, "relu").index] = "added";
  scope.states = &states;
  EXPECT_EQ(hits("state=added", scope), "relu");
  EXPECT_EQ(hits("state=added"), "error 0: field 'state' is for diffs, and this is one graph");
}

TEST_F(QueryTest, ValuesThatCannotBeAreErrors) {
  EXPECT_EQ(hits("mm phase=bakward"),
            "error 9: no phase 'bakward'; there is forward, backward, either, none");
  EXPECT_EQ(hits("phase=Forward"), "error 6: no phase 'Forward'; there is forward, backward, either, none");
  EXPECT_EQ(hits("kind in {view,bogus}").rfind("error 8: no kind 'bogus'; there is argument, ", 0), 0u);
  EXPECT_EQ(hits("phase=*ward op=relu"), "relu");  // patterns may match nothing
  EXPECT_EQ(hits("phase~back op=mm"), "mm_1 mm_2");
  EXPECT_EQ(hits("kind=\"no gradient\""), "");
}

TEST_F(QueryTest, SavedMeansReadByTheBackward) {
  // relu is read by le only, which no forward output needs; what the gradients are computed with counts.
  EXPECT_EQ(hits("saved kind=call_function"), "le full t t_1");
  EXPECT_EQ(hits("saved"), "le full t t_1");
  const auto g = load(
      "class GraphModule(torch.nn.Module):\n"
      "    def forward(self, primals_1: \"f32[2]\", tangents_1: \"f32[2]\"):\n"
      "        sin: \"f32[2]\" = torch.ops.aten.sin.default(primals_1)\n"
      "        mul: \"f32[2]\" = torch.ops.aten.mul.Tensor(tangents_1, sin)\n"
      "        return [sin, mul]\n");
  EXPECT_EQ(names(*g, runQuery(*g, "saved").nodes), "sin");
}

TEST_F(QueryTest, ErrorsPointAtTheirPlace) {
  EXPECT_EQ(hits("relu dtpe=f32"), "error 5: no field 'dtpe'; did you mean dtype?");
  EXPECT_EQ(hits("time>1"), "error 0: field 'time' needs a run of the graph, which the inspector has once there was one");
  EXPECT_EQ(hits("bytes>much"), "error 6: 'much' is no number");
  EXPECT_EQ(hits("(relu"), "error 0: '(' without ')'");
  EXPECT_EQ(hits("relu)"), "error 4: ')' without '('");
  EXPECT_EQ(hits("relu and"), "error 8: 'and' needs a term behind it");
  EXPECT_EQ(hits("name<x"), "error 4: 'name' has no order; use = or ~");
  EXPECT_EQ(hits("\xC3\xA4 \xC3\xA4 zz="), "error 4: no field 'zz'");  // columns count characters
  EXPECT_EQ(hits("/(/"), "error 2: in the regular expression: '(' without ')'");
  EXPECT_EQ(hits("relu -> "), "error 8: an arrow needs a term behind it");
}

TEST_F(QueryTest, EmptyResultsSayWhy) {
  EXPECT_EQ(runQuery(*g_, "op=mm dtype=f64 relu").why, "dtype=f64 leaves 0 of 3");
  EXPECT_EQ(runQuery(*g_, "op=mm").why, "");
}

TEST_F(QueryTest, HostileTextIsNoTrouble) {
  for (const std::string& q :
       {std::string(5000, '('), std::string(5000, '{'), std::string(3000, '-') + ">",
        std::string("/") + std::string(3000, '(') + "/", std::string("a") + std::string(1000, '*'),
        std::string("/(((a*)*)*)*b/"), std::string("shape=[") + std::string(3000, ','),
        std::string("\0x\0", 3), std::string(100000, 'a')})
    runQuery(*g_, q);
  std::string nested;
  for (int i = 0; i < 3000; ++i) nested += "not ";
  runQuery(*g_, nested + "a");
  std::string arrows = "a";
  for (int i = 0; i < 500; ++i) arrows += " ->> a";
  runQuery(*g_, arrows);
}

TEST_F(QueryTest, Completion) {
  const auto first = [&](std::string_view q) {
    const auto c = completeQuery(*g_, q, q.size());
    return c.empty() ? std::string() : c.front();
  };
  EXPECT_EQ(first("dt"), "dtype=");
  EXPECT_EQ(first("relu dtype=b"), "dtype=b8");
  EXPECT_EQ(first("op="), "op=mm");  // the most frequent first, then by name
  EXPECT_EQ(first("whe"), "where.self");
}

TEST(PatternTest, Regex) {
  const auto match = [](const char* pattern, std::string_view text) {
    auto p = Pattern::regex(pattern);
    EXPECT_TRUE(p.ok()) << pattern;
    return p.ok() && p->matches(text);
  };
  EXPECT_TRUE(match("^a+b?c$", "aac"));
  EXPECT_FALSE(match("^a+b?c$", "aabbc"));
  EXPECT_TRUE(match("x{2,3}y", "zxxy"));
  EXPECT_FALSE(match("^x{2,3}$", "xxxx"));
  EXPECT_TRUE(match("[^0-9]\\d\\.", "a1."));
  EXPECT_TRUE(match("(foo|ba(r|z))_1", "q_baz_1"));
  EXPECT_FALSE(match("\\w-\\w", "a b"));
  EXPECT_TRUE(match("", ""));
  // Exponential for engines that try one alternative after the other.
  EXPECT_FALSE(match("^(a|aa)+$", std::string(5000, 'a') + "b"));
  for (const char* bad : {"(", ")", "[", "a{3,1}", "*a", "a\\", "a{999}"})
    EXPECT_FALSE(Pattern::regex(bad).ok()) << bad;
}

TEST(PatternTest, Wildcards) {
  EXPECT_TRUE(Pattern::wildcard("layers.*.fc?").matches("layers.3.attn.fc1"));
  EXPECT_FALSE(Pattern::wildcard("layers.*").matches("xlayers.3"));
  EXPECT_TRUE(Pattern::wildcard("*").matches(""));
  EXPECT_FALSE(Pattern::wildcard(std::string(300, '*') + "b").matches(std::string(3000, 'a')));
}

}  // namespace
}  // namespace descry::session

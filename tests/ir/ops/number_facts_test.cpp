// What follows from the assertions of a program on numbers that depend on data.
#include <gtest/gtest.h>

#include "ir/ops/eval/value.h"

namespace descry::ir::eval {
namespace {

const SymExpr u0 = SymExpr::symbol("u0"), u1 = SymExpr::symbol("u1"), s77 = SymExpr::symbol("s77");

TEST(NumberFacts, RangesDecideComparisons) {
  NumberFacts facts;
  facts.assume(symRelation(SymRel::Ge, u0, 0));
  facts.assume(symRelation(SymRel::Le, u0, 6));
  EXPECT_EQ(facts.decide(SymRel::Lt, 6, u0), false);
  EXPECT_EQ(facts.decide(SymRel::Ge, u0 + SymExpr(1), 1), true);
  EXPECT_EQ(facts.decide(SymRel::Lt, u0, 3), std::nullopt);
  EXPECT_EQ(facts.decide(SymRel::Eq, u0, 7), false);
}

TEST(NumberFacts, AnAssertedRelationOfSeveralNumbersHoldsForItsSum) {
  NumberFacts facts;
  facts.assume(symRelation(SymRel::Eq, u0 + u1, 6));
  EXPECT_EQ(facts.decide(SymRel::Eq, u0 + u1, 6), true);
  EXPECT_EQ(facts.decide(SymRel::Lt, u0 + u1, 7), true);
  EXPECT_EQ(facts.decide(SymRel::Eq, u0, 6), std::nullopt);
}

TEST(NumberFacts, SizesOfInputsAreAtLeastTwo) {
  NumberFacts facts;
  facts.assume(symRelation(SymRel::Le, u0, s77));
  EXPECT_EQ(facts.decide(SymRel::Lt, s77, u0), false);
  EXPECT_EQ(facts.decide(SymRel::Ge, s77, 2), true);
  EXPECT_EQ(facts.decide(SymRel::Ge, s77, 3), std::nullopt);
}

// As sympy tells, where symbols of sizes are positive integers and nothing is known of others.
TEST(Sign, FollowsFromWhatIsAssumedOfSymbols) {
  const auto floorDiv = [](const SymExpr& a, int64_t b) { return symFloorDiv(a, b); };
  EXPECT_TRUE(symPositive(floorDiv(s77 - SymExpr(1), 2) + SymExpr(1)));
  EXPECT_FALSE(symPositive(floorDiv(s77 - SymExpr(3), 2) + SymExpr(1)));
  EXPECT_TRUE(symNotNegative(floorDiv(s77, 2)));
  EXPECT_FALSE(symPositive(floorDiv(s77, 2)));
  EXPECT_FALSE(symPositive(floorDiv(s77 + SymExpr(1), 2)));
  EXPECT_TRUE(symPositive(SymExpr(2) * s77 - SymExpr(1)));
  EXPECT_FALSE(symNotNegative(u0));
  EXPECT_TRUE(symPositive(symMax({SymExpr(1), u0})));
}

}  // namespace
}  // namespace descry::ir::eval

// Descriptors against PyTorch's own reprs and expressions (tests/data/descriptors.tsv), and the legality
// rules.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "ir/descriptors/descriptor.h"

namespace {

using descry::ir::Descriptor;
using enum descry::ir::DescKind;

TEST(Descriptor, ReprExprAndRolesAgreeWithPyTorch) {
  std::ifstream in(DESCRY_SOURCE_DIR "/tests/data/descriptors.tsv");
  ASSERT_TRUE(in.good());
  int rows = 0;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::stringstream fields(line);
    std::string repr, expr, differentiable, roles;
    std::getline(fields, repr, '\t');
    std::getline(fields, expr, '\t');
    std::getline(fields, differentiable, '\t');
    std::getline(fields, roles, '\t');
    const auto d = Descriptor::parse(repr);
    ASSERT_TRUE(d.ok()) << repr << ": " << d.error().message;
    EXPECT_EQ(d->repr(), repr);
    EXPECT_EQ(d->expr(), expr);
    EXPECT_EQ(d->isDifferentiable(), differentiable == "differentiable") << repr;
    EXPECT_EQ(d->isTangent(), roles.find("tangent") != std::string::npos) << repr;
    EXPECT_EQ(d->isParam(), roles.find("param") != std::string::npos) << repr;
    EXPECT_EQ(d->isBuffer(), roles.find("buffer") != std::string::npos) << repr;
    EXPECT_EQ(d->isGrad(), roles.find("grad") != std::string::npos) << repr;
    EXPECT_EQ(d->isInput(), repr.substr(0, repr.find('(')).ends_with("AOTInput"));
    EXPECT_EQ(d->legality(), "") << repr;
    ++rows;
  }
  EXPECT_GT(rows, 70);
}

TEST(Descriptor, OlderFormsWithoutIndex) {
  for (const char* text :
       {"ForwardTokenAOTInput()", "MetadataMutationAOTOutput()", "BackwardTokenAOTOutput()"})
    EXPECT_TRUE(Descriptor::parse(text).ok()) << text;
  EXPECT_FALSE(Descriptor::parse("PlainAOTInput()").ok());
}

TEST(Descriptor, WrapRefusesWhatAutogradCannotMake) {
  const Descriptor plain = Descriptor::plainInput(0), out = Descriptor::plainOutput(0);
  const Descriptor tangent = *Descriptor::wrap(TangentInput, out);
  const Descriptor grad = *Descriptor::wrap(GradOutput, plain);
  const Descriptor piece = *Descriptor::wrap(SubclassGetAttrInput, plain, 0, "a");
  const Descriptor saved = Descriptor::savedForBackwards(0);
  const auto refused = [](descry::ir::DescKind kind, const Descriptor& base) {
    const auto r = Descriptor::wrap(kind, base, 0, "a");
    return !r.ok() && r.error().code == "descriptor-illegal";
  };
  EXPECT_TRUE(refused(TangentInput, grad));
  EXPECT_TRUE(refused(TangentInput, Descriptor::make(MetadataMutationOutput)));
  EXPECT_TRUE(refused(TangentInput, saved));
  EXPECT_TRUE(refused(GradOutput, tangent));
  EXPECT_TRUE(refused(GradOutput, piece));
  EXPECT_TRUE(refused(GradOutput, out));
  EXPECT_TRUE(refused(ViewBaseInput, piece));
  EXPECT_TRUE(refused(ViewBaseInput, *Descriptor::wrap(ViewBaseInput, plain)));
  EXPECT_TRUE(refused(SyntheticBaseInput, tangent));
  EXPECT_TRUE(refused(InputMutationOutput, tangent));
  EXPECT_TRUE(refused(InputMutationOutput, piece));
  EXPECT_TRUE(refused(IntermediateBaseOutput, Descriptor::make(MetadataMutationOutput)));
  EXPECT_TRUE(refused(SubclassGetAttrInput, Descriptor::make(ForwardTokenInput)));
  EXPECT_TRUE(refused(SubclassGetAttrOutput, saved));
  EXPECT_FALSE(refused(SubclassGetAttrInput, tangent));
  EXPECT_FALSE(refused(SubclassGetAttrOutput, grad));
}

TEST(Descriptor, EqualityIsDeepAndIncludesTheClass) {
  const auto parse = [](const char* t) { return *Descriptor::parse(t); };
  EXPECT_EQ(parse("GradAOTOutput(grad_of=PlainAOTInput(idx=1))"),
            parse("GradAOTOutput(grad_of=PlainAOTInput(idx=1))"));
  EXPECT_FALSE(parse("GradAOTOutput(grad_of=PlainAOTInput(idx=1))") ==
               parse("GradAOTOutput(grad_of=PlainAOTInput(idx=2))"));
  EXPECT_FALSE(parse("PlainAOTInput(idx=1)") == parse("DummyAOTInput(idx=1)"));
  EXPECT_FALSE(parse("ParamAOTInput(target='a')") == parse("BufferAOTInput(target='a')"));
  EXPECT_EQ(hashValue(parse("ParamAOTInput(target='a')")), hashValue(parse("ParamAOTInput(target='a')")));
}

TEST(Descriptor, BadTextIsRefusedWithoutCrash) {
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "ViewBaseAOTInput(base_of=";
  for (const std::string& text :
       {std::string(""), std::string("PlainAOTInput"), std::string("PlainAOTInput("),
        std::string("PlainAOTInput(idx=)"), std::string("PlainAOTInput(idx=99999999999999999999)"),
        std::string("PlainAOTInput(idx=1) x"), std::string("NoSuchAOTInput(idx=1)"),
        std::string("ParamAOTInput(target='"), std::string("PlainAOTInput(idx=1, idx=2)"),
        std::string("GradAOTOutput(grad_of=)"), std::string("None"), deep})
    EXPECT_FALSE(Descriptor::parse(text).ok()) << text.substr(0, 80);
}

}  // namespace

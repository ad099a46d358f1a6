#include "importers/torch_trace/header_scan.h"
#include "importers/common/json_escape.h"

#include <gtest/gtest.h>

namespace descry::importers {
namespace {

TEST(HeaderPrefix, Forms) {
  size_t at = 0;
  EXPECT_TRUE(scanHeaderPrefix(
      "V0524 12:48:53.561000 140144363024384 torch/_dynamo/guards.py:2304] {\"a\": {}}", at));
  EXPECT_EQ(at,
            std::string_view("V0524 12:48:53.561000 140144363024384 torch/_dynamo/guards.py:2304] ").size());
  EXPECT_TRUE(scanHeaderPrefix("V0822 14:00:48.902000 1 /a b/c] {x/d.py:7] {}", at));
  EXPECT_EQ(at, std::string_view("V0822 14:00:48.902000 1 /a b/c] {x/d.py:7] ").size());
  EXPECT_FALSE(scanHeaderPrefix("V0822 14:00:48.902000 1 torch/x.py:7] [0/0] text", at));
  EXPECT_FALSE(scanHeaderPrefix("X0822 14:00:48.902000 1 torch/x.py:7] {}", at));
  EXPECT_FALSE(scanHeaderPrefix("V0822 14:00:48.902 1 torch/x.py:7] {}", at));
  EXPECT_FALSE(scanHeaderPrefix("", at));
}

TEST(HeaderJson, ContextKeysAndKind) {
  HeaderFields f;
  size_t error = 0;
  const std::string_view json =
      R"j({"dynamo_start": {"stack": [{"loc": "f(\"{[\")"}]}, "rank": 3, "compiled_autograd_id": null, )j"
      R"j("frame_id": 12, "frame_compile_id": 1, "attempt": 2, "has_payload": "ab"})j";
  ASSERT_TRUE(scanHeaderJson(json, f, error));
  EXPECT_EQ(f.kind, "dynamo_start");
  EXPECT_EQ(f.value, R"j({"stack": [{"loc": "f(\"{[\")"}]})j");
  EXPECT_EQ(f.rank, 3);
  EXPECT_EQ(f.compiledAutograd, std::nullopt);
  EXPECT_EQ(f.frame, 12);
  EXPECT_EQ(f.attempt, 2);
  EXPECT_EQ(f.hash, "ab");
}

TEST(HeaderJson, SaysWhereItIsDamaged) {
  HeaderFields f;
  size_t error = 0;
  EXPECT_FALSE(scanHeaderJson(R"({"a": {}, "rank" 3})", f, error));
  EXPECT_EQ(error, 17u);
  EXPECT_FALSE(scanHeaderJson(R"({"a": {})", f, error));
  EXPECT_FALSE(scanHeaderJson(R"({"a": {}} trailing)", f, error));
  EXPECT_EQ(error, 10u);
  EXPECT_FALSE(scanHeaderJson(R"({"a": "not closed)", f, error));
}

TEST(Json, FieldsAndEscapes) {
  EXPECT_EQ(jsonStringField(R"({"x": 1, "name": "a\n\"b\u00e9\ud83d\ude00"})", "name"),
            "a\n\"b\xC3\xA9\xF0\x9F\x98\x80");
  EXPECT_EQ(jsonStringField(R"({"name": null})", "name"), std::nullopt);
  EXPECT_EQ(unescapeJson(R"(\ud83d lone)"), "\xEF\xBF\xBD lone");
  EXPECT_EQ(unescapeJson(R"(\b\f\r\t\/\\)"), "\b\f\r\t/\\");
  EXPECT_EQ(unescapeJson(R"(\x \u12 \)"), R"(\x \u12 \)");  // what is no escape stays
  EXPECT_TRUE(jsonDepthBelow(R"({"a": [1, "[[[[[["]})", 2));
  EXPECT_FALSE(jsonDepthBelow("[[[]]]", 2));
}

}  // namespace
}  // namespace descry::importers

// Reads any bytes as an op schema. One that was read must print to text that reads back to the same text.
#include "ir/ops/schema.h"
#include "tests/fuzz/fuzz_support.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace descry;
  const auto parsed = ir::parseSchema(fuzz::view(data, size));
  if (!parsed) {
    fuzz::require(!parsed.error().code.empty(), "an error has a code");
    return 0;
  }
  const std::string text = parsed->str();
  const auto again = ir::parseSchema(text);
  if (!again || again->str() != text) std::fprintf(stderr, "%s\n", text.c_str());
  fuzz::require(again.ok(), "a printed schema reads back");
  fuzz::require(again->str() == text, "a printed schema reads back as the same text");
  (void)parsed->target();
  (void)parsed->isView();
  (void)parsed->isMutable();
  return 0;
}

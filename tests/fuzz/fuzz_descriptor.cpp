// Reads any bytes as a descriptor. One that was read must print to text that reads back as the same value.
#include "ir/descriptors/descriptor.h"
#include "ir/support/python_text.h"
#include "tests/fuzz/fuzz_support.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace descry;
  // Importers replace bytes that are not UTF-8 before anything is parsed.
  size_t bad = 0;
  const auto parsed = ir::Descriptor::parse(ir::cleanUtf8(fuzz::view(data, size), bad));
  if (!parsed) {
    fuzz::require(!parsed.error().code.empty(), "an error has a code");
    return 0;
  }
  const std::string text = parsed->repr();
  const auto again = ir::Descriptor::parse(text);
  fuzz::require(again.ok(), "repr reads back");
  fuzz::require(*again == *parsed && again->repr() == text, "repr reads back as the same value");
  fuzz::require(ir::hashValue(*again) == ir::hashValue(*parsed), "equal values have equal hashes");
  (void)parsed->legality();
  (void)parsed->expr();
  fuzz::require(!parsed->words().empty(), "a descriptor has words");
  fuzz::require(parsed->isInput() != parsed->isOutput(), "a descriptor is an input or an output");
  return 0;
}

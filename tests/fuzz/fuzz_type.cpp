// Reads any bytes as a type annotation. A tensor type must print to text that reads back as the same type.
#include "ir/types/type_table.h"
#include "tests/fuzz/fuzz_support.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace descry;
  const ir::Type type = ir::parseType(fuzz::view(data, size));
  if (type.kind == ir::TypeKind::Tensor) {
    const std::string text = type.tensor.text();
    const ir::Type again = ir::parseType(text);
    if (again.kind != ir::TypeKind::Tensor || again.tensor.text() != text)
      std::fprintf(stderr, "%s\n", text.c_str());
    fuzz::require(again.kind == ir::TypeKind::Tensor, "a printed tensor type is a tensor type");
    fuzz::require(again.tensor.text() == text, "a printed tensor type reads back");
    fuzz::require(again.tensor.numel() == type.tensor.numel(), "the same number of elements");
    if (const auto bytes = type.tensor.bytes()) fuzz::require(*bytes >= 0, "sizes in bytes are not negative");
  }
  ir::TypeTable table;
  const ir::TypeId id = table.intern(fuzz::view(data, size));
  fuzz::require(table.intern(fuzz::view(data, size)) == id, "equal texts have one id");
  return 0;
}

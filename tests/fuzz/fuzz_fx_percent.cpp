// Opens any bytes as fx-percent, loads and prints its graphs.
#include "tests/fuzz/fuzz_support.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const auto& importer = descry::fuzz::importer("fx-percent");
  return descry::fuzz::openWith(importer, data, size);
}

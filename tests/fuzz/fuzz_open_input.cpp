// Sniffs any bytes, opens them in the format that is found, and exports what is inside.
#include "tests/fuzz/fuzz_support.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace descry;
  const importers::Importer* best = nullptr;
  int sure = 0;
  for (const importers::Importer& importer : importers::allImporters()) {
    std::string reason;
    const int now = importer.sniff(fuzz::view(data, size).substr(0, 256 << 10), reason);
    fuzz::require(now >= 0 && now <= 100, "sniff answers 0 to 100");
    if (now > sure) sure = now, best = &importer;
  }
  return best ? fuzz::openWith(*best, data, size) : 0;
}

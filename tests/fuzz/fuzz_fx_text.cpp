// Parses any bytes as FX readable text. What was read without complaint must print to a fixed point.
#include "importers/fx_text/fx_text.h"
#include "tests/fuzz/fuzz_support.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace descry;
  const std::string_view text = fuzz::view(data, size);
  ir::DiagnosticSink sink;
  for (const importers::FxRegion& region : importers::findFxRegions(text)) {
    fuzz::require(region.begin <= region.end && region.end <= size, "a region lies in the text");
  }
  const auto module = importers::parseFxText(text, {}, sink);
  fuzz::require(module != nullptr, "the parser always gives a module");
  fuzz::exercise(*module);
  if (sink.errors() || sink.warnings()) return 0;
  const std::string once = ir::printModule(*module);
  ir::DiagnosticSink again;
  const std::string twice = ir::printModule(*importers::parseFxText(once, {}, again));
  if (once != twice) std::fprintf(stderr, "--- once\n%s\n--- twice\n%s\n", once.c_str(), twice.c_str());
  fuzz::require(once == twice, "print(parse(print(m))) == print(m)");
  return 0;
}

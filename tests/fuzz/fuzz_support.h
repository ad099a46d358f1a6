// Shared by the fuzz targets: a check that stays on in every build, and the work done on an opened input.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "importers/common/importer.h"
#include "ir/core/graph.h"
#include "ir/ops/registry.h"
#include "ir/text/printer.h"
#include "ir/verify/verify.h"

namespace descry::fuzz {

/// Ends the run, so that libFuzzer keeps the input.
inline void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "property broken: %s\n", what);
  std::abort();
}

inline std::string_view view(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Every module must be printable and checkable, however damaged its text was.
inline void exercise(const ir::Module& module) {
  require(!module.graphs.empty(), "a module has a root graph");
  ir::DiagnosticSink sink;
  ir::verifyModule(module, &ir::allOps(), sink);
  for (const ir::Diagnostic& d : sink.all()) require(!d.text().empty(), "a diagnostic has a text");
  // Parsed texts share nothing that grows faster than the text; 64 covers short names that become long
  // targets.
  require(ir::printModule(module).size() < (size_t{1} << 24),
          "printed text stays near the size of what was read");
}

/// Loads at most `limit` graphs of an opened input and asks for everything else it has.
inline void exercise(const importers::Input& input, size_t limit = 16) {
  for (size_t i = 0; i < std::min(limit, input.graphs().size()); ++i) {
    ir::DiagnosticSink sink;
    (void)input.text(i);
    (void)input.inputFacts(i);
    if (auto module = input.load(i, sink)) {
      require(*module != nullptr, "load gives a module or an error");
      exercise(**module);
    }
  }
  for (size_t i = 0; i < std::min(limit, input.records().size()); ++i) (void)input.payload(i);
  for (const ir::Diagnostic& d : input.diagnostics().all())
    require(!d.code.empty(), "a diagnostic has a code");
}

/// The importer named `name`; ends the run when there is none.
inline const importers::Importer& importer(std::string_view name) {
  for (const importers::Importer& i : importers::allImporters())
    if (name == i.name) return i;
  std::fprintf(stderr, "no importer is named %.*s\n", static_cast<int>(name.size()), name.data());
  std::abort();
}

inline int openWith(const importers::Importer& importer, const uint8_t* data, size_t size) {
  std::string reason;
  const std::string_view head = view(data, size).substr(0, 256 << 10);
  const int sure = importer.sniff(head, reason);
  require(sure >= 0 && sure <= 100, "sniff answers 0 to 100");
  importers::OpenOptions options;
  options.name = "<fuzz>";
  if (auto input = importer.open("", std::string(view(data, size)), options)) exercise(**input);
  return 0;
}

}  // namespace descry::fuzz

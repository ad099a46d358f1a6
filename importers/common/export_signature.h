// What a printed ExportedProgram says behind its module: what each input and output is, and the ranges of
// its symbols.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace descry::importers {

/// One input or output of an exported program.
struct SignatureSpec {
  std::string name;    ///< of the placeholder or of the returned value; empty for constants
  std::string kind;    ///< PARAMETER, USER_INPUT, BUFFER_MUTATION, ...
  std::string target;  ///< `lin.weight`; for mutations and gradients what they belong to
  std::optional<bool> persistent;
  std::string text;  ///< as the short form writes it: `PARAMETER target='lin.weight'`
};

struct ExportSignature {
  std::vector<SignatureSpec> inputs, outputs;
  std::vector<std::pair<std::string, std::string>> ranges;  ///< `s0` -> `VR[2, int_oo]`

  bool empty() const { return inputs.empty() && outputs.empty() && ranges.empty(); }
};

/// Reads `Graph signature:` and `Range constraints:` in the text that follows a module: the block of PyTorch
/// 2.5 and later, the one line of specs before it, and the lists and dicts of 2.1. Nothing when neither is
/// there. Cost: linear.
std::optional<ExportSignature> findExportSignature(std::string_view text);

}  // namespace descry::importers

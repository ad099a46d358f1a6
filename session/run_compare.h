// Two runs beside each other, value by value: other executors, other graphs, other machines.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/compare/compare.h"
#include "session/run_values.h"

namespace descry::session {

/// What may differ, by dtype and by how many elements were summed (runtime::toleranceFor), as far as nothing
/// else was asked for.
struct Tolerances {
  std::optional<runtime::Tolerance> all;  ///< of every dtype without one of its own
  std::map<runtime::DType, runtime::Tolerance> dtypes;
  bool byLength = true;  ///< grows with the square root of the length
  runtime::Tolerance of(runtime::DType dtype, int64_t length = 1) const;
};
/// `1e-4`; `f32=1e-4,bf16=0.02`; `f32=1e-4:1e-6` (relative to the largest element, then absolute);
/// `length=off`. What is asked for in numbers is taken as it is, unless `length=on` stands with it. Error:
/// `bad-tolerance`, which says what is not understood.
ir::Result<Tolerances> readTolerances(std::string_view text);
/// In the same words; empty when nothing was asked for.
std::string tolerancesText(const Tolerances& tolerances);

/// A value of A and the one of B that stands for the same.
struct ComparedValue {
  const KeptTensor *a = nullptr, *b = nullptr;  ///< of the RunValues that were compared; one may be null
  std::string reason;                           ///< how the pair was found: `same name, op and arguments`
  std::string basis;                            ///< `values`, `statistics` or `hash`; empty without a pair
  runtime::Tolerance tolerance;
  runtime::Comparison comparison;  ///< with `basis` values; its verdict always

  /// Both are there, and are not the same within the tolerance. What was kept of one side only says nothing.
  bool differs() const {
    return comparison.verdict == runtime::Verdict::Outside ||
           comparison.verdict == runtime::Verdict::DTypeDiffers ||
           comparison.verdict == runtime::Verdict::ShapeDiffers;
  }
  bool equal() const {
    return comparison.verdict == runtime::Verdict::BitEqual || comparison.verdict == runtime::Verdict::Within;
  }
};

struct RunComparison {
  std::vector<ComparedValue> values;   ///< in the order of B's run; A's without partner where they stood
  std::vector<ComparedValue> results;  ///< by name; none when one side has no results at all
  /// The first of `values` (inputs included) in order of execution that is there twice and is not equal or
  /// within.
  std::optional<size_t> firstDifferent;
  /// Of `values`, by verdict.
  size_t count(runtime::Verdict verdict) const;
  /// All results are equal or within, no value differs, and something was compared.
  bool agree() const;
};

/// Which values stand for the same, in the order of compareRuns; nothing is compared yet (verdict NotRun, or
/// NoPartner).
std::vector<ComparedValue> pairValues(const RunValues& a, const RunValues& b);
/// Compares what a pair has: tolerance, basis and comparison are set.
void compareValue(ComparedValue& pair, const Tolerances& tolerances);

/// B is the reference. Values are paired by their nodes where both graphs are known (session/diff.h: by name,
/// structure and neighbours, so that graphs of different length align), then by the node of the graph that
/// they were made for, then by name. Both outlive what is returned. Without tensors on one side statistics
/// and hashes tell what they can.
RunComparison compareRuns(const RunValues& a, const RunValues& b, const Tolerances& tolerances = {});

}  // namespace descry::session

// What `descry run` prints: tables and JSON of a run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/support/console.h"
#include "session/graph_run.h"
#include "session/run_profile.h"
#include "session/run_reference.h"
#include "session/value_view.h"

namespace descry::cli {

/// A value that was asked for by name: --histogram, --show-value.
struct ShownValue {
  std::string name;               ///< as it was asked for, with its slice
  std::string value;              ///< `add`, `out.0`
  runtime::TensorRef tensor;      ///< the slice
  std::vector<int64_t> firstBad;  ///< index in the slice; empty when there is none (or no dimension)
  bool bad = false;
};

/// All that was asked for beside the results.
struct RunExtras {
  bool nodes = false;
  std::optional<session::RunProfile> profile;
  std::optional<session::ReferenceRun> reference;
  std::optional<std::vector<session::ComparedResult>> compared;
  std::vector<ShownValue> histograms, shown;
  session::HistogramOptions bins;
  session::SliceTextOptions slice;
  bool resultsAgree() const;  ///< with `compared`
};

std::string runJson(const session::Run& run, const session::RunRequest& request, const RunExtras& extras);
std::string resultsTable(const session::Run& run);
/// Every node with its values, the first bad one and how it spreads.
std::string nodesTable(const session::Run& run);
std::string profileTable(const session::Run& run, const session::RunProfile& profile);
std::string referenceTable(const session::ReferenceRun& reference);
std::string comparedTable(const std::vector<session::ComparedResult>& rows);
std::string histogramsText(const RunExtras& extras);
std::string shownText(const RunExtras& extras);

}  // namespace descry::cli

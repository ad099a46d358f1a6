// The two sides of `descry compare` and `descry bisect`: files with graphs that are run, or saved values.
#pragma once

#include <optional>
#include <string>

#include "cli/support/loading.h"
#include "session/run_bisect.h"
#include "session/run_values.h"

namespace descry::cli {

struct Sides {
  session::BisectSide a, b;
  Opened openedA, openedB;  ///< of sides that are graphs
  int code = kFine;         ///< kPartlyRead when text of a graph was lost
};

/// --executors.
OptionDef executorsOption();
/// Reads one or two words; a single one stands for both sides. Nothing, and reported, when that cannot be:
/// `code` says why. Only one side of two may be standard input.
std::optional<Sides> readSides(const Arguments& arguments, Console& console, int& code);

}  // namespace descry::cli

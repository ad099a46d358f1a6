// Options and messages that all commands share that run graphs.
#pragma once

#include <string>
#include <vector>

#include "cli/support/loading.h"
#include "session/graph_run.h"
#include "session/run_compare.h"
#include "session/run_profile.h"

namespace descry::cli {

class Json;

/// --inputs --backward --seed --memory --unknown-ops --op --ops.
std::vector<OptionDef> inputOptions();
OptionDef toleranceOption();
/// Reads them. False when one is wrong: `code` says why, and it was reported. `opened` is where the standing
/// declarations are looked for.
bool readInputOptions(const Arguments& arguments, const std::string& opened, Console& console,
                      session::RunRequest& request, int& code);
/// True when --tolerance is fine or absent.
bool readTolerance(const Arguments& arguments, Console& console, session::Tolerances& tolerances);

/// Reports an error of running, and returns its exit code.
int failedRun(const ir::Diagnostic& error, Console& console);
/// What was taken for granted, as warnings.
void reportAssumed(const std::vector<std::string>& assumed, const Opened& in, Console& console);

/// `1.2345` of seconds.
std::string milliseconds(double seconds);
/// `2.1-2.4`: quartiles in milliseconds; empty of a single run.
std::string spreadText(const session::Quartiles& q);
/// `8 threads, copies at 15.1 GB/s, 87.9 GFLOP/s in f32, 44.0 in f64 (avx512)`.
std::string roofText(const runtime::MachineRoof& roof);

void comparisonJson(Json& json, const runtime::Comparison& c);
void quartilesJson(Json& json, std::string_view key, const session::Quartiles& q);
void roofJson(Json& json, const runtime::MachineRoof& roof);

}  // namespace descry::cli

// Finding and starting the inspector program, which draws PNG and PDF and opens windows.
#pragma once

#include <string>
#include <vector>

namespace descry::cli {

/// `descry-inspector` beside this program, in ../bin, or in PATH; empty when it is not installed.
std::string findInspector();
/// Replaces this process. Returns only on failure, with the system's reason.
std::string execInspector(const std::string& program, const std::vector<std::string>& arguments);
/// Runs it and waits. Returns its exit code, or -1 when it could not be started.
int runInspector(const std::string& program, const std::vector<std::string>& arguments, bool offscreen);

}  // namespace descry::cli

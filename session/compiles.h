// What holds between the graphs of one compile and the metadata that was recorded with them.
#pragma once

#include <string>
#include <vector>

#include "session/session.h"

namespace descry::session {

struct CompileReport {
  std::string compileId;            ///< as people read it; empty when the file has none
  std::vector<std::string> graphs;  ///< ids of those that were held against one another
  std::vector<ir::Diagnostic> found;
};

/// The compiles of a file of which more than one graph, or a graph and its metadata, is there: joint, forward
/// and backward, or inference. Graphs belong together that follow one another under one compile id. Rules
/// whose graphs are missing are skipped.
std::vector<CompileReport> verifyCompiles(const Document& document);

}  // namespace descry::session

// Descriptors that PyTorch leaves out of a printed joint graph, taken from the forward graph of the same
// compile.
#pragma once

#include <string>
#include <unordered_map>

#include "importers/common/importer.h"
#include "ir/core/graph.h"

namespace descry::session {

/// A printed joint graph names a descriptor only for inputs that have a type, so a Python number that became
/// an input stands without one; the forward graph prints it. This finds that forward graph - the one with the
/// same compile id, or `forward.txt` beside `joint.txt` - and returns name -> descriptor text for the inputs
/// of `joint` that lack one. Empty when nothing is missing or no forward graph is there.
std::unordered_map<std::string, std::string> companionDescriptors(const importers::Input& input, size_t index,
                                                                  const ir::Graph& joint);

}  // namespace descry::session

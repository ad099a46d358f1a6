// What a log tells of inputs of wrapper subclasses and of their sizes.
#pragma once

#include "passes/aot/aot.h"
#include "session/session.h"

namespace descry::session {

/// Adds what the inputs that are tensors of wrapper subclasses hold, and which size symbols are equal because of that. Does
/// nothing for graphs without such inputs.
void addSubclassFacts(const Document& document, const LoadedGraph& graph, passes::CapturedFacts& facts);

}  // namespace descry::session

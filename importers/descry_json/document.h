// The two steps of reading a `descry.graph/1` document: what kind of document it is, then its graphs.
#pragma once

#include <memory>
#include <string_view>

#include "importers/descry_json/descry_json.h"

namespace descry::importers {

/// Reads what stands beside the graphs. False, with an error in `sink`, when this is no document that can be
/// read.
bool readDescryJsonHead(std::string_view text, ir::DiagnosticSink& sink, DescryJsonHead& head);

/// Reads tables and graphs of a document whose head was accepted. `text` must be UTF-8.
std::shared_ptr<ir::Module> readDescryJsonModule(std::string_view text, ir::DiagnosticSink& sink,
                                                 ir::ContextPtr context);

}  // namespace descry::importers

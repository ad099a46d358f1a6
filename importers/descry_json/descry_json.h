// Reads Descry's own JSON form (schema `descry.graph/1`), which keeps everything a graph holds.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "importers/common/importer.h"
#include "ir/core/graph.h"

namespace descry::importers {

/// What stands beside the graphs.
struct DescryJsonHead {
  std::string schema;  ///< `descry.graph/1`
  std::string kind;    ///< record kind of the graph the file was exported from; may be empty
  std::string compileId;
  std::string title;
};

/// Parses a document. Faults go to `sink` with their place; what is sound is kept. Null when the text is not
/// such a document at all (`json-syntax` at the start, `json-not-descry`, `json-newer-schema`). A syntax
/// error further on ends the reading there and marks the graph truncated. Node places (Node::line) are those
/// in the JSON text. Cost: linear in the text.
std::shared_ptr<ir::Module> parseDescryJson(std::string_view text, ir::DiagnosticSink& sink,
                                            ir::ContextPtr context = nullptr, DescryJsonHead* head = nullptr);

extern const Importer kDescryJsonImporter;

}  // namespace descry::importers

#include "importers/common/importer.h"

namespace descry::importers {

ir::Result<std::string> Input::payload(size_t) const {
  return ir::failure("no-payload", "this format keeps no payloads beside its graphs", path_);
}

bool Input::damagedAround() const {
  for (const ir::Diagnostic& d : diagnostics_.all())
    if (d.code == "gzip-damaged") return true;
  return false;
}

bool Input::readInPart() const {
  if (damagedAround()) return true;
  for (const RecordEntry& r : records())
    if (r.lost()) return true;
  return false;
}

std::string Input::hashState(size_t index) const {
  return index < graphs_.size() ? graphs_[index].hashState : "";
}

std::optional<ExportSignature> Input::exportSignature(size_t) const {
  return std::nullopt;
}

std::vector<InputFact> Input::inputFacts(size_t) const {
  return {};
}

}  // namespace descry::importers

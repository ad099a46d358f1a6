#include "importers/common/importer.h"

namespace descry::importers {

ir::Result<std::string> Input::payload(size_t) const {
  return ir::failure("no-payload", "this format keeps no payloads beside its graphs", path_);
}

std::string Input::hashState(size_t index) const {
  return index < graphs_.size() ? graphs_[index].hashState : "";
}

std::vector<InputFact> Input::inputFacts(size_t) const {
  return {};
}

}  // namespace descry::importers

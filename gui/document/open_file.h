// One opened file, folder or standard input, with the snapshots that views of the whole file show.
#pragma once

#include <QString>

#include <memory>
#include <vector>

#include "session/views.h"

namespace descry::gui {

struct OpenFile {
  session::DocumentPtr document;
  QString path;
  std::shared_ptr<const std::vector<session::ExplorerItem>> explorer;  ///< null until its job is done
  bool changedOnDisk = false;
};

/// How much of a file could be read, from its index.
struct ReadSummary {
  int graphs = 0, damagedGraphs = 0;
  int records = 0, damagedRecords = 0;
  int problems = 0;  ///< warnings and errors
  bool whole() const { return damagedGraphs == 0 && damagedRecords == 0 && problems == 0; }
};
ReadSummary readSummary(const session::Document& document);

}  // namespace descry::gui

// One HTML page about a whole input, to send to somebody: graphs, problems, inputs and outputs, drawings,
// texts.
#pragma once

#include <string>

#include "session/session.h"

namespace descry::session {

struct ReportOptions {
  std::string theme = "light";
  uint32_t mostDrawn = 1500;  ///< nodes of a graph up to which a drawing is included
  std::string command;        ///< command line that made the report; may be empty
};

/// Opens from disk without network or scripts.
std::string reportHtml(const Document& document, const ReportOptions& options = {});

}  // namespace descry::session

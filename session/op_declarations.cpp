#include "session/op_declarations.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

namespace descry::session {

ir::Result<std::shared_ptr<const ir::OpRegistry>> readOpDeclarations(const std::vector<std::string>& lines,
                                                                     const std::vector<std::string>& files) {
  std::vector<ir::OpDeclarations> declarations;
  for (const std::string& path : files) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    if (in) text << in.rdbuf();
    // An empty file sets failbit on the output; only reading tells.
    if (!in || in.bad()) return ir::failure("file-unreadable", std::strerror(errno), path);
    declarations.push_back({path, text.str()});
  }
  for (const std::string& line : lines) declarations.push_back({"--op", line});
  if (declarations.empty()) return std::shared_ptr<const ir::OpRegistry>();
  return ir::declareOps(declarations);
}

}  // namespace descry::session

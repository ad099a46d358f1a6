#include "session/op_declarations.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace descry::session {

ir::Result<std::shared_ptr<const ir::OpRegistry>> readOpDeclarations(const std::vector<std::string>& lines,
                                                                     const std::vector<std::string>& files) {
  std::vector<ir::OpDeclarations> declarations;
  for (const std::string& path : files) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error))
      return ir::failure("file-unreadable", "this is a folder; give the file with the declarations", path);
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    if (in) text << in.rdbuf();
    // An empty file sets failbit on the output; only reading tells.
    if (!in || in.bad()) return ir::failure("file-unreadable", std::strerror(errno), path);
    declarations.push_back({path, text.str()});
  }
  for (size_t i = 0; i < lines.size(); ++i)
    declarations.push_back({lines.size() == 1 ? "--op" : "--op " + std::to_string(i + 1), lines[i]});
  if (declarations.empty()) return std::shared_ptr<const ir::OpRegistry>();
  return ir::declareOps(declarations);
}

}  // namespace descry::session

#include "session/op_declarations.h"

#include <cerrno>
#include <cstdlib>
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

namespace {
namespace fs = std::filesystem;

/// `descry.ops` in a folder or the nearest one above it; empty when there is none.
std::string nearest(fs::path folder) {
  while (true) {
    std::error_code ignored;
    const fs::path file = folder / kProjectOps;
    if (fs::is_regular_file(file, ignored)) return file.string();
    if (!folder.has_relative_path()) return {};
    folder = folder.parent_path();
  }
}
}  // namespace

std::vector<std::string> standingDeclarations(const std::string& opened) {
  if (const char* named = std::getenv("DESCRY_OPS"); named) {
    std::vector<std::string> files;
    std::istringstream in(named);
    for (std::string file; std::getline(in, file, ':');)
      if (!file.empty()) files.push_back(file);
    return files;
  }
  std::error_code ec;
  const fs::path here = fs::current_path(ec);
  if (ec) return {};
  std::string found;
  // Standard input has no folder of its own.
  if (!opened.empty() && opened != "-") {
    const fs::path file = (here / opened).lexically_normal();
    found = nearest(fs::is_directory(file, ec) ? file : file.parent_path());
  }
  if (found.empty()) found = nearest(here);
  // Shown as short as a user would name it.
  if (const fs::path near = fs::path(found).lexically_relative(here);
      !found.empty() && !near.empty() && *near.begin() != "..")
    found = near.string();
  return found.empty() ? std::vector<std::string>() : std::vector<std::string>{found};
}

}  // namespace descry::session

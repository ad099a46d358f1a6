#include "cli/support/inspector.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace descry::cli {

namespace fs = std::filesystem;

namespace {

bool runnable(const fs::path& path) {
  std::error_code ec;
  return fs::is_regular_file(path, ec) && ::access(path.c_str(), X_OK) == 0;
}

std::vector<char*> argv(const std::string& program, const std::vector<std::string>& arguments) {
  std::vector<char*> out{const_cast<char*>(program.c_str())};
  for (const std::string& a : arguments) out.push_back(const_cast<char*>(a.c_str()));
  out.push_back(nullptr);
  return out;
}

}  // namespace

std::string findInspector() {
  constexpr const char* kName = "descry-inspector";
  std::error_code ec;
  const fs::path self = fs::read_symlink("/proc/self/exe", ec);
  std::vector<fs::path> places;
  if (!ec) {
    const fs::path folder = self.parent_path();
    places = {folder / kName, folder / ".." / "bin" / kName, folder / ".." / "gui" / kName,
              folder / "gui" / kName};
  }
  for (const fs::path& p : places)
    if (runnable(p)) return p.lexically_normal().string();
  const char* path = std::getenv("PATH");
  std::string rest = path ? path : "";
  while (!rest.empty()) {
    const size_t colon = rest.find(':');
    const fs::path p = fs::path(rest.substr(0, colon)) / kName;
    if (runnable(p)) return p.string();
    rest = colon == std::string::npos ? "" : rest.substr(colon + 1);
  }
  return {};
}

std::string execInspector(const std::string& program, const std::vector<std::string>& arguments) {
  std::signal(SIGPIPE, SIG_DFL);
  std::signal(SIGINT, SIG_DFL);
  ::execv(program.c_str(), argv(program, arguments).data());
  return std::strerror(errno);
}

int runInspector(const std::string& program, const std::vector<std::string>& arguments, bool offscreen) {
  const pid_t child = ::fork();
  if (child < 0) return -1;
  if (child == 0) {
    if (offscreen) ::setenv("QT_QPA_PLATFORM", "offscreen", 1);
    std::signal(SIGPIPE, SIG_DFL);
    ::execv(program.c_str(), argv(program, arguments).data());
    ::_exit(127);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace descry::cli

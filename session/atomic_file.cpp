#include "session/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace descry::session {

namespace {

ir::Diagnostic cannotWrite(const std::string& path, int error) {
  return ir::failure("cannot-write", std::string("cannot write: ") + std::strerror(error), path);
}

int writeAll(int fd, std::string_view content) {
  while (!content.empty()) {
    const ssize_t n = ::write(fd, content.data(), std::min(content.size(), size_t{1} << 26));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n < 0 ? errno : EIO;
    content.remove_prefix(static_cast<size_t>(n));
  }
  return 0;
}

/// Where the links behind `path` end; that file need not exist yet. Empty when they go round in a circle.
std::string endOfLinks(const std::string& path) {
  namespace fs = std::filesystem;
  constexpr int kMostLinks = 40;  // as the kernel
  fs::path at = path;
  for (int i = 0; i < kMostLinks; ++i) {
    std::error_code ec;
    const fs::path target = fs::read_symlink(at, ec);
    if (ec) return at.string();
    at = at.parent_path() / target;  // an absolute target stands alone
  }
  return {};
}

}  // namespace

bool sameFile(const std::string& a, const std::string& b) {
  struct stat first {
  }, second{};
  return ::stat(a.c_str(), &first) == 0 && ::stat(b.c_str(), &second) == 0 && S_ISREG(first.st_mode) &&
         first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

ir::Status writeFileAtomically(const std::string& path, std::string_view content) {
  struct stat info {};
  const bool exists = ::stat(path.c_str(), &info) == 0;
  if (exists && S_ISDIR(info.st_mode)) return cannotWrite(path, EISDIR);
  if (exists && !S_ISREG(info.st_mode)) {
    const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd < 0) return cannotWrite(path, errno);
    const int error = writeAll(fd, content);
    ::close(fd);
    return error ? ir::Status(cannotWrite(path, error)) : ir::Status();
  }
  // Renaming onto a link would replace the link itself.
  const std::string target = endOfLinks(path);
  if (target.empty()) return cannotWrite(path, ELOOP);
  static std::atomic<unsigned> counter{0};
  std::string temporary;
  int fd = -1;
  for (int attempt = 0; fd < 0 && attempt < 100; ++attempt) {
    temporary = target + ".tmp" + std::to_string(::getpid()) + "." + std::to_string(counter++);
    fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0 && errno != EEXIST) break;
  }
  if (fd < 0) return cannotWrite(path, errno);
  int error = writeAll(fd, content);
  if (!error && exists && ::fchmod(fd, info.st_mode & 07777) != 0) error = errno;
  if (::close(fd) != 0 && !error) error = errno;
  if (!error && ::rename(temporary.c_str(), target.c_str()) != 0) error = errno;
  if (!error) return {};
  ::unlink(temporary.c_str());
  return cannotWrite(path, error);
}

}  // namespace descry::session

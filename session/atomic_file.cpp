#include "session/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>

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

}  // namespace

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
  static std::atomic<unsigned> counter{0};
  std::string temporary;
  int fd = -1;
  for (int attempt = 0; fd < 0 && attempt < 100; ++attempt) {
    temporary = path + ".tmp" + std::to_string(::getpid()) + "." + std::to_string(counter++);
    fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0 && errno != EEXIST) break;
  }
  if (fd < 0) return cannotWrite(path, errno);
  int error = writeAll(fd, content);
  if (!error && exists && ::fchmod(fd, info.st_mode & 07777) != 0) error = errno;
  if (::close(fd) != 0 && !error) error = errno;
  if (!error && ::rename(temporary.c_str(), path.c_str()) != 0) error = errno;
  if (!error) return {};
  ::unlink(temporary.c_str());
  return cannotWrite(path, error);
}

}  // namespace descry::session

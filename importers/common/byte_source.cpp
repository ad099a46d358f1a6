#include "importers/common/byte_source.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace descry::importers {
namespace {

int64_t changeTime(const struct stat& s) {
  return static_cast<int64_t>(s.st_mtim.tv_sec) * 1000000000 + s.st_mtim.tv_nsec;
}

ir::Diagnostic systemFailure(const std::string& path, int error) {
  if (error == ENOENT || error == ENOTDIR) return ir::failure("not-found", "no such file or folder", path);
  if (error == EACCES || error == EPERM)
    return ir::failure("no-permission", "no permission to read this", path);
  return ir::failure("read-failed", std::string("cannot be read: ") + std::strerror(error), path);
}

}  // namespace

ByteSource::~ByteSource() {
  if (map_) munmap(map_, bytes_.size());
  if (fd_ >= 0) close(fd_);
}

std::shared_ptr<const ByteSource> ByteSource::fromMemory(std::string content) {
  std::shared_ptr<ByteSource> source(new ByteSource);
  source->owned_ = std::move(content);
  source->bytes_ = source->owned_;
  return source;
}

ir::Result<std::shared_ptr<const ByteSource>> ByteSource::open(const std::string& path) {
  // O_NONBLOCK: a named pipe without a writer must not hang the open.
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return systemFailure(path, errno);
  std::shared_ptr<ByteSource> source(new ByteSource);
  source->fd_ = fd;
  source->path_ = path;
  struct stat info;
  if (fstat(fd, &info) != 0) return systemFailure(path, errno);
  if (!S_ISREG(info.st_mode)) return ir::failure("not-recognised", "not a regular file", path);
  const uint64_t size = static_cast<uint64_t>(info.st_size);
  source->changedNs_ = changeTime(info);
  if (size <= kReadLimit) {
    // Files in /proc say 0 bytes and still hold some, so read to the end rather than `size` bytes.
    source->owned_.resize(size + 1);
    size_t have = 0;
    while (true) {
      if (have == source->owned_.size()) {
        if (have > kReadLimit * 4) break;
        source->owned_.resize(have * 2);
      }
      const ssize_t n = ::read(fd, source->owned_.data() + have, source->owned_.size() - have);
      if (n < 0) {
        if (errno == EINTR) continue;
        return systemFailure(path, errno);
      }
      if (n == 0) break;
      have += static_cast<size_t>(n);
    }
    source->owned_.resize(have);
    source->bytes_ = source->owned_;
    close(fd);
    source->fd_ = -1;
    return std::shared_ptr<const ByteSource>(source);
  }
  void* map = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (map == MAP_FAILED) return systemFailure(path, errno);
  source->map_ = map;
  source->bytes_ = {static_cast<const char*>(map), size};
  return std::shared_ptr<const ByteSource>(source);
}

ir::Status ByteSource::unchanged() const {
  if (!map_) return {};
  struct stat info;
  if (fstat(fd_, &info) != 0) return systemFailure(path_, errno);
  if (static_cast<uint64_t>(info.st_size) < bytes_.size() || changeTime(info) != changedNs_) {
    // A log that only grew is still good up to where it was read.
    if (static_cast<uint64_t>(info.st_size) > bytes_.size()) return {};
    return ir::failure("file-changed", "the file was changed after it was opened; open it again", path_);
  }
  return {};
}

ir::Result<std::string> readStandardInput(uint64_t limit) {
  std::string out;
  while (true) {
    const size_t have = out.size();
    const size_t step = std::max<size_t>(1u << 16, have / 2);
    out.resize(have + step);
    const ssize_t n = ::read(STDIN_FILENO, out.data() + have, step);
    if (n < 0) {
      out.resize(have);
      if (errno == EINTR) continue;
      return systemFailure("<stdin>", errno);
    }
    out.resize(have + static_cast<size_t>(n));
    if (n == 0) return out;
    if (out.size() > limit)
      return ir::failure("too-large", "standard input holds more than can be kept in memory", "<stdin>");
  }
}

}  // namespace descry::importers

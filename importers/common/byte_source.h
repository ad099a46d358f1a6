// The bytes of an input: small files are read, big ones are mapped, so that a log of gigabytes costs no
// memory.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "ir/support/result.h"

namespace descry::importers {

/// Immutable once opened, so it can be read from several threads. A mapped file that shrinks while open would
/// raise SIGBUS on access: call unchanged() before a region of it is read.
class ByteSource {
 public:
  /// Files up to this many bytes are read at once instead of mapped.
  static constexpr uint64_t kReadLimit = 16u << 20;

  /// Errors: `not-found`, `no-permission`, `not-recognised` (not a regular file), `read-failed`.
  static ir::Result<std::shared_ptr<const ByteSource>> open(const std::string& path);
  static std::shared_ptr<const ByteSource> fromMemory(std::string content);
  ~ByteSource();
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  std::string_view bytes() const { return bytes_; }
  /// `file-changed` when a mapped file is no longer as long or as old as it was when opened.
  ir::Status unchanged() const;

 private:
  ByteSource() = default;
  std::string path_;
  std::string owned_;
  std::string_view bytes_;
  void* map_ = nullptr;
  int fd_ = -1;
  int64_t changedNs_ = 0;
};

/// Reads standard input up to `limit` bytes. Error: `too-large`.
ir::Result<std::string> readStandardInput(uint64_t limit);

}  // namespace descry::importers

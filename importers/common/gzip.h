// Unpacking of gzip, with a bound: a small hostile file must not fill the memory.
#pragma once

#include <atomic>
#include <string>
#include <string_view>

#include "ir/support/result.h"

namespace descry::importers {

struct GzipLimits {
  uint64_t bytes = 2ull << 30;      ///< never more than this
  uint64_t freeBytes = 256u << 20;  ///< up to here any ratio is fine
  uint64_t ratio = 200;             ///< above, output may be this many times the input read so far
};

bool looksLikeGzip(std::string_view head);

/// The first `bytes` bytes of the text, or fewer when the file ends or is damaged before: tells what the file
/// is before all of it is unpacked. Empty in a build without zlib.
std::string gunzipHead(std::string_view packed, size_t bytes);

/// All members of a gzip file. A file that ends early, is damaged, or goes on with what is no gzip data
/// (zeros pad tapes and count as nothing) gives what could be unpacked and sets `damaged` to why; only
/// nothing at all is an error. Errors: `gzip-not-built`, `gzip-damaged`, `too-large`, `cancelled`.
ir::Result<std::string> gunzip(std::string_view packed, std::string& damaged, const GzipLimits& limits = {},
                               const std::atomic<bool>* cancel = nullptr);

}  // namespace descry::importers

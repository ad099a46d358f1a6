// Unpacking of gzip, with a bound: a small hostile file must not fill the memory.
#pragma once

#include <atomic>
#include <string>
#include <string_view>

#include "ir/support/result.h"

namespace descry::importers {

struct GzipLimits {
  uint64_t bytes = 2ull << 30;     ///< never more than this
  uint64_t freeBytes = 64u << 20;  ///< up to here any ratio is fine
  uint64_t ratio = 300;            ///< above, output may be this many times the input
};

bool looksLikeGzip(std::string_view head);

/// All members of a gzip file. What follows the last member is ignored. A file that ends early or is damaged
/// gives what could be unpacked and sets `damaged` to why; only nothing at all is an error.
/// Errors: `gzip-not-built`, `gzip-damaged`, `too-large`, `cancelled`.
ir::Result<std::string> gunzip(std::string_view packed, std::string& damaged, const GzipLimits& limits = {},
                               const std::atomic<bool>* cancel = nullptr);

}  // namespace descry::importers

#include "importers/common/gzip.h"

#ifdef DESCRY_HAVE_ZLIB
#include <zlib.h>
#endif

#include <algorithm>

namespace descry::importers {

bool looksLikeGzip(std::string_view head) {
  return head.size() >= 2 && head[0] == '\x1f' && head[1] == '\x8b';
}

#ifdef DESCRY_HAVE_ZLIB

namespace {

enum class Stopped : uint8_t { No, Full, TooLarge, Cancelled };

/// Unpacks up to `most` bytes. `ratio` bounds what lies above `freeBytes`, as the input is read: a bomb is
/// noticed before it fills the memory.
ir::Result<std::string> unpack(std::string_view packed, const GzipLimits& limits, size_t most,
                               std::string& damaged, const std::atomic<bool>* cancel, Stopped& stopped) {
  std::string out;
  z_stream stream{};
  if (inflateInit2(&stream, 15 + 16) != Z_OK) return ir::failure("gzip-damaged", "gzip could not be started");
  size_t at = 0;
  std::string block(std::min<size_t>(most, 1u << 18), '\0');
  stopped = Stopped::No;
  while (true) {
    if (stream.avail_in == 0 && at < packed.size()) {
      const size_t step = std::min<size_t>(packed.size() - at, 1u << 30);
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + at));
      stream.avail_in = static_cast<uInt>(step);
      at += step;
    }
    stream.next_out = reinterpret_cast<Bytef*>(block.data());
    stream.avail_out = static_cast<uInt>(block.size());
    const int state = inflate(&stream, Z_NO_FLUSH);
    const size_t made = block.size() - stream.avail_out;
    const uint64_t consumed = at - stream.avail_in;
    if (out.size() + made > std::min(limits.bytes, std::max(limits.freeBytes, consumed * limits.ratio))) {
      stopped = Stopped::TooLarge;
      break;
    }
    out.append(block.data(), made);
    if (out.size() >= most) {
      stopped = Stopped::Full;
      break;
    }
    if (cancel && cancel->load(std::memory_order_relaxed)) {
      stopped = Stopped::Cancelled;
      break;
    }
    if (state == Z_STREAM_END) {
      const std::string_view rest = packed.substr(consumed);
      if (!looksLikeGzip(rest)) {
        if (rest.find_first_not_of('\0') != std::string_view::npos)
          damaged = "the gzip data is followed by " + std::to_string(rest.size()) + " bytes that are none";
        break;
      }
      if (inflateReset(&stream) != Z_OK) break;
      continue;
    }
    if (state == Z_BUF_ERROR && stream.avail_in == 0 && at >= packed.size()) {
      damaged = "the gzip file ends early";
      break;
    }
    if (state != Z_OK) {
      damaged = std::string("damaged gzip data") + (stream.msg ? std::string(": ") + stream.msg : "");
      break;
    }
  }
  inflateEnd(&stream);
  return out;
}

}  // namespace

std::string gunzipHead(std::string_view packed, size_t bytes) {
  std::string damaged;
  Stopped stopped;
  auto out = unpack(packed, {}, bytes, damaged, nullptr, stopped);
  return out ? std::move(*out) : std::string();
}

ir::Result<std::string> gunzip(std::string_view packed, std::string& damaged, const GzipLimits& limits,
                               const std::atomic<bool>* cancel) {
  damaged.clear();
  Stopped stopped;
  auto out = unpack(packed, limits, static_cast<size_t>(-1), damaged, cancel, stopped);
  if (!out) return out.error();
  if (stopped == Stopped::Cancelled) return ir::failure("cancelled", "cancelled");
  if (stopped == Stopped::TooLarge)
    return ir::failure("too-large", "unpacks to more than " + std::to_string(out->size() >> 20) +
                                        " MiB; unpack it with gunzip and open the result");
  if (out->empty() && !damaged.empty()) return ir::failure("gzip-damaged", damaged);
  return out;
}

#else

std::string gunzipHead(std::string_view, size_t) {
  return {};
}

ir::Result<std::string> gunzip(std::string_view, std::string& damaged, const GzipLimits&,
                               const std::atomic<bool>*) {
  damaged.clear();
  return ir::failure("gzip-not-built",
                     "this build reads no gzip files (zlib was not found); unpack it with gunzip");
}

#endif

}  // namespace descry::importers

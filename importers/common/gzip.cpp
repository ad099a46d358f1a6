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

ir::Result<std::string> gunzip(std::string_view packed, std::string& damaged, const GzipLimits& limits,
                               const std::atomic<bool>* cancel) {
  damaged.clear();
  std::string out;
  z_stream stream{};
  if (inflateInit2(&stream, 15 + 16) != Z_OK) return ir::failure("gzip-damaged", "gzip could not be started");
  const uint64_t allowed = std::min(limits.bytes, std::max(limits.freeBytes, packed.size() * limits.ratio));
  size_t at = 0;
  std::string block(1u << 18, '\0');
  int state = Z_OK;
  bool over = false, stopped = false;
  while (true) {
    if (stream.avail_in == 0 && at < packed.size()) {
      const size_t step = std::min<size_t>(packed.size() - at, 1u << 30);
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + at));
      stream.avail_in = static_cast<uInt>(step);
      at += step;
    }
    stream.next_out = reinterpret_cast<Bytef*>(block.data());
    stream.avail_out = static_cast<uInt>(block.size());
    state = inflate(&stream, Z_NO_FLUSH);
    const size_t made = block.size() - stream.avail_out;
    if (out.size() + made > allowed) {
      over = true;
      break;
    }
    out.append(block.data(), made);
    if (cancel && cancel->load(std::memory_order_relaxed)) {
      stopped = true;
      break;
    }
    if (state == Z_STREAM_END) {
      const bool more = stream.avail_in >= 2 && stream.next_in[0] == 0x1f && stream.next_in[1] == 0x8b;
      if (!more) break;
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
  if (stopped) return ir::failure("cancelled", "cancelled");
  if (over)
    return ir::failure("too-large", "unpacks to more than " + std::to_string(allowed >> 20) +
                                        " MiB; unpack it with gunzip and open the result");
  if (out.empty() && !damaged.empty()) return ir::failure("gzip-damaged", damaged);
  return out;
}

#else

ir::Result<std::string> gunzip(std::string_view, std::string& damaged, const GzipLimits&,
                               const std::atomic<bool>*) {
  damaged.clear();
  return ir::failure("gzip-not-built",
                     "this build reads no gzip files (zlib was not found); unpack it with gunzip");
}

#endif

}  // namespace descry::importers

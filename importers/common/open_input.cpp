#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "importers/common/byte_source.h"
#include "importers/common/folder_input.h"
#include "importers/common/gzip.h"
#include "importers/common/importer.h"
#include "importers/descry_json/descry_json.h"
#include "importers/fx_text/fx_text.h"
#include "importers/torch_trace/header_scan.h"
#include "importers/torch_trace/trace_input.h"
#include "ir/support/unicode.h"

namespace descry::importers {
namespace {

constexpr size_t kHeadBytes = 256u << 10;
constexpr uint64_t kMemoryLimit = 2ull << 30;  // for input that cannot be mapped: pipes, gzip

/// What a file that Descry does not read is, when its first bytes tell.
std::string foreignFormat(std::string_view head) {
  if (head.starts_with("PK\x03\x04"))
    return "a zip archive (torch.export .pt2 or torch.save); Descry does not read archives";
  if (head.starts_with("\x7f"
                       "ELF"))
    return "an ELF binary";
  if (head.starts_with("%PDF")) return "a PDF document";
  if (head.starts_with("\x89PNG")) return "a PNG image";
  if (head.starts_with("\x80\x02") || head.starts_with("\x80\x04"))
    return "a Python pickle; Descry never loads pickles";
  if (head.starts_with("BZh")) return "bzip2 data; unpack it first";
  if (head.starts_with("\xfd"
                       "7zXZ"))
    return "xz data; unpack it first";
  if (head.starts_with("\x28\xb5\x2f\xfd")) return "zstd data; unpack it first";
  const size_t zeros = static_cast<size_t>(std::count(head.begin(), head.end(), '\0'));
  if (zeros * 20 > head.size()) return "binary data";
  return "";
}

/// Shells on Windows write redirected logs as UTF-16 with a byte order mark.
std::string fromUtf16(std::string_view in, bool big) {
  std::string out;
  out.reserve(in.size() / 2);
  const auto unit = [&](size_t i) -> uint32_t {
    const uint32_t a = static_cast<uint8_t>(in[i]), b = static_cast<uint8_t>(in[i + 1]);
    return big ? a << 8 | b : b << 8 | a;
  };
  for (size_t i = 2; i + 1 < in.size(); i += 2) {
    uint32_t c = unit(i);
    if (c >= 0xD800 && c < 0xDC00 && i + 3 < in.size() && unit(i + 2) >= 0xDC00 && unit(i + 2) < 0xE000) {
      c = 0x10000 + ((c - 0xD800) << 10) + (unit(i + 2) - 0xDC00);
      i += 2;
    } else if (c >= 0xD800 && c < 0xE000) {
      c = 0xFFFD;
    }
    ir::appendUtf8(out, c);
  }
  return out;
}

std::string listFormats() {
  std::string out;
  for (const Importer& importer : allImporters())
    out += (out.empty() ? "" : ", ") + std::string(importer.name);
  return out;
}

std::string noGraphMessage() {
  return "no graph or PyTorch log found in it (looked for: " + listFormats() + ")";
}

ir::Result<std::string> readPipe(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return ir::failure(errno == EACCES ? "no-permission" : "read-failed", std::strerror(errno), path);
  std::string out;
  while (true) {
    const size_t have = out.size();
    out.resize(have + std::max<size_t>(1u << 16, have / 2));
    const ssize_t n = ::read(fd, out.data() + have, out.size() - have);
    if (n < 0 && errno == EINTR) {
      out.resize(have);
      continue;
    }
    out.resize(have + static_cast<size_t>(std::max<ssize_t>(n, 0)));
    if (n <= 0 || out.size() > kMemoryLimit) break;
  }
  close(fd);
  if (out.size() > kMemoryLimit)
    return ir::failure("too-large", "holds more than can be kept in memory", path);
  return out;
}

/// Looks behind the head, window by window, for what the head does not hold: a graph or a log after much
/// other text. `lines` gets how many lines stand before the window in which `reason` counts. Cost: linear.
const Importer* sniffFurther(std::string_view bytes, const Progress& progress, std::string& reason,
                             uint64_t& lines) {
  constexpr size_t kOverlap = 16u << 10;  // a class and its function may lie on both sides of a border
  lines = 0;
  for (size_t at = 0; at + kHeadBytes < bytes.size() && !progress.cancelled();) {
    size_t next = at + kHeadBytes - kOverlap;
    // Windows begin with a line; one that is longer than a window is cut.
    if (const size_t nl = bytes.substr(at, next - at).rfind('\n'); nl != std::string_view::npos)
      next = at + nl + 1;
    lines += static_cast<uint64_t>(std::count(bytes.begin() + at, bytes.begin() + next, '\n'));
    at = next;
    const std::string_view window = bytes.substr(at, kHeadBytes);
    // A trace log is known by its first lines, which may stand anywhere in the window.
    for (size_t line = 0; line < window.size();) {
      const size_t end = std::min(window.find('\n', line), window.size());
      size_t jsonAt = 0;
      if (scanHeaderPrefix(window.substr(line, end - line), jsonAt)) {
        if (!kTorchTraceImporter.sniff(window.substr(line), reason)) break;
        lines += static_cast<uint64_t>(std::count(window.begin(), window.begin() + line, '\n'));
        return &kTorchTraceImporter;
      }
      line = end + 1;
    }
    const Importer* found = sniffFormat(window, reason);
    // A document of JSON is one from its first byte on.
    if (found && std::string_view(found->name) != kDescryJsonImporter.name) return found;
  }
  return nullptr;
}

/// `content` holds the bytes when they are no mapped file; they are moved on, never copied.
ir::Result<std::unique_ptr<Input>> openBytes(const std::string& path, std::string_view bytes,
                                             std::optional<std::string> content, const OpenOptions& options) {
  const std::string shown = path == "-" ? options.name : path;
  std::string damaged;
  if (content) bytes = *content;
  if (looksLikeGzip(bytes)) {
    // What is no text at all need not be unpacked to be refused.
    if (options.format.empty())
      if (const std::string foreign = foreignFormat(gunzipHead(bytes, kHeadBytes)); !foreign.empty())
        return ir::failure("not-recognised", "this is " + foreign, shown);
    auto unpacked = gunzip(bytes, damaged, {}, options.progress.cancel);
    if (!unpacked) {
      ir::Diagnostic d = unpacked.error();
      d.file = shown;
      return d;
    }
    content = std::move(*unpacked);
    bytes = *content;
  }
  if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF")) {
    content = fromUtf16(bytes, bytes.starts_with("\xFE\xFF"));
    bytes = *content;
  }
  std::string_view head = bytes.substr(0, kHeadBytes);
  if (head.find('\r') != std::string_view::npos && head.find('\n') == std::string_view::npos) {
    // Line ends of a lone CR.
    if (!content) content.emplace(bytes);
    std::replace(content->begin(), content->end(), '\r', '\n');
    bytes = *content;
    head = bytes.substr(0, kHeadBytes);
  }
  if (head.find_first_not_of(" \t\r\n") == std::string_view::npos && bytes.size() <= kHeadBytes)
    return ir::failure("is-empty", bytes.empty() ? "the file is empty" : "the file holds only blanks", shown);

  const Importer* chosen = nullptr;
  std::string reason;
  bool behind = false;  // the head alone did not say what this is
  if (!options.format.empty()) {
    for (const Importer& importer : allImporters())
      if (options.format == importer.name) chosen = &importer;
    if (!chosen)
      return ir::failure("unknown-format", "no format '" + options.format + "'; known are " + listFormats(),
                         shown);
    reason = "asked for";
  } else {
    if (const std::string foreign = foreignFormat(head); !foreign.empty())
      return ir::failure("not-recognised", "this is " + foreign, shown);
    chosen = sniffFormat(head, reason);
    if (const std::string_view other = otherFramework(head); !chosen && !other.empty())
      return ir::failure("not-recognised", "this is a " + std::string(other) + " program, not a torch graph",
                         shown);
    if (!chosen) {
      uint64_t lines = 0;
      chosen = sniffFurther(bytes, options.progress, reason, lines);
      if (options.progress.cancelled()) return ir::failure("cancelled", "cancelled", shown);
      if (!chosen) return ir::failure("not-recognised", noGraphMessage(), shown);
      reason = "behind " + std::to_string(lines) + " lines of other text: " + reason;
      behind = true;
    }
  }
  const bool mayBeEmpty = behind || bytes.size() <= kHeadBytes;
  OpenOptions inner = options;
  if (inner.name.empty()) inner.name = shown;
  auto input = chosen->open(path, std::move(content), inner);
  if (!input) {
    ir::Diagnostic d = input.error();
    if (d.file.empty()) d.file = shown;
    return d;
  }
  // Plain text may look like a log or a script and still hold nothing.
  const std::string_view format = (*input)->format();
  if (options.format.empty() && (format == "torch-logs" || format == "fx-text") && mayBeEmpty &&
      (*input)->graphs().empty() && (*input)->records().empty())
    return ir::failure("not-recognised", noGraphMessage(), shown);
  (*input)->setOpened(reason, damaged);
  return input;
}

}  // namespace

void Input::setOpened(std::string reason, const std::string& damaged) {
  formatReason_ = std::move(reason);
  if (damaged.empty()) return;
  diagnostics_.setFile(path_);
  diagnostics_.warning("gzip-damaged", {}, damaged + "; what could be unpacked is shown");
}

const Importer* sniffFormat(std::string_view head, std::string& reason) {
  const Importer* best = nullptr;
  int bestScore = 0;
  for (const Importer& importer : allImporters()) {
    std::string why;
    const int score = importer.sniff(head, why);
    if (score > bestScore) {
      bestScore = score;
      best = &importer;
      reason = std::move(why);
    }
  }
  return best;
}

ir::Result<std::unique_ptr<Input>> openInput(const std::string& path, const OpenOptions& given) {
  OpenOptions options = given;
  if (path == "-") {
    if (options.name.empty()) options.name = "<stdin>";
    auto content = readStandardInput(kMemoryLimit);
    if (!content) return content.error();
    return openBytes(path, {}, std::move(*content), options);
  }
  struct stat info;
  if (stat(path.c_str(), &info) == 0) {
    if (S_ISDIR(info.st_mode)) return openFolder(path, options);
    if (S_ISFIFO(info.st_mode)) {
      auto content = readPipe(path);
      if (!content) return content.error();
      return openBytes(path, {}, std::move(*content), options);
    }
  }
  auto source = ByteSource::open(path);
  if (!source) return source.error();
  return openBytes(path, (*source)->bytes(), std::nullopt, options);
}

}  // namespace descry::importers

#include "gui/canvas/png_writer.h"

#include <zlib.h>

#include <QtEndian>

namespace descry::gui {

namespace {

constexpr int kChunk = 1 << 16;
constexpr int kBytesPerPixel = 3;

}  // namespace

struct PngWriter::Deflate {
  z_stream stream{};
  QByteArray out = QByteArray(kChunk, Qt::Uninitialized);
  bool open = false;
};

PngWriter::PngWriter(QIODevice& device, uint32_t width, uint32_t height)
    : device_(device), width_(width), height_(height), deflate_(std::make_unique<Deflate>()) {
  const qsizetype bytes = qsizetype(width) * kBytesPerPixel;
  row_.resize(bytes);
  previous_.fill(0, bytes);
  filtered_.resize(bytes + 1);
  if (deflateInit(&deflate_->stream, 6) != Z_OK) {
    error_ = QStringLiteral("cannot start compression");
    return;
  }
  deflate_->open = true;
  deflate_->stream.next_out = reinterpret_cast<Bytef*>(deflate_->out.data());
  deflate_->stream.avail_out = kChunk;
  static const char signature[] = "\x89PNG\r\n\x1a\n";
  device_.write(signature, 8);
  QByteArray header(13, 0);
  qToBigEndian(width, header.data());
  qToBigEndian(height, header.data() + 4);
  header[8] = 8;  // bits per channel
  header[9] = 2;  // red, green, blue
  chunk("IHDR", header);
}

PngWriter::~PngWriter() {
  if (deflate_->open) deflateEnd(&deflate_->stream);
}

void PngWriter::chunk(const char type[4], const QByteArray& data) {
  QByteArray head(8, 0), tail(4, 0);
  qToBigEndian(uint32_t(data.size()), head.data());
  std::copy(type, type + 4, head.data() + 4);
  uLong crc = crc32(0, reinterpret_cast<const Bytef*>(type), 4);
  if (!data.isEmpty()) crc = crc32(crc, reinterpret_cast<const Bytef*>(data.constData()), uInt(data.size()));
  qToBigEndian(uint32_t(crc), tail.data());
  if (device_.write(head) != head.size() || device_.write(data) != data.size() ||
      device_.write(tail) != tail.size()) {
    if (error_.isEmpty()) error_ = device_.errorString();
  }
}

bool PngWriter::pump(int flush) {
  z_stream& z = deflate_->stream;
  for (;;) {
    const int code = deflate(&z, flush);
    if (code == Z_STREAM_ERROR) {
      error_ = QStringLiteral("compression failed");
      return false;
    }
    const bool full = z.avail_out == 0, done = flush == Z_FINISH && code == Z_STREAM_END;
    if (full || done) {
      chunk("IDAT", deflate_->out.left(kChunk - int(z.avail_out)));
      z.next_out = reinterpret_cast<Bytef*>(deflate_->out.data());
      z.avail_out = kChunk;
    }
    if (!error_.isEmpty()) return false;
    if (done || (flush == Z_NO_FLUSH && !full)) return true;
  }
}

bool PngWriter::addRow(const QRgb* pixels) {
  if (!error_.isEmpty() || rows_ == height_) return false;
  uchar* row = reinterpret_cast<uchar*>(row_.data());
  for (uint32_t x = 0; x < width_; ++x) {
    row[3 * x] = uchar(qRed(pixels[x]));
    row[3 * x + 1] = uchar(qGreen(pixels[x]));
    row[3 * x + 2] = uchar(qBlue(pixels[x]));
  }
  // Filter "up": drawings repeat from row to row.
  filtered_[0] = 2;
  const uchar* above = reinterpret_cast<const uchar*>(previous_.constData());
  uchar* out = reinterpret_cast<uchar*>(filtered_.data()) + 1;
  for (qsizetype i = 0; i < row_.size(); ++i) out[i] = uchar(row[i] - above[i]);
  row_.swap(previous_);
  ++rows_;
  deflate_->stream.next_in = reinterpret_cast<Bytef*>(filtered_.data());
  deflate_->stream.avail_in = uInt(filtered_.size());
  return pump(Z_NO_FLUSH);
}

bool PngWriter::finish() {
  if (rows_ != height_ && error_.isEmpty()) error_ = QStringLiteral("rows are missing");
  if (!error_.isEmpty() || !pump(Z_FINISH)) return false;
  chunk("IEND", {});
  return error_.isEmpty();
}

}  // namespace descry::gui

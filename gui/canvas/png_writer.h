// Writes a PNG row by row, so that pictures larger than memory can be exported.
#pragma once

#include <QIODevice>
#include <QImage>
#include <QString>
#include <memory>

namespace descry::gui {

class PngWriter {
 public:
  /// Writes the header. `device` must be open for writing and outlive the writer.
  PngWriter(QIODevice& device, uint32_t width, uint32_t height);
  ~PngWriter();
  /// Adds rows of 32 bit pixels, `width` of them per row; alpha is dropped.
  bool addRow(const QRgb* pixels);
  /// Ends the file; false if anything failed or rows are missing.
  bool finish();
  QString error() const { return error_; }

 private:
  struct Deflate;
  void chunk(const char type[4], const QByteArray& data);
  bool pump(int flush);

  QIODevice& device_;
  uint32_t width_, height_, rows_ = 0;
  QByteArray row_, previous_, filtered_;
  std::unique_ptr<Deflate> deflate_;
  QString error_;
};

}  // namespace descry::gui

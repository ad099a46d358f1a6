#include "gui/canvas/scene_render.h"

#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <algorithm>
#include <cmath>

#include "gui/canvas/legend.h"
#include "gui/canvas/png_writer.h"
#include "gui/canvas/scene_painter.h"
#include "gui/canvas/scene_topology.h"

namespace descry::gui {

namespace {

constexpr int kBand = 256;         // rows drawn at a time
constexpr int kTile = 8192;        // QPainter's raster engine draws up to 32767 pixels from the origin
constexpr double kMostSide = 1e9;  // pixels

struct Job {
  Job(const ir::Scene& scene, const RenderOptions& o)
      : topology(scene),
        index(scene, topology),
        painter(scene, index, topology, interfaceFont()),
        options(o) {
    painter.setStyle(o.theme, o.colourMode, o.symbolicEdges, o.heat);
    painter.setMarks(o.marks);
    area = o.area;
    if (area.isEmpty()) {
      area = index.bounds().isEmpty() ? QRectF(0, 0, 1, 1) : index.bounds();
      area.adjust(-o.margin, -o.margin, o.margin, o.margin);
      if (o.title && !scene.title.empty()) area.adjust(0, -30 / scale(), 0, 0);
    }
    if (o.legend) {
      legend = std::make_unique<LegendPicture>(scene, painter.colours(), o.theme, o.symbolicEdges,
                                               painter.heat().get());
      // Below the drawing, never over it; only a picture of a given part keeps its size.
      if (o.area.isEmpty()) {
        area.setHeight(area.height() + (legend->size().height() + 12) / scale());
        area.setWidth(std::max(area.width(), (legend->size().width() + 24) / scale()));
      } else if (legend->size().width() > size().width() || legend->size().height() * 2 > size().height()) {
        legend.reset();
      }
    }
    if (o.title) title = QString::fromStdString(scene.title);
  }

  double scale() const { return std::isfinite(options.scale) && options.scale > 0 ? options.scale : 1; }
  QSize size() const {
    auto side = [&](double units) { return int(std::clamp(std::ceil(units * scale()), 1.0, kMostSide)); };
    return {side(area.width()), side(area.height())};
  }
  Camera camera(QPointF origin) const {
    const QPointF corner = area.topLeft() * scale();
    return {scale(), QPointF(-std::floor(corner.x()), -std::floor(corner.y())) - origin};
  }
  // A part of the picture whose top left corner is at `origin`.
  void draw(QImage& image, QPoint origin) {
    painter.paint(image, image.rect(), camera(origin), 1);
    QPainter p(&image);
    p.translate(-origin);
    decorate(p);
  }
  void decorate(QPainter& p) const {
    if (legend) legend->paint(p, QPointF(12, size().height() - legend->size().height() - 12));
    if (!title.isEmpty()) {
      QFont font = interfaceFont();
      font.setPixelSize(14);
      font.setWeight(QFont::DemiBold);
      p.setFont(font);
      p.setPen(options.theme.text);
      p.drawText(QRectF(14, 6, size().width() - 28, 26),
                 Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, title);
    }
  }
  bool goOn(double fraction) const { return !options.progress || options.progress(fraction); }

  SceneTopology topology;
  SceneIndex index;
  ScenePainter painter;
  const RenderOptions& options;
  QRectF area;
  std::unique_ptr<LegendPicture> legend;
  QString title;
};

bool fail(QString* error, const QString& text) {
  if (error) *error = text;
  return false;
}

}  // namespace

QSize renderSize(const ir::Scene& scene, const RenderOptions& options) {
  return Job(scene, options).size();
}

QImage renderScene(const ir::Scene& scene, const RenderOptions& options) {
  Job job(scene, options);
  const QSize size = job.size();
  if (qint64(size.width()) * size.height() * 4 > kMaxImageBytes) return {};
  QImage image(size, QImage::Format_RGB32);
  if (image.isNull()) return {};
  if (size.width() <= kTile && size.height() <= kTile) {
    job.draw(image, {0, 0});
    return image;
  }
  for (int y = 0; y < size.height(); y += kTile) {
    for (int x = 0; x < size.width(); x += kTile) {
      if (!job.goOn(double(y) / size.height())) return {};
      // A view of the part, which writes into the same memory.
      QImage part(image.scanLine(y) + qsizetype(x) * 4, std::min(kTile, size.width() - x),
                  std::min(kTile, size.height() - y), image.bytesPerLine(), QImage::Format_RGB32);
      job.draw(part, {x, y});
    }
  }
  return image;
}

bool renderPng(const ir::Scene& scene, const QString& path, const RenderOptions& options, QString* error) {
  Job job(scene, options);
  const QSize size = job.size();
  QSaveFile file(path);
  if (!file.open(QIODevice::WriteOnly)) return fail(error, file.errorString());
  PngWriter png(file, uint32_t(size.width()), uint32_t(size.height()));
  // A band may be very wide; keep it below 64 MiB.
  const int rows = int(std::clamp<qint64>((qint64(1) << 24) / size.width(), 1, kBand));
  std::vector<QImage> tiles;
  for (int y = 0; y < size.height(); y += rows) {
    if (!job.goOn(double(y) / size.height())) return fail(error, QStringLiteral("stopped"));
    const int height = std::min(rows, size.height() - y);
    const size_t columns = size_t((size.width() + kTile - 1) / kTile);
    tiles.resize(columns);
    for (size_t c = 0; c < columns; ++c) {
      const int x = int(c) * kTile;
      QImage& tile = tiles[c];
      const QSize wanted(std::min(kTile, size.width() - x), height);
      if (tile.size() != wanted) tile = QImage(wanted, QImage::Format_RGB32);
      if (tile.isNull()) return fail(error, QStringLiteral("not enough memory"));
      job.draw(tile, {x, y});
    }
    std::vector<QRgb> line(size_t(size.width()));
    for (int r = 0; r < height; ++r) {
      auto out = line.begin();
      for (const QImage& tile : tiles) {
        const QRgb* from = reinterpret_cast<const QRgb*>(tile.constScanLine(r));
        out = std::copy(from, from + tile.width(), out);
      }
      if (!png.addRow(line.data())) return fail(error, png.error());
    }
  }
  if (!png.finish()) return fail(error, png.error());
  return file.commit() || fail(error, file.errorString());
}

bool renderPdf(const ir::Scene& scene, const QString& path, const RenderOptions& options, QString* error) {
  Job job(scene, options);
  QSaveFile file(path);
  if (!file.open(QIODevice::WriteOnly)) return fail(error, file.errorString());
  if (!job.goOn(0)) return fail(error, QStringLiteral("stopped"));
  {
    QPdfWriter pdf(&file);
    pdf.setCreator(QStringLiteral("Descry"));
    pdf.setTitle(QString::fromStdString(scene.title));
    // One pixel of the picture is 1/96 inch; readers accept pages of up to 200 inches.
    const QSizeF inches = QSizeF(job.size()) / 96.0;
    const double shrink = std::min(1.0, 200 / std::max(inches.width(), inches.height()));
    pdf.setResolution(1200);
    if (!pdf.setPageSize(QPageSize(inches * shrink, QPageSize::Inch, {}, QPageSize::ExactMatch)) ||
        !pdf.setPageMargins(QMarginsF(0, 0, 0, 0))) {
      return fail(error, QStringLiteral("the page size is not supported"));
    }
    QPainter p;
    if (!p.begin(&pdf)) return fail(error, QStringLiteral("cannot write the page"));
    p.scale(1200 / 96.0 * shrink, 1200 / 96.0 * shrink);
    View view{job.camera({0, 0}), 1, QRectF(QPointF(), QSizeF(job.size())), true};
    job.painter.paintVector(p, view);
    job.decorate(p);
    if (!p.end()) return fail(error, QStringLiteral("cannot write the page"));
  }
  return file.commit() || fail(error, file.errorString());
}

}  // namespace descry::gui

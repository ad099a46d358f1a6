#include "gui/canvas/legend.h"

#include <QFontMetricsF>
#include <QMouseEvent>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <set>

#include "gui/canvas/node_shapes.h"

namespace descry::gui {

namespace {

constexpr double kPad = 10, kSample = 26, kGap = 8, kBetween = 8;
constexpr size_t kMostRows = 16;
constexpr double kScaleBar = 12, kLeastScale = 250, kArrow = 7;

double rowHeight(const QFont& font) {
  return std::ceil(QFontMetricsF(font).height() + 4);
}

QFont legendFont() {
  QFont font = interfaceFont();
  font.setPixelSize(11);
  return font;
}

double scaleHeight(const QFont& font) {
  return 3 * rowHeight(font) + kScaleBar + kArrow + 4;
}

void paintFrame(QPainter& painter, const QRectF& rect, const Theme& theme) {
  painter.setRenderHint(QPainter::Antialiasing, true);
  painter.setPen(QPen(theme.overlayBorder, 1));
  QColor ground = theme.overlay;
  ground.setAlpha(255);  // two texts over each other cannot be read
  painter.setBrush(ground);
  painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
}

}  // namespace

LegendPicture::LegendPicture(const ir::Scene& scene, const BoxColourTable& colours, const Theme& theme,
                             bool symbolicEdges, const ir::Heat* heat)
    : theme_(theme), font_(legendFont()) {
  Column meaning, shapes;  // fills and lines; shapes
  for (const auto& e : colours.entries) {
    if (e.count == 0 || e.kind == ir::ColourKind::Heat) continue;
    // Inputs and outputs are shown in their own shape.
    const bool input = e.kind == ir::ColourKind::Input || e.kind == ir::ColourKind::SavedInput ||
                       e.name == roleName(ir::NodeRole::Input);
    const bool output = e.kind == ir::ColourKind::Output || e.name == roleName(ir::NodeRole::Output);
    const ir::NodeRole shape = input    ? ir::NodeRole::Input
                               : output ? ir::NodeRole::Output
                                        : ir::NodeRole::Compute;
    meaning.push_back({Row::Fill, int(fills_.size()), e.name, shape});
    fills_.push_back(e.normal);
  }
  std::set<ir::NodeRole> roles;
  bool backward = false;
  // A scale is read for its numbers: shapes and lines mean what they do in the other colours.
  for (const ir::SceneNode& n : scene.nodes) {
    if (heat) break;
    roles.insert(n.role);
    backward = backward || n.phase == ir::Phase::Backward;
  }
  for (const Row& row : meaning) roles.erase(row.shape);
  roles.erase(ir::NodeRole::Compute);
  for (ir::NodeRole role : roles) shapes.push_back({Row::Shape, int(role), roleName(role)});
  std::set<ir::EdgeKind> kinds;
  for (const ir::SceneEdge& e : scene.edges) {
    if (heat) break;
    if (e.kind != ir::EdgeKind::SymbolicSize || symbolicEdges) kinds.insert(e.kind);
  }
  if (kinds.size() > 1 || (kinds.size() == 1 && *kinds.begin() != ir::EdgeKind::Data)) {
    for (ir::EdgeKind kind : kinds) meaning.push_back({Row::Line, int(kind), edgeKindName(kind)});
  }
  if (!colours.note.isEmpty()) meaning.push_back({Row::Note, 0, colours.note});
  if (backward) shapes.push_back({Row::Note, 0, QStringLiteral("cut corner: backward")});
  if (!heat && !scene.groupSource.empty() && !scene.groups.empty()) {
    shapes.push_back({Row::Note, 0, QStringLiteral("groups: ") + QString::fromStdString(scene.groupSource)});
  }
  const QFontMetricsF metrics(font_);
  size_t most = 0;
  double total = kPad;
  for (Column* column : {&meaning, &shapes}) {
    if (column->empty()) continue;
    if (column->size() > kMostRows) column->resize(kMostRows);
    double width = 0;
    for (const Row& r : *column) {
      width = std::max(width, metrics.horizontalAdvance(r.text) + (r.kind == Row::Note ? 0 : kSample + kGap));
    }
    most = std::max(most, column->size());
    total += width + kPad + (columns_.empty() ? 0 : kBetween);
    columns_.push_back(std::move(*column));
    widths_.push_back(width);
  }
  double height = rowHeight(font_) * double(most) + 2 * kPad - 4;
  if (heat) {
    scale_ = {heat->scale, QString::fromStdString(heat->title), {}};
    double labels = 0;
    for (const ir::Heat::Tick& t : heat->ticks) {
      scale_->ticks.emplace_back(t.at, QString::fromStdString(t.text));
      labels += metrics.horizontalAdvance(scale_->ticks.back().second) + 18;
    }
    scaleWidth_ = std::max({kLeastScale, labels, metrics.horizontalAdvance(scale_->title), total - 2 * kPad});
    total = std::max(total, scaleWidth_ + 2 * kPad);
    height += scaleHeight(font_);
  }
  if (most > 0 || heat) size_ = QSize(int(std::ceil(total)), int(std::ceil(height)));
}

QRectF LegendPicture::scaleRect() const {
  return scale_ ? QRectF(kPad, kPad - 2 + 2 * rowHeight(font_) + kArrow, scaleWidth_, kScaleBar) : QRectF();
}

/// Title, room for the mark, colours, numbers.
void LegendPicture::paintScale(QPainter& painter, QPointF at) const {
  const double row = rowHeight(font_);
  painter.setFont(font_);
  painter.setPen(theme_.overlayText);
  painter.drawText(QRectF(at.x() + kPad, at.y() + kPad - 2, scaleWidth_, row),
                   Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, scale_->title);
  const QRectF bar = scaleRect().translated(at);
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setPen(Qt::NoPen);
  for (int i = 0; i < ir::kHeatSteps; ++i) {
    const double left = std::round(bar.left() + bar.width() * i / ir::kHeatSteps);
    const double right = std::round(bar.left() + bar.width() * (i + 1) / ir::kHeatSteps);
    painter.setBrush(QColor::fromRgb(ir::heatColour(scale_->kind, i)));
    painter.drawRect(QRectF(left, bar.top(), right - left, bar.height()));
  }
  painter.setRenderHint(QPainter::Antialiasing, true);
  painter.setPen(QPen(theme_.overlayMuted, 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(bar.adjusted(-0.5, -0.5, 0.5, 0.5));
  const QFontMetricsF metrics(font_);
  for (const auto& [place, text] : scale_->ticks) {
    const double x = bar.left() + bar.width() * place, width = metrics.horizontalAdvance(text) + 1;
    painter.setPen(QPen(theme_.overlayMuted, 1));
    painter.drawLine(QPointF(x, bar.bottom()), QPointF(x, bar.bottom() + 3));
    const double left = std::clamp(x - width / 2, bar.left(), bar.right() - width);
    painter.setPen(theme_.overlayText);
    painter.drawText(QRectF(left, bar.bottom() + 2, width, row),
                     Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, text);
  }
}

void LegendPicture::paintMark(QPainter& painter, float place, const QString& text) const {
  const QRectF bar = scaleRect();
  if (bar.isEmpty() || place < 0) return;
  painter.setRenderHint(QPainter::Antialiasing, true);
  const double x = bar.left() + bar.width() * double(place), row = rowHeight(font_);
  painter.setPen(QPen(theme_.overlayText, 2));
  painter.drawLine(QPointF(x, bar.top() - 3), QPointF(x, bar.bottom() + 1));
  QPolygonF arrow;
  arrow << QPointF(x - 5, bar.top() - 7) << QPointF(x + 5, bar.top() - 7) << QPointF(x, bar.top() - 1);
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme_.overlayText);
  painter.drawPolygon(arrow);
  painter.setFont(font_);
  const QFontMetricsF metrics(font_);
  const double width = std::min(metrics.horizontalAdvance(text) + 1, bar.width());
  painter.setPen(theme_.overlayText);
  painter.drawText(QRectF(std::clamp(x - width / 2, bar.left(), bar.right() - width),
                          bar.top() - kArrow - row, width, row),
                   Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                   metrics.elidedText(text, Qt::ElideRight, width));
}

QString LegendPicture::description() const {
  QStringList words;
  if (scale_) {
    words << scale_->title;
    for (const auto& tick : scale_->ticks) words << tick.second;
  }
  for (const Column& column : columns_) {
    for (const Row& r : column) words << r.text;
  }
  return words.join(QStringLiteral(", "));
}

void LegendPicture::paint(QPainter& painter, QPointF at) const {
  if (columns_.empty() && !scale_) return;
  paintFrame(painter, QRectF(at, QSizeF(size_)), theme_);
  if (scale_) {
    paintScale(painter, at);
    at.ry() += scaleHeight(font_);
  }
  const double height = rowHeight(font_);
  double x = at.x() + kPad;
  for (size_t c = 0; c < columns_.size(); ++c) {
    double y = at.y() + kPad - 2;
    for (const Row& r : columns_[c]) {
      double textLeft = x;
      if (r.kind != Row::Note) {
        paintSample(painter, QRectF(std::round(x) + 0.5, std::round(y + height / 2 - 6) + 0.5, kSample, 12),
                    r);
        textLeft += kSample + kGap;
      }
      painter.setFont(font_);
      painter.setPen(r.kind == Row::Note ? theme_.overlayMuted : theme_.overlayText);
      painter.drawText(QRectF(textLeft, y, widths_[c] + 2, height),
                       Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, r.text);
      y += height;
    }
    x += widths_[c] + kPad + kBetween;
  }
}

void LegendPicture::paintSample(QPainter& painter, const QRectF& at, const Row& row) const {
  painter.setRenderHint(QPainter::Antialiasing, true);
  if (row.kind == Row::Line) {
    const auto kind = ir::EdgeKind(row.value);
    QPen pen(theme_.edgeColour(kind), 1.4, Qt::SolidLine, Qt::FlatCap);
    if (kind == ir::EdgeKind::Alias) pen.setStyle(Qt::DotLine);
    if (kind == ir::EdgeKind::Mutation) pen.setStyle(Qt::DashDotLine);
    if (kind == ir::EdgeKind::Control) pen.setStyle(Qt::DashLine), pen.setWidthF(0.9);
    if (kind == ir::EdgeKind::SymbolicSize) pen.setWidthF(0.6);
    painter.setPen(pen);
    const double y = std::round(at.center().y()) + 0.5;
    if (kind == ir::EdgeKind::Saved) {
      painter.drawLine(QPointF(at.left(), y - 2), QPointF(at.right(), y - 2));
      painter.drawLine(QPointF(at.left(), y + 2), QPointF(at.right(), y + 2));
    } else {
      painter.drawLine(QPointF(at.left(), y), QPointF(at.right(), y));
    }
    return;
  }
  const bool fill = row.kind == Row::Fill;
  const NodeShape shape =
      nodeShape(at.adjusted(0, 0, -1, -1), fill ? row.shape : ir::NodeRole(row.value), ir::Phase::None, 0.6);
  painter.setBrush(fill ? fills_[size_t(row.value)].fill : QColor(Qt::transparent));
  painter.setPen(QPen(fill ? fills_[size_t(row.value)].outline : theme_.overlayMuted, 1));
  painter.drawPath(shape.outline);
  painter.drawPath(shape.marks);
  if (!shape.dot.isEmpty()) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme_.overlayMuted);
    painter.drawEllipse(shape.dot);
  }
}

LegendWidget::LegendWidget(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("canvasLegend"));
  setFocusPolicy(Qt::NoFocus);
  setAccessibleName(tr("Legend"));
  setToolTip(tr("Click to fold the legend"));
}

void LegendWidget::setPicture(const LegendPicture& picture, const Theme& theme) {
  picture_ = std::make_unique<LegendPicture>(picture);
  theme_ = theme;
  setAccessibleDescription(picture_->description());
  fit();
}

void LegendWidget::setMark(float at, const QString& text) {
  if (at == mark_ && text == markText_) return;
  mark_ = at;
  markText_ = text;
  setAccessibleDescription(
      picture_ ? picture_->description() + (at >= 0 ? tr("; marked: %1").arg(text) : QString()) : QString());
  update();
}

void LegendWidget::setFolded(bool folded) {
  folded_ = folded;
  fit();
}

void LegendWidget::suggestFolded(bool folded) {
  if (!chosen_ && folded != folded_) setFolded(folded);
}

void LegendWidget::fit() {
  const QFont font = legendFont();
  const QSize closed(int(QFontMetricsF(font).horizontalAdvance(tr("Legend")) + 2 * kPad),
                     int(rowHeight(font) + 6));
  resize(folded_ ? closed : openSize());
  drawn_ = {};
  update();
}

void LegendWidget::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  if (!folded_) {
    if (!picture_) return;
    if (drawn_.isNull() || drawn_.devicePixelRatio() != devicePixelRatioF()) {
      drawn_ = QPixmap(size() * devicePixelRatioF());
      drawn_.setDevicePixelRatio(devicePixelRatioF());
      drawn_.fill(Qt::transparent);
      QPainter once(&drawn_);
      picture_->paint(once, {0, 0});
    }
    painter.drawPixmap(0, 0, drawn_);
    if (mark_ >= 0) picture_->paintMark(painter, mark_, markText_);
    return;
  }
  paintFrame(painter, rect(), theme_);
  painter.setFont(legendFont());
  painter.setPen(theme_.overlayMuted);
  painter.drawText(rect(), Qt::AlignCenter, tr("Legend"));
}

void LegendWidget::mousePressEvent(QMouseEvent* event) {
  const int bottom = geometry().bottom();
  chosen_ = true;
  setFolded(!folded_);
  move(x(), bottom - height() + 1);
  event->accept();
}

}  // namespace descry::gui

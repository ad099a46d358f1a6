#include "gui/panels/timings/time_picture.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

#include "gui/models/table_model.h"
#include "ir/annotations/heat.h"

namespace descry::gui {

TimePicture::TimePicture(Kind kind, QWidget* parent) : QWidget(parent), kind_(kind) {
  setAccessibleName(kind == Kind::Icicle ? tr("Time by module") : tr("Time by op"));
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setMinimumSize(160, 80);
}

void TimePicture::setTheme(const Theme& theme) {
  theme_ = theme;
  update();
}

void TimePicture::show(session::TimeTree tree, const QString& text) {
  tree_ = std::move(tree);
  text_ = text;
  hovered_ = current_ = -1;
  arrange();
}

void TimePicture::arrange() {
  const QRectF area = QRectF(rect()).adjusted(8, 6, -8, -8);
  boxes_ = kind_ == Kind::Icicle ? icicleBoxes(tree_, area) : treemapBoxes(tree_, area);
  QStringList words;
  for (const TimeBox& b : boxes_)
    if (words.size() < 40) words << this->words(b);
  setAccessibleDescription(boxes_.empty() ? text_ : words.join(QStringLiteral("; ")));
  update();
}

QString TimePicture::words(const TimeBox& box) const {
  const session::TimeTree::Item& item = tree_.items[static_cast<size_t>(box.item)];
  const double all = tree_.items[0].seconds;
  if (box.more > 1) {
    double sum = 0;
    for (int i = 0; i < box.more; ++i) sum += tree_.items[static_cast<size_t>(box.item + i)].seconds;
    return tr("%1 more: %2, %3 %")
        .arg(box.more)
        .arg(toQString(session::secondsText(sum)))
        .arg(all > 0 ? sum / all * 100 : 0, 0, 'f', 1);
  }
  return tr("%1: %2, %3 %")
      .arg(toQString(item.path.empty() ? item.name : item.path),
           toQString(session::secondsText(item.seconds)))
      .arg(all > 0 ? item.seconds / all * 100 : 0, 0, 'f', 1);
}

void TimePicture::setSelected(const std::vector<ir::NodeId>& nodes) {
  selected_ = nodes;
  update();
}

void TimePicture::paintEvent(QPaintEvent*) {
  QPainter p(this);
  if (boxes_.empty()) {
    p.setPen(theme_.mutedText);
    p.drawText(rect().adjusted(10, 6, -10, -6), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, text_);
    return;
  }
  const double all = tree_.items[0].seconds;
  // The slowest box without others below it is the brightest: those around it hold more, whatever they are.
  std::vector<bool> holds(tree_.items.size(), false);
  for (const session::TimeTree::Item& item : tree_.items)
    if (item.parent >= 0) holds[static_cast<size_t>(item.parent)] = true;
  double most = 0;
  for (const TimeBox& b : boxes_)
    if (b.depth > 0 && !holds[static_cast<size_t>(b.item)])
      most = std::max(most, tree_.items[static_cast<size_t>(b.item)].seconds);
  const QFontMetricsF metrics(font());
  for (size_t i = 0; i < boxes_.size(); ++i) {
    const TimeBox& b = boxes_[i];
    const session::TimeTree::Item& item = tree_.items[static_cast<size_t>(b.item)];
    const QRectF box = b.rect.adjusted(0.5, 0.5, -0.5, -0.5);
    QColor fill = theme_.groupFillAt(b.depth);
    if (b.depth > 0 && !holds[static_cast<size_t>(b.item)])
      fill = QColor::fromRgb(
          ir::heatColour(ir::Heat::Scale::Sequential,
                         ir::heatStep(static_cast<float>(item.seconds / std::max(most, 1e-300)))));
    p.fillRect(box, fill);
    const bool selected = std::any_of(item.nodes.begin(), item.nodes.end(), [this](ir::NodeId n) {
      return std::find(selected_.begin(), selected_.end(), n) != selected_.end();
    });
    p.setBrush(Qt::NoBrush);
    p.setPen(selected ? QPen(theme_.selection, 2)
             : static_cast<int>(i) == hovered_ || (hasFocus() && static_cast<int>(i) == current_)
                 ? QPen(theme_.hover, 2)
                 : QPen(theme_.canvas, 1));
    p.drawRect(box);
    if (box.width() < 28 || box.height() < metrics.height()) continue;
    const QRectF room = box.adjusted(5, 0, -4, 0);
    p.setPen(b.depth == 0 || holds[static_cast<size_t>(b.item)] ? theme_.text
             : fill.lightnessF() > 0.52                         ? QColor(0x10, 0x14, 0x1A)
                                                                : QColor(Qt::white));
    QString label = b.more > 1 ? tr("%1 more").arg(b.more) : toQString(item.name);
    const QString time = toQString(session::secondsText(item.seconds));
    const bool two = kind_ == Kind::Treemap && box.height() >= 2.2 * metrics.height();
    if (!two && metrics.horizontalAdvance(label + QStringLiteral("  ") + time) <= room.width() && b.more < 2)
      label += QStringLiteral("  ") + time;
    if (two) {
      p.drawText(room.adjusted(0, 3, 0, 0), Qt::AlignLeft | Qt::AlignTop | Qt::TextSingleLine,
                 metrics.elidedText(label, Qt::ElideRight, room.width()));
      p.drawText(
          room.adjusted(0, 3 + metrics.height(), 0, 0), Qt::AlignLeft | Qt::AlignTop | Qt::TextSingleLine,
          metrics.elidedText(
              QStringLiteral("%1, %2 %").arg(time).arg(all > 0 ? item.seconds / all * 100 : 0, 0, 'f', 0),
              Qt::ElideRight, room.width()));
    } else {
      p.drawText(room, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                 metrics.elidedText(label, Qt::ElideRight, room.width()));
    }
  }
}

void TimePicture::resizeEvent(QResizeEvent*) {
  arrange();
}

int TimePicture::boxAt(QPointF position) const {
  for (size_t i = 0; i < boxes_.size(); ++i)
    if (boxes_[i].rect.contains(position)) return static_cast<int>(i);
  return -1;
}

void TimePicture::mousePressEvent(QMouseEvent* event) {
  current_ = boxAt(event->position());
  if (current_ >= 0) emit chosen(nodesOf(tree_, boxes_[static_cast<size_t>(current_)]));
  update();
}

void TimePicture::mouseMoveEvent(QMouseEvent* event) {
  const int at = boxAt(event->position());
  if (at == hovered_) return;
  hovered_ = at;
  if (at >= 0)
    QToolTip::showText(event->globalPosition().toPoint(), words(boxes_[static_cast<size_t>(at)]), this);
  else
    QToolTip::hideText();
  update();
}

void TimePicture::keyPressEvent(QKeyEvent* event) {
  const int count = static_cast<int>(boxes_.size());
  const bool next = event->key() == Qt::Key_Right || event->key() == Qt::Key_Down;
  const bool before = event->key() == Qt::Key_Left || event->key() == Qt::Key_Up;
  if (count > 0 && (next || before)) {
    current_ = current_ < 0 ? 0 : (current_ + (next ? 1 : count - 1)) % count;
    setToolTip(words(boxes_[static_cast<size_t>(current_)]));
    update();
  } else if (current_ >= 0 && current_ < count &&
             (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)) {
    emit chosen(nodesOf(tree_, boxes_[static_cast<size_t>(current_)]));
  } else {
    QWidget::keyPressEvent(event);
  }
}

void TimePicture::leaveEvent(QEvent*) {
  hovered_ = -1;
  update();
}

}  // namespace descry::gui

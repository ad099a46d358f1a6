#include "gui/app/palette_dialog.h"

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>

namespace descry::gui {
namespace {

constexpr int kWidth = 620, kRows = 12, kRowHeight = 34;

/// Title left, key right, section or reason in the muted colour.
class EntryDelegate final : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override {
    return {kWidth, kRowHeight};
  }
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    painter->save();
    const bool selected = option.state & QStyle::State_Selected;
    const QPalette& p = option.palette;
    if (selected) {
      painter->setRenderHint(QPainter::Antialiasing);
      painter->setPen(Qt::NoPen);
      painter->setBrush(p.color(QPalette::Highlight));
      painter->drawRoundedRect(option.rect.adjusted(6, 1, -6, -1), 6, 6);
    }
    const QString unavailable = index.data(PaletteModel::kUnavailableRole).toString();
    const QColor ink = selected ? p.color(QPalette::HighlightedText) : p.color(QPalette::Text);
    QColor muted = selected ? ink : p.color(QPalette::PlaceholderText);
    QRect box = option.rect.adjusted(16, 0, -16, 0);
    const QString key = index.data(PaletteModel::kKeyRole).toString();
    if (!key.isEmpty()) {
      painter->setPen(muted);
      painter->drawText(box, Qt::AlignRight | Qt::AlignVCenter, key);
      box.setRight(box.right() - option.fontMetrics.horizontalAdvance(key) - 16);
    }
    painter->setPen(unavailable.isEmpty() || selected ? ink : muted);
    const QString title = option.fontMetrics.elidedText(index.data().toString(), Qt::ElideRight, box.width());
    painter->drawText(box, Qt::AlignLeft | Qt::AlignVCenter, title);
    box.setLeft(box.left() + option.fontMetrics.horizontalAdvance(title) + 12);
    painter->setPen(muted);
    const QString detail =
        unavailable.isEmpty() ? index.data(PaletteModel::kDetailRole).toString() : unavailable;
    if (box.width() > 40)
      painter->drawText(box, Qt::AlignLeft | Qt::AlignVCenter,
                        option.fontMetrics.elidedText(detail, Qt::ElideRight, box.width()));
    painter->restore();
  }
};

}  // namespace

PaletteDialog::PaletteDialog(QWidget* window) : QFrame(window) {
  setObjectName(QStringLiteral("paletteFrame"));
  setAttribute(Qt::WA_StyledBackground);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(1, 1, 1, 6);
  column->setSpacing(6);
  edit_ = new QLineEdit(this);
  edit_->setAccessibleName(tr("Filter"));
  list_ = new QListView(this);
  list_->setAccessibleName(tr("Choices"));
  list_->setUniformItemSizes(true);
  list_->setFrameShape(QFrame::NoFrame);
  list_->setItemDelegate(new EntryDelegate(list_));
  list_->setFocusPolicy(Qt::NoFocus);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  model_ = new PaletteModel(this);
  list_->setModel(model_);
  hint_ = new QLabel(this);
  hint_->setObjectName(QStringLiteral("caption"));
  hint_->setContentsMargins(16, 4, 16, 6);
  column->addWidget(edit_);
  column->addWidget(list_);
  column->addWidget(hint_);
  connect(edit_, &QLineEdit::textChanged, this, &PaletteDialog::filter);
  connect(list_, &QListView::clicked, this, [this] { accept(); });
  edit_->installEventFilter(this);
  hide();
}

void PaletteDialog::setSource(std::function<std::vector<PaletteEntry>(const QString&)> source) {
  source_ = std::move(source);
}

void PaletteDialog::ask(const QString& placeholder, std::vector<PaletteEntry> entries,
                        std::function<void(const PaletteEntry*, const QString&)> chosen, bool allowTyped) {
  source_ = nullptr;
  chosen_ = std::move(chosen);
  allowTyped_ = allowTyped;
  edit_->setPlaceholderText(placeholder);
  edit_->clear();
  model_->setEntries(std::move(entries));
  filter({});
  show();
  raise();
  edit_->setFocus(Qt::PopupFocusReason);
}

void PaletteDialog::filter(const QString& text) {
  if (source_) {
    model_->setEntries(source_(text));
    model_->setFilter({});
  } else {
    model_->setFilter(text);
  }
  if (model_->rowCount()) list_->setCurrentIndex(model_->index(0, 0));
  hint_->setVisible(model_->rowCount() == 0);
  hint_->setText(allowTyped_ ? tr("Enter uses the text as it is") : tr("Nothing matches"));
  place();
}

void PaletteDialog::place() {
  const int rows = std::min(kRows, model_->rowCount());
  list_->setVisible(rows > 0);
  list_->setFixedHeight(rows * kRowHeight + 4);
  const QWidget* window = parentWidget();
  const int width = std::min(kWidth, window->width() - 40);
  layout()->activate();
  resize(width, layout()->totalSizeHint().height());
  move((window->width() - width) / 2, 72);
}

void PaletteDialog::accept() {
  const PaletteEntry* entry = model_->entry(list_->currentIndex().row());
  if (!entry && !allowTyped_) return;
  PaletteEntry copy;
  if (entry) copy = *entry;
  const QString typed = edit_->text();
  hide();
  const auto chosen = chosen_;
  if (parentWidget()) parentWidget()->setFocus();
  if (chosen) chosen(entry ? &copy : nullptr, typed);
}

bool PaletteDialog::eventFilter(QObject* object, QEvent* event) {
  if (object != edit_) return QFrame::eventFilter(object, event);
  if (event->type() == QEvent::FocusOut && isVisible()) {
    hide();
    return false;
  }
  if (event->type() != QEvent::KeyPress) return false;
  const int row = list_->currentIndex().row();
  auto go = [&](int to) {
    list_->setCurrentIndex(model_->index(std::clamp(to, 0, std::max(0, model_->rowCount() - 1)), 0));
    return true;
  };
  switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Escape:
      hide();
      if (parentWidget()) parentWidget()->setFocus();
      return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      accept();
      return true;
    case Qt::Key_Down:
      return go(row + 1);
    case Qt::Key_Up:
      return go(row - 1);
    case Qt::Key_PageDown:
      return go(row + kRows);
    case Qt::Key_PageUp:
      return go(row - kRows);
    default:
      return false;
  }
}

}  // namespace descry::gui

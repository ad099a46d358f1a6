#include "gui/app/notice_bar.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include "gui/panels/icons.h"

namespace descry::gui {

NoticeBar::NoticeBar(QWidget* parent) : QFrame(parent) {
  setObjectName(QStringLiteral("notice"));
  row_ = new QHBoxLayout(this);
  row_->setContentsMargins(12, 5, 12, 5);
  row_->setSpacing(8);
  icon_ = new QLabel(this);
  text_ = new QLabel(this);
  text_->setTextFormat(Qt::PlainText);
  text_->setWordWrap(true);
  row_->addWidget(icon_);
  row_->addWidget(text_, 1);
  hide();
}

QString NoticeBar::text() const {
  return isHidden() ? QString() : text_->text();
}

void NoticeBar::showNotice(const QString& id, const QString& text, std::vector<NoticeChoice> choices) {
  for (QWidget* button : buttons_) button->deleteLater();
  buttons_.clear();
  id_ = id;
  drawIcon();
  text_->setText(text);
  choices.push_back({tr("Dismiss"), {}});
  for (NoticeChoice& choice : choices) {
    auto* button = new QPushButton(choice.title, this);
    connect(button, &QPushButton::clicked, this, [this, id, chosen = choice.chosen] {
      dismiss(id);
      if (chosen) chosen();
    });
    row_->addWidget(button);
    buttons_.push_back(button);
  }
  show();
}

void NoticeBar::drawIcon() {
  icon_->setPixmap(
      iconPixmap(IconKind::Warning, palette().color(QPalette::WindowText), 16, devicePixelRatioF()));
}

void NoticeBar::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange && icon_) drawIcon();
  QFrame::changeEvent(event);
}

void NoticeBar::dismiss(const QString& id) {
  if (id == id_) hide();
}

}  // namespace descry::gui

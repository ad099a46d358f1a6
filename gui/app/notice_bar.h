// One line above the canvas with a question or a warning; never modal.
#pragma once

#include <QFrame>
#include <QString>

#include <functional>
#include <vector>

class QHBoxLayout;
class QLabel;

namespace descry::gui {

struct NoticeChoice {
  QString title;
  std::function<void()> chosen;
};

class NoticeBar final : public QFrame {
  Q_OBJECT
 public:
  explicit NoticeBar(QWidget* parent);
  /// Replaces what is shown. `id` names the notice, so that it can be taken away when it no longer holds.
  void showNotice(const QString& id, const QString& text, std::vector<NoticeChoice> choices);
  void dismiss(const QString& id);
  QString text() const;
  const QString& id() const { return id_; }

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void drawIcon();
  QString id_;
  QLabel* icon_ = nullptr;
  QLabel* text_;
  QHBoxLayout* row_;
  std::vector<QWidget*> buttons_;
};

}  // namespace descry::gui

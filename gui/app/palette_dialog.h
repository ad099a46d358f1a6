// A field and a list that filters while one types: the command palette, "go to", and other choices.
#pragma once

#include <QFrame>

#include <functional>

#include "gui/models/palette_model.h"

class QLabel;
class QLineEdit;
class QListView;

namespace descry::gui {

class PaletteDialog final : public QFrame {
  Q_OBJECT
 public:
  explicit PaletteDialog(QWidget* window);
  /// Shows itself at the top of the window. `chosen` gets the entry, or a null entry with the typed text.
  void ask(const QString& placeholder, std::vector<PaletteEntry> entries,
           std::function<void(const PaletteEntry* entry, const QString& typed)> chosen,
           bool allowTyped = false);
  /// Entries may also be made from what is typed, instead of filtering.
  void setSource(std::function<std::vector<PaletteEntry>(const QString& typed)> source);
  QLineEdit* edit() const { return edit_; }
  const PaletteModel& model() const { return *model_; }
  void accept();

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void place();
  void filter(const QString& text);
  QLineEdit* edit_;
  QListView* list_;
  QLabel* hint_;
  PaletteModel* model_;
  std::function<void(const PaletteEntry*, const QString&)> chosen_;
  std::function<std::vector<PaletteEntry>(const QString&)> source_;
  bool allowTyped_ = false;
};

}  // namespace descry::gui

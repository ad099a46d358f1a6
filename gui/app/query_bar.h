// The query field: completion, an error under the bad token, hit count, and the command line that does the
// same.
#pragma once

#include <QFrame>
#include <QPointer>
#include <QTimer>

#include "gui/document/document.h"
#include "gui/theme/theme.h"

class QCompleter;
class QLabel;
class QLineEdit;
class QPushButton;
class QStringListModel;

namespace descry::gui {

/// The strip below the toolbar that appears while a query is active.
class QueryStrip;

class QueryBar final : public QWidget {
  Q_OBJECT
 public:
  QueryBar(Document& document, QWidget* parent);
  QLineEdit* edit() const { return edit_; }
  QueryStrip* strip() const { return strip_; }
  void applyTheme(const Theme& theme);
  /// A typed text waits for its pause.
  bool pending() const { return debounce_.isActive(); }
  void focusQuery();

 signals:
  void actionRequested(const QString& id);
  /// Esc in an empty field: back to the canvas.
  void left();

 protected:
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  void follow(GraphTab* tab);
  void submit();
  void showResult();
  void askCompletions();
  void complete(const QString& word);
  void underline(int begin, int length);
  int wordBegin() const;

  Document& document_;
  QPointer<GraphTab> tab_;
  Theme theme_ = Theme::light();
  QLineEdit* edit_;
  QueryStrip* strip_;
  QCompleter* completer_;
  QStringListModel* words_;
  QTimer debounce_;
  JobControlPtr completionJob_;
  bool setting_ = false;
};

class QueryStrip final : public QFrame {
  Q_OBJECT
 public:
  explicit QueryStrip(QWidget* parent);
  void showHits(const QString& count, const QString& commandLine, bool canStep);
  /// `x`: where the bad token begins, in global coordinates.
  void showError(const QString& message, int globalX);
  void showNothing(const QString& why, const QString& commandLine);
  QString text() const;
  QString commandLine() const;

 signals:
  void actionRequested(const QString& id);

 private:
  QLabel* count_;
  QLabel* error_;
  QLabel* command_;
  QPushButton *previous_, *next_, *select_, *copy_, *clear_;
};

}  // namespace descry::gui

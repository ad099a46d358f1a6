#include "gui/app/query_bar.h"

#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QCompleter>
#include <QHBoxLayout>
#include <QInputMethodEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QStringListModel>
#include <QTextCharFormat>

#include <algorithm>

#include "gui/document/document_actions.h"
#include "gui/document/engine.h"
#include "gui/panels/icons.h"

namespace descry::gui {
namespace {

constexpr int kDebounceMs = 60;
constexpr int kMostCompletions = 40;

int byteOf(const QString& text, int position) {
  return static_cast<int>(text.left(position).toUtf8().size());
}

}  // namespace

QueryBar::QueryBar(Document& document, QWidget* parent) : QWidget(parent), document_(document) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  edit_ = new QLineEdit(this);
  edit_->setObjectName(QStringLiteral("queryEdit"));
  edit_->setAccessibleName(tr("Query"));
  edit_->setPlaceholderText(tr("Query: op~mm dtype=f32, transpose -> mm    /"));
  edit_->setClearButtonEnabled(true);
  edit_->setFixedWidth(460);
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
  edit_->installEventFilter(this);
  row->addWidget(edit_);
  strip_ = new QueryStrip(nullptr);
  strip_->hide();
  words_ = new QStringListModel(this);
  completer_ = new QCompleter(words_, this);
  completer_->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
  completer_->setWidget(edit_);
  connect(completer_, qOverload<const QString&>(&QCompleter::activated), this, &QueryBar::complete);
  debounce_.setSingleShot(true);
  debounce_.setInterval(kDebounceMs);
  connect(&debounce_, &QTimer::timeout, this, &QueryBar::submit);
  connect(edit_, &QLineEdit::textEdited, this, [this] { debounce_.start(); });
  // The clear button does not count as editing.
  connect(edit_, &QLineEdit::textChanged, this, [this](const QString& text) {
    if (text.isEmpty() && !setting_) debounce_.start();
  });
  connect(strip_, &QueryStrip::actionRequested, this, &QueryBar::actionRequested);
  connect(&document, &Document::currentChanged, this, &QueryBar::follow);
  connect(&document, &Document::tabClosing, this, [this](GraphTab* tab) {
    if (tab == tab_) follow(nullptr);
  });
  follow(document.current());
}

void QueryBar::applyTheme(const Theme& theme) {
  theme_ = theme;
  for (QAction* old : edit_->findChildren<QAction*>(QStringLiteral("searchIcon"))) edit_->removeAction(old);
  auto* icon = edit_->addAction(makeIcon(IconKind::Search, theme.mutedText), QLineEdit::LeadingPosition);
  icon->setObjectName(QStringLiteral("searchIcon"));
  showResult();
}

void QueryBar::focusQuery() {
  edit_->setFocus(Qt::ShortcutFocusReason);
  edit_->selectAll();
}

void QueryBar::follow(GraphTab* next) {
  if (tab_) disconnect(tab_, nullptr, this, nullptr);
  tab_ = next;
  debounce_.stop();
  edit_->setEnabled(next != nullptr);
  if (next) {
    connect(next, &GraphTab::hitsChanged, this, &QueryBar::showResult);
    connect(next, &GraphTab::stateChanged, this, [this] {
      if (debounce_.isActive() || edit_->text() == tab_->state().query) return;
      setting_ = true;
      edit_->setText(tab_->state().query);
      setting_ = false;
    });
  }
  setting_ = true;
  edit_->setText(next ? next->state().query : QString());
  setting_ = false;
  showResult();
}

void QueryBar::submit() {
  if (!tab_) return;
  tab_->setQuery(edit_->text());
  askCompletions();
}

void QueryBar::showResult() {
  underline(0, 0);
  const QString query = tab_ ? tab_->state().query.trimmed() : QString();
  if (query.isEmpty() || !tab_->hits()) {
    strip_->hide();
    return;
  }
  const session::QueryResult& result = *tab_->hits();
  const QString command = queryCommandLine(document_, tab_->state().query);
  if (result.error) {
    const QByteArray utf8 = tab_->state().query.toUtf8();
    // Columns of the engine count characters of the query, QString counts UTF-16 units: equal below U+10000.
    const int begin =
        std::min<int>(static_cast<int>(result.error->column), static_cast<int>(edit_->text().size()));
    const int length = std::max<int>(1, static_cast<int>(result.error->length));
    underline(begin, length);
    const int offset = edit_->fontMetrics().horizontalAdvance(edit_->text().left(begin)) + 30;
    strip_->showError(QString::fromStdString(result.error->message),
                      edit_->mapToGlobal(QPoint(offset, 0)).x());
  } else if (result.nodes.empty()) {
    strip_->showNothing(
        result.why.empty() ? tr("No hits") : tr("No hits: %1").arg(QString::fromStdString(result.why)),
        command);
  } else {
    const QLocale locale(QLocale::English);
    QString count = tr("%1 of %2 nodes")
                        .arg(locale.toString(static_cast<qulonglong>(result.nodes.size())),
                             locale.toString(tab_->graph()->graph->size()));
    if (tab_->hitIndex() >= 0) count = tr("hit %1, ").arg(tab_->hitIndex() + 1) + count;
    strip_->showHits(count, command, true);
  }
  strip_->show();
}

void QueryBar::underline(int begin, int length) {
  // QLineEdit has no formats of its own; those of an input method are drawn without changing the text.
  QList<QInputMethodEvent::Attribute> attributes;
  if (length > 0) {
    QTextCharFormat format;
    format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
    format.setUnderlineColor(theme_.error);
    format.setForeground(theme_.error);
    attributes.push_back({QInputMethodEvent::TextFormat, begin - edit_->cursorPosition(), length, format});
  }
  QInputMethodEvent event(QString(), attributes);
  QCoreApplication::sendEvent(edit_, &event);
}

int QueryBar::wordBegin() const {
  const QString text = edit_->text();
  int at = edit_->cursorPosition();
  while (at > 0 && !QStringLiteral(" ()").contains(text[at - 1])) --at;
  return at;
}

void QueryBar::askCompletions() {
  if (!tab_ || !edit_->hasFocus()) return;
  if (completionJob_) completionJob_->cancelled = true;
  const QString text = edit_->text();
  const int cursor = edit_->cursorPosition();
  completionJob_ = document_.jobs().start(
      tr("Completion"), this,
      [graph = tab_->graph(), query = text.toStdString(), column = byteOf(text, cursor)](JobControl&) {
        return session::completeQuery(*graph, query, static_cast<size_t>(column));
      },
      [this, text](const std::vector<std::string>& found) {
        completionJob_ = nullptr;
        if (edit_->text() != text || !edit_->hasFocus()) return;
        QStringList words;
        for (const std::string& word : found) {
          if (words.size() >= kMostCompletions) break;
          words.push_back(QString::fromStdString(word));
        }
        const QString typed = text.mid(wordBegin(), edit_->cursorPosition() - wordBegin());
        words_->setStringList(words);
        if (words.isEmpty() || typed.isEmpty() || (words.size() == 1 && words.first() == typed)) {
          completer_->popup()->hide();
          return;
        }
        QRect place = edit_->rect();
        place.setLeft(edit_->fontMetrics().horizontalAdvance(text.left(wordBegin())) + 24);
        place.setWidth(260);
        completer_->complete(place);
      },
      true);
}

void QueryBar::complete(const QString& word) {
  const QString text = edit_->text();
  const int begin = wordBegin();
  const QString before = text.left(begin), after = text.mid(edit_->cursorPosition());
  edit_->setText(before + word + after);
  edit_->setCursorPosition(static_cast<int>(before.size() + word.size()));
  debounce_.start();
}

bool QueryBar::eventFilter(QObject* object, QEvent* event) {
  if (object == edit_ && event->type() == QEvent::KeyPress) {
    auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() == Qt::Key_Escape) {
      if (edit_->text().isEmpty())
        emit left();
      else
        edit_->clear();
      return true;
    }
    if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
      if (debounce_.isActive()) {
        debounce_.stop();
        submit();
      } else {
        emit actionRequested(key->modifiers() & Qt::ShiftModifier ? QStringLiteral("previous-hit")
                                                                  : QStringLiteral("next-hit"));
      }
      return true;
    }
    if (key->key() == Qt::Key_Space && key->modifiers() & Qt::ControlModifier) {
      askCompletions();
      return true;
    }
  }
  return QWidget::eventFilter(object, event);
}

QueryStrip::QueryStrip(QWidget* parent) : QFrame(parent) {
  setObjectName(QStringLiteral("hintStrip"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(12, 4, 12, 4);
  row->setSpacing(4);
  error_ = new QLabel(this);
  error_->setObjectName(QStringLiteral("error"));
  error_->setTextFormat(Qt::PlainText);
  count_ = new QLabel(this);
  count_->setTextFormat(Qt::PlainText);
  command_ = new QLabel(this);
  command_->setObjectName(QStringLiteral("caption"));
  command_->setTextFormat(Qt::PlainText);
  command_->setFont(codeFont());
  command_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  command_->setMinimumWidth(10);
  command_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  auto button = [&](const QString& text, const char* id) {
    auto* b = new QPushButton(text, this);
    b->setObjectName(QStringLiteral("link"));
    b->setFocusPolicy(Qt::TabFocus);
    if (id)
      connect(b, &QPushButton::clicked, this,
              [this, id = QString::fromLatin1(id)] { emit actionRequested(id); });
    return b;
  };
  previous_ = button(tr("Previous"), "previous-hit");
  next_ = button(tr("Next"), "next-hit");
  select_ = button(tr("Select all"), "select-hits");
  copy_ = button(tr("Copy command"), nullptr);
  clear_ = button(tr("Clear"), "clear-query");
  connect(copy_, &QPushButton::clicked, this,
          [this] { QApplication::clipboard()->setText(command_->text()); });
  row->addWidget(count_);
  row->addWidget(previous_);
  row->addWidget(next_);
  row->addWidget(select_);
  row->addWidget(clear_);
  row->addSpacing(12);
  row->addWidget(command_, 1);
  row->addWidget(error_);
  row->addWidget(copy_);
}

void QueryStrip::showHits(const QString& count, const QString& commandLine, bool canStep) {
  count_->setText(count);
  command_->setText(commandLine);
  error_->hide();
  count_->show();
  command_->show();
  copy_->show();
  for (QPushButton* b : {previous_, next_, select_}) b->setVisible(canStep);
}

void QueryStrip::showNothing(const QString& why, const QString& commandLine) {
  showHits(why, commandLine, false);
}

void QueryStrip::showError(const QString& message, int globalX) {
  for (QWidget* w : std::initializer_list<QWidget*>{count_, previous_, next_, select_, copy_}) w->hide();
  // The empty label keeps its stretch and pushes the message to the right; the indent puts it below the
  // token.
  command_->clear();
  command_->show();
  error_->setText(QStringLiteral("\u25B2 ") + message);
  error_->show();
  const int wanted = globalX - mapToGlobal(QPoint(0, 0)).x();
  const int space = width() - error_->sizeHint().width() - 24;
  error_->setContentsMargins(0, 0, std::max(0, space - wanted), 0);
}

QString QueryStrip::text() const {
  return error_->isVisibleTo(this) ? error_->text() : count_->text();
}

QString QueryStrip::commandLine() const {
  return command_->text();
}

}  // namespace descry::gui

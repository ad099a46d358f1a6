#include "gui/app/script_runner.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

#include "gui/app/breadcrumb_bar.h"
#include "gui/app/main_window.h"
#include "gui/app/notice_bar.h"
#include "gui/app/palette_dialog.h"
#include "gui/app/query_bar.h"
#include "gui/app/script_arguments.h"
#include "gui/app/status_line.h"
#include "gui/panels/panel.h"

namespace descry::gui {
namespace {

constexpr int kPollMs = 5;
constexpr int kQuietPolls = 3;           // a result may start the next job; only a lasting silence is the end
constexpr qint64 kStepLimitMs = 120000;  // beyond the pause that a step asks for

QStringList words(const QJsonValue& value) {
  if (value.isArray()) {
    QStringList list;
    for (const auto& v : value.toArray()) list << v.toString();
    return list;
  }
  return value.toString().split(QLatin1Char(','), Qt::SkipEmptyParts);
}

QString compare(const QString& what, const QString& found, const QString& wanted) {
  if (found == wanted) return {};
  return QStringLiteral("%1: expected '%2', found '%3'").arg(what, wanted, found);
}

}  // namespace

Script parseScript(const QByteArray& text) {
  Script script;
  const QByteArray trimmed = text.trimmed();
  if (trimmed.startsWith('[')) {
    QJsonParseError error;
    const QJsonDocument doc = QJsonDocument::fromJson(trimmed, &error);
    if (error.error != QJsonParseError::NoError) {
      script.error = QStringLiteral("byte %1: %2").arg(error.offset).arg(error.errorString());
      return script;
    }
    int index = 0;
    for (const auto& value : doc.array()) {
      ++index;
      if (!value.isObject() || value.toObject()["action"].toString().isEmpty()) {
        script.error = QStringLiteral("step %1: expected an object with \"action\"").arg(index);
        return script;
      }
      script.steps.push_back(value.toObject());
    }
    return script;
  }
  int number = 0;
  for (const QByteArray& raw : text.split('\n')) {
    ++number;
    const QString line = QString::fromUtf8(raw).trimmed();
    if (line.isEmpty() || line.startsWith(QLatin1Char('#'))) continue;
    if (line.startsWith(QLatin1Char('{'))) {
      const QJsonDocument doc = QJsonDocument::fromJson(line.toUtf8());
      if (doc.object()["action"].toString().isEmpty()) {
        script.error = QStringLiteral("line %1: expected an object with \"action\"").arg(number);
        return script;
      }
      script.steps.push_back(doc.object());
      continue;
    }
    const qsizetype space = line.indexOf(QLatin1Char(' '));
    QJsonObject step{{"action", space < 0 ? line : line.left(space)}};
    if (space > 0) step["_rest"] = line.mid(space + 1).trimmed();
    script.steps.push_back(step);
  }
  return script;
}

ScriptRunner::ScriptRunner(MainWindow& window, std::vector<QJsonObject> steps, size_t opening,
                           QObject* parent)
    : QObject(parent), window_(window), steps_(std::move(steps)), opening_(opening) {
  poll_.setInterval(kPollMs);
  connect(&poll_, &QTimer::timeout, this, &ScriptRunner::poll);
  connect(&window.document(), &Document::failed, this, [this](const QString& text) { failed_ = text; });
  connect(&window.document(), &Document::openFailed, this,
          [this](const QString&, const QString& text) { failed_ = text; });
}

void ScriptRunner::start() {
  waiting_.start();
  poll_.start();
}

QString ScriptRunner::name(size_t index) const {
  const QString action = steps_[index]["action"].toString().left(80);
  return index < opening_ ? action : QStringLiteral("step %1 (%2)").arg(index - opening_ + 1).arg(action);
}

void ScriptRunner::poll() {
  if (waiting_.elapsed() > pauseMs_ + kStepLimitMs)
    return finish(QStringLiteral("%1 did not end within %2 s")
                      .arg(next_ ? name(next_ - 1) : QStringLiteral("opening"))
                      .arg(kStepLimitMs / 1000));
  quiet_ = window_.settled() ? quiet_ + 1 : 0;
  if (quiet_ < kQuietPolls || waiting_.elapsed() < pauseMs_) return;
  if (!failed_.isEmpty()) {
    const bool expected = next_ > 0 && steps_[next_ - 1].contains("fails");
    const QString wanted = expected ? steps_[next_ - 1]["fails"].toString() : QString();
    if (!expected || !failed_.contains(wanted))
      return finish((next_ ? name(next_ - 1) + QStringLiteral(": ") : QString()) + failed_);
    failed_.clear();
  } else if (next_ > 0 && steps_[next_ - 1].contains("fails")) {
    return finish(QStringLiteral("%1 was expected to fail").arg(name(next_ - 1)));
  }
  step();
}

void ScriptRunner::step() {
  if (next_ >= steps_.size()) return finish({});
  const size_t index = next_++;
  QJsonObject step = steps_[index];
  const QString id = step["action"].toString();
  const Action* action = window_.actions().find(id);
  const bool isCheck = id.startsWith(QLatin1String("assert-"));
  // The registry says what is wrong with a name that is none.
  if (action || isCheck || id == QLatin1String("wait") || id == QLatin1String("resize"))
    if (const QString wrong = checkArguments(id, action, step); !wrong.isEmpty())
      return finish(name(index) + QStringLiteral(": ") + wrong);
  waiting_.restart();
  quiet_ = 0;
  pauseMs_ = 0;
  if (id == QLatin1String("wait")) {
    pauseMs_ = static_cast<qint64>(step["ms"].toDouble());
    return;
  }
  if (id == QLatin1String("resize")) {
    window_.resize(sizeFromText(step["size"].toString()));
    return;
  }
  if (isCheck) {
    const auto wrong = check(id, step);
    if (!wrong) return finish(QStringLiteral("%1: there is no such check").arg(name(index)));
    if (!wrong->isEmpty()) return finish(name(index) + QStringLiteral(": ") + *wrong);
    return;
  }
  // A list that an earlier step opened would cover what this one shows.
  if (id != QLatin1String("shot")) window_.palettePopup()->hide();
  const ActionOutcome outcome = window_.actions().run(id, step);
  if (!outcome.ok) failed_ = outcome.message.isEmpty() ? QStringLiteral("failed") : outcome.message;
}

std::optional<QString> ScriptRunner::check(const QString& id, const QJsonObject& step) const {
  const GraphTab* tab = window_.document().current();
  const QString value = step["value"].toVariant().toString();
  if (id == QLatin1String("assert-no-tab")) return tab ? QStringLiteral("a graph is open") : QString();
  if (id == QLatin1String("assert-message")) {
    return window_.lastMessage().contains(value)
               ? QString()
               : QStringLiteral("expected a message with '%1', found '%2'").arg(value, window_.lastMessage());
  }
  if (id == QLatin1String("assert-notice")) {
    const QString text = window_.notice()->text();
    return text.contains(value) ? QString()
                                : QStringLiteral("expected a notice with '%1', found '%2'").arg(value, text);
  }
  if (id == QLatin1String("assert-theme"))
    return compare("theme", window_.document().preferences().theme(), value);
  if (id == QLatin1String("assert-dock")) {
    const Panel* panel = window_.panel(value);
    if (!panel) return QStringLiteral("there is no dock '%1'").arg(value);
    return panel->isHidden() ? QStringLiteral("dock '%1' is hidden").arg(value) : QString();
  }
  if (!tab) return QStringLiteral("no graph is open");
  if (id == QLatin1String("assert-selection")) {
    QStringList found = tab->selectedNames(), wanted = words(step["nodes"]);
    found.sort();
    wanted.sort();
    return compare("selection", found.join(QLatin1Char(',')), wanted.join(QLatin1Char(',')));
  }
  if (id == QLatin1String("assert-tab")) return compare("tab", tab->graphId(), value);
  if (id == QLatin1String("assert-nodes"))
    return compare("nodes", QString::number(tab->graph()->graph->size()), value);
  if (id == QLatin1String("assert-hits"))
    return compare("hits", QString::number(tab->hits() ? tab->hits()->nodes.size() : 0), value);
  if (id == QLatin1String("assert-query-error")) {
    const QString found =
        tab->hits() && tab->hits()->error ? QString::fromStdString(tab->hits()->error->message) : QString();
    return !found.isEmpty() && found.contains(value)
               ? QString()
               : QStringLiteral("expected a query error with '%1', found '%2'").arg(value, found);
  }
  if (id == QLatin1String("assert-crumbs"))
    return compare("breadcrumbs", window_.breadcrumbs()->crumbs().join(QStringLiteral(" > ")), value);
  if (id == QLatin1String("assert-status")) {
    const QString text = window_.statusLine()->text();
    return text.contains(value) ? QString()
                                : QStringLiteral("expected a status with '%1', found '%2'").arg(value, text);
  }
  if (id == QLatin1String("assert-run")) {
    // How the last one ended, and what it found.
    const auto& runs = tab->runs().runs();
    QString found = runs.empty() ? QStringLiteral("no runs") : runs.back()->endText();
    if (!runs.empty() && runs.back()->view)
      found += QStringLiteral(", %1 bad").arg(runs.back()->view->bad.size());
    return found.contains(value) ? QString()
                                 : QStringLiteral("expected a run with '%1', found '%2'").arg(value, found);
  }
  if (id == QLatin1String("assert-problems"))
    return compare("problems", QString::number(tab->problems() ? tab->problems()->size() : 0), value);
  return std::nullopt;
}

void ScriptRunner::finish(const QString& failure) {
  poll_.stop();
  failure_ = failure;
  emit finished(failure.isEmpty());
}

}  // namespace descry::gui

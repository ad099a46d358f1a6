#include "gui/document/actions.h"

#include <QRegularExpression>

namespace descry::gui {

void Actions::add(Action action) {
  if (byId_.count(action.id)) {
    qWarning("action %s is registered twice", qPrintable(action.id));
    return;
  }
  list_.push_back(std::make_unique<Action>(std::move(action)));
  byId_[list_.back()->id] = list_.back().get();
}

const Action* Actions::find(const QString& id) const {
  auto it = byId_.find(id);
  return it == byId_.end() ? nullptr : it->second;
}

ActionOutcome Actions::run(const QString& id, const QJsonObject& args) {
  const Action* action = find(id);
  ActionOutcome outcome;
  if (!action) {
    outcome = ActionOutcome::fail(tr("There is no action '%1'; `descry open --actions` lists them").arg(id));
  } else if (const QString why = action->unavailable ? action->unavailable() : QString(); !why.isEmpty()) {
    outcome = ActionOutcome::fail(why);
  } else {
    outcome = action->run(args);
  }
  emit ran(id, outcome.message, outcome.ok);
  return outcome;
}

QStringList Actions::doubledKeys() const {
  QStringList seen, doubled;
  for (const auto& action : list_) {
    for (const QString& key : action->keys.split(QStringLiteral("; "), Qt::SkipEmptyParts)) {
      const QString scoped =
          (action->scope == KeyScope::Canvas ? QStringLiteral("canvas ") : QString()) + key;
      if (seen.contains(scoped)) doubled.push_back(scoped);
      seen.push_back(scoped);
    }
  }
  return doubled;
}

QString shellQuote(const QString& text) {
  static const QRegularExpression plain(QStringLiteral("^[A-Za-z0-9_./:=@%+,-]+$"));
  if (plain.match(text).hasMatch()) return text;
  QString quoted = text;
  quoted.replace(QLatin1Char('\''), QLatin1String("'\\''"));
  return QLatin1Char('\'') + quoted + QLatin1Char('\'');
}

}  // namespace descry::gui

#include "gui/app/script_arguments.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>
#include <cmath>

#include "gui/document/actions.h"

namespace descry::gui {
namespace {

enum class Kind : uint8_t {
  Text,    ///< also a number or a truth value when `mixed`
  Names,   ///< texts in a list, or one text with commas
  Number,  ///< from least to most
  Whole,   ///< the same without a fraction
  Size,    ///< WIDTHxHEIGHT
};

struct Rule {
  const char* name;
  Kind kind = Kind::Text;
  double least = 0, most = 0;
  bool required = false;
  bool mixed = false;
  const char* action = nullptr;  ///< only there; null: wherever the name stands
};

constexpr double kMostMs = 120000;
// The first rule that fits counts.
constexpr Rule kRules[] = {
    {.name = "ms", .kind = Kind::Whole, .least = 0, .most = kMostMs},
    {.name = "size", .kind = Kind::Size, .required = true},
    {.name = "percent", .kind = Kind::Number, .least = 0.01, .most = 100000},
    {.name = "scale", .kind = Kind::Number, .least = 0.01, .most = 64},
    {.name = "n", .kind = Kind::Whole, .least = 1, .most = 1e9, .required = true},
    {.name = "nodes", .kind = Kind::Names, .required = true, .action = "assert-selection"},
    {.name = "nodes", .kind = Kind::Names},
    {.name = "value", .required = true, .mixed = true},
    {.name = "position", .required = true, .mixed = true},
    {.name = "where", .required = true, .mixed = true},
    {.name = "graph", .required = true},
    {.name = "dock", .required = true},
    {.name = "name", .required = true, .action = "theme"},
    {.name = "name", .required = true, .action = "choose-layout"},
    {.name = "text", .required = true, .action = "query-all"},
    {.name = "file", .required = true},
    {.name = "number", .kind = Kind::Whole, .least = 0, .most = 1e9, .action = "copy-run-command"},
    {.name = "number", .kind = Kind::Whole, .least = 0, .most = 1e9, .required = true},
    {.name = "slice", .required = true, .mixed = true},
    {.name = "name", .required = true, .action = "value-part"},
    {.name = "name", .required = true, .action = "value-format"},
};

QStringList argumentsOf(const QString& id, const Action* action) {
  if (action) return action->args;
  if (id == QLatin1String("wait")) return {QStringLiteral("ms")};
  if (id == QLatin1String("resize")) return {QStringLiteral("size")};
  if (id == QLatin1String("assert-selection")) return {QStringLiteral("nodes")};
  if (id == QLatin1String("assert-no-tab")) return {};
  return {QStringLiteral("value")};
}

Rule ruleOf(const QString& id, const QString& name) {
  for (const Rule& rule : kRules)
    if (name == QLatin1String(rule.name) && (!rule.action || id == QLatin1String(rule.action))) return rule;
  return {.name = nullptr};
}

QString allowed(const Rule& rule) {
  const auto range = [&](const QString& what) {
    return QStringLiteral("%1 from %2 to %3")
        .arg(what, QString::number(rule.least, 'g', 10), QString::number(rule.most, 'g', 10));
  };
  switch (rule.kind) {
    case Kind::Names:
      return QStringLiteral("a list of names, or names with commas between");
    case Kind::Number:
      return range(QStringLiteral("a number"));
    case Kind::Whole:
      return range(QStringLiteral("a whole number"));
    case Kind::Size:
      return QStringLiteral("WIDTHxHEIGHT, each from %1 to %2").arg(kSmallestSide).arg(kLargestSide);
    case Kind::Text:
      break;
  }
  return rule.mixed ? QStringLiteral("a text or a number") : QStringLiteral("a text");
}

bool isNames(const QJsonValue& value) {
  if (!value.isArray()) return value.isString();
  const QJsonArray list = value.toArray();
  return std::all_of(list.begin(), list.end(), [](const auto& v) { return v.isString(); });
}

/// Fits the rule; numbers written as text become numbers.
bool accept(const Rule& rule, QJsonValue& value) {
  switch (rule.kind) {
    case Kind::Text:
      return value.isString() || (rule.mixed && (value.isDouble() || value.isBool()));
    case Kind::Names:
      return isNames(value);
    case Kind::Size:
      return value.isString() && sizeFromText(value.toString()).isValid();
    case Kind::Number:
    case Kind::Whole:
      break;
  }
  bool ok = value.isDouble();
  double number = value.toDouble();
  if (value.isString()) number = value.toString().toDouble(&ok);
  // Written so that no comparison lets a number through that is none.
  if (!ok || !(number >= rule.least && number <= rule.most)) return false;
  if (rule.kind == Kind::Whole && number != std::floor(number)) return false;
  value = number;
  return true;
}

/// The value as the script writes it, not too long.
QString shown(const QJsonValue& value) {
  constexpr qsizetype kMostShown = 80;
  QString text = value.isString()
                     ? QLatin1Char('\'') + value.toString().left(kMostShown) + QLatin1Char('\'')
                     : QString::fromUtf8(QJsonDocument(QJsonArray{value}).toJson(QJsonDocument::Compact));
  if (!value.isString()) text = text.mid(1, text.size() - 2);
  return text.size() > kMostShown + 2 ? text.left(kMostShown) + QStringLiteral("...") : text;
}

}  // namespace

QSize sizeFromText(const QString& text, int largest) {
  const QStringList sides = text.toLower().split(QLatin1Char('x'));
  if (sides.size() != 2) return {};
  bool okWidth = false, okHeight = false;
  const QSize size(sides[0].toInt(&okWidth), sides[1].toInt(&okHeight));
  const auto inside = [largest](int side) { return side >= kSmallestSide && side <= largest; };
  return okWidth && okHeight && inside(size.width()) && inside(size.height()) ? size : QSize();
}

QString checkArguments(const QString& id, const Action* action, QJsonObject& step) {
  // A check that does not exist is told by the runner; what it takes is not known.
  static const QStringList kChecks = {"no-tab",    "message", "notice",  "theme", "dock",
                                      "selection", "tab",     "nodes",   "hits",  "query-error",
                                      "crumbs",    "status",  "problems"};
  if (!action && id.startsWith(QLatin1String("assert-")) && !kChecks.contains(id.mid(7))) return {};
  const QStringList names = argumentsOf(id, action);
  if (step.contains("_rest")) {
    if (names.isEmpty()) return QStringLiteral("takes no argument");
    step[names.first()] = step["_rest"];
    step.remove("_rest");
  }
  for (const QString& key : step.keys()) {
    if (key == QLatin1String("action")) continue;
    if (key == QLatin1String("fails")) {
      if (!step[key].isString())
        return QStringLiteral("\"fails\" is %1; expected a text").arg(shown(step[key]));
      continue;
    }
    if (!names.contains(key))
      return names.isEmpty() ? QStringLiteral("takes no argument, and \"%1\" is one").arg(key.left(80))
                             : QStringLiteral("has no argument \"%1\"; there is %2")
                                   .arg(key.left(80), names.join(QStringLiteral(", ")));
    const Rule rule = ruleOf(id, key);
    QJsonValue value = step[key];
    if (!accept(rule, value))
      return QStringLiteral("\"%1\" is %2; expected %3").arg(key, shown(value), allowed(rule));
    step[key] = value;
  }
  for (const QString& name : names) {
    const Rule rule = ruleOf(id, name);
    if (rule.required && !step.contains(name))
      return QStringLiteral("needs \"%1\": %2").arg(name, allowed(rule));
  }
  return {};
}

}  // namespace descry::gui

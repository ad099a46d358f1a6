// Settings of runs in words: as the Run dock, scripts and command lines have them.
#include "gui/document/document_actions.h"
#include "gui/document/graph_runs.h"
#include "gui/document/graph_tab.h"
#include "session/value_text.h"

namespace descry::gui {
namespace {

constexpr int kMostTimed = 1000;

QString onOff(bool on) {
  return on ? QStringLiteral("on") : QStringLiteral("off");
}

std::optional<bool> switchFrom(const QString& value) {
  if (value == QLatin1String("on") || value == QLatin1String("true")) return true;
  if (value == QLatin1String("off") || value == QLatin1String("false")) return false;
  return std::nullopt;
}

QString keepName(RunSettings::Keep keep) {
  switch (keep) {
    case RunSettings::Keep::All:
      return QStringLiteral("all");
    case RunSettings::Keep::Selected:
      return QStringLiteral("selected");
    case RunSettings::Keep::Statistics:
      return QStringLiteral("statistics");
    case RunSettings::Keep::None:
      return QStringLiteral("none");
  }
  return {};
}

}  // namespace

QStringList GraphRuns::optionNames() {
  return {QStringLiteral("inputs"), QStringLiteral("executor"), QStringLiteral("backward"),
          QStringLiteral("runs"),   QStringLiteral("keep"),     QStringLiteral("memory"),
          QStringLiteral("seed"),   QStringLiteral("tolerance")};
}

void GraphRuns::setSettings(const RunSettings& settings) {
  if (settings == settings_) return;
  const bool again = settings.tolerance != settings_.tolerance;
  settings_ = settings;
  makeRoom();
  if (again) compare();
  emit settingsChanged();
}

QString GraphRuns::set(const QString& option, const QString& value) {
  RunSettings next = settings_;
  const QString why = set(next, option, value);
  if (why.isEmpty()) setSettings(next);
  return why;
}

QString GraphRuns::set(RunSettings& next, const QString& option, const QString& value) {
  if (option == QLatin1String("inputs")) {
    if (value.isEmpty()) return tr("inputs are random:SEED, zeros, ones or a safetensors file");
    next.inputs = value;
  } else if (option == QLatin1String("executor")) {
    if (value != QLatin1String("interpret") && value != QLatin1String("compiled"))
      return tr("there is no executor '%1'; there are interpret and compiled").arg(value);
    const bool compiled = value == QLatin1String("compiled");
    // What is looked at is not fused: a compiled run begins without.
    if (compiled != next.compiled) next.keep = compiled ? RunSettings::Keep::None : RunSettings::Keep::All;
    next.compiled = compiled;
  } else if (option == QLatin1String("backward")) {
    const std::optional<bool> on = switchFrom(value);
    if (!on) return tr("backward is on or off, not '%1'").arg(value);
    next.backward = *on;
  } else if (option == QLatin1String("runs")) {
    bool ok = false;
    const int n = value.toInt(&ok);
    if (!ok || n < 0 || n > kMostTimed)
      return tr("runs is a number from 0 to %1, not '%2'").arg(kMostTimed).arg(value);
    next.runs = n;
  } else if (option == QLatin1String("keep")) {
    bool known = false;
    for (const auto keep : {RunSettings::Keep::All, RunSettings::Keep::Selected,
                            RunSettings::Keep::Statistics, RunSettings::Keep::None})
      if (value == keepName(keep)) {
        next.keep = keep;
        known = true;
      }
    if (!known) return tr("keep is all, selected, statistics or none, not '%1'").arg(value);
  } else if (option == QLatin1String("memory")) {
    const std::optional<uint64_t> bytes = session::readCount(value.toStdString(), true);
    if (!bytes || *bytes == 0 || *bytes > uint64_t{1} << 60)
      return tr("memory is a number of bytes such as 500M or 2GiB, not '%1'").arg(value);
    next.cap = static_cast<qint64>(*bytes);
  } else if (option == QLatin1String("seed")) {
    bool ok = false;
    const quint64 seed = value.toULongLong(&ok);
    if (!ok) return tr("a seed is a number, not '%1'").arg(value);
    next.seed = seed;
  } else if (option == QLatin1String("tolerance")) {
    const auto read = session::readTolerances(value.toStdString());
    if (!read) return QString::fromStdString(read.error().message);
    next.tolerance = value;
  } else {
    return tr("there is no option '%1'; there are %2").arg(option, optionNames().join(QStringLiteral(", ")));
  }
  return {};
}

QString GraphRuns::valueOf(const RunSettings& s, const QString& option) {
  if (option == QLatin1String("inputs")) return s.inputs;
  if (option == QLatin1String("executor"))
    return s.compiled ? QStringLiteral("compiled") : QStringLiteral("interpret");
  if (option == QLatin1String("backward")) return onOff(s.backward);
  if (option == QLatin1String("runs")) return QString::number(s.runs);
  if (option == QLatin1String("keep")) return keepName(s.keep);
  if (option == QLatin1String("seed")) return QString::number(s.seed);
  if (option == QLatin1String("tolerance")) return s.tolerance;
  if (option != QLatin1String("memory")) return {};
  for (const auto& [unit, shift] : {std::pair{"TiB", 40}, {"GiB", 30}, {"MiB", 20}, {"KiB", 10}})
    if (s.cap % (qint64{1} << shift) == 0) return QString::number(s.cap >> shift) + QLatin1String(unit);
  return QString::number(s.cap);
}

QString GraphRuns::commandLine(const QString& upTo) const {
  QString line = QStringLiteral("descry run ") + tabAddress(tab_);
  if (settings_.inputs != QLatin1String("random:0"))
    line += QStringLiteral(" --inputs ") + shellQuote(settings_.inputs);
  if (settings_.compiled) line += QStringLiteral(" --executor compiled");
  if (settings_.backward && backwardUnavailable().isEmpty()) line += QStringLiteral(" --backward");
  if (settings_.seed) line += QStringLiteral(" --seed %1").arg(settings_.seed);
  if (!upTo.isEmpty()) line += QStringLiteral(" --up-to ") + shellQuote(upTo);
  if (settings_.keep != RunSettings::Keep::None) line += QStringLiteral(" --nodes");
  if (settings_.runs > 0) line += QStringLiteral(" --profile --runs %1").arg(settings_.runs);
  return line;
}

}  // namespace descry::gui

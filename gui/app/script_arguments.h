// What the arguments of script steps may be: checked before a step runs, so that no wrong one is taken for 0
// or for nothing.
#pragma once

#include <QJsonObject>
#include <QSize>
#include <QString>

namespace descry::gui {

struct Action;

constexpr int kSmallestSide = 100, kLargestSide = 10000;  // of a window

/// `800x600`, each side from kSmallestSide to `largest`; an invalid size for all else.
QSize sizeFromText(const QString& text, int largest = kLargestSide);

/// Gives the rest of a line (`select mm`) the name of the action's first argument, and turns numbers written
/// as text into numbers. `action` is null for the steps that are not in the registry: wait, resize and the
/// checks. Returns what is wrong, naming the argument and what is allowed; empty when the step can run.
QString checkArguments(const QString& id, const Action* action, QJsonObject& step);

}  // namespace descry::gui

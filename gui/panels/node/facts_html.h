// The Node panel's page, made from the facts model; everything from the file is escaped.
#pragma once

#include <QString>

#include "gui/models/facts_model.h"
#include "gui/theme/theme.h"

namespace descry::gui {

/// Links are `node:ID` (a node id) and `action:ID`.
QString factsHtml(const FactsModel& model, const Theme& theme, size_t selected);

}  // namespace descry::gui

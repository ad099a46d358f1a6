// Actions that need the document only, no window: they work the same from keys, palette, scripts and tests.
#pragma once

#include "gui/document/actions.h"
#include "gui/document/document.h"
#include "session/exports.h"

namespace descry::gui {

void addFileActions(Actions& actions, Document& document);
void addSelectionActions(Actions& actions, Document& document);
void addViewActions(Actions& actions, Document& document);
void addPassActions(Actions& actions, Document& document);
void addRunActions(Actions& actions, Document& document);
void addValueActions(Actions& actions, Document& document);

/// `FILE::GRAPH` of the current tab, quoted for a shell; `FILE` when nothing is open. A state between passes
/// is what `descry opt` prints: `<(descry opt FILE::GRAPH --passes lower)`.
QString currentAddress(const Document& document);
QString tabAddress(const GraphTab& tab);
/// `FILE::GRAPH#node` of the current node, quoted for a shell.
QString currentNodeAddress(const Document& document);
/// The command line that runs a query on the current graph.
QString queryCommandLine(const Document& document, const QString& query);
/// The command line of an export of the current graph.
/// The colours that pictures of the current graph get: those of the window, and phases where a cut is asked
/// for that is not known.
std::string shownColours(const Document& document);
QString exportCommandLine(const Document& document, const session::ExportRequest& request);
/// The command line that draws the current view.
QString renderCommandLine(const Document& document, std::optional<ir::ColourMode> colours = {});
/// Drives one action without a window: the command line of what exists only in the window.
QString scriptCommandLine(const Document& document, const QString& step);
/// "No graph is open." or empty.
QString needsGraph(const Document& document);
QString needsNode(const Document& document);

session::GroupBy groupByFrom(const QString& name, bool* ok);
QString groupByName(session::GroupBy groupBy);

}  // namespace descry::gui

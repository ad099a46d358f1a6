#include "gui/document/document_actions.h"

#include <QJsonArray>

#include <algorithm>

namespace descry::gui {
namespace {

QStringList namesFrom(const QJsonObject& args) {
  QStringList names;
  if (args["nodes"].isArray())
    for (const auto& v : args["nodes"].toArray()) names.push_back(v.toString());
  if (args["node"].isString()) names += args["node"].toString().split(QLatin1Char(','), Qt::SkipEmptyParts);
  return names;
}

/// Selects what `find` returns; it runs in a worker. `none` is said when it finds nothing.
template <class Find>
ActionOutcome selectInJob(Document* d, const QString& none, Find find) {
  GraphTab* tab = d->current();
  d->jobs().start(
      Document::tr("Selecting"), tab, [graph = tab->graph(), find](JobControl&) { return find(*graph); },
      [d, tab, none](std::vector<ir::NodeId> nodes) {
        if (nodes.empty())
          emit d->failed(none);
        else
          tab->selectAll(std::move(nodes));
      },
      true);
  return ActionOutcome::done();
}

ActionOutcome goTo(Document* d, const QString& where) {
  const std::string text = where.trimmed().toStdString();
  return selectInJob(
      d, Document::tr("There is no node, index or line '%1' here").arg(where.trimmed()),
      [text](const session::LoadedGraph& graph) -> std::vector<ir::NodeId> {
        const NameIndex index(std::shared_ptr<const session::LoadedGraph>(
            std::shared_ptr<const session::LoadedGraph>(), &graph));
        if (const ir::NodeId id = index.find(text)) return {id};
        const bool number =
            !text.empty() && text.size() < 10 &&
            std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
        if (number) {
          const ir::NodeId id = index.at(std::stoul(text));
          return id ? std::vector<ir::NodeId>{id} : std::vector<ir::NodeId>{};
        }
        // `:12` is line 12 of the printed text.
        if (text.size() > 1 && text.size() < 10 && text[0] == ':' &&
            std::all_of(text.begin() + 1, text.end(), [](char c) { return c >= '0' && c <= '9'; })) {
          const TextLines lines(session::textView(graph));
          for (uint64_t l = std::stoul(text.substr(1)); l > 0 && l <= lines.size(); ++l)
            if (const ir::NodeId id = lines.nodeAt(static_cast<uint32_t>(l - 1))) return {id};
          return {};
        }
        auto matches = index.match(text, 1);
        return matches;
      });
}

ActionOutcome stepOrder(Document* d, int by) {
  GraphTab* tab = d->current();
  const ir::Graph& graph = *tab->graph()->graph;
  const ir::NodeId at = tab->current();
  const ir::NodeId to = !at      ? (by > 0 ? graph.first() : graph.last())
                        : by > 0 ? graph.next(at)
                                 : graph.prev(at);
  if (!to) return ActionOutcome::fail(Document::tr("This is the %1 node.").arg(by > 0 ? "last" : "first"));
  tab->select(to);
  return ActionOutcome::done();
}

ActionOutcome selectNth(Document* d, const std::vector<ir::NodeId>& nodes, int n, const char* what) {
  GraphTab* tab = d->current();
  if (n < 1 || n > static_cast<int>(nodes.size()))
    return ActionOutcome::fail(Document::tr("%1 has %2 %3.")
                                   .arg(tab->nameOf(tab->current()))
                                   .arg(nodes.size())
                                   .arg(QLatin1String(what)));
  tab->select(nodes[static_cast<size_t>(n - 1)]);
  return ActionOutcome::done();
}

}  // namespace

void addSelectionActions(Actions& actions, Document& doc) {
  auto tr = [](const char* s) { return Document::tr(s); };
  Document* d = &doc;
  const auto graph = [d] { return needsGraph(*d); };
  const auto node = [d] { return needsNode(*d); };
  const auto nodeCli = [d](const QJsonObject&) {
    return QStringLiteral("descry show ") + currentNodeAddress(*d);
  };

  actions.add({.id = "select",
               .title = tr("Select nodes by name"),
               .group = "Select",
               .args = {"node", "nodes"},
               .cli =
                   [d](const QJsonObject& a) {
                     const GraphTab* tab = d->current();
                     return QStringLiteral("descry show ") +
                            shellQuote((tab ? tab->address() : QStringLiteral("FILE")) + QLatin1Char('#') +
                                       namesFrom(a).join(QLatin1Char(',')));
                   },
               .run =
                   [d](const QJsonObject& a) {
                     const QStringList names = namesFrom(a);
                     if (names.isEmpty()) return ActionOutcome::fail(Document::tr("select needs a node"));
                     d->selectByName(d->current(), names);
                     return ActionOutcome::done();
                   },
               .unavailable = graph,
               .inPalette = false});
  actions.add({.id = "clear-selection",
               .title = tr("Clear the selection"),
               .group = "Select",
               .keys = "Esc",
               .scope = KeyScope::Canvas,
               .cli = [d](const QJsonObject&) { return scriptCommandLine(*d, "clear-selection"); },
               .run =
                   [d](const QJsonObject&) {
                     d->current()->select(std::vector<ir::NodeId>{});
                     return ActionOutcome::done();
                   },
               .unavailable = graph});
  actions.add({.id = "goto",
               .title = tr("Go to a node by name, index or :line"),
               .group = "Go",
               .keys = "Ctrl+G",
               .args = {"where"},
               .cli =
                   [d](const QJsonObject& a) {
                     const GraphTab* tab = d->current();
                     return QStringLiteral("descry show ") +
                            shellQuote((tab ? tab->address() : QStringLiteral("FILE")) + QLatin1Char('#') +
                                       a["where"].toString());
                   },
               .run = [d](const QJsonObject& a) { return goTo(d, a["where"].toString()); },
               .unavailable = graph});
  actions.add(
      {.id = "partner",
       .title = tr("Jump to the partner: gradient, tangent or twin"),
       .group = "Go",
       .keys = "J",
       .scope = KeyScope::Canvas,
       .cli = [d](const QJsonObject&) { return QStringLiteral("descry partner ") + currentNodeAddress(*d); },
       .run =
           [d](const QJsonObject&) {
             GraphTab* tab = d->current();
             const ir::NodeId from = tab->current();
             d->jobs().start(
                 Document::tr("Partner"), tab,
                 [g = tab->graph(), from](JobControl&) { return session::partnerOf(*g, from); },
                 [d, tab, from](const session::Partner& p) {
                   if (p.node) {
                     tab->select(p.node);
                     if (!p.why.empty()) emit d->message(QString::fromStdString(p.why));
                   } else {
                     emit d->failed(p.why.empty() ? Document::tr("%1 has no partner").arg(tab->nameOf(from))
                                                  : QString::fromStdString(p.why));
                   }
                 },
                 true);
             return ActionOutcome::done();
           },
       .unavailable = node});
  actions.add({.id = "next-node",
               .title = tr("Next node in execution order"),
               .group = "Go",
               .keys = ".",
               .scope = KeyScope::Canvas,
               .cli = nodeCli,
               .run = [d](const QJsonObject&) { return stepOrder(d, 1); },
               .unavailable = graph});
  actions.add({.id = "previous-node",
               .title = tr("Previous node in execution order"),
               .group = "Go",
               .keys = ",",
               .scope = KeyScope::Canvas,
               .cli = nodeCli,
               .run = [d](const QJsonObject&) { return stepOrder(d, -1); },
               .unavailable = graph});
  actions.add({.id = "producer",
               .title = tr("To the first input"),
               .group = "Go",
               .keys = "Up",
               .scope = KeyScope::Canvas,
               .cli = nodeCli,
               .run =
                   [d](const QJsonObject&) {
                     GraphTab* t = d->current();
                     return selectNth(d, t->graph()->graph->inputs(t->current()), 1, "inputs");
                   },
               .unavailable = node});
  actions.add({.id = "consumer",
               .title = tr("To the first reader"),
               .group = "Go",
               .keys = "Down",
               .scope = KeyScope::Canvas,
               .cli = nodeCli,
               .run =
                   [d](const QJsonObject&) {
                     GraphTab* t = d->current();
                     return selectNth(d, t->graph()->graph->users(t->current()), 1, "readers");
                   },
               .unavailable = node});
  actions.add({.id = "nth-input",
               .title = tr("To the nth input"),
               .group = "Go",
               .keys = "1..9",
               .scope = KeyScope::Canvas,
               .args = {"n"},
               .cli = nodeCli,
               .run =
                   [d](const QJsonObject& a) {
                     GraphTab* t = d->current();
                     return selectNth(d, t->graph()->graph->inputs(t->current()), a["n"].toVariant().toInt(),
                                      "inputs");
                   },
               .unavailable = node,
               .inPalette = false});
  actions.add({.id = "nth-reader",
               .title = tr("To the nth reader"),
               .group = "Go",
               .keys = "Alt+1..9",
               .scope = KeyScope::Canvas,
               .args = {"n"},
               .cli = nodeCli,
               .run =
                   [d](const QJsonObject& a) {
                     GraphTab* t = d->current();
                     return selectNth(d, t->graph()->graph->users(t->current()), a["n"].toVariant().toInt(),
                                      "readers");
                   },
               .unavailable = node,
               .inPalette = false});
  actions.add({.id = "select-same-op",
               .title = tr("Select all nodes with the same op"),
               .group = "Select",
               .keys = "S",
               .scope = KeyScope::Canvas,
               .cli =
                   [d](const QJsonObject&) {
                     const GraphTab* t = d->current();
                     const QString target =
                         t && t->current()
                             ? QString::fromStdString(std::string(t->graph()->graph->target(t->current())))
                             : QStringLiteral("TARGET");
                     return queryCommandLine(*d, QStringLiteral("target=\"%1\"").arg(target));
                   },
               .run =
                   [d](const QJsonObject&) {
                     return selectInJob(
                         d, {}, [from = d->current()->current()](const session::LoadedGraph& g) {
                           std::vector<ir::NodeId> nodes;
                           const auto target = g.graph->node(from).target;
                           const auto op = g.graph->node(from).op;
                           for (ir::NodeId id : g.graph->nodes())
                             if (id != from && g.graph->node(id).op == op &&
                                 (op == ir::OpKind::Placeholder || g.graph->node(id).target == target))
                               nodes.push_back(id);
                           nodes.push_back(from);
                           return nodes;
                         });
                   },
               .unavailable = node});
  actions.add({.id = "select-same-module",
               .title = tr("Select all nodes of the same module"),
               .group = "Select",
               .keys = "A",
               .scope = KeyScope::Canvas,
               .cli = [d](const QJsonObject&) { return queryCommandLine(*d, QStringLiteral("module=PATH")); },
               .run =
                   [d](const QJsonObject&) {
                     return selectInJob(d, Document::tr("No module is recorded for this node."),
                                        [from = d->current()->current()](const session::LoadedGraph& g) {
                                          std::vector<ir::NodeId> nodes;
                                          const auto rows = session::nodeRows(g);
                                          std::string module;
                                          for (const auto& r : rows)
                                            if (r.node == from) module = r.module;
                                          if (module.empty()) return nodes;
                                          for (const auto& r : rows)
                                            if (r.module == module && r.node != from) nodes.push_back(r.node);
                                          nodes.push_back(from);
                                          return nodes;
                                        });
                   },
               .unavailable = node});
  actions.add({.id = "query",
               .title = tr("Query this graph"),
               .group = "Find",
               .keys = "Ctrl+F; /",
               .args = {"text"},
               .cli =
                   [d](const QJsonObject& a) {
                     const QString text = a["text"].toString();
                     return queryCommandLine(
                         *d, text.isEmpty() && d->current() ? d->current()->state().query : text);
                   },
               .run =
                   [d](const QJsonObject& a) {
                     d->current()->setQuery(a["text"].toString());
                     return ActionOutcome::done();
                   },
               .unavailable = graph});
  actions.add({.id = "clear-query",
               .title = tr("Clear the query"),
               .group = "Find",
               .cli = [d](const QJsonObject&) { return scriptCommandLine(*d, "clear-query"); },
               .run =
                   [d](const QJsonObject&) {
                     d->current()->setQuery({});
                     return ActionOutcome::done();
                   },
               .unavailable = graph});
  const auto hits = [d] {
    if (!d->current()) return needsGraph(*d);
    if (!d->current()->hits()) return Document::tr("No query is active.");
    return d->current()->hits()->nodes.empty() ? Document::tr("The query has no hits.") : QString();
  };
  const auto hitCli = [d](const QJsonObject&) {
    return queryCommandLine(*d, d->current() ? d->current()->state().query : QString());
  };
  actions.add({.id = "next-hit",
               .title = tr("Next hit"),
               .group = "Find",
               .keys = "F3",
               .cli = hitCli,
               .run =
                   [d](const QJsonObject&) {
                     d->current()->stepHit(1);
                     return ActionOutcome::done();
                   },
               .unavailable = hits});
  actions.add({.id = "previous-hit",
               .title = tr("Previous hit"),
               .group = "Find",
               .keys = "Shift+F3",
               .cli = hitCli,
               .run =
                   [d](const QJsonObject&) {
                     d->current()->stepHit(-1);
                     return ActionOutcome::done();
                   },
               .unavailable = hits});
  actions.add({.id = "select-hits",
               .title = tr("Select all hits"),
               .group = "Find",
               .cli = hitCli,
               .run =
                   [d](const QJsonObject&) {
                     d->current()->selectAll(d->current()->hits()->nodes);
                     return ActionOutcome::done();
                   },
               .unavailable = hits});
}

}  // namespace descry::gui

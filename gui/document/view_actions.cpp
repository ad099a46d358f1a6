#include "gui/document/document_actions.h"

namespace descry::gui {
namespace {

/// Paths of the groups that the shown scene has, the deepest first.
std::set<std::string> groupPaths(const GraphTab& tab) {
  std::set<std::string> paths = tab.state().folded;
  if (tab.scene())
    for (const auto& group : tab.scene()->groups) paths.insert(group.path);
  return paths;
}

/// The group that an action without argument means: that of the current node.
std::string currentGroup(const GraphTab& tab) {
  if (!tab.scene()) return {};
  for (const auto& node : tab.scene()->nodes)
    if (node.node == tab.current() && node.node && node.group >= 0)
      return tab.scene()->groups[static_cast<size_t>(node.group)].path;
  return {};
}

bool below(const std::string& path, const std::string& root) {
  return path == root || (path.size() > root.size() && path.compare(0, root.size(), root) == 0 &&
                          (path[root.size()] == '.' || path[root.size()] == '/'));
}

}  // namespace

void addViewActions(Actions& actions, Document& doc) {
  auto tr = [](const char* s) { return Document::tr(s); };
  Document* d = &doc;
  const auto graph = [d] { return needsGraph(*d); };
  const auto cli = [d](const QJsonObject&) { return renderCommandLine(*d); };

  const auto foldAction = [&](const char* id, const QString& title, const char* key, bool folded, bool deep) {
    actions.add({.id = id,
                 .title = title,
                 .group = "View",
                 .keys = key,
                 .scope = KeyScope::Canvas,
                 .args = {"group"},
                 .cli =
                     [d, folded](const QJsonObject& a) {
                       const QString group = a["group"].toString();
                       return renderCommandLine(*d) + (folded && !group.isEmpty()
                                                           ? QStringLiteral(" --fold ") + shellQuote(group)
                                                           : QString());
                     },
                 .run =
                     [d, folded, deep](const QJsonObject& a) {
                       GraphTab* tab = d->current();
                       std::string group = a["group"].toString().toStdString();
                       if (group.empty()) group = currentGroup(*tab);
                       if (group.empty())
                         return ActionOutcome::fail(Document::tr("The selected node is in no group."));
                       if (!groupPaths(*tab).count(group))
                         return ActionOutcome::fail(
                             Document::tr("There is no group '%1'").arg(QString::fromStdString(group)));
                       if (!deep) {
                         tab->setFolded(group, folded);
                         return ActionOutcome::done();
                       }
                       ViewState next = tab->state();
                       if (folded) {
                         for (const std::string& path : groupPaths(*tab))
                           if (below(path, group)) next.folded.insert(path);
                       } else {
                         for (auto it = next.folded.begin(); it != next.folded.end();)
                           it = below(*it, group) ? next.folded.erase(it) : std::next(it);
                       }
                       tab->change(folded ? Document::tr("Fold all below") : Document::tr("Unfold all below"),
                                   next);
                       return ActionOutcome::done();
                     },
                 .unavailable = [d] { return needsGraph(*d); }});
  };
  foldAction("expand", tr("Expand group"), "E", false, false);
  foldAction("collapse", tr("Collapse group"), "C", true, false);
  foldAction("expand-below", tr("Expand group and all below"), "Shift+E", false, true);
  foldAction("collapse-below", tr("Collapse group and all below"), "Shift+C", true, true);
  actions.add({.id = "expand-all",
               .title = tr("Expand all groups"),
               .group = "View",
               .cli = cli,
               .run =
                   [d](const QJsonObject&) {
                     ViewState next = d->current()->state();
                     next.folded.clear();
                     d->current()->change(Document::tr("Unfold all"), next);
                     return ActionOutcome::done();
                   },
               .unavailable = graph});
  actions.add({.id = "collapse-all",
               .title = tr("Collapse all top-level groups"),
               .group = "View",
               .cli = cli,
               .run =
                   [d](const QJsonObject&) {
                     GraphTab* tab = d->current();
                     ViewState next = tab->state();
                     if (tab->scene())
                       for (const auto& group : tab->scene()->groups)
                         if (group.parent < 0) next.folded.insert(group.path);
                     tab->change(Document::tr("Fold all"), next);
                     return ActionOutcome::done();
                   },
               .unavailable = graph});
  actions.add(
      {.id = "group-by",
       .title = tr("Group by module, phase, source line or none"),
       .group = "View",
       .keys = "G",
       .scope = KeyScope::Canvas,
       .args = {"name"},
       .cli = cli,
       .run =
           [d](const QJsonObject& a) {
             ViewState next = d->current()->state();
             const QString name = a["name"].toString();
             if (name.isEmpty()) {
               next.groupBy = static_cast<session::GroupBy>((static_cast<int>(next.groupBy) + 1) % 4);
             } else {
               bool ok = false;
               next.groupBy = groupByFrom(name, &ok);
               if (!ok)
                 return ActionOutcome::fail(
                     Document::tr("unknown grouping '%1'; expected none, module, phase or source").arg(name));
             }
             next.folded.clear();
             d->current()->change(Document::tr("Group by %1").arg(groupByName(next.groupBy)), next);
             return ActionOutcome::done(Document::tr("Grouped by %1").arg(groupByName(next.groupBy)));
           },
       .unavailable = graph,
       .choices = {{QStringLiteral("module"), tr("Module")},
                   {QStringLiteral("phase"), tr("Phase")},
                   {QStringLiteral("source"), tr("Source line")},
                   {QStringLiteral("none"), tr("None")}},
       .chosen = [d] { return groupByName(d->current()->state().groupBy); }});
  actions.add({.id = "choose-layout",
               .title = tr("Choose the layout: top to bottom, left to right or joint"),
               .group = "View",
               .keys = "Shift+L",
               .scope = KeyScope::Canvas,
               .args = {"name"},
               .cli = cli,
               .run =
                   [d](const QJsonObject& a) {
                     const QString name = a["name"].toString();
                     const bool joint = name == QLatin1String("joint"),
                                across = name == QLatin1String("left-to-right");
                     if (!joint && !across && name != QLatin1String("top-to-bottom"))
                       return ActionOutcome::fail(
                           Document::tr("unknown layout '%1'; expected top-to-bottom, left-to-right or joint")
                               .arg(name));
                     if (joint && !d->current()->noJointReason().isEmpty())
                       return ActionOutcome::fail(d->current()->noJointReason());
                     ViewState next = d->current()->state();
                     next.jointU = joint;
                     next.leftToRight = across;
                     d->current()->change(Document::tr("Choose the layout"), next);
                     return ActionOutcome::done();
                   },
               .unavailable = graph,
               .choices = {{QStringLiteral("top-to-bottom"), tr("Top to bottom")},
                           {QStringLiteral("left-to-right"), tr("Left to right")},
                           {QStringLiteral("joint"), tr("Joint: forward left, backward right")}},
               .chosen =
                   [d] {
                     const ViewState& state = d->current()->state();
                     return state.jointU        ? QStringLiteral("joint")
                            : state.leftToRight ? QStringLiteral("left-to-right")
                                                : QStringLiteral("top-to-bottom");
                   }});
  const auto toggle = [&](const char* id, const QString& title, const char* key, bool ViewState::*member) {
    actions.add({.id = id,
                 .title = title,
                 .group = "View",
                 .keys = key,
                 .scope = KeyScope::Canvas,
                 .cli = cli,
                 .run =
                     [d, member, title](const QJsonObject&) {
                       ViewState next = d->current()->state();
                       next.*member = !(next.*member);
                       d->current()->change(title, next);
                       return ActionOutcome::done();
                     },
                 .unavailable =
                     [d, member] {
                       if (!d->current()) return needsGraph(*d);
                       return member == &ViewState::jointU ? d->current()->noJointReason() : QString();
                     },
                 .checked = [d, member] { return d->current() && d->current()->state().*member; }});
  };
  toggle("flow", tr("Flow left to right"), "D", &ViewState::leftToRight);
  toggle("joint-u", tr("Joint drawing: forward left, backward right"), "", &ViewState::jointU);
  toggle("hide-views", tr("Hide views"), "", &ViewState::hideViews);
  toggle("hide-symbolic-sizes", tr("Hide symbolic size arithmetic"), "", &ViewState::hideSymbolicSizes);
  actions.add({.id = "layout",
               .title = tr("Lay out again"),
               .group = "View",
               .keys = "L",
               .scope = KeyScope::Canvas,
               .cli =
                   [d](const QJsonObject&) {
                     return QStringLiteral("descry layout %1 --stats").arg(currentAddress(*d));
                   },
               .run =
                   [d](const QJsonObject&) {
                     d->current()->relayout();
                     return ActionOutcome::done();
                   },
               .unavailable = graph});
  actions.add({.id = "undo",
               .title = tr("Undo view change"),
               .group = "View",
               .keys = "Ctrl+Z",
               .cli = cli,
               .run =
                   [d](const QJsonObject&) {
                     d->current()->undo();
                     return ActionOutcome::done();
                   },
               .unavailable =
                   [d] {
                     if (!d->current()) return needsGraph(*d);
                     return d->current()->canUndo() ? QString() : Document::tr("Nothing to undo.");
                   }});
  actions.add({.id = "redo",
               .title = tr("Redo view change"),
               .group = "View",
               .keys = "Ctrl+Shift+Z",
               .cli = cli,
               .run =
                   [d](const QJsonObject&) {
                     d->current()->redo();
                     return ActionOutcome::done();
                   },
               .unavailable =
                   [d] {
                     if (!d->current()) return needsGraph(*d);
                     return d->current()->canRedo() ? QString() : Document::tr("Nothing to redo.");
                   }});
}

}  // namespace descry::gui

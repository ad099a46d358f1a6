#include "gui/panels/node/facts_html.h"

#include <QFontMetrics>
#include <QLocale>

#include <algorithm>

namespace descry::gui {
namespace {

constexpr int kWidestLabel = 130;

QString sectionTitle(const QString& id) {
  if (id == QLatin1String("facts")) return {};
  if (id.isEmpty()) return id;
  return id.left(1).toUpper() + id.mid(1);
}

QString breakable(const QString& text) {
  // Long dotted names and types have no spaces: let the line break behind separators.
  QString out = text.toHtmlEscaped();
  out.replace(QLatin1Char('\n'), QLatin1String("<br>"));
  out.replace(QLatin1String("."), QLatin1String(".&#8203;"));
  out.replace(QLatin1String("("), QLatin1String("(&#8203;"));
  out.replace(QLatin1String("="), QLatin1String("=&#8203;"));
  return out;
}

bool isCode(const QString& section, const QString& label) {
  static const QStringList prose = {"role", "words", "meaning", "kind", "phase", "note", "origin"};
  if (section == QLatin1String("inputs") || section == QLatin1String("outputs")) return true;
  return !prose.contains(label);
}

}  // namespace

QString factsHtml(const FactsModel& model, const Theme& theme, size_t selected) {
  if (!model.details()) {
    return QStringLiteral("<p style='color:%1'>%2</p>")
        .arg(theme.mutedText.name(),
             FactsModel::tr("Select a node to see what is known about it.").toHtmlEscaped());
  }
  const NodeDetails& details = *model.details();
  QString html = QStringLiteral(
                     "<style>td{padding:2px 0 2px 0;vertical-align:top} .l{color:%1;padding-right:12px} "
                     ".h{color:%1;font-weight:600;padding-top:14px} .c{font-family:'%2'} a{color:%3;"
                     "text-decoration:none} .n{color:%1}</style>")
                     .arg(theme.mutedText.name(), codeFont().family(), theme.link.name());
  if (selected > 1)
    html += QStringLiteral("<p class='n' style='margin:0 0 6px 0'>%1</p>")
                .arg(FactsModel::tr("%1 selected; the last one is")
                         .arg(QLocale(QLocale::English).toString(static_cast<qulonglong>(selected))));
  html += QStringLiteral("<p style='font-size:large;font-weight:600;margin:0 0 2px 0'>%1</p>")
              .arg(breakable(toQString(details.name)));
  const session::Partner& partner = details.partner;
  if (partner.node) {
    html += QStringLiteral(
                "<p style='margin:0 0 4px 0'><span class='n'>%1</span> <a href='action:partner'>%2</a> "
                "<span class='n'>%3</span></p>")
                .arg(FactsModel::tr("Partner (J)").toHtmlEscaped(), breakable(toQString(details.partnerName)),
                     toQString(partner.why).toHtmlEscaped());
  }
  html += QStringLiteral("<table width='100%' cellspacing='0'>");
  // Widths are fixed by hand: left alone, rich text gives the labels one letter's width.
  const QFontMetrics metrics(interfaceFont());
  int labelWidth = 40;
  for (int r = 0; r < model.rowCount(); ++r)
    labelWidth = std::max(labelWidth, metrics.horizontalAdvance(model.index(r, 0).data().toString()) + 12);
  labelWidth = std::min(labelWidth, kWidestLabel);
  QString section;
  for (int r = 0; r < model.rowCount(); ++r) {
    const QModelIndex label = model.index(r, FactsModel::LabelColumn);
    const QModelIndex value = model.index(r, FactsModel::ValueColumn);
    const QString here = label.data(kSectionRole).toString();
    const QString name = label.data().toString();
    if (here == QLatin1String("facts") && name == QLatin1String("name")) continue;
    if (here != section) {
      section = here;
      const QString title = sectionTitle(here);
      if (!title.isEmpty())
        html += QStringLiteral("<tr><td colspan='2' class='h'>%1</td></tr>").arg(title.toHtmlEscaped());
    }
    const auto origin = static_cast<session::Origin>(value.data(kOriginRole).toInt());
    const QString hint = value.data(kHintRole).toString();
    QString text = breakable(value.data().toString());
    if (origin == session::Origin::Absent) {
      text = QStringLiteral("<span class='n'>%1</span>")
                 .arg((hint.isEmpty() ? FactsModel::tr("not in this log")
                                      : FactsModel::tr("not in this log; %1").arg(hint))
                          .toHtmlEscaped());
    } else {
      if (isCode(here, name)) text = QStringLiteral("<span class='c'>%1</span>").arg(text);
      const uint32_t link = value.data(kNodeRole).toUInt();
      if (link != ir::NodeId::kNone) text = QStringLiteral("<a href='node:%1'>%2</a>").arg(link).arg(text);
      if (origin == session::Origin::Inferred) {
        text = QStringLiteral("<i>%1</i> <a href='hint:%2' style='color:%3'><sup>i</sup></a>")
                   .arg(text)
                   .arg(r)
                   .arg(theme.warning.name());
      }
    }
    html += QStringLiteral("<tr><td class='l' width='%1'>%2</td><td>%3</td></tr>")
                .arg(labelWidth)
                .arg(breakable(name), text);
  }
  return html + QStringLiteral("</table>");
}

}  // namespace descry::gui

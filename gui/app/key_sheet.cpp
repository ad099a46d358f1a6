#include "gui/app/key_sheet.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

namespace descry::gui {
namespace {

QString sectionHtml(const Actions& actions, const QString& group, const QString& muted,
                    const QString& keyColour) {
  QString rows;
  for (const auto& action : actions.all()) {
    if (action->group != group || action->keys.isEmpty()) continue;
    QString keys = action->keys;
    keys.replace(QStringLiteral("; "), QStringLiteral("   "));
    rows += QStringLiteral(
                "<tr><td style='padding:2px 14px 2px 0;color:%1;white-space:nowrap'><b>%2</b></td>"
                "<td style='padding:2px 0'>%3</td></tr>")
                .arg(keyColour, keys.toHtmlEscaped(), action->title.toHtmlEscaped());
  }
  if (rows.isEmpty()) return {};
  return QStringLiteral("<p style='color:%1;font-weight:600;margin:10px 0 4px 0'>%2</p><table>%3</table>")
      .arg(muted, group.toHtmlEscaped(), rows);
}

QStringList groupsOf(const Actions& actions) {
  QStringList groups;
  for (const auto& action : actions.all())
    if (!groups.contains(action->group)) groups.push_back(action->group);
  return groups;
}

}  // namespace

QString keySheetHtml(const Actions& actions, const QString& mutedColour, const QString& keyColour) {
  QString html;
  for (const QString& group : groupsOf(actions)) html += sectionHtml(actions, group, mutedColour, keyColour);
  return html;
}

KeySheet::KeySheet(const Actions& actions, const QString& paneTitle, const QString& paneHelp, QWidget* parent)
    : QDialog(parent) {
  setObjectName(QStringLiteral("keySheet"));
  setWindowTitle(tr("Keys"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(24, 20, 24, 20);
  if (!paneHelp.isEmpty()) {
    auto* help =
        new QLabel(QStringLiteral("<b>%1</b>: %2").arg(paneTitle.toHtmlEscaped(), paneHelp.toHtmlEscaped()));
    help->setWordWrap(true);
    column->addWidget(help);
  }
  const QString muted = palette().color(QPalette::PlaceholderText).name();
  const QString ink = palette().color(QPalette::WindowText).name();
  auto* area = new QScrollArea(this);
  area->setWidgetResizable(true);
  auto* page = new QWidget;
  auto* row = new QHBoxLayout(page);
  row->setSpacing(36);
  row->setContentsMargins(0, 0, 0, 0);
  QVBoxLayout* half = nullptr;
  int lines = 1000;
  for (const QString& group : groupsOf(actions)) {
    const QString html = sectionHtml(actions, group, muted, ink);
    if (html.isEmpty()) continue;
    const int here = static_cast<int>(html.count(QStringLiteral("<tr>"))) + 2;
    if (!half || lines + here > 44) {
      if (half) half->addStretch();
      half = new QVBoxLayout;
      row->addLayout(half);
      lines = 0;
    }
    lines += here;
    half->addWidget(new QLabel(html));
  }
  if (half) half->addStretch();
  row->addStretch();
  area->setWidget(page);
  column->addWidget(area);
  auto* note = new QLabel(
      tr("Keys of the canvas work while it has the focus. View > Single-letter keys switches them off."));
  note->setObjectName(QStringLiteral("caption"));
  column->addWidget(note);
  resize(std::min(840, parent ? parent->width() - 60 : 840),
         std::min(780, parent ? parent->height() - 80 : 780));
}

}  // namespace descry::gui

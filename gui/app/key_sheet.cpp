#include "gui/app/key_sheet.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QScrollArea>
#include <QStyle>
#include <QVBoxLayout>

#include <algorithm>
#include <vector>

namespace descry::gui {
namespace {

constexpr int kSide = 24, kBetween = 36, kMostColumns = 3;

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

int heightOf(const std::vector<QLabel*>& column) {
  int height = 0;
  for (const QLabel* label : column) height += label->sizeHint().height();
  return height;
}

int widthOf(const std::vector<std::vector<QLabel*>>& columns) {
  int width = 0;
  for (const std::vector<QLabel*>& column : columns) {
    int widest = 0;
    for (const QLabel* label : column) widest = std::max(widest, label->sizeHint().width());
    width += widest + (width > 0 ? kBetween : 0);
  }
  return width;
}

/// In order, in at most `count` columns of about the same height.
std::vector<std::vector<QLabel*>> inColumns(const std::vector<QLabel*>& sections, int count) {
  const int share = heightOf(sections) / count;
  std::vector<std::vector<QLabel*>> columns(1);
  for (QLabel* section : sections) {
    // The half that stands over decides.
    const int there = heightOf(columns.back()), here = section->sizeHint().height();
    if (there > 0 && there + here / 2 > share && static_cast<int>(columns.size()) < count)
      columns.emplace_back();
    columns.back().push_back(section);
  }
  return columns;
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
  column->setContentsMargins(kSide, 20, kSide, 20);
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
  auto* page = new QWidget(area);
  std::vector<QLabel*> sections;
  for (const QString& group : groupsOf(actions)) {
    const QString html = sectionHtml(actions, group, muted, ink);
    if (!html.isEmpty()) sections.push_back(new QLabel(html, page));
  }
  const QSize most = parent ? parent->size() - QSize(60, 80) : QSize(1200, 900);
  const int bar = style()->pixelMetric(QStyle::PM_ScrollBarExtent) + 16, around = 2 * kSide + bar;
  // As many columns as stand beside each other whole: a bar below cut-off keys helps nobody.
  std::vector<std::vector<QLabel*>> columns;
  for (int count = kMostColumns; count > 0; --count) {
    columns = inColumns(sections, count);
    if (widthOf(columns) + around <= most.width()) break;
  }
  auto* row = new QHBoxLayout(page);
  row->setSpacing(kBetween);
  row->setContentsMargins(0, 0, 0, 0);
  for (const std::vector<QLabel*>& labels : columns) {
    auto* part = new QVBoxLayout;
    for (QLabel* label : labels) part->addWidget(label);
    part->addStretch();
    row->addLayout(part);
  }
  row->addStretch();
  area->setWidget(page);
  column->addWidget(area);
  auto* note = new QLabel(
      tr("Keys of the canvas work while it has the focus. View > Single-letter keys switches them off."));
  note->setObjectName(QStringLiteral("caption"));
  column->addWidget(note);
  resize(std::min(std::max(widthOf(columns) + around, 640), most.width()),
         std::min(page->sizeHint().height() + 140, most.height()));
}

}  // namespace descry::gui

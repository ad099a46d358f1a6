#include "gui/panels/text/text_panel.h"

#include <algorithm>

#include "gui/panels/text/text_view.h"

namespace descry::gui {

TextPanel::TextPanel(Document& document, QWidget* parent)
    : Panel(QStringLiteral("text"), tr("Text"), Qt::BottomDockWidgetArea, document, parent) {
  view_ = new TextView(this);
  view_->setAccessibleName(tr("Graph as text"));
  setWidget(view_);
  connect(view_, &TextView::linesChosen, this, &TextPanel::choose);
}

QString TextPanel::help() const {
  return tr(
      "The graph in PyTorch's readable form. A click selects the node of the line; drag or Shift+arrows "
      "select "
      "several. Ctrl+C copies the lines.");
}

void TextPanel::applyTheme(const Theme& theme) {
  Panel::applyTheme(theme);
  view_->setTheme(theme);
}

QWidget* TextPanel::focusTarget() {
  return view_;
}

void TextPanel::showTab() {
  GraphTab* t = tab();
  view_->setPlaceholder(t ? tr("Printing the graph") : tr("Open a graph to see its text"));
  if (!t) {
    view_->setLines(nullptr);
    return;
  }
  t->request(Part::Text);
  view_->setMarks([p = QPointer<GraphTab>(t)](ir::NodeId id) { return p && p->isSelected(id); },
                  [p = QPointer<GraphTab>(t)](ir::NodeId id) { return p && p->isHit(id); });
  view_->setLines(t->text());
}

void TextPanel::showPart(Part part) {
  if (part != Part::Text) return;
  view_->setLines(tab()->text());
  showSelection();
}

void TextPanel::showSelection() {
  if (choosing_ || !tab()) return view_->viewport()->update();
  const auto& lines = view_->lines();
  if (lines) view_->showLine(lines->lineOf(tab()->current()));
}

void TextPanel::showHits() {
  view_->viewport()->update();
}

void TextPanel::choose(qint64 first, qint64 last) {
  if (!tab() || !view_->lines()) return;
  std::vector<ir::NodeId> nodes;
  for (qint64 line = first; line <= last; ++line)
    if (const ir::NodeId node = view_->lines()->nodeAt(static_cast<uint32_t>(line))) nodes.push_back(node);
  // Walking up with Shift leaves the caret on the first line: its node is the current one.
  if (view_->caretLine() == first) std::reverse(nodes.begin(), nodes.end());
  choosing_ = true;
  if (!nodes.empty()) tab()->select(std::move(nodes));
  choosing_ = false;
}

}  // namespace descry::gui

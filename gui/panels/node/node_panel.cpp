#include "gui/panels/node/node_panel.h"

#include <QCursor>
#include <QJsonObject>
#include <QScrollBar>
#include <QTextBrowser>
#include <QToolTip>
#include <QUrl>

#include "gui/models/facts_model.h"
#include "gui/panels/node/facts_html.h"

namespace descry::gui {

NodePanel::NodePanel(Document& document, QWidget* parent)
    : Panel(QStringLiteral("node"), tr("Node"), Qt::RightDockWidgetArea, document, parent) {
  model_ = new FactsModel(this);
  page_ = new QTextBrowser(this);
  page_->setAccessibleName(tr("Facts of the selected node"));
  page_->setFrameShape(QFrame::NoFrame);
  page_->setOpenLinks(false);
  page_->document()->setDocumentMargin(12);
  connect(page_, &QTextBrowser::anchorClicked, this, &NodePanel::follow);
  // A hint is shown while the pointer rests on the small mark.
  connect(page_, &QTextBrowser::highlighted, this, [this](const QUrl& link) {
    if (link.scheme() == QLatin1String("hint"))
      QToolTip::showText(QCursor::pos(), model_->index(link.path().toInt(), 1).data(kHintRole).toString(),
                         page_);
    else
      QToolTip::hideText();
  });
  setWidget(page_);
}

QString NodePanel::help() const {
  return tr(
      "Facts of the selected node. Blue names lead to their node. Italic facts with a small i are inferred: "
      "rest "
      "on the mark for the rule. Grey ones are not in the file.");
}

QString NodePanel::plainText() const {
  return page_->toPlainText();
}

QWidget* NodePanel::focusTarget() {
  return page_;
}

void NodePanel::applyTheme(const Theme& theme) {
  Panel::applyTheme(theme);
  showFacts();
}

void NodePanel::showTab() {
  if (linked_ != tab()) {
    if (linked_) disconnect(linked_, &GraphTab::detailsReady, this, nullptr);
    linked_ = tab();
    if (linked_) connect(linked_, &GraphTab::detailsReady, this, &NodePanel::showDetails);
  }
  showDetails();
}

void NodePanel::showDetails() {
  model_->setDetails(tab() ? tab()->details() : nullptr);
  showFacts();
  page_->verticalScrollBar()->setValue(0);
}

void NodePanel::showFacts() {
  page_->setHtml(factsHtml(*model_, theme(), tab() ? tab()->selection().size() : 0));
}

void NodePanel::follow(const QUrl& link) {
  if (link.scheme() == QLatin1String("node") && tab()) tab()->select(ir::NodeId{link.path().toUInt()});
  if (link.scheme() == QLatin1String("action")) emit actionRequested(link.path(), {});
}

}  // namespace descry::gui

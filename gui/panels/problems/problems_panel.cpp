#include "gui/panels/problems/problems_panel.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QJsonObject>
#include <QLabel>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

#include "gui/models/problems_model.h"
#include "gui/panels/icons.h"
#include "gui/panels/row_views.h"

namespace descry::gui {
namespace {

QString counted(int n, const QString& one, const QString& many) {
  return QStringLiteral("%1 %2").arg(n).arg(n == 1 ? one : many);
}

/// Puts a sign before the severity, so that it does not rest on colour alone.
class SeverityDelegate final : public QStyledItemDelegate {
 public:
  SeverityDelegate(const Theme& theme, QObject* parent) : QStyledItemDelegate(parent), theme_(theme) {}
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    option->features |= QStyleOptionViewItem::HasDecoration;
    option->decorationSize = QSize(14, 14);
    switch (static_cast<ir::Severity>(index.data(kSeverityRole).toInt())) {
      case ir::Severity::Error:
        option->icon = makeIcon(IconKind::Error, theme_.error);
        break;
      case ir::Severity::Warning:
        option->icon = makeIcon(IconKind::Warning, theme_.warning);
        break;
      case ir::Severity::Note:
        option->icon = makeIcon(IconKind::Note, theme_.info);
        break;
    }
  }

 private:
  Theme theme_;
};

}  // namespace

ProblemsPanel::ProblemsPanel(Document& document, QWidget* parent)
    : Panel(QStringLiteral("problems"), tr("Problems"), Qt::BottomDockWidgetArea, document, parent) {
  model_ = new ProblemsModel(this);
  auto* page = new QWidget(this);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  count_ = new QLabel(page);
  count_->setObjectName(QStringLiteral("caption"));
  count_->setContentsMargins(10, 6, 10, 6);
  column->addWidget(count_);
  table_ = new QTableView(page);
  setUpTable(table_, tr("Problems"));
  table_->setModel(model_);
  table_->horizontalHeader()->setStretchLastSection(false);
  table_->horizontalHeader()->setSectionResizeMode(ProblemsModel::MessageColumn, QHeaderView::Stretch);
  table_->setColumnWidth(ProblemsModel::SeverityColumn, 92);
  table_->setColumnWidth(ProblemsModel::WhereColumn, 160);
  table_->setColumnWidth(ProblemsModel::NodeColumn, 100);
  table_->setColumnWidth(ProblemsModel::CodeColumn, 140);
  column->addWidget(table_);
  setWidget(page);
  connect(table_, &QTableView::clicked, this, &ProblemsPanel::jump);
  connect(table_, &QTableView::activated, this, &ProblemsPanel::jump);
  connect(&document, &Document::problemsChanged, this, [this] {
    if (shown()) showTab();
  });
  onCopyKey(table_, [this] {
    QString text;
    for (const QModelIndex& index : table_->selectionModel()->selectedRows())
      text += index.data(Qt::ToolTipRole).toString() + QLatin1Char('\n');
    QApplication::clipboard()->setText(text);
  });
}

QString ProblemsPanel::help() const {
  return tr(
      "What could not be read, rules that the graph breaks, and what the shown run found: NaN, infinities, "
      "mismatches "
      "with another run, failures. A click goes to the node. Ctrl+C copies the full messages.");
}

void ProblemsPanel::applyTheme(const Theme& theme) {
  Panel::applyTheme(theme);
  auto* old = table_->itemDelegateForColumn(ProblemsModel::SeverityColumn);
  table_->setItemDelegateForColumn(ProblemsModel::SeverityColumn, new SeverityDelegate(theme, this));
  delete old;
}

QWidget* ProblemsPanel::focusTarget() {
  return table_;
}

void ProblemsPanel::showTab() {
  std::vector<ProblemRow> failures;
  for (const ir::Diagnostic& d : document().openProblems()) failures.push_back({d, {}});
  if (linked_ != tab()) {
    if (linked_) disconnect(&linked_->runs(), nullptr, this, nullptr);
    linked_ = tab();
    if (linked_)
      connect(&linked_->runs(), &GraphRuns::changed, this, [this] {
        if (shown()) showTab();
      });
  }
  if (tab())
    for (ProblemRow& row : tab()->runs().problems()) failures.push_back(std::move(row));
  if (tab()) tab()->request(Part::Problems);
  model_->setRows(std::move(failures), tab() ? tab()->problems() : nullptr);
  if (tab() && !tab()->has(Part::Problems)) {
    count_->setText(tr("Checking the graph"));
    return;
  }
  const int errors = model_->count(ir::Severity::Error), warnings = model_->count(ir::Severity::Warning);
  const int notes = model_->count(ir::Severity::Note);
  count_->setText(
      model_->rowCount() == 0
          ? (tab() ? tr("No problems: everything was read, and the graph keeps all rules.") : QString())
          : QStringList{counted(errors, tr("error"), tr("errors")),
                        counted(warnings, tr("warning"), tr("warnings")),
                        counted(notes, tr("note"), tr("notes"))}
                    .join(QStringLiteral(", ")) +
                (!tab()                 ? QString()
                 : tab()->runs().view() ? tr(" in the file, in this graph and in its run")
                                        : tr(" in the file and in this graph")));
}

void ProblemsPanel::showPart(Part part) {
  if (part == Part::Problems) showTab();
}

void ProblemsPanel::jump(const QModelIndex& index) {
  const ProblemRow* row = model_->row(index.row());
  if (!row || !tab()) return;
  if (row->node) {
    tab()->select(row->node);
    return;
  }
  const QString graph = toQString(row->diagnostic.graph);
  if (graph.isEmpty() || graph == tab()->graphId()) return;
  for (const auto& entry : tab()->file()->input().graphs())
    if (toQString(entry.id) == graph)
      document().openGraph(tab()->path(), graph, toQString(row->diagnostic.node));
}

}  // namespace descry::gui

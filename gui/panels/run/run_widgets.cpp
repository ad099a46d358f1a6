// The widgets of the Run panel.
#include <QFileDialog>
#include <QFrame>
#include <QHBoxLayout>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include "gui/models/run_rows.h"
#include "gui/panels/run/run_form.h"
#include "gui/panels/run/run_panel.h"

namespace descry::gui {

RunPanel::RunPanel(Document& document, QWidget* parent)
    : Panel(QStringLiteral("run"), tr("Run"), Qt::BottomDockWidgetArea, document, parent) {
  auto* page = new QWidget(this);
  QVBoxLayout* column = bareColumn(page);
  column->addWidget(buildBar());
  split_ = new QSplitter(page);
  split_->setChildrenCollapsible(false);
  split_->setHandleWidth(1);
  split_->setMinimumWidth(300);
  form_ = new RunForm(this);
  form_->setMinimumWidth(430);
  split_->addWidget(form_);
  right_ = new QWidget(split_);
  QVBoxLayout* right = bareColumn(right_);
  right->addWidget(buildFailure(right_));
  right->addWidget(buildPages(), 1);
  split_->addWidget(right_);
  split_->setStretchFactor(1, 1);
  split_->setSizes({420, 580});
  column->addWidget(split_, 1);
  setWidget(page);
  connect(form_, &RunForm::chosen, this, [this](const QString& option, const QString& value) {
    emit actionRequested(QStringLiteral("set-run-option"), {{"option", option}, {"value", value}});
    // What is not accepted does not stay in the field.
    if (tab())
      form_->show(&tab()->runs().settings(), tab()->runs().keptBytes(), tab()->runs().backwardUnavailable());
  });
  connect(form_, &RunForm::fileWanted, this, [this] {
    const QString path = QFileDialog::getOpenFileName(this, tr("Inputs"), {}, tr("Tensors (*.safetensors)"));
    if (!path.isEmpty())
      emit actionRequested(QStringLiteral("set-run-option"), {{"option", "inputs"}, {"value", path}});
    if (tab())
      form_->show(&tab()->runs().settings(), tab()->runs().keptBytes(), tab()->runs().backwardUnavailable());
  });
}

QWidget* RunPanel::buildBar() {
  auto* bar = new QWidget(this);
  auto* column = new QVBoxLayout(bar);
  column->setContentsMargins(8, 4, 8, 2);
  column->setSpacing(2);
  auto* row = new QHBoxLayout;
  row->setSpacing(6);
  column->addLayout(row);
  const auto button = [&](const QString& text, const char* action, const QString& tip) {
    auto* b = new QPushButton(text, bar);
    b->setToolTip(tip);
    connect(b, &QPushButton::clicked, this,
            [this, id = QString::fromLatin1(action)] { emit actionRequested(id, {}); });
    row->addWidget(b);
    return b;
  };
  run_ = button(tr("Run"), "run", tr("Run the graph (R)"));
  run_->setObjectName(QStringLiteral("primary"));
  runTo_ = button(tr("Run to here"), "run-to", tr("Run up to the selected node (Shift+R)"));
  stop_ = button(tr("Stop"), "stop", tr("Ends the run; what it has found so far stays (Ctrl+.)"));
  state_ = new QLabel(bar);
  state_->setTextFormat(Qt::PlainText);
  state_->setAccessibleName(tr("State of the run"));
  state_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  progress_ = new QProgressBar(bar);
  progress_->setTextVisible(false);
  progress_->setFixedWidth(140);
  progress_->setFixedHeight(8);
  progress_->setAccessibleName(tr("Progress of the run"));
  row->addWidget(progress_);
  command_ = new QLineEdit(bar);
  command_->setReadOnly(true);
  command_->setFont(codeFont());
  command_->setAccessibleName(tr("Command line that does the same"));
  command_->setToolTip(tr("The command line that does the same"));
  row->addWidget(command_, 1);
  copy_ = new QToolButton(bar);
  copy_->setText(tr("Copy"));
  copy_->setAccessibleName(tr("Copy the command line"));
  connect(copy_, &QToolButton::clicked, this,
          [this] { emit actionRequested(QStringLiteral("copy-run-command"), {}); });
  row->addWidget(copy_);
  state_->setContentsMargins(2, 2, 2, 2);
  column->addWidget(state_);
  return bar;
}

QWidget* RunPanel::buildFailure(QWidget* parent) {
  failure_ = new QFrame(parent);
  failure_->setObjectName(QStringLiteral("runFailure"));
  failure_->setFrameShape(QFrame::StyledPanel);
  auto* column = new QVBoxLayout(failure_);
  column->setContentsMargins(10, 6, 10, 6);
  failureText_ = new QLabel(failure_);
  failureText_->setWordWrap(true);
  failureText_->setTextFormat(Qt::PlainText);
  failureText_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  failureText_->setAccessibleName(tr("Why the run failed"));
  column->addWidget(failureText_);
  auto* row = new QHBoxLayout;
  row->setSpacing(6);
  failureNode_ = new QPushButton(tr("Show the node"), failure_);
  failureRun_ = new QPushButton(tr("Run up to it"), failure_);
  failureCopy_ = new QPushButton(tr("Copy the command"), failure_);
  failureCopy_->setToolTip(tr("The command line that fails in the same way"));
  for (QPushButton* b : {failureNode_, failureRun_, failureCopy_}) row->addWidget(b);
  row->addStretch();
  column->addLayout(row);
  const auto last = [this] {
    return tab() && !tab()->runs().runs().empty() ? tab()->runs().runs().back() : nullptr;
  };
  connect(failureNode_, &QPushButton::clicked, this, [this, last] {
    if (const KeptRunPtr run = last(); run && run->view && run->view->failed.valid())
      tab()->select(run->view->failed);
  });
  connect(failureRun_, &QPushButton::clicked, this, [this, last] {
    if (const KeptRunPtr run = last())
      emit actionRequested(QStringLiteral("run-to"), {{"node", lastNode(*run)}});
  });
  connect(failureCopy_, &QPushButton::clicked, this, [this, last] {
    if (const KeptRunPtr run = last())
      emit actionRequested(QStringLiteral("copy-run-command"), {{"number", run->number}});
  });
  failure_->hide();
  return failure_;
}

QWidget* RunPanel::buildPages() {
  pages_ = new QTabWidget(this);
  pages_->setDocumentMode(true);
  const auto page = [&](const QString& title) {
    auto* p = new QWidget(this);
    bareColumn(p);
    pages_->addTab(p, title);
    return p;
  };
  QWidget* p = page(tr("Results"));
  results_ = makeTableSection(
      p, tr("Results of the run"),
      {tr("Name"), tr("Type"), tr("Min"), tr("Mean"), tr("Max"), tr("Bad"), tr("What it is")},
      {kResultMin, kResultMean, kResultMax}, {kResultType, kResultMeaning});
  p->layout()->addWidget(results_.headline);
  static_cast<QVBoxLayout*>(p->layout())->addWidget(results_.table, 1);
  static_cast<QVBoxLayout*>(p->layout())->addStretch();
  connect(results_.table->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
    if (choosing_ || !tab()) return;
    std::vector<ir::NodeId> nodes;
    for (const QModelIndex& row : results_.table->selectionModel()->selectedRows())
      if (const ir::NodeId id =
              tab()->graph()->graph->find(row.data(CellsModel::kNameRole).toString().toStdString()))
        nodes.push_back(id);
    if (nodes.empty()) return;
    choosing_ = true;
    tab()->select(std::move(nodes));
    choosing_ = false;
  });

  p = page(tr("Runs"));
  runs_ = makeTableSection(p, tr("Runs of this graph"),
                           {tr("#"), tr("How"), tr("Time"), tr("NaN, Inf"), tr("Kept values"), tr("End")},
                           {kRunValues}, {kRunWhat, kRunTime, kRunEnd});
  runs_.table->setSelectionMode(QAbstractItemView::SingleSelection);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(8, 0, 8, 6);
  row->setSpacing(6);
  const auto button = [&](const QString& text, const QString& tip, std::function<void(int)> act) {
    auto* b = new QPushButton(text, p);
    b->setToolTip(tip);
    connect(b, &QPushButton::clicked, this,
            [this, act] { act(runOfRow(runs_.table->selectionModel()->currentIndex().row())); });
    row->addWidget(b);
    return b;
  };
  show_ = button(tr("Show"), tr("All views show this run: A"), [this](int n) {
    emit actionRequested(QStringLiteral("show-run"), {{"number", n}});
  });
  against_ = button(tr("Compare"), tr("Hold the shown run, A, against this one, B"), [this](int n) {
    emit actionRequested(QStringLiteral("compare-runs"), {{"number", n}});
  });
  end_ = button(tr("End comparison"), tr("Shows A alone again"), [this](int) {
    emit actionRequested(QStringLiteral("compare-runs"), {{"number", 0}});
  });
  forget_ = button(tr("Forget"), tr("Drops the run and its values"), [this](int n) {
    emit actionRequested(QStringLiteral("drop-run"), {{"number", n}});
  });
  row->addStretch();
  p->layout()->addWidget(runs_.headline);
  static_cast<QVBoxLayout*>(p->layout())->addLayout(row);
  static_cast<QVBoxLayout*>(p->layout())->addWidget(runs_.table, 1);
  static_cast<QVBoxLayout*>(p->layout())->addStretch();
  connect(runs_.table->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
    const int n = runOfRow(runs_.table->selectionModel()->currentIndex().row());
    const KeptRunPtr run = tab() ? tab()->runs().byNumber(n) : nullptr;
    const KeptRunPtr shown = tab() ? tab()->runs().shown() : nullptr;
    show_->setEnabled(run && run->view && run->graph == tab()->graph() && run != shown);
    against_->setEnabled(run && run->view && shown && run != shown);
    forget_->setEnabled(run != nullptr);
  });
  connect(runs_.table, &QTableView::activated, this, [this](const QModelIndex& index) {
    emit actionRequested(QStringLiteral("show-run"), {{"number", runOfRow(index.row())}});
  });

  p = page(tr("Plan"));
  plan_ = makeTableSection(p, tr("Plan of the compiled executor"), {tr("Fact"), tr("Value"), tr("Meaning")},
                           {1}, {2});
  p->layout()->addWidget(plan_.headline);
  static_cast<QVBoxLayout*>(p->layout())->addWidget(plan_.table, 1);
  static_cast<QVBoxLayout*>(p->layout())->addStretch();
  return pages_;
}

}  // namespace descry::gui

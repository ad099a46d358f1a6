#include "gui/panels/run/run_form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QStandardItemModel>

#include "gui/models/table_model.h"

namespace descry::gui {
namespace {

constexpr int kMostTimed = 1000;

/// Emits only what a person has typed.
void onEdited(QLineEdit* edit, const std::function<void(const QString&)>& take) {
  QObject::connect(edit, &QLineEdit::editingFinished, edit, [edit, take] {
    if (edit->isModified()) take(edit->text().trimmed());
    edit->setModified(false);
  });
}

}  // namespace

RunForm::RunForm(QWidget* parent) : QScrollArea(parent) {
  setFrameShape(QFrame::NoFrame);
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setAccessibleName(tr("How the graph is run"));
  auto* page = new QWidget(this);
  auto* grid = new QGridLayout(page);
  grid->setContentsMargins(10, 6, 10, 8);
  grid->setHorizontalSpacing(8);
  grid->setVerticalSpacing(5);
  grid->setColumnMinimumWidth(2, 8);
  grid->setColumnStretch(1, 1);
  grid->setColumnStretch(4, 1);
  int place = 0;  // from the left, then down
  const auto add = [&](const QString& title, QWidget* field, const QString& tip) {
    auto* label = new QLabel(title, page);
    label->setBuddy(field);
    label->setToolTip(tip);
    field->setToolTip(tip);
    field->setAccessibleName(title);
    field->setAccessibleDescription(tip);
    field->setMinimumWidth(60);
    field->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    const int column = place % 2 * 3;
    grid->addWidget(label, place / 2, column);
    grid->addWidget(field, place / 2, column + 1);
    ++place;
  };
  inputs_ = new QComboBox(page);
  inputs_->setEditable(true);
  inputs_->setInsertPolicy(QComboBox::NoInsert);
  inputs_->setMinimumContentsLength(10);
  inputs_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  inputs_->addItems({QStringLiteral("random:0"), QStringLiteral("random:1"), QStringLiteral("zeros"),
                     QStringLiteral("ones"), tr("from a file\u2026")});
  add(tr("Inputs"), inputs_,
      tr("random:SEED (normal numbers), random:SEED:LOW..HIGH (even ones), zeros, ones, or a safetensors "
         "file with a tensor for each "
         "input"));
  executor_ = new QComboBox(page);
  executor_->addItems({QStringLiteral("interpret"), QStringLiteral("compiled")});
  add(tr("Executor"), executor_,
      tr("interpret: node by node. compiled: fused and planned; its times are those of steps"));
  seed_ = new QLineEdit(page);
  add(tr("Random ops"), seed_, tr("Seed of random ops such as dropout, as torch.manual_seed takes it"));
  backward_ = new QCheckBox(tr("and gradients"), page);
  add(tr("Backward"), backward_, tr("Also compute gradients of the inputs that require them"));
  device_ = new QComboBox(page);
  device_->addItems({QStringLiteral("CPU"), tr("CUDA: not in this build")});
  auto* devices = qobject_cast<QStandardItemModel*>(device_->model());
  devices->item(1)->setEnabled(false);
  const QString why = tr("Descry has no CUDA kernels yet: graphs run on the CPU (docs/status.md).");
  devices->item(1)->setToolTip(why);
  add(tr("Device"), device_, why);
  timed_ = new QSpinBox(page);
  timed_->setRange(0, kMostTimed);
  timed_->setSpecialValueText(tr("no times"));
  timed_->setKeyboardTracking(false);
  add(tr("Timed runs"), timed_,
      tr("How often the graph runs for medians and quartiles, after one run that warms up"));
  keep_ = new QComboBox(page);
  keep_->addItems({QStringLiteral("all"), QStringLiteral("selected"), QStringLiteral("statistics"),
                   QStringLiteral("none")});
  add(tr("Keep values"), keep_,
      tr("all: of every node. selected: of the nodes that are selected when the run begins. statistics: "
         "figures "
         "alone. none: nothing is looked at"));
  memory_ = new QLineEdit(page);
  add(tr("At most"), memory_,
      tr("Bytes of kept values, such as 500M or 2GiB. Beyond it the least recently used ones go; their "
         "statistics "
         "stay"));
  tolerance_ = new QLineEdit(page);
  tolerance_->setPlaceholderText(tr("by dtype"));
  add(tr("Tolerance"), tolerance_,
      tr("What two runs may differ by: 1e-4, or f32=1e-4:1e-6,bf16=0.02; empty: by dtype and by how much is "
         "summed"));
  kept_ = new QLabel(page);
  kept_->setObjectName(QStringLiteral("caption"));
  kept_->setWordWrap(true);
  grid->addWidget(kept_, 5, 0, 1, 5);
  grid->setRowStretch(6, 1);
  setWidget(page);

  connect(inputs_, &QComboBox::activated, this, [this](int index) {
    if (index == inputs_->count() - 1)
      emit fileWanted();
    else
      emit chosen(QStringLiteral("inputs"), inputs_->itemText(index));
  });
  onEdited(inputs_->lineEdit(), [this](const QString& text) { emit chosen(QStringLiteral("inputs"), text); });
  onEdited(memory_, [this](const QString& text) { emit chosen(QStringLiteral("memory"), text); });
  onEdited(tolerance_, [this](const QString& text) { emit chosen(QStringLiteral("tolerance"), text); });
  onEdited(seed_, [this](const QString& text) { emit chosen(QStringLiteral("seed"), text); });
  connect(executor_, &QComboBox::textActivated, this,
          [this](const QString& text) { emit chosen(QStringLiteral("executor"), text); });
  connect(keep_, &QComboBox::textActivated, this,
          [this](const QString& text) { emit chosen(QStringLiteral("keep"), text); });
  connect(backward_, &QCheckBox::clicked, this, [this](bool on) {
    emit chosen(QStringLiteral("backward"), on ? QStringLiteral("on") : QStringLiteral("off"));
  });
  connect(timed_, &QSpinBox::valueChanged, this, [this](int n) {
    if (timed_->hasFocus() || timed_->isEnabled()) emit chosen(QStringLiteral("runs"), QString::number(n));
  });
}

void RunForm::show(const RunSettings* settings, qint64 bytes, const QString& noBackward) {
  widget()->setEnabled(settings);
  const RunSettings s = settings ? *settings : RunSettings();
  const auto value = [&](const char* option) { return GraphRuns::valueOf(s, QString::fromLatin1(option)); };
  const QSignalBlocker quiet(timed_);
  inputs_->setEditText(s.inputs);
  inputs_->lineEdit()->setCursorPosition(0);
  executor_->setCurrentText(value("executor"));
  backward_->setChecked(s.backward && noBackward.isEmpty());
  backward_->setEnabled(settings && noBackward.isEmpty());
  backward_->setToolTip(noBackward.isEmpty() ? tr("Also compute gradients of the inputs that require them")
                                             : noBackward);
  tolerance_->setText(s.tolerance);
  timed_->setValue(s.runs);
  keep_->setCurrentText(value("keep"));
  memory_->setText(value("memory"));
  seed_->setText(value("seed"));
  memory_->setEnabled(settings &&
                      (s.keep == RunSettings::Keep::All || s.keep == RunSettings::Keep::Selected));
  const bool looked = s.keep != RunSettings::Keep::None;
  kept_->setText(!settings ? QString()
                 : s.compiled && looked
                     ? tr("Values that are looked at are not fused: keep none to time the fused graph.")
                 : bytes > 0 ? tr("%1 of values are kept now.").arg(bytesText(bytes))
                             : tr("No values are kept now."));
}

}  // namespace descry::gui

#include "gui/panels/passes/pass_settings.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>

#include "gui/models/table_model.h"

namespace descry::gui {
namespace {
constexpr int kFieldWidth = 150;
}

PassSettings::PassSettings(QWidget* parent) : QScrollArea(parent) {
  setFrameShape(QFrame::NoFrame);
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setAccessibleName(tr("Options of the passes"));
  setOptions({}, tr("No graph is open."));
}

void PassSettings::setOptions(const std::vector<session::PipelineOption>& options, const QString& error) {
  bool same = options.size() == rows_.size() && !options.empty() && error.isEmpty();
  for (size_t i = 0; same && i < options.size(); ++i)
    same = rows_[i].pass == toQString(options[i].pass) && rows_[i].name == toQString(options[i].name);
  if (!same) {
    build(error.isEmpty() ? options : std::vector<session::PipelineOption>());
    if (rows_.empty()) {
      auto* why = new QLabel(error.isEmpty() ? tr("These passes have no options.") : error, page_);
      why->setWordWrap(true);
      why->setTextFormat(Qt::PlainText);
      grid_->addWidget(why, 0, 0, 1, 3);
      grid_->setRowStretch(1, 1);
      return;
    }
  }
  for (size_t i = 0; i < rows_.size(); ++i) show(rows_[i], options[i]);
}

void PassSettings::build(const std::vector<session::PipelineOption>& options) {
  rows_.clear();
  page_ = new QWidget(this);
  grid_ = new QGridLayout(page_);
  grid_->setContentsMargins(10, 6, 10, 10);
  grid_->setHorizontalSpacing(12);
  grid_->setVerticalSpacing(5);
  grid_->setColumnStretch(2, 1);
  int at = 0;
  for (const session::PipelineOption& o : options) {
    Row row;
    row.pass = toQString(o.pass);
    row.name = toQString(o.name);
    if (rows_.empty() || rows_.back().pass != row.pass) {
      auto* title = new QLabel(row.pass, page_);
      QFont bold = title->font();
      bold.setBold(true);
      title->setFont(bold);
      if (at > 0) grid_->setRowMinimumHeight(at++, 6);
      grid_->addWidget(title, at++, 0, 1, 3);
    }
    row.label = new QLabel(row.name, page_);
    QWidget* field = nullptr;
    if (o.values.find('|') != std::string::npos) {
      field = row.choice = new QComboBox(page_);
      row.choice->addItems(toQString(o.values).split(QLatin1Char('|')));
      connect(row.choice, &QComboBox::textActivated, this,
              [this, name = row.name](const QString& value) { emit chosen(name, value); });
    } else {
      field = row.text = new QLineEdit(page_);
      row.text->setPlaceholderText(o.byDefault.empty() ? tr("not set") : toQString(o.byDefault));
      connect(row.text, &QLineEdit::editingFinished, this, [this, name = row.name, edit = row.text] {
        if (edit->isModified()) emit chosen(name, edit->text().trimmed());
        edit->setModified(false);
      });
    }
    field->setFixedWidth(kFieldWidth);
    field->setAccessibleName(tr("%1 of %2").arg(row.name, row.pass));
    row.label->setBuddy(field);
    row.meaning = new QLabel(page_);
    row.meaning->setObjectName(QStringLiteral("caption"));
    row.meaning->setWordWrap(true);
    grid_->addWidget(row.label, at, 0);
    grid_->addWidget(field, at, 1);
    grid_->addWidget(row.meaning, at, 2);
    ++at;
    rows_.push_back(std::move(row));
  }
  grid_->setRowStretch(at, 1);
  setWidget(page_);  // drops the one before
}

void PassSettings::show(const Row& row, const session::PipelineOption& o) {
  const QString value = toQString(o.value);
  if (row.choice) row.choice->setCurrentText(value);
  if (row.text && row.text->text() != value) {
    row.text->setText(value);
    row.text->setModified(false);
  }
  const bool useful = o.useless.empty();
  QWidget* const field = row.choice ? static_cast<QWidget*>(row.choice) : row.text;
  field->setEnabled(useful);
  field->setToolTip(toQString(useful ? o.summary : o.useless));
  row.label->setEnabled(useful);
  QFont font = row.label->font();
  font.setBold(o.value != o.byDefault);  // what was changed is found at a glance
  row.label->setFont(font);
  row.meaning->setText(o.value == o.byDefault || o.byDefault.empty()
                           ? toQString(o.summary)
                           : tr("%1 (without: %2)").arg(toQString(o.summary), toQString(o.byDefault)));
}

QWidget* PassSettings::field(const QString& option) const {
  for (const Row& row : rows_)
    if (row.name == option) return row.choice ? static_cast<QWidget*>(row.choice) : row.text;
  return nullptr;
}

}  // namespace descry::gui

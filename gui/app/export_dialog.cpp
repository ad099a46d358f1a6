#include "gui/app/export_dialog.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>

#include "gui/app/export_run.h"
#include "gui/app/style_sheet.h"
#include "gui/canvas/scene_render.h"
#include "gui/document/document_actions.h"
#include "gui/models/table_model.h"

namespace descry::gui {
namespace {

constexpr int kPreviewWidth = 300, kPreviewHeight = 240;

bool isPicture(const std::string& format) {
  return format == "png" || format == "pdf";
}

}  // namespace

ExportDialog::ExportDialog(Document& document, QWidget* parent)
    : QDialog(parent), document_(document), tab_(document.current()) {
  setObjectName(QStringLiteral("exportDialog"));
  setWindowTitle(tr("Export %1").arg(tab_->title()));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(20, 18, 20, 16);
  column->setSpacing(14);
  auto* row = new QHBoxLayout;
  row->setSpacing(20);
  column->addLayout(row, 1);

  formats_ = new QListWidget(this);
  formats_->setObjectName(QStringLiteral("boxed"));
  formats_->setAccessibleName(tr("Format"));
  formats_->setFixedWidth(150);
  auto addFormat = [&](const QString& name, const QString& summary, bool available) {
    auto* item = new QListWidgetItem(name.toUpper(), formats_);
    item->setData(Qt::UserRole, name);
    item->setToolTip(summary);
    if (!available) item->setFlags(item->flags() & ~Qt::ItemIsEnabled);
  };
  addFormat(QStringLiteral("png"), tr("picture, drawn in bands: any size"), true);
  addFormat(QStringLiteral("pdf"), tr("one page, text stays text"), true);
  for (const session::ExportFormat& format : session::exportFormats()) {
    if (isPicture(format.name)) continue;
    addFormat(QString::fromStdString(format.name), QString::fromStdString(format.summary), format.available);
  }
  row->addWidget(formats_);

  auto* middle = new QVBoxLayout;
  middle->setSpacing(10);
  summary_ = new QLabel(this);
  summary_->setWordWrap(true);
  summary_->setTextFormat(Qt::PlainText);
  middle->addWidget(summary_);
  auto* form = new QFormLayout;
  form->setHorizontalSpacing(12);
  auto* scope = new QComboBox(this);
  scope->addItem(tr("Whole graph as shown"));
  theme_ = new QComboBox(this);
  theme_->addItem(tr("Light"), QStringLiteral("light"));
  theme_->addItem(tr("Dark"), QStringLiteral("dark"));
  theme_->addItem(tr("High contrast"), QStringLiteral("contrast"));
  theme_->addItem(tr("Print"), QStringLiteral("print"));
  scale_ = new QDoubleSpinBox(this);
  scale_->setRange(0.05, 16);
  scale_->setSingleStep(0.5);
  scale_->setValue(1);
  scale_->setSuffix(tr(" pixels per unit"));
  form->addRow(tr("Scope"), scope);
  form->addRow(tr("Theme"), theme_);
  form->addRow(tr("Scale"), scale_);
  middle->addLayout(form);
  estimate_ = new QLabel(this);
  estimate_->setObjectName(QStringLiteral("caption"));
  estimate_->setWordWrap(true);
  middle->addWidget(estimate_);
  middle->addStretch();
  row->addLayout(middle, 1);

  preview_ = new QLabel(this);
  preview_->setObjectName(QStringLiteral("cardBox"));
  preview_->setAlignment(Qt::AlignCenter);
  preview_->setFixedSize(kPreviewWidth + 16, kPreviewHeight + 16);
  row->addWidget(preview_);

  auto* fileRow = new QHBoxLayout;
  path_ = new QLineEdit(this);
  path_->setAccessibleName(tr("File"));
  auto* browseButton = new QPushButton(tr("Choose"), this);
  fileRow->addWidget(new QLabel(tr("File"), this));
  fileRow->addWidget(path_, 1);
  fileRow->addWidget(browseButton);
  column->addLayout(fileRow);
  auto* commandRow = new QHBoxLayout;
  command_ = new QLineEdit(this);
  command_->setObjectName(QStringLiteral("code"));
  command_->setReadOnly(true);
  command_->setAccessibleName(tr("Command line that does the same"));
  auto* copy = new QPushButton(tr("Copy"), this);
  commandRow->addWidget(new QLabel(tr("Command"), this));
  commandRow->addWidget(command_, 1);
  commandRow->addWidget(copy);
  column->addLayout(commandRow);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
  save_ = new QPushButton(tr("Export"), buttons);
  save_->setObjectName(
      QStringLiteral("primary"));  // before the box polishes it: a later name changes no look
  buttons->addButton(save_, QDialogButtonBox::AcceptRole);
  column->addWidget(buttons);

  const QString stem =
      QFileInfo(tab_->path()).absolutePath() + QLatin1Char('/') + QFileInfo(tab_->path()).completeBaseName();
  path_->setText(stem + QStringLiteral(".svg"));
  delay_.setSingleShot(true);
  delay_.setInterval(120);
  connect(&delay_, &QTimer::timeout, this, &ExportDialog::startPreview);
  connect(formats_, &QListWidget::currentRowChanged, this, [this] {
    const QString format = formats_->currentItem()->data(Qt::UserRole).toString();
    QString extension = format;
    for (const session::ExportFormat& f : session::exportFormats())
      if (QString::fromStdString(f.name) == format) extension = QString::fromStdString(f.extension);
    if (extension.startsWith(QLatin1Char('.'))) extension.remove(0, 1);
    const QFileInfo info(path_->text());
    path_->setText(info.path() + QLatin1Char('/') + info.completeBaseName() + QLatin1Char('.') + extension);
    refresh();
  });
  connect(theme_, &QComboBox::currentIndexChanged, this, &ExportDialog::refresh);
  connect(scale_, &QDoubleSpinBox::valueChanged, this, &ExportDialog::refresh);
  connect(path_, &QLineEdit::textChanged, this, &ExportDialog::refresh);
  connect(browseButton, &QPushButton::clicked, this, &ExportDialog::browse);
  connect(copy, &QPushButton::clicked, this,
          [this] { QApplication::clipboard()->setText(command_->text()); });
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  for (int i = 0; i < formats_->count(); ++i)
    if (formats_->item(i)->data(Qt::UserRole).toString() == QLatin1String("svg")) formats_->setCurrentRow(i);
  if (formats_->currentRow() < 0) formats_->setCurrentRow(0);
  resize(820, 480);
}

session::ExportRequest ExportDialog::request() const {
  session::ExportRequest request;
  request.format = formats_->currentItem()->data(Qt::UserRole).toString().toStdString();
  request.path = path_->text().toStdString();
  request.theme = theme_->currentData().toString().toStdString();
  if (tab_) request.scene = tab_->sceneOptions();
  if (tab_ == document_.current()) request.colours = shownColours(document_);
  return request;
}

double ExportDialog::scale() const {
  return scale_->value();
}
QString ExportDialog::commandLine() const {
  return command_->text();
}
QString ExportDialog::estimate() const {
  return estimate_->text();
}

void ExportDialog::browse() {
  const QString path = QFileDialog::getSaveFileName(this, tr("Export to"), path_->text());
  if (!path.isEmpty()) path_->setText(path);
}

void ExportDialog::refresh() {
  if (!tab_) return;
  const session::ExportRequest r = request();
  summary_->setText(formats_->currentItem()->toolTip());
  scale_->setEnabled(r.format == "png");
  QString command = tab_ == document_.current()
                        ? exportCommandLine(document_, r)
                        : QString::fromStdString(session::exportCommandLine(*tab_->graph(), r));
  if (r.format == "png" && scale() != 1) command += QStringLiteral(" --scale %1").arg(scale());
  command_->setText(command);
  command_->setCursorPosition(0);
  save_->setEnabled(!r.path.empty());
  delay_.start();
}

void ExportDialog::startPreview() {
  if (!tab_) return;
  if (previewJob_) previewJob_->cancelled = true;
  struct Preview {
    QImage image;
    QString estimate;
  };
  previewJob_ = document_.jobs().start(
      tr("Preview"), this,
      [graph = tab_->graph(), scene = tab_->scene(), r = request(), scale = scale(),
       run = runPicture(document_)](JobControl& control) {
        Preview p;
        if (!scene) return p;
        const QLocale locale(QLocale::English);
        const QString nodes = locale.toString(static_cast<qulonglong>(scene->nodes.size()));
        RenderOptions options;
        options.theme = themeFromPreference(QString::fromStdString(r.theme));
        options.colourMode = ir::colourModeFromName(r.colours).value_or(ir::ColourMode::Phase);
        if (run.heat && (r.format == "png" || r.format == "pdf")) {
          options.colourMode = run.mode;
          options.heat = run.heat;
        }
        options.marks = run.marks;
        options.progress = [&control](double) { return !control.cancelled; };
        const QSize whole = renderSize(*scene, options);
        RenderOptions small = options;
        small.scale = std::min({1.0, kPreviewWidth / std::max(1.0, double(whole.width())),
                                kPreviewHeight / std::max(1.0, double(whole.height()))});
        p.image = renderScene(*scene, small);
        if (r.format == "png") {
          options.scale = scale;
          const QSize size = renderSize(*scene, options);
          p.estimate =
              ExportDialog::tr("%1 boxes, %2 x %3 pixels").arg(nodes).arg(size.width()).arg(size.height());
          if (size.width() > 32767 || size.height() > 32767)
            p.estimate += ExportDialog::tr("; larger than many viewers accept, SVG or PDF may serve better");
        } else if (r.format == "pdf") {
          p.estimate = ExportDialog::tr("%1 boxes on one page").arg(nodes);
        } else {
          // Small graphs are written to memory, so that the size is exact; larger ones are guessed from their
          // nodes.
          session::ExportRequest text = r;
          text.path.clear();
          if (graph->graph->size() <= 20000) {
            const auto written = session::exportGraph(*graph, text);
            p.estimate = written
                             ? ExportDialog::tr("%1 boxes, %2").arg(nodes, bytesText(qint64(written->size())))
                             : QString::fromStdString(written.error().message);
          } else {
            p.estimate = ExportDialog::tr("%1 boxes, about %2")
                             .arg(nodes, bytesText(qint64(scene->nodes.size()) * 900));
          }
        }
        return p;
      },
      [this](const Preview& p) {
        previewJob_ = nullptr;
        if (!p.image.isNull()) preview_->setPixmap(QPixmap::fromImage(p.image));
        estimate_->setText(p.estimate);
      },
      true);
}

}  // namespace descry::gui

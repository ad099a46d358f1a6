#include "gui/app/start_page.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QFrame>
#include <QGridLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>

#include "gui/panels/icons.h"

namespace descry::gui {
namespace {

constexpr int kShownRecent = 6;
constexpr int kSamples = 3;

QPushButton* card(const QString& title, const QString& detail, QWidget* parent) {
  auto* button = new QPushButton(parent);
  button->setObjectName(QStringLiteral("card"));
  button->setAccessibleName(title);
  button->setAccessibleDescription(detail);
  auto* column = new QVBoxLayout(button);
  column->setContentsMargins(12, 8, 12, 8);
  column->setSpacing(1);
  auto* first = new QLabel(title, button);
  first->setTextFormat(Qt::PlainText);
  auto* second = new QLabel(detail, button);
  second->setTextFormat(Qt::PlainText);
  second->setObjectName(QStringLiteral("caption"));
  for (QLabel* label : {first, second}) {
    label->setAttribute(Qt::WA_TransparentForMouseEvents);
    label->setMinimumWidth(10);
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    column->addWidget(label);
  }
  button->setMinimumHeight(54);
  return button;
}

QLabel* heading(const QString& text, QWidget* parent) {
  auto* label = new QLabel(text, parent);
  label->setObjectName(QStringLiteral("heading"));
  return label;
}

QString sampleDetail(const QDir& folder, const QFileInfo& file) {
  // `name.about.txt` beside a sample says in one line what it shows.
  QFile about(folder.filePath(file.completeBaseName() + QStringLiteral(".about.txt")));
  if (about.open(QIODevice::ReadOnly)) {
    const QString line = QString::fromUtf8(about.readLine(300)).trimmed();
    if (!line.isEmpty()) return line;
  }
  return QLocale(QLocale::English).formattedDataSize(file.size());
}

}  // namespace

QVector<Sample> bundledSamples() {
  QStringList roots;
  if (qEnvironmentVariableIsSet("DESCRY_SAMPLES")) roots << qEnvironmentVariable("DESCRY_SAMPLES");
  roots << QCoreApplication::applicationDirPath() + QStringLiteral("/../share/descry/samples");
#ifdef DESCRY_SOURCE_SAMPLES
  roots << QStringLiteral(DESCRY_SOURCE_SAMPLES);
#endif
  QVector<Sample> samples;
  for (const QString& root : roots) {
    for (const QString& sub : {QStringLiteral("traces"), QStringLiteral("graphs")}) {
      const QDir folder(root + QLatin1Char('/') + sub);
      const auto files = folder.entryInfoList({"*.txt", "*.log", "*.json", "*.gz"}, QDir::Files, QDir::Name);
      for (const QFileInfo& file : files) {
        if (samples.size() >= kSamples) return samples;
        const QString name = file.fileName();
        if (name.endsWith(QLatin1String(".about.txt"))) continue;
        samples.push_back({QDir::cleanPath(file.absoluteFilePath()), name, sampleDetail(folder, file)});
      }
    }
    if (!samples.isEmpty()) break;
  }
  return samples;
}

StartPage::StartPage(Preferences& preferences, QWidget* parent) : QWidget(parent), preferences_(preferences) {
  auto* outer = new QVBoxLayout(this);
  outer->addStretch(1);
  auto* middle = new QWidget(this);
  middle->setMaximumWidth(860);
  middle->setMinimumWidth(560);
  auto* centre = new QHBoxLayout;
  centre->addStretch(1);
  centre->addWidget(middle, 12);
  centre->addStretch(1);
  outer->addLayout(centre);
  outer->addStretch(2);

  auto* column = new QVBoxLayout(middle);
  column->setContentsMargins(24, 16, 24, 16);
  column->setSpacing(22);

  auto* drop = new QFrame(middle);
  drop->setObjectName(QStringLiteral("drop"));
  auto* dropColumn = new QVBoxLayout(drop);
  dropColumn->setContentsMargins(24, 26, 24, 26);
  dropColumn->setSpacing(8);
  icon_ = new QLabel(drop);
  icon_->setAlignment(Qt::AlignCenter);
  auto* title = new QLabel(tr("Drop a trace or a graph here"), drop);
  title->setObjectName(QStringLiteral("title"));
  title->setAlignment(Qt::AlignCenter);
  auto* kinds = new QLabel(
      tr("TORCH_TRACE folders and logs, TORCH_LOGS text, printed FX graphs, Descry JSON; gzip too"), drop);
  kinds->setObjectName(QStringLiteral("caption"));
  kinds->setAlignment(Qt::AlignCenter);
  kinds->setWordWrap(true);
  auto* browse = new QPushButton(tr("Open file"), drop);
  browse->setObjectName(QStringLiteral("primary"));
  connect(browse, &QPushButton::clicked, this, &StartPage::browseRequested);
  dropColumn->addWidget(icon_);
  dropColumn->addWidget(title);
  dropColumn->addWidget(kinds);
  dropColumn->addSpacing(6);
  dropColumn->addWidget(browse, 0, Qt::AlignCenter);
  column->addWidget(drop);

  auto* grid = new QGridLayout;
  grid->setHorizontalSpacing(24);
  grid->setVerticalSpacing(8);
  grid->setColumnStretch(0, 1);
  grid->setColumnStretch(1, 1);
  column->addLayout(grid);

  recentTitle_ = heading(tr("Recent"), middle);
  grid->addWidget(recentTitle_, 0, 0);
  recent_ = new QVBoxLayout;
  recent_->setSpacing(6);
  grid->addLayout(recent_, 1, 0, Qt::AlignTop);

  auto* right = new QVBoxLayout;
  right->setSpacing(6);
  grid->addWidget(heading(tr("Samples"), middle), 0, 1);
  grid->addLayout(right, 1, 1, Qt::AlignTop);
  const QVector<Sample> samples = bundledSamples();
  for (const Sample& sample : samples) {
    QPushButton* button = card(sample.title, sample.detail, middle);
    connect(button, &QPushButton::clicked, this, [this, path = sample.path] { emit openRequested(path); });
    right->addWidget(button);
  }
  if (samples.isEmpty()) {
    auto* none = new QLabel(tr("No samples are installed."), middle);
    none->setObjectName(QStringLiteral("caption"));
    right->addWidget(none);
  }
  right->addSpacing(10);
  right->addWidget(heading(tr("How to capture a trace"), middle));
  auto* howto = new QFrame(middle);
  howto->setObjectName(QStringLiteral("cardBox"));
  auto* howtoColumn = new QVBoxLayout(howto);
  howtoColumn->setContentsMargins(12, 10, 12, 10);
  howtoColumn->setSpacing(4);
  for (const QString& command : {QStringLiteral("TORCH_TRACE=/tmp/trace python t.py"),
                                 QStringLiteral("TORCH_LOGS=aot_joint_graph python t.py 2> log")}) {
    auto* code = new QLabel(command, howto);
    code->setObjectName(QStringLiteral("code"));
    code->setTextInteractionFlags(Qt::TextSelectableByMouse);
    code->setMinimumWidth(10);
    code->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    howtoColumn->addWidget(code);
  }
  auto* then = new QLabel(tr("Then open the folder or the log."), howto);
  then->setObjectName(QStringLiteral("caption"));
  howtoColumn->addWidget(then);
  right->addWidget(howto);

  connect(&preferences_, &Preferences::recentChanged, this, &StartPage::rebuildRecent);
  rebuildRecent();
}

void StartPage::applyTheme(const Theme& theme) {
  icon_->setPixmap(iconPixmap(IconKind::Drop, theme.accent, 40, devicePixelRatioF()));
}

void StartPage::rebuildRecent() {
  while (QLayoutItem* item = recent_->takeAt(0)) {
    if (item->widget()) item->widget()->deleteLater();
    delete item;
  }
  int shown = 0;
  for (const RecentFile& file : preferences_.recent()) {
    if (shown++ >= kShownRecent) break;
    QString detail =
        file.missing
            ? tr("not found: %1").arg(file.path)
            : tr("%1 graphs, %2 nodes, %3")
                  .arg(file.graphs)
                  .arg(file.nodes)
                  .arg(QLocale(QLocale::English).toString(file.opened, QStringLiteral("d MMM HH:mm")));
    QPushButton* button = card(QFileInfo(file.path).fileName(), detail, this);
    button->setToolTip(file.path);
    button->setEnabled(!file.missing);
    connect(button, &QPushButton::clicked, this, [this, path = file.path] { emit openRequested(path); });
    recent_->addWidget(button);
  }
  if (!shown) {
    auto* none = new QLabel(tr("Files that you open will be listed here."), this);
    none->setObjectName(QStringLiteral("caption"));
    recent_->addWidget(none);
  }
}

}  // namespace descry::gui

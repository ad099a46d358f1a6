#include "gui/app/status_line.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>

namespace descry::gui {
namespace {
constexpr int kTickMs = 100;
constexpr int kQuietMs = 150;  // a job that ends sooner is not shown at all
}  // namespace

StatusLine::StatusLine(Document& document, QWidget* parent) : QWidget(parent), document_(document) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 8, 0);
  row->setSpacing(6);
  job_ = new QLabel(this);
  bar_ = new QProgressBar(this);
  bar_->setTextVisible(false);
  bar_->setFixedWidth(110);
  cancel_ = new QPushButton(tr("Cancel"), this);
  cancel_->setFocusPolicy(Qt::NoFocus);
  facts_ = new QLabel(this);
  row->addWidget(job_);
  row->addWidget(bar_);
  row->addWidget(cancel_);
  row->addWidget(facts_);
  connect(cancel_, &QPushButton::clicked, this, &StatusLine::cancelRequested);
  tick_.setInterval(kTickMs);
  connect(&tick_, &QTimer::timeout, this, &StatusLine::showJob);
  connect(&document.jobs(), &Jobs::changed, this, &StatusLine::showJob);
  connect(&document, &Document::currentChanged, this, &StatusLine::follow);
  connect(&document, &Document::tabClosing, this, [this](GraphTab* tab) {
    if (tab == tab_) follow(nullptr);
  });
  connect(&document, &Document::selectionChanged, this, &StatusLine::showFacts);
  follow(document.current());
  showJob();
}

void StatusLine::follow(GraphTab* tab) {
  if (tab_) disconnect(tab_, nullptr, this, nullptr);
  tab_ = tab;
  if (tab) {
    connect(tab, &GraphTab::sceneChanged, this, &StatusLine::showFacts);
    connect(tab, &GraphTab::graphReplaced, this, &StatusLine::showFacts);
  }
  showFacts();
}

void StatusLine::showFacts() {
  if (!tab_) {
    facts_->clear();
    return;
  }
  const QLocale locale(QLocale::English);
  QStringList parts;
  const session::LayoutStats& stats = tab_->layoutStats();
  const uint32_t nodes = tab_->graph()->graph->size();
  QString counts = tr("%1 nodes").arg(locale.toString(nodes));
  if (tab_->scene()) {
    counts += tr(", %1 edges").arg(locale.toString(static_cast<qulonglong>(tab_->scene()->edges.size())));
    const auto boxes = tab_->scene()->nodes.size();
    if (boxes < nodes) counts += tr(" (%1 drawn)").arg(locale.toString(static_cast<qulonglong>(boxes)));
  }
  parts << counts;
  if (!tab_->selection().empty())
    parts << tr("%1 selected").arg(locale.toString(static_cast<qulonglong>(tab_->selection().size())));
  if (tab_->scene())
    parts << tr("layout %1 ms").arg(stats.milliseconds, 0, 'f', stats.milliseconds < 10 ? 1 : 0);
  const ReadSummary read = readSummary(*tab_->file());
  parts << (read.whole() ? tr("read whole") : tr("read in part"));
  facts_->setText(parts.join(QStringLiteral("   \u00B7   ")));
}

void StatusLine::showJob() {
  const JobInfo* job = document_.jobs().shown();
  const bool visible = job && job->elapsed.elapsed() >= kQuietMs;
  job_->setVisible(visible);
  bar_->setVisible(visible);
  cancel_->setVisible(visible);
  if (!job) {
    tick_.stop();
    return;
  }
  if (!tick_.isActive()) tick_.start();
  if (!visible) return;
  const int permille = job->control->permille;
  QString text = job->title;
  if (permille >= 0) text += QStringLiteral(" %1 %").arg(permille / 10);
  const double seconds = static_cast<double>(job->elapsed.elapsed()) / 1000;
  // The rest is guessed only when enough is done for the guess to mean something.
  if (seconds >= 2 && permille > 50)
    text += tr(", about %1 s left").arg(seconds * (1000 - permille) / permille, 0, 'f', 0);
  job_->setText(text);
  bar_->setRange(0, permille >= 0 ? 1000 : 0);
  if (permille >= 0) bar_->setValue(permille);
}

QString StatusLine::text() const {
  return facts_->text();
}

}  // namespace descry::gui

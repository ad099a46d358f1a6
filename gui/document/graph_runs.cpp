#include "gui/document/graph_runs.h"

#include <algorithm>
#include <mutex>

#include "gui/document/document_actions.h"
#include "gui/document/graph_tab.h"
#include "session/node_text.h"
#include "session/op_declarations.h"
#include "session/pass_run.h"

namespace descry::gui {
namespace {

constexpr size_t kMostRuns = 20;
constexpr int kTickMs = 100;

QString toQ(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// Memory that kept values of a run take.
qint64 bytesOfValues(const session::Run& run) {
  qint64 bytes = 0;
  for (const session::NodeRun& n : run.nodes)
    for (const session::NodeTensor& t : n.tensors)
      if (t.tensor && t.tensor->storage) bytes += static_cast<qint64>(t.tensor->storage->bytes());
  return bytes;
}

/// The same run without values of nodes; statistics and results stay.
session::RunPtr withoutValues(const session::Run& run) {
  auto bare = std::make_shared<session::Run>(run);
  for (auto* list : {&bare->nodes, &bare->inputs})
    for (session::NodeRun& n : *list) {
      n.value = {};
      for (session::NodeTensor& t : n.tensors) t.tensor = {};
    }
  return bare;
}

/// Runs share the process's memory cap and its counts: one at a time.
std::timed_mutex& oneRun() {
  static std::timed_mutex mutex{};
  return mutex;
}

}  // namespace

QString KeptRun::title() const {
  QStringList parts = {settings.compiled ? GraphRuns::tr("compiled") : GraphRuns::tr("interpreted")};
  if (settings.backward) parts << GraphRuns::tr("with backward");
  parts << settings.inputs;
  if (!graphText.isEmpty()) parts << graphText;
  return GraphRuns::tr("run %1: %2").arg(number).arg(parts.join(QStringLiteral(", ")));
}

QString KeptRun::whyText() const {
  QString text = toQ(why.message);
  // A file of inputs, not the one that the graph is from.
  if (!why.file.empty() && graph && why.file != graph->documentPath)
    text = toQ(why.file) + QStringLiteral(": ") + text;
  return text;
}

QString KeptRun::endText() const {
  switch (end) {
    case End::Finished:
      return GraphRuns::tr("finished");
    case End::Stopped:
      return GraphRuns::tr("stopped behind %1").arg(upTo);
    case End::Cancelled:
      return run() ? GraphRuns::tr("cancelled after %1 of its nodes").arg(run()->nodes.size())
                   : GraphRuns::tr("cancelled");
    case End::Failed:
      return GraphRuns::tr("failed: %1").arg(whyText());
    case End::Refused:
      return GraphRuns::tr("not run: %1").arg(whyText());
  }
  return {};
}

const session::NodeDifference* ComparedRuns::find(ir::NodeId node) const {
  const int32_t at = node.index < nodeOf.size() ? nodeOf[node.index] : -1;
  return at >= 0 ? &nodes[static_cast<size_t>(at)] : nullptr;
}

const session::TimeDelta* ComparedRuns::time(ir::NodeId node) const {
  const int32_t at = node.index < timeOf.size() ? timeOf[node.index] : -1;
  return at >= 0 ? &times[static_cast<size_t>(at)] : nullptr;
}

/// What a job brings back.
struct GraphRuns::Made {
  std::shared_ptr<KeptRun> run;
};

GraphRuns::GraphRuns(GraphTab& tab) : tab_(tab) {
  timer_.setInterval(kTickMs);
  connect(&timer_, &QTimer::timeout, this, &GraphRuns::progressed);
  connect(&tab.jobs(), &Jobs::changed, this, &GraphRuns::notice);
  connect(&tab, &GraphTab::graphReplaced, this, &GraphRuns::follow);
  connect(&tab, &GraphTab::selectionChanged, this, [this] {
    // The path to the cause is that of the selected node.
    if (!view() || view()->bad.empty()) return;
    marks_ = nullptr;
    emit marksChanged();
  });
}

GraphRuns::~GraphRuns() {
  for (auto* job : {&job_, &compareJob_})
    if (*job) (*job)->cancelled = true;
  for (KeptRunPtr& run : runs_) tab_.jobs().dispose(std::move(run));
}

/// A job that somebody else cancelled brings nothing back.
void GraphRuns::notice() {
  bool stopped = false;
  for (auto* job : {&job_, &compareJob_})
    if (*job && (*job)->cancelled) {
      *job = nullptr;
      stopped = true;
    }
  if (!stopped) return;
  if (!job_) timer_.stop();
  emit changed();
}

// ---- running

QString GraphRuns::backwardUnavailable() const {
  const std::string kind = session::aotGraphKind(*tab_.graph());
  if (kind != "joint" && kind != "backward") return {};
  return tr("The %1 graph computes gradients already: they are among its results.").arg(toQ(kind));
}

void GraphRuns::start(const QString& upTo) {
  if (job_) return;
  auto kept = std::make_shared<KeptRun>();
  kept->number = next_++;
  kept->settings = settings_;
  kept->upTo = upTo;
  kept->graph = tab_.graph();
  kept->graphText = tab_.passes().stateText().trimmed();
  kept->commandLine = commandLine(upTo);
  stop_ = std::make_shared<std::atomic<bool>>(false);
  counter_ = std::make_shared<Counter>();
  clock_.start();
  session::RunRequest request;
  request.inputs = settings_.inputs.toStdString();
  request.executor = settings_.compiled ? "compiled" : "interpret";
  request.backward = settings_.backward && backwardUnavailable().isEmpty();
  request.seed = settings_.seed;
  request.upTo = upTo.toStdString();
  request.time = settings_.runs > 0;
  request.runs = static_cast<unsigned>(settings_.runs) + 1;  // the first one warms up
  request.statistics = settings_.keep != RunSettings::Keep::None;
  request.keepValues =
      settings_.keep == RunSettings::Keep::All || settings_.keep == RunSettings::Keep::Selected;
  request.keepBytes = static_cast<uint64_t>(settings_.cap);
  if (settings_.keep == RunSettings::Keep::Selected) {
    for (const QString& name : tab_.selectedNames()) request.keepNodes.push_back(name.toStdString());
    request.keepValues = request.keepValues && !request.keepNodes.empty();
  }
  job_ = tab_.jobs().start(
      tr("Running %1").arg(tab_.graphId()), this,
      [file = tab_.file(), kept, request, stop = stop_, counter = counter_](JobControl& control) {
        const auto stopped = [&control, stop] { return control.cancelled.load() || stop->load(); };
        QElapsedTimer clock;
        clock.start();
        const auto refused = [&](const ir::Diagnostic& why) {
          kept->end = why.code == "cancelled" ? KeptRun::End::Cancelled : KeptRun::End::Refused;
          kept->why = why;
          return Made{kept};
        };
        while (!oneRun().try_lock_for(std::chrono::milliseconds(20)))
          if (stopped()) return refused(ir::failure("cancelled", "stopped before it began"));
        const std::lock_guard<std::timed_mutex> lock(oneRun(), std::adopt_lock);
        session::RunRequest with = request;
        with.cancelled = stopped;
        with.progress = [&control, counter](size_t done, size_t all) {
          counter->running = true;
          counter->done = done;
          counter->all = all;
          if (all) control.permille = static_cast<int>(done * 1000 / all);
        };
        const auto ops = session::readOpDeclarations({}, session::standingDeclarations(file->path()));
        if (!ops) return refused(ops.error());
        with.ops = *ops;
        const ir::Result<session::RunPtr> result = session::runGraph(*file, kept->graph, with);
        if (!result) return refused(result.error());
        const session::Run& run = **result;
        if (run.failure) {
          kept->why = *run.failure;
          kept->end = run.failure->code == "cancelled" ? KeptRun::End::Cancelled : KeptRun::End::Failed;
        } else if (!run.ended) {
          kept->end = KeptRun::End::Stopped;
        }
        kept->view = std::make_shared<session::RunView>(session::viewOf(*result, 1));
        for (const session::RunValue& v : run.results)
          kept->results.push_back(v.tensor ? runtime::statisticsOf(*v.tensor) : runtime::ValueStatistics());
        kept->elapsed = static_cast<double>(clock.elapsed()) / 1000;
        return Made{kept};
      },
      [this](Made made) {
        job_ = nullptr;
        timer_.stop();
        take(std::move(made));
      });
  timer_.start();
  emit changed();
}

void GraphRuns::stop() {
  if (!job_ || !stop_) return;
  *stop_ = true;
  emit progressed();
}

void GraphRuns::take(Made made) {
  const KeptRunPtr run = made.run;
  made.run->looked = ++tick_;
  runs_.push_back(run);
  while (runs_.size() > kMostRuns) {
    const int oldest = runs_.front()->number;
    if (oldest == against_) compareWith(0);
    tab_.jobs().dispose(std::move(runs_.front()));
    runs_.erase(runs_.begin());
  }
  if (run->view && run->graph == tab_.graph()) shown_ = run->number;
  makeRoom();
  forgetPictures();
  compare();
  emit changed();
  emit marksChanged();
  if (run->end == KeptRun::End::Failed || run->end == KeptRun::End::Refused) {
    emit failed(tr("Run %1 %2").arg(run->number).arg(run->endText()));
    return;
  }
  QString text = tr("Run %1 %2").arg(run->number).arg(run->endText());
  if (run->view && run->view->whole.runs) text += tr(": %1").arg(toQ(session::spreadText(run->view->whole)));
  if (run->view && !run->view->bad.empty())
    text += tr("; %1 with NaN or infinities").arg(toQ(session::counted(run->view->bad.size(), "node")));
  emit message(text);
}

/// Values of the runs that were looked at longest ago go first; what is said of them stays.
void GraphRuns::makeRoom() {
  qint64 kept = keptBytes();
  std::vector<size_t> order(runs_.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [this](size_t x, size_t y) { return runs_[x]->looked < runs_[y]->looked; });
  for (const size_t i : order) {
    if (kept <= settings_.cap || runs_[i]->number == shown_) continue;
    const session::Run* run = runs_[i]->run();
    const qint64 bytes = run ? bytesOfValues(*run) : 0;
    if (!bytes) continue;
    auto bare = std::make_shared<KeptRun>(*runs_[i]);
    auto view = std::make_shared<session::RunView>(*bare->view);
    view->run = withoutValues(*run);
    bare->view = std::move(view);
    tab_.jobs().dispose(std::exchange(runs_[i], std::move(bare)));
    kept -= bytes;
  }
}

qint64 GraphRuns::keptBytes() const {
  qint64 bytes = 0;
  for (const KeptRunPtr& run : runs_)
    if (run->run()) bytes += bytesOfValues(*run->run());
  return bytes;
}

GraphRuns::Progress GraphRuns::progress() const {
  Progress p;
  if (!job_ || !counter_) return p;
  p.seconds = static_cast<double>(clock_.elapsed()) / 1000;
  p.done = counter_->done;
  p.all = counter_->all;
  p.what = stopping()                                                  ? tr("stopping")
           : !counter_->running                                        ? tr("making the graph ready")
           : settings_.runs == 0                                       ? tr("running")
           : p.done * static_cast<size_t>(settings_.runs + 1) <= p.all ? tr("running, values")
                                                                       : tr("running, times");
  return p;
}

QString GraphRuns::progressText() const {
  const Progress p = progress();
  QString text = p.what;
  if (p.all) text += tr(", node %1 of %2").arg(p.done).arg(p.all);
  return text + tr(", %1 s").arg(p.seconds, 0, 'f', 1);
}

void GraphRuns::fileReplaced() {
  if (job_) job_->cancelled = true;
  if (compareJob_) compareJob_->cancelled = true;
  job_ = compareJob_ = nullptr;
  timer_.stop();
  for (KeptRunPtr& run : runs_) tab_.jobs().dispose(std::move(run));
  runs_.clear();
  shown_ = against_ = 0;
  compared_ = nullptr;
  forgetPictures();
  emit changed();
  emit marksChanged();
}

// ---- what is kept

KeptRunPtr GraphRuns::byNumber(int number) const {
  for (const KeptRunPtr& run : runs_)
    if (run->number == number) return run;
  return nullptr;
}

KeptRunPtr GraphRuns::shown() const {
  const KeptRunPtr run = byNumber(shown_);
  return run && run->graph == tab_.graph() ? run : nullptr;
}

const session::RunView* GraphRuns::view() const {
  const KeptRunPtr run = shown();
  return run ? run->view.get() : nullptr;
}

QString GraphRuns::nothingYet() const {
  if (view()) return {};
  if (running()) return tr("The graph is running: %1.").arg(progressText());
  return runs_.empty() ? tr("This graph was not run yet: press R, or Run in the Run dock.")
                       : tr("No run of this graph succeeded in starting: see the Run dock.");
}

/// Another graph is shown: its newest run.
void GraphRuns::follow() {
  shown_ = 0;
  for (const KeptRunPtr& run : runs_)
    if (run->view && run->graph == tab_.graph()) shown_ = run->number;
  forgetPictures();
  compare();
  emit changed();
  emit marksChanged();
}

bool GraphRuns::show(int number) {
  const KeptRunPtr run = byNumber(number);
  if (!run || !run->view || run->graph != tab_.graph()) return false;
  if (number == shown_) return true;
  shown_ = number;
  for (KeptRunPtr& r : runs_)
    if (r->number == number) {
      auto looked = std::make_shared<KeptRun>(*r);
      looked->looked = ++tick_;
      r = std::move(looked);
    }
  forgetPictures();
  compare();
  emit changed();
  emit marksChanged();
  return true;
}

void GraphRuns::drop(int number) {
  const auto at =
      std::find_if(runs_.begin(), runs_.end(), [number](const KeptRunPtr& r) { return r->number == number; });
  if (at == runs_.end()) return;
  tab_.jobs().dispose(std::move(*at));
  runs_.erase(at);
  if (against_ == number) against_ = 0;
  follow();
}

// ---- two runs

bool GraphRuns::compareWith(int number) {
  if (number != 0) {
    const KeptRunPtr run = byNumber(number);
    if (!run || !run->view || number == shown_) return false;
  }
  against_ = number;
  compare();
  emit changed();
  return true;
}

const ComparedRuns* GraphRuns::compared() const {
  return compared_.get();
}

void GraphRuns::compare() {
  if (compareJob_) compareJob_->cancelled = true;
  compareJob_ = nullptr;
  if (compared_) {
    compared_ = nullptr;
    forgetPictures();
    emit marksChanged();
  }
  const KeptRunPtr a = shown(), b = byNumber(against_);
  if (!a || !a->view || !b || !b->view || a == b) return;
  const auto read = session::readTolerances(settings_.tolerance.toStdString());
  const session::Tolerances tolerances = read ? *read : session::Tolerances();
  compareJob_ = tab_.jobs().start(
      tr("Comparing run %1 with run %2").arg(a->number).arg(b->number), this,
      [a, b, tolerances](JobControl&) {
        auto made = std::make_shared<ComparedRuns>();
        made->a = a;
        made->b = b;
        made->valuesA = session::valuesOf(*a->run());
        made->valuesB = session::valuesOf(*b->run());
        made->comparison = session::compareRuns(made->valuesA, made->valuesB, tolerances);
        made->nodes = session::nodeDifferences(*a->view, made->comparison);
        made->times = session::timeDeltas(*a->view, *b->view);
        const auto index = [&](const auto& rows, std::vector<int32_t>& of) {
          of.assign(a->view->of.size(), -1);
          for (size_t i = 0; i < rows.size(); ++i) of[rows[i].node.index] = static_cast<int32_t>(i);
        };
        index(made->nodes, made->nodeOf);
        index(made->times, made->timeOf);
        return made;
      },
      [this](std::shared_ptr<ComparedRuns> made) {
        compareJob_ = nullptr;
        compared_ = std::move(made);
        forgetPictures();
        emit changed();
        emit marksChanged();
      });
}

}  // namespace descry::gui

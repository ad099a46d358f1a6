#include "gui/document/pass_stepper.h"

#include <algorithm>
#include <unordered_map>

#include "gui/document/actions.h"
#include "gui/document/graph_tab.h"
#include "session/diff.h"
#include "session/op_declarations.h"
#include "session/views.h"

namespace descry::gui {
namespace {

constexpr size_t kMostCompared = 5000;  // rows of a comparison

QString toQ(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString namesOf(const std::vector<passes::StateGraph>& graphs) {
  QStringList names;
  for (const passes::StateGraph& g : graphs) names.push_back(toQ(g.name));
  return names.join(QStringLiteral(" + "));
}

uint32_t nodesOf(const std::vector<passes::StateGraph>& graphs) {
  uint32_t nodes = 0;
  for (const passes::StateGraph& g : graphs) nodes += static_cast<uint32_t>(g.module->root().size());
  return nodes;
}

/// Takes `save` and `recompute` out of every partition of a pipeline.
QString withoutWishes(const QString& pipeline, PassStepper::Wishes& wishes) {
  ir::Result<std::vector<passes::PipelineStep>> steps = session::readPipeline(pipeline.toStdString());
  if (!steps) return pipeline;
  for (passes::PipelineStep& step : *steps)
    for (const auto& [option, wish] :
         {std::pair{"save", PassStepper::Wish::Save}, {"recompute", PassStepper::Wish::Recompute}}) {
      const auto found = step.options.find(option);
      if (found == step.options.end()) continue;
      for (const QString& node : toQ(found->second).split(QLatin1Char('+'), Qt::SkipEmptyParts))
        wishes[node.trimmed()] = wish;
      step.options.erase(found);
    }
  return toQ(session::pipelineText(*steps));
}

QStringList wished(const PassStepper::Wishes& wishes, PassStepper::Wish which) {
  QStringList names;
  for (const auto& [name, wish] : wishes)
    if (wish == which) names.push_back(name);
  return names;
}

/// Puts wishes into every partition of a pipeline that has none.
QString withWishes(const QString& pipeline, const PassStepper::Wishes& wishes) {
  ir::Result<std::vector<passes::PipelineStep>> steps = session::readPipeline(pipeline.toStdString());
  if (!steps) return pipeline;
  for (passes::PipelineStep& step : *steps) {
    if (std::string_view(step.pass->name) != "partition") continue;
    for (const auto& [option, wish] :
         {std::pair{"save", PassStepper::Wish::Save}, {"recompute", PassStepper::Wish::Recompute}})
      if (const QStringList names = wished(wishes, wish); !names.isEmpty())
        step.options[option] = names.join(QLatin1Char('+')).toStdString();
  }
  return toQ(session::pipelineText(*steps));
}

class LineOfNode {
 public:
  explicit LineOfNode(const session::LoadedGraph& graph) : lines_(session::textView(graph)) {}
  QString operator()(ir::NodeId node) const {
    const int64_t line = lines_.lineOf(node);
    return line < 0 ? QString() : toQ(lines_.line(static_cast<uint32_t>(line))).trimmed();
  }

 private:
  TextLines lines_;
};

std::shared_ptr<const Comparison> compareGraphs(const session::Document& file, const session::PassRun& run,
                                                const session::LoadedGraphPtr& here, const QString& kind,
                                                const std::function<bool()>& cancelled) {
  const session::LoadedGraph& start = *run.start();
  auto out = std::make_shared<Comparison>();
  out->kind = kind;
  const session::LoadedGraphPtr recorded = session::recordedGraph(file, start, kind.toStdString());
  if (!recorded) {
    out->headline =
        PassStepper::tr("The file has no %1 graph of this compile: PyTorch did not log it.").arg(kind);
    return out;
  }
  out->recordedId = toQ(recorded->entry.id);
  const session::GraphDiff diff = session::compareWithRecorded(recorded, here);
  out->equal = diff.identical();
  if (out->equal) {
    out->headline = PassStepper::tr("Equal: %1 nodes and %2 outputs as in PyTorch's %3.")
                        .arg(here->graph->size())
                        .arg(session::outputCount(*here->graph))
                        .arg(out->recordedId);
    return out;
  }
  const auto add = [&](ComparisonRow row) {
    if (out->rows.size() < kMostCompared)
      out->rows.push_back(std::move(row));
    else
      ++out->more;
  };
  const LineOfNode recordedLine(*recorded), hereLine(*here);
  for (const session::NodeDiff& n : diff.nodes) {
    if (n.state == session::DiffState::Same) continue;
    const QString node = toQ(n.after ? here->graph->nodeName(n.after) : recorded->graph->nodeName(n.before));
    if (n.state == session::DiffState::Added) {
      add({PassStepper::tr("only here"), node, {}, {}, hereLine(n.after), n.after});
    } else if (n.state == session::DiffState::Removed) {
      add({PassStepper::tr("only in PyTorch's"), node, {}, recordedLine(n.before), {}, {}});
    } else {
      const QString state = toQ(session::diffStateName(n.state));
      if (n.changes.empty()) add({state, node, {}, recordedLine(n.before), hereLine(n.after), n.after});
      for (const session::FieldChange& c : n.changes)
        add({state, node, toQ(c.field), toQ(c.before), toQ(c.after), n.after});
    }
  }
  for (const session::FieldChange& c : diff.outputs)
    add({PassStepper::tr("output"), toQ(c.field), {}, toQ(c.before), toQ(c.after), {}});
  QStringList counts;
  const auto count = [&](size_t n, const QString& text) {
    if (n) counts << text.arg(n);
  };
  count(diff.changed, PassStepper::tr("%1 changed"));
  count(diff.added, PassStepper::tr("%1 only here"));
  count(diff.removed, PassStepper::tr("%1 only in PyTorch's"));
  count(diff.moved, PassStepper::tr("%1 moved"));
  count(diff.renamed, PassStepper::tr("%1 renamed"));
  count(diff.outputs.size(), PassStepper::tr("%1 outputs differ"));
  out->headline = PassStepper::tr("Differs from PyTorch's %1: %2; %3 nodes the same.")
                      .arg(out->recordedId, counts.join(QStringLiteral(", ")))
                      .arg(diff.same);
  if (kind == QLatin1String("forward") || kind == QLatin1String("backward"))
    if (const QString other = toQ(session::otherCutOfRecorded(file, run, cancelled)); !other.isEmpty())
      out->headline += PassStepper::tr(
                           " PyTorch's are cut by the other partitioner: with method=%1 both halves "
                           "are equal.")
                           .arg(other);
  return out;
}

}  // namespace

/// What a run brings back.
struct PassStepper::Made {
  session::PassRunPtr run;
  QString pipeline, base;
  Wishes wishes;
  std::optional<session::CutReport> cut, before;
  QString error;
};

PassStepper::PassStepper(GraphTab& tab, session::LoadedGraphPtr fileGraph)
    : tab_(tab), fileGraph_(std::move(fileGraph)) {
  // A job that somebody else cancelled brings nothing back.
  connect(&tab.jobs(), &Jobs::changed, this, &PassStepper::notice);
}

PassStepper::~PassStepper() {
  for (auto* job : {&runJob_, &showJob_, &compareJob_})
    if (*job) (*job)->cancelled = true;
  tab_.jobs().dispose(std::move(run_));
}

void PassStepper::notice() {
  bool stopped = false;
  for (auto* job : {&runJob_, &compareJob_})
    if (*job && (*job)->cancelled) {
      *job = nullptr;
      stopped = true;
    }
  if (stopped) emit changed();
}

// ---- running

std::vector<PipelineChoice> PassStepper::choices() const {
  std::vector<PipelineChoice> list;
  const std::string kind = session::aotGraphKind(*fileGraph_);
  if (kind == "joint") {
    list.push_back({QStringLiteral("partition"), tr("cut where it is cheapest")});
    list.push_back({QStringLiteral("partition(method=default)"), tr("save what the backward reads")});
  }
  for (const passes::PipelineDef& p : session::pipelineList())
    if (kind.empty() || !std::string_view(p.name).starts_with("aot"))
      list.push_back({toQ(p.name), toQ(p.summary)});
  return list;
}

QString PassStepper::defaultPipeline() const {
  return choices().front().text;
}

QString PassStepper::chosen() const {
  return !chosen_.isEmpty() ? chosen_ : !pipeline_.isEmpty() ? pipeline_ : defaultPipeline();
}

void PassStepper::choose(const QString& pipeline) {
  if (pipeline == chosen_) return;
  chosen_ = pipeline;
  emit changed();
}

std::vector<session::PipelineOption> PassStepper::options(QString* error) const {
  auto made = session::pipelineOptions(chosen().toStdString());
  if (made) {
    // Wishes for single values are made where these are listed.
    std::erase_if(*made,
                  [](const session::PipelineOption& o) { return o.name == "save" || o.name == "recompute"; });
    return std::move(*made);
  }
  if (error) *error = toQ(made.error().message);
  return {};
}

QString PassStepper::setOption(const QString& option, const QString& value) {
  const QString before = chosen();
  const auto with = session::withOption(before.toStdString(), option.toStdString(), value.toStdString());
  if (!with) return toQ(with.error().message);
  const QString after = toQ(*with);
  chosen_ = after;
  if (run_ && before == pipeline_ && after != before)
    start(wishes_.empty() ? after : withWishes(after, wishes_), Kind::Options, {}, after);
  else
    emit changed();
  return {};
}

void PassStepper::run(const QString& pipeline) {
  chosen_ = pipeline;
  start(pipeline, Kind::Fresh);
}

void PassStepper::resume(const QString& pipeline, size_t position, const QString& graph) {
  wanted_ = graph;
  start(pipeline, Kind::Fresh, State{0, position, 0});
}

QString PassStepper::rerunText() const {
  return run_ && !run_->recording().failure ? pipelineTo(lastPosition()) : pipeline_;
}

void PassStepper::start(const QString& pipeline, Kind kind, std::optional<State> resume,
                        const QString& asked) {
  if (runJob_) runJob_->cancelled = true;
  wishing_ = kind == Kind::Wish;
  runJob_ = tab_.jobs().start(
      tr("Running %1").arg(pipeline.left(60)), this,
      [file = tab_.file(), graph = fileGraph_, pipeline, asked, knownBase = base_, known = cutBefore_,
       verify = verifiesEach_](JobControl& control) {
        Made made;
        made.pipeline = asked.isEmpty() ? pipeline : asked;
        session::PassRunOptions options;
        options.verifyEach = verify;
        options.cancelled = [&control] { return control.cancelled.load(); };
        const auto ops = session::readOpDeclarations({}, session::standingDeclarations(file->path()));
        if (!ops) {
          made.error = tr("In the declared ops: %1").arg(toQ(ops.error().text()));
          return made;
        }
        options.ops = *ops;
        auto result = session::runPasses(*file, graph, pipeline.toStdString(), options);
        if (!result) {
          made.error = tr("In the pipeline: %1").arg(toQ(result.error().message));
          return made;
        }
        made.run = *result;
        made.cut = session::cutReport(*made.run);
        QStringList ran;
        for (const passes::PassRecord& p : made.run->recording().passes) ran << toQ(p.text);
        made.base = withoutWishes(ran.join(QLatin1Char(',')), made.wishes);
        if (!made.cut) return made;
        if (made.wishes.empty()) {
          made.before = made.cut;
        } else if (made.base == knownBase && known) {
          made.before = known;
        } else if (auto plain = session::runPasses(*file, graph, made.base.toStdString(), options); plain) {
          made.before = session::cutReport(**plain);
        }
        return made;
      },
      [this, kind, resume](const Made& made) {
        runJob_ = nullptr;
        take(made, kind, resume);
      });
  emit changed();
}

void PassStepper::take(const Made& made, Kind kind, const std::optional<State>& resume) {
  const bool isWish = kind == Kind::Wish, again = kind != Kind::Fresh;
  const passes::Recording* recording = made.run ? &made.run->recording() : nullptr;
  QString error = made.error;
  if (recording && recording->failure)
    error = tr("%1: %2").arg(toQ(recording->failed).section(QLatin1Char('('), 0, 0),
                             toQ(recording->failure->message));
  if (!made.run || (again && !error.isEmpty())) {
    if (kind == Kind::Options) chosen_.clear();
    emit changed();
    emit failed(error);
    return;
  }
  // States before the cut are the same whatever is wished for.
  const bool sameGraph = isWish && run_ && position_ < made.run->positionOf("partition");
  tab_.jobs().dispose(std::exchange(run_, made.run));
  ++serial_;
  pipeline_ = isWish ? pipeline_ : made.pipeline;
  base_ = made.base;
  wishes_ = made.wishes;
  cut_ = made.cut;
  cutBefore_ = made.before;
  comparisons_.clear();
  if (compareJob_) compareJob_->cancelled = true;
  compareJob_ = nullptr;
  makeSteps();
  if (kind == Kind::Options) {
    position_ = std::min(position_, lastPosition());
    chosen_.clear();
  } else if (!isWish) {
    position_ = resume ? std::min(resume->position, lastPosition()) : lastPosition();
    if (!resume) wanted_.clear();
  }
  const qsizetype at = graphNames().indexOf(wanted_);
  which_ = at < 0 ? 0 : static_cast<size_t>(at);
  emit changed();
  if (sameGraph)
    emit stateShown(false);
  else
    show(!again);
  if (!error.isEmpty())
    emit failed(error);
  else if (again && cut_)
    emit message(cutHeadline());
  else
    emit message(tr("%1: %2 passes, %3").arg(pipeline_).arg(lastPosition()).arg(steps_.back().graphs));
}

void PassStepper::makeSteps() {
  steps_.clear();
  const passes::Recording& r = run_->recording();
  steps_.push_back({{}, namesOf(r.start.graphs), nodesOf(r.start.graphs), tr("as in the file"), true, false});
  for (const passes::PassRecord& p : r.passes)
    steps_.push_back({toQ(p.text), namesOf(p.graphs), nodesOf(p.graphs), toQ(p.outcome.summary),
                      p.outcome.changed, false});
  if (r.failure)
    steps_.push_back({toQ(r.failed), {}, 0, toQ(r.failure->message), true, true, toQ(r.failure->node)});
}

void PassStepper::setVerifiesEach(bool on) {
  if (verifiesEach_ == on) return;
  verifiesEach_ = on;
  emit changed();
}

void PassStepper::cancel() {
  for (auto* job : {&runJob_, &compareJob_}) {
    if (*job) (*job)->cancelled = true;
    *job = nullptr;
  }
  emit changed();
}

QString PassStepper::pipelineTo(size_t position) const {
  if (!run_) return defaultPipeline();
  QStringList steps;
  const auto& passes = run_->recording().passes;
  for (size_t i = 0; i < std::min(position, passes.size()); ++i) steps << toQ(passes[i].text);
  return steps.join(QLatin1Char(','));
}

std::vector<std::pair<QString, QString>> PassStepper::findings() const {
  std::vector<std::pair<QString, QString>> rows;
  if (!run_ || position_ == 0) return rows;
  const passes::PassRecord& p = run_->recording().passes[position_ - 1];
  for (const auto& [what, finding] : p.outcome.findings) rows.emplace_back(toQ(what), toQ(finding));
  for (const ir::Diagnostic& d : p.problems) rows.emplace_back(toQ(d.node), toQ(d.message));
  return rows;
}

void PassStepper::dropRun() {
  cancel();
  if (showJob_) showJob_->cancelled = true;
  showJob_ = nullptr;
  tab_.jobs().dispose(std::exchange(run_, nullptr));
  steps_.clear();
  cut_.reset();
  cutBefore_.reset();
  base_.clear();
  wishes_.clear();
  comparisons_.clear();
  position_ = which_ = 0;
}

void PassStepper::fileReplaced(session::LoadedGraphPtr graph) {
  const bool again = run_ != nullptr;
  const State resume = state();
  const QString pipeline = rerunText();
  dropRun();
  tab_.jobs().dispose(std::exchange(fileGraph_, std::move(graph)));
  if (again) start(pipeline, Kind::Fresh, resume);
  emit changed();
}

// ---- stepping

std::vector<PassStateRow> PassStepper::states() const {
  std::vector<PassStateRow> rows;
  if (!run_) return rows;
  const passes::Recording& r = run_->recording();
  for (size_t at = 1; at < run_->positions(); ++at)
    for (size_t g = 0; g < run_->graphCount(at); ++g) {
      const bool kept = g < run_->graphCount(at - 1) && r.at(at - 1)[g].module == r.at(at)[g].module;
      if (!kept) rows.push_back({at, toQ(run_->graphName(at, g)), toQ(r.passes[at - 1].pass->name)});
    }
  return rows;
}

int PassStepper::shownState() const {
  int shown = -1;
  const std::vector<PassStateRow> rows = states();
  for (size_t i = 0; i < rows.size(); ++i)
    if (rows[i].position <= position_ && rows[i].name == graphName()) shown = static_cast<int>(i);
  return position_ == 0 ? -1 : shown;
}

QStringList PassStepper::graphNames() const {
  QStringList names;
  if (run_)
    for (size_t i = 0; i < run_->graphCount(position_); ++i) names << toQ(run_->graphName(position_, i));
  return names;
}

QString PassStepper::graphName() const {
  return run_ ? toQ(run_->graphName(position_, which_)) : QString();
}

PassStepper::State PassStepper::state() const {
  return position_ == 0 ? State{} : State{serial_, position_, which_};
}

QString PassStepper::stateText() const {
  return position_ == 0 ? QString() : QStringLiteral(" @%1 %2").arg(position_).arg(graphName());
}

void PassStepper::goTo(size_t position, const QString& graph) {
  if (!run_ || position > lastPosition()) return;
  position_ = position;
  if (!graph.isEmpty()) wanted_ = graph;
  const qsizetype at = graphNames().indexOf(wanted_);
  which_ = at < 0 ? 0 : static_cast<size_t>(at);
  emit changed();
  show(true);
}

std::optional<size_t> PassStepper::positionFrom(const QString& text) const {
  if (!run_) return std::nullopt;
  if (text == QLatin1String("start")) return 0;
  if (text == QLatin1String("last")) return lastPosition();
  bool ok = false;
  const qulonglong number = text.toULongLong(&ok);
  if (ok) return number <= lastPosition() ? std::optional<size_t>(number) : std::nullopt;
  const size_t at = run_->positionOf(text.toStdString());
  return at ? std::optional<size_t>(at) : std::nullopt;
}

bool PassStepper::restore(const State& wantedState, ir::NodeId node) {
  if (wantedState.run != 0 && (wantedState.run != serial_ || !run_)) return false;
  position_ = wantedState.position;
  which_ = wantedState.which;
  if (position_ != 0) wanted_ = graphName();
  emit changed();
  show(false, node);
  return true;
}

void PassStepper::show(bool visit, ir::NodeId node) {
  if (showJob_) showJob_->cancelled = true;
  showJob_ = nullptr;
  const auto showing = [this, visit, node](const session::LoadedGraphPtr& graph) {
    tab_.showGraph(graph);
    if (node) tab_.select(node, false);
    emit changed();
    emit stateShown(visit);
  };
  // The file's own graph; with what a partition made of it where one was run on it.
  if (position_ == 0) return showing(run_ ? run_->graph(0, 0) : fileGraph_);
  showJob_ = tab_.jobs().start(
      tr("State %1").arg(position_), this,
      [run = run_, position = position_, which = which_](JobControl&) { return run->graph(position, which); },
      [this, showing](const session::LoadedGraphPtr& graph) {
        showJob_ = nullptr;
        showing(graph);
      },
      true);
}

// ---- the cut

void PassStepper::wish(const QStringList& nodes, Wish wish) {
  if (!cut_) return;
  Wishes next = wishes_;
  for (const QString& node : nodes) next[node] = wish;
  start(withWishes(base_, next), Kind::Wish);
}

void PassStepper::clearWishes() {
  if (!cut_ || wishes_.empty()) return;
  start(base_, Kind::Wish);
}

QStringList PassStepper::savedNames() const {
  QStringList names;
  if (cut_)
    for (const session::DecisionRow& row : cut_->rows)
      if (row.savedIndex >= 0) names << toQ(row.node);
  return names;
}

QString PassStepper::cutHeadline() const {
  if (!cut_) return {};
  session::CutReport cut = *cut_;
  if (!wishes_.empty() && cutBefore_) cut.plainBytes = cutBefore_->savedBytes;
  return toQ(session::cutHeadline(cut));
}

QStringList PassStepper::assumed() const {
  QStringList out;
  if (run_)
    for (const std::string& what : session::assumptions(run_->recording())) out << toQ(what);
  return out;
}

QString PassStepper::cutCommandLine(const Wishes& wishes) const {
  const QString address = shellQuote(tab_.address());
  const bool plain = pipeline_ == QLatin1String("aot") || pipeline_ == QLatin1String("aot-default");
  if (!run_ || !plain) {
    const QString steps = base_.isEmpty() ? defaultPipeline() : withWishes(base_, wishes);
    return QStringLiteral("descry opt %1 --passes %2 --findings").arg(address, shellQuote(steps));
  }
  QString line = QStringLiteral("descry aot %1 --cut").arg(address);
  if (pipeline_ == QLatin1String("aot-default")) line += QStringLiteral(" --partition default");
  for (const auto& [name, wish] : wishes)
    line += (wish == Wish::Save ? QStringLiteral(" --save ") : QStringLiteral(" --recompute ")) +
            shellQuote(name);
  return line;
}

// ---- PyTorch's own

QString PassStepper::recordedKind() const {
  if (!run_ || position_ == 0) return {};
  // Before the trace there is a graph named forward too, but it is another one.
  const passes::Stage stage = run_->recording().passes[position_ - 1].stage;
  const QString name = graphName();
  const bool whole = name == QLatin1String("joint") || name == QLatin1String("inference");
  const bool half = name == QLatin1String("forward") || name == QLatin1String("backward");
  if ((whole && stage >= passes::Stage::Traced) || (half && stage >= passes::Stage::Partitioned)) return name;
  return {};
}

QString PassStepper::compareUnavailable() const {
  if (!run_) return tr("Run passes first.");
  if (position_ == 0) return tr("This is the graph of the file itself.");
  if (recordedKind().isEmpty())
    return tr("PyTorch records no %1 graph at this stage. Go to a joint, forward, backward or inference "
              "graph.")
        .arg(graphName());
  return {};
}

void PassStepper::compare() {
  if (!compareUnavailable().isEmpty()) return;
  if (compareJob_) compareJob_->cancelled = true;
  const std::pair<size_t, size_t> at(position_, which_);
  compareJob_ = tab_.jobs().start(
      tr("Comparing with PyTorch's %1").arg(recordedKind()), this,
      [file = tab_.file(), run = run_, at, kind = recordedKind()](JobControl& control) {
        return compareGraphs(*file, *run, run->graph(at.first, at.second), kind,
                             [&control] { return control.cancelled.load(); });
      },
      [this, at](std::shared_ptr<const Comparison> made) {
        compareJob_ = nullptr;
        comparisons_[at] = made;
        emit changed();
        if (made->recordedId.isEmpty())
          emit failed(made->headline);
        else
          emit message(made->headline);
      });
  emit changed();
}

const Comparison* PassStepper::comparison() const {
  const auto it = comparisons_.find({position_, which_});
  return it == comparisons_.end() ? nullptr : it->second.get();
}

}  // namespace descry::gui

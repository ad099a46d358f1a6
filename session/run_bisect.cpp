#include "session/run_bisect.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "runtime/plan/plan.h"
#include "session/atomic_file.h"
#include "session/run_recorder.h"
#include "session/run_setup.h"
#include "session/run_states.h"
#include "session/value_text.h"

namespace descry::session {

using ir::NodeId;
using runtime::Value;
using runtime::Values;
using runtime::Verdict;

std::string_view outcomeName(Probe::Outcome outcome) {
  return outcome == Probe::Agrees ? "agrees" : outcome == Probe::Differs ? "differs" : "skipped";
}

namespace {

constexpr const char* kStateSchema = "descry.bisect.state/1";

/// Probes of an earlier search, and where those of this one go.
class Notebook {
 public:
  Notebook(std::string path, std::string search) : path_(std::move(path)), search_(std::move(search)) {}

  ir::Status read() {
    std::error_code error;
    if (path_.empty() || !std::filesystem::exists(path_, error)) return {};
    std::ifstream in(path_, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    const auto wrong = [&](const std::string& why) {
      return ir::failure("bad-resume", "cannot go on from here: " + why, path_);
    };
    try {
      const auto j = nlohmann::json::parse(text.str());
      if (!j.is_object() || j.value("schema", "") != kStateSchema)
        return wrong("it is not the state of a search");
      if (j.at("search") != search_)
        return wrong("it is of another search (" + j.at("search").get<std::string>() + ")");
      for (const auto& p : j.at("probes")) {
        Probe probe;
        probe.at = p.at("at").get<size_t>();
        const std::string outcome = p.at("outcome").get<std::string>();
        probe.outcome = outcome == "agrees"    ? Probe::Agrees
                        : outcome == "differs" ? Probe::Differs
                                               : Probe::Skipped;
        probe.what = p.at("what").get<std::string>();
        probe.detail = p.at("detail").get<std::string>();
        probe.resumed = true;
        known_[probe.at] = std::move(probe);
      }
    } catch (const nlohmann::json::exception& e) {
      return wrong(e.what());
    }
    return {};
  }

  const Probe* find(size_t at) const {
    const auto found = known_.find(at);
    return found == known_.end() ? nullptr : &found->second;
  }

  ir::Status add(const Probe& probe) {
    known_[probe.at] = probe;
    if (path_.empty()) return {};
    nlohmann::ordered_json j = {
        {"schema", kStateSchema}, {"search", search_}, {"probes", nlohmann::json::array()}};
    for (const auto& [at, p] : known_)
      j["probes"].push_back(
          {{"at", at}, {"outcome", outcomeName(p.outcome)}, {"what", p.what}, {"detail", p.detail}});
    return writeFileAtomically(path_, j.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  }

 private:
  std::string path_, search_;
  std::map<size_t, Probe> known_;
};

/// The search itself: places 1 to `last`; before the first one both agree.
class Search {
 public:
  using Look = std::function<Probe(size_t at)>;
  Search(const BisectRequest& request, Notebook& notes, Look look)
      : request_(request), notes_(notes), look_(std::move(look)) {}

  ir::Result<Bisection> run(size_t last) {
    out_.places = last;
    size_t good = 0, bad = last;
    // The last place that can be looked at says whether there is anything to find.
    for (; bad > good; --bad) {
      const Probe* p = probe(bad);
      if (!p) return stopped(good, std::nullopt);
      if (p->outcome == Probe::Agrees) return found(bad, std::nullopt);
      if (p->outcome == Probe::Differs) break;
    }
    if (bad == good) return found(std::nullopt, std::nullopt);
    while (bad - good > 1) {
      // The one in the middle, or the one nearest to it that can be looked at.
      const size_t middle = good + (bad - good) / 2;
      const Probe* p = nullptr;
      for (size_t step = 0; step < bad - good; ++step) {
        const size_t down = middle - std::min(step, middle), up = middle + step;
        size_t tried = 0;
        for (const size_t at : {down, up}) {
          if (at <= good || at >= bad || (tried++ && up == down)) continue;
          p = probe(at);
          if (!p) return stopped(good, bad);
          if (p->outcome != Probe::Skipped) break;
          p = nullptr;
        }
        if (p) break;
      }
      if (!p) break;  // nothing between them can be looked at
      (p->outcome == Probe::Agrees ? good : bad) = p->at;
    }
    return found(good ? std::optional(good) : std::nullopt, bad);
  }

 private:
  /// Null when the search was stopped, or its state cannot be written.
  const Probe* probe(size_t at) {
    if (const auto seen =
            std::find_if(out_.probes.begin(), out_.probes.end(), [&](const Probe& p) { return p.at == at; });
        seen != out_.probes.end())
      return &*seen;
    const auto cancelled = [&] { return request_.run.cancelled && request_.run.cancelled(); };
    if (cancelled()) return nullptr;
    Probe p;
    if (const Probe* known = notes_.find(at)) {
      p = *known;
    } else {
      const auto start = std::chrono::steady_clock::now();
      p = look_(at);
      p.at = at;
      p.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      if (cancelled()) return nullptr;
      if (ir::Status s = notes_.add(p); !s) {
        failure_ = s.error();
        return nullptr;
      }
    }
    if (request_.onProbe) request_.onProbe(p);
    out_.probes.push_back(std::move(p));
    return &out_.probes.back();
  }

  ir::Result<Bisection> stopped(size_t good, std::optional<size_t> bad) {
    if (failure_) return *failure_;
    out_.cancelled = true;
    return found(good ? std::optional(good) : std::nullopt, bad);
  }
  ir::Result<Bisection> found(std::optional<size_t> good, std::optional<size_t> bad) {
    out_.good = good;
    out_.bad = bad;
    for (const Probe& p : out_.probes)
      if (bad && p.at == *bad) out_.detail = p.detail;
    return std::move(out_);
  }

  const BisectRequest& request_;
  Notebook& notes_;
  Look look_;
  Bisection out_;
  std::optional<ir::Diagnostic> failure_;
};

std::string inWords(const std::string& name, const runtime::Comparison& c) {
  std::string s = name + ": " + std::string(runtime::verdictName(c.verdict));
  if (c.verdict != Verdict::Outside && c.verdict != Verdict::Within) return s;
  return s + ", " + std::to_string(c.outside) + " of " + std::to_string(c.count) + " outside, max abs " +
         shortNumber(c.maxAbs) + (c.maxUlp > 0 ? ", max ulp " + shortNumber(c.maxUlp) : std::string());
}

bool differs(const runtime::Comparison& c) {
  return c.verdict != Verdict::BitEqual && c.verdict != Verdict::Within;
}

/// What is told of a probe: the first that differs, else the farthest that does not.
class Worst {
 public:
  void add(const std::string& name, const runtime::Comparison& c) {
    const bool now = differs(c);
    if (any_ && (differs_ || !now) && !(c.maxAbs > most_ && now == differs_)) return;
    any_ = true;
    differs_ = differs_ || now;
    most_ = c.maxAbs;
    text_ = inWords(name, c);
  }
  Probe::Outcome outcome() const {
    return !any_ ? Probe::Skipped : differs_ ? Probe::Differs : Probe::Agrees;
  }
  std::string text() const { return any_ ? text_ : "nothing here can be compared"; }

 private:
  bool any_ = false, differs_ = false;
  double most_ = 0;
  std::string text_;
};

std::string searchText(const RunRequest& run, const Tolerances& tolerances) {
  return " inputs " + run.inputs + (run.backward ? " backward" : "") + " seed " + std::to_string(run.seed) +
         " " + run.executor + " tolerance " + tolerancesText(tolerances);
}

}  // namespace

ir::Result<Bisection> bisectPasses(const Document& document, const LoadedGraphPtr& graph,
                                   const std::string& pipeline, const BisectRequest& request) {
  PassRunOptions options;
  options.cancelled = request.run.cancelled;
  options.ops = request.run.ops;
  ir::Result<PassRunPtr> passes = runPasses(document, graph, pipeline, options);
  if (!passes) return passes.error();
  const passes::Recording& recording = (*passes)->recording();
  if (recording.failure && recording.failure->code == "cancelled") return *recording.failure;
  if (recording.passes.empty())
    return recording.failure
               ? *recording.failure
               : ir::failure("nothing-to-compare", "the pipeline has no passes", document.path());
  RunRequest asked = request.run;
  asked.executor = "interpret";
  const bool captured = aotGraphKind(*graph).empty();
  bool gradients = false;
  for (size_t p = 1; p < (*passes)->positions(); ++p)
    for (size_t g = 0; g < (*passes)->graphCount(p); ++g) {
      const std::string& name = (*passes)->graphName(p, g);
      gradients = gradients || name == "joint" || name == "backward";
    }
  const MemoryLimit limit(request.run.memoryCap);
  asked.backward = captured && (request.run.backward || gradients);
  ir::Result<std::shared_ptr<RunSetup>> setup = RunSetup::make(document, graph, asked);
  if (!setup && setup.error().code == "no-gradient-asked" && !request.run.backward) {
    asked.backward = false;
    setup = RunSetup::make(document, graph, asked);
  }
  if (!setup) return setup.error();
  ir::Result<RunPtr> first = runSetup(*setup, asked);
  if (!first) return first.error();
  if ((*first)->failure) return *(*first)->failure;
  int64_t longest = 1;
  for (const KeptTensor& k : valuesOf(**first).results) longest = std::max(longest, k.length);

  Notebook notes(request.resume, "passes of " + document.path() + "::" + graph->entry.id + " " + pipeline +
                                     searchText(request.run, request.tolerances));
  if (ir::Status s = notes.read(); !s) return s.error();
  const auto look = [&](size_t at) {
    Probe probe;
    probe.what = "after " + recording.passes[at - 1].text;
    const StateRun state = runState(**setup, **passes, at, request.run);
    if (state.failure) {
      probe.outcome = Probe::Differs;
      probe.detail = "fails: " + state.failure->message + " [" + state.failure->code + "]";
      return probe;
    }
    if (!state.skipped.empty()) {
      probe.outcome = Probe::Skipped;
      probe.detail = state.skipped;
      return probe;
    }
    Worst worst;
    for (const RunValue& v : state.results) {
      const auto want = std::find_if((*first)->results.begin(), (*first)->results.end(),
                                     [&](const RunValue& r) { return r.name == v.name; });
      if (!v.tensor || want == (*first)->results.end() || !want->tensor) continue;
      worst.add(v.name, runtime::compareTensors(*v.tensor, *want->tensor,
                                                request.tolerances.of(want->tensor->meta.dtype, longest)));
    }
    probe.outcome = worst.outcome();
    probe.detail = worst.text();
    return probe;
  };
  ir::Result<Bisection> out = Search(request, notes, look).run(recording.passes.size());
  if (!out) return out;
  if (out->bad) out->badName = recording.passes[*out->bad - 1].text;
  out->goodName = out->good ? recording.passes[*out->good - 1].text : "(start)";
  out->assumed = (*first)->assumed;
  if (recording.failure)
    out->assumed.push_back("the pass " + recording.failed +
                           " failed: only the states before it were looked at (" +
                           recording.failure->message + ")");
  return out;
}

namespace {

/// A side that answers for the values of single nodes.
class Answerer {
 public:
  static ir::Result<std::unique_ptr<Answerer>> make(const BisectSide& side, const RunRequest& request) {
    std::unique_ptr<Answerer> a(new Answerer(side, request));
    if (side.values) {
      a->skeleton_ = *side.values;
      return a;
    }
    a->request_.executor = side.executor;
    a->request_.functional = side.functional;
    ir::Result<std::shared_ptr<RunSetup>> setup = RunSetup::make(*side.document, side.graph, a->request_);
    if (!setup) return setup.error();
    a->setup_ = *setup;
    a->list();
    return a;
  }

  const RunValues& values() const { return skeleton_; }
  const std::vector<std::string>& assumed() const {
    static const std::vector<std::string> kNone{};
    return setup_ ? setup_->assumed() : kNone;
  }

  /// Fills in the tensors of these. Throws RunFailure, EvalError.
  void fill(std::vector<KeptTensor*> wanted) const {
    if (!setup_) return;
    std::map<uint32_t, KeptTensor*> byNode;
    for (KeptTensor* k : wanted) byNode[k->node.index] = k;
    const ir::Graph& root = setup_->root();
    runtime::Machine machine(request_.ops ? *request_.ops : ir::allOps());
    machine.generator.seed(request_.seed);
    machine.cancelled = request_.cancelled;
    const auto attributes = setup_->attributes(machine);
    const RunSetup::Given given = setup_->given();
    const std::vector<NodeId> placeholders = root.placeholders();
    for (size_t i = 0; i < placeholders.size() && i < given.values.size(); ++i)
      if (const auto k = byNode.find(placeholders[i].index);
          k != byNode.end() && given.values[i].isTensor()) {
        k->second->tensor = settledCopy(given.values[i]);
        byNode.erase(k);
      }
    if (byNode.empty()) return;
    if (request_.executor == "compiled") {
      ir::Module cut(*setup_->module());
      ir::Graph& g = cut.graphs[static_cast<size_t>(&root - setup_->module()->graphs.data())];
      std::vector<ir::Argument> results;
      for (const auto& [node, k] : byNode) results.emplace_back(NodeId{node});
      g.setOutput(ir::Argument::tuple(std::move(results)));
      runtime::Plan plan(cut, g, machine, attributes, given.values);
      const Values outputs = plan.run(given.values);
      size_t at = 0;
      for (const auto& [node, k] : byNode) {
        if (at < outputs.size() && outputs[at].isTensor()) k->tensor = settledCopy(outputs[at]);
        ++at;
      }
      return;
    }
    runtime::GraphRunner runner(*setup_->module(), root, machine);
    for (const auto& [name, value] : attributes) runner.setAttribute(name, value);
    runtime::RunHooks hooks;
    hooks.goOn = [&](NodeId) { return !byNode.empty(); };
    hooks.onNode = [&](NodeId node, const Value& v, double) {
      const auto k = byNode.find(node.index);
      if (k == byNode.end()) return;
      if (v.isTensor()) k->second->tensor = settledCopy(v);
      byNode.erase(k);
    };
    runner.run(given.values, hooks);
  }

 private:
  Answerer(const BisectSide& side, const RunRequest& request) : request_(request) {
    skeleton_.title = side.title;
    // Nothing is kept, timed or stopped at beside what is asked for here.
    request_.keepValues = request_.statistics = request_.hashes = request_.time = false;
    request_.upTo.clear();
  }

  /// The tensors that the graph computes, without contents.
  void list() {
    const ir::Graph& root = setup_->root();
    skeleton_.graph =
        setup_->module().get() == setup_->graph()->module.get()
            ? setup_->graph()
            : makeLoadedGraph(setup_->module(), setup_->graph()->entry, setup_->graph()->documentPath);
    std::vector<int64_t> lengths(root.idBound(), 1);
    for (const NodeId id : root.nodes()) {
      const ir::OpKind op = root.node(id).op;
      if (op == ir::OpKind::Output) continue;
      if (op != ir::OpKind::Placeholder) lengths[id.index] = summedLength(root, id);
      root.forEachInput(
          id, [&](NodeId in) { lengths[id.index] = std::max(lengths[id.index], lengths[in.index]); });
      if (root.type(id).kind != ir::TypeKind::Tensor) continue;
      KeptTensor k;
      k.name = root.nodeName(id);
      if (const NodeId origin = setup_->originOf(id); origin.valid())
        k.origin = setup_->graph()->graph->nodeName(origin);
      std::string_view target = root.target(id);
      if (target.starts_with("torch.ops.")) target.remove_prefix(10);
      k.input = op == ir::OpKind::Placeholder;
      if (!k.input) k.op = target;
      k.node = id;
      k.length = lengths[id.index];
      ir::TensorType type = root.type(id).tensor;
      type.strides.reset();
      type.device.clear();
      k.type = type.text();
      skeleton_.values.push_back(std::move(k));
    }
  }

  RunRequest request_;
  std::shared_ptr<RunSetup> setup_;
  RunValues skeleton_;
};

}  // namespace

ir::Result<Bisection> bisectNodes(const BisectSide& a, const BisectSide& b, const BisectRequest& request) {
  const MemoryLimit limit(request.run.memoryCap);
  ir::Result<std::unique_ptr<Answerer>> left = Answerer::make(a, request.run);
  if (!left) return left.error();
  ir::Result<std::unique_ptr<Answerer>> right = Answerer::make(b, request.run);
  if (!right) return right.error();
  const RunValues &va = (*left)->values(), &vb = (*right)->values();
  std::vector<ComparedValue> places;
  for (ComparedValue& v : pairValues(va, vb))
    if (v.a && v.b) places.push_back(std::move(v));
  if (places.empty())
    return ir::failure("nothing-to-compare", "no value of " + va.title + " stands for one of " + vb.title);

  // What is read behind a place, or returned: when that agrees, all that follows does unless something goes
  // wrong later. Values that nobody reads any more are not looked at again.
  std::vector<size_t> readUntil(places.size(), SIZE_MAX);
  if (vb.graph) {
    const ir::Graph& g = *vb.graph->graph;
    std::map<uint32_t, size_t> placeOf;
    for (size_t p = 0; p < places.size(); ++p) placeOf.try_emplace(places[p].b->node.index, p);
    std::vector<size_t> order(g.idBound(), 0);
    size_t last = 0;
    for (const NodeId id : g.nodes()) {
      if (const auto at = placeOf.find(id.index); at != placeOf.end()) last = at->second;
      order[id.index] = g.node(id).op == ir::OpKind::Output ? SIZE_MAX : last;
    }
    for (size_t p = 0; p < places.size(); ++p) {
      if (!places[p].b->node.valid()) continue;
      readUntil[p] = p;
      for (const NodeId user : g.users(places[p].b->node))
        readUntil[p] = std::max(readUntil[p], order[user.index] == 0 ? size_t{0} : order[user.index]);
    }
  }
  Notebook notes(request.resume,
                 "nodes of " + va.title + " and " + vb.title + searchText(request.run, request.tolerances));
  if (ir::Status s = notes.read(); !s) return s.error();
  const auto look = [&](size_t at) {
    const size_t k = at - 1;
    Probe probe;
    probe.what = (places[k].b->input ? "input " : "node ") + places[k].b->name;
    std::vector<size_t> alive;
    for (size_t p = 0; p <= k; ++p)
      if (p == k || readUntil[p] > k) alive.push_back(p);
    std::vector<KeptTensor> mine, theirs;
    for (const size_t p : alive) {
      mine.push_back(*places[p].a);
      theirs.push_back(*places[p].b);
    }
    const auto fill = [&](const Answerer& side, std::vector<KeptTensor>& list, const std::string& title) {
      std::vector<KeptTensor*> wanted;
      for (KeptTensor& t : list) wanted.push_back(&t);
      try {
        side.fill(wanted);
        return true;
      } catch (const runtime::RunFailure& e) {
        probe.detail = title + " fails at " + e.nodeName + ": " + e.what() + " [" + e.code + "]";
      } catch (const runtime::EvalError& e) {
        probe.detail = title + " fails: " + e.what() + " [" + e.code + "]";
      } catch (const std::bad_alloc&) {
        probe.detail = title + " fails: the system has no more memory [out-of-memory]";
      }
      probe.outcome = Probe::Differs;
      return false;
    };
    if (!fill(**left, mine, va.title) || !fill(**right, theirs, vb.title)) return probe;
    Worst worst;
    for (size_t i = alive.size(); i-- > 0;) {  // the place itself first
      ComparedValue pair;
      pair.a = &mine[i];
      pair.b = &theirs[i];
      compareValue(pair, request.tolerances);
      if (pair.comparison.verdict == Verdict::NotRun) continue;
      worst.add(theirs[i].name, pair.comparison);
    }
    probe.outcome = worst.outcome();
    probe.detail = worst.text();
    return probe;
  };
  ir::Result<Bisection> out = Search(request, notes, look).run(places.size());
  if (!out) return out;
  if (out->bad) out->badName = places[*out->bad - 1].b->name;
  if (out->good) out->goodName = places[*out->good - 1].b->name;
  out->assumed = (*left)->assumed();
  return out;
}

}  // namespace descry::session

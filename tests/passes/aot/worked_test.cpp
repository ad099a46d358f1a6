// The worked cases of AOT autograd, each a file of worked/ that holds a captured graph and what PyTorch makes
// of it. record.py there tells what the sections of a file are.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "importers/fx_text/fx_text.h"
#include "ir/ops/declarations.h"
#include "ir/text/printer.h"
#include "ir/verify/verify.h"
#include "passes/aot/aot.h"
#include "passes/aot/partition_input.h"
#include "passes/aot/program.h"
#include "passes/partition/partition.h"
#include "tests/passes/aot/staged.h"

namespace descry::passes {
namespace {

struct Case {
  std::map<std::string, std::string, std::less<>> sections;
  bool has(std::string_view name) const { return sections.find(name) != sections.end(); }
  std::string text(std::string_view name) const {
    const auto found = sections.find(name);
    return found == sections.end() ? "" : found->second;
  }
  bool option(std::string_view word) const {
    std::istringstream in(text("options"));
    for (std::string w; in >> w;)
      if (w == word) return true;
    return false;
  }
};

/// DESCRY_WORKED_CASES names another folder of such files, for programs that a script has made.
std::string folder() {
  const char* other = std::getenv("DESCRY_WORKED_CASES");
  return other ? other : AOT_WORKED;
}

Case readCase(const std::string& id) {
  std::ifstream in(folder() + "/" + id + ".case");
  Case out;
  std::string line, section;
  while (std::getline(in, line)) {
    if (line.starts_with("  ")) {
      out.sections[section] += line.substr(2) + "\n";
    } else if (line.ends_with(":")) {
      section = line.substr(0, line.size() - 1);
    }
  }
  return out;
}

std::shared_ptr<ir::Module> parsed(const std::string& text) {
  ir::DiagnosticSink sink;
  std::shared_ptr<ir::Module> module = importers::parseFxText(text, {}, sink);
  EXPECT_EQ(sink.errors(), 0u) << text;
  return module;
}

/// `"f32[2][1]cpu"` at the start of `text`.
ir::Type quotedType(const std::string& text) {
  const size_t begin = text.find('"'), end = text.find('"', begin + 1);
  return begin == std::string::npos ? ir::Type() : ir::parseType(text.substr(begin + 1, end - begin - 1));
}

/// `inner=a:TwoTensor,b:TwoTensor`: what a tensor of a wrapper subclass holds, where that is no plain tensor.
SubclassLayout layoutFrom(const std::string& text, const std::string& wrapper, const Meta& meta) {
  SubclassLayout out;
  out.name = wrapper;
  std::istringstream items(text);
  for (std::string item; std::getline(items, item, ',');) {
    const size_t colon = item.find(':');
    SubclassLayout::Inner inner{item.substr(0, colon), meta, {}};
    if (const SubclassClass* held = findSubclass(item.substr(colon + 1))) {
      inner.layout.name = held->name;
      for (const std::string_view attr : held->attrs)
        inner.layout.inner.push_back({std::string(attr), meta, {}});
    }
    out.inner.push_back(std::move(inner));
  }
  return out;
}

CapturedFacts factsOf(const Case& c, const ir::Graph& graph) {
  CapturedFacts facts;
  facts.gradMode = !c.option("grad-mode=off");
  std::map<std::string, std::string> lines;
  std::istringstream in(c.text("inputs"));
  for (std::string line; std::getline(in, line);) {
    const size_t colon = line.find(": ");
    lines[line.substr(0, colon)] = line.substr(colon + 2);
  }
  const std::vector<ir::NodeId> placeholders = graph.placeholders();
  const auto typeOf = [&](const std::string& name) -> ir::Type {
    for (const ir::NodeId id : placeholders)
      if (graph.nodeName(id) == name) return graph.type(id);
    return quotedType(lines[name]);
  };
  for (const ir::NodeId id : placeholders) {
    const ir::Type& type = graph.type(id);
    if (type.kind != ir::TypeKind::Tensor && type.text.starts_with("Sym("))
      facts.hints[type.text.substr(4, type.text.size() - 5)] =
          std::atoll(lines[std::string(graph.nodeName(id))].c_str());
  }
  for (const ir::NodeId id : placeholders) {
    CapturedInput input;
    input.name = input.source = std::string(graph.nodeName(id));
    EXPECT_TRUE(lines.count(input.name)) << "nothing is said of " << input.name;
    std::istringstream words(lines[input.name]);
    std::string inner;
    for (std::string w; words >> w;) {
      const size_t equals = w.find('=');
      const std::string key = w.substr(0, equals),
                        value = equals == std::string::npos ? "" : w.substr(equals + 1);
      if (key == "grad") input.requiresGrad = true;
      if (key == "nonleaf") input.isLeaf = false;
      if (key == "storage") input.storage = value;
      if (key == "bytes") input.storageBytes = std::atoll(value.c_str());
      if (key == "inner") inner = value;
      if (key == "offset") input.offset = std::atoll(value.c_str());
      if (key == "descriptor") {
        const ir::Result<ir::Descriptor> d = ir::Descriptor::parse(value);
        EXPECT_TRUE(d) << value;
        if (d) input.descriptor = *d;
        input.isStatic = value.starts_with("Param") || value.starts_with("Buffer");
      }
      if (key == "same")
        for (size_t k = 0; k < facts.inputs.size(); ++k)
          if (facts.inputs[k].name == value) input.sameAs = k;
      if (key == "base") {
        input.isView = true;
        input.base = value;
        input.baseMeta = metaOfType(typeOf(value), facts.hints);
        const std::string base = " " + lines[value] + " ";
        input.baseRequiresGrad = base.find(" grad ") != std::string::npos;
        input.baseIsLeaf = base.find(" leaf ") != std::string::npos;
      }
    }
    ir::Type type = graph.type(id);
    if (type.kind == ir::TypeKind::Wrapped) type.kind = ir::TypeKind::Tensor;
    input.meta = metaOfType(type, facts.hints);
    if (!inner.empty()) input.layout = layoutFrom(inner, type.wrapper, *input.meta);
    facts.inputs.push_back(std::move(input));
  }
  return facts;
}

/// The text of a graph with its values numbered in order: PyTorch's own numbers have gaps where it dropped
/// nodes.
std::string plain(const ir::Module& module) {
  std::map<std::string, std::string, std::less<>> numbers;
  for (const ir::NodeId id : module.root().nodes())
    if (module.root().node(id).op != ir::OpKind::Output)
      numbers.emplace(module.root().nodeName(id), "v" + std::to_string(numbers.size()));
  std::istringstream in(ir::printModule(module));
  std::string out, line;
  while (std::getline(in, line)) {
    const size_t first = line.find_first_not_of(' ');
    if (first == std::string::npos || line[first] == '#' || line.substr(first).starts_with("class "))
      continue;
    if (const size_t deletion = line.find(";  "); deletion != std::string::npos) line.resize(deletion);
    const auto word = [](char ch) { return std::isalnum(static_cast<unsigned char>(ch)) || ch == '_'; };
    for (size_t at = 0; at < line.size();) {
      size_t end = at;
      while (end < line.size() && word(line[end])) ++end;
      const auto found = numbers.find(std::string_view(line).substr(at, end - at));
      const bool free = at == 0 || line[at - 1] != '.';
      out += end > at && found != numbers.end() && free ? found->second
                                                        : line.substr(at, std::max<size_t>(end - at, 1));
      at = std::max(end, at + 1);
    }
    out += '\n';
  }
  return out;
}

/// Fields by PyTorch's names, as record.py writes them.
std::string metadataText(const ViewAndMutationMeta& m) {
  std::string out;
  for (size_t i = 0; i < m.inputInfo.size(); ++i) {
    const InputAliasInfo& x = m.inputInfo[i];
    out += "input_info[" + std::to_string(i) + "]:";
    const std::pair<bool, const char*> flags[] = {
        {x.isLeaf, "is_leaf"},
        {x.mutatesData, "mutates_data"},
        {x.mutatesMetadata, "mutates_metadata"},
        {x.mutationsHiddenFromAutograd, "mutations_hidden_from_autograd"},
        {x.mutationsUnderNoGradOrInferenceMode, "mutations_under_no_grad_or_inference_mode"},
        {x.mutationInductorStorageResize, "mutation_inductor_storage_resize"},
        {x.mutatesStorageMetadata, "mutates_storage_metadata"},
        {x.mutationIsShallowCopyData, "mutation_is_shallow_copy_data"},
        {x.requiresGrad, "requires_grad"},
        {x.keepInputMutations, "keep_input_mutations"}};
    for (const auto& [set, name] : flags)
      if (set) out += std::string(" ") + name;
    static constexpr const char* kTypes[] = {" NOT_MUTATED", " MUTATED_IN_GRAPH", " MUTATED_OUT_GRAPH"};
    out += kTypes[static_cast<size_t>(x.mutationType())] + std::string("\n");
  }
  for (size_t i = 0; i < m.outputInfo.size(); ++i) {
    const OutputAliasInfo& x = m.outputInfo[i];
    out += "output_info[" + std::to_string(i) + "]: " + std::string(outputTypeName(x.type));
    if (x.baseIdx) out += " base_idx=" + std::to_string(*x.baseIdx);
    std::string dims;
    for (const int64_t d : x.dynamicDims) dims += (dims.empty() ? "" : ", ") + std::to_string(d);
    if (!dims.empty()) out += " dynamic_dims=[" + dims + "]";
    if (x.requiresGrad) out += " requires_grad";
    if (x.requiresGradForBackward) out += " requires_grad_for_backward";
    out += "\n";
  }
  out += "num_intermediate_bases: " + std::to_string(m.numIntermediateBases) + "\n";
  for (size_t i = 0; i < m.tracedTangentsDescs.size(); ++i)
    out += "traced_tangents_descs[" + std::to_string(i) + "]: " + m.tracedTangentsDescs[i].repr() + "\n";
  out += std::string("grad_enabled_mutation: ") +
         (!m.gradEnabledMutation   ? "None"
          : *m.gradEnabledMutation ? "True"
                                   : "False") +
         "\n";
  out += "tokens: " + std::to_string(m.tokens.size()) + "\n";
  return out;
}

/// What differs between our results and the case; empty when nothing does.
class Check {
 public:
  explicit Check(const Case& c) : case_(c) {}

  std::string run() {
    const std::shared_ptr<ir::Module> captured = parsed(case_.text("captured"));
    const CapturedFacts facts = factsOf(case_, captured->root());
    AotOptions options;
    options.keepInputMutations = case_.option("keep-input-mutations=on");
    for (const char* where : {"cuda", "any-device"})
      if (case_.option(std::string("functionalize-rng=") + where))
        options.functionalizeRng = functionalizeRngOf(where);
    if (case_.has("ops")) {
      const auto ops = ir::declareOps({{"ops", case_.text("ops")}});
      if (!ops) return "ops: " + ops.error().text();
      options.ops = *ops;
    }
    if (case_.option("decompositions=core")) options.decompositions = Decompositions::Core;
    std::string faults;
    const ir::Result<AotResult> result = runStaged(*captured, facts, options, faults);
    differences_ += faults;
    if (case_.has("refused")) {
      if (result) return "PyTorch refuses this: " + case_.text("refused");
      // Behind `RuntimeError: ` stands PyTorch's message, perhaps cut off.
      std::string want = case_.text("refused");
      want.erase(want.find_last_not_of('\n') + 1);
      const std::string reason = want.substr(want.find(": ") + 2, 40);
      if (result.error().message.find(reason) == std::string::npos)
        add("refused", result.error().message, reason);
      if (result.error().node.empty()) differences_ += "the node at fault is not named\n";
      return differences_;
    }
    if (!result) return "refused: " + result.error().text();
    add("metadata", metadataText(result->meta), case_.text("metadata"));
    graph("joint", result->joint.get());
    graph("inference", result->inference.get());
    if (!result->joint) return differences_;
    PartitionOptions cut;
    if (case_.option("partition=min-cut")) cut.method = PartitionOptions::Method::MinCut;
    const ir::Result<Partition> parts = partitionJoint(partitionInputOf(*result, facts), cut);
    if (!parts) return differences_ + "partition: " + parts.error().text();
    differences_ += faultsOfCut(partitionInputOf(*result, facts), *parts);
    graph("forward", &parts->forward);
    graph("backward", &parts->backward);
    return differences_;
  }

 private:
  void add(const std::string& what, const std::string& ours, const std::string& theirs) {
    if (ours == theirs) return;
    differences_ += what + ":\n";
    const std::vector<std::string> a = lines(ours), b = lines(theirs);
    size_t from = 0, tail = 0;
    while (from < a.size() && from < b.size() && a[from] == b[from]) ++from;
    while (from + tail < a.size() && from + tail < b.size() &&
           a[a.size() - 1 - tail] == b[b.size() - 1 - tail])
      ++tail;
    for (size_t i = from; i + tail < a.size(); ++i) differences_ += "  ours:    " + a[i] + "\n";
    for (size_t i = from; i + tail < b.size(); ++i) differences_ += "  PyTorch: " + b[i] + "\n";
  }

  static std::vector<std::string> lines(const std::string& text) {
    std::vector<std::string> out;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) out.push_back(line);
    return out;
  }

  void graph(const std::string& name, const ir::Module* ours) {
    if (!ours != !case_.has(name)) {
      differences_ += name + ": " + (ours ? "PyTorch makes none\n" : "is not made\n");
      return;
    }
    if (!ours) return;
    ir::DiagnosticSink sink;
    ir::verifyModule(*ours, &ir::allOps(), sink);
    if (sink.errors() != 0) differences_ += name + ": the verifier finds faults\n";
    add(name, plain(*ours), plain(*parsed(case_.text(name))));
  }

  const Case& case_;
  std::string differences_;
};

std::vector<std::string> casesIn(const std::string& folder) {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".case") out.push_back(entry.path().stem().string());
  std::sort(out.begin(), out.end());
  return out;
}

class WorkedCase : public testing::TestWithParam<std::string> {};

TEST_P(WorkedCase, IsWhatPyTorchMakes) {
  const Case c = readCase(GetParam());
  ASSERT_TRUE(c.has("captured"));
  const std::string differences = Check(c).run();
  EXPECT_TRUE(differences.empty()) << c.text("says") << c.text("captured") << differences;
}

INSTANTIATE_TEST_SUITE_P(Aot, WorkedCase, testing::ValuesIn(casesIn(folder())),
                         [](const auto& info) { return info.param; });

/// The 109 numbers of the list of worked cases; some have several files, such as C58 and C58_transposed.
TEST(WorkedCases, AreComplete) {
  std::set<int> found;
  for (const std::string& name : casesIn(AOT_WORKED))
    if (name[0] == 'C') found.insert(std::atoi(name.c_str() + 1));
  for (const auto& [from, to] : {std::pair(1, 7),
                                 {10, 35},
                                 {40, 66},
                                 {70, 83},
                                 {90, 106},
                                 {107, 108},
                                 {110, 116},
                                 {120, 125},
                                 {130, 132}})
    for (int n = from; n <= to; ++n) EXPECT_TRUE(found.count(n)) << "C" << n;
  EXPECT_EQ(found.size(), 109u);
}

}  // namespace
}  // namespace descry::passes

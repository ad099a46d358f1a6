#include "tests/importers/support.h"

namespace descry::importers::test {
namespace {

std::string tensor(int id, const std::string& more, const std::string& source) {
  const std::string n = std::to_string(id);
  return record("\"describe_tensor\": {\"id\": " + n +
                R"j(, "ndim": 2, "dtype": "torch.float32", "device": "device(type='cuda', index=1)", )j"
                R"("size": [2, 3], "stride": [3, 1], "storage": 7, "describer_id": 0)" +
                more + "}, " + kId) +
         (source.empty() ? ""
                         : record("\"describe_source\": {\"describer_id\": 0, \"id\": " + n +
                                  ", \"source\": \"" + source + "\"}, " + kId));
}

const char* const kDynamo =
    "class GraphModule(torch.nn.Module):\n    def forward(self, s77: \"Sym(s77)\", L_x_: \"f32[2, 3][3, "
    "1]cuda:1\", L_fn_modules_0_parameters_weight_: \"f32[2, 3]\"):\n"
    "        l_x_ = L_x_\n        l_fn_modules_0_parameters_weight_ = L_fn_modules_0_parameters_weight_\n    "
    "    y = l_x_ * l_fn_modules_0_parameters_weight_\n        return (y,)\n";
const char* const kForward =
    "class GraphModule(torch.nn.Module):\n    def forward(\n        self,\n        primals_1: \"Sym(s77)\",  "
    "# PlainAOTInput(idx=0)\n"
    "        primals_2: \"f32[2, 3][3, 1]cuda:1\",  # PlainAOTInput(idx=1)\n"
    "        primals_3: \"f32[2, 3][3, 1]cuda:1\",  # PlainAOTInput(idx=2)\n    ):\n"
    "        mul: \"f32[2, 3][3, 1]cuda:1\" = torch.ops.aten.mul.Tensor(primals_2, primals_3)\n        "
    "return (mul, primals_2)\n";
const char* const kBackward =
    "class GraphModule(torch.nn.Module):\n    def forward(self, primals_3: \"f32[2, 3]\", tangents_1: "
    "\"f32[2, 3]\"):\n"
    "        mul_1: \"f32[2, 3]\" = torch.ops.aten.mul.Tensor(tangents_1, primals_3)\n        return (None, "
    "mul_1)\n";

TEST(InputFacts, JoinedFromDynamoToBackward) {
  const Folder folder;
  const auto input =
      openText(folder, record("\"dynamo_start\": {\"stack\": []}, " + kId) +
                           tensor(0, R"(, "is_leaf": true, "requires_grad": true, "is_parameter": true)",
                                  "L['fn']._modules['0']._parameters['weight']") +
                           tensor(1, R"(, "is_view": true, "base": 2)", "L['x']") + tensor(2, "", "") +
                           record("\"dynamo_output_graph\": {}, " + kId, kDynamo) +
                           record("\"aot_forward_graph\": {}, " + kId, kForward) +
                           record("\"aot_backward_graph\": {}, " + kId, kBackward));
  const std::vector<InputFact> dynamo = input->inputFacts(0);
  ASSERT_EQ(dynamo.size(), 2u);
  EXPECT_EQ(dynamo[0].name, "l_x_");
  EXPECT_EQ(dynamo[0].source, "L['x']");
  EXPECT_EQ(dynamo[0].type, "f32[2, 3][3, 1]cuda:1");
  EXPECT_EQ(dynamo[0].isView, true);
  EXPECT_EQ(dynamo[0].isParameter, false);
  EXPECT_EQ(dynamo[0].viewOf, "L['x']._base");
  EXPECT_EQ(dynamo[1].storage, "7");
  const std::vector<InputFact> forward = input->inputFacts(1);
  ASSERT_EQ(forward.size(), 2u);
  EXPECT_EQ(forward[0].name, "primals_2");
  EXPECT_EQ(forward[0].source, "L['x']");
  EXPECT_EQ(forward[1].name, "primals_3");
  EXPECT_EQ(forward[1].source, "L['fn']._modules['0']._parameters['weight']");
  EXPECT_EQ(forward[1].isParameter, true);
  const std::vector<InputFact> backward = input->inputFacts(2);
  ASSERT_EQ(backward.size(), 1u);
  EXPECT_EQ(backward[0].name, "primals_3");
  EXPECT_EQ(backward[0].source, "L['fn']._modules['0']._parameters['weight']");
}

TEST(InputFacts, NoneWithoutRecords) {
  const Folder folder;
  const auto input = openText(folder, record("\"aot_forward_graph\": {}, " + kId, kForward));
  EXPECT_TRUE(input->inputFacts(0).empty());
}

TEST(Tables, SymbolsGuardsMetricsFrames) {
  const Folder folder;
  const auto input = openText(
      folder,
      record(R"("str": ["/m.py", 4])") +
          record(R"j("dynamo_start": {"stack": [{"line": 9, "name": "f", "filename": 4, "loc": "g(x)"}, )j"
                 R"j({"line": 1, "name": "h", "filename": 77}]}, )j" +
                 kId) +
          record(
              R"("create_symbol": {"symbol": "s77", "val": "3", "vr": "[2, int_oo]", )"
              R"("source": "L['x'].size()[0]", "user_stack": [{"line": 5, "name": "f", "filename": 4}]}, )" +
              kId) +
          record("\"dynamo_cpp_guards_str\": {}, " + kId,
                 "\nTREE_GUARD_MANAGER:\n+- RootGuardManager\n| +- GuardManager: source=L['x'], "
                 "accessed_by=DictGetItemGuardAccessor(x)\n"
                 "| | +- TENSOR_MATCH: check_tensor(L['x'])    # y = x  # m.py:5 in f\n") +
          record(R"("artifact": {"name": "recompile_reasons", "encoding": "json"}, )" + kId,
                 "[\"0/0: size\"]") +
          record(R"("artifact": {"name": "fx_graph_cache_hit", "encoding": "json"}, )" + kId,
                 "{\"key\": \"fabc\"}") +
          record(R"("compilation_metrics": {"co_name": "f", "co_filename": "/m.py", )"
                 R"("co_firstlineno": 3, "fail_type": null}, )" +
                 kId));
  const FactTable* frames = tableOf(*input, "frames");
  ASSERT_TRUE(frames);
  EXPECT_EQ(frames->rows[0], (std::vector<std::string>{"0/0", "0", "/m.py:9 in f", "g(x)"}));
  EXPECT_EQ(frames->rows[1][2], "(unknown):1 in h");
  EXPECT_EQ(tableOf(*input, "symbols")->rows[0],
            (std::vector<std::string>{"0/0", "s77", "backed", "3", "[2, int_oo]", "L['x'].size()[0]",
                                      "/m.py:5 in f"}));
  const FactTable* guards = tableOf(*input, "guards");
  ASSERT_EQ(guards->rows.size(), 3u);
  EXPECT_EQ(guards->rows[1][3], "L['x']");
  EXPECT_EQ(guards->rows[2], (std::vector<std::string>{"0/0", "2", "TENSOR_MATCH", "",
                                                       "check_tensor(L['x'])    # y = x", "m.py:5 in f"}));
  EXPECT_EQ(tableOf(*input, "recompiles")->rows[0], (std::vector<std::string>{"0/0", "0/0: size"}));
  EXPECT_EQ(tableOf(*input, "cache")->rows[0][2], "hit");
  EXPECT_EQ(tableOf(*input, "metrics")->rows.size(), 3u);  // null is no value
  EXPECT_EQ(tableOf(*input, "compiles")->rows[0][2], "/m.py:3");
}

std::string event(const std::string& name, const std::string& phase, double ts) {
  return record("\"chromium_event\": {}, " + kId, "{\"name\": \"" + name + "\", \"ph\": \"" + phase +
                                                      "\", \"ts\": " + std::to_string(ts) +
                                                      ", \"pid\": 0, \"tid\": 0}");
}

TEST(Tables, TimelinePairsBeginAndEnd) {
  const Folder folder;
  const auto input = openText(folder, event("a", "B", 10) + event("b", "B", 20) + event("b", "E", 25) +
                                          event("c", "i", 26) + event("a", "E", 40) + event("x", "E", 41) +
                                          event("open", "B", 42) + event("z", "i", 50));
  const FactTable* t = tableOf(*input, "timeline");
  ASSERT_TRUE(t);
  ASSERT_EQ(t->rows.size(), 6u);
  EXPECT_EQ(t->rows[0], (std::vector<std::string>{"b", "0/0", "20.0", "5.0", "1", ""}));
  EXPECT_EQ(t->rows[2], (std::vector<std::string>{"a", "0/0", "10.0", "30.0", "0", ""}));
  EXPECT_EQ(t->rows[3][5], "end without begin");
  EXPECT_EQ(t->rows[5], (std::vector<std::string>{"open", "0/0", "42.0", "8.0", "0", "not closed"}));
}

TEST(Tables, EventsWithoutAPartnerAreAWarning) {
  const Folder folder;
  const auto one = openText(folder, event("a", "B", 10) + event("b", "E", 20) + event("a", "E", 30));
  ASSERT_EQ(one->diagnostics().warnings(), 1u);
  const ir::Diagnostic& d = one->diagnostics().all()[0];
  EXPECT_EQ(d.code, "unpaired-event");
  EXPECT_EQ(d.loc.line, 3u);
  EXPECT_NE(d.message.find("'b' ends without a begin"), std::string::npos) << d.message;
  // One warning a file, at the first of them.
  const auto many = openText(folder, event("x", "B", 1) + event("a", "E", 2) + event("y", "B", 3));
  ASSERT_EQ(many->diagnostics().warnings(), 1u);
  EXPECT_EQ(many->diagnostics().all()[0].message,
            "3 timeline events have no partner, first this one: 'x' begins and never ends");
  EXPECT_FALSE(many->readInPart());
  // A list of events in one payload counts as its events.
  const auto list = openText(folder, record("\"chromium_event\": {}, " + kId,
                                            R"([{"name": "a", "ph": "B", "ts": 1, "pid": 0, "tid": 0},)"
                                            R"( {"name": "a", "ph": "E", "ts": 2, "pid": 0, "tid": 0}])"));
  EXPECT_EQ(list->diagnostics().warnings(), 0u);
}

std::string tensorRecord(int id, const std::string& more, int storage = 0) {
  return record("\"describe_tensor\": {\"describer_id\": 0, \"id\": " + std::to_string(id) +
                ", \"dtype\": \"torch.float32\", \"device\": \"device(type='cpu')\", \"storage\": " +
                std::to_string(storage) + more + "}, " + kId);
}

std::string sourceRecord(int id, const std::string& text) {
  return record("\"describe_source\": {\"describer_id\": 0, \"id\": " + std::to_string(id) +
                ", \"source\": \"" + text + "\"}, " + kId);
}

// AOT autograd passes the base of two views of one tensor; the log describes the views, and the base as
// `view._base`.
TEST(Facts, SyntheticBase) {
  const Folder folder;
  const std::string captured =
      "class GraphModule(torch.nn.Module):\n    def forward(self, L_a_: \"f32[3]\", L_b_: \"f32[3]\"):\n"
      "        l_a_ = L_a_\n        l_b_ = L_b_\n        add = l_a_ + l_b_\n        return (add,)\n";
  const std::string joint =
      "class inner_f(torch.nn.Module):\n    def forward(\n        self,\n"
      "        primals_1: \"f32[6]\",  # SyntheticBaseAOTInput(base_of=PlainAOTInput(idx=0))\n    ):\n"
      "        sin: \"f32[6]\" = torch.ops.aten.sin.default(primals_1)\n        return (\n"
      "            sin,  # PlainAOTOutput(idx=0)\n        )\n";
  const auto graphs = record("\"dynamo_output_graph\": {}, " + kId, captured) +
                      record("\"aot_joint_graph\": {}, " + kId, joint);
  const std::string views = ", \"size\": [3], \"stride\": [1], \"is_view\": true, \"base\": 2";
  const auto input = openText(folder, tensorRecord(2, ", \"size\": [6], \"stride\": [1], \"is_leaf\": true") +
                                          tensorRecord(0, views) + sourceRecord(0, "L['a']") +
                                          tensorRecord(1, views) + sourceRecord(1, "L['b']") + graphs);
  const std::vector<InputFact> facts = input->inputFacts(1);
  ASSERT_EQ(facts.size(), 1u);
  EXPECT_EQ(facts[0].name, "primals_1");
  EXPECT_EQ(facts[0].source, "L['a']._base");
  EXPECT_EQ(facts[0].type, "f32[6][1]cpu");
  EXPECT_EQ(facts[0].baseOf, "L['a'], L['b']");
  EXPECT_EQ(facts[0].isLeaf, true);
  // Without a described base, what the views share is told.
  const std::string loose = ", \"size\": [3], \"stride\": [1]";
  const auto bare = openText(folder, tensorRecord(0, loose) + sourceRecord(0, "L['a']") +
                                         tensorRecord(1, loose) + sourceRecord(1, "L['b']") + graphs);
  const std::vector<InputFact> shared = bare->inputFacts(1);
  ASSERT_EQ(shared.size(), 1u);
  EXPECT_EQ(shared[0].source, "storage of L['a']");
  EXPECT_EQ(shared[0].baseOf, "L['a'], L['b']");
}

// The base of an input that is an input too has no source: of two of one type nothing says which it is.
TEST(Facts, ABaseThatIsAnInputMayBeOneOfSeveral) {
  const Folder folder;
  const std::string captured =
      "class GraphModule(torch.nn.Module):\n    def forward(self, L_u_: \"f32[6][1]cpu\", L_a_: "
      "\"f32[3][1]cpu\", "
      "L_b_: \"f32[3][1]cpu\", L_z_: \"f32[3][1]cpu\"):\n"
      "        l_u_ = L_u_\n        l_a_ = L_a_\n        l_b_ = L_b_\n        l_z_ = L_z_\n"
      "        return (l_u_, l_a_, l_b_, l_z_)\n";
  const auto view = [](int base) {
    return ", \"size\": [3], \"stride\": [1], \"is_view\": true, \"base\": " + std::to_string(base);
  };
  const std::string whole = ", \"size\": [6], \"stride\": [1], \"is_leaf\": true";
  const auto factsWith = [&](const std::string& second) {
    const auto input = openText(
        folder, tensorRecord(2, whole) + tensorRecord(0, view(2)) + sourceRecord(0, "L['y']") + second +
                    tensorRecord(4, ", \"size\": [3], \"stride\": [1]", 2) + sourceRecord(4, "L['a']") +
                    record("\"dynamo_output_graph\": {}, " + kId, captured));
    return input->inputFacts(0);
  };
  const std::vector<InputFact> one = factsWith("");
  ASSERT_EQ(one.size(), 2u);
  EXPECT_EQ(one[0].name, "l_u_");
  EXPECT_EQ(one[0].source, "L['y']._base");
  EXPECT_EQ(one[0].candidates, 1u);
  const std::vector<InputFact> two =
      factsWith(tensorRecord(3, whole, 1) + tensorRecord(1, view(3), 1) + sourceRecord(1, "L['x']"));
  ASSERT_EQ(two.size(), 2u);
  EXPECT_EQ(two[0].source, "L['y']._base");
  EXPECT_EQ(two[0].candidates, 2u);
  EXPECT_EQ(two[1].candidates, 1u);
}

const std::string kExported =
    "ExportedProgram:\n    class GraphModule(torch.nn.Module):\n"
    "        def forward(self, p_w: \"f32[2]\", x: \"f32[s0]\"):\n"
    "            add: \"f32[2]\" = torch.ops.aten.add.Tensor(x, p_w);  x = p_w = None\n"
    "            return (add,)\n\nGraph signature: ExportGraphSignature(input_specs=["
    "InputSpec(kind=<InputKind.PARAMETER: 2>, arg=TensorArgument(name='p_w'), target='lin.w', "
    "persistent=None), "
    "InputSpec(kind=<InputKind.USER_INPUT: 1>, arg=TensorArgument(name='x'), target=None, persistent=None)], "
    "output_specs=[OutputSpec(kind=<OutputKind.USER_OUTPUT: 1>, arg=TensorArgument(name='add'), "
    "target=None)])\n"
    "Range constraints: {s0: VR[2, int_oo], 2*s0: VR[4, 256]}\n";

TEST(Tables, ExportedProgramRecordGivesItsSignature) {
  const Folder folder;
  const auto input = openText(folder, record("\"exported_program\": {}", kExported));
  const auto signature = input->exportSignature(0);
  ASSERT_TRUE(signature);
  ASSERT_EQ(signature->inputs.size(), 2u);
  EXPECT_EQ(signature->inputs[0].name, "p_w");
  EXPECT_EQ(signature->inputs[0].text, "PARAMETER target='lin.w'");
  ASSERT_EQ(signature->outputs.size(), 1u);
  EXPECT_EQ(signature->outputs[0].kind, "USER_OUTPUT");
  const FactTable* t = tableOf(*input, "range-constraints");
  ASSERT_TRUE(t);
  ASSERT_EQ(t->rows.size(), 2u);
  EXPECT_EQ(t->rows[1][1] + " " + t->rows[1][2], "2*s0 VR[4, 256]");
}

}  // namespace
}  // namespace descry::importers::test

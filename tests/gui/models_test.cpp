#include <QAbstractItemModelTester>

#include "gui/models/explorer_model.h"
#include "gui/models/facts_model.h"
#include "gui/models/fx_syntax.h"
#include "gui/models/io_model.h"
#include "gui/models/node_table_model.h"
#include "gui/models/outline_model.h"
#include "gui/models/palette_model.h"
#include "gui/models/problems_model.h"
#include "gui/models/text_lines_model.h"
#include "tests/gui/gui_support.h"

namespace descry::gui {
namespace {

constexpr auto kStrict = QAbstractItemModelTester::FailureReportingMode::Fatal;

QString cell(const QAbstractItemModel& model, int row, int column) {
  return model.index(row, column).data().toString();
}

int column(const QAbstractItemModel& model, const QString& title) {
  for (int c = 0; c < model.columnCount(); ++c)
    if (model.headerData(c, Qt::Horizontal).toString().compare(title, Qt::CaseInsensitive) == 0) return c;
  ADD_FAILURE() << "no column " << qPrintable(title);
  return 0;
}

TEST(IoModel, ListsInputsAndOutputsInCallOrder) {
  OpenSample sample;
  sample.tab().request(Part::Io);
  ASSERT_TRUE(waitIdle(sample.document));
  IoModel model;
  QAbstractItemModelTester tester(&model, kStrict);
  model.setRows(sample.tab().io());
  ASSERT_EQ(model.rowCount(), 14);
  EXPECT_EQ(cell(model, 0, IoModel::PositionColumn), "in 0");
  EXPECT_EQ(cell(model, 0, IoModel::NameColumn), "primals_1");
  EXPECT_EQ(cell(model, 0, IoModel::PathColumn), "l1.weight");
  EXPECT_EQ(cell(model, 0, IoModel::TypeColumn), "f32[2, 3][3, 1]cpu");
  // The text names t_7 as the gradient of l1.weight.
  EXPECT_EQ(cell(model, 0, IoModel::PartnerColumn), "t_7");
  EXPECT_EQ(model.index(0, 0).data(IoModel::kPartnerRole).toUInt(), sample.node("t_7").index);
  EXPECT_EQ(cell(model, 0, IoModel::BytesColumn), "24 B");
  EXPECT_EQ(cell(model, 7, IoModel::PositionColumn), "out 0");
  EXPECT_EQ(cell(model, 7, IoModel::NameColumn), "addmm");
  EXPECT_EQ(cell(model, 7, IoModel::PartnerColumn), "tangents_1");
  EXPECT_EQ(cell(model, 13, IoModel::NameColumn), "None");
  EXPECT_EQ(model.rowOf(sample.node("primals_3")), 2);
  EXPECT_EQ(model.rowOf(ir::NodeId{}), -1);
}

TEST(NodeTableModel, HasOneRowPerNodeAndSorts) {
  OpenSample sample;
  sample.tab().request(Part::Table);
  ASSERT_TRUE(waitIdle(sample.document));
  NodeTableModel model;
  QAbstractItemModelTester tester(&model, kStrict);
  model.setRows(sample.tab().table());
  ASSERT_EQ(model.rowCount(), 24);  // 7 inputs, 16 calls, 1 output
  const int name = column(model, "name");
  EXPECT_EQ(cell(model, 0, name), "primals_1");
  EXPECT_EQ(cell(model, 7, name), "t");
  model.setOrder(NodeTableModel::makeOrder(*sample.tab().table(), name, false, nullptr));
  EXPECT_EQ(cell(model, 0, name), "addmm");
  EXPECT_EQ(cell(model, 1, name), "addmm_1");
  model.setOrder(NodeTableModel::makeOrder(*sample.tab().table(), name, true, nullptr));
  EXPECT_EQ(cell(model, 0, name), "view_1");
  // The largest tensor is addmm_1, mm or another of 16 elements; sorting by bytes counts as numbers.
  const int bytes = column(model, "bytes");
  model.setOrder(NodeTableModel::makeOrder(*sample.tab().table(), bytes, true, nullptr));
  EXPECT_EQ(model.index(0, bytes).data(kSortRole).toLongLong(), 64);
  std::vector<bool> keep(sample.tab().graph()->graph->idBound(), false);
  keep[sample.node("mm").index] = true;
  model.setOrder(NodeTableModel::makeOrder(*sample.tab().table(), name, false, &keep));
  ASSERT_EQ(model.rowCount(), 1);
  EXPECT_EQ(model.rowOf(sample.node("mm")), 0);
  EXPECT_EQ(model.rowOf(sample.node("t")), -1);
  EXPECT_EQ(model.csv({0}).split('\n').size(), 3);
}

TEST(NodeTableModel, HundredThousandRows) {
  auto rows = std::make_shared<std::vector<session::NodeRow>>(100000);
  for (uint32_t i = 0; i < rows->size(); ++i) {
    (*rows)[i].node = {i};
    (*rows)[i].order = i;
    (*rows)[i].name = "n" + std::to_string(i);
  }
  NodeTableModel model;
  model.setRows(rows);
  EXPECT_EQ(model.rowCount(), 100000);
  EXPECT_EQ(model.rowOf({99999}), 99999);
  model.setOrder(NodeTableModel::makeOrder(*rows, 0, true, nullptr));
  EXPECT_EQ(model.rowOf({99999}), 0);
}

TEST(OutlineModel, IsATreeThatFindsNodes) {
  OpenSample sample;
  sample.tab().request(Part::Outline);
  ASSERT_TRUE(waitIdle(sample.document));
  OutlineModel model;
  QAbstractItemModelTester tester(&model, kStrict);
  model.setTree(sample.tab().outline());
  const QModelIndex at = model.indexOf(sample.node("mm_1"));
  ASSERT_TRUE(at.isValid());
  EXPECT_EQ(at.data(kNodeRole).toUInt(), sample.node("mm_1").index);
  EXPECT_FALSE(model.indexOf(ir::NodeId{}).isValid());
}

TEST(OutlineTree, KeepsOrderAndSurvivesBrokenParents) {
  std::vector<session::OutlineItem> items(4);
  items[0].label = "a";
  items[1].label = "b";
  items[1].parent = 0;
  items[2].label = "c";
  items[2].parent = 0;
  items[3].label = "d";
  items[3].parent = 3;  // its own parent
  OutlineModel model;
  QAbstractItemModelTester tester(&model, kStrict);
  model.setTree(std::make_shared<OutlineTree>(items));
  ASSERT_EQ(model.rowCount(), 2);
  EXPECT_EQ(model.rowCount(model.index(0, 0)), 2);
  EXPECT_EQ(model.index(1, 0, model.index(0, 0)).data().toString(), "c");
  EXPECT_EQ(model.index(1, 0).data().toString(), "d");
}

TEST(FactsModel, SaysWhatIsKnownOfANode) {
  OpenSample sample;
  sample.tab().select(sample.node("primals_2"));
  ASSERT_TRUE(waitIdle(sample.document));
  FactsModel model;
  QAbstractItemModelTester tester(&model, kStrict);
  model.setDetails(sample.tab().details());
  QStringList values;
  for (int r = 0; r < model.rowCount(); ++r) values << cell(model, r, FactsModel::ValueColumn);
  EXPECT_TRUE(values.contains("primals_2"));
  EXPECT_TRUE(values.filter("f32[2]").size() > 0);
  // Its only reader is linked.
  bool linked = false;
  for (int r = 0; r < model.rowCount(); ++r)
    linked |= model.index(r, 1).data(kNodeRole).toUInt() == sample.node("addmm").index;
  EXPECT_TRUE(linked);
  model.setDetails(nullptr);
  EXPECT_EQ(model.rowCount(), 0);
}

TEST(ExplorerModel, FindsTheGraphOfAFile) {
  OpenSample sample;
  ExplorerModel model;
  QAbstractItemModelTester tester(&model, kStrict);
  const OpenFile& file = sample.document.files().front();
  ExplorerFile row{file.path, file.explorer, {}};
  for (const auto& graph : file.document->input().graphs()) row.graphIds.push_back(toQString(graph.id));
  model.setFiles({row, {"/no/where.txt", nullptr, {}}});
  EXPECT_EQ(model.rowCount(), 2);
  EXPECT_TRUE(model.find(file.path, sample.tab().graphId()).isValid());
  EXPECT_FALSE(model.find(file.path, "none").isValid());
  EXPECT_EQ(model.index(1, 0).data().toString(), "where.txt");
}

TEST(ProblemsModel, ShowsSeverityPlaceAndCode) {
  ir::Diagnostic d;
  d.severity = ir::Severity::Error;
  d.code = "use-before-definition";
  d.message = "'x' is used here";
  d.file = "/tmp/a.txt";
  d.loc = {3, 7, 40};
  ProblemsModel model;
  QAbstractItemModelTester tester(&model, kStrict);
  model.setRows({{d, {}}}, std::make_shared<std::vector<ProblemRow>>(2, ProblemRow{d, {5}}));
  ASSERT_EQ(model.rowCount(), 3);
  EXPECT_EQ(cell(model, 0, ProblemsModel::SeverityColumn), "error");
  EXPECT_EQ(cell(model, 0, ProblemsModel::WhereColumn), "a.txt:3:7");
  EXPECT_EQ(cell(model, 0, ProblemsModel::CodeColumn), "use-before-definition");
  EXPECT_EQ(model.index(1, 0).data(kNodeRole).toUInt(), 5u);
  EXPECT_EQ(model.count(ir::Severity::Error), 3);
  EXPECT_EQ(model.row(3), nullptr);
}

TEST(TextLines, LinesAndNodesLeadToEachOther) {
  OpenSample sample;
  sample.tab().request(Part::Text);
  ASSERT_TRUE(waitIdle(sample.document));
  const auto lines = sample.tab().text();
  TextLinesModel model;
  QAbstractItemModelTester tester(&model, kStrict);
  model.setLines(lines);
  const int64_t line = lines->lineOf(sample.node("mm_1"));
  ASSERT_GE(line, 0);
  EXPECT_TRUE(model.index(int(line), 0).data().toString().contains("mm_1: \"f32[2, 3]"));
  EXPECT_EQ(lines->nodeAt(uint32_t(line)), sample.node("mm_1"));
  EXPECT_EQ(lines->lineOf(ir::NodeId{}), -1);
}

TEST(TextLines, EmptyTextAndTextWithoutLastNewline) {
  EXPECT_EQ(TextLines({"", {}}).size(), 1u);
  EXPECT_EQ(TextLines({"", {}}).line(0), "");
  const TextLines two({"ab\nc", {}});
  ASSERT_EQ(two.size(), 2u);
  EXPECT_EQ(two.line(0), "ab");
  EXPECT_EQ(two.line(1), "c");
  EXPECT_EQ(two.widest(), 2u);
}

TEST(FxSyntax, CutsALineWithoutGaps) {
  const std::string line =
      R"(        mm: "f32[2]" = torch.ops.aten.mm.default(a, 'x', 1.5);  a = None  # why)";
  uint32_t at = 0;
  std::string kinds;
  for (const TextSpan& s : fxSpans(line)) {
    EXPECT_EQ(s.begin, at);
    at += s.length;
    const std::string text = line.substr(s.begin, s.length);
    if (text == "mm" && s.kind == SpanKind::Name) kinds += "N";
    if (s.kind == SpanKind::Type) kinds += text == "\"f32[2]\"" ? "T" : "?";
    if (s.kind == SpanKind::String) kinds += "S";
    if (s.kind == SpanKind::Number) kinds += text == "1.5" ? "1" : "?";
    if (s.kind == SpanKind::Keyword) kinds += text == "None" ? "K" : "?";
    if (s.kind == SpanKind::Comment) kinds += "C";
  }
  EXPECT_EQ(at, line.size());
  EXPECT_EQ(kinds, "NTS1KC");
  EXPECT_TRUE(fxSpans("").empty());
  for (const char* hostile : {"\"", "'\\", "\xff\xfe", "#", "::::", "    "}) fxSpans(hostile);
}

TEST(PaletteModel, RanksWholeWordsBeforeLetters) {
  PaletteModel model;
  QAbstractItemModelTester tester(&model, kStrict);
  model.setEntries(
      {{"a", "Fold it", {}, {}, {}}, {"b", "Fit the whole graph", {}, {}, {}}, {"c", "Zoom", {}, {}, {}}});
  model.setFilter("fit");
  ASSERT_EQ(model.rowCount(), 2);
  EXPECT_EQ(model.entry(0)->id, "b");
  model.setFilter("graph fit");
  ASSERT_EQ(model.rowCount(), 1);
  model.setFilter("xyz");
  EXPECT_EQ(model.rowCount(), 0);
  EXPECT_EQ(model.entry(0), nullptr);
}

TEST(BytesText, Units) {
  EXPECT_EQ(bytesText(0), "0 B");
  EXPECT_EQ(bytesText(1023), "1023 B");
  EXPECT_EQ(bytesText(1536), "1.50 KiB");
  EXPECT_EQ(bytesText(qint64(64) << 20), "64.0 MiB");
}

}  // namespace
}  // namespace descry::gui

#include <QSignalSpy>

#include "gui/document/document.h"
#include "gui/document/places.h"
#include "tests/gui/gui_support.h"

namespace descry::gui {
namespace {

TEST(Jobs, CancelledResultsNeverArrive) {
  Jobs jobs;
  QObject receiver;
  bool arrived = false;
  auto control = jobs.start(
      "slow", &receiver,
      [](JobControl& c) {
        while (!c.cancelled) QThread::msleep(1);
        return 1;
      },
      [&](int) { arrived = true; });
  EXPECT_FALSE(jobs.idle());
  control->cancelled = true;
  EXPECT_TRUE(waitFor([&] { return jobs.idle(); }, 5000));
  EXPECT_FALSE(arrived);
}

TEST(Jobs, AReceiverThatIsGoneGetsNothing) {
  Jobs jobs;
  bool arrived = false;
  auto receiver = std::make_unique<QObject>();
  jobs.start(
      "quick", receiver.get(), [](JobControl&) { return 1; }, [&](int) { arrived = true; });
  receiver.reset();
  EXPECT_TRUE(waitFor([&] { return jobs.idle(); }, 5000));
  EXPECT_FALSE(arrived);
}

TEST(Document, OpensAndSelectsByAddress) {
  Document document(false);
  document.open(samplePath() + "::graph#mm_1");
  ASSERT_TRUE(waitIdle(document));
  ASSERT_NE(document.current(), nullptr);
  EXPECT_EQ(document.current()->selectedNames(), QStringList{"mm_1"});
  EXPECT_EQ(document.current()->graph()->graph->size(), 24u);
  EXPECT_NE(document.current()->scene(), nullptr);
  ASSERT_EQ(document.preferences().recent().size(), 1);
}

TEST(Document, AMissingFileIsAProblemNotACrash) {
  Document document(false);
  QSignalSpy failed(&document, &Document::openFailed);
  document.open("/no/such/file.txt");
  ASSERT_TRUE(waitIdle(document));
  EXPECT_EQ(failed.size(), 1);
  ASSERT_EQ(document.openProblems().size(), 1u);
  EXPECT_EQ(document.openProblems()[0].code, "not-found");
  EXPECT_EQ(document.current(), nullptr);
}

TEST(Document, HostileFilesOpenOrSayWhyNot) {
  QTemporaryDir folder;
  const QByteArray texts[] = {"", QByteArray(1000, '\0'), QByteArray("\xff\xfe\x80garbage"),
                              QByteArray(200000, '('), "class A(torch.nn.Module):\n    def forward(self, a:"};
  int number = 0;
  for (const QByteArray& text : texts) {
    Document document(false);
    const QString path = folder.filePath(QString::number(number++) + ".txt");
    writeText(path, text);
    document.open(path);
    ASSERT_TRUE(waitIdle(document));
    EXPECT_TRUE(document.current() || !document.openProblems().empty()) << number;
  }
}

TEST(Document, BackAndForwardVisitSelections) {
  OpenSample s;
  s.tab().select(s.node("mm"));
  s.tab().select(s.node("mm_1"));
  ASSERT_TRUE(waitIdle(s.document));
  s.document.goBack();
  EXPECT_EQ(s.tab().selectedNames(), QStringList{"mm"});
  EXPECT_TRUE(s.document.canGoForward());
  s.document.goForward();
  EXPECT_EQ(s.tab().selectedNames(), QStringList{"mm_1"});
  // A new place drops what was ahead.
  s.document.goBack();
  s.tab().select(s.node("t"));
  EXPECT_FALSE(s.document.canGoForward());
}

TEST(Places, DropsRepeatsAndKeepsOrder) {
  Places places;
  places.visit({"f", "g", {1}});
  places.visit({"f", "g", {1}});
  places.visit({"f", "g", {2}});
  EXPECT_EQ(places.all().size(), 2u);
  EXPECT_EQ(places.forward(), nullptr);
  ASSERT_NE(places.back(), nullptr);
  EXPECT_EQ(places.back(), nullptr);
}

TEST(GraphTab, SelectionDropsUnknownAndDoubledNodes) {
  OpenSample s;
  s.tab().select({s.node("mm"), ir::NodeId{}, ir::NodeId{99999}, s.node("t"), s.node("mm")});
  EXPECT_EQ(s.tab().selectedNames(), (QStringList{"t", "mm"}));
  EXPECT_EQ(s.tab().current(), s.node("mm"));
  EXPECT_TRUE(s.tab().isSelected(s.node("t")));
  EXPECT_FALSE(s.tab().isSelected(s.node("t_1")));
}

TEST(GraphTab, QueryStepsThroughHitsInBothDirections) {
  OpenSample s;
  s.tab().setQuery("op=mm");
  ASSERT_TRUE(waitIdle(s.document));
  ASSERT_NE(s.tab().hits(), nullptr);
  ASSERT_EQ(s.tab().hits()->nodes.size(), 2u);  // mm, mm_1
  EXPECT_TRUE(s.tab().isHit(s.node("mm")));
  EXPECT_TRUE(s.tab().stepHit(1));
  EXPECT_EQ(s.tab().selectedNames(), QStringList{"mm"});
  EXPECT_TRUE(s.tab().stepHit(1));
  EXPECT_EQ(s.tab().selectedNames(), QStringList{"mm_1"});
  EXPECT_TRUE(s.tab().stepHit(1));
  EXPECT_EQ(s.tab().selectedNames(), QStringList{"mm"});
  EXPECT_TRUE(s.tab().stepHit(-1));
  EXPECT_EQ(s.tab().selectedNames(), QStringList{"mm_1"});
  s.tab().setQuery("");
  ASSERT_TRUE(waitIdle(s.document));
  EXPECT_EQ(s.tab().hits(), nullptr);
  EXPECT_FALSE(s.tab().stepHit(1));
}

TEST(GraphTab, UndoGoesBackThroughViewChanges) {
  OpenSample s;
  ViewState next = s.tab().state();
  next.leftToRight = true;
  s.tab().change("Flow", next);
  s.tab().setFolded("x", true);
  s.tab().setQuery("m");
  s.tab().setQuery("mm");
  EXPECT_EQ(s.tab().undoNames().size(), 3);  // typing is one step
  s.tab().undo();
  EXPECT_EQ(s.tab().state().query, "");
  s.tab().undo();
  EXPECT_TRUE(s.tab().state().folded.empty());
  s.tab().undo();
  EXPECT_FALSE(s.tab().state().leftToRight);
  EXPECT_FALSE(s.tab().canUndo());
  s.tab().redo();
  EXPECT_TRUE(s.tab().state().leftToRight);
  ASSERT_TRUE(waitIdle(s.document));
}

TEST(GraphTab, PartsAreMadeOnlyWhenAskedFor) {
  OpenSample s;
  EXPECT_FALSE(s.tab().has(Part::Table));
  EXPECT_FALSE(s.tab().has(Part::Text));
  QSignalSpy ready(&s.tab(), &GraphTab::partReady);
  s.tab().request(Part::Table);
  s.tab().request(Part::Table);
  ASSERT_TRUE(waitIdle(s.document));
  EXPECT_EQ(ready.size(), 1);
  EXPECT_TRUE(s.tab().has(Part::Table));
}

TEST(Document, ReloadKeepsViewAndSelection) {
  QTemporaryDir folder;
  const QString path = folder.filePath("joint.txt");
  const QByteArray text = readText(samplePath());
  writeText(path, text);
  Document document(false);
  QSignalSpy changed(&document, &Document::fileChangedOnDisk);
  document.open(path + "#mm_1");
  ASSERT_TRUE(waitIdle(document));
  GraphTab* tab = document.current();
  ASSERT_NE(tab, nullptr);
  ViewState next = tab->state();
  next.leftToRight = true;
  next.query = "op=mm";
  tab->change("test", next);
  // One node more, before the return.
  QByteArray longer = text;
  longer.replace(
      "        return pytree",
      "        extra: \"f32[2, 3][3, 1]cpu\" = torch.ops.aten.relu.default(t_7)\n        return pytree");
  ASSERT_NE(longer, text);
  writeText(path, longer);
  ASSERT_TRUE(waitFor([&] { return changed.size() > 0; }, 10000));
  document.reload(path);
  ASSERT_TRUE(waitIdle(document));
  ASSERT_EQ(document.current(), tab);
  EXPECT_EQ(tab->graph()->graph->size(), 25u);
  EXPECT_EQ(tab->selectedNames(), QStringList{"mm_1"});
  EXPECT_TRUE(tab->state().leftToRight);
  ASSERT_NE(tab->hits(), nullptr);
  EXPECT_EQ(tab->hits()->nodes.size(), 2u);
}

TEST(Preferences, RecentFilesAreUniqueAndMissingOnesAreMarked) {
  Preferences preferences(false);
  for (int i = 0; i < 25; ++i) preferences.addRecent("/no/file" + QString::number(i), 1, 2);
  preferences.addRecent("/no/file24", 3, 4);
  preferences.setPinned("/no/file10", true);
  const auto list = preferences.recent();
  ASSERT_EQ(list.size(), 20);
  EXPECT_EQ(list[0].path, "/no/file10");
  EXPECT_EQ(list[1].path, "/no/file24");
  EXPECT_EQ(list[1].graphs, 3);
  EXPECT_TRUE(list[0].missing);
}

// A log whose paths were cut has other hashes and lacks nothing; one with a broken header lacks a record.
TEST(Document, ADifferingHashIsNoDamage) {
  QTemporaryDir folder;
  const QByteArray graph =
      "V0822 14:00:48.902000 1 torch/_dynamo/x.py:247] {\"aot_joint_graph\": {}, \"frame_id\": 0, "
      "\"frame_compile_id\": 0, \"has_payload\": \"00000000000000000000000000000000\"}\n"
      "\tclass A(torch.nn.Module):\n\t    def forward(self, x):\n\t        return (x,)\n";
  const auto summary = [&](const char* name, const QByteArray& text) {
    const QString path = folder.filePath(QString::fromLatin1(name));
    writeText(path, text);
    const auto document = session::Document::open(path.toStdString());
    EXPECT_TRUE(document.ok());
    return document.ok() ? readSummary(**document) : ReadSummary{};
  };
  EXPECT_TRUE(summary("edited.log", graph).whole());
  const ReadSummary lost =
      summary("lost.log", graph + "V0822 14:00:48.902000 1 torch/_dynamo/x.py:247] {\"aot_graph\": {}, 0}\n");
  EXPECT_FALSE(lost.whole());
  EXPECT_EQ(lost.damagedGraphs, 0);
  EXPECT_EQ(lost.damagedRecords, 1);
}

}  // namespace
}  // namespace descry::gui

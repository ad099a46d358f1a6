#include <QCryptographicHash>

#include "gui/document/workspace_store.h"
#include "tests/gui/gui_support.h"

namespace descry::gui {
namespace {

WorkspaceState example(const QString& file) {
  WorkspaceState state;
  state.theme = "dark";
  state.files.push_back({file, {}, -1});
  WorkspaceTab tab;
  tab.file = file;
  tab.graph = "graph";
  tab.view.leftToRight = true;
  tab.view.groupBy = session::GroupBy::Phase;
  tab.view.folded = {"layers.0", "x \" y"};
  tab.view.query = "op~mm";
  tab.selection = {"mm", "mm_1"};
  tab.camera = {0.5, 120.25, -40};
  tab.passes = {"lower,partition(method=default)", 2, "backward"};
  state.tabs.push_back(tab);
  state.current = 0;
  state.window = QByteArray("\0\1\2", 3);
  return state;
}

TEST(Workspace, WhatIsWrittenIsRead) {
  const WorkspaceState before = example("/no/a.txt");
  QString error;
  const auto after = readWorkspace(writeWorkspace(before, "/no"), "/no", &error);
  ASSERT_TRUE(after) << qPrintable(error);
  ASSERT_EQ(after->tabs.size(), 1u);
  EXPECT_EQ(after->tabs[0].view, before.tabs[0].view);
  EXPECT_EQ(after->tabs[0].selection, before.tabs[0].selection);
  EXPECT_EQ(after->tabs[0].camera, before.tabs[0].camera);
  EXPECT_EQ(after->tabs[0].passes, before.tabs[0].passes);
  EXPECT_EQ(after->theme, "dark");
  EXPECT_EQ(after->window, before.window);
}

TEST(Workspace, DamagedTextSaysWhatWasExpected) {
  QString error;
  EXPECT_FALSE(readWorkspace("{\"schema\": ", {}, &error));
  EXPECT_TRUE(error.startsWith("byte"));
  EXPECT_FALSE(readWorkspace("{\"schema\": \"other/1\"}", {}, &error));
  EXPECT_TRUE(error.contains("descry.workspace/1"));
  EXPECT_FALSE(readWorkspace("[]", {}, &error));
  // Fields of wrong types are ignored, not trusted.
  const auto odd = readWorkspace(
      "{\"schema\":\"descry.workspace/1\",\"tabs\":{\"a\":1},\"files\":3,\"current\":\"x\"}", {}, &error);
  ASSERT_TRUE(odd);
  EXPECT_TRUE(odd->tabs.empty());
}

TEST(Workspace, FindsFilesThatMovedWithIt) {
  QTemporaryDir folder;
  writeText(folder.filePath("a.txt"), "x");
  const QByteArray json = writeWorkspace(example("/gone/a.txt"), "/gone");
  const auto state = readWorkspace(json, folder.path(), nullptr);
  ASSERT_TRUE(state);
  EXPECT_EQ(state->tabs[0].file, folder.filePath("a.txt"));
}

TEST(Workspace, HashIsThatOfTheContent) {
  QTemporaryDir folder;
  writeText(folder.filePath("a.txt"), "abc");
  WorkspaceState state = example(folder.filePath("a.txt"));
  hashFiles(state);
  // SHA-256 of "abc", FIPS 180-2 appendix B.
  EXPECT_EQ(state.files[0].sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(state.files[0].size, 3);
}

TEST(Workspace, RestoresTabsOfADocument) {
  OpenSample s;
  ViewState view = s.tab().state();
  view.leftToRight = true;
  view.query = "op=mm";
  s.tab().change("test", view);
  s.tab().select(s.node("mm_1"));
  s.tab().setViewPoint({0.5, 100, 200});
  const WorkspaceState state = s.document.workspace();
  Document fresh(false);
  fresh.restore(state);
  ASSERT_TRUE(waitIdle(fresh));
  ASSERT_NE(fresh.current(), nullptr);
  EXPECT_EQ(fresh.current()->state(), view);
  EXPECT_EQ(fresh.current()->selectedNames(), QStringList{"mm_1"});
  EXPECT_EQ(fresh.current()->viewPoint(), (ViewPoint{0.5, 100, 200}));
}

TEST(Autosave, OffersOnlyWhatACrashLeft) {
  QTemporaryDir folder;
  const Autosave autosave(folder.filePath("data"));
  EXPECT_FALSE(autosave.afterCrash());
  ASSERT_TRUE(autosave.save(example("/no/a.txt")));
  ASSERT_TRUE(autosave.afterCrash());
  EXPECT_EQ(autosave.afterCrash()->tabs.size(), 1u);
  autosave.markClean();
  EXPECT_FALSE(autosave.afterCrash());
  EXPECT_FALSE(Autosave(QString()).save(example("/no/a.txt")));
}

}  // namespace
}  // namespace descry::gui

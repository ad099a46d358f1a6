#include <cstdlib>

#include "cli/commands/commands.h"
#include "cli/support/inspector.h"
#include "cli/support/loading.h"
#include "session/atomic_file.h"
#include "session/exports.h"
#include "session/report.h"

namespace descry::cli {

namespace {

/// `folder/trace.log` -> `folder/trace.log.descry`, or in the working folder when that one cannot be written.
std::string stemFor(const std::string& file) {
  if (file == "-") return "stdin.descry";
  std::string stem = file;
  while (stem.size() > 1 && stem.back() == '/') stem.pop_back();
  return stem + ".descry";
}

ir::Status writeBeside(std::string& stem, const std::string& ending, const std::string& text) {
  ir::Status status = session::writeFileAtomically(stem + ending, text);
  if (status) return status;
  const size_t slash = stem.find_last_of('/');
  if (slash == std::string::npos) return status;
  stem = stem.substr(slash + 1);
  return session::writeFileAtomically(stem + ending, text);
}

/// Without a display: the same facts as files that can be looked at elsewhere.
int picturesInstead(const Arguments& args, Console& console) {
  console.say(
      "there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set), so no window can open; "
      "writing pictures instead");
  if (args.words().empty()) return console.usage("without a display, `descry open` needs a file to draw");
  int code = kFine;
  for (const std::string& word : args.words()) {
    const Opened in = openGraph(word, console);
    if (!in.ok()) {
      code = in.code;
      continue;
    }
    code = std::max(code, in.code);
    std::string stem = stemFor(in.address.file);
    session::ExportRequest request;
    request.format = "svg";
    const ir::Result<std::string> svg = session::exportGraph(*in.graph, request);
    if (!svg) return console.fail(svg.error());
    if (const ir::Status s = writeBeside(stem, ".svg", *svg); !s) return console.fail(s.error());
    console.print(stem + ".svg  the graph " + tidy(in.graph->entry.id) + "\n");
    if (const ir::Status s = writeBeside(stem, ".html", session::reportHtml(*in.document)); !s)
      return console.fail(s.error());
    console.print(stem + ".html  all graphs, inputs and outputs\n");
    const std::string program = findInspector();
    if (program.empty()) {
      console.say("no PNG: descry-inspector is not installed");
      continue;
    }
    const std::string address =
        in.address.file == "-" ? stem + ".svg" : in.address.file + "::" + in.graph->entry.id;
    if (in.address.file != "-" && runInspector(program, {"render", address, "-o", stem + ".png"}, true) == 0)
      console.print(stem + ".png  the graph as a picture\n");
    else
      console.say("no PNG: descry-inspector could not draw it");
  }
  return code;
}

int run(const Arguments& args, Console& console) {
  const bool display =
      std::getenv("DISPLAY") || std::getenv("WAYLAND_DISPLAY") || std::getenv("QT_QPA_PLATFORM");
  const bool actions = args.has("--actions");
  const bool offscreen = args.has("--offscreen") || actions;
  if (offscreen && !actions && !args.has("--script") && !args.has("--shot"))
    return console.usage("--offscreen shows nothing by itself; add --shot OUT.png or --script FILE");
  if (!display && !offscreen) return picturesInstead(args, console);
  const std::string program = findInspector();
  if (program.empty()) {
    console.say(
        "descry-inspector is not installed beside this program or in PATH; build with Qt 6, or use "
        "`descry report` and `descry render`");
    return kDeviceMissing;
  }
  std::vector<std::string> words;
  if (offscreen) words.push_back("--offscreen");
  if (actions) words.push_back("--actions");
  for (const char* option : {"--script", "--shot", "--theme", "--workspace"})
    if (args.has(option)) words.insert(words.end(), {option, args.value(option)});
  words.push_back("--");  // `-::graph` is no option
  words.insert(words.end(), args.words().begin(), args.words().end());
  return console.fail(
      ir::failure("cannot-write", "cannot start " + program + ": " + execInspector(program, words)));
}

}  // namespace

CommandDef openCommand() {
  return {"open",
          "open the inspector window",
          "[FILE[::GRAPH]...]",
          "Starts descry-inspector, which is found beside this program or in PATH. Without a display it says "
          "so and writes "
          "a picture and a page beside the file instead.",
          {{"--script", 0, "FILE",
            "drive the window by a script of actions, one a line or JSON; - reads standard input"},
           {"--actions", 0, "", "list the actions of scripts, with arguments and keys"},
           {"--offscreen", 0, "", "without a window, for scripts and pictures"},
           {"--shot", 0, "FILE", "write a picture of the window to that PNG, then end"},
           {"--theme", 0, "THEME", "", {"system", "light", "dark", "contrast"}},
           {"--workspace", 0, "FILE", "open a saved workspace"}},
          {{"descry open trace_folder/", "look at a trace"},
           {"descry open joint.txt --offscreen --shot joint.png",
            "a picture of the window on a machine without display"}},
          0,
          1000,
          run};
}

}  // namespace descry::cli

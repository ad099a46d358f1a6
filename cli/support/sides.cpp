#include "cli/support/sides.h"

#include <algorithm>
#include <cstdint>
#include <fstream>

#include "session/graph_run.h"

namespace descry::cli {

namespace {

/// By its name, or because it begins with the length of a header and a header.
bool isTensorFile(const std::string& path) {
  if (path.ends_with(".safetensors")) return true;
  if (path == "-") return false;
  std::ifstream in(path, std::ios::binary);
  char head[9] = {};
  if (!in.read(head, sizeof head) || head[8] != '{') return false;
  uint64_t length = 0;
  for (int i = 7; i >= 0; --i) length = length << 8 | static_cast<unsigned char>(head[i]);
  in.seekg(0, std::ios::end);
  return length > 0 && length <= static_cast<uint64_t>(in.tellg());
}

bool readSide(const std::string& word, const std::string& executor, Console& console,
              session::BisectSide& side, Opened& opened, int& code) {
  side.executor = executor;
  if (isTensorFile(word)) {
    ir::Result<session::RunValues> values = session::readRunValues(word);
    if (!values) {
      console.report(values.error());
      code = kCannotRead;
      return false;
    }
    side.title = values->title;
    side.values = std::move(*values);
    return true;
  }
  opened = openGraph(word, console, Takes::Graph, {}, session::graphToRun);
  if (!opened.ok()) {
    code = opened.code;
    return false;
  }
  side.document = opened.document;
  side.graph = opened.graph;
  side.title = opened.document->path() + "::" + opened.graph->entry.id + ", " + executor;
  return true;
}

}  // namespace

OptionDef executorsOption() {
  return {"--executors", 0, "A,B",
          "who runs the graph of each side: interpret,compiled (default: interpret,interpret)"};
}

std::optional<Sides> readSides(const Arguments& args, Console& console, int& code) {
  std::string first = "interpret", second = "interpret";
  if (args.has("--executors")) {
    const std::string text = args.value("--executors");
    const size_t comma = std::min(text.find(','), text.size());
    first = text.substr(0, comma);
    second = comma < text.size() ? text.substr(comma + 1) : std::string();
    for (const std::string* e : {&first, &second})
      if (*e != "interpret" && *e != "compiled") {
        code = console.usage("--executors takes two of interpret and compiled, as interpret,compiled; not `" +
                             text + "`");
        return std::nullopt;
      }
  }
  const std::vector<std::string>& words = args.words();
  if (words.size() == 1 && first == second) {
    code = console.usage(
        "one file alone is the same on both sides: name another one, or --executors interpret,compiled");
    return std::nullopt;
  }
  if (words.size() == 2 && words[0] == "-" && words[1] == "-") {
    code = console.usage("only one side can come from standard input");
    return std::nullopt;
  }
  Sides out;
  if (!readSide(words[0], first, console, out.a, out.openedA, code)) return std::nullopt;
  if (words.size() == 1) {
    if (out.a.values) {
      code = console.usage("saved values are not run: name a file with a graph, or two files");
      return std::nullopt;
    }
    out.b = out.a;
    out.openedB = out.openedA;
    out.b.executor = second;
    out.b.title = out.a.document->path() + "::" + out.a.graph->entry.id + ", " + second;
  } else if (!readSide(words[1], second, console, out.b, out.openedB, code)) {
    return std::nullopt;
  }
  // Graphs with and without writes have other values in between.
  out.a.functional = out.b.functional = first == "compiled" || second == "compiled";
  out.code = std::max(out.openedA.code, out.openedB.code);
  return out;
}

}  // namespace descry::cli

#include "cli/commands/commands.h"
#include "cli/support/loading.h"
#include "session/exports.h"

namespace descry::cli {

namespace {

constexpr const char* kDrawnElsewhere = "`descry render FILE -o OUT.png` draws PNG and PDF";

std::string formatOf(const std::string& path) {
  const size_t slash = path.find_last_of('/'), dot = path.find_last_of('.');
  if (dot == std::string::npos || (slash != std::string::npos && dot < slash)) return {};
  const std::string extension = path.substr(dot + 1);
  if (extension == "txt" || extension == "py") return "fx";
  for (const session::ExportFormat& f : session::exportFormats())
    if (f.extension == extension) return f.name;
  return {};
}

std::vector<OptionDef> optionsOfDrawings() {
  std::vector<OptionDef> out = {
      {"--theme", 0, "THEME", "for svg, html and dot", {"light", "dark", "contrast", "print"}}};
  out.push_back(coloursOption());
  for (OptionDef& o : drawingOptions()) out.push_back(std::move(o));
  return out;
}

int run(const Arguments& args, Console& console) {
  const std::string output = args.value("--output");
  std::string format = args.value("--format");
  if (format.empty()) format = formatOf(output);
  if (output.ends_with(".png") || output.ends_with(".pdf"))
    if (format.empty()) return console.usage(kDrawnElsewhere);
  if (format.empty()) {
    std::string known;
    for (const session::ExportFormat& f : session::exportFormats())
      known += (known.empty() ? "" : ", ") + f.name;
    return console.usage("`descry export` needs --format (" + known + ") or a file name that ends in one");
  }
  for (const session::ExportFormat& f : session::exportFormats()) {
    if (f.name != format || f.drawn) continue;
    const std::string useless = firstGiven(args, optionsOfDrawings());
    if (!useless.empty()) return console.usage(useless + " changes a drawing, and " + format + " is none");
  }
  const Opened in = openState(args, console);
  if (!in.ok()) return in.code;
  session::ExportRequest request;
  request.format = format;
  request.theme = args.value("--theme", "light");
  request.colours = args.value("--colours", "phase");
  request.scene = readDrawingOptions(args);
  std::vector<std::string> unknownFolds;
  const ir::Result<std::string> text = session::exportGraph(*in.graph, request, &unknownFolds);
  if (!text && text.error().code == "no-cut") return console.usage(text.error().message + " [no-cut]");
  if (!text) return console.fail(text.error());
  warnOfFolds(unknownFolds, in, console);
  const int code = writeOutput(output, *text, {&in}, console);
  return code ? code : in.code;
}

}  // namespace

CommandDef exportCommand() {
  std::vector<std::string> formats;
  for (const session::ExportFormat& f : session::exportFormats()) formats.push_back(f.name);
  std::vector<OptionDef> options = {
      {"--format",
       'f',
       "FORMAT",
       "what to write; found from the ending of -o when left out",
       formats,
       false,
       {"png", "pdf"},
       kDrawnElsewhere},
      {"--output", 'o', "FILE", "file to write (atomically); standard output without it"}};
  for (OptionDef& o : optionsOfDrawings()) options.push_back(std::move(o));
  for (OptionDef& o : stateOptions()) options.push_back(std::move(o));
  return {"export",
          "write a graph in another format",
          "FILE[::GRAPH]",
          "JSON keeps everything and can be opened again; fx is the text that `descry show` prints; dot is "
          "for Graphviz; "
          "html is one page that opens from disk; csv holds one row per node.",
          std::move(options),
          {{"descry export joint.txt --format json -o joint.json", "lossless; the schema is in docs/schema"},
           {"descry export joint.txt -f dot | dot -Tpdf -o joint.pdf", "draw with Graphviz"}},
          1,
          1,
          run};
}

}  // namespace descry::cli

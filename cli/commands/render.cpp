#include <cctype>
#include <cstdlib>

#include "cli/commands/commands.h"
#include "cli/support/inspector.h"
#include "cli/support/loading.h"
#include "session/exports.h"

namespace descry::cli {

namespace {

std::string extensionOf(const std::string& path) {
  const size_t slash = path.find_last_of('/'), dot = path.find_last_of('.');
  if (dot == std::string::npos || (slash != std::string::npos && dot < slash)) return {};
  std::string out = path.substr(dot + 1);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

int picture(const Arguments& args, const std::string& output, Console& console) {
  const std::string program = findInspector();
  if (program.empty()) {
    console.say(
        "PNG and PDF are drawn by descry-inspector, which is not installed beside this program or in PATH; "
        "write SVG instead: -o graph.svg");
    return kDeviceMissing;
  }
  std::vector<std::string> words = {"render", "-o", output};
  for (const char* option : {"--theme", "--scale", "--group", "--colours", "--passes", "--state"})
    if (args.has(option)) words.insert(words.end(), {option, args.value(option)});
  for (const char* option : {"--left-to-right", "--joint-u", "--hide-views", "--hide-sizes"})
    if (args.has(option)) words.push_back(option);
  for (const std::string& path : args.values("--fold")) words.insert(words.end(), {"--fold", path});
  words.insert(words.end(), {"--", args.words()[0]});  // `-::graph` is no option
  const bool display = std::getenv("DISPLAY") || std::getenv("WAYLAND_DISPLAY");
  // The inspector reads the graph; what it would overwrite is known before.
  Opened in;
  in.address = session::parseAddress(args.words()[0]);
  if (outputIsInput(output, in, console)) return kUsage;
  const int code = runInspector(program, words, !display);
  if (code < 0 || code == 127) return console.fail(ir::failure("cannot-write", "cannot start " + program));
  return code > kDeviceMissing ? static_cast<int>(kRunFailed) : code;
}

int run(const Arguments& args, Console& console) {
  const std::string output = args.value("--output");
  if (output.empty()) return console.usage("`descry render` needs -o FILE.svg, FILE.png or FILE.pdf");
  const std::string extension = output == "-" ? "svg" : extensionOf(output);
  if (args.has("--scale") && extension != "png")
    return console.usage("--scale is for PNG, which has pixels; what shows an SVG or a PDF scales it");
  if (extension == "png" || extension == "pdf") return picture(args, output, console);
  if (extension != "svg")
    return console.usage("render writes svg, png and pdf, not '" + output +
                         "'; other formats: descry export");
  const Opened in = openState(args, console);
  if (!in.ok()) return in.code;
  session::ExportRequest request;
  request.format = "svg";
  request.theme = args.value("--theme", "light");
  request.colours = args.value("--colours", "phase");
  request.scene = readDrawingOptions(args);
  std::vector<std::string> unknownFolds;
  const ir::Result<std::string> svg = session::exportGraph(*in.graph, request, &unknownFolds);
  if (!svg && svg.error().code == "no-cut") return console.usage(svg.error().message + " [no-cut]");
  if (!svg) return console.fail(svg.error());
  warnOfFolds(unknownFolds, in, console);
  const int code = writeOutput(output, *svg, {&in}, console);
  return code ? code : in.code;
}

}  // namespace

CommandDef renderCommand() {
  std::vector<OptionDef> options = {
      {"--output", 'o', "FILE", "picture to write: .svg, .png or .pdf; - for SVG on standard output"},
      {"--theme", 0, "THEME", "", {"light", "dark", "contrast", "print"}},
      {"--scale", 0, "FACTOR", "size of a PNG: 2 doubles both sides"}};
  options.push_back(coloursOption());
  for (OptionDef& o : drawingOptions()) options.push_back(std::move(o));
  for (OptionDef& o : stateOptions()) options.push_back(std::move(o));
  return {"render",
          "draw a graph into a picture",
          "FILE[::GRAPH]",
          "SVG is written by this program; PNG and PDF are drawn by descry-inspector, which is found beside "
          "it or in PATH.",
          std::move(options),
          {{"descry render joint.txt -o joint.svg", "a picture that keeps text as text"},
           {"descry render trace.log::0/0:joint -o joint.png --theme dark --scale 2", "a large dark PNG"},
           {"descry render trace.log --passes aot --state joint --colours cut -o cut.svg",
            "what is saved for the backward graph, and what is computed again"},
           {"descry render model.txt --fold layers.0 --fold layers.1 -o m.svg", "two groups drawn as cards"}},
          1,
          1,
          run};
}

}  // namespace descry::cli

#include "session/report.h"
#include "cli/commands/commands.h"
#include "cli/support/loading.h"

namespace descry::cli {

namespace {

int run(const Arguments& args, Console& console) {
  const Opened in = openFile(args.words()[0], console, Takes::File);
  if (!in.document) return in.code;
  session::ReportOptions options;
  options.theme = args.value("--theme", "light");
  const std::string html = session::reportHtml(*in.document, options);
  const std::vector<ir::Diagnostic> diagnostics = in.document->diagnostics();
  console.report(diagnostics);
  const int code = writeOutput(args.value("--output"), html, {&in}, console);
  if (code) return code;
  return in.document->input().readInPart() ? static_cast<int>(kPartlyRead) : readState(diagnostics, nullptr);
}

}  // namespace

CommandDef reportCommand() {
  return {"report",
          "one HTML page about a whole file, to send to somebody",
          "FILE",
          "Graphs, problems, inputs and outputs in words, drawings of graphs up to 1500 nodes, texts. The "
          "page needs no "
          "network and runs no scripts.",
          {{"--output", 'o', "FILE", "file to write; standard output without it"},
           {"--theme", 0, "THEME", "of the drawings", {"light", "dark", "contrast", "print"}}},
          {{"descry report trace_folder/ -o trace.html", "everything that a trace holds"}},
          1,
          1,
          run};
}

}  // namespace descry::cli

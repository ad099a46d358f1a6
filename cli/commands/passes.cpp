#include "cli/commands/commands.h"
#include "cli/support/console.h"
#include "cli/support/json.h"
#include "session/pass_list.h"

namespace descry::cli {

namespace {

int run(const Arguments& args, Console& console) {
  if (args.has("--json")) {
    Json json;
    json.object().field("schema", "descry.passes/1").key("passes").array();
    for (const session::PassInfo& p : session::passList())
      json.object().field("name", p.name).field("summary", p.summary).end();
    json.end().key("pipelines").array().end().end();
    console.printExact(json.take());
  } else {
    Table table({"PASS", "WHAT IT DOES"});
    for (const session::PassInfo& p : session::passList())
      table.row({std::string(p.name), std::string(p.summary)});
    console.print(table.text() +
                  "\nNo pipelines yet; `descry opt`, which runs passes, is not supported yet either.\n");
  }
  return kFine;
}

}  // namespace

CommandDef passesCommand() {
  return {
      "passes",
      "list passes and pipelines",
      "",
      "Passes of the library. This version has no command that runs them yet: `descry opt` belongs to a "
      "later one.",
      {{"--list", 0, "", "list them (the default)"}, {"--json", 0, "", "machine-readable (descry.passes/1)"}},
      {{"descry passes --list --json", "for scripts"}},
      0,
      0,
      run};
}

}  // namespace descry::cli

#include "cli/commands/commands.h"
#include "cli/support/console.h"
#include "cli/support/json.h"
#include "session/pass_run.h"

namespace descry::cli {

namespace {

void asJson(Console& console) {
  Json json;
  json.object().field("schema", "descry.passes/1").key("passes").array();
  for (const passes::PassDef* p : session::passList()) {
    json.object().field("name", p->name).field("summary", p->summary);
    json.field("needs", passes::stageName(p->needs)).key("options").array();
    for (const passes::PassOption& o : p->options)
      json.object()
          .field("name", o.name)
          .field("values", o.values)
          .field("default", o.byDefault)
          .field("summary", o.summary)
          .end();
    json.end().end();
  }
  json.end().key("pipelines").array();
  for (const passes::PipelineDef& p : session::pipelineList())
    json.object().field("name", p.name).field("summary", p.summary).field("passes", p.passes).end();
  json.end().end();
  console.printExact(json.take());
}

int run(const Arguments& args, Console& console) {
  if (args.has("--json")) {
    asJson(console);
    return kFine;
  }
  Table list({"PASS", "NEEDS", "WHAT IT DOES"});
  for (const passes::PassDef* p : session::passList())
    list.row({p->name, std::string(passes::stageName(p->needs)), p->summary});
  Table options({"OPTION OF", "NAME", "VALUES", "DEFAULT", "MEANING"});
  for (const passes::PassDef* p : session::passList())
    for (const passes::PassOption& o : p->options)
      options.row({p->name, o.name, o.values, o.byDefault, o.summary});
  Table pipelines({"PIPELINE", "WHAT IT DOES", "PASSES"});
  for (const passes::PipelineDef& p : session::pipelineList()) pipelines.row({p.name, p.summary, p.passes});
  console.print(list.text() + "\n" + options.text() + "\n" + pipelines.text());
  return kFine;
}

}  // namespace

CommandDef passesCommand() {
  return {
      "passes",
      "list passes and pipelines",
      "",
      "Passes of the library with the stage that each needs and its options, and the pipelines made of them. "
      "`descry opt` runs them.",
      {{"--list", 0, "", "list them (the default)"}, {"--json", 0, "", "machine-readable (descry.passes/1)"}},
      {{"descry passes --list --json", "for scripts"}},
      0,
      0,
      run};
}

}  // namespace descry::cli

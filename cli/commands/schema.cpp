#include "cli/commands/commands.h"
#include "cli/support/console.h"
#include "cli/support/schemas.h"

namespace descry::cli {

namespace {

int run(const Arguments& args, Console& console) {
  if (args.words().empty()) {
    std::string out;
    for (const SchemaText& s : schemaTexts()) out += std::string(s.name) + "\n";
    console.print(out);
    return kFine;
  }
  std::vector<std::string> names;
  for (const SchemaText& s : schemaTexts()) {
    const std::string_view name = s.name;
    if (name == args.words()[0] || name.substr(0, name.rfind('/')) == args.words()[0] ||
        name.substr(0, name.rfind('/')) == "descry." + args.words()[0]) {
      console.print(s.text);
      return kFine;
    }
    names.emplace_back(name);
  }
  const std::string near = didYouMean(args.words()[0], names);
  return console.usage("no schema '" + args.words()[0] + "'" +
                       (near.empty() ? "; `descry schema` lists them" : "; did you mean " + near + "?"));
}

}  // namespace

CommandDef schemaCommand() {
  return {"schema", "print the JSON Schema of a --json output",
          "[NAME]", "Without a name: lists the schemas. The name is the text under \"schema\" in the output.",
          {},       {{"descry schema descry.io/1", "the schema of `descry io --json`"}},
          0,        1,
          run};
}

}  // namespace descry::cli

#include "cli/commands/commands.h"
#include "cli/support/console.h"

namespace descry::cli {

namespace {

int run(const Arguments& args, Console& console) {
  const std::string& shell = args.words()[0];
  if (shell == "bash")
    console.print(bashCompletion());
  else if (shell == "zsh")
    console.print(zshCompletion());
  else
    return console.usage("there is completion for bash and zsh, not for '" + shell + "'");
  return kFine;
}

}  // namespace

CommandDef completionCommand() {
  return {"completion",
          "print the completion script of a shell",
          "bash|zsh",
          "Load it with `source <(descry completion bash)`.",
          {},
          {{"source <(descry completion bash)", "complete commands, options and files in this shell"}},
          1,
          1,
          run};
}

}  // namespace descry::cli

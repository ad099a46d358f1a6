#include <cstdlib>

#include "cli/commands/commands.h"
#include "cli/support/console.h"
#include "session/exports.h"

namespace descry::cli {

const std::vector<CommandDef>& allCommands() {
  static const std::vector<CommandDef> kCommands = [] {
    std::vector<CommandDef> out = {infoCommand(),    showCommand(),      ioCommand(),     findQueryCommand(),
                                   partnerCommand(), verifyCommand(),    diffCommand(),   openCommand(),
                                   renderCommand(),  exportCommand(),    reportCommand(), layoutCommand(),
                                   aotCommand(),     optCommand(),       runCommand(),    compareCommand(),
                                   bisectCommand(),  benchCommand(),     passesCommand(), opsCommand(),
                                   schemaCommand(),  completionCommand()};
    for (CommandDef& c : laterCommands()) out.push_back(std::move(c));
    return out;
  }();
  return kCommands;
}

const CommandDef* findCommand(std::string_view name) {
  for (const CommandDef& c : allCommands())
    if (name == c.name) return &c;
  return nullptr;
}

namespace {

int unknownCommand(const std::string& name, Console& console) {
  if (name.starts_with('-'))
    return console.usage("options follow the command: `descry info " + name + " FILE`");
  std::vector<std::string> names;
  for (const CommandDef& c : allCommands()) names.emplace_back(c.name);
  const std::string near = didYouMean(name, names);
  return console.usage(
      "no command '" + name + "'" +
      (near.empty() ? "; `descry help` lists them" : "; did you mean `descry " + near + "`?"));
}

int help(const std::vector<std::string>& words, Console& console) {
  if (words.empty()) {
    console.print(overviewHelp());
  } else if (words[0] == "--man") {
    console.print(manualPage());
  } else if (const CommandDef* c = findCommand(words[0])) {
    console.print(commandHelp(*c));
  } else {
    return unknownCommand(words[0], console);
  }
  return kFine;
}

int dispatch(const std::vector<std::string>& words) {
  Console console;
  if (words.empty()) {
    console.say("which command?\n");
    console.print(overviewHelp());
    return console.finish(kUsage);
  }
  const std::string& name = words[0];
  const std::vector<std::string> rest(words.begin() + 1, words.end());
  if (name == "help" || name == "--help" || name == "-h") return console.finish(help(rest, console));
  if (name == "--version" || name == "version" || name == "-V") {
    console.print(std::string("descry ") + session::versionText() + "\n");
    return console.finish(kFine);
  }
  const CommandDef* command = findCommand(name);
  if (!command) return console.finish(unknownCommand(name, console));
  Arguments arguments;
  if (command->supported) {
    const std::string wrong = parseArguments(*command, rest, arguments);
    if (!wrong.empty())
      return console.finish(console.usage(wrong + "\n`descry help " + name + "` explains it"));
  } else {
    for (const std::string& w : rest)
      if (w == "--help" || w == "-h") arguments.options_.emplace_back("--help", "");
  }
  if (arguments.has("--help")) {
    console.print(commandHelp(*command));
    return console.finish(kFine);
  }
  if (arguments.has("--timeout")) {
    const std::string text = arguments.value("--timeout");
    char* end = nullptr;
    const double seconds = std::strtod(text.c_str(), &end);
    if (text.empty() || *end || !(seconds >= 0.001 && seconds <= 1e6))
      return console.finish(
          console.usage("--timeout needs a number of seconds from 0.001 to 1000000, not '" + text + "'"));
    Console::startTimeout(seconds);
  }
  Console output(arguments.has("--quiet"));
  return output.finish(command->run(arguments, output));
}

}  // namespace

}  // namespace descry::cli

int main(int argc, char** argv) {
  descry::cli::Console::installMemoryGuard();
  descry::cli::Console::installSignals();
  const int code = descry::cli::dispatch(std::vector<std::string>(argv + 1, argv + argc));
  // Without destructors: giving back a graph of a million nodes piece by piece would only cost time.
  std::_Exit(code);
}

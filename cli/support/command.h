// What a subcommand is: its name, options, help and function; and how arguments are read against it.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/support/exit_code.h"

namespace descry::cli {

class Console;

struct OptionDef {
  const char* name;        ///< "--format"
  char letter = 0;         ///< 'o' for -o
  const char* value = "";  ///< placeholder of the value; empty for switches
  const char* help = "";
  std::vector<std::string> choices;  ///< allowed values; empty: any
  bool repeats = false;
  /// Values that belong to another command, and what to say of them.
  std::vector<std::string> elsewhere = {};
  const char* elsewhereHint = "";
};

class Arguments {
 public:
  bool has(std::string_view option) const;
  /// The last value given, or `otherwise`.
  std::string value(std::string_view option, std::string_view otherwise = {}) const;
  std::vector<std::string> values(std::string_view option) const;
  const std::vector<std::string>& words() const { return words_; }

  std::vector<std::pair<std::string, std::string>> options_;
  std::vector<std::string> words_;
};

struct Example {
  const char* command;
  const char* meaning;
};

struct CommandDef {
  const char* name;
  const char* summary;      ///< one line
  const char* synopsis;     ///< behind the name: "FILE[::GRAPH]"
  const char* description;  ///< paragraphs for --help and the manual
  std::vector<OptionDef> options;
  std::vector<Example> examples;
  size_t minWords = 0, maxWords = 0;
  int (*run)(const Arguments& arguments, Console& console);
  bool supported = true;  ///< false: names a command of a later version
};

/// All subcommands in the order of the help (cli/main.cpp).
const std::vector<CommandDef>& allCommands();
const CommandDef* findCommand(std::string_view name);
/// Options that every command knows.
const std::vector<OptionDef>& commonOptions();

/// Reads `words` (behind the subcommand). Empty when fine, else the message; sets nothing else then.
std::string parseArguments(const CommandDef& command, const std::vector<std::string>& words, Arguments& out);

/// The candidate nearest to `word`, or empty when none is near.
std::string didYouMean(std::string_view word, const std::vector<std::string>& candidates);

std::string commandHelp(const CommandDef& command);
std::string overviewHelp();
std::string manualPage();
std::string bashCompletion();
std::string zshCompletion();

}  // namespace descry::cli

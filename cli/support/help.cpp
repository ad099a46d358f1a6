#include <algorithm>

#include "cli/support/command.h"

namespace descry::cli {

namespace {

constexpr size_t kWidth = 92;

/// Breaks paragraphs at blanks; lines that begin with a blank stay as they are.
std::string wrapped(std::string_view text, size_t indent) {
  std::string out;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    if (!line.empty() && line[0] == ' ') {
      out += std::string(indent, ' ') + std::string(line) + "\n";
      continue;
    }
    while (line.size() + indent > kWidth) {
      size_t at = line.rfind(' ', kWidth - indent);
      if (at == std::string_view::npos) break;
      out += std::string(indent, ' ') + std::string(line.substr(0, at)) + "\n";
      line.remove_prefix(at + 1);
    }
    out += (line.empty() ? "" : std::string(indent, ' ') + std::string(line)) + "\n";
  }
  return out;
}

std::string optionTitle(const OptionDef& o) {
  std::string out = o.letter ? std::string("-") + o.letter + ", " : "    ";
  out += o.name;
  if (*o.value) out += std::string(" ") + o.value;
  return out;
}

std::string optionHelp(const OptionDef& o) {
  std::string out = o.help;
  if (!o.choices.empty()) {
    out += out.empty() ? "" : ": ";
    for (size_t i = 0; i < o.choices.size(); ++i) out += (i ? ", " : "") + o.choices[i];
  }
  return out;
}

std::string optionList(const std::vector<OptionDef>& options) {
  std::string out;
  for (const OptionDef& o : options) {
    std::string title = "  " + optionTitle(o);
    if (title.size() < 30)
      title.resize(30, ' ');
    else
      title += "\n" + std::string(30, ' ');
    const std::string help = wrapped(optionHelp(o), 30);
    out += title + help.substr(std::min<size_t>(30, help.size()));
  }
  return out;
}

constexpr const char* kAddresses =
    "FILE is a file or folder with graphs: a TORCH_TRACE log (plain, gzip or the folder), a TORCH_LOGS text, "
    "FX readable\n"
    "text, a printed fx graph, or Descry JSON. `-` reads standard input. What it is is found by looking at "
    "the content.\n"
    "GRAPH is an id that `descry info` prints, or the beginning of one if no other begins so. FILE alone "
    "means its\n"
    "joint graph, or its first graph if there is none; for `descry aot` its first captured graph. "
    "FILE::GRAPH#NODE\n"
    "names one node.";

constexpr const char* kExitCodes[][2] = {
    {"0", "fine"},
    {"1", "a difference was found, or a check failed"},
    {"2", "wrong usage"},
    {"3", "cannot read the input"},
    {"4", "read only in part: what could be read is printed, standard error says what is missing"},
    {"5", "running or writing failed"},
    {"6", "cancelled or timed out"},
    {"7", "a device or an optional part of Descry is missing"}};

/// Text for roff: backslashes and leading dots are data, hyphens stay hyphens.
std::string roff(std::string_view text) {
  std::string out;
  bool lineStart = true;
  for (const char c : text) {
    if (lineStart && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
    lineStart = c == '\n';
  }
  return out;
}

std::string roffParagraphs(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    if (line.empty())
      out += ".PP\n";
    else if (line[0] == ' ')
      out += ".nf\n" + roff(line) + "\n.fi\n";
    else
      out += roff(line) + "\n";
  }
  return out;
}

std::string roffOptions(const std::vector<OptionDef>& options) {
  std::string out;
  for (const OptionDef& o : options) {
    out += ".TP\n.B ";
    if (o.letter) out += roff(std::string("-") + o.letter) + ", ";
    out += roff(o.name);
    if (*o.value) out += " " + roff(o.value);
    out += "\n" + roff(optionHelp(o)) + "\n";
  }
  return out;
}

std::vector<std::string> optionNames(const CommandDef& c) {
  std::vector<std::string> out;
  for (const std::vector<OptionDef>* list : {&c.options, &commonOptions()})
    for (const OptionDef& o : *list) out.emplace_back(o.name);
  std::sort(out.begin(), out.end());
  return out;
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& w : words) out += (out.empty() ? "" : " ") + w;
  return out;
}

/// For zsh: inside single quotes and brackets.
std::string zshText(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'')
      out += "'\\''";
    else if (c == '[' || c == ']' || c == ':')
      out += std::string("\\") + c;
    else
      out += c;
  }
  return out;
}

}  // namespace

std::string overviewHelp() {
  std::string out =
      "Descry opens the graphs that PyTorch's compiler stack builds, and says what is in them.\n\n"
      "usage: descry COMMAND [options] FILE[::GRAPH]\n\ncommands:\n";
  for (const CommandDef& c : allCommands()) {
    if (!c.supported) continue;
    std::string name = std::string("  ") + c.name;
    name.resize(std::max<size_t>(14, name.size() + 1), ' ');
    out += name + c.summary + "\n";
  }
  out += "\nfor later versions: ";
  bool first = true;
  for (const CommandDef& c : allCommands()) {
    if (c.supported) continue;
    out += (first ? "" : ", ") + std::string(c.name);
    first = false;
  }
  out += "\n\n" + std::string(kAddresses) +
         "\n\n"
         "`descry help COMMAND` explains one command, `descry --version` prints the version.\n"
         "Begin with: descry info FILE, then descry io FILE, then descry open FILE.\n";
  return out;
}

std::string commandHelp(const CommandDef& c) {
  std::string out = std::string("descry ") + c.name + ": " + c.summary + "\n\nusage: descry " + c.name +
                    (c.options.empty() ? "" : " [options]") +
                    (*c.synopsis ? std::string(" ") + c.synopsis : "") + "\n\n" + wrapped(c.description, 0);
  if (!c.options.empty()) out += "\noptions:\n" + optionList(c.options);
  out += "\noptions of all commands:\n" + optionList(commonOptions());
  if (!c.examples.empty()) {
    out += "\nexamples:\n";
    for (const Example& e : c.examples) out += std::string("  ") + e.command + "\n      " + e.meaning + "\n";
  }
  if (std::string_view(c.synopsis).find("FILE") != std::string_view::npos)
    out += "\n" + std::string(kAddresses) + "\n";
  out += "\nexit codes:\n";
  for (const auto& row : kExitCodes) out += std::string("  ") + row[0] + "  " + row[1] + "\n";
  return out;
}

std::string manualPage() {
  std::string out =
      ".TH DESCRY 1 \"\" \"Descry\" \"User Commands\"\n.SH NAME\ndescry \\- inspector and toolkit for AOT "
      "autograd graphs\n"
      ".SH SYNOPSIS\n.B descry\n.I COMMAND\n[options]\n.I FILE\\fR[::\\fIGRAPH\\fR]\n.SH DESCRIPTION\n"
      "Descry opens the graphs that PyTorch's compiler stack builds, and says what is in them.\n.PP\n" +
      roffParagraphs(kAddresses) + ".SH COMMANDS\n";
  for (const CommandDef& c : allCommands()) {
    out +=
        ".SS " +
        roff(std::string("descry ") + c.name + (c.options.empty() ? "" : " [options]") + " " + c.synopsis) +
        "\n";
    out += roff(std::string(c.summary)) + ".\n.PP\n" + roffParagraphs(c.description) + roffOptions(c.options);
    if (!c.examples.empty()) out += ".PP\nExamples:\n";
    for (const Example& e : c.examples) out += ".TP\n.B " + roff(e.command) + "\n" + roff(e.meaning) + "\n";
  }
  out += ".SH OPTIONS OF ALL COMMANDS\n" + roffOptions(commonOptions()) + ".SH EXIT STATUS\n";
  for (const auto& row : kExitCodes) out += std::string(".TP\n.B ") + row[0] + "\n" + roff(row[1]) + "\n";
  out +=
      ".SH ENVIRONMENT\n.TP\n.B DISPLAY, WAYLAND_DISPLAY\nWithout one of them\n.B descry open\nwrites "
      "pictures instead "
      "of opening a window.\n.SH SEE ALSO\n.BR dot (1)\n";
  return out;
}

std::string bashCompletion() {
  std::vector<std::string> names;
  for (const CommandDef& c : allCommands()) names.emplace_back(c.name);
  names.insert(names.end(), {"help", "--help", "--version"});
  std::string out =
      "# bash completion for descry. Load it with: source <(descry completion bash)\n"
      "_descry() {\n"
      "  local cur prev cmd options choices id\n"
      "  cur=${COMP_WORDS[COMP_CWORD]}\n"
      "  prev=${COMP_WORDS[COMP_CWORD-1]}\n"
      "  cmd=${COMP_WORDS[1]}\n"
      "  COMPREPLY=()\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    COMPREPLY=($(compgen -W \"" +
      joined(names) +
      "\" -- \"$cur\"))\n"
      "    return\n"
      "  fi\n"
      "  case \"$cmd $prev\" in\n";
  for (const CommandDef& c : allCommands()) {
    for (const OptionDef& o : c.options) {
      if (o.choices.empty()) continue;
      out += "    '" + std::string(c.name) + " " + o.name + "') COMPREPLY=($(compgen -W \"" +
             joined(o.choices) + "\" -- \"$cur\")); return ;;\n";
    }
  }
  out += "  esac\n  case \"$cmd\" in\n";
  for (const CommandDef& c : allCommands())
    out += "    " + std::string(c.name) + ") options=\"" + joined(optionNames(c)) + "\" ;;\n";
  out += "    help) COMPREPLY=($(compgen -W \"" + joined(names) +
         "\" -- \"$cur\")); return ;;\n  esac\n"
         "  case \"$cur\" in\n"
         "    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$cur\")) ;;\n"
         "    *) COMPREPLY=($(compgen -f -- \"$cur\")) ;;\n"
         "  esac\n"
         "}\n"
         "complete -o filenames -F _descry descry\n";
  return out;
}

std::string zshCompletion() {
  std::string out =
      "#compdef descry\n"
      "# zsh completion for descry. Load it with: source <(descry completion zsh)\n"
      "_descry() {\n"
      "  local context state line\n"
      "  local -a commands\n"
      "  commands=(\n";
  for (const CommandDef& c : allCommands())
    out += "    '" + std::string(c.name) + ":" + zshText(c.summary) + "'\n";
  out +=
      "    'help:explain a command'\n  )\n"
      "  _arguments -C '--version[print the version]' '--help[print help]' '1:command:->command' "
      "'*::argument:->argument'\n"
      "  case $state in\n"
      "    command) _describe command commands ;;\n"
      "    argument)\n"
      "      case $words[1] in\n";
  for (const CommandDef& c : allCommands()) {
    out += "        " + std::string(c.name) + ")\n          _arguments";
    for (const std::vector<OptionDef>* list : {&c.options, &commonOptions()}) {
      for (const OptionDef& o : *list) {
        out += " \\\n            '" + std::string(o.name) + "[" + zshText(o.help) + "]";
        if (*o.value) {
          out += ":" + zshText(o.value) + ":";
          out += o.choices.empty() ? "_files" : "(" + joined(o.choices) + ")";
        }
        out += "'";
      }
    }
    out += " \\\n            '*:file:_files'\n          ;;\n";
  }
  out +=
      "        help) _describe command commands ;;\n"
      "      esac\n      ;;\n  esac\n}\n"
      "if [ \"$funcstack[1]\" = \"_descry\" ]; then _descry \"$@\"; else compdef _descry descry; fi\n";
  return out;
}

}  // namespace descry::cli

// One function per subcommand: its table row. Each lives in the file of its name.
#pragma once

#include "cli/support/command.h"

namespace descry::cli {

CommandDef infoCommand();
CommandDef showCommand();
CommandDef ioCommand();
CommandDef verifyCommand();
CommandDef findQueryCommand();
CommandDef partnerCommand();
CommandDef diffCommand();
CommandDef openCommand();
CommandDef renderCommand();
CommandDef layoutCommand();
CommandDef exportCommand();
CommandDef reportCommand();
CommandDef passesCommand();
CommandDef opsCommand();
CommandDef aotCommand();
CommandDef optCommand();
CommandDef runCommand();
CommandDef compareCommand();
CommandDef bisectCommand();
CommandDef benchCommand();
CommandDef schemaCommand();
CommandDef completionCommand();
/// alias, fusion, memory.
std::vector<CommandDef> laterCommands();

}  // namespace descry::cli

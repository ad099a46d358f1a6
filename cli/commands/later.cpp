#include <iterator>

#include "cli/commands/commands.h"
#include "cli/support/console.h"

namespace descry::cli {

namespace {

template <int kCommand>
int notYet(const Arguments&, Console& console);

struct Later {
  const char* name;
  const char* summary;
};
constexpr Later kLater[] = {{"alias", "which values share memory"},
                            {"fusion", "which nodes become one kernel"},
                            {"memory", "what is alive when"}};

template <int kCommand>
int notYet(const Arguments&, Console& console) {
  return console.usage("`descry " + std::string(kLater[kCommand].name) + "` (" + kLater[kCommand].summary +
                       ") is not supported yet; docs/status.md says what is");
}

}  // namespace

std::vector<CommandDef> laterCommands() {
  using Run = int (*)(const Arguments&, Console&);
  constexpr Run kRuns[] = {notYet<0>, notYet<1>, notYet<2>};
  std::vector<CommandDef> out;
  for (size_t i = 0; i < std::size(kLater); ++i)
    out.push_back({kLater[i].name,
                   kLater[i].summary,
                   "FILE[::GRAPH]",
                   "Not supported yet: ends with exit code 2.",
                   {},
                   {},
                   0,
                   1000,
                   kRuns[i],
                   false});
  return out;
}

}  // namespace descry::cli

// Exit codes that scripts rely on.
#pragma once

#include <string_view>

namespace descry::cli {

enum ExitCode : int {
  kFine = 0,
  kDiffers = 1,  ///< difference found or check failed
  kUsage = 2,
  kCannotRead = 3,
  kPartlyRead = 4,
  kRunFailed = 5,
  kCancelled = 6,      ///< cancelled or timed out
  kDeviceMissing = 7,  ///< a device or an optional part of the program is missing
};

/// The exit code of a diagnostic that ended a command.
ExitCode exitCodeOf(std::string_view diagnosticCode);

}  // namespace descry::cli

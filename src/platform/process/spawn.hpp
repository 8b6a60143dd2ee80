#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace schedbench::platform {

// Starts a program in a process group of its own, with the default action of all signals and none blocked. `streams`: the
// descriptors of its stdin, stdout and stderr; none: those of this program. Returns its pid. Throws std::system_error that names the
// program. Any thread.
pid_t SpawnInOwnGroup(std::vector<std::string> command,
                      const std::optional<std::array<int, 3>>& streams = std::nullopt);

}  // namespace schedbench::platform

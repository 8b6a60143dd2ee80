#pragma once

#include <string>

namespace schedbench::platform {

// Returns the linker's build id in hexadecimal, which differs with the code, or "". Thread-safe.
std::string ExecutableId();

}  // namespace schedbench::platform

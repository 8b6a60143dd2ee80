#pragma once

#include <string>

namespace schedbench::platform {

// Returns the build id of the linker, in hexadecimal digits: it differs where the code of two executables does. "" if the executable has
// none. Thread-safe.
std::string ExecutableId();

}  // namespace schedbench::platform

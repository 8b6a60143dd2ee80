#pragma once

#include <string>
#include <string_view>

namespace schedbench::history {

// Returns a hash of 128 bits in hexadecimal digits: detects a text that is given twice, not what another program does on
// purpose. Thread-safe.
std::string ContentHash(std::string_view text);

}  // namespace schedbench::history

#pragma once

#include <string>
#include <string_view>

namespace schedbench::history {

// Returns a hash of 128 bits in hexadecimal digits: it detects a text that is given twice, but not
// deliberate collisions. Thread-safe.
std::string ContentHash(std::string_view text);

}  // namespace schedbench::history

#pragma once

#include <cstddef>
#include <string_view>

namespace schedbench::config {

// Whether a text in the syntax of JSON has objects and arrays inside each other at more than `levels`. Readers that keep
// what they read as a tree of nlohmann::json ask this before they parse: the library writes and compares trees by
// recursion, and input that nests deeply would overflow the stack. Takes linear time, whatever the text is. Thread-safe.
bool NestsDeeperThan(std::string_view text, std::size_t levels) noexcept;

}  // namespace schedbench::config

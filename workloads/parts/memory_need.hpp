#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace schedbench::workloads {

// Returns how many things of `bytes_each` fit into RAM, at least 1; no limit if it is unknown.
std::uint64_t CountThatFits(std::uint64_t bytes_each);

// Throws std::runtime_error when `count` exceeds CountThatFits(). `remedy`: another run,
// "fib:n=30".
void RequireMemoryFor(std::uint64_t count, std::string_view things, std::uint64_t bytes_each,
                      const std::string& remedy);

// Returns `count`. Throws std::runtime_error when this many things would not fit into RAM: the
// kernel would kill the process without a message. `field`: its name on the command line,
// "million:fibers"; `things`: "suspended fibers".
std::uint64_t CheckedCount(std::string_view field, std::string_view things, std::uint64_t count,
                           std::uint64_t bytes_each);

}  // namespace schedbench::workloads

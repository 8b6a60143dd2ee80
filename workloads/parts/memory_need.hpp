#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace schedbench::workloads {

// Returns how many things of `bytes_each` bytes fit into RAM; at least 1. No limit if the free memory is unknown.
std::uint64_t CountThatFits(std::uint64_t bytes_each);

// Throws std::runtime_error when `count` is more than that. `remedy`: what the user can run instead, "fib:n=30".
void RequireMemoryFor(std::uint64_t count, std::string_view things, std::uint64_t bytes_each,
                      const std::string& remedy);

// Returns `count`. Throws std::runtime_error when so many things would not fit into RAM: the kernel would kill the process
// without a message. `field`: as on the command line, "million:fibers"; `things`: "suspended fibers".
std::uint64_t CheckedCount(std::string_view field, std::string_view things, std::uint64_t count,
                           std::uint64_t bytes_each);

}  // namespace schedbench::workloads

#include "workloads/parts/memory_need.hpp"

#include "platform/memory/memory.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace schedbench::workloads {

std::uint64_t CountThatFits(std::uint64_t bytes_each) {
  // It is unknown without /proc, and if no file can be opened: then nothing is refused.
  const auto available = platform::AvailableMemoryBytes();
  return available ? std::max<std::uint64_t>(*available / bytes_each, 1)
                   : std::numeric_limits<std::uint64_t>::max();
}

void RequireMemoryFor(std::uint64_t count, std::string_view things, std::uint64_t bytes_each,
                      const std::string& remedy) {
  const auto available = platform::AvailableMemoryBytes();
  if (available && count > *available / bytes_each) {
    const double needed = static_cast<double>(count) * static_cast<double>(bytes_each);
    throw std::runtime_error(fmt::format(
        "{} {} need about {:.0f} MB of RAM, but {} MB are free    the most that fit: {}", count,
        things, needed / 1e6, *available / 1000000, remedy));
  }
}

std::uint64_t CheckedCount(std::string_view field, std::string_view things, std::uint64_t count,
                           std::uint64_t bytes_each) {
  RequireMemoryFor(count, things, bytes_each,
                   fmt::format("{}={}", field, CountThatFits(bytes_each)));
  return count;
}

}  // namespace schedbench::workloads

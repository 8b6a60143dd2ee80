#include "workloads/parts/memory_need.hpp"

#include "platform/memory/memory.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>

namespace schedbench::workloads {

std::uint64_t CountThatFits(std::uint64_t bytes_each) {
  return std::max<std::uint64_t>(platform::AvailableMemoryBytes() / bytes_each, 1);
}

void RequireMemoryFor(std::uint64_t count, std::string_view things, std::uint64_t bytes_each,
                      const std::string& remedy) {
  const std::uint64_t available = platform::AvailableMemoryBytes();
  if (count > available / bytes_each) {
    const double needed = static_cast<double>(count) * static_cast<double>(bytes_each);
    throw std::runtime_error(
        fmt::format("{} {} need about {:.0f} MB of RAM, {} MB are free; as many as fit: {}", count,
                    things, needed / 1e6, available / 1000000, remedy));
  }
}

std::uint64_t CheckedCount(std::string_view field, std::string_view things, std::uint64_t count,
                           std::uint64_t bytes_each) {
  RequireMemoryFor(count, things, bytes_each,
                   fmt::format("{}={}", field, CountThatFits(bytes_each)));
  return count;
}

}  // namespace schedbench::workloads

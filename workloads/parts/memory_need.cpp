#include "workloads/parts/memory_need.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>

namespace schedbench::workloads {

std::uint64_t CheckedCount(std::string_view field, std::string_view things, std::uint64_t count,
                           std::uint64_t bytes_each) {
  const std::uint64_t available = platform::AvailableMemoryBytes();
  const std::uint64_t fit = available / bytes_each;
  if (count > fit) {
    const double needed = static_cast<double>(count) * static_cast<double>(bytes_each);
    throw std::runtime_error(fmt::format(
        "{} {} need about {:.0f} MB of RAM, {} MB are free; as many as fit: {}={}", count, things,
        needed / 1e6, available / 1000000, field, std::max<std::uint64_t>(fit, 1)));
  }
  return count;
}

}  // namespace schedbench::workloads

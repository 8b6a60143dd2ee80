#include "platform/machine/cpu_list.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>

namespace schedbench::platform {

namespace {

constexpr int kMaxCpus = 1 << 16;  // far beyond Linux's maximum of 8192

// Takes a number from the front of the text.
std::optional<int> TakeCpu(std::string_view& text) {
  int cpu = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), cpu);
  if (error != std::errc() || cpu < 0 || cpu >= kMaxCpus) {
    return std::nullopt;
  }
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return cpu;
}

}  // namespace

std::string CpuListText(const std::vector<int>& cpus) {
  std::string list;
  for (std::size_t first = 0; first < cpus.size();) {
    std::size_t last = first;
    while (last + 1 < cpus.size() && cpus[last + 1] == cpus[last] + 1) {
      ++last;
    }
    list += list.empty() ? "" : ",";
    list += std::to_string(cpus[first]);
    if (last > first) {
      list += "-" + std::to_string(cpus[last]);
    }
    first = last + 1;
  }
  return list.empty() ? "unknown" : list;
}

std::optional<std::vector<int>> ParseCpuList(std::string_view text) {
  std::vector<int> cpus;
  while (true) {
    const auto first = TakeCpu(text);
    auto last = first;
    if (first && text.starts_with('-')) {
      text.remove_prefix(1);
      last = TakeCpu(text);
    }
    if (!first || !last || *last < *first) {
      return std::nullopt;
    }
    for (int cpu = *first; cpu <= *last; ++cpu) {
      cpus.push_back(cpu);
    }
    if (text.empty()) {
      break;
    }
    if (!text.starts_with(',')) {
      return std::nullopt;
    }
    text.remove_prefix(1);
  }
  std::ranges::sort(cpus);
  const auto doubles = std::ranges::unique(cpus);
  cpus.erase(doubles.begin(), doubles.end());
  return cpus;
}

}  // namespace schedbench::platform

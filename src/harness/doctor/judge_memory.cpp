#include "harness/doctor/findings.hpp"

#include <fmt/core.h>

#include <string>
#include <vector>

namespace schedbench::harness {

namespace {

constexpr double kPressure = 0.001;  // of the time: beyond that, a process waits every few seconds

constexpr const char* kMemoryUsersCommand = "ps axo rss,comm --sort=-rss | head";

Finding Swap(const MachineFacts& facts) {
  if (!facts.swap_used_kib) {
    return NotReported("swap", "the use of swap is", "/proc/meminfo");
  }
  const auto moved = facts.activity.swapped_pages.value_or(0);
  if (moved > 0) {
    return Concern(Severity::kFail, "swap",
                   fmt::format("{} pages were swapped in or out during this check", moved),
                   kMemoryUsersCommand);
  }
  if (*facts.swap_used_kib > 0) {
    return Warn("swap",
                fmt::format("{} MiB are swapped out: a process that needs them waits for the disk",
                            (*facts.swap_used_kib + 1023) / 1024),
                "sudo swapoff -a && sudo swapon -a");
  }
  return Ok("swap", "none is used");
}

Finding Pressure(const MachineFacts& facts) {
  if (!facts.memory_pressure) {
    return NotReported("memory", "whether processes wait for memory is", "/proc/pressure/memory");
  }
  const std::string text = fmt::format("a process waited for memory in {:.1f} % of the last 10 s",
                                       100 * *facts.memory_pressure);
  return *facts.memory_pressure <= kPressure
             ? Ok("memory", "no process waits for memory")
             : Concern(Severity::kWarn, "memory", text, kMemoryUsersCommand);
}

Finding HugePages(const MachineFacts& facts) {
  if (facts.huge_pages.empty()) {
    return NotReported("huge pages", "the use of transparent huge pages is",
                       "/sys/kernel/mm/transparent_hugepage/enabled");
  }
  if (facts.huge_pages != "always") {
    return Ok("huge pages", facts.huge_pages);
  }
  return Warn("huge pages", "always: memory use and page faults depend on where memory is free",
              "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled");
}

}  // namespace

std::vector<Finding> JudgeMemory(const MachineFacts& facts) {
  return {Swap(facts), Pressure(facts), HugePages(facts)};
}

}  // namespace schedbench::harness

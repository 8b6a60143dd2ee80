#include "harness/doctor/findings.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::harness {

namespace {

// Share of the time: beyond it a process waits every few seconds.
constexpr double kPressure = 0.001;

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

// Clocks that the vDSO reads without a system call.
constexpr std::array<std::string_view, 5> kFastClocks{
    "tsc", "kvm-clock", "arch_sys_counter", "hyperv_clocksource_tsc_page", "riscv_clocksource"};
// Value of perf_event_paranoid that allows one's own programs without root.
constexpr std::int64_t kUserCountersUpTo = 2;
constexpr std::int64_t kDefaultSlackNs = 50'000;

Finding Clock(const MachineFacts& facts) {
  constexpr std::string_view kFolder = "/sys/devices/system/clocksource/clocksource0/";
  if (facts.clock_source.empty()) {
    return NotReported("clock", "the clock source is", kFolder);
  }
  if (std::ranges::find(kFastClocks, facts.clock_source) != kFastClocks.end()) {
    return Ok("clock", facts.clock_source);
  }
  const bool has_tsc = std::ranges::find(facts.clock_sources, "tsc") != facts.clock_sources.end();
  return Concern(
      Severity::kFail, "clock",
      fmt::format("{}: each read of the clock is a system call and may take microseconds",
                  facts.clock_source),
      has_tsc ? fmt::format("echo tsc | sudo tee {}current_clocksource", kFolder)
              : "sudo dmesg | grep -i -e tsc -e clocksource");
}

Finding TimerSlack(const MachineFacts& facts) {
  if (!facts.timer_slack_ns) {
    return NotReported("timer slack", "how late timers may be is", "/proc/self/timerslack_ns");
  }
  const double us = static_cast<double>(*facts.timer_slack_ns) / 1000;
  if (*facts.timer_slack_ns <= kDefaultSlackNs) {
    return Ok("timer slack", fmt::format("{:g} us", us));
  }
  return Warn("timer slack", fmt::format("{:g} us: timed waits of the workers end late", us),
              fmt::format("echo {} > /proc/$$/timerslack_ns", kDefaultSlackNs));
}

Finding PerfEvents(const MachineFacts& facts) {
  if (!facts.perf_event_paranoid) {
    return NotReported("perf events", "whether programs may count events is",
                       "/proc/sys/kernel/perf_event_paranoid");
  }
  if (*facts.perf_event_paranoid > kUserCountersUpTo) {
    return Warn("perf events",
                fmt::format("perf_event_paranoid={}: only root may sample or count",
                            *facts.perf_event_paranoid),
                "sudo sysctl kernel.perf_event_paranoid=1");
  }
  return Ok("perf events", fmt::format("perf_event_paranoid={}: your own programs can be sampled",
                                       *facts.perf_event_paranoid));
}

Finding Counters(const MachineFacts& facts) {
  if (facts.hardware_counters) {
    return Ok("counters", "the hardware counters of the CPU are available");
  }
  return facts.hypervisor.value_or(false)
             ? Warn("counters", "no hardware counters: the host does not provide them",
                    "on the host: qemu-system-x86_64 -cpu host,pmu=on ...")
             : Warn("counters", "no hardware counters", "sudo dmesg | grep -i -e perf -e pmu");
}

Finding Addresses(const MachineFacts& facts) {
  const auto level = facts.address_randomisation;
  return Ok("addresses",
            !level       ? "whether they are random is unknown here"
            : *level > 0 ? "random: each process of a comparison has a memory layout of its "
                           "own, and fresh processes average over them"
                         : "the same in each process: one memory layout for all, which may favour "
                           "some of them");
}

}  // namespace

std::vector<Finding> JudgeMemory(const MachineFacts& facts) {
  return {Swap(facts), Pressure(facts), HugePages(facts)};
}

std::vector<Finding> JudgeKernel(const MachineFacts& facts) {
  return {Clock(facts), TimerSlack(facts), PerfEvents(facts), Counters(facts), Addresses(facts)};
}

}  // namespace schedbench::harness

#include "harness/doctor/findings.hpp"
#include "platform/machine/cpu_list.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace schedbench::harness {

namespace {

// More pairs average out disturbances that come and go.
constexpr const char* kMoreBlocks = "schedbench compare --blocks 40 fast global_fifo";

Finding Virtual(const MachineFacts& facts) {
  const std::string product = facts.product.empty() ? "" : fmt::format(" ({})", facts.product);
  if (!facts.hypervisor) {
    return NotReported("virtual", "whether this is a virtual machine is", "/proc/cpuinfo");
  }
  if (*facts.hypervisor) {
    return Warn("virtual",
                fmt::format("virtual machine{}: other work on the host disturbs measurements and "
                            "is not visible here",
                            product),
                kMoreBlocks);
  }
  return Ok("virtual", fmt::format("no virtual machine{}", product));
}

Finding Cpus(const MachineFacts& facts) {
  if (facts.allowed.empty()) {
    return NotReported("cpus", "the allowed CPUs are", "/proc/self/status");
  }
  const std::string all = platform::CpuListText(facts.present);
  std::string text = fmt::format("{} of {} CPUs allowed ({})", facts.allowed.size(),
                                 facts.present.empty() ? "?" : fmt::to_string(facts.present.size()),
                                 platform::CpuListText(facts.allowed));
  if (facts.allowed.size() > 1) {
    return Ok("cpus", std::move(text));
  }
  text += ": workers take turns, and nothing runs in parallel";
  return facts.present.size() > 1
             ? Concern(Severity::kWarn, "cpus", std::move(text),
                       fmt::format("taskset -c {} schedbench doctor", all))
             : Warn("cpus", std::move(text), "schedbench compare --workers 1 fast global_fifo");
}

// Returns one CPU of each core.
std::vector<int> OneOfEachCore(const MachineFacts& facts) {
  std::vector<int> cpus = facts.allowed;
  for (const std::vector<int>& core : facts.shared_cores) {
    std::erase_if(cpus, [&core](int cpu) {
      return cpu != core.front() && std::ranges::find(core, cpu) != core.end();
    });
  }
  return cpus;
}

Finding Cores(const MachineFacts& facts) {
  if (!facts.topology_known) {
    return NotReported("cores", "which CPUs share a core is",
                       "/sys/devices/system/cpu/cpu0/topology/thread_siblings_list");
  }
  if (facts.shared_cores.empty()) {
    return Ok("cores", "no two allowed CPUs share a core");
  }
  return Concern(
      Severity::kWarn, "cores",
      fmt::format("{} of the cores have several of the allowed CPUs (one has {}), "
                  "which slow each other",
                  facts.shared_cores.size(), platform::CpuListText(facts.shared_cores.front())),
      fmt::format("taskset -c {} schedbench doctor", platform::CpuListText(OneOfEachCore(facts))));
}

Finding Governor(const MachineFacts& facts) {
  if (facts.governors.empty()) {
    return Warn("governor", "not visible here: the host or the firmware sets the frequency",
                kMoreBlocks);
  }
  const std::string names = fmt::format("{}", fmt::join(facts.governors, ", "));
  if (names == "performance") {
    return Ok("governor", names);
  }
  return Concern(
      Severity::kWarn, "governor",
      fmt::format("{}: the frequency follows the load: a scheduler that sleeps more runs slower",
                  names),
      "echo performance | sudo tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor");
}

Finding Turbo(const MachineFacts& facts) {
  if (!facts.turbo) {
    return Warn("turbo", "not visible here", kMoreBlocks);
  }
  if (!*facts.turbo) {
    return Ok("turbo", "off");
  }
  const bool inverse = facts.turbo_switch.ends_with("no_turbo");
  return Warn("turbo", "on: the frequency follows temperature and the number of busy cores",
              fmt::format("echo {} | sudo tee {}", inverse ? 1 : 0, facts.turbo_switch));
}

}  // namespace

std::vector<Finding> JudgeProcessor(const MachineFacts& facts) {
  return {Virtual(facts), Cpus(facts), Cores(facts), Governor(facts), Turbo(facts)};
}

}  // namespace schedbench::harness

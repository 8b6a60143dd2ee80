#include "config/quote.hpp"
#include "harness/doctor/findings.hpp"
#include "platform/proc/grant.hpp"

#include <fmt/core.h>

#include <string>
#include <vector>

namespace schedbench::harness {

namespace {

// The limits below are chosen by eye: beyond them a comparison of equals gets visibly wider.
constexpr double kMuchSteal = 0.001;  // share of all CPU time
constexpr double kVeryMuchSteal = 0.02;
constexpr double kBusyProcess = 0.02;  // CPUs; a tick of 10 ms in a window of 2 s is 0.005
constexpr double kBusyMachine = 0.5;   // CPUs that others use
constexpr double kNoise = 0.1;         // CPUs that a machine at rest and this check use
constexpr double kLoadAverage = 0.5;
constexpr std::size_t kMaxNames = 3;
constexpr std::size_t kNameCharacters = 32;

constexpr const char* kCpuUsersCommand = "top -b -n 1 | head -20";

std::string PercentText(double share) {
  return fmt::format("{:.1f} %", 100 * share);
}

Finding Steal(const Activity& activity) {
  if (!activity.steal_share_ever) {
    return NotReported("steal", "CPU time that the host gave to others is", "/proc/stat");
  }
  const std::string ever =
      fmt::format("{} since the start", PercentText(*activity.steal_share_ever));
  if (!activity.steal_share) {
    return Ok("steal", ever);
  }
  const std::string text =
      fmt::format("{} of the CPU time went to others on the host in {:.1f} s, {}",
                  PercentText(*activity.steal_share), activity.window_seconds, ever);
  if (*activity.steal_share < kMuchSteal) {
    return Ok("steal", text);
  }
  // Only the host can fix it: measure at another time.
  return Concern(*activity.steal_share < kVeryMuchSteal ? Severity::kWarn : Severity::kFail,
                 "steal", text, "vmstat 1 10");
}

// Without a window only the kernel's own averages are known.
Finding LoadOfNow(const Activity& activity) {
  if (!activity.load_average || !activity.running_now) {
    return NotReported("load", "the load is", "/proc/stat /proc/loadavg");
  }
  const std::string text = fmt::format("load average {:.2f}, {} running now (this one counts)",
                                       *activity.load_average, *activity.running_now);
  return *activity.load_average < kLoadAverage
             ? Ok("load", text)
             : Concern(Severity::kWarn, "load", text, kCpuUsersCommand);
}

Finding Load(const Activity& activity) {
  if (!activity.busy_cpus) {
    return LoadOfNow(activity);
  }
  std::string names;
  std::size_t busy = 0;
  for (const Activity::Process& process : activity.processes) {
    if (process.cpus <= kBusyProcess) {
      break;
    }
    if (++busy <= kMaxNames) {
      names +=
          fmt::format("{}{} {}", names.empty() ? "" : ", ",
                      config::Escaped(process.name, kNameCharacters), PercentText(process.cpus));
    }
  }
  if (busy > kMaxNames) {
    names += fmt::format(" and {} more", busy - kMaxNames);
  }
  // Other processes may be invisible, in containers of their own.
  const double used = *activity.busy_cpus;
  if (busy == 0 && used <= kNoise) {
    return Ok("load", fmt::format("no other process above {:.0f} % of a CPU", 100 * kBusyProcess));
  }
  const std::string processes = names.empty() ? "processes that are not visible here" : names;
  return Concern(used > kBusyMachine ? Severity::kFail : Severity::kWarn, "load",
                 fmt::format("others used {:.2f} CPUs in {:.1f} s: {}", used,
                             activity.window_seconds, processes),
                 kCpuUsersCommand);
}

Finding Quota(const MachineFacts& facts) {
  const auto throttled = facts.activity.throttled_ever.value_or(0);
  if (!facts.cpu_limit || !facts.cpu_limit->cpus) {
    return Ok("quota", "no limit of CPU time by a cgroup");
  }
  const double cpus = *facts.cpu_limit->cpus;
  const std::string remedy = platform::GrantCpuTime(
      static_cast<std::uint32_t>(facts.allowed.size()), facts.cpu_limit->file);
  const std::string text = fmt::format("a cgroup allows the time of {:.2f} CPUs", cpus);
  const std::string times =
      throttled > 0 ? fmt::format(", stopped {} times so far", throttled) : "";
  if (cpus < static_cast<double>(facts.allowed.size()) ||
      facts.activity.throttled.value_or(0) > 0) {
    return Concern(Severity::kFail, "quota",
                   text + fmt::format(" to {}: workers are stopped when it is used up{}",
                                      facts.allowed.size(), times),
                   remedy);
  }
  return throttled > 0 ? Concern(Severity::kWarn, "quota", text + times, remedy)
                       : Ok("quota", text);
}

}  // namespace

std::vector<Finding> JudgeCpuTime(const MachineFacts& facts) {
  return {Steal(facts.activity), Load(facts.activity), Quota(facts)};
}

}  // namespace schedbench::harness

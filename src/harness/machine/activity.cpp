#include "harness/machine/activity.hpp"

#include "platform/machine/cpu_list.hpp"
#include "platform/proc/cgroup.hpp"
#include "platform/proc/text.hpp"

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>

namespace schedbench::harness {

namespace {

using platform::ReadThrottled;
using platform::WholeNumber;
using platform::WordsOf;

constexpr double kTicksPerSecond = 100;  // USER_HZ, which programs see on all systems of Linux

// Columns of a line "cpu" of /proc/stat, see proc(5). The later columns are included in them.
enum Column { kUser, kNice, kSystem, kIdle, kIoWait, kInterrupt, kSoftInterrupt, kSteal, kColumns };

// Reads the line with this label: "cpu" for all CPUs together, "cpu3".
std::optional<ActivityReading::CpuTime> ReadLine(std::string_view stat, std::string_view label) {
  const auto line = platform::ValueOf(stat, label);
  const auto words = WordsOf(line.value_or(""));
  if (words.size() < kColumns) {
    return std::nullopt;
  }
  ActivityReading::CpuTime time;
  for (std::size_t i = 0; i < kColumns; ++i) {
    const auto ticks = WholeNumber(words[i]);
    if (!ticks || *ticks < 0) {
      return std::nullopt;
    }
    time.all += *ticks;
    time.steal += i == kSteal ? *ticks : 0;
    time.idle += i == kIdle || i == kIoWait ? *ticks : 0;
    time.interrupts += i == kInterrupt || i == kSoftInterrupt ? *ticks : 0;
  }
  time.cpus = 1;
  return time;
}

std::optional<ActivityReading::CpuTime> ReadCpuTime(std::string_view stat) {
  auto time = ReadLine(stat, "cpu");
  if (!time) {
    return std::nullopt;
  }
  time->cpus = 0;
  for (std::size_t at = stat.find("\ncpu"); at != std::string_view::npos;
       at = stat.find("\ncpu", at + 1)) {
    ++time->cpus;
  }
  return time->cpus > 0 ? time : std::nullopt;
}

// Returns the time of these CPUs together; none if one of them is unknown.
std::optional<ActivityReading::CpuTime> ReadCpuTimeOf(std::string_view stat,
                                                      const std::vector<int>& cpus) {
  ActivityReading::CpuTime sum;
  for (const int cpu : cpus) {
    const auto time = ReadLine(stat, "cpu" + std::to_string(cpu));
    if (!time) {
      return std::nullopt;
    }
    sum.all += time->all;
    sum.steal += time->steal;
    sum.idle += time->idle;
    sum.interrupts += time->interrupts;
    ++sum.cpus;
  }
  return sum.cpus > 0 ? std::optional(sum) : std::nullopt;
}

// Parses "7180 (a name) R 7129 ...". The last parenthesis ends a name of any characters.
std::optional<ActivityReading::Process> ReadProcess(std::string_view stat) {
  constexpr std::size_t kParent = 1;  // after the name
  constexpr std::size_t kGroup = 2;
  // The system's ticks follow, then both of children that have ended.
  constexpr std::size_t kUserTicks = 11;
  constexpr std::size_t kThreads = 17;
  constexpr std::size_t kLastCpu = 36;
  const std::size_t open = stat.find('(');
  const std::size_t close = stat.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) {
    return std::nullopt;
  }
  const auto words = WordsOf(stat.substr(close + 1));
  if (words.size() <= kUserTicks + 1) {
    return std::nullopt;
  }
  const auto parent = WholeNumber(words[kParent]);
  const auto group = WholeNumber(words[kGroup]);
  const auto user = WholeNumber(words[kUserTicks]);
  const auto system = WholeNumber(words[kUserTicks + 1]);
  const auto of_children = [&words](std::size_t word) {
    return words.size() > word ? WholeNumber(words[word]).value_or(0) : 0;
  };
  if (!parent || !group || !user || !system) {
    return std::nullopt;
  }
  return ActivityReading::Process{
      .name = std::string(stat.substr(open + 1, close - open - 1)),
      .parent = *parent,
      .group = *group,
      .ticks = *user + *system,
      .ended_children_ticks = of_children(kUserTicks + 2) + of_children(kUserTicks + 3),
      // The kernel reports the CPU of the first thread alone.
      .cpu = words.size() > kLastCpu && words[kThreads] == "1"
                 ? WholeNumber(words[kLastCpu]).value_or(-1)
                 : -1};
}

std::optional<std::int64_t> OwnNumber(const platform::MachineFiles& files) {
  const auto stat = files.Read("/proc/self/stat");
  return stat ? WholeNumber(std::string_view(*stat).substr(0, stat->find(' '))) : std::nullopt;
}

void ReadProcesses(const platform::MachineFiles& files, ActivityReading& reading) {
  const auto own = OwnNumber(files);
  for (const std::string& name : files.Names("/proc")) {
    const auto number = WholeNumber(name);
    const auto stat = number ? files.Read("/proc/" + name + "/stat") : std::nullopt;
    auto process = stat ? ReadProcess(*stat) : std::nullopt;
    if (!process) {
      continue;
    }
    if (number == own) {
      reading.own_ticks = process->ticks + process->ended_children_ticks;
    } else {
      (process->parent == own ? reading.children : reading.processes)
          .emplace(*number, std::move(*process));
    }
  }
  // An agent is a child of its guard, and the guard is a child of this process.
  std::map<std::int64_t, ActivityReading::Process> agents;
  for (const auto& [number, process] : reading.processes) {
    if (reading.children.contains(process.parent)) {
      agents.emplace(number, process);
    }
  }
  for (const auto& [number, process] : agents) {
    reading.processes.erase(number);
  }
  reading.children.merge(agents);
  // The kernel gives the first namespace this number: PROC_PID_INIT_INO in include/linux/proc_ns.h.
  const auto name_space = files.Link("/proc/self/ns/pid");
  reading.is_contained = name_space && *name_space != "pid:[4026531836]";
}

constexpr std::int64_t kOwn = 0;  // the number of this process in the ticks of all

const ActivityReading::Process* Find(const ActivityReading& reading, std::int64_t number) {
  for (const auto* const processes : {&reading.children, &reading.processes}) {
    if (const auto found = processes->find(number); found != processes->end()) {
      return &found->second;
    }
  }
  return nullptr;
}

// Returns the process that has the ticks of this one now: itself, or the first ancestor that has
// not ended. A reading takes a while, so the parents may form a circle.
std::int64_t OwnerOfTicks(const ActivityReading& before, const ActivityReading& after,
                          std::int64_t number) {
  const bool is_child = before.children.contains(number);
  constexpr int kMostAncestors = 64;  // arbitrary
  for (int i = 0; i < kMostAncestors && Find(after, number) == nullptr; ++i) {
    const ActivityReading::Process* const ended = Find(before, number);
    if (ended == nullptr) {
      return is_child ? kOwn : number;
    }
    number = ended->parent;
  }
  return number;
}

// Returns the ticks of visible processes between the readings, with their ended children.
std::map<std::int64_t, std::int64_t> TicksBetween(const ActivityReading& before,
                                                  const ActivityReading& after) {
  std::map<std::int64_t, std::int64_t> ticks{{kOwn, after.own_ticks - before.own_ticks}};
  for (const auto processes : {&ActivityReading::children, &ActivityReading::processes}) {
    for (const auto& [number, process] : after.*processes) {
      ticks[number] += process.ticks + process.ended_children_ticks;
    }
    for (const auto& [number, process] : before.*processes) {
      ticks[OwnerOfTicks(before, after, number)] -= process.ticks + process.ended_children_ticks;
    }
  }
  // A parent that does not wait for its children does not receive their ticks.
  for (auto& [number, of_process] : ticks) {
    of_process = std::max<std::int64_t>(0, of_process);
  }
  return ticks;
}

// Returns whether the process ran last on a CPU that is not allowed here; false if unknown.
bool IsElsewhere(const ActivityReading::Process& process, const std::vector<int>& allowed) {
  return process.cpu >= 0 && !allowed.empty() &&
         std::ranges::find(allowed, process.cpu) == allowed.end();
}

// Returns the CPUs used between the readings that no visible process accounts for.
double HiddenCpus(const ActivityReading& before, const ActivityReading& after,
                  const std::map<std::int64_t, std::int64_t>& visible, double ticks_of_cpu) {
  constexpr double kLeast = 0.2;  // CPUs; arbitrary: above the error of ticks
  const auto busy = [](const ActivityReading& reading) {
    return reading.allowed->all - reading.allowed->idle - reading.allowed->steal -
           reading.allowed->interrupts;
  };
  std::int64_t ticks = busy(after) - busy(before);
  for (const auto& [number, of_process] : visible) {
    const auto process = after.processes.find(number);
    const bool is_elsewhere =
        process != after.processes.end() && IsElsewhere(process->second, after.allowed_cpus);
    ticks -= is_elsewhere ? 0 : of_process;
  }
  const double cpus = static_cast<double>(ticks) / ticks_of_cpu;
  return cpus > kLeast ? cpus : 0;
}

std::optional<std::int64_t> Difference(const std::optional<std::int64_t>& before,
                                       const std::optional<std::int64_t>& after) {
  return before && after && *after >= *before ? std::optional(*after - *before) : std::nullopt;
}

}  // namespace

ActivityReading ReadActivity(const platform::MachineFiles& files) {
  ActivityReading reading;
  const std::string stat = files.Read("/proc/stat").value_or("");
  reading.cpu = ReadCpuTime(stat);
  const std::string status = files.Read("/proc/self/status").value_or("");
  reading.allowed_cpus =
      platform::ParseCpuList(platform::ValueOf(status, "Cpus_allowed_list").value_or(""))
          .value_or(std::vector<int>());
  reading.allowed = ReadCpuTimeOf(stat, reading.allowed_cpus);
  ReadProcesses(files, reading);
  const std::string memory = files.Read("/proc/vmstat").value_or("");
  const auto in = WholeNumber(platform::ValueOf(memory, "pswpin"));
  const auto out = WholeNumber(platform::ValueOf(memory, "pswpout"));
  if (in && out) {
    reading.swapped_pages = *in + *out;
  }
  reading.throttled = ReadThrottled(files);
  return reading;
}

Activity Between(const ActivityReading& before, const ActivityReading& after) {
  Activity activity;
  activity.swapped_pages = Difference(before.swapped_pages, after.swapped_pages);
  activity.throttled = Difference(before.throttled, after.throttled);
  activity.throttled_ever = after.throttled;
  if (!after.cpu) {
    return activity;
  }
  if (after.cpu->all > 0) {
    activity.steal_share_ever =
        static_cast<double>(after.cpu->steal) / static_cast<double>(after.cpu->all);
  }
  if (!before.cpu || after.cpu->all <= before.cpu->all) {
    return activity;
  }
  const auto all = static_cast<double>(after.cpu->all - before.cpu->all);
  const auto steal = static_cast<double>(after.cpu->steal - before.cpu->steal);
  const auto idle = static_cast<double>(after.cpu->idle - before.cpu->idle);
  const double ticks_of_cpu = all / static_cast<double>(after.cpu->cpus);
  const std::map<std::int64_t, std::int64_t> visible = TicksBetween(before, after);
  activity.cpus = after.cpu->cpus;
  activity.window_seconds = ticks_of_cpu / kTicksPerSecond;
  // The kernel sums the parts at different moments, so some of them can seem to decrease.
  activity.steal_share = std::clamp(steal / all, 0.0, 1.0);
  activity.allowed_cpus = activity.cpus;
  activity.steal_share_allowed = activity.steal_share;
  if (before.allowed && after.allowed && after.allowed->all > before.allowed->all &&
      after.allowed_cpus == before.allowed_cpus) {
    activity.allowed_cpus = after.allowed->cpus;
    activity.steal_share_allowed =
        std::clamp(static_cast<double>(after.allowed->steal - before.allowed->steal) /
                       static_cast<double>(after.allowed->all - before.allowed->all),
                   0.0, 1.0);
    const auto idle_allowed = static_cast<double>(after.allowed->idle - before.allowed->idle +
                                                  after.allowed->steal - before.allowed->steal);
    activity.busy_share_allowed = std::clamp(
        1 - idle_allowed / static_cast<double>(after.allowed->all - before.allowed->all), 0.0, 1.0);
    if (after.is_contained) {
      activity.hidden_cpus = HiddenCpus(before, after, visible, ticks_of_cpu);
    }
  }
  activity.busy_cpus = std::max(0.0, (all - idle - steal) / ticks_of_cpu);
  for (const auto& [number, process] : after.processes) {
    const std::int64_t ticks = visible.at(number);
    if (ticks > 0) {
      activity.processes.push_back({.group = process.group,
                                    .name = process.name,
                                    .cpus = static_cast<double>(ticks) / ticks_of_cpu,
                                    .elsewhere = IsElsewhere(process, after.allowed_cpus)});
    }
  }
  std::ranges::sort(activity.processes, std::greater<>(), &Activity::Process::cpus);
  return activity;
}

}  // namespace schedbench::harness

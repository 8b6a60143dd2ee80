#include "platform/machine/restrictions.hpp"

#include "platform/machine/cpu_list.hpp"
#include "platform/proc/cgroup.hpp"
#include "platform/proc/grant.hpp"
#include "platform/proc/machine_files.hpp"
#include "platform/proc/text.hpp"
#include "platform/threads/asymmetric_fence.hpp"
#include "platform/threads/cpu_switches.hpp"
#include "platform/threads/thread.hpp"

#include <fmt/format.h>

#include <cstdint>

#include <unistd.h>

namespace schedbench::platform {

namespace {

void AddCalls(const MachineFiles& files, std::vector<Restriction>& all) {
  if (std::string refusal; CpuSwitches::Open(0, refusal, 1) == nullptr) {
    // Debian's default: users may not count events, even of their own threads.
    constexpr std::int64_t kRefusesUsers = 3;
    const auto paranoid = WholeNumber(files.Read("/proc/sys/kernel/perf_event_paranoid"));
    all.push_back(
        {"perf events",
         fmt::format("no perf events ({}): no hardware counters, no preemptions, fewer samples",
                     refusal),
         paranoid && *paranoid >= kRefusesUsers && ::geteuid() != 0
             ? "sudo sysctl kernel.perf_event_paranoid=2"
             : GrantCapability("PERFMON")});
  }
  if (!light_fences_are_free) {
    all.push_back(
        {"membarrier",
         "membarrier(2) is refused: each use of a LIFO slot and each fork pays for a full fence",
         GrantSystemCalls()});
  }
}

void AddCpus(const MachineFiles& files, std::vector<Restriction>& all) {
  const std::uint32_t allowed = AllowedCpus();
  const std::uint32_t workers = AvailableCpus();
  const auto limit = ReadCpuLimit(files);
  if (limit && limit->cpus && *limit->cpus < allowed) {
    all.push_back({"quota",
                   fmt::format("a cgroup allows the time of {:.2f} CPUs: by default {} worker{}, "
                               "stopped when it is used up",
                               *limit->cpus, workers, workers == 1 ? "" : "s"),
                   GrantCpuTime(allowed, limit->file)});
  }
  const auto present = ParseCpuList(files.Read("/sys/devices/system/cpu/present").value_or(""))
                           .value_or(std::vector<int>());
  if (allowed == 1 && present.size() > 1) {
    all.push_back({"cpus",
                   fmt::format("1 of {} CPUs is allowed: nothing runs in parallel", present.size()),
                   GrantCpus(static_cast<std::uint32_t>(present.size()), CpuListText(present))});
  }
}

}  // namespace

std::vector<Restriction> FindRestrictions() {
  const MachineFiles files;
  std::vector<Restriction> all;
  AddCalls(files, all);
  AddCpus(files, all);
  const auto memory = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
                      static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  if (const auto limit = ReadMemoryLimit(files); limit && limit->bytes < memory) {
    all.push_back(
        {"memory limit",
         fmt::format("a cgroup allows {} MB of memory: a process that needs more is killed",
                     limit->bytes / 1'000'000),
         GrantMemory(limit->file)});
  }
  if (!files.Read("/proc/sys/vm/max_map_count")) {
    all.push_back({"/proc/sys",
                   "/proc/sys cannot be read: stacks are guarded as if vm.max_map_count were 65530",
                   GrantProcSys()});
  }
  return all;
}

}  // namespace schedbench::platform

#pragma once

#include "harness/machine/activity.hpp"
#include "platform/proc/cgroup.hpp"
#include "platform/proc/machine_files.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace schedbench::harness {

// Facts on disturbances of measurements, from the files of a machine. None: unknown.
struct MachineFacts {
  std::optional<bool> hypervisor;  // the CPU reports that it is virtual
  std::string product;             // "QEMU Standard PC"; "" if unknown

  std::vector<int> present;  // CPUs of the machine; empty: unknown
  std::vector<int> allowed;  // CPUs of this process by its affinity and its cgroup; empty: unknown
  std::vector<std::vector<int>> shared_cores;  // allowed CPUs that share a core, by core
  bool topology_known = false;

  std::vector<std::string> governors;  // governors of the allowed CPUs, each once
  std::optional<bool> turbo;           // the CPU may be faster as long as it is cool
  std::string turbo_switch;            // the file that reports `turbo`

  std::optional<platform::CpuLimit> cpu_limit;  // limit of the cgroup
  Activity activity;                            // activity over the sampling window

  std::optional<std::int64_t> swap_used_kib;
  // PSI: share of the last ten seconds that something waited for memory.
  std::optional<double> memory_pressure;
  std::optional<std::int64_t> perf_event_paranoid;
  bool hardware_counters = false;
  std::string huge_pages;                  // "always", "madvise", "never"; "" if unknown
  std::string clock_source;                // "tsc"; "" if unknown
  std::vector<std::string> clock_sources;  // the available clock sources
  std::optional<std::int64_t> timer_slack_ns;
  std::optional<std::int64_t> address_randomisation;
};

// Reads all facts. `before`: the activity when the sampling window began, which ends now.
MachineFacts ReadFacts(const platform::MachineFiles& files, const ActivityReading& before);

}  // namespace schedbench::harness

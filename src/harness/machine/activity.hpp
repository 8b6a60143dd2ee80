#pragma once

#include "platform/proc/machine_files.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace schedbench::harness {

// What a machine has done since it started, at a moment. Nothing: it does not say.
struct ActivityReading {
  struct CpuTime {
    std::int64_t all = 0;  // of all CPUs together, in the kernel's ticks of 10 ms
    std::int64_t steal = 0;
    std::int64_t idle = 0;
    std::int64_t interrupts = 0;  // which belong to no process
    std::int64_t cpus = 0;
  };
  struct Process {
    std::string name;
    std::int64_t parent = 0;
    std::int64_t group = 0;  // of processes
    std::int64_t ticks = 0;
    std::int64_t ended_children_ticks = 0;
    std::int64_t cpu = -1;  // on which it ran last; -1: it does not say, or has several threads
  };
  std::optional<CpuTime> cpu;
  std::optional<CpuTime> allowed;             // the same of the CPUs that this process may use
  std::vector<int> allowed_cpus;              // which these are
  std::map<std::int64_t, Process> processes;  // by their number, but for this one and its children
  std::map<std::int64_t, Process> children;   // of this process
  std::int64_t own_ticks = 0;                 // of this process and of children that have ended
  // This process has a PID namespace of its own: processes outside of it are not in these lists.
  bool is_contained = false;
  std::optional<std::int64_t> swapped_pages;  // in and out
  std::optional<std::int64_t> throttled;      // periods in which the cgroup had used up its quota
};

// Reads /proc. Thread-safe.
ActivityReading ReadActivity(const platform::MachineFiles& files);

// What a machine did between two readings.
struct Activity {
  struct Process {
    std::int64_t group;
    std::string name;
    double cpus;             // that it and children that have ended used: 0.5 is half a CPU
    bool elsewhere = false;  // on a CPU that this process may not use
  };
  std::int64_t cpus = 0;                      // that the machine has
  std::int64_t allowed_cpus = 0;              // of these, that this process may use
  double window_seconds = 0;                  // by the kernel's ticks; 0: too short to measure it
  std::optional<double> steal_share;          // of all CPU time
  std::optional<double> steal_share_allowed;  // likewise, of the CPUs that this process may use
  std::optional<double> steal_share_ever;     // likewise, since the machine started
  std::optional<double> busy_share_allowed;   // share of their time that was used
  std::optional<double> busy_cpus;            // CPUs that were used, also by this process
  std::vector<Process> processes;             // others, the busiest first
  // CPUs that no visible process accounts for, of those that this process may use. Only in a PID namespace, where others are
  // not visible: elsewhere the kernel's ticks make it inexact.
  double hidden_cpus = 0;
  std::optional<std::int64_t> running_now;  // threads that run or are ready to, this one too
  std::optional<double> load_average;       // of the last minute
  std::optional<std::int64_t> swapped_pages;
  std::optional<std::int64_t> throttled;
  std::optional<std::int64_t> throttled_ever;
};

// Pure.
Activity Between(const ActivityReading& before, const ActivityReading& after);

}  // namespace schedbench::harness

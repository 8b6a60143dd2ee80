#pragma once

#include "platform/proc/machine_files.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace schedbench::harness {

// A machine's activity from its start to a moment. None: unknown.
struct ActivityReading {
  struct CpuTime {
    std::int64_t all = 0;  // time of all CPUs together, in the kernel's ticks of 10 ms
    std::int64_t steal = 0;
    std::int64_t idle = 0;
    std::int64_t interrupts = 0;  // time that does not belong to a process
    std::int64_t cpus = 0;
  };
  struct Process {
    std::string name;
    std::int64_t parent = 0;
    std::int64_t group = 0;  // process group
    std::int64_t ticks = 0;
    std::int64_t ended_children_ticks = 0;
    std::int64_t cpu = -1;  // CPU on which it ran last; -1: unknown, or it has several threads
  };
  std::optional<CpuTime> cpu;
  std::optional<CpuTime> allowed;             // time of the CPUs that this process may use
  std::vector<int> allowed_cpus;              // numbers of these CPUs
  std::map<std::int64_t, Process> processes;  // others, by number, without children
  std::map<std::int64_t, Process> children;   // children of this process
  std::int64_t own_ticks = 0;  // ticks of this process and of children that have ended
  // This process has its own PID namespace: processes outside of it are not in these lists.
  bool is_contained = false;
  std::optional<std::int64_t> swapped_pages;  // pages swapped in and out
  std::optional<std::int64_t> throttled;      // periods in which the cgroup had used up its quota
};

// Reads /proc. Thread-safe.
ActivityReading ReadActivity(const platform::MachineFiles& files);

// A machine's activity between two readings.
struct Activity {
  struct Process {
    std::int64_t group;
    std::string name;
    double cpus;             // used by it and by children that have ended: 0.5 is half a CPU
    bool elsewhere = false;  // it ran on a CPU that this process may not use
  };
  std::int64_t cpus = 0;              // CPUs of the machine
  std::int64_t allowed_cpus = 0;      // CPUs that this process may use
  double window_seconds = 0;          // seconds by the kernel's ticks; 0: too short to measure
  std::optional<double> steal_share;  // share of all CPU time
  std::optional<double> steal_share_allowed;  // share of the time of allowed CPUs
  std::optional<double> steal_share_ever;     // share of all CPU time since the machine started
  std::optional<double> busy_share_allowed;   // used share of the time of allowed CPUs
  std::optional<double> busy_cpus;            // CPUs that were used, also by this process
  std::vector<Process> processes;             // other processes, the busiest first
  // Allowed CPUs that no visible process accounts for. Only in a PID namespace, where others are
  // invisible: without one the kernel's ticks make it inexact.
  double hidden_cpus = 0;
  // Threads that run or are ready to run, including this one.
  std::optional<std::int64_t> running_now;
  std::optional<double> load_average;  // average of the last minute
  std::optional<std::int64_t> swapped_pages;
  std::optional<std::int64_t> throttled;
  std::optional<std::int64_t> throttled_ever;
};

// Returns what happened between the readings. Pure.
Activity Between(const ActivityReading& before, const ActivityReading& after);

}  // namespace schedbench::harness

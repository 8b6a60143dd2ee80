#pragma once

#include "platform/machine/restrictions.hpp"
#include "platform/proc/machine_files.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace schedbench::platform {

// The conditions of a result besides the program. Nothing here identifies the machine's owner.
struct MachineInfo {
  std::string cpu_model;           // "unknown" if the kernel does not report it
  std::string architecture;        // "x86_64"
  std::uint32_t cpus_online = 0;   // CPUs of the machine
  std::uint32_t cpus_allowed = 0;  // allowed to this process
  std::string cpu_list;            // the allowed ones in taskset's form: "0-3,8"
  std::string governor;            // governor of the first allowed CPU, or "unknown"
  bool virtualised = false;        // a hypervisor is below
  std::uint64_t memory_bytes = 0;  // memory of the machine
  std::uint64_t page_bytes = 0;
  std::string kernel;                    // "Linux 6.1.0-18-amd64"
  std::array<double, 3> load_average{};  // averages of 1, 5 and 15 minutes, at the time of the call
  std::vector<Restriction> restrictions{};
};

// Reads /proc and /sys. Never fails: unknown values are "unknown" or 0. Thread-safe.
MachineInfo ThisMachine();

// Returns the name of this machine in its network, or "". Thread-safe.
std::string HostName();

// Returns the governor of a CPU's frequency, like "performance"; nothing if it is not reported.
std::optional<std::string> GovernorOf(const MachineFiles& files, int cpu);

// Returns whether the CPU reports a hypervisor; nothing if it reports no features.
std::optional<bool> HasHypervisor(const MachineFiles& files);

// Returns the most bytes that this process has had in RAM so far.
std::uint64_t PeakResidentBytes() noexcept;

}  // namespace schedbench::platform

#pragma once

#include "platform/machine/restrictions.hpp"
#include "platform/proc/machine_files.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace schedbench::platform {

// What a result depends on besides the program. Nothing here identifies the machine's owner.
struct MachineInfo {
  std::string cpu_model;           // "unknown" where the kernel does not say
  std::string architecture;        // "x86_64"
  std::uint32_t cpus_online = 0;   // of the machine
  std::uint32_t cpus_allowed = 0;  // to this process
  std::string cpu_list;            // these, as taskset writes them: "0-3,8"
  std::string governor;            // of the first of these; "unknown" where the kernel does not say
  bool virtualised = false;        // a hypervisor is below
  std::uint64_t memory_bytes = 0;  // of the machine
  std::uint64_t page_bytes = 0;
  std::string kernel;                    // "Linux 6.1.0-18-amd64"
  std::array<double, 3> load_average{};  // of 1, 5 and 15 minutes, at the time of the call
  std::vector<Restriction> restrictions{};
};

// Reads /proc and /sys. Thread-safe. Never fails: what cannot be found out is "unknown" or 0.
MachineInfo ThisMachine();

// Returns the name of this machine in its network; "" where it has none. Thread-safe.
std::string HostName();

// The governor that sets the frequency of a CPU: "performance". Nothing where the kernel does not say, as in virtual machines.
std::optional<std::string> GovernorOf(const MachineFiles& files, int cpu);

// Whether the CPU says that a hypervisor is below. Nothing where it says nothing of its features.
std::optional<bool> HasHypervisor(const MachineFiles& files);

// Returns the most memory that this process has had in RAM so far, in bytes.
std::uint64_t PeakResidentBytes() noexcept;

}  // namespace schedbench::platform

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// Functions that return how to grant something that this process lacks: a command, an option or a
// setting. It depends on what started the process. Kubernetes and Slurm are recognized by their
// variables, systemd by the name of the control group with the limit; others get Docker's option,
// which most container tools share. Thread-safe.

namespace schedbench::platform {

// Returns how to grant system calls that a filter refuses.
std::string GrantSystemCalls();

// Returns how to grant a capability, named without its prefix: "SYS_PTRACE".
std::string GrantCapability(std::string_view name);

// Returns how to grant files in /proc/sys.
std::string GrantProcSys();

// Returns how to grant CPUs by their numbers: "0-3".
std::string GrantCpus(std::uint32_t count, std::string_view numbers);

// Return how to grant more CPU time or memory than the control group of this file allows.
std::string GrantCpuTime(std::uint32_t cpus, std::string_view file);
std::string GrantMemory(std::string_view file);

}  // namespace schedbench::platform

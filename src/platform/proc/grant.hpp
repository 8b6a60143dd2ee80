#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// Functions that return how to grant something that this process lacks: a command, an option or a
// setting. It depends on what started the process. Kubernetes and Slurm are recognized by their
// variables, systemd by the name of the control group with the limit; others get Docker's option,
// which most container tools share. Thread-safe.

namespace schedbench::platform {

// Grants system calls that a filter refuses.
std::string GrantSystemCalls();

// Grants a capability, named without its prefix: "SYS_PTRACE".
std::string GrantCapability(std::string_view name);

// Grants files in /proc/sys.
std::string GrantProcSys();

// Grants CPUs by their numbers: "0-3".
std::string GrantCpus(std::uint32_t count, std::string_view numbers);

// Grant more CPU time or memory than the control group of this file allows.
std::string GrantCpuTime(std::uint32_t cpus, std::string_view file);
std::string GrantMemory(std::string_view file);

}  // namespace schedbench::platform

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// What grants something that this process lacks. It depends on what started the process: Kubernetes
// and Slurm are recognized by their variables, systemd by the name of the control group that has
// the limit. All else gets the option of Docker, which other container tools share.

namespace schedbench::platform {

// The option of Docker, or in a pod, the field of its specification.
std::string GrantByContainer(std::string_view docker_option, std::string_view pod_field);

// `file`: the file of the control group with the limit; "" if it is not known.
std::string GrantCpus(std::uint32_t cpus, std::string_view file);
std::string GrantMemory(std::string_view file);

}  // namespace schedbench::platform

#include "platform/machine/grant.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace schedbench::platform {

namespace {

bool IsPod() {
  return std::getenv("KUBERNETES_SERVICE_HOST") != nullptr;
}

bool IsSlurmJob() {
  return std::getenv("SLURM_JOB_ID") != nullptr;
}

// Returns the systemd unit of a control group's file, "" for a group of something else. A container
// has a unit too where its group is below systemd's; a limit of it is the container's.
std::string_view UnitOf(std::string_view file) {
  const std::string_view folder = file.substr(0, file.rfind('/'));
  const std::string_view name = folder.substr(folder.rfind('/') + 1);
  for (const std::string_view tool : {"docker-", "libpod-", "crio-", "cri-containerd-"}) {
    if (name.starts_with(tool)) {
      return "";
    }
  }
  for (const std::string_view kind : {".slice", ".service", ".scope"}) {
    if (name.ends_with(kind)) {
      return name;
    }
  }
  return "";
}

std::string SetProperty(std::string_view unit, std::string_view property) {
  return fmt::format("sudo systemctl set-property --runtime {} {}", unit, property);
}

}  // namespace

std::string GrantByContainer(std::string_view docker_option, std::string_view pod_field) {
  return IsPod() ? fmt::format("{} in the specification of the pod", pod_field)
                 : fmt::format("docker run {}", docker_option);
}

std::string GrantCpus(std::uint32_t cpus, std::string_view file) {
  if (IsSlurmJob()) {
    return fmt::format("srun --cpus-per-task {}", cpus);
  }
  if (const std::string_view unit = UnitOf(file); !unit.empty()) {
    return SetProperty(unit, "CPUQuota=");
  }
  return GrantByContainer(fmt::format("--cpus {}", cpus), "resources.limits.cpu");
}

std::string GrantMemory(std::string_view file) {
  if (IsSlurmJob()) {
    return "srun --mem 4G";
  }
  if (const std::string_view unit = UnitOf(file); !unit.empty()) {
    return SetProperty(unit, "MemoryMax=infinity");
  }
  return GrantByContainer("--memory 4g", "resources.limits.memory");
}

}  // namespace schedbench::platform

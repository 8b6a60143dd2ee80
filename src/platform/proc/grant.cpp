#include "platform/proc/grant.hpp"

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

// Returns Docker's option, or in a pod the field of its specification.
std::string ByContainer(std::string_view docker_option, std::string_view pod_field) {
  return IsPod() ? fmt::format("{} in the specification of the pod", pod_field)
                 : fmt::format("docker run {}", docker_option);
}

// Returns the systemd unit of a control group's file, or "". If a container's group is a unit, the
// container's manager would overwrite a property of the unit.
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

struct Limit {
  std::string slurm;
  std::string_view property;  // systemd's setting for no limit
  std::string docker;
  std::string_view pod;
};

std::string GrantLimit(const Limit& limit, std::string_view file) {
  if (IsSlurmJob()) {
    return fmt::format("srun {}", limit.slurm);
  }
  if (IsPod() || file.empty()) {
    return ByContainer(limit.docker, limit.pod);
  }
  if (const std::string_view unit = UnitOf(file); !unit.empty()) {
    // A user's manager has the units below its own.
    const bool is_users = file.substr(0, file.rfind(unit)).find("/user@") != file.npos;
    return fmt::format("{} set-property --runtime {} {}",
                       is_users ? "systemctl --user" : "sudo systemctl", unit, limit.property);
  }
  return fmt::format("{}, or a larger number in {}", ByContainer(limit.docker, limit.pod), file);
}

}  // namespace

std::string GrantSystemCalls() {
  return ByContainer("--security-opt seccomp=unconfined",
                     "securityContext.seccompProfile.type: Unconfined");
}

std::string GrantCapability(std::string_view name) {
  return ByContainer(fmt::format("--cap-add {}", name),
                     fmt::format("securityContext.capabilities.add: [{}]", name));
}

std::string GrantProcSys() {
  return ByContainer("--security-opt systempaths=unconfined",
                     "securityContext.procMount: Unmasked");
}

std::string GrantCpus(std::uint32_t count, std::string_view numbers) {
  return IsSlurmJob() ? fmt::format("srun --cpus-per-task {}", count)
                      : ByContainer(fmt::format("--cpuset-cpus {0}; without a container, "
                                                "taskset -c {0}",
                                                numbers),
                                    "resources.limits.cpu");
}

std::string GrantCpuTime(std::uint32_t cpus, std::string_view file) {
  return GrantLimit({.slurm = fmt::format("--cpus-per-task {}", cpus),
                     .property = "CPUQuota=",
                     .docker = fmt::format("--cpus {}", cpus),
                     .pod = "resources.limits.cpu"},
                    file);
}

std::string GrantMemory(std::string_view file) {
  return GrantLimit({.slurm = "--mem 4G",
                     .property = "MemoryMax=infinity",
                     .docker = "--memory 4g",
                     .pod = "resources.limits.memory"},
                    file);
}

}  // namespace schedbench::platform

#include "platform/proc/grant.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace schedbench::platform::grant_test {

namespace {

// The environment of a plain shell.
class Grant : public testing::Test {
 protected:
  Grant() {
    Clear();
  }

  ~Grant() override {
    Clear();
  }

 private:
  static void Clear() {
    ::unsetenv("KUBERNETES_SERVICE_HOST");
    ::unsetenv("SLURM_JOB_ID");
  }
};

TEST_F(Grant, IsAnOptionOfDockerWhereNothingElseIsKnown) {
  EXPECT_EQ(GrantCapability("PERFMON"), "docker run --cap-add PERFMON");
  EXPECT_EQ(GrantCpuTime(2, "/sys/fs/cgroup/cpu.max"),
            "docker run --cpus 2, or a larger number in /sys/fs/cgroup/cpu.max");
  EXPECT_EQ(GrantMemory(""), "docker run --memory 4g");
  EXPECT_EQ(GrantCpus(4, "0-3"),
            "docker run --cpuset-cpus 0-3; without a container, taskset -c 0-3");
}

TEST_F(Grant, IsAFieldOfThePodInKubernetes) {
  ::setenv("KUBERNETES_SERVICE_HOST", "10.0.0.1", 1);
  EXPECT_EQ(GrantCapability("PERFMON"),
            "securityContext.capabilities.add: [PERFMON] in the specification of the pod");
  // The groups of the host may be visible.
  EXPECT_EQ(GrantCpuTime(2, "/sys/fs/cgroup/kubepods.slice/kubepods-pod1.slice/cpu.max"),
            "resources.limits.cpu in the specification of the pod");
}

TEST_F(Grant, IsAnOptionOfSrunInAJobOfSlurm) {
  ::setenv("SLURM_JOB_ID", "7", 1);
  EXPECT_EQ(GrantCpuTime(2, "/sys/fs/cgroup/system.slice/slurmstepd.scope/job_7/cpu.max"),
            "srun --cpus-per-task 2");
  EXPECT_EQ(GrantCpus(2, "0-1"), "srun --cpus-per-task 2");
  EXPECT_EQ(GrantMemory(""), "srun --mem 4G");
}

TEST_F(Grant, IsAPropertyOfTheSystemdUnitThatHasTheLimit) {
  EXPECT_EQ(GrantCpuTime(2, "/sys/fs/cgroup/user.slice/user-1000.slice/cpu.max"),
            "sudo systemctl set-property --runtime user-1000.slice CPUQuota=");
  EXPECT_EQ(GrantMemory("/sys/fs/cgroup/system.slice/bench.service/memory.max"),
            "sudo systemctl set-property --runtime bench.service MemoryMax=infinity");
  EXPECT_EQ(GrantMemory("/cg/user.slice/user-7.slice/user@7.service/app.slice/r.scope/memory.max"),
            "systemctl --user set-property --runtime r.scope MemoryMax=infinity");
  EXPECT_TRUE(GrantMemory("/sys/fs/cgroup/system.slice/docker-0123.scope/memory.max")
                  .starts_with("docker run --memory 4g"));
}

}  // namespace

}  // namespace schedbench::platform::grant_test

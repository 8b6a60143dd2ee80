#include "platform/machine/grant.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace schedbench::platform::grant_test {

namespace {

// The variables are those of a plain shell, and of nothing else.
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
  EXPECT_EQ(GrantByContainer("--cap-add PERFMON", "capabilities"), "docker run --cap-add PERFMON");
  EXPECT_EQ(GrantCpus(2, "/sys/fs/cgroup/cpu.max"), "docker run --cpus 2");
  EXPECT_EQ(GrantMemory(""), "docker run --memory 4g");
}

TEST_F(Grant, IsAFieldOfThePodInKubernetes) {
  ::setenv("KUBERNETES_SERVICE_HOST", "10.0.0.1", 1);
  EXPECT_EQ(GrantByContainer("--cap-add PERFMON", "capabilities.add"),
            "capabilities.add in the specification of the pod");
  EXPECT_EQ(GrantCpus(2, "/sys/fs/cgroup/cpu.max"),
            "resources.limits.cpu in the specification of the pod");
}

TEST_F(Grant, IsAnOptionOfSrunInAJobOfSlurm) {
  ::setenv("SLURM_JOB_ID", "7", 1);
  EXPECT_EQ(GrantCpus(2, "/sys/fs/cgroup/system.slice/slurmstepd.scope/job_7/cpu.max"),
            "srun --cpus-per-task 2");
  EXPECT_EQ(GrantMemory(""), "srun --mem 4G");
}

TEST_F(Grant, IsAPropertyOfTheSystemdUnitThatHasTheLimit) {
  EXPECT_EQ(GrantCpus(2, "/sys/fs/cgroup/user.slice/user-1000.slice/cpu.max"),
            "sudo systemctl set-property --runtime user-1000.slice CPUQuota=");
  EXPECT_EQ(GrantMemory("/sys/fs/cgroup/system.slice/bench.service/memory.max"),
            "sudo systemctl set-property --runtime bench.service MemoryMax=infinity");
  // The unit of a container is its manager's, which would overwrite a property.
  EXPECT_EQ(GrantMemory("/sys/fs/cgroup/system.slice/docker-0123.scope/memory.max"),
            "docker run --memory 4g");
}

}  // namespace

}  // namespace schedbench::platform::grant_test

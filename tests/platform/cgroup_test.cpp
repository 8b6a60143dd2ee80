#include "platform/proc/cgroup.hpp"

#include "tests/support/fake_machine.hpp"

#include <gtest/gtest.h>

namespace schedbench::platform::cgroup_test {

namespace {

using tests::FakeMachine;

TEST(Cgroup, OfASecondVersionLimitsWhatIsBelow) {
  const FakeMachine machine;
  machine.WriteQuiet();
  machine.Write("/sys/fs/cgroup/a/cpu.max", "50000 100000");
  machine.Write("/sys/fs/cgroup/a/b/memory.max", "max");
  machine.Write("/sys/fs/cgroup/a/b/memory.current", "1000");
  machine.Write("/sys/fs/cgroup/a/memory.max", "9000");
  machine.Write("/sys/fs/cgroup/a/memory.current", "5000");
  machine.Write("/sys/fs/cgroup/a/memory.stat", "anon 1\ninactive_file 2000");
  machine.Write("/sys/fs/cgroup/a/b/memory.events", "oom 5\noom_kill 3");
  const auto cpu = ReadCpuLimit(machine.Files());
  ASSERT_TRUE(cpu);
  EXPECT_EQ(cpu->cpus, 0.5);
  const auto memory = ReadMemoryLimit(machine.Files());
  ASSERT_TRUE(memory);
  EXPECT_EQ(memory->bytes, 9000U);
  EXPECT_EQ(memory->file, "/sys/fs/cgroup/a/memory.max");
  EXPECT_EQ(memory->free_bytes, 6000U);
  EXPECT_EQ(ReadMemoryKills(machine.Files()), 3);
}

// A container of Docker with its own groups in it: the first version, and the path of the host.
TEST(Cgroup, BelowTheRootOfAMountIsFound) {
  const FakeMachine machine;
  machine.Write("/proc/self/cgroup", "4:memory:/docker/1/tests\n3:cpu,cpuacct:/docker/1/tests");
  machine.Write("/proc/self/mountinfo",
                "40 30 0:30 /docker/1 /cg/cpu rw master:9 - cgroup cgroup rw,cpu,cpuacct\n"
                "41 30 0:31 /docker/1 /cg/memory rw - cgroup cgroup rw,memory");
  machine.Write("/cg/cpu/cpu.cfs_quota_us", "-1");
  machine.Write("/cg/cpu/cpu.cfs_period_us", "100000");
  machine.Write("/cg/cpu/tests/cpu.cfs_quota_us", "150000");
  machine.Write("/cg/cpu/tests/cpu.cfs_period_us", "100000");
  machine.Write("/cg/memory/tests/memory.limit_in_bytes", "9223372036854771712");
  machine.Write("/cg/memory/tests/memory.usage_in_bytes", "7000");
  machine.Write("/cg/memory/memory.limit_in_bytes", "10000");
  machine.Write("/cg/memory/memory.usage_in_bytes", "7000");
  machine.Write("/cg/memory/memory.stat", "inactive_file 9\ntotal_inactive_file 1000");
  const auto cpu = ReadCpuLimit(machine.Files());
  ASSERT_TRUE(cpu);
  EXPECT_EQ(cpu->cpus, 1.5);
  EXPECT_EQ(cpu->file, "/cg/cpu/tests/cpu.cfs_quota_us");
  const auto memory = ReadMemoryLimit(machine.Files());
  ASSERT_TRUE(memory);
  EXPECT_EQ(memory->bytes, 10000U);
  EXPECT_EQ(memory->free_bytes, 4000U);
}

TEST(Cgroup, HasNoLimitWhereNoHierarchyIsMounted) {
  const FakeMachine machine;
  machine.Write("/proc/self/cgroup", "0::/a");
  EXPECT_FALSE(ReadCpuLimit(machine.Files()));
  EXPECT_FALSE(ReadThrottled(machine.Files()));
  EXPECT_FALSE(ReadMemoryLimit(machine.Files()));
  EXPECT_EQ(ReadMemoryKills(machine.Files()), 0);
}

}  // namespace

}  // namespace schedbench::platform::cgroup_test

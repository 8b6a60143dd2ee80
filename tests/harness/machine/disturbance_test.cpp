#include "harness/machine/disturbance.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace schedbench::harness::disturbance_test {

namespace {

// Two CPUs for a second, on which an agent and others ran.
Activity ASecondWith(std::vector<Activity::Process> processes) {
  Activity activity;
  activity.cpus = 2;
  activity.allowed_cpus = 2;
  activity.window_seconds = 1;
  activity.processes = std::move(processes);
  return activity;
}

const std::vector<std::int64_t> kAgents{7};

TEST(Disturbance, IsWhatOthersTakeAndNotTheAgents) {
  const Disturbance agents = DisturbanceOf(ASecondWith({{.group = 7, .name = "fast", .cpus = 1.9},
                                                        {.group = 8, .name = "sh", .cpus = 0.1}}),
                                           kAgents);
  EXPECT_DOUBLE_EQ(agents.others_share, 0.05);
  EXPECT_FALSE(agents.IsSignificant());
  const Disturbance others =
      DisturbanceOf(ASecondWith({{.group = 7, .name = "fast", .cpus = 1.2},
                                 {.group = 8, .name = "cc1plus", .cpus = 0.6},
                                 {.group = 9, .name = "ld", .cpus = 0.2}}),
                    kAgents);
  EXPECT_DOUBLE_EQ(others.others_share, 0.4);
  EXPECT_TRUE(others.IsSignificant());
  EXPECT_EQ(ToText(others), "other programs took 40 % of the CPU time (cc1plus)");
}

TEST(Disturbance, IsAlsoWhatTheHostAndTheQuotaTakeAway) {
  Activity activity = ASecondWith({});
  EXPECT_FALSE(DisturbanceOf(activity, kAgents).IsSignificant());
  activity.steal_share_allowed = 0.031;
  EXPECT_EQ(ToText(DisturbanceOf(activity, kAgents)),
            "others on the host took 3.1 % of the CPU time");
  EXPECT_TRUE(DisturbanceOf(activity, kAgents).IsSignificant());
  activity.throttled = 2;
  EXPECT_EQ(ToText(DisturbanceOf(activity, kAgents)),
            "the cgroup's quota of CPU time was used up 2 times");
}

// As where the benchmark has two CPUs of many to itself, or has to share them.
TEST(Disturbance, IsOnTheCpusThatAreMeasuredOn) {
  Activity activity = ASecondWith({{.group = 8, .name = "cc1plus", .cpus = 30, .elsewhere = true},
                                   {.group = 9, .name = "ld", .cpus = 0.5}});
  activity.cpus = 64;
  const Disturbance disturbance = DisturbanceOf(activity, kAgents);
  EXPECT_DOUBLE_EQ(disturbance.others_share, 0.25);
  EXPECT_EQ(disturbance.busiest, "ld");
  activity.processes.front().elsewhere = false;
  activity.busy_share_allowed = 0.75;
  EXPECT_DOUBLE_EQ(DisturbanceOf(activity, kAgents).others_share, 0.75) << "no more than there is";
}

TEST(Activity, DistinguishesTheAllowedCpusFromTheOthers) {
  ActivityReading before;
  before.cpu = {.all = 1000, .steal = 0, .idle = 900, .cpus = 4};
  before.allowed = {.all = 500, .steal = 0, .idle = 500, .cpus = 2};
  before.allowed_cpus = {2, 3};
  before.processes = {{1, {.name = "here", .group = 1, .ticks = 0, .cpu = 0}},
                      {2, {.name = "there", .group = 2, .ticks = 0, .cpu = 2}},
                      {3, {.name = "silent", .group = 3, .ticks = 0}}};
  ActivityReading after = before;
  after.cpu = {.all = 1400, .steal = 10, .idle = 1000, .cpus = 4};
  after.allowed = {.all = 700, .steal = 10, .idle = 600, .cpus = 2};
  after.processes[1] = {.name = "here", .group = 1, .ticks = 30, .cpu = 3};
  after.processes[2] = {.name = "there", .group = 2, .ticks = 20, .cpu = 1};
  after.processes[3].ticks = 10;
  const Activity activity = Between(before, after);
  EXPECT_EQ(activity.allowed_cpus, 2);
  EXPECT_DOUBLE_EQ(*activity.steal_share, 0.025);
  EXPECT_DOUBLE_EQ(*activity.steal_share_allowed, 0.05);
  ASSERT_EQ(activity.processes.size(), 3U);
  EXPECT_FALSE(activity.processes[0].elsewhere);
  EXPECT_TRUE(activity.processes[1].elsewhere);
  EXPECT_FALSE(activity.processes[2].elsewhere) << "its CPU is unknown";
}

// As in a container: the CPU times are those of the machine, and only the processes of the
// container have an entry.
TEST(Disturbance, IsAlsoWhatNoVisibleProcessAccountsForInAPidNamespace) {
  ActivityReading before;
  before.cpu = {.all = 1000, .steal = 0, .idle = 900, .cpus = 2};
  before.allowed = before.cpu;
  before.allowed_cpus = {0, 1};
  before.own_ticks = 50;
  before.children = {{7, {.name = "agent", .parent = 1, .group = 7, .ticks = 40}}};
  before.is_contained = true;
  ActivityReading after = before;
  after.cpu = {.all = 1200, .steal = 0, .idle = 900, .cpus = 2};
  after.allowed = after.cpu;
  // The agent has used 90 ticks and has ended, another one 10.
  after.own_ticks = 50 + 40 + 90;
  after.children = {{8, {.name = "agent", .parent = 1, .group = 8, .ticks = 10}}};
  const Disturbance disturbance = DisturbanceOf(Between(before, after), {7, 8});
  EXPECT_DOUBLE_EQ(disturbance.others_share, 0.5);
  EXPECT_EQ(ToText(disturbance),
            "other programs took 50 % of the CPU time (not visible here, or ended)");
  after.is_contained = false;
  EXPECT_FALSE(DisturbanceOf(Between(before, after), {7, 8}).IsSignificant());
}

TEST(Activity, GivesTheTimeOfAProcessThatHasEndedToItsParent) {
  ActivityReading before;
  before.cpu = before.allowed = {.all = 1000, .steal = 0, .idle = 900, .cpus = 2};
  before.allowed_cpus = {0, 1};
  before.is_contained = true;
  before.children = {{7, {.name = "agent", .parent = 1, .group = 7, .ticks = 10}}};
  before.processes = {{9, {.name = "make", .parent = 2, .group = 9, .ended_children_ticks = 700}},
                      {10, {.name = "cc1plus", .parent = 9, .group = 9, .ticks = 300}},
                      {11, {.name = "helper", .parent = 7, .group = 7, .ticks = 5}}};
  ActivityReading after = before;
  after.cpu = after.allowed = {.all = 1200, .steal = 0, .idle = 920, .cpus = 2};
  // cc1plus used 60 more ticks and ended. So did the helper of the agent, after 20, and another one
  // that lived for 40.
  after.processes.erase(10);
  after.processes.erase(11);
  after.processes[9].ended_children_ticks += 360;
  after.children[7] = {.name = "agent", .parent = 1, .group = 7, .ticks = 30};
  after.children[7].ended_children_ticks = 25 + 40;
  const Activity activity = Between(before, after);
  ASSERT_EQ(activity.processes.size(), 1U);
  EXPECT_EQ(activity.processes[0].name, "make");
  EXPECT_DOUBLE_EQ(activity.processes[0].cpus, 0.6);
  EXPECT_DOUBLE_EQ(activity.hidden_cpus, 0.4) << "180 ticks, of which 60, 20 and 60 are known";
}

TEST(Activity, GivesTheTimeOfEndedProcessesToTheAncestorThatLives) {
  ActivityReading before;
  before.cpu = before.allowed = {.all = 1000, .steal = 0, .idle = 900, .cpus = 2};
  before.allowed_cpus = {0, 1};
  before.processes = {{9, {.name = "make", .parent = 2, .group = 9}},
                      {10, {.name = "sh", .parent = 9, .group = 9, .ticks = 1}},
                      {11, {.name = "gcc", .parent = 10, .group = 9, .ticks = 400}}};
  ActivityReading after = before;
  after.cpu = after.allowed = {.all = 1200, .steal = 0, .idle = 1090, .cpus = 2};
  after.processes.erase(10);
  after.processes.erase(11);
  after.processes[9].ended_children_ticks = 1 + 400 + 10;
  const Activity activity = Between(before, after);
  ASSERT_EQ(activity.processes.size(), 1U);
  EXPECT_DOUBLE_EQ(activity.processes[0].cpus, 0.1) << "gcc had used its 400 ticks before";
}

TEST(Disturbance, IsNotSignificantForAMomentOrForAMachineThatReportsNothing) {
  Activity activity = ASecondWith({{.group = 8, .name = "sh", .cpus = 2}});
  activity.window_seconds = 0.02;
  EXPECT_FALSE(DisturbanceOf(activity, kAgents).IsSignificant());
  EXPECT_FALSE(DisturbanceOf(Activity(), kAgents).IsSignificant());
}

}  // namespace

}  // namespace schedbench::harness::disturbance_test

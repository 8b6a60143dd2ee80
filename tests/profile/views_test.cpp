#include "profile/views.hpp"

#include "tests/profile/example.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace schedbench::profile::views_test {

namespace {

std::uint64_t Sum(const FoldedStacks& stacks, std::string_view begin) {
  std::uint64_t sum = 0;
  for (const auto& [stack, weight] : stacks) {
    sum += stack.starts_with(begin) ? weight : 0;
  }
  return sum;
}

TEST(WallTime, OfAWorkerAddsUpToItsTime) {
  const std::vector<WorkerTime> times{
      {.worker = 0, .wall_ns = 10'000'000, .cpu_ns = 4'000'000, .queued_ns = 1'000'000},
      {.worker = 1, .wall_ns = 20'000'000, .cpu_ns = 6'000'000, .queued_ns = std::nullopt}};
  const FoldedStacks stacks = WallTime(ExampleProfile(), times);
  EXPECT_NEAR(static_cast<double>(Sum(stacks, "worker 0;")), 10e6, 5);
  EXPECT_NEAR(static_cast<double>(Sum(stacks, "worker 3;")), 20e6, 5);
  EXPECT_EQ(stacks.at("worker 0;worker:preempted"), 1'000'000u);
  EXPECT_EQ(stacks.at("worker 0;worker:asleep"), 5'000'000u);
  EXPECT_EQ(stacks.at("worker 3;worker:asleep"), 14'000'000u);
  EXPECT_FALSE(stacks.contains("worker 3;worker:preempted"));
}

TEST(WallTime, AddsUpThreadsThatWereOneWorkerAfterTheOther) {
  const std::vector<WorkerTime> times{
      {.worker = 0, .wall_ns = 3'000'000, .cpu_ns = 1'000'000, .queued_ns = 0},
      {.worker = 0, .wall_ns = 5'000'000, .cpu_ns = 3'000'000, .queued_ns = 0}};
  EXPECT_NEAR(static_cast<double>(Sum(WallTime(ExampleProfile(), times), "worker 0;")), 8e6, 5);
}

TEST(WallTime, OfAWorkerWithoutSamplesIsItsSleep) {
  StackProfile profile;
  profile.workers = {{.index = 2, .thread = 7}};
  EXPECT_EQ(WallTime(profile, {{.worker = 0, .wall_ns = 500, .cpu_ns = 100, .queued_ns = 50}}),
            (FoldedStacks{{"worker 2;worker:asleep", 350}, {"worker 2;worker:preempted", 50}}));
}

TEST(HottestFrames, CountAFunctionOnceForEachSample) {
  StackProfile profile;
  profile.workers = {{.index = 0, .thread = 1}};
  const FrameId fiber = profile.Add({.name = "fiber:f", .module = "[fiber]", .is_code = false});
  const FrameId recurse = profile.Add({.name = "Recurse", .module = "/x", .address = 1});
  const FrameId leaf = profile.Add({.name = "Leaf", .module = "/x", .address = 2});
  const StackId deep = profile.AddStack(std::array{recurse, recurse, leaf});
  const StackId shallow = profile.AddStack(std::array{recurse});
  const Sample sample{
      .time_ns = 0, .weight_ns = 1, .worker = 0, .cpu = 0, .owner = fiber, .stack = deep};
  profile.samples = {sample, sample, sample, sample};
  profile.samples.back().stack = shallow;
  const auto frames = HottestFrames(profile, 10);
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_EQ(frames[0].name, "Leaf");
  EXPECT_DOUBLE_EQ(frames[0].self, 0.75);
  EXPECT_DOUBLE_EQ(frames[1].self, 0.25);
  EXPECT_DOUBLE_EQ(frames[1].total, 1.0);
  EXPECT_EQ(HottestFrames(profile, 1).size(), 1u);
  EXPECT_TRUE(HottestFrames(StackProfile(), 1).empty());
}

}  // namespace

}  // namespace schedbench::profile::views_test

// The split of workers' time, of samples and times that are made up.
#include "harness/audit/time_split.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

namespace schedbench::tests::time_split_test {

namespace {

using harness::TimeUse;

constexpr std::uint64_t kMs = 1'000'000;

profile::Frame Function(std::string name, std::string module = "/bin/tool", std::string file = "") {
  return {.name = std::move(name), .module = std::move(module), .file = std::move(file)};
}

profile::Frame Owner(std::string name) {
  return {.name = std::move(name), .module = "[worker]", .is_code = false};
}

TimeUse UseOf(const profile::Frame& owner, const std::vector<profile::Frame>& calls) {
  std::vector<const profile::Frame*> pointers;
  for (const profile::Frame& call : calls) {
    pointers.push_back(&call);
  }
  return harness::UseOf(owner, pointers);
}

const profile::Frame kFiber = Owner("fiber:main.cpp:1");
const profile::Frame kGo = Function("schedbench::fibers::Go<X>::FiberOf::Body");
const profile::Frame kBody = Function("schedbench::workloads::{anonymous}::X::Run");

TEST(UseOf, IsTheBodyUntilItCallsTheRuntime) {
  EXPECT_EQ(UseOf(kFiber, {kGo, kBody}), TimeUse::kBody);
  EXPECT_EQ(UseOf(kFiber, {kGo, kBody, Function("std::sort"), Function("memcpy", "/libc.so.6")}),
            TimeUse::kBody);
  EXPECT_EQ(UseOf(kFiber, {kGo, kBody, Function("schedbench::fibers::Yield")}), TimeUse::kSwitch);
  EXPECT_EQ(UseOf(kFiber, {kGo}), TimeUse::kSwitch);
  EXPECT_EQ(UseOf(Owner("worker:run"), {Function("schedbench::fibers::FiberThread::RunLoop")}),
            TimeUse::kSwitch);
}

TEST(UseOf, GivesHelpersToTheirCaller) {
  EXPECT_EQ(UseOf(kFiber, {kGo, kBody, Function("schedbench::MixSeed")}), TimeUse::kBody);
  EXPECT_EQ(UseOf(kFiber, {kGo, kBody, Function("schedbench::fibers::Yield"),
                           Function("schedbench::platform::NowNs")}),
            TimeUse::kSwitch);
}

TEST(UseOf, CountsASchedulerOfTheUserAsTheRuntimeWhereTheRuntimeCallsIt) {
  EXPECT_EQ(UseOf(kFiber, {kGo, kBody, Function("schedbench::fibers::Yield"),
                           Function("mine::Pool::Submit")}),
            TimeUse::kSwitch);
  EXPECT_EQ(UseOf(kFiber, {kGo, Function("mine::Work")}), TimeUse::kBody);
}

TEST(UseOf, PlacesALambdaByItsFile) {
  EXPECT_EQ(UseOf(kFiber, {kGo, Function("{lambda in x.cpp}", "/bin/tool", "/mine/x.cpp")}),
            TimeUse::kBody);
  EXPECT_EQ(
      UseOf(kFiber,
            {Function("{lambda in go.hpp}", "/bin/tool", "/x/src/fibers/sched/go.hpp"), kBody}),
      TimeUse::kBody);
}

TEST(UseOf, FindsSleepsLocksAndWakesInAnyCall) {
  EXPECT_EQ(UseOf(kFiber, {kGo, kBody, Function("clock_nanosleep", "/libc.so.6")}),
            TimeUse::kSleep);
  EXPECT_EQ(UseOf(kFiber, {kGo, kBody, Function("schedbench::fibers::Channel<int>::Send"),
                           Function("schedbench::fibers::SpinLock::Lock"),
                           Function("schedbench::SpinWait::Spin")}),
            TimeUse::kLock);
  EXPECT_EQ(UseOf(Owner("worker:run"), {Function("schedbench::platform::FutexWake")}),
            TimeUse::kPark);
}

TEST(UseOf, FollowsTheActivityOfAWorkerWithoutAFiber) {
  EXPECT_EQ(UseOf(Owner("worker:search"), {}), TimeUse::kSearch);
  EXPECT_EQ(UseOf(Owner("worker:steal"), {}), TimeUse::kSearch);
  EXPECT_EQ(UseOf(Owner("worker:park"), {}), TimeUse::kPark);
}

// A worker, of whose CPU time three quarters are the body and a quarter is the runtime.
class SplitTime : public testing::Test {
 protected:
  SplitTime() {
    samples_.workers.push_back({});
    for (int i = 0; i < 4; ++i) {
      std::vector<profile::FrameId> calls{samples_.Add(kGo), samples_.Add(kBody)};
      if (i == 0) {
        calls.push_back(samples_.Add(Function("schedbench::fibers::Yield")));
      }
      samples_.samples.push_back({.weight_ns = 10 * kMs,
                                  .worker = 0,
                                  .owner = samples_.Add(kFiber),
                                  .stack = samples_.AddStack(calls)});
    }
  }

  harness::TimeSplit Split() const {
    harness::TimeSplit split = harness::SplitTime({.samples = samples_,
                                                   .workers = times_,
                                                   .blocked = blocked_,
                                                   .rounds_ns = rounds_ns_,
                                                   .threads_vary = false,
                                                   .parked_ns = parked_ns_,
                                                   .stalled_ns = stalled_ns_,
                                                   .blocking_calls = blocking_calls_,
                                                   .cpu_ns_of_blocking_call = 20'000});
    EXPECT_NEAR(std::accumulate(split.shares.begin(), split.shares.end(), 0.0), 1, 1e-12);
    return split;
  }

  profile::StackProfile samples_;
  // 40 ms of CPU time, 10 ms ready, 50 ms blocked.
  std::vector<profile::WorkerTime> times_{
      {.worker = 0, .wall_ns = 100 * kMs, .cpu_ns = 40 * kMs, .queued_ns = 10 * kMs}};
  profile::BlockedCounts blocked_{.looks = 100, .in_sleep = 20, .in_futex = 25, .in_other = 5};
  std::uint64_t rounds_ns_ = 95 * kMs;
  std::optional<std::uint64_t> parked_ns_ = 12 * kMs;
  std::uint64_t stalled_ns_ = 0;
  std::uint64_t blocking_calls_ = 0;
};

TEST_F(SplitTime, GivesEachPartOfTheTimeOneUse) {
  const harness::TimeSplit split = Split();
  EXPECT_NEAR(split[TimeUse::kBody], 0.3, 1e-9);
  EXPECT_NEAR(split[TimeUse::kSwitch], 0.1, 1e-9);
  EXPECT_NEAR(split[TimeUse::kPreempted], 0.1, 1e-9);
  EXPECT_NEAR(split[TimeUse::kSleep], 0.2, 1e-9);
  EXPECT_NEAR(split[TimeUse::kSystemCall], 0.05, 1e-9);
  EXPECT_NEAR(split[TimeUse::kHarness], 0.05, 1e-9);
  EXPECT_NEAR(split[TimeUse::kPark], 0.12, 1e-9);
  // Of 25 ms in a futex, those that were neither parked nor between rounds.
  EXPECT_NEAR(split[TimeUse::kLock], 0.08, 1e-9);
}

TEST_F(SplitTime, MovesTheCpuTimeOfBlockingCallsFromTheBodyToThem) {
  blocking_calls_ = 330;  // 6.6 ms: 20, 8 and 5 parts of 33
  const harness::TimeSplit split = Split();
  EXPECT_NEAR(split[TimeUse::kBody], 0.3 - 0.066, 1e-9);
  EXPECT_NEAR(split[TimeUse::kSleep], 0.2 + 0.04, 1e-9);
  EXPECT_NEAR(split[TimeUse::kLock], 0.08 + 0.016, 1e-9);
  EXPECT_NEAR(split[TimeUse::kSystemCall], 0.05 + 0.01, 1e-9);
}

TEST_F(SplitTime, MovesWhatTheRunHasCountedRatherThanWhatCallsCostElsewhere) {
  blocking_calls_ = 150;
  blocked_.sleeps = {.calls = 50, .cpu_ns = 2 * kMs};
  blocked_.futex_waits = {.calls = 40, .cpu_ns = 40 * 13'000};  // 100 calls: 1.3 ms, 8 and 5 parts
  const harness::TimeSplit split = Split();
  EXPECT_NEAR(split[TimeUse::kBody], 0.3 - 0.033, 1e-9);
  EXPECT_NEAR(split[TimeUse::kSleep], 0.2 + 0.02, 1e-9);
  EXPECT_NEAR(split[TimeUse::kLock], 0.08 + 0.008, 1e-9);
  EXPECT_NEAR(split[TimeUse::kSystemCall], 0.05 + 0.005, 1e-9);
}

TEST_F(SplitTime, CountsStopsOnPurposeAsPreemptedAndNotAsSleepsOfTasks) {
  stalled_ns_ = 15 * kMs;
  const harness::TimeSplit split = Split();
  EXPECT_NEAR(split[TimeUse::kSleep], 0.05, 1e-9);
  EXPECT_NEAR(split[TimeUse::kPreempted], 0.25, 1e-9);
}

TEST_F(SplitTime, StretchesFewerSamplesOverNoMoreThanTheyStandFor) {
  samples_.samples.pop_back();
  samples_.samples.pop_back();
  const harness::TimeSplit split = Split();
  EXPECT_NEAR(split[TimeUse::kUnexplained], 0.2, 1e-9);
  EXPECT_NEAR(split[TimeUse::kBody] + split[TimeUse::kSwitch], 0.2, 1e-9);
}

TEST_F(SplitTime, CountsLocksAsParkedWhereTheSchedulerDoesNotMeasureThat) {
  parked_ns_ = std::nullopt;
  const harness::TimeSplit split = Split();
  EXPECT_FALSE(split.separates_locks);
  EXPECT_NEAR(split[TimeUse::kPark], 0.2, 1e-9);
  EXPECT_NEAR(split[TimeUse::kLock], 0, 1e-9);
}

TEST_F(SplitTime, CountsSleepsAsSystemCallsWhereTheKernelDoesNotReportThem) {
  blocked_ = {};
  const harness::TimeSplit split = Split();
  EXPECT_FALSE(split.separates_calls);
  EXPECT_NEAR(split[TimeUse::kSystemCall], 0.33, 1e-9);
  EXPECT_NEAR(split[TimeUse::kSleep], 0, 1e-9);
}

TEST_F(SplitTime, IsAllZeroWithoutAWorker) {
  const harness::TimeSplit split =
      harness::SplitTime({.samples = {}, .workers = {}, .blocked = {}, .parked_ns = {}});
  EXPECT_EQ(split[TimeUse::kBody], 0);
}

}  // namespace

}  // namespace schedbench::tests::time_split_test

// Presets of all workloads, and workloads that check fairness.
#include "tests/workloads/run_once.hpp"
#include "tests/workloads/starving_scheduler.hpp"

#include <gtest/gtest.h>

#include <string>

namespace schedbench::tests::presets_test {

namespace {

TEST(EachWorkload, HasPresetsAndIsRightInTheSmallestOfThem) {
  for (const std::uint32_t workers : {1U, 2U}) {
    const auto scheduler = MakeScheduler("fast", workers);
    for (const registry::WorkloadEntry* entry : registry::Workloads()) {
      const HangGuard hang_guard("the smallest preset of a workload");
      config::Settings parameters(entry->schema());
      for (const char* const preset : {"full", "small", "smoke"}) {
        ASSERT_TRUE(registry::ApplyPreset(*entry, preset, parameters)) << entry->name << preset;
      }
      const auto workload = entry->make(parameters, Seed());
      workload->Prepare();
      EXPECT_GT(workload->Run(*scheduler), 0U) << entry->name;
      scheduler->WaitIdle();
      EXPECT_EQ(workload->Verify(), "") << entry->name;
    }
  }
}

TEST(YieldFairness, NeitherOfTwoFibersIsTenYieldsAheadOnOneWorker) {
  for (const std::string& scheduler : EverySchedulerSpec()) {
    if (!KeepsOrder(scheduler)) {
      continue;
    }
    const Outcome outcome = RunOnce("yield_fairness:yields=1000", scheduler, 1);
    EXPECT_EQ(outcome.wrong, "") << scheduler;
    EXPECT_EQ(outcome.operations, 2000U) << scheduler;
    EXPECT_LE(outcome["progress_difference"], 10) << scheduler;
  }
}

TEST(YieldFairness, IsAWrongAnswerOnOneWorkerThatRunsTheNewestTaskFirst) {
  StarvingScheduler scheduler(StarvingScheduler::Order::kNewestFirst);
  const Outcome outcome = RunOnce("yield_fairness:yields=1000", scheduler);
  EXPECT_EQ(outcome.wrong,
            "on one worker, one fiber was 1000 yields ahead of the other, more than "
            "max_difference=10");
  EXPECT_EQ(outcome["progress_difference"], 1000);
}

TEST(HogPair, TakesTurnsOnOneWorkerOfFast) {
  const Outcome outcome = RunOnce("hog_pair:turns=200,heavy=1000,light=10", "fast", 1);
  EXPECT_EQ(outcome.wrong, "");
  EXPECT_EQ(outcome.operations, 200U);
  EXPECT_NEAR(outcome["turn_ratio"], 1, 0.1);
  EXPECT_NEAR(outcome["increment_ratio"], 100, 10);
}

TEST(HogPair, IsAWrongAnswerOnOneWorkerThatRunsTheNewestTaskFirst) {
  const std::string wrong =
      RunOnce("hog_pair:turns=200,heavy=1000,light=10", "single_thread:order=lifo", 1).wrong;
  EXPECT_NE(wrong.find("one had more than twice as many as the other"), std::string::npos) << wrong;
}

TEST(MutexScaling, HasAsManyFibersForEachWorker) {
  for (const std::uint32_t workers : {1U, 3U}) {
    const Outcome outcome =
        RunOnce("mutex_scaling:fibers_per_worker=5,sections=10", "fast", workers);
    EXPECT_EQ(outcome.wrong, "");
    EXPECT_EQ(outcome.operations, 50U * workers);
  }
}

TEST(CourseMutex, RunsEachSectionUnderBothMutexes) {
  const Outcome outcome = RunOnce("course_mutex:clusters=3,fibers=5,sections=20", "fast", 2);
  EXPECT_EQ(outcome.wrong, "");
  EXPECT_EQ(outcome.operations, 2U * 3 * 5 * 20);
}

TEST(CourseRacy, LosesNoUpdateOnOneWorker) {
  EXPECT_EQ(RunOnce("course_racy:fibers=1000", "fast", 1)["lost_updates"], 0);
}

TEST(Ring, EndsWithAsManyTokensAsItHasPlacesButOne) {
  EXPECT_EQ(RunOnce("ring:fibers=3,tokens=2,hops=50", "fast", 2).operations, 100U);
  EXPECT_EQ(RunOnce("ring:fibers=2,tokens=7,hops=50,capacity=3", "fast", 2).wrong, "");
  EXPECT_ANY_THROW(RunOnce("ring:fibers=3,tokens=3", "fast", 1));
}

TEST(Select, ChoosesEachChannelAboutAsOftenAsAnyOther) {
  const Outcome outcome = RunOnce("select:fibers=8,channels=8,selects=2000", "fast", 2);
  EXPECT_EQ(outcome.wrong, "");
  EXPECT_GT(outcome["choice_chi_square"], 0.3);
  EXPECT_GT(outcome["rarest_choice"], 0.5);
}

TEST(MicroserviceDag, RepeatsFailedAttemptsAndCountsRequestsWithoutAnAnswer) {
  const Outcome outcome = RunOnce(
      "microservice_dag:requests=20,rate=1e5,call_ns=0,retries=2,failures_percent=100", "fast", 2);
  EXPECT_EQ(outcome.wrong, "");
  EXPECT_EQ(outcome["unanswered"], 1);
  EXPECT_EQ(outcome["retries"], 2);  // of the first call; the others need its answer
}

class OtherVariant : public testing::TestWithParam<const char*> {};

TEST_P(OtherVariant, IsRight) {
  EXPECT_EQ(RunOnce(GetParam(), "fast", 2).wrong, "");
}

INSTANTIATE_TEST_SUITE_P(
    Specs, OtherVariant,
    testing::Values(
        "actor:actors=8,letters=5,deliveries=30,mailbox=fiber", "fan_in:messages=50,capacity=3",
        "microservice_dag:requests=50,rate=1e5,slots=1,timeout_us=20,failures_percent=10",
        "request_mix:requests=20,rate=1e4,footprint_kib=16,shared_percent=50,users=3",
        "fan_out:messages=500,recipient=ready", "fan_out:messages=500,capacity=4,recipient=ready",
        "pipeline:pipelines=3,messages=50,capacity=0", "prime_sieve:primes=1",
        "prime_sieve:primes=20,capacity=4", "wake_cost:waiters=3,wakes=20,by=futex",
        "wake_cost:waiters=3,wakes=20,from=outside",
        "wake_cost:waiters=3,wakes=20,by=futex,from=outside"),
    [](const auto& info) { return TestNameOf(info.param); });

}  // namespace

}  // namespace schedbench::tests::presets_test

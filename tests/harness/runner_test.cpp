#include "harness/runner.hpp"

#include "config/schema_of.hpp"
#include "harness/session.hpp"
#include "metrics/worker_metrics.hpp"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

namespace schedbench::harness::runner_test {

namespace {

struct NoSettings {
  config::Field<"workers", std::uint32_t{2}, config::Range{1U, 9U}, "Workers"> workers;
};

// What the runner did, in its order.
std::vector<std::string>& Log() {
  static std::vector<std::string> log;
  return log;
}

// Two workers that never run anything: their counters are moved by hand.
class FakeScheduler final : public registry::IScheduler {
 public:
  ~FakeScheduler() override {
    Log().push_back("destroy");
  }

  void Submit(executors::TaskBase* /*task*/, executors::SchedulerHint /*hint*/) noexcept override {
    ++external_submissions_;
    workers_[0].tasks_run.Add(3);
    workers_[1].tasks_run.Add(1);
  }

  void WaitIdle() noexcept override {
    Log().push_back("wait");
    workers_[0].tasks_run.Add(10);  // what runs after Run() counts too
  }

  void Stop() noexcept override {
  }

  std::vector<registry::WorkerReading> ReadWorkers() const override {
    return {{.values = metrics::ReadMetrics(workers_[0]), .wakeup_ticks = {}, .run_ticks = {}},
            {.values = metrics::ReadMetrics(workers_[1]), .wakeup_ticks = {}, .run_ticks = {}}};
  }

  metrics::MetricValues ReadPool() const override {
    metrics::PoolMetrics pool;
    pool.stacks_made.Add(16);
    pool.stack_refills.Add(100 + external_submissions_);
    return metrics::ReadMetrics(pool);
  }

  std::uint64_t ExternalSubmissions() const noexcept override {
    return external_submissions_;
  }

 private:
  std::uint64_t external_submissions_ = 0;
  std::array<metrics::WorkerMetrics, 2> workers_;
};

// A workload whose answer is `answer` in round `wrong_round`.
class FakeWorkload final : public registry::IWorkload {
 public:
  void Prepare() override {
    Log().push_back("prepare");
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    Log().push_back("run");
    scheduler.Submit(nullptr, {});
    return 7;
  }

  std::string Verify() override {
    Log().push_back("verify");
    ++round_;
    if (round_ == throw_in_round) {
      throw std::runtime_error("boom");
    }
    return round_ == wrong_round ? "wrong" : "";
  }

  static inline int wrong_round = 0;
  static inline int throw_in_round = 0;

 private:
  int round_ = 0;
};

const registry::SchedulerEntry kScheduler{
    .name = "fake",
    .doc = "",
    .schema = &config::SchemaOf<NoSettings>,
    .make = [](const config::Settings&, std::uint64_t) -> std::unique_ptr<registry::IScheduler> {
      return std::make_unique<FakeScheduler>();
    },
};

const registry::WorkloadEntry kWorkload{
    .name = "fake_work",
    .doc = "",
    .operation = "thing",
    .schema = &config::SchemaOf<NoSettings>,
    .make = [](const config::Settings&, std::uint64_t) -> std::unique_ptr<registry::IWorkload> {
      return std::make_unique<FakeWorkload>();
    },
};

class RunnerTest : public testing::Test {
 protected:
  RunnerTest() {
    Log().clear();
    FakeWorkload::wrong_round = 0;
    FakeWorkload::throw_in_round = 0;
  }

  // Runs the plan up to an exception of `on_scheduler` or of `progress`.
  void DoUntilThrow(const OnScheduler& on_scheduler, const Progress& progress) {
    Recorder recorder(plan_);
    EXPECT_THROW(ExecutePlan(plan_, recorder, progress, watch_, on_scheduler), SetupError);
  }

  // Runs the plan and returns what it left.
  RunResult Do(const RunPlan& plan) {
    Recorder recorder(plan);
    failure_ = ExecutePlan(
        plan, recorder,
        [this](std::uint32_t done, std::uint32_t of, bool warming_up) {
          progress_.push_back(std::to_string(done) + "/" + std::to_string(of) +
                              (warming_up ? "w" : ""));
        },
        watch_);
    return recorder.Take(failure_);
  }

  WatchPoint watch_;
  RunPlan plan_{.scheduler = &kScheduler,
                .config = config::Settings::Of<NoSettings>(),
                .workload = &kWorkload,
                .parameters = config::Settings::Of<NoSettings>(),
                .rounds = 2,
                .warmup = 1,
                .seed = 1};
  std::string failure_;
  std::vector<std::string> progress_;
};

TEST_F(RunnerTest, PreparesRunsWaitsAndVerifiesEachRound) {
  Do(plan_);
  const std::vector<std::string> round{"prepare", "run", "wait", "verify"};
  std::vector<std::string> expected;
  for (int i = 0; i < 3; ++i) {
    expected.insert(expected.end(), round.begin(), round.end());
  }
  expected.emplace_back("destroy");
  EXPECT_EQ(Log(), expected);
}

TEST_F(RunnerTest, ReportsProgressBeforeEachRoundAndAtTheEnd) {
  Do(plan_);
  EXPECT_EQ(progress_, (std::vector<std::string>{"0/3w", "1/3", "2/3", "3/3"}));
}

TEST_F(RunnerTest, CountsMeasuredRoundsOnlyUpToTheIdleEndOfEach) {
  const RunResult result = Do(plan_);
  EXPECT_TRUE(result.complete);
  ASSERT_EQ(result.rounds.size(), 2);
  EXPECT_EQ(result.rounds[0].operations, 7);
  EXPECT_EQ(result.external_submissions, 2);
  const auto pool = [&result](std::string_view name) {
    return result.pool[metrics::MetricIndex(name, metrics::PoolMetricList())];
  };
  EXPECT_EQ(pool("stack_refills"), 2U) << "one in each round";
  EXPECT_EQ(pool("stacks_made"), 16U) << "the most there were";
  EXPECT_EQ(result.workers[0][0], 2 * (3 + 10));
  EXPECT_EQ(result.workers[1][0], 2 * 1);
  EXPECT_EQ(result.total[0], 28);
  EXPECT_DOUBLE_EQ(*result.Imbalance(), 26 / 14.0);
}

TEST_F(RunnerTest, StopsAtAWrongAnswerAndNamesTheRound) {
  FakeWorkload::wrong_round = 2;
  const RunResult result = Do(plan_);
  EXPECT_EQ(failure_, "fake_work: wrong answer in round 1: wrong");
  EXPECT_FALSE(result.complete);
  EXPECT_EQ(result.failure, failure_);
  EXPECT_TRUE(result.rounds.empty());
}

TEST_F(RunnerTest, DoesNotTearDownWhatGaveAWrongAnswer) {
  FakeWorkload::wrong_round = 1;
  Do(plan_);
  EXPECT_NE(Log().back(), "destroy");
}

// The process may end by a return from main(), and then no worker may run.
TEST_F(RunnerTest, EndsTheWorkersBeforeItPassesOnAnExceptionFromBetweenTheRounds) {
  DoUntilThrow([](registry::IScheduler&) { throw SetupError("too large"); }, [](auto...) {});
  EXPECT_EQ(Log(), std::vector<std::string>{"destroy"});
  Log().clear();
  DoUntilThrow({}, [](std::uint32_t done, auto...) {
    if (done == 2) {
      throw SetupError("refused");
    }
  });
  EXPECT_EQ(Log().back(), "destroy");
}

TEST_F(RunnerTest, ReportsAnExceptionOfTheWorkload) {
  FakeWorkload::throw_in_round = 3;
  const RunResult result = Do(plan_);
  EXPECT_EQ(failure_, "fake_work: the workload threw an exception: boom");
  EXPECT_EQ(result.rounds.size(), 1);
}

TEST_F(RunnerTest, RefusesWhatCannotBeMadeAndSaysWhich) {
  static const registry::SchedulerEntry impossible{
      .name = "impossible",
      .doc = "",
      .schema = &config::SchemaOf<NoSettings>,
      .make = [](const config::Settings&, std::uint64_t) -> std::unique_ptr<registry::IScheduler> {
        throw std::bad_alloc();
      },
  };
  plan_.scheduler = &impossible;
  try {
    Do(plan_);
    FAIL() << "nothing was thrown";
  } catch (const SetupError& error) {
    EXPECT_STREQ(error.what(), "scheduler impossible: not enough memory");
  }
}

}  // namespace

}  // namespace schedbench::harness::runner_test

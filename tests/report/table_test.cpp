#include "report/format.hpp"
#include "report/parts/notes.hpp"
#include "report/run/run_report.hpp"
#include "tests/report/example_result.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace schedbench::report::table_test {

namespace {

using harness::RunResult;
using tests::ExampleResult;

constexpr TerminalStyle kPlain{.unicode = true, .colour = false};

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

bool HasNote(const RunResult& result, const std::string& text, const std::string& remedy) {
  for (const Note& note : NotesOn(result)) {
    if (note.text == text) {
      EXPECT_EQ(note.remedy, remedy);
      return true;
    }
  }
  return false;
}

void Count(RunResult& result, std::string_view metric, std::uint64_t value) {
  result.total[metrics::MetricIndex(metric)] = value;
}

TEST(WorkerTable, ShowsSharesOfTheWorkersOwnTasksAndTheTotal) {
  EXPECT_EQ(WorkerTable(ExampleResult(6, 6), kPlain),
            "  worker  tasks  local  stolen │ steals  tried   hit │   run  idle\n"
            "  0       5 400  100 %     0 % │      0      0     — │ 100 %   0 %\n"
            "  1         600    0 %   100 % │    150    600  25 % │  50 %  50 %\n"
            "  Σ       6 000   90 %    10 % │    150    600  25 % │  75 %  25 %\n"
            "  imbalance 1.80 (tasks of the busiest worker / mean)\n"
            "  global_lock_waits 120 (2.0 % of the tasks)\n");
}

TEST(WorkerTable, LeavesOutWorkersThatDidNothingWhereWorkersAreMany) {
  for (const std::size_t workers : {8U, 9U}) {
    harness::Recorder recorder(tests::ExamplePlan(1));
    harness::MeasuredRound round = tests::ExampleRound();
    round.workers.resize(workers, metrics::MetricValues(metrics::WorkerMetricList().size(), 0));
    round.workers[workers - 1][metrics::MetricIndex("tasks_run")] = 5;
    recorder.Add(round);
    const std::string text = WorkerTable(recorder.Take(""), kPlain);
    EXPECT_EQ(Has(text, "\n  2 "), workers == 8) << text;
    EXPECT_TRUE(Has(text, "\n  " + std::to_string(workers - 1) + " ")) << text;
    EXPECT_EQ(Has(text, "not shown: 6 workers that ran no task and tried no steal\n"), workers == 9)
        << text;
  }
}

TEST(WorkerTable, ShowsTheWorkersThatRanTheMostTasksWhereMoreRanAnyThanATableHolds) {
  constexpr std::size_t kShown = 64;
  for (const std::size_t workers : {kShown, kShown + 2}) {
    harness::Recorder recorder(tests::ExamplePlan(1));
    harness::MeasuredRound round = tests::ExampleRound();
    round.workers.assign(workers, metrics::MetricValues(metrics::WorkerMetricList().size(), 0));
    for (std::size_t i = 0; i < workers; ++i) {
      round.workers[i][metrics::MetricIndex("tasks_run")] = i == 10 ? 1 : 100 + i;
    }
    recorder.Add(round);
    const std::string text = WorkerTable(recorder.Take(""), kPlain);
    EXPECT_TRUE(Has(text, "\n  1 ")) << text;
    EXPECT_EQ(Has(text, "\n  10 "), workers == kShown) << text;
    EXPECT_EQ(Has(text, "\n  0 "), workers == kShown) << text;
    EXPECT_EQ(Has(text, "not shown: 2 workers that ran fewer tasks    --format json has all\n"),
              workers > kShown)
        << text;
  }
}

TEST(Table, SaysThatAResultIsPartialAndWhy) {
  const std::string text =
      TerminalText(DocumentOf(ExampleResult(4, 20, "interrupted"), kPlain), kPlain);
  EXPECT_TRUE(Has(text, "4 of 20 rounds")) << text;
  EXPECT_TRUE(Has(text, "\n  partial interrupted\n")) << text;
}

TEST(Table, OfNoRoundsHasNoMetrics) {
  const std::string text =
      TerminalText(DocumentOf(ExampleResult(0, 20, "interrupted"), kPlain), kPlain);
  EXPECT_TRUE(Has(text, "0 of 20 rounds")) << text;
  EXPECT_FALSE(Has(text, "throughput")) << text;
  EXPECT_TRUE(Has(text, "\n  seed    42\n")) << text;
}

TEST(Table, ShowsADashForWhatIsNotKnown) {
  EXPECT_TRUE(Has(TerminalText(DocumentOf(ExampleResult(6, 6), kPlain), kPlain), "p99.9 —   max "))
      << TerminalText(DocumentOf(ExampleResult(6, 6), kPlain), kPlain);
}

TEST(Table, ShowsAWorkloadsOwnMetricsByTheirUnits) {
  constexpr std::array kMetrics{
      registry::Metric{"part_of_it", "share", registry::Better::kNone, ""},
      registry::Metric{"first_time", "ns", registry::Better::kLower, ""},
      registry::Metric{"things_seen", "things", registry::Better::kLower, ""},
  };
  registry::WorkloadEntry workload = tests::kExampleWorkload;
  workload.metrics = kMetrics;
  harness::RunPlan plan = tests::ExamplePlan(1);
  plan.workload = &workload;
  harness::Recorder recorder(plan);
  harness::MeasuredRound round = tests::ExampleRound();
  round.reading.own = {0.25, 1500, 12};
  recorder.Add(round);
  const std::string text = TerminalText(DocumentOf(recorder.Take(""), kPlain), kPlain);
  EXPECT_TRUE(Has(text, "\n  part of it       25 %")) << text;
  EXPECT_TRUE(Has(text, "\n  first time       1.50 µs")) << text;
  EXPECT_TRUE(Has(text, "\n  things seen      12.0 things")) << text;
}

TEST(Notes, OfAGoodRunAreOnlyThoseOfTheBuildAndOfRarePercentiles) {
  for (const Note& note : NotesOn(ExampleResult(20, 20))) {
    EXPECT_TRUE(Has(note.text, "sanitizer") || Has(note.text, "a build of type") ||
                Has(note.text, "wakeup_p99_9"))
        << note.text;
  }
}

TEST(Notes, FewRoundsHaveNoInterval) {
  const std::string text = "5 rounds give no 95 % interval: ranges are from least to greatest";
  EXPECT_TRUE(HasNote(ExampleResult(5, 5), text, "try --rounds 20"));
  EXPECT_FALSE(HasNote(ExampleResult(6, 6), text, ""));
}

TEST(Notes, MoreWorkersThanCpus) {
  RunResult result = ExampleResult(6, 6);
  const std::string text = "2 workers share 1 CPUs: the kernel's scheduler is measured too";
  EXPECT_FALSE(HasNote(result, text, ""));
  result.machine.cpus_allowed = 1;
  EXPECT_TRUE(HasNote(result, text, "try --set workers=0"));
}

TEST(Table, OfThreadsThatComeAndGoHasOneRowAndNoIdleTime) {
  harness::Recorder recorder(tests::ExamplePlan(1));
  harness::MeasuredRound round = tests::ExampleRound();
  round.workers.resize(1);
  round.workers[0][metrics::MetricIndex("threads_peak")] = 30;
  round.reading.workers = 0;
  recorder.Add(round);
  const RunResult result = recorder.Take("");
  EXPECT_EQ(WorkerTable(result, kPlain),
            "  worker  tasks  local │ idle\n"
            "  Σ         900  100 % │    —\n"
            "  global_lock_waits 20 (2.2 % of the tasks)\n");
  const std::string text = TerminalText(DocumentOf(result, kPlain), kPlain);
  EXPECT_TRUE(Has(text, "up to 30 threads")) << text;
  EXPECT_FALSE(Has(text, "idle 0 %")) << text;
  EXPECT_FALSE(Has(text, "other threads took")) << text;
}

TEST(Notes, CpusThatOthersUseInTheMeantime) {
  RunResult result = ExampleResult(6, 6);
  const std::string text =
      "other threads took 40 % of the CPU time that the workers could have used";
  EXPECT_FALSE(HasNote(result, text, ""));
  // In 6 rounds of 10 ms, two workers were parked for 5 ms of 20 ms.
  Count(result, "preempted_ns", 6 * 9'000'000);
  EXPECT_FALSE(HasNote(result, text, "")) << "they used their CPUs in the timed part";
  for (harness::Round& round : result.rounds) {
    round.cpu_ns = 9'000'000;
  }
  EXPECT_TRUE(HasNote(result, text, "top -b -n 1 | head -20"));
}

TEST(Notes, WakeUpsThatFindNothingWhereTheyAreMany) {
  RunResult result = ExampleResult(6, 6);
  Count(result, "parks", 600);
  Count(result, "noop_wakes", 50);
  const std::string text = "8.3 % of the wake-ups found no work (empty)";
  EXPECT_FALSE(HasNote(result, text, ""))
      << "fewer than one per hundred tasks cost next to nothing";
  Count(result, "tasks_run", 4000);
  EXPECT_TRUE(HasNote(result, text, "schedbench describe metric noop_wakes"))
      << "of two workers only one searches anyway";
  result.workers.push_back(result.workers.front());
  EXPECT_TRUE(HasNote(result, text, "try --set max_searching=1"));
}

TEST(Notes, RoundsTooShortToMeasure) {
  RunResult result = ExampleResult(6, 6);
  for (harness::Round& round : result.rounds) {
    round.wall_ns = 80'000;
  }
  EXPECT_TRUE(HasNote(result, "a round lasts only 80.0 us on average: give it more work",
                      "schedbench describe workload work"));
}

TEST(Notes, ReportASchedulerOrAWorkloadThatWasCompiledWithoutOptimization) {
  RunResult result = ExampleResult(6, 6);
  registry::SchedulerEntry scheduler = *result.plan.scheduler;
  registry::WorkloadEntry workload = *result.plan.workload;
  result.plan.scheduler = &scheduler;
  result.plan.workload = &workload;
  const std::string end = " was compiled without optimization: it is slower than it could be";
  const std::string remedy = "cmake -DCMAKE_BUILD_TYPE=Release";
  EXPECT_FALSE(HasNote(result, "scheduler example" + end, remedy));
  scheduler.is_optimized = false;
  EXPECT_TRUE(HasNote(result, "scheduler example" + end, remedy));
  EXPECT_FALSE(HasNote(result, "workload work" + end, remedy));
  workload.is_optimized = false;
  EXPECT_TRUE(HasNote(result, "workload work" + end, remedy));
}

}  // namespace

}  // namespace schedbench::report::table_test

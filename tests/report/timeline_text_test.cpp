#include "report/timeline/text.hpp"

#include <gtest/gtest.h>

#include <string>

namespace schedbench::report::timeline_text_test {

namespace {

using timeline::Summary;

const TerminalStyle kPlain{.unicode = false};

Summary Example() {
  Summary summary{.length_ns = 50'000'000,
                  .events = 1234,
                  .workers = {{.worker = 0, .run_ns = 25'000'000, .search_ns = 5'000'000},
                              {.worker = 1, .park_ns = 20'000'000}},
                  .idle_ns = 25'000'000,
                  .wasted_ns = 5'000'000,
                  .fairness = {.window_ns = 5'000'000,
                               .windows = 9,
                               .fibers = 40,
                               .median = 0.98,
                               .least = 0.5},
                  .waits = 2,
                  .steals = {{}, {}, {.operations = 3, .tasks = 9}, {}},
                  .first_steal_ns = 1500};
  summary.longest_waits.push_back(
      {.fiber = "main",
       .end_ns = 40'000'000,
       .length_ns = 30'000'000,
       .worker = 1,
       .chain = {{.at_ns = 39'000'000, .worker = 0, .waker = "child", .woken = "main"},
                 {.at_ns = 1000, .worker = 1, .waker = "", .woken = "child"},
                 {.at_ns = 0,
                  .is_before = true,
                  .worker = timeline::kExternal,
                  .waker = "",
                  .woken = "child"}}});
  return summary;
}

TEST(TimelineText, SaysWhatATimelineShows) {
  EXPECT_EQ(
      TimelineText(Example(), kPlain),
      "window of 50.0 ms: 2 workers, 1 234 events\n"
      "  worker   run  search  park\n"
      "       0  50 %    10 %   0 %\n"
      "       1   0 %     0 %  40 %\n"
      "wasted core time: 5.00 ms idle while work was ready, 20 % of 25.0 ms idle, 5.0 % of all\n"
      "fairness among 40 fibers in 9 windows of 5.00 ms: Jain's index 0.980, at least 0.500\n"
      "longest of 2 waits:\n"
      "  30.0 ms main until 40.0 ms on worker 1\n"
      "    resumed by child on worker 0 at 39.0 ms\n"
      "    which was resumed by the loop on worker 1 at 1.00 us\n"
      "    which was resumed from outside before the window\n"
      "steals: 3 moved 9 tasks, the first after 1.50 us\n"
      "  thief  from 0  from 1\n"
      "      0       0       0\n"
      "      1       3       0\n");
}

TEST(TimelineText, SaysWhatIsMissing) {
  Summary summary = Example();
  summary.overwritten = 7;
  summary.timestamps_corrected = 2;
  const std::string text = TimelineText(summary, kPlain);
  EXPECT_NE(text.find("7 events before it were overwritten"), std::string::npos);
  EXPECT_NE(text.find("2 timestamps went back"), std::string::npos);
}

TEST(TimelineText, HasTheShareOfEachWorkerWithoutACpu) {
  Summary summary = Example();
  summary.knows_off_cpu = true;
  summary.workers[0].preempted_ns = 4'000'000;
  summary.workers[1].blocked_ns = 500'000;
  const std::string text = TimelineText(summary, kPlain);
  EXPECT_NE(text.find("  worker   run  search  park | preempted  blocked\n"
                      "       0  50 %    10 %   0 % |     8.0 %      0 %\n"
                      "       1   0 %     0 %  40 % |       0 %    1.0 %\n"),
            std::string::npos)
      << text;
}

TEST(TimelineText, SaysWhyPreemptionsAreMissingAndWhatIsKnownInstead) {
  Summary summary = Example();
  summary.off_cpu_refusal = "perf_event_open: Permission denied";
  EXPECT_NE(TimelineText(summary, kPlain)
                .find("preemptions are not shown: perf_event_open: Permission denied\n"),
            std::string::npos);
  summary.queued_ns = 1'200'000;
  EXPECT_NE(TimelineText(summary, kPlain)
                .find("Permission denied; the workers waited 1.20 ms for a CPU in the whole "
                      "recording\n"),
            std::string::npos);
}

TEST(TimelineText, OfNothingSaysSo) {
  const std::string text = TimelineText({}, kPlain);
  EXPECT_NE(text.find("waits: none ended\n"), std::string::npos);
  EXPECT_NE(text.find("steals: none recorded\n"), std::string::npos);
}

TEST(TimelineText, NamesThePairsWithMostStealsWhereTheMatrixIsTooWide) {
  Summary summary;
  for (std::uint32_t worker = 0; worker < 20; ++worker) {
    summary.workers.push_back({.worker = worker});
  }
  summary.steals.resize(400);
  summary.steals[20 * 3 + 7] = {.operations = 5, .tasks = 5};
  summary.steals[20 * 4 + 19] = {.operations = 8, .tasks = 8};
  summary.first_steal_ns = 1;
  const std::string text = TimelineText(summary, kPlain);
  EXPECT_NE(text.find("  8 by worker 4 from 19\n  5 by worker 3 from 7\n"), std::string::npos);
}

}  // namespace

}  // namespace schedbench::report::timeline_text_test

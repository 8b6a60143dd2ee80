#include "report/top/top_frame.hpp"

#include "report/top/plot.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <vector>

namespace schedbench::report::top_frame_test {

namespace {

using harness::TopHistory;
using harness::TopReading;
using harness::TopSnapshot;
using harness::WorkerState;

TopReading TwoWorkers() {
  TopReading reading;
  reading.time_ns = 3'000'000'000;
  reading.workers = {{.state = WorkerState::kRun, .queue = 5, .switches = 1000},
                     {.state = WorkerState::kPark, .queue = 0, .switches = 4000}};
  reading.workers[0].slot_is_full = true;
  reading.workers[1].slot_is_full = false;
  for (auto& worker : reading.workers) {
    worker.steals = 20;
    worker.parks = 10;
    worker.not_busy_ns = 500'000'000;
  }
  reading.global_queue = 7;
  reading.threads = 2;
  reading.idle = 1;
  reading.fibers = {.waiting = 3, .runnable = 13, .executing = 1};
  reading.rounds = 12;
  reading.throughput = 4.42e6;
  return reading;
}

// Of one second in which all counts began at 0.
TopSnapshot Example() {
  TopReading earlier;
  earlier.time_ns = 2'000'000'000;
  return harness::SnapshotBetween(earlier, TwoWorkers(), 1'000'000'000);
}

TopView View() {
  return {.title = "fast, pingpong", .operation = "round trip"};
}

TEST(TopFrame, Fills80Times24WithHeadWorkersPlotsAndKeys) {
  TopHistory history;
  for (int i = 0; i < 3; ++i) {
    history.Add(Example());
  }
  EXPECT_EQ(TopFrame(View(), Example(), history, 24, 80).Text(),
            R"(fast, pingpong   2.0 s
workers 2   idle 1   searching 0   threads 2   global queue 7   local 5
fibers: waiting 3   runnable 13   executing 1
switches/s 5.00 k   busy 50 %   rounds 12   throughput 4.42 M round trip/s

worker  state   slot   local queue        switches/s  steals/s  parks/s   busy
0       run     full       5 ███              1.00 k      20.0     10.0   50 %
1       park    empty      0                  4.00 k      20.0     10.0   50 %









tasks in queues, highest 12.0            switches/s, highest 5.00 k
                                     ⢸⣿                                       ⢸⣿
                                     ⢸⣿                                       ⢸⣿
                                     ⢸⣿                                       ⢸⣿
                                     ⢸⣿                                       ⢸⣿

q quit   p pause   s sort: number   l logarithmic plots
)");
}

TEST(TopFrame, SaysThatTheTerminalIsTooSmall) {
  for (const std::size_t rows : {0U, 1U, 2U, 11U}) {
    for (const std::size_t columns : {0U, 1U, 59U, 200U}) {
      const std::string text = TopFrame(View(), Example(), TopHistory(), rows, columns).Text();
      EXPECT_EQ(text.starts_with("terminal too small"), rows > 0 && columns >= 59);
    }
  }
}

TEST(TopFrame, HasNoPlotsWhereTheyWouldLeaveNoRoomForWorkers) {
  const std::string text = TopFrame(View(), Example(), TopHistory(), 12, 60).Text();
  EXPECT_EQ(text.find("highest"), std::string::npos);
  EXPECT_NE(text.find("q quit"), std::string::npos);
}

TEST(TopFrame, CountsTheWorkersThatDoNotFit) {
  TopReading many = TwoWorkers();
  many.workers.resize(1000);
  const TopSnapshot snapshot = harness::SnapshotBetween({}, many, 0);
  EXPECT_NE(TopFrame(View(), snapshot, TopHistory(), 24, 80).Text().find("990 more"),
            std::string::npos);
  EXPECT_NE(TopText(View(), snapshot).find("\n999 "), std::string::npos) << "the text has all";
}

TEST(TopFrame, SortsTheWorkersByTheChosenColumn) {
  TopView view = View();
  const std::string by_number = TopText(view, Example());
  EXPECT_LT(by_number.find("\n0 "), by_number.find("\n1 "));
  view.order = TopOrder::kSwitches;
  const std::string by_switches = TopText(view, Example());
  EXPECT_LT(by_switches.find("\n1 "), by_switches.find("\n0 "));
}

TEST(TopFrame, EveryOrderFollowsFromTheFirst) {
  TopOrder order = TopOrder::kNumber;
  for (const TopOrder next :
       {TopOrder::kQueue, TopOrder::kSwitches, TopOrder::kBusy, TopOrder::kNumber}) {
    order = NextOrder(order);
    EXPECT_EQ(order, next);
  }
}

TEST(TopFrame, ShowsControlCharactersOfAMessageAsQuestionMarks) {
  TextGrid grid(1, 5);
  grid.Put(0, 0, "a\033\nb\x80");
  EXPECT_EQ(grid.Text(), "a??b?\n");
}

TEST(Plot, BrailleHasTwoValuesAndFourStepsInACell) {
  const PlotShape shape{.rows = 1, .columns = 2};
  EXPECT_EQ(Plot({1, 2, 3, 4}, shape), std::vector<std::string>{"⣠⣾"});
  EXPECT_EQ(Plot({4}, shape), std::vector<std::string>{" ⢸"}) << "the newest is at the right";
}

TEST(Plot, AValueAboveZeroHasADotAndZeroHasNone) {
  const PlotShape shape{.rows = 1, .columns = 1};
  EXPECT_EQ(Plot({0.001, 100}, shape), std::vector<std::string>{"⣸"});
  EXPECT_EQ(Plot({0, 0}, shape), std::vector<std::string>{" "});
  EXPECT_EQ(Plot({}, shape), std::vector<std::string>{" "});
}

TEST(Plot, OnALogarithmicScaleSmallValuesAreHigher) {
  const std::deque<double> values{100, 1000};
  const PlotShape linear{.rows = 1, .columns = 1};
  PlotShape logarithmic = linear;
  logarithmic.logarithmic = true;
  EXPECT_EQ(Plot(values, linear), std::vector<std::string>{"⣸"});
  EXPECT_EQ(Plot(values, logarithmic), std::vector<std::string>{"⣾"});
}

TEST(Plot, HasAsciiSignsWhereUnicodeCannotBeShown) {
  EXPECT_EQ(Plot({1, 2}, {.rows = 2, .columns = 2, .unicode = false}),
            (std::vector<std::string>{" #", "##"}));
}

TEST(DoublingBar, HasACellForEachDoubling) {
  EXPECT_EQ(DoublingBar(0, 12, false), "");
  EXPECT_EQ(DoublingBar(1, 12, false), "#");
  EXPECT_EQ(DoublingBar(255, 12, false), "########");
  EXPECT_EQ(DoublingBar(UINT64_MAX, 12, false), "############");
}

}  // namespace

}  // namespace schedbench::report::top_frame_test

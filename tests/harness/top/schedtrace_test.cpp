#include "harness/top/schedtrace.hpp"

#include "harness/top/snapshot.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <sstream>
#include <string>
#include <string_view>

namespace schedbench::harness::schedtrace_test {

namespace {

// Written by a program of Go 1.19.8, two snapshots. The second one is shortened to a few
// goroutines.
constexpr std::string_view kTrace =
    R"(SCHED 0ms: gomaxprocs=2 idleprocs=0 threads=4 spinningthreads=1 idlethreads=1 runqueue=0 gcwaiting=0 nmidlelocked=0 stopwait=0 sysmonwait=0
  P0: status=1 schedtick=1 syscalltick=4 m=0 runqsize=20 gfreecnt=0 timerslen=0
  P1: status=0 schedtick=3 syscalltick=0 m=-1 runqsize=0 gfreecnt=0 timerslen=0
  M1: p=-1 curg=-1 mallocing=0 throwing=0 preemptoff= locks=2 dying=0 spinning=false blocked=false lockedg=-1
  M0: p=0 curg=25 mallocing=0 throwing=0 preemptoff= locks=1 dying=0 spinning=false blocked=false lockedg=-1
  G1: status=4(semacquire) m=-1 lockedm=-1
  G5: status=1() m=-1 lockedm=-1
  G6353: status=2() m=0 lockedm=-1
SCHED 308ms: gomaxprocs=2 idleprocs=1 threads=5 spinningthreads=0 idlethreads=0 runqueue=9 gcwaiting=0 nmidlelocked=0 stopwait=0 sysmonwait=0
  P0: status=1 schedtick=1556 syscalltick=6 m=2 runqsize=12 gfreecnt=1 timerslen=1
  P1: status=1 schedtick=598 syscalltick=2 m=0 runqsize=5 gfreecnt=9 timerslen=0
  M2: p=0 curg=12 mallocing=0 throwing=0 preemptoff= locks=0 dying=0 spinning=true blocked=false lockedg=-1
  G4: status=4(sleep) m=-1 lockedm=-1
  G10: status=1(preempted) m=-1 lockedm=-1
  G11: status=4098() m=0 lockedm=-1
  G12: status=3() m=1 lockedm=-1
)";

// Gives all lines of a text to the parser. Returns the last reading that was complete by then.
std::optional<TopReading> TakeAll(SchedtraceParser& parser, std::string_view text) {
  std::optional<TopReading> last;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    parser.Take(text.substr(0, end));
    if (auto reading = parser.Next()) {
      last = reading;
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return last;
}

TEST(Schedtrace, TheNextSnapshotCompletesAReading) {
  SchedtraceParser parser;
  const auto reading = TakeAll(parser, kTrace);
  ASSERT_TRUE(reading);
  EXPECT_EQ(reading->time_ns, 0U);
  EXPECT_EQ(reading->threads, 4U);
  EXPECT_EQ(reading->searching, 1U);
  ASSERT_EQ(reading->workers.size(), 2U);
  EXPECT_EQ(reading->workers[0].queue, 20U);
  EXPECT_EQ(reading->workers[1].state, WorkerState::kPark);
  EXPECT_EQ(reading->fibers.waiting, 1U);
  EXPECT_EQ(reading->fibers.runnable, 1U);
  EXPECT_EQ(reading->fibers.executing, 1U);
  EXPECT_FALSE(parser.Next()) << "each once";
}

TEST(Schedtrace, FlushCompletesTheLastReading) {
  SchedtraceParser parser;
  TakeAll(parser, kTrace);
  parser.Flush();
  const auto reading = parser.Next();
  ASSERT_TRUE(reading);
  EXPECT_EQ(reading->time_ns, 308'000'000U);
  EXPECT_EQ(reading->idle, 1U);
  EXPECT_EQ(reading->global_queue, 9U);
  EXPECT_EQ(reading->workers[0].state, WorkerState::kSearch) << "its M spins";
  EXPECT_EQ(reading->workers[1].state, WorkerState::kRun);
  EXPECT_EQ(reading->workers[1].switches, 598U);
  EXPECT_EQ(reading->workers[1].system_calls, 2U);
  EXPECT_EQ(reading->fibers.executing, 1U) << "a stack that is scanned counts as its state";
  EXPECT_EQ(reading->fibers.in_system_call, 1U);
}

TEST(Schedtrace, SwitchesOfAProcessorFollowFromTwoReadings) {
  SchedtraceParser parser;
  const auto first = TakeAll(parser, kTrace);
  parser.Flush();
  const TopSnapshot snapshot = SnapshotBetween(*first, *parser.Next(), first->time_ns);
  EXPECT_NEAR(snapshot.rates[0].switches, 1555 / 0.308, 1);
  EXPECT_FALSE(snapshot.rates[0].parks);
}

TEST(Schedtrace, LinesOfTheProgramAreNoneOfTheTrace) {
  SchedtraceParser parser;
  for (const char* const line : {"", "hello", "  P0: status=1", "SCHED", "SCHED x", "SCHED 5ms:",
                                 "SCHED 99999999999999999999ms: gomaxprocs=2", "  G1: status=1"}) {
    EXPECT_FALSE(parser.Take(line)) << line;
  }
  TakeAll(parser, kTrace);
  for (const char* const line : {"", "  P", "  P:", "  Px: status=1", "  P9999999: status=1",
                                 "  P18446744073709551616: status=1", "  Q1: status=1", " P1:"}) {
    EXPECT_FALSE(parser.Take(line)) << line;
  }
}

TEST(Schedtrace, AnyTruncationOrChangedByteIsRead) {
  const std::string trace(kTrace);
  for (std::size_t i = 0; i < trace.size(); ++i) {
    SchedtraceParser truncated;
    TakeAll(truncated, std::string_view(trace).substr(0, i));
    for (const char byte : {'=', ' ', '9', ':', '\n', '\0', '\xff'}) {
      std::string changed = trace;
      changed[i] = byte;
      SchedtraceParser parser;
      TakeAll(parser, changed);
      parser.Flush();
      if (const auto reading = parser.Next()) {
        EXPECT_LE(reading->workers.size(), 4096U);
      }
    }
  }
}

TEST(Schedtrace, ATotalThatWentBackHasNoRate) {
  TopReading earlier;
  earlier.workers = {{.state = WorkerState::kRun, .queue = 0, .switches = 10}};
  TopReading later = earlier;
  later.time_ns = 1'000'000'000;
  later.workers[0].switches = 5;
  EXPECT_EQ(SnapshotBetween(earlier, later, 0).rates[0].switches, 0);
}

// A report of a process, with what its one P has done.
std::string Report(unsigned ms, const std::string& switches, const std::string& before = "") {
  return before + "SCHED " + std::to_string(ms) +
         "ms: gomaxprocs=1 idleprocs=0 threads=4 runqueue=0\n  P0: status=1 schedtick=" + switches +
         " syscalltick=1 m=0 runqsize=0\n";
}

// All readings of a text, as "time in ms: switches".
std::string ReadingsOf(const std::string& text) {
  SchedtraceParser parser;
  std::string readings;
  const auto add = [&] {
    if (const auto reading = parser.Next()) {
      readings += (readings.empty() ? "" : ", ") + std::to_string(reading->time_ns / 1'000'000) +
                  ": " + std::to_string(reading->workers.at(0).switches);
    }
  };
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    parser.Take(line);
    add();
  }
  parser.Flush();
  add();
  return readings;
}

TEST(Schedtrace, FollowsTheProcessThatBeganLast) {
  const std::string text = Report(0, "100") + Report(0, "105") + Report(1000, "900") +
                           Report(0, "7") + Report(2000, "950") + Report(1000, "80") +
                           Report(3000, "960") + Report(2000, "200");
  EXPECT_EQ(ReadingsOf(text), "0: 100, 0: 105, 1000: 900, 0: 7, 1000: 80, 2000: 200")
      << "the go command has 100 and 900, the compiler 105, the program 7, 80 and 200";
}

TEST(Schedtrace, ReturnsToAnOlderProcessOnceTheLastOneIsSilent) {
  const std::string text =
      Report(0, "100") + Report(0, "5") + Report(1000, "200") + Report(2000, "300");
  EXPECT_EQ(ReadingsOf(text), "0: 100, 0: 5, 1000: 200, 2000: 300");
  EXPECT_EQ(ReadingsOf(Report(5000, "100") + Report(0, "5") + Report(6000, "101") +
                       Report(7000, "102") + Report(8000, "103")),
            "5000: 100, 0: 5, 7000: 102, 8000: 103");
}

TEST(Schedtrace, ContinuesCountsThatHaveWrapped) {
  EXPECT_EQ(ReadingsOf(Report(0, "4294967290") + Report(500, "4") + Report(1000, "9")),
            "0: 4294967290, 500: 4294967300, 1000: 4294967305");
  EXPECT_EQ(ReadingsOf(Report(0, "2147483640") + Report(500, "-2147483640")),
            "0: 2147483640, 500: 2147483656")
      << "printed as a signed number";
}

TEST(Schedtrace, BeginsWhereTheProgramHasWrittenTextBefore) {
  EXPECT_EQ(ReadingsOf(Report(0, "1", "SCHED 12 done: ") + Report(500, "2", "50%")),
            "0: 1, 500: 2");
  EXPECT_EQ(SchedtraceParser::BeginOfTrace("SCHED ms: gomaxprocs=1"), std::string_view::npos);
  EXPECT_EQ(SchedtraceParser::BeginOfTrace("ab SCHED 5ms: gomaxprocs=1"), 3U);
}

}  // namespace

}  // namespace schedbench::harness::schedtrace_test

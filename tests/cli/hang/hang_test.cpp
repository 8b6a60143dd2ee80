#include "base/attributes.hpp"
#include "tests/cli/process.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <regex.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

// Hangs of every kind, each of which must be explained with the right word, the right fibers, and
// what holds what.

namespace schedbench::tests::hang_test {

namespace {

using nlohmann::json;

// A round that ends takes some milliseconds at most, also on a machine that is busy otherwise.
constexpr const char* kTimeout = "200ms";

struct Hang {
  const char* workload;
  const char* kind;
  std::vector<std::string> says;          // regular expressions, each found in one line of stderr
  std::vector<std::string> never_says{};  // likewise
  const char* scheduler = "fast";
  const char* workers = "2";
};

std::ostream& operator<<(std::ostream& out, const Hang& hang) {
  return out << hang.workload;
}

const std::string kMutex = "Mutex 0x[0-9a-f]+";

std::string Holds(const std::string& waiter, const std::string& holder) {
  return "fiber [0-9]+ '" + waiter + "' waits for " + kMutex + ", which fiber [0-9]+ '" + holder +
         "' holds";
}

const std::vector<Hang>& Hangs() {
  static const std::string started = ", started at .*hang/[a-z]+.cpp:[0-9]+: waits for ";
  static const std::vector<Hang> hangs{
      {"two_mutexes",
       "DEADLOCK",
       {"cycle   " + Holds("[ab]", "[ab]"), Holds("a", "b"), Holds("b", "a"),
        "2 fibers wait forever, for each other"}},
      {"three_mutexes", "DEADLOCK", {"cycle ", Holds("a", "b"), Holds("b", "c"), Holds("c", "a")}},
      {"philosophers",
       "DEADLOCK",
       {"cycle ", Holds("Plato", "Kant"), Holds("Hume", "Mill"), Holds("Marx", "Plato")},
       {},
       "fast",
       "4"},
      {"two_circles",
       "DEADLOCK",
       {"cycle   " + Holds("[ab]", "[ab]"), "cycle   " + Holds("[cde]", "[cde]"), Holds("e", "c")},
       {},
       "global_fifo",
       "4"},
      {"self_lock", "DEADLOCK", {"cycle   " + Holds("greedy", "greedy")}},
      {"never_sent",
       "DEADLOCK",
       {"'receiver'" + started + "receive from Channel 0x[0-9a-f]+$"},
       {"cycle"}},
      {"never_received",
       "DEADLOCK",
       {"'sender'" + started + "send to Channel 0x[0-9a-f]+$"},
       {"cycle"}},
      {"never_met",
       "DEADLOCK",
       {"'sender'" + started + "send to Channel 0x[0-9a-f]+$"},
       {},
       "global_fifo"},
      {"never_done", "DEADLOCK", {"'waiter'" + started + "WaitGroup 0x[0-9a-f]+, 2 not done$"}},
      {"never_fired",
       "DEADLOCK",
       {"'waiter'" + started + "Event 0x[0-9a-f]+$",
        "thread 'harness' waits for Event 0x[0-9a-f]+$", "1 fiber waits forever$"}},
      {"holder_ends",
       "DEADLOCK",
       {kMutex + ", which fiber [0-9]+ held when it ended"},
       {"cycle", "' holds"},
       "fast",
       "1"},
      {"held_while_receiving",
       "DEADLOCK",
       {"'sender'" + started + kMutex + ", which fiber [0-9]+ 'holder' holds",
        "'holder'" + started + "receive from Channel"},
       {"cycle"}},
      {"chain",
       "DEADLOCK",
       {"'first'.* which fiber [0-9]+ 'middle' holds", "'middle'.* which fiber [0-9]+ 'last' holds",
        "'last'" + started + "Event"},
       {"cycle"}},
      {"many",
       "DEADLOCK",
       {"3000 fibers, started at .*: each waits for " + kMutex +
            ", which fiber [0-9]+ 'holder' holds",
        "fiber [0-9]+ 'one of many', fiber [0-9]+ 'one of many', fiber .*, \\.\\.\\.$", "cycle   ",
        "3003 fibers wait"},
       {},
       "fast",
       "4"},
      {"handed_over",
       "DEADLOCK",
       {"'waiter'.* which fiber [0-9]+ 'heir' holds", "'heir'" + started + "Event"},
       {"former", "cycle"}},
      {"hosted",
       "DEADLOCK",
       {"'host'" + started + "WaitGroup 0x[0-9a-f]+, 1 not done", "'guest'" + started + "Event"}},
      {"executor_is_never_run",
       "DEADLOCK",
       {"'host'" + started + "WaitGroup",
        "'guest', started at .*: running, or ready on executor 0x[0-9a-f]+$"}},
      {"never_resumed",
       "DEADLOCK",
       {"'parked'" + started + "a resume \\(Suspend\\), or has got it$"}},
      {"only_a_thread",
       "DEADLOCK",
       {"a thread that is not a worker waits forever",
        "thread 'harness' waits for WaitGroup 0x[0-9a-f]+, 7 not done$"}},
      {"never_selected",
       "DEADLOCK",
       {"'chooser'" + started + "Select of several, one of them Channel 0x[0-9a-f]+$"}},
      {"never_notified", "DEADLOCK", {"'waiter'" + started + "CondVar 0x[0-9a-f]+$"}},
      {"notified_without_the_mutex",
       "DEADLOCK",
       {"'waiter'" + started + kMutex + ", which fiber [0-9]+ 'holder' holds",
        "'holder'" + started + "Event"},
       {"CondVar"}},
      {"never_released", "DEADLOCK", {"'greedy'" + started + "Semaphore 0x[0-9a-f]+$"}},
      {"upgrade",
       "DEADLOCK",
       {"'upgrader'" + started + "exclusive RwLock 0x[0-9a-f]+, which 1 shares$"}},
      {"joins_a_reader",
       "DEADLOCK",
       {"cycle ", "'writer' waits for the end of fiber [0-9]+ 'reader'$",
        "'reader' waits for shared RwLock 0x[0-9a-f]+, which fiber [0-9]+ 'writer' holds$",
        "2 fibers wait forever, for each other"}},
      {"sleeps_too_long",
       "STALL",
       {"nothing can run before a deadline for which 1 fiber waits$",
        "'sleeper'" + started + "a time \\(Sleep\\)$"}},
      {"thread_sleeps_too_long",
       "STALL",
       {"no task is left to run, and the workload waits for none of them$",
        "thread 'harness' \\(asleep\\)", "#[0-9]+ .* \\(waits\\.cpp:[0-9]+\\)$"},
       {"DEADLOCK", "addr2line"}},
      {"one_fiber",
       "LOST TASKS",
       {"1 fiber was started and never run",
        "thread 'harness' waits for WaitGroup 0x[0-9a-f]+, 1 not done"},
       {},
       "loses_new"},
      {"one_resumption",
       "LOST TASKS",
       {"'dropped', started at .*: running, or ready on executor", "1 fiber is ready to run"},
       {},
       "loses_resumed"},
      {"one_task",
       "LOST TASKS",
       {"thread 'harness' waits in WaitIdle for all tasks to end",
        "1 submitted task has not ended"},
       {},
       "loses_plain"},
      {"no_hang_of_its_own",
       "LOST WAKE-UP",
       {"all submitted tasks have ended, and all 2 workers are parked, but WaitIdle has not "
        "returned$",
        "thread 'harness' waits in WaitIdle for all tasks to end"},
       {" 0 "},
       "never_idle"},
      {"spin",
       "STALL",
       {"1 of 2 workers is parked, and 1 task has not ended", "thread 'fast-[01]' \\(running\\)",
        "^  tasks that wait to be picked: none$",
        "^  of 2 active workers 0 are searching, and 1 is parked$",
        "runs fiber [0-9]+ 'busy', started at .*tool.cpp:[0-9]+$",
        "#[0-9]+ .* \\(tool\\.cpp:[0-9]+\\)$"},
       {"addr2line", "hang_tool\\+0x", "__invoke", "_M_invoke", "std::function", "_M_run",
        "_Function_handler", "abi:cxx11"}},
      {"hold_a_threads_lock",
       "STALL",
       {"runs fiber [0-9]+ 'victim', started at ", "'holder'" + started + "Event",
        "thread 'fast-0' \\(asleep\\)"},
       {},
       "fast",
       "1"},
      {"block_the_thread",
       "STALL",
       {"runs fiber [0-9]+ 'blocked', started at ", "thread 'fast-[01]' \\(asleep\\)"}},
  };
  return hangs;
}

std::string Why(const Hang& hang, const Finished& run) {
  // POSIX's, because g++ 12 warns of its own std::regex under AddressSanitizer.
  const auto has = [&run](const std::string& pattern) {
    regex_t expression;
    EXPECT_EQ(::regcomp(&expression, pattern.c_str(), REG_EXTENDED | REG_NEWLINE | REG_NOSUB), 0);
    const bool found = ::regexec(&expression, run.error.c_str(), 0, nullptr, 0) == 0;
    ::regfree(&expression);
    return found;
  };
  if (run.code != 4) {
    return "exit code " + std::to_string(run.code);
  }
  if (!run.error.starts_with(std::string("error: ") + hang.kind +
                             " in round 2: nothing has happened for ")) {
    return std::string("not called a ") + hang.kind;
  }
#if defined(SB_TSAN)
  // ThreadSanitizer delivers signals at points of its own, of which a thread that spins has none:
  // no calls to show.
  if (hang.kind == std::string("STALL")) {
    return "";
  }
#endif
  for (const std::string& pattern : hang.says) {
    if (!has(pattern)) {
      return "does not say " + pattern;
    }
  }
  for (const std::string& pattern : hang.never_says) {
    if (has(pattern)) {
      return "says " + pattern;
    }
  }
  return "";
}

Finished RunHang(const Hang& hang) {
  return Execute({HANG_TOOL, "run", "-s", hang.scheduler, "--set",
                  std::string("workers=") + hang.workers, "-w", hang.workload, "-n", "5",
                  "--warmup", "0", "-f", "json", "--timeout", kTimeout});
}

class SeededHang : public testing::TestWithParam<Hang> {
 protected:
  static void TearDownTestSuite() {
    std::printf("%d of %d seeded hangs explained\n", explained, run);
  }

  static inline int explained = 0;
  static inline int run = 0;
};

INSTANTIATE_TEST_SUITE_P(Suite, SeededHang, testing::ValuesIn(Hangs()),
                         [](const auto& info) { return std::string(info.param.workload); });

TEST_P(SeededHang, IsExplainedByKindFibersAndHolders) {
  const auto start = std::chrono::steady_clock::now();
  const Finished finished = RunHang(GetParam());
  const std::string why = Why(GetParam(), finished);
  EXPECT_EQ(why, "") << finished.error;
  ++run;
  explained += why.empty() ? 1 : 0;
  // What the first round has measured is kept.
  const json result = json::parse(finished.out);
  EXPECT_EQ(result["complete"], false);
  EXPECT_EQ(result["rounds"].size(), 1);
  EXPECT_TRUE(result["failure"].get<std::string>().starts_with(GetParam().kind));
  EXPECT_FALSE(result["diagnosis"].empty());
  // Far more than timeout and diagnosis take, far less than a hang that is not detected.
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
}

// ---- Where no worker is to blame ----

struct Stuck {
  const char* workload;
  const char* scheduler;
  const char* headline;
  std::size_t rounds;  // that were finished
};

std::ostream& operator<<(std::ostream& out, const Stuck& stuck) {
  return out << stuck.workload << " on " << stuck.scheduler;
}

class StuckRun : public testing::TestWithParam<Stuck> {};

INSTANTIATE_TEST_SUITE_P(
    Suite, StuckRun,
    testing::Values(
        Stuck{"stuck_making", "fast", "STALL: the workload has not been made for ", 0},
        Stuck{"leave_a_fiber", "never_made", "STALL: the scheduler has not been made for ", 0},
        Stuck{"stuck_preparing", "fast",
              "STALL in round 2: the workload has not prepared the round for ", 1},
        Stuck{"stuck_verifying", "global_fifo",
              "STALL in round 2: the workload has not checked its answer for ", 1},
        Stuck{"leave_a_fiber", "never_stops", "STALL: the scheduler has not stopped for ", 3},
        Stuck{"stuck_destroying", "fast", "STALL: the workload has not been destroyed for ", 3}),
    [](const auto& info) {
      return std::string(info.param.workload) + "_on_" + info.param.scheduler;
    });

TEST_P(StuckRun, IsAStallThatSaysWhatDoesNotEndAndWhatItsThreadWaitsFor) {
  const Stuck& stuck = GetParam();
  const Finished run = Execute({HANG_TOOL, "run", "-s", stuck.scheduler, "-w", stuck.workload, "-n",
                                "3", "--warmup", "0", "-f", "json", "--timeout", kTimeout});
  EXPECT_EQ(run.code, 4);
  EXPECT_TRUE(run.error.starts_with(std::string("error: ") + stuck.headline)) << run.error;
  EXPECT_NE(run.error.find("  thread 'harness' waits for Event 0x"), std::string::npos)
      << run.error;
  EXPECT_NE(run.error.find("  thread 'harness' (asleep)\n"), std::string::npos) << run.error;
  const json result = json::parse(run.out);
  EXPECT_EQ(result["complete"], false);
  EXPECT_EQ(result["rounds"].size(), stuck.rounds);
}

TEST(Hang, WritesTheFailedResultToTheFileThatWasAskedFor) {
  const ScratchFolder folder;
  const Finished run = Execute({HANG_TOOL, "run", "-s", "fast", "-w", "never_fired", "--warmup",
                                "0", "--timeout", "300ms", "-q", "-o", "result.json"},
                               {.folder = folder.Path(), .environment = {}});
  EXPECT_EQ(run.code, 4);
  EXPECT_EQ(run.out, "");
  const json result = json::parse(folder.Read("result.json"));
  EXPECT_EQ(result["complete"], false);
  EXPECT_EQ(result["timeout_ns"], 300'000'000);
  EXPECT_EQ(result["rounds"].size(), 1);
}

TEST(Hang, OfARecordedRunShowsWhatWasBeforeIt) {
  const ScratchFolder folder;
  const Finished run = Execute({HANG_TOOL, "trace", "-w", "two_mutexes", "--warmup", "0",
                                "--timeout", "1s", "--for", "20ms", "-o", "t.json", "--summary"},
                               {.folder = folder.Path(), .environment = {}});
  EXPECT_EQ(run.code, 4);
  EXPECT_NE(run.error.find("DEADLOCK"), std::string::npos) << run.error;
  EXPECT_NE(run.out.find("no event was recorded in the last 1."), std::string::npos) << run.out;
  const json trace = json::parse(folder.Read("t.json"));
  EXPECT_TRUE(std::ranges::any_of(trace.at("traceEvents"), [](const json& event) {
    return event.at("name") == "a" && event.at("ph") == "X";
  }));
}

TEST(Hang, OfARecordedRunNamesTheFiberThatRanAllTheTime) {
  const ScratchFolder folder;
  const Finished run =
      Execute({HANG_TOOL, "trace", "-w", "spin", "--warmup", "0", "--timeout", "1s"},
              {.folder = folder.Path(), .environment = {}});
  EXPECT_EQ(run.code, 4);
  EXPECT_NE(run.out.find(" all that time\n"), std::string::npos) << run.out;
}

TEST(UnfinishedFibers, AreReportedAtTheEndOfARunWithWhatTheyWaitFor) {
  // Without LeakSanitizer, which finds the same and has its own exit code.
  const Finished run = Execute({HANG_TOOL, "run", "-s", "fast", "-w", "leave_a_fiber", "--warmup",
                                "0", "-n", "3", "-f", "json"},
                               {.folder = "", .environment = {{"ASAN_OPTIONS", "detect_leaks=0"}}});
  EXPECT_EQ(run.code, 0);
  EXPECT_NE(run.error.find("warning: 3 fibers never finished\n"), std::string::npos) << run.error;
  EXPECT_NE(run.error.find(" 'left behind'"), std::string::npos) << run.error;
  EXPECT_NE(run.error.find("each waits for Event 0x"), std::string::npos) << run.error;
}

TEST(Timeout, IsRefusedWhenItIsNotATime) {
  EXPECT_EQ(Schedbench({"run", "-s", "fast", "--timeout", "5"}).error,
            "error: --timeout 5   '5' has no unit; write 5ms, 5s or 5m\n");
  EXPECT_EQ(Schedbench({"run", "-s", "fast", "--timeout", "0.5"}).error,
            "error: --timeout 0.5   '0.5' has no unit; write 0.5s or 0.5m\n");
  for (const std::string text : {"-1s", "0.5ms", "1d", "s", "", "9999999h"}) {
    const Finished run = Schedbench({"run", "-s", "fast", "--timeout", text});
    EXPECT_EQ(run.code, 2) << text;
    EXPECT_EQ(run.error,
              fmt::format(
                  "error: --timeout {0}   '{0}' is neither 0 nor a time from 1ms to 1000h, such as "
                  "500ms, 1.5s or 1m30s\n",
                  text));
  }
}

TEST(Timeout, OfZeroWatchesNothingAndDisturbsNoRun) {
  for (const char* text : {"0", "none", "1h", "1.5m"}) {
    const Finished run = Schedbench(
        {"run", "-s", "fast", "-w", "pingpong:pairs=1,rounds=100", "-n", "2", "--timeout", text});
    EXPECT_EQ(run.code, 0) << run.error;
  }
}

}  // namespace

}  // namespace schedbench::tests::hang_test

#include "graph/import/go_trace.hpp"

#include "graph/check.hpp"
#include "graph/graph_file.hpp"
#include "tests/support/stress.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iostream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace schedbench::graph {

namespace {

std::string BytesOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string{std::istreambuf_iterator<char>(file), {}};
}

struct Totals {
  std::size_t goroutines = 0;
  std::uint64_t running_ns = 0;
  bool operator==(const Totals&) const = default;
};

Totals TotalsOf(const std::string& bytes) {
  const TaskGraph graph = ReadGoTrace(bytes);
  Totals totals{.goroutines = graph.tasks.size() - 1};
  for (std::size_t task = 1; task < graph.tasks.size(); ++task) {
    for (const Step& step : graph.StepsOf(task)) {
      totals.running_ns += step.kind == StepKind::kRun ? step.ns : 0;
    }
  }
  return totals;
}

// A trace since Go 1.22, made of its parts.
class Trace122 {
 public:
  Trace122& Batch(std::uint64_t generation, std::uint64_t thread, std::uint64_t ticks,
                  const std::vector<std::uint64_t>& content) {
    bytes_ += '\1';
    for (const std::uint64_t number : {generation, thread, ticks}) {
      bytes_ += Number(number);
    }
    std::string events;
    for (const std::uint64_t number : content) {
      events += Number(number);
    }
    bytes_ += Number(events.size()) + events;
    return *this;
  }

  std::string Bytes(const std::string& version) const {
    return version + " trace" + std::string(3, '\0') + bytes_;
  }

 private:
  static std::string Number(std::uint64_t number) {
    std::string bytes;
    for (; number >= 0x80; number >>= 7U) {
      bytes += static_cast<char>((number & 0x7FU) | 0x80U);
    }
    return bytes + static_cast<char>(number);
  }

  std::string bytes_;
};

// The numbers of `go tool trace` of the version that wrote the trace.
TEST(GoTrace, HasAsManyGoroutinesAndAsMuchRunningTimeAsGoToolTraceSays) {
  EXPECT_EQ(TotalsOf(BytesOf(SB_GRAPH_DATA "/go_1_19.trace")), (Totals{11, 4'696'738}));
  EXPECT_EQ(TotalsOf(BytesOf(SB_GRAPH_DATA "/go_1_24.trace")), (Totals{13, 8'516'417}));
}

TEST(GoTrace, IsReadInAllVersionsOfAFormat) {
  for (const auto& [file, versions] :
       {std::pair{"/go_1_19.trace", std::vector<std::string>{"go 1.11", "go 1.21"}},
        std::pair{"/go_1_24.trace", std::vector<std::string>{"go 1.22", "go 1.25"}}}) {
    std::string bytes = BytesOf(std::string(SB_GRAPH_DATA) + file);
    const Totals totals = TotalsOf(bytes);
    for (const std::string& version : versions) {
      bytes.replace(0, version.size(), version);
      EXPECT_EQ(TotalsOf(bytes), totals) << version;
    }
  }
}

TEST(GoTrace, Since122HasTheGoroutinesAndTheirDependences) {
  const TaskGraph graph = ReadGoTrace(BytesOf(SB_GRAPH_DATA "/go_1_24.trace"));
  EXPECT_EQ(Check(graph), "");
  EXPECT_EQ(graph.Fact("source"), "go 1.23 trace");
  const auto count = [&graph](const std::string& name) {
    return std::ranges::count_if(
        graph.tasks, [&](const Task& task) { return graph.labels[task.label] == name; });
  };
  EXPECT_EQ(count("main.worker"), 4);
  EXPECT_EQ(count("main.main.func1"), 1);
  EXPECT_EQ(count("main.main"), 1) << "it began before the trace";
}

// Thread 1 creates goroutine 2 on P 0; thread 2 starts it on P 1 by the number of events, although
// its clock is early.
TEST(GoTrace, Since122OrdersThreadsByTheNumbersOfEventsNotByTheirClocks) {
  Trace122 trace;
  trace.Batch(1, 2, 50, {13, 0, 1, 2, 10, 1, 1, 1, 16, 1, 2, 1, 17, 10})
      .Batch(1, 1, 100, {13, 0, 0, 1, 25, 0, 1, 1, 2, 14, 10, 2, 0, 0, 17, 20})
      .Batch(1, ~std::uint64_t{0}, 0, {50, 8, 1'000'000'000, 51, 1, 1, 1, 1})
      .Batch(2, 3, 200, {13, 0, 0, 1})
      .Batch(2, ~std::uint64_t{0}, 0, {50, 8, 1'000'000'000});
  const TaskGraph graph = ReadGoTrace(trace.Bytes("go 1.25"));
  ASSERT_EQ(graph.tasks.size(), 3U);
  EXPECT_EQ(graph.workers, 2U);
}

// All threads wait for goroutines that thread 1 creates later. It took minutes when each event of
// thread 1 looked at all of them.
TEST(GoTrace, Since122ReadsManyThreadsThatWait) {
  constexpr std::uint64_t kMany = tests::kSanitized ? 2'000 : 30'000;
  Trace122 trace;
  std::vector<std::uint64_t> creator{13, 0, 0, 1, 25, 0, 1, 1, 2};
  for (std::uint64_t i = 2; i < kMany + 2; ++i) {
    trace.Batch(1, i, 50, {13, 0, i, 2, 10, 1, i, 1, 16, 1, i, 1, 17, 1});
    creator.insert(creator.end(), {14, 1, i, 0, 0});
  }
  creator.insert(creator.end(), {17, 1});
  trace.Batch(1, 1, 100, creator)
      .Batch(1, ~std::uint64_t{0}, 0, {50, 8, 1'000'000'000, 51, 1, 1, 1, 1});
  const TaskGraph graph = ReadGoTrace(trace.Bytes("go 1.25"));
  EXPECT_EQ(graph.tasks.size(), kMany + 2);
  EXPECT_EQ(graph.workers, kMany + 1);
}

// Thread 2 ends its system call without its P, which thread 1 takes away only later by its own
// clock.
TEST(GoTrace, Since122WaitsUntilAPIsStolen) {
  Trace122 trace;
  trace
      .Batch(1, 2, 10, {13, 0, 1, 1, 25, 0, 2, 2, 2,  22, 1, 1, 0, 24, 1,  // without its P
                        10, 1, 2, 1, 16, 1, 2, 1, 17, 1})
      .Batch(1, 1, 100, {13, 0, 0, 1, 13, 0, 2, 2, 12, 1, 1, 2, 2})
      .Batch(1, ~std::uint64_t{0}, 0, {8, 1'000'000'000});
  const TaskGraph graph = ReadGoTrace(trace.Bytes("go 1.25"));
  ASSERT_EQ(graph.tasks.size(), 2U);
  EXPECT_EQ(graph.tasks[1].step_count, 3U) << "it runs, waits for its call, and runs on P 2";
  EXPECT_EQ(graph.waits, 1U);
}

TEST(GoTrace, Since122RefusesThreadsThatWaitForever) {
  Trace122 trace;
  trace.Batch(1, 2, 50, {13, 0, 1, 2, 10, 1, 1, 1, 16, 1, 2, 1})
      .Batch(1, ~std::uint64_t{0}, 0, {8, 1'000'000'000});
  try {
    ReadGoTrace(trace.Bytes("go 1.25"));
    ADD_FAILURE() << "nothing creates goroutine 2";
  } catch (const FormatError& error) {
    EXPECT_TRUE(std::string(error.what()).ends_with("its events contradict each other"))
        << error.what();
  }
}

TEST(GoTrace, Since122LeavesOutExperiments) {
  Trace122 trace;
  trace.Batch(1, 1, 100, {13, 0, 0, 1, 25, 0, 1, 1, 2, 128, 1, 2, 3, 17, 20})
      .Batch(1, 9, 0, {8, 1'000'000'000});
  EXPECT_EQ(TotalsOf(trace.Bytes("go 1.23")), (Totals{1, 20})) << "128 is an experimental event";
}

// The script go_traces.sh makes the traces.
TEST(GoTrace, OfTheInstalledGoAreAsGoToolTraceReadsThem) {
  const char* const folder = std::getenv("SB_GO_TRACES");
  if (folder == nullptr) {
    return;  // without the script there are no fresh traces
  }
  std::size_t compared = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".trace") {
      continue;
    }
    Totals expected;
    std::filesystem::path file = entry.path();
    std::ifstream(file.replace_extension(".expected")) >> expected.goroutines >>
        expected.running_ns;
    const Totals totals = TotalsOf(BytesOf(entry.path()));
    EXPECT_EQ(totals.goroutines, expected.goroutines) << entry.path();
    // Where two threads have the same time, either may come first; each such pair changes a sum by
    // some nanoseconds.
    const auto allowed = static_cast<double>(expected.running_ns) * 1e-5 + 2;
    EXPECT_NEAR(static_cast<double>(totals.running_ns), static_cast<double>(expected.running_ns),
                allowed)
        << entry.path();
    std::cout << entry.path().filename().string() << ": " << totals.goroutines << " goroutines, "
              << totals.running_ns << " ns; go tool trace: " << expected.running_ns << " ns\n";
    ++compared;
  }
  EXPECT_GT(compared, 0U);
}

// A prefix of a trace and a trace with a changed byte are refused, or what is read can be replayed.
TEST(GoTrace, IsReadOrRefusedWhereverItIsCutOrDamaged) {
  for (const char* const name : {"/go_1_19.trace", "/go_1_24.trace"}) {
    const std::string whole = BytesOf(std::string(SB_GRAPH_DATA) + name);
    std::size_t refused = 0;
    for (std::size_t at = 0; at < whole.size(); at += 13) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
      for (const std::string& bytes : {whole.substr(0, at), damaged}) {
        try {
          EXPECT_EQ(Check(ReadGoTrace(bytes)), "");
        } catch (const FormatError& error) {
          EXPECT_NE(std::string(error.what()), "");
          ++refused;
        }
      }
    }
    EXPECT_GE(refused, whole.size() / 13 / 2) << "almost every prefix is refused";
  }
}

// The pipeline of data/pipeline.go: a producer, four workers, a main goroutine that adds up 200
// results.
TEST(GoTrace, HasTheGoroutinesAndTheirDependences) {
  std::ifstream file(SB_GRAPH_DATA "/go_1_19.trace", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  const TaskGraph graph = ReadGoTrace(bytes);
  EXPECT_EQ(Check(graph), "");
  EXPECT_EQ(graph.workers, 2u);
  EXPECT_EQ(graph.Fact("source"), "go 1.19 trace");
  const auto count = [&graph](const std::string& name) {
    return std::ranges::count_if(
        graph.tasks, [&](const Task& task) { return graph.labels[task.label] == name; });
  };
  EXPECT_EQ(count("main.worker"), 4);
  EXPECT_EQ(count("main.main.func1"), 1);
  std::uint64_t worker_ns = 0;
  std::uint64_t sleeps = 0;
  for (std::size_t task = 1; task < graph.tasks.size(); ++task) {
    for (const Step& step : graph.StepsOf(task)) {
      const bool is_worker = graph.labels[graph.tasks[task].label] == "main.worker";
      worker_ns += is_worker && step.kind == StepKind::kRun ? step.ns : 0;
      sleeps += step.kind == StepKind::kWait && step.ns >= 2'000'000 ? 1 : 0;
    }
  }
  EXPECT_GE(worker_ns, 200u * 20'000) << "each of 200 values takes a worker 20 us";
  EXPECT_GE(sleeps, 1u) << "the main goroutine sleeps for 2 ms";
}

TEST(GoTrace, RefusesOtherVersionsAndDamage) {
  const auto message_of = [](const std::string& bytes) -> std::string {
    try {
      ReadGoTrace(bytes);
    } catch (const FormatError& error) {
      return error.what();
    }
    return "";
  };
  const std::string zeros(3, '\0');
  EXPECT_EQ(
      message_of("go 1.10 trace" + zeros),
      "the format of this trace is that of go 1.10; the formats of go 1.11, 1.19, 1.21, 1.22, "
      "1.23, 1.25 and 1.26 are read");
  EXPECT_EQ(message_of("go 1.22 trace" + zeros),
            "the Go trace is empty: the program ended before it called trace.Stop()");
  EXPECT_EQ(message_of("go 1.22 trace" + zeros + "\x07"),
            "the Go trace is damaged at byte 17: a batch begins with 7");
  EXPECT_EQ(message_of("go 1.19 trace" + zeros),
            "the Go trace is damaged at byte 16: it has no frequency of its clock: the program "
            "ended before it called "
            "trace.Stop()");
  EXPECT_EQ(message_of("go 1.19 trace" + zeros + '\x3f'),
            "the Go trace is damaged at byte 16: there is no event 63");
  EXPECT_EQ(message_of("go 1.22 trace" + zeros + "\x01\x01\x01\x01\xff\x7f"),
            "the Go trace is damaged at byte 22: a text is longer than the file");
  EXPECT_EQ(message_of("go 1.22 trace" + zeros + '\x01' + std::string(9, '\xff') + '\x7f'),
            "the Go trace is damaged at byte 27: a number is longer than 64 bits");
  EXPECT_EQ(message_of("go 1.22 trace" + zeros + "\x01\x01"),
            "the Go trace is damaged at byte 18: it ends in the middle");
  EXPECT_EQ(message_of("hello"),
            "this is not a Go trace: it does not begin with \"go 1.19 trace\"");
}

}  // namespace

}  // namespace schedbench::graph

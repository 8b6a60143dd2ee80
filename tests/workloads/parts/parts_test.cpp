#include "graph/task_graph.hpp"
#include "tests/workloads/run_once.hpp"
#include "workloads/parts/latencies.hpp"
#include "workloads/parts/matrices.hpp"
#include "workloads/parts/memory_need.hpp"
#include "workloads/parts/replay_program.hpp"
#include "workloads/parts/spin_work.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace schedbench::workloads::parts_test {

namespace {

TEST(SpinWork, OfNoTimeDoesNothing) {
  EXPECT_EQ(SpinWork(0).Steps(), 0U);
}

TEST(SpinWork, OfANanosecondDoesSomething) {
  EXPECT_GE(SpinWork(1).Steps(), 1U);
}

TEST(SpinWork, IsInProportionToTheTimeAskedFor) {
  const auto one = static_cast<double>(SpinWork(1'000'000).Steps());
  EXPECT_NEAR(static_cast<double>(SpinWork(10'000'000).Steps()) / one, 10, 0.01);
}

TEST(SpinWork, IsTheSameAmountEachTimeThatItIsAskedFor) {
  EXPECT_EQ(SpinWork(12345).Steps(), SpinWork(12345).Steps());
}

TEST(SpinWork, LastsAsLongAsItIsAskedToButNoShorterThanItsEnd) {
  EXPECT_GT(SpinWork::LeastNs(), 0);
  EXPECT_EQ(SpinWork::Lasting(0).Steps(), 1U);
  EXPECT_DOUBLE_EQ(SpinWork::Lasting(0).Ns(), SpinWork::LeastNs());
  EXPECT_NEAR(SpinWork::Lasting(1'000'000).Ns(), 1'000'000, 10);
  EXPECT_EQ(SpinWork(0).Ns(), 0);
}

TEST(ReplayProgram, ComputesAsMuchInAllAsTheGraphAlsoWhereEachComputationIsShort) {
  for (const std::uint32_t length_ns : {1U, 7U, 40U, 1000U}) {
    graph::TaskGraph graph;
    constexpr std::uint32_t kTasks = 10'000;
    graph.steps.resize(kTasks, {.kind = graph::StepKind::kSpawn});
    graph.tasks[0].step_count = kTasks;
    for (std::uint32_t task = 0; task < kTasks; ++task) {
      graph.steps[task].target = task + 1;
      graph.tasks.push_back({.first_step = graph.steps.size(), .step_count = 1});
      graph.steps.push_back({.ns = length_ns});
    }
    ReplayProgram program(graph, 100, false);
    double all_ns = 0;
    for (std::uint32_t task = 1; task <= kTasks; ++task) {
      // Its only action is its end.
      all_ns += SpinWork::OfSteps((&program.Begin(task))[1].action.Work()).Ns();
    }
    EXPECT_NEAR(all_ns / kTasks, length_ns, 0.01 * length_ns) << length_ns;
  }
}

// Outside spawns task 1, which spawns task 2, waits until that one wakes it, and ends.
graph::TaskGraph GraphOfAWait(fibers::WaitKind kind) {
  graph::TaskGraph graph;
  graph.waits = 1;
  graph.steps = {{.target = 1, .kind = graph::StepKind::kSpawn},
                 {.target = 2, .kind = graph::StepKind::kSpawn},
                 {.kind = graph::StepKind::kWait, .detail = static_cast<std::uint8_t>(kind)},
                 {.kind = graph::StepKind::kWake}};
  graph.tasks[0].step_count = 1;
  graph.tasks.push_back({.first_step = 1, .step_count = 2});
  graph.tasks.push_back({.first_step = 3, .step_count = 1});
  return graph;
}

TEST(ReplayProgram, JoinsTheFibersThatTheProgramJoined) {
  using Kind = ReplayProgram::Kind;
  ReplayProgram joining(GraphOfAWait(fibers::WaitKind::kJoin), 100, false);
  ReplayProgram::Slot* const slots = &joining.Begin(1);
  EXPECT_EQ(slots[1].action.GetKind(), Kind::kSpawn);
  EXPECT_EQ(slots[1].action.Hint(), ReplayProgram::kJoined);
  EXPECT_EQ(slots[3].action.GetKind(), Kind::kWait);
  EXPECT_EQ(&joining.At(slots[2].action.Target()), &slots[4]) << "the baton of the wait";

  ReplayProgram waiting(GraphOfAWait(fibers::WaitKind::kEvent), 100, false);
  EXPECT_NE((&waiting.Begin(1))[1].action.Hint(), ReplayProgram::kJoined);
}

TEST(MatrixPair, HasAProductWhoseSumIsThatOfItsColumns) {
  for (const std::uint64_t bytes : {1U, 8U, 72U, 4096U}) {
    const MatrixPair matrices(bytes, bytes);
    EXPECT_EQ(matrices.SumOfProduct(), matrices.Sum()) << bytes;
    EXPECT_NE(matrices.Sum(), MatrixPair(bytes, bytes + 1).Sum()) << bytes;
  }
}

TEST(CheckedCount, LetsThroughWhatFits) {
  EXPECT_EQ(CheckedCount("a:b", "things", 10, 1), 10U);
}

TEST(CheckedCount, IsAskedByWorkloadsWhoseSizesTogetherAreTooMuch) {
  for (const char* const workload :
       {"pingpong:pairs=1000000,capacity=1000000", "echo:connections=1000,messages=100000000",
        "file_vs_net:connections=1000,messages=100000000",
        "file_vs_net:writers=1000000,blocks=1000000"}) {
    EXPECT_THROW(tests::MakeWorkload(workload), std::runtime_error) << workload;
  }
}

TEST(CheckedCount, RefusesWhatDoesNotFitAndSaysHowManyDo) {
  try {
    CheckedCount("mutex:fibers", "clients", std::uint64_t{1} << 60U, 4096);
    FAIL() << "it fits";
  } catch (const std::runtime_error& error) {
    const std::string message = error.what();
    EXPECT_TRUE(message.starts_with("1152921504606846976 clients need about ")) << message;
    EXPECT_NE(message.find("the most that fit: mutex:fibers="), std::string::npos) << message;
  }
}

TEST(MedianP99AndMax, AreThoseOfTheSampleInAnyOrder) {
  std::vector<std::uint64_t> times(101);
  std::iota(times.rbegin(), times.rend(), 0);
  EXPECT_EQ(MedianP99AndMax(times), (std::array<double, 3>{50, 99, 100}));
}

TEST(MedianP99AndMax, AreZeroWhereThereIsNoSample) {
  EXPECT_EQ(MedianP99AndMax({}), (std::array<double, 3>{0, 0, 0}));
}

}  // namespace

}  // namespace schedbench::workloads::parts_test

#include "simulation/simulation.hpp"

#include "simulation/machine/machine.hpp"
#include "tests/bench/simulate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace schedbench::tests {

namespace {

using sim_scaling::Costs;
using sim_scaling::Machine;
using sim_scaling::Place;
using sim_scaling::Simulate;
using sim_scaling::SimulateThreads;

constexpr Costs kCosts{.hit = 1,
                       .locked = 5,
                       .fence = 7,
                       .transfer = 100,
                       .pause = 25,
                       .clock = 0,
                       .call = 300,
                       .wake = 2'000,
                       .wake_latency = 10'000,
                       .heavy_fence = 5'000,
                       .task = 10,
                       .create = 10,
                       .start = 20,
                       .resume = {15, 20, 40, 200},
                       .sync = 2};

// A cache line of the simulated program, for the threads of one simulation.
struct alignas(128) SharedLine {
  std::uint64_t value = 0;
};

// Runs body(core, line), where all cores share a line that the first one has made.
template <typename Body>
double WithLine(unsigned cores, Body body) {
  SharedLine* line = nullptr;
  return SimulateThreads(kCosts, cores, [&](unsigned core) {
    if (core == 0) {
      line = new SharedLine;
    }
    body(core, line);
  });
}

TEST(SimulatedTime, OneCorePaysTheSumOfItsOperations) {
  const double ns = WithLine(1, [](unsigned /*core*/, SharedLine* line) {
    Machine& machine = Machine::Instance();
    for (int i = 0; i < 10; ++i) {
      machine.Read(line, Place::current());
      machine.Write(line, Place::current());
      machine.Modify(line, Place::current());
      machine.Fence(Place::current());
      machine.Work(50);
    }
  });
  EXPECT_DOUBLE_EQ(ns, 10 * (1 + 1 + 5 + 7 + 50));
}

TEST(SimulatedTime, ASharedCounterIsChangedOncePerTransferWhateverTheNumberOfCores) {
  constexpr int kChanges = 100;
  for (const unsigned cores : {2U, 8U, 64U}) {
    const double ns = WithLine(cores, [](unsigned /*core*/, SharedLine*& line) {
      for (int i = 0; i < kChanges; ++i) {
        Machine::Instance().Modify(line, Place::current());
      }
    });
    const double per_change = ns / (cores * kChanges);
    // Of two cores, one may change it several times before the other one's request.
    EXPECT_GE(per_change, 90) << cores;
    EXPECT_LE(per_change, 110) << cores;
  }
}

TEST(SimulatedTime, CoresThatShareNoLineDoNotSlowEachOther) {
  const auto work = [](unsigned /*core*/) {
    auto* const own = new SharedLine;
    for (int i = 0; i < 100; ++i) {
      Machine::Instance().Modify(own, Place::current());
    }
  };
  EXPECT_DOUBLE_EQ(SimulateThreads(kCosts, 64, work), SimulateThreads(kCosts, 1, work));
}

TEST(SimulatedTime, ReadersOfALineWaitForEachOtherButNotForAWholeTransfer) {
  const auto read_late = [](unsigned core, SharedLine*& line) {
    Machine::Instance().Work(core == 0 ? 0 : 1000);
    Machine::Instance().Read(line, Place::current());
  };
  EXPECT_DOUBLE_EQ(WithLine(64, read_late), 1000 + 62 * kCosts.readers_queue + 100 + 1);
}

TEST(SimulatedTime, ALineTakesLongerFromAnotherClusterThanFromAnotherCoreOfTheSame) {
  Costs costs = kCosts;
  costs.cluster = 4;
  SharedLine* line = nullptr;
  // Core 0 writes, cores 3 and 4 read it later.
  const auto ns_of_reader = [&](unsigned reader) {
    return SimulateThreads(costs, 5, [&](unsigned core) {
      Machine& machine = Machine::Instance();
      if (core == 0) {
        line = new SharedLine;
        machine.Write(line, Place::current());
      } else if (core == reader) {
        machine.Work(1000);
        machine.Read(line, Place::current());
      }
    });
  };
  EXPECT_DOUBLE_EQ(ns_of_reader(3), 1000 + 100 + 1);
  EXPECT_DOUBLE_EQ(ns_of_reader(4), 1000 + 4 * 100 + 1);
}

TEST(SimulatedTime, AWriteTakesAsLongAsTheFarthestHolderOfTheLineNeeds) {
  Costs costs = kCosts;
  costs.cluster = 64;
  SharedLine* line = nullptr;
  const auto ns_with_reader = [&](unsigned reader) {
    return SimulateThreads(costs, 66, [&](unsigned core) {
      Machine& machine = Machine::Instance();
      if (core == 0) {
        line = new SharedLine;
        machine.Write(line, Place::current());
      } else if (core == reader) {
        machine.Work(100);
        machine.Read(line, Place::current());
      } else if (core == 1) {
        machine.Work(1000);
        machine.Modify(line, Place::current());
      }
    });
  };
  EXPECT_DOUBLE_EQ(ns_with_reader(2), 1000 + 100 + 5);
  EXPECT_DOUBLE_EQ(ns_with_reader(65), 1000 + 4 * 100 + 5);
}

TEST(SimulatedTime, AHeavyFenceInterruptsTheCoresThatRunAndTwoOfThemTakeTurns) {
  Costs costs = kCosts;
  costs.interrupt = 700;
  costs.interrupt_core = 0;
  std::vector<double> ends(3);
  SimulateThreads(costs, 3, [&](unsigned core) {
    Machine& machine = Machine::Instance();
    if (core == 2) {
      machine.Work(20'000);
      machine.Synchronize();
    } else {
      machine.HeavyFence(Place::current());
    }
    ends[core] = static_cast<double>(machine.NowNs());
  });
  EXPECT_DOUBLE_EQ(ends[2], 20'000 + 2 * 700);
  EXPECT_GE(std::max(ends[0], ends[1]), 2 * 5'000);
}

TEST(SimulatedTime, AStoreDoesNotWaitForItsLineAndAFenceDoes) {
  double before_fence = 0;
  double after_fence = 0;
  WithLine(2, [&](unsigned core, SharedLine*& line) {
    Machine& machine = Machine::Instance();
    machine.Read(line, Place::current());
    if (core == 1) {
      machine.Work(1000);
      const auto start = static_cast<double>(machine.NowNs());
      machine.Write(line, Place::current());
      before_fence = static_cast<double>(machine.NowNs()) - start;
      machine.Fence(Place::current());
      after_fence = static_cast<double>(machine.NowNs()) - start;
    }
  });
  EXPECT_LE(before_fence, 2);
  EXPECT_GE(after_fence, 100);
}

TEST(SimulatedTime, AWokenThreadContinuesAfterTheLatencyAndTheCallerAfterTheCall) {
  double caller = 0;
  const double ns = WithLine(2, [&](unsigned core, SharedLine*& line) {
    Machine& machine = Machine::Instance();
    if (core == 0) {
      machine.FutexWait(line, 0, 0, Machine::kNoLimit);
    } else {
      machine.Work(5'000);
      machine.FutexWake(line, 1);
      caller = static_cast<double>(machine.NowNs());
    }
  });
  EXPECT_DOUBLE_EQ(caller, 5'000 + 2'000);
  EXPECT_DOUBLE_EQ(ns, 5'000 + 10'000);
}

TEST(SimulatedTime, AWaitWithALimitEndsWhenTheTimeIsOver) {
  bool woken = true;
  const double ns = WithLine(1, [&](unsigned /*core*/, SharedLine* line) {
    woken = Machine::Instance().FutexWait(line, 0, 0, 4'000);
  });
  EXPECT_FALSE(woken);
  EXPECT_DOUBLE_EQ(ns, 300 + 4'000);
}

TEST(SimulatedTime, ABlockThatAnotherCoreFreesReturnsToItsOwner) {
  std::vector<const void*> blocks(2);
  SharedLine* made = nullptr;
  SimulateThreads(kCosts, 2, [&](unsigned core) {
    Machine& machine = Machine::Instance();
    if (core == 0) {
      made = new SharedLine;
      blocks[0] = made;
      machine.Work(1000);
      machine.Synchronize();
      blocks[1] = new SharedLine;
    } else {
      machine.Work(100);
      machine.Synchronize();
      delete made;
    }
  });
  EXPECT_EQ(blocks[0], blocks[1]);
}

TEST(SimulatedCosts, AResumeCostsWhatWasMeasuredAtAPointAndLessBeforeTheNext) {
  EXPECT_DOUBLE_EQ(kCosts.ResumeNs(0), 15);
  EXPECT_DOUBLE_EQ(kCosts.ResumeNs(128), 20);
  EXPECT_DOUBLE_EQ(kCosts.ResumeNs(512), 30);
  EXPECT_DOUBLE_EQ(kCosts.ResumeNs(1'000'000), 200);
}

// ---- The shipped scheduler ----

constexpr const char* kSpawns = "spawn_join:tasks=2000";
constexpr const char* kBodies = "single_producer_imbalance:tasks=2000,body_ns=20000";

TEST(SimulatedScheduler, GivesTheSameResultForTheSameArguments) {
  const sim_scaling::Prediction first = Simulate(kCosts, kSpawns, 4);
  Simulate(kCosts, kBodies, 3);
  const sim_scaling::Prediction second = Simulate(kCosts, kSpawns, 4);
  EXPECT_EQ(first.ns_per_operation, second.ns_per_operation);
  EXPECT_EQ(first.transfer, second.transfer);
  EXPECT_EQ(first.idle, second.idle);
}

TEST(SimulatedScheduler, HasSharesThatAddUpToOne) {
  const sim_scaling::Prediction prediction = Simulate(kCosts, kSpawns, 8);
  EXPECT_NEAR(prediction.work + prediction.transfer + prediction.search + prediction.idle, 1, 1e-9);
  ASSERT_FALSE(prediction.hottest.empty());
  EXPECT_TRUE(std::ranges::is_sorted(prediction.hottest, std::ranges::greater{},
                                     &sim_scaling::HotPlace::share));
}

TEST(SimulatedScheduler, PaysForTransfersWithTwoWorkersAndNotWithOne) {
  Costs dear = kCosts;
  dear.transfer = 4 * kCosts.transfer;
  EXPECT_GT(Simulate(dear, kSpawns, 2).ns_per_operation,
            1.5 * Simulate(kCosts, kSpawns, 2).ns_per_operation);
  EXPECT_NEAR(
      Simulate(dear, kSpawns, 1).ns_per_operation / Simulate(kCosts, kSpawns, 1).ns_per_operation,
      1, 0.05);
}

TEST(SimulatedScheduler, PaysForAFiberWhatAFiberCosts) {
  Costs dear = kCosts;
  dear.create += 100;
  EXPECT_NEAR(
      Simulate(dear, kSpawns, 1).ns_per_operation - Simulate(kCosts, kSpawns, 1).ns_per_operation,
      100, 5);
}

TEST(SimulatedScheduler, RunsLongTasksOfOneProducerOnAllWorkers) {
  const double alone = Simulate(kCosts, kBodies, 1).ns_per_operation;
  EXPECT_GE(alone, 20'000);
  EXPECT_LE(alone, 21'000);
  const double together = Simulate(kCosts, kBodies, 16).ns_per_operation;
  EXPECT_GT(alone / together, 12);
  EXPECT_LE(alone / together, 16);
}

TEST(SimulatedScheduler, EndsWithAsManyWorkersAsItMayHave) {
  EXPECT_GT(Simulate(kCosts, kSpawns, sim_scaling::kMaxWorkers).ns_per_operation, 0);
}

}  // namespace

}  // namespace schedbench::tests

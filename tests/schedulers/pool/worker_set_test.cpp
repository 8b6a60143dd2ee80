#include "schedulers/pool/worker_set.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <set>
#include <thread>
#include <vector>

namespace schedbench::schedulers::worker_set_test {

namespace {

TEST(WorkerSet, GivesTheLowestFirstOfAllWords) {
  WorkerSet set(kMaxWorkers);
  for (const std::uint32_t worker : {1023U, 700U, 64U, 63U, 5U}) {
    set.Add(worker);
  }
  for (const std::uint32_t worker : {5U, 63U, 64U, 700U, 1023U}) {
    EXPECT_EQ(set.Take(0), worker);
  }
}

TEST(WorkerSet, GivesTheFirstFromAGivenOneOnAndThenThoseBelow) {
  WorkerSet set(130);
  for (const std::uint32_t worker : {3U, 64U, 66U, 129U}) {
    set.Add(worker);
  }
  for (const std::uint32_t worker : {66U, 129U, 3U, 64U}) {
    EXPECT_EQ(set.Take(65), worker);
  }
}

TEST(WorkerSet, LosesAWorkerOnce) {
  WorkerSet set(70);
  set.Add(69);
  EXPECT_FALSE(set.TryRemove(68));
  EXPECT_FALSE(set.TryRemove(5)) << "the same bit of another word";
  EXPECT_TRUE(set.TryRemove(69));
  EXPECT_FALSE(set.TryRemove(69));
}

TEST(WorkerSet, CountsARangeOfWorkers) {
  WorkerSet set(kMaxWorkers);
  for (std::uint32_t worker = 0; worker < kMaxWorkers; worker += 2) {
    set.Add(worker);
  }
  EXPECT_EQ(set.Count(0, kMaxWorkers), 512U);
  EXPECT_EQ(set.Count(0, 0), 0U);
  EXPECT_EQ(set.Count(0, 64), 32U);
  EXPECT_EQ(set.Count(1, 64), 31U);
  EXPECT_EQ(set.Count(63, 65), 1U);
  EXPECT_EQ(set.Count(62, 1023), 481U);
  EXPECT_EQ(set.Count(1024, 1024), 0U);
}

TEST(WorkerSet, GivesEachWorkerToOneThread) {
  constexpr std::uint32_t kWorkers = 200;
  constexpr std::uint32_t kThreads = 4;
  for (int round = 0; round < 20; ++round) {
    WorkerSet set(kWorkers);
    for (std::uint32_t worker = 0; worker < kWorkers; ++worker) {
      set.Add(worker);
    }
    std::vector<std::vector<std::uint32_t>> taken(kThreads);
    {
      std::vector<std::jthread> threads;
      for (std::uint32_t i = 0; i < kThreads; ++i) {
        threads.emplace_back([&set, &mine = taken[i], i] {
          for (std::uint32_t n = 0; n < kWorkers / kThreads; ++n) {
            mine.push_back(set.Take(i * 50));
          }
        });
      }
    }
    std::set<std::uint32_t> all;
    for (const std::vector<std::uint32_t>& mine : taken) {
      all.insert(mine.begin(), mine.end());
    }
    EXPECT_EQ(all.size(), kWorkers);
    EXPECT_EQ(set.Count(0, kWorkers), 0U);
  }
}

}  // namespace

}  // namespace schedbench::schedulers::worker_set_test

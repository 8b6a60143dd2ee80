#include "trace/worker_log.hpp"

#include "trace/labels.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace schedbench::trace::worker_log_test {

namespace {

TEST(WorkerLog, CallsAPlaceByFileAndLine) {
  Labels labels;
  WorkerLog log(0, 4, labels);
  static const char file[] = "src/main.cpp";
  const Label label = log.LabelOfPlace(file, 7);
  EXPECT_EQ(log.LabelOfPlace(file, 7), label);
  EXPECT_EQ(log.LabelOfName("main.cpp:7"), label);
  EXPECT_EQ(labels.Texts(), (std::vector<std::string>{"", "main.cpp:7"}));
}

TEST(WorkerLog, DistinguishesPlacesThatShareAPlaceInItsMemory) {
  Labels labels;
  WorkerLog log(0, 4, labels);
  static const char file[] = "src/main.cpp";
  for (int round = 0; round < 2; ++round) {
    for (std::uint32_t line = 1; line <= 200; ++line) {
      const Label label = log.LabelOfPlace(file, line);
      EXPECT_EQ(labels.Texts().at(label), "main.cpp:" + std::to_string(line));
    }
  }
  EXPECT_EQ(labels.Texts().size(), 201u);
}

TEST(WorkerLog, NumbersTasksApartFromFibersAndFromThoseOfOtherWorkers) {
  Labels labels;
  WorkerLog first(0, 4, labels);
  WorkerLog last(255, 4, labels);
  const std::uint32_t task = first.NextTask();
  EXPECT_GE(task, kFirstTask);
  EXPECT_NE(first.NextTask(), task);
  EXPECT_GT(last.NextTask(), task);
  EXPECT_LT(FiberNumber(~std::uint64_t{0}), kFirstTask);
}

TEST(WorkerLog, BeginsItsNumbersAnewBeforeThoseOfTheNextWorker) {
  Labels labels;
  WorkerLog first(0, 4, labels);
  WorkerLog second(1, 4, labels);
  const std::uint32_t begin = first.NextTask();
  const std::uint32_t other = second.NextTask();
  for (int i = 1; i < 1 << 23; ++i) {
    const std::uint32_t task = first.NextTask();
    if (task >= other || task < kFirstTask) {
      FAIL() << task;
    }
  }
  EXPECT_EQ(first.NextTask(), begin);
}

}  // namespace

}  // namespace schedbench::trace::worker_log_test

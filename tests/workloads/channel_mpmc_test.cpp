#include "tests/workloads/run_once.hpp"

#include <gtest/gtest.h>

namespace schedbench::tests::channel_mpmc_test {

namespace {

TEST(ChannelMpmc, BringsEachMessageToOneConsumer) {
  for (const std::string capacity : {"0", "1", "64", "100000"}) {
    const Outcome outcome = RunOnce("channel_mpmc:messages=20000,capacity=" + capacity, "fast", 2);
    EXPECT_EQ(outcome.wrong, "") << capacity;
    EXPECT_EQ(outcome.operations, 20000U);
  }
}

TEST(ChannelMpmc, TakesAnyNumberOfProducersAndConsumers) {
  for (const std::string parties : {"producers=1,consumers=1", "producers=7,consumers=3",
                                    "producers=1,consumers=20", "producers=20,consumers=1"}) {
    EXPECT_EQ(RunOnce("channel_mpmc:messages=1001," + parties, "global_fifo", 2).wrong, "")
        << parties;
  }
}

TEST(ChannelMpmc, HasConsumersThatGetNothingWhereMessagesAreFew) {
  EXPECT_EQ(RunOnce("channel_mpmc:messages=2,producers=8,consumers=8", "fast", 2).wrong, "");
}

}  // namespace

}  // namespace schedbench::tests::channel_mpmc_test

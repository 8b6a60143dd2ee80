#include "fibers/sync/channel.hpp"

#include "executors/manual_executor.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"
#include "tests/support/noting_executor.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace schedbench::fibers::channel_test {

namespace {

using executors::ManualExecutor;
using executors::SchedulerHint;

TEST(Channel, WithoutCapacityHoldsASenderUntilItsValueIsReceived) {
  ManualExecutor executor;
  Channel<int> channel(0);
  std::string order;
  Go(executor, [&] {
    channel.Send(1);
    order += "sent ";
  });
  executor.Drain();
  EXPECT_EQ(order, "");
  Go(executor, [&] {
    EXPECT_EQ(channel.Receive(), 1);
    order += "received ";
  });
  executor.Drain();
  EXPECT_EQ(order, "received sent ");
}

TEST(Channel, HoldsAReceiverUntilThereIsAValue) {
  for (const std::size_t capacity : {0U, 1U, 5U}) {
    ManualExecutor executor;
    Channel<int> channel(capacity);
    int received = 0;
    Go(executor, [&] { received = channel.Receive(); });
    executor.Drain();
    EXPECT_EQ(received, 0);
    bool sent = false;
    Go(executor, [&] {
      channel.Send(7);
      sent = true;
    });
    executor.RunNext();
    EXPECT_TRUE(sent) << "a receiver waits for the value: no reason to wait";
    executor.Drain();
    EXPECT_EQ(received, 7);
  }
}

TEST(Channel, TakesAsManyValuesAsItHasCapacityBeforeASenderWaits) {
  for (const std::size_t capacity : {1U, 2U, 7U}) {
    ManualExecutor executor;
    Channel<std::size_t> channel(capacity);
    std::size_t sent = 0;
    Go(executor, [&] {
      for (std::size_t i = 0; i < capacity + 2; ++i) {
        channel.Send(i);
        ++sent;
      }
    });
    executor.Drain();
    EXPECT_EQ(sent, capacity);
    std::vector<std::size_t> received;
    Go(executor, [&] {
      for (std::size_t i = 0; i < capacity + 2; ++i) {
        received.push_back(channel.Receive());
      }
    });
    executor.Drain();
    EXPECT_EQ(sent, capacity + 2);
    for (std::size_t i = 0; i < capacity + 2; ++i) {
      EXPECT_EQ(received[i], i);
    }
  }
}

TEST(Channel, KeepsTheOrderOfTheBufferAndOfWaitingSenders) {
  for (const std::size_t capacity : {0U, 1U, 3U, 100U}) {
    ManualExecutor executor;
    Channel<int> channel(capacity);
    for (int i = 0; i < 10; ++i) {
      Go(executor, [&, i] { channel.Send(i); });
    }
    executor.Drain();
    std::vector<int> received;
    Go(executor, [&] {
      for (int i = 0; i < 10; ++i) {
        received.push_back(channel.Receive());
      }
    });
    executor.Drain();
    EXPECT_EQ(received, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9})) << capacity;
  }
}

TEST(Channel, ServesReceiversInTheOrderOfTheirCalls) {
  ManualExecutor executor;
  Channel<char> channel(2);
  std::string got;
  for (const char name : {'a', 'b', 'c'}) {
    Go(executor, [&, name] {
      const char value = channel.Receive();
      got += name;
      got += value;
    });
  }
  executor.Drain();
  Go(executor, [&] {
    for (const char value : {'1', '2', '3'}) {
      channel.Send(value);
    }
  });
  executor.Drain();
  EXPECT_EQ(got, "a1b2c3");
}

TEST(Channel, KeepsItsOrderRoundAndRoundTheBuffer) {
  ManualExecutor executor;
  Channel<int> channel(3);
  std::vector<int> received;
  Go(executor, [&] {
    for (int i = 0; i < 100; ++i) {
      channel.Send(i);
      if (i % 5 == 0) {
        Yield();
      }
    }
  });
  Go(executor, [&] {
    for (int i = 0; i < 100; ++i) {
      received.push_back(channel.Receive());
      if (i % 7 == 0) {
        Yield();
      }
    }
  });
  executor.Drain();
  ASSERT_EQ(received.size(), 100U);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(received[static_cast<std::size_t>(i)], i);
  }
}

TEST(Channel, CarriesValuesThatCanOnlyBeMovedAndHaveNoDefault) {
  struct Parcel {
    explicit Parcel(int number)
        : content(std::make_unique<int>(number)) {
    }
    std::unique_ptr<int> content;
  };
  for (const std::size_t capacity : {0U, 2U}) {
    ManualExecutor executor;
    Channel<Parcel> channel(capacity);
    int sum = 0;
    Go(executor, [&] {
      for (int i = 1; i <= 5; ++i) {
        channel.Send(Parcel(i));
      }
    });
    Go(executor, [&] {
      for (int i = 1; i <= 5; ++i) {
        sum += *channel.Receive().content;
      }
    });
    executor.Drain();
    EXPECT_EQ(sum, 15);
  }
}

TEST(Channel, DestroysTheValuesThatWereNotReceived) {
  const auto value = std::make_shared<int>(1);
  ManualExecutor executor;
  {
    Channel<std::shared_ptr<int>> channel(3);
    Go(executor, [&] {
      channel.Send(value);
      channel.Send(value);
    });
    executor.Drain();
    EXPECT_EQ(value.use_count(), 3);
  }
  EXPECT_EQ(value.use_count(), 1);
}

TEST(Channel, LetsGoOfAValueThatWasReceived) {
  const auto value = std::make_shared<int>(1);
  ManualExecutor executor;
  Channel<std::shared_ptr<int>> channel(1);
  Go(executor, [&] {
    channel.Send(value);
    channel.Receive().reset();
  });
  executor.Drain();
  EXPECT_EQ(value.use_count(), 1) << "the buffer keeps a copy";
}

TEST(Channel, WakesWithTheHintThatItWasGiven) {
  for (const SchedulerHint hint : {SchedulerHint::UpToYou, SchedulerHint::Next}) {
    ManualExecutor manual;
    tests::NotingExecutor executor(manual);
    Channel<int> channel(0, hint);
    // A sender wakes a receiver.
    Go(executor, [&] { channel.Receive(); });
    manual.Drain();
    Go(executor, [&] { channel.Send(1); });
    manual.RunNext();
    EXPECT_EQ(executor.Hints().back(), hint);
    manual.Drain();
    // A receiver wakes a sender.
    Go(executor, [&] { channel.Send(1); });
    manual.Drain();
    Go(executor, [&] { channel.Receive(); });
    manual.RunNext();
    EXPECT_EQ(executor.Hints().back(), hint);
    manual.Drain();
  }
}

TEST(Channel, MayBeDestroyedByTheLastReceiver) {
  for (const std::size_t capacity : {0U, 1U}) {
    ManualExecutor executor;
    auto channel = std::make_unique<Channel<int>>(capacity);
    Go(executor, [&] {
      channel->Receive();
      channel.reset();
    });
    Go(executor, [&, raw = channel.get()] { raw->Send(1); });
    executor.Drain();
    EXPECT_EQ(channel, nullptr);
  }
}

}  // namespace

}  // namespace schedbench::fibers::channel_test

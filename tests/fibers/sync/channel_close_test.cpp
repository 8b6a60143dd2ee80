// What a channel does when it is closed, and the operations that do not wait.
#include "executors/manual_executor.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sync/channel.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

namespace schedbench::fibers::channel_close_test {

namespace {

using executors::ManualExecutor;

TEST(ClosedChannel, GivesWhatIsInTheBufferAndThenNothing) {
  ManualExecutor executor;
  Channel<int> channel(3);
  std::string got;
  Go(executor, [&] {
    channel.Send(1);
    channel.Send(2);
    channel.Close();
    channel.Close();
    while (const auto value = channel.ReceiveOrClosed()) {
      got += std::to_string(*value);
    }
    EXPECT_FALSE(channel.ReceiveOrClosed().has_value());
    EXPECT_FALSE(channel.TryReceive().has_value());
  });
  executor.Drain();
  EXPECT_EQ(got, "12");
  EXPECT_TRUE(channel.IsClosed());
}

TEST(ClosedChannel, LetsReceiveTakeWhatIsLeft) {
  ManualExecutor executor;
  Channel<int> channel(1);
  int got = 0;
  Go(executor, [&] {
    channel.Send(7);
    channel.Close();
    got = channel.Receive();
  });
  executor.Drain();
  EXPECT_EQ(got, 7);
}

TEST(ClosedChannel, TakesNothingInAndSaysSo) {
  for (const std::size_t capacity : {0U, 2U}) {
    ManualExecutor executor;
    Channel<int> channel(capacity);
    channel.Close();
    bool asked = false;
    Go(executor, [&] {
      EXPECT_FALSE(channel.Send(1));
      EXPECT_FALSE(channel.TrySend(1));
      EXPECT_FALSE(channel.SendFor(std::chrono::hours(1), 1));
      EXPECT_FALSE(channel.TryReceive().has_value());
      asked = true;
    });
    executor.Drain();
    EXPECT_TRUE(asked);
  }
}

TEST(ClosedChannel, LetsWaitingReceiversGoWithNothing) {
  ManualExecutor executor;
  Channel<int> channel(0);
  int went = 0;
  for (int i = 0; i < 3; ++i) {
    Go(executor, [&] {
      EXPECT_FALSE(channel.ReceiveOrClosed().has_value());
      ++went;
    });
  }
  executor.Drain();
  EXPECT_EQ(went, 0);
  channel.Close();
  executor.Drain();
  EXPECT_EQ(went, 3);
}

TEST(ClosedChannel, SendsWaitingSendersAwayAndKeepsTheBuffer) {
  ManualExecutor executor;
  Channel<std::shared_ptr<int>> channel(1);
  const auto value = std::make_shared<int>(1);
  std::string sent;
  for (int i = 0; i < 3; ++i) {
    Go(executor, [&] { sent += channel.Send(value) ? 'y' : 'n'; });
  }
  executor.Drain();
  EXPECT_EQ(sent, "y");
  channel.Close();
  executor.Drain();
  EXPECT_EQ(sent, "ynn");
  EXPECT_EQ(value.use_count(), 2) << "of those that were refused nothing is left";
  EXPECT_TRUE(channel.TryReceive().has_value());
  EXPECT_FALSE(channel.TryReceive().has_value());
}

TEST(ClosedChannel, MayBeDestroyedByTheFiberThatItRefused) {
  ManualExecutor executor;
  auto channel = std::make_unique<Channel<int>>(0);
  Go(executor, [&] {
    EXPECT_FALSE(channel->ReceiveOrClosed().has_value());
    channel.reset();
  });
  executor.Drain();
  channel->Close();
  executor.Drain();
  EXPECT_EQ(channel, nullptr);
}

TEST(ClosedChannelDeathTest, EndsTheProcessIfTheReceiverRequiresAValue) {
  EXPECT_DEATH(
      {
        ManualExecutor executor;
        Channel<int> channel(0);
        channel.Close();
        Go(executor, [&] { channel.Receive(); });
        executor.Drain();
      },
      "closed and empty");
}

TEST(TrySend, LeavesTheValueWithTheCallerIfItIsNotSent) {
  Channel<std::unique_ptr<int>> channel(1);
  auto first = std::make_unique<int>(1);
  auto second = std::make_unique<int>(2);
  EXPECT_TRUE(channel.TrySend(std::move(first)));
  EXPECT_FALSE(channel.TrySend(std::move(second)));
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(**channel.TryReceive(), 1);
  EXPECT_FALSE(channel.TryReceive().has_value());
}

TEST(TrySend, HandsTheValueToAReceiverThatWaits) {
  ManualExecutor executor;
  Channel<int> channel(0);
  EXPECT_FALSE(channel.TrySend(1)) << "no receiver is there";
  int got = 0;
  Go(executor, [&] { got = channel.Receive(); });
  executor.Drain();
  EXPECT_TRUE(channel.TrySend(2));
  executor.Drain();
  EXPECT_EQ(got, 2);
}

TEST(TryReceive, TakesTheValueOfASenderThatWaits) {
  for (const std::size_t capacity : {0U, 1U}) {
    ManualExecutor executor;
    Channel<int> channel(capacity);
    int sent = 0;
    Go(executor, [&] {
      channel.Send(1);
      ++sent;
      channel.Send(2);
      ++sent;
    });
    executor.Drain();
    EXPECT_EQ(channel.TryReceive(), 1);
    executor.Drain();
    EXPECT_EQ(channel.TryReceive(), 2);
    executor.Drain();
    EXPECT_EQ(sent, 2);
    EXPECT_EQ(channel.TryReceive(), std::nullopt);
  }
}

}  // namespace

}  // namespace schedbench::fibers::channel_close_test

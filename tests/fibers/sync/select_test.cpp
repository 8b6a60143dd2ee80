#include "fibers/sync/select.hpp"

#include "executors/manual_executor.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

namespace schedbench::fibers::select_test {

namespace {

using executors::ManualExecutor;

TEST(Select, TakesTheCaseThatIsReady) {
  ManualExecutor executor;
  Channel<int> xs(1);
  Channel<std::string> ys(1);
  std::size_t fired = 9;
  Go(executor, [&] {
    ys.Send("hello");
    ReceiveCase from_xs(xs);
    ReceiveCase from_ys(ys);
    fired = Select(from_xs, from_ys);
    EXPECT_EQ(from_ys.Value(), "hello");
    EXPECT_FALSE(from_xs.Value().has_value());
  });
  executor.Drain();
  EXPECT_EQ(fired, 1);
}

TEST(Select, WaitsUntilAnyOfItsChannelsHasAValueAndLeavesTheOthersAlone) {
  for (const std::size_t capacity : {0U, 1U}) {
    ManualExecutor executor;
    std::array<std::unique_ptr<Channel<int>>, 3> channels;
    for (auto& channel : channels) {
      channel = std::make_unique<Channel<int>>(capacity);
    }
    std::string got;
    Go(executor, [&] {
      ReceiveCase a(*channels[0]);
      ReceiveCase b(*channels[1]);
      ReceiveCase c(*channels[2]);
      for (int i = 0; i < 3; ++i) {
        const std::size_t fired = Select(a, b, c);
        got += static_cast<char>('a' + fired);
        got += std::to_string((fired == 0 ? a : fired == 1 ? b : c).Value().value());
      }
    });
    executor.Drain();
    for (const std::size_t i : {2U, 0U, 1U}) {
      EXPECT_TRUE(channels[i]->TrySend(static_cast<int>(i)));
      executor.Drain();
    }
    EXPECT_EQ(got, "c2a0b1");
    for (auto& channel : channels) {
      EXPECT_EQ(channel->TrySend(1), capacity == 1) << "a fiber still waits there";
    }
  }
}

TEST(Select, SendsToTheFirstReceiver) {
  ManualExecutor executor;
  Channel<int> xs(0);
  Channel<int> ys(0);
  std::size_t fired = 9;
  Go(executor, [&] {
    SendCase to_xs(xs, 1);
    SendCase to_ys(ys, 2);
    fired = Select(to_xs, to_ys);
    EXPECT_TRUE(to_ys.Sent());
    EXPECT_EQ(to_xs.Value(), 1) << "not sent, still there";
  });
  executor.Drain();
  EXPECT_EQ(ys.TryReceive(), 2);
  EXPECT_EQ(xs.TryReceive(), std::nullopt) << "exactly one case fires";
  executor.Drain();
  EXPECT_EQ(fired, 1);
}

TEST(Select, MeetsAnotherSelect) {
  ManualExecutor executor;
  Channel<int> xs(0);
  Channel<int> ys(0);
  int got = 0;
  Go(executor, [&] {
    ReceiveCase from_xs(xs);
    ReceiveCase from_ys(ys);
    const std::size_t fired = Select(from_xs, from_ys);
    got = *(fired == 0 ? from_xs : from_ys).Value();
  });
  int sent = 0;
  Go(executor, [&] {
    SendCase to_ys(ys, 20);
    SendCase to_xs(xs, 10);
    sent = Select(to_ys, to_xs) == 0 ? 20 : 10;
  });
  executor.Drain();
  EXPECT_NE(got, 0);
  EXPECT_EQ(got, sent);
}

TEST(Select, ThatSendsAndReceivesOnOneChannelDoesNotMeetItself) {
  ManualExecutor executor;
  Channel<int> channel(0);
  std::string log;
  for (const int own : {1, 2}) {
    Go(executor, [&, own] {
      SendCase out(channel, own);
      ReceiveCase in(channel);
      log += Select(out, in) == 0 ? "s" : "r" + std::to_string(*in.Value());
    });
    executor.RunNext();
    EXPECT_EQ(log, own == 1 ? "" : log);
  }
  executor.Drain();
  std::ranges::sort(log);
  EXPECT_TRUE(log == "1rs" || log == "2rs") << log;
}

TEST(Select, TakesTwoCasesOfOneChannelForOne) {
  ManualExecutor executor;
  Channel<int> channel(0);
  int fired = 0;
  Go(executor, [&] {
    ReceiveCase first(channel);
    ReceiveCase second(channel);
    const std::size_t which = Select(first, second);
    EXPECT_EQ((which == 0 ? first : second).Value(), 5);
    ++fired;
  });
  executor.Drain();
  EXPECT_TRUE(channel.TrySend(5));
  EXPECT_FALSE(channel.TrySend(6)) << "its other case waits no more";
  executor.Drain();
  EXPECT_EQ(fired, 1);
}

TEST(SelectDeathTest, DoesNotTakeOneCaseTwice) {
  Channel<int> channel(1);
  ReceiveCase receive(channel);
  EXPECT_DEATH(TrySelect(receive, receive), "a case stands once in a Select");
}

TEST(Select, WithADefaultDoesNotWait) {
  Channel<int> xs(1);
  Channel<int> ys(0);
  ReceiveCase from_xs(xs);
  SendCase to_ys(ys, 1);
  EXPECT_EQ(TrySelect(from_xs, to_ys), std::nullopt);
  xs.TrySend(3);
  EXPECT_EQ(TrySelect(from_xs, to_ys), 0);
  EXPECT_EQ(from_xs.Value(), 3);
}

TEST(Select, FiresOnAClosedChannel) {
  ManualExecutor executor;
  Channel<int> xs(0);
  Channel<int> ys(0);
  int fired = 0;
  Go(executor, [&] {
    ReceiveCase from_xs(xs);
    SendCase to_ys(ys, 1);
    EXPECT_EQ(Select(from_xs, to_ys), 1);
    EXPECT_FALSE(to_ys.Sent());
    ++fired;
    EXPECT_EQ(Select(from_xs), 0);
    EXPECT_FALSE(from_xs.Value().has_value());
    ++fired;
  });
  executor.Drain();
  ys.Close();
  xs.Close();
  executor.Drain();
  EXPECT_EQ(fired, 2);
}

TEST(Select, OverManyChannelsFindsTheOneThatIsReady) {
  ManualExecutor executor;
  constexpr std::size_t kMany = 1000;
  std::vector<std::unique_ptr<Channel<std::size_t>>> channels;
  std::vector<std::unique_ptr<ReceiveCase<std::size_t>>> cases;
  std::vector<SelectCase*> all;
  for (std::size_t i = 0; i < kMany; ++i) {
    channels.push_back(std::make_unique<Channel<std::size_t>>(0));
    cases.push_back(std::make_unique<ReceiveCase<std::size_t>>(*channels[i]));
    all.push_back(cases[i].get());
  }
  std::size_t right = 0;
  Go(executor, [&] {
    for (std::size_t i = 0; i < kMany; ++i) {
      const std::size_t fired = Select(std::span<SelectCase* const>(all));
      right += cases[fired]->Value() == fired ? 1 : 0;
    }
  });
  executor.Drain();
  for (std::size_t i = 0; i < kMany; ++i) {
    EXPECT_TRUE(channels[(i * 7) % kMany]->TrySend((i * 7) % kMany));
    executor.Drain();
  }
  EXPECT_EQ(right, kMany);
}

TEST(Select, ChoosesEachOfThoseThatAreReadyEquallyOften) {
  Channel<int> empty(1);
  std::array<std::unique_ptr<Channel<int>>, 4> full;
  for (auto& channel : full) {
    channel = std::make_unique<Channel<int>>(1);
    channel->TrySend(1);
  }
  ReceiveCase a(*full[0]);
  ReceiveCase b(*full[1]);
  ReceiveCase nothing(empty);
  ReceiveCase c(*full[2]);
  ReceiveCase d(*full[3]);
  constexpr int kTimes = 40000;
  std::array<int, 5> chosen{};
  for (int i = 0; i < kTimes; ++i) {
    const std::size_t fired = TrySelect(a, b, nothing, c, d).value();
    ++chosen[fired];
    full[fired > 2 ? fired - 1 : fired]->TrySend(1);
  }
  EXPECT_EQ(chosen[2], 0);
  double chi_square = 0;
  for (const std::size_t i : {0U, 1U, 3U, 4U}) {
    const double off = chosen[i] - kTimes / 4.0;
    chi_square += off * off / (kTimes / 4.0);
  }
  // 3 degrees of freedom: more than 27.9 by chance once in 260,000 times.
  EXPECT_LT(chi_square, 27.9);
}

TEST(Select, MayBeFollowedByTheEndOfTheChannelThatFired) {
  ManualExecutor executor;
  auto xs = std::make_unique<Channel<int>>(0);
  Channel<int> ys(0);
  Go(executor, [&] {
    {
      ReceiveCase from_xs(*xs);
      ReceiveCase from_ys(ys);
      EXPECT_EQ(Select(from_xs, from_ys), 0);
    }
    xs.reset();
  });
  executor.Drain();
  EXPECT_TRUE(xs->TrySend(1));
  executor.Drain();
  EXPECT_EQ(xs, nullptr);
}

}  // namespace

}  // namespace schedbench::fibers::select_test

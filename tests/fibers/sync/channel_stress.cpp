#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"
#include "fibers/sync/channel.hpp"
#include "fibers/sync/wait_group.hpp"
#include "tests/support/schedulers.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

namespace schedbench::fibers::channel_stress {

namespace {

using executors::SchedulerHint;

class ChannelStress : public tests::OnEachScheduler {};

INSTANTIATE_TEST_SUITE_P(Schedulers, ChannelStress, testing::ValuesIn(tests::SchedulerNames()),
                         tests::SchedulerNameOf);

TEST_P(ChannelStress, HandsEachValueToOneReceiverAndKeepsTheOrderOfEachSender) {
  const tests::StressTime time;
  std::mt19937_64 random(tests::Seed());
  constexpr std::size_t kSenders = 4;
  constexpr std::size_t kReceivers = 3;
  constexpr std::size_t kPerSender = 60;
  constexpr std::size_t kValues = kSenders * kPerSender;
  struct Value {
    std::size_t sender;
    std::size_t number;
  };
  do {
    Channel<Value> channel(random() % 4,
                           random() % 2 == 0 ? SchedulerHint::UpToYou : SchedulerHint::Next);
    std::vector<std::vector<Value>> received(kReceivers);
    WaitGroup done;
    done.Add(kSenders + kReceivers);
    for (std::size_t sender = 0; sender < kSenders; ++sender) {
      Go(scheduler_, [&, sender, rhythm = 1 + random() % 20] {
        for (std::size_t number = 0; number < kPerSender; ++number) {
          channel.Send({.sender = sender, .number = number});
          if (number % rhythm == 0) {
            Yield();
          }
        }
        done.Done();
      });
    }
    for (std::size_t receiver = 0; receiver < kReceivers; ++receiver) {
      Go(scheduler_, [&, receiver, rhythm = 1 + random() % 20] {
        for (std::size_t i = receiver; i < kValues; i += kReceivers) {
          received[receiver].push_back(channel.Receive());
          if (i % rhythm == 0) {
            Yield();
          }
        }
        done.Done();
      });
    }
    done.Wait();
    std::vector<int> times(kValues, 0);
    for (const auto& of_receiver : received) {
      std::vector<std::size_t> next(kSenders, 0);
      for (const Value& value : of_receiver) {
        ++times[value.sender * kPerSender + value.number];
        ASSERT_GE(value.number, next[value.sender]) << "out of order";
        next[value.sender] = value.number + 1;
      }
    }
    ASSERT_EQ(times, std::vector<int>(kValues, 1));
  } while (!time.IsOver());
}

TEST_P(ChannelStress, IsDestroyedByItsReceiverWhileTheSenderReturns) {
  const tests::StressTime time;
  std::size_t capacity = 0;
  do {
    WaitGroup done;
    constexpr std::size_t kPairs = 20;
    done.Add(2 * kPairs);
    for (std::size_t i = 0; i < kPairs; ++i) {
      auto* const channel = new Channel<std::unique_ptr<int>>(capacity);
      Go(scheduler_, [channel, &done] {
        channel->Receive();
        channel->Receive();
        delete channel;
        done.Done();
      });
      Go(scheduler_, [channel, &done] {
        channel->Send(std::make_unique<int>(1));
        channel->Send(std::make_unique<int>(2));
        done.Done();
      });
    }
    done.Wait();
    capacity = (capacity + 1) % 3;
  } while (!time.IsOver());
}

}  // namespace

}  // namespace schedbench::fibers::channel_stress

#include "fibers/sched/go.hpp"
#include "fibers/sched/sleep.hpp"
#include "fibers/sched/yield.hpp"
#include "fibers/sync/select.hpp"
#include "fibers/sync/wait_group.hpp"
#include "tests/support/schedulers.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <random>

namespace schedbench::fibers::select_stress {

namespace {

class SelectStress : public tests::OnEachScheduler {};

INSTANTIATE_TEST_SUITE_P(Schedulers, SelectStress, testing::ValuesIn(tests::SchedulerNames()),
                         tests::SchedulerNameOf);

// The course's workload, with fewer rounds: 50 producers send to two channels in turn, 50 consumers
// select.
TEST_P(SelectStress, GivesEachValueOfFiftyProducersToOneOfFiftyConsumers) {
  const tests::StressTime time;
  constexpr std::uint64_t kFibers = 50;
  constexpr std::uint64_t kEach = tests::PlainOrSanitized<std::uint64_t>(400, 60);
  do {
    Channel<std::uint64_t> xs(7);
    Channel<std::uint64_t> ys(9);
    std::atomic<std::uint64_t> sent{0};
    std::atomic<std::uint64_t> received{0};
    WaitGroup done;
    done.Add(2 * kFibers);
    for (std::uint64_t producer = 0; producer < kFibers; ++producer) {
      Go(scheduler_, [&, producer] {
        for (std::uint64_t i = 0; i < kEach; ++i) {
          const std::uint64_t value = producer * kEach + i;
          (i % 2 == 0 ? xs : ys).Send(value);
          sent += value;
        }
        done.Done();
      });
      Go(scheduler_, [&] {
        ReceiveCase from_xs(xs);
        ReceiveCase from_ys(ys);
        for (std::uint64_t i = 0; i < kEach; ++i) {
          received += *(Select(from_xs, from_ys) == 0 ? from_xs : from_ys).Value();
        }
        done.Done();
      });
    }
    done.Wait();
    ASSERT_EQ(received.load(), sent.load());
    ASSERT_EQ(xs.TryReceive(), std::nullopt);
    ASSERT_EQ(ys.TryReceive(), std::nullopt);
  } while (!time.IsOver());
}

// All fibers select, in both directions, with deadlines that pass now and then; then the channels
// are closed.
TEST_P(SelectStress, LosesNothingAmongSelectsThatMeetTimeOutAndAreClosed) {
  const tests::StressTime time;
  std::mt19937_64 random(tests::Seed());
  constexpr std::uint64_t kFibers = 8;
  do {
    Channel<std::uint64_t> xs(random() % 2);
    Channel<std::uint64_t> ys(random() % 3);
    Channel<std::uint64_t> zs(0);
    std::atomic<std::uint64_t> sent{0};
    std::atomic<std::uint64_t> received{0};
    WaitGroup senders;
    WaitGroup receivers;
    senders.Add(kFibers);
    receivers.Add(kFibers);
    const bool close_early = random() % 2 == 0;
    const auto patience = std::chrono::microseconds(random() % 200);
    for (std::uint64_t i = 0; i < kFibers; ++i) {
      Go(scheduler_, [&, i] {
        SendCase to_xs(xs, i + 1);
        SendCase to_ys(ys, i + 1);
        SendCase to_zs(zs, i + 1);
        for (int round = 0; round < 40; ++round) {
          const auto fired = SelectFor(patience, to_xs, to_ys, to_zs);
          if (!fired) {
            continue;
          }
          auto& one = *fired == 0 ? to_xs : *fired == 1 ? to_ys : to_zs;
          if (!one.Sent()) {
            break;
          }
          sent += i + 1;
          one.Set(i + 1);
        }
        senders.Done();
      });
      Go(scheduler_, [&] {
        std::array<std::unique_ptr<ReceiveCase<std::uint64_t>>, 3> cases{
            std::make_unique<ReceiveCase<std::uint64_t>>(zs),
            std::make_unique<ReceiveCase<std::uint64_t>>(xs),
            std::make_unique<ReceiveCase<std::uint64_t>>(ys)};
        for (std::size_t open = 3; open > 0;) {
          std::array<SelectCase*, 3> all{};
          for (std::size_t k = 0; k < open; ++k) {
            all[k] = cases[k].get();
          }
          const std::size_t fired = Select(std::span<SelectCase* const>(all.data(), open));
          if (const auto value = cases[fired]->Value()) {
            received += *value;
          } else {
            std::swap(cases[fired], cases[--open]);
          }
        }
        receivers.Done();
      });
    }
    if (close_early) {
      zs.Close();
    }
    senders.Wait();
    xs.Close();
    ys.Close();
    zs.Close();
    receivers.Wait();
    ASSERT_EQ(received.load(), sent.load());
  } while (!time.IsOver());
}

// A receiver whose deadline passes just when the value comes has it or leaves it, and never both.
TEST_P(SelectStress, DecidesForTheValueOrTheDeadline) {
  const tests::StressTime time;
  std::mt19937_64 random(tests::Seed());
  do {
    Channel<int> channel(0);
    constexpr int kValues = 50;
    std::atomic<int> received{0};
    std::atomic<int> sent{0};
    WaitGroup done;
    done.Add(2);
    Go(scheduler_, [&, step = std::chrono::nanoseconds(500 + random() % 100000)] {
      for (int i = 0; i < kValues; ++i) {
        sent += channel.SendFor(step, 1) ? 1 : 0;
      }
      channel.Close();
      done.Done();
    });
    Go(scheduler_, [&, step = std::chrono::nanoseconds(500 + random() % 100000)] {
      while (!channel.IsClosed()) {
        received += channel.ReceiveFor(step).value_or(0);
      }
      done.Done();
    });
    done.Wait();
    ASSERT_EQ(received.load(), sent.load());
  } while (!time.IsOver());
}

}  // namespace

}  // namespace schedbench::fibers::select_stress

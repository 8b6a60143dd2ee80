#include "base/attributes.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/sleep.hpp"
#include "fibers/sync/event.hpp"
#include "fibers/sync/wait_group.hpp"
#include "fibers/time/timer_service.hpp"
#include "platform/time/clock.hpp"
#include "tests/support/schedulers.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <random>

namespace schedbench::fibers::sleep_stress {

namespace {

class SleepStress : public tests::OnEachScheduler {};

INSTANTIATE_TEST_SUITE_P(Schedulers, SleepStress, testing::ValuesIn(tests::SchedulerNames()),
                         tests::SchedulerNameOf);

TEST_P(SleepStress, WakesEverySleeperNotTooEarly) {
  const tests::StressTime time;
  std::mt19937_64 random(tests::Seed());
  do {
    constexpr std::size_t kFibers = 500;
    std::atomic<std::size_t> early{0};
    WaitGroup done;
    done.Add(kFibers);
    for (std::size_t i = 0; i < kFibers; ++i) {
      Go(scheduler_, [&, ns = random() % 2'000'000] {
        const std::uint64_t begin = platform::NowNs();
        SleepFor(std::chrono::nanoseconds(ns));
        early += platform::NowNs() - begin < ns ? 1 : 0;
        done.Done();
      });
    }
    done.Wait();
    ASSERT_EQ(early.load(), 0);
  } while (!time.IsOver());
}

// Fires at about the time at which the waiters lose patience: some leave the list while it is
// taken.
TEST_P(SleepStress, ReportsToWaitersOfAnEventThatItFiredOrThatTheirTimeIsOver) {
  const tests::StressTime time;
  std::mt19937_64 random(tests::Seed());
  do {
    constexpr std::size_t kFibers = 16;
    Event event;
    std::atomic<std::size_t> fired{0};
    std::atomic<std::size_t> late{0};
    WaitGroup done;
    done.Add(kFibers + 1);
    const std::uint64_t moment = platform::NowNs() + 100'000;
    for (std::size_t i = 0; i < kFibers; ++i) {
      Go(scheduler_, [&, i, off = random() % 20'000] {
        const bool saw =
            i % 4 == 0 ? (event.Wait(), true) : event.WaitUntil(Deadline::At(moment + off));
        ++(saw ? fired : late);
        if (saw && !event.IsFired()) {
          std::abort();
        }
        done.Done();
      });
    }
    Go(scheduler_, [&] {
      SleepUntil(Deadline::At(moment));
      event.Fire();
      done.Done();
    });
    const bool thread_saw = event.WaitUntil(Deadline::At(moment + random() % 20'000));
    done.Wait();
    ASSERT_TRUE(!thread_saw || event.IsFired());
    ASSERT_EQ(fired.load() + late.load(), kFibers);
    ASSERT_GE(fired.load(), kFibers / 4);
  } while (!time.IsOver());
}

// A notified waiter destroys the event at once.
TEST_P(SleepStress, LetsAWaiterWithADeadlineDestroyTheEvent) {
  const tests::StressTime time;
  do {
    constexpr std::size_t kEvents = 50;
    WaitGroup done;
    done.Add(2 * kEvents);
    for (std::size_t i = 0; i < kEvents; ++i) {
      auto* const event = new Event;
      Go(scheduler_, [&, event] {
        while (!event->WaitFor(std::chrono::microseconds(5))) {
        }
        delete event;
        done.Done();
      });
      Go(scheduler_, [&, event] {
        SleepFor(std::chrono::microseconds(5));
        event->Fire();
        done.Done();
      });
    }
    done.Wait();
  } while (!time.IsOver());
}

// The timers' thread has just made the fiber ready, and is perhaps still on its way out of
// Submit().
TEST_P(SleepStress, LetsASchedulerGoAsSoonAsItsLastSleeperHasEnded) {
  const tests::StressTime time;
  do {
    const auto scheduler = tests::MakeScheduler(GetParam(), 2);
    WaitGroup done;
    done.Add(1);
    Go(*scheduler, [&] {
      SleepFor(std::chrono::microseconds(20));
      done.Done();
    });
    done.Wait();
    scheduler->WaitIdle();
  } while (!time.IsOver());
}

#if !defined(SB_ASAN)  // a fiber that is never resumed is a leak

// Deadlines that pass before, while and after it goes.
TEST_P(SleepStress, LetsASchedulerGoWhileItsFibersSleep) {
  const tests::StressTime time;
  std::mt19937_64 random(tests::Seed());
  for (int round = 0; round < 100 && !time.IsOver(); ++round) {
    auto after_stop = std::make_shared<std::atomic<bool>>(false);
    auto ran_late = std::make_shared<std::atomic<bool>>(false);
    {
      const auto scheduler = tests::MakeScheduler(GetParam(), 2);
      for (int i = 0; i < 8; ++i) {
        Go(*scheduler, [after_stop, ran_late, ns = random() % 300'000] {
          SleepFor(std::chrono::nanoseconds(ns));
          if (*after_stop) {
            *ran_late = true;
          }
        });
      }
      scheduler->WaitIdle();
      scheduler->Stop();
      *after_stop = true;
    }
    EXPECT_FALSE(*ran_late);
  }
}

#endif

}  // namespace

}  // namespace schedbench::fibers::sleep_stress

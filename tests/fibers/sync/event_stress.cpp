#include "fibers/sched/go.hpp"
#include "fibers/sync/event.hpp"
#include "fibers/sync/wait_group.hpp"
#include "tests/support/schedulers.hpp"

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

namespace schedbench::fibers::event_stress {

namespace {

class EventStress : public tests::OnEachScheduler {};

INSTANTIATE_TEST_SUITE_P(Schedulers, EventStress, testing::ValuesIn(tests::SchedulerNames()),
                         tests::SchedulerNameOf);

TEST_P(EventStress, ResumesEveryFiberThatWaitsDuringTheFire) {
  const tests::StressTime time;
  do {
    Event event;
    WaitGroup done;
    int value = 0;  // plain: the event must order it
    std::atomic<int> wrong{0};
    constexpr std::size_t kFibers = 8;
    done.Add(kFibers + 1);
    for (std::size_t i = 0; i < kFibers; ++i) {
      Go(scheduler_, [&] {
        event.Wait();
        wrong += value == 42 ? 0 : 1;
        done.Done();
      });
      if (i == kFibers / 2) {
        Go(scheduler_, [&] {
          value = 42;
          event.Fire();
          done.Done();
        });
      }
    }
    done.Wait();
    ASSERT_EQ(wrong, 0);
  } while (!time.IsOver());
}

TEST_P(EventStress, IsDestroyedByItsWaiterWhileTheFirerReturns) {
  const tests::StressTime time;
  do {
    WaitGroup done;
    constexpr std::size_t kPairs = 20;
    done.Add(2 * kPairs);
    for (std::size_t i = 0; i < kPairs; ++i) {
      auto* const event = new Event;
      Go(scheduler_, [event, &done] {
        event->Wait();
        delete event;
        done.Done();
      });
      Go(scheduler_, [event, &done] {
        event->Fire();
        done.Done();
      });
    }
    done.Wait();
  } while (!time.IsOver());
}

TEST_P(EventStress, IsDestroyedByAThreadThatWaitedWhileTheFirerReturns) {
  const tests::StressTime time;
  do {
    auto event = std::make_unique<Event>();
    Go(scheduler_, [event = event.get()] { event->Fire(); });
    event->Wait();
    event.reset();
  } while (!time.IsOver());
}

}  // namespace

}  // namespace schedbench::fibers::event_stress

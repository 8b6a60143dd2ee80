// Futures whose producer and consumer meet on real threads.
#include "fibers/sched/go.hpp"
#include "fibers/sync/wait_group.hpp"
#include "futures/combine.hpp"
#include "futures/then.hpp"
#include "tests/support/schedulers.hpp"

#include <stdexcept>
#include <utility>
#include <vector>

namespace schedbench::futures::future_stress {

namespace {

class FutureStress : public tests::OnEachScheduler {};

INSTANTIATE_TEST_SUITE_P(Schedulers, FutureStress, testing::ValuesIn(tests::SchedulerNames()),
                         tests::SchedulerNameOf);

TEST_P(FutureStress, ChainsMeetTheirProducersAtAnyMoment) {
  const tests::StressTime time;
  do {
    std::vector<Future<int>> futures;
    for (int i = 0; i < 200; ++i) {
      auto future = futures::Submit(scheduler_, [i] { return i; });
      for (int link = 0; link < 5; ++link) {
        future = futures::Then(std::move(future), scheduler_, [](int value) { return value + 1; });
      }
      futures.push_back(std::move(future));
    }
    const std::vector<int> values = All(std::move(futures)).Get();
    for (int i = 0; i < 200; ++i) {
      ASSERT_EQ(values[static_cast<std::size_t>(i)], i + 5);
    }
  } while (!time.IsOver());
}

TEST_P(FutureStress, FibersGetWhatOthersMake) {
  const tests::StressTime time;
  do {
    constexpr int kFibers = 100;
    fibers::WaitGroup done;
    done.Add(kFibers);
    std::vector<int> sums(kFibers, 0);
    for (int& sum : sums) {
      fibers::Go(scheduler_, [this, &sum, &done] {
        for (int i = 1; i <= 10; ++i) {
          sum += futures::Submit(scheduler_, [i] { return i; }).Get();
        }
        done.Done();
      });
    }
    done.Wait();
    for (const int sum : sums) {
      ASSERT_EQ(sum, 55);
    }
  } while (!time.IsOver());
}

TEST_P(FutureStress, TheFirstValueWinsOverErrorsAtTheSameMoment) {
  const tests::StressTime time;
  do {
    std::vector<Future<int>> futures;
    for (int i = 0; i < 4; ++i) {
      futures.push_back(futures::Submit(scheduler_, [i] {
        if (i != 2) {
          throw std::runtime_error("loser");
        }
        return i;
      }));
    }
    ASSERT_EQ(First(std::move(futures)).Get(), 2);
  } while (!time.IsOver());
  scheduler_.WaitIdle();
}

}  // namespace

}  // namespace schedbench::futures::future_stress

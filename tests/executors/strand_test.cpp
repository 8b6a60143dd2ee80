#include "executors/strand.hpp"

#include "executors/inline_executor.hpp"
#include "executors/manual_executor.hpp"
#include "executors/submit.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"
#include "fibers/sync/wait_group.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/noting_executor.hpp"
#include "tests/support/schedulers.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace schedbench::executors::strand_test {

namespace {

// What both kinds promise.
template <typename StrandType>
class EachStrand : public testing::Test {};

using BothKinds = testing::Types<Strand, MutexStrand>;
TYPED_TEST_SUITE(EachStrand, BothKinds);

// The example of the Executors task: 4 workers, 5 clients, 1024 increments.
TYPED_TEST(EachStrand, CountsTheDocuments1024CriticalSectionsOnEachScheduler) {
  for (const std::string& name : tests::SchedulerNames()) {
    const tests::HangGuard hang_guard("the example of the Executors task");
    const auto workers = tests::MakeScheduler(name, 4);
    TypeParam strand(*workers);
    const auto clients = tests::MakeScheduler(name, 5);
    std::size_t cs = 0;
    for (std::size_t i = 0; i < 1024; ++i) {
      Execute(*clients, [&] { Execute(strand, [&] { ++cs; }); });
    }
    clients->WaitIdle();
    workers->WaitIdle();
    EXPECT_EQ(cs, 1024U) << name;
    clients->Stop();
    workers->Stop();
  }
}

TYPED_TEST(EachStrand, RunsTasksInTheOrderOfTheirSubmits) {
  ManualExecutor manual;
  TypeParam strand(manual);
  std::string order;
  for (const char name : {'a', 'b', 'c', 'd'}) {
    Execute(strand, [&order, name] { order += name; });
  }
  EXPECT_EQ(order, "");
  EXPECT_EQ(manual.Drain(), 1U) << "all in one visit";
  EXPECT_EQ(order, "abcd");
}

TYPED_TEST(EachStrand, PutsATaskOfATaskBehindThoseThatWait) {
  ManualExecutor manual;
  TypeParam strand(manual);
  std::string order;
  Execute(strand, [&] {
    order += "a";
    Execute(strand, [&] { order += "c"; });
  });
  Execute(strand, [&] { order += "b"; });
  EXPECT_EQ(manual.Drain(), 1U);
  EXPECT_EQ(order, "abc");
}

TYPED_TEST(EachStrand, IsIdleAfterItsTasksAndSubmitsItselfAnewForTheNext) {
  ManualExecutor manual;
  TypeParam strand(manual);
  int runs = 0;
  for (int i = 1; i <= 3; ++i) {
    Execute(strand, [&] { ++runs; });
    EXPECT_EQ(manual.Size(), 1U) << "one hop, at once";
    EXPECT_EQ(manual.Drain(), 1U);
    EXPECT_EQ(runs, i);
  }
}

TYPED_TEST(EachStrand, OfManyShareOneExecutorAndDoNotWaitForEachOther) {
  ManualExecutor manual;
  TypeParam first(manual);
  TypeParam second(manual);
  std::string order;
  for (const char name : {'a', 'b'}) {
    Execute(first, [&order, name] { order += name; });
    Execute(second, [&order, name] { order += static_cast<char>(name - 'a' + 'A'); });
  }
  EXPECT_TRUE(manual.RunNext());
  EXPECT_EQ(order, "ab");
  EXPECT_TRUE(manual.RunNext());
  EXPECT_EQ(order, "abAB");
}

TYPED_TEST(EachStrand, GivesItsWorkerBackAfterSoManyTasks) {
  ManualExecutor manual;
  TypeParam strand(manual, {.tasks_per_visit = 3});
  std::string order;
  for (char name = 'a'; name <= 'h'; ++name) {
    Execute(strand, [&order, name] { order += name; });
  }
  Execute(manual, [&order] { order += '-'; });
  EXPECT_EQ(manual.Drain(), 4U) << "three visits and the other task";
  EXPECT_EQ(order, "abc-defgh");
  EXPECT_EQ(strand.Read().visits, 3U);
}

TYPED_TEST(EachStrand, DoesNotVisitOnceMoreWhenTheLimitIsMetByTheLastTask) {
  ManualExecutor manual;
  TypeParam strand(manual, {.tasks_per_visit = 3});
  for (int i = 0; i < 3; ++i) {
    Execute(strand, [] {});
  }
  EXPECT_EQ(manual.Drain(), 1U);
}

TYPED_TEST(EachStrand, CannotHoldAWorkerForeverByTasksThatSubmitThemselves) {
  ManualExecutor manual;
  TypeParam strand(manual, {.tasks_per_visit = 10});
  bool stop = false;
  int runs = 0;
  std::function<void()> again = [&] {
    ++runs;
    if (!stop) {
      Execute(strand, again);
    }
  };
  Execute(strand, again);
  EXPECT_TRUE(manual.RunNext());
  EXPECT_EQ(runs, 10);
  stop = true;
  EXPECT_EQ(manual.Drain(), 1U);
  EXPECT_EQ(runs, 11);
}

TYPED_TEST(EachStrand, PassesOnTheHintOfTheTaskThatFindsItIdle) {
  ManualExecutor manual;
  tests::NotingExecutor noting(manual);
  TypeParam strand(noting, {.tasks_per_visit = 2});
  for (const SchedulerHint hint : {SchedulerHint::Next, SchedulerHint::UpToYou}) {
    Submit(strand, [] {}, hint);
    Submit(strand, [] {}, SchedulerHint::Yield);
    EXPECT_EQ(noting.Hints().back(), hint);
    manual.Drain();
  }
  for (int i = 0; i < 3; ++i) {
    Submit(strand, [] {});
  }
  manual.Drain();
  EXPECT_EQ(noting.Hints().back(), SchedulerHint::Yield) << "the limit makes it yield";
}

TYPED_TEST(EachStrand, CountsVisitsBatchesAndTheirSizes) {
  ManualExecutor manual;
  TypeParam strand(manual);
  EXPECT_EQ(strand.Read().MeanBatch(), 0);
  for (const int size : {1, 2, 3, 4, 5}) {
    for (int i = 0; i < size; ++i) {
      Execute(strand, [] {});
    }
    manual.Drain();
  }
  const StrandReading reading = strand.Read();
  EXPECT_EQ(reading.visits, 5U);
  EXPECT_EQ(reading.batches, 5U);
  EXPECT_EQ(reading.tasks, 15U);
  EXPECT_EQ(reading.MeanBatch(), 3);
  EXPECT_EQ(reading.batch_sizes[0], 1U);
  EXPECT_EQ(reading.batch_sizes[1], 2U);
  EXPECT_EQ(reading.batch_sizes[2], 2U);
  EXPECT_EQ(
      std::accumulate(reading.batch_sizes.begin(), reading.batch_sizes.end(), std::uint64_t{0}),
      5U);
}

TYPED_TEST(EachStrand, TakesBatchesAsLargeAsThereAreClientsThatComeInTheMeantime) {
  double batch = 0;
  for (const int clients : {1, 4, 16, 64}) {
    ManualExecutor manual;
    TypeParam strand(manual);
    // Each client has the next section submitted when it has had its last: so all come while a
    // batch runs.
    constexpr int kSections = 50;
    std::vector<int> sections(static_cast<std::size_t>(clients));
    std::function<void(int&)> section = [&](int& done) {
      if (++done < kSections) {
        Execute(strand, [&] { section(done); });
      }
    };
    for (int& done : sections) {
      Execute(strand, [&] { section(done); });
    }
    manual.Drain();
    EXPECT_EQ(strand.Read().MeanBatch(), clients);
    EXPECT_GT(strand.Read().MeanBatch(), batch);
    batch = strand.Read().MeanBatch();
  }
}

TYPED_TEST(EachStrand, TakesWhatComesInTheMeantimeInTheSameVisitAsABatchOfItsOwn) {
  ManualExecutor manual;
  TypeParam strand(manual);
  Execute(strand, [&] {
    for (int i = 0; i < 4; ++i) {
      Execute(strand, [] {});
    }
  });
  EXPECT_EQ(manual.Drain(), 1U);
  const StrandReading reading = strand.Read();
  EXPECT_EQ(reading.batches, 2U);
  EXPECT_EQ(reading.tasks, 5U);
}

TYPED_TEST(EachStrand, CountsWhatIsLargerThanTheLastBucketThere) {
  ManualExecutor manual;
  TypeParam strand(manual);
  constexpr std::size_t kTasks = 100'000;
  for (std::size_t i = 0; i < kTasks; ++i) {
    Execute(strand, [] {});
  }
  manual.Drain();
  EXPECT_EQ(strand.Read().batch_sizes.back(), 1U);
  EXPECT_EQ(strand.Read().tasks, kTasks);
}

TYPED_TEST(EachStrand, AllocatesOnceForItselfAndNeverForATask) {
  class Task final : public TaskBase {
   public:
    void Run() noexcept override {
    }
  };
  std::vector<Task> tasks(100);
  ManualExecutor manual;
  const std::uint64_t before = tests::Allocations();
  {
    TypeParam strand(manual);
    EXPECT_EQ(tests::Allocations() - before, 1U);
    for (Task& task : tasks) {
      strand.Submit(&task, SchedulerHint::UpToYou);
    }
    manual.Drain();
  }
  EXPECT_EQ(tests::Allocations() - before, 1U);
}

TYPED_TEST(EachStrand, RunsWhatWasSubmittedAlthoughItIsGone) {
  ManualExecutor manual;
  std::string order;
  {
    TypeParam strand(manual, {.tasks_per_visit = 2});
    for (const char name : {'a', 'b', 'c'}) {
      Execute(strand, [&order, name] { order += name; });
    }
  }
  EXPECT_EQ(manual.Drain(), 2U);
  EXPECT_EQ(order, "abc");
}

TYPED_TEST(EachStrand, MayBeDestroyedByAnyOfItsTasks) {
  for (int destroyer = 0; destroyer < 5; ++destroyer) {
    ManualExecutor manual;
    auto strand = std::make_unique<TypeParam>(manual, StrandOptions{.tasks_per_visit = 2});
    std::vector<int> order;
    for (int i = 0; i < 5; ++i) {
      Execute(*strand, [&, i] {
        if (i == destroyer) {
          strand.reset();
        }
        order.push_back(i);
      });
    }
    manual.Drain();
    EXPECT_EQ(order, (std::vector{0, 1, 2, 3, 4})) << destroyer;
    EXPECT_EQ(strand, nullptr);
  }
}

TYPED_TEST(EachStrand, MayBeDestroyedByATaskThatHasSubmittedAnother) {
  ManualExecutor manual;
  auto strand = std::make_unique<TypeParam>(manual);
  std::string order;
  Execute(*strand, [&] {
    Execute(*strand, [&] { order += "b"; });
    strand.reset();
    order += "a";
  });
  manual.Drain();
  EXPECT_EQ(order, "ab");
}

TYPED_TEST(EachStrand, WrapsAStrand) {
  ManualExecutor manual;
  TypeParam inner(manual);
  TypeParam outer(static_cast<IExecutor&>(inner));
  int runs = 0;
  for (int i = 0; i < 3; ++i) {
    Execute(outer, [&] { ++runs; });
    Execute(inner, [&] { ++runs; });
  }
  manual.Drain();
  EXPECT_EQ(runs, 6);
}

TYPED_TEST(EachStrand, RunsAtOnceOverAnInlineExecutor) {
  InlineExecutor executor;
  TypeParam strand(executor);
  std::string order;
  Execute(strand, [&] {
    order += "a";
    Execute(strand, [&] { order += "c"; });
    order += "b";
  });
  EXPECT_EQ(order, "abc");
}

TYPED_TEST(EachStrand, ResumesAFiberThatYieldsBehindTheOthers) {
  ManualExecutor manual;
  TypeParam strand(manual);
  std::string order;
  for (const char name : {'a', 'b'}) {
    fibers::Go(strand, [&order, name] {
      for (int i = 0; i < 3; ++i) {
        order += name;
        fibers::Yield();
      }
    });
  }
  manual.Drain();
  EXPECT_EQ(order, "ababab");
}

TYPED_TEST(EachStrand, LetsOneFiberRunAtATimeOnEachScheduler) {
  for (const std::string& name : tests::SchedulerNames()) {
    const tests::HangGuard hang_guard("fibers on a strand");
    const auto scheduler = tests::MakeScheduler(name, 4);
    TypeParam strand(*scheduler, {.tasks_per_visit = 3});
    int steps = 0;  // plain
    fibers::WaitGroup done;
    done.Add(50);
    for (int i = 0; i < 50; ++i) {
      fibers::Go(strand, [&] {
        for (int turn = 0; turn < 20; ++turn) {
          ++steps;
          fibers::Yield();
        }
        done.Done();
      });
    }
    done.Wait();
    scheduler->WaitIdle();
    EXPECT_EQ(steps, 1000) << name;
  }
}

TEST(StrandDeathTest, RefusesALimitOfNoTasks) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  ManualExecutor manual;
  EXPECT_DEATH(Strand(manual, {.tasks_per_visit = 0}), "runs no task");
}

}  // namespace

}  // namespace schedbench::executors::strand_test

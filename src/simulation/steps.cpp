#include "simulation/steps.hpp"

#include "base/assert.hpp"
#include "config/settings.hpp"
#include "fibers/fork/fork_join.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"
#include "fibers/sync/channel.hpp"
#include "fibers/sync/wait_group.hpp"
#include "platform/time/clock.hpp"
#include "registry/scheduler.hpp"

#include <bit>
#include <utility>

namespace schedbench::scaling {

namespace {

using executors::SchedulerHint;

// Measures only the steps, without the start of the pool and the wait for it.
class Watch {
 public:
  void Start() noexcept {
    start_ = platform::NowNs();
  }
  void Stop() noexcept {
    ns_ += platform::NowNs() - start_;
  }
  double NsPer(std::uint64_t steps) const noexcept {
    return static_cast<double>(ns_) / static_cast<double>(steps);
  }

 private:
  std::uint64_t start_ = 0;
  std::uint64_t ns_ = 0;
};

struct Steps {
  registry::IScheduler& pool;
  const std::uint64_t count;
  const std::uint64_t fibers;
  Watch watch{};
  std::uint64_t left = count;
  fibers::WaitGroup done{};
};

class Resubmitted final : public executors::TaskBase {
 public:
  explicit Resubmitted(Steps& steps)
      : steps_(steps) {
  }

  void Run() noexcept override {
    if (steps_.left == steps_.count) {
      steps_.watch.Start();
    }
    if (steps_.left-- > 0) {
      steps_.pool.Submit(this, SchedulerHint::UpToYou);
    } else {
      steps_.watch.Stop();
      steps_.done.Done();
    }
  }

 private:
  Steps& steps_;
};

void StartNext(Steps& steps) {
  fibers::Go(steps.pool, [&steps] {
    if (steps.left-- > 0) {
      StartNext(steps);
    } else {
      steps.watch.Stop();
      steps.done.Done();
    }
  });
}

void RunResumes(Steps& steps) {
  steps.done.Add(steps.fibers);
  fibers::Go(steps.pool, [&steps] {
    for (std::uint64_t i = 0; i < steps.fibers; ++i) {
      fibers::Go(steps.pool, [&steps, i] {
        // The first turn is on a new stack.
        fibers::Yield();
        if (i == 0) {
          steps.watch.Start();
        }
        for (std::uint64_t yields = 0; yields < steps.count / steps.fibers; ++yields) {
          fibers::Yield();
        }
        if (i + 1 == steps.fibers) {
          steps.watch.Stop();
        }
        steps.done.Done();
      });
    }
  });
}

void RunSyncs(Steps& steps) {
  fibers::Go(steps.pool, [&steps] {
    fibers::Channel<std::uint64_t> channel(1);
    steps.watch.Start();
    for (std::uint64_t i = 0; i < steps.count / 2; ++i) {
      channel.Send(i);
      channel.Receive();
    }
    steps.watch.Stop();
    steps.done.Done();
  });
}

// Returns the number of leaves.
std::uint64_t ForkTree(unsigned depth) {
  if (depth == 0) {
    return 1;
  }
  const auto [first, second] = fibers::ForkJoin([depth] { return ForkTree(depth - 1); },
                                                [depth] { return ForkTree(depth - 1); });
  return first + second;
}

void RunForks(Steps& steps) {
  SB_ASSERT(std::has_single_bit(steps.count), "the tree has one fork less than it has leaves");
  fibers::Go(steps.pool, [&steps] {
    steps.watch.Start();
    ForkTree(static_cast<unsigned>(std::bit_width(steps.count)) - 1);
    steps.watch.Stop();
    steps.done.Done();
  });
}

// Keeps submitted tasks.
class Holder final : public executors::IExecutor {
 public:
  void Submit(executors::TaskBase* task, SchedulerHint /*hint*/) noexcept override {
    tasks_.PushBack(task);
  }

  void MoveTo(registry::IScheduler& pool) noexcept {
    IntrusiveList<executors::TaskBase> tasks;
    tasks.Append(std::move(tasks_));
    pool.SubmitAll(std::move(tasks), SchedulerHint::UpToYou);
  }

 private:
  IntrusiveList<executors::TaskBase> tasks_;
};

void RunCreates(Steps& steps) {
  constexpr std::uint64_t kBatch = 128;
  fibers::Go(steps.pool, [&steps] {
    Holder holder;
    for (std::uint64_t made = 0; made < steps.count; made += kBatch) {
      fibers::WaitGroup ended;
      ended.Add(kBatch);
      steps.watch.Start();
      for (std::uint64_t i = 0; i < kBatch; ++i) {
        fibers::Go(holder, [&ended] { ended.Done(); });
      }
      steps.watch.Stop();
      holder.MoveTo(steps.pool);
      ended.Wait();
    }
    steps.done.Done();
  });
}

}  // namespace

double MeasureStep(Step step, std::uint64_t count, std::uint64_t fibers) {
  const registry::SchedulerEntry& fast = *registry::FindScheduler("fast");
  config::Settings config(fast.schema());
  config.Set("workers", std::uint64_t{1}, {});
  const auto pool = fast.make(config, 1);
  Steps steps{.pool = *pool, .count = count, .fibers = fibers};
  Resubmitted task(steps);
  switch (step) {
    case Step::kTask:
      steps.done.Add(1);
      pool->Submit(&task, SchedulerHint::UpToYou);
      break;
    case Step::kFiber:
      steps.done.Add(1);
      fibers::Go(*pool, [&steps] {
        steps.watch.Start();
        StartNext(steps);
      });
      break;
    case Step::kResume:
      RunResumes(steps);
      break;
    case Step::kSync:
      steps.done.Add(1);
      RunSyncs(steps);
      break;
    case Step::kCreate:
      steps.done.Add(1);
      RunCreates(steps);
      break;
    case Step::kFork:
      steps.done.Add(1);
      RunForks(steps);
      break;
  }
  steps.done.Wait();
  pool->Stop();
  return steps.watch.NsPer(count);
}

}  // namespace schedbench::scaling

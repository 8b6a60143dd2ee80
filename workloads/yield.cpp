#include "workloads/definitions/yield.hpp"

#include "coroutines/resumption.hpp"
#include "coroutines/spawn.hpp"
#include "executors/task.hpp"
#include "workloads/definitions/own_fibers.hpp"
#include "workloads/parts/memory_need.hpp"

#include <cstdint>

namespace schedbench::workloads {

namespace {

using executors::SchedulerHint;

// The same as plain tasks and coroutines shows what a stack of one's own costs.
class YieldWorkload final : public YieldOf<OwnFibers> {
 public:
  explicit YieldWorkload(const YieldParameters& parameters)
      : YieldOf(parameters,
                parameters.front_end == Yielder::kFiber ? kBytesPerFiber : kBytesPerQueued) {
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    switch (Parameters().front_end.value) {
      case Yielder::kTask:
        return RunEach([&](std::uint64_t& yields_done) {
          scheduler.Submit(new YieldingTask(*this, scheduler, yields_done), SchedulerHint::UpToYou);
        });
      case Yielder::kFiber:
        break;
      case Yielder::kCoroutine:
        return RunEach([&](std::uint64_t& yields_done) {
          coroutines::Spawn(scheduler, YieldInCoroutine(yields_done)).Detach();
        });
    }
    return YieldOf::Run(scheduler);
  }

 private:
  // In both `count` is not in the array, whose cache lines those of several workers share.

  coroutines::Task<void> YieldInCoroutine(std::uint64_t& yields_done) {
    const std::uint32_t yields = Parameters().yields;
    std::uint64_t count = 0;
    while (count < yields) {
      co_await coroutines::Yield();
      ++count;
    }
    yields_done = count;
    OneDone();
  }

  class YieldingTask final : public executors::TaskBase {
   public:
    YieldingTask(YieldWorkload& workload, executors::IExecutor& executor,
                 std::uint64_t& yields_done)
        : workload_(workload),
          executor_(executor),
          yields_done_(yields_done),
          yields_(workload.Parameters().yields) {
    }

    void Run() noexcept override {
      if (count_ < yields_) {
        ++count_;
        executor_.Submit(this, SchedulerHint::Yield);
        return;
      }
      yields_done_ = count_;
      YieldWorkload& workload = workload_;
      delete this;
      workload.OneDone();
    }

   private:
    YieldWorkload& workload_;
    executors::IExecutor& executor_;
    std::uint64_t& yields_done_;
    const std::uint64_t yields_;
    std::uint64_t count_ = 0;
  };
};

const registry::WorkloadRegistration kYield{YieldEntry<YieldWorkload>()};

}  // namespace

}  // namespace schedbench::workloads

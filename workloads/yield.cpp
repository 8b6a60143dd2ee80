#include "config/schema_of.hpp"
#include "coroutines/resumption.hpp"
#include "coroutines/spawn.hpp"
#include "executors/task.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/fibers.hpp"
#include "workloads/parts/memory_need.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::workloads {

// The kind of the yielding tasks.
enum class Yielder : std::uint8_t { kTask, kFiber, kCoroutine };

constexpr std::array<std::string_view, 3> NamesOf(Yielder) {
  return {"task", "fiber", "coroutine"};
}

namespace {

using executors::SchedulerHint;

struct YieldParameters {
  // clang-format off
  config::Field<"fibers", 1000U, config::Range{1U, 1000000U},
      "Fibers (or what front_end names)"> fibers;
  config::Field<"yields", 1000U, config::Range{1U, 1000000000U}, "Yields of each fiber"> yields;
  config::Field<"front_end", Yielder::kFiber, config::AnyOf{},
      "What yields: task (submits itself again with the hint Yield), fiber or coroutine"> front_end;
  // clang-format on
};

// Fibers that only yield. One operation is one yield. Tasks and coroutines show a stack's cost.
class YieldWorkload final : public registry::IWorkload {
 public:
  explicit YieldWorkload(const YieldParameters& parameters)
      : parameters_(parameters),
        yields_done_(CheckedCount("yield:fibers", "fibers", parameters.fibers,
                                  parameters.front_end == Yielder::kFiber
                                      ? Fibers::kBytesPerFiber
                                      : Fibers::kBytesPerQueued)) {
    Fibers::RequireFrontEnd(parameters.front_end == Yielder::kFiber);
  }

  void Prepare() override {
    std::ranges::fill(yields_done_, 0);
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    done_.Add(yields_done_.size());
    for (std::uint64_t& yields_done : yields_done_) {
      switch (parameters_.front_end.value) {
        case Yielder::kTask:
          StartTask(scheduler, yields_done);
          break;
        case Yielder::kFiber:
          if (Fibers::kCanWait) {
            StartFiber(scheduler, yields_done);
          } else {
            StartTask(scheduler, yields_done);
          }
          break;
        case Yielder::kCoroutine:
          coroutines::Spawn(scheduler, YieldInCoroutine(yields_done)).Detach();
          break;
      }
    }
    done_.Wait();
    return std::uint64_t{parameters_.fibers} * parameters_.yields;
  }

  std::string Verify() override {
    for (std::size_t i = 0; i < yields_done_.size(); ++i) {
      if (yields_done_[i] != parameters_.yields) {
        return fmt::format("fiber {} yielded {} times of {}", i, yields_done_[i],
                           parameters_.yields.value);
      }
    }
    return "";
  }

 private:
  // Each front end counts in a local variable: fibers on several workers share a cache line.

  void StartTask(executors::IExecutor& executor, std::uint64_t& yields_done) {
    executor.Submit(new YieldingTask(*this, executor, yields_done), SchedulerHint::UpToYou);
  }

  void StartFiber(executors::IExecutor& executor, std::uint64_t& yields_done) {
    Fibers::Go(executor, [this, yields = parameters_.yields.value, &yields_done] {
      std::uint64_t count = 0;
      while (count < yields) {
        Fibers::Yield();
        ++count;
      }
      yields_done = count;
      done_.Done();
    });
  }

  coroutines::Task<void> YieldInCoroutine(std::uint64_t& yields_done) {
    const std::uint32_t yields = parameters_.yields;
    std::uint64_t count = 0;
    while (count < yields) {
      co_await coroutines::Yield();
      ++count;
    }
    yields_done = count;
    done_.Done();
  }

  class YieldingTask final : public executors::TaskBase {
   public:
    YieldingTask(YieldWorkload& workload, executors::IExecutor& executor,
                 std::uint64_t& yields_done)
        : workload_(workload),
          executor_(executor),
          yields_done_(yields_done),
          yields_(workload.parameters_.yields) {
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
      workload.done_.Done();
    }

   private:
    YieldWorkload& workload_;
    executors::IExecutor& executor_;
    std::uint64_t& yields_done_;
    const std::uint64_t yields_;
    std::uint64_t count_ = 0;
  };

  const YieldParameters parameters_;
  std::vector<std::uint64_t> yields_done_;  // yields of each fiber, written by it
  Fibers::WaitGroup done_;
};

const registry::RegistrationOf<YieldWorkload, YieldParameters> kYield{{
    .name = "yield",
    .doc = "fibers yield to each other",
    .operation = "yield",
    .presets = {{"smoke", "fibers=100,yields=20"},
                {"small", "fibers=1000,yields=300"},
                {"full", ""},
                {"course", "fibers=100000,yields=10"}},
}};

}  // namespace

}  // namespace schedbench::workloads

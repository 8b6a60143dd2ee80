#pragma once

#include "executors/submit.hpp"
#include "registry/scheduler.hpp"
#include "tests/support/schedulers.hpp"
#include "tests/support/stress.hpp"
#include "tests/support/tier.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

// What a scheduler promises to every user of registry::IScheduler. A suite of this folder runs for
// each registered scheduler, with the numbers of workers in the table at EveryCase(). No test
// depends on a particular scheduler.

namespace schedbench::tests {

using executors::IExecutor;
using executors::SchedulerHint;
using executors::TaskBase;

// A task that calls a function. It allocates nothing when it is submitted and may be submitted
// again.
class FunctionTask final : public TaskBase {
 public:
  FunctionTask() = default;

  explicit FunctionTask(std::function<void()> body)
      : body_(std::move(body)) {
  }

  void SetBody(std::function<void()> body) {
    body_ = std::move(body);
  }

  void Run() noexcept override {
    body_();
  }

 private:
  std::function<void()> body_;
};

// A task that counts its runs. The count is a plain number by purpose: ThreadSanitizer then checks
// that Submit happens before Run, and Run before the end of WaitIdle.
class ProbeTask final : public TaskBase {
 public:
  void Run() noexcept override {
    ++runs;
  }

  int runs = 0;
};

// Runs of each task that are not exactly one.
inline std::size_t NotRunOnce(const std::vector<ProbeTask>& tasks) {
  std::size_t wrong = 0;
  for (const ProbeTask& task : tasks) {
    wrong += task.runs == 1 ? 0 : 1;
  }
  return wrong;
}

// Draws any of the three hints.
class RandomHint {
 public:
  explicit RandomHint(std::uint64_t stream)
      : random_(Seed() + stream) {
  }

  SchedulerHint operator()() {
    constexpr std::array kHints{SchedulerHint::UpToYou, SchedulerHint::Next, SchedulerHint::Yield};
    return kHints[random_() % kHints.size()];
  }

 private:
  std::mt19937_64 random_;
};

// Blocks each of `count` threads until all of them have come.
class ThreadBarrier {
 public:
  explicit ThreadBarrier(std::uint32_t count)
      : missing_(count) {
  }

  void ArriveAndWait() {
    if (missing_.fetch_sub(1) == 1) {
      missing_.notify_all();
    }
    for (std::uint32_t missing = missing_.load(); missing != 0; missing = missing_.load()) {
      missing_.wait(missing);
    }
  }

 private:
  std::atomic<std::uint32_t> missing_;
};

using SchedulerCase = std::tuple<std::string, std::uint32_t>;

class Conformance : public testing::TestWithParam<SchedulerCase> {
 protected:
  static const std::string& Name() {
    return std::get<0>(GetParam());
  }

  static std::uint32_t Workers() {
    return std::get<1>(GetParam());
  }

  static std::unique_ptr<registry::IScheduler> Make() {
    return MakeScheduler(Name(), Workers());
  }

  // Returns `count` repetitions, or a tenth where any of them may start a thread, which costs a
  // hundred times as much as what is tested.
  template <typename T>
  static T Repeat(T count) {
    return ParallelismOf(Name()) == Parallelism::kAny ? count / 10 : count;
  }

  // How often memory may be allocated while `tasks` tasks are submitted and run: never, but where
  // each may need a thread, which is made of memory; and moodycamel's queue makes a block of 32
  // places for a thread that has none.
  static std::size_t Allowed(std::size_t tasks) {
    if (ParallelismOf(Name()) == Parallelism::kAny) {
      return 8 * tasks;
    }
    if (Name().find("hand_off") != std::string::npos) {
      // A worker that is woken while its last thread is on the way to its sleep gets a new thread.
      return std::size_t{16} * Workers();
    }
    return Name().find("moodycamel") == std::string::npos ? 0
                                                          : tasks / 32 + std::size_t{4} * Workers();
  }

  // Returns when every worker has run a task: threads take their time to start.
  void AwaitAllWorkers() {
    ThreadBarrier barrier(Workers());
    std::vector<FunctionTask> tasks(Workers());
    for (FunctionTask& task : tasks) {
      task.SetBody([&] { barrier.ArriveAndWait(); });
      scheduler_.Submit(&task, SchedulerHint::UpToYou);
    }
    scheduler_.WaitIdle();
  }

  const HangGuard hang_guard_{"a conformance test"};
  std::unique_ptr<registry::IScheduler> owned_ = Make();
  registry::IScheduler& scheduler_ = *owned_;
};

// True in builds where each step of a thread takes several times longer.
#if defined(SB_FAULT)
inline constexpr bool kCostly = true;
#else
inline constexpr bool kCostly = kSanitized;
#endif

// Which scheduler runs with which numbers of workers:
//
//                                           quick tier            full tier
//   each that has a number of workers       `quick`               `full`
//   the same in sanitized and fault builds  4; `fast` as above    4; `fast` as above
//   without a number of workers             4, or 1 where fixed   as in the quick tier
//   thread_per_task, sanitized or fault     none                  none
//   with other parts (EverySchedulerSpec)   4, or 1 where fixed   4, or 1 where fixed
//   the published ones                      none                  4; none in sanitized and fault
//   builds
//
// A case costs much more in sanitized and fault builds (tests/fault). Parts have suites of their
// own, and the published schedulers have a table (published_test.cpp). Under a sanitizer, starting
// and ending the threads of thread_per_task takes half of the time of the suite; cached_pool is the
// same code. 16 workers on a machine with fewer CPUs are preempted anywhere.
inline std::vector<SchedulerCase> EveryCase(const std::vector<std::uint32_t>& quick,
                                            const std::vector<std::uint32_t>& full) {
  constexpr std::uint32_t kOneNumber = 4;
  std::vector<SchedulerCase> cases;
  for (const std::string& spec : EverySchedulerSpec()) {
    if (IsPublished(spec) && (kCostly || !FullTier())) {
      continue;
    }
    if (spec == "thread_per_task" && kCostly) {
      continue;
    }
    if (IsVariant(spec) || ParallelismOf(spec) != Parallelism::kAsConfigured ||
        (kCostly && spec != "fast")) {
      cases.emplace_back(spec, ParallelismOf(spec) == Parallelism::kOne ? 1 : kOneNumber);
      continue;
    }
    for (const std::uint32_t workers : FullTier() ? full : quick) {
      cases.emplace_back(spec, workers);
    }
  }
  return cases;
}

inline std::string CaseName(const testing::TestParamInfo<SchedulerCase>& info) {
  return TestNameOf(std::get<0>(info.param)) + "_" + std::to_string(std::get<1>(info.param));
}

}  // namespace schedbench::tests

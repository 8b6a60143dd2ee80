#include "harness/live_run.hpp"

#include "base/failure.hpp"
#include "fibers/diagnostics/fiber_facts.hpp"
#include "fibers/diagnostics/wait_report.hpp"
#include "harness/session.hpp"
#include "harness/watchdog.hpp"
#include "platform/process/interrupt.hpp"
#include "platform/threads/mutex.hpp"
#include "platform/threads/thread.hpp"
#include "platform/threads/thread_event.hpp"
#include "platform/time/clock.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace schedbench::harness {

namespace {

// Holds the run and what its two threads exchange.
class LiveRun {
 public:
  LiveRun(const RunPlan& plan, RunBody body, const Meanwhile& meanwhile)
      : timeout_(plan.timeout),
        body_(std::move(body)),
        meanwhile_(meanwhile),
        recorder_(plan) {
  }

  Outcome Do() {
    current = this;
    is_main = true;
    SetFailureHandler(&OnFailure);
    former_new_handler_ = std::set_new_handler(&OnNoMemory);
    Start();
    Watchdog watchdog(watch_, timeout_);
    auto ending = WaitFor(watchdog.Period());
    while (!ending) {
      if (auto hang = watchdog.Check()) {
        std::set_new_handler(former_new_handler_);
        Outcome outcome{.ending = Ending::kFailed,
                        .result = recorder_.Take(std::move(hang->headline))};
        outcome.result.diagnosis = std::move(hang->details);
        return outcome;
      }
      ending = WaitFor(watchdog.Period());
    }
    std::set_new_handler(former_new_handler_);
    if (ending == platform::InterruptibleEvent::Ending::kInterrupted) {
      return {.ending = Ending::kInterrupted, .result = recorder_.Take("interrupted")};
    }
    return Finish();
  }

 private:
  using EventEnding = platform::InterruptibleEvent::Ending;

  // Waits for the run's end, a signal or `limit`, and makes the calls that fall due.
  std::optional<EventEnding> WaitFor(std::chrono::nanoseconds limit) {
    if (!meanwhile_.call) {
      return ended_.WaitFor(limit);
    }
    const std::uint64_t end = platform::NowNs() + static_cast<std::uint64_t>(limit.count());
    while (platform::NowNs() < end) {
      if (const auto ending = ended_.WaitFor(std::min(limit, meanwhile_.period))) {
        return ending;
      }
      if (!meanwhile_.call()) {
        return EventEnding::kInterrupted;
      }
    }
    return std::nullopt;
  }

  // The main thread reports, because a fiber's stack may be too small for it.
  static void OnFailure(std::string_view message, FailureKind kind) {
    current->Fail(message, kind);
    platform::ThreadEvent never;
    never.Wait();
  }

  // Much code that allocates is noexcept, and an exception would need memory as well.
  static void OnNoMemory() {
    if (IsSettingUp()) {
      throw std::bad_alloc();
    }
    if (is_main) {
      // The report itself would need memory: restore the handler from before the run.
      std::set_new_handler(current->former_new_handler_);
      return;
    }
    FailRun("not enough memory (limits: ulimit -v, cgroup memory.max)", FailureKind::kLimit);
  }

  void Start() {
    try {
      thread_ = std::make_unique<platform::Thread>("harness", [this] { RunToEnd(); });
    } catch (const std::runtime_error& error) {
      std::set_new_handler(former_new_handler_);
      throw SetupError(error.what());
    }
  }

  void RunToEnd() {
    try {
      const std::string failure = body_(recorder_, watch_);
      if (!failure.empty()) {
        Fail(failure, FailureKind::kWrong);
      }
    } catch (const std::bad_alloc&) {
      Fail("not enough memory", FailureKind::kLimit);
    } catch (...) {
      error_ = std::current_exception();
    }
    ended_.Set();
  }

  // The first failure is the cause; later ones may be its consequence.
  void Fail(std::string_view message, FailureKind kind) {
    {
      const platform::MutexLock lock(mutex_);
      if (failure_length_ == 0) {
        failure_kind_ = kind;
        failure_length_ = std::min(message.size(), failure_.size());
        std::ranges::copy_n(message.begin(), static_cast<std::ptrdiff_t>(failure_length_),
                            failure_.begin());
      }
    }
    ended_.Set();
  }

  Outcome Finish() {
    std::string failure = [this] {
      const platform::MutexLock lock(mutex_);
      return std::string(failure_.data(), failure_length_);
    }();
    if (!failure.empty()) {
      return {.ending = failure_kind_ == FailureKind::kLimit ? Ending::kLimit : Ending::kFailed,
              .result = recorder_.Take(std::move(failure))};
    }
    thread_->Join();
    if (error_) {
      std::rethrow_exception(error_);
    }
    Outcome outcome{.ending = Ending::kComplete, .result = recorder_.Take("")};
    if (fibers::FiberCount::Now().Unfinished() > 0) {
      auto waits = fibers::WaitReport::Now(nullptr);
      outcome.unfinished_fibers = waits.unfinished;
      outcome.result.diagnosis = std::move(waits.lines);
    }
    return outcome;
  }

  static inline LiveRun* current = nullptr;  // set before any thread of the run starts
  static inline thread_local bool is_main = false;

  const std::chrono::nanoseconds timeout_;
  const RunBody body_;
  const Meanwhile meanwhile_;
  std::new_handler former_new_handler_ = nullptr;  // set before any thread of the run starts
  Recorder recorder_;
  WatchPoint watch_;
  platform::InterruptibleEvent ended_;
  platform::Mutex mutex_;
  // Guarded by mutex_; an array, so that a failure does not allocate.
  std::array<char, 2000> failure_{};
  std::size_t failure_length_ = 0;  // guarded by mutex_
  // Guarded by mutex_; written once, before ended_ is set.
  FailureKind failure_kind_ = FailureKind::kWrong;
  std::exception_ptr error_;  // written before ended_ is set
  std::unique_ptr<platform::Thread> thread_;
};

}  // namespace

Outcome RunInterruptibly(const RunPlan& plan, RunBody body, const Meanwhile& meanwhile) {
  auto run = [&] {
    try {
      return std::make_unique<LiveRun>(plan, std::move(body), meanwhile);
    } catch (const std::system_error& error) {
      throw SetupError(error.what());
    }
  }();
  Outcome outcome = run->Do();
  if (outcome.ending != Ending::kComplete) {
    // Their threads still use them.
    static auto& abandoned = *new std::vector<std::unique_ptr<LiveRun>>;
    abandoned.push_back(std::move(run));
  }
  return outcome;
}

}  // namespace schedbench::harness

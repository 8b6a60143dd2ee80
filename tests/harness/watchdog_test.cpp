#include "harness/watchdog.hpp"

#include "metrics/worker_metrics.hpp"
#include "platform/threads/thread.hpp"
#include "platform/threads/thread_event.hpp"
#include "platform/time/clock.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <vector>

namespace schedbench::harness::watchdog_test {

namespace {

// Each time that its workers are read, the thread of the run continues and destroys it, or what
// stands for that.
class EndsWhileItIsRead final : public registry::IScheduler {
 public:
  explicit EndsWhileItIsRead(WatchPoint& watch)
      : watch_(watch) {
  }

  void EndWhenReadNext() {
    ends_ = true;
  }

  void Submit(executors::TaskBase* /*task*/, executors::SchedulerHint /*hint*/) noexcept override {
  }

  void WaitIdle() noexcept override {
  }

  void Stop() noexcept override {
  }

  std::vector<registry::WorkerReading> ReadWorkers() const override {
    if (ends_ && run_ == nullptr) {
      run_ = std::make_unique<platform::Thread>("run", [this] {
        watch_.Enter(Phase::kStop, "", nullptr);
        gone_.Set();
      });
    }
    return {{.values = metrics::ReadMetrics(metrics_), .wakeup_ticks = {}, .run_ticks = {}}};
  }

  std::uint64_t ExternalSubmissions() const noexcept override {
    // Where the reader keeps the run from going on, this waits in vain: a while is enough to see
    // that it does not.
    EXPECT_FALSE(ends_ && gone_.WaitFor(std::chrono::milliseconds(100)))
        << "was read after its end";
    return 0;
  }

 private:
  WatchPoint& watch_;
  bool ends_ = false;
  metrics::WorkerMetrics metrics_;
  mutable platform::ThreadEvent gone_;
  mutable std::unique_ptr<platform::Thread> run_;
};

TEST(Watchdog, ReadsNothingOfASchedulerThatEndsAtTheMomentOfTheDiagnosis) {
  constexpr std::chrono::milliseconds kTimeout{1};
  WatchPoint watch;
  EndsWhileItIsRead scheduler(watch);
  watch.Enter(Phase::kRun, "round 1", &scheduler);
  Watchdog watchdog(watch, kTimeout);
  const std::uint64_t start = platform::NowNs();
  while (platform::NowNs() - start < 2 * std::chrono::nanoseconds(kTimeout).count()) {
  }
  scheduler.EndWhenReadNext();
  watchdog.Check();
}

}  // namespace

}  // namespace schedbench::harness::watchdog_test

#include "base/atomic.hpp"
#include "config/schema_of.hpp"
#include "fibers/sched/preempt.hpp"
#include "fibers/sched/sleep.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/fibers.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace schedbench::workloads {

// The work of the greedy fiber in each turn of its loop.
enum class GreedyLoop : std::uint8_t { kSpins, kPoints, kYields };

constexpr std::array<std::string_view, 3> NamesOf(GreedyLoop) {
  return {"spins", "points", "yields"};
}

namespace {

struct GreedyParameters {
  // clang-format off
  config::Field<"sleep_ms", 1000U, config::Range{1U, 3600000U},
      "Milliseconds that the other fiber sleeps before it ends the loop"> sleep_ms;
  config::Field<"loop", GreedyLoop::kPoints, config::AnyOf{},
      "Each turn of the greedy fiber's loop: spins (only adds; a signal may interrupt it), points "
      "(also has a preemption point) or yields (also yields)"> loop;
  // clang-format on
};

// An example of the Go article: a fiber adds numbers in a loop, and another one sleeps and then
// ends the loop. On one worker the second never continues, unless the first is preempted: the
// watchdog reports the hang. One operation is one wake-up of the sleeper.
class Greedy final : public registry::IWorkload {
 public:
  explicit Greedy(const GreedyParameters& parameters)
      : sleep_(parameters.sleep_ms),
        loop_(parameters.loop) {
  }

  void Prepare() override {
    over_.Store(false, memory_order_relaxed);
    turns_ = 0;
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    Fibers::Children children(scheduler, 2);
    children.Start([this] {
      fibers::SleepFor(sleep_);
      over_.Store(true, memory_order_relaxed);
    });
    children.Start([this] { Loop(); });
    children.Join();
    return 1;
  }

  std::string Verify() override {
    return turns_ > 0 ? "" : "the greedy fiber made no turn";
  }

 private:
  SCHEDBENCH_PREEMPTIBLE void Loop() {
    do {
      ++turns_;
      if (loop_ == GreedyLoop::kPoints) {
        fibers::PreemptPoint();
      } else if (loop_ == GreedyLoop::kYields) {
        Fibers::Yield();
      }
    } while (!over_.Load(memory_order_relaxed));
  }

  const std::chrono::milliseconds sleep_;
  const GreedyLoop loop_;
  Atomic<bool> over_{false};  // relaxed: nothing else depends on it
  std::uint64_t turns_ = 0;   // turns of the greedy fiber
};

const registry::RegistrationOf<Greedy, GreedyParameters> kGreedy{{
    .name = "greedy",
    .doc = "Go article: a fiber loops until another one, which sleeps, ends it; without "
           "preemption one worker hangs",
    .operation = "wake-up",
    .rounds = 1,
    .warmup = 0,
    .presets = {{"smoke", "sleep_ms=5,loop=yields"},
                {"small", "sleep_ms=50,loop=yields"},
                {"full", ""}},
}};

}  // namespace

}  // namespace schedbench::workloads

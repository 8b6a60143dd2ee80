#include "base/atomic.hpp"
#include "base/cache_line.hpp"
#include "config/schema_of.hpp"
#include "fibers/sched/preempt.hpp"
#include "platform/time/clock.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/fibers.hpp"
#include "workloads/parts/memory_need.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace schedbench::workloads {

namespace {

struct EternalParameters {
  // clang-format off
  config::Field<"fibers", 100U, config::Range{1U, 1000000U},
      "Fibers that loop, all started at once"> fibers;
  config::Field<"run_ms", 1000U, config::Range{1U, 3600000U},
      "Milliseconds after which the calling thread ends all loops"> run_ms;
  config::Field<"points", bool{false}, config::AnyOf{}, "Whether each turn of a loop has a "
      "preemption point; without, only a signal interrupts it"> points;
  // clang-format on
};

constexpr std::array kEternalMetrics{
    registry::Metric{"jain_index", "share", registry::Better::kHigher,
                     "Jain's index of the turns: 100 % if all fibers made equally many, 1/n if one "
                     "of n made all"},
    registry::Metric{"starved", "fibers", registry::Better::kLower,
                     "Fibers that made no turn before the loops were ended"}};

// The last example of the Go article: fibers that never end and never wait. The first of them
// keep the workers, and the others starve, unless they are preempted. One operation is one fiber.
class Eternal final : public registry::IWorkload {
 public:
  explicit Eternal(const EternalParameters& parameters)
      : run_ns_(std::uint64_t{parameters.run_ms} * 1'000'000),
        points_(parameters.points),
        turns_(CheckedCount("eternal:fibers", "running fibers", parameters.fibers,
                            Fibers::kBytesPerFiber)) {
  }

  void Prepare() override {
    over_.Store(false, memory_order_relaxed);
    for (Turns& turns : turns_) {
      turns.before = 0;
      turns.after = 0;
    }
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    const std::uint64_t begin = platform::NowNs();
    Fibers::Children children(scheduler, turns_.size());
    for (Turns& turns : turns_) {
      children.Start([this, &turns] { Loop(turns); });
    }
    platform::SleepUntilNs(begin + run_ns_);
    over_.Store(true, memory_order_relaxed);
    children.Join();
    return turns_.size();
  }

  std::string Verify() override {
    for (std::size_t i = 0; i < turns_.size(); ++i) {
      if (turns_[i].after != 1) {
        return "fiber " + std::to_string(i) + " ended " + std::to_string(turns_[i].after) +
               " times";
      }
    }
    return {};
  }

  std::vector<double> Metrics() const override {
    double sum = 0;
    double squares = 0;
    double starved = 0;
    for (const Turns& turns : turns_) {
      const auto made = static_cast<double>(turns.before);
      sum += made;
      squares += made * made;
      starved += turns.before == 0 ? 1 : 0;
    }
    const double jain =
        squares == 0 ? 0 : sum * sum / (static_cast<double>(turns_.size()) * squares);
    return {jain, starved};
  }

 private:
  // Turns of a fiber, written by it.
  struct alignas(kCacheLine) Turns {
    std::uint64_t before = 0;  // turns before the end of the loops
    std::uint32_t after = 0;   // 1: the fiber has ended
  };

  SCHEDBENCH_PREEMPTIBLE void Loop(Turns& turns) {
    while (!over_.Load(memory_order_relaxed)) {
      ++turns.before;
      if (points_) {
        fibers::PreemptPoint();
      }
    }
    ++turns.after;
  }

  const std::uint64_t run_ns_;
  const bool points_;
  Atomic<bool> over_{false};  // relaxed: nothing else depends on it
  std::vector<Turns> turns_;
};

const registry::RegistrationOf<Eternal, EternalParameters> kEternal{{
    .name = "eternal",
    .doc = "Go article: fibers that loop until the time is over; without preemption most of them "
           "starve",
    .operation = "fiber",
    .metrics = kEternalMetrics,
    .rounds = 3,
    .warmup = 0,
    .presets = {{"smoke", "fibers=10,run_ms=5"}, {"small", "fibers=20,run_ms=50"}, {"full", ""}},
}};

}  // namespace

}  // namespace schedbench::workloads

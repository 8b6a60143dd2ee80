#include "base/atomic.hpp"
#include "base/cache_line.hpp"
#include "config/schema_of.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/fibers.hpp"
#include "workloads/parts/one_thread.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace schedbench::workloads {

namespace {

struct YieldFairnessParameters {
  // clang-format off
  config::Field<"yields", 1000000U, config::Range{1U, 1000000000U},
      "Yields of each of the two fibers"> yields;
  config::Field<"max_difference", 10U, config::Range{1U, 1000000000U}, "On one worker the answer "
      "is wrong if a fiber is ahead by more yields than this"> max_difference;
  // clang-format on
};

constexpr std::array kYieldFairnessMetrics{
    registry::Metric{"progress_difference", "yields", registry::Better::kLower,
                     "Yields by which one of the two fibers was ahead of the other: maximum"},
};

// Two fibers yield to each other, and each compares its progress with the other's after each yield:
// the test YieldAndFairness of the toucan report. One operation is one yield.
class YieldFairness final : public registry::IWorkload {
 public:
  explicit YieldFairness(const YieldFairnessParameters& parameters)
      : parameters_(parameters) {
  }

  void Prepare() override {
    for (Yielding& fiber : fibers_) {
      fiber.yields.Store(0, memory_order_relaxed);
      fiber.largest_difference = 0;
    }
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    one_thread_.Begin(scheduler);
    done_.Add(fibers_.size());
    // A fiber starts them, so that a single worker runs none before both are started.
    Fibers::Go(scheduler, [this, &scheduler] {
      one_thread_.Note();  // on another thread the first of the two would begin alone
      StartFiber(scheduler, fibers_[0], fibers_[1]);
      StartFiber(scheduler, fibers_[1], fibers_[0]);
    });
    done_.Wait();
    return fibers_.size() * std::uint64_t{parameters_.yields};
  }

  std::string Verify() override {
    for (std::size_t i = 0; i < fibers_.size(); ++i) {
      const std::uint64_t yields = fibers_[i].yields.Load(memory_order_relaxed);
      if (yields != parameters_.yields) {
        return fmt::format("fiber {} yielded {} times of {}", i, yields, parameters_.yields.value);
      }
    }
    if (one_thread_.Holds() && LargestDifference() > parameters_.max_difference) {
      return fmt::format(
          "on one worker, one fiber was {} yields ahead of the other, more than max_difference={}",
          LargestDifference(), parameters_.max_difference.value);
    }
    return "";
  }

  std::vector<double> Metrics() const override {
    return {static_cast<double>(LargestDifference())};
  }

 private:
  struct alignas(kCacheLine) Yielding {
    // Done so far. relaxed: only the number matters, and done_ orders the last one.
    Atomic<std::uint64_t> yields{0};
    std::uint64_t largest_difference = 0;  // largest one that it has seen; written at its end
  };

  void StartFiber(registry::IScheduler& scheduler, Yielding& own, const Yielding& other) {
    Fibers::Go(scheduler, [this, &own, &other] {
      std::uint64_t largest = 0;
      for (std::uint64_t count = 1; count <= parameters_.yields; ++count) {
        Fibers::Yield();
        own.yields.Store(count, memory_order_relaxed);
        // With several workers it may be slightly old.
        const std::uint64_t others = other.yields.Load(memory_order_relaxed);
        largest = std::max(largest, count > others ? count - others : others - count);
        one_thread_.Note();
      }
      own.largest_difference = largest;
      done_.Done();
    });
  }

  std::uint64_t LargestDifference() const {
    return std::max(fibers_[0].largest_difference, fibers_[1].largest_difference);
  }

  const YieldFairnessParameters parameters_;
  std::array<Yielding, 2> fibers_;
  OneThread one_thread_;
  Fibers::WaitGroup done_;
};

const registry::RegistrationOf<YieldFairness, YieldFairnessParameters> kYieldFairness{{
    .name = "yield_fairness",
    .doc = "toucan report: two fibers yield to each other; measures how far one gets ahead",
    .operation = "yield",
    .metrics = kYieldFairnessMetrics,
    .presets = {{"smoke", "yields=500"},
                {"small", ""},
                {"full", "yields=10000000"},
                {"document", "yields=1000"}},
}};

}  // namespace

}  // namespace schedbench::workloads

#include "base/atomic.hpp"
#include "config/problems.hpp"
#include "config/schema_of.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sync/event.hpp"
#include "fibers/sync/wait_group.hpp"
#include "platform/machine/thread_limit.hpp"
#include "platform/threads/thread.hpp"
#include "platform/time/clock.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/fibers.hpp"
#include "workloads/parts/latencies.hpp"
#include "workloads/parts/memory_need.hpp"
#include "workloads/parts/origin.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::workloads {

// The kind of the waiters.
enum class Sleeping : std::uint8_t { kFiber, kFutex };

constexpr std::array<std::string_view, 2> NamesOf(Sleeping) {
  return {"fiber", "futex"};
}

namespace {

struct WakeCostParameters {
  // clang-format off
  config::Field<"waiters", 16U, config::Range{1U, 1000000U},
      "Fibers (or threads) that wait"> waiters;
  config::Field<"wakes", 20000U, config::Range{1U, 100000000U},
      "Times that all of them are woken"> wakes;
  config::Field<"by", Sleeping::kFiber, config::AnyOf{}, "What waits: fiber (on the scheduler) or "
      "futex (threads of the system, without the scheduler, for comparison)"> by;
  config::Field<"from", Origin::kInside, config::AnyOf{},
      "What wakes them: inside (a fiber) or outside (a thread that is not a worker)"> from;
  // clang-format on

  // More threads than this only measure the system's scheduler.
  static constexpr std::uint32_t kMostThreads = 256;

  static void Check(const WakeCostParameters& parameters, config::Problems& problems) {
    if (parameters.by == Sleeping::kFutex && parameters.waiters > kMostThreads) {
      problems.Add("waiters",
                   fmt::format("with by=futex at most {}: each is a thread", kMostThreads));
    }
  }
};

constexpr std::array kWakeCostMetrics{
    registry::Metric{"first_awake_p50", "ns", registry::Better::kLower,
                     "Time from a wake until the first waiter runs: median"},
    registry::Metric{"first_awake_p99", "ns", registry::Better::kLower,
                     "Time from a wake until the first waiter runs: 99th percentile"},
    registry::Metric{"all_awake_p50", "ns", registry::Better::kLower,
                     "Time from a wake until the last waiter runs: median"},
    registry::Metric{"all_awake_p99", "ns", registry::Better::kLower,
                     "Time from a wake until the last waiter runs: 99th percentile"},
    registry::Metric{"wake_round_trip_p50", "ns", registry::Better::kLower,
                     "Time from a wake until all waiters have found nothing to do, are about to "
                     "wait again, and have woken the waker: median; the price of a spurious wake"},
};

// Wakes all waiters of an event repeatedly. They do nothing but wait again; the last one wakes the
// waker. One operation is one woken waiter. The waker resets events that no waiter uses: when it is
// woken, all have left the previous event.
class WakeCost final : public registry::IWorkload {
 public:
  explicit WakeCost(const WakeCostParameters& parameters)
      : parameters_(parameters),
        latencies_(CheckedCount("wake_cost:wakes", "wakes of all waiters", parameters.wakes,
                                parameters.waiters * sizeof(std::uint64_t)) *
                   parameters.waiters),
        round_trips_(parameters.wakes) {
    CheckedCount("wake_cost:waiters", "suspended fibers", parameters.waiters,
                 Fibers::kBytesPerFiber);
    const platform::ThreadLimit limit = platform::ReadThreadLimit();
    if (parameters.by == Sleeping::kFutex && parameters.waiters > limit.threads) {
      throw std::runtime_error(
          fmt::format("wake_cost:waiters={} needs more threads than can be started: {}    the most "
                      "that fit: {}",
                      parameters.waiters.value, limit.reason, limit.threads));
    }
  }

  void Prepare() override {
    std::ranges::fill(latencies_, kNotWoken);
    for (Turn& turn : turns_) {
      turn.woken.Reset();
      turn.all_wait.Reset();
    }
    not_waiting_.Store(parameters_.waiters, memory_order_relaxed);
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    done_.Add(std::uint64_t{parameters_.waiters} + 1);
    std::vector<platform::Thread> threads;
    for (std::uint32_t i = 0; i < parameters_.waiters; ++i) {
      const auto wait = [this, i] {
        WaitForAll(i);
        done_.Done();
      };
      if (parameters_.by == Sleeping::kFiber) {
        fibers::Go(scheduler, wait);
      } else {
        threads.emplace_back("waiter", wait);
      }
    }
    const auto wake = [this] {
      WakeAll();
      done_.Done();
    };
    if (parameters_.from == Origin::kInside) {
      fibers::Go(scheduler, wake);
    } else {
      wake();
    }
    done_.Wait();
    for (platform::Thread& thread : threads) {
      thread.Join();
    }
    return latencies_.size();
  }

  std::string Verify() override {
    const auto missing = std::ranges::count(latencies_, kNotWoken);
    return missing == 0 ? ""
                        : fmt::format("{} of {} wakes of a waiter did not reach it", missing,
                                      latencies_.size());
  }

  std::vector<double> Metrics() const override {
    std::vector<std::uint64_t> first;
    std::vector<std::uint64_t> last;
    for (std::size_t wake = 0; wake < round_trips_.size(); ++wake) {
      const auto of_wake =
          std::span(latencies_).subspan(wake * parameters_.waiters, parameters_.waiters);
      const auto [least, most] = std::ranges::minmax(of_wake);
      first.push_back(least);
      last.push_back(most);
    }
    const auto [first_p50, first_p99, first_max] = MedianP99AndMax(first);
    const auto [last_p50, last_p99, last_max] = MedianP99AndMax(last);
    return {first_p50, first_p99, last_p50, last_p99, MedianP99AndMax(round_trips_)[0]};
  }

 private:
  static constexpr std::uint64_t kNotWoken = ~std::uint64_t{0};

  // Every second wake uses it.
  struct Turn {
    fibers::Event woken;
    fibers::Event all_wait;  // all wait or are about to
  };

  void WaitForAll(std::uint32_t waiter) {
    for (std::uint32_t wake = 0;; ++wake) {
      Turn& turn = turns_[wake % 2];
      // acq_rel: pairs with itself in the other waiters: the waker sees all of them leave the other
      // event.
      if (not_waiting_.FetchSub(1, memory_order_acq_rel) == 1) {
        not_waiting_.Store(parameters_.waiters, memory_order_relaxed);
        turn.all_wait.Fire();
      }
      if (wake == parameters_.wakes) {
        return;
      }
      turn.woken.Wait();
      latencies_[std::size_t{wake} * parameters_.waiters + waiter] = platform::ElapsedNs(woken_at_);
    }
  }

  void WakeAll() {
    for (std::uint32_t wake = 0;; ++wake) {
      turns_[wake % 2].all_wait.Wait();
      if (wake > 0) {
        round_trips_[wake - 1] = platform::ElapsedNs(woken_at_);
      }
      if (wake == parameters_.wakes) {
        return;
      }
      Turn& other = turns_[(wake + 1) % 2];
      other.woken.Reset();
      other.all_wait.Reset();
      woken_at_ = platform::NowNs();
      turns_[wake % 2].woken.Fire();
    }
  }

  const WakeCostParameters parameters_;
  std::vector<std::uint64_t> latencies_;    // for each wake and waiter; written by the waiter
  std::vector<std::uint64_t> round_trips_;  // for each wake; written by the waker
  std::array<Turn, 2> turns_;
  // Waiters that have not come to this turn. relaxed: both events, or the start, order the stores.
  Atomic<std::uint32_t> not_waiting_{0};
  std::uint64_t woken_at_ = 0;  // written by the waker while all wait
  fibers::WaitGroup done_;
};

const registry::RegistrationOf<WakeCost, WakeCostParameters> kWakeCost{{
    .name = "wake_cost",
    .doc = "waiters of an event are woken together, have nothing to do and wait again",
    .operation = "wake",
    .metrics = kWakeCostMetrics,
    .presets = {{"smoke", "waiters=4,wakes=40"},
                {"small", ""},
                {"full", "waiters=64,wakes=10000"},
                {"one", "waiters=1"}},
}};

}  // namespace

}  // namespace schedbench::workloads

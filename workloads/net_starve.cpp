#include "base/atomic.hpp"
#include "base/cache_line.hpp"
#include "config/schema_of.hpp"
#include "fibers/time/deadline.hpp"
#include "platform/time/clock.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/echo_connections.hpp"
#include "workloads/parts/fibers.hpp"
#include "workloads/parts/latencies.hpp"
#include "workloads/parts/open_load.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace schedbench::workloads {

namespace {

struct NetStarveParameters {
  // clang-format off
  config::Field<"messages", 500U, config::Range{1U, 10000000U},
      "Messages that a thread outside sends, one after the other"> messages;
  config::Field<"saturators", 2U, config::Range{1U, 1024U},
      "Fibers per worker that yield without end"> saturators;
  config::Field<"bytes", 64U, config::Range{1U, 1048576U}, "Bytes of a message"> bytes;
  config::Field<"patience_s", 10U, config::Range{1U, 3600U},
      "Seconds after which the fiber that is to answer counts as starved"> patience_s;
  // clang-format on
};

constexpr std::array kNetStarveMetrics{
    registry::Metric{"round_trip_p50", "ns", registry::Better::kLower,
                     "Time from the start of a message until its answer: median"},
    registry::Metric{"round_trip_p99", "ns", registry::Better::kLower,
                     "Time from the start of a message until its answer: 99th percentile",
                     kP99Needs},
    registry::Metric{"round_trip_max", "ns", registry::Better::kLower,
                     "Time from the start of a message until its answer: maximum"},
};

// A socket becomes ready while no worker is ever without a task: a scheduler that polls the network
// only when it has nothing to run would never answer. A thread outside sends a message, and waits
// until a fiber has sent it back. One operation is one round trip.
class NetStarve final : public registry::IWorkload {
 public:
  explicit NetStarve(const NetStarveParameters& parameters)
      : saturators_(parameters.saturators),
        patience_(parameters.patience_s),
        connection_("net_starve:bytes", 1, parameters.bytes),
        times_(parameters.messages) {
  }

  void Prepare() override {
    std::ranges::fill(times_, 0);
    stop_.Store(false, memory_order_relaxed);
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    const std::size_t count = std::size_t{scheduler.ActiveWorkers()} * saturators_;
    done_.Add(count + 1);
    Fibers::Go(scheduler, [this] {
      connection_.Serve(0, times_.size());
      done_.Done();
    });
    for (std::size_t i = 0; i < count; ++i) {
      Fibers::Go(scheduler, [this] {
        while (!stop_.Load(memory_order_relaxed)) {
          Fibers::Yield();
        }
        done_.Done();
      });
    }
    for (std::size_t i = 0; i < times_.size(); ++i) {
      const std::uint64_t begin = platform::NowNs();
      if (!connection_.Exchange(0, round_ * times_.size() + i, fibers::Deadline::In(patience_))) {
        break;
      }
      times_[i] = platform::ElapsedNs(begin);
    }
    stop_.Store(true, memory_order_relaxed);
    done_.Wait();
    ++round_;
    return times_.size();
  }

  std::string Verify() override {
    const std::string failure = connection_.Failure();
    if (!failure.empty()) {
      return failure;
    }
    // No round trip takes less than a nanosecond.
    const auto missing = std::ranges::count(times_, 0U);
    return missing == 0 ? "" : fmt::format("{} messages have no answer", missing);
  }

  std::vector<double> Metrics() const override {
    const auto [median, p99, max] = MedianP99AndMax(times_);
    return {median, p99, max};
  }

 private:
  const std::uint32_t saturators_;
  const std::chrono::seconds patience_;
  EchoConnections connection_;
  std::vector<std::uint64_t> times_;  // nanoseconds of each message
  std::uint64_t round_ = 0;
  // Saturators must end. relaxed: one that sees it late yields once more.
  alignas(kCacheLine) Atomic<bool> stop_{false};
  alignas(kCacheLine) Fibers::WaitGroup done_;
};

const registry::RegistrationOf<NetStarve, NetStarveParameters> kNetStarve{{
    .name = "net_starve",
    .doc = "messages over a TCP connection while the workers are never without a task",
    .operation = "round trip",
    .metrics = kNetStarveMetrics,
    .presets = {{"smoke", "messages=20"}, {"small", "messages=100"}, {"full", "messages=10000"}},
}};

}  // namespace

}  // namespace schedbench::workloads

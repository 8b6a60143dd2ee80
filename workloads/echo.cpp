#include "base/cache_line.hpp"
#include "config/schema_of.hpp"
#include "platform/time/clock.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/echo_connections.hpp"
#include "workloads/parts/fibers.hpp"
#include "workloads/parts/latencies.hpp"
#include "workloads/parts/memory_need.hpp"
#include "workloads/parts/open_load.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace schedbench::workloads {

namespace {

struct EchoParameters {
  // clang-format off
  config::Field<"connections", 64U, config::Range{1U, 1000000U},
      "TCP connections over loopback; each needs two file descriptors"> connections;
  config::Field<"messages", 1000U, config::Range{1U, 100000000U},
      "Messages of each connection, one after the other"> messages;
  config::Field<"bytes", 64U, config::Range{1U, 1048576U}, "Bytes of a message"> bytes;
  // clang-format on
};

constexpr std::array kEchoMetrics{
    registry::Metric{"round_trip_p50", "ns", registry::Better::kLower,
                     "Time from when a client begins to send a message until it has the answer: "
                     "median"},
    registry::Metric{"round_trip_p99", "ns", registry::Better::kLower,
                     "Time from when a client begins to send a message until it has the answer: "
                     "99th percentile",
                     kP99Needs},
};

// Each end of each connection has a fiber: the client sends a message and waits for the answer,
// which the server sends when it has the whole message. The loop is closed: each connection has one
// message under way. One operation is one round trip.
class EchoClosed final : public registry::IWorkload {
 public:
  explicit EchoClosed(const EchoParameters& parameters)
      : parameters_(parameters),
        times_(parameters.connections *
               CheckedCount("echo:messages", "messages of each connection", parameters.messages,
                            parameters.connections * sizeof(std::uint64_t))),
        connections_("echo:connections", parameters.connections, parameters.bytes) {
  }

  void Prepare() override {
    std::ranges::fill(times_, 0);
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    done_.Add(2 * connections_.Count());
    for (std::size_t number = 0; number < connections_.Count(); ++number) {
      Fibers::Go(scheduler, [this, number] {
        connections_.Serve(number, parameters_.messages);
        done_.Done();
      });
      Fibers::Go(scheduler, [this, number] {
        Talk(number);
        done_.Done();
      });
    }
    done_.Wait();
    ++round_;
    return times_.size();
  }

  std::string Verify() override {
    const std::string failure = connections_.Failure();
    if (!failure.empty()) {
      return failure;
    }
    // No round trip takes less than a nanosecond.
    const auto missing = std::ranges::count(times_, 0U);
    return missing == 0 ? "" : std::to_string(missing) + " messages have no answer";
  }

  std::vector<double> Metrics() const override {
    const auto [median, p99, max] = MedianP99AndMax(times_);
    return {median, p99};
  }

 private:
  void Talk(std::size_t number) noexcept {
    const std::size_t first = number * parameters_.messages;
    std::uint64_t begin = platform::NowNs();
    for (std::uint32_t i = 0; i < parameters_.messages; ++i) {
      if (!connections_.Exchange(number, round_ * times_.size() + first + i)) {
        return;
      }
      const std::uint64_t end = platform::NowNs();
      times_[first + i] = end - begin;
      begin = end;
    }
  }

  const EchoParameters parameters_;
  std::vector<std::uint64_t> times_;  // nanoseconds for each message; written by its client
  EchoConnections connections_;
  std::uint64_t round_ = 0;
  alignas(kCacheLine) Fibers::WaitGroup done_;
};

const registry::RegistrationOf<EchoClosed, EchoParameters> kEcho{{
    .name = "echo",
    .doc = "clients send messages over TCP connections, and wait for servers to send them back",
    .operation = "round trip",
    .metrics = kEchoMetrics,
    .presets = {{"smoke", "connections=8,messages=50"},
                {"small", "messages=80"},
                {"full", "messages=5000"}},
}};

}  // namespace

}  // namespace schedbench::workloads

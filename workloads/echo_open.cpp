#include "base/cache_line.hpp"
#include "config/schema_of.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/echo_connections.hpp"
#include "workloads/parts/fibers.hpp"
#include "workloads/parts/open_load.hpp"
#include "workloads/parts/precise_sleep.hpp"
#include "workloads/parts/timed_requests.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace schedbench::workloads {

namespace {

struct EchoOpenParameters {
  // clang-format off
  RateField<20000.0> rate;
  ArrivalsField arrivals;
  BurstField burst;
  RequestsField<5000U> requests;
  config::Field<"connections", std::uint32_t{64}, config::Range{1U, 1000000U}, "TCP connections over loopback, which requests use in turn; each needs two file descriptors"> connections;
  config::Field<"bytes", std::uint32_t{64}, config::Range{1U, 1048576U}, "Bytes of a message"> bytes;
  SourceSpinField source_spin_ns;
  // clang-format on

  static void Check(const EchoOpenParameters& parameters, config::Problems& problems) {
    CheckBurst(parameters, problems);
  }
};

// The messages of `echo` as requests that arrive at times drawn in advance. One operation is one request, a fiber that the calling
// thread starts when the request is due. It waits until its connection is free, sends the message and waits for the answer.
class EchoOpen final : public TimedRequests {
 public:
  EchoOpen(const EchoOpenParameters& parameters, std::uint64_t seed)
      : TimedRequests({.requests_field = "echo_open:requests",
                       .laws = ArrivalsOf(parameters),
                       .requests = parameters.requests,
                       .source_spin_ns = parameters.source_spin_ns,
                       .request_bytes = Fibers::kBytesPerFiber},
                      seed),
        connections_("echo_open:connections", parameters.connections, parameters.bytes),
        is_free_(connections_.Count()) {
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    const PreciseSleep precise;
    const std::uint64_t count = connections_.Count();
    done_.Add(Count() + count);
    for (std::uint64_t number = 0; number < count; ++number) {
      // As many as SubmitEach() gives to it.
      const std::uint64_t messages = Count() / count + (number < Count() % count ? 1 : 0);
      Fibers::Go(scheduler, [this, number, messages] {
        connections_.Serve(number, messages);
        done_.Done();
      });
    }
    SubmitEach([this, &scheduler, count](Request& request) {
      Fibers::Go(scheduler, [this, &request, count] {
        Ask(request, NumberOf(request) % count);
        done_.Done();
      });
    });
    done_.Wait();
    return Count();
  }

  std::string Verify() override {
    const std::string failure = connections_.Failure();
    return failure.empty() ? TimedRequests::Verify() : failure;
  }

 private:
  void Ask(Request& request, std::size_t connection) noexcept {
    is_free_[connection].mutex.Lock();
    BeginService(request);
    if (connections_.Exchange(connection, request.due_ns + NumberOf(request))) {
      EndService(request);
    }
    is_free_[connection].mutex.Unlock();
  }

  struct alignas(kCacheLine) Turn {
    Fibers::Mutex mutex;  // first come, first served but for a fiber that comes as it is unlocked
  };

  EchoConnections connections_;
  std::vector<Turn> is_free_;
  alignas(kCacheLine) Fibers::WaitGroup done_;
};

constexpr std::array kEchoOpenPresets{registry::Preset{"smoke", "requests=500,connections=8"},
                                      registry::Preset{"small", "requests=1000"},
                                      registry::Preset{"full", "requests=100000"}};

const registry::WorkloadRegistration kEchoOpen{{
    .name = "echo_open",
    .doc = "the messages of echo, sent at times that are drawn in advance",
    .operation = "request",
    .schema = &config::SchemaOf<EchoOpenParameters>,
    .make = [](const config::Settings& settings,
               std::uint64_t seed) -> std::unique_ptr<registry::IWorkload> {
      return std::make_unique<EchoOpen>(settings.As<EchoOpenParameters>(), seed);
    },
    .metrics = kOpenLoopMetrics,
    .presets = kEchoOpenPresets,
    .open_load = &kOpenLoopLoad,
}};

}  // namespace

}  // namespace schedbench::workloads

#include "base/atomic.hpp"
#include "base/cache_line.hpp"
#include "config/schema_of.hpp"
#include "platform/net/resolve.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/echo_connections.hpp"
#include "workloads/parts/echo_server.hpp"
#include "workloads/parts/fibers.hpp"
#include "workloads/parts/load_metrics.hpp"
#include "workloads/parts/memory_need.hpp"
#include "workloads/parts/open_load.hpp"
#include "workloads/parts/precise_sleep.hpp"
#include "workloads/parts/timed_requests.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace schedbench::workloads {

namespace {

struct EchoOpenParameters {
  // clang-format off
  RateField<20000.0> rate;
  ArrivalsField arrivals;
  BurstField burst;
  RequestsField<5000U> requests;
  config::Field<"connections", 64U, config::Range{1U, 1000000U}, "TCP connections over loopback, "
      "which requests use in turn; each needs two file descriptors"> connections;
  config::Field<"bytes", 64U, config::Range{1U, 1048576U}, "Bytes of a message"> bytes;
  SourceSpinField source_spin_ns;
  // clang-format on

  static void Check(const EchoOpenParameters& parameters, config::Problems& problems) {
    CheckBurst(parameters, problems);
  }
};

// Longest wait for a connection, then for an answer, of a server process. Arbitrary.
constexpr std::uint64_t kLongestWaitNs = 10'000'000'000;

// Returns the requests of a generator. All of them are kept, but only those of kLongestWaitNs can
// wait at once. Throws std::runtime_error when they do not fit into RAM.
std::uint32_t CheckedRequests(const EchoOpenParameters& parameters) {
  // A cache line, its later form RequestTimes, and two numbers for the percentiles.
  constexpr double kKept = kCacheLine + sizeof(RequestTimes) + 2 * sizeof(double);
  const double waiting = parameters.rate * (1e-9 * static_cast<double>(kLongestWaitNs));
  const double bytes =
      kKept + Fibers::kBytesPerFiber * std::min(1.0, waiting / parameters.requests);
  const auto free_bytes = static_cast<double>(CountThatFits(1));
  double most = free_bytes / (kKept + Fibers::kBytesPerFiber);
  if (most > waiting) {
    most = (free_bytes - waiting * Fibers::kBytesPerFiber) / kKept;
  }
  const double most_ms = std::max(1.0, std::floor(1e3 * most / parameters.rate));
  // This is a flag of `schedbench load`.
  RequireMemoryFor(parameters.requests, "requests", static_cast<std::uint64_t>(std::ceil(bytes)),
                   most_ms < 1000 ? fmt::format("--duration {}ms", most_ms)
                                  : fmt::format("--duration {}s", std::floor(most_ms / 1000)));
  return parameters.requests;
}

// The messages of `echo` as requests that arrive at times drawn in advance. One operation is one
// request, a fiber that the calling thread starts when the request is due. It waits until its
// connection is free, sends the message and waits for the answer. `kWhole`: with the server.
template <bool kWhole>
class EchoOpenBase : public TimedRequests {
 public:
  EchoOpenBase(const EchoOpenParameters& parameters, std::uint64_t seed,
               const std::optional<fibers::SocketAddress>& server)
      : TimedRequests({.requests_field = "echo_open:requests",
                       .laws = ArrivalsOf(parameters),
                       .requests = kWhole ? parameters.requests : CheckedRequests(parameters),
                       .source_spin_ns = parameters.source_spin_ns,
                       .request_bytes = kWhole ? Fibers::kBytesPerFiber : 0},
                      seed),
        connections_("echo_open:connections", parameters.connections, parameters.bytes, server),
        is_free_(connections_.Count()) {
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    const PreciseSleep precise;
    const std::uint64_t count = connections_.Count();
    done_.Add(Count());
    if constexpr (kWhole) {
      StartServers(scheduler);
    }
    SubmitEach([this, &scheduler, count](Request& request) {
      Fibers::Go(scheduler, [this, &request, count] {
        Ask(request, NumberOf(request) % count);
        done_.Done();
      });
    });
    for (std::uint64_t i = Submitted(); i < Count(); ++i) {
      done_.Done();
    }
    done_.Wait();
    return Submitted();
  }

 protected:
  const EchoConnections& Connections() const noexcept {
    return connections_;
  }

  // Returns the requests that were not sent because their connection was not free in time.
  std::uint64_t TooLate() const noexcept {
    return too_late_.Load(memory_order_relaxed);
  }

 private:
  void StartServers(registry::IScheduler& scheduler) {
    const std::uint64_t count = connections_.Count();
    done_.Add(count);
    for (std::uint64_t number = 0; number < count; ++number) {
      // SubmitEach() gives the connection this number of messages.
      const std::uint64_t messages = Count() / count + (number < Count() % count ? 1 : 0);
      Fibers::Go(scheduler, [this, number, messages] {
        connections_.Serve(number, messages);
        done_.Done();
      });
    }
  }

  void Ask(Request& request, std::size_t connection) noexcept {
    is_free_[connection].mutex.Lock();
    BeginService(request);
    fibers::Deadline until = fibers::Deadline::Never();
    if constexpr (!kWhole) {
      // A server that has gone, or cannot keep up, must not prevent the end of the round.
      if (request.begun > DueAt(request) + kLongestWaitNs) {
        too_late_.FetchAdd(1, memory_order_relaxed);
        is_free_[connection].mutex.Unlock();
        return;
      }
      until = fibers::Deadline::At(request.begun + kLongestWaitNs);
    }
    if (connections_.Exchange(connection, request.due_ns + NumberOf(request), until)) {
      EndService(request);
    }
    is_free_[connection].mutex.Unlock();
  }

  struct alignas(kCacheLine) Turn {
    // First come, first served except for a fiber that comes as it is unlocked.
    Fibers::Mutex mutex;
  };

  EchoConnections connections_;
  std::vector<Turn> is_free_;
  Atomic<std::uint64_t> too_late_{0};  // relaxed: read after done_.Wait()
  alignas(kCacheLine) Fibers::WaitGroup done_;
};

class EchoOpen final : public EchoOpenBase<true> {
 public:
  EchoOpen(const EchoOpenParameters& parameters, std::uint64_t seed)
      : EchoOpenBase(parameters, seed, std::nullopt) {
  }

  std::string Verify() override {
    const std::string failure = Connections().Failure();
    return failure.empty() ? TimedRequests::Verify() : failure;
  }
};

// Returns a server's address. Throws std::runtime_error, with the flag of `schedbench load`.
fibers::SocketAddress Found(const std::string& address) {
  try {
    return platform::Resolve(address);
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(fmt::format("{}    --address HOST", error.what()));
  }
}

// The clients' half. A missing answer is not a wrong one: answered requests are measured.
class EchoOpenClients final : public EchoOpenBase<false>, public registry::IHalf {
 public:
  EchoOpenClients(const EchoOpenParameters& parameters, std::uint64_t seed,
                  const std::string& address)
      : EchoOpenBase(parameters, seed, Found(address)) {
  }

  std::string Verify() override {
    return Connections().HasWrongAnswer() ? Connections().Failure() : "";
  }

  IHalf* AsHalf() noexcept override {
    return this;
  }

  std::string Address() const override {
    return "";
  }

  void SetTimes(std::uint64_t start_ns, std::uint64_t /*end_ns*/) override {
    BeginAt(start_ns);
  }

  void EndWhen(std::function<bool()> is_due) override {
    EndEarlyWhen(std::move(is_due));
  }

  registry::HalfTimes Times() const override {
    registry::HalfTimes times = TimesOfRound();
    times.trouble = Connections().Failure();
    if (times.trouble.empty() && TooLate() != 0) {
      times.trouble = "the connections were not free in time";
    }
    return times;
  }
};

std::unique_ptr<registry::IWorkload> MakeHalf(const config::Settings& settings, std::uint64_t seed,
                                              registry::Half half, const std::string& address) {
  const auto parameters = settings.As<EchoOpenParameters>();
  if (half == registry::Half::kServer) {
    return std::make_unique<EchoServer>("echo_open", address, parameters.bytes);
  }
  return std::make_unique<EchoOpenClients>(parameters, seed, address);
}

const registry::RegistrationOf<EchoOpen, EchoOpenParameters> kEchoOpen{{
    .name = "echo_open",
    .doc = "the messages of echo, sent at times that are drawn in advance",
    .operation = "request",
    .metrics = kOpenLoopMetrics,
    .ranked_by = "latency_p99",
    .presets = {{"smoke", "requests=500,connections=8"},
                {"small", "requests=1000"},
                {"full", "requests=100000"}},
    .open_load = &kOpenLoopLoad,
    .make_half = &MakeHalf,
}};

}  // namespace

}  // namespace schedbench::workloads

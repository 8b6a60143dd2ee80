#include "base/cache_line.hpp"
#include "config/schema_of.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/fibers.hpp"
#include "workloads/parts/load.hpp"
#include "workloads/parts/load_metrics.hpp"
#include "workloads/parts/precise_sleep.hpp"
#include "workloads/parts/timed_requests.hpp"

#include <array>
#include <cstdint>
#include <memory>

namespace schedbench::workloads {

namespace {

struct OpenLoopParameters {
  // clang-format off
  config::Field<"rate", 20000.0, config::Range{1.0, 1e8}, "Requests per second, on average"> rate;
  config::Field<"arrivals", Arrivals::kPoisson, config::AnyOf{}, "When requests arrive: constant (at equal intervals), poisson (independently) or bursty (several together, the bursts independently)"> arrivals;
  config::Field<"burst", std::uint32_t{10}, config::Range{1U, 1000000U}, "With arrivals=bursty: requests that arrive together; the rate still counts requests"> burst;
  config::Field<"requests", std::uint32_t{5000}, config::Range{1U, 100000000U}, "Requests in a round; p99.9 needs at least 2995"> requests;
  config::Field<"service_ns", std::uint32_t{20000}, config::Range{0U, 1000000000U}, "Nanoseconds of work in a request, on average"> service_ns;
  config::Field<"service", ServiceLaw::kExponential, config::AnyOf{}, "Distribution of the work: constant or exponential"> service;
  config::Field<"source_spin_ns", std::uint32_t{20000}, config::Range{0U, 1000000000U}, "Nanoseconds before a request is due at which the source stops sleeping and spins: a large value takes CPU time, a small one makes the source late by a wake-up"> source_spin_ns;
  // clang-format on

  static void Check(const OpenLoopParameters& parameters, config::Problems& problems) {
    if (parameters.arrivals != Arrivals::kBursty) {
      problems.AddUnused("burst", "requests arrive one by one; this field needs arrivals=bursty");
    }
  }
};

// metrics::SamplesFor(0.99) and (0.999).
constexpr std::uint64_t kP99Needs = 299;
constexpr std::uint64_t kP999Needs = 2995;

constexpr std::array kOpenLoopMetrics{
    registry::Metric{"latency_mean", "ns", registry::Better::kLower,
                     "Time from when a request is due until its end: mean"},
    registry::Metric{"latency_p50", "ns", registry::Better::kLower,
                     "Time from when a request is due until its end: median"},
    registry::Metric{"latency_p99", "ns", registry::Better::kLower,
                     "Time from when a request is due until its end: 99th percentile", kP99Needs},
    registry::Metric{"latency_p99_9", "ns", registry::Better::kLower,
                     "Time from when a request is due until its end: 99.9th percentile",
                     kP999Needs},
    registry::Metric{
        "uncorrected_mean", "ns", registry::Better::kNone,
        "Time from the submit of a request until its end, which hides a late source: mean"},
    registry::Metric{"uncorrected_p50", "ns", registry::Better::kNone,
                     "Time from the submit of a request until its end: median"},
    registry::Metric{"uncorrected_p99", "ns", registry::Better::kNone,
                     "Time from the submit of a request until its end: 99th percentile", kP99Needs},
    registry::Metric{"uncorrected_p99_9", "ns", registry::Better::kNone,
                     "Time from the submit of a request until its end: 99.9th percentile",
                     kP999Needs},
    registry::Metric{
        "late_p99", "ns", registry::Better::kNone,
        "Time from when a request is due until its submit, by a late source: 99th percentile",
        kP99Needs},
    registry::Metric{
        "service_mean", "ns", registry::Better::kNone,
        "Time from the start of a request until its end: mean, including the time in which "
        "its worker had no CPU"},
    registry::Metric{"offered", "requests/s", registry::Better::kNone,
                     "Requests divided by the time within which they were due"},
    registry::Metric{"achieved", "requests/s", registry::Better::kNone,
                     "Requests divided by the time until the last of them ended"},
    registry::Metric{"backlog_growth", "share", registry::Better::kNone,
                     "Growth of the number of unfinished requests after the first quarter, as a "
                     "share of the requests since then; above 5 % the scheduler did not keep up",
                     kRequestsToSeeGrowth},
};

constexpr std::array kOpenLoopLimits{
    registry::OpenLoad::Latency{"mean", "latency_mean"},
    registry::OpenLoad::Latency{"p50", "latency_p50"},
    registry::OpenLoad::Latency{"p99", "latency_p99"},
    registry::OpenLoad::Latency{"p99.9", "latency_p99_9"},
};

constexpr registry::OpenLoad kOpenLoopLoad{
    .rate = "rate",
    .operations = "requests",
    .latencies = kOpenLoopLimits,
    .late = "late_p99",
    .late_beside = "latency_p99",
    .backlog_growth = "backlog_growth",
    .saturated_above = kSaturatedGrowth,
};

// Requests that arrive at times drawn in advance, whether the previous ones have ended or not: what the users of a service
// see. One operation is one request, a fiber that the calling thread starts by an external submission.
//
// The source writes the time of the submit into a request before it starts the fiber; the fiber writes the rest. Requests
// share only a counter, which each decrements at its end. Besides the scheduler's work, latencies include the allocation of
// the fiber and two readings of the clock, some hundred nanoseconds.
class OpenLoop final : public TimedRequests {
 public:
  OpenLoop(const OpenLoopParameters& parameters, std::uint64_t seed)
      : TimedRequests({.requests_field = "open_loop:requests",
                       .laws = {.arrivals = parameters.arrivals,
                                .rate = parameters.rate,
                                .burst = parameters.burst,
                                .service = parameters.service,
                                .service_ns = parameters.service_ns},
                       .requests = parameters.requests,
                       .source_spin_ns = parameters.source_spin_ns,
                       .request_bytes = Fibers::kBytesPerQueued},
                      seed) {
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    const PreciseSleep precise;
    done_.Add(Count());
    SubmitEach([this, &scheduler](Request& request) {
      Fibers::Go(scheduler, [this, &request] {
        Serve(request);
        done_.Done();
      });
    });
    done_.Wait();
    return Count();
  }

 private:
  alignas(kCacheLine) Fibers::WaitGroup done_;
};

constexpr std::array kOpenLoopPresets{registry::Preset{"smoke", "requests=500"},
                                      registry::Preset{"small", "requests=2000"},
                                      registry::Preset{"full", "requests=100000"}};

const registry::WorkloadRegistration kOpenLoop{{
    .name = "open_loop",
    .doc = "requests arrive at times that are drawn in advance, even if the scheduler does not "
           "keep up",
    .operation = "request",
    .schema = &config::SchemaOf<OpenLoopParameters>,
    .make = [](const config::Settings& settings,
               std::uint64_t seed) -> std::unique_ptr<registry::IWorkload> {
      return std::make_unique<OpenLoop>(settings.As<OpenLoopParameters>(), seed);
    },
    .metrics = kOpenLoopMetrics,
    .presets = kOpenLoopPresets,
    .open_load = &kOpenLoopLoad,
}};

}  // namespace

}  // namespace schedbench::workloads

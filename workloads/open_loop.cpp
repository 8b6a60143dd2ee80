#include "base/cache_line.hpp"
#include "config/schema_of.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/fibers.hpp"
#include "workloads/parts/load.hpp"
#include "workloads/parts/open_load.hpp"
#include "workloads/parts/precise_sleep.hpp"
#include "workloads/parts/timed_requests.hpp"

#include <cstdint>

namespace schedbench::workloads {

namespace {

struct OpenLoopParameters {
  // clang-format off
  RateField<20000.0> rate;
  ArrivalsField arrivals;
  BurstField burst;
  RequestsField<5000U> requests;
  config::Field<"service_ns", 20000U, config::Range{0U, 1000000000U},
      "Nanoseconds of work in a request, on average"> service_ns;
  config::Field<"service", ServiceLaw::kExponential, config::AnyOf{},
      "Distribution of the work: constant or exponential"> service;
  SourceSpinField source_spin_ns;
  // clang-format on

  static void Check(const OpenLoopParameters& parameters, config::Problems& problems) {
    CheckBurst(parameters, problems);
  }
};

// Requests that arrive at times drawn in advance, even if the previous ones have not ended: what
// the users of a service see. One operation is one request, a fiber that the calling thread starts
// by an external submission.
// The source writes the time of the submit into a request before it starts the fiber; the fiber
// writes the rest. Requests share only a counter, which each decrements at its end. Latencies also
// include the allocation of the fiber and two readings of the clock, some hundred nanoseconds.
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

const registry::RegistrationOf<OpenLoop, OpenLoopParameters> kOpenLoop{{
    .name = "open_loop",
    .doc = "requests arrive at times that are drawn in advance, even if the scheduler does not "
           "keep up",
    .operation = "request",
    .metrics = kOpenLoopMetrics,
    .ranked_by = "latency_p99",
    .presets = {{"smoke", "requests=500"}, {"small", "requests=2000"}, {"full", "requests=100000"}},
    .open_load = &kOpenLoopLoad,
}};

}  // namespace

}  // namespace schedbench::workloads

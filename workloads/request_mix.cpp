#include "base/cache_line.hpp"
#include "base/random.hpp"
#include "config/schema_of.hpp"
#include "fibers/sched/sleep.hpp"
#include "platform/time/clock.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/fibers.hpp"
#include "workloads/parts/latencies.hpp"
#include "workloads/parts/matrices.hpp"
#include "workloads/parts/memory_need.hpp"
#include "workloads/parts/open_load.hpp"
#include "workloads/parts/precise_sleep.hpp"
#include "workloads/parts/timed_requests.hpp"

#include <fmt/core.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace schedbench::workloads {

namespace {

struct RequestMixParameters {
  // clang-format off
  RateField<2000.0> rate;
  ArrivalsField arrivals;
  BurstField burst;
  RequestsField<400U> requests;
  config::Field<"naps", 2U, config::Range{1U, 1000U}, "Times that a request sleeps before it "
      "computes, as one that waits for a network or a disk"> naps;
  config::Field<"nap_us", 100U, config::Range{0U, 1000000U}, "Microseconds of each sleep"> nap_us;
  config::Field<"multiplications", 1U, config::Range{1U, 1000U},
      "Matrix multiplications of a request"> multiplications;
  config::Field<"footprint_kib", 64U, config::Range{1U, 65536U}, "KiB of the two matrices that a "
      "multiplication reads; the work grows with the power of 1.5"> footprint_kib;
  config::Field<"users", 8U, config::Range{1U, 1000000U},
      "Users, whose requests arrive in turn; each has matrices of its own"> users;
  config::Field<"shared_percent", 0U, config::Range{0U, 100U},
      "Percent of the requests that read matrices which all users share"> shared_percent;
  SourceSpinField source_spin_ns;
  // clang-format on

  static void Check(const RequestMixParameters& parameters, config::Problems& problems) {
    CheckBurst(parameters, problems);
  }
};

constexpr auto kRequestMixMetrics = OpenLoopMetricsAnd(std::array{
    registry::Metric{"nap_late_p50", "ns", registry::Better::kLower,
                     "Time from when a sleep should end until the fiber runs again: median"},
    registry::Metric{"nap_late_p99", "ns", registry::Better::kLower,
                     "Time from when a sleep should end until the fiber runs again: 99th "
                     "percentile",
                     kP99Needs},
});

// Requests that sleep, as if they waited for data, and then multiply matrices: the load of Linux's
// schbench on fibers. One operation is one request, a fiber that the calling thread starts when the
// request is due.
// Requests of a user read shared matrices and write only their results, so it does not matter how
// many of them are served at the same time.
class RequestMix final : public TimedRequests {
 public:
  RequestMix(const RequestMixParameters& parameters, std::uint64_t seed)
      : TimedRequests({.requests_field = "request_mix:requests",
                       .laws = ArrivalsOf(parameters),
                       .requests = parameters.requests,
                       .source_spin_ns = parameters.source_spin_ns,
                       .request_bytes =
                           Fibers::kBytesPerFiber + sizeof(std::uint64_t) * (1 + parameters.naps)},
                      seed),
        parameters_(parameters),
        products_(parameters.requests),
        late_(std::size_t{parameters.requests} * parameters.naps) {
    const std::uint32_t users = parameters.shared_percent == 100 ? 0U : parameters.users.value;
    const std::uint64_t bytes = std::uint64_t{parameters.footprint_kib} * 1024;
    CheckedCount("request_mix:users", "users", users + 1, bytes);
    shared_ = MatrixPair(bytes, DeriveSeed(seed, 0));
    for (std::uint32_t user = 0; user < users; ++user) {
      own_.emplace_back(bytes, DeriveSeed(seed, user + 1));
    }
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    const PreciseSleep precise;
    done_.Add(Count());
    SubmitEach([this, &scheduler](Request& request) {
      Fibers::Go(scheduler, [this, &request] {
        BeginService(request);
        Nap(NumberOf(request));
        Compute(NumberOf(request));
        EndService(request);
        done_.Done();
      });
    });
    done_.Wait();
    return Count();
  }

  std::string Verify() override {
    for (std::uint64_t number = 0; number < products_.size(); ++number) {
      const std::uint64_t right = MatricesOf(number).Sum() * parameters_.multiplications;
      if (products_[number] != right) {
        return fmt::format("the products of request {} add up to {}, not {}", number,
                           products_[number], right);
      }
    }
    return TimedRequests::Verify();
  }

  std::vector<double> Metrics() const override {
    std::vector<double> metrics = TimedRequests::Metrics();
    const auto [median, p99, max] = MedianP99AndMax(late_);
    metrics.insert(metrics.end(), {median, p99});
    return metrics;
  }

 private:
  void Nap(std::uint64_t number) noexcept {
    for (std::uint32_t nap = 0; nap < parameters_.naps; ++nap) {
      const std::uint64_t end = platform::NowNs() + std::uint64_t{parameters_.nap_us} * 1000;
      fibers::SleepUntil(fibers::Deadline::At(end));
      late_[number * parameters_.naps + nap] = platform::ElapsedNs(end);
    }
  }

  void Compute(std::uint64_t number) noexcept {
    const MatrixPair& matrices = MatricesOf(number);
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < parameters_.multiplications; ++i) {
      sum += matrices.SumOfProduct();
    }
    products_[number] = sum;
  }

  // Spreads the shared requests evenly over all.
  const MatrixPair& MatricesOf(std::uint64_t number) const noexcept {
    const std::uint64_t percent = parameters_.shared_percent;
    const bool is_shared = (number + 1) * percent / 100 != number * percent / 100;
    return is_shared ? shared_ : own_[number % own_.size()];
  }

  const RequestMixParameters parameters_;
  MatrixPair shared_;
  std::vector<MatrixPair> own_;  // matrices of each user
  // Each request's fiber writes its entry.
  std::vector<std::uint64_t> products_;
  std::vector<std::uint64_t> late_;  // nanoseconds of each sleep
  alignas(kCacheLine) Fibers::WaitGroup done_;
};

const registry::RegistrationOf<RequestMix, RequestMixParameters> kRequestMix{{
    .name = "request_mix",
    .doc = "requests that sleep twice and then multiply matrices, as those of Linux's schbench",
    .operation = "request",
    .metrics = kRequestMixMetrics,
    .presets = {{"smoke", "rate=4000,requests=200,footprint_kib=16"},
                {"small", "requests=100"},
                {"full", "rate=100,requests=1000,footprint_kib=256,multiplications=5"}},
    .open_load = &kOpenLoopLoad,
}};

}  // namespace

}  // namespace schedbench::workloads

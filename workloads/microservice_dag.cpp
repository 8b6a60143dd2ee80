#include "base/atomic.hpp"
#include "base/cache_line.hpp"
#include "base/random.hpp"
#include "config/schema_of.hpp"
#include "fibers/sync/event.hpp"
#include "fibers/sync/semaphore.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/fibers.hpp"
#include "workloads/parts/open_load.hpp"
#include "workloads/parts/precise_sleep.hpp"
#include "workloads/parts/spin_work.hpp"
#include "workloads/parts/timed_requests.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace schedbench::workloads {

namespace {

struct MicroserviceDagParameters {
  // clang-format off
  RateField<2000.0> rate;
  ArrivalsField arrivals;
  BurstField burst;
  RequestsField<500U> requests;
  config::Field<"call_ns", 10000U, config::Range{0U, 1000000000U},
      "Nanoseconds of work in a call, on average (exponential)"> call_ns;
  config::Field<"slots", 16U, config::Range{1U, 1000000U},
      "Calls that a service handles at the same time; others wait"> slots;
  config::Field<"timeout_us", 100000U, config::Range{1U, 1000000000U},
      "Microseconds after which the caller gives up an attempt of a call"> timeout_us;
  config::Field<"retries", 2U, config::Range{0U, 100U},
      "Further attempts of a call that failed or timed out"> retries;
  config::Field<"failures_percent", 1.0, config::Range{0.0, 100.0},
      "Percent of the attempts that fail after their work"> failures_percent;
  SourceSpinField source_spin_ns;
  // clang-format on

  static void Check(const MicroserviceDagParameters& parameters, config::Problems& problems) {
    CheckBurst(parameters, problems);
  }
};

constexpr auto kMicroserviceDagMetrics = OpenLoopMetricsAnd(std::array{
    registry::Metric{"retries", "per op", registry::Better::kLower,
                     "Attempts after the first one of a call, per request"},
    registry::Metric{"timeouts", "per op", registry::Better::kLower,
                     "Attempts that the caller gave up, per request"},
    registry::Metric{"unanswered", "share", registry::Better::kLower,
                     "Requests of which a call had no successful attempt"},
    registry::Metric{"wasted_attempts", "share", registry::Better::kLower,
                     "Attempts that a service worked on after the caller had given up"},
});

constexpr std::uint32_t kServices = 4;
constexpr std::uint32_t kCalls = 12;

// A call, and the calls that need its answer. Each call comes after those that it needs.
struct Step {
  std::uint32_t service;
  std::uint32_t needs;                // number of needed calls
  std::array<std::uint32_t, 4> then;  // the first `then_count` of them are used
  std::uint32_t then_count;
};

// A page of a shop. Services: 0 pages, 1 users, 2 catalogue, 3 warehouse.
constexpr std::array<Step, kCalls> kSteps{{
    {0, 0, {1, 2, 3}, 3},  // 0 the request itself
    {1, 1, {4, 7}, 2},     // 1 user
    {1, 1, {4}, 1},        // 2 session
    {2, 1, {5, 6, 7}, 3},  // 3 products
    {3, 2, {8, 9}, 2},     // 4 basket
    {2, 1, {8}, 1},        // 5 prices
    {3, 1, {9}, 1},        // 6 stock
    {2, 2, {10}, 1},       // 7 recommendations
    {3, 2, {11}, 1},       // 8 tax
    {1, 2, {11}, 1},       // 9 address
    {2, 1, {11}, 1},       // 10 advertisements
    {0, 3, {}, 0},         // 11 the page
}};

// Most parallel calls of a request. In addition all attempts, even given-up ones, may wait.
constexpr std::uint64_t kWidest = 4;

// Requests to a shop of services: each is a graph of calls, and an attempt of a call may fail or
// come too late. One operation is one request.
// A call is a fiber. It starts an attempt, another fiber, waits for it until the timeout, and tries
// again if necessary. A call that needs several calls is started by the last of them to end. An
// attempt waits for a slot of its service, works, and fires `replied`. A given-up attempt
// continues, unless its work has not begun: services do not know that their callers have left. So
// attempts outlive calls, in an array that lives as long as the workload.
class MicroserviceDag final : public TimedRequests {
 public:
  MicroserviceDag(const MicroserviceDagParameters& parameters, std::uint64_t seed)
      : TimedRequests(
            {.requests_field = "microservice_dag:requests",
             .laws = ArrivalsOf(parameters),
             .requests = parameters.requests,
             .source_spin_ns = parameters.source_spin_ns,
             .request_bytes =
                 kCalls *
                     (sizeof(Call) + (std::uint64_t{1} + parameters.retries) * sizeof(Attempt)) +
                 kWidest * Fibers::kBytesPerFiber +
                 kCalls * (std::uint64_t{1} + parameters.retries) * Fibers::kBytesPerFiber},
            seed),
        parameters_(parameters),
        seed_(seed),
        calls_(std::size_t{parameters.requests} * kCalls),
        attempts_(calls_.size() * AttemptsOfCall()) {
  }

  void Prepare() override {
    TimedRequests::Prepare();
    for (auto& service : services_) {
      service.emplace(parameters_.slots);
    }
    const double failing = parameters_.failures_percent / 100 * 0x1p32;
    QuickRandom random(DeriveSeed(seed_, rounds_++));
    for (Attempt& attempt : attempts_) {
      attempt.work = SpinWork(static_cast<std::uint64_t>(
          std::round(ExponentialOf(random.Next()) * static_cast<double>(parameters_.call_ns))));
      attempt.fails = static_cast<double>(random.Next()) < failing;
      attempt.outcome = Outcome::kNotTried;
      attempt.replied.Reset();
      attempt.state.Store(Attempt::kWaits, memory_order_relaxed);
    }
    for (std::size_t i = 0; i < calls_.size(); ++i) {
      calls_[i].missing.Store(kSteps[i % kCalls].needs, memory_order_relaxed);
      calls_[i].answer = 0;
    }
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    const PreciseSleep precise;
    scheduler_ = &scheduler;
    requests_left_.Add(Count());
    SubmitEach([this](Request& request) { StartCall(request, 0); });
    requests_left_.Wait();
    // Wait for the attempts that were given up.
    attempts_left_.Wait();
    return Count();
  }

  std::string Verify() override {
    for (std::uint64_t request = 0; request < Count(); ++request) {
      std::array<std::uint64_t, kCalls> inputs{};
      for (std::uint32_t step = 0; step < kCalls; ++step) {
        if (std::string wrong = WrongCall(request, step, inputs[step]); !wrong.empty()) {
          return wrong;
        }
        for (std::uint32_t i = 0; i < kSteps[step].then_count; ++i) {
          inputs[kSteps[step].then[i]] += CallOf(request, step).answer;
        }
      }
    }
    return TimedRequests::Verify();
  }

  std::vector<double> Metrics() const override {
    std::uint64_t retries = 0;
    std::uint64_t timeouts = 0;
    std::uint64_t in_vain = 0;
    std::uint64_t worked = 0;
    for (std::size_t i = 0; i < attempts_.size(); ++i) {
      const Attempt& attempt = attempts_[i];
      const bool was_tried = attempt.outcome != Outcome::kNotTried;
      retries += was_tried && i % AttemptsOfCall() != 0 ? 1 : 0;
      timeouts += attempt.outcome == Outcome::kTimedOut ? 1 : 0;
      const auto state = attempt.state.Load(memory_order_relaxed);
      worked += state == Attempt::kWorks || state == Attempt::kWorksInVain ? 1 : 0;
      in_vain += state == Attempt::kWorksInVain ? 1 : 0;
    }
    std::uint64_t unanswered = 0;
    for (std::uint64_t request = 0; request < Count(); ++request) {
      unanswered += CallOf(request, kCalls - 1).answer == kNoAnswer ? 1 : 0;
    }
    std::vector<double> metrics = TimedRequests::Metrics();
    const auto requests = static_cast<double>(Count());
    metrics.insert(
        metrics.end(),
        {static_cast<double>(retries) / requests, static_cast<double>(timeouts) / requests,
         static_cast<double>(unanswered) / requests,
         static_cast<double>(in_vain) / static_cast<double>(std::max<std::uint64_t>(worked, 1))});
    return metrics;
  }

 private:
  // The caller's verdict on an attempt. The call writes it.
  enum class Outcome : std::uint8_t { kNotTried, kSucceeded, kFailed, kTimedOut };

  struct alignas(kCacheLine) Attempt {
    // kWaits -> kWorks by the attempt; kWaits -> kGivenUp, kWorks -> kWorksInVain by the call.
    static constexpr std::uint32_t kWaits = 0;
    static constexpr std::uint32_t kWorks = 1;
    static constexpr std::uint32_t kGivenUp = 2;
    static constexpr std::uint32_t kWorksInVain = 3;

    SpinWork work{0};
    fibers::Event replied;
    // relaxed: it only decides whether the attempt works; `replied` orders the rest.
    Atomic<std::uint32_t> state{kWaits};
    bool fails = false;
    Outcome outcome = Outcome::kNotTried;
  };

  struct Call {
    Atomic<std::uint32_t> missing{0};  // calls that it needs; relaxed: set while no fiber runs
    // The call writes it; Verify() and the calls that need it read it.
    std::uint64_t answer = 0;
  };

  // The answer of a call that has no successful attempt, or needs such a call.
  static constexpr std::uint64_t kNoAnswer = 0;

  std::size_t AttemptsOfCall() const noexcept {
    return std::size_t{1} + parameters_.retries;
  }

  Call& CallOf(std::uint64_t request, std::uint32_t step) noexcept {
    return calls_[request * kCalls + step];
  }
  const Call& CallOf(std::uint64_t request, std::uint32_t step) const noexcept {
    return calls_[request * kCalls + step];
  }

  Attempt& AttemptOf(std::uint64_t request, std::uint32_t step, std::size_t number) noexcept {
    return attempts_[(request * kCalls + step) * AttemptsOfCall() + number];
  }

  // Returns an answer, never kNoAnswer.
  std::uint64_t Answer(std::uint64_t request, std::uint32_t step,
                       std::uint64_t input) const noexcept {
    return DeriveSeed(seed_ ^ input, request * kCalls + step) | 1U;
  }

  void StartCall(Request& request, std::uint32_t step) {
    Fibers::Go(*scheduler_, [this, &request, step] { RunCall(request, step); });
  }

  void RunCall(Request& request, std::uint32_t step) {
    const std::uint64_t number = NumberOf(request);
    if (step == 0) {
      BeginService(request);
    }
    Call& call = CallOf(number, step);
    const std::optional<std::uint64_t> input = InputOf(number, step);
    if (input && Succeeds(number, step)) {
      call.answer = Answer(number, step, *input);
    }
    for (std::uint32_t i = 0; i < kSteps[step].then_count; ++i) {
      const std::uint32_t next = kSteps[step].then[i];
      // release: this answer. acquire: pairs with it in earlier calls; the next call reads all.
      if (CallOf(number, next).missing.FetchSub(1, memory_order_acq_rel) == 1) {
        StartCall(request, next);
      }
    }
    if (step == kCalls - 1) {
      EndService(request);
      requests_left_.Done();
    }
  }

  // Returns the sum of the answers that the call needs; none if one of them is missing.
  std::optional<std::uint64_t> InputOf(std::uint64_t request, std::uint32_t step) const noexcept {
    std::uint64_t sum = 0;
    for (std::uint32_t before = 0; before < step; ++before) {
      const auto& then = kSteps[before].then;
      const auto* const end = then.begin() + kSteps[before].then_count;
      if (std::find(then.begin(), end, step) == end) {
        continue;
      }
      const std::uint64_t answer = CallOf(request, before).answer;
      if (answer == kNoAnswer) {
        return std::nullopt;
      }
      sum += answer;
    }
    return sum;
  }

  // Makes attempts until one succeeds or there are no more.
  bool Succeeds(std::uint64_t request, std::uint32_t step) {
    for (std::size_t i = 0; i < AttemptsOfCall(); ++i) {
      Attempt& attempt = AttemptOf(request, step, i);
      attempts_left_.Add(1);
      Fibers::Go(*scheduler_, [this, &attempt, step] {
        Handle(attempt, *services_[kSteps[step].service]);
        attempts_left_.Done();
      });
      if (!attempt.replied.WaitFor(std::chrono::microseconds(parameters_.timeout_us))) {
        GiveUp(attempt);
        continue;
      }
      attempt.outcome = attempt.fails ? Outcome::kFailed : Outcome::kSucceeded;
      if (!attempt.fails) {
        return true;
      }
    }
    return false;
  }

  static void GiveUp(Attempt& attempt) noexcept {
    attempt.outcome = Outcome::kTimedOut;
    std::uint32_t expected = Attempt::kWaits;
    if (!attempt.state.CompareExchange(expected, Attempt::kGivenUp, memory_order_relaxed,
                                       memory_order_relaxed)) {
      attempt.state.Store(Attempt::kWorksInVain, memory_order_relaxed);
    }
  }

  // Handles an attempt in the service.
  static void Handle(Attempt& attempt, fibers::Semaphore& slots) noexcept {
    slots.Acquire();
    std::uint32_t expected = Attempt::kWaits;
    if (attempt.state.CompareExchange(expected, Attempt::kWorks, memory_order_relaxed,
                                      memory_order_relaxed)) {
      attempt.work.Do();
    }
    slots.Release();
    attempt.replied.Fire();
  }

  // Returns what is wrong if the call's answer does not follow from its attempts and the answers
  // that it needed, whose sum is `input`.
  std::string WrongCall(std::uint64_t request, std::uint32_t step, std::uint64_t input) {
    const auto* const attempts = &AttemptOf(request, step, 0);
    const bool succeeded = std::any_of(attempts, attempts + AttemptsOfCall(), [](const auto& one) {
      return one.outcome == Outcome::kSucceeded;
    });
    const bool was_possible = InputOf(request, step).has_value();
    const bool was_tried = attempts->outcome != Outcome::kNotTried;
    const std::uint64_t right = succeeded ? Answer(request, step, input) : kNoAnswer;
    if (CallOf(request, step).answer != right || was_tried != was_possible) {
      return fmt::format("call {} of request {} has the answer {}, not {}", step, request,
                         CallOf(request, step).answer, right);
    }
    return "";
  }

  const MicroserviceDagParameters parameters_;
  const std::uint64_t seed_;
  std::uint64_t rounds_ = 0;
  registry::IScheduler* scheduler_ = nullptr;
  std::array<std::optional<fibers::Semaphore>, kServices> services_;
  std::vector<Call> calls_;        // kCalls for each request
  std::vector<Attempt> attempts_;  // AttemptsOfCall() for each call
  alignas(kCacheLine) Fibers::WaitGroup requests_left_;
  alignas(kCacheLine) Fibers::WaitGroup attempts_left_;
};

const registry::RegistrationOf<MicroserviceDag, MicroserviceDagParameters> kMicroserviceDag{{
    .name = "microservice_dag",
    .doc = "requests of 12 calls each to four services, with timeouts and retries",
    .operation = "request",
    .metrics = kMicroserviceDagMetrics,
    .presets = {{"smoke", "requests=30"}, {"small", "requests=100"}, {"full", "requests=20000"}},
    .open_load = &kOpenLoopLoad,
    .spawns_vary = true,  // a retry depends on the time
}};

}  // namespace

}  // namespace schedbench::workloads

#include "workloads/parts/timed_requests.hpp"

#include "base/random.hpp"
#include "base/spin_wait.hpp"
#include "platform/time/clock.hpp"
#include "workloads/parts/load_metrics.hpp"
#include "workloads/parts/memory_need.hpp"
#include "workloads/parts/open_load.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <span>

namespace schedbench::workloads {

TimedRequests::TimedRequests(const Plan& plan, std::uint64_t seed)
    : laws_(plan.laws),
      seed_(seed),
      spin_ns_(plan.source_spin_ns),
      requests_(CheckedCount(plan.requests_field, "requests", plan.requests,
                             sizeof(Request) + sizeof(DrawnRequest) + plan.request_bytes)) {
}

void TimedRequests::Prepare() {
  const auto drawn = DrawLoad(laws_, static_cast<std::uint32_t>(requests_.size()), seed_, round_++);
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    requests_[i] = Request{.due_ns = drawn[i].due_ns, .work = SpinWork(drawn[i].service_ns)};
  }
}

std::string TimedRequests::Verify() {
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    const Request& request = requests_[i];
    if (request.runs != 1) {
      return fmt::format("request {} was served {} times", i, request.runs);
    }
    if (request.answer != Answer(i)) {
      return fmt::format("request {} got the answer {}, not {}", i, request.answer, Answer(i));
    }
  }
  return "";
}

std::vector<double> TimedRequests::Metrics() const {
  std::vector<RequestTimes> times;
  times.reserve(requests_.size());
  for (const Request& request : requests_) {
    if (request.runs != 0) {
      times.push_back({.due = DueAt(request),
                       .submitted = request.submitted,
                       .begun = request.begun,
                       .ended = request.ended});
    }
  }
  if (times.empty()) {
    return std::vector<double>(kOpenLoopMetrics.size(), std::numeric_limits<double>::quiet_NaN());
  }
  const LoadMetrics metrics = ReadLoad(times, start_);
  return {metrics.latency.mean,    metrics.latency.p50,       metrics.latency.p99,
          metrics.latency.p99_9,   metrics.uncorrected.mean,  metrics.uncorrected.p50,
          metrics.uncorrected.p99, metrics.uncorrected.p99_9, metrics.late_p99,
          metrics.service_mean,    metrics.offered,           metrics.achieved,
          metrics.backlog_growth};
}

registry::HalfTimes TimedRequests::TimesOfRound() const {
  registry::HalfTimes times;
  for (const Request& request : std::span(requests_).first(submitted_)) {
    times.delay_ns.push_back(platform::BetweenNs(DueAt(request), request.begun));
    if (request.runs == 0) {
      ++times.unanswered;
    } else {
      times.latency_ns.push_back(platform::BetweenNs(DueAt(request), request.ended));
      times.span_ns = std::max(times.span_ns, platform::BetweenNs(start_, request.ended));
    }
  }
  std::ranges::sort(times.delay_ns);
  std::ranges::sort(times.latency_ns);
  return times;
}

void TimedRequests::Begin() noexcept {
  start_ = begin_at_ns_ != 0 ? begin_at_ns_ : platform::NowNs();
  submitted_ = 0;
  next_look_ = 0;
}

bool TimedRequests::EndsBefore(std::uint64_t due) {
  // Arbitrary: rare compared with requests, soon for people.
  constexpr std::uint64_t kLookNs = 50'000'000;
  if (!is_end_due_) {
    return false;
  }
  for (;;) {
    const std::uint64_t now = platform::NowNs();
    if (now >= next_look_) {
      if (is_end_due_()) {
        return true;
      }
      next_look_ = now + kLookNs;
    }
    if (due <= next_look_) {
      return false;
    }
    platform::SleepUntilNs(next_look_);
  }
}

// The kernel wakes a thread some microseconds late, so the last part of the wait spins.
std::uint64_t TimedRequests::WaitUntil(std::uint64_t due) const noexcept {
  std::uint64_t now = platform::NowNs();
  if (now + spin_ns_ < due) {
    platform::SleepUntilNs(due - spin_ns_);
    now = platform::NowNs();
  }
  while (now < due) {
    CpuRelax();
    now = platform::NowNs();
  }
  return now;
}

void TimedRequests::Serve(Request& request) noexcept {
  BeginService(request);
  request.work.Do();
  EndService(request);
}

void TimedRequests::BeginService(Request& request) noexcept {
  request.begun = platform::NowNs();
}

void TimedRequests::EndService(Request& request) noexcept {
  request.answer = Answer(NumberOf(request));
  ++request.runs;
  request.ended = platform::NowNs();
}

std::uint64_t TimedRequests::Answer(std::uint64_t number) const noexcept {
  return DeriveSeed(seed_, number);
}

}  // namespace schedbench::workloads

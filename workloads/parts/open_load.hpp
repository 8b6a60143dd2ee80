#pragma once

#include "config/field.hpp"
#include "config/problems.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/load.hpp"
#include "workloads/parts/load_metrics.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

// The fields and metrics that all workloads with an open load have.

namespace schedbench::workloads {

// clang-format off
template <double kDefault>
using RateField = config::Field<"rate", kDefault, config::Range{1.0, 1e8},
    "Requests per second, on average">;
using ArrivalsField = config::Field<"arrivals", Arrivals::kPoisson, config::AnyOf{},
    "When requests arrive: constant (at equal intervals), poisson (independently) or bursty "
    "(several together, the bursts independently)">;
using BurstField = config::Field<"burst", 10U, config::Range{1U, 1000000U},
    "With arrivals=bursty: requests that arrive together; the rate still counts requests">;
template <std::uint32_t kDefault>
using RequestsField = config::Field<"requests", kDefault, config::Range{1U, 100000000U},
    "Requests in a round; p99.9 needs at least 2995">;
using SourceSpinField = config::Field<"source_spin_ns", 20000U, config::Range{0U, 1000000000U},
    "Nanoseconds before a request is due at which the source stops sleeping and spins: a large "
    "value takes CPU time, a small one makes the source late by a wake-up">;
// clang-format on

// Returns the laws of requests whose work the workload itself does.
template <typename Parameters>
LoadLaws ArrivalsOf(const Parameters& parameters) {
  return {.arrivals = parameters.arrivals,
          .rate = parameters.rate,
          .burst = parameters.burst,
          .service = ServiceLaw::kConstant,
          .service_ns = 0};
}

template <typename Parameters>
void CheckBurst(const Parameters& parameters, config::Problems& problems) {
  if (parameters.arrivals != Arrivals::kBursty) {
    problems.AddUnused("burst", "requests arrive one by one; this field needs arrivals=bursty");
  }
}

// Values of metrics::SamplesFor(0.99) and (0.999).
inline constexpr std::uint64_t kP99Needs = 299;
inline constexpr std::uint64_t kP999Needs = 2995;

// The order is that of TimedRequests::Metrics().
inline constexpr std::array kOpenLoopMetrics{
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

inline constexpr std::array kOpenLoopLimits{
    registry::OpenLoad::Latency{"mean", "latency_mean"},
    registry::OpenLoad::Latency{"p50", "latency_p50"},
    registry::OpenLoad::Latency{"p99", "latency_p99"},
    registry::OpenLoad::Latency{"p99.9", "latency_p99_9"},
};

inline constexpr registry::OpenLoad kOpenLoopLoad{
    .rate = "rate",
    .operations = "requests",
    .latencies = kOpenLoopLimits,
    .late = "late_p99",
    .late_beside = "latency_p99",
    .backlog_growth = "backlog_growth",
    .saturated_above = kSaturatedGrowth,
};

// Returns the metrics of an open load, followed by a workload's own ones.
template <std::size_t kMore>
constexpr auto OpenLoopMetricsAnd(const std::array<registry::Metric, kMore>& more) {
  std::array<registry::Metric, kOpenLoopMetrics.size() + kMore> all{};
  std::ranges::copy(kOpenLoopMetrics, all.begin());
  std::ranges::copy(more, all.begin() + kOpenLoopMetrics.size());
  return all;
}

}  // namespace schedbench::workloads

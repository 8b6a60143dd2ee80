#include "harness/load/analysis.hpp"

#include "metrics/log_histogram.hpp"
#include "stats/order_statistics.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>

namespace schedbench::harness {

namespace {

// Returns the values of all samples in one ascending sample.
std::vector<std::uint64_t> Merged(const std::vector<std::span<const std::uint64_t>>& samples) {
  std::vector<std::uint64_t> all;
  for (const std::span<const std::uint64_t> sample : samples) {
    all.insert(all.end(), sample.begin(), sample.end());
  }
  std::ranges::sort(all);
  return all;
}

// Returns percentiles of an ascending sample and `infinite` infinite values.
TimeQuantiles QuantilesOf(std::span<const std::uint64_t> sample, std::uint64_t infinite = 0) {
  std::vector<double> values(sample.begin(), sample.end());
  values.resize(values.size() + infinite, std::numeric_limits<double>::infinity());
  if (values.empty()) {
    return {};
  }
  const auto quantile = [&values](double p) {
    return values.size() < metrics::SamplesFor(p) ? std::nullopt
                                                  : std::optional(stats::Quantile(values, p));
  };
  return {.mean = std::accumulate(values.begin(), values.end(), 0.0) /
                  static_cast<double>(values.size()),
          .p50 = quantile(0.5),
          .p90 = quantile(0.9),
          .p99 = quantile(0.99),
          .p99_9 = quantile(0.999),
          .max = values.back()};
}

LoadSummary Summarized(std::span<const std::uint64_t> latency, std::span<const std::uint64_t> delay,
                       std::uint64_t unanswered, std::uint64_t span_ns, double asked) {
  return {.requests = delay.size(),
          .unanswered = unanswered,
          .asked = asked,
          .reached = 1e9 * static_cast<double>(latency.size()) /
                     static_cast<double>(std::max<std::uint64_t>(span_ns, 1)),
          .latency = QuantilesOf(latency, unanswered),
          .delay = QuantilesOf(delay)};
}

// Returns the time until the last answer; if one is missing, at least until the last due time.
std::uint64_t SpanOf(const Generator& generator, double asked) {
  const double planned_ns = 1e9 * static_cast<double>(generator.delay_ns.size()) / asked;
  return generator.unanswered == 0
             ? generator.span_ns
             : std::max(generator.span_ns, static_cast<std::uint64_t>(planned_ns));
}

}  // namespace

LoadAnalysis AnalyseLoad(const LoadPlan& plan, const LoadData& data) {
  LoadAnalysis analysis;
  std::vector<std::span<const std::uint64_t>> latency;
  std::vector<std::span<const std::uint64_t>> delay;
  std::uint64_t unanswered = 0;
  std::uint64_t span_ns = 0;
  const double asked =
      plan.rate / static_cast<double>(std::max<std::size_t>(data.generators.size(), 1));
  for (const Generator& generator : data.generators) {
    analysis.generators.emplace_back();
    if (!generator.part.round) {
      continue;
    }
    const std::uint64_t span = SpanOf(generator, asked);
    analysis.generators.back() =
        Summarized(generator.latency_ns, generator.delay_ns, generator.unanswered, span, asked);
    latency.emplace_back(generator.latency_ns);
    delay.emplace_back(generator.delay_ns);
    unanswered += generator.unanswered;
    span_ns = std::max(span_ns, span);
  }
  if (!latency.empty()) {
    analysis.all = Summarized(Merged(latency), Merged(delay), unanswered, span_ns,
                              asked * static_cast<double>(latency.size()));
  }
  return analysis;
}

bool IsDelayed(const LoadSummary& summary) {
  return summary.delay.p99 && summary.latency.p99 &&
         *summary.delay.p99 > kDelayShare * *summary.latency.p99;
}

}  // namespace schedbench::harness

#include "cli/flags/metrics.hpp"

#include "base/text.hpp"
#include "config/quote.hpp"
#include "config/suggest.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace schedbench::cli {

namespace {

// Returns the metrics of the workloads that are in `chosen`; all of them if it is empty.
std::vector<std::string_view> MetricNames(const harness::ComparisonPlan& plan,
                                          const std::vector<std::string>& chosen) {
  std::vector<std::string_view> names;
  for (const harness::ComparedWorkload& workload : plan.workloads) {
    for (const registry::Metric* const metric : harness::ComparedMetrics(*workload.entry, chosen)) {
      if (std::ranges::find(names, metric->name) == names.end()) {
        names.push_back(metric->name);
      }
    }
  }
  return names;
}

// Parses "-3%", "+10%", "0%". The sign (+ or -) is required because "97%" could also mean a ratio
// of 0.97, and the percent character because "10" could also mean a factor.
std::optional<double> ParseChange(std::string_view text) {
  const bool falls = text.starts_with('-');
  const bool has_sign = falls || text.starts_with('+');
  text.remove_prefix(has_sign ? 1 : 0);
  if (!text.ends_with('%')) {
    return std::nullopt;
  }
  text.remove_suffix(1);
  const auto percent = text.starts_with('-') ? std::nullopt : ParseNumber(text);
  if (!percent) {
    return std::nullopt;
  }
  const double change = (falls ? -*percent : *percent) / 100;
  const bool can_be = change > -1 && (has_sign || *percent == 0);
  return can_be ? std::optional(change) : std::nullopt;
}

std::string UnknownMetric(const std::string& name, const std::vector<std::string_view>& known) {
  return fmt::format("this comparison has no metric {}{}", config::Quoted(name),
                     config::DidYouMean(name, known));
}

// Returns the text's gate. None, and a problem, if it is not on a metric of the comparison.
std::optional<harness::Gate> GateOf(const Flag& flag, harness::Gate::Kind kind,
                                    const std::string& text, const harness::ComparisonPlan& plan,
                                    config::Problems& problems) {
  using harness::Relation;
  constexpr std::array<std::pair<std::string_view, Relation>, 4> kRelations{
      {{"<=", Relation::kAtMost},
       {">=", Relation::kAtLeast},
       {"<", Relation::kBelow},
       {">", Relation::kAbove}}};
  const auto wrong = [&](const std::string& message) {
    Reject(problems, PlaceOf(flag, text), "{}", message);
    return std::nullopt;
  };
  const std::string example =
      fmt::format("{} '{}'", flag.name,
                  kind == harness::Gate::Kind::kFailIf ? "throughput<-3%" : "throughput>=-3%");
  const std::size_t at = text.find_first_of("<>");
  const std::string_view whole = text;
  const std::string metric(WithoutBlanks(whole.substr(0, at)));
  if (at == std::string::npos || metric.empty()) {
    return wrong(fmt::format("{} is not a metric, one of < <= > >=, and a change, such as {}",
                             config::Quoted(text), example));
  }
  const auto relation = std::ranges::find_if(
      kRelations, [&](const auto& known) { return whole.substr(at).starts_with(known.first); });
  const std::string_view limit = WithoutBlanks(whole.substr(at + relation->first.size()));
  const auto change = ParseChange(limit);
  if (!change) {
    return wrong(
        fmt::format("{} is not a change: a percentage above -100% with a sign, "
                    "such as -3%, +10% or 0%    {}",
                    config::Quoted(limit), example));
  }
  const auto chosen = MetricNames(plan, plan.metrics);
  if (std::ranges::find(chosen, metric) == chosen.end()) {
    const auto all = MetricNames(plan, {});
    const bool left_out = std::ranges::find(all, metric) != all.end();
    return wrong(left_out ? fmt::format("{} leaves out this metric    add {} {}", kMetricFlag.name,
                                        kMetricFlag.name, metric)
                          : UnknownMetric(metric, chosen));
  }
  return harness::Gate{.kind = kind,
                       .text = text,
                       .metric = metric,
                       .relation = relation->second,
                       .change = *change};
}

}  // namespace

std::vector<std::string> MetricsOf(const Arguments& arguments, const harness::ComparisonPlan& plan,
                                   config::Problems& problems) {
  const std::vector<std::string_view> known = MetricNames(plan, {});
  std::vector<std::string> metrics = arguments[kMetricFlag];
  for (const std::string& name : metrics) {
    if (MetricNames(plan, {name}).empty()) {
      Reject(problems, PlaceOf(kMetricFlag, name), "{}", UnknownMetric(name, known));
    }
  }
  return metrics;
}

std::vector<harness::Gate> GatesOf(const Arguments& arguments, const harness::ComparisonPlan& plan,
                                   config::Problems& problems) {
  using Kind = harness::Gate::Kind;
  std::vector<harness::Gate> gates;
  for (const auto& [flag, kind] :
       {std::pair{kFailIfFlag, Kind::kFailIf}, std::pair{kRequireFlag, Kind::kRequire}}) {
    for (const std::string& text : arguments.Values(flag)) {
      if (auto gate = GateOf(flag, kind, text, plan, problems)) {
        gates.push_back(std::move(*gate));
      }
    }
  }
  return gates;
}

}  // namespace schedbench::cli

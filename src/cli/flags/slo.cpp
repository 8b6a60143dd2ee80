#include "cli/flags/slo.hpp"

#include "cli/flags/names.hpp"
#include "config/quote.hpp"
#include "config/suggest.hpp"
#include "registry/workload.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

namespace schedbench::cli {

namespace {

std::vector<std::string_view> OpenLoads() {
  std::vector<std::string_view> names;
  for (const registry::WorkloadEntry* entry : registry::Workloads()) {
    if (entry->open_load != nullptr) {
      names.push_back(entry->name);
    }
  }
  return names;
}

// One limit of a workload with an open load.
class LimitParser {
 public:
  LimitParser(const registry::WorkloadEntry& workload, const config::Settings& parameters,
              config::Problems& problems)
      : workload_(workload),
        parameters_(parameters),
        problems_(problems) {
  }

  std::optional<harness::LatencyLimit> Parse(const std::string& text) {
    const std::size_t sign = text.find('<');
    if (sign == std::string::npos || sign == 0) {
      return Wrong(text,
                   fmt::format("{} is not a limit: expected LATENCY<TIME, such as p99<200us or "
                               "mean<1.5ms",
                               config::Quoted(text)));
    }
    const auto metric = Metric(text, text.substr(0, sign));
    if (!metric) {
      return std::nullopt;
    }
    const std::string time = text.substr(sign + 1);
    const auto below_ns = ParseNanoseconds(time);
    if (!below_ns || *below_ns <= 0) {
      return Wrong(text, fmt::format("{} is not a time above 0 with a unit: ns, us, ms, s, m or h",
                                     config::Quoted(time)));
    }
    return harness::LatencyLimit{.text = text, .metric = *metric, .below_ns = *below_ns};
  }

 private:
  std::nullopt_t Wrong(const std::string& text, std::string message) {
    problems_.Add(PlaceOf(kSloFlag, text), "", std::move(message));
    return std::nullopt;
  }

  // The index of the metric in MetricsOf(workload).
  std::optional<std::size_t> Metric(const std::string& text, const std::string& name) {
    const registry::OpenLoad& load = *workload_.open_load;
    const auto* const latency = FindByName(load.latencies, name);
    if (latency == nullptr) {
      return Wrong(text, fmt::format("unknown latency {}{}", config::Quoted(name),
                                     config::DidYouMean(name, NamesOf(load.latencies))));
    }
    const auto metrics = harness::MetricsOf(workload_);
    const auto metric = std::ranges::find(metrics, latency->metric, &registry::Metric::name);
    const auto operations = std::get<std::uint64_t>(parameters_.Get(load.operations));
    if (operations < (*metric)->needs) {
      return Wrong(
          text, fmt::format("{} needs {} {}s in a round; there are {}    try --workload {}:{}={}",
                            name, (*metric)->needs, workload_.operation, operations, workload_.name,
                            load.operations, (*metric)->needs));
    }
    return static_cast<std::size_t>(metric - metrics.begin());
  }

  const registry::WorkloadEntry& workload_;
  const config::Settings& parameters_;
  config::Problems& problems_;
};

}  // namespace

std::vector<harness::LatencyLimit> LimitsFromFlags(const Arguments& arguments,
                                                   const registry::WorkloadEntry& workload,
                                                   const config::Settings& parameters,
                                                   config::Problems& problems) {
  std::vector<harness::LatencyLimit> limits;
  const std::vector<std::string>& values = arguments.Values(kSloFlag);
  if (!values.empty() && workload.open_load == nullptr) {
    problems.Add(std::string(kSloFlag.name), "",
                 fmt::format("workload {} has no rate; --slo needs an open load; known: {}",
                             workload.name, fmt::join(OpenLoads(), ", ")));
    return limits;
  }
  for (const std::string& text : values) {
    if (auto limit = LimitParser(workload, parameters, problems).Parse(text)) {
      limits.push_back(std::move(*limit));
    }
  }
  return limits;
}

}  // namespace schedbench::cli

#include "report/parts/chart_page.hpp"

#include "registry/pages.hpp"
#include "report/parts/quantity.hpp"

#include <algorithm>
#include <charconv>

namespace schedbench::report {

Json AxisJson(std::string_view name, std::string_view unit, registry::Better better) {
  return {{"name", name}, {"unit", unit}, {"better", registry::ToText(better)}};
}

Json AxisJson(const registry::Metric& metric, std::string_view operation) {
  const bool counts_operations = metric.name == "throughput";
  return AxisJson(MetricLabel(metric),
                  !counts_operations  ? std::string(metric.unit)
                  : operation.empty() ? "operations/s"
                                      : std::string(operation) + "s/s",
                  metric.better);
}

void AddSpread(const harness::Spread& spread, Json& object) {
  object["value"] = record::ToJson(spread.median);
  if (spread.low < spread.high) {
    object["low"] = record::ToJson(spread.low);
    object["high"] = record::ToJson(spread.high);
  }
}

Json PointJson(double x, const harness::Spread& spread) {
  return Json::array(
      {x, record::ToJson(spread.median), record::ToJson(spread.low), record::ToJson(spread.high)});
}

std::optional<PercentileName> PercentileOf(const registry::Metric& metric) {
  constexpr std::string_view kMax = "_max";
  const std::string_view name = metric.name;
  if (metric.unit != "ns") {
    return std::nullopt;
  }
  if (name.ends_with(kMax)) {
    return PercentileName{name.substr(0, name.size() - kMax.size()), 100};
  }
  const std::size_t mark = name.rfind("_p");
  if (mark == name.npos) {
    return std::nullopt;
  }
  // Converts "99_9" to 99.9.
  std::string number(name.substr(mark + 2));
  std::ranges::replace(number, '_', '.');
  double percentile = 0;
  const auto [end, error] =
      std::from_chars(number.data(), number.data() + number.size(), percentile);
  if (error != std::errc() || end != number.data() + number.size() || percentile <= 0 ||
      percentile >= 100) {
    return std::nullopt;
  }
  return PercentileName{name.substr(0, mark), percentile};
}

std::string Capitalised(std::string text) {
  if (!text.empty() && text.front() >= 'a' && text.front() <= 'z') {
    text.front() = static_cast<char>(text.front() - 'a' + 'A');
  }
  return text;
}

bool HasChartPage() {
  return !registry::ChartPage().empty();
}

}  // namespace schedbench::report

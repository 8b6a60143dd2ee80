#include "report/parts/json_parts.hpp"

#include "config/settings_json.hpp"
#include "registry/build_info.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace schedbench::report {

using nlohmann::ordered_json;

namespace {

ordered_json SummaryRow(const harness::SummaryRow& row) {
  ordered_json object = ordered_json::object();
  for (const auto& [key, member] : {std::pair{"median", &harness::Spread::median},
                                    {"low", &harness::Spread::low},
                                    {"high", &harness::Spread::high}}) {
    object[key] = row.spread ? JsonNumber(*row.spread.*member) : ordered_json(nullptr);
  }
  object["unit"] = row.metric->unit;
  object["better"] = registry::ToText(row.metric->better);
  if (row.spread) {
    object["interval"] = row.spread->is_interval ? "95%" : "range";
  } else {
    object["interval"] = nullptr;
    object["reason"] = row.missing;
  }
  return object;
}

}  // namespace

ordered_json JsonNumber(double value) {
  return std::isfinite(value) ? ordered_json(value) : ordered_json(nullptr);
}

ordered_json JsonNumber(const std::optional<double>& value) {
  return value ? JsonNumber(*value) : ordered_json(nullptr);
}

ordered_json MachineJson(const platform::MachineInfo& machine) {
  return {{"cpu_model", machine.cpu_model},      {"architecture", machine.architecture},
          {"cpus_online", machine.cpus_online},  {"cpus_allowed", machine.cpus_allowed},
          {"cpu_list", machine.cpu_list},        {"governor", machine.governor},
          {"virtualised", machine.virtualised},  {"memory_bytes", machine.memory_bytes},
          {"page_bytes", machine.page_bytes},    {"kernel", machine.kernel},
          {"load_average", machine.load_average}};
}

ordered_json BuildJson() {
  const registry::BuildInfo& build = registry::ThisBuild();
  return {{"version", build.version},
          {"revision", build.revision},
          {"modified", build.modified},
          {"compiler", build.compiler},
          {"build_type", build.build_type},
          {"flags", build.flags},
          {"sanitizer", build.sanitizer},
          {"allocator", build.allocator},
          {"context_switch", build.context_switch},
          {"boost_version", build.boost_version},
          {"fmt_version", build.fmt_version}};
}

ordered_json WorkloadJson(const harness::RunPlan& plan) {
  return {{"name", plan.workload->name},
          {"parameters", config::ToJson(plan.parameters)},
          {"operation", plan.workload->operation}};
}

ordered_json RoundsJson(const registry::WorkloadEntry& workload,
                        const std::vector<harness::Round>& measured) {
  const auto metrics = harness::MetricsOf(workload);
  ordered_json rounds = ordered_json::array();
  for (const harness::Round& round : measured) {
    ordered_json object{{"wall_ns", round.wall_ns},
                        {"cpu_ns", round.cpu_ns},
                        {"operations", round.operations},
                        {"wakeup_samples", round.wakeup_samples},
                        {"run_samples", round.run_samples}};
    for (std::size_t i = 0; i < round.metrics.size(); ++i) {
      object[std::string(metrics[i]->name)] = JsonNumber(round.metrics[i]);
    }
    rounds.push_back(std::move(object));
  }
  return rounds;
}

ordered_json SummaryJson(const std::vector<harness::SummaryRow>& rows) {
  ordered_json summary = ordered_json::object();
  for (const harness::SummaryRow& row : rows) {
    summary[std::string(row.metric->name)] = SummaryRow(row);
  }
  return summary;
}

ordered_json ReplyJson(const harness::RoundReply& round) {
  ordered_json object{{"wall_ns", round.wall_ns},
                      {"cpu_ns", round.cpu_ns},
                      {"operations", round.operations},
                      {"peak_rss_bytes", round.peak_rss_bytes}};
  for (const auto& [name, value] : round.metrics) {
    object["metrics"][name] = JsonNumber(value);
  }
  for (const auto& [name, count] : round.counts) {
    object["counts"][name] = count;
  }
  return object;
}

ordered_json SeriesJson(const harness::Series& series) {
  ordered_json blocks = ordered_json::array();
  for (const auto& rounds : series.blocks) {
    ordered_json block = ordered_json::array();
    for (const harness::RoundReply& round : rounds) {
      block.push_back(ReplyJson(round));
    }
    blocks.push_back(std::move(block));
  }
  return {
      {"blocks", std::move(blocks)},
      {"effective_config",
       series.config.empty() ? ordered_json(nullptr) : ordered_json::parse(series.config)},
      {"audit", series.audit ? ReplyJson(*series.audit) : ordered_json(nullptr)},
      {"failure", series.failure.empty() ? ordered_json(nullptr) : ordered_json(series.failure)},
      {"details", series.details}};
}

ordered_json LinesJson(const std::string& text) {
  ordered_json lines = ordered_json::array();
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

std::string JsonText(const ordered_json& root) {
  return root.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace schedbench::report

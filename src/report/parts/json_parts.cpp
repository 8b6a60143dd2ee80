#include "report/parts/json_parts.hpp"

#include "base/text.hpp"
#include "config/settings_json.hpp"
#include "harness/result.hpp"
#include "registry/build_info.hpp"

#include <cmath>
#include <cstddef>

namespace schedbench::report {

namespace {

Json SummaryRow(const harness::SummaryRow& row) {
  const auto& spread = row.spread;
  Json object{{"median", OrNull(spread, &harness::Spread::median)},
              {"low", OrNull(spread, &harness::Spread::low)},
              {"high", OrNull(spread, &harness::Spread::high)},
              {"unit", row.metric->unit},
              {"better", registry::ToText(row.metric->better)},
              {"interval", nullptr}};
  if (spread) {
    object["interval"] = spread->is_interval ? "95%" : "range";
  } else {
    object["reason"] = row.missing;
  }
  return object;
}

}  // namespace

Json JsonNumber(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json JsonNumber(const std::optional<double>& value) {
  return value ? JsonNumber(*value) : Json(nullptr);
}

Json OrNull(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

Json RatioJson(const std::optional<stats::RatioEstimate>& ratio) {
  if (!ratio) {
    return nullptr;
  }
  return {{"ratio", JsonNumber(ratio->ratio)},
          {"low", JsonNumber(ratio->low)},
          {"high", JsonNumber(ratio->high)}};
}

Json SpreadJson(const std::optional<harness::Spread>& spread) {
  if (!spread) {
    return nullptr;
  }
  return {{"median", JsonNumber(spread->median)},
          {"low", JsonNumber(spread->low)},
          {"high", JsonNumber(spread->high)},
          {"interval", spread->is_interval ? "95%" : "range"}};
}

Json MachineJson(const platform::MachineInfo& machine) {
  return {{"cpu_model", machine.cpu_model},
          {"architecture", machine.architecture},
          {"cpus_online", machine.cpus_online},
          {"cpus_allowed", machine.cpus_allowed},
          {"cpu_list", machine.cpu_list},
          {"governor", machine.governor},
          {"virtualised", machine.virtualised},
          {"memory_bytes", machine.memory_bytes},
          {"page_bytes", machine.page_bytes},
          {"kernel", machine.kernel},
          {"load_average", machine.load_average},
          {"restrictions", ArrayOf(machine.restrictions, &platform::Restriction::text)}};
}

Json BuildJson() {
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

Json WorkloadJson(const harness::RunPlan& plan) {
  return {{"name", plan.workload->name},
          {"parameters", config::ToJson(plan.parameters)},
          {"operation", plan.workload->operation}};
}

Json RoundsJson(const registry::WorkloadEntry& workload,
                const std::vector<harness::Round>& measured) {
  return ArrayOf(measured, [metrics = harness::MetricsOf(workload)](const harness::Round& round) {
    Json object{{"wall_ns", round.wall_ns},
                {"cpu_ns", round.cpu_ns},
                {"operations", round.operations},
                {"wakeup_samples", round.wakeup_samples},
                {"run_samples", round.run_samples}};
    for (std::size_t i = 0; i < round.metrics.size(); ++i) {
      object[std::string(metrics[i]->name)] = JsonNumber(round.metrics[i]);
    }
    return object;
  });
}

Json SummaryJson(const std::vector<harness::SummaryRow>& rows) {
  Json summary = Json::object();
  for (const harness::SummaryRow& row : rows) {
    summary[std::string(row.metric->name)] = SummaryRow(row);
  }
  return summary;
}

Json ReplyJson(const harness::RoundReply& round) {
  Json object{{"wall_ns", round.wall_ns},
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

Json SeriesJson(const harness::Series& series) {
  return {{"blocks", ArrayOf(series.blocks,
                             [](const auto& rounds) {
                               return ArrayOf(rounds, &ReplyJson);
                             })},
          {"effective_config", series.config.empty() ? Json(nullptr) : Json::parse(series.config)},
          {"audit", OrNull(series.audit, &ReplyJson)},
          {"failure", OrNull(series.failure)},
          {"details", series.details}};
}

Json LinesJson(const std::string& text) {
  Json lines = Json::array();
  for (std::string_view rest = text; !rest.empty();) {
    lines.push_back(TakePart(rest, '\n'));
  }
  return lines;
}

Json ResultHead(std::string_view kind, std::optional<bool> complete) {
  Json head{{"schema_version", harness::kSchemaVersion}, {"kind", kind}};
  if (complete) {
    head["complete"] = *complete;
  }
  return head;
}

std::string JsonText(const Json& root) {
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string JsonText(Json root, const platform::MachineInfo& machine,
                     const std::vector<std::string>& command) {
  root["machine"] = MachineJson(machine);
  root["build"] = BuildJson();
  root["command"] = command;
  return JsonText(root);
}

}  // namespace schedbench::report

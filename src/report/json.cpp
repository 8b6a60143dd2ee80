#include "config/settings_json.hpp"
#include "metrics/metric_list.hpp"
#include "registry/build_info.hpp"
#include "report/format.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

namespace schedbench::report {

namespace {

using nlohmann::ordered_json;

// JSON has no NaN and no infinity; a figure that is none is null.
ordered_json Number(double value) {
  return std::isfinite(value) ? ordered_json(value) : ordered_json(nullptr);
}

ordered_json Number(const std::optional<double>& value) {
  return value ? Number(*value) : ordered_json(nullptr);
}

ordered_json Workload(const harness::RunPlan& plan) {
  return {{"name", plan.workload->name},
          {"parameters", config::ToJson(plan.parameters)},
          {"operation", plan.workload->operation}};
}

ordered_json Machine(const platform::MachineInfo& machine) {
  return {{"cpu_model", machine.cpu_model},      {"architecture", machine.architecture},
          {"cpus_online", machine.cpus_online},  {"cpus_allowed", machine.cpus_allowed},
          {"cpu_list", machine.cpu_list},        {"governor", machine.governor},
          {"virtualised", machine.virtualised},  {"memory_bytes", machine.memory_bytes},
          {"page_bytes", machine.page_bytes},    {"kernel", machine.kernel},
          {"load_average", machine.load_average}};
}

ordered_json Build(const registry::BuildInfo& build) {
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

ordered_json Rounds(const harness::RunResult& result) {
  const auto figures = harness::FiguresOf(*result.plan.workload);
  ordered_json rounds = ordered_json::array();
  for (const harness::Round& round : result.rounds) {
    ordered_json object{{"wall_ns", round.wall_ns},
                        {"cpu_ns", round.cpu_ns},
                        {"operations", round.operations},
                        {"wakeup_samples", round.wakeup_samples}};
    for (std::size_t i = 0; i < round.figures.size(); ++i) {
      object[std::string(figures[i]->name)] = Number(round.figures[i]);
    }
    rounds.push_back(std::move(object));
  }
  return rounds;
}

ordered_json SummaryRow(const harness::SummaryRow& row) {
  ordered_json object = ordered_json::object();
  for (const auto& [key, member] : {std::pair{"median", &harness::Spread::median},
                                    {"low", &harness::Spread::low},
                                    {"high", &harness::Spread::high}}) {
    object[key] = row.spread ? Number(*row.spread.*member) : ordered_json(nullptr);
  }
  object["unit"] = row.figure->unit;
  object["better"] = registry::ToText(row.figure->better);
  if (row.spread) {
    object["interval"] = row.spread->is_interval ? "95%" : "range";
  } else {
    object["interval"] = nullptr;
    object["reason"] = row.missing;
  }
  return object;
}

ordered_json Summary(const harness::RunResult& result) {
  ordered_json summary = ordered_json::object();
  for (const harness::SummaryRow& row : result.summary) {
    summary[std::string(row.figure->name)] = SummaryRow(row);
  }
  return summary;
}

ordered_json Lines(const std::string& text) {
  ordered_json lines = ordered_json::array();
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

void AddMetrics(const metrics::MetricValues& values, ordered_json& object) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    object[std::string(metrics::WorkerMetricList()[i].name)] = values[i];
  }
}

ordered_json Workers(const harness::RunResult& result) {
  ordered_json workers = ordered_json::array();
  for (std::size_t i = 0; i < result.workers.size(); ++i) {
    ordered_json object{{"worker", i}};
    AddMetrics(result.workers[i], object);
    workers.push_back(std::move(object));
  }
  return workers;
}

ordered_json Total(const harness::RunResult& result) {
  ordered_json total = ordered_json::object();
  AddMetrics(result.total, total);
  return total;
}

}  // namespace

std::string RenderJson(const harness::RunResult& result, const Look& /*look*/) {
  const harness::RunPlan& plan = result.plan;
  ordered_json root;
  root["schema_version"] = harness::kSchemaVersion;
  root["complete"] = result.complete;
  root["scheduler"] = plan.scheduler->name;
  root["config"] = config::ToJson(plan.config);
  root["workload"] = Workload(plan);
  root["seed"] = plan.seed;
  root["machine"] = Machine(result.machine);
  root["build"] = Build(registry::ThisBuild());
  root["rounds"] = Rounds(result);
  root["summary"] = Summary(result);
  root["workers"] = Workers(result);
  root["total"] = Total(result);
  root["imbalance"] = Number(result.Imbalance());
  root["submitted_from_outside"] = result.submitted_from_outside;
  root["warmup"] = plan.warmup;
  root["rounds_planned"] = plan.rounds;
  root["peak_rss_bytes"] = result.peak_resident_bytes;
  root["failure"] = result.complete ? ordered_json(nullptr) : ordered_json(result.failure);
  root["diagnosis"] = Lines(result.diagnosis);
  root["timeout_ns"] = plan.timeout.count();
  root["command"] = result.command;
  // Names from the command line and from /proc may be no UTF-8.
  return root.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace schedbench::report

#include "harness/result.hpp"
#include "report/audit/audit_report.hpp"
#include "report/parts/json_parts.hpp"

#include <nlohmann/json.hpp>

#include <utility>

namespace schedbench::report {

namespace {

using nlohmann::ordered_json;

ordered_json SchedulerJson(const harness::AuditedScheduler& scheduler) {
  ordered_json shares;
  for (const harness::TimeUseInfo& info : harness::TimeUses()) {
    shares[std::string(info.key)] = JsonNumber(scheduler.split[info.use]);
  }
  return {{"name", scheduler.name},
          {"shares", std::move(shares)},
          {"separates_locks", scheduler.split.separates_locks},
          {"separates_calls", scheduler.split.separates_calls},
          {"workers", scheduler.workers},
          {"rounds", scheduler.rounds},
          {"wall_ns", scheduler.wall_ns},
          {"samples", scheduler.samples},
          {"looks", scheduler.looks}};
}

}  // namespace

std::string RenderAuditJson(const AuditResult& result, const TerminalStyle& /*style*/) {
  ordered_json schedulers = ordered_json::array();
  for (const harness::AuditedScheduler& scheduler : result.schedulers) {
    schedulers.push_back(SchedulerJson(scheduler));
  }
  ordered_json root{{"schema_version", harness::kSchemaVersion},
                    {"kind", "audit"},
                    {"complete", result.complete},
                    {"workload", result.workload_text},
                    {"schedulers", std::move(schedulers)},
                    {"difference", nullptr},
                    {"conclusions", harness::Conclusions(result)},
                    {"fairer", nullptr}};
  if (const auto difference = harness::DifferenceOf(result)) {
    root["difference"] = {
        {"name", difference->name},           {"change", JsonNumber(difference->change)},
        {"low", JsonNumber(difference->low)}, {"high", JsonNumber(difference->high)},
        {"level", harness::kJointLevel},      {"proven", difference->proven}};
  }
  if (const auto fairer = harness::FairerVersion(result)) {
    root["fairer"] = {{"advice", fairer->advice}, {"command", fairer->command}};
  }
  root["perturbed"] =
      result.perturbed.empty() ? ordered_json(nullptr) : ordered_json(result.perturbed);
  root["seed"] = result.plan.seed;
  root["machine"] = MachineJson(result.machine);
  root["build"] = BuildJson();
  root["command"] = result.command;
  return JsonText(root);
}

}  // namespace schedbench::report

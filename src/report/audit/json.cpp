#include "report/audit/audit_report.hpp"
#include "report/parts/json_parts.hpp"

#include <utility>

namespace schedbench::report {

namespace {

Json SchedulerJson(const harness::AuditedScheduler& scheduler) {
  Json shares;
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

std::string RenderJson(const AuditResult& result) {
  Json root = ResultHead("audit", result.complete);
  root.update({{"workload", result.workload_text},
               {"schedulers", ArrayOf(result.schedulers, SchedulerJson)},
               {"difference", nullptr},
               {"conclusions", harness::Conclusions(result)},
               {"fairer", nullptr}});
  if (const auto difference = harness::DifferenceOf(result)) {
    root["difference"] = {
        {"name", difference->name},           {"change", JsonNumber(difference->change)},
        {"low", JsonNumber(difference->low)}, {"high", JsonNumber(difference->high)},
        {"level", harness::kJointLevel},      {"proven", difference->proven}};
  }
  if (const auto fairer = harness::FairerVersion(result)) {
    root["fairer"] = {{"advice", fairer->advice}, {"command", fairer->command}};
  }
  root["perturbed"] = OrNull(result.perturbed);
  root["seed"] = result.plan.seed;
  return JsonText(std::move(root), result.machine, result.command);
}

}  // namespace schedbench::report

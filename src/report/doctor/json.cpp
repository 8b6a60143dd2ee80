#include "report/doctor/doctor_report.hpp"
#include "report/parts/json_parts.hpp"

#include <string>
#include <utility>

namespace schedbench::report {

namespace {

Json FindingJson(const harness::Finding& finding) {
  return {{"topic", finding.topic},
          {"severity", harness::ToText(finding.severity)},
          {"text", finding.text},
          {"remedy", OrNull(finding.remedy)},
          {"too_noisy", finding.too_noisy}};
}

Json ProcessJson(const harness::Activity::Process& process) {
  return {{"name", process.name}, {"cpus", process.cpus}};
}

Json ActivityJson(const harness::Activity& activity) {
  return {{"window_seconds", activity.window_seconds},
          {"steal_share", OrNull(activity.steal_share)},
          {"steal_share_ever", OrNull(activity.steal_share_ever)},
          {"busy_cpus", OrNull(activity.busy_cpus)},
          {"processes", ArrayOf(activity.processes, ProcessJson)},
          {"running_now", OrNull(activity.running_now)},
          {"load_average", OrNull(activity.load_average)},
          {"swapped_pages", OrNull(activity.swapped_pages)},
          {"throttled", OrNull(activity.throttled)},
          {"throttled_ever", OrNull(activity.throttled_ever)}};
}

Json Facts(const harness::MachineFacts& facts) {
  return {{"hypervisor", OrNull(facts.hypervisor)},
          {"product", OrNull(facts.product)},
          {"cpus_present", facts.present},
          {"cpus_allowed", facts.allowed},
          {"shared_cores", facts.shared_cores},
          {"governors", facts.governors},
          {"turbo", OrNull(facts.turbo)},
          {"cpu_quota", facts.cpu_limit ? OrNull(facts.cpu_limit->cpus) : Json(nullptr)},
          {"activity", ActivityJson(facts.activity)},
          {"swap_used_kib", OrNull(facts.swap_used_kib)},
          {"memory_pressure", OrNull(facts.memory_pressure)},
          {"perf_event_paranoid", OrNull(facts.perf_event_paranoid)},
          {"hardware_counters", facts.hardware_counters},
          {"huge_pages", OrNull(facts.huge_pages)},
          {"clock_source", OrNull(facts.clock_source)},
          {"timer_slack_ns", OrNull(facts.timer_slack_ns)},
          {"address_randomisation", OrNull(facts.address_randomisation)}};
}

Json Self(const DoctorResult& result) {
  if (!result.self) {
    return nullptr;
  }
  const harness::SelfComparison& self = *result.self;
  return {{"scheduler", self.scheduler},
          {"workload", self.workload},
          {"seed", result.seed},
          {"blocks", self.blocks},
          {"metric", "throughput"},
          {"ratio", OrNull(self.ratio, &stats::RatioEstimate::ratio)},
          {"low", OrNull(self.ratio, &stats::RatioEstimate::low)},
          {"high", OrNull(self.ratio, &stats::RatioEstimate::high)},
          {"level", self.level},
          {"resolution", OrNull(self.ratio, &harness::Resolution)},
          {"dependent", self.dependent},
          {"missing", OrNull(self.missing)}};
}

}  // namespace

std::string RenderJson(const DoctorResult& result) {
  Json root = ResultHead("doctor", result.complete);
  root["too_noisy"] = harness::AnyConcern(result.findings);
  root["findings"] = ArrayOf(result.findings, FindingJson);
  root["self_comparison"] = Self(result);
  root["facts"] = Facts(result.facts);
  return JsonText(std::move(root), result.machine, result.command);
}

}  // namespace schedbench::report

#include "harness/result.hpp"
#include "report/doctor/doctor_report.hpp"
#include "report/parts/json_parts.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <utility>

namespace schedbench::report {

namespace {

using nlohmann::ordered_json;

template <typename Value>
ordered_json OrNull(const std::optional<Value>& value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

ordered_json OrNull(const std::string& text) {
  return text.empty() ? ordered_json(nullptr) : ordered_json(text);
}

ordered_json Findings(const DoctorResult& result) {
  ordered_json findings = ordered_json::array();
  for (const harness::Finding& finding : result.findings) {
    findings.push_back({{"topic", finding.topic},
                        {"severity", harness::ToText(finding.severity)},
                        {"text", finding.text},
                        {"remedy", OrNull(finding.remedy)},
                        {"too_noisy", finding.too_noisy}});
  }
  return findings;
}

ordered_json ActivityJson(const harness::Activity& activity) {
  ordered_json processes = ordered_json::array();
  for (const auto& process : activity.processes) {
    processes.push_back({{"name", process.name}, {"cpus", process.cpus}});
  }
  return {{"window_seconds", activity.window_seconds},
          {"steal_share", OrNull(activity.steal_share)},
          {"steal_share_ever", OrNull(activity.steal_share_ever)},
          {"busy_cpus", OrNull(activity.busy_cpus)},
          {"processes", std::move(processes)},
          {"running_now", OrNull(activity.running_now)},
          {"load_average", OrNull(activity.load_average)},
          {"swapped_pages", OrNull(activity.swapped_pages)},
          {"throttled", OrNull(activity.throttled)},
          {"throttled_ever", OrNull(activity.throttled_ever)}};
}

ordered_json Facts(const harness::MachineFacts& facts) {
  return {{"hypervisor", OrNull(facts.hypervisor)},
          {"product", OrNull(facts.product)},
          {"cpus_present", facts.present},
          {"cpus_allowed", facts.allowed},
          {"shared_cores", facts.shared_cores},
          {"governors", facts.governors},
          {"turbo", OrNull(facts.turbo)},
          {"cpu_quota", facts.cpu_limit ? OrNull(facts.cpu_limit->cpus) : ordered_json(nullptr)},
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

ordered_json Self(const DoctorResult& result) {
  if (!result.self) {
    return nullptr;
  }
  const harness::SelfComparison& self = *result.self;
  ordered_json object{{"scheduler", self.scheduler},
                      {"workload", self.workload},
                      {"seed", result.seed},
                      {"blocks", self.blocks},
                      {"metric", "throughput"},
                      {"ratio", nullptr},
                      {"low", nullptr},
                      {"high", nullptr},
                      {"level", self.level},
                      {"resolution", nullptr},
                      {"dependent", self.dependent},
                      {"missing", OrNull(self.missing)}};
  if (self.ratio) {
    object["ratio"] = self.ratio->ratio;
    object["low"] = self.ratio->low;
    object["high"] = self.ratio->high;
    object["resolution"] = harness::Resolution(*self.ratio);
  }
  return object;
}

}  // namespace

std::string RenderDoctorJson(const DoctorResult& result, const TerminalStyle& /*style*/) {
  ordered_json root;
  root["schema_version"] = harness::kSchemaVersion;
  root["kind"] = "doctor";
  root["complete"] = result.complete;
  root["too_noisy"] = harness::AnyConcern(result.findings);
  root["findings"] = Findings(result);
  root["self_comparison"] = Self(result);
  root["facts"] = Facts(result.facts);
  root["machine"] = MachineJson(result.machine);
  root["build"] = BuildJson();
  root["command"] = result.command;
  return JsonText(root);
}

}  // namespace schedbench::report

#include "harness/result.hpp"
#include "report/load/load_report.hpp"
#include "report/parts/json_parts.hpp"
#include "report/parts/places.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace schedbench::report {

namespace {

using nlohmann::ordered_json;

ordered_json QuantilesJson(const harness::TimeQuantiles& times) {
  return {{"mean", JsonNumber(times.mean)},   {"p50", JsonNumber(times.p50)},
          {"p90", JsonNumber(times.p90)},     {"p99", JsonNumber(times.p99)},
          {"p99_9", JsonNumber(times.p99_9)}, {"max", JsonNumber(times.max)}};
}

ordered_json LoadSummaryJson(const std::optional<harness::LoadSummary>& summary) {
  if (!summary) {
    return nullptr;
  }
  return {{"requests", summary->requests},
          {"unanswered", summary->unanswered},
          {"asked_per_s", JsonNumber(summary->asked)},
          {"reached_per_s", JsonNumber(summary->reached)},
          {"latency_ns", QuantilesJson(summary->latency)},
          {"delay_ns", QuantilesJson(summary->delay)},
          {"is_delayed", harness::IsDelayed(*summary)}};
}

ordered_json ClockJson(const std::optional<harness::ClockOffset>& clock) {
  if (!clock) {
    return nullptr;
  }
  return {{"offset_ns", clock->offset_ns}, {"bound_ns", clock->bound_ns}};
}

// What the server and a generator have in common.
ordered_json PartJson(const std::string& place, const harness::LoadPart& part) {
  return {
      {"measured_on", place},
      {"hole", !part.round.has_value()},
      {"failure", part.failure.empty() ? ordered_json(nullptr) : ordered_json(part.failure)},
      {"trouble", part.trouble.empty() ? ordered_json(nullptr) : ordered_json(part.trouble)},
      {"workers", part.opened ? ordered_json(part.opened->workers) : ordered_json(nullptr)},
      {"config", part.opened ? ordered_json::parse(part.opened->config) : ordered_json(nullptr)},
      {"clock", ClockJson(part.clock)},
      {"clock_after", ClockJson(part.clock_after)},
      {"round", part.round ? ReplyJson(*part.round) : ordered_json(nullptr)}};
}

}  // namespace

std::string RenderLoadJson(const LoadResult& result, const TerminalStyle& /*style*/) {
  const harness::LoadPlan& plan = result.plan;
  ordered_json servers = ordered_json::array();
  for (std::size_t i = 0; i < result.data.servers.size(); ++i) {
    const harness::Server& server = result.data.servers[i];
    ordered_json object = PartJson(harness::NameOf(plan.servers[i]), server.part);
    object["scheduler"] = plan.server.scheduler;
    object["name"] = PartName(plan.servers, i);
    object["address"] =
        server.part.opened ? ordered_json(server.part.opened->address) : ordered_json(nullptr);
    object["cpu_ns"] = server.part.round ? ordered_json(server.cpu_ns) : ordered_json(nullptr);
    servers.push_back(std::move(object));
  }
  ordered_json generators = ordered_json::array();
  for (std::size_t i = 0; i < result.data.generators.size(); ++i) {
    const harness::Generator& generator = result.data.generators[i];
    ordered_json object = PartJson(harness::NameOf(plan.generators[i]), generator.part);
    object["scheduler"] = plan.clients.scheduler;
    object["name"] = PartName(plan.generators, i);
    object["server"] = PartName(plan.servers, harness::ServerOf(plan, i));
    object["summary"] = LoadSummaryJson(result.analysis.generators[i]);
    generators.push_back(std::move(object));
  }
  ordered_json notes = ordered_json::array();
  for (const Note& note : NotesOn(result)) {
    notes.push_back(note.text);
  }
  return JsonText({{"schema_version", harness::kSchemaVersion},
                   {"kind", "load"},
                   {"complete", result.data.complete},
                   {"scheduler", plan.server.name},
                   {"workload", plan.workload_text},
                   {"parameters", ordered_json::parse(plan.parameters)},
                   {"rate", JsonNumber(plan.rate)},
                   {"duration_ns", plan.duration.count()},
                   {"all", LoadSummaryJson(result.analysis.all)},
                   {"generators", std::move(generators)},
                   {"servers", std::move(servers)},
                   {"notes", std::move(notes)},
                   {"places", PlacesJson(MachinesOf(result))},
                   {"seed", plan.seed},
                   {"machine", MachineJson(result.machine)},
                   {"build", BuildJson()},
                   {"command", result.command}});
}

}  // namespace schedbench::report

#include "report/load/load_report.hpp"
#include "report/parts/json_parts.hpp"
#include "report/parts/places.hpp"

#include <cstddef>
#include <string>
#include <utility>

namespace schedbench::report {

namespace {

Json QuantilesJson(const harness::TimeQuantiles& times) {
  return {{"mean", JsonNumber(times.mean)},   {"p50", JsonNumber(times.p50)},
          {"p90", JsonNumber(times.p90)},     {"p99", JsonNumber(times.p99)},
          {"p99_9", JsonNumber(times.p99_9)}, {"max", JsonNumber(times.max)}};
}

Json LoadSummaryJson(const harness::LoadSummary& summary) {
  return {{"requests", summary.requests},
          {"unanswered", summary.unanswered},
          {"asked_per_s", JsonNumber(summary.asked)},
          {"reached_per_s", JsonNumber(summary.reached)},
          {"latency_ns", QuantilesJson(summary.latency)},
          {"delay_ns", QuantilesJson(summary.delay)},
          {"is_delayed", harness::IsDelayed(summary)}};
}

Json ClockJson(const harness::ClockOffset& clock) {
  return {{"offset_ns", clock.offset_ns}, {"bound_ns", clock.bound_ns}};
}

// What the server and a generator have in common.
Json PartJson(const std::string& place, const harness::LoadPart& part) {
  return {{"measured_on", place},
          {"hole", !part.round.has_value()},
          {"failure", OrNull(part.failure)},
          {"trouble", OrNull(part.trouble)},
          {"workers", part.opened ? Json(part.opened->workers) : Json(nullptr)},
          {"config", part.opened ? Json::parse(part.opened->config) : Json(nullptr)},
          {"clock", OrNull(part.clock, &ClockJson)},
          {"clock_after", OrNull(part.clock_after, &ClockJson)},
          {"round", record::ToJson(part.round)}};
}

}  // namespace

std::string RenderJson(const LoadResult& result) {
  const harness::LoadPlan& plan = result.plan;
  const Json servers = ArrayOf(result.data.servers.size(), [&](std::size_t i) {
    const harness::Server& server = result.data.servers[i];
    Json object = PartJson(harness::NameOf(plan.servers[i]), server.part);
    object["scheduler"] = plan.server.scheduler;
    object["name"] = PartName(plan.servers, i);
    object["address"] = server.part.opened ? Json(server.part.opened->address) : Json(nullptr);
    object["cpu_ns"] = server.part.round ? Json(server.cpu_ns) : Json(nullptr);
    return object;
  });
  const Json generators = ArrayOf(result.data.generators.size(), [&](std::size_t i) {
    Json object = PartJson(harness::NameOf(plan.generators[i]), result.data.generators[i].part);
    object["scheduler"] = plan.clients.scheduler;
    object["name"] = PartName(plan.generators, i);
    object["server"] = PartName(plan.servers, harness::ServerOf(plan, i));
    object["summary"] = OrNull(result.analysis.generators[i], &LoadSummaryJson);
    return object;
  });
  Json root = ResultHead("load", result.data.complete);
  root.update({{"scheduler", plan.server.name},
               {"workload", plan.workload_text},
               {"parameters", Json::parse(plan.parameters)},
               {"rate", JsonNumber(plan.rate)},
               {"duration_ns", plan.duration.count()},
               {"all", OrNull(result.analysis.all, &LoadSummaryJson)},
               {"generators", generators},
               {"servers", servers},
               {"notes", ArrayOf(NotesOn(result), &Note::text)},
               {"places", PlacesJson(MachinesOf(result))},
               {"seed", plan.seed}});
  return JsonText(std::move(root), result.machine, result.command);
}

}  // namespace schedbench::report

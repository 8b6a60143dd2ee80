#include "base/vector_of.hpp"
#include "report/load/load_report.hpp"
#include "report/parts/json_parts.hpp"
#include "report/parts/places.hpp"

namespace schedbench::harness {

static record::Of<TimeQuantiles> RecordOf(const TimeQuantiles* /*type*/) {
  using T = TimeQuantiles;
  return {"TimeQuantiles",
          {{"mean", &T::mean, ""},
           {"p50", &T::p50, ""},
           {"p90", &T::p90, ""},
           {"p99", &T::p99, ""},
           {"p99_9", &T::p99_9, ""},
           {"max", &T::max, ""}}};
}

static record::Of<LoadSummary> RecordOf(const LoadSummary* /*type*/) {
  using T = LoadSummary;
  return {
      "LoadSummary",
      {{"requests", &T::requests, "That were due."},
       {"unanswered", &T::unanswered,
        "Whose connection was lost, or whose answer was too late. Their latencies are infinite."},
       {"asked_per_s", &T::asked, "The rate that was asked for."},
       {"reached_per_s", &T::reached,
        "Requests with an answer, by the time until the last of them; if some have no answer, at "
        "least until all were due."},
       {"latency_ns", &T::latency,
        "From when a request was due until its answer; infinite without one. Null: not finite, or "
        "of too few requests."},
       {"delay_ns", &T::delay,
        "From when a request was due until it began to be sent on its connection: a part of the "
        "latency."},
       {"is_delayed", [](const T& summary) { return IsDelayed(summary); },
        "Whether the 99th percentile of delay_ns is above 20 % of that of latency_ns."}}};
}

static record::Of<ClockOffset> RecordOf(const ClockOffset* /*type*/) {
  using T = ClockOffset;
  return {"ClockOffset",
          {{"offset_ns", &T::offset_ns,
            "By how much the monotonic clock there is ahead of the one here."},
           {"bound_ns", &T::bound_ns, "The largest error of the offset."}}};
}

static record::Of<LoadPart> RecordOf(const LoadPart* /*type*/) {
  using T = LoadPart;
  return {
      "LoadPart",
      {{"hole", [](const T& part) { return !part.round.has_value(); }, "Whether it has no result."},
       {"failure", &T::failure, "Why it has no result.", {record::kNull}},
       {"trouble",
        &T::trouble,
        "What has gone wrong first, although there is a result.",
        {record::kNull}},
       {"workers", [](const T& part) { return Mapped(part.opened, &OpenReply::workers); },
        "How many its scheduler has."},
       {"config",
        [](const T& part) {
          return Mapped(part.opened,
                        [](const auto& opened) { return report::Json::parse(opened.config); });
        },
        "The effective config of its scheduler."},
       {"clock", &T::clock, "Before the load."},
       {"clock_after", &T::clock_after, "After the load."},
       {"round", &T::round, "What the agent counted in the round; null of a hole."}}};
}

}  // namespace schedbench::harness

namespace schedbench::report {

namespace {

struct LoadServer : PartOf<LoadResult, harness::Server> {};

record::Of<LoadServer> RecordOf(const LoadServer* /*type*/) {
  using T = LoadServer;
  return {
      "Server",
      {{"name", [](const T& one) { return PartName(one.result->plan.servers, one.index); },
        "The machine, with a number from the second server on."},
       {"measured_on",
        [](const T& one) { return harness::NameOf(one.result->plan.servers[one.index]); },
        "The name of a machine."},
       {"scheduler", [](const T& one) { return one.result->plan.server.scheduler; },
        "Name of the scheduler."},
       {record::kInline, [](const T& one) { return &one.element->part; }, ""},
       {"address",
        [](const T& one) { return Mapped(one.element->part.opened, &harness::OpenReply::address); },
        "At which it listened."},
       {"cpu_ns",
        [](const T& one) {
          return one.element->part.round ? std::optional(one.element->cpu_ns) : std::nullopt;
        },
        "CPU time of the process from when it accepted the last connection until all had "
        "ended. Only connections with a whole message count."}}};
}

struct LoadGenerator : PartOf<LoadResult, harness::Generator> {};

record::Of<LoadGenerator> RecordOf(const LoadGenerator* /*type*/) {
  using T = LoadGenerator;
  return {"Generator",
          {{"name", [](const T& one) { return PartName(one.result->plan.generators, one.index); },
            "The machine, with a number from the second generator on."},
           {"measured_on",
            [](const T& one) { return harness::NameOf(one.result->plan.generators[one.index]); },
            "The name of a machine."},
           {"scheduler", [](const T& one) { return one.result->plan.clients.scheduler; },
            "Name of the scheduler."},
           {"server",
            [](const T& one) {
              const harness::LoadPlan& plan = one.result->plan;
              return PartName(plan.servers, harness::ServerOf(plan, one.index));
            },
            "The name of the server to which it sent."},
           {record::kInline, [](const T& one) { return &one.element->part; }, ""},
           {"summary", [](const T& one) { return one.result->analysis.generators[one.index]; },
            "Null of a hole."}}};
}

}  // namespace

record::Record RecordOf(const LoadResult* /*type*/) {
  using T = LoadResult;
  using Plan = harness::LoadPlan;
  return ResultRecord<"load", T>(
      {{"complete", &T::data, &harness::LoadData::complete, "False after an interruption."},
       {"scheduler", [](const T& result) { return result.plan.server.name; },
        "Of the servers, as it was asked for."},
       {"workload", &T::plan, &Plan::workload_text, "As it was asked for."},
       {"parameters", [](const T& result) { return Json::parse(result.plan.parameters); },
        "Of each generator."},
       {"rate", &T::plan, &Plan::rate, "Requests per second of all generators together."},
       {"duration_ns", &T::plan, &Plan::duration, "Of the load."},
       {"all", &T::analysis, &harness::LoadAnalysis::all,
        "Of the latencies of all generators together; null if none has a result."},
       {"generators",
        [](const T& result) { return PartsOf<LoadGenerator>(result, result.data.generators); },
        "They send requests."},
       {"servers", [](const T& result) { return PartsOf<LoadServer>(result, result.data.servers); },
        "They answer requests."},
       {"notes", [](const T& result) { return VectorOf(NotesOn(result), &Note::text); },
        "What limits the meaning of the result."},
       {"places", [](const T& result) { return ShownPlaces(MachinesOf(result)); },
        "The machines; this one is \"local\"."},
       {"seed", &T::plan, &Plan::seed, kSeedDoc}});
}

}  // namespace schedbench::report

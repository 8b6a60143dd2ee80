#include "report/load/load_report.hpp"
#include "report/parts/json_parts.hpp"
#include "report/parts/places.hpp"

namespace schedbench::harness {

static const record::Record& RecordOf(const TimeQuantiles* /*type*/) {
  using T = TimeQuantiles;
  static const record::Of<T> kRecord("TimeQuantiles", {{"mean", &T::mean, ""},
                                                       {"p50", &T::p50, ""},
                                                       {"p90", &T::p90, ""},
                                                       {"p99", &T::p99, ""},
                                                       {"p99_9", &T::p99_9, ""},
                                                       {"max", &T::max, ""}});
  return kRecord;
}

static const record::Record& RecordOf(const LoadSummary* /*type*/) {
  using T = LoadSummary;
  static const record::Of<T> kRecord(
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
        "Whether the 99th percentile of delay_ns is above 20 % of that of latency_ns."}});
  return kRecord;
}

static const record::Record& RecordOf(const ClockOffset* /*type*/) {
  using T = ClockOffset;
  static const record::Of<T> kRecord(
      "ClockOffset", {{"offset_ns", &T::offset_ns,
                       "By how much the monotonic clock there is ahead of the one here."},
                      {"bound_ns", &T::bound_ns, "The largest error of the offset."}});
  return kRecord;
}

static const record::Record& RecordOf(const LoadPart* /*type*/) {
  using T = LoadPart;
  static const record::Of<T> kRecord(
      "LoadPart",
      {{"hole", [](const T& part) { return !part.round.has_value(); }, "Whether it has no result."},
       {"failure", &T::failure, "Why it has none.", {record::kNull}},
       {"trouble",
        &T::trouble,
        "What has gone wrong first, although there is a result.",
        {record::kNull}},
       {"workers",
        [](const T& part) {
          return part.opened ? std::optional(part.opened->workers) : std::nullopt;
        },
        "How many its scheduler has."},
       {"config",
        [](const T& part) {
          return part.opened ? std::optional(report::Json::parse(part.opened->config))
                             : std::nullopt;
        },
        "The effective config of its scheduler."},
       {"clock", &T::clock, "Before the load."},
       {"clock_after", &T::clock_after, "After the load."},
       {"round", &T::round, "What the agent counted in the round; null of a hole."}});
  return kRecord;
}

}  // namespace schedbench::harness

namespace schedbench::report {

namespace {

struct LoadServer {
  std::string name;
  std::string measured_on;
  std::string scheduler;
  const harness::Server* server;
};

const record::Record& RecordOf(const LoadServer* /*type*/) {
  using T = LoadServer;
  static const record::Of<T> kRecord(
      "Server",
      {{"name", &T::name, "The place, with a number from the second server on."},
       {"measured_on", &T::measured_on, "The name of a place."},
       {"scheduler", &T::scheduler, "Name of the scheduler."},
       {record::kInline, [](const T& one) -> const harness::LoadPart& { return one.server->part; },
        ""},
       {"address",
        [](const T& one) {
          const auto& opened = one.server->part.opened;
          return opened ? std::optional(opened->address) : std::nullopt;
        },
        "At which it listened."},
       {"cpu_ns",
        [](const T& one) {
          return one.server->part.round ? std::optional(one.server->cpu_ns) : std::nullopt;
        },
        "CPU time of the process from when it accepted the last connection until all had ended. "
        "Only connections with a whole message count."}});
  return kRecord;
}

struct LoadGenerator {
  std::string name;
  std::string measured_on;
  std::string scheduler;
  std::string server;
  const harness::LoadPart* part;
  std::optional<harness::LoadSummary> summary;
};

const record::Record& RecordOf(const LoadGenerator* /*type*/) {
  using T = LoadGenerator;
  static const record::Of<T> kRecord(
      "Generator", {{"name", &T::name, "The place, with a number from the second generator on."},
                    {"measured_on", &T::measured_on, "The name of a place."},
                    {"scheduler", &T::scheduler, "Name of the scheduler."},
                    {"server", &T::server, "The name of the server to which it sent."},
                    {record::kInline, &T::part, ""},
                    {"summary", &T::summary, "Null of a hole."}});
  return kRecord;
}

std::vector<LoadServer> ServersOf(const LoadResult& result) {
  const harness::LoadPlan& plan = result.plan;
  std::vector<LoadServer> servers;
  for (std::size_t i = 0; i < result.data.servers.size(); ++i) {
    servers.push_back({PartName(plan.servers, i), harness::NameOf(plan.servers[i]),
                       plan.server.scheduler, &result.data.servers[i]});
  }
  return servers;
}

std::vector<LoadGenerator> GeneratorsOf(const LoadResult& result) {
  const harness::LoadPlan& plan = result.plan;
  std::vector<LoadGenerator> generators;
  for (std::size_t i = 0; i < result.data.generators.size(); ++i) {
    generators.push_back({PartName(plan.generators, i), harness::NameOf(plan.generators[i]),
                          plan.clients.scheduler,
                          PartName(plan.servers, harness::ServerOf(plan, i)),
                          &result.data.generators[i].part, result.analysis.generators[i]});
  }
  return generators;
}

}  // namespace

const record::Record& RecordOf(const LoadResult* /*type*/) {
  using T = LoadResult;
  using Plan = harness::LoadPlan;
  static const record::Record kRecord = ResultRecord<"load", T>(
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
       {"generators", [](const T& result) { return GeneratorsOf(result); }, "They send requests."},
       {"servers", [](const T& result) { return ServersOf(result); }, "They answer requests."},
       {"notes",
        [](const T& result) {
          std::vector<std::string> texts;
          for (Note& note : NotesOn(result)) {
            texts.push_back(std::move(note.text));
          }
          return texts;
        },
        "What limits the meaning of the result."},
       {"places", [](const T& result) { return ShownPlaces(MachinesOf(result)); },
        "The machines; this one is \"local\"."},
       {"seed", &T::plan, &Plan::seed, kSeedDoc}});
  return kRecord;
}

}  // namespace schedbench::report

#include "registry/build_info.hpp"
#include "report/document/document.hpp"

namespace schedbench::report {

namespace {

Json Context(const platform::MachineInfo& machine) {
  const registry::BuildInfo& build = registry::ThisBuild();
  return {{"executable", "schedbench"},
          {"num_cpus", machine.cpus_online},
          {"cpu_model", machine.cpu_model},
          {"load_avg", machine.load_average},
          {"library_build_type", build.build_type == "Release" ? "release" : "debug"},
          {"schedbench_version", build.version},
          {"schedbench_revision", build.revision}};
}

}  // namespace

std::string GbenchText(const Document& document, const TerminalStyle& /*style*/) {
  const std::vector<Repetitions>& entries = document.repetitions;
  Json benchmarks = Json::array();
  for (std::size_t family = 0; family < entries.size(); ++family) {
    const Repetitions& entry = entries[family];
    for (std::size_t i = 0; i < entry.rounds.size(); ++i) {
      const Repetition& round = entry.rounds[i];
      const auto operations = static_cast<double>(round.operations);
      benchmarks.push_back(
          {{"name", entry.name},
           {"family_index", family},
           {"per_family_instance_index", 0},
           {"run_name", entry.name},
           {"run_type", "iteration"},
           {"repetitions", entry.rounds.size()},
           {"repetition_index", i},
           {"threads", entry.threads},
           {"iterations", round.operations},
           {"real_time", record::ToJson(round.wall_ns / operations)},
           {"cpu_time", record::ToJson(round.cpu_ns / operations)},
           {"time_unit", "ns"},
           {"items_per_second", record::ToJson(1e9 * operations / round.wall_ns)}});
    }
  }
  return JsonText(
      {{"context", Context(document.origin->machine)}, {"benchmarks", std::move(benchmarks)}});
}

}  // namespace schedbench::report

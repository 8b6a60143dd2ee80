#include "report/comparison/comparison.hpp"
#include "report/parts/gbench.hpp"

#include <fmt/core.h>

#include <string>
#include <utility>
#include <vector>

namespace schedbench::report {

// A benchmark is a workload under an alternative, and a repetition is a round of it, in the order of the blocks.
std::string RenderGbenchJson(const ComparisonResult& result) {
  std::vector<GbenchEntry> entries;
  for (std::size_t workload = 0; workload < result.plan.workloads.size(); ++workload) {
    for (std::size_t i = 0; i < result.plan.alternatives.size(); ++i) {
      std::vector<GbenchRound> rounds;
      for (const auto& block : result.data.series[workload][i].blocks) {
        for (const harness::RoundReply& round : block) {
          rounds.emplace_back(round);
        }
      }
      entries.push_back({.name = fmt::format("{}/{}", result.plan.workloads[workload].name,
                                             result.plan.alternatives[i].name),
                         .threads = 1,
                         .rounds = std::move(rounds)});
    }
  }
  return GbenchText(result.machine, entries);
}

}  // namespace schedbench::report

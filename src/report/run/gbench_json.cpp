#include "report/parts/gbench.hpp"
#include "report/parts/plan_text.hpp"
#include "report/run/run_report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

namespace schedbench::report {

// The form is that of Google Benchmark 1.7, docs/tools.md: a benchmark is the workload on the scheduler, and a round is a repetition.
std::string RenderGbenchJson(const harness::RunResult& result) {
  const harness::RunPlan& plan = result.plan;
  return GbenchText(
      result.machine,
      {{.name = fmt::format("{}/{}", WorkloadSpec(plan), plan.scheduler->name),
        .threads = std::max<std::uint64_t>(result.Threads(), 1),
        .rounds = std::vector<GbenchRound>(result.rounds.begin(), result.rounds.end())}});
}

}  // namespace schedbench::report

#include "cli/commands/slo_run.hpp"

#include "cli/output/delivery.hpp"
#include "cli/output/end_early.hpp"
#include "cli/output/output.hpp"
#include "harness/live_run.hpp"
#include "platform/files/terminal.hpp"
#include "report/format.hpp"
#include "report/parts/plan_text.hpp"
#include "report/slo/slo_report.hpp"

namespace schedbench::cli {

ExitCode RunSloSearch(const Arguments& arguments, const harness::RunPlan& plan,
                      const std::vector<harness::LatencyLimit>& limits) {
  const Delivery delivery(arguments);
  const bool is_quiet = arguments.Has(kQuietFlag.name);
  const report::TerminalStyle look{.unicode = platform::TakesUtf8(), .colour = false};
  harness::SloSearch search(plan, limits);
  const auto tell = [&](const harness::LoadProbe& probe) {
    if (!is_quiet) {
      Say(report::ProbeLine(*plan.workload, limits, probe, look) + "\n");
    }
  };
  harness::Outcome outcome = harness::RunInterruptibly(
      plan, [&](harness::Recorder& /*recorder*/, harness::WatchPoint& watch) {
        return search.Execute(tell, watch);
      });
  outcome.result.command = arguments.command_line;
  const harness::SloResult result = search.Take(outcome);
  const auto deliver = [&] {
    delivery.Deliver(
        [&result](const report::Format& format, const report::TerminalStyle& its_look) {
          return format.render_slo(result, its_look);
        });
  };
  if (outcome.ending != harness::Ending::kComplete) {
    EndEarly(outcome, report::Plural(result.probes.size(), "rate") + " tried to the end", deliver);
  }
  deliver();
  return ExitCode::kDone;
}

}  // namespace schedbench::cli

#include "config/quote.hpp"
#include "report/parts/notes.hpp"
#include "report/parts/origin.hpp"
#include "report/parts/plan_text.hpp"
#include "report/run/run_report.hpp"

#include <fmt/core.h>

#include <string>
#include <vector>

namespace schedbench::report {

namespace {

using harness::RunResult;

std::string Headline(const RunResult& result, const TerminalStyle& style) {
  const harness::RunPlan& plan = result.plan;
  std::vector<std::string> parts{SchedulerText(plan), WorkloadText(plan)};
  if (!result.workers.empty()) {
    const std::string threads = result.HasRowPerThread()
                                    ? Plural(result.workers.size(), "worker")
                                    : "up to " + Plural(result.Threads(), "thread");
    parts.push_back(fmt::format("{} on CPU {}", threads, result.machine.cpu_list));
  }
  parts.push_back(result.complete ? Plural(plan.rounds, "round")
                                  : fmt::format("{} of {}", result.rounds.size(),
                                                Plural(plan.rounds, "round")));
  if (plan.warmup > 0) {
    parts.push_back(fmt::format("{} warm-up", plan.warmup));
  }
  return style.Bold(Joined(parts, 0, style)) + "\n";
}

std::string Footer(const RunResult& result, const TerminalStyle& style) {
  return NoteLines(NotesOn(result), style) +
         OriginLines(result.machine, result.command, result.plan.seed, style);
}

}  // namespace

std::string RenderTable(const RunResult& result, const TerminalStyle& style) {
  std::string text = Headline(result, style);
  if (!result.complete) {
    text += LabelledLine("partial", config::Escaped(result.failure, 1000), style);
  }
  if (!result.rounds.empty()) {
    text += "\n" + SummaryLines(result, style) + "\n" + WorkerTable(result, style);
  }
  return text + "\n" + Footer(result, style);
}

}  // namespace schedbench::report

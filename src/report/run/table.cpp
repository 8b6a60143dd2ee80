#include "config/quote.hpp"
#include "report/format.hpp"
#include "report/parts/notes.hpp"
#include "report/parts/origin.hpp"
#include "report/parts/plan_text.hpp"
#include "report/run/summary_lines.hpp"
#include "report/run/worker_table.hpp"

#include <fmt/core.h>

#include <string>
#include <vector>

namespace schedbench::report {

namespace {

using harness::RunResult;

std::string Headline(const RunResult& result, const TerminalStyle& look) {
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
  return look.Bold(Joined(parts, 0, look)) + "\n";
}

std::string Footer(const RunResult& result, const TerminalStyle& look) {
  return NoteLines(NotesOn(result), look) +
         OriginLines(result.machine, result.command, result.plan.seed, look);
}

}  // namespace

std::string RenderTable(const RunResult& result, const TerminalStyle& look) {
  std::string text = Headline(result, look);
  if (!result.complete) {
    text += LabelledLine("partial", config::Escaped(result.failure, 1000), look);
  }
  if (!result.rounds.empty()) {
    text += "\n" + SummaryLines(result, look) + "\n" + WorkerTable(result, look);
  }
  return text + "\n" + Footer(result, look);
}

}  // namespace schedbench::report

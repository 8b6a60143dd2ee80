#include "report/parts/notes.hpp"

#include "base/vector_of.hpp"
#include "config/quote.hpp"
#include "config/settings_json.hpp"
#include "harness/agent/agreement.hpp"
#include "harness/doctor/findings.hpp"
#include "metrics/metric_list.hpp"
#include "registry/build_info.hpp"
#include "report/parts/origin.hpp"
#include "report/parts/plan_text.hpp"
#include "report/parts/quantity.hpp"
#include "stats/order_statistics.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

namespace schedbench::report {

namespace {

using harness::RunResult;

// Arbitrary limits, tried on small machines: above them the effect is a visible part of the result.
constexpr double kWideSpread = 0.05;      // half of the interval, relative to the median
constexpr double kManyEmptyWakes = 0.01;  // share of all tasks
// Share of the CPU time that the workers could have used.
constexpr double kNotableTakenShare = 0.1;
constexpr double kShortRoundNs = 1e6;  // shorter rounds show clocks, and their start and end
constexpr double kLateSource = 0.2;    // share of the latency
constexpr double kLongRound = 5;       // times the median of the rounds

constexpr TerminalStyle kPlain{.unicode = false, .colour = false};

std::uint64_t TotalOf(const RunResult& result, std::string_view metric) {
  return result.total[metrics::MetricIndex(metric)];
}

// Returns advice to add these flags to the command: later flags override earlier ones.
std::string Again(const std::string& flags) {
  return "try " + flags;
}

void NoteOnDisturbance(const RunResult& result, std::vector<Note>& notes) {
  if (result.disturbance.IsSignificant()) {
    notes.push_back({ToText(result.disturbance), "schedbench doctor"});
  }
  if (result.clock_steps_back > 0) {
    notes.push_back(
        {fmt::format("the clock went back in {} of the measured times, which count as 0",
                     result.clock_steps_back),
         "cat /sys/devices/system/clocksource/clocksource0/current_clocksource"});
  }
}

void NoteOnCpus(const RunResult& result, std::vector<Note>& notes) {
  if (!result.HasRowPerThread()) {
    return;  // this scheduler has as many threads as its tasks need
  }
  const std::size_t workers = result.workers.size();
  const std::uint32_t cpus = result.machine.cpus_allowed;
  if (workers > cpus) {
    notes.push_back({fmt::format("{} workers share {} CPUs: the kernel's scheduler is measured too",
                                 workers, cpus),
                     Again(result.plan.config.GetSchema().FindLeaf("workers") != nullptr
                               ? "--set workers=0"
                               : fmt::format("--set limit={}", cpus))});
    return;
  }
  if (!result.summary[harness::RoundMetricIndex("idle_share")].spread ||
      result.disturbance.IsSignificant()) {
    return;  // the time without a task is unknown, or another note has the cause
  }
  // A worker that is not parked and uses no CPU time is preempted, or waits in the kernel. The
  // preempted time includes the start and the end of rounds, where workers are parked.
  double ready_ns = 0;
  double used_ns = 0;
  for (const harness::Round& round : result.rounds) {
    ready_ns += static_cast<double>(workers) * static_cast<double>(round.wall_ns) *
                (1 - round.metrics[harness::RoundMetricIndex("idle_share")].value_or(0));
    used_ns += static_cast<double>(round.cpu_ns);
  }
  const double taken_ns =
      std::min(ready_ns - used_ns, static_cast<double>(TotalOf(result, "preempted_ns")));
  if (taken_ns > kNotableTakenShare * ready_ns) {
    notes.push_back(
        {fmt::format("other threads took {} of the CPU time that the workers could have used",
                     Percent(taken_ns / ready_ns)),
         "top -b -n 1 | head -20"});
  }
}

// Returns the full size of the workload, if it has one that was not measured.
std::string RemedyForShortRounds(const RunResult& result) {
  const registry::WorkloadEntry& workload = *result.plan.workload;
  config::Settings full(result.plan.parameters.GetSchema());
  const bool has_larger =
      registry::ApplyPreset(workload, "full", full) && !(full == result.plan.parameters);
  return has_larger ? Again(fmt::format("--workload {}:preset=full", workload.name))
                    : fmt::format("schedbench describe workload {}", workload.name);
}

void NoteOnRounds(const RunResult& result, std::vector<Note>& notes) {
  const std::size_t rounds = result.rounds.size();
  const std::size_t needed = stats::SmallestSampleWithInterval(0.95);
  if (rounds < needed) {
    notes.push_back(
        {fmt::format("{} no 95 % interval: ranges are from least to greatest",
                     rounds == 1 ? "1 round gives" : fmt::format("{} rounds give", rounds)),
         Again("--rounds 20")});
  }
  const double wall_ns = static_cast<double>(result.WallNs()) / static_cast<double>(rounds);
  if (wall_ns < kShortRoundNs) {
    notes.push_back({fmt::format("a round lasts only {} on average: give it more work",
                                 Duration(wall_ns, kPlain)),
                     RemedyForShortRounds(result)});
  }
  const auto walls =
      VectorOf(result.rounds, [](const auto& round) { return static_cast<double>(round.wall_ns); });
  const double longest = std::ranges::max(walls);
  if (const double median = stats::Median(walls); longest > kLongRound * median) {
    notes.push_back({fmt::format("a round took {}, the median is {}: the process was stopped, or "
                                 "a worker waited",
                                 Duration(longest, kPlain), Duration(median, kPlain)),
                     "schedbench doctor"});
  }
  const auto& spread = result.summary[harness::RoundMetricIndex("throughput")].spread;
  if (rounds >= needed && spread &&
      (spread->high - spread->low) / 2 > kWideSpread * spread->median) {
    notes.push_back({"the throughput is uncertain by more than 5 %",
                     Again(fmt::format("--rounds {}", 4 * rounds))});
  }
}

void NoteOnPercentiles(const RunResult& result, std::vector<Note>& notes) {
  for (const harness::SummaryRow& row : result.summary) {
    if (row.too_few) {
      notes.push_back({fmt::format("{}: {}", row.metric->name, row.missing),
                       fmt::format("schedbench describe workload {}", result.plan.workload->name)});
      return;  // the higher percentiles have the same problem
    }
  }
}

void NoteOnWakes(const RunResult& result, std::vector<Note>& notes) {
  const std::uint64_t parks = TotalOf(result, "parks");
  const std::uint64_t empty = TotalOf(result, "noop_wakes");
  const std::uint64_t tasks = TotalOf(result, "tasks_run");
  if (static_cast<double>(empty) <= kManyEmptyWakes * static_cast<double>(tasks)) {
    return;
  }
  // With one or two workers at most one searches.
  const config::Settings& config = result.plan.config;
  const bool can_limit = config.GetSchema().FindLeaf("max_searching") != nullptr &&
                         config.Get("max_searching") != config::Value{std::uint64_t{1}} &&
                         result.workers.size() > 2;
  notes.push_back(
      {fmt::format("{} of the wake-ups found no work (empty)",
                   Percent(static_cast<double>(empty) / static_cast<double>(parks))),
       can_limit ? Again("--set max_searching=1") : "schedbench describe metric noop_wakes"});
}

void NoteOnLoad(const RunResult& result, std::vector<Note>& notes) {
  const registry::OpenLoad* const load = result.plan.workload->open_load;
  if (load == nullptr) {
    return;
  }
  const auto& growth = harness::RowOf(result.summary, load->backlog_growth).spread;
  if (growth && growth->median > load->saturated_above) {
    notes.push_back(
        {fmt::format(
             "saturated: {} of the requests piled up; latencies depend on the length of a round",
             Percent(growth->median)),
         Again(fmt::format("--slo '{}<10ms'", load->latencies.back().name))});
    return;
  }
  const auto& late = harness::RowOf(result.summary, load->late).spread;
  const auto& latency = harness::RowOf(result.summary, load->late_beside).spread;
  if (!late || !latency || late->median <= kLateSource * latency->median) {
    return;
  }
  const std::uint32_t cpus = result.machine.cpus_allowed;
  notes.push_back({fmt::format("the source of the load is late: {} is {}, {} is {}", load->late,
                               Duration(late->median, kPlain), load->late_beside,
                               Duration(latency->median, kPlain)),
                   cpus > 1 && result.workers.size() >= cpus
                       ? Again(fmt::format("--workers {}", cpus - 1))
                       : "top -b -n 1 | head -20"});
}

}  // namespace

void NoteOnSettings(std::string_view of, const std::string& requested, const std::string& in_effect,
                    std::vector<Note>& notes) {
  if (in_effect.empty()) {
    return;
  }
  const std::string changes = harness::ChangedSettings(requested, in_effect);
  if (!changes.empty()) {
    notes.push_back(
        {fmt::format("{}{}not all settings are in effect: {}", of, of.empty() ? "" : ": ", changes),
         "schedbench doctor"});
  }
}

void NoteOnBuild(std::vector<Note>& notes) {
  for (harness::Finding& finding : harness::JudgeBuild(registry::ThisBuild())) {
    if (finding.severity == harness::Severity::kFail) {
      notes.push_back({std::move(finding.text), std::move(finding.remedy)});
    }
  }
}

void NoteOnOptimization(std::string_view kind, std::string_view name, bool is_optimized,
                        std::vector<Note>& notes) {
  if (!is_optimized) {
    notes.push_back(
        {fmt::format("{} {} was compiled without optimization: it is slower than it could be", kind,
                     config::Escaped(name, 100)),
         "cmake -DCMAKE_BUILD_TYPE=Release"});
  }
}

void NoteOnPerturbation(const std::string& perturbed, std::vector<Note>& notes) {
  if (!perturbed.empty()) {
    notes.push_back({.text = "disturbed on purpose: " + perturbed, .remedy = ""});
  }
}

std::vector<Note> NotesOn(const platform::MachineInfo& machine) {
  return VectorOf(machine.restrictions, [](const auto& restriction) {
    return Note{restriction.text, restriction.remedy};
  });
}

std::vector<Note> NotesOnSurroundings(const RunResult& result) {
  std::vector<Note> notes = NotesOn(result.machine);
  if (result.disturbance.throttled > 0) {
    NoteOnDisturbance(result, notes);
  }
  return notes;
}

std::vector<Note> NotesOn(const RunResult& result) {
  std::vector<Note> notes;
  NoteOnBuild(notes);
  const registry::SchedulerEntry& scheduler = *result.plan.scheduler;
  const registry::WorkloadEntry& workload = *result.plan.workload;
  NoteOnOptimization("scheduler", scheduler.name, scheduler.is_optimized, notes);
  NoteOnOptimization("workload", workload.name, workload.is_optimized, notes);
  NoteOnPerturbation(result.perturbed, notes);
  if (!result.observed.empty()) {
    notes.push_back({fmt::format("{}: the metrics include that cost", result.observed),
                     "measure without it to compare"});
  }
  if (result.rounds.empty()) {
    return notes;
  }
  NoteOnRounds(result, notes);
  if (result.effective_config) {
    NoteOnSettings("", config::ToJson(result.plan.config).dump(),
                   config::ToJson(*result.effective_config).dump(), notes);
  }
  NoteOnDisturbance(result, notes);
  NoteOnCpus(result, notes);
  NoteOnLoad(result, notes);
  NoteOnPercentiles(result, notes);
  NoteOnWakes(result, notes);
  return notes;
}

std::string DisturbedText(std::size_t repeated, std::size_t counted) {
  const std::string again = repeated > 0 ? Plural(repeated, "block") + " measured again" : "";
  return counted == 0 ? again
                      : fmt::format("{}{}{} counted although disturbed", again,
                                    again.empty() ? "" : ", ", Plural(counted, "block"));
}

std::vector<Note> EndingsOf(bool complete, bool out_of_budget, const harness::BlockCounts& counts) {
  std::vector<Note> notes;
  if (!complete) {
    notes.push_back({"the measurement was interrupted", "", "partial"});
  } else if (out_of_budget) {
    notes.push_back({"the time of --budget was over before the last block", "", "budget"});
  }
  if (counts.repeated > 0 || counts.disturbed > 0) {
    notes.push_back({"something else ran: " + DisturbedText(counts.repeated, counts.disturbed),
                     "schedbench doctor", "noise"});
  }
  return notes;
}

std::string NoteLines(const std::vector<Note>& notes, const TerminalStyle& style) {
  std::string text;
  for (const Note& note : notes) {
    const bool fits =
        config::CharacterCount(note.text) + config::CharacterCount(note.remedy) + 14 <=
        std::min(kLineWidth, style.width);
    const std::string gap = note.remedy.empty() ? "" : fits ? "    " : "\n" + std::string(10, ' ');
    text += LabelledLine(note.label, note.text + gap + note.remedy, style);
  }
  return text;
}

}  // namespace schedbench::report

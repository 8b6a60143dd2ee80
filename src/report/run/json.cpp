#include "base/vector_of.hpp"
#include "config/settings_json.hpp"
#include "metrics/metric_list.hpp"
#include "report/parts/json_parts.hpp"
#include "report/run/run_report.hpp"

#include <nlohmann/json.hpp>

#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace schedbench::harness {

static record::Of<TimelineFigures> RecordOf(const TimelineFigures* /*type*/) {
  using T = TimelineFigures;
  return {"TimelineFigures",
          {{"length_ns", &T::length_ns, "Length of that part."},
           {"wasted_ns", &T::wasted_ns,
            "Time of all workers together in which they were idle while a fiber was ready."},
           {"waits", &T::waits, "Waits of fibers that ended in it."},
           {"longest_wait_ns", &T::longest_wait_ns,
            "The longest of them, from suspension to running again."},
           {"jain_index",
            [](const T& figures) {
              return figures.fairness_windows > 0 ? std::optional(figures.jain_index)
                                                  : std::nullopt;
            },
            "Fairness among fibers that were ready or ran nearly all of a window: the median of "
            "Jain's index over the windows; null: no window had two such fibers."},
           {"least_jain_index",
            [](const T& figures) {
              return figures.fairness_windows > 0 ? std::optional(figures.least_jain_index)
                                                  : std::nullopt;
            },
            "The least of the windows."},
           {"fairness_windows", &T::fairness_windows, "Windows that have an index."}}};
}

}  // namespace schedbench::harness

namespace schedbench::report {

namespace {

using NamedCounts = std::vector<std::pair<std::string_view, std::uint64_t>>;

NamedCounts CountsOf(std::span<const metrics::MetricInfo> list,
                     const metrics::MetricValues& values) {
  NamedCounts counts;
  for (std::size_t i = 0; i < values.size(); ++i) {
    counts.emplace_back(list[i].name, values[i]);
  }
  return counts;
}

struct RunWorker {
  std::size_t worker;
  NamedCounts metrics;
};

record::Of<RunWorker> RecordOf(const RunWorker* /*type*/) {
  using T = RunWorker;
  return {"Worker",
          {{"worker", &T::worker, "Counted from 0."},
           {record::kInline, &T::metrics, "A metric, by its name."}}};
}

}  // namespace

record::Record RecordOf(const harness::RunResult* /*type*/) {
  using T = harness::RunResult;
  using Plan = harness::RunPlan;
  return ResultRecord<"run", T>(
      {{"complete", &T::complete, kCompleteDoc},
       {"scheduler", [](const T& result) { return result.plan.scheduler->name; },
        "Name of the scheduler."},
       {"config", [](const T& result) { return config::ToJson(result.plan.config); },
        "The effective settings of the scheduler, defaults included."},
       {"effective_config",
        [](const T& result) {
          return Mapped(result.effective_config,
                        [](const auto& config) { return config::ToJson(config); });
        },
        "The settings that were in effect. Null: unknown."},
       {"workload", &T::plan, "The workload."},
       {"seed", &T::plan, &Plan::seed, kSeedDoc},
       {"rounds", [](const T& result) { return RoundsOf(*result.plan.workload, result.rounds); },
        "Measured rounds."},
       {"summary", [](const T& result) { return SummaryOf(result.summary); },
        "Each metric over the rounds: the median with its 95 % interval, or the range of few "
        "rounds."},
       {"workers",
        [](const T& result) {
          std::vector<RunWorker> workers;
          for (const metrics::MetricValues& values : result.workers) {
            workers.push_back({workers.size(), CountsOf(metrics::WorkerMetricList(), values)});
          }
          return workers;
        },
        "The metrics of each worker over the measured rounds (schedbench list metrics)."},
       {"total",
        [](const T& result) { return CountsOf(metrics::WorkerMetricList(), result.total); },
        "The metrics of all workers together."},
       {"pool", [](const T& result) { return CountsOf(metrics::PoolMetricList(), result.pool); },
        "The metrics of the scheduler as a whole."},
       {"imbalance", [](const T& result) { return result.Imbalance(); },
        "Tasks of the busiest worker by the mean of all."},
       {"external_submissions", &T::external_submissions,
        "Tasks that threads outside the pool submitted."},
       {"warmup", &T::plan, &Plan::warmup, "Warm-up rounds."},
       {"rounds_planned", &T::plan, &Plan::rounds, "Rounds that were requested."},
       {"peak_rss_bytes", &T::peak_resident_bytes,
        "The most memory that the process has had in RAM."},
       {"failure", &T::failure, "Why the result is not complete.", {record::kNull}},
       {"diagnosis", [](const T& result) { return LinesOf(result.diagnosis); },
        "Lines that explain a hang."},
       {"timeout_ns", &T::plan, &Plan::timeout,
        "Time without progress after which a run fails; 0: none."},
       {"observed",
        &T::observed,
        "What was done to the run besides measuring it: its metrics include that cost.",
        {record::kNull}},
       {"timeline", &T::timeline,
        "What the recorded events of the last part of the run show; null without --trace."},
       {"perturbed", &T::perturbed, kPerturbedDoc, {record::kNull}}});
}

}  // namespace schedbench::report

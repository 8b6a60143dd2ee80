#include "harness/slo_search.hpp"

#include "base/vector_of.hpp"
#include "config/schema.hpp"
#include "harness/recorder.hpp"
#include "harness/runner.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>
#include <variant>

namespace schedbench::harness {

namespace {

// Rounds get longer as rates get smaller: 5000 requests at a sixteenth of 20,000/s take 4 s.
constexpr double kLowestShare = 1.0 / 16;

LoadRange RangeOf(const RunPlan& plan) {
  const std::string_view field = plan.workload->open_load->rate;
  const config::Leaf* const leaf = plan.parameters.GetSchema().FindLeaf(field);
  const double first = std::get<double>(plan.parameters.Get(field));
  return {.first = first,
          .lowest = std::max(std::get<double>(leaf->field->min), first * kLowestShare),
          .highest = std::get<double>(leaf->field->max)};
}

}  // namespace

LoadProbe JudgeRate(const registry::WorkloadEntry& workload,
                    const std::vector<LatencyLimit>& limits, double rate,
                    const std::vector<Round>& rounds) {
  const registry::OpenLoad& load = *workload.open_load;
  LoadProbe probe{.rate = rate, .rounds = rounds, .summary = Summarise(workload, rounds)};
  probe.backlog_growth = Mapped(RowOf(probe.summary, load.backlog_growth).spread, &Spread::median);
  probe.saturated = probe.backlog_growth.value_or(0) > load.saturated_above;
  probe.holds =
      !probe.saturated && std::ranges::all_of(limits, [&probe](const LatencyLimit& limit) {
        const auto& spread = probe.summary[limit.metric].spread;
        return spread && spread->median < limit.below_ns;
      });
  return probe;
}

SloSearch::SloSearch(const RunPlan& plan, std::vector<LatencyLimit> limits)
    : plan_(plan),
      limits_(std::move(limits)),
      range_(RangeOf(plan)) {
}

std::string SloSearch::Execute(const OnProbe& on_probe, WatchPoint& watch) {
  std::string failure;
  const auto holds = [&](double rate) -> std::optional<bool> {
    RunPlan plan = plan_;
    plan.parameters.Set(plan.workload->open_load->rate, rate, {});
    Recorder recorder(plan);
    failure = ExecutePlan(plan, recorder, [](std::uint32_t, std::uint32_t, bool) {}, watch);
    if (!failure.empty()) {
      failure += fmt::format("; at a rate of {:.6g}/s", rate);
      return std::nullopt;
    }
    const LoadProbe probe = JudgeRate(*plan_.workload, limits_, rate, recorder.Take("").rounds);
    {
      const platform::MutexLock lock(mutex_);
      probes_.push_back(probe);
    }
    on_probe(probe);  // the caller finds it in Take()
    return probe.holds;
  };
  LoadRange range = range_;
  for (std::size_t search = 0; search < kSearches; ++search) {
    const LoadBounds bounds = FindLargestLoad(range, holds);
    if (bounds.ending != LoadEnding::kStopped) {
      const platform::MutexLock lock(mutex_);
      searches_.push_back(bounds);
    }
    if (bounds.ending != LoadEnding::kFound) {
      break;
    }
    range.first = *bounds.holds;
    range.step = 1.1;  // arbitrary: five resolutions
  }
  return failure;
}

SloResult SloSearch::Take(const Outcome& outcome) const {
  SloResult result{.plan = plan_,
                   .limits = limits_,
                   .range = range_,
                   .disturbance = outcome.result.disturbance,
                   .complete = outcome.result.complete,
                   .failure = outcome.result.failure,
                   .diagnosis = outcome.result.diagnosis,
                   .perturbed = outcome.result.perturbed,
                   .machine = outcome.result.machine,
                   .command = outcome.result.command};
  const platform::MutexLock lock(mutex_);
  result.probes = probes_;
  result.searches = searches_;
  return result;
}

std::optional<LoadBounds> BoundsOf(const SloResult& result) {
  if (result.searches.empty()) {
    return std::nullopt;
  }
  LoadBounds all = result.searches.front();
  for (const LoadBounds& search : result.searches) {
    if (search.ending != LoadEnding::kFound) {
      all.ending = search.ending;
    }
    if (search.holds) {
      all.holds = std::min(*search.holds, all.holds.value_or(*search.holds));
    }
    if (search.fails) {
      all.fails = std::max(*search.fails, all.fails.value_or(*search.fails));
    }
  }
  return all;
}

bool IsRepeatable(const SloResult& result) {
  const auto bounds = BoundsOf(result);
  const bool same_ending =
      std::ranges::all_of(result.searches, [&result](const LoadBounds& search) {
        return search.ending == result.searches.front().ending;
      });
  return bounds && same_ending &&
         (bounds->ending != LoadEnding::kFound || *bounds->fails <= kRepeatable * *bounds->holds);
}

}  // namespace schedbench::harness

#include "harness/compare/analysis.hpp"

#include "base/vector_of.hpp"
#include "harness/compare/block_value.hpp"
#include "metrics/metric_list.hpp"
#include "stats/bootstrap.hpp"
#include "stats/order_statistics.hpp"
#include "stats/ratio.hpp"
#include "stats/suspicion.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace schedbench::harness {

namespace {

using registry::Better;
using registry::Metric;

// A smaller change explains nothing; a mechanism that is used less often hardly matters.
constexpr double kMuchMore = 1.5;
constexpr double kOftenPerOperation = 0.01;
constexpr std::size_t kMaxMoved = 4;  // number that fits on a line

class Analysis {
 public:
  Analysis(const ComparisonPlan& plan, const ExperimentData& data, const MinEffect& min_effect)
      : plan_(plan),
        data_(data),
        min_effect_(min_effect),
        looks_(LooksOf(plan)) {
  }

  Comparison Draw() {
    for (std::size_t workload = 0; workload < plan_.workloads.size(); ++workload) {
      for (const Metric* const metric :
           ComparedMetrics(*plan_.workloads[workload].entry, plan_.metrics)) {
        AddRows(workload, *metric);
      }
    }
    comparison_.comparisons = pending_.size();
    if (!pending_.empty()) {
      comparison_.level = stats::LevelOfEach(kJointLevel, pending_.size());
    }
    // The confidence of each interval follows from their number.
    for (const Pending& pending : pending_) {
      ComparedRow& row = comparison_.rows[pending.row];
      if (plan_.saved.count == 0) {
        Decide(row, {pending.first, pending.second});
      } else {
        DecideApart(row, Present(pending.first), Present(pending.second));
      }
    }
    for (std::size_t workload = 0; workload < plan_.workloads.size(); ++workload) {
      for (std::size_t i = 0; i < plan_.alternatives.size(); ++i) {
        if (Differs(workload, i)) {
          AddMoved(workload, i);
        }
      }
    }
    return std::move(comparison_);
  }

 private:
  void AddRows(std::size_t workload, const Metric& metric) {
    for (std::size_t i = 0; i < plan_.alternatives.size(); ++i) {
      const Series& series = data_.series[workload][i];
      const auto values = ValuesByBlock(series, metric);
      ComparedRow row{.workload = workload,
                      .alternative = i,
                      .metric = &metric,
                      .missing = MissingReason(series, metric, values),
                      .against = Against(plan_, i)};
      row.never = row.missing == kNotReported || series.absent;
      if (row.missing.empty()) {
        row.spread = SpreadOf(Present(values));
        if (row.against) {
          const Series& first = data_.series[workload][*row.against];
          auto values_of_first = ValuesByBlock(first, metric);
          if (MissingReason(first, metric, values_of_first).empty()) {
            pending_.push_back({comparison_.rows.size(), std::move(values_of_first), values});
          } else {
            row.missing = kNothingToCompare;
            row.never =
                MissingReason(first, metric, values_of_first) == kNotReported || first.absent;
          }
        }
      }
      comparison_.rows.push_back(std::move(row));
    }
  }

  // Returns why a series has no result. A series that failed has won nothing by its earlier blocks,
  // and the blocks that have a metric are not a fair sample of all.
  static std::string MissingReason(const Series& series, const Metric& metric,
                                   const BlockValues& values) {
    if (series.absent) {
      return "not there";
    }
    if (!series.failure.empty()) {
      return "DNF";
    }
    if (values.empty()) {
      return "no block was finished";
    }
    const auto lacking = std::ranges::count_if(
        values, [](const std::optional<double>& value) { return !value.has_value(); });
    if (std::cmp_equal(lacking, values.size()) && !Reports(series, metric)) {
      return std::string(kNotReported);
    }
    return lacking == 0 ? ""
                        : fmt::format("too few samples in {} of {} blocks", lacking, values.size());
  }

  // Returns whether the agent has the metric, even if it is null.
  static bool Reports(const Series& series, const Metric& metric) {
    return std::ranges::any_of(series.blocks, [&metric](const std::vector<RoundReply>& rounds) {
      return std::ranges::any_of(rounds, [&metric](const RoundReply& round) {
        return std::ranges::find(round.metrics, metric.name, &NamedMetric::first) !=
               round.metrics.end();
      });
    });
  }

  void Decide(ComparedRow& row, const BlockPairs& values) const {
    const stats::LogRatios pairs = stats::PairLogRatios(values.a, values.b);
    row.pairs = pairs.values.size();
    for (const double logarithm : pairs.values) {
      row.block_ratios.push_back(std::exp(logarithm));
    }
    row.level = comparison_.level;
    stats::LogRatios counted = pairs;
    if (plan_.budget) {
      const stats::Looks::Look look = looks_.LastOf(pairs.values.size());
      row.level = look.level;
      counted.values.resize(look.size);
    }
    if (!pairs.values.empty()) {
      row.point = std::exp(stats::Median(pairs.values));
    }
    const double dependence = counted.values.empty() ? 0 : stats::Dependence(counted.values);
    row.dependent = dependence > 0;
    row.ratio =
        counted.values.empty() ? std::nullopt : stats::PairedRatio(counted, row.level, dependence);
    if (pairs.dropped > 0) {
      row.ratio.reset();
      row.missing =
          fmt::format("no ratio: 0 in {} of {} blocks", pairs.dropped, pairs.dropped + row.pairs);
      // Here a look of the analysis counts all blocks, also those without a ratio.
      std::size_t size = values.a.size();
      if (plan_.budget) {
        const stats::Looks::Look look = looks_.LastOf(size);
        row.level = look.level;
        size = look.size;
      }
      ConcludeFrom(row, values.a,
                   stats::PairedDifference(std::span(values.a).first(size),
                                           std::span(values.b).first(size), row.level));
      return;
    }
    if (!row.ratio) {
      const std::size_t needed = stats::SmallestSampleWithInterval(row.level);
      row.missing = fmt::format(
          "{} {}, an interval needs {}: {}", row.pairs, row.pairs == 1 ? "block" : "blocks", needed,
          plan_.budget && plan_.blocks >= needed ? "a larger --budget"
                                                 : fmt::format("--blocks {}", needed));
      return;
    }
    Conclude(row, *row.ratio);
  }

  // Decides a row whose sides were not measured side by side.
  void DecideApart(ComparedRow& row, const std::vector<double>& first,
                   const std::vector<double>& second) const {
    row.pairs = std::min(first.size(), second.size());
    const auto has_ratio = [](double value) { return value > 0 && std::isfinite(value); };
    if (!std::ranges::all_of(first, has_ratio) || !std::ranges::all_of(second, has_ratio)) {
      row.missing = "no ratio: 0 in some blocks";
      row.level = comparison_.level;
      ConcludeFrom(row, first, stats::DifferenceOfMedians(first, second, row.level));
      return;
    }
    // With so few blocks no ranks are significant, and the bootstrap's interval is too narrow.
    if (stats::SmallestP(first.size(), second.size()) > 1 - comparison_.level) {
      row.missing = fmt::format("{} saved and {} new blocks prove nothing: more --blocks",
                                first.size(), second.size());
      return;
    }
    row.level = comparison_.level;
    row.ranks = stats::MannWhitney(first, second);
    row.ratio = stats::RatioOfMedians(first, second, comparison_.level, plan_.seed);
    Conclude(row, *row.ratio);
  }

  // `reference`: the values of the alternative that the row is compared with.
  void ConcludeFrom(ComparedRow& row, const std::vector<double>& reference,
                    const std::optional<stats::DifferenceEstimate>& difference) const {
    if (difference) {
      row.difference = difference;
      Conclude(row, stats::RelativeTo(stats::Median(reference), *difference));
    }
  }

  void Conclude(ComparedRow& row, const stats::RatioEstimate& judged) const {
    row.judged = judged;
    const double min_effect = row.metric->name == "throughput"
                                  ? std::max(min_effect_.of_all, min_effect_.of_throughput)
                                  : min_effect_.of_all;
    if (AreSameInEffect(plan_, data_, row.alternative, row.against.value())) {
      row.verdict = Verdict::kSame;
      return;
    }
    const stats::Change change = stats::Judge(judged, min_effect);
    row.verdict = ToVerdict(change, row.metric->better);
    if (change == stats::Change::kInconclusive && row.ratio) {
      row.pairs_to_resolve =
          std::max(row.pairs + 1, stats::PairsToResolve(*row.ratio, min_effect, row.pairs));
    }
  }

  // Returns whether there is anything to explain.
  bool Differs(std::size_t workload, std::size_t alternative) const {
    return std::ranges::any_of(comparison_.rows, [&](const ComparedRow& row) {
      return row.workload == workload && row.alternative == alternative && row.verdict &&
             *row.verdict != Verdict::kSame && *row.verdict != Verdict::kInconclusive;
    });
  }

  // Adds counts per operation that the agents of both have.
  void AddMoved(std::size_t workload, std::size_t alternative) {
    const Series& first = data_.series[workload][Against(plan_, alternative).value()];
    const Series& second = data_.series[workload][alternative];
    if (first.blocks.empty() || first.blocks.front().empty() || second.blocks.empty()) {
      return;
    }
    std::vector<MovedCount> moved;
    for (const auto& [name, ignored] : first.blocks.front().front().counts) {
      const auto a = CountPerOperation(first, name);
      const auto b = CountPerOperation(second, name);
      if (a && b && std::max(*a, *b) >= kOftenPerOperation &&
          std::max(*a, *b) >= kMuchMore * std::min(*a, *b)) {
        moved.push_back({.workload = workload,
                         .alternative = alternative,
                         .name = name,
                         .first = *a,
                         .second = *b});
      }
    }
    // A frequent use with a large difference says more than a rare use with a large factor.
    std::ranges::sort(moved, std::greater<>(),
                      [](const MovedCount& count) { return std::abs(count.second - count.first); });
    moved.resize(std::min(moved.size(), kMaxMoved));
    std::ranges::move(moved, std::back_inserter(comparison_.moved));
  }

  static std::optional<double> CountPerOperation(const Series& series, const std::string& name) {
    const auto values = Present(ValuesByBlock(series, [&name](const RoundReply& round) {
      return Mapped(CountOf(round, name),
                    [&round](std::uint64_t count) { return Quotient(count, round.operations); });
    }));
    return values.empty() ? std::nullopt : std::optional(stats::Median(values));
  }

  const ComparisonPlan& plan_;
  const ExperimentData& data_;
  const MinEffect min_effect_;
  const stats::Looks looks_;  // looks of the analysis at the blocks of a plan with a budget
  Comparison comparison_;
  // Rows that are to get a ratio, by their index, and the blocks of both sides.
  struct Pending {
    std::size_t row;
    BlockValues first;
    BlockValues second;
  };
  std::vector<Pending> pending_;
};

// Returns workers' and schedulers' counts per operation. An agent reports only the sums.
const std::vector<Metric>& CountedMetrics() {
  static const std::vector<Metric> metrics = [] {
    std::vector<Metric> all;
    for (const auto list : {metrics::WorkerMetricList(), metrics::PoolMetricList()}) {
      for (const metrics::MetricInfo& info : list) {
        if (info.unit != "ns" && info.aggregation == metrics::Aggregation::kSum) {
          all.push_back({info.name, "per op", Better::kNone, info.doc});
        }
      }
    }
    return all;
  }();
  return metrics;
}

// Counts the metrics of all workloads that `counts` accepts, for each alternative with a reference.
template <typename Counts>
std::size_t Comparisons(const ComparisonPlan& plan, Counts counts) {
  std::size_t metrics = 0;
  for (const ComparedWorkload& workload : plan.workloads) {
    const auto all = ComparedMetrics(*workload.entry, plan.metrics);
    metrics += static_cast<std::size_t>(std::ranges::count_if(all, counts));
  }
  std::size_t compared = 0;
  for (std::size_t i = 0; i < plan.alternatives.size(); ++i) {
    compared += Against(plan, i) ? 1U : 0U;
  }
  return std::max<std::size_t>(metrics * compared, 1);
}

}  // namespace

Verdict ToVerdict(stats::Change change, Better better) {
  using stats::Change;
  const bool rises = change == Change::kRise || change == Change::kSlightRise;
  const bool good = rises == (better == Better::kHigher);
  switch (change) {
    case Change::kNone:
      return Verdict::kSame;
    case Change::kInconclusive:
      return Verdict::kInconclusive;
    case Change::kRise:
    case Change::kFall:
      return better == Better::kNone ? Verdict::kDiffers
             : good                  ? Verdict::kBetter
                                     : Verdict::kWorse;
    case Change::kSlightRise:
    case Change::kSlightFall:
      break;
  }
  return better == Better::kNone ? Verdict::kDiffers
         : good                  ? Verdict::kSlightlyBetter
                                 : Verdict::kSlightlyWorse;
}

bool AreSameInEffect(const Alternative& one, std::string_view of_one, const Alternative& other,
                     std::string_view of_other) {
  return one.command == other.command && one.scheduler == other.scheduler &&
         one.config != other.config && of_one == of_other && !of_one.empty() && of_one != "{}";
}

std::string_view ConfigInEffect(const ExperimentData& data, std::size_t alternative) {
  for (const std::vector<Series>& of_workload : data.series) {
    if (!of_workload[alternative].config.empty()) {
      return of_workload[alternative].config;
    }
  }
  return "";
}

bool AreSameInEffect(const ComparisonPlan& plan, const ExperimentData& data, std::size_t one,
                     std::size_t other) {
  return AreSameInEffect(plan.alternatives[one], ConfigInEffect(data, one),
                         plan.alternatives[other], ConfigInEffect(data, other));
}

std::vector<const Metric*> ComparedMetrics(const registry::WorkloadEntry& workload,
                                           const std::vector<std::string>& names) {
  constexpr std::array<std::string_view, 5> kOfRounds{"throughput", "wakeup_p50", "wakeup_p99",
                                                      "wakeup_p99_9", "cpu_per_operation"};
  auto metrics = VectorOf(
      kOfRounds, [](auto name) { return &RoundMetricList()[RoundMetricIndex(name)].info; });
  metrics.push_back(&kPeakMemory);
  for (const Metric& metric : workload.metrics) {
    if (metric.better != Better::kNone) {
      metrics.push_back(&metric);
    }
  }
  if (!names.empty()) {
    const auto add = [&metrics](const Metric& metric) {
      if (std::ranges::find(metrics, metric.name, &Metric::name) == metrics.end()) {
        metrics.push_back(&metric);
      }
    };
    for (const RoundMetric& metric : RoundMetricList()) {
      add(metric.info);
    }
    std::ranges::for_each(workload.metrics, add);
    std::ranges::for_each(CountedMetrics(), add);
    std::erase_if(metrics, [&names](const Metric* metric) {
      return std::ranges::find(names, metric->name) == names.end();
    });
  }
  return metrics;
}

const registry::Metric& RankingMetric(const ComparisonPlan& plan, std::size_t workload) {
  const registry::WorkloadEntry& entry = *plan.workloads[workload].entry;
  const auto metrics = ComparedMetrics(entry, plan.metrics);
  const auto ranking = std::ranges::find_if(
      metrics,
      [&entry](const registry::Metric* const metric) { return metric->name == entry.ranked_by; });
  return ranking == metrics.end() ? *metrics.front() : **ranking;
}

std::size_t PlannedComparisons(const ComparisonPlan& plan) {
  return Comparisons(plan, [](const Metric* /*metric*/) { return true; });
}

std::size_t CertainComparisons(const ComparisonPlan& plan) {
  return Comparisons(plan, [](const Metric* metric) {
    return metric->name == "throughput" || metric->name == "cpu_per_operation" ||
           metric == &kPeakMemory;
  });
}

std::size_t BlocksFor(std::size_t comparisons, const ComparisonPlan& plan) {
  const double level = stats::LevelOfEach(kJointLevel, comparisons);
  return plan.budget ? stats::Looks(level).SizeOf(0) : stats::SmallestSampleWithInterval(level);
}

stats::Looks LooksOf(const ComparisonPlan& plan) {
  return stats::Looks(stats::LevelOfEach(kJointLevel, PlannedComparisons(plan)));
}

std::vector<std::vector<bool>> SettledAlternatives(const ComparisonPlan& plan,
                                                   const ExperimentData& data,
                                                   const MinEffect& min_effect) {
  const stats::Looks looks = LooksOf(plan);
  std::vector<std::vector<bool>> settled;
  for (const std::vector<Series>& series : data.series) {
    settled.emplace_back(series.size(), looks.IsDueAt(series.front().blocks.size()));
    settled.back().front() = false;
  }
  for (const ComparedRow& row : Analyse(plan, data, min_effect).rows) {
    if (!row.never &&
        (!row.verdict || *row.verdict == Verdict::kInconclusive || row.judged->stops_short)) {
      settled[row.workload][row.alternative] = false;
    }
  }
  return settled;
}

Comparison Analyse(const ComparisonPlan& plan, const ExperimentData& data,
                   const MinEffect& min_effect) {
  return Analysis(plan, data, min_effect).Draw();
}

}  // namespace schedbench::harness

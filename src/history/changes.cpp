#include "history/changes.hpp"

#include "config/quote.hpp"
#include "stats/bootstrap.hpp"
#include "stats/change_points.hpp"
#include "stats/suspicion.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <tuple>

namespace schedbench::history {

namespace {

// The seed is fixed: equal histories have equal changes.
constexpr std::uint64_t kSeed = 1;
constexpr double kLevelOfRatio = 0.95;
constexpr std::size_t kResamples = 2'000;

using Warnings = std::vector<std::string>;

std::string Name(const RevisionValue& value) {
  return config::Quoted(value.revision.name);
}

// Returns the first value whose number is below the previous one's; the end if there is none.
template <typename Number>
std::size_t FirstFall(const std::vector<RevisionValue>& values, Number number) {
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (number(values[i]) < number(values[i - 1])) {
      return i;
    }
  }
  return values.size();
}

std::int64_t CommitTime(const RevisionValue& value) {
  return value.revision.commit_time.value_or(0);
}

Warnings OrderByCommits(std::vector<RevisionValue>& values,
                        const std::vector<std::string>& commits) {
  std::map<std::string, std::size_t> places;
  for (const std::string& commit : commits) {
    places.emplace(commit, places.size());
  }
  const auto place_of = [&](const RevisionValue& value) {
    const auto found = places.find(value.revision.name);
    return found == places.end() ? std::numeric_limits<std::size_t>::max() : found->second;
  };
  std::ranges::sort(values, {}, [&](const RevisionValue& value) {
    return std::tuple(place_of(value), value.sequence);
  });
  Warnings warnings;
  const auto strange = std::ranges::find_if(
      values, [&](const RevisionValue& value) { return !places.contains(value.revision.name); });
  if (strange != values.end()) {
    warnings.push_back(
        fmt::format("the repository has no revision {}: such revisions come last", Name(*strange)));
  }
  const bool have_times = std::ranges::all_of(
      values, [](const RevisionValue& value) { return value.revision.commit_time.has_value(); });
  if (const std::size_t fall = FirstFall(values, CommitTime); have_times && fall < values.size()) {
    warnings.push_back(
        fmt::format("the commit time of {} is before that of its ancestor {}: the order is that of "
                    "the commits",
                    Name(values[fall]), Name(values[fall - 1])));
  }
  return warnings;
}

// Returns whether values resemble their neighbours more than independent ones. It uses the
// correlation of successive differences, on which few steps have little influence: -1/2 for
// independent values, and (c - 1) / 2 if each value keeps c of the previous one. It uses ranks, so
// that a step counts like another large difference; the correlation of the ranks of normal values
// is 6 / pi asin(-1/4). The variance is about (1 - 3/4 + 1/4) / n (M. S. Bartlett, 1946).
bool DifferencesShowDependence(const std::vector<double>& values) {
  if (values.size() < 4) {
    return false;
  }
  std::vector<double> differences;
  for (std::size_t i = 1; i < values.size(); ++i) {
    differences.push_back(std::log(values[i] / values[i - 1]));
  }
  std::vector<double> sorted = differences;
  std::ranges::sort(sorted);
  std::vector<double> ranks;
  for (const double difference : differences) {
    const auto [first, last] = std::ranges::equal_range(sorted, difference);
    ranks.push_back(static_cast<double>((first - sorted.begin()) + (last - sorted.begin())));
  }
  constexpr double kOfIndependent = -0.4826;
  const double deviation = std::sqrt(0.5 / static_cast<double>(ranks.size()));
  return stats::Lag1Correlation(ranks) > kOfIndependent + 2 * deviation;
}

}  // namespace

std::vector<std::string> OrderByRevision(std::vector<RevisionValue>& values,
                                         const std::vector<std::string>& commits) {
  if (!commits.empty()) {
    return OrderByCommits(values, commits);
  }
  std::ranges::sort(values, {}, &RevisionValue::sequence);
  const auto timed = std::ranges::count_if(
      values, [](const RevisionValue& value) { return value.revision.commit_time.has_value(); });
  Warnings warnings;
  if (timed == static_cast<std::ptrdiff_t>(values.size())) {
    if (const std::size_t fall = FirstFall(values, CommitTime); fall < values.size()) {
      warnings.push_back(
          fmt::format("{} was added after {}, but its commit time is earlier: the order is that of "
                      "the commit times    --repository DIR orders by commits",
                      Name(values[fall]), Name(values[fall - 1])));
    }
    std::ranges::sort(values, {}, [](const RevisionValue& value) {
      return std::tuple(CommitTime(value), value.sequence);
    });
    return warnings;
  }
  if (timed > 0) {
    warnings.emplace_back(
        "only some revisions have a commit time: the order is that of adding    --repository DIR "
        "orders by commits");
  }
  if (const std::size_t fall =
          FirstFall(values, [](const RevisionValue& value) { return value.added_time; });
      fall < values.size()) {
    warnings.push_back(
        fmt::format("the clock of the machine was set back between {} and {}: the order is that of "
                    "adding",
                    Name(values[fall - 1]), Name(values[fall])));
  }
  return warnings;
}

Changes FindChanges(const std::vector<double>& values, double alpha) {
  Changes changes{.found = {}, .too_few = values.size() < stats::SmallestSeriesWithChange(alpha)};
  std::vector<double> logarithms;  // on a logarithmic scale twice and half are equally far
  for (const double value : values) {
    logarithms.push_back(std::log(value));
  }
  const std::vector<stats::ChangePoint> points = stats::ChangePoints(logarithms, alpha, kSeed);
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= points.size(); ++i) {
    const std::size_t end = i < points.size() ? points[i].at : values.size();
    const std::span<const double> level = std::span(values).subspan(begin, end - begin);
    if (i > 0) {
      const std::size_t former = i > 1 ? points[i - 2].at : 0;
      changes.found.push_back(
          {.at = begin,
           .p = points[i - 1].p,
           .ratio = stats::RatioOfMedians(std::span(values).subspan(former, begin - former), level,
                                          kLevelOfRatio, kSeed, kResamples)});
    }
    begin = end;
  }
  changes.dependent = DifferencesShowDependence(values);
  return changes;
}

}  // namespace schedbench::history

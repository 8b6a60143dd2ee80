#include "harness/audit/audit.hpp"

#include "base/vector_of.hpp"
#include "config/schema.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

namespace schedbench::harness {

namespace {

constexpr double kMost = 0.5;  // a use with this share dominates
constexpr double kMuch = 0.2;  // advice starts at this share
constexpr double kLittle = 0.05;

// Returns the mean over the schedulers.
double ShareOf(const AuditResult& result, TimeUse use) {
  const double sum =
      SumOf(result.schedulers, [use](const auto& scheduler) { return scheduler.split[use]; });
  return result.schedulers.empty() ? 0 : sum / static_cast<double>(result.schedulers.size());
}

// Returns the share that the scheduler itself takes.
double OwnShare(const AuditResult& result) {
  return ShareOf(result, TimeUse::kSwitch) + ShareOf(result, TimeUse::kLock) +
         ShareOf(result, TimeUse::kSearch);
}

std::string ShareText(double share) {
  return share < 0.1 ? fmt::format("{:.1f} %", 100 * share) : fmt::format("{:.0f} %", 100 * share);
}

std::string ChangeText(double change) {
  return fmt::format("{:+.1f} %", 100 * change);
}

bool HasMode(const registry::WorkloadEntry& workload, std::string_view mode) {
  const config::Leaf* const leaf = workload.schema().FindLeaf("mode");
  return leaf != nullptr &&
         std::ranges::find(leaf->field->choices, mode) != leaf->field->choices.end();
}

// Sets the key in the workload's text: "yield:yields=5,mode=spin".
std::string With(std::string text, std::string_view key, std::string_view value) {
  const std::string assignment = fmt::format("{}=", key);
  for (const char before : {':', ','}) {
    const std::size_t begin = text.find(before + assignment);
    if (begin != std::string::npos) {
      const std::size_t end = std::min(text.find(',', begin + 1), text.size());
      return text.replace(begin + 1, end - begin - 1, assignment + std::string(value));
    }
  }
  const char separator = text.find(':') == std::string::npos ? ':' : ',';
  return text + separator + assignment + std::string(value);
}

// Returns the command of the user with another workload and more flags.
std::string CommandWith(const AuditResult& result, const std::string& workload,
                        const std::string& flags = "") {
  std::string command = "schedbench audit " + workload;
  for (const AuditedScheduler& scheduler : result.schedulers) {
    command += " " + scheduler.name;
  }
  constexpr std::size_t kLongest = 160;  // the names of all schedulers would hide the rest
  if (command.size() > kLongest) {
    command = "schedbench audit " + workload + " SCHEDULER...";
  }
  return command + (flags.empty() ? result.flags : flags);
}

std::string DominanceText(const AuditResult& result) {
  const TimeUseInfo& dominant = std::ranges::max(
      TimeUses(), {}, [&](const TimeUseInfo& info) { return ShareOf(result, info.use); });
  const std::string where = result.schedulers.size() == 1 ? result.schedulers.front().name
                                                          : fmt::format("{} schedulers, on average",
                                                                        result.schedulers.size());
  return fmt::format("{} of the workers' time in {} is {} ({}).",
                     ShareText(ShareOf(result, dominant.use)), result.workload->name,
                     dominant.label, where);
}

std::string OwnText(const AuditResult& result) {
  const double own = OwnShare(result);
  if (own >= kMost) {
    return fmt::format("The scheduler's own work takes {}: this benchmark measures the scheduler.",
                       ShareText(own));
  }
  return fmt::format("The scheduler's own work (switches, locks, search) takes {}.",
                     ShareText(own));
}

std::string DifferenceText(const AuditResult& result) {
  const auto difference = DifferenceOf(result);
  if (!difference) {
    return "";
  }
  const std::string text = fmt::format(
      "Of {} schedulers, {} differs most from {} in throughput: {} [{} to {}]. ",
      result.schedulers.size(), difference->name, result.schedulers.front().name,
      ChangeText(difference->change), ChangeText(difference->low), ChangeText(difference->high));
  return text + (difference->proven ? "The benchmark distinguishes them."
                                    : "The benchmark distinguishes none from the first one.");
}

// Adds the schedulers without a result, and the ratios without an interval.
void AddComparisonProblems(const AuditResult& result, std::vector<std::string>& sentences) {
  if (result.data.series.empty()) {
    return;
  }
  for (std::size_t i = 0; i < result.data.series.front().size(); ++i) {
    if (const std::string& failure = result.data.series.front()[i].failure; !failure.empty()) {
      sentences.push_back(
          fmt::format("{} gave no result: {}.", result.plan.alternatives[i].name, failure));
    }
  }
  for (const ComparedRow& row : result.comparison.rows) {
    if (row.spread && !row.ratio && !row.missing.empty()) {
      sentences.push_back(fmt::format("No interval for {}: {}.",
                                      result.plan.alternatives[row.alternative].name, row.missing));
      break;
    }
  }
}

// Adds what the split of a scheduler could not separate.
void AddMissingParts(const AuditedScheduler& scheduler, std::vector<std::string>& sentences) {
  if (scheduler.samples == 0) {
    sentences.push_back(fmt::format(
        "{} has no sample: its threads used no CPU time, or run no fibers. Its split is unknown.",
        scheduler.name));
    return;
  }
  if (!scheduler.split.separates_calls) {
    sentences.push_back(
        fmt::format("On {}, sleeps count as calls: the kernel does not report them "
                    "(/proc/self/task/*/syscall).",
                    scheduler.name));
  }
  if (!scheduler.split.separates_locks) {
    sentences.push_back(
        fmt::format("On {}, waits for locks that block a thread count as parked: "
                    "the scheduler does not measure how long it parks.",
                    scheduler.name));
  }
}

}  // namespace

std::optional<LargestDifference> DifferenceOf(const AuditResult& result) {
  std::optional<LargestDifference> largest;
  double distance = -1;
  for (const ComparedRow& row : result.comparison.rows) {
    if (!row.ratio) {
      continue;
    }
    const bool proven = row.ratio->low > 1 || row.ratio->high < 1;
    const double row_distance = std::abs(std::log(row.ratio->ratio));
    // Prefer a proven difference to a larger one that is not proven.
    const bool is_better = !largest || (proven && !largest->proven) ||
                           (proven == largest->proven && row_distance > distance);
    if (is_better) {
      distance = row_distance;
      largest = {.name = result.plan.alternatives[row.alternative].name,
                 .change = row.ratio->ratio - 1,
                 .low = row.ratio->low - 1,
                 .high = row.ratio->high - 1,
                 .proven = proven};
    }
  }
  return largest;
}

std::optional<Fairer> FairerVersion(const AuditResult& result) {
  if (result.schedulers.empty() || OwnShare(result) >= kMost) {
    return std::nullopt;
  }
  const registry::WorkloadEntry& workload = *result.workload;
  const std::uint32_t workers =
      std::ranges::max(VectorOf(result.schedulers, &AuditedScheduler::workers));
  if (ShareOf(result, TimeUse::kSleep) >= kMuch && HasMode(workload, "spin")) {
    return Fairer{.advice = "Without sleeps the scheduler shows:",
                  .command = CommandWith(result, With(result.workload_text, "mode", "spin"))};
  }
  // Work that arrives at times of its own leaves any number of workers without work.
  const bool comes_at_times =
      workload.open_load != nullptr || workload.schema().FindLeaf("interval_ns") != nullptr;
  if (ShareOf(result, TimeUse::kPark) >= kMuch && workers > 1 && !comes_at_times) {
    return Fairer{.advice = "Workers have no work much of the time. With one worker:",
                  .command = CommandWith(result, result.workload_text, " --workers 1")};
  }
  if (ShareOf(result, TimeUse::kPreempted) >= kMuch && workers > 1) {
    return Fairer{.advice = "Other threads have the CPUs much of the time. With fewer workers:",
                  .command = CommandWith(result, result.workload_text,
                                         fmt::format(" --workers {}", workers / 2))};
  }
  return std::nullopt;
}

std::vector<std::string> Conclusions(const AuditResult& result) {
  std::vector<std::string> sentences;
  if (result.schedulers.empty()) {
    return sentences;
  }
  sentences.push_back(DominanceText(result));
  sentences.push_back(OwnText(result));
  if (std::string difference = DifferenceText(result); !difference.empty()) {
    sentences.push_back(std::move(difference));
  }
  AddComparisonProblems(result, sentences);
  for (const AuditedScheduler& scheduler : result.schedulers) {
    AddMissingParts(scheduler, sentences);
    if (scheduler.split[TimeUse::kUnexplained] > kLittle) {
      sentences.push_back(fmt::format(
          "On {}, {} of the time has no sample: its split is less certain. A longer --for helps.",
          scheduler.name, ShareText(scheduler.split[TimeUse::kUnexplained])));
      break;
    }
  }
  return sentences;
}

}  // namespace schedbench::harness

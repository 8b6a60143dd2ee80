#include "base/vector_of.hpp"
#include "harness/agent/agreement.hpp"
#include "harness/agent/message.hpp"
#include "report/comparison/parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace schedbench::report {

namespace {

struct WorkCount {
  std::string_view key;
  std::string_view label;
  bool must_agree;  // whether only the workload determines it
};

constexpr std::array kCounts{WorkCount{harness::kSpawns, "spawns", true},
                             WorkCount{harness::kInlineCalls, "inline calls", true},
                             WorkCount{harness::kSwitches, "switches", false}};

std::optional<std::uint64_t> CountOf(const harness::Series& series, std::string_view key) {
  return Mapped(series.audit, [key](const auto& audit) { return harness::CountOf(audit, key); });
}

// Returns the values of all audits that have the count.
std::vector<std::uint64_t> ValuesOf(const std::vector<harness::Series>& of_workload,
                                    std::string_view key) {
  return PresentOf(of_workload, [key](const auto& series) { return CountOf(series, key); });
}

bool AllSame(const std::vector<std::uint64_t>& values) {
  return std::ranges::adjacent_find(values, std::not_equal_to<>()) == values.end();
}

bool MustAgree(const ComparisonResult& result, std::size_t workload, const WorkCount& count) {
  const harness::ComparedWorkload& compared = result.plan.workloads[workload];
  return count.must_agree && !harness::SpawnsVary(*compared.entry, compared.parameters);
}

std::string WorkText(const ComparisonResult& result, std::size_t workload, const WorkCount& count) {
  std::vector<std::string> counted;
  std::vector<std::string> without;
  const auto& series = result.data.series[workload];
  const std::vector<std::uint64_t> values = ValuesOf(series, count.key);
  for (std::size_t i = 0; i < series.size(); ++i) {
    const std::string& name = result.plan.alternatives[i].name;
    if (const auto value = CountOf(series[i], count.key)) {
      counted.push_back(fmt::format("{} {}", name, *value));
    } else if (series[i].audit) {
      without.push_back(name);
    }
  }
  const bool all_zero = std::ranges::all_of(values, [](std::uint64_t value) { return value == 0; });
  if (all_zero) {
    return "";  // also without any value
  }
  std::string text = AllSame(values)
                         ? fmt::format("{} {}, all the same", values.front(), count.label)
                         : fmt::format("{}{}: {}", count.label,
                                       MustAgree(result, workload, count) ? " differ" : "",
                                       fmt::join(counted, ", "));
  if (!without.empty()) {
    text += fmt::format("; {} cannot count them", fmt::join(without, ", "));
  }
  return "work " + text;
}

}  // namespace

std::vector<WorkAgreement> AgreementsOf(const ComparisonResult& result, std::size_t workload) {
  std::vector<WorkAgreement> agreements;
  for (const WorkCount& count : kCounts) {
    const auto values = ValuesOf(result.data.series[workload], count.key);
    if (!values.empty()) {
      agreements.push_back({.count = count.key,
                            .must_agree = MustAgree(result, workload, count),
                            .same = AllSame(values)});
    }
  }
  return agreements;
}

std::vector<Sentence> WorkOf(const ComparisonResult& result, std::size_t workload) {
  const bool is_foreign = std::ranges::any_of(
      result.plan.alternatives,
      [](const harness::Alternative& alternative) { return !alternative.runtime.empty(); });
  std::vector<Sentence> sentences;
  for (const WorkCount& count : kCounts) {
    if (std::string text = WorkText(result, workload, count); is_foreign && !text.empty()) {
      sentences.push_back({std::move(text), "", Emphasis::kWeak});
    }
  }
  return sentences;
}

}  // namespace schedbench::report

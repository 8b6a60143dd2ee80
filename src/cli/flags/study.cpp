#include "cli/flags/study.hpp"

#include "cli/flags/alternatives.hpp"
#include "cli/flags/metrics.hpp"
#include "cli/flags/peers.hpp"
#include "cli/flags/value_list.hpp"
#include "config/quote.hpp"
#include "harness/compare/analysis.hpp"

#include <algorithm>
#include <cstdint>

namespace schedbench::cli {

namespace {

constexpr auto kFlags = FlagsOf(kStallsFlag, kHogsFlag, kStudiedWorkersFlag);

// Returns the flags that disturb a case, one for each case; the first is "".
std::vector<std::string> PerturbationsOf(const Arguments& arguments, config::Problems& problems) {
  std::vector<std::string> all{""};
  for (const Flag& flag : kFlags) {
    std::vector<std::string> values = arguments.Values(flag);
    if (flag.name == kStudiedWorkersFlag.name && !values.empty()) {
      values = ParseValueList(values.back(), PlaceOf(flag, values.back()), problems);
    }
    for (const std::string& value : values) {
      std::string perturbation = fmt::format("{} {}", flag.name, value);
      if (std::ranges::find(all, perturbation) != all.end()) {
        Reject(problems, perturbation, "is given twice");
        continue;
      }
      all.push_back(std::move(perturbation));
    }
  }
  return all;
}

}  // namespace

harness::ExperimentPlan ExperimentOf(const StudyRequest& request) {
  harness::ExperimentPlan plan = harness::ExperimentOf(request.plan);
  for (harness::Group& group : plan.groups) {
    group.alternatives = request.CaseOf(group).alternatives;
  }
  return plan;
}

std::string PerturbationComplaint(const std::string& text) {
  for (const Flag& flag : FlagsOf(kStallFlag, kHogFlag, kWorkersFlag)) {
    if (text.starts_with(fmt::format("{} ", flag.name))) {
      const std::string complaint =
          flag.rule.complaint(flag.rule, text.substr(flag.name.size() + 1));
      return complaint.empty() ? "" : fmt::format("{}: {}", flag.name, complaint);
    }
  }
  return text.starts_with('-') || text.find(" -") != text.npos
             ? "is none of --stall, --hog and --workers with a value"
             : "";
}

Arguments Perturbed(Arguments arguments, const std::string& perturbation) {
  for (const Flag& flag : kFlags) {
    arguments.values.erase(flag.name);
    if (perturbation.starts_with(fmt::format("{} ", flag.name))) {
      arguments.values[flag.name] = {perturbation.substr(flag.name.size() + 1)};
    }
  }
  return arguments;
}

StudyRequest StudyRequestOf(const Arguments& arguments, const std::vector<std::string>& words,
                            config::Problems& problems) {
  StudyRequest request;
  for (std::string& perturbation : PerturbationsOf(arguments, problems)) {
    const Arguments disturbed = Perturbed(arguments, perturbation);
    auto alternatives = AlternativesAndPeers(disturbed, words, disturbed[kWorkersFlag], problems);
    problems.ThrowIfAny();
    request.cases.push_back({std::move(perturbation), std::move(alternatives)});
  }
  if (request.cases.front().alternatives.size() < 2) {
    RefuseInput("study needs at least 2 alternatives behind the name of the study, {}    {}",
                config::Quoted(arguments.words.front()), arguments.usage);
  }
  harness::ComparisonPlan& plan = request.plan;
  plan.alternatives = request.cases.front().alternatives;
  std::vector<harness::ComparedWorkload> workloads;
  for (const std::string& text : WithoutSuites(arguments[kStudiedFlag], kStudiedFlag, problems)) {
    AddWorkload(text, kStudiedFlag, workloads, problems);
  }
  for (const harness::ComparedWorkload& undisturbed : workloads) {
    for (const StudyCase& one : request.cases) {
      harness::ComparedWorkload workload = undisturbed;
      request.problems.push_back({workload.name, one.perturbation});
      workload.name = harness::NameOf(request.problems.back());
      plan.workloads.push_back(std::move(workload));
    }
  }
  plan.metrics = MetricsOf(arguments, plan, problems);
  problems.ThrowIfAny();
  plan.budget = arguments[kBudgetFlag];
  constexpr std::size_t kUsual = 20;
  const std::size_t needed = harness::BlocksFor(harness::PlannedComparisons(plan), plan);
  SetExtent(arguments,
            plan.budget ? kMostBlocks : static_cast<std::uint32_t>(std::max(kUsual, needed)), plan);
  return request;
}

}  // namespace schedbench::cli

#include "cli/commands/history.hpp"
#include "cli/flags/cell_flags.hpp"
#include "cli/flags/history_flags.hpp"
#include "cli/flags/metrics.hpp"
#include "cli/output/delivery.hpp"
#include "cli/results/measure_cells.hpp"
#include "cli/results/revision_agents.hpp"
#include "config/quote.hpp"
#include "config/settings_json.hpp"
#include "history/bisect.hpp"
#include "history/leaves.hpp"
#include "registry/scheduler.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace schedbench::cli {

namespace {

using Outcome = report::BisectResult::Outcome;

constexpr std::uint32_t kMostBlocks = 40;

// Returns the two words after the action.
std::pair<std::string, std::string> GoodAndBad(const Arguments& arguments) {
  if (arguments.words.size() != 3) {
    RefuseInput(
        "history bisect needs two words, GOOD and BAD; {} given    schedbench history bisect fast "
        "fast:lifo_limit=0",
        arguments.words.size() - 1);
  }
  return {arguments.words[1], arguments.words[2]};
}

// Returns whether a word is a scheduler or a config. Any other word is a revision.
bool IsConfig(const std::string& word) {
  return word.ends_with(".json") ||
         registry::FindScheduler(word.substr(0, word.find(':'))) != nullptr;
}

struct Bisection {
  const Arguments& arguments;
  report::BisectResult result;
  std::optional<history::NearerJudge> judge{};

  void Begin(harness::ComparisonPlan plan, config::Problems& problems,
             std::function<bool()> cancelled) {
    if (plan.workloads.size() > 1) {
      Reject(problems, kWorkloadsFlag, "bisect takes one workload");
    }
    if (plan.metrics.size() > 1) {
      Reject(problems, kMetricFlag, "bisect takes one metric");
    }
    problems.ThrowIfAny();
    const std::string name = plan.metrics.empty()
                                 ? std::string(plan.workloads.front().entry->ranked_by)
                                 : plan.metrics.front();
    const registry::Metric* const metric =
        MetricOf(name, *plan.workloads.front().entry, kMetricFlag, problems);
    problems.ThrowIfAny();
    plan.metrics = {name};
    result.workload = plan.workloads.front().name;
    result.metric = name;
    result.seed = plan.seed;
    result.min_effect = arguments[kMinEffectFlag];
    result.machine = platform::ThisMachine();
    result.command = arguments.command_line;
    const std::size_t blocks = plan.blocks;
    judge.emplace(history::NearerPlan{.base = std::move(plan),
                                      .metric = metric,
                                      .most_blocks = blocks,
                                      .min_effect = result.min_effect},
                  [this, cancelled = std::move(cancelled)](const harness::ComparisonPlan& part) {
                    return MeasureShown(arguments, harness::ExperimentOf(part), cancelled);
                  });
  }

  // Returns whether GOOD and BAD differ; otherwise sets the outcome.
  bool Prove() {
    const history::NearerJudge::Proof proof = judge->Prove();
    result.difference = judge->Difference();
    switch (proof) {
      case history::NearerJudge::Proof::kDiffer:
        return true;
      case history::NearerJudge::Proof::kSame:
        result.outcome = Outcome::kSame;
        break;
      case history::NearerJudge::Proof::kInconclusive:
        result.outcome = Outcome::kInconclusive;
        break;
      case history::NearerJudge::Proof::kFailed:
        result.outcome = Outcome::kFailed;
        result.failure = judge->Failure();
        break;
    }
    return false;
  }

  history::Nearer Note(std::string name, history::Step step) {
    const history::Nearer nearer = step.nearer;
    result.tested.push_back({.name = std::move(name), .step = std::move(step)});
    return nearer;
  }
};

// Returns "lifo_limit=0".
std::string FieldText(const std::pair<std::string, std::string>& leaf) {
  return history::SpecOf("", {leaf}).substr(1);
}

void BisectFields(Bisection& bisection, config::Problems& problems) {
  const Arguments& arguments = bisection.arguments;
  const auto [good, bad] = GoodAndBad(arguments);
  report::BisectResult& result = bisection.result;
  harness::ComparisonPlan plan = HistoryPlan(arguments, ConfigForm::kWhole, kMostBlocks, problems);
  plan.alternatives = AlternativesOf({good, bad}, arguments[kWorkersFlag], problems);
  problems.ThrowIfAny();
  const harness::Alternative& from = plan.alternatives[0];
  const harness::Alternative& to = plan.alternatives[1];
  result.good = from.name;
  result.bad = to.name;
  if (from.scheduler != to.scheduler) {
    RefuseInput(
        "{} and {} are configs of two schedulers, {} and {}: no field makes one of the other    "
        "schedbench compare",
        config::Quoted(good), config::Quoted(bad), from.scheduler, to.scheduler);
  }
  const history::Leaves of_good = history::LeavesOf(from.config);
  const history::Leaves fields = history::WithoutDefaults(history::LeavesOf(to.config), of_good);
  if (fields.empty()) {
    RefuseInput("{} and {} have the same settings", config::Quoted(good), config::Quoted(bad));
  }
  result.candidates = fields.size();
  const registry::SchedulerEntry& scheduler = *registry::FindScheduler(from.scheduler);
  const harness::Alternative like = from;
  platform::InterruptibleEvent interrupt;
  bisection.Begin(std::move(plan), problems,
                  std::bind_front(&platform::InterruptibleEvent::HasCome, &interrupt));
  if (!bisection.Prove()) {
    return;
  }
  std::map<std::vector<std::size_t>, history::Step> steps;
  const auto candidate_of = [&](const std::vector<std::size_t>& chosen) {
    history::Leaves leaves = of_good;
    history::Leaves changed;
    for (const std::size_t field : chosen) {
      changed.push_back(fields[field]);
      const auto same =
          std::ranges::find(leaves, fields[field].first, &history::Leaves::value_type::first);
      (same == leaves.end() ? leaves.emplace_back() : *same) = fields[field];
    }
    harness::Alternative candidate = like;
    candidate.name = "candidate";
    candidate.config = history::NestedJson(leaves);
    return std::pair(candidate, history::SpecOf("", changed).substr(1));
  };
  const auto test = [&](const std::vector<std::size_t>& chosen) {
    const auto [candidate, name] = candidate_of(chosen);
    history::Step step;
    config::Problems forbidden;
    const config::Settings settings =
        config::SettingsFromJson(scheduler.schema(), candidate.config, name, forbidden);
    config::CheckRules(settings, forbidden);
    if (forbidden.empty()) {
      step = bisection.judge->Compare(candidate);
    } else {
      step.nearer = history::Nearer::kBroken;
      step.failure = "not possible: " + forbidden.List().front().message;
    }
    steps[chosen] = step;
    return bisection.Note(name, std::move(step));
  };
  const std::vector<std::size_t> cause = history::MinimalCause(fields.size(), test);
  result.cause = VectorOf(cause, [&](std::size_t field) { return FieldText(fields[field]); });
  if (cause.size() == fields.size()) {
    result.effect = bisection.judge->Difference();
  } else {
    result.effect = steps[cause].to_good;
    result.remainder = steps[cause].to_bad;
  }
  result.outcome = Outcome::kFound;
}

// Returns the scheduler that the agents of both revisions run. This program need not have it: the
// agents check it and its settings.
harness::Alternative SchedulerOfRevisions(const Arguments& arguments, config::Problems& problems) {
  const auto workers = arguments[kWorkersFlag];
  const std::string what = arguments[kHistorySchedulerFlag];
  if (IsConfig(what) || what.find('/') != std::string::npos) {
    const auto known = AlternativesOf({what}, workers, problems, ConfigForm::kGiven);
    problems.ThrowIfAny();
    return known.front();
  }
  history::Leaves leaves = history::LeavesOfSpec(what);
  const bool is_whole = std::ranges::all_of(
      leaves, [](const auto& leaf) { return !leaf.first.empty() && leaf.second != R"("")"; });
  if (what.empty() || what.starts_with(':') || what.ends_with(':') || !is_whole) {
    RefuseInput("{} {}: expected NAME or NAME:SETTING=VALUE,...", kHistorySchedulerFlag.name,
                config::Quoted(what));
  }
  if (workers) {
    leaves.emplace_back("workers", *workers == kAutoWorkers.front() ? "0" : *workers);
  }
  try {
    return {.name = what,
            .command = {},
            .scheduler = what.substr(0, what.find(':')),
            .config = history::NestedJson(leaves)};
  } catch (const std::exception&) {
    RefuseInput("{} {}: one setting is a group and a value", kHistorySchedulerFlag.name,
                config::Escaped(what));
  }
}

void BisectRevisions(Bisection& bisection, config::Problems& problems) {
  const Arguments& arguments = bisection.arguments;
  const auto [good, bad] = GoodAndBad(arguments);
  report::BisectResult& result = bisection.result;
  harness::ComparisonPlan plan = HistoryPlan(arguments, ConfigForm::kGiven, kMostBlocks, problems);
  const harness::Alternative like = SchedulerOfRevisions(arguments, problems);
  RevisionAgents agents(arguments);
  const history::Repository& repository = agents.Repository();
  const std::string first = repository.Commit(good);
  const std::string last = repository.Commit(bad);
  const std::vector<std::string> revisions = repository.Between(first, last);
  if (revisions.empty()) {
    RefuseInput("{} and {} are the same revision", config::Quoted(good), config::Quoted(bad));
  }
  const std::string workload(plan.workloads.front().entry->name);
  result.good = good;
  result.bad = bad;
  result.candidates = revisions.size();
  for (const auto& [word, commit] : {std::pair(good, first), std::pair(bad, last)}) {
    try {
      plan.alternatives.push_back(agents.Of(commit, like, workload));
    } catch (const history::NoAgent& error) {
      result.failure = fmt::format("{}: {}", word, error.what());
    }
  }
  if (!result.failure.empty()) {
    bisection.Begin(std::move(plan), problems, nullptr);
    result.outcome = Outcome::kFailed;
    return;
  }
  bisection.Begin(std::move(plan), problems, [&agents] { return agents.IsInterrupted(); });
  if (!bisection.Prove()) {
    return;
  }
  const history::FirstBad found =
      history::FindFirstBad(revisions.size(), [&](std::size_t revision) {
        const std::string& commit = revisions[revision];
        history::Step step;
        try {
          step = bisection.judge->Compare(agents.Of(commit, like, workload));
        } catch (const history::NoAgent& error) {
          step.nearer = history::Nearer::kBroken;
          step.failure = error.what();
        }
        return bisection.Note(commit.substr(0, 10), std::move(step));
      });
  result.cause = {revisions.begin() + static_cast<std::ptrdiff_t>(found.first),
                  revisions.begin() + static_cast<std::ptrdiff_t>(found.last) + 1};
  for (const std::size_t skipped : found.skipped) {
    result.skipped.push_back(revisions[skipped].substr(0, 10));
  }
  result.subject = repository.Subject(revisions[found.last]);
  result.outcome = Outcome::kFound;
}

ExitCode CodeOf(Outcome outcome) {
  switch (outcome) {
    case Outcome::kFound:
    case Outcome::kSame:
      return ExitCode::kDone;
    case Outcome::kInconclusive:
      return ExitCode::kInconclusive;
    case Outcome::kFailed:
      return ExitCode::kInput;
    case Outcome::kInterrupted:
      return ExitCode::kInterrupted;
  }
  return ExitCode::kDone;
}

}  // namespace

ExitCode BisectHistory(const Arguments& arguments) {
  const auto [good, bad] = GoodAndBad(arguments);
  const bool of_fields = !arguments.Has(kRepositoryFlag) && IsConfig(good) && IsConfig(bad);
  const Delivery delivery = Delivery::Of<report::BisectResult>(arguments);
  config::Problems problems;
  Bisection bisection{.arguments = arguments, .result = {}};
  bisection.result.kind =
      of_fields ? report::BisectResult::Kind::kFields : report::BisectResult::Kind::kRevisions;
  try {
    of_fields ? BisectFields(bisection, problems) : BisectRevisions(bisection, problems);
  } catch (const history::Cancelled&) {
    bisection.result.outcome = Outcome::kInterrupted;
  }
  delivery.Deliver(bisection.result);
  return CodeOf(bisection.result.outcome);
}

}  // namespace schedbench::cli

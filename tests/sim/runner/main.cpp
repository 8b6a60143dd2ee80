// models: explores the models and prints a table, or replays one execution.
#include "tests/sim/explorer/test_effort.hpp"
#include "tests/sim/runner/finding_text.hpp"
#include "tests/sim/runner/hunt.hpp"
#include "tests/sim/runner/mutants.hpp"
#include "tests/sim/runner/options.hpp"
#include "tests/sim/runner/parallel.hpp"

#include <cstdio>
#include <map>
#include <set>
#include <stdexcept>
#include <vector>

namespace schedbench::sim {

namespace {

std::string LimitText(unsigned limit) {
  return limit >= Limits::kUnlimited ? "any" : std::to_string(limit);
}

Effort EffortOf(const Model& model, const Options& options, std::size_t models) {
  if (options.quick) {
    return QuickEffort(model);
  }
  Effort effort = options.effort;
  effort.limits = model.limits;
  effort.limits.preemptions = options.preemptions.value_or(effort.limits.preemptions);
  effort.limits.stale_reads = options.stale_reads.value_or(effort.limits.stale_reads);
  effort.limits.spurious = options.spurious.value_or(effort.limits.spurious);
  if (effort.strategy != Strategy::kDepthFirst) {
    effort.limits.preemptions = Limits::kUnlimited;
  }
  if (options.total_seconds > 0) {
    effort.seconds = options.total_seconds * options.jobs / static_cast<double>(models);
  }
  return effort;
}

// Whether the model says what it should.
bool Holds(const Model& model, const Finding& finding) {
  return !finding.died && finding.failed == model.must_fail;
}

const char* Verdict(const Model& model, const Finding& finding) {
  if (finding.died) {
    return "DIED";
  }
  if (finding.failed) {
    return model.must_fail ? "fails, as it must" : "FAILED";
  }
  if (model.must_fail) {
    return "HOLDS, but must fail";
  }
  return finding.complete ? "complete" : "holds so far";
}

void PrintRow(const Model& model, const Finding& finding, const Effort& effort) {
  std::printf(
      "%-52s %4s %4s %4s %11llu %11llu %8.2f  %s\n", model.name.c_str(),
      LimitText(effort.limits.preemptions).c_str(), LimitText(effort.limits.stale_reads).c_str(),
      LimitText(effort.limits.spurious).c_str(),
      static_cast<unsigned long long>(finding.executions),
      static_cast<unsigned long long>(finding.states), finding.seconds, Verdict(model, finding));
  if (finding.died) {
    std::printf("  %s\n", finding.failure.c_str());
  } else if (finding.failed) {
    std::printf("  %s\n  models --trace --replay \"%s %s\"\n", finding.failure.c_str(),
                model.name.c_str(), finding.schedule.c_str());
  }
  std::fflush(stdout);
}

const Model& FindModel(const std::string& name) {
  for (const Model& model : ModelRegistration::All()) {
    if (model.name == name) {
      return model;
    }
  }
  throw std::invalid_argument("there is no model '" + name + "' (models --list shows all)");
}

int RunReplay(const Options& options) {
  const std::size_t space = options.replay.find(' ');
  const Model& model = FindModel(options.replay.substr(0, space));
  const Finding finding = RunSchedule(
      model, space == std::string::npos ? "" : options.replay.substr(space + 1), options.trace);
  std::printf("%s\n", finding.failed ? finding.failure.c_str() : "this execution holds");
  return finding.failed ? 1 : 0;
}

int RunAll(const Options& options) {
  const std::vector<const Model*> models = ChosenModels(options);
  if (options.files) {
    std::set<std::string> files;
    for (const Model* model : models) {
      files.insert(model->file);
    }
    for (const std::string& file : files) {
      std::printf("%s\n", file.c_str());
    }
    return 0;
  }
  if (options.list) {
    for (const Model* model : models) {
      std::printf("%-52s %s\n", model->name.c_str(), model->claim.c_str());
    }
    return 0;
  }
  std::printf("%-52s %4s %4s %4s %11s %11s %8s\n", "model", "pre", "old", "odd", "executions",
              "states", "seconds");
  Finding total;
  bool all_hold = true;
  std::size_t must_fail = 0;
  std::size_t with_old_values = 0;
  std::map<unsigned, std::size_t> complete_to;  // preemptions
  const auto effort_of = [&](const Model& model) {
    return EffortOf(model, options, models.size());
  };
  const auto take = [&](std::size_t i, const Finding& finding) {
    const Model& model = *models[i];
    PrintRow(model, finding, effort_of(model));
    all_hold &= Holds(model, finding);
    if (model.must_fail) {
      must_fail += Holds(model, finding) ? 1 : 0;
    } else if (finding.complete && Holds(model, finding)) {
      const Limits limits = effort_of(model).limits;
      ++complete_to[limits.preemptions];
      with_old_values += limits.stale_reads > 0 ? 1 : 0;
    }
    total.executions += finding.executions;
    total.states += finding.states;
    total.seconds += finding.seconds;
  };
  RunInChildren(
      models.size(), options.jobs,
      [&](std::size_t i) { return ToText(Explore(*models[i], effort_of(*models[i]))); },
      [&](std::size_t i, const std::string& text) { take(i, FindingFromText(text)); },
      [&](std::size_t i, const std::string& how) {
        Finding finding;
        finding.died = true;
        finding.failure = "the explorer " + how;
        take(i, finding);
      });
  std::printf(
      "pre: preemptions, old: loads of old values, odd: spurious wake-ups, failures and time-outs, "
      "unusual draws and wakes; at most so many in one execution\n"
      "%zu models; %zu must fail and do; complete:",
      models.size(), must_fail);
  for (const auto& [preemptions, count] : complete_to) {
    std::printf(" %zu to %s preemptions,", count, LimitText(preemptions).c_str());
  }
  std::printf(
      " %zu of these with loads of old values\n"
      "%llu executions, %llu states, %.0f s of CPU, %.0f executions/s\n",
      with_old_values, static_cast<unsigned long long>(total.executions),
      static_cast<unsigned long long>(total.states), total.seconds,
      static_cast<double>(total.executions) / total.seconds);
  return all_hold ? 0 : 1;
}

int RunHunt(const Options& options) {
  std::vector<const Model*> models = ChosenModels(options);
  std::erase_if(models, [](const Model* model) { return model->must_fail; });
  const Finding finding = Hunt(models, options.hunt_seconds);
  std::printf("%s %llu %s\n", finding.failed ? "seen" : "survives",
              static_cast<unsigned long long>(finding.executions),
              finding.failed ? (finding.schedule.substr(0, finding.schedule.find(' ')) + ": " +
                                finding.failure)
                                   .c_str()
                             : (finding.complete ? "all models complete" : "out of time"));
  return finding.failed ? 1 : 0;
}

}  // namespace

}  // namespace schedbench::sim

int main(int argc, char** argv) {
  const schedbench::sim::Options options = schedbench::sim::ParseOptions(argc, argv);
  try {
    if (options.hunt) {
      return schedbench::sim::RunHunt(options);
    }
    if (options.mutants) {
      return schedbench::sim::RunMutants(options);
    }
    return options.replay.empty() ? schedbench::sim::RunAll(options)
                                  : schedbench::sim::RunReplay(options);
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
  }
}

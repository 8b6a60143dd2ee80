#include "tests/sim/runner/options.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <stdexcept>

namespace schedbench::sim {

std::vector<const Model*> ChosenModels(const Options& options) {
  std::vector<const Model*> models;
  for (const Model& model : ModelRegistration::All()) {
    const bool chosen = std::any_of(
        options.only.begin(), options.only.end(),
        [&model](const std::string& part) { return model.name.find(part) != std::string::npos; });
    if (chosen || options.only.empty()) {
      models.push_back(&model);
    }
  }
  if (models.empty()) {
    throw std::invalid_argument("no model's name contains '" + options.only.front() +
                                "' (models --list shows all)");
  }
  std::sort(models.begin(), models.end(),
            [](const Model* a, const Model* b) { return a->name < b->name; });
  return models;
}

Options ParseOptions(int argc, char** argv) {
  Options options;
  CLI::App app(
      "Explores the interleavings of models of the schedulers, queues and primitives.\n"
      "Exit codes: 0 all hold, 1 one failed, 2 usage.");
  const std::map<std::string, Strategy> strategies{{"dfs", Strategy::kDepthFirst},
                                                   {"pct", Strategy::kPriorities},
                                                   {"random", Strategy::kRandom}};
  const CLI::Range time(0.01, 1'000'000.0);
  app.add_flag("--list", options.list, "Print the models and what each shows");
  app.add_flag("--files", options.files, "Print the names of the sources of the models");
  app.add_option("--only", options.only, "Run the models whose name contains one of these")
      ->delimiter(',');
  app.add_flag("--quick", options.quick, "Explore each model as far as `make test` does");
  app.add_option("--jobs", options.jobs, "Models at a time")->check(CLI::Range(1U, 256U));
  app.add_option_function<std::string>(
         "--strategy",
         [&](const std::string& name) { options.effort.strategy = strategies.at(name); },
         "dfs: all executions within the limits; pct: random priorities; random")
      ->check(CLI::IsMember({"dfs", "pct", "random"}))
      ->option_text("dfs|pct|random");
  app.add_option("--preemptions", options.preemptions, "In place of each model's own limit")
      ->check(CLI::Range(0U, 15U));
  app.add_option("--stale-reads", options.stale_reads, "In place of each model's own limit");
  app.add_option("--spurious", options.spurious, "In place of each model's own limit");
  app.add_option("--seed", options.effort.seed, "Seed of the strategies pct and random");
  app.add_option("--depth", options.effort.depth,
                 "With pct: find bugs that need this many orderings")
      ->check(CLI::Range(1U, 8U));
  app.add_option("--executions", options.effort.executions,
                 "Stop each model after this many executions")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000'000}));
  app.add_option("--seconds", options.effort.seconds, "Stop each model after this time")
      ->check(time);
  app.add_option("--total-seconds", options.total_seconds,
                 "Give each model its share of this time, with this number of jobs")
      ->check(time);
  CLI::Option* const replay = app.add_option(
      "--replay", options.replay, "Run exactly one execution, by the line that a failure printed");
  app.add_flag("--trace", options.trace, "With --replay: print each operation")->needs(replay);
  CLI::Option* const hunt =
      app.add_flag("--hunt", options.hunt,
                   "Explore all models in turn, longer and longer, until one fails")
          ->excludes(replay);
  app.add_option("--hunt-seconds", options.hunt_seconds, "Give up a hunt after this time")
      ->check(time);
  CLI::Option* const mutants =
      app.add_flag("--mutants", options.mutants,
                   "Put a fault at each place of the source, one at a time, and see if a model "
                   "fails")
          ->excludes(replay)
          ->excludes(hunt);
  app.add_option("--at", options.at, "With --mutants: only places whose FILE:LINE contains this")
      ->needs(mutants);
  app.add_option("--survivors", options.survivors,
                 "With --mutants: file with the faults that no model can see, and why")
      ->needs(mutants);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);
    std::exit(code == 0 ? 0 : 2);
  }
  return options;
}

}  // namespace schedbench::sim

#include "tests/sim/runner/options.hpp"

#include <CLI/CLI.hpp>

#include <cstdlib>
#include <map>

namespace schedbench::sim {

Options ParseOptions(int argc, char** argv) {
  Options options;
  CLI::App app(
      "Explores the interleavings of models of the schedulers, queues and primitives.\n"
      "Exit codes: 0 all hold, 1 one failed, 2 usage.");
  const std::map<std::string, Strategy> strategies{{"dfs", Strategy::kDepthFirst},
                                                   {"pct", Strategy::kPriorities},
                                                   {"random", Strategy::kRandom}};
  app.add_flag("--list", options.list, "Print the models and what each shows");
  app.add_option("--only", options.only, "Run the models whose name contains this");
  app.add_option("--jobs", options.jobs, "Models at a time")->check(CLI::Range(1U, 256U));
  app.add_option("--strategy", options.effort.strategy,
                 "dfs: all executions within the limits; pct: random priorities; random")
      ->transform(CLI::CheckedTransformer(strategies));
  app.add_option("--preemptions", options.preemptions, "In place of each model's own limit")
      ->check(CLI::Range(0U, 15U));
  app.add_option("--stale-reads", options.stale_reads, "In place of each model's own limit");
  app.add_option("--spurious", options.spurious, "In place of each model's own limit");
  app.add_option("--seed", options.effort.seed, "Of pct and random");
  app.add_option("--depth", options.effort.depth, "Of pct: bugs that need so many orderings")
      ->check(CLI::Range(1U, 8U));
  app.add_option("--executions", options.effort.executions, "Stop each model after so many");
  app.add_option("--seconds", options.effort.seconds, "Stop each model after so long");
  app.add_option("--total-seconds", options.total_seconds,
                 "Give each model its share of so long (with as many jobs at a time)");
  app.add_option("--replay", options.replay,
                 "Run exactly one execution, by the line that a failure printed");
  app.add_flag("--trace", options.trace, "With --replay: print each operation");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);
    std::exit(code == 0 ? 0 : 2);
  }
  return options;
}

}  // namespace schedbench::sim

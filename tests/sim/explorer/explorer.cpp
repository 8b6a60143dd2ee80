#include "tests/sim/explorer/explorer.hpp"

#include "base/random.hpp"
#include "tests/sim/explorer/depth_first.hpp"
#include "tests/sim/explorer/random_walk.hpp"
#include "tests/sim/explorer/replay.hpp"

#include <chrono>
#include <stdexcept>

namespace schedbench::sim {

namespace {

double Seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Takes down what an execution gave. Returns whether it failed.
bool Note(Ending ending, Finding& finding) {
  const Machine& machine = Machine::Instance();
  ++finding.executions;
  finding.steps += machine.Steps();
  if (ending == Ending::kFailed) {
    finding.failed = true;
    finding.failure = machine.Failure();
    finding.schedule = ToText(machine.Decisions());
  }
  return finding.failed;
}

bool IsSpent(const Effort& effort, const Finding& finding, double start) {
  // The clock is looked at now and then only.
  return finding.executions >= effort.executions ||
         (finding.executions % 256 == 0 && Seconds() - start > effort.seconds);
}

void ExploreDepthFirst(const Model& model, const Effort& effort, double start, Finding& finding) {
  Machine& machine = Machine::Instance();
  DepthFirst search;
  for (;;) {
    search.Restart();
    const Ending ending = machine.Execute(model.body, search, effort.limits);
    if (ending == Ending::kNewShared) {
      // What was explored so far took a shared location for a private one.
      search.Clear();
      finding = {};
      continue;
    }
    if (Note(ending, finding)) {
      break;
    }
    if (!search.Advance()) {
      finding.complete = true;
      break;
    }
    if (IsSpent(effort, finding, start)) {
      break;
    }
  }
  finding.states = search.States();
}

template <typename MakeChooser>
void ExploreAtRandom(const Model& model, const Effort& effort, double start, Finding& finding,
                     MakeChooser make_chooser) {
  Machine& machine = Machine::Instance();
  for (std::uint64_t number = 0; !IsSpent(effort, finding, start); ++number) {
    Ending ending;
    do {
      auto chooser = make_chooser(DeriveSeed(effort.seed, number));
      ending = machine.Execute(model.body, chooser, effort.limits);
    } while (ending == Ending::kNewShared);
    if (Note(ending, finding)) {
      break;
    }
  }
}

}  // namespace

Finding Explore(const Model& model, const Effort& effort) {
  Machine& machine = Machine::Instance();
  machine.ForgetShared();
  Finding finding;
  const double start = Seconds();
  switch (effort.strategy) {
    case Strategy::kDepthFirst:
      ExploreDepthFirst(model, effort, start, finding);
      break;
    case Strategy::kPriorities: {
      std::uint32_t steps = 100;
      ExploreAtRandom(model, effort, start, finding, [&](std::uint64_t seed) {
        steps = std::max(steps, machine.Steps());
        return PrioritySchedule(seed, effort.depth, steps);
      });
      break;
    }
    case Strategy::kRandom:
      ExploreAtRandom(model, effort, start, finding,
                      [](std::uint64_t seed) { return RandomWalk(seed); });
      break;
  }
  finding.seconds = Seconds() - start;
  return finding;
}

Finding RunSchedule(const Model& model, const std::string& schedule, bool trace) {
  Machine& machine = Machine::Instance();
  Limits limits;
  limits.spurious = Limits::kUnlimited;
  limits.steps = 10 * model.limits.steps;  // all locations are points now
  Replay replay(ParseSchedule(schedule));
  machine.ForgetShared(true);
  machine.SetTrace(trace);
  const double start = Seconds();
  Finding finding;
  Note(machine.Execute(model.body, replay, limits), finding);
  finding.seconds = Seconds() - start;
  machine.SetTrace(false);
  machine.ForgetShared();
  if (!replay.IsFollowed()) {
    throw std::invalid_argument("the schedule is not one of model " + model.name +
                                ", or the code has changed since");
  }
  return finding;
}

}  // namespace schedbench::sim

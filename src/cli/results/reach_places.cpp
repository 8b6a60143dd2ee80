#include "cli/results/reach_places.hpp"

#include "cli/flags/places.hpp"
#include "cli/results/result_file.hpp"
#include "config/input_error.hpp"
#include "config/problems.hpp"
#include "config/quote.hpp"
#include "registry/build_info.hpp"
#include "registry/runtime.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <cstddef>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

namespace schedbench::cli {

namespace {

using harness::Place;
using harness::PlacePtr;

// How an agent reports itself: "schedbench 0.1.0, revision ...".
std::string Identity(const std::string& runtime, const std::string& revision) {
  return revision.empty() ? runtime : fmt::format("{}, revision {}", runtime, revision);
}

void CheckVersion(const Place& place, const harness::Alternative& alternative,
                  const harness::HelloReply& hello, std::vector<std::string>& differences) {
  const bool is_own = alternative.runtime.empty();
  const registry::RuntimeInfo& own = registry::Runtime();
  const std::string here = is_own ? Identity(fmt::format("{} {}", own.name, own.version),
                                             harness::RevisionOf(registry::ThisBuild()))
                                  : alternative.runtime;
  const std::string there =
      Identity(fmt::format("{} {}", hello.runtime, hello.version), is_own ? hello.revision : "");
  if (here != there) {
    differences.push_back(fmt::format("{}: {} is {} there and {} here", place.Text(),
                                      config::Escaped(alternative.name),
                                      config::Escaped(there, 300), here));
  }
}

// Makes the machine the last key of the plan.
void AddMachines(harness::SweepPlan& plan) {
  harness::SweepKey key{.name = "machine", .values = {}};
  for (const PlacePtr& place : plan.places) {
    key.values.push_back(place->name);
  }
  plan.keys.push_back(std::move(key));
  std::vector<harness::SweepCell> cells;
  for (const harness::SweepCell& cell : plan.cells) {
    for (std::size_t place = 0; place < plan.places.size(); ++place) {
      cells.push_back(cell);
      cells.back().place.push_back(place);
      cells.back().measured_at = place;
    }
  }
  plan.cells = std::move(cells);
}

}  // namespace

std::vector<PlacePtr> Greeted(const std::vector<PlacePtr>& places,
                              const std::vector<harness::Alternative>& alternatives) {
  const auto never = [] {
    return false;
  };
  config::Problems problems;
  std::vector<std::string> differences;
  std::vector<PlacePtr> greeted;
  for (const PlacePtr& place : places) {
    Place known = *place;
    const harness::Alternative own{
        .name = "schedbench", .command = {harness::kOwnProgram, "agent"}, .scheduler = ""};
    std::set<std::vector<std::string>> asked{own.command};
    try {
      const harness::HelloReply hello = harness::Greet(place, own.command, never);
      known.machine = hello.machine.value_or(harness::AgentMachine());
      CheckVersion(*place, own, hello, differences);
      for (const harness::Alternative& alternative : alternatives) {
        if (asked.insert(alternative.command).second) {
          CheckVersion(*place, alternative, harness::Greet(place, alternative.command, never),
                       differences);
        }
      }
    } catch (const std::runtime_error& error) {
      problems.Add(place->Text(), "", fmt::format("does not answer: {}", error.what()));
    }
    greeted.push_back(std::make_shared<const Place>(std::move(known)));
  }
  problems.ThrowIfAny();
  if (!differences.empty()) {
    throw NotComparable(fmt::format("{}\nto fix it: build the same revision there    {} PATH",
                                    fmt::join(differences, "\n"), kRemoteToolFlag.name));
  }
  return greeted;
}

void SetPlaces(const Arguments& arguments, harness::SweepPlan& plan) {
  config::Problems problems;
  const std::vector<PlacePtr> places = PlacesOf(arguments, problems);
  problems.ThrowIfAny();
  std::vector<harness::Alternative> alternatives;
  for (const harness::SweepCell& cell : plan.cells) {
    alternatives.push_back(cell.alternative);
  }
  plan.places = Greeted(places, alternatives);
  if (arguments.Has(kOnEachFlag)) {
    AddMachines(plan);
  }
}

void SetPlaces(const Arguments& arguments, harness::ComparisonPlan& plan) {
  config::Problems problems;
  const std::vector<PlacePtr> places = PlacesOf(arguments, problems);
  problems.ThrowIfAny();
  if (places.empty()) {
    return;
  }
  plan.places = Greeted(places, plan.alternatives);
  std::vector<harness::ComparedWorkload> workloads;
  for (const PlacePtr& place : plan.places) {
    for (harness::ComparedWorkload workload : plan.workloads) {
      workload.name += " on " + place->name;
      workload.place = place;
      workloads.push_back(std::move(workload));
    }
  }
  plan.workloads = std::move(workloads);
}

}  // namespace schedbench::cli

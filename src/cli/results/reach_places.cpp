#include "cli/results/reach_places.hpp"

#include "base/atomic.hpp"
#include "base/vector_of.hpp"
#include "cli/flags/places.hpp"
#include "cli/output/progress_line.hpp"
#include "cli/results/result_file.hpp"
#include "config/problems.hpp"
#include "config/quote.hpp"
#include "platform/process/interrupt.hpp"
#include "platform/threads/thread.hpp"
#include "registry/build_info.hpp"
#include "registry/runtime.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

namespace schedbench::cli {

namespace {

using harness::Place;
using harness::PlacePtr;

// Returns "0.1.0 (revision 6cb58150dfcc modified)".
std::string NumberAndRevision(const std::string& version, const std::string& revision) {
  constexpr std::size_t kDigits = 12;
  const std::size_t end = std::min(revision.find(' '), revision.size());
  return revision.empty()
             ? version
             : fmt::format("{} (revision {}{})", version,
                           revision.substr(0, std::min(end, kDigits)), revision.substr(end));
}

// Returns what is different there; "" for nothing.
std::string DifferenceOf(const Place& place, const harness::Alternative& alternative,
                         const harness::HelloReply& hello) {
  const registry::RuntimeInfo& own = registry::Runtime();
  const registry::BuildInfo& build = registry::ThisBuild();
  if (!alternative.runtime.empty()) {
    const std::string there = fmt::format("{} {}", hello.runtime, hello.version);
    return there == alternative.runtime
               ? ""
               : fmt::format("{} has {} for {}, here it is {}", place.Text(),
                             config::Escaped(there, 300), config::Escaped(alternative.name),
                             alternative.runtime);
  }
  const std::string revision = harness::RevisionOf(build);
  if (hello.runtime != own.name || hello.version != own.version || hello.revision != revision) {
    return fmt::format("{} has {} {}, this program is {}", place.Text(),
                       config::Escaped(hello.runtime, 100),
                       config::Escaped(NumberAndRevision(hello.version, hello.revision), 200),
                       NumberAndRevision(std::string(own.version), revision));
  }
  const std::string here = harness::BuildOf(build);
  return hello.build == here ? ""
                             : fmt::format("{} has another build: {}, this program is: {}",
                                           place.Text(), config::Escaped(hello.build, 500), here);
}

// Makes the machine the last key of the plan.
void AddMachines(harness::SweepPlan& plan) {
  const auto name_of = [](const PlacePtr& place) { return place->name; };
  plan.keys.push_back({.name = "machine", .values = VectorOf(plan.places, name_of)});
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

// The answer of a machine.
struct Greeting {
  PlacePtr place;
  std::string problem = "";
  std::vector<std::string> differences = {};
};

std::string ProblemOf(const Place& place, const std::string& error) {
  // A shell that does not find a program returns this code.
  if (error.find("(exit code 127)") != std::string::npos) {
    return fmt::format("has no schedbench at {}    {} PATH", config::Escaped(place.tool, 500),
                       kRemoteToolFlag.name);
  }
  constexpr std::string_view kNoJson = "not a JSON object: ";
  if (const std::size_t at = error.find(kNoJson); at != std::string::npos) {
    return fmt::format("its login shell, or {}, prints text on stdout: {}",
                       config::Escaped(place.tool, 500), error.substr(at + kNoJson.size()));
  }
  return fmt::format("does not answer: {}", error);
}

bool HasBeenGreeted(const Place& place) {
  return !place.machine.kernel.empty();
}

Greeting GreetingOf(const PlacePtr& place, const std::vector<harness::Alternative>& alternatives,
                    const std::function<bool()>& cancelled) {
  Greeting greeting{.place = place};
  const harness::Alternative own{
      .name = "schedbench", .command = {harness::kOwnProgram, "agent"}, .scheduler = ""};
  std::set<std::vector<std::string>> asked{own.command};
  const auto check = [&](const harness::Alternative& alternative,
                         const harness::HelloReply& hello) {
    if (std::string difference = DifferenceOf(*place, alternative, hello); !difference.empty()) {
      greeting.differences.push_back(std::move(difference));
    }
  };
  try {
    if (!HasBeenGreeted(*place)) {
      const harness::HelloReply hello = harness::Greet(place, own.command, cancelled);
      Place known = *place;
      known.machine = hello.machine.value_or(harness::AgentMachine());
      greeting.place = std::make_shared<const Place>(std::move(known));
      check(own, hello);
    }
    for (const harness::Alternative& alternative : alternatives) {
      if (asked.insert(alternative.command).second) {
        check(alternative, harness::Greet(place, alternative.command, cancelled));
      }
    }
  } catch (const harness::AgentCancelled&) {
    // The caller has seen it.
  } catch (const std::runtime_error& error) {
    greeting.problem = ProblemOf(*place, error.what());
  }
  return greeting;
}

// Asks all machines at the same time. Throws AgentCancelled after Ctrl-C.
std::vector<Greeting> GreetAll(const Arguments& arguments, const std::vector<PlacePtr>& places,
                               const std::vector<harness::Alternative>& alternatives) {
  ProgressLine line(arguments);
  std::vector<Greeting> greetings(places.size());
  Atomic<bool> cancelled(false);            // relaxed: only the flag itself is needed
  Atomic<std::size_t> left(places.size());  // relaxed: the greetings are read after the joins
  platform::InterruptibleEvent interrupt;
  {
    std::vector<platform::Thread> threads;
    for (std::size_t i = 0; i < places.size(); ++i) {
      threads.emplace_back("place-" + std::to_string(i), [&, i] {
        greetings[i] = GreetingOf(places[i], alternatives,
                                  [&cancelled] { return cancelled.Load(memory_order_relaxed); });
        left.FetchSub(1, memory_order_relaxed);
      });
    }
    constexpr std::chrono::milliseconds kLook{5};
    for (std::size_t waiting = 0; (waiting = left.Load(memory_order_relaxed)) > 0;) {
      line.Show([&] {
        return fmt::format("{} of {} machines have answered", places.size() - waiting,
                           places.size());
      });
      if (interrupt.WaitFor(kLook)) {
        cancelled.Store(true, memory_order_relaxed);
        break;
      }
    }
  }
  if (cancelled.Load(memory_order_relaxed)) {
    throw harness::AgentCancelled("cancelled");
  }
  return greetings;
}

}  // namespace

std::vector<PlacePtr> Greeted(const Arguments& arguments, const std::vector<PlacePtr>& places,
                              const std::vector<harness::Alternative>& alternatives) {
  if (places.empty()) {
    return {};
  }
  config::Problems problems;
  std::vector<std::string> differences;
  std::vector<PlacePtr> greeted;
  for (Greeting& greeting : GreetAll(arguments, places, alternatives)) {
    if (!greeting.problem.empty()) {
      problems.Add(greeting.place->Text(), "", greeting.problem);
    }
    std::ranges::move(greeting.differences, std::back_inserter(differences));
    greeted.push_back(std::move(greeting.place));
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
  std::vector<PlacePtr> places = plan.places.empty() ? PlacesOf(arguments, problems) : plan.places;
  problems.ThrowIfAny();
  if (arguments[kOnEachFlag]) {
    // A journal then does not depend on the order of the names.
    std::ranges::sort(places, {}, [](const PlacePtr& place) { return place->name; });
  }
  plan.places = Greeted(arguments, places, VectorOf(plan.cells, &harness::SweepCell::alternative));
  if (arguments[kOnEachFlag]) {
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
  plan.places = Greeted(arguments, places, plan.alternatives);
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

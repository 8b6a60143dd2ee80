#include "report/parts/places.hpp"

#include "base/enum_text.hpp"
#include "config/quote.hpp"
#include "report/parts/plan_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <utility>

namespace schedbench::harness {

static constexpr std::array<std::string_view, 2> NamesOf(Place::Kind) {
  return {"host", "node"};
}

static record::Of<Place> RecordOf(const Place* /*type*/) {
  using T = Place;
  return {"NamedPlace",
          {{"name", &T::name, "As --host or Slurm names it."},
           {"kind", &T::kind, "Behind ssh or behind srun."},
           {"tool", &T::tool, "The path of schedbench there."},
           {record::kInline, &T::machine, ""}}};
}

}  // namespace schedbench::harness

namespace schedbench::report {

namespace {

constexpr std::size_t kLongest = 200;

std::string FactsText(const harness::AgentMachine& machine) {
  return fmt::format("{}, {}, {}", Plural(machine.cpus, "CPU"),
                     config::Escaped(machine.cpu_model, kLongest),
                     config::Escaped(machine.kernel, kLongest));
}

bool IsFailed(const std::string& finding) {
  return finding.starts_with("fail");
}

}  // namespace

std::vector<Note> NotesOnPlaces(const std::vector<harness::PlacePtr>& places,
                                const std::vector<std::string>& lost) {
  std::vector<Note> notes;
  std::vector<std::pair<std::string, std::string>> groups;  // facts and names
  for (const harness::PlacePtr& place : places) {
    const std::string facts = FactsText(place->machine);
    const std::string name = config::Escaped(place->name, kLongest);
    const auto found =
        std::ranges::find(groups, facts, &std::pair<std::string, std::string>::first);
    if (found == groups.end()) {
      groups.emplace_back(facts, name);
    } else {
      found->second += ", " + name;
    }
  }
  for (const auto& [facts, names] : groups) {
    notes.push_back(
        {fmt::format("{}: {}", names, facts), "", std::string(ToText(places.front()->kind))});
  }
  std::size_t others = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const harness::Place& place = *places[i];
    for (const std::string& finding : place.machine.findings) {
      if (IsFailed(finding)) {
        notes.push_back({fmt::format("{}: {}", config::Escaped(place.name, kLongest),
                                     config::Escaped(finding, kLongest)),
                         "", "doctor"});
      } else {
        ++others;
      }
    }
    if (i < lost.size() && !lost[i].empty()) {
      notes.push_back({config::Escaped(lost[i], 5 * kLongest), "", "lost"});
    }
  }
  if (others > 0) {
    notes.push_back({Plural(others, "other finding"), "--format json has them", "doctor"});
  }
  return notes;
}

void NoteOnSameMachine(const std::vector<harness::PlacePtr>& places, std::vector<Note>& notes) {
  std::map<std::string, std::string> names;  // names by the id of the machine
  for (const harness::PlacePtr& place : places) {
    if (place->machine.id.empty()) {
      continue;
    }
    const auto [known, is_new] = names.emplace(place->machine.id, place->name);
    if (!is_new) {
      notes.push_back(
          {fmt::format("{} and {} are the same machine: their agents disturb each other",
                       config::Escaped(known->second, kLongest),
                       config::Escaped(place->name, kLongest)),
           "name each machine once"});
      return;
    }
  }
}

record::Of<ShownPlace> RecordOf(const ShownPlace* /*type*/) {
  using T = ShownPlace;
  return {
      "Place",
      {{record::kInline, [](const T& shown) -> const harness::Place& { return *shown.place; }, ""},
       {"lost", &T::lost, "Why it was lost during the measurement.", {record::kNull}}}};
}

std::vector<ShownPlace> ShownPlaces(const std::vector<harness::PlacePtr>& places,
                                    const std::vector<std::string>& lost) {
  std::vector<ShownPlace> shown;
  for (const harness::PlacePtr& place : places) {
    const std::size_t i = shown.size();
    shown.push_back({place, i < lost.size() ? lost[i] : ""});
  }
  return shown;
}

}  // namespace schedbench::report

#include "report/load/load_report.hpp"
#include "report/parts/places.hpp"
#include "report/parts/quantity.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>

namespace schedbench::report {

namespace {

constexpr TerminalStyle kNoteStyle{.unicode = false};

// Returns the tolerated shortfall of the rate: 5 % (arbitrary), or four standard deviations of it.
double MissedShare(std::uint64_t requests) {
  return std::max(0.05, 4 / std::sqrt(static_cast<double>(requests)));
}

void NoteOnGenerator(const LoadResult& result, std::size_t i, std::vector<Note>& notes) {
  const harness::Generator& generator = result.data.generators[i];
  const std::string name = PartName(result.plan.generators, i);
  if (!generator.part.failure.empty()) {
    notes.push_back(
        {fmt::format("generator {} is not in the result: {}", name, generator.part.failure), ""});
    return;
  }
  const auto& summary = result.analysis.generators[i];
  if (!summary) {
    return;
  }
  const std::string& trouble = generator.part.trouble;
  if (summary->unanswered > 0) {
    notes.push_back({fmt::format("generator {} has no answer to {} of {} requests: {}", name,
                                 Count(summary->unanswered), Count(summary->requests), trouble),
                     ""});
  } else if (!trouble.empty()) {
    notes.push_back({fmt::format("generator {}: {}", name, trouble), ""});
  }
  if (harness::IsDelayed(*summary)) {
    notes.push_back({fmt::format("generator {} sends late: delay p99 is {}, latency p99 is {}",
                                 name, Duration(*summary->delay.p99, kNoteStyle),
                                 Duration(*summary->latency.p99, kNoteStyle)),
                     "more machines in --from, more connections in --workload, or a lower --rate"});
  }
}

}  // namespace

std::vector<Note> NotesOn(const LoadResult& result) {
  std::vector<Note> notes;
  for (std::size_t i = 0; i < result.data.servers.size(); ++i) {
    const harness::LoadPart& server = result.data.servers[i].part;
    const std::string name = PartName(result.plan.servers, i);
    if (!server.failure.empty()) {
      notes.push_back(
          {fmt::format("the server on {} is not in the result: {}", name, server.failure), ""});
    } else if (!server.trouble.empty()) {
      notes.push_back({fmt::format("the server on {}: {}", name, server.trouble), ""});
    }
  }
  for (std::size_t i = 0; i < result.data.generators.size(); ++i) {
    NoteOnGenerator(result, i, notes);
  }
  const auto& all = result.analysis.all;
  const bool has_holes = std::ranges::any_of(result.analysis.generators,
                                             [](const auto& one) { return !one.has_value(); });
  if (all && !has_holes && all->reached < (1 - MissedShare(all->requests)) * all->asked) {
    notes.push_back({fmt::format("the rate was not reached: {}/s of {}/s", Scaled(all->reached),
                                 Scaled(all->asked)),
                     ""});
  }
  if (all && all->unanswered > 0) {
    notes.push_back(
        {"a request without an answer has an infinite latency: what depends on it, the "
         "mean, the max or a percentile, has no value",
         ""});
  }
  NoteOnSameMachine(MachinesOf(result), notes);
  NoteOnBuild(notes);
  return notes;
}

std::vector<harness::PlacePtr> MachinesOf(const LoadResult& result) {
  std::vector<harness::PlacePtr> machines = result.plan.places;
  if (result.plan.uses_here) {
    machines.push_back(
        std::make_shared<const harness::Place>(harness::Place{.kind = harness::Place::Kind::kHost,
                                                              .name = harness::NameOf(nullptr),
                                                              .machine = result.plan.here}));
  }
  return machines;
}

std::string PartName(const std::vector<harness::PlacePtr>& places, std::size_t part) {
  const std::string name = harness::NameOf(places[part]);
  const auto before =
      std::count(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(part), places[part]);
  return before == 0 ? name : fmt::format("{} ({})", name, before + 1);
}

}  // namespace schedbench::report

#include "graph/import/go_tracks.hpp"

#include "base/stable_sort.hpp"
#include "graph/check.hpp"
#include "graph/graph_file.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace schedbench::graph {

using fibers::WaitKind;
using trace::EventKind;
using trace::StopReason;

void GoTracks::At(std::uint64_t p, std::uint64_t ticks) {
  // Threads without a P have invalid numbers: -1 and below.
  constexpr std::uint64_t kMaxP = 1U << 20U;
  p_ = p < kMaxP ? p : kOutsideP;
  now_ = ticks;
}

// Fibers have the numbers of goroutines, in the order of their appearance.
std::uint32_t GoTracks::FiberOf(std::uint64_t goroutine) {
  const auto next = static_cast<std::uint32_t>(fibers_.size() + 1);
  return fibers_.try_emplace(goroutine, next).first->second;
}

void GoTracks::Add(EventKind kind, std::uint32_t fiber, std::uint16_t arg) {
  Events& events = p_ == kOutsideP ? outside_ : tracks_[p_];
  events.push_back({.ns = now_, .fiber = fiber, .arg = arg, .kind = kind});
}

void GoTracks::Stop(StopReason why, WaitKind kind) {
  if (why == StopReason::kSuspended) {
    Add(EventKind::kWait, 0, static_cast<std::uint16_t>(kind));
  }
  Add(EventKind::kSwitch, trace::kNoFiber, trace::SwitchArg(why, trace::kNoLabel));
}

void GoTracks::Create(std::uint64_t goroutine) {
  Add(EventKind::kSpawn, FiberOf(goroutine));
}

void GoTracks::Start(std::uint64_t goroutine) {
  Add(EventKind::kSwitch, FiberOf(goroutine), trace::SwitchArg(StopReason::kLoop, trace::kNoLabel));
}

void GoTracks::End() {
  Stop(StopReason::kEnded, WaitKind::kNothing);
}

void GoTracks::Yield() {
  Stop(StopReason::kYielded, WaitKind::kNothing);
}

void GoTracks::Wait(WaitKind kind) {
  Stop(StopReason::kSuspended, kind);
}

void GoTracks::Wake(std::uint64_t goroutine) {
  Add(EventKind::kWake, FiberOf(goroutine));
}

void GoTracks::WakeFromOutside(std::uint64_t goroutine, std::uint64_t ticks) {
  outside_.push_back({.ns = ticks, .fiber = FiberOf(goroutine), .kind = EventKind::kWake});
}

void GoTracks::FoundWaiting(std::uint64_t goroutine, WaitKind kind) {
  Start(goroutine);
  Wait(kind);
}

void GoTracks::SetName(std::uint64_t goroutine, const std::string& name) {
  names_.try_emplace(goroutine, name);
}

TaskGraph GoTracks::Graph(std::uint64_t ticks_per_second, std::uint64_t ends,
                          const std::string& source) {
  Order(ticks_per_second);
  std::vector<Track> tracks;
  for (auto& [p, events] : tracks_) {
    tracks.push_back({.events = std::move(events)});
  }
  tracks.push_back({.is_worker = false, .events = std::move(outside_)});
  std::uint64_t begin = std::numeric_limits<std::uint64_t>::max();
  for (const Track& track : tracks) {
    begin = std::min(begin, track.events.empty() ? begin : track.events.front().ns);
  }
  // Rounds like `go tool trace`, so that the times are equal.
  const double ns_per_tick = 1e9 / static_cast<double>(ticks_per_second);
  const auto ns_of = [&](std::uint64_t ticks) {
    // A time of more than a century is invalid; a double holds it, and its sum with others.
    constexpr double kMostNs = 4e18;
    const double ns = static_cast<double>(ticks - std::min(begin, ticks)) * ns_per_tick;
    return static_cast<std::uint64_t>(std::min(ns, kMostNs));
  };
  const Labels labels = LabelsOfFibers();
  for (Track& track : tracks) {
    for (Event& event : track.events) {
      event.ns = ns_of(event.ns);
      const auto label =
          event.kind == EventKind::kSpawn ? labels.of.find(event.fiber) : labels.of.end();
      event.arg = label == labels.of.end() ? event.arg : label->second;
    }
  }
  TaskGraph graph = Build(tracks, {.end_ns = ends == 0 ? 0 : ns_of(ends), .labels = labels.texts});
  graph.workers = static_cast<std::uint32_t>(tracks_.size());
  graph.facts.emplace_back("source", source);
  if (const std::string wrong = Check(graph); !wrong.empty()) {
    throw FormatError("the events of the Go trace contradict each other: " + wrong);
  }
  return graph;
}

// Sorts events. Events outside of any P come from several threads. Those of a P are in order, even
// if its clock has gone back: the counters of CPUs differ a little; more is a jump of the clock.
void GoTracks::Order(std::uint64_t ticks_per_second) {
  StableSort(outside_, {}, &Event::ns);
  constexpr double kMostNs = 1e6;
  for (auto& [p, track] : tracks_) {
    for (std::size_t i = 1; i < track.size(); ++i) {
      const std::uint64_t back = track[i - 1].ns - std::min(track[i - 1].ns, track[i].ns);
      const double ns = static_cast<double>(back) * 1e9 / static_cast<double>(ticks_per_second);
      if (ns > kMostNs) {
        throw FormatError(
            fmt::format("the clock of the Go trace goes back by {:.0f} us at event {} of P {}",
                        ns / 1000, i, p));
      }
      track[i].ns = std::max(track[i].ns, track[i - 1].ns);
    }
  }
}

GoTracks::Labels GoTracks::LabelsOfFibers() const {
  Labels labels;
  std::map<std::string, std::uint16_t> known;
  for (const auto& [goroutine, name] : names_) {
    const auto fiber = fibers_.find(goroutine);
    if (fiber == fibers_.end() || labels.texts.size() > std::numeric_limits<std::uint16_t>::max()) {
      continue;
    }
    const auto [place, is_new] =
        known.try_emplace(name, static_cast<std::uint16_t>(labels.texts.size()));
    if (is_new) {
      labels.texts.emplace_back(name);
    }
    labels.of[fiber->second] = place->second;
  }
  return labels;
}

}  // namespace schedbench::graph

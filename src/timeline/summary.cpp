#include "timeline/summary.hpp"

#include "base/vector_of.hpp"

#include <algorithm>
#include <utility>

namespace schedbench::timeline {

namespace {

// A moment at which the number of idle workers or ready fibers changes.
struct Change {
  std::uint64_t at;
  int idle;
  int ready;
};

std::uint64_t WastedNs(const Timeline& timeline) {
  std::vector<Change> changes;
  for (const Slice& slice : timeline.slices) {
    if (slice.kind != SliceKind::kRun) {
      changes.push_back({.at = slice.start, .idle = 1, .ready = 0});
      changes.push_back({.at = slice.end, .idle = -1, .ready = 0});
    }
  }
  for (const ReadyTime& ready : timeline.ready) {
    changes.push_back({.at = ready.start, .idle = 0, .ready = 1});
    changes.push_back({.at = ready.end, .idle = 0, .ready = -1});
  }
  std::ranges::sort(changes, {}, &Change::at);
  std::uint64_t wasted = 0;
  std::uint64_t since = 0;
  std::int64_t idle = 0;
  std::int64_t ready = 0;
  for (const Change& change : changes) {
    wasted += (change.at - since) * static_cast<std::uint64_t>(std::min(idle, ready));
    since = change.at;
    idle += change.idle;
    ready += change.ready;
  }
  return wasted;
}

std::vector<WorkerShare> Shares(const Timeline& timeline) {
  std::vector<WorkerShare> shares;
  for (std::size_t track = 0; track < timeline.WorkerCount(); ++track) {
    shares.push_back({.worker = timeline.tracks[track].worker});
  }
  for (const Slice& slice : timeline.slices) {
    WorkerShare& share = shares[slice.track];
    const std::uint64_t length = slice.end - slice.start;
    switch (slice.kind) {
      case SliceKind::kRun:
        share.run_ns += length;
        break;
      case SliceKind::kSearch:
        share.search_ns += length;
        break;
      case SliceKind::kPark:
        share.park_ns += length;
        break;
    }
  }
  for (const OffCpuTime& off : timeline.off_cpu) {
    WorkerShare& share = shares[off.track];
    (off.kind == OffCpuKind::kPreempted ? share.preempted_ns : share.blocked_ns) +=
        off.end - off.start;
  }
  return shares;
}

std::uint64_t SinceStart(const Timeline& timeline, std::uint64_t ns) {
  return ns - std::min(ns, timeline.start_ns);
}

std::vector<ChainLink> ChainOf(const Wait& wait, const Timeline& timeline,
                               const Recording& recording) {
  std::vector<ChainLink> chain;
  for (WakeId id = wait.wake; id != kNone && chain.size() < kLongestChain;) {
    const Wake& wake = timeline.wakes[id];
    // An event before the fiber suspended has not made it wait; what woke it counts in any case.
    if (!chain.empty() && wake.at < std::max(wait.start, timeline.start_ns)) {
      break;
    }
    chain.push_back({.at_ns = SinceStart(timeline, wake.at),
                     .is_before = wake.at < timeline.start_ns,
                     .worker = timeline.tracks[wake.track].worker,
                     .waker = wake.waker == trace::kNoFiber ? "" : recording.FullName(wake.waker),
                     .woken = recording.FullName(wake.woken)});
    id = wake.cause;
  }
  return chain;
}

std::vector<LongWait> LongestWaits(const Timeline& timeline, const Recording& recording) {
  auto waits = VectorOf(timeline.waits, [](const auto& wait) { return &wait; });
  const auto count = std::min(kLongestWaits, waits.size());
  std::ranges::partial_sort(waits, waits.begin() + static_cast<std::ptrdiff_t>(count), {},
                            [](const Wait* wait) {
                              // The longest; of equal ones the earliest.
                              return std::pair(wait->start - wait->end, wait->start);
                            });
  std::vector<LongWait> longest;
  for (std::size_t i = 0; i < count; ++i) {
    const Wait& wait = *waits[i];
    longest.push_back({.fiber = recording.FullName(wait.fiber),
                       .end_ns = SinceStart(timeline, wait.end),
                       .length_ns = wait.end - wait.start,
                       .worker = timeline.tracks[wait.track].worker,
                       .chain = ChainOf(wait, timeline, recording)});
  }
  return longest;
}

void CountSteals(const Timeline& timeline, Summary& summary) {
  const std::size_t workers = timeline.WorkerCount();
  summary.steals.resize(workers * workers);
  for (const Instant& instant : timeline.instants) {
    if (instant.kind != InstantKind::kSteal) {
      continue;
    }
    const std::uint64_t at = instant.at - timeline.start_ns;
    summary.first_steal_ns = std::min(at, summary.first_steal_ns.value_or(at));
    if (instant.arrow != kNone) {
      const std::uint32_t victim = timeline.arrows[instant.arrow].from_track;
      Steals& steals = summary.steals[instant.track * workers + victim];
      ++steals.operations;
      steals.tasks += instant.tasks;
    }
  }
}

}  // namespace

Summary Summarize(const Timeline& timeline, const Recording& recording) {
  Summary summary{.length_ns = timeline.LengthNs(),
                  .events = timeline.events,
                  .overwritten = timeline.overwritten,
                  .timestamps_corrected = timeline.timestamps_corrected,
                  .workers = Shares(timeline),
                  .wasted_ns = WastedNs(timeline),
                  .fairness = FairnessOf(timeline),
                  .waits = timeline.waits.size(),
                  .longest_waits = LongestWaits(timeline, recording)};
  for (const WorkerShare& share : summary.workers) {
    summary.idle_ns += share.search_ns + share.park_ns;
  }
  summary.knows_off_cpu = recording.Cpu().refusal.empty() && !recording.Cpu().workers.empty();
  summary.off_cpu_refusal = recording.Cpu().refusal;
  summary.queued_ns = recording.Cpu().queued_ns;
  CountSteals(timeline, summary);
  return summary;
}

}  // namespace schedbench::timeline

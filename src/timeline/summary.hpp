#pragma once

#include "timeline/fairness.hpp"
#include "timeline/timeline.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace schedbench::timeline {

// One fiber made another ready.
struct ChainLink {
  std::uint64_t at_ns = 0;   // from the start of the timeline
  bool is_before = false;    // it was before the start, and at_ns is 0
  std::uint32_t worker = 0;  // kExternal: a timer, or another thread
  std::string waker{};       // "" for a worker's loop, and from outside
  std::string woken{};

  bool operator==(const ChainLink&) const = default;
};

// The time from a fiber's suspension to its next run.
struct LongWait {
  std::string fiber{};
  std::uint64_t end_ns = 0;  // from the start of the timeline
  std::uint64_t length_ns = 0;
  std::uint32_t worker = 0;  // where it ran again
  // The chain of wakes within the wait, the last one first. Empty if unknown.
  std::vector<ChainLink> chain{};
};

struct WorkerShare {
  std::uint32_t worker = 0;
  std::uint64_t run_ns = 0;
  std::uint64_t search_ns = 0;
  std::uint64_t park_ns = 0;
  std::uint64_t preempted_ns = 0;  // part of this time: another thread had the CPU
  std::uint64_t blocked_ns = 0;    // part of run and search: in the kernel
};

struct Steals {
  std::uint64_t operations = 0;
  std::uint64_t tasks = 0;
};

// A timeline in numbers.
struct Summary {
  std::uint64_t length_ns = 0;
  std::uint64_t events = 0;
  std::uint64_t overwritten = 0;
  std::uint64_t timestamps_corrected = 0;
  std::vector<WorkerShare> workers{};
  bool knows_off_cpu = false;     // otherwise preempted_ns and blocked_ns are unknown
  std::string off_cpu_refusal{};  // the reason
  // Replacement: the workers' total wait for a CPU in the recording; none: unknown.
  std::optional<std::uint64_t> queued_ns{};
  std::uint64_t idle_ns = 0;  // sum of all workers: searching or parked
  // Part of idle_ns with available work: at each moment min(idle workers, ready fibers).
  std::uint64_t wasted_ns = 0;
  Fairness fairness{};
  std::uint64_t waits = 0;                // waits that ended in the window
  std::vector<LongWait> longest_waits{};  // longest first
  std::vector<Steals> steals{};           // ordered by thief, then by victim: indices in `workers`
  std::optional<std::uint64_t> first_steal_ns{};  // from the start of the timeline

  const Steals& StealsOf(std::size_t thief, std::size_t victim) const {
    return steals[thief * workers.size() + victim];
  }
};

inline constexpr std::size_t kLongestWaits = 5;
inline constexpr std::size_t kLongestChain = 5;

// Summarizes a timeline. `recording`: its source, which names the fibers.
Summary Summarize(const Timeline& timeline, const Recording& recording);

}  // namespace schedbench::timeline

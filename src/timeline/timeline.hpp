#pragma once

#include "timeline/recording.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace schedbench::timeline {

// Indices in the tables of a Timeline.
using NameId = std::uint32_t;
using ArrowId = std::uint32_t;
using WakeId = std::uint32_t;
inline constexpr std::uint32_t kNone = ~std::uint32_t{0};

enum class SliceKind : std::uint8_t { kRun, kSearch, kPark };

// A worker's action. Slices of a track are in the order of time and do not overlap.
struct Slice {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  std::uint32_t track = 0;
  std::uint32_t fiber = trace::kNoFiber;
  NameId name = 0;
  SliceKind kind = SliceKind::kRun;
  ArrowId arrow = kNone;  // arrow that ends at its start
};

enum class OffCpuKind : std::uint8_t {
  kPreempted,  // another thread had the CPU
  kBlocked     // it waited in the kernel, and was not parked
};

inline constexpr std::size_t kOffCpuKinds = 2;

// A worker's time without a CPU, within a slice. In a track they are ordered and disjoint.
struct OffCpuTime {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  std::uint32_t track = 0;
  OffCpuKind kind = OffCpuKind::kPreempted;
};

enum class ArrowKind : std::uint8_t {
  kWake,  // from the wake or spawn of a fiber to its next run
  kSteal  // from the worker that lost tasks to the thief
};

struct Arrow {
  std::uint32_t from_track = 0;
  std::uint32_t to_track = 0;
  std::uint64_t from = 0;
  std::uint64_t to = 0;  // not before `from`
  ArrowKind kind = ArrowKind::kWake;
};

enum class InstantKind : std::uint8_t {
  kSpawn,
  kWake,
  kSteal,
  kStolen,
  kOffload,
  kGrab,
  kBlockingCall,
  kHandOff,
  kPreemption,
  kNetPoll
};
inline constexpr std::size_t kInstantKinds = 10;

// An event at one moment.
struct Instant {
  std::uint64_t at = 0;
  std::uint32_t track = 0;
  std::uint32_t tasks = 0;  // for kSteal, kOffload, kGrab, kNetPoll
  InstantKind kind = InstantKind::kSpawn;
  ArrowId arrow = kNone;  // arrow that begins here; for kSteal, that ends here
};

// Samples of the length of a queue.
struct QueueLengths {
  std::uint32_t track = 0;  // track of its worker; 0 for the global queue
  trace::QueueKind queue = trace::QueueKind::kLocal;
  std::vector<std::uint64_t> at{};
  std::vector<std::uint32_t> length{};
};

// A fiber became ready to run. The wake records what made it ready, and what had made that one run.
struct Wake {
  std::uint64_t at = 0;
  std::uint32_t track = 0;
  std::uint32_t woken = trace::kNoFiber;
  std::uint32_t waker = trace::kNoFiber;  // kNoFiber: the worker's loop, or a thread outside
  WakeId cause = kNone;                   // cause of the waker's run; kNone if unknown
};

// A time in which a fiber could run but did not.
struct ReadyTime {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  std::uint32_t fiber = 0;
};

// The time from a fiber's suspension to its next run.
struct Wait {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  std::uint32_t fiber = 0;
  std::uint32_t track = 0;  // where it ran again
  WakeId wake = kNone;      // wake that ended it, if known
};

struct Track {
  std::uint32_t worker = 0;  // kExternal: there are only instants
};

// The part of a recording between two moments. All times are nanoseconds of the monotonic clock
// between `start_ns` and `end_ns`; those of `wakes` and the starts of `waits` may be earlier.
struct Timeline {
  std::uint64_t start_ns = 0;
  std::uint64_t end_ns = 0;
  std::uint64_t events = 0;  // events of all workers in the window
  // Events overwritten before the rings were read, if they shortened the window; otherwise 0.
  std::uint64_t overwritten = 0;
  std::uint64_t timestamps_corrected = 0;  // sum of WorkerEvents::timestamps_corrected
  std::vector<Track> tracks;
  std::vector<std::string> names;   // names of slices: equal texts once
  std::vector<Slice> slices;        // ordered by track, then by time
  std::vector<OffCpuTime> off_cpu;  // ordered by track, then by time
  std::vector<Arrow> arrows;
  std::vector<Instant> instants;  // ordered by track, then by time
  std::vector<QueueLengths> counters;
  std::vector<ReadyTime> ready;
  std::vector<Wait> waits;
  std::vector<Wake> wakes;

  std::uint64_t LengthNs() const {
    return end_ns - start_ns;
  }

  // Returns the number of workers, whose tracks come first.
  std::size_t WorkerCount() const {
    return tracks.size() - (!tracks.empty() && tracks.back().worker == kExternal ? 1 : 0);
  }
};

// A window that is as long as the recording.
inline constexpr std::uint64_t kWholeRecording = ~std::uint64_t{0};

// The end of a timeline: that of the recording, or its last event. After that event comes the end
// of a run, or the wait that detected a hang.
enum class EndsAt : std::uint8_t { kStop, kLastEvent };

// Returns the last `last_ns` of a recording, or less: if rings have overwritten events, it begins
// when no ring has a gap any more, because a track lacks others' effects before that.
Timeline BuildTimeline(const Recording& recording, std::uint64_t last_ns = kWholeRecording,
                       EndsAt end = EndsAt::kStop);

// Removes all but approximately the last `most` events. `recording`: the source of the timeline.
void CutToEvents(Timeline& timeline, const Recording& recording, std::uint64_t most);

// Removes all that is before `from` from a timeline, and makes it begin there.
void CutBefore(Timeline& timeline, std::uint64_t from);

}  // namespace schedbench::timeline

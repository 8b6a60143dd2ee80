#pragma once

#include "timeline/recording.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace schedbench::timeline {

// Places in the tables of a Timeline.
using NameId = std::uint32_t;
using ArrowId = std::uint32_t;
using WakeId = std::uint32_t;
inline constexpr std::uint32_t kNone = ~std::uint32_t{0};

enum class SliceKind : std::uint8_t { kRun, kSearch, kPark };

// What a worker did from when to when. Slices of a track are in the order of time and do not overlap.
struct Slice {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  std::uint32_t track = 0;
  std::uint32_t fiber = trace::kNoFiber;
  NameId name = 0;
  SliceKind kind = SliceKind::kRun;
  ArrowId arrow = kNone;  // that ends where this begins
};

enum class OffCpuKind : std::uint8_t {
  kPreempted,  // another thread had the CPU
  kBlocked     // it waited in the kernel, and was not parked
};

inline constexpr std::size_t kOffCpuKinds = 2;

// A time in which a worker had no CPU, within one slice. Those of a track are in the order of time and do not overlap.
struct OffCpuTime {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  std::uint32_t track = 0;
  OffCpuKind kind = OffCpuKind::kPreempted;
};

enum class ArrowKind : std::uint8_t {
  kWake,  // from the wake or spawn of a fiber to where it runs next
  kSteal  // from the worker that lost tasks to the one that took them
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

// Something at one moment.
struct Instant {
  std::uint64_t at = 0;
  std::uint32_t track = 0;
  std::uint32_t tasks = 0;  // of kSteal, kOffload, kGrab, kNetPoll
  InstantKind kind = InstantKind::kSpawn;
  ArrowId arrow = kNone;  // that begins here; of kSteal, that ends here
};

// The length of a queue, as it was seen now and then.
struct QueueLengths {
  std::uint32_t track = 0;  // of the worker whose it is; 0 of the global queue
  trace::QueueKind queue = trace::QueueKind::kLocal;
  std::vector<std::uint64_t> at{};
  std::vector<std::uint32_t> length{};
};

// That a fiber became ready to run, what made it ready, and what had made that one run.
struct Wake {
  std::uint64_t at = 0;
  std::uint32_t track = 0;
  std::uint32_t woken = trace::kNoFiber;
  std::uint32_t waker = trace::kNoFiber;  // kNoFiber: the worker's loop, or one outside
  WakeId cause = kNone;                   // of the waker's run; kNone where it is not known
};

// A time that a fiber could have run and did not.
struct ReadyTime {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  std::uint32_t fiber = 0;
};

// From when a fiber suspended to when it ran again.
struct Wait {
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  std::uint32_t fiber = 0;
  std::uint32_t track = 0;  // where it ran again
  WakeId wake = kNone;      // that ended it, where it is known
};

struct Track {
  std::uint32_t worker = 0;  // kExternal: there is nothing but instants
};

// What a recording shows between two moments. All times are nanoseconds of the monotonic clock, and lie between `start_ns`
// and `end_ns`, but those of `wakes` and of the beginnings of `waits`, which may lie before.
struct Timeline {
  std::uint64_t start_ns = 0;
  std::uint64_t end_ns = 0;
  std::uint64_t events = 0;  // of all workers, that are in the window
  // That were gone before the rings were read, where the window would else be longer; 0 where it is as long as was asked.
  std::uint64_t overwritten = 0;
  std::uint64_t timestamps_corrected = 0;  // WorkerEvents::timestamps_corrected, of all
  std::vector<Track> tracks;
  std::vector<std::string> names;   // of slices: equal texts once
  std::vector<Slice> slices;        // by track, then by time
  std::vector<OffCpuTime> off_cpu;  // by track, then by time
  std::vector<Arrow> arrows;
  std::vector<Instant> instants;  // by track, then by time
  std::vector<QueueLengths> counters;
  std::vector<ReadyTime> ready;
  std::vector<Wait> waits;
  std::vector<Wake> wakes;

  std::uint64_t LengthNs() const {
    return end_ns - start_ns;
  }

  // Their tracks come first.
  std::size_t WorkerCount() const {
    return tracks.size() - (!tracks.empty() && tracks.back().worker == kExternal ? 1 : 0);
  }
};

// Window that reaches back as far as the recording does.
inline constexpr std::uint64_t kWholeRecording = ~std::uint64_t{0};

// Where a timeline ends: with the recording, or with its last event. What follows that is the end of a run, or a hang that was
// waited for.
enum class EndsAt : std::uint8_t { kStop, kLastEvent };

// Returns the last `last_ns` of a recording, or less: where rings have overwritten events, it begins when the last of them
// has no gap any more, as before that what one worker shows lacks what another did to it.
Timeline BuildTimeline(const Recording& recording, std::uint64_t last_ns = kWholeRecording,
                       EndsAt end = EndsAt::kStop);

// Takes out what lies before the last `most` events, about; `recording`: that the timeline was made of.
void CutToEvents(Timeline& timeline, const Recording& recording, std::uint64_t most);

// Takes all that lies before `from` out of a timeline, and makes it begin there.
void CutBefore(Timeline& timeline, std::uint64_t from);

}  // namespace schedbench::timeline

#include "timeline/slice_builder.hpp"
#include "timeline/timeline.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace schedbench::timeline {

namespace {

using trace::EventKind;
using trace::kNoFiber;
using trace::StopReason;

// The counters of two CPUs differ by some tens of nanoseconds, and a worker may be interrupted
// between an action and its recording. So a wake may be recorded after the run that it caused, by
// at most this time. Arbitrary: far less than a wake-up takes.
constexpr std::uint64_t kSkewNs = 1000;

// Names of slices; equal ones are stored once.
class NameTable {
 public:
  explicit NameTable(std::vector<std::string>& names)
      : names_(names) {
    for (const std::string& name : names) {
      known_.emplace(name, static_cast<NameId>(known_.size()));
    }
  }

  NameId Of(const std::string& name) {
    const auto [place, is_new] = known_.try_emplace(name, static_cast<NameId>(names_.size()));
    if (is_new) {
      names_.push_back(name);
    }
    return place->second;
  }

 private:
  std::vector<std::string>& names_;
  std::unordered_map<std::string, NameId> known_;
};

// The state of a fiber at the current event.
struct FiberState {
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  bool IsReady() const {
    return ready_since != kNever;
  }

  std::uint32_t track = kNone;         // track on which it runs
  std::uint32_t slice = kNone;         // its last slice
  NameId name = kNone;                 // kNone: not looked up yet
  std::uint64_t ready_since = kNever;  // since when it could run but does not
  std::uint64_t suspended_since = kNever;
  WakeId pending = kNone;         // wake that made it ready, until a run follows
  std::uint32_t instant = kNone;  // instant of `pending`
  WakeId cause = kNone;           // wake that caused its run, or the run in which it yielded
  std::uint32_t wait = kNone;     // wait that its run has ended, if its wake is unknown
};

// Returns the time from which no ring lacks an event.
std::uint64_t CompleteFrom(const Recording& recording) {
  std::uint64_t from = 0;
  for (const WorkerEvents& worker : recording.Workers()) {
    if (worker.overwritten > 0) {
      from = std::max(from, worker.events.empty() ? recording.StopNs() : worker.events.front().ns);
    }
  }
  return from;
}

// Processes the events of all workers in the order of time.
class Builder {
 public:
  Builder(const Recording& recording, EndsAt end)
      : recording_(recording),
        end_(end),
        slices_(timeline_),
        names_(timeline_.names) {
  }

  Timeline Build() && {
    Begin();
    const std::uint64_t complete_from = CompleteFrom(recording_);
    bool is_complete = false;
    for (const Place& place : InOrder()) {
      if (!is_complete && place.ns >= complete_from) {
        is_complete = true;
        DropStoppedFibers();
      }
      const WorkerEvents& worker = recording_.Workers()[place.track];
      Take(place.track, worker.events[place.index]);
    }
    End();
    return std::move(timeline_);
  }

 private:
  struct Place {
    std::uint64_t ns;
    std::uint32_t track;
    std::uint32_t index;
  };

  void Begin() {
    timeline_.start_ns = recording_.StartNs();
    timeline_.end_ns = end_ == EndsAt::kLastEvent ? recording_.LastEventNs() : recording_.StopNs();
    for (const WorkerEvents& worker : recording_.Workers()) {
      timeline_.tracks.push_back({.worker = worker.worker});
      timeline_.overwritten += worker.overwritten;
      timeline_.timestamps_corrected += worker.timestamps_corrected;
      std::uint64_t known_from = recording_.StartNs();
      if (!worker.events.empty()) {
        const std::uint64_t first = worker.events.front().ns;
        // The actions of a worker before its first remaining event are unknown.
        known_from = worker.overwritten > 0 ? first : std::min(first, known_from);
        timeline_.start_ns = std::min(timeline_.start_ns, first);
        timeline_.end_ns = std::max(timeline_.end_ns, worker.events.back().ns);
      }
      slices_.AddTrack(known_from);
    }
  }

  std::vector<Place> InOrder() const {
    std::vector<Place> order;
    for (std::uint32_t track = 0; track < recording_.Workers().size(); ++track) {
      const auto& events = recording_.Workers()[track].events;
      for (std::uint32_t i = 0; i < events.size(); ++i) {
        order.push_back({.ns = events[i].ns, .track = track, .index = i});
      }
    }
    std::ranges::sort(order, {}, [](const Place& place) {
      return std::tuple(place.ns, place.track, place.index);
    });
    return order;
  }

  void Take(std::uint32_t track, const TimedEvent& event) {
    switch (event.kind) {
      case EventKind::kSwitch:
        Switch(track, event);
        break;
      case EventKind::kSpawn:
      case EventKind::kWake:
        MakeReady(track, event);
        break;
      case EventKind::kSteal:
        Steal(track, event);
        break;
      case EventKind::kOffload:
        AddInstant(track, event.ns, InstantKind::kOffload, event.arg);
        break;
      case EventKind::kGrab:
        AddInstant(track, event.ns, InstantKind::kGrab, event.arg);
        break;
      case EventKind::kBlockingCall:
        AddInstant(track, event.ns, InstantKind::kBlockingCall);
        break;
      case EventKind::kHandOff:
        AddInstant(track, event.ns, InstantKind::kHandOff);
        break;
      case EventKind::kPreemption:
        AddInstant(track, event.ns, InstantKind::kPreemption);
        break;
      case EventKind::kNetPoll:
        AddInstant(track, event.ns, InstantKind::kNetPoll, event.arg);
        break;
      case EventKind::kPark:
        slices_.Park(track, event.ns);
        break;
      case EventKind::kUnpark:
        slices_.Unpark(track, event.ns);
        break;
      case EventKind::kSearchBegin:
        slices_.BeginSearch(track, event.ns);
        break;
      case EventKind::kSearchEnd:
        slices_.EndSearch(track, event.ns);
        break;
      case EventKind::kWait:
        break;  // the following switch shows this moment
      case EventKind::kQueueLength:
        AddLength(track, event);
        break;
    }
  }

  // The events that made them run, wait or end may be overwritten.
  void DropStoppedFibers() {
    std::erase_if(fibers_, [](const auto& known) { return known.second.track == kNone; });
  }

  void Switch(std::uint32_t track, const TimedEvent& event) {
    const std::uint32_t before = slices_.RunningOn(track);
    if (before == event.fiber && before != kNoFiber &&
        static_cast<StopReason>(event.arg) == StopReason::kLoop) {
      return;  // the loop repeats what it runs
    }
    slices_.ToLoop(track, event.ns);
    if (before != kNoFiber) {
      Stop(before, track, event);
    }
    if (event.fiber != kNoFiber) {
      Run(event.fiber, track, event.ns);
    }
  }

  void Stop(std::uint32_t fiber, std::uint32_t track, const TimedEvent& event) {
    FiberState& state = fibers_[fiber];
    if (state.track != track) {
      return;  // it already runs elsewhere: the recording of its stop came late
    }
    state.track = kNone;
    state.wait = kNone;
    switch (static_cast<StopReason>(event.arg)) {
      case StopReason::kEnded:
        fibers_.erase(fiber);
        break;
      case StopReason::kYielded:
        state.ready_since = event.ns;
        break;
      case StopReason::kSuspended:
        state.suspended_since = event.ns;
        // It was woken before it had suspended.
        if (state.pending != kNone) {
          state.ready_since = event.ns;
        } else {
          state.cause = kNone;
        }
        break;
      case StopReason::kLoop:
        break;
    }
  }

  void Run(std::uint32_t fiber, std::uint32_t track, std::uint64_t ns) {
    FiberState& state = fibers_[fiber];
    const bool waited = state.suspended_since != FiberState::kNever;
    if (waited) {
      state.wait =
          state.pending == kNone ? static_cast<std::uint32_t>(timeline_.waits.size()) : kNone;
      timeline_.waits.push_back({.start = state.suspended_since,
                                 .end = ns,
                                 .fiber = fiber,
                                 .track = track,
                                 .wake = state.pending});
      state.suspended_since = FiberState::kNever;
    }
    if (state.IsReady() && state.ready_since < ns) {
      timeline_.ready.push_back({.start = state.ready_since, .end = ns, .fiber = fiber});
    }
    state.ready_since = FiberState::kNever;
    if (state.name == kNone) {
      state.name = names_.Of(recording_.DisplayName(fiber));
    }
    state.track = track;
    state.slice = slices_.Run(track, ns, fiber, state.name);
    if (state.pending != kNone) {
      Caused(state);
    }
  }

  // The pending wake has caused the fiber's last slice.
  void Caused(FiberState& state) {
    const Wake& wake = timeline_.wakes[state.pending];
    Slice& slice = timeline_.slices[state.slice];
    const auto arrow = static_cast<ArrowId>(timeline_.arrows.size());
    timeline_.arrows.push_back({.from_track = wake.track,
                                .to_track = slice.track,
                                .from = std::min(wake.at, slice.start),
                                .to = slice.start,
                                .kind = ArrowKind::kWake});
    slice.arrow = arrow;
    timeline_.instants[state.instant].arrow = arrow;
    timeline_.instants[state.instant].at = timeline_.arrows.back().from;
    state.cause = std::exchange(state.pending, kNone);
  }

  void MakeReady(std::uint32_t track, const TimedEvent& event) {
    const bool is_spawn = event.kind == EventKind::kSpawn;
    if (is_spawn) {
      // A number is used again after 2^31 fibers.
      if (const auto old = fibers_.find(event.fiber);
          old != fibers_.end() && old->second.track == kNone) {
        fibers_.erase(old);
      }
    }
    FiberState& state = fibers_[event.fiber];
    const std::uint32_t instant =
        AddInstant(track, event.ns, is_spawn ? InstantKind::kSpawn : InstantKind::kWake);
    if (state.pending != kNone) {
      return;  // a second wake has no effect
    }
    const std::uint32_t waker = slices_.RunningOn(track);
    state.pending = static_cast<WakeId>(timeline_.wakes.size());
    state.instant = instant;
    timeline_.wakes.push_back({.at = event.ns,
                               .track = track,
                               .woken = event.fiber,
                               .waker = waker,
                               .cause = waker == kNoFiber ? kNone : fibers_[waker].cause});
    if (state.track == kNone) {
      if (!state.IsReady()) {
        state.ready_since = event.ns;
      }
      return;
    }
    const std::uint64_t began = timeline_.slices[state.slice].start;
    const bool is_late = timeline_.slices[state.slice].arrow == kNone && state.cause == kNone &&
                         event.ns - began <= kSkewNs && (is_spawn || state.wait != kNone);
    if (is_late) {
      if (state.wait != kNone) {
        timeline_.waits[state.wait].wake = state.pending;
        state.wait = kNone;
      }
      Caused(state);
    }
  }

  void Steal(std::uint32_t thief, const TimedEvent& event) {
    const auto victim = std::ranges::find(timeline_.tracks, event.fiber, &Track::worker);
    const std::uint32_t instant = AddInstant(thief, event.ns, InstantKind::kSteal, event.arg);
    if (victim == timeline_.tracks.end()) {
      return;
    }
    const auto victim_track = static_cast<std::uint32_t>(victim - timeline_.tracks.begin());
    const auto arrow = static_cast<ArrowId>(timeline_.arrows.size());
    timeline_.arrows.push_back({.from_track = victim_track,
                                .to_track = thief,
                                .from = event.ns,
                                .to = event.ns,
                                .kind = ArrowKind::kSteal});
    timeline_.instants[instant].arrow = arrow;
    const std::uint32_t stolen =
        AddInstant(victim_track, event.ns, InstantKind::kStolen, event.arg);
    timeline_.instants[stolen].arrow = arrow;
  }

  void AddLength(std::uint32_t track, const TimedEvent& event) {
    const auto queue = static_cast<trace::QueueKind>(event.arg);
    if (queue == trace::QueueKind::kGlobal) {
      track = 0;  // there is only one global queue
    }
    const auto [place, is_new] = counters_.try_emplace({track, queue}, timeline_.counters.size());
    if (is_new) {
      timeline_.counters.push_back({.track = track, .queue = queue});
    }
    QueueLengths& lengths = timeline_.counters[place->second];
    lengths.at.push_back(event.ns);
    lengths.length.push_back(event.fiber);
  }

  std::uint32_t AddInstant(std::uint32_t track, std::uint64_t ns, InstantKind kind,
                           std::uint32_t tasks = 0) {
    timeline_.instants.push_back({.at = ns, .track = track, .tasks = tasks, .kind = kind});
    return static_cast<std::uint32_t>(timeline_.instants.size() - 1);
  }

  // A worker without a CPU does not record, so this time is in one slice but for clock differences.
  void AddOffCpu(std::uint32_t track, const std::vector<platform::OffCpu>& times) {
    const std::vector<Slice>& slices = timeline_.slices;
    std::uint64_t last = 0;
    for (const platform::OffCpu& time : times) {
      const std::uint64_t middle = time.start_ns + (time.end_ns - time.start_ns) / 2;
      const auto after = std::ranges::upper_bound(
          slices, std::pair(track, middle), {},
          [](const Slice& slice) { return std::pair(slice.track, slice.start); });
      if (after == slices.begin()) {
        continue;
      }
      const Slice& slice = *std::prev(after);
      const std::uint64_t start = std::max({time.start_ns, slice.start, last});
      const std::uint64_t end = std::min(time.end_ns, slice.end);
      // A parked worker sleeps: its slice shows that.
      const bool is_asleep = slice.kind == SliceKind::kPark && !time.preempted;
      if (slice.track == track && start < end && !is_asleep) {
        timeline_.off_cpu.push_back(
            {.start = start,
             .end = end,
             .track = track,
             .kind = time.preempted ? OffCpuKind::kPreempted : OffCpuKind::kBlocked});
        last = end;
      }
    }
  }

  void AddOffCpu() {
    for (std::uint32_t track = 0; track < timeline_.tracks.size(); ++track) {
      for (const WorkerOffCpu& worker : recording_.Cpu().workers) {
        if (worker.worker == timeline_.tracks[track].worker) {
          AddOffCpu(track, worker.off);
        }
      }
    }
  }

  void End() {
    slices_.End();
    AddOffCpu();
    for (const auto& [fiber, state] : fibers_) {
      if (state.IsReady()) {
        timeline_.ready.push_back(
            {.start = state.ready_since, .end = timeline_.end_ns, .fiber = fiber});
      }
    }
    std::ranges::sort(timeline_.instants, {}, [](const Instant& instant) {
      return std::tuple(instant.track, instant.at, instant.kind, instant.arrow);
    });
  }

  const Recording& recording_;
  const EndsAt end_;
  Timeline timeline_;
  SliceBuilder slices_;
  NameTable names_;
  std::map<std::pair<std::uint32_t, trace::QueueKind>, std::size_t> counters_;  // index in Timeline
  std::unordered_map<std::uint32_t, FiberState> fibers_;
};

std::uint64_t EventsSince(const Recording& recording, std::uint64_t from) {
  std::uint64_t events = 0;
  for (const WorkerEvents& worker : recording.Workers()) {
    const auto first = std::ranges::lower_bound(worker.events, from, {}, &TimedEvent::ns);
    events += static_cast<std::uint64_t>(worker.events.end() - first);
  }
  return events;
}

}  // namespace

Timeline BuildTimeline(const Recording& recording, std::uint64_t last_ns, EndsAt end) {
  Timeline timeline = Builder(recording, end).Build();
  const std::uint64_t window = timeline.end_ns - std::min(last_ns, timeline.LengthNs());
  const std::uint64_t complete = CompleteFrom(recording);
  if (last_ns < timeline.LengthNs() && complete <= window) {
    timeline.overwritten = 0;  // the cut removes them
  }
  CutBefore(timeline, std::max(window, complete));
  timeline.events = EventsSince(recording, timeline.start_ns);
  return timeline;
}

void CutToEvents(Timeline& timeline, const Recording& recording, std::uint64_t most) {
  std::vector<std::uint64_t> times;
  for (const WorkerEvents& worker : recording.Workers()) {
    for (const TimedEvent& event : worker.events) {
      if (event.ns >= timeline.start_ns) {
        times.push_back(event.ns);
      }
    }
  }
  if (times.size() <= most || most == 0) {
    return;
  }
  const auto first = times.end() - static_cast<std::ptrdiff_t>(most);
  std::ranges::nth_element(times, first);
  CutBefore(timeline, *first);
  timeline.overwritten = 0;  // it is cut for another reason
  timeline.events = EventsSince(recording, timeline.start_ns);
}

}  // namespace schedbench::timeline

#include "graph/build.hpp"

#include "base/stable_sort.hpp"
#include "executors/hint.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <unordered_map>

namespace schedbench::graph {

namespace {

using trace::EventKind;
using trace::kNoFiber;
using trace::StopReason;

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

// A queue, first in, first out.
class Numbers {
 public:
  bool IsEmpty() const {
    return first_ == all_.size();
  }
  std::uint32_t Newest() const {
    return all_.back();
  }
  void Push(std::uint32_t number) {
    all_.push_back(number);
  }
  std::uint32_t PopOldest() {
    const std::uint32_t number = all_[first_++];
    if (IsEmpty()) {
      all_.clear();
      first_ = 0;
    }
    return number;
  }
  void PopNewest() {
    all_.pop_back();
  }

 private:
  std::vector<std::uint32_t> all_;
  std::size_t first_ = 0;  // earlier ones are gone
};

// A task while its steps are collected. Numbers of waits are provisional.
struct Draft {
  std::vector<Step> steps{};
  std::uint32_t label = 0;
  bool is_plain = false;
  bool is_spawned = false;               // whether a step of a task spawns it
  std::uint64_t first_seen_ns = kNever;  // for a task without a spawn event
  Numbers open{};                        // waits that have begun and have not ended
  Numbers early{};  // waits that ended before they began: two workers recorded them
};

struct Wait {
  std::uint64_t began_ns = kNever;
  std::uint64_t ended_ns = kNever;
  std::uint32_t task = kNone;  // the waiting task
  bool ended_outside = false;
  bool IsWhole() const {
    return began_ns != kNever && ended_ns != kNever;
  }
};

// A step of kOutside, with its time.
struct OutsideStep {
  std::uint64_t ns;
  Step step;
};

class Builder {
 public:
  Builder(const std::vector<Track>& tracks, const BuildOptions& options)
      : tracks_(tracks),
        options_(options),
        workers_(tracks.size()),
        drafts_(1) {
  }

  TaskGraph Build() && {
    for (const Place& place : InOrder()) {
      Take(place.track, tracks_[place.track].events[place.index]);
    }
    End();
    return Numbered();
  }

 private:
  struct Place {
    std::uint64_t ns;
    std::uint32_t track;
    std::uint32_t index;
  };

  struct Worker {
    std::uint32_t task = kOutside;  // the running task
    std::uint64_t since_ns = 0;     // start of its next kRun step
    std::uint32_t object = 0;       // object of the kWait event that precedes a switch
    std::uint8_t wait_kind = 0;     // kind of the kWait event that precedes a switch
    std::size_t off = 0;            // first entry of Track::off that has not ended
    // A hand-off: the running fiber is in a call, and the worker leaves it.
    bool gives_away = false;
  };

  std::vector<Place> InOrder() const {
    std::uint64_t complete_from = 0;
    std::size_t count = 0;
    for (const Track& track : tracks_) {
      count += track.events.size();
      if (track.overwritten > 0) {
        complete_from =
            std::max(complete_from, track.events.empty() ? kNever : track.events.front().ns);
      }
    }
    std::vector<Place> order;
    order.reserve(count);
    for (std::uint32_t track = 0; track < tracks_.size(); ++track) {
      const auto& events = tracks_[track].events;
      for (std::uint32_t i = 0; i < events.size(); ++i) {
        if (events[i].ns >= complete_from) {
          order.push_back({.ns = events[i].ns, .track = track, .index = i});
        }
      }
    }
    std::ranges::sort(order, {}, [](const Place& place) {
      return std::tuple(place.ns, place.track, place.index);
    });
    return order;
  }

  void Take(std::uint32_t track, const Event& event) {
    last_ns_ = event.ns;
    Worker& worker = workers_[track];
    switch (event.kind) {
      case EventKind::kSwitch:
        Switch(worker, event);
        break;
      case EventKind::kSpawn:
        Spawn(worker, event);
        break;
      case EventKind::kWake:
        Wake(worker, event);
        break;
      case EventKind::kWait:
        worker.object = event.fiber;
        worker.wait_kind = static_cast<std::uint8_t>(event.arg);
        break;
      case EventKind::kHandOff:
        worker.gives_away = worker.task != kOutside;
        break;
      default:
        break;
    }
  }

  // Returns the task of a fiber, a new one if it is unknown.
  std::uint32_t TaskOf(std::uint32_t fiber, std::uint64_t ns) {
    const auto [known, is_new] =
        task_of_.try_emplace(fiber, static_cast<std::uint32_t>(drafts_.size()));
    if (is_new) {
      drafts_.push_back({.is_plain = fiber >= trace::kFirstTask, .first_seen_ns = ns});
    }
    return known->second;
  }

  std::uint32_t NewTask(std::uint32_t fiber) {
    const auto task = static_cast<std::uint32_t>(drafts_.size());
    drafts_.push_back({.is_plain = fiber >= trace::kFirstTask});
    task_of_[fiber] = task;
    return task;
  }

  // Returns the worker's CPU time from `begin` to `end`. Calls come in the order of time.
  std::uint64_t OnCpuNs(Worker& worker, std::uint64_t begin, std::uint64_t end) const {
    std::uint64_t length = end - std::min(end, begin);
    const auto& off = tracks_[static_cast<std::size_t>(&worker - workers_.data())].off;
    while (worker.off < off.size() && off[worker.off].end_ns <= begin) {
      ++worker.off;
    }
    for (std::size_t i = worker.off; i < off.size() && off[i].start_ns < end; ++i) {
      if (off[i].preempted) {
        const std::uint64_t from = std::max(begin, off[i].start_ns);
        const std::uint64_t to = std::min(end, off[i].end_ns);
        length -= std::min(length, to - std::min(to, from));
      }
    }
    return length;
  }

  // Ends a computing step of the running task.
  void CloseRun(Worker& worker, std::uint64_t ns) {
    if (worker.task != kOutside) {
      std::vector<Step>& steps = drafts_[worker.task].steps;
      const std::uint64_t length = OnCpuNs(worker, worker.since_ns, ns);
      if (!steps.empty() && steps.back().kind == StepKind::kRun) {
        steps.back().ns += length;
      } else {
        steps.push_back({.ns = length, .kind = StepKind::kRun});
      }
      end_ns_ = std::max(end_ns_, ns);
    }
    worker.since_ns = ns;
  }

  void Add(Worker& worker, std::uint64_t ns, const Step& step) {
    if (worker.task == kOutside) {
      outside_.push_back({.ns = ns, .step = step});
    } else {
      CloseRun(worker, ns);
      drafts_[worker.task].steps.push_back(step);
    }
  }

  void Switch(Worker& worker, const Event& event) {
    const auto reason = trace::ReasonOf(event.arg);
    const std::uint32_t next = event.fiber == kNoFiber ? kOutside : TaskOf(event.fiber, event.ns);
    if (reason == StopReason::kLoop && worker.task == next) {
      return;  // the loop repeats what it runs
    }
    if (worker.task != kOutside) {
      Stop(worker, event.ns, reason);
    }
    worker.task = next;
    worker.since_ns = event.ns;
    worker.gives_away = false;
    if (next != kOutside) {
      Draft& draft = drafts_[next];
      if (const trace::Label label = trace::LabelOf(event.arg); label != trace::kNoLabel) {
        draft.label = label;
      }
      // It waited for a call whose end no event shows.
      if (!draft.open.IsEmpty() && waits_[draft.open.Newest()].ended_outside) {
        EndCall(draft, event.ns);
      }
    }
  }

  void Stop(Worker& worker, std::uint64_t ns, StopReason reason) {
    CloseRun(worker, ns);
    Draft& draft = drafts_[worker.task];
    if (worker.gives_away) {
      BeginWait(worker.task, ns, 0, 0);
      if (!draft.open.IsEmpty()) {
        waits_[draft.open.Newest()].ended_outside = true;
      }
    } else if (reason == StopReason::kYielded && !draft.is_plain) {
      draft.steps.push_back({.kind = StepKind::kYield});
    } else if (reason == StopReason::kSuspended && !draft.is_plain) {
      BeginWait(worker.task, ns, worker.object, worker.wait_kind);
    }
    worker.object = 0;
    worker.wait_kind = 0;
  }

  void BeginWait(std::uint32_t task, std::uint64_t ns, std::uint32_t object, std::uint8_t kind) {
    Draft& draft = drafts_[task];
    std::uint32_t number = static_cast<std::uint32_t>(waits_.size());
    if (draft.early.IsEmpty()) {
      waits_.push_back({.task = task});
      draft.open.Push(number);
    } else {
      number = draft.early.PopOldest();
    }
    waits_[number].began_ns = ns;
    draft.steps.push_back(
        {.target = number, .object = object, .kind = StepKind::kWait, .detail = kind});
  }

  void EndCall(Draft& draft, std::uint64_t ns) {
    const std::uint32_t number = draft.open.Newest();
    draft.open.PopNewest();
    waits_[number].ended_ns = ns;
    outside_.push_back({.ns = ns, .step = {.target = number, .kind = StepKind::kWake}});
  }

  void Spawn(Worker& worker, const Event& event) {
    // If the event of a run preceded that of its spawn, the task exists already.
    const auto known = task_of_.find(event.fiber);
    // Its spawner was seen before it, so that a task never spawns one of its ancestors.
    const bool is_late = known != task_of_.end() && known->second > worker.task &&
                         !drafts_[known->second].is_spawned &&
                         event.ns - drafts_[known->second].first_seen_ns <= kSkewNs;
    const std::uint32_t task = is_late ? known->second : NewTask(event.fiber);
    drafts_[task].is_spawned = true;
    if (event.arg != trace::kNoLabel) {
      drafts_[task].label = event.arg;
    }
    first_ns_ = std::min(first_ns_, event.ns);
    Add(worker, event.ns, {.target = task, .kind = StepKind::kSpawn});
  }

  void Wake(Worker& worker, const Event& event) {
    const bool is_new = !task_of_.contains(event.fiber);
    const std::uint32_t task = TaskOf(event.fiber, event.ns);
    Draft& draft = drafts_[task];
    const auto hint = static_cast<std::uint8_t>(std::min<std::uint16_t>(
        event.arg, static_cast<std::uint16_t>(executors::SchedulerHint::Yield)));
    if (is_new) {
      // The task began before the recording.
      draft.is_spawned = true;
      first_ns_ = std::min(first_ns_, event.ns);
      Add(worker, event.ns, {.target = task, .kind = StepKind::kSpawn, .detail = hint});
      return;
    }
    std::uint32_t number = static_cast<std::uint32_t>(waits_.size());
    if (!draft.open.IsEmpty()) {
      number = draft.open.PopOldest();
    } else {
      waits_.push_back({.task = task});
      draft.early.Push(number);
    }
    waits_[number].ended_ns = event.ns;
    waits_[number].ended_outside = worker.task == kOutside;
    Add(worker, event.ns, {.target = number, .kind = StepKind::kWake, .detail = hint});
  }

  void End() {
    const std::uint64_t end = options_.end_ns == 0 ? last_ns_ : options_.end_ns;
    for (Worker& worker : workers_) {
      CloseRun(worker, std::max(end, worker.since_ns));
    }
    for (std::uint32_t task = 1; task < drafts_.size(); ++task) {
      if (!drafts_[task].is_spawned) {
        const std::uint64_t ns = drafts_[task].first_seen_ns;
        first_ns_ = std::min(first_ns_, ns);
        outside_.push_back({.ns = ns, .step = {.target = task, .kind = StepKind::kSpawn}});
      }
    }
    StableSort(outside_, {}, &OutsideStep::ns);
    std::uint64_t now = first_ns_;
    for (const OutsideStep& outside : outside_) {
      if (outside.ns > now) {
        drafts_[kOutside].steps.push_back({.ns = outside.ns - now, .kind = StepKind::kRun});
        now = outside.ns;
      }
      drafts_[kOutside].steps.push_back(outside.step);
    }
  }

  // Gives tasks and waits their final numbers, and leaves out waits that lack a side.
  TaskGraph Numbered() {
    TaskGraph graph;
    graph.tasks.clear();
    graph.labels = options_.labels.empty() ? std::vector<std::string>{""} : options_.labels;
    std::vector<std::uint32_t> number_of(drafts_.size(), kNone);
    const std::vector<std::uint32_t> order = DepthFirst(number_of);
    std::vector<std::uint32_t> wait_number(waits_.size(), kNone);
    for (const std::uint32_t old : order) {
      for (const Step& step : drafts_[old].steps) {
        if (step.kind == StepKind::kWait && waits_[step.target].IsWhole()) {
          wait_number[step.target] = graph.waits++;
        }
      }
    }
    for (const std::uint32_t old : order) {
      const Draft& draft = drafts_[old];
      Task task{.first_step = graph.steps.size(),
                .label = draft.label < graph.labels.size() ? draft.label : 0,
                .is_plain = draft.is_plain};
      for (Step step : draft.steps) {
        if (step.kind == StepKind::kSpawn) {
          step.target = number_of[step.target];
        } else if (step.kind == StepKind::kWait || step.kind == StepKind::kWake) {
          const Wait& wait = waits_[step.target];
          if (!wait.IsWhole()) {
            continue;
          }
          if (step.kind == StepKind::kWait && wait.ended_outside) {
            step.ns = wait.ended_ns - std::min(wait.ended_ns, wait.began_ns);
          }
          step.target = wait_number[step.target];
        }
        graph.steps.push_back(step);
      }
      task.step_count = graph.steps.size() - task.first_step;
      graph.tasks.push_back(task);
    }
    graph.makespan_ns = end_ns_ - std::min(end_ns_, first_ns_);
    for (const Track& track : tracks_) {
      graph.workers += track.is_worker ? 1 : 0;
      graph.lost_events += track.overwritten;
    }
    return graph;
  }

  // Returns all tasks: each before those that it spawns, in the order of its steps.
  std::vector<std::uint32_t> DepthFirst(std::vector<std::uint32_t>& number_of) const {
    std::vector<std::uint32_t> order;
    order.reserve(drafts_.size());
    std::vector<std::uint32_t> waiting{kOutside};
    while (!waiting.empty()) {
      const std::uint32_t task = waiting.back();
      waiting.pop_back();
      number_of[task] = static_cast<std::uint32_t>(order.size());
      order.push_back(task);
      const std::vector<Step>& steps = drafts_[task].steps;
      for (std::size_t i = steps.size(); i-- > 0;) {
        if (steps[i].kind == StepKind::kSpawn) {
          waiting.push_back(steps[i].target);
        }
      }
    }
    return order;
  }

  // Workers record shortly before or after their actions, on counters that differ slightly.
  // Arbitrary: far less than a wake-up takes (timeline/build.cpp has this value too).
  static constexpr std::uint64_t kSkewNs = 1000;

  const std::vector<Track>& tracks_;
  const BuildOptions& options_;
  std::vector<Worker> workers_;  // workers by track
  std::vector<Draft> drafts_;    // kOutside, then in the order of appearance
  std::vector<Wait> waits_;      // waits by provisional number
  std::vector<OutsideStep> outside_;
  std::unordered_map<std::uint32_t, std::uint32_t> task_of_;  // tasks by fiber
  std::uint64_t first_ns_ = kNever;                           // time of the first spawn
  std::uint64_t end_ns_ = 0;                                  // time of the last run
  std::uint64_t last_ns_ = 0;                                 // time of the last event
};

}  // namespace

TaskGraph Build(const std::vector<Track>& tracks, const BuildOptions& options) {
  return Builder(tracks, options).Build();
}

}  // namespace schedbench::graph

#include "graph/import/chrome_json.hpp"

#include "base/stable_sort.hpp"
#include "fibers/core/waiting.hpp"
#include "graph/build.hpp"
#include "graph/check.hpp"
#include "graph/graph_file.hpp"
#include "graph/import/chrome_trace.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace schedbench::graph {

namespace {

using trace::EventKind;
using trace::StopReason;

constexpr std::int64_t kSkewNs = 1000;  // the value in build.cpp

struct SliceId {
  std::size_t thread;
  std::size_t slice;

  auto operator<=>(const SliceId&) const = default;
};

// A flow into an outermost slice.
struct Arrival {
  std::int64_t left_ns;  // when it left `from`
  SliceId from;
  std::int64_t ns;  // when the task may continue
};

// Makes a graph of slices and flows. An outermost slice is a run of a task.
class GraphMaker {
 public:
  explicit GraphMaker(ChromeTrace trace)
      : trace_(std::move(trace)) {
  }

  TaskGraph Make() && {
    NumberTasks();
    BindFlows();
    TakeLinks();
    return Graph();
  }

 private:
  Slice& At(const SliceId& id) {
    return trace_.threads[id.thread].slices[id.slice];
  }

  void NumberTasks() {
    std::map<std::string, std::uint32_t> known;
    for (std::size_t thread = 0; thread < trace_.threads.size(); ++thread) {
      std::vector<Slice>& slices = trace_.threads[thread].slices;
      for (std::size_t i = 0; i < slices.size(); ++i) {
        const SliceId id{.thread = thread, .slice = i};
        slice_of_order_.emplace(slices[i].order, id);
        if (slices[i].outer != i) {
          continue;
        }
        const auto next = static_cast<std::uint32_t>(runs_.size());
        const std::string& identity = slices[i].identity;
        slices[i].task = identity.empty() ? next : known.try_emplace(identity, next).first->second;
        runs_.resize(std::max<std::size_t>(runs_.size(), slices[i].task + 1));
        runs_[slices[i].task].push_back(id);
        first_ns_ = std::min(first_ns_, slices[i].begin);
      }
    }
    for (std::vector<SliceId>& runs : runs_) {
      StableSort(runs, {}, [this](const SliceId& id) { return At(id).begin; });
    }
  }

  // Finds the slice of each event of a flow, in the order of time.
  void BindFlows() {
    StableSort(trace_.flows, {},
               [](const FlowEvent& event) { return std::tuple(event.ns, event.order); });
    for (const FlowEvent& event : trace_.flows) {
      slice_of_event_.push_back(SliceAt(event));
    }
  }

  // Returns the slice of a flow event: the event itself, the next slice that begins, or the
  // innermost enclosing one. May be none. Requires: earlier calls had no later event.
  std::optional<SliceId> SliceAt(const FlowEvent& event) {
    if (event.is_whole_slice) {
      const auto found = slice_of_order_.find(event.order);
      return found == slice_of_order_.end() ? std::nullopt : std::optional(found->second);
    }
    std::vector<Slice>& slices = trace_.threads[event.thread].slices;
    const auto id = [&event](std::size_t slice) {
      return SliceId{.thread = event.thread, .slice = slice};
    };
    if (event.binds_to_next) {
      const auto next = std::ranges::lower_bound(slices, event.ns, {}, &Slice::begin);
      return next == slices.end()
                 ? std::nullopt
                 : std::optional(id(static_cast<std::size_t>(next - slices.begin())));
    }
    const auto after = std::ranges::upper_bound(slices, event.ns, {}, &Slice::begin);
    if (after == slices.begin()) {
      return std::nullopt;
    }
    auto place = static_cast<std::size_t>(after - slices.begin()) - 1;
    if (event.phase == FlowEvent::Phase::kStart && place > 0) {
      // A flow at the end of a slice and the start of another belongs to the earlier one in the
      // file.
      const Slice& begun = slices[place];
      place -=
          begun.begin == event.ns && begun.order > event.order && slices[place - 1].end == event.ns
              ? 1
              : 0;
    }
    std::size_t found = place;
    while (found != slices[place].outer && slices[found].end < event.ns) {
      found = slices[found].parent;
    }
    // Slices that have ended enclose no later event: they are skipped only once.
    while (place != found) {
      place = std::exchange(slices[place].parent, found);
    }
    return slices[found].end + kSkewNs < event.ns ? std::nullopt : std::optional(id(found));
  }

  void TakeLinks() {
    const FlowLinks flows = FollowFlows(trace_.flows, kSkewNs);
    trace_.LeaveOut("flow events without the other end", flows.loose);
    for (const auto& [first, second] : flows.links) {
      const auto from = slice_of_event_[first];
      const auto to = slice_of_event_[second];
      if (!from || !to) {
        trace_.LeaveOut("flows outside slices");
        continue;
      }
      TakeLink(trace_.flows[first], *from, trace_.flows[second], *to);
    }
  }

  void TakeLink(const FlowEvent& out, const SliceId& from, const FlowEvent& in, const SliceId& to) {
    const SliceId source{.thread = from.thread, .slice = At(from).outer};
    const SliceId target{.thread = to.thread, .slice = At(to).outer};
    if (At(source).task == At(target).task) {
      return;
    }
    // A flow that left before the slice began caused it. Otherwise, the rest of the slice depends
    // on it.
    std::int64_t arrives = At(to).begin;
    const bool leaves_at_end = out.is_whole_slice || (out.phase == FlowEvent::Phase::kStep &&
                                                      out.ns <= At(from).begin + kSkewNs);
    std::int64_t leaves =
        leaves_at_end ? std::min(At(from).end, std::max(arrives, out.ns)) : out.ns;
    if (leaves > arrives + kSkewNs) {
      arrives = std::max(in.ns, arrives);
    }
    leaves = std::clamp(std::min(leaves, arrives), At(source).begin, At(source).end);
    arrives = std::clamp(arrives, At(target).begin, At(target).end);
    if (leaves > arrives + kSkewNs) {
      trace_.LeaveOut("flows that go back in time");
      return;
    }
    into_[target].push_back({.left_ns = leaves, .from = source, .ns = arrives});
  }

  // The role of an event in its slice: it begins it, makes something ready, ends it.
  enum Part { kBegin, kReady, kEnd };

  using Placed = std::pair<std::tuple<SliceId, Part, std::uint64_t>, Event>;

  TaskGraph Graph() {
    std::vector<std::string> labels{""};
    std::map<std::string, std::uint16_t> label_of;
    for (std::uint32_t task = 0; task < runs_.size(); ++task) {
      const std::string& name = At(runs_[task].front()).name;
      if (labels.size() < trace::kLastLabel &&
          label_of.try_emplace(name, static_cast<std::uint16_t>(labels.size())).second) {
        labels.push_back(name);
      }
      const auto label = label_of.find(name);
      for (std::size_t run = 0; run < runs_[task].size(); ++run) {
        AddRun(task, run, label == label_of.end() ? trace::kNoLabel : label->second);
      }
    }
    std::vector<Track> tracks(trace_.threads.size() + 1);
    tracks.back().is_worker = false;
    for (std::size_t thread = 0; thread < trace_.threads.size(); ++thread) {
      for (const auto& [begin, end] : trace_.threads[thread].off) {
        tracks[thread].off.push_back(
            {.start_ns = Relative(begin), .end_ns = Relative(end), .preempted = true});
      }
    }
    StableSort(events_, {}, &Placed::first);
    for (const auto& [place, event] : events_) {
      tracks[std::get<SliceId>(place).thread].events.push_back(event);
    }
    TaskGraph graph = Build(tracks, {.labels = labels});
    graph.facts.emplace_back("source", "Chrome JSON");
    std::string left_out;
    for (const auto& [kind, number] : trace_.left_out) {
      left_out += fmt::format("{}{}: {}", left_out.empty() ? "" : "; ", kind, number);
    }
    if (!left_out.empty()) {
      graph.facts.emplace_back(kLeftOutFact, left_out);
    }
    if (graph.tasks.size() < 2) {
      throw FormatError(
          "the trace has no slice of a task    it needs events with \"ph\": \"X\", or \"B\" and "
          "\"E\"");
    }
    if (const std::string wrong = Check(graph); !wrong.empty()) {
      throw FormatError("the slices and flows contradict each other: " + wrong);
    }
    return graph;
  }

  void AddRun(std::uint32_t task, std::size_t run, std::uint16_t label) {
    const SliceId id = runs_[task][run];
    const Slice& slice = At(id);
    const std::uint32_t fiber = task + 1;  // 0 means none
    const auto add = [this](const SliceId& in, Part part, const Event& event) {
      events_.emplace_back(std::tuple(in, part, event.ns), event);
    };
    const auto begin = [&](Part part, std::int64_t ns) {
      add(id, part,
          {.ns = Relative(ns),
           .fiber = fiber,
           .arg = trace::SwitchArg(StopReason::kLoop, trace::kNoLabel)});
    };
    const auto stop = [&](Part part, std::int64_t ns, StopReason why) {
      add(id, part,
          {.ns = Relative(ns),
           .arg = static_cast<std::uint16_t>(fibers::WaitKind::kResume),
           .kind = EventKind::kWait});
      add(id, part, {.ns = Relative(ns), .arg = trace::SwitchArg(why, trace::kNoLabel)});
    };
    std::vector<Arrival> causes;
    if (const auto found = into_.find(id); found != into_.end()) {
      causes = found->second;
      StableSort(causes, {},
                 [](const Arrival& cause) { return std::tuple(cause.ns, cause.left_ns); });
    }
    if (causes.empty() || causes.front().ns > slice.begin) {
      const SliceId outside{.thread = trace_.threads.size(), .slice = 0};
      causes.insert(causes.begin(), {.left_ns = slice.begin, .from = outside, .ns = slice.begin});
    }
    for (std::size_t i = 0; i < causes.size(); ++i) {
      const bool is_spawn = run == 0 && i == 0;
      add(causes[i].from, kReady,
          {.ns = Relative(causes[i].left_ns),
           .fiber = fiber,
           .arg = is_spawn ? label : std::uint16_t{0},
           .kind = is_spawn ? EventKind::kSpawn : EventKind::kWake});
      if (i == 0) {
        begin(kBegin, slice.begin);
        continue;
      }
      // The task waits for each further cause.
      const Part part = causes[i].ns == slice.begin ? kBegin : kReady;
      stop(part, causes[i].ns, StopReason::kSuspended);
      begin(part, causes[i].ns);
    }
    stop(kEnd, slice.end,
         run + 1 < runs_[task].size() ? StopReason::kSuspended : StopReason::kEnded);
  }

  // Returns the time since the first slice began. Earlier events happen at that time.
  std::uint64_t Relative(std::int64_t ns) const {
    return static_cast<std::uint64_t>(std::max(ns, first_ns_) - first_ns_);
  }

  ChromeTrace trace_;
  std::int64_t first_ns_ = kOpenEnd;
  std::vector<std::vector<SliceId>> runs_;                   // runs by task, in the order of time
  std::unordered_map<std::size_t, SliceId> slice_of_order_;  // slice by its order in the file
  std::vector<std::optional<SliceId>> slice_of_event_;       // slice by the number of a flow event
  std::map<SliceId, std::vector<Arrival>> into_;             // arrivals by slice
  std::vector<Placed> events_;
};

}  // namespace

TaskGraph ReadChromeJson(std::string_view text) {
  return GraphMaker(ReadChromeTrace(text)).Make();
}

}  // namespace schedbench::graph

#include "graph/import/chrome_json.hpp"

#include "base/stable_sort.hpp"
#include "fibers/core/waiting.hpp"
#include "graph/build.hpp"
#include "graph/check.hpp"
#include "graph/graph_file.hpp"
#include "platform/threads/cpu_switches.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace schedbench::graph {

namespace {

using nlohmann::json;
using trace::EventKind;
using trace::StopReason;

// The slice in which `schedbench trace` shows that another thread had the CPU.
constexpr std::string_view kPreempted = "preempted";
constexpr std::uint64_t kOpenEnd = std::numeric_limits<std::uint64_t>::max();

struct Slice {
  std::uint64_t begin = 0;  // nanoseconds
  std::uint64_t end = kOpenEnd;
  std::uint32_t task = 0;  // from 1
  std::string name{};
  std::string identity{};  // args.task, else the id; "": a task of its own
};

// One end of a flow.
struct FlowEnd {
  std::uint64_t ns = 0;
  std::size_t thread = 0;
  bool encloses = true;  // it is in the slice that encloses it, else in the next one
};

struct Flow {
  std::optional<FlowEnd> from{};
  std::vector<FlowEnd> to{};
};

struct Thread {
  std::vector<Slice> slices{};
  std::vector<std::size_t> open{};  // "B" without "E" so far
  std::vector<platform::OffCpu> off{};
};

// A place of a slice.
struct SliceId {
  std::size_t thread;
  std::size_t slice;
  bool operator==(const SliceId&) const = default;
};

class Importer {
 public:
  TaskGraph Read(std::string_view text) && {
    Parse(text);
    KeepOutermost();
    NumberTasks();
    FollowFlows();
    return Graph();
  }

 private:
  // Takes the events one after the other: a tree of a large file would need many times its size.
  void Parse(std::string_view text) {
    try {
      const json root =
          json::parse(text, [this](int depth, json::parse_event_t event, json& parsed) {
            // In {"traceEvents": [...]} at depth 2, or in [...] at depth 1: objects inside an event have a greater one.
            const bool is_event = depth == 1 || depth == 2;
            if (event == json::parse_event_t::object_end && is_event && parsed.contains("ph")) {
              Take(parsed);
              return false;
            }
            return true;
          });
      if (!root.is_array() && !(root.is_object() && root.contains("traceEvents"))) {
        throw FormatError("the JSON text is no trace: it has no \"traceEvents\"");
      }
    } catch (const json::exception& error) {
      // Without its number, "[json.exception.parse_error.101] ".
      std::string_view why = error.what();
      if (const std::size_t end = why.find("] "); end != std::string_view::npos) {
        why.remove_prefix(end + 2);
      }
      throw FormatError(fmt::format("the trace is no JSON text: {}", why));
    }
  }

  [[noreturn]] static void Refuse(const json& event, const std::string& why) {
    std::string text = event.dump(-1, ' ', true, json::error_handler_t::replace);
    if (text.size() > 200) {
      text = text.substr(0, 200) + "...";
    }
    throw FormatError(fmt::format("{}: {}", why, text));
  }

  static std::string TextOf(const json& event, const char* key) {
    const auto found = event.find(key);
    if (found == event.end()) {
      return "";
    }
    return found->is_string() ? found->get<std::string>()
                              : found->dump(-1, ' ', true, json::error_handler_t::replace);
  }

  // Microseconds to nanoseconds.
  static std::uint64_t TimeOf(const json& event, const char* key) {
    const auto found = event.find(key);
    if (found == event.end() || !found->is_number()) {
      Refuse(event, fmt::format("an event has no number \"{}\"", key));
    }
    const double microseconds = found->get<double>();
    constexpr double kMost = 4e15;  // a century
    if (!(microseconds >= 0 && microseconds <= kMost)) {
      Refuse(event, fmt::format("the number \"{}\" is negative or more than a century", key));
    }
    return static_cast<std::uint64_t>(std::llround(microseconds * 1000));
  }

  std::size_t ThreadOf(const json& event) {
    const auto [place, is_new] =
        thread_of_.try_emplace({TextOf(event, "pid"), TextOf(event, "tid")}, threads_.size());
    if (is_new) {
      threads_.emplace_back();
    }
    return place->second;
  }

  void Take(const json& event) {
    const std::string kind = TextOf(event, "ph");
    if (kind == "X" || kind == "B") {
      Thread& thread = threads_[ThreadOf(event)];
      Slice slice{.begin = TimeOf(event, "ts"), .name = TextOf(event, "name")};
      if (const auto args = event.find("args"); args != event.end() && args->is_object()) {
        slice.identity = TextOf(*args, "task");
      }
      if (slice.identity.empty() && event.contains("id")) {
        slice.identity = "id " + TextOf(event, "id");
      }
      if (kind == "X") {
        slice.end = slice.begin + (event.contains("dur") ? TimeOf(event, "dur") : 0);
      } else {
        thread.open.push_back(thread.slices.size());
      }
      if (kind == "X" && slice.name == kPreempted) {
        thread.off.push_back({.start_ns = slice.begin, .end_ns = slice.end, .preempted = true});
      } else {
        thread.slices.push_back(std::move(slice));
      }
    } else if (kind == "E") {
      Thread& thread = threads_[ThreadOf(event)];
      if (thread.open.empty()) {
        Refuse(event, "an event \"E\" ends nothing");
      }
      Slice& slice = thread.slices[thread.open.back()];
      thread.open.pop_back();
      slice.end = TimeOf(event, "ts");
      if (slice.end < slice.begin) {
        Refuse(event, "a slice ends before it begins");
      }
    } else if (kind == "s" || kind == "t" || kind == "f") {
      Flow& flow = flows_[{TextOf(event, "cat"), TextOf(event, "id")}];
      const FlowEnd end{.ns = TimeOf(event, "ts"),
                        .thread = ThreadOf(event),
                        .encloses = kind != "f" || TextOf(event, "bp") == "e"};
      if (kind == "s") {
        flow.from = end;
      } else {
        flow.to.push_back(end);
      }
    }
  }

  // Of each thread in the order of time, without those that lie in others and those that are no tasks.
  void KeepOutermost() {
    for (Thread& thread : threads_) {
      std::erase_if(thread.slices, [](const Slice& slice) {
        return slice.name == "park" || slice.name == "search";
      });
      endless_ += std::erase_if(thread.slices, [](const Slice& slice) {
        return slice.end == kOpenEnd;
      });
      StableSort(thread.slices, [](const Slice& a, const Slice& b) {
        return std::tuple(a.begin, ~a.end) < std::tuple(b.begin, ~b.end);
      });
      std::vector<Slice> kept;
      for (Slice& slice : thread.slices) {
        if (kept.empty() || slice.begin >= kept.back().end) {
          kept.push_back(std::move(slice));
        } else if (slice.end > kept.back().end) {
          ++overlapping_;
        }
      }
      thread.slices = std::move(kept);
      std::ranges::sort(thread.off, {}, &platform::OffCpu::start_ns);
    }
  }

  void NumberTasks() {
    std::map<std::string, std::uint32_t> known;
    for (std::size_t thread = 0; thread < threads_.size(); ++thread) {
      for (std::size_t i = 0; i < threads_[thread].slices.size(); ++i) {
        Slice& slice = threads_[thread].slices[i];
        const auto next = static_cast<std::uint32_t>(runs_.size() + 1);
        slice.task =
            slice.identity.empty() ? next : known.try_emplace(slice.identity, next).first->second;
        if (slice.task == next) {
          runs_.emplace_back();
        }
        runs_[slice.task - 1].push_back({.thread = thread, .slice = i});
      }
    }
    for (std::vector<SliceId>& runs : runs_) {
      StableSort(runs, {}, [this](const SliceId& id) {
        return At(id).begin;
      });
    }
  }

  Slice& At(const SliceId& id) {
    return threads_[id.thread].slices[id.slice];
  }

  std::optional<SliceId> SliceAt(const FlowEnd& end) const {
    const std::vector<Slice>& slices = threads_[end.thread].slices;
    const auto after = std::ranges::upper_bound(slices, end.ns, {}, &Slice::begin);
    if (!end.encloses) {
      const auto next = std::ranges::lower_bound(slices, end.ns, {}, &Slice::begin);
      return next == slices.end()
                 ? std::nullopt
                 : std::optional(
                       SliceId{end.thread, static_cast<std::size_t>(next - slices.begin())});
    }
    if (after == slices.begin() || (after - 1)->end + kSkewNs < end.ns) {
      return std::nullopt;
    }
    return SliceId{end.thread, static_cast<std::size_t>(after - slices.begin()) - 1};
  }

  void FollowFlows() {
    for (const auto& [id, flow] : flows_) {
      const auto from = flow.from ? SliceAt(*flow.from) : std::nullopt;
      for (const FlowEnd& end : flow.to) {
        const auto to = SliceAt(end);
        if (!from || !to) {
          ++loose_flows_;
          continue;
        }
        if (At(*from).task == At(*to).task) {
          continue;
        }
        const std::uint64_t begin = At(*to).begin;
        if (flow.from->ns > begin + kSkewNs) {
          throw FormatError(
              fmt::format("the flow {} goes back in time: from {} us to the slice at {} us, \"{}\"",
                          id.second, static_cast<double>(flow.from->ns) / 1000,
                          static_cast<double>(begin) / 1000, At(*to).name));
        }
        into_[{to->thread, to->slice}].push_back(
            {std::clamp(std::min(flow.from->ns, begin), At(*from).begin, At(*from).end), *from});
      }
    }
  }

  // An event of a thread.
  struct Timed {
    std::size_t slice;  // that it belongs to
    int order;          // in it: it begins, it makes something ready, it ends
    std::uint64_t ns;
    Event event;
  };

  static constexpr int kBegin = 0;
  static constexpr int kReady = 1;
  static constexpr int kEnd = 2;

  TaskGraph Graph() {
    std::vector<std::vector<Timed>> events(threads_.size() + 1);
    std::vector<std::string> labels{""};
    std::map<std::string, std::uint16_t> label_of;
    for (std::uint32_t task = 1; task <= runs_.size(); ++task) {
      const std::vector<SliceId>& runs = runs_[task - 1];
      const std::string& name = At(runs.front()).name;
      if (!label_of.contains(name) && labels.size() < trace::kLastLabel) {
        label_of[name] = static_cast<std::uint16_t>(labels.size());
        labels.push_back(name);
      }
      for (std::size_t run = 0; run < runs.size(); ++run) {
        AddRun(task, run, label_of.contains(name) ? label_of[name] : trace::kNoLabel, events);
      }
    }
    std::vector<Track> tracks;
    for (std::size_t thread = 0; thread < events.size(); ++thread) {
      StableSort(events[thread], {}, [](const Timed& timed) {
        return std::tuple(timed.slice, timed.order, timed.ns);
      });
      Track& track = tracks.emplace_back(Track{.is_worker = thread < threads_.size()});
      if (track.is_worker) {
        track.off = std::move(threads_[thread].off);
      }
      for (const Timed& timed : events[thread]) {
        track.events.push_back(timed.event);
      }
    }
    TaskGraph graph = Build(tracks, {.labels = labels});
    graph.facts.emplace_back("source", "Chrome JSON");
    if (endless_ + overlapping_ + loose_flows_ > 0) {
      graph.facts.emplace_back(kLeftOutFact,
                               fmt::format("slices without an end: {}, that overlap an earlier "
                                           "one: {}; flows outside slices: {}",
                                           endless_, overlapping_, loose_flows_));
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

  void AddRun(std::uint32_t task, std::size_t run, std::uint16_t label,
              std::vector<std::vector<Timed>>& events) {
    const SliceId id = runs_[task - 1][run];
    const Slice& slice = At(id);
    const auto add = [&](const SliceId& in, int order, const Event& event) {
      events[in.thread].push_back(
          {.slice = in.slice, .order = order, .ns = event.ns, .event = event});
    };
    const auto begin = [&] {
      add(id, kBegin,
          {.ns = slice.begin,
           .fiber = task,
           .arg = trace::SwitchArg(StopReason::kLoop, trace::kNoLabel)});
    };
    const auto stop = [&](int order, std::uint64_t ns, StopReason why) {
      add(id, order,
          {.ns = ns,
           .arg = static_cast<std::uint16_t>(fibers::WaitKind::kResume),
           .kind = EventKind::kWait});
      add(id, order, {.ns = ns, .arg = trace::SwitchArg(why, trace::kNoLabel)});
    };
    std::vector<std::pair<std::uint64_t, SliceId>> causes;
    if (const auto found = into_.find({id.thread, id.slice}); found != into_.end()) {
      causes = found->second;
      StableSort(causes, {}, &std::pair<std::uint64_t, SliceId>::first);
    }
    if (causes.empty()) {
      causes.emplace_back(slice.begin, SliceId{.thread = threads_.size(), .slice = 0});  // outside
    }
    for (std::size_t i = 0; i < causes.size(); ++i) {
      const bool is_spawn = run == 0 && i == 0;
      add(causes[i].second, kReady,
          {.ns = causes[i].first,
           .fiber = task,
           .arg = is_spawn ? label : std::uint16_t{0},
           .kind = is_spawn ? EventKind::kSpawn : EventKind::kWake});
      if (i > 0) {  // the task waits for each further cause
        begin();
        stop(kBegin, slice.begin, StopReason::kSuspended);
      }
    }
    begin();
    stop(kEnd, slice.end,
         run + 1 < runs_[task - 1].size() ? StopReason::kSuspended : StopReason::kEnded);
  }

  static constexpr std::uint64_t kSkewNs = 1000;  // as in build.cpp

  std::map<std::pair<std::string, std::string>, std::size_t> thread_of_;  // by pid and tid
  std::vector<Thread> threads_;
  std::size_t endless_ = 0;      // slices without an end
  std::size_t overlapping_ = 0;  // slices that begin in another one and end after it
  std::size_t loose_flows_ = 0;  // flows with an end where no slice is
  std::map<std::pair<std::string, std::string>, Flow> flows_;  // by category and number
  std::vector<std::vector<SliceId>> runs_;                     // by task - 1, in the order of time
  // By slice: when and where the flows to it begin.
  std::map<std::pair<std::size_t, std::size_t>, std::vector<std::pair<std::uint64_t, SliceId>>>
      into_;
};

}  // namespace

TaskGraph ReadChromeJson(std::string_view text) {
  return Importer().Read(text);
}

}  // namespace schedbench::graph

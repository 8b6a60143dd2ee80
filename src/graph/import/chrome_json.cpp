#include "graph/import/chrome_json.hpp"

#include "base/stable_sort.hpp"
#include "fibers/core/waiting.hpp"
#include "graph/build.hpp"
#include "graph/check.hpp"
#include "graph/graph_file.hpp"
#include "graph/import/chrome_flows.hpp"
#include "graph/import/json_events.hpp"
#include "platform/threads/cpu_switches.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
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
constexpr std::int64_t kOpenEnd = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kSkewNs = 1000;  // as in build.cpp
constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

struct Slice {
  std::int64_t begin = 0;  // nanoseconds
  std::int64_t end = kOpenEnd;
  std::size_t order = 0;       // in the file
  std::size_t parent = kNone;  // the slice of the thread that it lies in directly
  std::size_t outer = kNone;   // the outermost one
  std::uint32_t task = 0;      // from 1; of an outermost slice
  std::string name{};
  std::string identity{};  // args.task, else the id; "": a task of its own
};

// A "B" or an "E". They are matched in the order of time, as a file may have another.
struct Mark {
  std::int64_t ns;
  std::size_t slice;  // kNone: an end
  std::string name;
};

struct Thread {
  std::vector<Slice> slices{};
  std::vector<Mark> marks{};
  std::vector<std::pair<std::int64_t, std::int64_t>> off{};
};

// A place of a slice.
struct SliceId {
  std::size_t thread;
  std::size_t slice;
};

// A flow into an outermost slice.
struct Arrival {
  std::int64_t left_ns;  // when it left `from`
  SliceId from;
  std::int64_t ns;  // when the task may continue
};

class Importer {
 public:
  TaskGraph Read(std::string_view text) && {
    Parse(text);
    MatchMarks();
    for (Thread& thread : threads_) {
      Nest(thread);
    }
    NumberTasks();
    TakeLinks();
    return Graph();
  }

 private:
  // Takes the events one after the other: a tree of a large file would need many times its size.
  void Parse(std::string_view text) {
    JsonEvents events(text);
    for (std::string_view one = events.Next(); !one.empty(); one = events.Next()) {
      try {
        Take(json::parse(one));
      } catch (const json::exception& error) {
        // Without its number, "[json.exception.parse_error.101] ".
        std::string_view why = error.what();
        if (const std::size_t end = why.find("] "); end != std::string_view::npos) {
          why.remove_prefix(end + 2);
        }
        throw FormatError(
            fmt::format("the trace is no JSON text: the event in line {}: {}", events.Line(), why));
      } catch (const FormatError& error) {
        throw FormatError(fmt::format("line {}: {}", events.Line(), error.what()));
      }
    }
    Count("values that are no events, or are cut by the end of the text", events.LeftOut());
  }

  [[noreturn]] static void Refuse(const json& event, const std::string& why) {
    std::string text = event.dump(-1, ' ', true, json::error_handler_t::replace);
    if (text.size() > 200) {
      text = text.substr(0, 200) + "...";
    }
    throw FormatError(fmt::format("{}: {}", why, text));
  }

  static std::string Text(const json& value) {
    return value.is_string() ? value.get<std::string>()
                             : value.dump(-1, ' ', true, json::error_handler_t::replace);
  }

  static std::string TextOf(const json& event, const char* key) {
    const auto found = event.find(key);
    return found == event.end() || found->is_null() ? "" : Text(*found);
  }

  // Microseconds, as a number or its text, to nanoseconds. None: there is no such member.
  static std::optional<std::int64_t> TimeOf(const json& event, const char* key) {
    const std::string text = TextOf(event, key);
    if (text.empty()) {
      return std::nullopt;
    }
    double microseconds = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), microseconds);
    if (error != std::errc() || end != text.data() + text.size()) {
      Refuse(event, fmt::format("\"{}\" of an event is no number", key));
    }
    constexpr double kMost = 2e15;  // so that differences are less than a century and a half
    if (!(std::abs(microseconds) <= kMost)) {
      Refuse(event, fmt::format("the number \"{}\" is more than 60 years", key));
    }
    return std::llround(microseconds * 1000);
  }

  static std::int64_t StartOf(const json& event) {
    const auto ns = TimeOf(event, "ts");
    if (!ns) {
      Refuse(event, "an event has no number \"ts\"");
    }
    return *ns;
  }

  // The same identifier as a number, or as the text of a hexadecimal one.
  static std::string IdOf(const json& event, const char* key) {
    const auto found = event.find(key);
    if (found == event.end() || !found->is_string()) {
      return TextOf(event, key);
    }
    const std::string text = found->get<std::string>();
    const std::size_t digits = text.starts_with("0x") || text.starts_with("0X") ? 2 : 0;
    std::uint64_t number = 0;
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data() + digits, last, number, 16);
    return error == std::errc() && end == last ? std::to_string(number) : "text " + text;
  }

  // The identifier of a flow of version 1 in its scope; "" without one.
  static std::string FlowOf(const json& event) {
    std::string id = IdOf(event, "id");
    std::string process;
    if (const auto id2 = event.find("id2"); id.empty() && id2 != event.end() && id2->is_object()) {
      id = IdOf(*id2, "global");
      if (id.empty()) {
        id = IdOf(*id2, "local");
        process = TextOf(event, "pid");
      }
    }
    return id.empty() ? id
                      : json{TextOf(event, "cat"), TextOf(event, "name"), id, process}.dump(
                            -1, ' ', true, json::error_handler_t::replace);
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
    ++order_;
    const std::string kind = TextOf(event, "ph");
    if (kind == "X" || kind == "B") {
      TakeSlice(event, kind == "B");
    } else if (kind == "E") {
      threads_[ThreadOf(event)].marks.push_back(
          {.ns = StartOf(event), .slice = kNone, .name = TextOf(event, "name")});
    } else if (kind == "s" || kind == "t" || kind == "f") {
      using enum FlowEvent::Phase;
      FlowEvent flow{.flow = FlowOf(event),
                     .phase = kind == "s"   ? kStart
                              : kind == "t" ? kStep
                                            : kEnd,
                     .ns = StartOf(event),
                     .thread = ThreadOf(event),
                     .order = order_,
                     .binds_to_next = kind == "f" && TextOf(event, "bp") != "e"};
      if (flow.flow.empty()) {
        Count("flow events without an id");
      } else {
        flows_.push_back(std::move(flow));
      }
    } else if (kind == "b" || kind == "e" || kind == "n" || kind == "S" || kind == "F") {
      Count("asynchronous events");
    } else if (kind != "M") {
      Count("events of other kinds");
    }
  }

  void TakeSlice(const json& event, bool is_open) {
    const std::size_t number = ThreadOf(event);
    Thread& thread = threads_[number];
    Slice slice{.begin = StartOf(event), .order = order_, .name = TextOf(event, "name")};
    if (const auto args = event.find("args"); args != event.end() && args->is_object()) {
      slice.identity = TextOf(*args, "task");
    }
    if (slice.identity.empty() && event.contains("id")) {
      slice.identity = "id " + TextOf(event, "id");
    }
    if (is_open) {
      thread.marks.push_back(
          {.ns = slice.begin, .slice = thread.slices.size(), .name = slice.name});
    } else if (const auto length = TimeOf(event, "dur")) {
      if (*length < 0) {
        Refuse(event, "a slice ends before it begins");
      }
      slice.end = slice.begin + *length;
      if (slice.name == kPreempted) {
        thread.off.emplace_back(slice.begin, slice.end);
        return;
      }
    }
    const auto flows = [&event](const char* key) {
      const auto found = event.find(key);
      return found != event.end() &&
             (found->is_boolean() ? found->get<bool>() : Text(*found) == "true");
    };
    const bool comes = flows("flow_in");
    const bool goes = flows("flow_out");
    if (const std::string id = IdOf(event, "bind_id"); !id.empty() && (comes || goes)) {
      using enum FlowEvent::Phase;
      flows_.push_back({.flow = id,
                        .phase = !comes ? kStart
                                 : goes ? kStep
                                        : kEnd,
                        .ns = slice.begin,
                        .thread = number,
                        .order = order_,
                        .is_whole_slice = true});
    } else if (comes || goes || event.contains("bind_id")) {
      Count("flows without a \"bind_id\" or a direction");
    }
    thread.slices.push_back(std::move(slice));
  }

  void Count(const std::string& what, std::size_t number = 1) {
    if (number > 0) {
      left_out_[what] += number;
    }
  }

  // An end belongs to the last open begin with the same name. A begin or an end without a name fits any.
  void MatchMarks() {
    for (Thread& thread : threads_) {
      StableSort(thread.marks, {}, &Mark::ns);
      std::vector<const Mark*> open;
      for (const Mark& mark : thread.marks) {
        if (mark.slice != kNone) {
          open.push_back(&mark);
          continue;
        }
        const auto found = std::find_if(open.rbegin(), open.rend(), [&mark](const Mark* begin) {
          return mark.name.empty() || begin->name.empty() || begin->name == mark.name;
        });
        if (found == open.rend()) {
          Count("ends without a begin");
          continue;
        }
        thread.slices[(*found)->slice].end = mark.ns;
        open.erase(std::next(found).base());
      }
      thread.marks = {};
    }
  }

  // Sorts the slices by time, without those that are no tasks and those that overlap another one.
  void Nest(Thread& thread) {
    std::erase_if(thread.slices, [](const Slice& slice) {
      return slice.name == "park" || slice.name == "search";
    });
    Count("slices without an end", std::erase_if(thread.slices, [](const Slice& slice) {
            return slice.end == kOpenEnd;
          }));
    StableSort(thread.slices, {}, [](const Slice& slice) {
      return std::tuple(slice.begin, -slice.end);
    });
    std::vector<Slice> kept;
    std::vector<std::size_t> open;
    for (Slice& slice : thread.slices) {
      while (!open.empty() && kept[open.back()].end <= slice.begin) {
        open.pop_back();
      }
      slice.parent = open.empty() ? kNone : open.back();
      slice.outer = open.empty() ? kept.size() : kept[open.back()].outer;
      if (!open.empty() && slice.end > kept[slice.outer].end) {
        Count("slices that overlap an earlier one");
        continue;
      }
      open.push_back(kept.size());
      kept.push_back(std::move(slice));
    }
    thread.slices = std::move(kept);
    std::ranges::sort(thread.off);
  }

  void NumberTasks() {
    std::map<std::string, std::uint32_t> known;
    for (std::size_t thread = 0; thread < threads_.size(); ++thread) {
      for (std::size_t i = 0; i < threads_[thread].slices.size(); ++i) {
        Slice& slice = threads_[thread].slices[i];
        if (slice.outer != i) {
          continue;
        }
        const auto next = static_cast<std::uint32_t>(runs_.size() + 1);
        slice.task =
            slice.identity.empty() ? next : known.try_emplace(slice.identity, next).first->second;
        if (slice.task == next) {
          runs_.emplace_back();
        }
        runs_[slice.task - 1].push_back({.thread = thread, .slice = i});
        first_ns_ = std::min(first_ns_, slice.begin);
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

  // The slice that an event of a flow belongs to: the next one that begins, or the innermost one that encloses it.
  std::optional<SliceId> SliceAt(const FlowEvent& event) const {
    const std::vector<Slice>& slices = threads_[event.thread].slices;
    if (event.binds_to_next) {
      const auto next = std::ranges::lower_bound(slices, event.ns, {}, &Slice::begin);
      const auto place = static_cast<std::size_t>(next - slices.begin());
      return next == slices.end() ? std::nullopt : std::optional(SliceId{event.thread, place});
    }
    const auto after = std::ranges::upper_bound(slices, event.ns, {}, &Slice::begin);
    auto place = static_cast<std::size_t>(after - slices.begin());
    if (place == 0) {
      return std::nullopt;
    }
    --place;
    if (event.phase == FlowEvent::Phase::kStart && place > 0) {
      // A flow that begins where a slice ends and another begins belongs to the one that is before it in the file.
      const Slice& begun = slices[place];
      const Slice& before = slices[place - 1];
      place -=
          begun.begin == event.ns && begun.order > event.order && before.end == event.ns ? 1 : 0;
    }
    const std::size_t outer = slices[place].outer;
    while (place != outer && slices[place].end < event.ns) {
      place = slices[place].parent;
    }
    return slices[place].end + kSkewNs < event.ns ? std::nullopt
                                                  : std::optional(SliceId{event.thread, place});
  }

  SliceId OuterOf(const SliceId& id) {
    return {.thread = id.thread, .slice = At(id).outer};
  }

  void TakeLinks() {
    const FlowLinks flows = FollowFlows(std::move(flows_), kSkewNs);
    Count("flow events without the other end", flows.loose);
    for (const auto& [out, in] : flows.links) {
      const auto from = SliceAt(out);
      const auto to = SliceAt(in);
      if (!from || !to) {
        Count("flows outside slices");
        continue;
      }
      const SliceId source = OuterOf(*from);
      const SliceId target = OuterOf(*to);
      if (At(source).task == At(target).task) {
        continue;
      }
      // A flow that left before the slice began is the reason of the slice; else the rest of the slice depends on it.
      std::int64_t arrives = At(*to).begin;
      const bool leaves_at_end = out.is_whole_slice || (out.phase == FlowEvent::Phase::kStep &&
                                                        out.ns <= At(*from).begin + kSkewNs);
      std::int64_t leaves =
          leaves_at_end ? std::min(At(*from).end, std::max(arrives, out.ns)) : out.ns;
      if (leaves > arrives + kSkewNs) {
        arrives = std::max(in.ns, arrives);
      }
      leaves = std::clamp(std::min(leaves, arrives), At(source).begin, At(source).end);
      arrives = std::clamp(arrives, At(target).begin, At(target).end);
      if (leaves > arrives + kSkewNs) {
        Count("flows that go back in time");
        continue;
      }
      into_[{target.thread, target.slice}].push_back(
          {.left_ns = leaves, .from = source, .ns = arrives});
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
        for (const auto& [begin, end] : threads_[thread].off) {
          track.off.push_back(
              {.start_ns = Relative(begin), .end_ns = Relative(end), .preempted = true});
        }
      }
      for (const Timed& timed : events[thread]) {
        track.events.push_back(timed.event);
      }
    }
    TaskGraph graph = Build(tracks, {.labels = labels});
    graph.facts.emplace_back("source", "Chrome JSON");
    std::string left_out;
    for (const auto& [what, number] : left_out_) {
      left_out += fmt::format("{}{}: {}", left_out.empty() ? "" : "; ", what, number);
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

  void AddRun(std::uint32_t task, std::size_t run, std::uint16_t label,
              std::vector<std::vector<Timed>>& events) {
    const SliceId id = runs_[task - 1][run];
    const Slice& slice = At(id);
    const auto add = [&](const SliceId& in, int order, const Event& event) {
      events[in.thread].push_back(
          {.slice = in.slice, .order = order, .ns = event.ns, .event = event});
    };
    const auto begin = [&](int order, std::int64_t ns) {
      add(id, order,
          {.ns = Relative(ns),
           .fiber = task,
           .arg = trace::SwitchArg(StopReason::kLoop, trace::kNoLabel)});
    };
    const auto stop = [&](int order, std::int64_t ns, StopReason why) {
      add(id, order,
          {.ns = Relative(ns),
           .arg = static_cast<std::uint16_t>(fibers::WaitKind::kResume),
           .kind = EventKind::kWait});
      add(id, order, {.ns = Relative(ns), .arg = trace::SwitchArg(why, trace::kNoLabel)});
    };
    std::vector<Arrival> causes;
    if (const auto found = into_.find({id.thread, id.slice}); found != into_.end()) {
      causes = found->second;
      StableSort(causes, {}, [](const Arrival& cause) {
        return std::tuple(cause.ns, cause.left_ns);
      });
    }
    if (causes.empty() || causes.front().ns > slice.begin) {
      const SliceId outside{.thread = threads_.size(), .slice = 0};
      causes.insert(causes.begin(), {.left_ns = slice.begin, .from = outside, .ns = slice.begin});
    }
    for (std::size_t i = 0; i < causes.size(); ++i) {
      const bool is_spawn = run == 0 && i == 0;
      add(causes[i].from, kReady,
          {.ns = Relative(causes[i].left_ns),
           .fiber = task,
           .arg = is_spawn ? label : std::uint16_t{0},
           .kind = is_spawn ? EventKind::kSpawn : EventKind::kWake});
      if (i == 0) {
        begin(kBegin, slice.begin);
        continue;
      }
      // The task waits for each further cause.
      const int order = causes[i].ns == slice.begin ? kBegin : kReady;
      stop(order, causes[i].ns, StopReason::kSuspended);
      begin(order, causes[i].ns);
    }
    stop(kEnd, slice.end,
         run + 1 < runs_[task - 1].size() ? StopReason::kSuspended : StopReason::kEnded);
  }

  // Since the first slice. What is before it happens then.
  std::uint64_t Relative(std::int64_t ns) const {
    return static_cast<std::uint64_t>(std::max(ns, first_ns_) - first_ns_);
  }

  std::map<std::pair<std::string, std::string>, std::size_t> thread_of_;  // by pid and tid
  std::vector<Thread> threads_;
  std::vector<FlowEvent> flows_;
  std::size_t order_ = 0;
  std::int64_t first_ns_ = kOpenEnd;
  std::map<std::string, std::size_t> left_out_;
  std::vector<std::vector<SliceId>> runs_;  // by task - 1, in the order of time
  std::map<std::pair<std::size_t, std::size_t>, std::vector<Arrival>> into_;  // by slice
};

}  // namespace

TaskGraph ReadChromeJson(std::string_view text) {
  return Importer().Read(text);
}

}  // namespace schedbench::graph

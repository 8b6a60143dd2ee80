#include "graph/import/chrome_trace.hpp"

#include "base/stable_sort.hpp"
#include "graph/graph_file.hpp"
#include "graph/import/json_events.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <system_error>
#include <tuple>
#include <unordered_map>

namespace schedbench::graph {

namespace {

using nlohmann::json;

// The slice by which `schedbench trace` shows that another thread had the CPU.
constexpr std::string_view kPreempted = "preempted";

[[noreturn]] void Refuse(const json& event, const std::string& why) {
  std::string text = event.dump(-1, ' ', true, json::error_handler_t::replace);
  if (text.size() > 200) {
    text = text.substr(0, 200) + "...";
  }
  throw FormatError(fmt::format("{}: {}", why, text));
}

// Returns the text of a value, or its JSON; "" without such a member.
std::string TextOf(const json& event, const char* key) {
  const auto found = event.find(key);
  return found == event.end() || found->is_null() ? ""
         : found->is_string()                     ? found->get<std::string>()
                              : found->dump(-1, ' ', true, json::error_handler_t::replace);
}

// Converts microseconds, a number or its text, to nanoseconds. None: there is no such member.
std::optional<std::int64_t> TimeOf(const json& event, const char* key) {
  const std::string text = TextOf(event, key);
  if (text.empty()) {
    return std::nullopt;
  }
  double microseconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), microseconds);
  if (error != std::errc() || end != text.data() + text.size()) {
    Refuse(event, fmt::format("\"{}\" of an event is not a number", key));
  }
  constexpr double kMost = 2e15;  // limits differences to less than a century and a half
  if (!(std::abs(microseconds) <= kMost)) {
    Refuse(event, fmt::format("the number \"{}\" is more than 60 years", key));
  }
  return std::llround(microseconds * 1000);
}

std::int64_t StartOf(const json& event) {
  const auto ns = TimeOf(event, "ts");
  if (!ns) {
    Refuse(event, "an event has no number \"ts\"");
  }
  return *ns;
}

// Returns an identifier that is a number, or a hexadecimal number as text.
std::string IdOf(const json& event, const char* key) {
  const std::string text = TextOf(event, key);
  if (text.empty() || !event[key].is_string()) {
    return text;
  }
  const std::size_t digits = text.starts_with("0x") || text.starts_with("0X") ? 2 : 0;
  std::uint64_t number = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data() + digits, last, number, 16);
  return error == std::errc() && end == last ? std::to_string(number) : "text " + text;
}

// Returns the identifier of a flow of version 1 in its scope; "" without one.
std::string FlowOf(const json& event) {
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

// A "B" or an "E". They are matched in the order of time, because a file may have another order.
struct Mark {
  std::int64_t ns;
  std::size_t slice;   // kNoSlice: an end
  std::string name{};  // name of an end
};

class TraceReader {
 public:
  // Takes the events in turn: a tree of a large file would need many times its size.
  ChromeTrace Read(std::string_view text) && {
    JsonEvents events(text);
    for (std::string_view one = events.Next(); !one.empty(); one = events.Next()) {
      try {
        Take(json::parse(one));
      } catch (const json::exception& error) {
        // Drop the number of the error, "[json.exception.parse_error.101] ".
        std::string_view why = error.what();
        if (const std::size_t end = why.find("] "); end != std::string_view::npos) {
          why.remove_prefix(end + 2);
        }
        throw FormatError(fmt::format("the trace is not JSON text: the event in line {}: {}",
                                      events.Line(), why));
      } catch (const FormatError& error) {
        throw FormatError(fmt::format("line {}: {}", events.Line(), error.what()));
      }
    }
    trace_.LeaveOut("values that are not events, or are cut by the end of the text",
                    events.LeftOut());
    for (std::size_t i = 0; i < marks_.size(); ++i) {
      MatchMarks(trace_.threads[i], marks_[i]);
      Nest(trace_.threads[i]);
    }
    return std::move(trace_);
  }

 private:
  std::size_t ThreadOf(const json& event) {
    const auto [place, is_new] =
        thread_of_.try_emplace({TextOf(event, "pid"), TextOf(event, "tid")}, marks_.size());
    if (is_new) {
      trace_.threads.emplace_back();
      marks_.emplace_back();
    }
    return place->second;
  }

  void Take(const json& event) {
    using enum FlowEvent::Phase;
    ++order_;
    const std::string kind = TextOf(event, "ph");
    if (kind == "X" || kind == "B") {
      TakeSlice(event, kind == "B");
    } else if (kind == "E") {
      marks_[ThreadOf(event)].push_back(
          {.ns = StartOf(event), .slice = kNoSlice, .name = TextOf(event, "name")});
    } else if (kind == "s" || kind == "t" || kind == "f") {
      FlowEvent flow{.flow = FlowOf(event),
                     .phase = kind == "s"   ? kStart
                              : kind == "t" ? kStep
                                            : kEnd,
                     .ns = StartOf(event),
                     .thread = ThreadOf(event),
                     .order = order_,
                     .binds_to_next = kind == "f" && TextOf(event, "bp") != "e"};
      if (flow.flow.empty()) {
        trace_.LeaveOut("flow events without an id");
      } else {
        trace_.flows.push_back(std::move(flow));
      }
    } else if (kind == "b" || kind == "e" || kind == "n" || kind == "S" || kind == "F") {
      trace_.LeaveOut("asynchronous events");
    } else if (kind != "M") {
      trace_.LeaveOut("events of other kinds");
    }
  }

  void TakeSlice(const json& event, bool is_open) {
    using enum FlowEvent::Phase;
    const std::size_t number = ThreadOf(event);
    ChromeThread& thread = trace_.threads[number];
    Slice slice{.begin = StartOf(event), .order = order_, .name = TextOf(event, "name")};
    if (const auto args = event.find("args"); args != event.end() && args->is_object()) {
      slice.identity = TextOf(*args, "task");
    }
    if (slice.identity.empty() && event.contains("id")) {
      slice.identity = "id " + TextOf(event, "id");
    }
    if (is_open) {
      marks_[number].push_back({.ns = slice.begin, .slice = thread.slices.size()});
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
    const bool comes = TextOf(event, "flow_in") == "true";
    const bool goes = TextOf(event, "flow_out") == "true";
    if (const std::string id = IdOf(event, "bind_id"); !id.empty() && (comes || goes)) {
      trace_.flows.push_back({.flow = id,
                              .phase = !comes ? kStart
                                       : goes ? kStep
                                              : kEnd,
                              .ns = slice.begin,
                              .thread = number,
                              .order = order_,
                              .is_whole_slice = true});
    } else if (comes || goes || event.contains("bind_id")) {
      trace_.LeaveOut("flows without a \"bind_id\" or a direction");
    }
    thread.slices.push_back(std::move(slice));
  }

  // Matches an end with the last open start of its name. A missing name fits any.
  void MatchMarks(ChromeThread& thread, std::vector<Mark>& marks) {
    StableSort(marks, {}, &Mark::ns);
    using Begins = std::vector<std::size_t>;  // marks, the last one at the end
    const auto last_open = [&](Begins& begins) -> std::optional<std::size_t> {
      while (!begins.empty() && thread.slices[marks[begins.back()].slice].end != kOpenEnd) {
        begins.pop_back();
      }
      return begins.empty() ? std::nullopt : std::optional(begins.back());
    };
    Begins all;
    std::unordered_map<std::string_view, Begins> by_name;
    for (std::size_t i = 0; i < marks.size(); ++i) {
      if (marks[i].slice != kNoSlice) {
        all.push_back(i);
        by_name[thread.slices[marks[i].slice].name].push_back(i);
        continue;
      }
      const auto begin = marks[i].name.empty()
                             ? last_open(all)
                             : std::max(last_open(by_name[marks[i].name]), last_open(by_name[""]));
      if (begin) {
        thread.slices[marks[*begin].slice].end = marks[i].ns;
      } else {
        trace_.LeaveOut("ends without a begin");
      }
    }
  }

  // Sorts the slices by time, and drops those that are not tasks or overlap another.
  void Nest(ChromeThread& thread) {
    std::erase_if(thread.slices, [](const Slice& slice) {
      return slice.name == "park" || slice.name == "search";
    });
    trace_.LeaveOut("slices without an end", std::erase_if(thread.slices, [](const Slice& slice) {
                      return slice.end == kOpenEnd;
                    }));
    StableSort(thread.slices, {},
               [](const Slice& slice) { return std::tuple(slice.begin, -slice.end); });
    std::vector<Slice> kept;
    std::vector<std::size_t> open;
    for (Slice& slice : thread.slices) {
      while (!open.empty() && kept[open.back()].end <= slice.begin) {
        open.pop_back();
      }
      slice.parent = open.empty() ? kNoSlice : open.back();
      slice.outer = open.empty() ? kept.size() : kept[open.back()].outer;
      if (!open.empty() && slice.end > kept[slice.outer].end) {
        trace_.LeaveOut("slices that overlap an earlier one");
        continue;
      }
      open.push_back(kept.size());
      kept.push_back(std::move(slice));
    }
    thread.slices = std::move(kept);
    // They become disjoint, so that no time counts twice.
    std::ranges::sort(thread.off);
    std::size_t last = 0;
    for (const auto& [begin, end] : thread.off) {
      if (begin <= thread.off[last].second) {
        thread.off[last].second = std::max(thread.off[last].second, end);
      } else {
        thread.off[++last] = {begin, end};
      }
    }
    thread.off.resize(std::min(thread.off.size(), last + 1));
  }

  ChromeTrace trace_;
  std::vector<std::vector<Mark>> marks_;                                  // marks by thread
  std::map<std::pair<std::string, std::string>, std::size_t> thread_of_;  // thread by pid and tid
  std::size_t order_ = 0;
};

}  // namespace

ChromeTrace ReadChromeTrace(std::string_view text) {
  return TraceReader().Read(text);
}

}  // namespace schedbench::graph

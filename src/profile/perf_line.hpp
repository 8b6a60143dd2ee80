#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

// The lines that `perf script` prints. All results refer to the line. Pure; thread-safe.

namespace schedbench::profile {

// "COMMAND 12/34 [000] flags 1.000001: 1001001 cycles:u: ", any part of which may be missing.
struct PerfEvent {
  std::string_view command{};
  std::string_view event{};
  std::optional<std::uint64_t> period{};
  bool has_bad_period = false;  // its period is above 64 bits
  // After the event: a frame without a call graph, or the fields of a tracepoint.
  std::string_view rest{};
  bool is_record = false;  // PERF_RECORD_MMAP and others, which are not samples
};

// "  55ad67444a80 Leaf+0x20 (/bin/fib)". The symbol and the module may be empty.
struct PerfFrame {
  std::string_view address{};
  std::string_view symbol{};
  std::string_view module{};
};

// Returns the words between blanks.
std::vector<std::string_view> WordsOf(std::string_view line);

// Returns the event that a line describes, if any. `frame_follows`: the next line is a frame, so a
// line without a time and a thread number can be an event.
std::optional<PerfEvent> ParsePerfEvent(std::string_view line, bool frame_follows);

// Returns the frame of a line, wherever it begins.
std::optional<PerfFrame> ParsePerfFrame(std::string_view line);

// Returns the frame on the line of an event, from perf without call graphs.
std::optional<PerfFrame> FrameOfEvent(const PerfEvent& event);

// Returns whether the event is a tracepoint ("sched:sched_switch"), not modified ("cycles:u").
bool IsTracepoint(std::string_view event);

// Returns the unit of an event's periods: "ns" for clocks, "cycles", "faults", "events", or the
// name of the event without PMU and modifiers.
std::string_view UnitOfEvent(std::string_view event);

}  // namespace schedbench::profile

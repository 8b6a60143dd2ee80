#pragma once

#include "graph/import/chrome_flows.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace schedbench::graph {

inline constexpr std::size_t kNoSlice = std::numeric_limits<std::size_t>::max();
inline constexpr std::int64_t kOpenEnd = std::numeric_limits<std::int64_t>::max();

// A slice in Chrome's JSON format: "X", or "B" and "E". Times are nanoseconds.
struct Slice {
  std::int64_t begin = 0;
  std::int64_t end = kOpenEnd;
  std::size_t order = 0;          // position in the file
  std::size_t parent = kNoSlice;  // the directly enclosing slice of the thread
  std::size_t outer = kNoSlice;   // the outermost enclosing slice
  std::uint32_t task = 0;         // for an outermost one: the number from its reader
  std::string name{};
  std::string identity{};  // args.task, or the id; "": its own task
};

struct ChromeThread {
  std::vector<Slice> slices{};  // in the order of time, an outer one before its inner ones
  // Times in which another thread had its CPU; disjoint, in order.
  std::vector<std::pair<std::int64_t, std::int64_t>> off{};
};

struct ChromeTrace {
  std::vector<ChromeThread> threads{};
  std::vector<FlowEvent> flows{};                 // flows in the order of the file
  std::map<std::string, std::size_t> left_out{};  // counts by kind

  void LeaveOut(const std::string& kind, std::size_t count = 1) {
    if (count > 0) {
      left_out[kind] += count;
    }
  }
};

// Reads the slices and flows of a trace, and counts the rest. The slices of a thread lie next to or
// inside each other: others are left out. Throws FormatError with the line. Pure; thread-safe.
ChromeTrace ReadChromeTrace(std::string_view text);

}  // namespace schedbench::graph

#pragma once

#include "cli/flags/arguments.hpp"
#include "timeline/page_data.hpp"
#include "timeline/recording.hpp"
#include "timeline/timeline.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace schedbench::cli {

// A file format of timelines, chosen by the ending of the file's name.
struct TraceFormat {
  std::string_view ending;
  std::string_view doc;
  std::uint64_t usual_events;  // what is written by default: what its readers show without delay
  std::uint64_t max_events;    // limit of its readers
  std::string (*text)(const timeline::Timeline&, const timeline::PageTexts&);
};

// "t.pftrace" and its format.
struct TraceFile {
  std::string path;
  const TraceFormat* format;
};

// The rule of flags that name such files: the ending is that of a format, and the tool was built with its page.
std::string TraceFileComplaint(const ValueRule& rule, const std::string& path);
inline constexpr ValueRule kTraceFile{.complaint = &TraceFileComplaint};

// Requires: the path obeys kTraceFile.
TraceFile TraceFileOf(const std::string& path);

// Describes a timeline for its page.
using DescribeTimeline = std::function<timeline::PageTexts(const timeline::Timeline&)>;

// How much of a timeline a file may have: the usual part, or with --events all that its readers take.
enum class TraceLimit { kUsual, kReaders };

// Writes the timeline, or the last part of one that is too long, whole or not at all. Returns a line that reports the file.
// Throws platform::WriteError.
std::string WriteTraceFile(const TraceFile& file, timeline::Timeline timeline,
                           const timeline::Recording& recording, const DescribeTimeline& describe,
                           TraceLimit limit = TraceLimit::kUsual);

}  // namespace schedbench::cli

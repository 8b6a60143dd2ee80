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

// A form in which a timeline is written. The ending of a file's name says which.
struct TraceFormat {
  std::string_view ending;
  std::string_view doc;
  std::uint64_t max_events;  // that its readers take
  std::string (*text)(const timeline::Timeline&, const timeline::PageTexts&);
};

// "t.pftrace" as it was given, and what it is to be.
struct TraceFile {
  std::string path;
  const TraceFormat* format;
};

// The rule of flags that name such files: the ending is that of a format, and the tool has what the format needs.
std::string TraceFileComplaint(const ValueRule& rule, const std::string& path);
inline constexpr ValueRule kTraceFile{.complaint = &TraceFileComplaint};

// Requires: the path obeys kTraceFile.
TraceFile TraceFileOf(const std::string& path);

// What a page says of a timeline.
using DescribeTimeline = std::function<timeline::PageTexts(const timeline::Timeline&)>;

// Writes the timeline, or of a longer one its last part, whole or not at all. Returns a line that says what has been written.
// Throws platform::WriteError.
std::string WriteTraceFile(const TraceFile& file, timeline::Timeline timeline,
                           const timeline::Recording& recording, const DescribeTimeline& describe);

}  // namespace schedbench::cli

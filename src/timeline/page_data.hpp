#pragma once

#include "profile/text_sink.hpp"
#include "timeline/timeline.hpp"

#include <span>
#include <string>
#include <string_view>

namespace schedbench::timeline {

// Writes what the timeline page shows, as JSON in columns: the i-th slice is the i-th entry of each list in "slices".
//
//   version, title, start_ns (0), end_ns, overwritten, tracks, names, summary
//   slices    track, start, duration, name (place in names), kind (0 run, 1 search, 2 park)
//   arrows    from_track, from, to_track, to, kind (0 wake, 1 steal)
//   instants  track, at, name (a text): spawns, offloads, takes from the global queue
//   counters  one object for each queue: name, track, at, value
//
// All times are nanoseconds from the start. `summary`: lines of text. Pure but for the sink.
void WritePageData(const Timeline& timeline, std::string_view title,
                   std::span<const std::string> summary, const profile::TextSink& sink);

}  // namespace schedbench::timeline

#pragma once

#include "profile/text_sink.hpp"
#include "timeline/timeline.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace schedbench::timeline {

// Writes what ui.perfetto.dev opens (*.pftrace): a process "schedbench" with a thread for each worker, slices of what it did,
// instants, flows for wakes and steals, and a counter for each queue. Times are from the start of the timeline.
// Returns how many events of Perfetto's it has: a slice is two. Pure but for the sink, which takes bytes, not text.
std::uint64_t WritePerfetto(const Timeline& timeline, const profile::TextSink& sink);

// Writes the Trace Event Format of Chrome, which Perfetto, speedscope and others read too: some 70 bytes an event; readers
// fail at some 256 MB. A thread for each worker, slices, arrows of wakes, steals and moves of tasks as instants, counters.
// A wake by a worker's loop has no arrow: one must begin in a slice. Times are from the start of the timeline. Pure but for
// the sink.
void WriteChromeJson(const Timeline& timeline, const profile::TextSink& sink);

// What the page says in words.
struct PageTexts {
  std::string title{};
  std::vector<std::pair<std::string, std::string>> facts{};  // what, and how it was measured
  std::vector<std::string> summary{};                        // lines
};

// Writes what the timeline page shows, as JSON in columns: the i-th slice is the i-th entry of each list in "slices".
//
//   version, title, facts, start_ns (0), end_ns, overwritten, tracks, names, summary
//   slices    track, start, duration, name (place in names), kind (0 run, 1 search, 2 park)
//   arrows    from_track, from, to_track, to, kind (0 wake, 1 steal)
//   instants  track, at, name (place in names): spawns, offloads, takes from the global queue
//   counters  one object for each queue: name, track, at, value
//
// All times are nanoseconds from the start. Pure but for the sink.
void WritePageData(const Timeline& timeline, const PageTexts& texts, const profile::TextSink& sink);

}  // namespace schedbench::timeline

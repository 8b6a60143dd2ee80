#pragma once

#include "profile/text_sink.hpp"
#include "timeline/timeline.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace schedbench::timeline {

// Writes a file for ui.perfetto.dev (*.pftrace): a process "schedbench" with a thread for each
// worker, slices of its actions, instants, flows for wakes and steals, and a counter for each
// queue. Times are from the start of the timeline. Returns the number of Perfetto's events: a slice
// is two. Pure except for the sink, which takes bytes, not text.
std::uint64_t WritePerfetto(const Timeline& timeline, const profile::TextSink& sink);

// Writes Chrome's Trace Event Format, which Perfetto, speedscope and others also read: some 70
// bytes an event; readers fail at some 256 MB. It has a thread for each worker, slices, arrows of
// wakes, steals and moves of tasks as instants, and counters. A wake by a worker's loop has no
// arrow: arrows must begin in slices. Times start with the timeline. Pure except for the sink.
void WriteChromeJson(const Timeline& timeline, const profile::TextSink& sink);

// The texts of the page.
struct PageTexts {
  std::string title{};
  std::vector<std::pair<std::string, std::string>> facts{};  // what, and how it was measured
  std::vector<std::string> summary{};                        // lines
};

// Writes the data of the timeline page, as JSON in columns: the i-th slice is the i-th entry of
// each list in "slices".
//   version, title, facts, start_ns (0), end_ns, overwritten, tracks, names, summary
//   slices    track, start, duration, name (index in names), kind (0 run, 1 search, 2 park)
//   arrows    from_track, from, to_track, to, kind (0 wake, 1 steal)
//   instants  track, at, name (index in names): spawns, offloads, takes from the global queue
//   counters  an object for each queue: name, track, at, value
// All times are nanoseconds from the start. Pure except for the sink.
void WritePageData(const Timeline& timeline, const PageTexts& texts, const profile::TextSink& sink);

}  // namespace schedbench::timeline

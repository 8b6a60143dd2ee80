#pragma once

#include "profile/text_sink.hpp"
#include "timeline/timeline.hpp"

namespace schedbench::timeline {

// Writes the Trace Event Format of Chrome, which Perfetto, speedscope and others read too: some 70 bytes an event; readers
// fail at some 256 MB. A thread for each worker, slices, arrows of wakes, steals and moves of tasks as instants, counters.
// A wake by a worker's loop has no arrow: one must begin in a slice. Times are from the start of the timeline. Pure but for
// the sink.
void WriteChromeJson(const Timeline& timeline, const profile::TextSink& sink);

}  // namespace schedbench::timeline

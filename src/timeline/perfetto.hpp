#pragma once

#include "profile/text_sink.hpp"
#include "timeline/timeline.hpp"

#include <cstdint>

namespace schedbench::timeline {

// Writes what ui.perfetto.dev opens (*.pftrace): a process "schedbench" with a thread for each worker, slices of what it did,
// instants, flows for wakes and steals, and a counter for each queue. Times are from the start of the timeline.
// Returns how many events of Perfetto's it has: a slice is two. Pure but for the sink, which takes bytes, not text.
std::uint64_t WritePerfetto(const Timeline& timeline, const profile::TextSink& sink);

}  // namespace schedbench::timeline

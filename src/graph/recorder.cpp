#include "graph/recorder.hpp"

#include "graph/build.hpp"

#include <algorithm>
#include <cstddef>

namespace schedbench::graph {

namespace {

Track TrackOf(const trace::RingContent& content, const trace::TickMap& clock, bool is_worker) {
  Track track{.is_worker = is_worker, .overwritten = content.overwritten};
  track.events.reserve(content.events.size());
  std::uint64_t latest = 0;
  for (const trace::Event& event : content.events) {
    latest = std::max(latest, clock.NsAt(event.tsc));
    track.events.push_back(
        {.ns = latest, .fiber = event.fiber, .arg = event.arg, .kind = event.kind});
  }
  return track;
}

}  // namespace

Recorder::Recorder(registry::IScheduler& scheduler, unsigned bits) {
  const registry::Tracers tracers = scheduler.Tracers();
  session_ = std::make_unique<trace::Session>(tracers.workers, bits, tracers.external);
}

TaskGraph Recorder::Take() const {
  return GraphOf(*session_);
}

TaskGraph GraphOf(const trace::Session& session,
                  const std::vector<std::vector<platform::OffCpu>>& off) {
  const trace::TickMap clock = session.Clock();
  std::vector<Track> tracks;
  for (std::size_t worker = 0; worker < session.WorkerCount(); ++worker) {
    tracks.push_back(TrackOf(session.Read(worker), clock, true));
    if (worker < off.size()) {
      tracks.back().off = off[worker];
    }
  }
  tracks.push_back(TrackOf(session.ReadExternal(), clock, false));
  TaskGraph graph = Build(tracks, {.end_ns = clock.StopNs(), .labels = session.LabelTexts()});
  graph.facts.emplace_back("source", "schedbench");
  return graph;
}

}  // namespace schedbench::graph

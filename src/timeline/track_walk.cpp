#include "timeline/track_walk.hpp"

#include <fmt/format.h>

#include <array>

namespace schedbench::timeline {

std::string TrackName(const Timeline& timeline, std::uint32_t track) {
  const std::uint32_t worker = timeline.tracks[track].worker;
  return worker == kExternal ? "outside" : fmt::format("worker {}", worker);
}

std::string CounterName(const Timeline& timeline, const QueueLengths& lengths) {
  return lengths.queue == trace::QueueKind::kGlobal
             ? "global queue"
             : fmt::format("local queue {}", timeline.tracks[lengths.track].worker);
}

std::string_view InstantName(InstantKind kind) {
  constexpr std::array<std::string_view, kInstantKinds> kNames{
      "spawn",       "wake",          "steal",    "stolen from", "offload",
      "global take", "blocking call", "hand-off", "preemption",  "network poll"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string_view OffCpuName(OffCpuKind kind) {
  return kind == OffCpuKind::kPreempted ? "preempted" : "blocked in the kernel";
}

}  // namespace schedbench::timeline

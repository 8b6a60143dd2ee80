#include "timeline/slice_builder.hpp"

#include <algorithm>
#include <tuple>

namespace schedbench::timeline {

namespace {

using trace::kNoFiber;

constexpr NameId kSearchName = 0;
constexpr NameId kParkName = 1;

}  // namespace

SliceBuilder::SliceBuilder(Timeline& timeline)
    : timeline_(timeline) {
  timeline_.names = {"search", "park"};
}

void SliceBuilder::AddTrack(std::uint64_t known_from) {
  tracks_.push_back({.known_from = known_from});
}

std::uint32_t SliceBuilder::RunningOn(std::uint32_t track) const {
  const std::uint32_t slice = tracks_[track].slice;
  return slice == kNone ? kNoFiber : timeline_.slices[slice].fiber;
}

std::uint32_t SliceBuilder::Run(std::uint32_t track, std::uint64_t ns, std::uint32_t fiber,
                                NameId name) {
  ToLoop(track, ns);
  return Open(track, ns, SliceKind::kRun, fiber, name);
}

void SliceBuilder::ToLoop(std::uint32_t track, std::uint64_t ns) {
  tracks_[track].is_searching = false;
  tracks_[track].awake_since = kAsleep;
  Close(track, ns);
}

void SliceBuilder::FillAwake(std::uint32_t track) {
  if (const std::uint64_t since = tracks_[track].awake_since; since != kAsleep) {
    Open(track, since, SliceKind::kSearch, kNoFiber, kSearchName);
  }
}

void SliceBuilder::Park(std::uint32_t track, std::uint64_t ns) {
  FillAwake(track);
  Open(track, ns, SliceKind::kPark, kNoFiber, kParkName);
}

void SliceBuilder::Unpark(std::uint32_t track, std::uint64_t ns) {
  Infer(track, ns, SliceKind::kPark);
  Close(track, ns);
  if (tracks_[track].is_searching) {
    BeginSearch(track, ns);
  } else {
    tracks_[track].awake_since = ns;
  }
}

void SliceBuilder::BeginSearch(std::uint32_t track, std::uint64_t ns) {
  Open(track, ns, SliceKind::kSearch, kNoFiber, kSearchName);
  tracks_[track].is_searching = true;
}

void SliceBuilder::EndSearch(std::uint32_t track, std::uint64_t ns) {
  FillAwake(track);
  Infer(track, ns, SliceKind::kSearch);
  TrackState& state = tracks_[track];
  state.is_searching = false;
  if (state.slice != kNone && timeline_.slices[state.slice].kind == SliceKind::kSearch) {
    Close(track, ns);
  }
}

void SliceBuilder::End() {
  for (std::uint32_t track = 0; track < tracks_.size(); ++track) {
    Close(track, timeline_.end_ns);
  }
  // An empty slice ends where the next one begins.
  std::ranges::sort(timeline_.slices, {}, [](const Slice& slice) {
    return std::tuple(slice.track, slice.start, slice.end);
  });
}

// If a worker's first event is the end of something, it did that since the recording began.
void SliceBuilder::Infer(std::uint32_t track, std::uint64_t ns, SliceKind kind) {
  const TrackState& state = tracks_[track];
  if (!state.is_known && state.known_from < ns) {
    Open(track, state.known_from, kind, kNoFiber,
         kind == SliceKind::kSearch ? kSearchName : kParkName);
  }
}

std::uint32_t SliceBuilder::Open(std::uint32_t track, std::uint64_t ns, SliceKind kind,
                                 std::uint32_t fiber, NameId name) {
  Close(track, ns);
  const auto slice = static_cast<std::uint32_t>(timeline_.slices.size());
  tracks_[track].slice = slice;
  tracks_[track].awake_since = kAsleep;
  timeline_.slices.push_back(
      {.start = ns, .end = ns, .track = track, .fiber = fiber, .name = name, .kind = kind});
  return slice;
}

void SliceBuilder::Close(std::uint32_t track, std::uint64_t ns) {
  TrackState& state = tracks_[track];
  state.is_known = true;
  if (state.slice != kNone) {
    timeline_.slices[state.slice].end = ns;
    state.slice = kNone;
  }
}

}  // namespace schedbench::timeline

#pragma once

#include "timeline/timeline.hpp"

#include <cstdint>
#include <vector>

namespace schedbench::timeline {

// Makes slices of what the workers say that they do, in the order of time of each: at any moment a worker does one thing, or
// nothing that is shown.
class SliceBuilder {
 public:
  // Puts slices into `timeline`, and the names of those that no fiber runs in.
  explicit SliceBuilder(Timeline& timeline);

  // A track more. `known_from`: since when nothing that its worker recorded is missing.
  void AddTrack(std::uint64_t known_from);

  // Returns the fiber that runs on a track; kNoFiber where none does.
  std::uint32_t RunningOn(std::uint32_t track) const;

  // A fiber runs from now on. Returns the place of its slice.
  std::uint32_t Run(std::uint32_t track, std::uint64_t ns, std::uint32_t fiber, NameId name);

  // The worker's loop continues. What the worker did has ended.
  void ToLoop(std::uint32_t track, std::uint64_t ns);

  void Park(std::uint32_t track, std::uint64_t ns);
  void Unpark(std::uint32_t track, std::uint64_t ns);
  void BeginSearch(std::uint32_t track, std::uint64_t ns);
  void EndSearch(std::uint32_t track, std::uint64_t ns);

  // What has not ended yet ends with the timeline. Once, at the end: puts the slices in order.
  void End();

 private:
  static constexpr std::uint64_t kAsleep = ~std::uint64_t{0};

  struct TrackState {
    std::uint64_t known_from = 0;
    std::uint32_t slice = kNone;  // that is open
    bool is_known = false;        // what it did when the recording began
    bool is_searching = false;    // also while it is parked in its search
    // Since when it is awake without a search that was seen to begin; kAsleep: it is not.
    std::uint64_t awake_since = kAsleep;
  };

  // The worker was awake and ran nothing: it has looked for work.
  void FillAwake(std::uint32_t track);
  void Infer(std::uint32_t track, std::uint64_t ns, SliceKind kind);
  std::uint32_t Open(std::uint32_t track, std::uint64_t ns, SliceKind kind, std::uint32_t fiber,
                     NameId name);
  void Close(std::uint32_t track, std::uint64_t ns);

  Timeline& timeline_;
  std::vector<TrackState> tracks_;
};

}  // namespace schedbench::timeline

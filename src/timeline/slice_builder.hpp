#pragma once

#include "timeline/timeline.hpp"

#include <cstdint>
#include <vector>

namespace schedbench::timeline {

// Makes slices of the workers' events, for each in the order of time: at any moment a worker does
// one thing, or nothing that is shown.
class SliceBuilder {
 public:
  // Puts slices into `timeline`, and the names of those without a fiber.
  explicit SliceBuilder(Timeline& timeline);

  // Adds a track. `known_from`: the time since which no event of its worker is missing.
  void AddTrack(std::uint64_t known_from);

  // Returns the fiber that runs on a track, or kNoFiber.
  std::uint32_t RunningOn(std::uint32_t track) const;

  // A fiber runs from now on. Returns the index of its slice.
  std::uint32_t Run(std::uint32_t track, std::uint64_t ns, std::uint32_t fiber, NameId name);

  // The worker's loop continues: its action has ended.
  void ToLoop(std::uint32_t track, std::uint64_t ns);

  void Park(std::uint32_t track, std::uint64_t ns);
  void Unpark(std::uint32_t track, std::uint64_t ns);
  void BeginSearch(std::uint32_t track, std::uint64_t ns);
  void EndSearch(std::uint32_t track, std::uint64_t ns);

  // Ends all open slices with the timeline, and sorts the slices. Call it once, at the end.
  void End();

 private:
  static constexpr std::uint64_t kAsleep = ~std::uint64_t{0};

  struct TrackState {
    std::uint64_t known_from = 0;
    std::uint32_t slice = kNone;  // the open slice
    bool is_known = false;        // whether its action at the start of the recording is known
    bool is_searching = false;    // also while it is parked in its search
    // Since when it is awake without a recorded start of a search; kAsleep: it is not.
    std::uint64_t awake_since = kAsleep;
  };

  // Fills the time in which the worker was awake and ran nothing: it looked for work.
  void FillAwake(std::uint32_t track);
  void Infer(std::uint32_t track, std::uint64_t ns, SliceKind kind);
  std::uint32_t Open(std::uint32_t track, std::uint64_t ns, SliceKind kind, std::uint32_t fiber,
                     NameId name);
  void Close(std::uint32_t track, std::uint64_t ns);

  Timeline& timeline_;
  std::vector<TrackState> tracks_;
};

}  // namespace schedbench::timeline

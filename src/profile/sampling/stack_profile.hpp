#pragma once

#include "platform/threads/this_thread.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace schedbench::profile {

// Frame::module of what stands for a fiber.
inline constexpr std::string_view kFiberModule = "[fiber]";

// A line of a stack: a function, or the name of something that is none, such as a fiber.
struct Frame {
  std::string name{};    // of a function: demangled, with its scope; else any text
  std::string module{};  // path of the program or library; "[fiber]", "[worker]" of what is no code
  std::string file{};    // "" where it is not known
  std::uint32_t line = 0;
  std::uint64_t address = 0;  // in this process; 0 of what is no code
  std::uint64_t offset = 0;   // of the address, from where the function begins
  bool is_code = true;
  bool is_inlined = false;  // into the next function outwards

  bool operator==(const Frame&) const = default;
};

// Places in the tables of a StackProfile.
using FrameId = std::uint32_t;
using StackId = std::uint32_t;

// What one worker was activity at one moment.
struct Sample {
  std::uint64_t time_ns = 0;    // on the monotonic clock
  std::uint64_t weight_ns = 0;  // that it stands for
  std::uint32_t worker = 0;     // in StackProfile::workers
  std::uint32_t cpu = 0;        // that the worker was on
  FrameId owner =
      0;  // a frame that is no code: the fiber that ran, or what the worker did without one
  StackId stack = 0;  // its calls
};

struct ProfiledWorker {
  std::uint32_t index = 0;  // in its pool
  std::int32_t thread = 0;  // the kernel's number of it
  // Its own stack, for samples that are on no fiber's; unknown: these have one call.
  platform::StackBounds stack{};
};

// Samples of a run. Frames and stacks are kept once, however many samples share them. Used by one thread.
class StackProfile {
 public:
  StackProfile();

  // Returns the place of an equal frame, or of a new one.
  FrameId Add(const Frame& frame);

  // The same for a stack. `root_first`: frames of code, the outermost at the front; may be empty.
  StackId AddStack(std::span<const FrameId> root_first);

  const Frame& FrameAt(FrameId frame) const {
    return frames_[frame];
  }

  std::size_t FrameCount() const {
    return frames_.size();
  }

  // Root first. Valid until the next AddStack().
  std::span<const FrameId> StackAt(StackId stack) const {
    return std::span(calls_).subspan(begins_[stack], begins_[stack + 1] - begins_[stack]);
  }

  std::size_t StackCount() const {
    return begins_.size() - 1;
  }

  std::int32_t process = 0;  // the kernel's number of it
  std::vector<ProfiledWorker> workers;
  std::vector<Sample> samples;  // in any order
  // Samples of fibers that lack the function of the fiber, Fiber::Body(): where that calls a function that has no frame, or none
  // yet, the frames begin with its caller. Set by Symbolized().
  std::uint64_t without_root = 0;

 private:
  std::vector<Frame> frames_;
  std::vector<FrameId> calls_;  // of all stacks, one after the other
  std::vector<std::size_t>
      begins_;  // where each begins in calls_, and at the end where the next would
  std::unordered_multimap<std::size_t, FrameId> frames_by_hash_;
  std::unordered_multimap<std::size_t, StackId> stacks_by_hash_;
};

}  // namespace schedbench::profile

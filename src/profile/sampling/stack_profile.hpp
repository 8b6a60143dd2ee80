#pragma once

#include "platform/threads/this_thread.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace schedbench::profile {

// Frame::module of frames for fibers.
inline constexpr std::string_view kFiberModule = "[fiber]";

// A line of a stack: a function, or a name that is not code, such as a fiber.
struct Frame {
  std::string name{};    // demangled function with its scope, or any text
  std::string module{};  // path of the program or library; without code "[fiber]", "[worker]"
  std::string file{};    // "" if unknown
  std::uint32_t line = 0;
  std::uint64_t address = 0;  // in this process; 0 without code
  std::uint64_t offset = 0;   // offset of the address from the start of the function
  bool is_code = true;
  bool is_inlined = false;  // inlined into the next function outwards

  bool operator==(const Frame&) const = default;
};

// Indices in the tables of a StackProfile.
using FrameId = std::uint32_t;
using StackId = std::uint32_t;

// The activity of one worker at one moment.
struct Sample {
  std::uint64_t time_ns = 0;    // on the monotonic clock
  std::uint64_t weight_ns = 0;  // weight in time
  std::uint32_t worker = 0;     // index in StackProfile::workers
  std::uint32_t cpu = 0;        // CPU of the worker
  // A frame that is not code: the fiber that ran, or what the worker did without one.
  FrameId owner = 0;
  StackId stack = 0;  // its calls
};

struct ProfiledWorker {
  std::uint32_t index = 0;  // index in its pool
  std::int32_t thread = 0;  // the kernel's number
  // Its own stack, for samples outside of fibers; if it is unknown, these have one call.
  platform::StackBounds stack{};
};

// Samples of a run. Each frame and stack is kept once for all samples. One thread uses it.
class StackProfile {
 public:
  StackProfile();

  // Returns the index of an equal frame, or of a new one.
  FrameId Add(const Frame& frame);

  // Returns the index of an equal or new stack. `root_first`: frames of code, outermost first.
  StackId AddStack(std::span<const FrameId> root_first);

  const Frame& FrameAt(FrameId frame) const {
    return frames_[frame];
  }

  std::size_t FrameCount() const {
    return frames_.size();
  }

  // Returns the frames, root first. Valid until the next AddStack().
  std::span<const FrameId> StackAt(StackId stack) const {
    return std::span(calls_).subspan(begins_[stack], begins_[stack + 1] - begins_[stack]);
  }

  std::size_t StackCount() const {
    return begins_.size() - 1;
  }

  std::int32_t process = 0;  // the kernel's number
  std::vector<ProfiledWorker> workers;
  std::vector<Sample> samples;  // in any order
  // Samples that lack the function of their fiber, Fiber::Body(): if it calls a function that has
  // no frame, or none yet, the frames begin with its caller. Symbolized() sets it.
  std::uint64_t without_root = 0;

 private:
  std::vector<Frame> frames_;
  std::vector<FrameId> calls_;  // calls of all stacks, one stack after the other
  // Start of each stack in calls_, and at the end that of the next one.
  std::vector<std::size_t> begins_;
  std::unordered_multimap<std::size_t, FrameId> frames_by_hash_;
  std::unordered_multimap<std::size_t, StackId> stacks_by_hash_;
};

}  // namespace schedbench::profile

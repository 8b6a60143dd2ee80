#pragma once

#include "fibers/core/fiber_facts.hpp"
#include "profile/stack_profile.hpp"

#include <cstdint>
#include <vector>

namespace schedbench::profile {

// Where fibers are that do not run: who waits where and for what, and who is ready and does not run. They are looked at from
// outside, again and again, and cost nothing themselves: each that is seen stands for the time since the last look, so that the
// sums are estimates of the time that all of them together have waited (Little's law). Where there are many, some are drawn,
// and each stands for as many as were passed over.
//
// Not seen: a fiber that has never run, which has no stack yet. Calls of those that gave way (Yield) are not known.
// Used by one thread, which is no worker.
class Census {
 public:
  Census();

  // Looks at the fibers. `now_ns`: on the monotonic clock.
  void Take(std::uint64_t now_ns);

  // Samples that weigh time. Frames of code have no names yet (Symbolized()); what a fiber waits for is the innermost frame:
  // "wait:Mutex", of the ready ones "ready:queue".
  const StackProfile& Waiting() const {
    return waiting_;
  }
  const StackProfile& Ready() const {
    return ready_;
  }

  std::uint64_t Looks() const {
    return looks_;
  }

 private:
  void Add(const fibers::StackSpot& spot, const fibers::FiberFacts& fiber, std::uint64_t now_ns,
           std::uint64_t weight_ns);

  StackProfile waiting_;
  StackProfile ready_;
  std::uint64_t looks_ = 0;
  std::uint64_t last_ns_ = 0;     // of the last look; 0: there was none
  std::uint64_t stacks_ = 0;      // that the last look found
  std::vector<FrameId> stack_{};  // kept for its memory
};

}  // namespace schedbench::profile

#pragma once

#include "fibers/diagnostics/fiber_facts.hpp"
#include "profile/sampling/stack_profile.hpp"

#include <cstdint>
#include <vector>

namespace schedbench::profile {

// Where fibers are that do not run: which wait where and for what, and which are ready. They are looked at from
// outside, repeatedly, and cost nothing themselves: each that is seen stands for the time since the last look, so that the
// sums are estimates of the time that all of them together have waited (Little's law). Where there are many, some are drawn,
// and each stands for as many as were passed over.
//
// Fibers that have never run have no stack yet, and are only counted: "fiber:not begun", where there are not too many stacks to
// count by. Calls of fibers that yielded are not known.
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

  // False where the kernel does not let memory be read with care (process_vm_readv(2)): then there are no looks.
  bool CanRead() const {
    return can_read_;
  }

  // What share of the fibers continued while they were looked at, 0 to 1. They are left out: the estimates are of the others, and
  // say little where it is large, because most waits are then shorter than a look of some microseconds.
  double MovedShare() const {
    return seen_ == 0 ? 0 : static_cast<double>(moved_) / static_cast<double>(seen_);
  }

 private:
  void Add(const fibers::StackSpot& spot, const fibers::FiberFacts& fiber, std::uint64_t now_ns,
           std::uint64_t weight_ns);

  void AddNotBegun(std::uint64_t now_ns, std::uint64_t elapsed_ns);

  bool can_read_;
  StackProfile waiting_;
  StackProfile ready_;
  std::uint64_t looks_ = 0;
  std::uint64_t seen_ = 0;
  std::uint64_t moved_ = 0;
  std::uint64_t last_ns_ = 0;     // of the last look; 0: there was none
  std::uint64_t stacks_ = 0;      // that the last look found
  std::vector<FrameId> stack_{};  // kept for its memory
};

}  // namespace schedbench::profile

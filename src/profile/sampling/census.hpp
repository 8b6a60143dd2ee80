#pragma once

#include "fibers/diagnostics/fiber_facts.hpp"
#include "profile/sampling/stack_profile.hpp"

#include <cstdint>
#include <vector>

namespace schedbench::profile {

// Finds the fibers that do not run: which wait, where and for what, and which are ready. They are
// inspected from outside, repeatedly, at no cost to them. Each fiber seen counts for the time since
// the last census, so the sums estimate the time that all of them have waited (Little's law). If
// there are many, a random part is inspected, and each counts for those that were skipped. Fibers
// that have never run do not have a stack yet, and are only counted, "fiber:not begun", if there
// are not too many stacks to count. Calls of fibers that yielded are unknown. For one thread, not a
// worker.
class Census {
 public:
  Census();

  // Inspects the fibers. `now_ns`: on the monotonic clock.
  void Take(std::uint64_t now_ns);

  // Return samples that weigh time. Frames of code do not have names yet (Symbolized()). The
  // innermost frame is what a fiber waits for: "wait:Mutex"; for ready fibers "ready:queue".
  const StackProfile& Waiting() const {
    return waiting_;
  }
  const StackProfile& Ready() const {
    return ready_;
  }

  std::uint64_t Looks() const {
    return looks_;
  }

  // Returns false if the kernel refuses process_vm_readv(2): then there is no census.
  bool CanRead() const {
    return can_read_;
  }

  // Returns the share of the fibers that continued during their inspection, 0 to 1. The estimates
  // omit them and are poor if the share is large, because most waits are then shorter than an
  // inspection of some microseconds.
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
  std::uint64_t last_ns_ = 0;     // time of the last census; 0: none
  std::uint64_t stacks_ = 0;      // stacks of the last census
  std::vector<FrameId> stack_{};  // kept for its memory
};

}  // namespace schedbench::profile

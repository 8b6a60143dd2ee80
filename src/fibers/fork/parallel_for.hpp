#pragma once

#include "base/attributes.hpp"
#include "executors/scheduler_side.hpp"
#include "fibers/fork/fork_join.hpp"

#include <concepts>
#include <cstdint>
#include <memory>
#include <source_location>
#include <type_traits>

namespace schedbench::fibers {

namespace detail {

// A few iterations of a loop, forked with one check of the stack, the queue and idle workers.
template <typename Index, typename Body>
class ForkedIterations {
 public:
  // The maximum, including the one that the parent does not fork. Each of the others has a
  // descriptor of 64 bytes in the parent's frame. The ten children of a node of skynet fit; 8 is
  // slower there, 16 no faster, and a recursion over loops needs more stack for it.
  static constexpr std::uint32_t kMost = 10;

  // Holds iterations [begin, begin + count) of a loop, with 2 <= count <= kMost.
  ForkedIterations(Index begin, std::uint32_t count, const Body& body) noexcept
      : begin_(begin),
        count_(count),
        body_(body) {
  }

  ForkedIterations(const ForkedIterations&) = delete;
  ForkedIterations& operator=(const ForkedIterations&) = delete;
  ~ForkedIterations() {
  }

  // Forks all iterations but the first, in reverse. Returns false, and forks none, without room.
  SB_ALWAYS_INLINE bool TryFork(ForkQueue& queue, std::source_location forked_at) noexcept {
    for (std::uint32_t i = 1; i != count_; ++i) {
      std::construct_at(&calls_[i - 1], Iteration{&body_, static_cast<Index>(begin_ + i)},
                        forked_at);
      executors::HappensBefore(&calls_[i - 1]);
    }
    const executors::SchedulerSide side;
    return queue.TryPushAll(count_ - 1,
                            [this](std::uint64_t i) { return &calls_[count_ - 2 - i]; });
  }

  // Makes the first iteration, then joins the others in their order.
  SB_ALWAYS_INLINE void CallAndJoin() {
    std::uint32_t done = 0;
    try {
      body_(begin_);
      for (done = 1; done != count_; ++done) {
        Join<Held::kByQueue>(calls_[done - 1]);
      }
    } catch (...) {
      while (++done < count_) {
        JoinAndDrop<Held::kByQueue>(calls_[done - 1]);
      }
      throw;
    }
  }

 private:
  struct Iteration {
    const Body* body;
    Index index;

    SB_ALWAYS_INLINE void operator()() const {
      (*body)(index);
    }
  };

  const Index begin_;
  const std::uint32_t count_;
  const Body& body_;
  union {
    ForkedCallOf<Iteration> calls_[kMost - 1];  // count_ - 1 of them exist
  };
};

}  // namespace detail

// Calls body(i) for each i in [begin, end), perhaps in parallel, and returns when all have
// returned. All calls are made, also if some throw; then the exception of the smallest i leaves. It
// halves the range, and forks each of the last few iterations. An iteration may wait for another.
template <std::integral Index, std::invocable<Index> Body>
void ParallelFor(Index begin, Index end, const Body& body,
                 std::source_location forked_at = std::source_location::current()) {
  static_assert(!std::is_same_v<Index, bool>);
  if (begin >= end) {
    return;
  }
  using Count = std::make_unsigned_t<Index>;  // holds the size of any range
  const auto count = static_cast<Count>(static_cast<Count>(end) - static_cast<Count>(begin));
  if (count == 1) {
    body(begin);
    return;
  }
  using Iterations = detail::ForkedIterations<Index, Body>;
  if (count <= Iterations::kMost) [[likely]] {
    if (ForkQueue* const queue = detail::QueueFor(__builtin_frame_address(0))) [[likely]] {
      Iterations iterations(begin, static_cast<std::uint32_t>(count), body);
      if (iterations.TryFork(*queue, forked_at)) [[likely]] {
        iterations.CallAndJoin();
        return;
      }
    }
  }
  const auto middle = static_cast<Index>(static_cast<Count>(begin) + count / 2);
  ForkJoin([&] { ParallelFor(begin, middle, body, forked_at); },
           [&] { ParallelFor(middle, end, body, forked_at); }, forked_at);
}

}  // namespace schedbench::fibers

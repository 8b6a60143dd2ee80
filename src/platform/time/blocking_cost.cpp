#include "platform/time/blocking_cost.hpp"

#include "base/atomic.hpp"
#include "base/attributes.hpp"
#include "platform/time/clock.hpp"

#include <array>

namespace schedbench::platform {

namespace {

// relaxed: a statistic. A call across a start or a stop may be counted or not.
Atomic<std::uint64_t> generation{0};  // odd while costs are counted
struct Counted {
  Atomic<std::uint64_t> calls{0};   // relaxed: a statistic
  Atomic<std::uint64_t> cpu_ns{0};  // relaxed: a statistic
};
std::array<Counted, 2> counted;  // indexed by BlockingCall
constinit thread_local bool is_counted = false;

SB_NO_TSAN bool IsCounted() noexcept {
  return is_counted;
}

}  // namespace

void CountBlockingCostsOfThisThread() noexcept {
  is_counted = true;
}

void CountBlockingCosts(bool count) noexcept {
  const std::uint64_t now = generation.Load(memory_order_relaxed);
  for (Counted& of_call : counted) {
    if (count) {
      of_call.calls.Store(0, memory_order_relaxed);
      of_call.cpu_ns.Store(0, memory_order_relaxed);
    }
  }
  const std::uint64_t even = now + now % 2;
  generation.Store(count ? even + 1 : even, memory_order_relaxed);
}

BlockingCost CountedBlockingCost(BlockingCall call) noexcept {
  const Counted& of_call = counted[static_cast<std::size_t>(call)];
  return {.calls = of_call.calls.Load(memory_order_relaxed),
          .cpu_ns = of_call.cpu_ns.Load(memory_order_relaxed)};
}

BlockingCostScope::BlockingCostScope() noexcept
    : generation_(IsCounted() ? generation.Load(memory_order_relaxed) : 0) {
  if (generation_ % 2 != 0) {
    begin_cpu_ns_ = ThreadCpuNs(0);
  }
}

void BlockingCostScope::Count(BlockingCall call) const noexcept {
  if (generation_ % 2 == 0 || generation.Load(memory_order_relaxed) != generation_) {
    return;
  }
  Counted& of_call = counted[static_cast<std::size_t>(call)];
  of_call.calls.FetchAdd(1, memory_order_relaxed);
  of_call.cpu_ns.FetchAdd(ThreadCpuNs(0) - begin_cpu_ns_, memory_order_relaxed);
}

}  // namespace schedbench::platform

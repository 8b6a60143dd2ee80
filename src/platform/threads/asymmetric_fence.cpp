#include "platform/threads/asymmetric_fence.hpp"

#include "base/assert.hpp"

#include <cerrno>

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace schedbench::platform {

constinit bool light_fences_are_free = false;

namespace {

long MemoryBarrier(int command) noexcept {
  return ::syscall(SYS_membarrier, command, 0U, 0);
}

// Runs before any thread passes a fence: 101 is the first priority that programs may use.
[[gnu::constructor(101)]] void RegisterForHeavyFences() noexcept {
  light_fences_are_free = MemoryBarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0;
}

}  // namespace

void HeavyFence() noexcept {
  // seq_cst: pairs with LightFence(), which is a full fence if membarrier(2) is refused.
  AtomicFence(memory_order_seq_cst);
  if (light_fences_are_free) {
    // The process is registered; the kernel may be short of memory for a moment.
    while (MemoryBarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) != 0) {
      SB_ASSERT(errno == ENOMEM, "membarrier(2) fails after its registration");
    }
  }
}

}  // namespace schedbench::platform

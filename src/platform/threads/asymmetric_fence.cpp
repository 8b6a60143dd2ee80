#include "platform/threads/asymmetric_fence.hpp"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace schedbench::platform {

namespace {

long MemoryBarrier(int command) noexcept {
  return ::syscall(SYS_membarrier, command, 0U, 0);
}

}  // namespace

// Before main(), and so before any thread passes a fence: a registration takes milliseconds where there are threads already.
const bool light_fences_are_free = MemoryBarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0;

void HeavyFence() noexcept {
  // seq_cst: pairs with LightFence(), which is a full fence where membarrier(2) is refused.
  AtomicFence(memory_order_seq_cst);
  if (light_fences_are_free) {
    // Cannot fail: it is registered.
    MemoryBarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
  }
}

}  // namespace schedbench::platform

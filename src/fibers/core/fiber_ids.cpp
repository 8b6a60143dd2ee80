#include "fibers/core/fiber_ids.hpp"

#include "base/atomic.hpp"
#include "base/attributes.hpp"
#include "executors/scheduler_side.hpp"

namespace schedbench::fibers {

namespace {

// The numbers of one thread. Never freed, as reports walk the list; reused by later threads.
struct ThreadIds {
  // The owner writes them. The numbers left in the block give the number of started fibers.
  Atomic<std::uint64_t> next_id{0};     // relaxed: one writer, a statistic for others
  Atomic<std::uint64_t> end_of_ids{0};  // relaxed: one writer, a statistic for others
  Atomic<bool> taken{true};             // a live thread uses it
  ThreadIds* next = nullptr;
};

Atomic<ThreadIds*> all_ids{nullptr};
constexpr std::uint64_t kFirstId = 1;
Atomic<std::uint64_t> next_block{kFirstId};         // relaxed: the numbers only have to differ
Atomic<std::uint64_t> ended_on_released_stacks{0};  // relaxed: a statistic

ThreadIds& TakeThreadIds() {
  // acquire: pairs with the release at the end of this function.
  for (auto* at = all_ids.Load(memory_order_acquire); at != nullptr; at = at->next) {
    bool taken = false;
    // acquire: pairs with the release in Return. relaxed: the numbers have another owner.
    if (at->taken.CompareExchange(taken, true, memory_order_acquire, memory_order_relaxed)) {
      return *at;
    }
  }
  auto* fresh = new ThreadIds;
  // relaxed: the exchange in the loop checks it.
  fresh->next = all_ids.Load(memory_order_relaxed);
  // release: pairs with the acquire in this function and in Started(). relaxed: a failure retries.
  while (!all_ids.CompareExchangeWeak(fresh->next, fresh, memory_order_release,
                                      memory_order_relaxed)) {
  }
  return *fresh;
}

struct Return {
  ThreadIds* ids = nullptr;

  ~Return() {
    // release: pairs with the acquire in TakeThreadIds().
    ids->taken.Store(false, memory_order_release);
  }
};

SB_NOINLINE ThreadIds& Here() {
  thread_local ThreadIds* here = nullptr;
  if (here == nullptr) [[unlikely]] {
    here = &TakeThreadIds();
    thread_local Return at_exit;
    at_exit.ids = here;
  }
  return *here;
}

}  // namespace

std::uint64_t FiberIds::Next() noexcept {
  const executors::SchedulerSide side;
  constexpr std::uint64_t kBlock = 1024;
  ThreadIds& here = Here();
  std::uint64_t id = here.next_id.Load(memory_order_relaxed);
  if (id == here.end_of_ids.Load(memory_order_relaxed)) [[unlikely]] {
    id = next_block.FetchAdd(kBlock, memory_order_relaxed);
    here.end_of_ids.Store(id + kBlock, memory_order_relaxed);
  }
  here.next_id.Store(id + 1, memory_order_relaxed);
  return id;
}

void FiberIds::AddEnded(std::uint64_t count) noexcept {
  ended_on_released_stacks.FetchAdd(count, memory_order_relaxed);
}

std::uint64_t FiberIds::EndedOnReleasedStacks() noexcept {
  return ended_on_released_stacks.Load(memory_order_relaxed);
}

std::uint64_t FiberIds::Started() noexcept {
  std::uint64_t started = next_block.Load(memory_order_relaxed) - kFirstId;
  // acquire: pairs with the release in TakeThreadIds(). relaxed: a statistic.
  for (auto* at = all_ids.Load(memory_order_acquire); at != nullptr; at = at->next) {
    started -= at->end_of_ids.Load(memory_order_relaxed) - at->next_id.Load(memory_order_relaxed);
  }
  return started;
}

}  // namespace schedbench::fibers

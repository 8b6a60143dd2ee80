#include "tests/fibers/core/stale_errno/probe.hpp"

#include "executors/manual_executor.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"
#include "fibers/sync/channel.hpp"
#include "platform/threads/thread_errno.hpp"
#include "platform/threads/thread_local_ptr.hpp"

#include <cerrno>
#include <semaphore>
#include <thread>

namespace schedbench::tests {

namespace {

using executors::ManualExecutor;

using Mine = platform::ThreadLocalPtr<int, class StaleErrnoTag>;

// The truth: a call through a pointer that the compiler knows nothing of.
int* (*volatile address_of_errno)() = &__errno_location;

void Wander(StaleCounts& counts) {
  constexpr int kYields = 20000;
  const int* last = nullptr;
  for (int i = 0; i < kYields; ++i) {
    int* const before = address_of_errno();
    Mine::Set(before);
    platform::SetThreadErrno(i);
    counts.stale_errno += *before == i ? 0 : 1;
    counts.stale_naive += &errno == before ? 0 : 1;
    counts.migrations += before != last ? 1 : 0;
    last = before;

    fibers::Yield();

    int* const after = address_of_errno();
    Mine::Set(after);
    *after = -i;
    counts.stale_errno += platform::ThreadErrno() == -i ? 0 : 1;
    counts.stale_pointer += Mine::Get() == after ? 0 : 1;
    counts.stale_naive += &errno == after ? 0 : 1;
    ++counts.reads;
  }
}

// Runs one task each time that it is this thread's turn, until none is left.
void TakeTurns(ManualExecutor& executor, std::binary_semaphore& own, std::binary_semaphore& next,
               bool& over) {
  for (;;) {
    own.acquire();
    over = over || !executor.RunNext();
    const bool leave = over;
    next.release();
    if (leave) {
      return;
    }
  }
}

}  // namespace

StaleCounts CountStaleReads() {
  StaleCounts counts;
  ManualExecutor executor;
  fibers::Go(executor, [&counts] { Wander(counts); });
  std::binary_semaphore mine{1};
  std::binary_semaphore others{0};
  bool over = false;  // guarded by the turn
  std::thread other([&] { TakeTurns(executor, others, mine, over); });
  TakeTurns(executor, mine, others, over);
  other.join();
  return counts;
}

std::uint64_t SumOfReceived(std::uint64_t count) {
  std::uint64_t sum = 0;
  ManualExecutor executor;
  fibers::Channel<std::uint64_t> channel(0);
  fibers::Go(executor, [&] {
    for (std::uint64_t i = 0; i < count; ++i) {
      sum += channel.Receive();
    }
  });
  fibers::Go(executor, [&] {
    for (std::uint64_t i = 0; i < count; ++i) {
      channel.Send(i);
    }
  });
  while (executor.RunNext()) {
  }
  return sum;
}

}  // namespace schedbench::tests

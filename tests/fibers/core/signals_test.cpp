// Signals arrive at any time, on any thread, on stacks that are nearly full.
#include "base/attributes.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"
#include "fibers/sync/channel.hpp"
#include "fibers/sync/wait_group.hpp"
#include "platform/process/interrupt.hpp"
#include "platform/threads/mutex.hpp"
#include "platform/threads/thread.hpp"
#include "platform/threads/thread_event.hpp"
#include "tests/support/schedulers.hpp"
#include "tests/support/stress.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <string>

#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

namespace schedbench::fibers::signals_test {

namespace {

using namespace std::chrono_literals;

std::atomic<std::uint64_t> signals{0};
std::atomic<std::uint64_t> on_other_stacks{0};

// ThreadSanitizer holds signals back and runs them where a thread next calls it, maybe between two
// tasks, on a stack that both use: in the strict build nothing orders one task's use of it with the
// next one's. So here nothing of this frame is shown to it: no instrumented access, and the system
// call itself in place of the function that it watches.
__attribute__((no_sanitize("thread"))) void OnTimer(int /*signal*/) {
  stack_t stack;
  syscall(SYS_sigaltstack, nullptr, &stack);
  on_other_stacks += (stack.ss_flags & SS_ONSTACK) != 0 ? 0 : 1;
  ++signals;
}

// Sends a signal to the process at a rate, as long as it lives. The calling thread does not get it:
// others do.
class SignalRain {
 public:
  SignalRain(int signal, int timer, std::chrono::microseconds period)
      : signal_(signal),
        timer_(timer) {
    signals = 0;
    on_other_stacks = 0;
    struct sigaction action{};
    action.sa_handler = &OnTimer;
    action.sa_flags = SA_ONSTACK;  // and not SA_RESTART: what can be interrupted shall be
    sigaction(signal_, &action, &former_);
    sigset_t own;
    sigemptyset(&own);
    sigaddset(&own, signal_);
    pthread_sigmask(SIG_BLOCK, &own, &former_mask_);
    const timeval interval{.tv_sec = 0, .tv_usec = period.count()};
    const itimerval often{.it_interval = interval, .it_value = interval};
    setitimer(timer_, &often, nullptr);
  }

  ~SignalRain() {
    const itimerval never{};
    setitimer(timer_, &never, nullptr);
    struct sigaction ignore{};
    ignore.sa_handler = SIG_IGN;  // one that is still pending
    sigaction(signal_, &ignore, nullptr);
    pthread_sigmask(SIG_SETMASK, &former_mask_, nullptr);
    sigaction(signal_, &former_, nullptr);
  }

  SignalRain(const SignalRain&) = delete;
  SignalRain& operator=(const SignalRain&) = delete;

 private:
  const int signal_;
  const int timer_;
  struct sigaction former_{};
  sigset_t former_mask_{};
};

#if !defined(SB_ASAN) && !defined(SB_TSAN)

// Yields with less stack left than the registers that a signal saves take.
SB_NOINLINE int YieldDeepDown(int kilobytes) {
  volatile char frame[1024];
  frame[0] = 1;
  if (kilobytes > 1) {
    return YieldDeepDown(kilobytes - 1) + frame[0];
  }
  for (int i = 0; i < 200; ++i) {
    Yield();
  }
  return frame[0];
}

constexpr std::uint64_t kEnoughSignals = 50;

TEST(Signals, AtOneKilohertzDoNotTouchStacksOf16KiBThatAreNearlyFull) {
  for (const std::string& name : tests::SchedulerNames()) {
    const auto scheduler = tests::MakeScheduler(name, 4, {{"stacks.bytes", std::uint64_t{16384}}});
    tests::StartAllThreads(*scheduler, name,
                           4);  // those that start under the rain inherit that it is blocked
    const SignalRain rain(SIGPROF, ITIMER_PROF, 1ms);
    const tests::HangGuard guard("fibers under signals");  // its thread gets none either
    std::uint64_t started = 0;
    std::atomic<std::uint64_t> done{0};
    // How many come depends on the kernel's tick and on what else wants the CPU.
    for (const tests::StressTime time; !time.IsOver() || signals < kEnoughSignals;) {
      WaitGroup all;
      all.Add(64);
      for (int i = 0; i < 64; ++i) {
        Go(*scheduler, [&] {
          // 16 KiB less guard page, header and the frames below: some 2 KiB are left.
          done += YieldDeepDown(8) == 8 ? 1 : 0;
          all.Done();
        });
      }
      all.Wait();
      started += 64;
    }
    scheduler->WaitIdle();
    EXPECT_EQ(done, started) << name;
    EXPECT_EQ(on_other_stacks, 0) << name << ": a handler ran on a fiber's stack";
  }
}

#endif

TEST(Signals, AtTenKilohertzEndNoWaitEarlyAndLoseNoWakeUp) {
  const tests::HangGuard guard("waits under signals");
  for (const std::string& name : tests::SchedulerNames()) {
    const auto scheduler = tests::MakeScheduler(name, 2);
    Channel<int> to(0);
    Channel<int> back(0);
    std::atomic<bool> over{false};
    platform::Mutex mutex;
    platform::ConditionVariable changed;
    int turn = 0;  // guarded by mutex
    int turns = 0;
    {
      const SignalRain rain(SIGALRM, ITIMER_REAL, 100us);
      sigset_t own;
      sigemptyset(&own);
      sigaddset(&own, SIGALRM);
      pthread_sigmask(SIG_UNBLOCK, &own, nullptr);  // here, too
      int received = 0;
      Go(*scheduler, [&] {
        for (int value = to.Receive(); value >= 0; value = to.Receive()) {
          back.Send(value);
        }
      });
      platform::ThreadEvent done;
      Go(*scheduler, [&] {
        while (!over) {
          to.Send(received);
          received += back.Receive() == received ? 1 : 0;
        }
        to.Send(-1);
        done.Set();
      });
      platform::Thread other("turns", [&] {
        const platform::MutexLock lock(mutex);
        while (turn >= 0) {
          while (turn == 0) {
            changed.Wait(mutex);
          }
          if (turn > 0) {
            turn = 0;
            ++turns;
            changed.NotifyAll();
          }
        }
      });
      int expected_turns = 0;
      const std::uint64_t enough = tests::PlainOrSanitized(1000, 10);
      for (const tests::StressTime time; !time.IsOver() || signals < enough;) {
        // A wait that times out does so no earlier than it should, however often it is interrupted.
        platform::ThreadEvent never;
        const auto start = std::chrono::steady_clock::now();
        EXPECT_FALSE(never.WaitFor(5ms));
        EXPECT_GE(std::chrono::steady_clock::now() - start, 5ms);
        const platform::MutexLock lock(mutex);
        turn = 1;
        ++expected_turns;
        changed.NotifyAll();
        while (turn == 1) {
          changed.Wait(mutex);
        }
      }
      over = true;
      done.Wait();
      scheduler->WaitIdle();
      {
        const platform::MutexLock lock(mutex);
        turn = -1;
        changed.NotifyAll();
      }
      other.Join();
      EXPECT_EQ(turns, expected_turns) << name;
      EXPECT_GT(received, 0) << name;
    }
  }
}

TEST(Signals, DoNotEndTheWaitForTheEndOfARunEarly) {
  const SignalRain rain(SIGALRM, ITIMER_REAL, 100us);
  sigset_t own;
  sigemptyset(&own);
  sigaddset(&own, SIGALRM);
  pthread_sigmask(SIG_UNBLOCK, &own, nullptr);
  platform::InterruptibleEvent event;
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(event.WaitFor(50ms), std::nullopt);
  EXPECT_GE(std::chrono::steady_clock::now() - start, 50ms);
  event.Set();
  EXPECT_EQ(event.WaitFor(50ms), platform::InterruptibleEvent::Ending::kSet);
}

}  // namespace

}  // namespace schedbench::fibers::signals_test

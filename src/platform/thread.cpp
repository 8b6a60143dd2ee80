#include "platform/thread.hpp"

#include "base/atomic.hpp"
#include "base/attributes.hpp"
#include "base/spin_wait.hpp"
#include "platform/signal_stack.hpp"

#include <stdexcept>
#include <system_error>
#include <utility>

#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>

namespace schedbench {

void YieldThread() noexcept {
  ::sched_yield();
}

namespace platform {

namespace {

constinit Atomic<IWorkerThreadWatcher*> watcher{nullptr};

}  // namespace

void WatchWorkerThreads(IWorkerThreadWatcher* now) noexcept {
  // release: pairs with the acquire in Thread's constructor; the watcher is made.
  watcher.Store(now, memory_order_release);
}

Thread::Thread(std::string name, std::function<void()> body, ThreadRole role) {
  // acquire: pairs with the release in WatchWorkerThreads().
  IWorkerThreadWatcher* const told =
      role == ThreadRole::kWorker ? watcher.Load(memory_order_acquire) : nullptr;
  try {
    thread_ = std::thread([name = std::move(name), body = std::move(body), told] {
      ::pthread_setname_np(::pthread_self(), name.substr(0, 15).c_str());
      const SignalStack stack;
      if (told != nullptr) {
        told->OnBegin(name);
      }
      body();
      if (told != nullptr) {
        told->OnEnd();
      }
    });
  } catch (const std::system_error& error) {
    throw std::runtime_error("cannot start a thread: " + std::string(error.what()) +
                             " (limits: ulimit -u, ulimit -v, cgroup pids.max, "
                             "kernel.threads-max, kernel.pid_max)");
  }
}

Thread::~Thread() {
  if (thread_.joinable()) {
    thread_.join();
  }
}

void Thread::Join() {
  thread_.join();
}

std::array<char, 16> ThreadName() noexcept {
  std::array<char, 16> name{};
  ::prctl(PR_GET_NAME, name.data());
  return name;
}

// Not inlined: the address of its thread_local must not be remembered over a switch by who calls it.
SB_NOINLINE std::uint64_t ThreadNumber() noexcept {
  static constinit Atomic<std::uint64_t> threads{0};
  static constinit thread_local std::uint64_t number = 0;
  asm volatile("" ::: "memory");
  if (number == 0) {
    // relaxed: only to be different.
    number = threads.FetchAdd(1, memory_order_relaxed) + 1;
  }
  return number;
}

void SetTimerSlack(std::uint64_t ns) noexcept {
  ::prctl(PR_SET_TIMERSLACK, ns);
}

std::uint32_t AvailableCpus() noexcept {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  if (::sched_getaffinity(0, sizeof(cpus), &cpus) != 0) {
    const unsigned count = std::thread::hardware_concurrency();
    return count == 0 ? 1 : count;
  }
  return static_cast<std::uint32_t>(CPU_COUNT(&cpus));
}

}  // namespace platform
}  // namespace schedbench

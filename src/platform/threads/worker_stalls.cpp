#include "platform/threads/worker_stalls.hpp"

#include "base/atomic.hpp"

#include <cerrno>
#include <cmath>
#include <csignal>
#include <ctime>
#include <stdexcept>
#include <string>
#include <system_error>

#include <unistd.h>

namespace schedbench::platform {

namespace {

constinit Stalls stalls_of_workers{.share = 0, .stall_ns = 0};  // share 0: none
constinit Atomic<std::uint64_t> stalled_workers{0};             // so far, for their seeds

timespec TimeOf(std::uint64_t ns) noexcept {
  return {.tv_sec = static_cast<time_t>(ns / 1'000'000'000),
          .tv_nsec = static_cast<long>(ns % 1'000'000'000)};
}

sigset_t OnlyOurSignal() noexcept {
  sigset_t set;
  ::sigemptyset(&set);
  ::sigaddset(&set, SIGRTMIN);
  return set;
}

}  // namespace

void StallWorkers(const Stalls& stalls) noexcept {
  stalls_of_workers = stalls;
}

WorkerStalls::WorkerStalls()
    // relaxed: only to be different.
    : random_(stalls_of_workers.share == 0 ? 0
                                           : stalled_workers.FetchAdd(1, memory_order_relaxed)) {
  if (stalls_of_workers.share == 0) {
    return;
  }
  struct sigaction action {};
  action.sa_sigaction = [](int signal, siginfo_t* info, void* /*context*/) {
    OnSignal(signal, info->si_value.sival_ptr);
  };
  // Calls of the system that it interrupts continue.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  ::sigaction(SIGRTMIN, &action, nullptr);
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGRTMIN;
  event.sigev_value.sival_ptr = this;
  event._sigev_un._tid = ::gettid();
  if (::timer_create(CLOCK_MONOTONIC, &event, &timer_) != 0) {
    throw std::runtime_error("cannot make a timer to stall a worker: " +
                             std::system_category().message(errno) + " (limit: ulimit -i)");
  }
  has_timer_ = true;
  ArmNext();
}

WorkerStalls::~WorkerStalls() {
  if (!has_timer_) {
    return;
  }
  // A signal that is on its way must not find the object gone. The thread ends with the signal blocked.
  const sigset_t set = OnlyOurSignal();
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
  ::timer_delete(timer_);
  const timespec no_time{};
  while (::sigtimedwait(&set, nullptr, &no_time) > 0) {
  }
}

void WorkerStalls::OnSignal(int /*signal*/, void* stalls) noexcept {
  const int error = errno;
  timespec left = TimeOf(stalls_of_workers.stall_ns);
  // Another signal may interrupt it.
  while (::nanosleep(&left, &left) != 0 && errno == EINTR) {
  }
  static_cast<WorkerStalls*>(stalls)->ArmNext();
  errno = error;
}

// Between two stops the thread runs for stall_ns * (1 - share) / share on average.
void WorkerStalls::ArmNext() noexcept {
  const double share = stalls_of_workers.share;
  const double mean_ns = static_cast<double>(stalls_of_workers.stall_ns) * (1 - share) / share;
  // By inversion; the 32 random bits give no 0.
  const double draw = -std::log((static_cast<double>(random_.Next()) + 0.5) * 0x1p-32);
  // A timer of 0 would be off.
  const itimerspec setting{.it_interval = {},
                           .it_value = TimeOf(1 + static_cast<std::uint64_t>(mean_ns * draw))};
  ::timer_settime(timer_, 0, &setting, nullptr);
}

}  // namespace schedbench::platform

#include "platform/threads/worker_stalls.hpp"

#include "base/atomic.hpp"
#include "base/failure.hpp"
#include "platform/time/clock.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <ctime>
#include <stdexcept>
#include <string>

#include <unistd.h>

namespace schedbench::platform {

namespace {

constinit Stalls stalls_of_workers{.share = 0, .stall_ns = 0};  // share 0 means no stalls
constinit std::uint64_t seed_of_stalls = 0;
constinit Atomic<std::uint64_t> stalled_workers{0};    // relaxed: only their seeds have to differ
constinit Atomic<std::uint64_t> stalled_ns_of_all{0};  // relaxed: a sum

timespec TimeOf(std::uint64_t ns) noexcept {
  return {.tv_sec = static_cast<time_t>(ns / 1'000'000'000),
          .tv_nsec = static_cast<long>(ns % 1'000'000'000)};
}

std::string NoTimer() {
  return "cannot make a timer to stall a worker: " + std::system_category().message(errno) +
         " (limit: ulimit -i)";
}

sigset_t OnlyOurSignal() noexcept {
  sigset_t set;
  ::sigemptyset(&set);
  ::sigaddset(&set, SIGRTMIN);
  return set;
}

}  // namespace

void StallWorkers(const Stalls& stalls) {
  // A failure can be reported at once here.
  sigevent no_event{};
  no_event.sigev_notify = SIGEV_NONE;
  timer_t timer = nullptr;
  if (::timer_create(CLOCK_MONOTONIC, &no_event, &timer) != 0) {
    throw std::runtime_error(NoTimer());
  }
  ::timer_delete(timer);
  stalls_of_workers = stalls;
  seed_of_stalls = DeriveSeed(NowNs(), static_cast<std::uint64_t>(::getpid()));
}

std::uint64_t StalledNs() noexcept {
  return stalled_ns_of_all.Load(memory_order_relaxed);
}

WorkerStalls::WorkerStalls()
    : random_(stalls_of_workers.share == 0
                  ? 0
                  : DeriveSeed(seed_of_stalls, stalled_workers.FetchAdd(1, memory_order_relaxed))) {
  if (stalls_of_workers.share == 0) {
    return;
  }
  struct sigaction action{};
  action.sa_sigaction = [](int signal, siginfo_t* info, void* /*context*/) {
    OnSignal(signal, info->si_value.sival_ptr);
  };
  // Interrupted system calls continue.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  ::sigaction(SIGRTMIN, &action, nullptr);
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGRTMIN;
  event.sigev_value.sival_ptr = this;
  event._sigev_un._tid = ::gettid();
  if (::timer_create(CLOCK_MONOTONIC, &event, &timer_) != 0) {
    FailRun(NoTimer(), FailureKind::kLimit);
  }
  has_timer_ = true;
  ArmNext(stalls_of_workers.stall_ns);
}

WorkerStalls::~WorkerStalls() {
  if (!has_timer_) {
    return;
  }
  // A pending signal must not find the object gone.
  const sigset_t set = OnlyOurSignal();
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
  ::timer_delete(timer_);
  const timespec no_time{};
  while (::sigtimedwait(&set, nullptr, &no_time) > 0) {
  }
  ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

void WorkerStalls::OnSignal(int /*signal*/, void* stalls) noexcept {
  const int error = errno;
  const std::uint64_t start = NowNs();
  timespec left = TimeOf(stalls_of_workers.stall_ns);
  // Another signal may interrupt it.
  while (::nanosleep(&left, &left) != 0 && errno == EINTR) {
  }
  const std::uint64_t stalled_ns = NowNs() - start;
  stalled_ns_of_all.FetchAdd(stalled_ns, memory_order_relaxed);
  static_cast<WorkerStalls*>(stalls)->ArmNext(stalled_ns);
  errno = error;
}

// Between two stops the thread runs for stalled_ns * (1 - share) / share on average, so the share
// is right although the kernel ends a stop too late.
void WorkerStalls::ArmNext(std::uint64_t stalled_ns) noexcept {
  const double share = stalls_of_workers.share;
  const double mean_ns = static_cast<double>(stalled_ns) * (1 - share) / share;
  // The distribution by inversion; the 32 random bits plus 0.5 are never 0.
  const double draw = -std::log((static_cast<double>(random_.Next()) + 0.5) * 0x1p-32);
  // A timer of 0 would be off. More than an hour counts as never.
  constexpr double kLongestNs = 3.6e12;
  const auto wait_ns = 1 + static_cast<std::uint64_t>(std::min(mean_ns * draw, kLongestNs));
  const itimerspec setting{.it_interval = {}, .it_value = TimeOf(wait_ns)};
  ::timer_settime(timer_, 0, &setting, nullptr);
}

}  // namespace schedbench::platform

#include "platform/process/interrupt.hpp"

#include "base/assert.hpp"
#include "base/atomic.hpp"
#include "platform/files/terminal_state.hpp"

#include <array>
#include <cerrno>
#include <cstdint>
#include <system_error>

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace schedbench::platform {

namespace {

constexpr int kExitCode = 130;  // 128 + SIGINT, as in shells
constexpr std::array kInterrupts{SIGINT, SIGTERM, SIGHUP};

// File-wide, for the signal handler.
// The first event makes it, and nothing closes it: a handler may still run on another thread when
// its event ends, and would write to a file that has taken the number. relaxed: it changes once,
// before the first handler is installed.
Atomic<int> event_fd{-1};
bool exists = false;                 // whether there is an event; only the main thread uses it
Atomic<bool> is_set{false};          // relaxed: reset before any other thread uses the event
Atomic<bool> is_interrupted{false};  // relaxed: only the flag is read
Atomic<bool> is_reported{false};     // relaxed: only the flag is read
// A signal that came without an event. relaxed: only the flag is read.
Atomic<bool> is_kept{false};
std::array<struct sigaction, kInterrupts.size()> former;
std::array<struct sigaction, kInterrupts.size()> former_without_event;

// Async-signal-safe.
void Notify() noexcept {
  const std::uint64_t one = 1;
  // A full counter (EAGAIN) wakes the waiter too. An eventfd has no other documented error; after
  // one this tries again, because otherwise the waiter would sleep forever.
  for (int tries = 0; tries < 100; ++tries) {
    if (::write(event_fd.Load(memory_order_relaxed), &one, sizeof(one)) > 0 || errno == EAGAIN) {
      return;
    }
  }
}

// Forgets what Notify() wrote.
void Drain() noexcept {
  std::uint64_t count = 0;
  // A read that fails has found nothing.
  [[maybe_unused]] const auto size =
      ::read(event_fd.Load(memory_order_relaxed), &count, sizeof(count));
}

void OnSignal(int /*signal*/) {
  const int saved_errno = errno;
  if (is_interrupted.Exchange(true, memory_order_relaxed)) {
    RestoreTerminal();
    ::_exit(kExitCode);
  }
  Notify();
  errno = saved_errno;
}

void OnSignalBetweenEvents(int /*signal*/) {
  if (is_kept.Exchange(true, memory_order_relaxed)) {
    RestoreTerminal();
    ::_exit(kExitCode);
  }
}

// Installs the handler, except for ignored signals.
void Install(void (*handler)(int),
             std::array<struct sigaction, kInterrupts.size()>& before) noexcept {
  struct sigaction action{};
  action.sa_handler = handler;
  // On the signal stack: the kernel may choose a thread that runs a fiber, whose stack is small.
  action.sa_flags = SA_RESTART | SA_ONSTACK;
  ::sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < kInterrupts.size(); ++i) {
    ::sigaction(kInterrupts[i], nullptr, &before[i]);
    if (before[i].sa_handler != SIG_IGN) {
      ::sigaction(kInterrupts[i], &action, nullptr);
    }
  }
}

void Restore(const std::array<struct sigaction, kInterrupts.size()>& before) noexcept {
  for (std::size_t i = 0; i < kInterrupts.size(); ++i) {
    ::sigaction(kInterrupts[i], &before[i], nullptr);
  }
}

}  // namespace

InterruptibleEvent::InterruptibleEvent() {
  SB_ASSERT(!exists, "one interruptible event at a time");
  if (event_fd.Load(memory_order_relaxed) < 0) {
    const int fd = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (fd < 0) {
      throw std::system_error(errno, std::generic_category(),
                              "cannot make an event to wait for (limits: ulimit -n, fs.file-max)");
    }
    event_fd.Store(fd, memory_order_relaxed);
  }
  exists = true;
  Drain();
  is_set.Store(false, memory_order_relaxed);
  is_interrupted.Store(false, memory_order_relaxed);
  is_reported.Store(false, memory_order_relaxed);

  Install(&OnSignal, former);
  // This follows the handler's installation, so no signal is lost.
  if (is_kept.Exchange(false, memory_order_relaxed)) {
    is_interrupted.Store(true, memory_order_relaxed);
    Notify();
  }
}

InterruptibleEvent::~InterruptibleEvent() {
  Restore(former);
  if (former.front().sa_handler == &OnSignalBetweenEvents &&
      is_interrupted.Load(memory_order_relaxed) && !is_reported.Load(memory_order_relaxed)) {
    is_kept.Store(true, memory_order_relaxed);  // it came too late for the event
  }
  exists = false;
}

KeptInterrupts::KeptInterrupts() {
  is_kept.Store(false, memory_order_relaxed);
  Install(&OnSignalBetweenEvents, former_without_event);
}

KeptInterrupts::~KeptInterrupts() {
  Restore(former_without_event);
}

bool KeptInterrupts::Any() const noexcept {
  return is_kept.Load(memory_order_relaxed);
}

void InterruptibleEvent::Set() noexcept {
  // release: pairs with the acquire in Wait().
  is_set.Store(true, memory_order_release);
  Notify();
}

std::optional<InterruptibleEvent::Ending> InterruptibleEvent::Now() noexcept {
  if (is_interrupted.Load(memory_order_relaxed)) {
    is_reported.Store(true, memory_order_relaxed);
    return Ending::kInterrupted;
  }
  // acquire: pairs with the release in Set().
  return is_set.Load(memory_order_acquire) ? std::optional(Ending::kSet) : std::nullopt;
}

InterruptibleEvent::Ending InterruptibleEvent::Wait() noexcept {
  for (;;) {
    if (const auto ending = WaitFor(std::chrono::hours(1))) {
      return *ending;
    }
  }
}

std::optional<InterruptibleEvent::Ending> InterruptibleEvent::WaitFor(
    std::chrono::nanoseconds limit) noexcept {
  // poll and not a futex: a handler ends it early (also under ThreadSanitizer, which delays
  // handlers until such a call), and earlier writes are not missed.
  const auto deadline = std::chrono::steady_clock::now() + limit;
  for (;;) {
    if (const auto ending = Now()) {
      return ending;
    }
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left <= std::chrono::milliseconds::zero()) {
      return std::nullopt;
    }
    pollfd wait{.fd = event_fd.Load(memory_order_relaxed), .events = POLLIN, .revents = 0};
    ::poll(&wait, 1, static_cast<int>(left.count()));
    // What was written is in the flags. A handler of an earlier event may have written late.
    Drain();
  }
}

}  // namespace schedbench::platform

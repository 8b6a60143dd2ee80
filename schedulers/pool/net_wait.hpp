#pragma once

#include "base/atomic.hpp"
#include "base/cache_line.hpp"
#include "base/warning.hpp"
#include "executors/scheduler_side.hpp"
#include "fibers/net/poller.hpp"
#include "fibers/net/ready_fibers.hpp"
#include "metrics/counter.hpp"
#include "platform/proc/grant.hpp"
#include "platform/time/clock.hpp"
#include "schedulers/machines/machines.hpp"
#include "schedulers/pool/policies.hpp"
#include "schedulers/pool/poll_interval.hpp"

#include <cstdint>
#include <system_error>

namespace schedbench::schedulers {

// How the threads of a pool drive the poller of the process. A thread without a worker waits in it.
// A worker polls before it parks and now and then; so does the monitor. In between, other pools and
// the thread of the process poll.
class NetWait final : public IEventWait {
 public:
  // `ring`: whether io_uring runs operations on files, and the calls of fibers in batches, while
  // this object exists.
  explicit NetWait(UseOfRing ring)
      : uses_ring_(ring != UseOfRing::kNo && UseRing(ring == UseOfRing::kYes)),
        before_(OperationsInRing()) {
  }

  // Requires: no thread of the pool is in any call.
  ~NetWait() {
    if (drives_.Load(memory_order_relaxed)) {
      fibers::Poller::OfProcess()->RemoveDriver();
    }
    if (uses_ring_) {
      fibers::Poller::LeaveRing();
    }
  }

  NetWait(const NetWait&) = delete;
  NetWait& operator=(const NetWait&) = delete;

  // ---- IEventWait ----

  Begun TryBegin() noexcept override {
    fibers::Poller* const poller = Drive();
    if (poller == nullptr) {
      return Begun::kNothing;
    }
    while (!poller->Turn().TryWait(this)) {
      if (poller->Turn().IsTakenBy(this)) {
        return Begun::kNothing;  // a worker's thread, which comes here before it sleeps
      }
      if (poller->Turn().BeginAbsence()) {
        return Begun::kByAnother;
      }
    }
    return Begun::kYes;
  }
  void EndAbsence() noexcept override {
    fibers::Poller::OfProcess()->EndAbsence();
  }
  void Wait() noexcept override {
    Poll(*fibers::Poller::OfProcess(), -1);
  }
  void End() noexcept override {
    Submit();
    fibers::Poller::OfProcess()->Leave();
  }
  void Break() noexcept override {
    fibers::Poller::OfProcess()->Break();
  }

  // Number of polls by threads of the pool, and of fibers that they found ready. Any thread.
  std::uint64_t Polls() const noexcept {
    return polls_.Get();
  }
  std::uint64_t Ready() const noexcept {
    return ready_.Get();
  }
  // Number of operations on files that the process has given to io_uring since the construction.
  // Any thread.
  std::uint64_t FilesInRing() const noexcept {
    return OperationsInRing() - before_;
  }
  // Returns whether io_uring is used.
  bool UsesRing() const noexcept {
    return uses_ring_;
  }

  // ---- Any thread of the pool ----

  // Submits the fibers that are ready, without waiting for events. Returns how many; 0 also if
  // another thread polls. A worker calls this.
  std::size_t Look() noexcept {
    return LookAs(this);
  }

  // Calls Look() if PollInterval has passed. `crowded`: the worker would have no room for many more
  // fibers.
  std::size_t LookIfDue(std::uint64_t now_ns, bool crowded) noexcept {
    const std::uint64_t interval = crowded ? PollInterval::kCrowdedNs : interval_.Ns();
    return IsOlder(interval, now_ns) ? LookAs(this) : 0;
  }

  // Polls if no thread has polled for `age_ns` and a worker has polled before.
  void LookFromOutsideIfOlder(std::uint64_t age_ns, std::uint64_t now_ns) noexcept {
    // relaxed: a worker makes the pool a driver, or the thread of the process polls.
    if (drives_.Load(memory_order_relaxed) && IsOlder(age_ns, now_ns)) {
      LookAs(&polled_at_ns_);
    }
  }

 private:
  static bool UseRing(bool warns) noexcept {
    const int error = fibers::Poller::UseRing();
    static Atomic<bool> was_said{false};  // relaxed: one exchange wins
    if (error != 0 && warns && !was_said.Exchange(true, memory_order_relaxed)) {
      PrintWarning(
          "io_uring is not available (" + std::generic_category().message(-error) +
          "): netpoll=epoll is used instead    sudo sysctl kernel.io_uring_disabled=0, or " +
          platform::GrantSystemCalls());
    }
    return error == 0;
  }

  static std::uint64_t OperationsInRing() noexcept {
    const fibers::Poller* const poller = fibers::Poller::OfProcess();
    return poller != nullptr ? poller->OperationsInRing() : 0;
  }

  bool IsOlder(std::uint64_t age_ns, std::uint64_t now_ns) const noexcept {
    // Another thread may have polled after `now_ns`.
    return polled_at_ns_.Load(memory_order_relaxed) + age_ns <= now_ns;
  }

  std::size_t LookAs(const void* by) noexcept {
    fibers::Poller* const poller = Drive();
    if (poller == nullptr || !poller->Turn().TryLook(by)) {
      return 0;
    }
    Poll(*poller, 0);
    const std::size_t found = found_.Size();
    Submit();
    poller->Leave();
    return found;
  }

  // Returns the poller, of which this pool is then a driver. Null: no descriptor has been opened.
  fibers::Poller* Drive() noexcept {
    fibers::Poller* const poller = fibers::Poller::OfProcess();
    if (poller != nullptr && !drives_.Load(memory_order_relaxed) &&
        !drives_.Exchange(true, memory_order_relaxed)) {
      poller->AddDriver();
    }
    return poller;
  }

  // Poll() and Submit() require the turn, and that the caller is on the scheduler's side once.
  void Poll(fibers::Poller& poller, std::int64_t timeout_ns) noexcept {
    {
      const executors::UserSide user;
      poller.Poll(timeout_ns, found_);
    }
    polled_at_ns_.Store(platform::NowNs(), memory_order_relaxed);
    interval_.Polled(found_.Size());
    polls_.Add();
    ready_.Add(found_.Size());
  }

  void Submit() noexcept {
    const executors::UserSide user;
    found_.SubmitAll();
  }

  fibers::ReadyFibers found_;  // used by the holder of the turn; too large for a fiber's stack
  const bool uses_ring_;
  const std::uint64_t before_;
  // relaxed: one exchange wins; a load is a hint, or all threads have ended.
  alignas(kCacheLine) Atomic<bool> drives_{false};
  Atomic<std::uint64_t> polled_at_ns_{0};  // time of the last poll by this pool; relaxed: a hint
  PollInterval interval_;
  // Written by the thread that has the turn.
  metrics::Tally polls_;
  metrics::Tally ready_;
};

}  // namespace schedbench::schedulers

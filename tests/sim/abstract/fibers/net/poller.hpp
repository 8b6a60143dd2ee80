#pragma once

// Stands in for src/fibers/net/poller.hpp: a network with one fiber that waits, and a peer that
// makes it ready.

#include "base/atomic.hpp"
#include "base/cell.hpp"
#include "fibers/net/poll_turn.hpp"
#include "fibers/net/ready_fibers.hpp"
#include "platform/threads/futex.hpp"

#include <cstdint>

namespace schedbench::fibers {

class Poller {
 public:
  static Poller* OfProcess() noexcept {
    return of_process;
  }

  PollTurn& Turn() noexcept {
    return turn_;
  }

  void Leave() noexcept {
    turn_.Leave();
  }

  void EndAbsence() noexcept {
    if (turn_.EndAbsence()) {
      Break();
    }
  }

  void Poll(std::int64_t timeout_ns, ReadyFibers& ready) noexcept {
    const std::uint32_t before = polled_.Read();
    std::uint32_t now = 0;
    // acquire: pairs with the release in MakeReady() and Break().
    while ((now = events_.Load(memory_order_acquire)) == before) {
      if (timeout_ns == 0) {
        return;
      }
      platform::FutexWait(events_, before);
    }
    polled_.Write(now);
    // acquire: pairs with the release in MakeReady().
    if (FiberHandle* const waiter = ready_.Exchange(nullptr, memory_order_acquire)) {
      ready.Add(std::move(*waiter));
      turn_.Call();  // the peer is done
    }
  }

  void Break() noexcept {
    events_.FetchAdd(1, memory_order_release);  // release: pairs with the acquire in Poll()
    platform::FutexWake(events_, 1);
  }

  void AddDriver() noexcept {
    turn_.AddDriver();
  }
  void RemoveDriver() noexcept {
    turn_.RemoveDriver();
  }
  static int UseRing() noexcept {
    return 0;
  }
  static void LeaveRing() noexcept {
  }
  std::uint64_t OperationsInRing() const noexcept {
    return 0;
  }

  // The peer: the fiber of `waiter` may continue. Returns when it has been resumed; the peer stands
  // in meanwhile.
  void MakeReady(FiberHandle& waiter) noexcept {
    ready_.Store(&waiter, memory_order_release);  // release: pairs with the acquire in Poll()
    Break();
    for (;;) {
      const std::uint32_t seen = turn_.Seen();
      // relaxed: only whether it has been taken.
      if (ready_.Load(memory_order_relaxed) == nullptr) {
        return;
      }
      if (turn_.IsNeeded() && turn_.TryWait(this)) {
        ReadyFibers ready;
        Poll(0, ready);
        ready.SubmitAll();
        Leave();
      } else {
        turn_.AwaitCall(seen);
      }
    }
  }

  static inline Poller* of_process = nullptr;  // written when one thread runs

 private:
  PollTurn turn_;
  Atomic<std::uint32_t> events_{0};  // and breaks; the futex word of Poll()
  Atomic<FiberHandle*> ready_{nullptr};
  Cell<std::uint32_t> polled_{0};  // of the thread that has the turn
};

}  // namespace schedbench::fibers

#pragma once

#include "base/atomic.hpp"
#include "fibers/net/descriptor_table.hpp"
#include "fibers/net/poll_turn.hpp"
#include "fibers/net/ready_fibers.hpp"
#include "fibers/net/ring_operation.hpp"
#include "platform/net/event_poll.hpp"

#include <array>
#include <cstdint>

namespace schedbench::fibers {

class StackPool;

// Finds the fibers whose descriptors are ready, for all descriptors of the process. The polling
// thread (the driver) resumes the fibers that it finds, so a scheduler can distribute its own.
//
//   if (poller.Turn().TryLook(scheduler)) {
//     ReadyFibers ready;
//     poller.Poll(0, ready);   // the fibers are still suspended
//     ready.SubmitAll();
//     poller.Leave();
//   }
//
// If no scheduler waits, a thread of the process does (PollTurn), from the first Open() on.
class Poller {
 public:
  // Returns the poller of the process; null until the first Open() has succeeded. Any thread.
  static Poller* OfProcess() noexcept;

  // Registers the open `fd`. Returns 0 and the descriptor, or a negative errno. Any thread.
  static int Open(int fd, Descriptor*& opened) noexcept;
  // Ends the registration of `descriptor`, before its file descriptor is closed.
  static void Remove(Descriptor& descriptor) noexcept;
  // Takes back a closed descriptor that no operation uses.
  static void GiveBack(Descriptor& descriptor) noexcept;

  // Stops resuming fibers on stacks of `pool`, whose executor is being destroyed.
  static void Abandon(const StackPool& pool) noexcept;

  Poller() = default;

  Poller(const Poller&) = delete;
  Poller& operator=(const Poller&) = delete;

  // Returns the turn, which decides which thread may call Poll().
  PollTurn& Turn() noexcept {
    return turn_;
  }

  // Frees the turn. Requires: the caller has it and has resumed what it found.
  void Leave() noexcept {
    EndRound();
    turn_.Leave();
  }

  // Ends the absence of a thread (PollTurn).
  void EndAbsence() noexcept {
    if (turn_.EndAbsence()) {
      Break();
    }
  }

  // Waits up to `timeout_ns` (0: not at all; negative: without a limit) for at most
  // EventPoll::kMaxEvents events, and adds the fibers that wait for them to `ready`. It wakes
  // threads itself. It returns early after Break() and after a signal. Requires: the caller has the
  // turn and has resumed what the last call found.
  void Poll(std::int64_t timeout_ns, ReadyFibers& ready) noexcept;

  // Makes the current or the next Poll() return. Calls before that return count as one. Any thread.
  void Break() noexcept;

  // A scheduler that polls itself calls each of these once.
  void AddDriver() noexcept;
  void RemoveDriver() noexcept;

  // Makes io_uring run operations on files, until an equal number of LeaveRing(). Returns 0, or a
  // negative errno and has no effect. Any thread.
  static int UseRing() noexcept;
  static void LeaveRing() noexcept;
  // Returns whether a scheduler uses io_uring now. Any thread.
  static bool UsesRing() noexcept {
    const Poller* const poller = OfProcess();
    return poller != nullptr && poller->RunsFiles();
  }
  // Returns whether io_uring runs operations on files now. Any thread.
  bool RunsFiles() const noexcept {
    // acquire: pairs with the release in UseRing(); the ring is open.
    return ring_users_.Load(memory_order_acquire) > 0;
  }
  // Starts `operation`, whose fiber has suspended, on io_uring. A Poll() resumes the fiber, or this
  // call if the kernel refuses.
  void Start(RingOperation& operation) noexcept;

  // Returns how many operations on files io_uring has received. Any thread.
  std::uint64_t OperationsInRing() const noexcept {
    return started_.Load(memory_order_relaxed);
  }

  // Counts of events. Statistics, of about one moment.
  struct Counts {
    std::uint64_t polls;
    std::uint64_t events;
    std::uint64_t stale;   // events of descriptors that had been closed
    std::uint64_t breaks;  // polls that Break() has ended
  };
  // Returns the counts. Any thread.
  Counts ReadCounts() const noexcept;

 private:
  friend class PollThread;

  static Poller* Make(int& error) noexcept;
  void Harvest(std::int64_t timeout_ns, ReadyFibers& ready) noexcept;
  void AwaitOperationsOf(const StackPool& pool) noexcept;
  void Forget(const StackPool& pool) noexcept;
  void EndRound() noexcept;

  platform::EventPoll events_;
  DescriptorTable table_;
  Atomic<std::uint32_t> ring_users_{0};
  Atomic<std::uint64_t> started_{0};  // relaxed: a statistic
  RingOperations operations_;
  // Used by the thread that has the turn. It is not on its stack, which may be a fiber's.
  std::array<platform::ReadyEvent, platform::EventPoll::kMaxEvents> found_;
  PollTurn turn_;
  Atomic<std::uint32_t> breaking_{0};  // 1 from a Break() until the Poll() that it ends
  // Odd from the end of a wait until the found fibers are resumed. relaxed: the driver writes it.
  Atomic<std::uint64_t> round_{0};
  // The driver writes these.
  Atomic<std::uint64_t> polls_{0};        // relaxed: a statistic
  Atomic<std::uint64_t> event_count_{0};  // relaxed: a statistic
  Atomic<std::uint64_t> stale_{0};        // relaxed: a statistic
  Atomic<std::uint64_t> breaks_{0};       // relaxed: a statistic
};

}  // namespace schedbench::fibers

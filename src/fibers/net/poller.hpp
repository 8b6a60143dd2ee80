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

// Finds out which fibers wait for what has become ready, for all descriptors of the process. A thread that has entered
// polls (the driver); it resumes what it finds, so that a scheduler can distribute its own fibers.
//
//   if (poller.Turn().TryLook()) {
//     ReadyFibers ready;
//     poller.Poll(0, ready);   // the fibers are suspended still
//     ready.SubmitAll();
//     poller.Leave();
//   }
//
// Where no scheduler waits, a thread of the process does (PollTurn): from the first Open() on.
class Poller {
 public:
  // The poller of the process; null until the first Open() has succeeded. Any thread.
  static Poller* OfProcess() noexcept;

  // Registers the open file descriptor `fd`. Returns 0 and the descriptor, or a negative errno. Any thread.
  static int Open(int fd, Descriptor*& opened) noexcept;
  // Ends the registration of `descriptor`, before its number is closed.
  static void Remove(Descriptor& descriptor) noexcept;
  // Takes back a closed descriptor that no operation uses.
  static void GiveBack(Descriptor& descriptor) noexcept;

  // No fiber on a stack of `pool` is resumed from now on: its executor is being destroyed.
  static void Abandon(const StackPool& pool) noexcept;

  Poller() = default;

  Poller(const Poller&) = delete;
  Poller& operator=(const Poller&) = delete;

  // Which thread may call Poll().
  PollTurn& Turn() noexcept {
    return turn_;
  }

  // Gives the turn back. Requires: the caller has it, and what was found is resumed.
  void Leave() noexcept {
    EndRound();
    turn_.Leave();
  }

  // A thread that was absent is awake again (PollTurn).
  void EndAbsence() noexcept {
    if (turn_.EndAbsence()) {
      Break();
    }
  }

  // Waits up to `timeout_ns` (0: not at all; negative: without a limit) for events, at most EventPoll::kMaxEvents of
  // them, and adds to `ready` the fibers that wait for them. Wakes threads itself. Returns early after Break() and
  // after a signal. Requires: the caller has the turn, and what the last call found is resumed.
  void Poll(std::int64_t timeout_ns, ReadyFibers& ready) noexcept;

  // Lets the current Poll() return, or the next one. Calls before it returns are one. Any thread.
  void Break() noexcept;

  // A scheduler that polls by itself calls these two, once each.
  void AddDriver() noexcept;
  void RemoveDriver() noexcept;

  // Descriptors that are opened from now on are reported by io_uring, until as many calls of LeaveRing(). Returns 0 or
  // a negative errno: the kernel refuses, and there is no effect. Any thread.
  static int UseRing() noexcept;
  static void LeaveRing() noexcept;
  // Lets io_uring report what epoll has reported so far. The completions are posted in this thread. Requires: UseRing()
  // has succeeded, and LeaveRing() is still to come.
  void MoveToRing() noexcept;
  // Whether a scheduler uses io_uring at this moment. Any thread.
  static bool UsesRing() noexcept {
    const Poller* const poller = OfProcess();
    return poller != nullptr && poller->RunsFiles();
  }
  // Whether io_uring runs operations on files. Any thread; of one moment.
  bool RunsFiles() const noexcept {
    // acquire: pairs with the release in UseRing(); the ring is open.
    return ring_users_.Load(memory_order_acquire) > 0;
  }
  // Lets io_uring run `operation`, whose fiber has suspended. It is resumed by a Poll(), or here if the kernel refuses.
  void Start(RingOperation& operation) noexcept;

  // What was given to io_uring so far.
  struct RingCounts {
    std::uint64_t descriptors = 0;
    std::uint64_t operations = 0;  // on files
  };
  // Returns the counts. Any thread.
  RingCounts CountRing() const noexcept {
    // relaxed: statistics.
    return {.descriptors = in_ring_.Load(memory_order_relaxed),
            .operations = started_.Load(memory_order_relaxed)};
  }

  // What has happened so far. Statistics: of about one moment.
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

  using Source = platform::EventPoll::Source;

  static Poller* Make(int& error) noexcept;
  void Harvest(std::int64_t timeout_ns, ReadyFibers& ready) noexcept;
  void AwaitOperationsOf(const StackPool& pool) noexcept;
  void Forget(const StackPool& pool) noexcept;
  void EndRound() noexcept;
  int Add(Descriptor& descriptor) noexcept;
  bool TryAddToRing(Descriptor& descriptor) noexcept;
  void AddAgain(Descriptor& descriptor, const platform::ReadyEvent& event) noexcept;

  platform::EventPoll events_;
  DescriptorTable table_;
  // A number that has been closed, and may belong to another file, is not added: only here and with
  // Descriptor::source_.
  platform::Mutex changing_source_;
  Atomic<std::uint32_t> ring_users_{0};
  Atomic<std::uint64_t> in_ring_{0};
  Atomic<std::uint64_t> started_{0};
  RingOperations operations_;
  // Of the thread that has the turn. Not on its stack, which may be that of a fiber.
  std::array<platform::ReadyEvent, platform::EventPoll::kMaxEvents> found_;
  PollTurn turn_;
  Atomic<std::uint32_t> breaking_{0};  // 1 from a Break() until the Poll() that it ends
  // Odd from the end of a wait until the fibers that it found are resumed. Written by the driver.
  Atomic<std::uint64_t> round_{0};
  // Written by the driver.
  Atomic<std::uint64_t> polls_{0};
  Atomic<std::uint64_t> event_count_{0};
  Atomic<std::uint64_t> stale_{0};
  Atomic<std::uint64_t> breaks_{0};
};

}  // namespace schedbench::fibers

#pragma once

#include "tests/sim/machine/clocks.hpp"
#include "tests/sim/machine/host_memory.hpp"

#include <cstddef>
#include <cstdint>

namespace schedbench::sim {

// What lies in a simulated Atomic: the newest value, and which Location has its history.
struct Word {
  std::uint64_t value;
  // Number of the location plus kMark; 0: made outside of an execution, plain memory.
  std::uint32_t id;
  // In which it was made. A static that outlives it is plain memory afterwards.
  std::uint32_t execution = 0;
  // The step of its thread by which it is made.
  std::uint32_t made = 0;

  // Distinguishes a word from overwritten or freed memory.
  static constexpr std::uint32_t kMark = 0x5b000000;
};

// One value that an atomic variable has had.
struct Stored {
  std::uint64_t value;
  // What a reader that acquires it gets to know.
  Knowledge released;
  // The first step of each thread that read or wrote this value or, for reads, is known to come
  // after it; 0: none. A thread that knows one of these steps cannot read an older value.
  VectorClock seen_by;
  // Names this store by all that led to it.
  std::uint64_t hash;
};

// The history of an atomic variable in one execution: its values in modification order, which is
// the order in which the exploration makes the stores.
struct Location {
  static constexpr std::uint8_t kUnclaimed = 0xff;
  // In finite time every store becomes visible: after so many old values the newest comes. Else a
  // loop that tries again could read the same forever.
  static constexpr std::uint8_t kMaxStaleStreak = 2;

  // The execution that this record belongs to; another one: not used yet in this execution.
  std::uint32_t execution = 0;
  // Two threads use it. The others need no history and are no points of decision.
  bool shared = false;
  bool destroyed = false;
  std::uint8_t only_user = kUnclaimed;
  bool written = false;
  HostVector<Stored> stores;
  // Of the newest seq_cst store.
  std::size_t newest_sequential = 0;
  // How often in a row each thread has read an old value.
  std::array<std::uint8_t, kMaxThreads> stale_streak{};
  // The last step by which each thread has used it: a thread that destroys it must know them all.
  VectorClock used;
  // Names the order of the threads that went to sleep and were woken here.
  std::uint64_t queue_hash = 0;

  // The oldest value that a thread with `known` may still read.
  std::size_t OldestReadable(const VectorClock& known) const noexcept {
    for (std::size_t i = stores.size() - 1; i > 0; --i) {
      if (known.KnowsAnyOf(stores[i].seen_by)) {
        return i;
      }
    }
    return 0;
  }
};

// Plain memory that threads hand over (Cell): which thread touched it last.
struct CellHistory {
  bool destroyed = false;
  std::uint8_t writer = 0;
  std::uint32_t write_step = 0;
  VectorClock reads;
};

}  // namespace schedbench::sim

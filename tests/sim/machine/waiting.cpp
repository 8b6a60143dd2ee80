// The machine's futex and its locks.
#include "tests/sim/machine/hash.hpp"
#include "tests/sim/machine/machine.hpp"

#include <algorithm>
#include <array>

namespace schedbench::sim {

// ---- Futex ----
//
// The kernel compares and goes to sleep in one step, with full barriers on both sides, so that the
// comparison sees the newest value. It makes nothing known: that is left to the caller's own loads.

bool Machine::FutexWait(const Word& word, std::uint32_t expected, bool timed, const Place& where) {
  Location* location = Use(word, false, where, "futex wait");
  if (location == nullptr) {
    if (!running_) {
      Fail("a futex wait outside of an execution can never end");
    }
    if (!IsMine(word)) {
      Fail("a futex wait on a word that is not of this execution can never end");
    }
    // Only this thread uses the word so far: it would sleep forever, or others are yet to come.
    known_shared_[word.id ^ Word::kMark] = 1;
    End(Ending::kNewShared);
  }
  const Stored& newest = location->stores.back();
  Learn(newest.hash);
  if (newest.value != expected) {
    Trace("futex: no wait", &word, newest.value, where);
    return true;
  }
  const unsigned odd = ChooseRare(timed ? 3 : 2);
  if (odd == 1) {
    Learn(0x59a);
    Trace("futex: spurious", &word, newest.value, where);
    return true;
  }
  Trace("futex: sleep", &word, newest.value, where);
  Learn(location->queue_hash);
  location->queue_hash = Self().history;
  Thread& self = Self();
  self.wait_order = waits_++;
  self.timed_out = odd == 2;
  if (odd == 2) {
    // The time may run out at any moment from now on, unless another thread is quicker.
    Learn(0x71e0);
    self.state = State::kTimedFutex;
    self.waits_for = word.id;
    if (const unsigned next = chooser_->ChooseThread(current_, ready_); next != current_) {
      Record(Decision::Kind::kSwitch, next);
      SwitchTo(next);
    }
    self.state = State::kReady;
  } else {
    Block(timed ? State::kTimedFutex : State::kFutex, word.id);
  }
  if (self.timed_out) {
    Learn(0x71e1);
    Trace("futex: time out", &word, newest.value, where);
  }
  return !self.timed_out;
}

void Machine::FutexWake(const Word& word, std::uint32_t count, const Place& where) {
  if (!IsMine(word)) {
    return;
  }
  ++Self().operations;
  // The word may be gone: only its number counts, as only its address counts for the kernel.
  const std::uint32_t index = word.id ^ Word::kMark;
  if (index >= locations_.size() || HasFault(Fault::kNoWake, where)) {
    return;
  }
  Location& location = locations_[index];
  if (location.execution != execution_ || (!location.shared && !all_shared_)) {
    return;
  }
  Point(where);
  Learn(location.queue_hash);
  location.queue_hash = Self().history;
  std::array<unsigned, kMaxThreads> sleepers{};  // oldest first
  unsigned asleep = 0;
  for (unsigned i = 0; i < started_; ++i) {
    const Thread& thread = threads_[i];
    if ((thread.state == State::kFutex || thread.state == State::kTimedFutex) &&
        thread.waits_for == word.id) {
      unsigned place = asleep++;
      for (; place > 0 && threads_[sleepers[place - 1]].wait_order > thread.wait_order; --place) {
        sleepers[place] = sleepers[place - 1];
      }
      sleepers[place] = i;
    }
  }
  for (; count > 0 && asleep > 0; --count, --asleep) {
    // Linux wakes the oldest first, and promises nothing.
    const unsigned which = asleep > count ? ChooseRare(asleep) : 0;
    const unsigned woken = sleepers[which];
    std::copy(sleepers.begin() + which + 1, sleepers.begin() + asleep, sleepers.begin() + which);
    if (which != 0) {
      Learn(0x3a4e + which);
    }
    threads_[woken].state = State::kReady;
    threads_[woken].timed_out = false;
    ready_ |= 1U << woken;
    Trace("futex: wakes", &word, woken, where);
  }
  Wrote();
}

// ---- Locks ----
//
// A lock as such, in place of platform::Mutex where that is not what is checked: one value, 0 or 1,
// and any thread that finds 1 waits. The newest store carries what the last owner released.

void Machine::Lock(Word& word, const Place& where) {
  if (!IsMine(word)) {
    return;
  }
  for (;;) {
    Location* location = Use(word, true, where, "lock");
    if (location == nullptr) {
      if (word.value != 0) {
        Fail("thread %u locks twice at %s:%u", current_, where.file_name(), where.line());
      }
      word.value = 1;
      return;
    }
    if (location->stores.back().value == 0) {
      CommitModify(*location, word, 1, std::memory_order_acquire, where);
      return;
    }
    Block(State::kLock, word.id);
  }
}

void Machine::Unlock(Word& word, const Place& where) {
  GiveBack(word, true, where);
}

void Machine::GiveBack(Word& word, bool wakes, const Place& where) {
  if (!IsMine(word)) {
    return;
  }
  ++Self().operations;
  Location& location = Find(word, where, "unlock");
  if (!location.shared) {
    if (location.only_user != current_) {
      known_shared_[word.id ^ Word::kMark] = 1;
      End(Ending::kNewShared);
    }
    NoteUse(location, Self().now.happened.steps[current_] + 1);
    word.value = 0;
    return;
  }
  // No point of decision before it: only the waiting threads can see when it happens, and they
  // continue after it.
  NextStep();
  NoteUse(location, Self().now.happened.steps[current_]);
  Append(location, word, 0, std::memory_order_release, nullptr);
  Trace("unlock", &word, 0, where);
  for (unsigned i = 0; i < started_; ++i) {
    Thread& thread = threads_[i];
    if (thread.waits_for == word.id &&
        (thread.state == State::kLock || (wakes && thread.state == State::kUnlock))) {
      thread.state = State::kReady;
      ready_ |= 1U << i;
    }
  }
}

void Machine::UnlockAndAwaitUnlock(Word& word, const Place& where) {
  // Threads that wait for a change need not look again: there was none.
  GiveBack(word, false, where);
  if (IsMine(word)) {
    Block(State::kUnlock, word.id);
  }
}

}  // namespace schedbench::sim

// Lets a fiber wait for several channels. Protocol:
//   1. Sort the cases by the addresses of their channels and lock all of these, in that order. Two
//      Selects, and a thread that locks one channel alone, cannot wait for each other in a circle.
//   2. With all locks held nothing changes: choose a ready case at random, do it, unlock all, done.
//      The other side may be a Select too, which another thread claims in a channel that is not
//      locked here: then that case is no longer ready, and this chooses again. Each time one waiter
//      has left a list, so this ends.
//   3. If none is ready, enter all lists with one Sleeper and suspend. After the switch start the
//      timer and unlock all.
//   4. A thread that takes one of the waiters out of its list claims the Sleeper with the number of
//      the case, or drops the waiter if it is too late. So exactly one thread resumes this fiber.
//   5. The fiber continues and leaves the other lists where it was not dropped, one lock at a time.
//
// (S1) The Sleeper can be claimed only while it is in lists, after step 3 released the lock of the
// channel in question. So no fiber is claimed while it selects, and no claim is ever returned.
// Locking one channel at a time cannot achieve this: there A, which waits in one list, finds B in
// another, must claim both, and return A's claim if B is gone; threads that saw A claimed in
// between have skipped it.
// (S2) Unlocking walks the cases, which lie on the fiber's stack. The fiber may continue as soon as
// one channel is unlocked. But it needs the lock of each other channel before it returns, so the
// walk reads valid memory as long as it reads the next case before it unlocks. The channel whose
// case fired was unlocked before.
// (S3) The fiber does not need the channel whose case fired. It locks it again only if another case
// names it.
#include "fibers/sync/select.hpp"

#include "base/assert.hpp"
#include "base/atomic.hpp"
#include "base/random_choice.hpp"
#include "executors/scheduler_side.hpp"

#include <functional>

namespace schedbench::fibers {

namespace {

Atomic<std::uint64_t> seeds{0};  // relaxed: the seeds only have to differ

// Returns the generator of the thread. Not inlined: its address must not be kept over a switch.
SB_NOINLINE RandomChoice& ThreadChoice() noexcept {
  asm volatile("" ::: "memory");
  thread_local RandomChoice choice(seeds.FetchAdd(1, memory_order_relaxed));
  return choice;
}

std::uint32_t Draw(std::uint32_t count) noexcept {
  const executors::SchedulerSide side;
  return ThreadChoice().Below(count);
}

}  // namespace

void SeedSelect(std::uint64_t seed) noexcept {
  const executors::SchedulerSide side;
  ThreadChoice() = RandomChoice(seed);
}

class Selection {
 public:
  explicit Selection(std::span<SelectCase* const> cases) noexcept
      : cases_(cases) {
    for (SelectCase* const one : cases_) {
      SB_ASSERT(!one->in_use_, "a case stands once in a Select, and in one Select at a time");
      one->in_use_ = true;
      one->Reset();
      one->next_.Write(first_);
      first_ = one;
    }
    first_ = Sorted(first_, cases_.size());
  }

  ~Selection() {
    for (SelectCase* const one : cases_) {
      one->in_use_ = false;
    }
  }

  Selection(const Selection&) = delete;
  Selection& operator=(const Selection&) = delete;

  // Does a ready case and unlocks all channels. Otherwise returns nothing and keeps all locked.
  std::optional<std::size_t> LockAndTry() noexcept {
    LockAll();
    while (const auto chosen = Choose()) {
      SelectCase& one = *cases_[*chosen];
      Waiter* other = nullptr;
      if (one.TryNow(other)) {
        const executors::SchedulerHint hint = one.Hint();
        UnlockAll(first_);
        if (other != nullptr) {
          other->Resume(hint);
        }
        return chosen;
      }
    }
    return std::nullopt;
  }

  void UnlockAll() noexcept {
    UnlockAll(first_);
  }

  // Waits for a case and does it. Requires: all channels are locked; it releases them.
  std::optional<std::size_t> Suspend(Deadline deadline) noexcept {
    Sleeper sleeper(deadline);
    for (std::size_t i = 0; i < cases_.size(); ++i) {
      Waiter& waiter = *cases_[i]->waiter_;
      waiter.sleeper = &sleeper;
      waiter.number = static_cast<std::uint32_t>(i + 1);
      cases_[i]->List().PushBack(&waiter);
    }
    const auto then = [first = first_, &sleeper](FiberHandle fiber) {
      sleeper.Begin(std::move(fiber));
      UnlockAll(first);
    };
    const void* const channel = first_ == nullptr ? nullptr : first_->channel_;
    fibers::Suspend(then, {.kind = WaitKind::kSelect, .object = channel}, sleeper.Handle());
    const std::uint32_t by = sleeper.End();
    const SelectCase* const fired = by == Sleeper::kDeadline ? nullptr : cases_[by - 1];
    for (SelectCase* one = first_; one != nullptr;) {
      one = LeaveChannelOf(one, fired);
    }
    return fired == nullptr ? std::nullopt : std::optional<std::size_t>(by - 1);
  }

 private:
  // Merge sort of the first `count` of a list by next_: O(n log n), with O(log n) of stack.
  static SelectCase* Sorted(SelectCase* list, std::size_t count) noexcept {
    if (count < 2) {
      if (list != nullptr) {
        list->next_.Write(nullptr);
      }
      return list;
    }
    SelectCase* middle = list;
    for (std::size_t i = 0; i < count / 2; ++i) {
      middle = middle->next_.Read();
    }
    SelectCase* left = Sorted(list, count / 2);
    SelectCase* right = Sorted(middle, count - count / 2);
    SelectCase* first = nullptr;
    SelectCase* last = nullptr;
    while (left != nullptr || right != nullptr) {
      const bool from_right =
          left == nullptr || (right != nullptr && std::less<>()(right->channel_, left->channel_));
      SelectCase*& least = from_right ? right : left;
      if (last == nullptr) {
        first = least;
      } else {
        last->next_.Write(least);
      }
      last = least;
      least = least->next_.Read();
    }
    return first;
  }

  void LockAll() noexcept {
    const ChannelBase* last = nullptr;
    for (const SelectCase* one = first_; one != nullptr; one = one->next_.Read()) {
      if (one->channel_ != last) {
        one->Lock().Lock();
        last = one->channel_;
      }
    }
  }

  static void UnlockAll(const SelectCase* one) noexcept {
    while (one != nullptr) {
      // (S2): all reads of the cases of a channel come before its unlocking.
      SpinLock& lock = one->Lock();
      one = AfterChannelOf(one);
      lock.Unlock();
    }
  }

  static SelectCase* AfterChannelOf(const SelectCase* one) noexcept {
    const ChannelBase* const channel = one->channel_;
    SelectCase* next = one->next_.Read();
    while (next != nullptr && next->channel_ == channel) {
      next = next->next_.Read();
    }
    return next;
  }

  // Takes all cases of one channel out of its lists. Returns the next channel's first case.
  static SelectCase* LeaveChannelOf(SelectCase* one, const SelectCase* fired) noexcept {
    SelectCase* const next = AfterChannelOf(one);
    if (one == fired && one->next_.Read() == next) {
      return next;  // (S3)
    }
    SpinLock& lock = one->Lock();
    lock.Lock();
    for (; one != next; one = one->next_.Read()) {
      if (one != fired && !one->waiter_->dropped) {
        one->List().Remove(one->waiter_);
      }
    }
    lock.Unlock();
    return next;
  }

  // Returns a ready case, each with the same probability: the k-th replaces the chosen one with
  // probability 1/k. Requires: all channels are locked.
  std::optional<std::size_t> Choose() noexcept {
    std::optional<std::size_t> chosen;
    std::uint32_t ready = 0;
    for (std::size_t i = 0; i < cases_.size(); ++i) {
      if (!cases_[i]->IsReady()) {
        continue;
      }
      ++ready;
      if (ready == 1 || Draw(ready) == 0) {
        chosen = i;
      }
    }
    return chosen;
  }

  const std::span<SelectCase* const> cases_;
  SelectCase* first_ = nullptr;
};

std::size_t Select(std::span<SelectCase* const> cases) noexcept {
  SB_ASSERT(!cases.empty(), "Select without a case would wait forever");
  return *SelectUntil(Deadline::Never(), cases);
}

std::optional<std::size_t> TrySelect(std::span<SelectCase* const> cases) noexcept {
  Selection selection(cases);
  const auto done = selection.LockAndTry();
  if (!done) {
    selection.UnlockAll();
  }
  return done;
}

std::optional<std::size_t> SelectUntil(Deadline deadline,
                                       std::span<SelectCase* const> cases) noexcept {
  Selection selection(cases);
  if (const auto done = selection.LockAndTry()) {
    return done;
  }
  if (deadline.HasPassed()) {
    selection.UnlockAll();
    return std::nullopt;
  }
  return selection.Suspend(deadline);
}

}  // namespace schedbench::fibers

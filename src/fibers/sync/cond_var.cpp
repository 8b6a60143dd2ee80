#include "fibers/sync/cond_var.hpp"

namespace schedbench::fibers {

// A waiter, on the stack of the fiber that waits.
struct CondVar::Waiting : Waiter {
  Mutex* mutex = nullptr;
  Mutex::Waiter turn;              // the entry in the mutex's queue, after the notification
  Suspension* reported = nullptr;  // the data for reports: first the CondVar, then the mutex
};

bool CondVar::WaitUntil(Mutex& mutex, Deadline deadline) noexcept {
  Sleeper sleeper(deadline);
  Waiting self;
  self.sleeper = &sleeper;
  self.mutex = &mutex;
  lock_.Lock();
  waiters_.PushBack(&self);
  const auto then = [this, &sleeper, &mutex](FiberHandle fiber) {
    // The fiber may continue as soon as the lock is free, but not without the mutex.
    Mutex* const held = &mutex;
    sleeper.Begin(std::move(fiber));
    lock_.Unlock();
    held->Unlock();
  };
  Suspend(then, {.kind = WaitKind::kCondVar, .object = this}, sleeper.Handle(), &self.reported);
  if (sleeper.End() != Sleeper::kDeadline) {
    mutex.IsResumed();
    return true;
  }
  lock_.Lock();
  if (!self.dropped) {
    waiters_.Remove(&self);
  }
  lock_.Unlock();
  mutex.Lock();
  return false;
}

void CondVar::HandOver(Waiting& waiting) noexcept {
  waiting.turn.fiber = waiting.Release();
  waiting.reported->waiting = {.kind = WaitKind::kMutex, .object = waiting.mutex};
  waiting.reported->handle = &waiting.turn.fiber;
  waiting.mutex->EnqueueNotified(waiting.turn);
}

void CondVar::NotifyOne() noexcept {
  lock_.Lock();
  auto* const waiting = TryPop<Waiting>(waiters_);
  lock_.Unlock();
  if (waiting != nullptr) {
    HandOver(*waiting);
  }
}

void CondVar::NotifyAll() noexcept {
  Waiters notified;
  lock_.Lock();
  while (auto* const waiting = TryPop<Waiting>(waiters_)) {
    notified.PushBack(waiting);
  }
  lock_.Unlock();
  while (Waiter* const waiting = notified.TryPopFront()) {
    HandOver(*static_cast<Waiting*>(waiting));
  }
}

}  // namespace schedbench::fibers

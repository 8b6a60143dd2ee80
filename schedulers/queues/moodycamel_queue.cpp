#include "schedulers/queues/moodycamel_queue.hpp"

#include "base/failure.hpp"

namespace schedbench::schedulers {

namespace {

void Require(bool enqueued) noexcept {
  if (!enqueued) [[unlikely]] {
    FailRun("no memory for the global queue", FailureKind::kLimit);
  }
}

}  // namespace

MoodycamelQueue::MoodycamelQueue() = default;
MoodycamelQueue::~MoodycamelQueue() = default;

void MoodycamelQueue::Put(TaskBase* task) noexcept {
  Require(tasks_.enqueue(task));
}

void MoodycamelQueue::Put(TaskList&& batch) noexcept {
  std::array<TaskBase*, kBatch> some;  // NOLINT: filled before it is read
  while (!batch.IsEmpty()) {
    std::size_t count = 0;
    while (count < some.size() && !batch.IsEmpty()) {
      some[count++] = batch.TryPopFront();
    }
    Require(tasks_.enqueue_bulk(some.data(), count));
  }
}

std::size_t MoodycamelQueue::Take(std::span<TaskBase*> out) noexcept {
  if (out.empty() || counts_.IsEmpty()) {
    return 0;
  }
  // Each new token starts at the next producer. Without a token all takers start at the newest
  // producer, and older ones wait while newer ones have tasks: forever, if fibers yield through it.
  moodycamel::ConsumerToken turn(tasks_);
  const std::size_t count = tasks_.try_dequeue_bulk(turn, out.data(), out.size());
  if (count > 0) {
    counts_.CountTaken(count);
  }
  return count;
}

}  // namespace schedbench::schedulers

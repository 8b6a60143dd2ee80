#pragma once

#include "base/attributes.hpp"
#include "executors/executor.hpp"

#include <cstddef>

#if defined(SB_TSAN)
#include <sanitizer/tsan_interface.h>

#include <cstdlib>

// Functions of the sanitizer's runtime that its headers do not declare.
extern "C" {
void __tsan_ignore_thread_begin();
void __tsan_ignore_thread_end();
void AnnotateIgnoreSyncBegin(const char* file, int line);
void AnnotateIgnoreSyncEnd(const char* file, int line);
// These two are for heaps other than malloc's.
void __tsan_java_alloc(unsigned long address, unsigned long bytes);
void __tsan_java_free(unsigned long address, unsigned long bytes);
}
#endif

// Annotations for a strict ThreadSanitizer (TasksAreUnordered()): it treats tasks that run on one
// worker after another as unordered, as if each had its own thread. Empty in builds without it.
//
// A scheduler runs on the stacks of its tasks and keeps plain data, which its thread orders: to
// ThreadSanitizer each access would be a race of two tasks. And each of its locks and queues would
// order tasks that nothing in the program orders. So it ignores the code of schedulers
// (SchedulerSide), and a pair of calls declares each of their guarantees instead:
//
//   the guarantee                                    HappensBefore       HappensAfter
//   Submit(task) happens before the task runs or     Submit()            loop;
//   resumes                                                              FiberThread::Suspend()
//   a task, or its part up to a suspend, happens     loop, FiberThread   WaitIdle(); RunLoop(),
//   before WaitIdle() and Stop() return                                  whose thread is joined
//   the caller of a hosted fiber's Run() waits       FiberThread::Host() FiberThread::Host()
//
// Without strictness, ThreadSanitizer checks all events between threads, and finds schedulers that
// break these promises or have races inside.
namespace schedbench::executors {

#if defined(SB_TSAN)
// Returns whether SCHEDBENCH_TSAN_STRICT is in the environment. The result never changes.
inline bool TasksAreUnordered() noexcept {
  static const bool unordered = std::getenv("SCHEDBENCH_TSAN_STRICT") != nullptr;
  return unordered;
}
#endif

// Marks that the thread is in a scheduler, from construction to the end of the scope. Nests.
class [[maybe_unused]] SchedulerSide {
 public:
  // Enters the scheduler's side.
  SB_ALWAYS_INLINE SchedulerSide() noexcept {
    Enter();
  }

  SB_ALWAYS_INLINE ~SchedulerSide() {
    Leave();
  }

  SchedulerSide(const SchedulerSide&) = delete;
  SchedulerSide& operator=(const SchedulerSide&) = delete;

  // Starts the scheduler's side on this thread, for code that cannot use a scope. Nests.
  SB_ALWAYS_INLINE static void Enter() noexcept {
#if defined(SB_TSAN)
    if (TasksAreUnordered()) {
      __tsan_ignore_thread_begin();
      AnnotateIgnoreSyncBegin(__FILE__, __LINE__);
    }
#endif
  }

  // Ends the latest Enter() of this thread.
  SB_ALWAYS_INLINE static void Leave() noexcept {
#if defined(SB_TSAN)
    if (TasksAreUnordered()) {
      AnnotateIgnoreSyncEnd(__FILE__, __LINE__);
      __tsan_ignore_thread_end();
    }
#endif
  }
};

// Marks user code that a scheduler calls. Requires: exactly one SchedulerSide around it.
class [[maybe_unused]] UserSide {
 public:
  // Leaves the scheduler's side until the end of the scope.
  SB_ALWAYS_INLINE UserSide() noexcept {
    SchedulerSide::Leave();
  }

  SB_ALWAYS_INLINE ~UserSide() {
    SchedulerSide::Enter();
  }

  UserSide(const UserSide&) = delete;
  UserSide& operator=(const UserSide&) = delete;
};

// Orders all earlier actions of the caller before later HappensAfter() of the same thing. No effect
// on the scheduler's side.
SB_ALWAYS_INLINE void HappensBefore([[maybe_unused]] const void* thing) noexcept {
#if defined(SB_TSAN)
  if (TasksAreUnordered()) {
    __tsan_release(const_cast<void*>(thing));
  }
#endif
}

// Orders later actions of the caller after earlier HappensBefore() of the same thing. No effect on
// the scheduler's side.
SB_ALWAYS_INLINE void HappensAfter([[maybe_unused]] const void* thing) noexcept {
#if defined(SB_TSAN)
  if (TasksAreUnordered()) {
    __tsan_acquire(const_cast<void*>(thing));
  }
#endif
}

// Makes [begin, begin + bytes) new memory, as if from malloc: its next user neither races with the
// last one nor is ordered after it. Both are multiples of 8.
SB_ALWAYS_INLINE void ForgetMemory([[maybe_unused]] const void* begin,
                                   [[maybe_unused]] std::size_t bytes) noexcept {
#if defined(SB_TSAN)
  if (TasksAreUnordered()) {
    const auto address = reinterpret_cast<unsigned long>(begin);
    __tsan_java_alloc(address, bytes);  // forgets reads and writes
    __tsan_java_free(address, bytes);   // forgets locks and atomics
  }
#endif
}

// Call it for a task in the thread that makes it ready, and for an executor when a task ends,
// before a wait for all of its tasks.
SB_ALWAYS_INLINE void HappensBefore(const TaskBase& task) noexcept {
  HappensBefore(static_cast<const void*>(&task));
}

// The task, or the next part of its fiber, starts.
SB_ALWAYS_INLINE void HappensAfter(const TaskBase& task) noexcept {
  HappensAfter(static_cast<const void*>(&task));
}

// A task of `executor`, or its part up to a suspension, ends.
SB_ALWAYS_INLINE void HappensBefore(const IExecutor& executor) noexcept {
  HappensBefore(static_cast<const void*>(&executor));
}

// A wait for all tasks of `executor` ends.
SB_ALWAYS_INLINE void HappensAfter(const IExecutor& executor) noexcept {
  HappensAfter(static_cast<const void*>(&executor));
}

}  // namespace schedbench::executors

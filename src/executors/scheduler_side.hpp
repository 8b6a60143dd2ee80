#pragma once

#include "base/attributes.hpp"
#include "executors/executor.hpp"

#include <cstddef>

#if defined(SB_TSAN)
#include <sanitizer/tsan_interface.h>

#include <cstdlib>

// Of the runtime, and in none of its headers.
extern "C" {
void __tsan_ignore_thread_begin();
void __tsan_ignore_thread_end();
void AnnotateIgnoreSyncBegin(const char* file, int line);
void AnnotateIgnoreSyncEnd(const char* file, int line);
// Meant for heaps that are not malloc's.
void __tsan_java_alloc(unsigned long address, unsigned long bytes);
void __tsan_java_free(unsigned long address, unsigned long bytes);
}
#endif

// The annotations for a strict ThreadSanitizer (TasksAreUnordered()): it treats tasks that run on one worker after another as
// unordered, as if each had a thread of its own. Empty in builds without it.
//
// A scheduler runs on the stacks of its tasks and keeps plain data of its own, which its thread orders: to
// ThreadSanitizer each access would be a race of two tasks. And each of its locks and queues would order tasks that
// nothing in the program orders. So it ignores the code of schedulers (SchedulerSide); each of their guarantees is declared by
// a pair of calls instead:
//
//   the guarantee                                        HappensBefore         HappensAfter
//   Submit(task) happens before the task runs or resumes Submit()              loop; FiberThread::Suspend()
//   a task, or its part up to a suspend, happens before  loop, FiberThread         WaitIdle(); RunLoop(), whose thread
//   WaitIdle() and Stop() return                                               is joined
//   the caller of a hosted fiber's Run() waits for it    FiberThread::Host()       FiberThread::Host()
//
// That schedulers keep these promises, and have no races inside, is for ThreadSanitizer to see where it is not strict
// and looks at all that happens between threads.
namespace schedbench::executors {

#if defined(SB_TSAN)
// SCHEDBENCH_TSAN_STRICT in the environment. The same from the first call to the end of the process.
inline bool TasksAreUnordered() noexcept {
  static const bool unordered = std::getenv("SCHEDBENCH_TSAN_STRICT") != nullptr;
  return unordered;
}
#endif

// From construction to the end of the scope the thread is in a scheduler. Nests.
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

  // Begins the scheduler's side on this thread, for code that cannot use a scope. Nests.
  SB_ALWAYS_INLINE static void Enter() noexcept {
#if defined(SB_TSAN)
    if (TasksAreUnordered()) {
      __tsan_ignore_thread_begin();
      AnnotateIgnoreSyncBegin(__FILE__, __LINE__);
    }
#endif
  }

  // Ends what the latest Enter() on this thread began.
  SB_ALWAYS_INLINE static void Leave() noexcept {
#if defined(SB_TSAN)
    if (TasksAreUnordered()) {
      AnnotateIgnoreSyncEnd(__FILE__, __LINE__);
      __tsan_ignore_thread_end();
    }
#endif
  }
};

// The reverse, for code of users that a scheduler calls. Requires: exactly one SchedulerSide around it.
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

// All that the caller did so far happens before what follows a later HappensAfter() of the same thing. Without effect on the
// scheduler's side.
SB_ALWAYS_INLINE void HappensBefore([[maybe_unused]] const void* thing) noexcept {
#if defined(SB_TSAN)
  if (TasksAreUnordered()) {
    __tsan_release(const_cast<void*>(thing));
  }
#endif
}

// What follows comes after all that preceded earlier HappensBefore() of the same thing. No effect
// on the scheduler's side.
SB_ALWAYS_INLINE void HappensAfter([[maybe_unused]] const void* thing) noexcept {
#if defined(SB_TSAN)
  if (TasksAreUnordered()) {
    __tsan_acquire(const_cast<void*>(thing));
  }
#endif
}

// From here on [begin, begin + bytes) is new memory, as if it came from malloc: its next user neither races with the last one
// nor is ordered after it. Both are multiples of 8.
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

// Of a task: from the thread that makes it ready to its run. Of an executor: from its tasks to a thread that waits for all of
// them.
SB_ALWAYS_INLINE void HappensBefore(const TaskBase& task) noexcept {
  HappensBefore(static_cast<const void*>(&task));
}

// The task, or the next part of its fiber, begins.
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

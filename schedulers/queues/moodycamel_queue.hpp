#pragma once

#include "base/cache_line.hpp"
#include "schedulers/queues/contracts.hpp"
#include "schedulers/queues/counted_pushes.hpp"

// Debian 13 and Ubuntu 24.04 have the header in another folder than Debian 12.
#if __has_include(<concurrentqueue/moodycamel/concurrentqueue.h>)
#include <concurrentqueue/moodycamel/concurrentqueue.h>
#else
#include <concurrentqueue/concurrentqueue.h>
#endif

#include <algorithm>
#include <array>

namespace schedbench::schedulers {

// A global queue without locks, by moodycamel::ConcurrentQueue (C. Desrochers): a queue for each
// producing thread, made of blocks. This means:
//  * First in, first out holds for the tasks of one thread. The queues of the threads take turns.
//  * A take that finds nothing proves nothing: our counts, raised before the push, define "empty".
//  * A thread's first push allocates its queue, and new blocks are allocated while the queue grows.
//    They are used again and never given back.
//  * From the 24th thread on a first push may wait, while another makes room for more producers.
//  * Two memory orders of the library are weaker than C++ requires: README.md.
// If the machine refuses memory, the run ends: a submit cannot fail.
class MoodycamelQueue final : public CountedPushes<MoodycamelQueue> {
 public:
  // What touches the library's queue is not inline, so that its templates are compiled only once.
  MoodycamelQueue();
  ~MoodycamelQueue() override;

  TaskBase* TryPop() noexcept override {
    TaskBase* task = nullptr;
    return Take({&task, 1}) == 0 ? nullptr : task;
  }

  std::size_t Grab(std::span<TaskBase*> out, std::size_t sharers) noexcept override {
    return Take(
        out.first(std::min<std::size_t>((counts_.Size() + sharers - 1) / sharers, out.size())));
  }

  TaskList GrabAll() noexcept override {
    TaskList all;
    std::array<TaskBase*, kBatch> some;  // NOLINT: filled before it is read
    while (const std::size_t count = Take(some)) {
      for (std::size_t i = 0; i < count; ++i) {
        all.PushBack(some[i]);
      }
    }
    return all;
  }

 private:
  friend class CountedPushes<MoodycamelQueue>;

  void Put(TaskBase* task) noexcept;
  void Put(TaskList&& batch) noexcept;

  static constexpr std::size_t kBatch = 64;  // arbitrary: two of the library's blocks

  std::size_t Take(std::span<TaskBase*> out) noexcept;

  alignas(kCacheLine) moodycamel::ConcurrentQueue<TaskBase*> tasks_;
};

}  // namespace schedbench::schedulers

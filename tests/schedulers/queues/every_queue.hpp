#pragma once

#include "schedulers/queues/global_queue.hpp"
#include "schedulers/queues/lfab_queue.hpp"
#include "schedulers/queues/lock_free_global_queue.hpp"
#include "schedulers/queues/moodycamel_queue.hpp"
#include "schedulers/queues/mutex_queue.hpp"
#include "schedulers/queues/take_all_stack.hpp"
#include "schedulers/queues/two_head_queue.hpp"
#include "schedulers/queues/work_stealing_queue.hpp"

#include <gtest/gtest.h>

#include <string>
#include <type_traits>

// All models of schedulers/queues: what a queue promises is tested on each of them. A new model is one more line here.
namespace schedbench::tests {

// 8-bit indices wrap all the time.
using EveryLocalQueue =
    testing::Types<schedulers::WorkStealingQueue, schedulers::BasicWorkStealingQueue<std::uint8_t>,
                   schedulers::TwoHeadQueue, schedulers::BasicTwoHeadQueue<std::uint8_t>,
                   schedulers::LFABQueue, schedulers::MutexQueue>;

using EveryGlobalQueue = testing::Types<schedulers::GlobalQueue, schedulers::LockFreeGlobalQueue,
                                        schedulers::MoodycamelQueue, schedulers::TakeAllStack>;

// The suffix of a typed test's name.
struct QueueName {
  template <typename Queue>
  static std::string GetName(int /*index*/) {
    if constexpr (std::is_same_v<Queue, schedulers::WorkStealingQueue>) {
      return "WorkStealingQueue";
    } else if constexpr (std::is_same_v<Queue, schedulers::BasicWorkStealingQueue<std::uint8_t>>) {
      return "WorkStealingQueueOf8Bits";
    } else if constexpr (std::is_same_v<Queue, schedulers::TwoHeadQueue>) {
      return "TwoHeadQueue";
    } else if constexpr (std::is_same_v<Queue, schedulers::BasicTwoHeadQueue<std::uint8_t>>) {
      return "TwoHeadQueueOf8Bits";
    } else if constexpr (std::is_same_v<Queue, schedulers::LFABQueue>) {
      return "LFABQueue";
    } else if constexpr (std::is_same_v<Queue, schedulers::MutexQueue>) {
      return "MutexQueue";
    } else if constexpr (std::is_same_v<Queue, schedulers::GlobalQueue>) {
      return "GlobalQueue";
    } else if constexpr (std::is_same_v<Queue, schedulers::LockFreeGlobalQueue>) {
      return "LockFreeGlobalQueue";
    } else if constexpr (std::is_same_v<Queue, schedulers::MoodycamelQueue>) {
      return "MoodycamelQueue";
    } else {
      static_assert(std::is_same_v<Queue, schedulers::TakeAllStack>, "give it a name");
      return "TakeAllStack";
    }
  }
};

}  // namespace schedbench::tests

#pragma once

#include "schedulers/queues/global_queue.hpp"
#include "schedulers/queues/lfab_queue.hpp"
#include "schedulers/queues/lock_free_global_queue.hpp"
#include "schedulers/queues/moodycamel_queue.hpp"
#include "schedulers/queues/mutex_queue.hpp"
#include "schedulers/queues/take_all_stack.hpp"
#include "schedulers/queues/two_head_queue.hpp"
#include "schedulers/queues/work_stealing_queue.hpp"

#include <type_traits>

// All models of schedulers/queues. A new one is a line here and one in NameOfQueue(), and is then
// tested (every_queue.hpp) and measured (tests/bench/queues.cpp).
namespace schedbench::tests {

// List<the local queues, and the Others>.
template <template <typename...> typename List, typename... Others>
using LocalQueues = List<schedulers::WorkStealingQueue, schedulers::TwoHeadQueue,
                         schedulers::LFABQueue, schedulers::MutexQueue, Others...>;

template <template <typename...> typename List>
using GlobalQueues = List<schedulers::GlobalQueue, schedulers::LockFreeGlobalQueue,
                          schedulers::MoodycamelQueue, schedulers::TakeAllStack>;

// Whether single tasks can be taken from a global queue.
template <typename Queue>
inline constexpr bool kGivesSingleTasks = !std::is_same_v<Queue, schedulers::TakeAllStack>;

template <typename Queue>
constexpr const char* NameOfQueue() {
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

}  // namespace schedbench::tests

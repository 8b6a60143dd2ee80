#pragma once

#include "tests/schedulers/queues/model_lists.hpp"

#include <gtest/gtest.h>

#include <string>

// What a queue promises is tested on each of the models.
namespace schedbench::tests {

// 8-bit indices wrap all the time.
using EveryLocalQueue =
    LocalQueues<testing::Types, schedulers::BasicWorkStealingQueue<std::uint8_t>,
                schedulers::BasicTwoHeadQueue<std::uint8_t>>;

using EveryGlobalQueue = GlobalQueues<testing::Types>;

// The suffix of a typed test's name.
struct QueueName {
  template <typename Queue>
  static std::string GetName(int /*index*/) {
    return NameOfQueue<Queue>();
  }
};

}  // namespace schedbench::tests

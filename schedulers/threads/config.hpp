#pragma once

#include "config/field.hpp"
#include "schedulers/pool/fields.hpp"
#include "schedulers/threads/ready_tasks.hpp"

#include <cstdint>

namespace schedbench::schedulers::threads {

// clang-format off
using MaxThreads = config::Field<"max_threads", 0U, config::Range{0U, 1000000U},
    "Most threads at a time, without those that are about to end; further tasks wait. 0 = half of "
    "what the machine permits, at most 10000">;
using KeepAliveMs = config::Field<"keep_alive_ms", 10000U, config::Range{1U, 3600000U},
    "Milliseconds after which an idle thread ends (10 s in Tokio's blocking pool)">;

struct ThreadPerTaskConfig {
  MaxThreads max_threads;
  fields::Stacks stacks;
};

struct CachedPoolConfig {
  MaxThreads max_threads;
  KeepAliveMs keep_alive_ms;
  fields::Stacks stacks;
};

struct BoundedPoolConfig {
  config::Field<"limit", 8U, config::Range{1U, 1000000U},
      "Most threads at a time; further tasks wait in the queue (8 in the Go article)"> limit;
  KeepAliveMs keep_alive_ms;
  fields::Stacks stacks;
};

struct SingleThreadConfig {
  config::Field<"order", Order::kFifo, config::AnyOf{}, "Which ready task runs next: fifo (the "
      "oldest), lifo (the newest; a yielding task goes behind all others) or random (by the seed; "
      "the same seed repeats the order of fibers that one fiber started)"> order;
  fields::GlobalPollPeriod global_poll_period;
  fields::Stacks stacks;

  // Fields that WorkerPool reads, under the names of the fields of other configs.
  // NOLINTBEGIN(readability-identifier-naming): read as fields are
  static constexpr std::uint32_t workers = 1;
  static constexpr std::uint32_t max_searching = 0;
  // NOLINTEND(readability-identifier-naming)
};
// clang-format on

}  // namespace schedbench::schedulers::threads

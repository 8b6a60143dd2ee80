#pragma once

#include "schedulers/pool/fields.hpp"

#include <cstdint>

namespace schedbench::schedulers::fast {

// The free parameters of the scheduler. A worker copies them at its construction.
struct FastConfig {
  // clang-format off
  template <FixedString Name, auto Default, auto Limit, FixedString Doc>
  using Field = config::Field<Name, Default, Limit, Doc>;

  fields::Workers workers;
  fields::LocalQueueCapacity local_queue_capacity;
  fields::LifoLimit lifo_limit;
  fields::GlobalPollPeriod global_poll_period;
  fields::StealBatch steal_batch;
  fields::MaxSearching max_searching;
  Field<"yield_queue_capacity", std::uint32_t{4096}, config::PowerOfTwo{1U, 65536U}, "Yielding tasks that a worker keeps, behind all that the global queue holds; more, or with 1 all, go to its tail"> yield_queue_capacity;
  fields::Stacks stacks;
  // clang-format on
};

}  // namespace schedbench::schedulers::fast

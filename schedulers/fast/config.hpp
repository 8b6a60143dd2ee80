#pragma once

#include "config/field.hpp"
#include "fibers/core/stack_config.hpp"

#include <cstdint>

namespace schedbench::schedulers::fast {

// The free parameters of the scheduler. A worker copies them at its construction.
struct FastConfig {
  // clang-format off
  template <FixedString Name, auto Default, auto Limit, FixedString Doc>
  using Field = config::Field<Name, Default, Limit, Doc>;

  Field<"workers", std::uint32_t{0}, config::Range{0U, 48U}, "Worker threads; 0 = one per CPU that the process may use, at most 48"> workers;
  Field<"local_queue_capacity", std::uint32_t{256}, config::PowerOfTwo{2U, 65536U}, "Slots in each worker's queue (256: Go, Tokio)"> local_queue_capacity;
  Field<"lifo_limit", std::uint32_t{3}, config::Range{0U, 1000000U}, "Tasks run from the LIFO slot in a row while others wait in the queue; 0 = no slot (3: Tokio)"> lifo_limit;
  Field<"global_poll_period", std::uint32_t{61}, config::Range{1U, 1000000U}, "Every so many picks the global queue comes first (61: D. Vyukov, Go)"> global_poll_period;
  Field<"steal_batch", std::uint32_t{128}, config::Range{1U, 32768U}, "Most tasks taken by one steal; never more than half of what is there"> steal_batch;
  Field<"max_searching", std::uint32_t{0}, config::Range{0U, 48U}, "Most workers that search for work at a time; 0 = half of them, rounded up"> max_searching;
  Field<"yield_queue_capacity", std::uint32_t{4096}, config::PowerOfTwo{1U, 65536U}, "Yielding tasks that a worker keeps, behind all that the global queue holds; more, or with 1 all, go to its tail"> yield_queue_capacity;
  config::Group<"stacks", fibers::StackConfig, "Stacks of the fibers"> stacks;
  // clang-format on
};

}  // namespace schedbench::schedulers::fast

#pragma once

#include "config/field.hpp"
#include "fibers/core/stack_config.hpp"

#include <cstdint>

namespace schedbench::schedulers::global_fifo {

struct GlobalFifoConfig {
  // clang-format off
  config::Field<"workers", std::uint32_t{0}, config::Range{0U, 1024U}, "Worker threads; 0 = one per CPU that the process may use"> workers;
  config::Group<"stacks", fibers::StackConfig, "Stacks of the fibers"> stacks;
  // clang-format on
};

}  // namespace schedbench::schedulers::global_fifo

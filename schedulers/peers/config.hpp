#pragma once

#include "config/schema_of.hpp"

#include <cstdint>

namespace schedbench::schedulers::peers {

struct PeerConfig {
  // clang-format off
  config::Field<"workers", 0U, config::Range{0U, 1024U},
      "Threads of the pool; 0 = one per CPU that the process may use"> workers;
  // clang-format on
};

}  // namespace schedbench::schedulers::peers

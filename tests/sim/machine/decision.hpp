#pragma once

#include "tests/sim/machine/host_memory.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace schedbench::sim {

// A choice that differs from what would have happened by itself. The place is named by the thread's
// own count of operations, so that it means the same however the exploration was cut down.
struct Decision {
  // What is decided, and the sign of it in text.
  enum class Kind : char {
    kSwitch = '>',  // before the operation this thread continues instead
    kNext = '/',    // the thread cannot continue; this one does
    kValue = '=',   // which value, counted back from the newest
    kRare = '!',    // a spurious wake-up or failure
  };

  std::uint32_t thread;
  std::uint32_t operation;
  Kind kind;
  std::uint32_t choice;
};

// All decisions of an execution: enough to run it again.
using Schedule = HostVector<Decision>;

// "0@15>2 2@7=1": thread 0 stops before its operation 15 and thread 2 continues; at its operation 7
// thread 2 takes value 1, which is not the newest.
std::string ToText(const Schedule& schedule);

// Reads the same. Throws std::invalid_argument that names what is wrong.
Schedule ParseSchedule(std::string_view text);

}  // namespace schedbench::sim

#pragma once

#include "config/field.hpp"
#include "workloads/parts/spin_work.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace schedbench::workloads {

// The way in which tasks of the toucan report pass a few nanoseconds.
enum class SleepMode : std::uint8_t {
  // The published way: a sleep in the kernel with the process' timer slack (default: 50 us).
  kFaithful,
  kSlack1,  // a sleep in the kernel with a timer slack of 1 ns
  kSpin,    // the worker computes
};

constexpr std::array<std::string_view, 3> NamesOf(SleepMode) {
  return {"faithful", "slack1", "spin"};
}

// clang-format off
using SleepModeField = config::Field<"mode", SleepMode::kFaithful, config::AnyOf{}, "How a task "
    "passes 2 ns on its worker: faithful (a sleep in the kernel, as published; the timer slack of "
    "50 us makes it some 60 us), slack1 (the same with a slack of 1 ns) or spin (it computes)">;
// clang-format on

// Passes a time on the calling worker, which does not run another task during it.
class WorkerSleep {
 public:
  WorkerSleep(SleepMode mode, std::uint64_t ns);

  // Any thread may call it, any number at once.
  void operator()() const noexcept;

 private:
  const SleepMode mode_;
  const std::uint64_t ns_;
  const SpinWork spin_;
};

}  // namespace schedbench::workloads

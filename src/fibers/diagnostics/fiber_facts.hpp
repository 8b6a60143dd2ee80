#pragma once

#include "fibers/core/stack_registry.hpp"
#include "fibers/core/waiting.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace schedbench::platform {
class RawWriter;
struct MachineState;
}  // namespace schedbench::platform

namespace schedbench::fibers {

class FiberStack;
class Fiber;

// A fiber on its stack, as it can be seen from outside at any time.
struct FiberFacts {
  std::uint64_t id = 0;         // 0: no fiber
  std::array<char, 48> name{};  // ends with 0; longer ones are cut
  const char* file = "";        // where it was started
  std::uint32_t line = 0;
  Waiting waiting;
  bool is_suspended = false;  // else it runs. One that waits for nothing is then ready
  bool is_steady = false;    // it stayed so while it was looked at; else this may be of two moments
  std::uintptr_t frame = 0;  // of one that waits: where its calls can be followed from
  const void* executor = nullptr;  // that it was started on

  // What runs or is suspended on a stack. It may move on meanwhile: all is read with care, and checked afterwards.
  // Async-signal-safe.
  static FiberFacts Of(const StackSpot& stack) noexcept;

  // How many fibers have ended on a stack, which may be gone. Async-signal-safe.
  static std::uint64_t EndedOn(const FiberStack& fiber_stack) noexcept;

  // Whether there is a fiber: the other fields are valid then.
  bool IsFiber() const noexcept {
    return id != 0;
  }

  // The name as far as it was read, or "". Valid as long as this object.
  std::string_view Name() const noexcept {
    return name.data();
  }
};

// Writes "fiber 12 'name'".
platform::RawWriter& operator<<(platform::RawWriter& out, const FiberFacts& fiber) noexcept;

// Writes which fiber a thread ran when it was interrupted. A platform::ThreadReporter. Async-signal-safe.
void WriteFiberOfThread(platform::RawWriter& out, const platform::MachineState& state) noexcept;

// How many fibers there have been in the process. Exact while no fiber starts or ends; else of slightly different
// moments. Any thread.
struct FiberCount {
  std::uint64_t started = 0;
  std::uint64_t ended = 0;
  std::uint64_t on_stacks = 0;  // begun and not ended

  static FiberCount Now() noexcept;

  // Fibers that have started and not ended.
  std::uint64_t Unfinished() const noexcept {
    return started > ended ? started - ended : 0;
  }

  // Started, and never run.
  std::uint64_t NeverBegun() const noexcept {
    return Unfinished() > on_stacks ? Unfinished() - on_stacks : 0;
  }
};

}  // namespace schedbench::fibers

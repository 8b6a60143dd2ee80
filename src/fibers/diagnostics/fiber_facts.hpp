#pragma once

#include "fibers/core/stack_registry.hpp"
#include "fibers/core/waiting.hpp"

#include <array>
#include <cstdint>
#include <source_location>
#include <string_view>

namespace schedbench::platform {
class RawWriter;
struct MachineState;
}  // namespace schedbench::platform

namespace schedbench::fibers {

class FiberStack;
class Fiber;

// The state of a fiber on its stack, as other threads can see it at any time.
struct FiberFacts {
  std::uint64_t id = 0;         // 0 if there is no fiber
  std::array<char, 48> name{};  // ends with 0; longer names are cut
  const char* file = "";        // the source location of its start
  std::uint32_t line = 0;
  Waiting waiting;
  bool is_suspended = false;       // if false, it runs; if true without a wait, it is ready
  bool is_steady = false;          // unchanged while it was read; false: of two moments
  std::uintptr_t frame = 0;        // where a walk of a waiting fiber's calls starts
  const void* executor = nullptr;  // the executor that it was started on

  // Reads the fiber on a stack. The fiber may continue at the same time, so all reads are safe and
  // are checked afterwards. Async-signal-safe.
  static FiberFacts Of(const StackSpot& stack) noexcept;

  // Reads the fiber below this one on the stack, which joins it, if there is one: a fiber runs one
  // that it joins inline if no worker has started it. Async-signal-safe.
  FiberFacts JoinerOn(const StackSpot& stack) const noexcept;

  // Returns whether the fiber has not continued since these facts were read. Async-signal-safe.
  bool StillWaitsOn(const StackSpot& stack) const noexcept;

  // Calls visit(facts) for all fibers on a stack, the innermost first.
  template <typename Visit>
  static void ForEachOn(const StackSpot& stack, Visit visit) {
    for (FiberFacts facts = Of(stack); facts.IsFiber(); facts = facts.JoinerOn(stack)) {
      visit(facts);
    }
  }

  // Returns the number of fibers that ended on a stack, which may be gone. Async-signal-safe.
  static std::uint64_t EndedOn(const FiberStack& fiber_stack) noexcept;

  // Returns whether there is a fiber; only then the other fields are valid.
  bool IsFiber() const noexcept {
    return id != 0;
  }

  // Returns the name as far as it was read, or "". Valid as long as this object.
  std::string_view Name() const noexcept {
    return name.data();
  }

 private:
  static const Fiber* InnermostOn(const StackSpot& stack) noexcept;
  static bool IsStill(const Fiber* fiber, std::uint64_t id) noexcept;
  bool Read(const Fiber* fiber) noexcept;
  // Sets `file` and `line` from what Read() has copied. Requires: the fiber is still there.
  void SetPlace() noexcept;

  // The fiber that is on top of the stack, and the wait of the one below this; or null.
  const Fiber* innermost_ = nullptr;
  std::uint64_t innermost_id_ = 0;
  const InlineJoin* join_ = nullptr;
  std::source_location started_at_{};
};

// Writes "fiber 12 'name'".
platform::RawWriter& operator<<(platform::RawWriter& out, const FiberFacts& fiber) noexcept;

// Writes the fiber of an interrupted thread. A platform::ThreadReporter. Async-signal-safe.
void WriteFiberOfThread(platform::RawWriter& out, const platform::MachineState& state) noexcept;

// Counts of fibers in the process, exact while no fiber starts or ends. Any thread.
struct FiberCount {
  std::uint64_t started = 0;
  std::uint64_t ended = 0;
  std::uint64_t on_stacks = 0;  // started to run and not ended

  static FiberCount Now() noexcept;

  // Returns the number of fibers that have started and not ended.
  std::uint64_t Unfinished() const noexcept {
    return started > ended ? started - ended : 0;
  }

  // Returns the number of fibers that have started and never run.
  std::uint64_t NeverBegun() const noexcept {
    return Unfinished() > on_stacks ? Unfinished() - on_stacks : 0;
  }
};

}  // namespace schedbench::fibers

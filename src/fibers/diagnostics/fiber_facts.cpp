#include "fibers/diagnostics/fiber_facts.hpp"

#include "base/atomic.hpp"
#include "fibers/core/fiber.hpp"
#include "fibers/core/fiber_ids.hpp"
#include "fibers/core/fiber_stack.hpp"
#include "fibers/core/handle.hpp"
#include "platform/files/raw_writer.hpp"
#include "platform/memory/safe_read.hpp"
#include "platform/signals/machine_state.hpp"

#include <array>
#include <cstring>
#include <source_location>

namespace schedbench::fibers {

namespace {

template <typename T>
std::uintptr_t AddressOf(const T& object) noexcept {
  return reinterpret_cast<std::uintptr_t>(&object);
}

}  // namespace

FiberCount FiberCount::Now() noexcept {
  FiberCount count;
  // Ended fibers are counted first, so that their starts are counted too.
  count.ended = FiberIds::EndedOnReleasedStacks();
  StackRegistry::ForEach([&count](const StackSpot& stack) {
    count.ended += FiberFacts::EndedOn(*stack.fiber_stack);
    count.on_stacks += FiberFacts::Of(stack).IsFiber() ? 1 : 0;
  });
  count.started = FiberIds::Started();
  return count;
}

std::uint64_t FiberFacts::EndedOn(const FiberStack& fiber_stack) noexcept {
  std::uint64_t ended = 0;
  platform::SafeRead(AddressOf(fiber_stack.fibers_ended_), ended);
  return ended;
}

namespace {

// Copies, in one read, an object that may be gone: each read costs a system call.
template <typename Object>
class Copy {
 public:
  explicit Copy(const Object& original) noexcept
      : begin_(reinterpret_cast<std::uintptr_t>(&original)),
        is_there_(platform::SafeRead(begin_, bytes_.data(), bytes_.size())) {
  }

  bool IsThere() const noexcept {
    return is_there_;
  }

  // `place`: the address of a member of the original.
  template <typename T>
  void Get(std::uintptr_t place, T& value) const noexcept {
    std::memcpy(&value, bytes_.data() + (place - begin_), sizeof(value));
  }

 private:
  const std::uintptr_t begin_;
  std::array<char, sizeof(Object)> bytes_;
  const bool is_there_;
};

// Adds the wait of `fiber` from the Suspension at `address`, if it is there and not overwritten.
void AddWaiting(const Fiber* fiber, std::uintptr_t address, FiberFacts& facts) noexcept {
  Suspension suspension{};
  if (address == 0 || !platform::SafeRead(address, suspension) || suspension.fiber != fiber) {
    return;
  }
  // An empty handle means that the fiber has been made ready.
  const Fiber* to_resume = fiber;
  static_assert(sizeof(FiberHandle) == sizeof(to_resume), "a plain pointer");
  if (suspension.handle != nullptr) {
    platform::SafeRead(reinterpret_cast<std::uintptr_t>(suspension.handle), to_resume);
  }
  if (to_resume == fiber) {
    facts.waiting = suspension.waiting;
    facts.frame = reinterpret_cast<std::uintptr_t>(suspension.frame);
  }
}

}  // namespace

// The objects may be destroyed: SafeRead() reads them, and vptr checks are off, also in the lambda.
__attribute__((no_sanitize("vptr"))) FiberFacts FiberFacts::Of(const StackSpot& stack) noexcept {
  FiberFacts facts;
  const auto current = [&stack]() __attribute__((no_sanitize("vptr"))) {
    const Fiber* fiber = nullptr;
    if (stack.fiber_stack != nullptr) {
      platform::SafeRead(AddressOf(stack.fiber_stack->fiber_), fiber);
    }
    // acquire: pairs with the release in FiberStack::BeginFiber().
    AtomicFence(memory_order_acquire);
    return fiber;
  };
  const Fiber* const fiber = current();
  if (fiber == nullptr) {
    return facts;
  }
  std::uint64_t id = 0;
  std::uintptr_t suspension = 0;
  std::uintptr_t name = 0;
  std::source_location started_at;
  std::uintptr_t executor = 0;
  std::uint64_t last_thread = 0;
  static_assert(sizeof(fiber->name_) == sizeof(name), "a plain pointer");
  const Copy of_fiber(*fiber);
  const Copy header(*stack.fiber_stack);
  if (!of_fiber.IsThere() || !header.IsThere()) {
    return {};
  }
  of_fiber.Get(AddressOf(fiber->id_), id);
  of_fiber.Get(AddressOf(fiber->name_), name);
  of_fiber.Get(AddressOf(fiber->started_at_), started_at);
  of_fiber.Get(reinterpret_cast<std::uintptr_t>(&fiber->executor_), executor);
  header.Get(AddressOf(stack.fiber_stack->suspension_), suspension);
  header.Get(AddressOf(stack.fiber_stack->last_thread), last_thread);
  if (name != 0) {
    platform::SafeReadString(name, facts.name);
  }
  AddWaiting(fiber, suspension, facts);
  const Copy later(*stack.fiber_stack);
  std::uint64_t id_later = 0;
  if (current() != fiber || !platform::SafeRead(AddressOf(fiber->id_), id_later) ||
      id_later != id || !later.IsThere()) {
    return {};  // it has ended: the data may belong to anything
  }
  facts.id = id;
  facts.file = started_at.file_name();
  facts.line = started_at.line();
  facts.is_suspended = last_thread != 0;
  std::uintptr_t suspension_later = 0;
  std::uint64_t last_thread_later = 0;
  later.Get(AddressOf(stack.fiber_stack->suspension_), suspension_later);
  later.Get(AddressOf(stack.fiber_stack->last_thread), last_thread_later);
  facts.is_steady = last_thread_later == last_thread && suspension_later == suspension;
  facts.executor = reinterpret_cast<const void*>(executor);
  return facts;
}

platform::RawWriter& operator<<(platform::RawWriter& out, const FiberFacts& fiber) noexcept {
  out << "fiber " << fiber.id;
  if (!fiber.Name().empty()) {
    out << " '" << fiber.Name() << "'";
  }
  return out;
}

void WriteFiberOfThread(platform::RawWriter& out, const platform::MachineState& state) noexcept {
  const FiberFacts fiber = FiberFacts::Of(StackRegistry::Find(state.stack_pointer));
  if (fiber.IsFiber()) {
    out << "    runs " << fiber << ", started at " << fiber.file << ":" << fiber.line << "\n";
  } else {
    out << "    runs no fiber\n";
  }
}

}  // namespace schedbench::fibers

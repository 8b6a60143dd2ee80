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
    FiberFacts::ForEachOn(stack, [&count](const FiberFacts& /*fiber*/) { ++count.on_stacks; });
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

// In the functions below the objects may be destroyed: SafeRead() reads them, and vptr checks are
// off.
__attribute__((no_sanitize("vptr"))) const Fiber* FiberFacts::InnermostOn(
    const StackSpot& stack) noexcept {
  const Fiber* fiber = nullptr;
  if (stack.fiber_stack != nullptr) {
    platform::SafeRead(AddressOf(stack.fiber_stack->fiber_), fiber);
  }
  // acquire: pairs with the release in FiberStack::BeginFiber().
  AtomicFence(memory_order_acquire);
  return fiber;
}

__attribute__((no_sanitize("vptr"))) bool FiberFacts::IsStill(const Fiber* fiber,
                                                              std::uint64_t id) noexcept {
  std::uint64_t now = 0;
  return platform::SafeRead(AddressOf(fiber->id_), now) && now == id;
}

// Reads what is in the fiber itself. Returns false if it is not there.
__attribute__((no_sanitize("vptr"))) bool FiberFacts::Read(const Fiber* fiber) noexcept {
  const Copy copy(*fiber);
  if (!copy.IsThere()) {
    return false;
  }
  std::uintptr_t name_at = 0;
  static_assert(sizeof(fiber->name_) == sizeof(name_at), "a plain pointer");
  copy.Get(AddressOf(fiber->id_), id);
  copy.Get(AddressOf(fiber->name_), name_at);
  copy.Get(AddressOf(fiber->started_at_), started_at_);
  copy.Get(reinterpret_cast<std::uintptr_t>(&fiber->executor_), executor);
  if (name_at != 0) {
    platform::SafeReadString(name_at, name);
  }
  return true;
}

void FiberFacts::SetPlace() noexcept {
  file = started_at_.file_name();
  line = started_at_.line();
}

FiberFacts FiberFacts::Of(const StackSpot& stack) noexcept {
  FiberFacts facts;
  const Fiber* const fiber = InnermostOn(stack);
  if (fiber == nullptr || !facts.Read(fiber)) {
    return {};
  }
  std::uintptr_t suspension = 0;
  std::uint64_t last_thread = 0;
  const Copy header(*stack.fiber_stack);
  if (!header.IsThere()) {
    return {};
  }
  header.Get(AddressOf(stack.fiber_stack->suspension_), suspension);
  header.Get(AddressOf(stack.fiber_stack->last_thread), last_thread);
  header.Get(AddressOf(stack.fiber_stack->join_), facts.join_);
  InlineJoin join{};
  if (facts.join_ != nullptr &&
      platform::SafeRead(reinterpret_cast<std::uintptr_t>(facts.join_), join) &&
      join.fiber == fiber) {
    // Its own wait: the fiber that it joins has not started, or has ended.
    facts.join_ = join.below;
  }
  AddWaiting(fiber, suspension, facts);
  const Copy later(*stack.fiber_stack);
  if (InnermostOn(stack) != fiber || !IsStill(fiber, facts.id) || !later.IsThere()) {
    return {};  // it has ended: the data may belong to anything
  }
  facts.SetPlace();
  facts.is_suspended = last_thread != 0;
  std::uintptr_t suspension_later = 0;
  std::uint64_t last_thread_later = 0;
  later.Get(AddressOf(stack.fiber_stack->suspension_), suspension_later);
  later.Get(AddressOf(stack.fiber_stack->last_thread), last_thread_later);
  facts.is_steady = last_thread_later == last_thread && suspension_later == suspension;
  facts.innermost_ = fiber;
  facts.innermost_id_ = facts.id;
  return facts;
}

FiberFacts FiberFacts::JoinerOn(const StackSpot& stack) const noexcept {
  FiberFacts facts;
  InlineJoin join{};
  if (join_ == nullptr || !platform::SafeRead(reinterpret_cast<std::uintptr_t>(join_), join) ||
      !facts.Read(join.fiber)) {
    return {};
  }
  // The fibers below wait as long as the innermost one is there.
  if (InnermostOn(stack) != innermost_ || !IsStill(innermost_, innermost_id_) || facts.id == id) {
    return {};
  }
  facts.SetPlace();
  facts.waiting = join.waiting;
  facts.frame = reinterpret_cast<std::uintptr_t>(join.frame);
  facts.is_suspended = true;
  facts.is_steady = true;
  facts.join_ = join.below;
  facts.innermost_ = innermost_;
  facts.innermost_id_ = innermost_id_;
  return facts;
}

bool FiberFacts::StillWaitsOn(const StackSpot& stack) const noexcept {
  if (id != innermost_id_) {
    return InnermostOn(stack) == innermost_ && IsStill(innermost_, innermost_id_);
  }
  const FiberFacts again = Of(stack);
  return again.id == id && again.frame == frame && again.waiting == waiting;
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

#include "fibers/core/fiber_facts.hpp"

#include "base/atomic.hpp"
#include "base/attributes.hpp"
#include "executors/scheduler_side.hpp"
#include "fibers/core/fiber.hpp"
#include "fibers/core/fiber_stack.hpp"
#include "fibers/core/handle.hpp"
#include "platform/machine_state.hpp"
#include "platform/raw_writer.hpp"
#include "platform/safe_read.hpp"

#include <array>
#include <cstddef>
#include <cstring>
#include <source_location>

namespace schedbench::fibers {

namespace {

template <typename T>
std::uintptr_t AddressOf(const T& object) noexcept {
  return reinterpret_cast<std::uintptr_t>(&object);
}

// What one thread has started. Never freed, and passed on to a later thread: reports walk the list at any time.
struct StartedHere {
  // Numbers for new fibers, written by the owner: threads take them in blocks, so that spawning shares no cache line.
  // Those that are left tell how many have been started.
  Atomic<std::uint64_t> next_id{0};
  Atomic<std::uint64_t> end_of_ids{0};
  Atomic<bool> taken{true};  // by a thread that lives
  StartedHere* next = nullptr;
};

Atomic<StartedHere*> all_started{nullptr};
constexpr std::uint64_t kFirstId = 1;
Atomic<std::uint64_t> ids_taken{kFirstId};
Atomic<std::uint64_t> ended_on_gone_stacks{0};

StartedHere& TakeCounter() {
  // acquire: pairs with the release below.
  for (auto* at = all_started.Load(memory_order_acquire); at != nullptr; at = at->next) {
    bool taken = false;
    // acquire: pairs with the release in Return. relaxed: the counter has an owner.
    if (at->taken.CompareExchange(taken, true, memory_order_acquire, memory_order_relaxed)) {
      return *at;
    }
  }
  auto* fresh = new StartedHere;
  // relaxed: the exchange below checks it.
  fresh->next = all_started.Load(memory_order_relaxed);
  // release: pairs with the acquire above and in Now(). relaxed: on failure we only try again.
  while (!all_started.CompareExchangeWeak(fresh->next, fresh, memory_order_release,
                                          memory_order_relaxed)) {
  }
  return *fresh;
}

struct Return {
  StartedHere* counter = nullptr;

  ~Return() {
    // release: pairs with the acquire in TakeCounter().
    counter->taken.Store(false, memory_order_release);
  }
};

SB_NOINLINE StartedHere& Here() {
  thread_local StartedHere* here = nullptr;
  if (here == nullptr) [[unlikely]] {
    here = &TakeCounter();
    thread_local Return at_exit;
    at_exit.counter = here;
  }
  return *here;
}

}  // namespace

std::uint64_t FiberCount::NextId() noexcept {
  const executors::SchedulerSide side;
  constexpr std::uint64_t kBlock = 1024;
  StartedHere& here = Here();
  // relaxed: of one writer, and a statistic for others; the numbers must only differ.
  std::uint64_t id = here.next_id.Load(memory_order_relaxed);
  if (id == here.end_of_ids.Load(memory_order_relaxed)) [[unlikely]] {
    id = ids_taken.FetchAdd(kBlock, memory_order_relaxed);
    here.end_of_ids.Store(id + kBlock, memory_order_relaxed);
  }
  // relaxed: as above.
  here.next_id.Store(id + 1, memory_order_relaxed);
  return id;
}

void FiberCount::AddEnded(std::uint64_t count) noexcept {
  // relaxed: a statistic.
  ended_on_gone_stacks.FetchAdd(count, memory_order_relaxed);
}

FiberCount FiberCount::Now() noexcept {
  FiberCount count;
  // Ends first: a fiber that is seen to end is then seen to have started.
  // relaxed: a statistic.
  count.ended = ended_on_gone_stacks.Load(memory_order_relaxed);
  StackRegistry::ForEach([&count](const StackSpot& stack) {
    count.ended += FiberFacts::EndedOn(*stack.fiber_stack);
    count.on_stacks += FiberFacts::Of(stack).IsFiber() ? 1 : 0;
  });
  // acquire: pairs with the release in TakeCounter(). relaxed: a statistic.
  count.started = ids_taken.Load(memory_order_relaxed) - kFirstId;
  for (auto* at = all_started.Load(memory_order_acquire); at != nullptr; at = at->next) {
    count.started -=
        at->end_of_ids.Load(memory_order_relaxed) - at->next_id.Load(memory_order_relaxed);
  }
  return count;
}

std::source_location FiberFacts::StartOf(const Fiber& fiber) noexcept {
  return fiber.started_at_;
}

std::uint64_t FiberFacts::EndedOn(const FiberStack& fiber_stack) noexcept {
  std::uint64_t ended = 0;
  platform::SafeRead(AddressOf(fiber_stack.fibers_ended_), ended);
  return ended;
}

namespace {

// A copy of an object that may be gone, in one read: each costs a system call.
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

  // `place`: of a member of the original.
  template <typename T>
  void Get(std::uintptr_t place, T& value) const noexcept {
    std::memcpy(&value, bytes_.data() + (place - begin_), sizeof(value));
  }

 private:
  const std::uintptr_t begin_;
  std::array<char, sizeof(Object)> bytes_;
  const bool is_there_;
};

// Adds what `fiber` waits for, by the Suspension at `address`, if there is one and it has not been overwritten.
void AddWaiting(const Fiber* fiber, std::uintptr_t address, FiberFacts& facts) noexcept {
  Suspension suspension{};
  if (address == 0 || !platform::SafeRead(address, suspension) || suspension.fiber != fiber) {
    return;
  }
  // An empty handle: somebody has made the fiber ready.
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

// The objects may be destroyed: SafeRead() reads them, and vptr checks are off. A lambda needs its own attribute.
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
  std::uint64_t left_by = 0;
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
  header.Get(AddressOf(stack.fiber_stack->left_by), left_by);
  if (name != 0) {
    platform::SafeReadString(name, facts.name);
  }
  AddWaiting(fiber, suspension, facts);
  const Copy later(*stack.fiber_stack);
  std::uint64_t id_later = 0;
  if (current() != fiber || !platform::SafeRead(AddressOf(fiber->id_), id_later) ||
      id_later != id || !later.IsThere()) {
    return {};  // it ended meanwhile: what was read may be of anything
  }
  facts.id = id;
  facts.file = started_at.file_name();
  facts.line = started_at.line();
  facts.is_suspended = left_by != 0;
  std::uintptr_t suspension_later = 0;
  std::uint64_t left_by_later = 0;
  later.Get(AddressOf(stack.fiber_stack->suspension_), suspension_later);
  later.Get(AddressOf(stack.fiber_stack->left_by), left_by_later);
  facts.is_steady = left_by_later == left_by && suspension_later == suspension;
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

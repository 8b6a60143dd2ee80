#include "fibers/core/fiber_stack.hpp"

#include "fibers/core/fiber_thread.hpp"
#include "fibers/core/task_context.hpp"
#include "platform/memory/memory.hpp"

#include <cstdint>
#include <new>

namespace schedbench::fibers {

namespace {

// Stacks at the same distance compete for the same few cache sets, so the tops differ by one cache
// line. They spread over half a page: over a full page, frames would touch a second page more
// often.
constexpr std::size_t kColourBytes = 64;
constexpr std::size_t kColours = 32;

}  // namespace

FiberStack* FiberStack::Of(void* lowest, std::size_t bytes, std::size_t index) noexcept {
  const std::size_t colour = index % kColours * kColourBytes;
  const char* const end = static_cast<char*>(lowest) + bytes;
  // The header is in the top page and does not share its cache lines.
  const auto place = reinterpret_cast<std::uintptr_t>(end - colour - sizeof(FiberStack));
  return reinterpret_cast<FiberStack*>(place & ~std::uintptr_t{alignof(FiberStack) - 1});
}

FiberStack* FiberStack::Create(void* lowest, std::size_t bytes, std::size_t index,
                               StackPool& pool) {
  char* const end = static_cast<char*>(lowest) + bytes;
  char* const top = reinterpret_cast<char*>(Of(lowest, bytes, index));
  auto* fiber_stack = new (top) FiberStack(pool);
  char* const usable = static_cast<char*>(lowest) + platform::kPageBytes;
  fiber_stack->context.machine = MachineContext::Make(top, static_cast<std::size_t>(top - usable));
  fiber_stack->context.sanitizer.Create(usable, static_cast<std::size_t>(end - usable));
  return fiber_stack;
}

bool FiberStack::HasRoomForFiber(const void* frame) const noexcept {
  const std::size_t used =
      reinterpret_cast<std::uintptr_t>(this) - reinterpret_cast<std::uintptr_t>(frame);
  return used < (pool_.StackBytes() - platform::kPageBytes) / 4;
}

void FiberStack::Destroy() noexcept {
  context.sanitizer.Destroy();
  this->~FiberStack();
}

extern "C" void SchedbenchEnterStack(void* message) noexcept {
  FiberThread& fiber_thread = Arrive(message);
  // A pointer that the compiler cannot resolve, so it must assume that the call returns into this
  // function. Otherwise an unwinder finds the code behind this function, or nothing.
  void (FiberStack::* volatile loop)() noexcept = &FiberStack::Loop;
  (fiber_thread.Running().*loop)();
  __builtin_trap();
}

void FiberStack::Run() noexcept {
  FiberThread& fiber_thread = *FiberThread::Current();
  if (fiber_thread.IsCalledFromLoop(this)) [[likely]] {
    fiber_thread.ResumeFromLoop(*this);
  } else {
    fiber_thread.Host(*this);
  }
}

void FiberStack::Loop() noexcept {
  // Each turn may run on another thread than the one before, so it reads everything anew.
  for (;;) {
    FiberThread& fiber_thread = *FiberThread::Current();
    executors::TaskBase* task = fiber_thread.NextTask();
    if (task == nullptr) {
      fiber_thread.LeaveLoop(*this);
      continue;
    }
    TaskContext task_context;
    task_context.Begin(*task, *this);
    task->Run();
    if (recycled) {
      recycled = false;
      continue;
    }
    FiberThread& last = *FiberThread::Current();
    task_context.End(last.Waiters());
    last.TaskEnded();
  }
}

}  // namespace schedbench::fibers

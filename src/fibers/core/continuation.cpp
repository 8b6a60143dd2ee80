#include "fibers/core/continuation.hpp"

#include "fibers/core/carrier.hpp"
#include "fibers/core/task_context.hpp"
#include "platform/memory.hpp"

#include <cstdint>
#include <new>

namespace schedbench::fibers {

namespace {

// Stacks at the same distance compete for the same few cache sets. So the tops differ by one line, over half a
// page: over all of it, the frames below the header would touch a second page more often.
constexpr std::size_t kColourBytes = 64;
constexpr std::size_t kColours = 32;

}  // namespace

Continuation* Continuation::Of(void* lowest, std::size_t bytes, std::size_t index) noexcept {
  const std::size_t colour = index % kColours * kColourBytes;
  const char* const end = static_cast<char*>(lowest) + bytes;
  // On a cache line of its own, in the top page.
  const auto place = reinterpret_cast<std::uintptr_t>(end - colour - sizeof(Continuation));
  return reinterpret_cast<Continuation*>(place & ~std::uintptr_t{alignof(Continuation) - 1});
}

Continuation* Continuation::Create(void* lowest, std::size_t bytes, std::size_t index,
                                   StackPool& pool) {
  char* const end = static_cast<char*>(lowest) + bytes;
  char* const top = reinterpret_cast<char*>(Of(lowest, bytes, index));
  auto* continuation = new (top) Continuation(pool);
  char* const usable = static_cast<char*>(lowest) + platform::kPageBytes;
  continuation->context.machine = MachineContext::Make(top, static_cast<std::size_t>(top - usable));
  continuation->context.sanitizer.Create(usable, static_cast<std::size_t>(end - usable));
  return continuation;
}

void Continuation::Destroy() noexcept {
  context.sanitizer.Destroy();
  this->~Continuation();
}

extern "C" void SchedbenchEnterStack(void* message) noexcept {
  Carrier& carrier = Arrive(message);
  // By a pointer that the compiler knows nothing of: the call is then not the last thing here, and returns, as far as anybody can
  // see, to within this function. Else who names the calls of a stack finds what lies behind it, or nothing.
  void (Continuation::*volatile loop)() noexcept = &Continuation::Loop;
  (carrier.Running().*loop)();
  __builtin_trap();
}

void Continuation::Run() noexcept {
  Carrier& carrier = *Carrier::Current();
  if (carrier.IsCalledFromLoop(this)) [[likely]] {
    carrier.ResumeFromLoop(*this);
  } else {
    carrier.Host(*this);
  }
}

void Continuation::Loop() noexcept {
  // Each turn may run on another thread than the one before: everything is read anew.
  for (;;) {
    Carrier& carrier = *Carrier::Current();
    executors::TaskBase* task = carrier.NextTask();
    if (task == nullptr) {
      carrier.LeaveLoop(*this);
      continue;
    }
    TaskContext task_context;
    task_context.Begin(*task, *this);
    task->Run();
    if (taken_up_again) {
      taken_up_again = false;
      continue;
    }
    Carrier& last = *Carrier::Current();
    task_context.End(last.Waiters());
    last.TaskEnded();
  }
}

}  // namespace schedbench::fibers

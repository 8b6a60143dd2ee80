#include "fibers/core/continuation.hpp"

#include "fibers/core/carrier.hpp"
#include "platform/memory.hpp"

#include <cstdint>
#include <new>

namespace schedbench::fibers {

Continuation* Continuation::Create(void* lowest, std::size_t bytes, std::size_t colour,
                                   StackPool& pool) {
  char* const end = static_cast<char*>(lowest) + bytes;
  // On a cache line of its own, in the top page.
  auto place = reinterpret_cast<std::uintptr_t>(end - colour - sizeof(Continuation));
  place &= ~std::uintptr_t{63};
  auto* continuation = new (reinterpret_cast<void*>(place)) Continuation(pool);
  char* const top = reinterpret_cast<char*>(place);
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
  carrier.Running().Loop();
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
    task->Run();
    if (taken_up_again) {
      taken_up_again = false;
      continue;
    }
    Carrier::Current()->TaskDone();
  }
}

}  // namespace schedbench::fibers

#pragma once

// Stands in for src/platform/threads/thread_local_ptr.hpp on the simulated machine.

#include "tests/sim/machine/machine.hpp"

namespace schedbench::platform {

inline unsigned NextThreadLocalSlot() noexcept {
  static unsigned next = 0;
  return next++;
}

template <typename T, typename Tag>
class ThreadLocalPtr {
 public:
  static T* Get() noexcept {
    return static_cast<T*>(sim::Machine::Instance().ThreadLocal(Slot()));
  }

  static void Set(T* value) noexcept {
    sim::Machine::Instance().ThreadLocal(Slot()) = value;
  }

 private:
  static unsigned Slot() noexcept {
    static const unsigned slot = NextThreadLocalSlot();
    return slot;
  }
};

}  // namespace schedbench::platform

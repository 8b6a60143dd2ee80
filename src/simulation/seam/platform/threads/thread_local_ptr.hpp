#pragma once

// Replaces src/platform/threads/thread_local_ptr.hpp in programs whose time is simulated.

#include "simulation/machine/machine.hpp"

namespace schedbench::platform {

inline unsigned NextThreadLocalSlot() noexcept {
  static unsigned next = 0;
  return next++;
}

template <typename T, typename Tag>
class ThreadLocalPtr {
 public:
  static T* Get() noexcept {
    return static_cast<T*>(sim_scaling::Machine::Instance().ThreadLocal(slot_));
  }

  static void Set(T* value) noexcept {
    sim_scaling::Machine::Instance().ThreadLocal(slot_) = value;
  }

 private:
  static inline const unsigned slot_ = NextThreadLocalSlot();
};

}  // namespace schedbench::platform

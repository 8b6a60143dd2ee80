#pragma once

// Wraps src/fibers/sync/spin_lock.hpp in programs whose time is simulated: an operation of a
// primitive locks once, and pays for its plain work there.

#include "simulation/machine/machine.hpp"

#define SpinLock BareSpinLock
#include "src/fibers/sync/spin_lock.hpp"
#undef SpinLock

namespace schedbench::fibers {

class SpinLock : public BareSpinLock {
 public:
  using BareSpinLock::BareSpinLock;

  void Lock() noexcept {
    BareSpinLock::Lock();
    auto& machine = sim_scaling::Machine::Instance();
    machine.Work(machine.CostsOfRun().sync);
  }
};

}  // namespace schedbench::fibers

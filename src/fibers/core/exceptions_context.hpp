#pragma once

#include <cxxabi.h>

namespace schedbench::fibers {

// What the C++ runtime keeps per thread about exceptions in flight: the stack of caught exceptions and the
// number of uncaught ones (Itanium C++ ABI, 2.2.2). It belongs to the call stack, not to the thread: a
// fiber that suspends inside a catch block takes it along, else `throw;` in another fiber would rethrow
// the wrong exception. Boost.Context 1.81 does not switch it.
struct ExceptionsContext {
  void* caught = nullptr;
  unsigned int uncaught = 0;

  // The calling thread's own; the address stays the same as long as the thread lives.
  static ExceptionsContext* OfThread() noexcept {
    return reinterpret_cast<ExceptionsContext*>(abi::__cxa_get_globals());
  }
};

}  // namespace schedbench::fibers

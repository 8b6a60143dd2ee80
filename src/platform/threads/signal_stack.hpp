#pragma once

#include <cstddef>

namespace schedbench::platform {

// Gives the calling thread its own stack for signal handlers, so that a handler can run and report
// when the thread's own stack or a fiber's is used up. A thread keeps a stack that a sanitizer or
// its owner set before. The same thread destroys it.
class SignalStack {
 public:
  // Never fails: without memory the thread has no such stack, and would end without a report.
  SignalStack() noexcept;
  ~SignalStack();

  SignalStack(const SignalStack&) = delete;
  SignalStack& operator=(const SignalStack&) = delete;

  // Returns the size of a signal stack: 64 KiB for the handler, and room for the CPU's registers of
  // a few nested signals (AT_MINSIGSTKSZ: 12 KB with AMX). Only touched pages cost memory.
  static std::size_t Bytes() noexcept;

 private:
  void* memory_ = nullptr;  // null: the thread already had one
};

}  // namespace schedbench::platform

#pragma once

#include <cstddef>

namespace schedbench::platform {

// Gives the calling thread a stack of its own for signal handlers, so that a handler can run, and report, when
// the thread's own stack or a fiber's is used up. A thread that has one already, of a sanitizer or of its owner,
// keeps it. Destroyed by the same thread.
class SignalStack {
 public:
  // Never fails: without memory the thread has no such stack, and ends without a report in that case.
  SignalStack() noexcept;
  ~SignalStack();

  SignalStack(const SignalStack&) = delete;
  SignalStack& operator=(const SignalStack&) = delete;

  // What a signal stack takes here: 64 KiB for the handler, and room for the registers of a few nested signals,
  // whose size is the CPU's (AT_MINSIGSTKSZ: 12 KB with AMX). Only touched pages cost memory.
  static std::size_t Bytes() noexcept;

 private:
  void* memory_ = nullptr;  // null: the thread had one
};

}  // namespace schedbench::platform

#include "platform/signals/backtrace.hpp"

#include "platform/memory/safe_read.hpp"
#include "platform/signals/code_module.hpp"

#include <unwind.h>

#include <ucontext.h>

namespace schedbench::platform {

namespace {

constexpr std::size_t kDeepest = 100'000;  // a 16 MiB stack of small frames; some 10 ms

struct Unwinding {
  CallList& calls;
  const std::uintptr_t interrupted;
  bool arrived = false;     // past the frames of the handler itself
  std::size_t visited = 0;  // number of frames; a corrupt stack may lead in circles
};

_Unwind_Reason_Code OnFrame(_Unwind_Context* context, void* argument) {
  auto& unwinding = *static_cast<Unwinding*>(argument);
  int is_exact = 0;  // the frame was interrupted; otherwise the address is the one after a call
  const std::uintptr_t address = _Unwind_GetIPInfo(context, &is_exact);
  unwinding.arrived = unwinding.arrived || address == unwinding.interrupted;
  if (unwinding.arrived && address != 0) {
    unwinding.calls.Add(is_exact != 0 ? address : address - 1);
  }
  return ++unwinding.visited < kDeepest ? _URC_NO_REASON : _URC_END_OF_STACK;
}

void FollowFramePointers(const MachineState& interrupted, CallList& calls) noexcept {
  // A call through a bad pointer leaves its origin in a register or on the stack, without a frame.
  std::uintptr_t address = interrupted.link_register;
  if ((address != 0 || SafeRead(interrupted.stack_pointer, address)) && address != 0) {
    calls.Add(address - 1);
  }
  struct Frame {
    std::uintptr_t caller;
    std::uintptr_t address;
  } frame;
  std::uintptr_t at = interrupted.frame_pointer;
  while (calls.Count() < kDeepest && at % sizeof(void*) == 0 && SafeRead(at, frame) &&
         frame.address != 0) {
    calls.Add(WithoutSignature(frame.address) - 1);
    if (frame.caller <= at) {
      break;  // stacks grow down: a chain that does not rise is broken, or at its end
    }
    at = frame.caller;
  }
}

}  // namespace

MachineState StateOfSignal(const void* context) noexcept {
  [[maybe_unused]] const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return {.program_counter = static_cast<std::uintptr_t>(machine.gregs[REG_RIP]),
          .stack_pointer = static_cast<std::uintptr_t>(machine.gregs[REG_RSP]),
          .frame_pointer = static_cast<std::uintptr_t>(machine.gregs[REG_RBP])};
#elif defined(__aarch64__)
  return {.program_counter = machine.pc,
          .stack_pointer = machine.sp,
          .frame_pointer = machine.regs[29],
          .link_register = WithoutSignature(machine.regs[30])};
#else
  return {};
#endif
}

void PrepareBacktraces() noexcept {
  LearnProgramPath();
  CallList calls;
  Unwinding unwinding{.calls = calls, .interrupted = 0};
  _Unwind_Backtrace(&OnFrame, &unwinding);
}

CallList ReadBacktrace(const MachineState& interrupted) noexcept {
  CallList calls;
  Unwinding unwinding{.calls = calls, .interrupted = interrupted.program_counter};
  _Unwind_Backtrace(&OnFrame, &unwinding);
  if (calls.Count() < 2) {
    FollowFramePointers(interrupted, calls);
  }
  return calls;
}

void WriteBacktrace(RawWriter& out, const MachineState& interrupted) noexcept {
  const CallList calls = ReadBacktrace(interrupted);
  calls.ForEach(
      [&out](std::size_t index, std::uintptr_t address) {
        const CodeModule module = ModuleOf(address);
        out << "    #" << index << " ";
        if (module.path == nullptr) {
          out << Hex{address} << " in no module\n";
        } else {
          out << module.path << "+" << Hex{address - module.base} << "\n";
        }
      },
      [&out](std::size_t count) { out << "    ... " << count << " calls ...\n"; });
  out << "    names: addr2line -Cfipe " << ProgramPath();
  calls.ForEach(
      [&out](std::size_t /*index*/, std::uintptr_t address) {
        const CodeModule module = ModuleOf(address);
        if (module.is_program) {
          out << " " << Hex{address - module.base};
        }
      },
      [](std::size_t /*count*/) {});
  out << "\n";
}

}  // namespace schedbench::platform

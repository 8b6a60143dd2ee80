#include "fibers/core/fiber.hpp"

#include "base/atomic.hpp"
#include "base/failure.hpp"
#include "fibers/core/carrier.hpp"

#include <cstdlib>
#include <exception>
#include <new>
#include <typeinfo>
#include <utility>

#include <cxxabi.h>

namespace schedbench::fibers {

namespace {

// Threads take numbers in blocks, so that spawning shares no cache line.
SB_NOINLINE std::uint64_t NextId() noexcept {
  constexpr std::uint64_t kBlock = 1024;
  static Atomic<std::uint64_t> taken{1};
  thread_local std::uint64_t next = 0;
  thread_local std::uint64_t end = 0;
  if (next == end) {
    // relaxed: only the numbers must differ.
    next = taken.FetchAdd(kBlock, memory_order_relaxed);
    end = next + kBlock;
  }
  return next++;
}

std::string TypeOfCurrentException() {
  const std::type_info* type = abi::__cxa_current_exception_type();
  if (type == nullptr) {
    return "unknown type";
  }
  int status = 0;
  char* name = abi::__cxa_demangle(type->name(), nullptr, nullptr, &status);
  std::string text = status == 0 ? name : type->name();
  std::free(name);
  return text;
}

[[noreturn]] void FailEscaped(const Fiber& fiber, const char* what,
                              FailureKind kind = FailureKind::kWrong) {
  std::string who = "fiber " + std::to_string(fiber.Id());
  if (!fiber.Name().empty()) {
    who += " '" + std::string(fiber.Name()) + "'";
  }
  FailRun(who + ": an exception escaped: " + TypeOfCurrentException() +
              (what == nullptr ? "" : std::string(": ") + what),
          kind);
}

}  // namespace

Fiber::Fiber(executors::IExecutor& executor, std::string name)
    : TaskBase(executors::TaskKind::kNewFiber),
      executor_(executor),
      id_(NextId()),
      name_(name.empty() ? nullptr : std::make_unique<const std::string>(std::move(name))) {
}

void Fiber::Run() noexcept {
  Carrier& carrier = *Carrier::Current();
  if (!carrier.IsCalledFromLoop(this)) [[unlikely]] {
    carrier.Host(*this);
    return;
  }
  Continuation& continuation = carrier.Running();
  continuation_ = &continuation;
  continuation.fiber = this;
  RunBody();
  // The stack is the same as before; the thread, and with it the carrier, perhaps not.
  continuation.fiber = nullptr;
  delete this;
}

void Fiber::RunBody() noexcept {
  try {
    Body();
  } catch (const std::bad_alloc& error) {
    FailEscaped(*this, error.what(), FailureKind::kLimit);
  } catch (const std::exception& error) {
    FailEscaped(*this, error.what());
  } catch (...) {
    FailEscaped(*this, nullptr);
  }
}

}  // namespace schedbench::fibers

#include "fibers/core/fiber.hpp"

#include "base/failure.hpp"
#include "executors/scheduler_side.hpp"
#include "fibers/core/fiber_ids.hpp"
#include "fibers/core/fiber_thread.hpp"
#include "fibers/core/local_table.hpp"
#include "trace/event.hpp"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <new>
#include <typeinfo>
#include <utility>

#include <cxxabi.h>

namespace schedbench::fibers {

namespace {

std::unique_ptr<const char[]> CopyOf(const std::string& name) {
  if (name.empty()) {
    return nullptr;
  }
  auto copy = std::make_unique<char[]>(name.size() + 1);
  std::ranges::copy(name, copy.get());
  return copy;
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
  std::string name = "fiber " + std::to_string(fiber.Id());
  if (!fiber.Name().empty()) {
    name += " '" + std::string(fiber.Name()) + "'";
  }
  FailRun(name + ": an exception escaped: " + TypeOfCurrentException() +
              (what == nullptr ? "" : std::string(": ") + what),
          kind);
}

}  // namespace

Fiber::Fiber(executors::IExecutor& executor, const std::string& name,
             std::source_location started_at)
    : TaskBase(executors::TaskKind::kNewFiber),
      executor_(&executor),
      id_(FiberIds::Next()),
      name_(CopyOf(name)),
      started_at_(started_at) {
  trace_number = trace::FiberNumber(id_);
}

LocalTable& Fiber::Locals() {
  // The stack's field belongs to the scheduler: earlier fibers of the stack have used it.
  executors::SchedulerSide::Enter();
  LocalTable* table = fiber_stack_->locals;
  executors::SchedulerSide::Leave();
  if (table == nullptr) [[unlikely]] {
    table = new LocalTable;
    const executors::SchedulerSide side;
    fiber_stack_->locals = table;
  }
  return *table;
}

void Fiber::EndLocals(FiberStack& fiber_stack) noexcept {
  // Destructors may ask for values again, also for new ones.
  for (;;) {
    executors::SchedulerSide::Enter();
    LocalTable* const table = std::exchange(fiber_stack.locals, nullptr);
    executors::SchedulerSide::Leave();
    if (table == nullptr) {
      return;
    }
    delete table;
  }
}

void Fiber::Run() noexcept {
  FiberThread& fiber_thread = *FiberThread::Current();
  if (!fiber_thread.IsCalledFromLoop(this)) [[unlikely]] {
    fiber_thread.Host(*this);
    return;
  }
  executors::SchedulerSide::Enter();
  FiberStack& fiber_stack = fiber_thread.Running();
  BeginOn(fiber_stack);
  executors::SchedulerSide::Leave();
  RunBody();
  executors::SchedulerSide::Enter();
  const bool has_locals = fiber_stack.locals != nullptr;
  executors::SchedulerSide::Leave();
  if (has_locals) [[unlikely]] {
    EndLocals(fiber_stack);
  }
  // The stack is unchanged; the thread, and with it the FiberThread, may have changed.
  executors::SchedulerSide::Enter();
  fiber_stack.EndFiber(nullptr);
  executors::SchedulerSide::Leave();
  delete this;
}

void Fiber::RunInline(InlineJoin& join) noexcept {
  FiberThread& before = *FiberThread::Current();
  FiberStack& fiber_stack = before.Running();
  // The joining fiber gets back what is its own, and not the stack's.
  const ExceptionsContext exceptions = std::exchange(before.Exceptions(), {});
  LocalTable* const locals = std::exchange(fiber_stack.locals, nullptr);
  const std::uint32_t no_preempt = std::exchange(fiber_stack.no_preempt, 0);
  const std::uint16_t label = fiber_stack.trace_label;
  const std::uint32_t number = fiber_stack.trace_number;
  join.below = fiber_stack.Join();
  fiber_stack.SetJoin(&join);
  BeginOn(fiber_stack);
  RunBody();
  if (fiber_stack.locals != nullptr) [[unlikely]] {
    EndLocals(fiber_stack);
  }
  // The joining fiber is complete before it is the current one: the destructors of captures use it.
  // The stack is unchanged; the thread, and with it the FiberThread, may have changed.
  FiberThread::Current()->Exceptions() = exceptions;
  fiber_stack.locals = locals;
  fiber_stack.no_preempt = no_preempt;
  fiber_stack.trace_label = label;
  fiber_stack.trace_number = number;
  fiber_stack.EndFiber(join.fiber);
  delete this;
  fiber_stack.SetJoin(join.below);
  FiberThread::Current()->Source().TaskDoneInline();
}

void Fiber::BeginOn(FiberStack& fiber_stack) noexcept {
  fiber_stack_ = &fiber_stack;
  fiber_stack.trace_label = trace_label;
  fiber_stack.trace_number = trace_number;
  fiber_stack.BeginFiber(*this);
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

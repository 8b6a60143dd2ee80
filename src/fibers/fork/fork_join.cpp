#include "fibers/fork/fork_join.hpp"

#include "fibers/core/fiber.hpp"
#include "fibers/core/fiber_stack.hpp"
#include "fibers/core/stack_pool.hpp"

namespace schedbench::fibers::detail {

ForkPlace PlaceOf(const void* frame) noexcept {
  const executors::SchedulerSide side;
  const FiberStack* const stack = FiberThread::CurrentFiberStack();
  if (stack == nullptr || stack->CurrentFiber() == nullptr) {
    return ForkPlace::kNoFiber;
  }
  return ForkQueue::HasRoom(*stack, stack->Pool().StackBytes(), frame) ? ForkPlace::kFiber
                                                                       : ForkPlace::kLittleStack;
}

void SubmitFiberOf(ForkedCall& call, executors::SchedulerHint hint) {
  executors::HappensBefore(&call);
  executors::IExecutor& executor = FiberThread::CurrentFiber()->Executor();
  executor.Submit(call.MakeFiber(executor), hint);
}

}  // namespace schedbench::fibers::detail

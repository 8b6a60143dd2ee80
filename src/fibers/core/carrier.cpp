#include "fibers/core/carrier.hpp"

#include "base/assert.hpp"
#include "executors/scheduler_side.hpp"
#include "fibers/core/current_fiber.hpp"
#include "fibers/core/fiber.hpp"
#include "platform/signal_stack.hpp"
#include "platform/thread.hpp"
#include "platform/thread_local_ptr.hpp"

#include <memory>

namespace schedbench::fibers {

namespace {

using CurrentCarrier = platform::ThreadLocalPtr<Carrier, class CarrierTag>;

void DoNothing(void* /*argument*/, Carrier& /*carrier*/) {
}

void SubmitAfterYield(void* fiber, Carrier& /*carrier*/) {
  static_cast<Fiber*>(fiber)->Schedule(executors::SchedulerHint::Yield);
}

// The caller of a hosted fiber's Run() waits for it as for any function.
class [[maybe_unused]] HostedCall {
 public:
  HostedCall(const executors::TaskBase& task, const Carrier& carrier) noexcept
      : carrier_(carrier) {
    executors::HappensBefore(task);
    executors::SchedulerSide::Enter();
  }

  ~HostedCall() {
    executors::SchedulerSide::Leave();
    executors::HappensAfter(&carrier_);
  }

  HostedCall(const HostedCall&) = delete;
  HostedCall& operator=(const HostedCall&) = delete;

 private:
  const Carrier& carrier_;
};

}  // namespace

Carrier::Carrier(StackPool& pool) noexcept
    : thread_number_(platform::ThreadNumber()),
      exceptions_(ExceptionsContext::OfThread()),
      stacks_(pool) {
}

Carrier::~Carrier() {
  if (CurrentCarrier::Get() == this) {
    CurrentCarrier::Set(nullptr);
  }
}

Carrier* Carrier::Current() noexcept {
  const executors::SchedulerSide side;
  Carrier* carrier = CurrentCarrier::Get();
  if (carrier == nullptr) [[unlikely]] {
    struct Own {
      platform::SignalStack signal_stack;  // a fiber's stack that overflows here is reported too
      std::unique_ptr<Carrier> carrier;
    };
    thread_local Own own;
    own.carrier.reset(new Carrier(StackPool::Default()));
    carrier = own.carrier.get();
    CurrentCarrier::Set(carrier);
  }
  return carrier;
}

Fiber* Carrier::CurrentFiber() noexcept {
  const executors::SchedulerSide side;
  const Carrier* carrier = CurrentCarrier::Get();
  return carrier == nullptr || carrier->running_ == nullptr ? nullptr
                                                            : carrier->running_->CurrentFiber();
}

const Continuation* Carrier::CurrentContinuation() noexcept {
  const Carrier* carrier = CurrentCarrier::Get();
  return carrier == nullptr ? nullptr : carrier->running_;
}

executors::Doing Carrier::DoingNow() noexcept {
  const Carrier* carrier = CurrentCarrier::Get();
  return carrier == nullptr || carrier->source_ == nullptr ? executors::Doing::kRun
                                                           : carrier->source_->DoingNow();
}

std::uint64_t CurrentFiberId() noexcept {
  const Fiber* const fiber = Carrier::CurrentFiber();
  return fiber == nullptr ? 0 : fiber->Id();
}

void Carrier::RunLoop(executors::ITaskSource& source, StackPool& pool) noexcept {
  executors::SchedulerSide::Enter();
  Carrier* const outer = CurrentCarrier::Get();
  SB_ASSERT(outer == nullptr || outer->source_ == nullptr, "the thread serves already");
  {
    Carrier carrier(pool);
    CurrentCarrier::Set(&carrier);
    carrier.source_ = &source;
    carrier.thread_.sanitizer.Adopt();
    carrier.running_ = &carrier.stacks_.Take();
    carrier.SwitchTo(carrier.thread_, carrier.running_->context, &DoNothing, nullptr);
  }
  CurrentCarrier::Set(outer);
  // The source is read on the scheduler's side: it may belong to somebody who joins us on his.
  [[maybe_unused]] const executors::IExecutor& executor = source.Executor();
  executors::SchedulerSide::Leave();
  executors::HappensAfter(executor);
}

void Carrier::LeaveLoop(Continuation& idle) noexcept {
  running_ = nullptr;
  ExecutionContext& to = host_ != nullptr ? *host_ : thread_;
  SwitchTo(idle.context, to, &Carrier::PutAside, &idle);
}

void Carrier::ResumeFromLoop(Continuation& suspended) noexcept {
  Continuation& loop = *running_;
  TakeUp(suspended);
  SwitchTo(loop.context, suspended.context, &Carrier::PutAside, &loop);
  loop.taken_up_again = true;
}

void Carrier::Host(Fiber& fresh) noexcept {
  const HostedCall call(fresh, *this);
  handed_ = &fresh;
  HostOn(stacks_.Take());
}

void Carrier::Host(Continuation& suspended) noexcept {
  const HostedCall call(suspended, *this);
  if (source_ != nullptr && suspended.left_by != thread_number_) {
    source_->Migrated();
  }
  suspended.left_by = 0;
  HostOn(suspended);
}

void Carrier::HostOn(Continuation& target) noexcept {
  ExecutionContext* const outer_host = host_;
  Continuation* const outer_running = running_;

  ExecutionContext here;
  here.sanitizer.Adopt();
  host_ = &here;
  running_ = &target;
  SwitchTo(here, target.context, &DoNothing, nullptr);

  // The calling stack waited here all the time, so that this is still the same thread.
  host_ = outer_host;
  running_ = outer_running;
}

void Carrier::Suspend(AfterSwitch then, Suspension& suspension) noexcept {
  AfterSwitchContext context;
  context.Make();
  const executors::SchedulerSide side;
  Carrier& carrier = *Current();
  SB_ASSERT(carrier.running_ != nullptr && carrier.running_->CurrentFiber() != nullptr,
            "only a fiber can be suspended");
  suspension.fiber = carrier.running_->CurrentFiber();
  suspension.frame = __builtin_frame_address(0);
  carrier.running_->BeginWait(&suspension);
  if (carrier.host_ != nullptr) [[unlikely]] {
    carrier.SuspendHosted(then, &suspension, context);
  } else {
    carrier.SuspendServing(carrier.source_->TryPickTask(), trace::StopReason::kSuspended, then,
                           &suspension, context);
  }
}

void Carrier::Yield() noexcept {
  const executors::SchedulerSide side;
  Carrier& carrier = *Current();
  SB_ASSERT(carrier.running_ != nullptr && carrier.running_->CurrentFiber() != nullptr,
            "only a fiber can yield");
  Fiber* const fiber = carrier.running_->CurrentFiber();
  carrier.running_->BeginWait(nullptr);
  if (carrier.host_ != nullptr) [[unlikely]] {
    AfterSwitchContext context;  // the executor that runs it by hand is user code
    {
      const executors::UserSide user;
      context.Make();
    }
    carrier.SuspendHosted(&SubmitAfterYield, fiber, context);
    return;
  }
  executors::TaskBase* const next = carrier.source_->TryPickTask();
  if (next == nullptr && carrier.source_->IsOf(fiber->Executor()) &&
      carrier.source_->MayRunAgain()) {
    carrier.source_->RunAgain();
    return;
  }
  carrier.SuspendServing(next, trace::StopReason::kYielded, &SubmitAfterYield, fiber, {});
}

void Carrier::SuspendServing(executors::TaskBase* next, trace::StopReason why, AfterSwitch then,
                             void* argument, AfterSwitchContext context) noexcept {
  Leave leave{.then = then, .argument = argument, .context = context};
  // Before anybody else can run the fiber: what is recorded of it is in its order.
  source_->TraceSwitch(next, why);

  Continuation& own = *running_;
  own.left_by = thread_number_;
  if (next != nullptr && next->kind == executors::TaskKind::kSuspendedFiber) {
    TakeUp(*static_cast<Continuation*>(next));
  } else {
    handed_ = next;
    running_ = &stacks_.Take();
  }
  SwitchTo(
      own.context, running_->context,
      [](void* argument, Carrier& carrier) {
        // A copy: once `then` has handed the fiber on, its stack may be gone.
        const Leave leave = *static_cast<Leave*>(argument);
        leave.context.Run(leave.then, leave.argument, carrier, &carrier.running_->context.sanitizer,
                          carrier.Waiters());
        carrier.source_->TaskDone(false);
      },
      &leave);
  TaskContext::GoOn(own);
}

void Carrier::SuspendHosted(AfterSwitch then, void* argument, AfterSwitchContext context) noexcept {
  Leave leave{.then = then, .argument = argument, .context = context};
  Continuation& own = *running_;
  own.left_by = thread_number_;
  SwitchTo(
      own.context, *host_,
      [](void* argument, Carrier& carrier) {
        const Leave leave = *static_cast<Leave*>(argument);  // a copy, as above
        leave.context.Run(leave.then, leave.argument, carrier, nullptr, carrier.Waiters());
      },
      &leave);
  TaskContext::GoOn(own);
}

void Carrier::PutAside(void* continuation, Carrier& carrier) noexcept {
  carrier.stacks_.Put(*static_cast<Continuation*>(continuation));
}

}  // namespace schedbench::fibers

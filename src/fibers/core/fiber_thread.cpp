#include "fibers/core/fiber_thread.hpp"

#include "base/assert.hpp"
#include "base/attributes.hpp"
#include "fibers/core/call_over_switch.hpp"
#include "fibers/core/current_fiber.hpp"
#include "fibers/core/fiber.hpp"
#include "fibers/core/trace_ready.hpp"
#include "platform/memory/memory.hpp"
#include "platform/threads/signal_stack.hpp"
#include "platform/threads/thread.hpp"
#include "platform/threads/thread_errno.hpp"

#include <memory>

#if defined(SB_INLINE_SWITCH)

// The stub of CallOverSwitch(). It is in this file because code that needs it also needs Suspend():
// a linker may not see that inline functions name it. It is not hidden: a shared object may contain
// such functions and find it in the program. It has a frame pointer: a fiber may wait in it.
#if defined(__x86_64__)

// The stub does not end with `leave`: the stack pointer and the return address would have to wait
// for the frame pointer, which has just been read from memory. A caller that the compiler has not
// aligned to 16 bytes takes the second path.
asm(R"(
  .text
  .p2align 4
  .globl schedbench_call_over_switch
  .type schedbench_call_over_switch, @function
schedbench_call_over_switch:
  .cfi_startproc
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register rbp
  testl $15, %esp
  jnz 2f
  call *%rax
1:
  .cfi_remember_state
  popq %rbp
  .cfi_def_cfa rsp, 8
  popq %rcx
  .cfi_def_cfa_offset 0
  .cfi_register rip, rcx
  jmp *%rcx
2:
  .cfi_restore_state
  subq $8, %rsp
  call *%rax
  addq $8, %rsp
  jmp 1b
  .cfi_endproc
  .size schedbench_call_over_switch, . - schedbench_call_over_switch
)");

#else

// hint 34 is `bti c`: the PLT of a shared object may jump here.
asm(R"(
  .text
  .p2align 4
  .globl schedbench_call_over_switch
  .type schedbench_call_over_switch, %function
schedbench_call_over_switch:
  .cfi_startproc
  hint #34
  stp x29, x30, [sp, #-16]!
  .cfi_def_cfa_offset 16
  .cfi_offset x29, -16
  .cfi_offset x30, -8
  mov x29, sp
  blr x3
  ldp x29, x16, [sp], #16
  .cfi_def_cfa_offset 0
  .cfi_restore x29
  .cfi_register x30, x16
  br x16
  .cfi_endproc
  .size schedbench_call_over_switch, . - schedbench_call_over_switch
)");

#endif

#endif

// The linker makes these symbols if any function is SCHEDBENCH_PREEMPTIBLE.
extern "C" {
extern const char __start_schedbench_preemptible[] __attribute__((weak, visibility("hidden")));
extern const char __stop_schedbench_preemptible[] __attribute__((weak, visibility("hidden")));
}

namespace schedbench::fibers {

namespace {

void DoNothing(void* /*argument*/, FiberThread& /*fiber_thread*/) {
}

void SubmitAfterYield(void* fiber, FiberThread& /*fiber_thread*/) {
  static_cast<Fiber*>(fiber)->Schedule(executors::SchedulerHint::Yield);
}

void PinAfterSwitch(void* fiber_stack, FiberThread& fiber_thread) {
  fiber_thread.Source().SubmitPinned(static_cast<FiberStack*>(fiber_stack));
}

void SubmitAfterBlocking(void* fiber, FiberThread& /*fiber_thread*/) {
  static_cast<Fiber*>(fiber)->Schedule(executors::SchedulerHint::UpToYou);
}

// The caller of a hosted fiber's Run() waits for it like for any function.
class [[maybe_unused]] HostedCall {
 public:
  HostedCall(const executors::TaskBase& task, const FiberThread& fiber_thread) noexcept
      : fiber_thread_(fiber_thread) {
    executors::HappensBefore(task);
    executors::SchedulerSide::Enter();
  }

  ~HostedCall() {
    executors::SchedulerSide::Leave();
    executors::HappensAfter(&fiber_thread_);
  }

  HostedCall(const HostedCall&) = delete;
  HostedCall& operator=(const HostedCall&) = delete;

 private:
  const FiberThread& fiber_thread_;
};

}  // namespace

FiberThread::FiberThread(StackPool& pool) noexcept
    : thread_number_(platform::ThreadNumber()),
      exceptions_(ExceptionsContext::OfThread()),
      stacks_(pool) {
}

FiberThread::~FiberThread() {
  if (OfThread::Get() == this) {
    OfThread::Set(nullptr);
  }
}

FiberThread* FiberThread::Current() noexcept {
  const executors::SchedulerSide side;
  FiberThread* fiber_thread = OfThread::Get();
  if (fiber_thread == nullptr) [[unlikely]] {
    struct Own {
      platform::SignalStack signal_stack;  // reports an overflow of a fiber's stack on this thread
      platform::ForeignWorker worker;      // samplers see the thread from its first fiber on
      std::unique_ptr<FiberThread> fiber_thread;
    };
    thread_local Own own;
    own.fiber_thread.reset(new FiberThread(StackPool::Default()));
    fiber_thread = own.fiber_thread.get();
    OfThread::Set(fiber_thread);
  }
  return fiber_thread;
}

Fiber* FiberThread::CurrentFiber() noexcept {
  const executors::SchedulerSide side;
  const FiberThread* fiber_thread = OfThread::Get();
  return fiber_thread == nullptr || fiber_thread->running_ == nullptr
             ? nullptr
             : fiber_thread->running_->CurrentFiber();
}

const FiberStack* FiberThread::CurrentFiberStack() noexcept {
  const FiberThread* fiber_thread = OfThread::Get();
  return fiber_thread == nullptr ? nullptr : fiber_thread->running_;
}

executors::WorkerActivity FiberThread::CurrentActivity() noexcept {
  const FiberThread* fiber_thread = OfThread::Get();
  return fiber_thread == nullptr || fiber_thread->source_ == nullptr
             ? executors::WorkerActivity::kRun
             : fiber_thread->source_->CurrentActivity();
}

std::uint64_t CurrentFiberId() noexcept {
  const Fiber* const fiber = FiberThread::CurrentFiber();
  return fiber == nullptr ? 0 : fiber->Id();
}

std::string_view CurrentFiberName() noexcept {
  const Fiber* const fiber = FiberThread::CurrentFiber();
  return fiber == nullptr ? std::string_view{} : fiber->Name();
}

void FiberThread::RunLoop(executors::ITaskSource& source, StackPool& pool) noexcept {
  executors::SchedulerSide::Enter();
  FiberThread* const outer = OfThread::Get();
  SB_ASSERT(outer == nullptr || outer->source_ == nullptr, "the thread serves already");
  {
    FiberThread fiber_thread(pool);
    OfThread::Set(&fiber_thread);
    fiber_thread.source_ = &source;
    fiber_thread.thread_.sanitizer.Adopt();
    fiber_thread.running_ = &fiber_thread.stacks_.Take();
    fiber_thread.SwitchTo(fiber_thread.thread_, fiber_thread.running_->context, &DoNothing,
                          nullptr);
  }
  OfThread::Set(outer);
  // Read on the scheduler's side: the source may belong to a thread that joins this one there.
  [[maybe_unused]] const executors::IExecutor& executor = source.Executor();
  executors::SchedulerSide::Leave();
  executors::HappensAfter(executor);
}

void FiberThread::LeaveLoop(FiberStack& idle) noexcept {
  running_ = nullptr;
  ExecutionContext& to = host_ != nullptr ? *host_ : thread_;
  SwitchTo(idle.context, to, &FiberThread::Recycle, &idle);
}

void FiberThread::ResumeFromLoop(FiberStack& suspended) noexcept {
  FiberStack& loop = *running_;
  Resume(suspended);
  SwitchTo(loop.context, suspended.context, &FiberThread::Recycle, &loop);
  loop.recycled = true;
}

void FiberThread::Host(Fiber& fresh) noexcept {
  const HostedCall call(fresh, *this);
  handed_ = &fresh;
  HostOn(stacks_.Take());
}

void FiberThread::Host(FiberStack& suspended) noexcept {
  const HostedCall call(suspended, *this);
  if (source_ != nullptr && suspended.last_thread != thread_number_) {
    source_->Migrated();
  }
  suspended.last_thread = 0;
  HostOn(suspended);
}

void FiberThread::HostOn(FiberStack& target) noexcept {
  ExecutionContext* const outer_host = host_;
  FiberStack* const outer_running = running_;

  ExecutionContext here;
  here.sanitizer.Adopt();
  host_ = &here;
  running_ = &target;
  SwitchTo(here, target.context, &DoNothing, nullptr);

  // The calling stack waited here all the time, so this is still the same thread.
  host_ = outer_host;
  running_ = outer_running;
}

bool FiberThread::TryRunInline(Fiber& fresh, Waiting waiting) noexcept {
#if defined(SB_TSAN)
  if (executors::TasksAreUnordered()) {
    return false;  // each task needs a context of its own (TaskContext)
  }
#endif
  const FiberThread* const current = OfThread::Get();
  FiberStack* const stack =
      current == nullptr || current->host_ != nullptr ? nullptr : current->running_;
  const void* const frame = __builtin_frame_address(0);
  if (stack == nullptr || stack->CurrentFiber() == nullptr || !stack->HasRoomForFiber(frame) ||
      !current->source_->TryTakeBack(&fresh)) {
    return false;
  }
  InlineJoin join{
      {.waiting = waiting, .handle = nullptr, .fiber = stack->CurrentFiber(), .frame = frame},
      nullptr};
  current->source_->TraceWait(waiting.object, static_cast<std::uint8_t>(waiting.kind));
  current->source_->TraceSwitch(&fresh, trace::StopReason::kSuspended);
  fresh.RunInline(join);
  executors::ITaskSource& source = *OfThread::Get()->source_;
  TraceReady(source.Tracing(), *stack, executors::SchedulerHint::UpToYou);
  source.TraceSwitch(stack, trace::StopReason::kEnded);
  return true;
}

void FiberThread::Suspend(FiberThread* current, AfterSwitch then, Suspension* suspension) noexcept {
  AfterSwitchContext context;
  context.Make();
  const executors::SchedulerSide side;
  SB_ASSERT(current != nullptr && current->running_ != nullptr &&
                current->running_->CurrentFiber() != nullptr,
            "only a fiber can be suspended");
  FiberThread& fiber_thread = *current;
  suspension->fiber = fiber_thread.running_->CurrentFiber();
  suspension->frame = FrameOfCall(__builtin_frame_address(0));
  fiber_thread.running_->BeginWait(suspension);
  if (fiber_thread.host_ != nullptr) [[unlikely]] {
    fiber_thread.SuspendHosted(then, suspension, context);
  } else {
    executors::TaskBase* const next = fiber_thread.source_->TryPickTask();
    fiber_thread.source_->TraceWait(suspension->waiting.object,
                                    static_cast<std::uint8_t>(suspension->waiting.kind));
    fiber_thread.SuspendAndRun(next, trace::StopReason::kSuspended, then, suspension, context);
  }
}

void FiberThread::Yield() noexcept {
  const executors::SchedulerSide side;
  FiberThread& fiber_thread = *Current();
  SB_ASSERT(fiber_thread.running_ != nullptr && fiber_thread.running_->CurrentFiber() != nullptr,
            "only a fiber can yield");
  Fiber* const fiber = fiber_thread.running_->CurrentFiber();
  fiber_thread.running_->BeginWait(nullptr);
  if (fiber_thread.host_ != nullptr) [[unlikely]] {
    AfterSwitchContext context;  // the executor that runs the fiber by hand is user code
    {
      const executors::UserSide user;
      context.Make();
    }
    fiber_thread.SuspendHosted(&SubmitAfterYield, fiber, context);
    return;
  }
  executors::TaskBase* const next = fiber_thread.source_->TryPickTask();
  if (next == nullptr && fiber_thread.source_->BelongsTo(fiber->Executor()) &&
      fiber_thread.source_->MayRunAgain()) {
    fiber_thread.source_->TraceSwitch(fiber_thread.running_, trace::StopReason::kYielded);
    fiber_thread.source_->RunAgain();
    return;
  }
  fiber_thread.SuspendAndRun(next, trace::StopReason::kYielded, &SubmitAfterYield, fiber, {});
}

void FiberThread::Preempt() noexcept {
  {
    const executors::SchedulerSide side;
    const FiberStack* const served = Served();
    if (served == nullptr || served->CurrentFiber() == nullptr || served->no_preempt > 0) {
      return;
    }
    source_->Preempted(false);
  }
  Yield();
}

bool FiberThread::MayPreemptAt(const platform::MachineState& interrupted) noexcept {
  // Room below the frame of the interrupted code: the red zone, 3 KB of saved registers, and the
  // frames of a yield, which may poll the network with 2 KB, or make calls in a batch with less.
  constexpr std::uintptr_t kRoom = 8192;
  const auto begin = reinterpret_cast<std::uintptr_t>(__start_schedbench_preemptible);
  const auto end = reinterpret_cast<std::uintptr_t>(__stop_schedbench_preemptible);
  if (interrupted.program_counter < begin || interrupted.program_counter >= end) {
    return false;
  }
  const FiberThread* const current = OfThread::Get();
  if (current == nullptr || current->source_ == nullptr ||
      !current->source_->PreemptionRequested()) {
    return false;
  }
  const FiberStack* const served = current->Served();
  if (served == nullptr || served->CurrentFiber() == nullptr || served->no_preempt > 0) {
    return false;
  }
  const std::uintptr_t used = reinterpret_cast<std::uintptr_t>(served) - interrupted.stack_pointer;
  return used + kRoom + platform::kPageBytes < served->Pool().StackBytes();
}

void FiberThread::PreemptBySignal() noexcept {
  const int error = platform::ThreadErrno();
  FiberThread& fiber_thread = *OfThread::Get();
  FiberStack& own = *fiber_thread.running_;
  const Fiber& fiber = *own.CurrentFiber();
  executors::ITaskSource& source = *fiber_thread.source_;
  own.BeginWait(nullptr);
  source.Preempted(true);
  executors::TaskBase* const next = source.TryPickTask();
  if (next == nullptr && source.BelongsTo(fiber.Executor()) && source.MayRunAgain()) {
    source.TraceSwitch(&own, trace::StopReason::kYielded);
    source.RunAgain();
  } else {
    fiber_thread.SuspendAndRun(next, trace::StopReason::kYielded, &PinAfterSwitch, &own, {});
  }
  platform::SetThreadErrno(error);
}

bool FiberThread::BeginBlocking(executors::BlockingCall call) noexcept {
  const executors::SchedulerSide side;
  const FiberThread* const before = OfThread::Get();
  if (before == nullptr || before->Served() == nullptr ||
      before->running_->CurrentFiber() == nullptr) {
    return false;
  }
  executors::ITaskSource* const outside = before->source_->BeginBlocking(call);
  if (outside == nullptr) {
    return false;
  }
  // The fiber may have waited, so this may be another thread than before.
  OfThread::Get()->source_ = outside;
  return true;
}

void FiberThread::EndBlocking() noexcept {
  const executors::SchedulerSide side;
  FiberThread& fiber_thread = *OfThread::Get();
  if (fiber_thread.host_ != nullptr) {
    return;  // the call suspended the fiber, and other code runs it by hand
  }
  if (executors::ITaskSource* const source = fiber_thread.source_->EndBlocking()) {
    fiber_thread.source_ = source;
    return;
  }
  fiber_thread.running_->BeginWait(nullptr);
  fiber_thread.SuspendAndRun(nullptr, trace::StopReason::kYielded, &SubmitAfterBlocking,
                             fiber_thread.running_->CurrentFiber(), {});
}

void FiberThread::SuspendAndRun(executors::TaskBase* next, trace::StopReason why, AfterSwitch then,
                                void* argument, AfterSwitchContext context) noexcept {
  SwitchRequest request{.then = then, .argument = argument, .context = context};
  // This comes before any other thread can run the fiber, so its events are recorded in order.
  source_->TraceSwitch(next, why);

  FiberStack& own = *running_;
  own.last_thread = thread_number_;
  if (next != nullptr && next->kind == executors::TaskKind::kSuspendedFiber) {
    Resume(*static_cast<FiberStack*>(next));
  } else {
    handed_ = next;
    running_ = &stacks_.Take();
  }
  SwitchTo(
      own.context, running_->context,
      [](void* argument, FiberThread& fiber_thread) {
        // A copy: once `then` has handed the fiber on, its stack may be gone.
        const SwitchRequest request = *static_cast<SwitchRequest*>(argument);
        request.context.Run(request.then, request.argument, fiber_thread,
                            &fiber_thread.running_->context.sanitizer, fiber_thread.Waiters());
        fiber_thread.source_->TaskDone(false);
      },
      &request);
  TaskContext::Continue(own);
}

void FiberThread::SuspendHosted(AfterSwitch then, void* argument,
                                AfterSwitchContext context) noexcept {
  SwitchRequest request{.then = then, .argument = argument, .context = context};
  FiberStack& own = *running_;
  own.last_thread = thread_number_;
  SwitchTo(
      own.context, *host_,
      [](void* argument, FiberThread& fiber_thread) {
        // A copy: once `then` has handed the fiber on, its stack may be gone.
        const SwitchRequest request = *static_cast<SwitchRequest*>(argument);
        request.context.Run(request.then, request.argument, fiber_thread, nullptr,
                            fiber_thread.Waiters());
      },
      &request);
  TaskContext::Continue(own);
}

void FiberThread::Recycle(void* fiber_stack, FiberThread& fiber_thread) noexcept {
  fiber_thread.stacks_.Put(*static_cast<FiberStack*>(fiber_stack));
}

}  // namespace schedbench::fibers

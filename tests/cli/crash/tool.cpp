// A program of a user whose workloads crash, each in its own way, and main() of the tool.
#include "base/assert.hpp"
#include "base/attributes.hpp"
#include "config/schema_of.hpp"
#include "executors/manual_executor.hpp"
#include "executors/submit.hpp"
#include "fibers/core/fiber_thread.hpp"
#include "fibers/core/stack_registry.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"
#include "fibers/sync/event.hpp"
#include "fibers/sync/wait_group.hpp"
#include "registry/workload.hpp"

#include <alloca.h>

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

#include <sys/mman.h>

namespace schedbench::tests {

namespace {

using executors::ManualExecutor;
using fibers::Go;
using registry::IScheduler;

// ---- Ways to crash ----

SB_NOINLINE std::size_t RecurseFor(std::size_t depth) {
  volatile char frame[256];
  frame[0] = static_cast<char>(depth);
  return depth == 0 ? 0 : RecurseFor(depth - 1) + static_cast<std::size_t>(frame[0] != 0 ? 1 : 0);
}

void Recurse() {
  RecurseFor(10'000'000);
}

// Makes the lowest page of the fiber's own stack inaccessible, and uses up the stack. Without that
// page an unguarded fiber writes over what lies below its stack, perhaps over what the report
// reads.
void RecurseIntoALockedPage() {
  const auto frame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  const fibers::StackSpot stack = fibers::StackRegistry::Find(frame);
  SB_ASSERT(stack.IsStack(), "the frame of a fiber lies in its stack");
  void* const lowest = reinterpret_cast<void*>(stack.lowest);
  SB_ASSERT(mprotect(lowest, platform::kPageBytes, PROT_NONE) == 0, "the page is the fiber's");
  Recurse();
}

// Sanitized fibers have larger stacks.
#if defined(SB_ASAN) || defined(SB_TSAN)
constexpr std::size_t kBigFrameBytes = std::size_t{300} * 1024;
#else
constexpr std::size_t kBigFrameBytes = std::size_t{20} * 1024;
#endif

// Larger than a small stack and its guard page together; only the far end is touched.
SB_NOINLINE char BigFrame() {
  volatile char frame[kBigFrameBytes];
  frame[0] = 1;
  return frame[0];
}

SB_NOINLINE char HugeFrame() {
  volatile char frame[1024 * 1024];
  frame[0] = 1;
  return frame[0];
}

volatile std::size_t bytes_of_alloca = kBigFrameBytes;

void UseBigFrame() {
  BigFrame();
}

void UseHugeFrame() {
  HugeFrame();
}

SB_NOINLINE void Alloca() {
  auto* const memory = static_cast<volatile char*>(alloca(bytes_of_alloca));
  memory[0] = 1;
}

volatile int* volatile nowhere = nullptr;
volatile int* volatile wild = reinterpret_cast<int*>(0x123456789000);
volatile int zero = 0;
volatile int one = 1;
// No address of a process: the CPU refuses to form it and does not report to the kernel which one
// it was.
volatile int* volatile beyond = reinterpret_cast<int*>(0x8000'0000'0000'0000);

void ReadNull() {
  *nowhere;
}

void WriteWild() {
  *wild = 1;
}

void WriteBeyond() {
  *beyond = 1;
}

void CallNull() {
  using Function = void (*)();
  Function volatile function = nullptr;
  function();
}

void DivideByZero() {
  one = one / zero;
}

void Trap() {
  __builtin_trap();
}

void FailAssertion() {
  SB_ASSERT(zero == 1, "numbers are broken");
}

void Throw() {
  throw std::runtime_error("this is not caught");
}

void Terminate() noexcept {
  Throw();
}

void SignalItself() {
  std::raise(SIGSEGV);
}

// Of another fiber, through a pointer: no overflow.
void TouchGuardOfAnother() {
  const fibers::StackSpot own =
      fibers::StackRegistry::Find(reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)));
  fibers::StackRegistry::ForEach([&own](const fibers::StackSpot& stack) {
    if (stack.lowest != own.lowest) {
      *reinterpret_cast<volatile char*>(stack.lowest) = 1;
    }
  });
}

// ---- Where it happens ----

using Crash = void (*)();

template <Crash How>
void InAFiber(IScheduler& scheduler) {
  Go(scheduler, How, {.name = "unlucky"});
}

// Among many that are suspended, after it has been on several threads.
template <Crash How>
void AmongManyFibers(IScheduler& scheduler) {
  static fibers::Event never;
  for (int i = 0; i < 5000; ++i) {
    Go(scheduler, [] { never.Wait(); });
  }
  Go(scheduler,
     [] {
       for (int i = 0; i < 100; ++i) {
         fibers::Yield();
       }
       How();
     },
     {.name = "unlucky"});
}

// In a fiber that another fiber runs by hand.
template <Crash How>
void InAHostedFiber(IScheduler& scheduler) {
  Go(scheduler,
     [] {
       ManualExecutor executor;
       Go(executor,
          [] {
            fibers::Yield();
            How();
          },
          {.name = "unlucky"});
       executor.Drain();
     },
     {.name = "host"});
}

// In a fiber that a thread runs by hand.
template <Crash How>
void OnTheHarnessThread(IScheduler& /*scheduler*/) {
  ManualExecutor executor;
  Go(executor, How, {.name = "unlucky"});
  executor.Drain();
}

template <Crash How>
void OnAThreadOfTheUser(IScheduler& scheduler) {
  std::thread(&OnTheHarnessThread<How>, std::ref(scheduler)).join();
}

template <Crash How>
void InAPlainTask(IScheduler& scheduler) {
  executors::Submit(scheduler, How);
}

template <Crash How>
void InNoFiber(IScheduler& /*scheduler*/) {
  How();
}

struct NoParameters {
  config::Field<"unused", std::uint32_t{0}, config::Range{0U, 1U}, "Unused"> unused;
};

class Crashing final : public registry::IWorkload {
 public:
  explicit Crashing(void (*crash)(IScheduler&))
      : crash_(crash) {
  }

  std::uint64_t Run(IScheduler& scheduler) override {
    // Neighbours that wait, so that what lies below a guard page is another stack.
    fibers::WaitGroup neighbours;
    neighbours.Add(8);
    for (int i = 0; i < 8; ++i) {
      Go(scheduler,
         [this, &neighbours] {
           neighbours.Done();
           never_.Wait();
         },
         {.name = "neighbour"});
    }
    neighbours.Wait();
    crash_(scheduler);
    never_.Wait();
    return 1;
  }

  std::string Verify() override {
    return "nothing crashed";
  }

 private:
  void (*const crash_)(IScheduler&);
  fibers::Event never_;
};

template <void (*Where)(IScheduler&)>
class Register {
 public:
  explicit Register(std::string_view name)
      : registration_({
            .name = name,
            .doc = "crashes",
            .operation = "crash",
            .schema = &config::SchemaOf<NoParameters>,
            .make = [](const config::Settings& /*settings*/,
                       std::uint64_t /*seed*/) -> std::unique_ptr<registry::IWorkload> {
              return std::make_unique<Crashing>(Where);
            },
        }) {
  }

 private:
  const registry::WorkloadRegistration registration_;
};

const Register<&InAFiber<&Recurse>> kRecursion{"recursion"};
const Register<&InAFiber<&RecurseIntoALockedPage>> kLockedPage{"recursion_into_a_locked_page"};
const Register<&InAFiber<&UseBigFrame>> kBigFrame{"big_frame"};
const Register<&InAFiber<&UseHugeFrame>> kHugeFrame{"huge_frame"};
const Register<&InAFiber<&Alloca>> kAlloca{"alloca"};
const Register<&AmongManyFibers<&Recurse>> kManyRecursion{"many_recursion"};
const Register<&AmongManyFibers<&UseBigFrame>> kManyBigFrame{"many_big_frame"};
const Register<&InAHostedFiber<&Recurse>> kHostedRecursion{"hosted_recursion"};
const Register<&InAHostedFiber<&UseBigFrame>> kHostedBigFrame{"hosted_big_frame"};
const Register<&OnTheHarnessThread<&UseHugeFrame>> kThreadHuge{"thread_huge_frame"};
const Register<&OnTheHarnessThread<&Recurse>> kThreadRecursion{"thread_recursion"};
const Register<&OnAThreadOfTheUser<&Recurse>> kUserThread{"user_thread_recursion"};
const Register<&InAPlainTask<&Recurse>> kTaskRecursion{"task_recursion"};
const Register<&InNoFiber<&Recurse>> kThreadOverflow{"no_fiber_recursion"};
const Register<&InAFiber<&ReadNull>> kReadNull{"read_null"};
const Register<&InAFiber<&CallNull>> kCallNull{"call_null"};
const Register<&InAFiber<&WriteWild>> kWriteWild{"write_wild"};
const Register<&InAFiber<&WriteBeyond>> kWriteBeyond{"write_beyond"};
const Register<&InAFiber<&TouchGuardOfAnother>> kTouchGuard{"touch_guard"};
const Register<&InAFiber<&DivideByZero>> kDivide{"divide"};
const Register<&InAFiber<&Trap>> kTrap{"trap"};
const Register<&InAFiber<&FailAssertion>> kAssertion{"assertion"};
const Register<&InAFiber<&Terminate>> kTerminate{"terminate"};
const Register<&InAFiber<&std::abort>> kAbort{"abort"};
const Register<&InNoFiber<&FailAssertion>> kThreadAssertion{"no_fiber_assertion"};
const Register<&InAFiber<&SignalItself>> kSignal{"signal"};

}  // namespace

}  // namespace schedbench::tests

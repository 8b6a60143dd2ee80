#include "config/schema_of.hpp"
#include "fibers/sched/blocking.hpp"
#include "platform/time/clock.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/fibers.hpp"
#include "workloads/parts/memory_need.hpp"
#include "workloads/parts/spin_work.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::workloads {

// The function that makes the call.
enum class CallBy : std::uint8_t { kBlocking, kSyscall };

constexpr std::array<std::string_view, 2> NamesOf(CallBy) {
  return {"blocking", "syscall"};
}

namespace {

struct BlockingSyscallParameters {
  // clang-format off
  config::Field<"fibers", 16U, config::Range{1U, 1000000U},
      "Fibers that make calls, all started at once"> fibers;
  config::Field<"calls", 20U, config::Range{1U, 1000000U},
      "Calls of each fiber, one after the other"> calls;
  config::Field<"call_us", 200U, config::Range{0U, 10000000U},
      "Microseconds that a call sleeps in the kernel; 0 = it returns at once"> call_us;
  config::Field<"work_ns", 5000U, config::Range{0U, 1000000000U},
      "Nanoseconds of work before each call"> work_ns;
  config::Field<"by", CallBy::kBlocking, config::AnyOf{}, "blocking: fibers::Blocking(), for calls "
      "that are known to be long; syscall: fibers::Syscall(), for calls that are mostly short"> by;
  // clang-format on
};

// The Go article's reason to hand off workers: fibers that block their threads in the kernel. One
// operation is one call. A kept worker waits for each call; with blocking=hand_off calls overlap.
class BlockingSyscall final : public registry::IWorkload {
 public:
  explicit BlockingSyscall(const BlockingSyscallParameters& parameters)
      : calls_(parameters.calls),
        call_ns_(std::uint64_t{parameters.call_us} * 1000),
        by_(parameters.by),
        work_(parameters.work_ns),
        returned_(CheckedCount("blocking_syscall:fibers", "fibers in calls", parameters.fibers,
                               Fibers::kBytesPerFiber)) {
  }

  void Prepare() override {
    returned_.assign(returned_.size(), 0);
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    Fibers::Children children(scheduler, returned_.size());
    for (std::uint32_t& returned : returned_) {
      children.Start([this, &returned] {
        for (std::uint32_t call = 0; call < calls_; ++call) {
          work_.Do();
          returned += Call();
        }
      });
    }
    children.Join();
    return std::uint64_t{calls_} * returned_.size();
  }

  std::string Verify() override {
    for (std::size_t i = 0; i < returned_.size(); ++i) {
      if (returned_[i] != calls_) {
        return "fiber " + std::to_string(i) + " returned from " + std::to_string(returned_[i]) +
               " of " + std::to_string(calls_) + " calls";
      }
    }
    return {};
  }

 private:
  std::uint32_t Call() const {
    const auto call = [this] {
      if (call_ns_ > 0) {
        platform::SleepForNs(call_ns_);
      }
      return std::uint32_t{1};
    };
    return by_ == CallBy::kBlocking ? fibers::Blocking(call) : fibers::Syscall(call);
  }

  const std::uint32_t calls_;
  const std::uint64_t call_ns_;
  const CallBy by_;
  const SpinWork work_;
  std::vector<std::uint32_t> returned_;  // number of calls of each fiber
};

const registry::RegistrationOf<BlockingSyscall, BlockingSyscallParameters> kBlockingSyscall{{
    .name = "blocking_syscall",
    .doc = "Go article: fibers that block their threads in system calls",
    .operation = "call",
    .presets = {{"smoke", "fibers=8,calls=5,call_us=100"},
                {"small", ""},
                {"full", "fibers=1000,calls=20,call_us=1000"}},
}};

}  // namespace

}  // namespace schedbench::workloads

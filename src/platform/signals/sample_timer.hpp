#pragma once

#include "platform/signals/machine_state.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace schedbench::platform {

// What interrupts a thread each time it has used so much CPU time.
enum class SampleClock : std::uint8_t {
  kTaskClock,  // perf_event_open(2), software event "task clock": a timer of high resolution. What it misses the thread's CPU
               // clock shows
  kCpuTimer  // timer_create(2) on the thread's CPU clock: looks at each tick of the kernel (250 a second on Debian), and reports
             // how many periods have passed since
};

// "perf task clock", "thread CPU timer".
std::string_view ToText(SampleClock clock) noexcept;

// Receives samples, on the interrupted thread, in a signal handler.
class ISampleSink {
 public:
  // `periods`: that it stands for, at least 1. Async-signal-safe.
  virtual void OnSample(const MachineState& interrupted, std::uint32_t periods) noexcept = 0;

 protected:
  ~ISampleSink() = default;
};

// Interrupts one thread of this process by SIGPROF in even steps of its own CPU time: not while it sleeps. Made, used and
// destroyed by any one thread. The signal's handler stays installed forever, for signals that come late.
class SampleTimer {
 public:
  // `thread`: the kernel's number of it. `sink` receives samples until the timer is destroyed. Returns null where the clock is
  // refused, and why in `refusal`: "perf_event_open: Permission denied".
  static std::unique_ptr<SampleTimer> Start(SampleClock clock, int thread, std::uint64_t period_ns,
                                            ISampleSink& sink, std::string& refusal);

  // Afterwards the sink receives no more samples, also on other threads.
  ~SampleTimer();

  SampleTimer(const SampleTimer&) = delete;
  SampleTimer& operator=(const SampleTimer&) = delete;

  // Whether time in the kernel is sampled too; the samples are then where the thread will continue.
  bool SeesKernel() const noexcept {
    return sees_kernel_;
  }

 private:
  SampleTimer() = default;

  bool StartTaskClock(int thread, std::uint64_t period_ns, std::string& refusal);
  bool StartCpuTimer(int thread, std::uint64_t period_ns, std::string& refusal);

  std::size_t place_ = 0;
  int event_ = -1;         // of perf
  void* timer_ = nullptr;  // timer_t
  bool has_timer_ = false;
  bool sees_kernel_ = true;
};

}  // namespace schedbench::platform

#pragma once

#include "platform/signals/machine_state.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace schedbench::platform {

// The clock that interrupts a thread after each period of its CPU time.
enum class SampleClock : std::uint8_t {
  // perf_event_open(2), software event "task clock": a timer of high resolution. The thread's CPU
  // clock shows the periods that it misses.
  kTaskClock,
  // timer_create(2) on the thread's CPU clock: checked at each tick of the kernel (250 per second
  // on Debian); reports how many periods have passed.
  kCpuTimer
};

// Returns "perf task clock" or "thread CPU timer".
std::string_view ToText(SampleClock clock) noexcept;

// Receives samples, on the interrupted thread, in a signal handler.
class ISampleSink {
 public:
  // `periods`: the number of periods, at least 1. Async-signal-safe.
  virtual void OnSample(const MachineState& interrupted, std::uint32_t periods) noexcept = 0;

 protected:
  ~ISampleSink() = default;
};

// Interrupts one thread of this process by SIGPROF in even steps of its CPU time: not while it
// sleeps. Any one thread makes, uses and destroys it. The handler stays installed forever, for late
// signals.
class SampleTimer {
 public:
  // `thread`: the kernel's number of it. `sink` receives samples until the timer is destroyed. If
  // the clock is refused, returns null and the reason, like "perf_event_open: Permission denied".
  static std::unique_ptr<SampleTimer> Start(SampleClock clock, int thread, std::uint64_t period_ns,
                                            ISampleSink& sink, std::string& refusal);

  // Ends the samples; afterwards the sink receives none, also on other threads.
  ~SampleTimer();

  SampleTimer(const SampleTimer&) = delete;
  SampleTimer& operator=(const SampleTimer&) = delete;

  // Returns whether time in the kernel is sampled; such a sample is where the thread will continue.
  bool SeesKernel() const noexcept {
    return sees_kernel_;
  }

 private:
  SampleTimer() = default;

  bool StartTaskClock(int thread, std::uint64_t period_ns, std::string& refusal);
  bool StartCpuTimer(int thread, std::uint64_t period_ns, std::string& refusal);

  std::size_t place_ = 0;
  int event_ = -1;         // perf's descriptor
  void* timer_ = nullptr;  // timer_t
  bool has_timer_ = false;
  bool sees_kernel_ = true;
};

}  // namespace schedbench::platform

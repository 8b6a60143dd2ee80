#pragma once

#include "platform/signals/sample_timer.hpp"
#include "profile/sampling/sample_ring.hpp"
#include "profile/sampling/stack_profile.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace schedbench::profile {

// The times of a worker, from its first sample to its last.
struct WorkerTime {
  std::uint32_t worker = 0;  // index in StackProfile::workers
  std::uint64_t wall_ns = 0;
  std::uint64_t cpu_ns = 0;
  // Ready without a CPU; none if the kernel does not report it (CONFIG_SCHED_INFO).
  std::optional<std::uint64_t> queued_ns{};
};

// Words for a function without a frame: the return address is at the stack pointer or next to it.
inline constexpr std::size_t kWordsAtStackPointer = 2;

// A sample without names.
struct RawSample {
  std::uint64_t time_ns;
  std::uint32_t cpu;
  std::uint32_t periods;  // number of periods that it represents
  bool truncated;         // the calls could not be followed to their end
  Frame owner;
  // The words from the stack pointer on; 0 if it was outside of the stack.
  std::array<std::uint64_t, kWordsAtStackPointer> at_stack_pointer;
  // Addresses, innermost first; valid until the next sample is read.
  std::span<const std::uint64_t> calls;
};

// A sampled thread and its signal handler's data. One thread at a time, maybe itself, uses it.
class SampledThread final : public platform::ISampleSink {
 public:
  // `ring_bits`: the size of the SampleRing.
  explicit SampledThread(unsigned ring_bits);
  virtual ~SampledThread();

  SampledThread(const SampledThread&) = delete;
  SampledThread& operator=(const SampledThread&) = delete;

  // Begins to sample a thread of this process. Returns false and sets `refusal` without a clock.
  bool Start(platform::SampleClock clock, const ProfiledWorker& worker, std::uint64_t period_ns,
             std::string& refusal);

  // Starts the period of Time().
  void BeginTime();

  // Stops the sampling. Requires: the thread still exists.
  void Stop();

  // Returns the oldest sample that has not been read, or none.
  std::optional<RawSample> Read();

  // Returns the lost samples since BeginTime().
  std::uint64_t Lost() const noexcept;

  // Returns the time from BeginTime() to now, or to Stop(); `worker` is 0.
  WorkerTime Time() const;

  bool SeesKernel() const noexcept;

  int Thread() const noexcept {
    return thread_;
  }

  void OnSample(const platform::MachineState& interrupted, std::uint32_t periods) noexcept override;

 private:
  struct Clocks {
    std::uint64_t wall_ns = 0;
    std::uint64_t cpu_ns = 0;
    std::optional<std::uint64_t> queued_ns{};
    std::uint64_t lost = 0;
  };

  Clocks Now() const;

  int thread_ = 0;
  platform::StackBounds stack_;  // the thread's own
  SampleRing ring_;
  Clocks begin_;
  Clocks end_;
  std::vector<std::uint64_t> record_;  // the last record that was read
  // After ring_: no sample comes after its destruction.
  std::unique_ptr<platform::SampleTimer> timer_;
};

}  // namespace schedbench::profile

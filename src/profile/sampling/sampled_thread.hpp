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

// Where the time of a worker went, from when it was first sampled to when it was last.
struct WorkerTime {
  std::uint32_t worker = 0;  // in StackProfile::workers
  std::uint64_t wall_ns = 0;
  std::uint64_t cpu_ns = 0;
  // Ready, and kept from a CPU by other threads; none where the kernel does not say (CONFIG_SCHED_INFO).
  std::optional<std::uint64_t> queued_ns{};
};

// So many words are enough for a function without a frame: the return address lies at the stack pointer, or behind one register
// that was saved.
inline constexpr std::size_t kWordsAtStackPointer = 2;

// A sample as it was taken, without names.
struct RawSample {
  std::uint64_t time_ns;
  std::uint32_t cpu;
  std::uint32_t periods;  // that it stands for
  bool truncated;         // the calls could not be followed to their end
  Frame owner;
  // The words from the stack pointer on; 0 where it was outside of the stack.
  std::array<std::uint64_t, kWordsAtStackPointer> at_stack_pointer;
  std::span<const std::uint64_t>
      calls;  // addresses, innermost first; valid until the next one is read
};

// A thread that is sampled, and what its signal handler writes to. Used by one thread at a time, which may be the sampled one.
class SampledThread final : public platform::ISampleSink {
 public:
  // `ring_bits`: of the SampleRing.
  explicit SampledThread(unsigned ring_bits);
  virtual ~SampledThread();

  SampledThread(const SampledThread&) = delete;
  SampledThread& operator=(const SampledThread&) = delete;

  // Begins to sample a thread of this process. Returns false where the clock is refused, and why in `refusal`.
  bool Start(platform::SampleClock clock, const ProfiledWorker& worker, std::uint64_t period_ns,
             std::string& refusal);

  // What Time() says begins now.
  void BeginTime();

  // No sample comes any more. Requires: the thread is still there.
  void Stop();

  // Returns the oldest sample that has not been read, or none.
  std::optional<RawSample> Read();

  // Samples since BeginTime() that found no room.
  std::uint64_t Lost() const noexcept;

  // From BeginTime() to now, or to Stop(); `worker` is 0.
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
  std::vector<std::uint64_t> record_;             // that was read last
  std::unique_ptr<platform::SampleTimer> timer_;  // after ring_: no sample comes once it is gone
};

}  // namespace schedbench::profile

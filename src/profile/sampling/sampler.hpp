#pragma once

#include "platform/signals/sample_timer.hpp"
#include "platform/threads/mutex.hpp"
#include "profile/sampling/call_frame.hpp"
#include "profile/sampling/sampled_thread.hpp"
#include "profile/sampling/stack_profile.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace schedbench::profile {

struct SamplerOptions {
  std::uint64_t period_ns = 1'001'001;  // CPU time: 999 a second, not in step with a timer of 1000.
  // None: the task clock, or if it is refused the CPU timer.
  std::optional<platform::SampleClock> clock;
  // Room for each thread between two calls of Collect(): 2^21 words are some 60,000 samples.
  unsigned ring_bits = 21;
};

// The outcome of the sampling.
struct SamplingReport {
  platform::SampleClock clock = platform::SampleClock::kTaskClock;
  bool sees_kernel = true;        // otherwise no sample has time in the kernel
  std::string refusal;            // why the first clock was not used; "" where it was
  std::uint64_t samples = 0;      // number of kept samples
  std::uint64_t lost = 0;         // samples without room
  std::uint64_t truncated = 0;    // kept samples whose stack could not be followed to its end
  std::uint64_t weight_ns = 0;    // weight of the kept samples
  std::uint64_t cpu_ns = 0;       // CPU time of the workers: what the weights should add up to
  std::uint64_t unsampled = 0;    // threads for which the clock was refused
  std::string refused;            // the reason for the last of them
  std::vector<WorkerTime> times;  // times of each thread, in the order of their ends
};

// No clock is available: exit code 2, as for limits. The message names each with the reason.
class SamplingRefused : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Samples the stacks of threads in even steps of their CPU time, until Stop(), after which calls
// have no effect. The threads need not cooperate. Thread-safe.
class Sampler {
 public:
  // Chooses a clock. Throws SamplingRefused.
  explicit Sampler(const SamplerOptions& options);

  // Samples `workers`, threads of this process, from now on. Throws SamplingRefused.
  Sampler(const SamplerOptions& options, std::span<const ProfiledWorker> workers);
  ~Sampler();

  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;

  // Samples another thread. If threads come and go, it may have the index of a detached one: they
  // share a row of the profile. Returns whether the clock was accepted; counts refusals.
  bool Attach(const ProfiledWorker& worker);

  // Stops sampling a thread. Called before it ends, even if Attach() was refused.
  void Detach(int thread);

  // Collects the samples so far. Call it regularly: samples without room are lost.
  void Collect();

  // Forgets what has been sampled so far.
  void Restart();

  // Ends the sampling; then the profile is whole and does not change any more.
  SamplingReport Stop();

  // Returns the collected samples: frames of code have an address but no name yet (Symbolized()).
  // The last address of each stack is where the thread was; the others are return addresses.
  const StackProfile& Raw() const {
    return raw_;
  }

 private:
  struct Attached {
    std::unique_ptr<SampledThread> thread;
    std::uint32_t worker;  // index in StackProfile::workers
  };

  std::unique_ptr<SampledThread> TakeThread();

  // All functions require: the caller holds mutex_.
  void Keep(const Attached& attached);
  void End(const Attached& attached);
  std::uint32_t PlaceOf(const ProfiledWorker& worker);

  const SamplerOptions options_;
  platform::Mutex mutex_;
  // mutex_ guards all fields below; Raw() is read after Stop().
  bool stopped_ = false;
  std::vector<Attached> attached_;
  std::vector<std::unique_ptr<SampledThread>> spare_;  // kept to reuse their memory
  StackProfile raw_;
  SamplingReport report_;
  std::vector<FrameId> stack_;  // kept to reuse its memory
  CallFrames call_frames_;
};

}  // namespace schedbench::profile

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
  std::uint64_t period_ns =
      1'001'001;  // of CPU time: 999 a second, not in step with a timer of 1000
  std::optional<platform::SampleClock>
      clock;  // none: the task clock, or where it is refused the CPU timer
  unsigned ring_bits =
      21;  // room between two calls of Collect(), for each thread: 2^21 words are some 60,000 samples
};

// What became of the sampling.
struct SamplingReport {
  platform::SampleClock clock = platform::SampleClock::kTaskClock;
  bool sees_kernel = true;  // else time in the kernel is in no sample
  std::string refusal;      // why another clock than the first was taken; "" where none was refused
  std::uint64_t samples = 0;    // that were kept
  std::uint64_t lost = 0;       // for want of room
  std::uint64_t truncated = 0;  // of those kept: whose stack could not be followed to its end
  std::uint64_t weight_ns = 0;  // that those kept stand for
  std::uint64_t cpu_ns = 0;  // that the workers used meanwhile: what the weights should add up to
  std::uint64_t unsampled = 0;    // threads that the clock was refused for
  std::string refused;            // why, for the last of them
  std::vector<WorkerTime> times;  // of each thread, in the order of their ends
};

// No clock can be had: exit code 2, as any limit of the machine. The message names each, and the reason.
class SamplingRefused : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Samples the stacks of threads in even steps of their CPU time, until Stop(): what is called later does nothing. The threads
// need not know. Thread-safe.
class Sampler {
 public:
  // Chooses a clock. Throws SamplingRefused.
  explicit Sampler(const SamplerOptions& options);

  // Samples `workers`, threads of this process, from now on. Throws SamplingRefused.
  Sampler(const SamplerOptions& options, std::span<const ProfiledWorker> workers);
  ~Sampler();

  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;

  // Samples a thread more. Where threads come and go, one may have the index of another that is detached: they are one row of
  // the profile. Returns whether the clock was not refused for it; if it was, it is counted.
  bool Attach(const ProfiledWorker& worker);

  // Samples a thread no more. Before it ends, also where Attach() was refused.
  void Detach(int thread);

  // Takes in what has been sampled so far. To be called now and then: what finds no room meanwhile is lost.
  void Collect();

  // Forgets what has been sampled so far.
  void Restart();

  // Ends the sampling; then the profile is whole and changes no more.
  SamplingReport Stop();

  // What has been collected: frames of code have an address and no name yet (Symbolized()). In each stack the last address is
  // where the thread was; the others are those that calls return to.
  const StackProfile& Raw() const {
    return raw_;
  }

 private:
  struct Attached {
    std::unique_ptr<SampledThread> thread;
    std::uint32_t worker;  // in StackProfile::workers
  };

  std::unique_ptr<SampledThread> TakeThread();

  // All require: the caller holds mutex_.
  void Keep(const Attached& attached);
  void End(const Attached& attached);
  std::uint32_t PlaceOf(const ProfiledWorker& worker);

  const SamplerOptions options_;
  platform::Mutex mutex_;
  // All guarded by mutex_; Raw() is read after Stop().
  bool stopped_ = false;
  std::vector<Attached> attached_;
  std::vector<std::unique_ptr<SampledThread>> spare_;  // kept for their memory
  StackProfile raw_;
  SamplingReport report_;
  std::vector<FrameId> stack_;  // kept for its memory
  CallFrames call_frames_;
};

}  // namespace schedbench::profile

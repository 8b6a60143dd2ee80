#pragma once

#include "platform/threads/mutex.hpp"
#include "platform/threads/thread.hpp"
#include "platform/threads/thread_event.hpp"
#include "platform/threads/worker_numbers.hpp"
#include "profile/sampling/blocked_calls.hpp"
#include "profile/sampling/census.hpp"
#include "profile/sampling/sampler.hpp"

#include <optional>
#include <string>

namespace schedbench::profile {

// What is observed besides the CPU time of the workers.
struct Observe {
  bool waits = false;          // fibers that do not run (Census)
  bool blocked_calls = false;  // what workers are blocked in (BlockedCalls)
};

// Samples the workers of all schedulers that are made while it is there, and takes in the samples meanwhile. One at a time in a
// process. Used by one thread, but for Stop() and Restart().
class WorkerSampling final : public platform::IWorkerThreadWatcher {
 public:
  // Throws SamplingRefused.
  explicit WorkerSampling(const SamplerOptions& options, const Observe& observe = {});

  // Requires: the schedulers are gone.
  virtual ~WorkerSampling();

  WorkerSampling(const WorkerSampling&) = delete;
  WorkerSampling& operator=(const WorkerSampling&) = delete;

  // Forgets what has been sampled so far. After Stop() it does nothing. Any thread.
  void Restart();

  // Ends the sampling, also of workers that are still there. What was known then it returns once more later. Any thread.
  SamplingReport Stop();

  // After Stop(): as Sampler::Raw().
  const StackProfile& Raw() const {
    return sampler_.Raw();
  }

  // After Stop(): empty where waits were not asked for.
  const Census& Waits() const {
    return census_;
  }

  // After Stop(): all 0 where they were not asked for.
  BlockedCounts Blocked() const {
    return blocked_.Counts();
  }

  void OnBegin(const std::string& name) noexcept override;
  void OnEnd() noexcept override;

 private:
  void CollectUntilStopped();

  Sampler sampler_;
  const Observe observe_;
  BlockedCalls blocked_;
  platform::Mutex counting_;
  Census census_;  // guarded by counting_ until Stop()
  platform::WorkerNumbers numbers_;
  platform::Mutex stopping_;
  std::optional<SamplingReport> report_;  // after Stop(); guarded by stopping_
  platform::ThreadEvent stop_;
  std::optional<platform::Thread> collector_;
};

}  // namespace schedbench::profile

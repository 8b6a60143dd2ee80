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

// Observations in addition to the CPU time of the workers.
struct Observe {
  bool waits = false;          // fibers that do not run (Census)
  bool blocked_calls = false;  // what workers are blocked in (BlockedCalls)
};

// Samples the workers of all schedulers that are made during its life, and collects the samples.
// Only one at a time in a process. One thread uses it; any thread calls Stop() and Restart().
class WorkerSampling final : public platform::IWorkerThreadWatcher {
 public:
  // Throws SamplingRefused.
  explicit WorkerSampling(const SamplerOptions& options, const Observe& observe = {});

  // Requires: the schedulers no longer exist.
  virtual ~WorkerSampling();

  WorkerSampling(const WorkerSampling&) = delete;
  WorkerSampling& operator=(const WorkerSampling&) = delete;

  // Forgets what has been sampled so far. After Stop() it does nothing. Any thread.
  void Restart();

  // Ends the sampling, also of live workers. Later calls return the first report. Any thread.
  SamplingReport Stop();

  // Returns Sampler::Raw(). Call it after Stop().
  const StackProfile& Raw() const {
    return sampler_.Raw();
  }

  // Returns the census, empty if waits were not requested. Call it after Stop().
  const Census& Waits() const {
    return census_;
  }

  // Returns the counts, all 0 if they were not requested. Call it after Stop().
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

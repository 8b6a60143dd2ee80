#pragma once

#include "platform/threads/mutex.hpp"
#include "platform/threads/thread.hpp"
#include "platform/threads/thread_event.hpp"
#include "platform/threads/worker_numbers.hpp"
#include "profile/census.hpp"
#include "profile/sampler.hpp"

#include <optional>
#include <string>

namespace schedbench::profile {

// Samples the workers of all schedulers that are made while it is there, and takes in the samples meanwhile. One at a time in a
// process. Used by one thread, but for Stop() and Restart().
class WorkerSampling final : public platform::IWorkerThreadWatcher {
 public:
  // `with_waits`: also look at fibers that do not run (Census). Throws SamplingRefused.
  explicit WorkerSampling(const SamplerOptions& options, bool with_waits = false);

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

  void OnBegin(const std::string& name) noexcept override;
  void OnEnd() noexcept override;

 private:
  void CollectUntilStopped();

  Sampler sampler_;
  const bool with_waits_;
  platform::Mutex counting_;
  Census census_;  // guarded by counting_ until Stop()
  platform::WorkerNumbers numbers_;
  platform::Mutex stopping_;
  std::optional<SamplingReport> report_;  // after Stop(); guarded by stopping_
  platform::ThreadEvent stop_;
  std::optional<platform::Thread> collector_;
};

}  // namespace schedbench::profile

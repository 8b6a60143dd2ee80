#include "profile/sampling/sampler.hpp"

#include "platform/threads/this_thread.hpp"

#include <algorithm>
#include <utility>

namespace schedbench::profile {

using platform::MutexLock;
using platform::SampleClock;

Sampler::Sampler(const SamplerOptions& options)
    : options_(options) {
  raw_.process = platform::ProcessId();
  std::string refusals;
  for (const SampleClock clock : {SampleClock::kTaskClock, SampleClock::kCpuTimer}) {
    if (options.clock.value_or(clock) != clock) {
      continue;
    }
    std::string refusal;
    constexpr unsigned kSmallRing = 8;
    SampledThread trial(kSmallRing);
    if (trial.Start(clock, {.index = 0, .thread = platform::KernelThreadId()}, options.period_ns,
                    refusal)) {
      report_.clock = clock;
      report_.refusal = refusals;
      report_.sees_kernel = trial.SeesKernel();
      return;
    }
    refusals +=
        (refusals.empty() ? "" : "; ") + std::string(platform::ToText(clock)) + ": " + refusal;
  }
  throw SamplingRefused("no clock for sampling: " + refusals);
}

Sampler::Sampler(const SamplerOptions& options, std::span<const ProfiledWorker> workers)
    : Sampler(options) {
  for (const ProfiledWorker& worker : workers) {
    Attach(worker);
  }
}

Sampler::~Sampler() = default;

std::uint32_t Sampler::PlaceOf(const ProfiledWorker& worker) {
  const auto found = std::ranges::find(raw_.workers, worker.index, &ProfiledWorker::index);
  if (found != raw_.workers.end()) {
    found->thread = worker.thread;
    return static_cast<std::uint32_t>(found - raw_.workers.begin());
  }
  raw_.workers.push_back(worker);
  return static_cast<std::uint32_t>(raw_.workers.size() - 1);
}

std::unique_ptr<SampledThread> Sampler::TakeThread() {
  {
    const MutexLock lock(mutex_);
    if (!spare_.empty()) {
      std::unique_ptr<SampledThread> thread = std::move(spare_.back());
      spare_.pop_back();
      return thread;
    }
  }
  // Allocate it without the lock: it has some megabytes, and without memory the run ends here.
  return std::make_unique<SampledThread>(options_.ring_bits);
}

bool Sampler::Attach(const ProfiledWorker& worker) {
  std::unique_ptr<SampledThread> thread = TakeThread();
  const MutexLock lock(mutex_);
  if (stopped_) {
    return false;
  }
  std::string refusal;
  if (!thread->Start(report_.clock, worker, options_.period_ns, refusal)) {
    ++report_.unsampled;
    report_.refused = std::move(refusal);
    spare_.push_back(std::move(thread));
    return false;
  }
  attached_.push_back({.thread = std::move(thread), .worker = PlaceOf(worker)});
  return true;
}

void Sampler::Detach(int thread) {
  const MutexLock lock(mutex_);
  const auto found = std::ranges::find_if(attached_, [thread](const Attached& attached) {
    return attached.thread->Thread() == thread;
  });
  if (found != attached_.end()) {
    End(*found);
    spare_.push_back(std::move(found->thread));
    attached_.erase(found);
  }
}

void Sampler::Keep(const Attached& attached) {
  while (const auto sample = attached.thread->Read()) {
    stack_.clear();
    for (auto call = sample->calls.rbegin(); call != sample->calls.rend(); ++call) {
      const bool is_innermost = call + 1 == sample->calls.rend();
      const auto words = is_innermost ? call_frames_.WordsBelowReturnAddress(*call) : std::nullopt;
      if (words && *words < sample->at_stack_pointer.size() &&
          sample->at_stack_pointer[*words] != 0) {
        stack_.push_back(raw_.Add({.name = "", .address = sample->at_stack_pointer[*words]}));
      }
      stack_.push_back(raw_.Add({.name = "", .address = *call}));
    }
    const std::uint64_t weight_ns = sample->periods * options_.period_ns;
    raw_.samples.push_back({.time_ns = sample->time_ns,
                            .weight_ns = weight_ns,
                            .worker = attached.worker,
                            .cpu = sample->cpu,
                            .owner = raw_.Add(sample->owner),
                            .stack = raw_.AddStack(stack_)});
    ++report_.samples;
    report_.truncated += sample->truncated ? 1 : 0;
    report_.weight_ns += weight_ns;
  }
}

void Sampler::End(const Attached& attached) {
  attached.thread->Stop();
  Keep(attached);
  WorkerTime time = attached.thread->Time();
  time.worker = attached.worker;
  report_.cpu_ns += time.cpu_ns;
  report_.lost += attached.thread->Lost();
  report_.times.push_back(time);
}

void Sampler::Collect() {
  const MutexLock lock(mutex_);  // after Stop() there is nothing to collect
  for (const Attached& attached : attached_) {
    Keep(attached);
  }
}

void Sampler::Restart() {
  const MutexLock lock(mutex_);
  if (stopped_) {
    return;
  }
  StackProfile former = std::exchange(raw_, StackProfile());
  raw_.process = former.process;
  for (Attached& attached : attached_) {
    while (attached.thread->Read()) {
    }
    attached.thread->BeginTime();
    attached.worker = PlaceOf(former.workers[attached.worker]);
  }
  report_.samples = report_.truncated = report_.weight_ns = 0;
  report_.cpu_ns = report_.lost = 0;
  report_.times.clear();
}

SamplingReport Sampler::Stop() {
  const MutexLock lock(mutex_);
  for (const Attached& attached : attached_) {
    End(attached);
  }
  attached_.clear();
  stopped_ = true;
  return report_;
}

}  // namespace schedbench::profile

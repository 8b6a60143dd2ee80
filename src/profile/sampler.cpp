#include "profile/sampler.hpp"

#include "fibers/core/running_stack.hpp"
#include "platform/clock.hpp"
#include "platform/this_thread.hpp"
#include "profile/frame_text.hpp"
#include "profile/sample_ring.hpp"
#include "profile/walk_stack.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

namespace schedbench::profile {

namespace {

using platform::SampleClock;
using platform::SampleTimer;

constexpr std::size_t kDeepest = 128;   // calls of a sample; deeper ones are truncated (perf: 127)
constexpr std::size_t kNameBytes = 64;  // of a fiber's name; longer ones are cut
constexpr std::size_t kNameWords = kNameBytes / sizeof(std::uint64_t);

// How a sample looks in a SampleRing: this, then the calls, innermost first.
struct Head {
  std::uint64_t time_ns;
  std::uint64_t fiber;
  const char* file;
  std::uint32_t line;
  std::uint32_t cpu;
  std::uint32_t periods;
  std::uint16_t truncated;
  executors::Doing doing;
  std::uint8_t unused;
  std::array<char, kNameBytes> name;
};

constexpr std::size_t kHeadWords = sizeof(Head) / sizeof(std::uint64_t);
static_assert(sizeof(Head) % sizeof(std::uint64_t) == 0);
static_assert(kNameWords * sizeof(std::uint64_t) == kNameBytes);

constexpr std::string_view ToText(executors::Doing doing) {
  switch (doing) {
    case executors::Doing::kSearch:
      return "worker:search";
    case executors::Doing::kSteal:
      return "worker:steal";
    case executors::Doing::kPark:
      return "worker:park";
    case executors::Doing::kRun:
      break;
  }
  return "worker:run";
}

// The frame that stands for who was sampled: the fiber by its name or where it was started, or what its worker did.
Frame OwnerOf(const Head& head) {
  if (head.fiber == 0) {
    return {.name = std::string(ToText(head.doing)), .module = "[worker]", .is_code = false};
  }
  std::string name = head.name.data();
  if (name.empty()) {
    name = std::string(FileName(head.file)) + ":" + std::to_string(head.line);
  }
  return {.name = "fiber:" + name, .module = "[fiber]", .is_code = false};
}

}  // namespace

// A sampled thread, and what its signal handler writes to.
class Sampler::Worker final : public platform::ISampleSink {
 public:
  Worker(int thread, unsigned ring_bits)
      : thread_(thread),
        ring_(ring_bits),
        cpu_before_ns_(platform::ThreadCpuNs(thread)) {
  }

  virtual ~Worker() = default;

  bool Start(SampleClock clock, std::uint64_t period_ns, std::string& refusal) {
    timer_ = SampleTimer::Start(clock, thread_, period_ns, *this, refusal);
    return timer_ != nullptr;
  }

  void Stop() {
    timer_ = nullptr;
    cpu_ns_ = platform::ThreadCpuNs(thread_) - cpu_before_ns_;
  }

  bool SeesKernel() const {
    return timer_->SeesKernel();
  }

  void OnSample(const platform::MachineState& interrupted,
                std::uint32_t periods) noexcept override {
    std::array<std::uint64_t, kHeadWords + kDeepest> record;
    const auto running = fibers::RunningStack::OfThisThread(interrupted.stack_pointer);
    const std::span<std::uintptr_t> calls(record.data() + kHeadWords, kDeepest);
    const Walk walk = WalkStack(interrupted, running.lowest, running.top, calls);
    Head head{.time_ns = platform::NowNs(),
              .fiber = running.fiber,
              .file = running.file,
              .line = running.line,
              .cpu = platform::CurrentCpu(),
              .periods = periods,
              .truncated = static_cast<std::uint16_t>(walk.truncated ? 1 : 0),
              .doing = running.doing,
              .unused = 0,
              .name = {}};
    std::strncpy(head.name.data(), running.name, head.name.size() - 1);
    std::memcpy(record.data(), &head, sizeof(head));
    static_cast<void>(ring_.TryPush(std::span(record).first(kHeadWords + walk.calls)));
  }

  SampleRing& Ring() {
    return ring_;
  }

  std::uint64_t CpuNs() const {
    return cpu_ns_;
  }

 private:
  const int thread_;
  SampleRing ring_;
  const std::uint64_t cpu_before_ns_;
  std::uint64_t cpu_ns_ = 0;
  std::unique_ptr<SampleTimer> timer_;  // after ring_: no sample comes once it is gone
};

Sampler::Sampler(const SamplerOptions& options, std::span<const ProfiledWorker> workers)
    : period_ns_(options.period_ns) {
  raw_.process = platform::ProcessId();
  raw_.workers.assign(workers.begin(), workers.end());
  std::string refusals;
  for (const SampleClock clock : {SampleClock::kTaskClock, SampleClock::kCpuTimer}) {
    if (options.clock.value_or(clock) != clock) {
      continue;
    }
    std::string refusal;
    const bool started = std::ranges::all_of(workers, [&](const ProfiledWorker& worker) {
      workers_.push_back(std::make_unique<Worker>(worker.thread, options.ring_bits));
      return workers_.back()->Start(clock, period_ns_, refusal);
    });
    if (started) {
      report_.clock = clock;
      report_.refusal = refusals;
      report_.sees_kernel = std::ranges::all_of(workers_, &Worker::SeesKernel);
      return;
    }
    workers_.clear();
    refusals +=
        (refusals.empty() ? "" : "; ") + std::string(platform::ToText(clock)) + ": " + refusal;
  }
  throw SamplingRefused("no clock to sample by: " + refusals);
}

Sampler::~Sampler() = default;

void Sampler::Keep(std::uint32_t worker, std::span<const std::uint64_t> record) {
  Head head;
  std::memcpy(&head, record.data(), sizeof(head));
  stack_.clear();
  const auto calls = record.subspan(kHeadWords);
  for (auto call = calls.rbegin(); call != calls.rend(); ++call) {
    stack_.push_back(raw_.Add({.name = "", .address = *call}));
  }
  const std::uint64_t weight_ns = head.periods * period_ns_;
  raw_.samples.push_back({.time_ns = head.time_ns,
                          .weight_ns = weight_ns,
                          .worker = worker,
                          .cpu = head.cpu,
                          .owner = raw_.Add(OwnerOf(head)),
                          .stack = raw_.AddStack(stack_)});
  ++report_.samples;
  report_.truncated += head.truncated;
  report_.weight_ns += weight_ns;
}

void Sampler::Collect() {
  for (std::uint32_t worker = 0; worker < workers_.size(); ++worker) {
    while (workers_[worker]->Ring().TryPop(record_)) {
      Keep(worker, record_);
    }
  }
}

SamplingReport Sampler::Stop() {
  for (const auto& worker : workers_) {
    worker->Stop();
    report_.cpu_ns += worker->CpuNs();
  }
  Collect();
  for (const auto& worker : workers_) {
    report_.lost += worker->Ring().Lost();
  }
  return report_;
}

}  // namespace schedbench::profile

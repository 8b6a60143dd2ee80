#include "profile/sampling/sampled_thread.hpp"

#include "base/enum_text.hpp"
#include "fibers/diagnostics/running_stack.hpp"
#include "platform/threads/this_thread.hpp"
#include "platform/threads/thread_times.hpp"
#include "platform/time/clock.hpp"
#include "profile/sampling/frame_text.hpp"
#include "profile/sampling/walk_stack.hpp"

#include <cstring>
#include <string_view>

namespace schedbench::profile {

namespace {

constexpr std::size_t kMaxCalls = 128;  // deeper samples are truncated (perf: 127)
constexpr std::size_t kNameBytes = 64;  // longer names of fibers are cut
constexpr std::size_t kNameWords = kNameBytes / sizeof(std::uint64_t);

// The layout of a sample in a SampleRing: this, then the calls, innermost first.
struct RecordHead {
  std::uint64_t time_ns;
  std::uint64_t fiber;
  const char* file;
  std::uint32_t line;
  std::uint32_t cpu;
  std::uint32_t periods;
  std::uint16_t truncated;
  executors::WorkerActivity activity;
  std::uint8_t unused;
  std::array<std::uint64_t, kWordsAtStackPointer> at_stack_pointer;
  std::array<char, kNameBytes> name;
};

constexpr std::size_t kHeadWords = sizeof(RecordHead) / sizeof(std::uint64_t);
static_assert(sizeof(RecordHead) % sizeof(std::uint64_t) == 0);
static_assert(kNameWords * sizeof(std::uint64_t) == kNameBytes);

constexpr std::string_view ToText(executors::WorkerActivity activity) {
  return EnumText(activity, {"worker:run", "worker:search", "worker:steal", "worker:park"});
}

// Returns the frame of the sample's owner: the fiber by name or origin, or its worker's activity.
Frame OwnerOf(const RecordHead& head) {
  if (head.fiber == 0) {
    return {.name = std::string(ToText(head.activity)), .module = "[worker]", .is_code = false};
  }
  return FiberFrame(head.name.data(), head.file, head.line);
}

}  // namespace

SampledThread::SampledThread(unsigned ring_bits)
    : ring_(ring_bits) {
}

SampledThread::~SampledThread() = default;

bool SampledThread::Start(platform::SampleClock clock, const ProfiledWorker& worker,
                          std::uint64_t period_ns, std::string& refusal) {
  thread_ = worker.thread;
  stack_ = worker.stack;
  timer_ = platform::SampleTimer::Start(clock, thread_, period_ns, *this, refusal);
  BeginTime();
  return timer_ != nullptr;
}

void SampledThread::BeginTime() {
  begin_ = Now();
}

void SampledThread::Stop() {
  timer_ = nullptr;
  end_ = Now();
}

std::optional<RawSample> SampledThread::Read() {
  if (!ring_.TryPop(record_)) {
    return std::nullopt;
  }
  RecordHead head;
  std::memcpy(&head, record_.data(), sizeof(head));
  return RawSample{.time_ns = head.time_ns,
                   .cpu = head.cpu,
                   .periods = head.periods,
                   .truncated = head.truncated != 0,
                   .owner = OwnerOf(head),
                   .at_stack_pointer = head.at_stack_pointer,
                   .calls = std::span(record_).subspan(kHeadWords)};
}

SampledThread::Clocks SampledThread::Now() const {
  return {.wall_ns = platform::NowNs(),
          .cpu_ns = platform::ThreadCpuNs(thread_),
          .queued_ns = platform::ThreadQueuedNs(thread_),
          .lost = ring_.Lost()};
}

std::uint64_t SampledThread::Lost() const noexcept {
  return ring_.Lost() - begin_.lost;
}

WorkerTime SampledThread::Time() const {
  const Clocks end = timer_ == nullptr ? end_ : Now();
  WorkerTime time{.wall_ns = end.wall_ns - begin_.wall_ns, .cpu_ns = end.cpu_ns - begin_.cpu_ns};
  if (begin_.queued_ns && end.queued_ns) {
    time.queued_ns = *end.queued_ns - *begin_.queued_ns;
  }
  return time;
}

bool SampledThread::SeesKernel() const noexcept {
  return timer_->SeesKernel();
}

void SampledThread::OnSample(const platform::MachineState& interrupted,
                             std::uint32_t periods) noexcept {
  std::array<std::uint64_t, kHeadWords + kMaxCalls> record;
  const auto running = fibers::RunningStack::OfThisThread(interrupted.stack_pointer);
  const std::span<std::uintptr_t> calls(record.data() + kHeadWords, kMaxCalls);
  const Walk walk = running.top != 0
                        ? WalkStack(interrupted, running.lowest, running.top, calls)
                        : WalkStack(interrupted, stack_.lowest, stack_.top, calls, Base::kAnywhere);
  RecordHead head{.time_ns = platform::NowNs(),
                  .fiber = running.fiber,
                  .file = running.file,
                  .line = running.line,
                  .cpu = platform::CurrentCpu(),
                  .periods = periods,
                  .truncated = static_cast<std::uint16_t>(walk.truncated ? 1 : 0),
                  .activity = running.activity,
                  .unused = 0,
                  .at_stack_pointer = {},
                  .name = {}};
  const std::uintptr_t top = running.top != 0 ? running.top : stack_.top;
  const std::uintptr_t lowest = running.top != 0 ? running.lowest : stack_.lowest;
  if (interrupted.link_register != 0) {
    head.at_stack_pointer[0] = interrupted.link_register;
  } else if (interrupted.stack_pointer >= lowest && interrupted.stack_pointer < top &&
             top - interrupted.stack_pointer >= sizeof(head.at_stack_pointer)) {
    ReadStack(interrupted.stack_pointer, head.at_stack_pointer);
  }
  std::strncpy(head.name.data(), running.name, head.name.size() - 1);
  std::memcpy(record.data(), &head, sizeof(head));
  static_cast<void>(ring_.TryPush(std::span(record).first(kHeadWords + walk.calls)));
}

}  // namespace schedbench::profile

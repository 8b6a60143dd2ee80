// Schedulers of a user that lose tasks or do not stop; linked with the workloads in tool.cpp.
#include "config/schema_of.hpp"
#include "fibers/sync/event.hpp"
#include "registry/scheduler.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace schedbench::tests {

namespace {

using fibers::Event;
using registry::IScheduler;

struct BehindConfig {
  config::Field<"workers", std::uint32_t{2}, config::Range{0U, 4U}, "Workers"> workers;
};

// `fast` behind a door.
class Behind : public IScheduler {
 public:
  explicit Behind(std::unique_ptr<IScheduler> inner)
      : inner_(std::move(inner)) {
  }

  void Submit(executors::TaskBase* task, executors::SchedulerHint hint) noexcept override {
    inner_->Submit(task, hint);
  }

  void WaitIdle() noexcept override {
    inner_->WaitIdle();
  }

  void Stop() noexcept override {
    inner_->Stop();
  }

  std::vector<registry::WorkerReading> ReadWorkers() const override {
    return inner_->ReadWorkers();
  }

  std::uint64_t ExternalSubmissions() const noexcept override {
    return inner_->ExternalSubmissions();
  }

 private:
  const std::unique_ptr<IScheduler> inner_;
};

// Loses, from the eleventh task on, what is of one kind.
template <executors::TaskKind Lost, bool WaitsForIt>
class Lossy final : public Behind {
 public:
  using Behind::Behind;

  void Submit(executors::TaskBase* task, executors::SchedulerHint hint) noexcept override {
    if (++submitted_ > 10 && task->kind == Lost) {
      ++lost_;
      return;
    }
    Behind::Submit(task, hint);
  }

  void WaitIdle() noexcept override {
    Behind::WaitIdle();
    if (lost_ > 0 && WaitsForIt) {
      (new Event)->Wait();
    }
  }

  std::uint64_t ExternalSubmissions() const noexcept override {
    return Behind::ExternalSubmissions() + lost_;
  }

 private:
  std::atomic<int> submitted_{0};
  std::atomic<std::uint64_t> lost_{0};
};

// Does not notice, in its second round, that nothing is left to do.
class NeverIdle final : public Behind {
 public:
  using Behind::Behind;

  void WaitIdle() noexcept override {
    Behind::WaitIdle();
    if (++waits_ == 2) {
      (new Event)->Wait();
    }
  }

 private:
  int waits_ = 0;
};

// Has nothing left to do and does not end.
class NeverStops final : public Behind {
 public:
  using Behind::Behind;

  ~NeverStops() override {
    (new Event)->Wait();
  }
};

template <typename Scheduler>
std::unique_ptr<IScheduler> MakeBehind(const config::Settings& settings, std::uint64_t seed) {
  const registry::SchedulerEntry& fast = *registry::FindScheduler("fast");
  config::Settings inner(fast.schema());
  inner.Set("workers", std::uint64_t{settings.As<BehindConfig>().workers.value}, {});
  return std::make_unique<Scheduler>(fast.make(inner, seed));
}

template <typename Scheduler>
registry::SchedulerEntry EntryOf(std::string_view name) {
  return {.name = name,
          .doc = "errs",
          .schema = &config::SchemaOf<BehindConfig>,
          .make = &MakeBehind<Scheduler>};
}

using executors::TaskKind;
const registry::SchedulerRegistration kLosesNew{
    EntryOf<Lossy<TaskKind::kNewFiber, false>>("loses_new")};
const registry::SchedulerRegistration kLosesResumed{
    EntryOf<Lossy<TaskKind::kSuspendedFiber, false>>("loses_resumed")};
const registry::SchedulerRegistration kLosesPlain{
    EntryOf<Lossy<TaskKind::kPlain, true>>("loses_plain")};
const registry::SchedulerRegistration kNeverIdle{EntryOf<NeverIdle>("never_idle")};
const registry::SchedulerRegistration kNeverStops{EntryOf<NeverStops>("never_stops")};

}  // namespace

}  // namespace schedbench::tests

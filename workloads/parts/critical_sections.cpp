#include "workloads/parts/critical_sections.hpp"

#include "executors/strand.hpp"
#include "fibers/sync/semaphore.hpp"
#include "platform/threads/mutex.hpp"
#include "platform/time/clock.hpp"
#include "workloads/parts/memory_need.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <memory>

namespace schedbench::workloads {

namespace {

using executors::SchedulerHint;

// A section as a strand's task, reused after its run. After a window's last task, all have run.
template <typename SectionBody>
class SectionTask final : public executors::TaskBase {
 public:
  SectionBody* body = nullptr;
  // Set for the last task of a window: its client waits for a permit.
  fibers::Semaphore* last_of_window = nullptr;

  void Run() noexcept override {
    (*body)();
    // This is the last access: the client may submit this task again as soon as it has its permit.
    if (last_of_window != nullptr) {
      last_of_window->Release();
    }
  }
};

}  // namespace

CriticalSections::CriticalSections(const Plan& plan)
    : plan_(plan),
      clients_(plan.clients),
      critical_(plan.critical_ns),
      outside_(plan.outside_ns),
      data_(std::max<std::uint64_t>(plan.shared_bytes / kCacheLine, 1)) {
  const bool on_strand = plan.guard == Guard::kStrand || plan.guard == Guard::kMutexStrand;
  const std::uint64_t tasks = on_strand ? std::min<std::uint64_t>(plan.outstanding, plan.sections) *
                                              sizeof(SectionTask<void()>)
                                        : 0;
  CheckedCount(plan.clients_field, "clients", plan.clients, Fibers::kBytesPerFiber + tasks);
}

void CriticalSections::Prepare() {
  std::ranges::fill(data_, Line{});
  batches_ = {};
  first_done_at_.Store(0, memory_order_relaxed);
}

std::uint64_t CriticalSections::Run(registry::IScheduler& scheduler) {
  if (plan_.clients_are_per_worker) {
    clients_ = std::uint64_t{plan_.clients} * scheduler.ActiveWorkers();
  }
  start_ = platform::NowNs();
  done_.Add(clients_);
  switch (plan_.guard) {
    case Guard::kStrand:
      RunOnStrand<executors::Strand>(scheduler);
      break;
    case Guard::kMutexStrand:
      RunOnStrand<executors::MutexStrand>(scheduler);
      break;
    case Guard::kMutex:
      RunLocked<Fibers::Mutex>(scheduler);
      break;
    case Guard::kThreadMutex:
      RunLocked<platform::Mutex>(scheduler);
      break;
  }
  end_ = platform::NowNs();
  return clients_ * plan_.sections;
}

template <typename StrandType>
void CriticalSections::RunOnStrand(executors::IExecutor& executor) {
  StrandType strand(executor);
  auto body = [this]() noexcept { Section(); };
  using Task = SectionTask<decltype(body)>;
  for (std::uint64_t i = 0; i < clients_; ++i) {
    Fibers::Go(executor, [this, &strand, &body] {
      const std::uint64_t most = std::min<std::uint64_t>(plan_.outstanding, plan_.sections);
      const auto tasks = std::make_unique<Task[]>(most);
      fibers::Semaphore window_done(0);
      for (std::uint64_t done = 0; done < plan_.sections;) {
        const std::uint64_t window = std::min(most, plan_.sections - done);
        for (std::uint64_t task = 0; task < window; ++task) {
          tasks[task].body = &body;
          tasks[task].last_of_window = task + 1 == window ? &window_done : nullptr;
          strand.Submit(&tasks[task], SchedulerHint::UpToYou);
          outside_.Do();
        }
        window_done.Acquire();
        done += window;
      }
      ClientDone();
    });
  }
  done_.Wait();
  // A batch is counted before its tasks run.
  batches_ = strand.Read();
}

template <typename Lock>
void CriticalSections::RunLocked(executors::IExecutor& executor) {
  Lock lock;
  for (std::uint64_t i = 0; i < clients_; ++i) {
    Fibers::Go(executor, [this, &lock] {
      for (std::uint64_t section = 0; section < plan_.sections; ++section) {
        lock.Lock();
        Section();
        lock.Unlock();
        outside_.Do();
      }
      ClientDone();
    });
  }
  done_.Wait();
}

void CriticalSections::Section() noexcept {
  for (Line& line : data_) {
    ++line.sections;
  }
  critical_.Do();
}

void CriticalSections::ClientDone() noexcept {
  std::uint64_t expected = 0;
  first_done_at_.CompareExchange(expected, platform::NowNs(), memory_order_relaxed,
                                 memory_order_relaxed);
  done_.Done();
}

std::string CriticalSections::Verify() {
  const std::uint64_t expected = clients_ * plan_.sections;
  for (std::size_t i = 0; i < data_.size(); ++i) {
    if (data_[i].sections != expected) {
      return fmt::format("cache line {} of the shared data counted {} critical sections of {}", i,
                         data_[i].sections, expected);
    }
  }
  return "";
}

double CriticalSections::FirstDone() const noexcept {
  const std::uint64_t first = first_done_at_.Load(memory_order_relaxed);
  return end_ <= start_ ? 0
                        : static_cast<double>(first - start_) / static_cast<double>(end_ - start_);
}

}  // namespace schedbench::workloads

#include "platform/threads/thread.hpp"

#include "base/assert.hpp"
#include "base/atomic.hpp"
#include "base/attributes.hpp"
#include "base/spin_wait.hpp"
#include "platform/proc/cgroup.hpp"
#include "platform/proc/grant.hpp"
#include "platform/threads/allowed_cpus.hpp"
#include "platform/threads/mutex.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <limits>
#include <span>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace schedbench {

void YieldThread() noexcept {
  ::sched_yield();
}

namespace platform {

namespace {

constinit Atomic<IWorkerThreadWatcher*> watcher{nullptr};
// Threads started or about to start, and not joined yet. relaxed: a child of a fork reads only the
// count, and a thread is started after the schedulers that it uses were made.
constinit Atomic<std::uint32_t> threads_alive{0};
constinit bool lost_threads = false;  // set in a child of fork(), by its only thread
constinit thread_local bool is_worker = false;

constinit Atomic<bool> pins_workers{false};  // relaxed: set before the workers start
// Pinned workers whose names do not have a number. relaxed: the numbers only have to differ.
constinit Atomic<std::uint32_t> unnumbered{0};

constinit Mutex workers_mutex;
constinit WorkerScope* workers = nullptr;  // the newest; guarded by workers_mutex

constexpr std::uint32_t kNoNumber = ~std::uint32_t{0};

// Lets the calling thread run on one of its allowed CPUs only.
void PinToCpu(std::uint32_t number) noexcept {
  if (const std::vector<int> allowed = AllowedCpuNumbers(); !allowed.empty()) {
    RunOnlyOn(std::span(allowed).subspan(number % allowed.size(), 1));
  }
}

// Handles a fork: a worker's child would run the parent's tasks too.
void NoteFork() noexcept {
  lost_threads = threads_alive.Load(memory_order_relaxed) != 0;
  if (is_worker) {
    RefuseInChildOfFork();
  }
}

void NameThread(const std::string& name) noexcept {
  ::pthread_setname_np(::pthread_self(), name.substr(0, 15).c_str());
}

[[maybe_unused]] const int noted = ::pthread_atfork(nullptr, nullptr, &NoteFork);

}  // namespace

void WatchWorkerThreads(IWorkerThreadWatcher* now) noexcept {
  // release: pairs with the acquire in WorkerScope's constructor; the watcher is complete.
  watcher.Store(now, memory_order_release);
}

void PinWorkers() {
  if (const std::vector<int> allowed = AllowedCpuNumbers();
      allowed.empty() || !RunOnlyOn(allowed)) {
    throw std::runtime_error("sched_setaffinity: " + std::generic_category().message(errno) +
                             (errno == EINVAL ? "" : "    " + GrantSystemCalls()));
  }
  pins_workers.Store(true, memory_order_relaxed);
}

void RefuseInChildOfFork() noexcept {
  SB_ASSERT(!lost_threads,
            "a child of fork() uses fibers, but fork() copies no thread of its parent: fork before "
            "the first scheduler is made, or use posix_spawn");
}

WorkerScope::WorkerScope(const std::string& name)
    : number_(WorkerNumber(name).value_or(kNoNumber)),
      thread_(::gettid()) {
  threads_alive.FetchAdd(1, memory_order_relaxed);
  is_worker = true;
  NameThread(name);
  if (pins_workers.Load(memory_order_relaxed)) {
    PinToCpu(number_ != kNoNumber ? number_ : unnumbered.FetchAdd(1, memory_order_relaxed));
  }
  {
    const MutexLock lock(workers_mutex);
    next_ = workers;
    if (next_ != nullptr) {
      next_->previous_ = this;
    }
    workers = this;
  }
  // acquire: pairs with the release in WatchWorkerThreads().
  watcher_ = watcher.Load(memory_order_acquire);
  if (watcher_ != nullptr) {
    watcher_->OnBegin(name);
  }
}

WorkerScope::~WorkerScope() {
  if (watcher_ != nullptr) {
    watcher_->OnEnd();
  }
  {
    const MutexLock lock(workers_mutex);
    (previous_ == nullptr ? workers : previous_->next_) = next_;
    if (next_ != nullptr) {
      next_->previous_ = previous_;
    }
  }
  is_worker = false;
  threads_alive.FetchSub(1, memory_order_relaxed);
}

std::vector<LiveWorker> LiveWorkers() {
  std::size_t count = 0;
  {
    const MutexLock lock(workers_mutex);
    for (const WorkerScope* worker = workers; worker != nullptr; worker = worker->next_) {
      ++count;
    }
  }
  // Outside of the lock: a thread without memory stops forever. New workers may be missing.
  std::vector<LiveWorker> live;
  live.reserve(count);
  const MutexLock lock(workers_mutex);
  for (const WorkerScope* worker = workers; worker != nullptr; worker = worker->next_) {
    if (worker->number_ != kNoNumber && live.size() < count) {
      live.push_back({.number = worker->number_, .thread = worker->thread_});
    }
  }
  return live;
}

Thread::Thread(std::string name, std::function<void()> body, ThreadRole role) {
  RefuseInChildOfFork();
  // The thread is counted before it starts, because it may fork at once.
  threads_alive.FetchAdd(1, memory_order_relaxed);
  try {
    thread_ = std::thread([name = std::move(name), body = std::move(body), role] {
      if (role == ThreadRole::kWorker) {
        const WorkerScope worker(name);
        body();
      } else {
        NameThread(name);
        const SignalStack stack;
        body();
      }
    });
  } catch (const std::system_error& error) {
    threads_alive.FetchSub(1, memory_order_relaxed);
    // The C library tries clone(2) only if clone3(2) does not exist.
    const bool is_filtered = error.code() == std::errc::operation_not_permitted;
    throw std::runtime_error(
        "cannot start a thread: " + std::string(error.what()) +
        (is_filtered
             ? " (a seccomp filter must refuse clone3 with ENOSYS; Docker does since 20.10.10)"
             : " (limits: ulimit -u, ulimit -v, cgroup pids.max, "
               "kernel.threads-max, kernel.pid_max)"));
  }
}

ForeignWorker::ForeignWorker() noexcept {
  // acquire: pairs with the release in WatchWorkerThreads().
  watcher_ = is_worker ? nullptr : watcher.Load(memory_order_acquire);
  if (watcher_ != nullptr) {
    watcher_->OnBegin(ThreadName().data());
  }
}

ForeignWorker::~ForeignWorker() {
  // A thread that its scheduler does not join may outlive the watcher. relaxed: only compared.
  if (watcher_ != nullptr && watcher_ == watcher.Load(memory_order_relaxed)) {
    watcher_->OnEnd();
  }
}

Thread::~Thread() {
  if (thread_.joinable()) {
    Join();
  }
}

void Thread::Join() {
  RefuseInChildOfFork();
  thread_.join();
  threads_alive.FetchSub(1, memory_order_relaxed);
}

std::optional<std::uint32_t> WorkerNumber(std::string_view name) noexcept {
  const std::size_t begin = name.find_last_not_of("0123456789") + 1;
  std::uint32_t number = 0;
  const auto read = std::from_chars(name.data() + begin, name.data() + name.size(), number);
  return read.ec == std::errc() ? std::optional(number) : std::nullopt;
}

std::array<char, 16> ThreadName() noexcept {
  std::array<char, 16> name{};
  ::prctl(PR_GET_NAME, name.data());
  return name;
}

// It is not inlined: a caller must not keep the address of its thread_local over a switch.
SB_NOINLINE SB_NO_TSAN std::uint64_t ThreadNumber() noexcept {
  static constinit Atomic<std::uint64_t> threads{0};  // relaxed: the numbers only have to differ
  static constinit thread_local std::uint64_t number = 0;
  asm volatile("" ::: "memory");
  if (number == 0) {
    number = threads.FetchAdd(1, memory_order_relaxed) + 1;
  }
  return number;
}

void SetTimerSlack(std::uint64_t ns) noexcept {
  ::prctl(PR_SET_TIMERSLACK, ns);
}

std::uint32_t AllowedCpus() noexcept {
  const std::size_t allowed = AllowedCpuNumbers().size();
  return allowed != 0 ? static_cast<std::uint32_t>(allowed)
                      : std::max(std::thread::hardware_concurrency(), 1U);
}

std::uint32_t AvailableCpus() {
  static const auto paid = [] {
    const auto limit = ReadCpuLimit(MachineFiles());
    constexpr double kMost = std::numeric_limits<std::uint32_t>::max();
    return static_cast<std::uint32_t>(
        std::ceil(std::min(limit ? limit->cpus.value_or(kMost) : kMost, kMost)));
  }();
  return std::min(paid, AllowedCpus());
}

}  // namespace platform
}  // namespace schedbench

#include "schedulers/machines/machines.hpp"

#include "base/failure.hpp"
#include "executors/scheduler_side.hpp"
#include "platform/threads/futex.hpp"
#include "platform/threads/this_thread.hpp"
#include "platform/time/clock.hpp"

#include <algorithm>
#include <exception>
#include <new>
#include <utility>

namespace schedbench::schedulers {

namespace {

// Sleeps until `word` is not `seen` any more. False: the time was over before.
bool SleepWhile(const Atomic<std::uint32_t>& word, std::uint32_t seen,
                std::chrono::nanoseconds limit) noexcept {
  const std::uint64_t deadline = platform::NowNs() + static_cast<std::uint64_t>(limit.count());
  // relaxed: what was written before is read under the lock.
  while (word.Load(memory_order_relaxed) == seen) {
    const std::uint64_t now = platform::NowNs();
    if (now >= deadline ||
        !platform::FutexWaitFor(word, seen, std::chrono::nanoseconds(deadline - now))) {
      return word.Load(memory_order_relaxed) != seen;  // relaxed: read under the lock afterwards
    }
  }
  return true;
}

}  // namespace

Machines::Machines(executors::IExecutor& executor, IMachineOwner& owner, Options options,
                   IEventWait* events)
    : executor_(executor),
      owner_(owner),
      options_(std::move(options)),
      events_(events) {
  // A thread of a pool of usual size then allocates nothing when it becomes idle.
  constexpr std::size_t kUsual = 64;
  idle_.reserve(kUsual);
  waiting_.reserve(kUsual);
}

Machines::~Machines() {
  while (Machine* const machine = ended_.TryPopFront()) {
    delete machine;
  }
}

Machine* Machines::NewMachine(std::uint32_t worker) noexcept {
  if (threads_ >= options_.max_threads) {
    return nullptr;
  }
  // Takes the one that ended first, whose thread is the likeliest to be gone: Start() joins it.
  Machine* machine = ended_.TryPopFront();
  if (machine == nullptr) {
    machine = new (std::nothrow) Machine(executor_, owner_);
    if (machine == nullptr) {
      FailRun("no memory for another thread", FailureKind::kLimit);
    }
  }
  machine->next_worker_ = worker;
  peak_ = std::max<std::uint64_t>(peak_, ++threads_);
  live_.Add();
  ++started_;
  return machine;
}

void Machines::Start(Machine& machine) {
  // The machine's last thread may still be ending, or its starter may not have stored it yet.
  const platform::MutexLock lock(machine.starting_);
  machine.thread_.reset();
  machine.thread_.emplace(
      options_.name, [this, &machine] { Main(machine); }, platform::ThreadRole::kWorker);
}

void Machines::RunFirst(std::uint32_t worker) {
  Machine* machine = nullptr;
  {
    const platform::MutexLock lock(mutex_);
    machine = NewMachine(worker);
  }
  try {
    Start(*machine);
  } catch (...) {
    const platform::MutexLock lock(mutex_);
    --threads_;
    live_.TakeBack();
    --started_;
    ended_.PushBack(machine);
    throw;
  }
}

void Machines::Run(std::uint32_t worker) noexcept {
  Machine* to_start = nullptr;
  {
    const platform::MutexLock lock(mutex_);
    if (TryGiveToIdle(worker)) {
      return;
    }
    to_start = NewMachine(worker);
    if (to_start == nullptr) {
      waiting_.push_back(worker);
      return;
    }
  }
  try {
    Start(*to_start);
  } catch (const std::exception& error) {
    const platform::MutexLock lock(mutex_);
    --threads_;
    live_.TakeBack();
    --started_;
    ended_.PushBack(to_start);
    if (threads_ == 0) {
      FailRun(error.what(), FailureKind::kLimit);
    }
    // A thread may have become idle in the meantime, and would not look again.
    if (!TryGiveToIdle(worker)) {
      waiting_.push_back(worker);
    }
  }
}

// Requires: mutex_ is held.
bool Machines::TryGiveToIdle(std::uint32_t worker) noexcept {
  if (!idle_.empty()) {
    Machine& machine = *idle_.back();
    idle_.pop_back();
    machine.is_idle_ = false;
    machine.next_worker_ = worker;
    machine.wakeups_.Store(machine.wakeups_.Load(memory_order_relaxed) + 1, memory_order_relaxed);
    platform::FutexWake(machine.wakeups_, 1);
    return true;
  }
  if (event_waiter_ != nullptr && !event_waiter_->next_worker_) {
    event_waiter_->next_worker_ = worker;
    events_->Break();
    return true;
  }
  return false;
}

std::optional<std::uint32_t> Machines::NextWorker(Machine& machine) noexcept {
  mutex_.Lock();
  for (;;) {
    if (machine.next_worker_) {
      const auto worker = std::exchange(machine.next_worker_, std::nullopt);
      mutex_.Unlock();
      return worker;
    }
    if (!waiting_.empty()) {
      const std::uint32_t worker = waiting_.back();
      waiting_.pop_back();
      StopIdling(machine);  // WaitForEvents() may have made it idle
      mutex_.Unlock();
      return worker;
    }
    if (ends_) {
      StopIdling(machine);
      Leave(machine);
      return std::nullopt;
    }
    auto begun = IEventWait::Begun::kNothing;
    if (events_ != nullptr && event_waiter_ == nullptr) {
      begun = events_->TryBegin();
      if (begun == IEventWait::Begun::kYes) {
        WaitForEvents(machine);
        continue;
      }
    }
    BecomeIdle(machine);
    const std::uint32_t seen = machine.wakeups_.Load(memory_order_relaxed);
    mutex_.Unlock();
    const bool woken = SleepWhile(machine.wakeups_, seen, options_.keep_alive);
    if (begun == IEventWait::Begun::kByAnother) {
      events_->EndAbsence();
    }
    mutex_.Lock();
    if (!woken && machine.is_idle_) {
      StopIdling(machine);
      Leave(machine);
      return std::nullopt;
    }
  }
}

// Requires: mutex_ is held; also afterwards.
void Machines::BecomeIdle(Machine& machine) noexcept {
  if (!machine.is_idle_) {
    machine.is_idle_ = true;
    idle_.push_back(&machine);
  }
}

// Requires: mutex_ is held.
void Machines::StopIdling(Machine& machine) noexcept {
  if (machine.is_idle_) {
    machine.is_idle_ = false;
    idle_.erase(std::ranges::find(idle_, &machine));
  }
}

// Requires: mutex_ is held, and the thread has begun to wait for events. Unlocks it to wait.
void Machines::WaitForEvents(Machine& machine) noexcept {
  StopIdling(machine);
  event_waiter_ = &machine;
  mutex_.Unlock();
  events_->Wait();
  mutex_.Lock();
  event_waiter_ = nullptr;
  // Idle before End(): a worker that is woken for the events comes here, not to a new thread.
  if (!machine.next_worker_) {
    BecomeIdle(machine);
  }
  mutex_.Unlock();
  events_->End();
  mutex_.Lock();
}

void Machines::Leave(Machine& machine) noexcept {
  --threads_;
  live_.TakeBack();
  ended_.PushBack(&machine);
  left_.NotifyAll();
  mutex_.Unlock();
}

void Machines::Main(Machine& machine) noexcept {
  // To tsan-strict nothing orders this thread after its starter, which was in a scheduler too.
  executors::SchedulerSide::Enter();
  machine.thread_number_ = platform::KernelThreadId();
  machine.has_seed = false;
  executors::SchedulerSide::Leave();
  for (;;) {
    std::optional<std::uint32_t> worker;
    {
      const executors::SchedulerSide side;
      worker = NextWorker(machine);
    }
    if (!worker) {
      return;
    }
    owner_.Serve(*worker, machine);
  }
}

void Machines::End() noexcept {
  const platform::MutexLock lock(mutex_);
  ends_ = true;
  for (Machine* const machine : idle_) {
    machine->is_idle_ = false;
    machine->wakeups_.Store(machine->wakeups_.Load(memory_order_relaxed) + 1, memory_order_relaxed);
    platform::FutexWake(machine->wakeups_, 1);
  }
  idle_.clear();
  if (event_waiter_ != nullptr) {
    events_->Break();
  }
}

void Machines::Join() noexcept {
  mutex_.Lock();
  while (!ends_ || threads_ > 0) {
    left_.Wait(mutex_);
  }
  IntrusiveList<Machine> ended = std::move(ended_);
  mutex_.Unlock();
  while (Machine* const machine = ended.TryPopFront()) {
    {
      const platform::MutexLock lock(machine->starting_);
      machine->thread_.reset();
    }
    delete machine;
  }
}

Machines::Counts Machines::Count() noexcept {
  const platform::MutexLock lock(mutex_);
  return {.started = started_, .peak = peak_, .threads = threads_, .idle = idle_.size()};
}

}  // namespace schedbench::schedulers

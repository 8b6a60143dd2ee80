#include "simulation/machine/machine.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <new>

namespace sim_scaling {

using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

namespace {

// The value that a jump carries: the left thread, or kHost for the caller of Run().
constexpr std::uintptr_t kHost = Machine::kMaxThreads;

}  // namespace

Machine& Machine::Instance() noexcept {
  static Machine* const machine = new (std::malloc(sizeof(Machine))) Machine;
  return *machine;
}

void Machine::Fail(const char* message) noexcept {
  std::fprintf(stderr, "error: on the simulated machine: %s\n", message);
  std::_Exit(4);
}

void Machine::Run(const Costs& costs, const std::function<void()>& body) {
  costs_ = costs;
  distances_ = {.near = Ticks(costs.transfer),
                .far = Ticks(costs.transfer * costs.far),
                .read = Ticks(costs.readers_queue),
                .cluster = static_cast<unsigned>(costs.cluster)};
  heavy_fence_ends_ = 0;
  memory_.Reset();
  order_.Clear();
  stack_turns_.Clear();
  for (Thread& thread : threads_) {
    thread = {};
  }
  started_ = 1;
  current_ = 0;
  waits_so_far_ = 0;
  std::function<void()> first = body;
  Prepare(0, &first);
  ResetTimes();
  running_ = true;
  jump_fcontext(threads_[0].context, reinterpret_cast<void*>(kHost));
  running_ = false;
}

void Machine::Prepare(unsigned index, std::function<void()>* body) {
  Thread& thread = threads_[index];
  thread.context = make_fcontext(memory_.ThreadStack(index) + Memory::kThreadStackBytes,
                                 Memory::kThreadStackBytes, &Machine::Enter);
  thread.state = State::kReady;
  thread.body = body;
}

void Machine::Enter(transfer_t transfer) {
  Machine& machine = Instance();
  const auto from = reinterpret_cast<std::uintptr_t>(transfer.data);
  (from == kHost ? machine.host_ : machine.threads_[from].context) = transfer.fctx;
  (*machine.Self().body)();
  machine.Finish();
}

void Machine::SwitchTo(unsigned next) {
  const std::uintptr_t own = std::exchange(current_, next);
  order_.Set(next, ClockOrder::kNever);
  Thread& thread = Self();
  if (thread.state != State::kReady) {  // its limit has passed
    thread.timed_out = true;
    Unblock(thread, thread.clock);
    order_.Set(next, ClockOrder::kNever);
  }
  if (next == own) {
    return;
  }
  const transfer_t transfer = jump_fcontext(thread.context, reinterpret_cast<void*>(own));
  threads_[reinterpret_cast<std::uintptr_t>(transfer.data)].context = transfer.fctx;
}

void Machine::Synchronize() {
  const Time now = Self().clock;
  if (order_.FirstTime() < now) {
    order_.Set(current_, now);
    SwitchTo(order_.First());
  }
}

void Machine::Block(State state, Time wakes_at) {
  Thread& self = Self();
  self.state = state;
  self.blocked_at = self.clock;
  self.timed_out = false;
  if (wakes_at != ClockOrder::kNever) {
    self.clock = wakes_at;
  }
  order_.Set(current_, wakes_at);
  if (order_.FirstTime() == ClockOrder::kNever) {
    Fail("all threads wait for each other");
  }
  SwitchTo(order_.First());
}

void Machine::Unblock(Thread& thread, Time at) {
  thread.state = State::kReady;
  thread.clock = std::max(thread.blocked_at, at);
  thread.times[kIdle] += thread.clock - thread.blocked_at;
  order_.Set(static_cast<unsigned>(&thread - threads_.data()), thread.clock);
}

void Machine::Finish() {
  Thread& self = Self();
  if (current_ != 0) {
    delete std::exchange(self.body, nullptr);  // other threads may run now
  }
  self.state = State::kFinished;
  if (current_ == 0) {
    jump_fcontext(host_, nullptr);
  }
  for (unsigned i = 0; i < started_; ++i) {
    if (threads_[i].state == State::kJoin && threads_[i].joins == current_) {
      Unblock(threads_[i], self.clock);
    }
  }
  if (order_.FirstTime() == ClockOrder::kNever) {
    Fail("all threads wait for each other");
  }
  SwitchTo(order_.First());
}

unsigned Machine::StartThread(std::function<void()> body) {
  if (started_ == kMaxThreads) {
    Fail("too many threads");
  }
  const unsigned index = started_++;
  Prepare(index, new std::function<void()>(std::move(body)));
  threads_[index].clock = Self().clock;
  order_.Set(index, Self().clock);
  return index;
}

void Machine::JoinThread(unsigned thread) {
  Synchronize();
  if (threads_[thread].state != State::kFinished) {
    Self().joins = thread;
    Block(State::kJoin, ClockOrder::kNever);
  }
}

// ---- Memory ----

void Machine::Lose(Thread& thread, Time time, const Place& where) noexcept {
  thread.clock += time;
  thread.times[thread.searching ? kSearch : kTransfer] += time;
  const std::size_t hash = reinterpret_cast<std::uintptr_t>(where.file_name()) * 31 + where.line();
  for (std::size_t i = hash % kPlaces;; i = (i + 1) % kPlaces) {
    Wait& wait = waits_[i];
    if (wait.file == nullptr) {
      wait = {.file = where.file_name(), .line = where.line(), .time = 0};
    }
    if (wait.file == where.file_name() && wait.line == where.line()) {
      wait.time += time;
      return;
    }
  }
}

void Machine::Read(const void* address, const Place& where) {
  if (!running_) {
    return;
  }
  Synchronize();
  if (memory_.Contains(address)) {
    WaitUntil(memory_.LineOf(address).Read(Core(), Self().clock, distances_), where);
  }
  Spend(Ticks(costs_.hit));
}

void Machine::Write(const void* address, const Place& /*where*/) {
  if (!running_) {
    return;
  }
  Synchronize();
  Spend(Ticks(costs_.hit));
  if (memory_.Contains(address)) {
    Thread& self = Self();
    self.stores_done =
        std::max(self.stores_done, memory_.LineOf(address).Write(Core(), self.clock, distances_));
  }
}

void Machine::Modify(const void* address, const Place& where) {
  if (!running_) {
    return;
  }
  Synchronize();
  WaitForStores(where);
  if (memory_.Contains(address)) {
    WaitUntil(memory_.LineOf(address).Write(Core(), Self().clock, distances_), where);
  }
  Spend(Ticks(costs_.locked));
}

void Machine::Fence(const Place& where) {
  if (!running_) {
    return;
  }
  WaitForStores(where);
  Spend(Ticks(costs_.fence));
}

void Machine::HeavyFence(const Place& where) {
  if (!running_) {
    return;
  }
  WaitForStores(where);
  Synchronize();
  while (heavy_fence_ends_ > Self().clock) {
    WaitUntil(heavy_fence_ends_, where);
    Synchronize();  // another thread may have been faster
  }
  double ns = costs_.heavy_fence - costs_.interrupt_core;
  for (unsigned i = 0; i < started_; ++i) {
    if (i != current_ && threads_[i].state == State::kReady) {
      ns += costs_.interrupt_core;
      Lose(threads_[i], Ticks(costs_.interrupt), where);
      order_.Set(i, threads_[i].clock);
    }
  }
  Spend(Ticks(std::max(ns, costs_.call)));
  heavy_fence_ends_ = Self().clock;
}

void Machine::Touch(const void* begin, std::size_t bytes, Access access, const Place& where) {
  if (!running_ || !memory_.Contains(begin)) {
    return;
  }
  Synchronize();
  Thread& self = Self();
  Time end = self.clock;
  const char* const first = static_cast<const char*>(begin);
  for (const char* line = first - reinterpret_cast<std::uintptr_t>(first) % kLineBytes;
       line < first + bytes; line += kLineBytes) {
    end = std::max(end, memory_.LineOf(line).Write(Core(), self.clock, distances_));
  }
  if (access == Access::kStore) {
    self.stores_done = std::max(self.stores_done, end);
  } else {
    WaitUntil(end, where);
  }
}

void Machine::TouchBlock(const void* block, Access access, const Place& where) {
  if (running_ && memory_.Contains(block)) {
    Touch(block, memory_.SizeOf(block), access, where);
  }
}

double Machine::BeginTurn(const void* stack) noexcept {
  if (!running_ || !memory_.Contains(stack)) {
    return 0;
  }
  return costs_.ResumeNs(stack_turns_.Use(memory_.FiberStackOf(stack), current_, ++Self().turns));
}

void* Machine::Allocate(std::size_t bytes, std::size_t alignment) {
  const void* shared = nullptr;
  void* const block = memory_.Allocate(current_, bytes, alignment, shared);
  if (block == nullptr) {
    Fail("the heap of a core is full; run a smaller workload");
  }
  if (shared != nullptr) {
    Modify(shared, Place::current());
  }
  return block;
}

bool Machine::Free(void* block) {
  if (!memory_.Contains(block)) {
    return false;
  }
  const void* shared = nullptr;
  if (running_) {
    memory_.Free(current_, block, shared);
  }
  if (shared != nullptr) {
    Modify(shared, Place::current());
  }
  return true;
}

// ---- The system ----

void Machine::YieldCpu() {
  Work(costs_.call);
}

std::uint64_t Machine::NowNs() {
  Work(costs_.clock);
  return Self().clock / 1000;
}

bool Machine::FutexWait(const void* address, std::uint32_t word, std::uint32_t expected,
                        std::uint64_t limit_ns) {
  if (word != expected) {
    Spend(Ticks(costs_.call));
    return true;
  }
  Thread& self = Self();
  self.waits_for = address;
  self.wait_order = waits_so_far_++;
  Spend(Ticks(costs_.call));
  Block(State::kFutex, limit_ns == kNoLimit ? ClockOrder::kNever : self.clock + limit_ns * 1000);
  return !self.timed_out;
}

void Machine::SleepUntil(std::uint64_t ns) {
  const std::uint64_t now = NowNs();
  if (ns > now) {
    FutexWait(&costs_, 0, 0, ns - now);  // no thread wakes it
  }
}

void Machine::FutexWake(const void* address, std::uint32_t count) {
  Synchronize();
  std::uint32_t woken = 0;
  for (; woken < count; ++woken) {
    Thread* oldest = nullptr;
    for (unsigned i = 0; i < started_; ++i) {
      Thread& thread = threads_[i];
      if (thread.state == State::kFutex && thread.waits_for == address &&
          (oldest == nullptr || thread.wait_order < oldest->wait_order)) {
        oldest = &thread;
      }
    }
    if (oldest == nullptr) {
      break;
    }
    Unblock(*oldest, Self().clock + Ticks(costs_.wake_latency));
    Spend(Ticks(costs_.wake));
  }
  if (woken == 0) {
    Spend(Ticks(costs_.call));
  }
}

// ---- Times ----

void Machine::ResetTimes() noexcept {
  waits_ = {};
  for (Thread& thread : threads_) {
    thread.times = {};
    if (thread.state == State::kFutex) {
      thread.blocked_at = std::max(thread.blocked_at, Self().clock);
    }
  }
}

std::array<Time, Machine::kUses> Machine::Times() noexcept {
  std::array<Time, kUses> sum{};
  for (unsigned i = 0; i < started_; ++i) {
    Thread& thread = threads_[i];
    for (unsigned use = 0; use < kUses; ++use) {
      sum[use] += i == 0 && use == kIdle ? 0 : thread.times[use];
    }
    if (i != 0 && thread.state == State::kFutex && thread.blocked_at < Self().clock) {
      sum[kIdle] += Self().clock - thread.blocked_at;
    }
  }
  return sum;
}

}  // namespace sim_scaling

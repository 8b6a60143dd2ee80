// What one thread has to pay for an operation of the rows of `make compare-peers`, and of the
// workload echo, with the atomic operations that it needs because other threads could take part,
// and without all else: no thief, no wake-up, no counters, no bound on fairness. A scheduler cannot
// be faster with one worker unless it does without one of the parts that a line names. Usage:
// bench_floors [--format json]
#include "base/atomic.hpp"
#include "tests/bench/floor_ring.hpp"
#include "tests/bench/floor_sockets.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <memory>
#include <string_view>
#include <vector>

namespace schedbench::tests {

namespace {

constexpr int kRepeats = 5;

struct Job {
  void (*run)(Job& job);
};

// The owner's part of a deque that it publishes when a thief asks for it, as in src/fibers/fork.
class Forks {
 public:
  SB_ALWAYS_INLINE void Push(Job& job) noexcept {
    slots_[head_++ % slots_.size()] = &job;
    if (is_asked_.Load(memory_order_relaxed)) [[unlikely]] {  // relaxed: a wish
      split_ = head_;
    }
    asm volatile("" : : : "memory");  // a thief could read all of it
  }

  SB_ALWAYS_INLINE bool Pop() noexcept {
    if (head_ == split_) [[unlikely]] {
      return false;
    }
    --head_;
    return true;
  }

 private:
  std::uint64_t head_ = 0;
  std::uint64_t split_ = 0;
  Atomic<bool> is_asked_{false};
  std::array<Job*, 4096> slots_{};
};

// fib: one fork per call.
struct FibJob : Job {
  int n;
};

SB_NOINLINE std::uint64_t Fib(Forks& forks, int n) {
  if (n < 2) {
    return static_cast<std::uint64_t>(n);
  }
  FibJob job{{nullptr}, n - 1};
  forks.Push(job);
  const std::uint64_t second = Fib(forks, n - 2);
  return forks.Pop() ? Fib(forks, job.n) + second : 0;
}

std::uint64_t ForkFib(std::uint64_t /*operations*/) {
  constexpr int kNumber = 27;
  constexpr std::uint64_t kForks = 317'810;  // Fibonacci(kNumber + 1) - 1
  Forks forks;
  volatile std::uint64_t number = Fib(forks, kNumber);
  static_cast<void>(number);
  return kForks;
}

// skynet: the calls of a tree, nine of ten forked.
struct SkynetJob : Job {
  std::uint64_t first;
  std::uint64_t leaves;
};

SB_NOINLINE std::uint64_t Skynet(Forks& forks, std::uint64_t first, std::uint64_t leaves) {
  if (leaves == 1) {
    return first;
  }
  constexpr std::uint64_t kChildren = 10;
  const std::uint64_t below = leaves / kChildren;
  std::array<SkynetJob, kChildren - 1> jobs;
  for (SkynetJob& job : jobs) {
    job = {{nullptr}, first, below};
    forks.Push(job);
    first += below;
  }
  std::uint64_t sum = Skynet(forks, first, below);
  for (std::size_t i = jobs.size(); i-- > 0 && forks.Pop();) {
    sum += Skynet(forks, jobs[i].first, jobs[i].leaves);
  }
  return sum;
}

std::uint64_t ForkSkynet(std::uint64_t /*operations*/) {
  Forks forks;
  volatile std::uint64_t sum = Skynet(forks, 0, 100'000);
  static_cast<void>(sum);
  return 111'111;
}

// nqueens: the search of the workload, with a fork for each queen but the last of a row.
constexpr std::uint8_t kQueens = 14;

struct QueenJob : Job {
  std::array<std::uint8_t, 16> columns;
};

SB_NOINLINE std::uint64_t Queens(Forks& forks, const std::array<std::uint8_t, 16>& columns,
                                 std::uint8_t rows, std::uint64_t& placements) {
  if (rows == kQueens) {
    return 1;
  }
  std::array<QueenJob, 16> jobs;
  std::size_t count = 0;
  for (std::uint8_t column = 0; column < kQueens; ++column) {
    bool holds = true;
    for (int row = 0; row < rows && holds; ++row) {
      const int apart = columns[static_cast<std::size_t>(row)] - column;
      holds = apart != 0 && apart != rows - row && apart != row - rows;
    }
    if (holds) {
      QueenJob& job = jobs[count++];
      job.columns = columns;
      job.columns[rows] = column;
    }
  }
  placements += count;
  for (std::size_t i = 0; i + 1 < count; ++i) {
    forks.Push(jobs[i]);
  }
  std::uint64_t solutions = 0;
  for (std::size_t i = count; i-- > 0;) {
    if (i + 1 == count || forks.Pop()) {
      solutions += Queens(forks, jobs[i].columns, static_cast<std::uint8_t>(rows + 1), placements);
    }
  }
  return solutions;
}

std::uint64_t ForkQueens(std::uint64_t /*operations*/) {
  Forks forks;
  std::uint64_t placements = 0;
  volatile std::uint64_t solutions = Queens(forks, {}, 0, placements);
  static_cast<void>(solutions);
  return placements;
}

// A task of 128 bytes, a fiber that never suspends: it is allocated and freed.
struct Task : Job {
  Task* next = nullptr;
  std::array<std::byte, 112> closure;
};

constexpr std::uint64_t kBatch = 256;  // tasks that wait at the same time, as in a local queue

void RunAndFree(Job* job) {
  asm volatile("" : "+r"(job) : : "memory");  // a thief could have changed it
  job->run(*job);
  delete static_cast<Task*>(job);
}

std::uint64_t ran = 0;

Task* MakeTask() {
  auto* const task = new Task;
  task->run = [](Job& /*job*/) { ++ran; };
  return task;
}

// `joins`: each task counts itself down. A chain, which does not, is measured in batches too: where
// each block is freed before the next one is allocated, mimalloc takes its slow path, which a
// scheduler can avoid.
template <bool joins>
std::uint64_t Spawn(std::uint64_t tasks) {
  static std::array<Job*, kBatch> queue;
  Atomic<std::uint64_t> left{tasks};
  for (std::uint64_t done = 0; done < tasks; done += kBatch) {
    for (std::uint64_t i = 0; i < kBatch; ++i) {
      queue[i] = MakeTask();
      asm volatile("" : : : "memory");  // as above
    }
    for (std::uint64_t i = 0; i < kBatch; ++i) {
      RunAndFree(queue[i]);
      if constexpr (joins) {
        left.FetchSub(1, memory_order_release);  // release: pairs with the thread that joins
      }
    }
  }
  return tasks;
}

std::uint64_t SpawnJoin(std::uint64_t tasks) {
  return Spawn<true>(tasks);
}

std::uint64_t ChainedSpawn(std::uint64_t tasks) {
  return Spawn<false>(tasks);
}

std::uint64_t ExternalSpawn(std::uint64_t tasks) {
  Atomic<Task*> newest{nullptr};
  Atomic<std::uint64_t> left{tasks};
  for (std::uint64_t done = 0; done < tasks; done += kBatch) {
    for (std::uint64_t i = 0; i < kBatch; ++i) {
      Task* const task = MakeTask();
      // acq_rel: pairs with the other submitters and with the worker that takes all.
      task->next = newest.Exchange(task, memory_order_acq_rel);
    }
    // acquire: pairs with the submitters.
    for (Task* task = newest.Exchange(nullptr, memory_order_acquire); task != nullptr;) {
      Task* const next = task->next;
      RunAndFree(task);
      left.FetchSub(1, memory_order_release);  // release: pairs with the thread that joins
      task = next;
    }
  }
  return tasks;
}

// A turn of a fiber: what it does, a push of itself, a pop of the next one, a switch to it.
template <int kOperationsOnChannels, std::size_t kStacks>
std::uint64_t Turns(std::uint64_t turns) {
  static FloorRing<kOperationsOnChannels> ring(kStacks);
  return ring.Run(turns);
}

// A round trip is two turns; in each, a fiber sends and receives.
template <std::size_t kStacks>
std::uint64_t RoundTrips(std::uint64_t round_trips) {
  return Turns<2, kStacks>(2 * round_trips) / 2;
}

std::uint64_t LockAndUnlock(std::uint64_t sections) {
  Atomic<std::uint64_t> state{0};
  for (std::uint64_t i = 0; i < sections; ++i) {
    // acquire: pairs with the unlock of another thread.
    if (state.Exchange(1, memory_order_acquire) == 0) {
      ++ran;
    }
    state.Exchange(0, memory_order_release);  // release: pairs with the lock; returns the waiters
  }
  return sections;
}

std::uint64_t SendAndReceive(std::uint64_t messages) {
  constexpr std::uint64_t kCapacity = 64;
  static std::array<volatile std::uint64_t, kCapacity> ring;
  Atomic<std::uint64_t> sent{0};
  Atomic<std::uint64_t> received{0};
  for (std::uint64_t done = 0; done < messages; done += kCapacity) {
    for (std::uint64_t i = 0; i < kCapacity; ++i) {
      // acq_rel: pairs with the receivers, and with the other senders.
      ring[sent.FetchAdd(1, memory_order_acq_rel) % kCapacity] = i;
    }
    for (std::uint64_t i = 0; i < kCapacity; ++i) {
      // acq_rel: pairs with the senders, and with the other receivers.
      ran += ring[received.FetchAdd(1, memory_order_acq_rel) % kCapacity];
    }
  }
  return messages;
}

template <bool polls, bool tries, std::size_t batch>
std::uint64_t Echo(std::uint64_t round_trips) {
  static FloorSockets sockets(polls, tries, batch);
  return sockets.Run(round_trips);
}

struct Floor {
  std::string_view name;                           // of a row of schedulers/peers/table/rows.py
  std::uint64_t (*run)(std::uint64_t operations);  // returns how many it did
  std::uint64_t operations;
  std::string_view includes;
  int repeats = kRepeats;
};

constexpr std::uint64_t kOperations = 1024 * 1024;  // some milliseconds

constexpr std::array kFloors{
    Floor{"fib", &ForkFib, 0, "the calls; push and pop of a descriptor, without a fence"},
    Floor{"skynet", &ForkSkynet, 0, "the calls; push and pop of nine of ten descriptors"},
    Floor{"nqueens", &ForkQueens, 0, "the search; push and pop of a descriptor", 1},
    Floor{"spawn_join", &SpawnJoin, kOperations,
          "allocate, push, pop, run, free; an atomic decrement for the join"},
    Floor{"chained_spawn", &ChainedSpawn, kOperations, "allocate, push, pop, run, free"},
    Floor{"external_spawn", &ExternalSpawn, kOperations,
          "spawn_join, with an atomic exchange as the push"},
    Floor{"pingpong", &RoundTrips<2>, kOperations,
          "two switches, two pushes and pops; an atomic exchange for each of two sends and two "
          "receives"},
    Floor{"pingpong_100", &RoundTrips<200>, kOperations, "the same over 200 stacks"},
    Floor{"yield", &Turns<0, 1000>, kOperations, "push, pop, a switch; over 1,000 stacks"},
    Floor{"mutex", &LockAndUnlock, kOperations, "an atomic exchange to lock, one to unlock"},
    Floor{"channel_mpmc", &SendAndReceive, kOperations,
          "an atomic addition to send, one to receive; no switch"},
    Floor{"echo", &Echo<false, false, 1>, 8192, "two sends, two receives; no poll and no switch"},
    Floor{"echo_epoll", &Echo<true, false, 1>, 8192, "the same, and the events of epoll"},
    Floor{"echo_epoll_tries", &Echo<true, true, 1>, 8192,
          "the same, and two receives that find nothing"},
    Floor{"echo_batches_2", &Echo<true, false, 2>, 8192,
          "echo_epoll, with two sends or receives by one system call (io_uring)"},
    Floor{"echo_batches_8", &Echo<true, false, 8>, 8192, "the same with 8"},
    Floor{"echo_batches_32", &Echo<true, false, 32>, 8192, "the same with 32"}};

// By the CPU time of this thread, so that other programs disturb little.
double MeasureNs(const Floor& floor) {
  constexpr double kNsPerTick = 1e9 / CLOCKS_PER_SEC;
  std::vector<double> ns;
  for (int repeat = 0; repeat < floor.repeats; ++repeat) {
    const std::clock_t start = std::clock();
    const std::uint64_t operations = floor.run(floor.operations);
    const auto ticks = static_cast<double>(std::clock() - start);
    ns.push_back(ticks * kNsPerTick / static_cast<double>(operations));
  }
  std::ranges::nth_element(ns, ns.begin() + floor.repeats / 2);
  return ns[static_cast<std::size_t>(floor.repeats / 2)];
}

}  // namespace

}  // namespace schedbench::tests

int main(int argc, char** argv) {
  using namespace schedbench::tests;
  const std::vector<std::string_view> arguments(argv + 1, argv + argc);
  const bool is_json = arguments == std::vector<std::string_view>{"--format", "json"};
  if (!is_json && !arguments.empty()) {
    fmt::print(stderr, "error: usage: bench_floors [--format json]\n");
    return 2;
  }
  for (const Floor& floor : kFloors) {
    const double ns = MeasureNs(floor);
    if (!std::isfinite(ns)) {
      continue;  // the kernel refuses what it needs
    }
    if (is_json) {
      fmt::print("{{\"floor\":\"{}\",\"ns\":{:.3f},\"includes\":\"{}\"}}\n", floor.name, ns,
                 floor.includes);
    } else {
      fmt::print("{:<16} {:8.1f} ns   {}\n", floor.name, ns, floor.includes);
    }
  }
}

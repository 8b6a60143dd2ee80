// How fast the queues are, each model in each role. "Time" is wall time per task; a thief's work
// shows in tasks/s. Thieves and producers are threads, and take CPUs from each other where there
// are more of them than CPUs.

#include "base/cache_line.hpp"
#include "base/spin_wait.hpp"
#include "metrics/log_histogram.hpp"
#include "platform/threads/mutex.hpp"
#include "platform/threads/thread.hpp"
#include "platform/time/clock.hpp"
#include "tests/schedulers/queues/model_lists.hpp"

#include <benchmark/benchmark.h>

#include <array>
#include <atomic>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace metrics = schedbench::metrics;
using namespace schedbench::schedulers;
using schedbench::CpuRelax;
using schedbench::kCacheLine;
using schedbench::platform::NowNs;
using schedbench::platform::Thread;
using schedbench::platform::TickClock;
using schedbench::tests::kGivesSingleTasks;
using schedbench::tests::NameOfQueue;

class NoTask final : public TaskBase {
 public:
  void Run() noexcept override {
  }
};

constexpr std::size_t kCapacity = 256;
constexpr std::size_t kBatch = kCapacity;  // tasks between two looks at the clock

// ---- The owner alone ----

// Pushes a task and pops it.
template <typename Queue>
void OwnerPushPop(benchmark::State& state, Sharing sharing) {
  Queue queue(kCapacity, sharing);
  NoTask task;
  for (auto _ : state) {
    queue.TryPush(&task);
    benchmark::DoNotOptimize(queue.TryPop());
  }
}

// ---- The owner and thieves ----

// Tasks for an owner, which may push one again only when it has come back: in sets, each with
// counts of those that have. By the set a thief returns what it took without touching the tasks.
class Supply {
 public:
  // Owner. Null: all sets have tasks that are out.
  NoTask* TryTake() {
    for (std::size_t i = 0; next_ == kBatch && i < sets_.size(); ++i) {
      current_ = (current_ + 1) % sets_.size();
      Set& set = sets_[current_];
      // acquire: pairs with the release in Stolen(): the thieves are done with the tasks.
      if (set.popped + set.stolen.load(std::memory_order_acquire) == kBatch) {
        set.popped = 0;
        set.stolen.store(0,
                         std::memory_order_relaxed);  // relaxed: no thread has a task of this set
        next_ = 0;
      }
    }
    return next_ == kBatch ? nullptr : &tasks_[current_ * kBatch + next_++];
  }

  // Owner.
  void Popped(const TaskBase* task) {
    ++sets_[SetOf(task)].popped;
  }

  // Thieves: tasks of one set.
  void Stolen(std::size_t set, std::size_t count) {
    // release: pairs with the acquire in TryTake().
    sets_[set].stolen.fetch_add(count, std::memory_order_release);
  }

  std::size_t SetOf(const TaskBase* task) const {
    return static_cast<std::size_t>(static_cast<const NoTask*>(task) - tasks_.data()) / kBatch;
  }

 private:
  struct Set {
    alignas(kCacheLine) std::atomic<std::size_t> stolen = 0;
    alignas(kCacheLine) std::size_t popped = kBatch;  // owner; all are there at the begin
  };

  std::array<Set, 16> sets_;
  std::vector<NoTask> tasks_ = std::vector<NoTask>(sets_.size() * kBatch);
  std::size_t current_ = 0;    // owner
  std::size_t next_ = kBatch;  // owner: next task of the current set; kBatch: none
};

class Thieves {
 public:
  template <typename Queue>
  Thieves(Queue& queue, Supply& supply, std::int64_t count, std::size_t most) {
    for (std::int64_t i = 0; i < count; ++i) {
      threads_.emplace_back("thief", [this, &queue, &supply, most] { Steal(queue, supply, most); });
    }
  }

  // Returns how many tasks they took.
  std::uint64_t Stop() {
    stop_ = true;
    threads_.clear();
    return stolen_;
  }

 private:
  template <typename Queue>
  void Steal(Queue& queue, Supply& supply, std::size_t most) {
    std::array<TaskBase*, kCapacity / 2> batch;  // NOLINT: filled before it is read
    std::uint64_t stolen = 0;
    while (!stop_.load(std::memory_order_relaxed)) {
      const std::size_t count = queue.Grab({batch.data(), most});
      if (count == 0) {
        CpuRelax();
        continue;
      }
      stolen += count;
      for (std::size_t i = 0; i < count;) {
        const std::size_t first = i;
        const std::size_t set = supply.SetOf(batch[first]);
        while (i < count && supply.SetOf(batch[i]) == set) {
          ++i;
        }
        supply.Stolen(set, i - first);
      }
    }
    stolen_ += stolen;
  }

  std::atomic<bool> stop_ = false;
  std::atomic<std::uint64_t> stolen_ = 0;
  std::deque<Thread> threads_;
};

// Pushes `pushes` tasks, then pops `pops`, and so on, while state.range(0) thieves take `most`
// tasks at a time at most. A full queue costs the owner a pop: it would run a task itself.
template <typename Queue>
void OwnerAndThieves(benchmark::State& state, std::size_t pushes, std::size_t pops,
                     std::size_t most) {
  Queue queue(kCapacity);
  Supply supply;
  const auto pop = [&] {
    TaskBase* const task = queue.TryPop();
    if (task != nullptr) {
      supply.Popped(task);
    }
    return task != nullptr;
  };
  Thieves thieves(queue, supply, state.range(0), most);
  while (state.KeepRunningBatch(kBatch)) {
    for (std::size_t done = 0; done < kBatch; done += pushes) {
      for (std::size_t i = 0; i < pushes; ++i) {
        NoTask* task = nullptr;
        while ((task = supply.TryTake()) == nullptr) {
          pop();
        }
        while (!queue.TryPush(task)) {
          pop();
        }
      }
      for (std::size_t i = 0; i < pops && pop(); ++i) {
      }
    }
  }
  const auto stolen = static_cast<double>(thieves.Stop());
  state.counters["stolen"] = stolen / static_cast<double>(state.iterations());
  state.counters["stolen/s"] = benchmark::Counter(stolen, benchmark::Counter::kIsRate);
}

// ---- Global queues ----

template <typename Queue>
std::unique_ptr<Queue> shared_queue;

// Takes a task, or all where single ones cannot be had. Empty: none there, or others were faster.
template <typename Queue>
TaskList TakeSome(Queue& queue) {
  if constexpr (kGivesSingleTasks<Queue>) {
    TaskList list;
    if (TaskBase* const task = queue.TryPop()) {
      list.PushBack(task);
    }
    return list;
  } else {
    return queue.GrabAll();
  }
}

// Each thread takes a task, or all, and pushes what it took one by one.
template <typename Queue>
void PopPush(benchmark::State& state) {
  constexpr std::size_t kDepth = 64;  // tasks per thread
  static std::vector<NoTask> tasks;
  if (state.thread_index() == 0) {
    shared_queue<Queue> = std::make_unique<Queue>();
    tasks = std::vector<NoTask>(kDepth * static_cast<std::size_t>(state.threads()));
    for (NoTask& task : tasks) {
      shared_queue<Queue>->Push(&task);
    }
  }
  while (state.KeepRunningBatch(kBatch)) {  // all wait for each other at the first
    Queue& queue = *shared_queue<Queue>;
    TaskList hand;
    for (std::size_t i = 0; i < kBatch; ++i) {
      while (hand.IsEmpty()) {
        hand.Append(TakeSome(queue));
        if (hand.IsEmpty()) {
          CpuRelax();
        }
      }
      queue.Push(hand.TryPopFront());
    }
    if (!hand.IsEmpty()) {
      queue.Append(std::move(hand));
    }
  }
}

// Appends lists of state.range(0) tasks that are linked already. Time per list, not per task: that
// of GlobalQueue must not depend on the length; the others turn the list round or copy it.
template <typename Queue>
void Append(benchmark::State& state) {
  constexpr std::size_t kLists = 64;  // between two looks at the clock
  const auto length = static_cast<std::size_t>(state.range(0));
  std::vector<NoTask> tasks(kLists * length);
  std::vector<TaskList> lists(kLists);
  Queue queue;
  while (state.KeepRunningBatch(kLists)) {
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      lists[i / length].PushBack(&tasks[i]);
    }
    const std::uint64_t start = NowNs();
    for (TaskList& list : lists) {
      queue.Append(std::move(list));
    }
    state.SetIterationTime(static_cast<double>(NowNs() - start) / 1e9);
    while (!queue.GrabAll().IsEmpty()) {
    }
  }
}

// Takes all of 256 tasks in shares, as one of state.range(0) workers does; where shares cannot be
// had, as a whole.
template <typename Queue>
void GrabShares(benchmark::State& state) {
  const auto sharers = static_cast<std::size_t>(state.range(0));
  std::vector<NoTask> tasks(kBatch);
  std::array<TaskBase*, kCapacity / 2> batch;  // NOLINT: filled before it is read
  Queue queue;
  while (state.KeepRunningBatch(kBatch)) {
    TaskList list;
    for (NoTask& task : tasks) {
      list.PushBack(&task);
    }
    queue.Append(std::move(list));
    const std::uint64_t start = NowNs();
    if constexpr (kGivesSingleTasks<Queue>) {
      while (queue.Grab(batch, sharers) > 0) {
      }
    } else {
      benchmark::DoNotOptimize(queue.GrabAll());
    }
    state.SetIterationTime(static_cast<double>(NowNs() - start) / 1e9);
  }
}

// ---- How long the lock of GlobalQueue is held ----

// Where this thread's sections under a TimedMutex are counted, in ticks; written under that lock.
thread_local metrics::LogHistogram* held_by_this_thread = nullptr;

class TimedMutex {
 public:
  void Lock() {
    mutex_.Lock();
    since_ = TickClock::Now();
  }

  void Unlock() {
    held_by_this_thread->Record(TickClock::Now() - since_);
    mutex_.Unlock();
  }

 private:
  schedbench::platform::Mutex mutex_;
  std::uint64_t since_ = 0;  // guarded by mutex_
};

class TimedLock {
 public:
  explicit TimedLock(TimedMutex& mutex)
      : mutex_(mutex) {
    mutex_.Lock();
  }

  ~TimedLock() {
    mutex_.Unlock();
  }

  TimedLock(const TimedLock&) = delete;
  TimedLock& operator=(const TimedLock&) = delete;

  bool Waited() const noexcept {
    return false;
  }

 private:
  TimedMutex& mutex_;
};

struct TimedQueue {
  BasicGlobalQueue<TimedMutex, TimedLock> queue;
  metrics::LogHistogram append;
  metrics::LogHistogram grab;
  TimedMutex uncontended;  // of the first thread, as what follows
  metrics::LogHistogram clock;
};

// Each thread appends a list of state.range(0) tasks and takes as many. p50 and p99 of the time
// that the lock was held, in nanoseconds; "clock" is what an empty section takes: two looks at the
// clock.
void LockHeld(benchmark::State& state) {
  static std::unique_ptr<TimedQueue> shared;
  const auto length = static_cast<std::size_t>(state.range(0));
  if (state.thread_index() == 0) {
    shared = std::make_unique<TimedQueue>();
  }
  std::vector<NoTask> tasks(length);
  std::vector<TaskBase*> hand;
  for (NoTask& task : tasks) {
    hand.push_back(&task);
  }
  for (auto _ : state) {  // all wait for each other at the first
    TaskList list;
    for (TaskBase* const task : hand) {
      list.PushBack(task);
    }
    held_by_this_thread = &shared->append;
    shared->queue.Append(std::move(list));
    held_by_this_thread = &shared->grab;
    for (std::size_t taken = 0; taken < length;) {
      taken += shared->queue.Grab(std::span(hand).subspan(taken), 1);
    }
    if (state.thread_index() == 0) {
      held_by_this_thread = &shared->clock;
      const TimedLock lock(shared->uncontended);
    }
  }
  if (state.thread_index() == 0) {
    const double ns = TickClock::NsPerTick();
    for (const auto& [name, histogram] :
         {std::pair("append", &shared->append), std::pair("grab", &shared->grab),
          std::pair("clock", &shared->clock)}) {
      const metrics::HistogramSnapshot held = histogram->Snapshot();
      for (const auto& [suffix, quantile] : {std::pair("_p50", 0.5), std::pair("_p99", 0.99)}) {
        state.counters[name + std::string(suffix)] = held.Quantile(quantile).value_or(0) * ns;
      }
    }
  }
}

// ---- Each of them for each model ----

template <typename Body>
benchmark::internal::Benchmark* Register(const std::string& role, const char* queue, Body body) {
  return benchmark::RegisterBenchmark((role + "/" + queue).c_str(), body);
}

// All models of a role stand together.
template <typename... Queues, typename ForOne>
void ForEachQueue(ForOne for_one) {
  (for_one.template operator()<Queues>(), ...);
}

template <typename... Queues>
struct LocalBenchmarks {
  static void Register() {
    ForEachQueue<Queues...>([]<typename Queue>() {
      ::Register("local/push_pop/owner_only", NameOfQueue<Queue>(),
                 [](benchmark::State& state) { OwnerPushPop<Queue>(state, Sharing::kOwnerOnly); });
    });
    ForEachQueue<Queues...>([]<typename Queue>() {
      ::Register("local/push_pop/others_steal", NameOfQueue<Queue>(),
                 [](benchmark::State& state) { OwnerPushPop<Queue>(state, Sharing::kStealable); });
    });
    WithThieves("local/push2_pop1/steal_half", 2, 1, kCapacity / 2, 1);
    WithThieves("local/push2_pop1/steal_one", 2, 1, 1, 1);
    WithThieves("local/bursts_of_256/steal_half", kCapacity, kCapacity, kCapacity / 2, 0);
  }

 private:
  static void WithThieves(const char* role, std::size_t pushes, std::size_t pops, std::size_t most,
                          int fewest_thieves) {
    ForEachQueue<Queues...>([=]<typename Queue>() {
      ::Register(
          role, NameOfQueue<Queue>(),
          [=](benchmark::State& state) { OwnerAndThieves<Queue>(state, pushes, pops, most); })
          ->ArgName("thieves")
          ->DenseRange(fewest_thieves, 3)
          ->UseRealTime();
    });
  }
};

template <typename... Queues>
struct GlobalBenchmarks {
  static void Register() {
    ForEachQueue<Queues...>([]<typename Queue>() {
      ::Register("global/pop_push", NameOfQueue<Queue>(), &PopPush<Queue>)
          ->Threads(1)
          ->Threads(2)
          ->Threads(4)
          ->UseRealTime();
    });
    // A fixed number, because most of the time is not the measured one: lists must be linked,
    // queues filled.
    ForEachQueue<Queues...>([]<typename Queue>() {
      ::Register("global/append_time_per_list", NameOfQueue<Queue>(), &Append<Queue>)
          ->ArgName("tasks")
          ->RangeMultiplier(4)
          ->Range(1, 256)
          ->UseManualTime()
          ->Iterations(2'560'000);
    });
    ForEachQueue<Queues...>([]<typename Queue>() {
      ::Register("global/grab_shares_of_256", NameOfQueue<Queue>(), &GrabShares<Queue>)
          ->ArgName("sharers")
          ->Arg(4)
          ->UseManualTime()
          ->Iterations(25'600'000);
    });
  }
};

}  // namespace

int main(int argc, char** argv) {
  // All rows in one to two minutes, unless the caller says otherwise.
  std::string time = "--benchmark_min_time=0.4";
  std::vector<char*> arguments(argv, argv + argc);
  arguments.insert(arguments.begin() + 1, time.data());
  argc = static_cast<int>(arguments.size());
  arguments.push_back(nullptr);
  benchmark::Initialize(&argc, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(argc, arguments.data())) {
    return 2;
  }
  schedbench::tests::LocalQueues<LocalBenchmarks>::Register();
  schedbench::tests::GlobalQueues<GlobalBenchmarks>::Register();
  benchmark::RegisterBenchmark("global/lock_held/GlobalQueue", &LockHeld)
      ->ArgName("tasks")
      ->RangeMultiplier(4)
      ->Range(1, 256)
      ->Threads(1)
      ->Threads(2)
      ->UseRealTime();
  benchmark::RunSpecifiedBenchmarks();
}

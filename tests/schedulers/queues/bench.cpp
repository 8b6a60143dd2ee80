// Micro-benchmarks of the queues, one operation at a time.

#include "schedulers/queues/global_queue.hpp"
#include "schedulers/queues/work_stealing_queue.hpp"

#include <benchmark/benchmark.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

namespace {

using namespace schedbench::schedulers;

class NoTask final : public TaskBase {
 public:
  void Run() noexcept override {
  }
};

constexpr std::size_t kCapacity = 256;

// The owner alone: a push and a pop. Arg: 1 where others may steal, 0 where nobody can.
void LocalPushPop(benchmark::State& state) {
  WorkStealingQueue queue(kCapacity, state.range(0) == 1
                                         ? Sharing::kOthersSteal
                                         : Sharing::kNobodySteals);
  NoTask task;
  for (auto _ : state) {
    queue.TryPush(&task);
    benchmark::DoNotOptimize(queue.TryPop());
  }
}
BENCHMARK(LocalPushPop)->ArgName("shared")->Arg(0)->Arg(1);

// The owner fills and empties the ring while Arg thieves grab halves: time per task through the ring.
void LocalWithThieves(benchmark::State& state) {
  WorkStealingQueue queue(kCapacity);
  std::vector<NoTask> tasks(kCapacity);
  std::atomic<bool> stop = false;
  std::atomic<std::uint64_t> stolen = 0;
  std::vector<std::jthread> thieves;
  for (std::int64_t i = 0; i < state.range(0); ++i) {
    thieves.emplace_back([&] {
      TaskBase* batch[kCapacity / 2];
      std::uint64_t count = 0;
      while (!stop.load(std::memory_order_relaxed)) {
        count += queue.Grab(batch);
      }
      stolen += count;
    });
  }
  for (auto _ : state) {
    for (NoTask& task : tasks) {
      queue.TryPush(&task);
    }
    while (queue.TryPop() != nullptr) {
    }
  }
  stop = true;
  thieves.clear();
  const auto total = static_cast<double>(state.iterations()) * kCapacity;
  state.counters["ns/task"] =
      benchmark::Counter(total / 1e9, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["stolen"] = static_cast<double>(stolen.load()) / total;
}
BENCHMARK(LocalWithThieves)->ArgName("thieves")->DenseRange(0, 3)->UseRealTime();

// A thief takes half of a full ring.
void GrabHalf(benchmark::State& state) {
  WorkStealingQueue queue(kCapacity);
  std::vector<NoTask> tasks(kCapacity);
  std::vector<TaskBase*> batch(kCapacity);
  for (auto _ : state) {
    for (NoTask& task : tasks) {
      queue.TryPush(&task);
    }
    benchmark::DoNotOptimize(queue.Grab(batch));
    benchmark::DoNotOptimize(queue.GrabAll(batch));
  }
}
BENCHMARK(GrabHalf);

// All threads push and pop one task of the shared queue.
std::unique_ptr<GlobalQueue> shared_queue;

void GlobalPushPop(benchmark::State& state) {
  NoTask task;
  for (auto _ : state) {
    shared_queue->Push(&task);
    TaskBase* taken = nullptr;
    while (taken == nullptr) {
      taken = shared_queue->TryPop();
    }
    // Perhaps another thread's, which waits for its own: hand it on.
    while (taken != &task) {
      shared_queue->Push(taken);
      taken = shared_queue->TryPop();
      while (taken == nullptr) {
        taken = shared_queue->TryPop();
      }
    }
  }
}
BENCHMARK(GlobalPushPop)->Threads(1)->Setup([](const benchmark::State& /*state*/) {
  shared_queue = std::make_unique<GlobalQueue>();
});

// Appends a batch of Arg tasks that is linked already: the same time for each size.
void GlobalAppend(benchmark::State& state) {
  const auto size = static_cast<std::size_t>(state.range(0));
  std::vector<NoTask> tasks(size);
  std::vector<TaskBase*> batch(size);
  GlobalQueue queue;
  for (auto _ : state) {
    state.PauseTiming();
    TaskList list;
    for (NoTask& task : tasks) {
      list.PushBack(&task);
    }
    state.ResumeTiming();
    queue.Append(std::move(list));
    state.PauseTiming();
    queue.Grab(batch, 1);
    state.ResumeTiming();
  }
}
BENCHMARK(GlobalAppend)->RangeMultiplier(4)->Range(1, 256);

}  // namespace

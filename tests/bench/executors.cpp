// What mutual exclusion costs: strands against mutexes, with 1 to 64 clients on `fast` with two
// workers. The table of src/executors/README.md.

#include "config/settings.hpp"
#include "executors/strand.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"
#include "fibers/sync/mutex.hpp"
#include "fibers/sync/wait_group.hpp"
#include "platform/threads/mutex.hpp"
#include "registry/scheduler.hpp"

#include <benchmark/benchmark.h>

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace {

using namespace schedbench;
using executors::SchedulerHint;
using executors::TaskBase;

constexpr std::uint64_t kSections = 100'000;  // of all clients together, in an iteration

registry::IScheduler& Pool() {
  static const std::unique_ptr<registry::IScheduler> pool = [] {
    const registry::SchedulerEntry& entry = *registry::FindScheduler("fast");
    config::Settings settings(entry.schema());
    settings.Set("workers", std::uint64_t{2}, {});
    return entry.make(settings, 1);
  }();
  return *pool;
}

// What is guarded: eight cache lines, so that it counts where they are.
class Shared {
 public:
  void Touch() noexcept {
    for (Line& line : lines_) {
      ++line.value;
    }
  }

  void Check(benchmark::State& state, std::uint64_t expected) {
    if (lines_[0].value != expected) {
      state.SkipWithError("a critical section is lost");
    }
  }

 private:
  struct alignas(64) Line {
    std::uint64_t value = 0;
  };

  std::array<Line, 8> lines_;
};

void Report(benchmark::State& state, std::uint64_t sections) {
  state.counters["ns/section"] =
      benchmark::Counter(static_cast<double>(sections) / 1e9,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

// A client goes from its own work, a hop on the pool, to its section and back, so many times.

template <typename StrandType>
class StrandClient {
 public:
  void Start(StrandType& strand, Shared& shared, std::uint64_t times, fibers::WaitGroup& done) {
    strand_ = &strand;
    shared_ = &shared;
    times_ = times;
    done_ = &done;
    Pool().Submit(&hop_, SchedulerHint::UpToYou);
  }

 private:
  class Hop final : public TaskBase {
   public:
    explicit Hop(StrandClient& client)
        : client_(client) {
    }

    void Run() noexcept override {
      client_.strand_->Submit(&client_.section_, SchedulerHint::UpToYou);
    }

   private:
    StrandClient& client_;
  };

  class Section final : public TaskBase {
   public:
    explicit Section(StrandClient& client)
        : client_(client) {
    }

    void Run() noexcept override {
      client_.shared_->Touch();
      if (--client_.times_ > 0) {
        Pool().Submit(&client_.hop_, SchedulerHint::UpToYou);
      } else {
        client_.done_->Done();
      }
    }

   private:
    StrandClient& client_;
  };

  Hop hop_{*this};
  Section section_{*this};
  StrandType* strand_ = nullptr;
  Shared* shared_ = nullptr;
  std::uint64_t times_ = 0;
  fibers::WaitGroup* done_ = nullptr;
};

template <typename StrandType>
void OnStrand(benchmark::State& state) {
  const auto clients = static_cast<std::size_t>(state.range(0));
  const std::uint64_t times = kSections / clients;
  StrandType strand(Pool());
  Shared shared;
  std::uint64_t sections = 0;
  for (auto _ : state) {
    std::vector<StrandClient<StrandType>> all(clients);
    fibers::WaitGroup done;
    done.Add(clients);
    for (auto& client : all) {
      client.Start(strand, shared, times, done);
    }
    done.Wait();
    Pool().WaitIdle();
    sections += times * clients;
  }
  shared.Check(state, sections);
  Report(state, sections);
  state.counters["batch"] = strand.Read().MeanBatch();
}

// The same with a lock around the section.
class LockingTask final : public TaskBase {
 public:
  void Start(platform::Mutex& mutex, Shared& shared, std::uint64_t times, fibers::WaitGroup& done) {
    mutex_ = &mutex;
    shared_ = &shared;
    times_ = times;
    done_ = &done;
    Pool().Submit(this, SchedulerHint::UpToYou);
  }

  void Run() noexcept override {
    {
      const platform::MutexLock lock(*mutex_);
      shared_->Touch();
    }
    if (--times_ > 0) {
      Pool().Submit(this, SchedulerHint::UpToYou);
    } else {
      done_->Done();
    }
  }

 private:
  platform::Mutex* mutex_ = nullptr;
  Shared* shared_ = nullptr;
  std::uint64_t times_ = 0;
  fibers::WaitGroup* done_ = nullptr;
};

void UnderThreadMutex(benchmark::State& state) {
  const auto clients = static_cast<std::size_t>(state.range(0));
  const std::uint64_t times = kSections / clients;
  platform::Mutex mutex;
  Shared shared;
  std::uint64_t sections = 0;
  for (auto _ : state) {
    std::vector<LockingTask> all(clients);
    fibers::WaitGroup done;
    done.Add(clients);
    for (LockingTask& client : all) {
      client.Start(mutex, shared, times, done);
    }
    done.Wait();
    Pool().WaitIdle();
    sections += times * clients;
  }
  shared.Check(state, sections);
  Report(state, sections);
}

void UnderFiberMutex(benchmark::State& state) {
  const auto clients = static_cast<std::size_t>(state.range(0));
  const std::uint64_t times = kSections / clients;
  fibers::Mutex mutex;
  Shared shared;
  std::uint64_t sections = 0;
  for (auto _ : state) {
    fibers::WaitGroup done;
    done.Add(clients);
    for (std::size_t i = 0; i < clients; ++i) {
      fibers::Go(Pool(), [&, times] {
        for (std::uint64_t time = 0; time < times; ++time) {
          {
            const fibers::MutexLock lock(mutex);
            shared.Touch();
          }
          fibers::Yield();
        }
        done.Done();
      });
    }
    done.Wait();
    Pool().WaitIdle();
    sections += times * clients;
  }
  shared.Check(state, sections);
  Report(state, sections);
}

void Clients(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgName("clients")->RangeMultiplier(2)->Range(1, 64)->UseRealTime()->Unit(
      benchmark::kMillisecond);
}

BENCHMARK_TEMPLATE(OnStrand, executors::Strand)->Apply(&Clients);
BENCHMARK_TEMPLATE(OnStrand, executors::MutexStrand)->Apply(&Clients);
BENCHMARK(UnderThreadMutex)->Apply(&Clients);
BENCHMARK(UnderFiberMutex)->Apply(&Clients);

}  // namespace

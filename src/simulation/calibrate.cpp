#include "simulation/calibrate.hpp"

#include "base/atomic.hpp"
#include "base/cache_line.hpp"
#include "base/spin_wait.hpp"
#include "platform/threads/asymmetric_fence.hpp"
#include "platform/threads/futex.hpp"
#include "platform/threads/thread.hpp"
#include "platform/time/clock.hpp"
#include "simulation/simulation.hpp"
#include "simulation/steps.hpp"
#include "stats/order_statistics.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace schedbench::scaling {

namespace {

constexpr int kRepeats = 9;
constexpr std::uint64_t kLoops = 100'000;

// Returns the median of some measurements.
template <typename Measure>
double MedianOfRepeats(Measure measure, int repeats = kRepeats) {
  std::vector<double> values;
  for (int i = 0; i < repeats; ++i) {
    values.push_back(measure());
  }
  return stats::Median(values);
}

// Returns the nanoseconds of a call.
template <typename Body>
double LoopNs(Body body, std::uint64_t loops = kLoops) {
  return MedianOfRepeats([&] {
    const std::uint64_t start = platform::NowNs();
    for (std::uint64_t i = 0; i < loops; ++i) {
      body();
    }
    return static_cast<double>(platform::NowNs() - start) / static_cast<double>(loops);
  });
}

struct alignas(kCacheLine) Word {
  Atomic<std::uint32_t> value{0};  // relaxed: one thread
};

// ---- One thread ----

void MeasureOneThread(sim_scaling::Costs& costs) {
  constexpr std::size_t kWords = 8;  // independent, like counters of a worker
  std::array<Word, kWords> words;
  costs.hit = LoopNs([&] {
                for (Word& word : words) {
                  word.value.Store(word.value.Load(memory_order_relaxed) + 1, memory_order_relaxed);
                }
              }) /
              (2 * kWords);
  costs.locked = LoopNs([&] {
                   for (Word& word : words) {
                     word.value.FetchAdd(1, memory_order_relaxed);
                   }
                 }) /
                 kWords;
  costs.fence = std::max(0.0, LoopNs([&] {
                                words[0].value.Store(1, memory_order_relaxed);
                                // seq_cst: the fence of Coordinator::Notify();
                                // pairs with nothing here.
                                AtomicFence(memory_order_seq_cst);
                              }) - costs.hit);
  costs.pause = LoopNs([] { CpuRelax(); });
  costs.clock = LoopNs([] { platform::NowNs(); });
  constexpr std::uint64_t kCalls = 10'000;
  costs.call = LoopNs(
      [&] {
        platform::FutexWait(words[1].value, 0);  // holds another value: returns at once
      },
      kCalls);
}

// ---- Two threads ----

// Reads the word until it has another value, and returns that. A thread that shares its CPU with
// the writer, or whose writer is preempted, would waste its whole time slice on it: after this many
// reads, far more than a transfer takes, it yields the CPU.
std::uint32_t AwaitChange(const Atomic<std::uint32_t>& word, std::uint32_t from) noexcept {
  constexpr std::uint32_t kReads = 10'000;
  for (std::uint32_t reads = 0;; ++reads) {
    // acquire: pairs with the release of the other thread.
    const std::uint32_t value = word.Load(memory_order_acquire);
    if (value != from) {
      return value;
    }
    if (reads >= kReads) {
      YieldThread();
    }
  }
}

// Uses two words, each written by one thread and read by the other. In a round trip each line
// leaves its reader and returns to it: four transfers. A busy machine, on which the threads wait
// for a CPU, makes fewer trips.
double MeasureTransfer() {
  constexpr std::uint32_t kTurn = 32;  // arbitrary: the clock is read once in this many trips
  constexpr std::uint32_t kWarmUp = 2'000;
  constexpr std::uint32_t kTrips = 18'000;
  constexpr std::uint64_t kLongNs = 20'000'000;  // arbitrary: several times what all trips take
  constexpr std::uint32_t kEnd = ~std::uint32_t{0};
  Word there;
  Word back;
  platform::Thread other("other", [&] {
    for (std::uint32_t seen = 0; seen != kEnd;) {
      seen = AwaitChange(there.value, seen);
      back.value.Store(seen, memory_order_release);  // release: pairs with AwaitChange()
    }
  });
  std::uint32_t trips = 0;
  const auto transfer_ns = [&](std::uint32_t most) {
    const std::uint64_t start = platform::NowNs();
    const std::uint32_t first = trips;
    for (;;) {
      for (const std::uint32_t turn_ends = trips + kTurn; trips < turn_ends;) {
        // release: pairs with AwaitChange().
        there.value.Store(trips + 1, memory_order_release);
        trips = AwaitChange(back.value, trips);
      }
      const std::uint64_t ns = platform::NowNs() - start;
      if (trips - first >= most || ns >= kLongNs) {
        return static_cast<double>(ns) / (4.0 * (trips - first));
      }
    }
  };
  transfer_ns(kWarmUp);
  const double ns = transfer_ns(kTrips);
  there.value.Store(kEnd, memory_order_release);  // release: pairs with AwaitChange()
  return ns;
}

// Measures the caller's side of a wake, and the time until the woken thread runs.
void MeasureWakes(sim_scaling::Costs& costs) {
  constexpr std::uint32_t kWakes = 400;
  constexpr std::uint64_t kAsleepNs = 50'000;  // the other thread sleeps by then
  Word word;
  Word answer;
  std::vector<double> calls;
  std::vector<double> latencies;
  std::uint64_t woken_at = 0;
  platform::Thread sleeper("sleeper", [&] {
    for (std::uint32_t i = 0; i < kWakes; ++i) {
      // acquire: pairs with the release in the loop of the caller.
      while (word.value.Load(memory_order_acquire) == i) {
        platform::FutexWait(word.value, i);
      }
      woken_at = platform::NowNs();
      answer.value.Store(i + 1, memory_order_release);  // release: pairs with AwaitChange()
    }
  });
  for (std::uint32_t i = 0; i < kWakes; ++i) {
    const std::uint64_t asleep = platform::NowNs() + kAsleepNs;
    while (platform::NowNs() < asleep) {
    }
    const std::uint64_t start = platform::NowNs();
    word.value.Store(i + 1, memory_order_release);  // release: pairs with the sleeper
    platform::FutexWake(word.value, 1);
    calls.push_back(static_cast<double>(platform::NowNs() - start));
    AwaitChange(answer.value, i);
    latencies.push_back(static_cast<double>(woken_at - start));
  }
  costs.wake = stats::Median(calls);
  costs.wake_latency = stats::Median(latencies);
}

// Measures heavy fences for their caller, and for a thread on another core: how much less that
// thread counts for each of them.
void MeasureHeavyFence(sim_scaling::Costs& costs) {
  constexpr std::uint64_t kFences = 2'000;
  Word counter;
  Word stop;
  platform::Thread busy("busy", [&] {
    // relaxed: the other thread only needs numbers that grow.
    for (std::uint32_t count = 0; stop.value.Load(memory_order_relaxed) == 0;) {
      counter.value.Store(++count, memory_order_relaxed);
    }
  });
  // Returns what the other thread counts during `body`, and how long that takes.
  const auto watch = [&](auto body) {
    const std::uint32_t before = counter.value.Load(memory_order_relaxed);
    const std::uint64_t start = platform::NowNs();
    body(start);
    const auto ns = static_cast<double>(platform::NowNs() - start);
    return std::pair(static_cast<double>(counter.value.Load(memory_order_relaxed) - before), ns);
  };
  std::vector<double> calls;
  std::vector<double> interrupts;
  for (int i = 0; i < kRepeats; ++i) {
    const auto [fenced, fenced_ns] = watch([](std::uint64_t /*start*/) {
      for (std::uint64_t fence = 0; fence < kFences; ++fence) {
        platform::HeavyFence();
      }
    });
    const auto [free, free_ns] = watch([](std::uint64_t start) {
      while (platform::NowNs() - start < 1'000'000) {
        CpuRelax();
      }
    });
    calls.push_back(fenced_ns / kFences);
    interrupts.push_back(std::max(0.0, fenced_ns - fenced * free_ns / free) / kFences);
  }
  stop.value.Store(1, memory_order_relaxed);  // relaxed: it publishes nothing
  costs.heavy_fence = stats::Median(calls);
  costs.interrupt = stats::Median(interrupts);
}

// ---- Plain work: the time of a step without the costs that the simulation counts already ----

double PlainNs(const sim_scaling::Costs& costs, Step step, std::uint64_t fibers = 8) {
  constexpr std::uint64_t kSteps = std::uint64_t{1} << 17U;
  // Page faults of new stacks take most of the time of a repeat with many fibers.
  const int repeats = fibers > 10'000 ? 3 : kRepeats;
  const double measured =
      MedianOfRepeats([&] { return MeasureStep(step, kSteps, fibers); }, repeats);
  const std::uint64_t simulated = std::max(kSteps / 16, 2 * fibers);
  const double counted =
      sim_scaling::SimulateStep(costs, static_cast<unsigned>(step), simulated, fibers);
  return std::max(0.0, measured - counted);
}

}  // namespace

double TransferNs() {
  return MedianOfRepeats(&MeasureTransfer);
}

sim_scaling::Costs Calibrate(std::vector<double>& transfers) {
  sim_scaling::Costs costs;
  MeasureOneThread(costs);
  transfers.push_back(TransferNs());
  MeasureWakes(costs);
  MeasureHeavyFence(costs);
  transfers.push_back(TransferNs());
  costs.task = PlainNs(costs, Step::kTask);
  costs.create = PlainNs(costs, Step::kCreate);
  costs.start = PlainNs(costs, Step::kFiber);
  sim_scaling::Costs without = costs;  // does not have the cost of a resume
  for (std::size_t i = 0; i < costs.resume.size(); ++i) {
    costs.resume[i] = PlainNs(without, Step::kResume, sim_scaling::Costs::kResumeTurns[i]);
  }
  costs.sync = PlainNs(costs, Step::kSync);
  costs.fork = PlainNs(costs, Step::kFork);
  transfers.push_back(TransferNs());
  costs.transfer = stats::Median(transfers);
  return costs;
}

sim_scaling::Costs MedianOf(const std::vector<sim_scaling::Costs>& all) {
  using sim_scaling::Costs;
  sim_scaling::Costs median;
  const auto set = [&](auto field) {
    std::vector<double> values;
    for (Costs costs : all) {
      values.push_back(field(costs));
    }
    field(median) = stats::Median(std::move(values));
  };
  for (double Costs::* const cost : sim_scaling::kCosts) {
    set([cost](Costs& costs) -> double& { return costs.*cost; });
  }
  for (std::size_t i = 0; i < median.resume.size(); ++i) {
    set([i](Costs& costs) -> double& { return costs.resume[i]; });
  }
  return median;
}

}  // namespace schedbench::scaling

#include "base/attributes.hpp"
#include "fibers/diagnostics/fiber_facts.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"
#include "fibers/sync/wait_group.hpp"
#include "platform/threads/this_thread.hpp"
#include "platform/time/clock.hpp"
#include "profile/sampling/sampled_thread.hpp"
#include "profile/sampling/sampler.hpp"
#include "profile/sampling/worker_sampling.hpp"
#include "profile/symbolized_profile.hpp"
#include "registry/scheduler.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

// What sampling costs, and how true it is: the numbers of src/profile/README.md. Usage:
// bench_profile [ROUNDS]

namespace schedbench::profile {

namespace {

struct Spread {
  double median;
  double low;
  double high;
};

Spread SpreadOf(std::vector<double> values) {
  std::ranges::sort(values);
  return {.median = values[values.size() / 2], .low = values.front(), .high = values.back()};
}

std::string Text(const Spread& spread, const char* unit, int digits) {
  return fmt::format("{:.{}f} {} [{:.{}f} .. {:.{}f}]", spread.median, digits, unit, spread.low,
                     digits, spread.high, digits);
}

std::unique_ptr<registry::IScheduler> MakeFast(std::uint32_t workers) {
  const registry::SchedulerEntry* const entry = registry::FindScheduler("fast");
  config::Settings settings(entry->schema());
  settings.Set("workers", std::uint64_t{workers}, {});
  return entry->make(settings, 1);
}

// Fixed work in calls some deep, with a yield now and then.
SB_NOINLINE std::uint64_t Fib(int n) {
  return n < 2 ? 1 : Fib(n - 1) + Fib(n - 2);
}

void Work(registry::IScheduler& scheduler, std::uint32_t fibers, int pieces) {
  for (std::uint32_t fiber = 0; fiber < fibers; ++fiber) {
    fibers::Go(scheduler,
               [pieces] {
                 for (int i = 0; i < pieces; ++i) {
                   volatile std::uint64_t sink = Fib(15);
                   static_cast<void>(sink);
                   fibers::Yield();
                 }
               },
               {.name = "worker's own"});
  }
  scheduler.WaitIdle();
}

constexpr int kPieces = 20'000;

// CPU time of the worker, in which its signals are too: what else the machine does disturbs it less
// than wall time.
std::uint64_t TimeOf(registry::IScheduler& scheduler, const ProfiledWorker& worker) {
  const std::uint64_t begin = platform::ThreadCpuNs(worker.thread);
  Work(scheduler, 1, kPieces);
  return platform::ThreadCpuNs(worker.thread) - begin;
}

ProfiledWorker WorkerOf(registry::IScheduler& scheduler) {
  ProfiledWorker worker;
  fibers::Go(scheduler, [&worker] { worker.thread = platform::KernelThreadId(); });
  scheduler.WaitIdle();
  return worker;
}

// The same work with and without samples, in turn.
void ShowCost(int rounds, std::uint64_t hz) {
  const auto scheduler = MakeFast(1);
  const std::array workers{WorkerOf(*scheduler)};
  TimeOf(*scheduler, workers[0]);
  std::vector<double> cost;
  std::vector<double> each_us;
  std::vector<double> delivered;
  for (int round = 0; round < rounds; ++round) {
    std::uint64_t plain = 0;
    std::uint64_t sampled = 0;
    std::uint64_t samples = 1;
    const auto with = [&] {
      constexpr std::uint64_t kSecond = 1'000'000'000;
      Sampler sampler({.period_ns = kSecond / hz, .clock = std::nullopt}, workers);
      sampled = TimeOf(*scheduler, workers[0]);
      const SamplingReport report = sampler.Stop();
      samples = report.samples;
      delivered.push_back(100 * static_cast<double>(report.weight_ns) /
                          static_cast<double>(report.cpu_ns));
    };
    if (round % 2 == 0) {
      plain = TimeOf(*scheduler, workers[0]);
      with();
    } else {
      with();
      plain = TimeOf(*scheduler, workers[0]);
    }
    cost.push_back(100 * (static_cast<double>(sampled) / static_cast<double>(plain) - 1));
    each_us.push_back((static_cast<double>(sampled) - static_cast<double>(plain)) / 1e3 /
                      static_cast<double>(samples));
  }
  fmt::print("{:5} Hz: cost by a worker's CPU time      {}\n", hz, Text(SpreadOf(cost), "%", 1));
  fmt::print("          of a sample, kernel and all     {}\n", Text(SpreadOf(each_us), "us", 1));
  fmt::print("          weight by CPU time used         {}\n", Text(SpreadOf(delivered), "%", 2));
}

void ShowFairness(int rounds) {
  std::vector<double> difference;
  for (int round = 0; round < rounds; ++round) {
    WorkerSampling sampling({});
    {
      const auto scheduler = MakeFast(2);
      Work(*scheduler, 8, kPieces / 4);
    }
    const SamplingReport report = sampling.Stop();
    std::array<double, 2> sampled{};
    std::array<double, 2> used{};
    for (const Sample& sample : sampling.Raw().samples) {
      sampled[sample.worker] += static_cast<double>(sample.weight_ns);
    }
    for (const WorkerTime& time : report.times) {
      used[time.worker] += static_cast<double>(time.cpu_ns);
    }
    difference.push_back(100 * (sampled[0] / used[0] / (sampled[1] / used[1]) - 1));
  }
  fmt::print("one of two workers by the other           {}\n", Text(SpreadOf(difference), "%", 2));
}

// The body of the handler, from inside of a fiber some calls deep.
SB_NOINLINE void TimeHandler(int depth, SampledThread& thread, std::vector<double>& ns) {
  if (depth > 0) {
    TimeHandler(depth - 1, thread, ns);
    asm volatile("");  // no tail call
    return;
  }
  constexpr int kTimes = 1000;
  const auto frame = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  const platform::MachineState here{
      .program_counter = reinterpret_cast<std::uintptr_t>(&TimeHandler),
      .stack_pointer = frame - 64,
      .frame_pointer = frame};
  const std::uint64_t begin = platform::NowNs();
  for (int i = 0; i < kTimes; ++i) {
    thread.OnSample(here, 1);
  }
  ns.push_back(static_cast<double>(platform::NowNs() - begin) / kTimes);
}

void ShowHandler(int rounds) {
  const auto scheduler = MakeFast(1);
  std::vector<double> ns;
  for (int round = 0; round < rounds; ++round) {
    constexpr unsigned kRingBits = 18;
    SampledThread thread(kRingBits);
    fibers::Go(*scheduler, [&] {
      constexpr int kDepth = 10;
      TimeHandler(kDepth, thread, ns);
    });
    scheduler->WaitIdle();
  }
  fmt::print("the handler, some 15 calls, warm          {}\n", Text(SpreadOf(ns), "ns", 0));
}

void ShowNames() {
  WorkerSampling sampling({});
  {
    const auto scheduler = MakeFast(2);
    Work(*scheduler, 64, kPieces / 16);
  }
  sampling.Stop();
  const StackProfile named = Symbolized(sampling.Raw(), Show::kWorker);
  std::uint64_t own = 0;
  std::uint64_t without = 0;
  for (const Sample& sample : named.samples) {
    for (const FrameId id : named.StackAt(sample.stack)) {
      const Frame& frame = named.FrameAt(id);
      if (frame.module.ends_with("bench_profile")) {
        ++own;
        without += frame.name.empty() || frame.name.starts_with('[') ? 1 : 0;
      }
    }
  }
  fmt::print("frames of our own that have a name        {:.2f} % of {}\n",
             100.0 * static_cast<double>(own - without) / static_cast<double>(own), own);
}

void PrintFigures(int rounds) {
  fmt::print("medians of {} rounds [least .. most]\n", rounds);
  ShowCost(rounds, 999);
  ShowCost(rounds, 9973);
  ShowFairness(rounds);
  ShowHandler(rounds);
  ShowNames();
}

}  // namespace

}  // namespace schedbench::profile

int main(int argc, char** argv) {
  schedbench::profile::PrintFigures(argc > 1 ? std::max(1, std::atoi(argv[1])) : 21);
  return 0;
}

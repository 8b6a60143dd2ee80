// Prints how fast schedulers are. Without arguments `fast` alongside the baseline, and the floor:
// the text of docs/verification.md. With --steps the numbers of schedulers/LIFE_OF_A_TASK.md; with
// --table all of them, the tables of schedulers/README.md; with --counters what counting costs.
// Speed is shown here and never tested.

#include "fibers/core/execution_context.hpp"
#include "fibers/core/fiber_thread.hpp"
#include "platform/threads/thread_local_ptr.hpp"
#include "platform/time/clock.hpp"
#include "stats/order_statistics.hpp"
#include "tests/bench/contender.hpp"
#include "tests/bench/cost_of_counting.hpp"
#include "tests/bench/every_scheduler.hpp"
#include "tests/bench/task_steps.hpp"

#include <boost/context/detail/fcontext.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace schedbench;
using simulation::Contender;

constexpr int kRounds = 11;

void PrintRow(const std::string& workload, std::uint64_t workers, const std::string& first_spec,
              const std::string& second_spec) {
  Contender first(first_spec, workload, workers);
  Contender second(second_spec, workload, workers);
  first.RunRound();
  second.RunRound();
  std::vector<double> log_ratios;
  for (int round = 0; round < kRounds; ++round) {
    const bool swap = round % 2 == 1;
    (swap ? second : first).Measure();
    (swap ? first : second).Measure();
    log_ratios.push_back(std::log(second.NsPerOperation().back() / first.NsPerOperation().back()));
  }
  const auto interval = stats::MedianConfidenceInterval(log_ratios);
  const auto cell = [](const Contender& contender) {
    const auto [low, high] = std::ranges::minmax(contender.NsPerOperation());
    return fmt::format("{:6.1f} [{:.1f} .. {:.1f}]", stats::Median(contender.NsPerOperation()), low,
                       high);
  };
  const char* const verdict = interval->low > 0    ? "ahead"
                              : interval->high < 0 ? "BEHIND"
                                                   : "inconclusive";
  fmt::print("{:<41} {}  {:<24} {:<24} {:5.2f}x [{:.2f} .. {:.2f}]  {}\n", workload, workers,
             cell(first), cell(second), std::exp(stats::Median(log_ratios)),
             std::exp(interval->low), std::exp(interval->high), verdict);
}

// ---- The floor: two stacks that switch to each other and do nothing else; how a thread finds its
// worker ----

fibers::ExecutionContext main_stack;
fibers::ExecutionContext other_stack;

void BounceForever(void* /*argument*/, fibers::FiberThread& /*fiber_thread*/) {
  for (;;) {
    fibers::MachineContext::Switch(other_stack.machine, main_stack.machine, nullptr);
  }
}

void BoostBounce(boost::context::detail::transfer_t transfer) {
  for (;;) {
    transfer = boost::context::detail::jump_fcontext(transfer.fctx, nullptr);
  }
}

// `count`: what is measured happens so many times in a step.
template <typename Step>
void PrintFloor(const char* name, int count, Step step) {
  constexpr int kSteps = 2'000'000;
  std::vector<double> ns;
  for (int round = 0; round < kRounds; ++round) {
    const std::uint64_t start = platform::NowNs();
    for (int i = 0; i < kSteps; ++i) {
      step();
    }
    ns.push_back(static_cast<double>(platform::NowNs() - start) / (kSteps * count));
  }
  const auto [low, high] = std::ranges::minmax(ns);
  fmt::print("{:<41}    {:7.1f} [{:.1f} .. {:.1f}]\n", name, stats::Median(ns), low, high);
}

// The pointer is read, in each step anew.
void Observe(int* pointer) {
  asm volatile("" : : "r"(pointer) : "memory");
}

void PrintFloors() {
  constexpr std::size_t kBytes = 65536;
  const std::unique_ptr<char, decltype(&std::free)> boost_stack(
      static_cast<char*>(std::aligned_alloc(64, kBytes)), &std::free);
  const std::unique_ptr<char, decltype(&std::free)> own_stack(
      static_cast<char*>(std::aligned_alloc(64, kBytes)), &std::free);
  other_stack.machine = fibers::MachineContext::Make(own_stack.get() + kBytes, kBytes);
  fibers::SwitchMessage message{.from = &main_stack,
                                .to = &other_stack,
                                .thread_exceptions = fibers::ExceptionsContext::OfThread(),
                                .fiber_thread = fibers::FiberThread::Current(),
                                .then = &BounceForever,
                                .argument = nullptr};
  fibers::MachineContext::Switch(main_stack.machine, other_stack.machine, &message);
  PrintFloor("floor: a bare switch, ours", 2, [] {
    fibers::MachineContext::Switch(main_stack.machine, other_stack.machine, nullptr);
  });
  auto boost =
      boost::context::detail::make_fcontext(boost_stack.get() + kBytes, kBytes, &BoostBounce);
  PrintFloor("floor: a bare switch, Boost.Context", 2,
             [&boost] { boost = boost::context::detail::jump_fcontext(boost, nullptr).fctx; });
  // As a worker is found at each submit.
  static int worker;
  using ByCall = platform::ThreadLocalPtr<int, struct ByCallTag>;
  static thread_local int* inlined;
  ByCall::Set(&worker);
  inlined = &worker;
  PrintFloor("floor: a thread's own pointer, by a call", 1, [] { Observe(ByCall::Get()); });
  PrintFloor("floor: the same, inlined", 1, [] { Observe(inlined); });
}

void PrintTable(const std::string& first, const std::string& second,
                std::initializer_list<const char*> workloads) {
  fmt::print("\n{:<41} W  {:<24} {:<24} how much faster the first is\n", "workload", first, second);
  for (const char* workload : workloads) {
    for (const std::uint64_t workers : {1, 2}) {
      PrintRow(workload, workers, first, second);
    }
  }
}

void PrintFastBesideTheBaseline() {
  fmt::print(
      "ns per operation: median [min .. max] of {} rounds, interleaved; ratio with its 95 % "
      "interval\n",
      kRounds);
  PrintTable("fast", "global_fifo",
             {"pingpong", "pingpong:hint=next", "pingpong:pairs=1,rounds=300000",
              "pingpong:pairs=1,rounds=300000,hint=next", "yield", "yield:fibers=10,yields=100000",
              "spawn_join", "spawn_join:from=outside"});
  PrintTable("fast", "fast:yield_queue_capacity=1", {"yield"});
  fmt::print("\n");
  PrintFloors();
  tests::PrintTaskSteps();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 1) {
    PrintFastBesideTheBaseline();
    return 0;
  }
  if (argc == 2 && std::string_view(argv[1]) == "--table") {
    tests::PrintEveryScheduler();
    return 0;
  }
  if (argc == 2 && std::string_view(argv[1]) == "--counters") {
    tests::PrintCostOfCounting();
    return 0;
  }
  if (argc == 2 && std::string_view(argv[1]) == "--steps") {
    tests::PrintTaskSteps();
    return 0;
  }
  if (argc == 5 && std::string_view(argv[1]) == "--metric") {
    tests::PrintOneFigure(argv[2], argv[3], argv[4]);
    return 0;
  }
  fmt::print(stderr,
             "usage: {} [--table | --counters | --steps | --metric SCHEDULER WORKLOAD WORKERS]\n",
             argv[0]);
  return 2;
}

// Prints how fast each scheduler is on each workload, in one interleaved run: the table of README.md.
// Speed is shown here and never tested.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include <boost/context/detail/fcontext.hpp>
#include <fmt/core.h>

#include "config/assignment.hpp"
#include "config/input_error.hpp"
#include "config/problems.hpp"
#include "fibers/core/carrier.hpp"
#include "fibers/core/execution_context.hpp"
#include "platform/clock.hpp"
#include "registry/workload.hpp"
#include "stats/order_statistics.hpp"

namespace {

using namespace schedbench;

constexpr int kRounds = 11;
constexpr std::uint64_t kSeed = 1;

// One scheduler, ready for rounds of one workload.
struct Contender {
  std::string_view name;
  std::unique_ptr<registry::IScheduler> scheduler;
  std::unique_ptr<registry::IWorkload> workload;
  std::vector<double> ns_per_operation;

  Contender(std::string_view scheduler_name, const std::string& spec_text, std::uint64_t workers)
      : name(scheduler_name) {
    const registry::SchedulerEntry& entry = *registry::FindScheduler(scheduler_name);
    config::Settings settings(entry.schema());
    settings.Set("workers", workers, {});
    scheduler = entry.make(settings, kSeed);

    config::Problems problems;
    const auto spec = config::ParseSpec(spec_text, "row", problems);
    problems.ThrowIfAny();
    const registry::WorkloadEntry& work = *registry::FindWorkload(spec->name);
    config::Settings parameters(work.schema());
    config::ApplySpec(*spec, parameters, problems);
    problems.ThrowIfAny();
    workload = work.make(parameters, kSeed);
  }

  void RunRound(bool measured) {
    workload->Prepare();
    const std::uint64_t start = platform::NowNs();
    const std::uint64_t operations = workload->Run(*scheduler);
    const auto wall = static_cast<double>(platform::NowNs() - start);
    scheduler->WaitIdle();
    if (const std::string wrong = workload->Verify(); !wrong.empty()) {
      fmt::print(stderr, "error: {}: wrong answer: {}\n", name, wrong);
      std::exit(4);
    }
    if (measured) {
      ns_per_operation.push_back(wall / static_cast<double>(operations));
    }
  }
};

void PrintRow(const std::string& spec, std::uint64_t workers) {
  Contender fast("fast", spec, workers);
  Contender fifo("global_fifo", spec, workers);
  fast.RunRound(false);
  fifo.RunRound(false);
  std::vector<double> log_ratios;
  for (int round = 0; round < kRounds; ++round) {
    const bool swap = round % 2 == 1;
    (swap ? fifo : fast).RunRound(true);
    (swap ? fast : fifo).RunRound(true);
    log_ratios.push_back(std::log(fifo.ns_per_operation.back() / fast.ns_per_operation.back()));
  }
  const auto interval = stats::MedianConfidenceInterval(log_ratios);
  const auto cell = [](const Contender& contender) {
    const auto [low, high] = std::ranges::minmax(contender.ns_per_operation);
    return fmt::format("{:7.1f} [{:.1f} .. {:.1f}]", stats::Median(contender.ns_per_operation), low,
                       high);
  };
  const char* const verdict = interval->low > 0 ? "ahead" : interval->high < 0 ? "BEHIND" : "unresolved";
  fmt::print("{:<38} {:>2}  {:<25} {:<26} {:5.2f}x [{:.2f} .. {:.2f}]  {}\n", spec, workers, cell(fast),
             cell(fifo), std::exp(stats::Median(log_ratios)), std::exp(interval->low),
             std::exp(interval->high), verdict);
}

// ---- The floor: two stacks that switch to each other and do nothing else ----

fibers::ExecutionContext main_stack;
fibers::ExecutionContext other_stack;

void BounceForEver(void* /*argument*/, fibers::Carrier& /*carrier*/) {
  for (;;) {
    fibers::MachineContext::Switch(other_stack.machine, main_stack.machine, nullptr);
  }
}

void BoostBounce(boost::context::detail::transfer_t transfer) {
  for (;;) {
    transfer = boost::context::detail::jump_fcontext(transfer.fctx, nullptr);
  }
}

template <typename Step>
void PrintFloor(const char* name, Step step) {
  constexpr int kSwitches = 4'000'000;
  std::vector<double> ns;
  for (int round = 0; round < kRounds; ++round) {
    const std::uint64_t start = platform::NowNs();
    for (int i = 0; i < kSwitches / 2; ++i) {
      step();
    }
    ns.push_back(static_cast<double>(platform::NowNs() - start) / kSwitches);
  }
  const auto [low, high] = std::ranges::minmax(ns);
  fmt::print("{:<38}     {:7.1f} [{:.1f} .. {:.1f}] ns a switch\n", name, stats::Median(ns), low,
             high);
}

void PrintFloors() {
  constexpr std::size_t kBytes = 65536;
  const std::unique_ptr<char, decltype(&std::free)> boost_stack(
      static_cast<char*>(std::aligned_alloc(64, kBytes)), &std::free);
  const std::unique_ptr<char, decltype(&std::free)> own_stack(
      static_cast<char*>(std::aligned_alloc(64, kBytes)), &std::free);
  other_stack.machine = fibers::MachineContext::Make(own_stack.get() + kBytes, kBytes);
  fibers::Departure departure{.from = &main_stack,
                              .to = &other_stack,
                              .thread_exceptions = fibers::ExceptionsContext::OfThread(),
                              .carrier = fibers::Carrier::Current(),
                              .then = &BounceForEver,
                              .argument = nullptr};
  fibers::MachineContext::Switch(main_stack.machine, other_stack.machine, &departure);
  PrintFloor("bare switch, ours", [] {
    fibers::MachineContext::Switch(main_stack.machine, other_stack.machine, nullptr);
  });
  auto boost = boost::context::detail::make_fcontext(boost_stack.get() + kBytes, kBytes, &BoostBounce);
  PrintFloor("bare switch, Boost.Context", [&boost] {
    boost = boost::context::detail::jump_fcontext(boost, nullptr).fctx;
  });
}

}  // namespace

int main() {
  fmt::print("ns per operation: median [min .. max] of {} rounds, interleaved; ratio with its 95 % interval\n",
             kRounds);
  fmt::print("{:<38} {:>2}  {:<25} {:<26} {}\n", "workload", "W", "fast", "global_fifo",
             "global_fifo / fast");
  for (const char* spec : {"pingpong", "pingpong:hint=next", "pingpong:pairs=1,rounds=300000",
                           "pingpong:pairs=1,rounds=300000,hint=next", "yield", "yield:fibers=10,yields=100000",
                           "spawn_join", "spawn_join:from=outside"}) {
    for (const std::uint64_t workers : {1, 2}) {
      PrintRow(spec, workers);
    }
  }
  PrintFloors();
}

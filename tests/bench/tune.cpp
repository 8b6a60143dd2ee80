// What the answer of tune is worth on this machine, on real rounds of real schedulers in real
// processes: how often it finds a better setting where no field has an effect, and how often the
// best one of a field with an effect of a known size. Shown, never tested: these are numbers of a
// machine. Arguments: runs of each kind (20), blocks of a comparison (20), rounds in a block (3).
#include "cli/main.hpp"
#include "harness/tune/decision.hpp"
#include "harness/tune/tuner.hpp"
#include "platform/time/clock.hpp"
#include "registry/workload.hpp"
#include "tests/bench/slowed.hpp"

#include <fmt/core.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::tests {

namespace {

using harness::TuneAnswer;
using harness::TuneOutcome;

struct Extent {
  std::uint32_t runs = 20;
  std::uint32_t blocks = 20;
  std::uint32_t rounds = 3;
};

void AddCandidate(harness::TunePlan& plan, harness::TunePlace place) {
  std::string config;
  for (std::size_t field = 0; field < place.size(); ++field) {
    config += fmt::format(R"({}"{}": {})", config.empty() ? "" : ", ", plan.fields[field].path,
                          plan.fields[field].values[place[field]]);
  }
  plan.candidates.push_back({.place = std::move(place),
                             .alternative = {.name = std::to_string(plan.candidates.size()),
                                             .command = {"/proc/self/exe", "agent"},
                                             .scheduler = std::string(kSlowedScheduler),
                                             .config = "{" + config + "}"}});
}

harness::ComparedWorkload WorkloadOf(std::string_view name, std::string parameters) {
  return {.entry = registry::FindWorkload(name),
          .name = std::string(name),
          .parameters = std::move(parameters)};
}

// All combinations of the fields; the first value of each is the default's.
harness::TunePlan PlanOf(std::vector<harness::TuneField> fields, const Extent& extent) {
  harness::TunePlan plan;
  plan.fields = std::move(fields);
  plan.is_full_grid = true;
  harness::TunePlace place(plan.fields.size(), 0);
  for (;;) {
    AddCandidate(plan, place);
    std::size_t field = 0;
    while (field < place.size() && ++place[field] == plan.fields[field].values.size()) {
      place[field++] = 0;
    }
    if (field == place.size()) {
      break;
    }
  }
  plan.objectives = {harness::Objective::kThroughput};
  plan.workloads = {WorkloadOf(kBusyWorkload, "{}"),
                    WorkloadOf("yield", R"({"fibers": 100, "yields": 100})")};
  plan.searched = 1;
  plan.blocks = extent.blocks;
  plan.rounds = extent.rounds;
  plan.limit = std::chrono::minutes(1);
  return plan;
}

void Tune(std::string_view kind, harness::TunePlan plan, const Extent& extent) {
  std::array<std::uint32_t, 4> answers{};
  std::uint32_t inconclusive = 0;
  std::uint32_t right = 0;
  const std::uint64_t begin = platform::NowNs();
  for (std::uint32_t run = 0; run < extent.runs; ++run) {
    plan.seed = run + 1;
    const harness::TuneData data = harness::SampleTune(
        plan, {.progress = [](const harness::TuneProgress&) {}, .cancelled = [] { return false; }});
    const harness::TuneDecision decision = harness::Decide(plan, data);
    ++answers[static_cast<std::size_t>(decision.answer)];
    inconclusive += decision.outcomes == std::vector{TuneOutcome::kInconclusive} ? 1 : 0;
    if (decision.best) {
      const harness::TunePlace& place = plan.candidates[data.winners[*decision.best - 1]].place;
      right += place == harness::TunePlace(place.size(), 1) ? 1 : 0;
    }
  }
  const auto of = [&answers](TuneAnswer answer) {
    return answers[static_cast<std::size_t>(answer)];
  };
  fmt::print("{:<36} {:>4} {:>6} {:>11} {:>4} {:>12} {:>9}   {:.3g} s a run\n", kind, extent.runs,
             of(TuneAnswer::kBetter), of(TuneAnswer::kConditional), of(TuneAnswer::kNone),
             inconclusive, right,
             static_cast<double>(platform::NowNs() - begin) / 1e9 / extent.runs);
}

}  // namespace

}  // namespace schedbench::tests

int main(int argc, char** argv) {
  using namespace schedbench;
  if (argc > 1 && std::string_view(argv[1]) == "agent") {
    return cli::Main(argc, argv);
  }
  const auto number = [&](int place, std::uint32_t otherwise) {
    return argc > place ? static_cast<std::uint32_t>(std::strtoul(argv[place], nullptr, 10))
                        : otherwise;
  };
  const tests::Extent extent{
      .runs = number(1, 20), .blocks = number(2, 20), .rounds = number(3, 3)};
  fmt::print("{:<36} {:>4} {:>6} {:>11} {:>4} {:>12} {:>9}\n", "answers of tune", "runs", "better",
             "conditional", "none", "inconclusive", "the best");
  const harness::TuneField nothing{.path = "nothing", .values = {"0", "1", "2"}};
  const harness::TuneField nothing_else{.path = "nothing_else", .values = {"0", "1", "2"}};
  tests::Tune("two fields without effect", tests::PlanOf({nothing, nothing_else}, extent), extent);
  const harness::TuneField slower{.path = "slower_percent", .values = {"30", "0", "10", "20"}};
  tests::Tune("0, 10, 20 or 30 % more work", tests::PlanOf({slower}, extent), extent);
  return 0;
}

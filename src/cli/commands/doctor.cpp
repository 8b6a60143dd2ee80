#include "cli/command.hpp"
#include "cli/flags/alternatives.hpp"
#include "cli/flags/cell_flags.hpp"
#include "cli/flags/plan_from_flags.hpp"
#include "cli/results/measure_cells.hpp"
#include "harness/doctor/facts.hpp"
#include "platform/process/interrupt.hpp"
#include "platform/time/clock.hpp"

#include <array>
#include <chrono>
#include <optional>

namespace schedbench::cli {

namespace {

constexpr auto kNoSelfFlag =
    SwitchFlag{"--no-aa", "", "", "Inspect only: do not compare fast with itself"};
constexpr auto kStrictFlag =
    SwitchFlag{"--strict", "", "", "Exit with code 5 if a finding makes comparisons unreliable"};
constexpr auto kWindowFlag =
    TimeFlag{"--window", "", "TIME", "How long to watch other activity: 500ms, 10s; 0: not at all"}
        .Checked(kTimeOrZero)
        .Default("2s");
constexpr auto kMachineRootFlag =
    TextFlag{"--root", "", "DIR",
             "Check a copy of another machine's /proc and /sys in this folder; implies --no-aa"};

constexpr auto kDoctorFlags =
    FlagsOf(kNoSelfFlag, kStrictFlag, kWindowFlag, kBlocksFlag.Usually("20"), kRoundsOfCellFlag,
            kSeedFlag, kMachineRootFlag, kOutputFlags);

constexpr std::array kDoctorHints{FlagHint{
    "--workload", "the doctor has one workload; compare takes any: schedbench compare fast fast"}};

constexpr std::string_view kDoctorDetails =
    R"(Each line has ok, warn or fail, the finding, and, unless it is ok, a command that fixes it or shows
more. The doctor changes nothing and needs no root and no network. First it watches other activity.
Then it compares `fast` with itself (A/A), with fresh processes in turn as in `schedbench compare`.
The true ratio is 1, so every deviation comes from the machine, and smaller differences cannot be
resolved here. This takes at most 20 s, with fewer blocks if necessary.

--strict is for scripts: it refuses a machine that is busy or throttled, and a build whose speed has
no meaning. It accepts what you cannot change, and what affects both sides of a comparison equally
(a virtual machine, unknown frequencies).
)";

constexpr std::string_view kScheduler = "fast";
constexpr const char* kWorkload = "pingpong:rounds=2500";  // about 10 ms with two workers
constexpr std::chrono::nanoseconds kLongest = std::chrono::seconds(20);  // limit of the A/A run

harness::ComparisonPlan SelfPlan(const Arguments& arguments, config::Problems& problems) {
  harness::ComparisonPlan plan;
  plan.alternatives =
      AlternativesOf({std::string(kScheduler), std::string(kScheduler)}, std::nullopt, problems);
  AddWorkload(kWorkload, kWorkloadFlag, plan.workloads, problems);
  plan.metrics = {"throughput"};
  SetExtent(arguments, 20, plan);
  plan.limit = kLongest;
  return plan;
}

// Takes fewer blocks than planned if the time runs out. None: interrupted.
std::optional<harness::SelfComparison> CompareWithSelf(const harness::ComparisonPlan& plan,
                                                       platform::InterruptibleEvent& interrupt,
                                                       const Arguments& arguments) {
  const std::uint64_t end = platform::NowNs() + static_cast<std::uint64_t>(kLongest.count());
  bool interrupted = false;
  const harness::ExperimentData data = MeasureShown(arguments, harness::ExperimentOf(plan), [&] {
    interrupted = interrupted || interrupt.HasCome();
    return interrupted || platform::NowNs() > end;
  });
  return interrupted ? std::nullopt : std::optional(harness::Conclude(plan, data));
}

ExitCode Examine(const Arguments& arguments) {
  config::Problems problems;
  const bool with_self = !arguments[kNoSelfFlag] && !arguments.Has(kMachineRootFlag);
  const harness::ComparisonPlan plan =
      with_self ? SelfPlan(arguments, problems) : harness::ComparisonPlan();
  const std::string root = arguments[kMachineRootFlag].value_or("");
  const platform::MachineFiles files(root);
  if (!files.Has("/proc")) {
    Reject(problems, PlaceOf(kMachineRootFlag, root.empty() ? "/" : root),
           "there is no such folder, or it has no subfolder proc");
  }
  problems.ThrowIfAny();
  const Delivery delivery = Delivery::Of<report::DoctorResult>(arguments);

  report::DoctorResult result;
  result.command = arguments.command_line;
  result.machine = platform::ThisMachine();
  result.seed = plan.seed;
  platform::InterruptibleEvent interrupt;
  const harness::ActivityReading before = harness::ReadActivity(files);
  result.complete = !interrupt.WaitFor(arguments[kWindowFlag]).has_value();
  result.facts = harness::ReadFacts(files, before);
  result.findings = harness::Judge(result.facts, registry::ThisBuild());
  if (!arguments.Has(kMachineRootFlag)) {
    harness::AddRestrictions(result.machine.restrictions, result.findings);
  }
  if (with_self && result.complete) {
    result.self = CompareWithSelf(plan, interrupt, arguments);
    result.complete = result.self.has_value();
  }
  if (result.self) {
    result.findings.push_back(harness::Judge(*result.self));
  }
  delivery.Deliver(result);
  if (!result.complete) {
    return ExitCode::kInterrupted;
  }
  return arguments[kStrictFlag] && harness::AnyConcern(result.findings) ? ExitCode::kNotComparable
                                                                        : ExitCode::kDone;
}

const CommandRegistration kDoctor{{
    .place = 220,
    .name = "doctor",
    .summary = "check what disturbs measurements here, and how small a difference can be seen",
    .flags = kDoctorFlags,
    .details = kDoctorDetails,
    .examples =
        R"(  schedbench doctor
  schedbench doctor --strict --quiet && schedbench compare fast global_fifo
  schedbench doctor --no-aa --format json
)",
    .hints = kDoctorHints,
    .run = &Examine,
}};

}  // namespace

}  // namespace schedbench::cli

#pragma once

#include "cli/flags/arguments.hpp"
#include "harness/live_run.hpp"
#include "harness/runner.hpp"
#include "profile/folded.hpp"
#include "profile/sampling/worker_sampling.hpp"
#include "profile/symbolized_profile.hpp"
#include "profile/views.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

// A run with sampled workers.

namespace schedbench::cli {

// Above 20,000 samples a second a worker does little other work. The default is out of phase with
// the kernel's tick and with periods of milliseconds in a program.
inline constexpr auto kFrequencyFlag =
    NumberFlag{"--frequency", "-F", "HZ",
               "Samples per second of CPU time of each worker, 1 to 20000"}
        .Checked(WholeNumber(1, 20'000))
        .Default("999");
inline constexpr std::array<std::string_view, 3> kClocks{"auto", "perf", "timer"};
inline constexpr auto kClockFlag =
    TextFlag{"--clock", "", "auto|perf|timer",
             "Clock of the samples; auto is perf if it is allowed, otherwise timer"}
        .Checked(OneOf(kClocks))
        .Default("auto");
inline constexpr auto kSamplingFlags = FlagsOf(kFrequencyFlag, kClockFlag);

// Returns the options of the two flags.
profile::SamplerOptions SamplingFromFlags(const Arguments& arguments);

// The result of a run, or of the finished part of an unfinished one.
struct SampledRun {
  harness::Outcome outcome;
  std::uint64_t period_ns;  // requested
  profile::SamplingReport report{};
  std::shared_ptr<profile::WorkerSampling> sampling{};  // holds the samples
  std::uint64_t stalled_ns = 0;                         // stall of all workers by --stall
};

// Measures as RunInterruptibly() does, and samples the measured rounds. Throws harness::SetupError,
// also if the machine permits no sampling.
SampledRun RunSampled(const harness::RunPlan& plan, const profile::SamplerOptions& options,
                      const profile::Observe& observe, const harness::Progress& progress);

// Returns the samples and the waits of the run with names.
profile::ProfiledRun Profiled(const SampledRun& run, profile::Show show = profile::Show::kOwn,
                              profile::InlinedLeaves leaves = profile::InlinedLeaves::kFolded);

// Returns a line: "perf task clock, 999 Hz requested; 1986 samples cover 99.8 % of 1.990 s of CPU
// time; 0 lost, 3 truncated, 0 without the function of their fiber", and refusals. `profile`: named
// samples.
std::string SamplingText(const SampledRun& run, const profile::StackProfile& profile);

// Returns "pingpong on fast".
std::string TitleOf(const harness::RunPlan& plan);

// Returns samples in the format of `perf script`. `profile`: named ones. `command`: the run's.
std::string PerfText(const profile::StackProfile& profile, const SampledRun& run,
                     const profile::Roots& roots, const std::vector<std::string>& command);

}  // namespace schedbench::cli

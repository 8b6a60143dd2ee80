#pragma once

#include "cli/flags/arguments.hpp"
#include "harness/live_run.hpp"
#include "harness/runner.hpp"
#include "profile/folded.hpp"
#include "profile/worker_sampling.hpp"

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

// A run whose workers are sampled.

namespace schedbench::cli {

// At more than 20,000 samples a second a worker does little else. The default differs from the kernel's tick and from the
// milliseconds of a program.
inline constexpr Flag kFrequencyFlag =
    Flag{"--frequency", "-F", "HZ", "Samples per second of CPU time of each worker, 1 to 20000"}
        .Checked(WholeNumber(1, 20'000))
        .Default("999");
inline constexpr std::array<std::string_view, 3> kClocks{"auto", "perf", "timer"};
inline constexpr Flag kClockFlag =
    Flag{"--clock", "", "auto|perf|timer",
         "What takes them; auto is perf where it is allowed, else timer"}
        .Checked(OneOf(kClocks))
        .Default("auto");

// What the two flags say.
profile::SamplerOptions SamplingFromFlags(const Arguments& arguments);

// What is known after it. Where the run did not come to its end, up to there.
struct SampledRun {
  harness::Outcome outcome;
  profile::SamplingReport report{};
  std::shared_ptr<profile::WorkerSampling> sampling{};  // holds the samples
};

// Measures as RunInterruptibly() does, and samples the measured rounds. Throws harness::SetupError, also where the machine lets
// nobody sample.
// `with_waits`: also looks at fibers that do not run.
SampledRun RunSampled(const harness::RunPlan& plan, const profile::SamplerOptions& options,
                      bool with_waits, const harness::Progress& progress);

// "perf task clock, 999 Hz asked; 1986 samples stand for 99.8 % of 1.990 s of CPU time; 0 lost, 3 truncated", and what was
// refused. One line.
std::string SamplingText(const profile::SamplingReport& report,
                         const profile::SamplerOptions& options);

// "pingpong on fast".
std::string TitleOf(const harness::RunPlan& plan);

// The samples as `perf script` would print them. `profile`: those of the run, with names; `command`: that asked for it.
std::string PerfText(const profile::StackProfile& profile, const SampledRun& run,
                     const profile::SamplerOptions& options, const profile::Roots& roots,
                     const std::vector<std::string>& command);

}  // namespace schedbench::cli

#pragma once

#include "cli/flags/arguments.hpp"
#include "cli/flags/flag.hpp"
#include "platform/process/hogs.hpp"

#include <optional>
#include <string>
#include <vector>

// Deliberate disturbances of a run.

namespace schedbench::cli {

// Checks "5%,500us": the share of the time, and the time of each stall, by default in microseconds.
std::string StallComplaint(const ValueRule& rule, const std::string& text);
// Checks a number of processes that leaves each CPU some time for the measurement.
std::string HogComplaint(const ValueRule& rule, const std::string& text);

inline constexpr auto kPinFlag =
    SwitchFlag{"--pin", "", "",
               "Pin each worker to a CPU of its own, of those that the process may use, in turn"};
inline constexpr auto kHogFlag =
    CountFlag{"--hog", "", "N",
              "Also run N other processes that use a CPU each, at most 32 for each CPU"}
        .Checked({.complaint = &HogComplaint, .min = 1, .max = 1'000'000})
        .Explained(
            "--pin, --hog, --timerslack and --stall disturb all that is measured, on purpose; the "
            "result reports it (\"perturbed\").");
inline constexpr auto kTimerSlackFlag =
    NumberFlag{
        "--timerslack", "", "NS",
        "Let the kernel end timed waits of all threads at most NS nanoseconds late (Linux: 50000)"}
        .Checked(WholeNumber(1, 1'000'000'000));

inline constexpr auto kStallFlag =
    TextFlag{"--stall", "", "SHARE,TIME",
             "Stop each worker at random moments, each time for TIME, at most 10s, for a "
             "total SHARE of the time, at most 90%: 5%,500us"}
        .Checked({.complaint = &StallComplaint});

inline constexpr auto kPerturbationFlags = FlagsOf(kPinFlag, kHogFlag, kTimerSlackFlag, kStallFlag);

// Returns flags of an agent that disturb its workers as these do; empty if none does.
std::vector<std::string> PerturbationsOfWorkers(const Arguments& arguments);

// Disturbs as the flags say, from construction on. The hogs end with the object; pins and slack
// hold for all threads and processes that start later.
class Perturbations {
 public:
  // Requires: the process has one thread. Throws config::InputError at a process limit.
  explicit Perturbations(const Arguments& arguments);

  // Returns "2 hogs, timer slack 1 ns, pinned workers"; "" for none.
  const std::string& Text() const {
    return text_;
  }

 private:
  std::optional<platform::Hogs> hogs_;
  std::string text_;
};

}  // namespace schedbench::cli

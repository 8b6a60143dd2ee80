#pragma once

#include <array>
#include <string_view>

namespace schedbench::cli {

// The exit codes of the process. Scripts depend on these numbers, so they never change.
enum class ExitCode {
  kDone = 0,
  kRegression = 1,
  kInput = 2,
  kInconclusive = 3,
  kWrongAnswer = 4,
  kNotComparable = 5,
  kBug = 70,
  kInterrupted = 130,
};

struct ExitCodeMeaning {
  ExitCode code;
  std::string_view meaning;
};

// All exit codes, in the words of the help and of docs/exit-codes.md.
inline constexpr std::array kExitCodes{
    ExitCodeMeaning{ExitCode::kDone, "done"},
    ExitCodeMeaning{
        ExitCode::kRegression,
        "compare: a --fail-if or --require gate failed; history check: a regression is proven"},
    ExitCodeMeaning{
        ExitCode::kInput,
        "wrong usage or config, a result that cannot be written, a limit of the machine, a "
        "--budget that ends before the first block, a tune without an answer; --host, --slurm: a "
        "machine that does not answer; load: a part that was lost"},
    ExitCodeMeaning{ExitCode::kInconclusive,
                    "compare: a --require gate is inconclusive; history check --require: too few "
                    "revisions; history bisect: no difference is proven"},
    ExitCodeMeaning{ExitCode::kWrongAnswer,
                    "a wrong answer, a hang, or an exception that a fiber or the workload did not "
                    "catch; agent-check: the agent breaks a rule"},
    ExitCodeMeaning{ExitCode::kNotComparable,
                    "a --baseline, --doctor or --journal file of another machine, build or "
                    "workload; --host, --slurm: another version there; doctor --strict: the "
                    "machine is too noisy for comparisons; history: a file of a newer schedbench, "
                    "or a newest revision of another machine or build"},
    ExitCodeMeaning{ExitCode::kBug,
                    "a crash or a failed assertion, in schedbench or in the code that it measures"},
    ExitCodeMeaning{ExitCode::kInterrupted,
                    R"(interrupted; the finished part is reported with "complete": false)"},
};

}  // namespace schedbench::cli

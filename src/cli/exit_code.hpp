#pragma once

#include <array>
#include <string_view>

namespace schedbench::cli {

// What the process tells its caller. Scripts depend on these numbers: they never change.
enum class ExitCode {
  kDone = 0,
  kRegression = 1,
  kInput = 2,
  kUnresolved = 3,
  kWrongAnswer = 4,
  kNotComparable = 5,
  kBug = 70,
  kInterrupted = 130,
};

struct ExitCodeMeaning {
  ExitCode code;
  std::string_view meaning;
};

// All that a process can end with, in the words of the help and of README.md.
inline constexpr std::array kExitCodes{
    ExitCodeMeaning{ExitCode::kDone, "done"},
    ExitCodeMeaning{ExitCode::kRegression,
                    "a gate failed: compare --fail-if or --require, and it is proven"},
    ExitCodeMeaning{
        ExitCode::kInput,
        "wrong usage or config, a result that cannot be written, a limit of the machine"},
    ExitCodeMeaning{ExitCode::kUnresolved, "compare --require: neither proven nor proven wrong"},
    ExitCodeMeaning{ExitCode::kWrongAnswer,
                    "a wrong answer, a hang, or an exception that left a fiber or the workload"},
    ExitCodeMeaning{
        ExitCode::kNotComparable,
        "a --baseline or --doctor of another machine or build, or other work; doctor --strict: "
        "comparisons are spoiled"},
    ExitCodeMeaning{ExitCode::kBug,
                    "a crash or a failed assertion, in schedbench or in the code that it measures"},
    ExitCodeMeaning{ExitCode::kInterrupted,
                    R"(interrupted; what was known is reported with "complete": false)"},
};

}  // namespace schedbench::cli

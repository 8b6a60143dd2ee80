#pragma once

namespace schedbench::cli {

// What the process tells its caller. Scripts depend on these numbers: they never change.
enum class ExitCode {
  kDone = 0,
  kRegression = 1,  // a comparison proved it
  kInput = 2,  // wrong usage or config, a result that cannot be written, a limit of the machine
  kUnresolved = 3,     // a comparison could not decide, and --require asked for a decision
  kWrongAnswer = 4,    // a wrong answer, a lost task, a hang, an exception out of a fiber
  kNotComparable = 5,  // results of different machines or builds
  kBug = 70,  // a failed assertion or a crash, in schedbench or in the code that it measures
  kInterrupted = 130,  // by a signal; what was known is reported
};

}  // namespace schedbench::cli

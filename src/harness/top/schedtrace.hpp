#pragma once

#include "harness/top/reading.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace schedbench::harness {

// Reads what a Go program with GODEBUG=schedtrace=MS,scheddetail=1 writes to stderr
// (runtime/proc.go, schedtrace): a line SCHED, then one for each P, M and G. Input of another
// program: any line is allowed, a field that is missing or no number is ignored.
//
// Programs that it starts, such as the compiler under `go run`, inherit the variable and write to
// the same stream. A reading continues the process whose clock and counts are the nearest below its
// own; if there is none, a process has begun. The readings of the process that began last are
// returned; once it has been silent for two readings of another one, that one's.
class SchedtraceParser {
 public:
  // Takes the next line, without its line break. Returns false if it is no line of the trace.
  bool Take(std::string_view line);

  // Returns where in a line a SCHED line begins: a program may have written text before it without
  // a line break. npos: nowhere.
  static std::size_t BeginOfTrace(std::string_view line) noexcept;

  // Returns the reading that the next SCHED line, or Flush(), has completed; each once.
  std::optional<TopReading> Next();

  // The process whose reading Next() has returned last: another number for each.
  std::uint64_t ProcessOfReading() const {
    return processes_.empty() ? 0 : processes_[followed_].number;
  }

  // Completes the reading of the lines so far: the program wrote nothing for a while, or has ended.
  void Flush();

 private:
  // A process that writes to the stream.
  struct Process {
    TopReading last;
    std::uint64_t number;
    unsigned since = 0;  // its readings after the last one of the process that is followed
  };

  void Complete(TopReading reading);
  void TakeProcessor(std::string_view line, std::size_t number);
  void TakeThread(std::string_view line);
  void TakeGoroutine(std::string_view line);

  std::optional<TopReading> open_;
  std::optional<TopReading> done_;
  std::vector<Process> processes_;  // in the order in which they began
  std::size_t followed_ = 0;
  std::uint64_t begun_ = 0;  // processes
};

}  // namespace schedbench::harness

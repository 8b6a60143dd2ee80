#pragma once

#include "harness/top/reading.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace schedbench::harness {

// Reads what a Go program with GODEBUG=schedtrace=MS,scheddetail=1 writes to stderr
// (runtime/proc.go, schedtrace): a line SCHED, then a line for each P, M and G. The input comes
// from another program: any line is allowed, and a missing or malformed field is ignored.
// Programs that it starts, such as the compiler under `go run`, inherit the variable and write to
// the same stream. A reading belongs to the process whose clock and counts are the nearest below
// its own; without such a process, a new one has begun. The parser returns readings of the process
// that began last; after two readings of another process without one of it, it follows the other.
class SchedtraceParser {
 public:
  // Takes the next line, without its line break. Returns false if it is not of the trace.
  bool Take(std::string_view line);

  // Returns where a SCHED line begins in a line, after text without a line break, or npos.
  static std::size_t BeginOfTrace(std::string_view line) noexcept;

  // Returns the reading that the next SCHED line, or Flush(), has completed; each reading once.
  std::optional<TopReading> Next();

  // Returns the number of the process whose reading Next() returned last.
  std::uint64_t ProcessOfReading() const {
    return processes_.empty() ? 0 : processes_[followed_].number;
  }

  // Completes the reading of the lines so far. Called when the program paused its output or ended.
  void Flush();

 private:
  // A process that writes to the stream.
  struct Process {
    TopReading last;
    std::uint64_t number;
    unsigned since = 0;  // its readings since the last one of the followed process
  };

  void Complete(TopReading reading);
  void TakeProcessor(std::string_view line, std::size_t number);
  void TakeThread(std::string_view line);
  void TakeGoroutine(std::string_view line);

  std::optional<TopReading> open_;
  std::optional<TopReading> done_;
  std::vector<Process> processes_;  // in the order of their starts
  std::size_t followed_ = 0;
  std::uint64_t begun_ = 0;  // number of processes
};

}  // namespace schedbench::harness

#pragma once

#include "harness/top/reading.hpp"

#include <optional>
#include <string_view>

namespace schedbench::harness {

// Reads what a Go program with GODEBUG=schedtrace=MS,scheddetail=1 writes to stderr (runtime/proc.go, schedtrace): a line SCHED,
// then one for each P, M and G. Input of another program: any line is allowed, a field that is missing or no number is ignored.
class SchedtraceParser {
 public:
  // Takes the next line, without its line break. Returns false if it is no line of the trace.
  bool Take(std::string_view line);

  // Returns the reading that the next SCHED line, or Flush(), has completed; each once.
  std::optional<TopReading> Next();

  // Completes the reading of the lines so far: the program wrote nothing for a while, or has ended.
  void Flush();

 private:
  void TakeProcessor(std::string_view line, std::size_t number);
  void TakeThread(std::string_view line);
  void TakeGoroutine(std::string_view line);

  std::optional<TopReading> open_;
  std::optional<TopReading> done_;
};

}  // namespace schedbench::harness

#pragma once

#include "cli/flags/arguments.hpp"
#include "harness/compare/sampler.hpp"
#include "report/comparison/comparison.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace schedbench::cli {

// The table of a comparison with a budget, on a terminal at stderr while it is measured, with the time that is left. Redrawn at most
// ten times a second, so that it does not disturb short rounds; erased at the end. Used by one thread.
class LiveComparison {
 public:
  // Shown on a terminal that can erase lines, unless --quiet is given; of a table that is longer than the screen the first lines.
  // `result` must outlive this; its plan is complete.
  LiveComparison(const Arguments& arguments, const report::ComparisonResult& result);

  // Shows the blocks so far, if the last time is long enough ago.
  void Update(const harness::ComparisonData& data);
  // Shows the time that is left.
  void Tick();
  // Erases the table for good.
  void Stop();

 private:
  // The line below the table, as of now.
  std::string Progress();
  // Moves the cursor to the beginning of the table, and erases all of it.
  std::string Erased() const;

  const report::ComparisonResult& result_;
  bool shown_;
  std::uint64_t start_ns_;
  std::uint64_t drawn_ns_ = 0;    // the progress line; 0: never
  std::uint64_t updated_ns_ = 0;  // the table; 0: never
  std::size_t lines_ = 0;         // on the screen, above the cursor
};

}  // namespace schedbench::cli

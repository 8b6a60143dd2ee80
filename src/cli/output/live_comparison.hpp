#pragma once

#include "cli/flags/arguments.hpp"
#include "harness/compare/sampler.hpp"
#include "report/comparison/comparison.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace schedbench::cli {

// The table of a comparison with a budget, on a terminal at stderr while it is measured, with the time that is left. Redrawn after
// each block, erased at the end. Used by one thread.
class LiveComparison {
 public:
  // Shown on a terminal that can erase lines and has room for the table, unless --quiet is given. `result` must outlive this;
  // its plan is complete.
  LiveComparison(const Arguments& arguments, const report::ComparisonResult& result);

  // Shows the blocks so far.
  void Update(const harness::ComparisonData& data);
  // Shows the time that is left. Draws at most ten times a second, so that it does not disturb short rounds.
  void Tick();
  // Erases the table for good.
  void Stop();

 private:
  void Draw();
  void Erase();

  const report::ComparisonResult& result_;
  bool shown_;
  std::uint64_t start_ns_;
  std::uint64_t drawn_ns_ = 0;
  std::string table_;
  std::size_t lines_ = 0;  // on the screen, above the cursor
};

}  // namespace schedbench::cli

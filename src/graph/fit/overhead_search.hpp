#pragma once

#include <optional>
#include <vector>

namespace schedbench::graph {

// Searches the overhead of each computation with which a replay takes as long as the program, by
// the secant of the last two passes inside the bracket of all passes. The best pass wins, due to
// noise.
class OverheadSearch {
 public:
  struct Pass {
    double overhead = 0;  // nanoseconds in addition to the overhead at the start
    double program_ns = 0;
    double replay_ns = 0;

    double ErrorNs() const {
      return replay_ns - program_ns;
    }
    double Error() const {
      return ErrorNs() / program_ns;
    }
  };

  // `computations` of each worker: a nanosecond of overhead first shortens a replay by as many ns.
  explicit OverheadSearch(double computations);

  // Returns the overhead to measure next, 0 first; none when the search is over.
  std::optional<double> Next() const {
    return next_;
  }

  // Adds a pass. Requires: its overhead is Next().
  void Add(const Pass& pass);

  // Returns the pass with the least error. Among passes that differ by less than the noise it takes
  // the one whose overhead is nearest to 0: if computations do not dominate, overhead would only
  // make them wrong. Requires: one pass.
  const Pass& Best() const;

 private:
  void Narrow(const Pass& pass);
  double BySecant(const Pass& pass) const;

  std::vector<Pass> passes_;
  // The largest overhead with which a replay took longer than the program.
  std::optional<double> slow_;
  std::optional<double> fast_;  // the least overhead with which it did not
  double slope_;                // change of a replay's time by overhead
  std::optional<double> next_ = 0.0;
};

}  // namespace schedbench::graph

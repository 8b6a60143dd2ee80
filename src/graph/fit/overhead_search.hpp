#pragma once

#include <optional>
#include <vector>

namespace schedbench::graph {

// Searches the overhead of each computation with which a replay takes as long as the program. By the secant of the last two
// passes, inside the bracket that the passes have shown. Times have noise, so it takes the best of the passes.
class OverheadSearch {
 public:
  struct Pass {
    double overhead = 0;  // nanoseconds, beside that with which the search began
    double program_ns = 0;
    double replay_ns = 0;

    double ErrorNs() const {
      return replay_ns - program_ns;
    }
    double Error() const {
      return ErrorNs() / program_ns;
    }
  };

  // `computations`: on each worker. A nanosecond of overhead makes a replay as many nanoseconds shorter, at first.
  explicit OverheadSearch(double computations);

  // Returns with which overhead to measure next; nothing when the search is over. First 0.
  std::optional<double> Next() const {
    return next_;
  }

  // Requires: the overhead is Next().
  void Add(const Pass& pass);

  // Returns the pass with the least error; of several that differ by less than the noise, the one whose overhead is nearest
  // to 0: where computations are not what takes the time, overhead would only make them wrong. Requires: one pass.
  const Pass& Best() const;

 private:
  void Narrow(const Pass& pass);
  double BySecant(const Pass& pass) const;

  std::vector<Pass> passes_;
  std::optional<double>
      slow_;  // the most overhead with which a replay took longer than the program
  std::optional<double> fast_;  // the least with which it did not
  double slope_;                // of the time of a replay, by overhead
  std::optional<double> next_ = 0.0;
};

}  // namespace schedbench::graph

#pragma once

#include "history/record.hpp"
#include "stats/ratio.hpp"

#include <cstddef>
#include <string>
#include <vector>

// The order of revisions, and changes between them. Pure functions; thread-safe.

namespace schedbench::history {

// Puts the values into the order of their revisions, and returns what the user should check.
// `commits`: the names of a repository's revisions, the oldest first; empty: not given, then the
// order is that of the commit times if all values have one, otherwise that of the sequence. A clock
// that was set back changes no order without a warning.
std::vector<std::string> OrderByRevision(std::vector<RevisionValue>& values,
                                         const std::vector<std::string>& commits);

struct Change {
  std::size_t at;  // index of the first revision with the new level
  double p;
  // Ratio of the median after it to the median before, up to the next changes; 95 %.
  stats::RatioEstimate ratio;
};

struct Changes {
  std::vector<Change> found;
  bool too_few = false;  // a series of this length cannot have a proven change at this level
  // Values resemble their neighbours: there are more false alarms than the level allows.
  bool dependent = false;
};

// Finds the changes in values of revisions in their order (stats/change_points.hpp). `alpha`:
// probability of a change in a series without real ones. Requires: positive, finite values.
Changes FindChanges(const std::vector<double>& values, double alpha);

}  // namespace schedbench::history

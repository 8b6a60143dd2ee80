#pragma once

#include "history/record.hpp"
#include "stats/ratio.hpp"

#include <cstddef>
#include <string>
#include <vector>

// The order of revisions, and changes between them. Pure functions; thread-safe.

namespace schedbench::history {

// Puts the values into the order of their revisions, and returns what the user should check. `commits`: the names of the
// revisions of a repository, the oldest first; empty: not given. Without it the order is that of the commit times if all
// values have one, else that of the sequence. A clock that was set back changes no order without a warning.
std::vector<std::string> OrderByRevision(std::vector<RevisionValue>& values,
                                         const std::vector<std::string>& commits);

struct Change {
  std::size_t at;  // place of the first revision with the new level
  double p;
  stats::RatioEstimate
      ratio;  // of the median after it to the median before, up to the next changes; 95 %
};

struct Changes {
  std::vector<Change> found;
  bool too_few = false;  // no series of this length can have a proven change at this level
  bool dependent =
      false;  // values resemble their neighbours beyond the changes: more false alarms than the level allows
};

// Finds the changes in values of revisions in their order (stats/change_points.hpp). `alpha`: probability of any change in
// a series that has none. Requires: all values positive and finite.
Changes FindChanges(const std::vector<double>& values, double alpha);

}  // namespace schedbench::history

#pragma once

#include "harness/summary.hpp"
#include "report/history/history_report.hpp"
#include "report/parts/json_parts.hpp"
#include "report/parts/notes.hpp"

#include <string>
#include <vector>

// Texts for series and their changes. Pure; thread-safe.

namespace schedbench::report {

// Parses a text of a database of any origin; returns an empty object if it is not an object.
Json ParsedObject(const std::string& text);

// Returns "pingpong:pairs=8": the differences from the defaults of this program.
std::string WorkloadLabel(const history::SeriesKey& key);

// Returns "fast:lifo_limit=0" or "go (go go1.19.8)".
std::string SchedulerLabel(const history::SeriesKey& key);

// Returns "throughput", or "throughput / 1a2b3c4" for a ratio to a revision.
std::string SeriesMetricLabel(const history::SeriesKey& key);

// Returns "#3 pingpong on fast: throughput".
std::string SeriesLabel(const history::StoredSeries& series);

// Returns "AMD EPYC, 2 CPUs, Linux 6.1; GNU 12.2.0, Release, mimalloc".
std::string PlaceLabel(const history::SeriesKey& key);

// Returns the first 10 digits of a commit; any other name unchanged.
std::string RevisionLabel(const std::string& name);

// Returns "1.20 M/s", "0.95".
std::string HistoryValueText(const history::SeriesKey& key, double value,
                             const TerminalStyle& style);

// Returns the median and the range of all blocks of a revision.
harness::Spread SpreadOfRevision(const history::RevisionValue& value);

// Returns "0.95 (0.93 to 0.96), worse".
std::string ChangeText(const JudgedSeries& series, std::size_t change);

// Returns "worse", "no change", "too few revisions".
std::string StatusOf(const JudgedSeries& series);

// Returns what the level means, and the confidence of the changes.
std::vector<std::string> LevelSentences(const HistoryResult& result);

std::vector<Note> NotesOn(const HistoryResult& result);

}  // namespace schedbench::report

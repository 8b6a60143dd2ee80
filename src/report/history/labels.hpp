#pragma once

#include "harness/summary.hpp"
#include "report/history/history_report.hpp"
#include "report/parts/json_parts.hpp"
#include "report/parts/notes.hpp"

#include <string>
#include <vector>

// Texts for series and their changes. Pure; thread-safe.

namespace schedbench::report {

// The object that a text of a database of any origin is; an empty one if it is none.
Json ParsedObject(const std::string& text);

// "pingpong:pairs=8": what differs from the defaults of this program.
std::string WorkloadLabel(const history::SeriesKey& key);

// "fast:lifo_limit=0", "go (go go1.19.8)"
std::string SchedulerLabel(const history::SeriesKey& key);

// "throughput", "throughput / 1a2b3c4": of a ratio to a revision.
std::string SeriesMetricLabel(const history::SeriesKey& key);

// "#3 pingpong on fast: throughput"
std::string SeriesLabel(const history::StoredSeries& series);

// "AMD EPYC, 2 CPUs, Linux 6.1; GNU 12.2.0, Release, mimalloc"
std::string PlaceLabel(const history::SeriesKey& key);

// A commit by its first 10 digits; any other name as it is.
std::string RevisionLabel(const std::string& name);

// "1.20 M/s", "0.95"
std::string HistoryValueText(const history::SeriesKey& key, double value,
                             const TerminalStyle& style);

// The median and the range of all blocks of a revision.
harness::Spread SpreadOfRevision(const history::RevisionValue& value);

// "0.95 (0.93 to 0.96), worse"
std::string ChangeText(const JudgedSeries& series, std::size_t change);

// What a series has: "worse", "no change", "too few revisions".
std::string StatusOf(const JudgedSeries& series);

// What the level means, and how sure the changes are.
std::vector<std::string> LevelSentences(const HistoryResult& result);

std::vector<Note> NotesOn(const HistoryResult& result);

}  // namespace schedbench::report

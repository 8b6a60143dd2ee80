#pragma once

#include "registry/metric.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace schedbench::history {

// All that a value depends on except the revision; it is equal for the values of a series.
struct SeriesKey {
  std::string machine;     // JSON object of the facts of a machine
  std::string build;       // JSON object of the kind of build
  std::string runtime;     // "go go1.19.8"; "" for our own schedulers
  std::string scheduler;   // "fast"
  std::string config;      // JSON object of the settings that differ from the defaults
  std::string workload;    // "pingpong"
  std::string parameters;  // JSON object of all parameters
  std::string metric;      // "throughput"
  std::string unit;
  registry::Better better = registry::Better::kNone;
  // Values are ratios to this revision, whose agent was measured next to it; "": absolute values.
  std::string reference;

  bool operator==(const SeriesKey&) const = default;
};

// The result for one series.
struct Point {
  SeriesKey key;
  std::vector<double> blocks;  // positive and finite; the value is their median
};

struct Revision {
  std::string name;                         // a commit, or the user's name
  std::optional<std::int64_t> commit_time;  // seconds since 1970
};

// A result to store.
struct Record {
  std::string kind;  // "comparison"
  std::string hash;  // hash of its content: equal results are stored once
  Revision revision;
  std::int64_t added_time = 0;  // seconds since 1970
  std::vector<Point> points;
};

// The stored values of a revision in one series.
struct RevisionValue {
  Revision revision;
  std::int64_t sequence;                     // grows with each new revision
  std::int64_t added_time;                   // time of its first result
  std::vector<std::vector<double>> results;  // the blocks of each result, in the order of adding

  // Returns the median of the medians of its results.
  double Value() const;
};

struct StoredSeries {
  std::int64_t number;  // number in commands
  SeriesKey key;
  std::vector<RevisionValue> values;  // values in the order of their sequence
};

}  // namespace schedbench::history

#pragma once

#include "registry/metric.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace schedbench::history {

// What must be equal for values to form a series: all that a value depends on, except the revision.
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
  // Values are ratios to this revision, whose agent ran beside; "": absolute values.
  std::string reference;

  bool operator==(const SeriesKey&) const = default;
};

// What a result says of one series.
struct Point {
  SeriesKey key;
  std::vector<double> blocks;  // positive and finite; the value is their median
};

struct Revision {
  std::string name;                         // a commit, or what the user calls it
  std::optional<std::int64_t> commit_time;  // seconds since 1970
};

// A result that is to be stored.
struct Record {
  std::string kind;  // "comparison"
  std::string hash;  // of its content: the same result is stored once
  Revision revision;
  std::int64_t added_time = 0;  // seconds since 1970
  std::vector<Point> points;
};

// What is stored of a revision in one series.
struct RevisionValue {
  Revision revision;
  std::int64_t sequence;    // grows with each revision that is added for the first time
  std::int64_t added_time;  // of its first result
  std::vector<std::vector<double>> results;  // the blocks of each result, in the order of adding

  // The median of the medians of its results.
  double Value() const;
};

struct StoredSeries {
  std::int64_t number;  // by which commands name it
  SeriesKey key;
  std::vector<RevisionValue> values;  // in the order of their sequence
};

}  // namespace schedbench::history

#pragma once

#include "history/database.hpp"
#include "history/record.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace schedbench::history {

// Results by machine, build, revision and workload, in one file. Two processes may use the same
// file; earlier results survive the kill of a process. For one thread. Errors: Database's, and
// NewerSchema.
class Store {
 public:
  // kWrite creates the file, or makes an empty one a history.
  Store(const std::string& path, Database::Access access);

  enum class Added { kNew, kKnown };

  // Stores a result whole or not at all. kKnown: it is already stored, and nothing changes. Throws
  // config::InputError if it is stored for another revision.
  Added Add(const Record& record);

  // Stores all results or, if it throws, none. Returns what Add() returns for each.
  std::vector<Added> AddAll(std::span<const Record> records);

  // Returns all series, in the order of their numbers.
  std::vector<StoredSeries> Read();

  const std::string& Path() const {
    return database_.Path();
  }

 private:
  // Throws if the file is not a history, or is one of a newer program.
  void RequireOwn();
  // Requires: a transaction that writes.
  Added AddOne(const Record& record);
  std::int64_t RevisionNumber(const Record& record);
  std::int64_t SeriesNumber(const SeriesKey& key);
  [[noreturn]] void Damaged(const std::string& what) const;

  Database database_;
};

}  // namespace schedbench::history

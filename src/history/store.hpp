#pragma once

#include "history/database.hpp"
#include "history/record.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace schedbench::history {

// Results by machine, build, revision and workload, in one file. Two processes may use the same file; a process that is
// killed leaves the results that were added before. Used by one thread. Errors: those of Database, and NewerSchema.
class Store {
 public:
  // kWrite creates the file, or makes an empty one a history.
  Store(const std::string& path, Database::Access access);

  enum class Added { kNew, kKnown };

  // Stores a result whole or not at all. kKnown: it is there already, and nothing changes. Throws config::InputError if it is
  // there as a result of another revision.
  Added Add(const Record& record);

  // Returns all series, in the order of their numbers.
  std::vector<StoredSeries> Read();

  const std::string& Path() const {
    return database_.Path();
  }

 private:
  // Throws if the file is not a history, or one of a newer program.
  void RequireOwn();
  void Create();
  std::int64_t RevisionNumber(const Record& record);
  std::int64_t SeriesNumber(const SeriesKey& key);
  [[noreturn]] void Damaged(const std::string& what) const;

  Database database_;
};

}  // namespace schedbench::history

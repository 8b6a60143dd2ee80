#pragma once

#include "cli/flags/arguments.hpp"
#include "cli/results/result_file.hpp"
#include "history/record.hpp"
#include "history/store.hpp"

#include <optional>
#include <string>

namespace schedbench::cli {

// Opens the history that the flags name. Throws config::InputError, platform::WriteError, and
// NotComparable if it is of a newer program.
history::Store OpenHistory(const Arguments& arguments, history::Database::Access access);

// A result of run, compare, sweep or scale, ready for a history.
struct ResultOfRevision {
  std::string file;
  history::Record record;
};

// Reads a result of -o FILE.json. `revision`: the revision of the result; none: the one that its
// build reports. Throws config::InputError if the file is not such a result, did not finish, or
// lacks a revision; NotComparable if it has another schema or was observed or disturbed on purpose.
ResultOfRevision ReadResult(const std::string& file, const std::optional<std::string>& revision);

// Returns the key of an alternative's series without its metric: the machine, the kind of build,
// and the rest. `runtime`: "" for our own schedulers. `config`, `parameters`: JSON objects.
history::SeriesKey KeyOf(const Origin& origin, const std::string& runtime,
                         const std::string& scheduler, const std::string& config,
                         const std::string& workload, const std::string& parameters);

Origin OriginOfThisProgram();

// Adds a point, or its blocks to those of the same series. Adds nothing without blocks.
void AddPoint(history::Record& record, history::SeriesKey key, const registry::Metric& metric,
              std::vector<double> blocks);

// Returns the values of the blocks that have a positive one.
std::vector<double> BlockValues(const harness::Series& series, const registry::Metric& metric);

}  // namespace schedbench::cli

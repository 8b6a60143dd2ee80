#include "history/store.hpp"

#include "base/vector_of.hpp"
#include "config/input_error.hpp"
#include "config/quote.hpp"
#include "history/leaves.hpp"
#include "stats/order_statistics.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <random>
#include <string_view>
#include <system_error>

namespace schedbench::history {

namespace {

// Rises when a former program would misread the tables. docs/history.md describes them.
constexpr int kSchemaVersion = 1;
constexpr std::int64_t kApplicationId = 0x73624869;  // "sbHi"

constexpr const char* kTables = R"(
CREATE TABLE revisions(
  sequence INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  commit_time INTEGER,
  added_time INTEGER NOT NULL) STRICT;
CREATE TABLE results(
  id INTEGER PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  revision INTEGER NOT NULL REFERENCES revisions,
  added_time INTEGER NOT NULL) STRICT;
CREATE TABLE series(
  number INTEGER PRIMARY KEY,
  machine TEXT NOT NULL,
  build TEXT NOT NULL,
  runtime TEXT NOT NULL,
  scheduler TEXT NOT NULL,
  config TEXT NOT NULL,
  workload TEXT NOT NULL,
  parameters TEXT NOT NULL,
  metric TEXT NOT NULL,
  unit TEXT NOT NULL,
  better TEXT NOT NULL,
  reference TEXT NOT NULL,
  UNIQUE(machine, build, runtime, scheduler, config, workload, parameters, metric, unit, better,
    reference)) STRICT;
CREATE TABLE points(
  result INTEGER NOT NULL REFERENCES results,
  series INTEGER NOT NULL REFERENCES series,
  blocks TEXT NOT NULL,
  PRIMARY KEY(series, result)) STRICT, WITHOUT ROWID;
)";

constexpr std::array kBetter{registry::Better::kHigher, registry::Better::kLower,
                             registry::Better::kNone};

// Returns "[1.5,2]", which SQLite's JSON functions also read.
std::string BlocksText(const std::vector<double>& blocks) {
  return fmt::format("[{}]", fmt::join(blocks, ","));
}

// Returns none if the text is not such a list of positive numbers.
std::optional<std::vector<double>> BlocksOf(std::string_view text) {
  if (text.size() < 3 || text.front() != '[' || text.back() != ']') {
    return std::nullopt;
  }
  std::vector<double> blocks;
  const char* at = text.data() + 1;
  const char* const end = text.data() + text.size() - 1;
  for (;;) {
    double value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc() || !std::isfinite(value) || value <= 0) {
      return std::nullopt;
    }
    blocks.push_back(value);
    if (next == end) {
      return blocks;
    }
    if (*next != ',') {
      return std::nullopt;
    }
    at = next + 1;
  }
}

void CreateTables(Database& database) {
  if (database.Pragma("PRAGMA user_version") != 0) {
    return;
  }
  Transaction transaction(database);
  // Another process may have been faster.
  if (database.Pragma("PRAGMA user_version") == 0) {
    database.Run(kTables);
    database.Run(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {};",
                             kApplicationId, kSchemaVersion)
                     .c_str());
  }
  transaction.Commit();
}

// Creates the file under another name and then links it, so that a failure does not leave an empty
// file. Removal of an empty file could lose another process' write. Returns the path.
const std::string& CreatedIfMissing(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (fs::exists(fs::symlink_status(path, ignored))) {
    return path;
  }
  const std::string temporary = fmt::format("{}.{:08x}.tmp", path, std::random_device{}());
  try {
    Database database(temporary, Database::Access::kWrite, path);
    CreateTables(database);
  } catch (...) {
    fs::remove(temporary, ignored);
    throw;
  }
  // Fails if another process was faster, or without links; then the store makes the tables there.
  fs::create_hard_link(temporary, path, ignored);
  fs::remove(temporary, ignored);
  return path;
}

}  // namespace

double RevisionValue::Value() const {
  const auto medians = VectorOf(results, [](const auto& blocks) { return stats::Median(blocks); });
  return stats::Median(medians);
}

Store::Store(const std::string& path, Database::Access access)
    : database_(access == Database::Access::kWrite ? CreatedIfMissing(path) : path, access) {
  RequireOwn();
  if (access == Database::Access::kWrite) {
    CreateTables(database_);
  }
}

void Store::RequireOwn() {
  const std::int64_t id = database_.Pragma("PRAGMA application_id");
  const std::int64_t version = database_.Pragma("PRAGMA user_version");
  const std::int64_t tables = database_.Pragma("SELECT count(*) FROM sqlite_schema");
  if (id == kApplicationId && version > kSchemaVersion) {
    throw NewerSchema(
        fmt::format("{} is a history of a newer schedbench: its schema is {}, this program reads "
                    "up to {}; it was not changed    use that program, or another --db",
                    config::Quoted(Path()), version, kSchemaVersion));
  }
  const bool is_empty = id == 0 && version == 0 && tables == 0;
  if (!is_empty && (id != kApplicationId || version < 1)) {
    throw config::InputError({{.where = config::Escaped(Path(), 4096),
                               .path = "",
                               .message = "is a database of another program; name another file "
                                          "with --db"}});
  }
}

Store::Added Store::Add(const Record& record) {
  return AddAll({&record, 1}).front();
}

std::vector<Store::Added> Store::AddAll(std::span<const Record> records) {
  std::vector<Added> added;
  Transaction transaction(database_);
  for (const Record& record : records) {
    added.push_back(AddOne(record));
  }
  transaction.Commit();
  return added;
}

Store::Added Store::AddOne(const Record& record) {
  Statement known(database_,
                  "SELECT v.name FROM results r JOIN revisions v ON v.sequence = r.revision "
                  "WHERE r.hash = ?1");
  if (known.With(record.hash).Next()) {
    if (const std::string name = known.Text(0); name != record.revision.name) {
      throw config::InputError(fmt::format(
          "the result is in {} already, as one of the revision {}, not {}", config::Quoted(Path()),
          config::Quoted(name), config::Quoted(record.revision.name)));
    }
    return Added::kKnown;
  }
  const std::int64_t revision = RevisionNumber(record);
  Statement(database_,
            "INSERT INTO results(hash, kind, revision, added_time) VALUES(?1, ?2, ?3, ?4)")
      .With(record.hash, record.kind, revision, record.added_time)
      .Next();
  const std::int64_t result = database_.LastRow();
  Statement point(database_, "INSERT INTO points(result, series, blocks) VALUES(?1, ?2, ?3)");
  for (const Point& one : record.points) {
    point.With(result, SeriesNumber(one.key), BlocksText(one.blocks)).Next();
  }
  return Added::kNew;
}

std::int64_t Store::RevisionNumber(const Record& record) {
  Statement find(database_, "SELECT sequence, commit_time FROM revisions WHERE name = ?1");
  if (!find.With(record.revision.name).Next()) {
    Statement(database_, "INSERT INTO revisions(name, commit_time, added_time) VALUES(?1, ?2, ?3)")
        .With(record.revision.name, record.revision.commit_time, record.added_time)
        .Next();
    return database_.LastRow();
  }
  const std::int64_t sequence = find.Integer(0);
  if (!find.OptionalInteger(1) && record.revision.commit_time) {
    Statement(database_, "UPDATE revisions SET commit_time = ?2 WHERE sequence = ?1")
        .With(sequence, record.revision.commit_time)
        .Next();
  }
  return sequence;
}

std::int64_t Store::SeriesNumber(const SeriesKey& key) {
  const auto bound = [&](Statement& statement) -> Statement& {
    return statement.With(key.machine, key.build, key.runtime, key.scheduler, key.config,
                          key.workload, key.parameters, key.metric, key.unit,
                          std::string(registry::ToText(key.better)), key.reference);
  };
  Statement find(database_,
                 "SELECT number FROM series WHERE machine = ?1 AND build = ?2 AND runtime = ?3 AND "
                 "scheduler = ?4 AND config = ?5 AND workload = ?6 AND parameters = ?7 AND metric "
                 "= ?8 AND unit = ?9 AND better = ?10 AND reference = ?11");
  if (bound(find).Next()) {
    return find.Integer(0);
  }
  Statement insert(database_,
                   "INSERT INTO series(machine, build, runtime, scheduler, config, workload, "
                   "parameters, metric, unit, better, reference) VALUES(?1, ?2, ?3, ?4, ?5, ?6, "
                   "?7, ?8, ?9, ?10, ?11)");
  bound(insert).Next();
  return database_.LastRow();
}

std::vector<StoredSeries> Store::Read() {
  std::vector<StoredSeries> all;
  if (database_.Pragma("PRAGMA user_version") == 0) {
    return all;  // an empty file
  }
  database_.Run("BEGIN");  // all statements see one state of the file
  std::map<std::int64_t, std::size_t> places;
  Statement series(database_,
                   "SELECT number, machine, build, runtime, scheduler, config, workload, "
                   "parameters, metric, unit, better, reference FROM series ORDER BY number");
  while (series.Next()) {
    places[series.Integer(0)] = all.size();
    const auto* const better =
        std::ranges::find(kBetter, series.Text(10),
                          [](registry::Better one) { return std::string(registry::ToText(one)); });
    // The file may have any origin: check machine, build, config and parameters.
    const bool has_objects = std::ranges::all_of(
        std::array{1, 2, 5, 7}, [&series](int column) { return IsObject(series.Text(column)); });
    if (better == kBetter.end() || !has_objects) {
      Damaged(fmt::format("series {}", series.Integer(0)));
    }
    all.push_back({.number = series.Integer(0),
                   .key = {.machine = series.Text(1),
                           .build = series.Text(2),
                           .runtime = series.Text(3),
                           .scheduler = series.Text(4),
                           .config = series.Text(5),
                           .workload = series.Text(6),
                           .parameters = series.Text(7),
                           .metric = series.Text(8),
                           .unit = series.Text(9),
                           .better = *better,
                           .reference = series.Text(11)},
                   .values = {}});
  }
  Statement points(database_,
                   "SELECT p.series, v.sequence, v.name, v.commit_time, v.added_time, p.blocks "
                   "FROM points p JOIN results r ON r.id = p.result JOIN revisions v ON "
                   "v.sequence = r.revision ORDER BY p.series, v.sequence, r.id");
  while (points.Next()) {
    const auto place = places.find(points.Integer(0));
    auto blocks = BlocksOf(points.Text(5));
    if (place == places.end() || !blocks) {
      Damaged(
          fmt::format("series {}, revision {}", points.Integer(0), config::Quoted(points.Text(2))));
    }
    std::vector<RevisionValue>& values = all[place->second].values;
    if (values.empty() || values.back().sequence != points.Integer(1)) {
      values.push_back(
          {.revision = {.name = points.Text(2), .commit_time = points.OptionalInteger(3)},
           .sequence = points.Integer(1),
           .added_time = points.Integer(4),
           .results = {}});
    }
    values.back().results.push_back(std::move(*blocks));
  }
  database_.Run("COMMIT");
  std::erase_if(all, [](const StoredSeries& one) { return one.values.empty(); });
  return all;
}

void Store::Damaged(const std::string& what) const {
  throw config::InputError({{.where = config::Escaped(Path(), 4096),
                             .path = "",
                             .message = "is damaged: " + what + " has wrong values"}});
}

}  // namespace schedbench::history

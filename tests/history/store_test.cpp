#include "history/store.hpp"

#include "config/input_error.hpp"
#include "tests/history/scratch_file.hpp"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

namespace schedbench::history::tests {

namespace {

using Access = Database::Access;

Record RecordOf(const std::string& hash, const std::string& revision,
                std::vector<double> blocks = {1.5, 2.5}) {
  Record record{.kind = "comparison",
                .hash = hash,
                .revision = {.name = revision, .commit_time = std::nullopt},
                .added_time = 7,
                .points = {}};
  Point& point = record.points.emplace_back();
  point.key = {.machine = "{}",
               .build = "{}",
               .runtime = "",
               .scheduler = "fast",
               .config = "{}",
               .workload = "yield",
               .parameters = R"({"fibers":10})",
               .metric = "throughput",
               .unit = "1/s",
               .better = registry::Better::kHigher,
               .reference = ""};
  point.blocks = std::move(blocks);
  return record;
}

std::string Bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void Write(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

void Sql(const std::string& path, const std::string& sql) {
  sqlite3* connection = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &connection), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(connection, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
      << sqlite3_errmsg(connection);
  sqlite3_close(connection);
}

std::string RefusalOf(const std::string& path, Access access = Access::kWrite) {
  const std::string before = Bytes(path);
  try {
    Store store(path, access);
    store.Read();
  } catch (const config::InputError& error) {
    EXPECT_EQ(Bytes(path), before) << "a refused file is not changed";
    return error.what();
  }
  return "";
}

TEST(Store, HasWhatWasAdded) {
  const ScratchFile file;
  Store(file.Path(), Access::kWrite).Add(RecordOf("1", "a"));
  Store store(file.Path(), Access::kWrite);
  store.Add(RecordOf("2", "b", {0.1, std::numeric_limits<double>::min(), 1e300}));
  store.Add(RecordOf("3", "a", {4}));
  const std::vector<StoredSeries> all = store.Read();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].key, RecordOf("1", "a").points[0].key);
  ASSERT_EQ(all[0].values.size(), 2U);
  EXPECT_EQ(all[0].values[0].revision.name, "a");
  EXPECT_EQ(all[0].values[0].results, (std::vector<std::vector<double>>{{1.5, 2.5}, {4}}));
  EXPECT_EQ(all[0].values[0].Value(), 3) << "the median of 2 and 4";
  EXPECT_EQ(all[0].values[1].results[0],
            (std::vector<double>{0.1, std::numeric_limits<double>::min(), 1e300}));
}

TEST(Store, ChangesNothingIfAResultIsAddedTwice) {
  const ScratchFile file;
  Store store(file.Path(), Access::kWrite);
  EXPECT_EQ(store.Add(RecordOf("1", "a")), Store::Added::kNew);
  const std::string before = Bytes(file.Path());
  EXPECT_EQ(store.Add(RecordOf("1", "a")), Store::Added::kKnown);
  EXPECT_EQ(Bytes(file.Path()), before);
  EXPECT_THROW(store.Add(RecordOf("1", "b")), config::InputError);
  EXPECT_EQ(Bytes(file.Path()), before);
}

TEST(Store, AddsAllResultsOrNone) {
  const ScratchFile file;
  Store store(file.Path(), Access::kWrite);
  store.Add(RecordOf("1", "a"));
  const std::string before = Bytes(file.Path());
  EXPECT_THROW(store.AddAll(std::vector{RecordOf("2", "b"), RecordOf("1", "b")}),
               config::InputError);
  EXPECT_EQ(Bytes(file.Path()), before);
  EXPECT_EQ(store.AddAll(std::vector{RecordOf("2", "b"), RecordOf("1", "a"), RecordOf("2", "b")}),
            (std::vector{Store::Added::kNew, Store::Added::kKnown, Store::Added::kKnown}));
}

TEST(Store, KeepsTheSequenceOfRevisionsAndLearnsCommitTimes) {
  const ScratchFile file;
  Store store(file.Path(), Access::kWrite);
  store.Add(RecordOf("1", "a"));
  Record again = RecordOf("2", "a");
  again.revision.commit_time = 99;
  store.Add(again);
  const auto all = store.Read();
  ASSERT_EQ(all[0].values.size(), 1U);
  EXPECT_EQ(all[0].values[0].revision.commit_time, 99);
  EXPECT_EQ(all[0].values[0].sequence, 1);
}

TEST(Store, TakesAnEmptyFileAndRefusesToReadAMissingOne) {
  const ScratchFile file;
  Write(file.Path(), "");
  EXPECT_TRUE(Store(file.Path(), Access::kRead).Read().empty());
  EXPECT_EQ(Store(file.Path(), Access::kWrite).Add(RecordOf("1", "a")), Store::Added::kNew);
  EXPECT_THROW(Store(file.Path() + ".none", Access::kRead), config::InputError);
}

TEST(Store, RefusesWhatIsNotAHistory) {
  const ScratchFile file;
  Write(file.Path(), "{\"kind\": \"run\"}\n");
  EXPECT_NE(RefusalOf(file.Path()).find("is not a history of schedbench"), std::string::npos);
  Write(file.Path(), "");
  Sql(file.Path(), "CREATE TABLE notes(text)");
  EXPECT_NE(RefusalOf(file.Path()).find("is a database of another program"), std::string::npos);
}

TEST(Store, RefusesANewerSchemaAndChangesNothing) {
  const ScratchFile file;
  Store(file.Path(), Access::kWrite).Add(RecordOf("1", "a"));
  Sql(file.Path(), "PRAGMA user_version = 2");
  const std::string before = Bytes(file.Path());
  EXPECT_THROW(Store(file.Path(), Access::kWrite), NewerSchema);
  EXPECT_THROW(Store(file.Path(), Access::kRead), NewerSchema);
  EXPECT_EQ(Bytes(file.Path()), before);
}

// Cut at every 512th byte: each is refused, or is a history with all that it had.
TEST(Store, RefusesFilesThatWereCut) {
  const ScratchFile file;
  {
    Store store(file.Path(), Access::kWrite);
    for (int i = 0; i < 8; ++i) {
      store.Add(RecordOf(std::to_string(i), "r" + std::to_string(i),
                         std::vector<double>(300, 1.2345678)));
    }
  }
  const std::string whole = Bytes(file.Path());
  for (std::size_t size = 512; size < whole.size(); size += 512) {
    Write(file.Path(), whole.substr(0, size));
    EXPECT_NE(RefusalOf(file.Path(), Access::kRead), "") << size;
    EXPECT_NE(RefusalOf(file.Path()), "") << size;
  }
}

// Bytes that were changed anywhere: a message or other values, never a crash.
TEST(Store, SurvivesFilesWithWrongBytes) {
  const ScratchFile file;
  {
    Store store(file.Path(), Access::kWrite);
    for (int i = 0; i < 20; ++i) {
      store.Add(RecordOf(std::to_string(i), "r" + std::to_string(i)));
    }
  }
  const std::string whole = Bytes(file.Path());
  std::uint64_t random = 1;
  for (int i = 0; i < 300; ++i) {
    std::string bytes = whole;
    for (int change = 0; change < 3; ++change) {
      random = random * 6364136223846793005U + 1442695040888963407U;
      bytes[(random >> 16U) % bytes.size()] = static_cast<char>(random >> 56U);
    }
    Write(file.Path(), bytes);
    try {
      Store(file.Path(), Access::kRead).Read();
    } catch (const config::InputError&) {
    } catch (const NewerSchema&) {
    }
  }
}

TEST(Store, RefusesValuesThatAreNotPositiveNumbers) {
  for (const char* const blocks :
       {"[]", "[0]", "[-1]", "[1,]", "[nan]", "[1e999]", "", "[1", "x"}) {
    const ScratchFile file;
    Store(file.Path(), Access::kWrite).Add(RecordOf("1", "a"));
    Sql(file.Path(), std::string("UPDATE points SET blocks = '") + blocks + "'");
    EXPECT_NE(RefusalOf(file.Path(), Access::kRead).find("has wrong values"), std::string::npos)
        << blocks;
  }
}

TEST(Store, RefusesSettingsThatAreNotObjects) {
  const std::string deep = [] {
    std::string text;
    for (int i = 0; i < 100'000; ++i) {
      text += "{\"a\":";
    }
    return text + "1" + std::string(100'000, '}');
  }();
  for (const char* const column : {"machine", "build", "config", "parameters"}) {
    for (const std::string& text : {std::string("x"), std::string("[]"), std::string(""), deep}) {
      const ScratchFile file;
      Store(file.Path(), Access::kWrite).Add(RecordOf("1", "a"));
      Sql(file.Path(), std::string("UPDATE series SET ") + column + " = '" + text + "'");
      EXPECT_NE(RefusalOf(file.Path(), Access::kRead).find("has wrong values"), std::string::npos)
          << column << " " << text.substr(0, 10);
    }
  }
}

TEST(Store, RunsNoCodeOfAHostileFile) {
  const ScratchFile file;
  Store(file.Path(), Access::kWrite).Add(RecordOf("1", "a"));
  Sql(file.Path(),
      "CREATE TRIGGER t AFTER INSERT ON results BEGIN UPDATE points SET blocks = '[9]'; END");
  Store store(file.Path(), Access::kWrite);
  store.Add(RecordOf("2", "b"));
  EXPECT_EQ(store.Read()[0].values[0].results[0], (std::vector<double>{1.5, 2.5}));
}

TEST(Store, RefusesAViewInsteadOfATable) {
  const ScratchFile file;
  Store(file.Path(), Access::kWrite).Add(RecordOf("1", "a"));
  Sql(file.Path(),
      "DROP TABLE points; CREATE VIEW points AS SELECT 1 AS result, 1 AS series, '[1]' AS blocks");
  EXPECT_NE(RefusalOf(file.Path()), "");
}

}  // namespace

}  // namespace schedbench::history::tests

#include "history/database.hpp"

#include "config/input_error.hpp"
#include "config/quote.hpp"
#include "platform/files/file.hpp"

#include <fmt/core.h>
#include <sqlite3.h>

#include <filesystem>
#include <system_error>
#include <utility>

namespace schedbench::history {

namespace {

constexpr int kPatienceMs = 30'000;  // limit of waits for another writing process; arbitrary

[[noreturn]] void Refuse(const std::string& path, const std::string& message) {
  throw config::InputError(
      {{.where = config::Escaped(path, 4096), .path = "", .message = message}});
}

std::errc ReasonOf(int code) {
  switch (code & 0xff) {
    case SQLITE_FULL:
      return std::errc::no_space_on_device;
    case SQLITE_READONLY:
      return std::errc::read_only_file_system;
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_AUTH:
      return std::errc::permission_denied;
    default:
      return std::errc::io_error;
  }
}

}  // namespace

Database::Database(std::string path, Access access, std::string shown)
    : path_(std::move(path)),
      shown_(shown.empty() ? path_ : std::move(shown)) {
  std::error_code ignored;  // SQLite then reports why it cannot open the file
  const bool exists = std::filesystem::exists(path_, ignored);
  if (exists && !std::filesystem::is_regular_file(path_, ignored)) {
    Refuse(shown_, "is not a file");
  }
  if (!exists && access == Access::kRead) {
    Refuse(shown_, "there is no such history    schedbench history add RESULT.json");
  }
  if (!exists) {
    const std::filesystem::path folder = std::filesystem::path(path_).parent_path();
    std::error_code error;
    if (!folder.empty()) {
      std::filesystem::create_directories(folder, error);
    }
    if (error) {
      throw platform::WriteError(error, "cannot create " + config::Quoted(folder.string()));
    }
  }
  // Reading needs write access too: SQLite first undoes what a killed process has left.
  int code = sqlite3_open_v2(path_.c_str(), &connection_,
                             SQLITE_OPEN_READWRITE | (exists ? 0 : SQLITE_OPEN_CREATE), nullptr);
  if (code != SQLITE_OK && access == Access::kRead) {
    sqlite3_close_v2(connection_);
    code = sqlite3_open_v2(path_.c_str(), &connection_, SQLITE_OPEN_READONLY, nullptr);
  }
  try {
    if (code != SQLITE_OK) {
      Throw(code);
    }
    sqlite3_extended_result_codes(connection_, 1);
    sqlite3_busy_timeout(connection_, kPatienceMs);
    // A file of unknown origin must not run its own code, and cannot be damaged further.
    sqlite3_db_config(connection_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    for (const int off : {SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_TRIGGER,
                          SQLITE_DBCONFIG_ENABLE_VIEW}) {
      sqlite3_db_config(connection_, off, 0, nullptr);
    }
    Run("PRAGMA foreign_keys = ON; PRAGMA cell_size_check = ON; PRAGMA synchronous = FULL;");
    RequireWhole();
  } catch (...) {
    sqlite3_close_v2(connection_);
    throw;
  }
}

void Database::RequireWhole() {
  Run("BEGIN");  // no other process then changes the size of the file
  Statement check(*this, "PRAGMA quick_check(1)");
  if (!check.Next() || check.Text(0) != "ok") {
    Throw(SQLITE_CORRUPT);
  }
  // A last page that was cut is padded with zeros.
  const std::int64_t size = Pragma("PRAGMA page_count") * Pragma("PRAGMA page_size");
  std::error_code error;
  if (const auto there = std::filesystem::file_size(path_, error);
      !error && there != 0 && there != static_cast<std::uintmax_t>(size)) {
    Throw(SQLITE_CORRUPT);
  }
  Run("COMMIT");
}

Database::~Database() {
  sqlite3_close_v2(connection_);
}

void Database::Run(const char* sql) {
  if (const int code = sqlite3_exec(connection_, sql, nullptr, nullptr, nullptr);
      code != SQLITE_OK) {
    Throw(code);
  }
}

std::int64_t Database::Pragma(const char* sql) {
  Statement statement(*this, sql);
  return statement.Next() ? statement.Integer(0) : 0;
}

std::int64_t Database::LastRow() const {
  return sqlite3_last_insert_rowid(connection_);
}

void Database::Throw(int code) const {
  switch (code & 0xff) {
    case SQLITE_NOTADB:
      Refuse(shown_, "is not a history of schedbench; name another file with --db");
    case SQLITE_CORRUPT:
    case SQLITE_FORMAT:
      Refuse(shown_,
             "is damaged; it was not changed    sqlite3 FILE .recover prints what is left of it");
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      Refuse(shown_, fmt::format("another process has written to it for {} s; repeat the command",
                                 kPatienceMs / 1000));
    case SQLITE_FULL:
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
    case SQLITE_AUTH:
    case SQLITE_IOERR:
      throw platform::WriteError(std::make_error_code(ReasonOf(code)),
                                 "cannot use " + config::Quoted(shown_));
    default:
      // A table or a column contradicts the version of the file, or there is a bug.
      Refuse(shown_,
             fmt::format("is damaged: {}",
                         config::Escaped(connection_ == nullptr ? sqlite3_errstr(code)
                                                                : sqlite3_errmsg(connection_))));
  }
}

Statement::Statement(Database& database, std::string_view sql)
    : database_(database) {
  Check(sqlite3_prepare_v2(database.connection_, sql.data(), static_cast<int>(sql.size()),
                           &statement_, nullptr));
}

Statement::~Statement() {
  sqlite3_finalize(statement_);
}

bool Statement::Next() {
  const int code = sqlite3_step(statement_);
  if (code != SQLITE_ROW && code != SQLITE_DONE) {
    database_.Throw(code);
  }
  return code == SQLITE_ROW;
}

std::int64_t Statement::Integer(int column) const {
  return sqlite3_column_int64(statement_, column);
}

std::optional<std::int64_t> Statement::OptionalInteger(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL ? std::nullopt
                                                                : std::optional(Integer(column));
}

std::string Statement::Text(int column) const {
  const unsigned char* const text = sqlite3_column_text(statement_, column);
  return text == nullptr
             ? ""
             : std::string(reinterpret_cast<const char*>(text),
                           static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)));
}

void Statement::Reset() {
  sqlite3_reset(statement_);  // repeats the error of the last step, which was thrown
  sqlite3_clear_bindings(statement_);
}

void Statement::Bind(int place, std::int64_t value) {
  Check(sqlite3_bind_int64(statement_, place, value));
}

void Statement::Bind(int place, const std::optional<std::int64_t>& value) {
  Check(value ? sqlite3_bind_int64(statement_, place, *value)
              : sqlite3_bind_null(statement_, place));
}

void Statement::Bind(int place, const std::string& value) {
  Check(sqlite3_bind_text64(statement_, place, value.data(), value.size(), SQLITE_TRANSIENT,
                            SQLITE_UTF8));
}

void Statement::Check(int code) const {
  if (code != SQLITE_OK) {
    database_.Throw(code);
  }
}

Transaction::Transaction(Database& database)
    : database_(database) {
  database_.Run("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  if (open_) {
    try {
      database_.Run("ROLLBACK");
    } catch (const std::exception&) {
      // The error that ended the transaction has already undone it.
    }
  }
}

void Transaction::Commit() {
  database_.Run("COMMIT");
  open_ = false;
}

}  // namespace schedbench::history

#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

// Only this class calls SQLite. One thread uses it.

namespace schedbench::history {

// The file was written by a newer program.
class NewerSchema : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A connection. Errors are exceptions whose messages name the file: config::InputError if it is not
// a database, is damaged or remains locked; platform::WriteError if it cannot be written.
class Database {
 public:
  enum class Access { kRead, kWrite };

  // Opens the file. kWrite creates a missing file; kRead refuses it. A refused file is not changed.
  // `shown`: its name in messages; "": its path.
  Database(std::string path, Access access, std::string shown = "");
  ~Database();

  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // Runs SQL without results.
  void Run(const char* sql);

  // Returns the number that a PRAGMA reports.
  std::int64_t Pragma(const char* sql);

  std::int64_t LastRow() const;

  const std::string& Path() const {
    return path_;
  }

 private:
  friend class Statement;
  // Throws if the file is damaged or was cut.
  void RequireWhole();
  // Throws what the code of SQLite means.
  [[noreturn]] void Throw(int code) const;

  const std::string path_;
  const std::string shown_;
  sqlite3* connection_ = nullptr;
};

// A prepared statement. Must not outlive its database.
class Statement {
 public:
  Statement(Database& database, std::string_view sql);
  ~Statement();

  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  // Binds the values to ?1, ?2, ... and starts again.
  template <typename... Values>
  Statement& With(const Values&... values) {
    Reset();
    int place = 0;
    (Bind(++place, values), ...);
    return *this;
  }

  // Returns whether there is another row.
  bool Next();

  // Requires: Next() returned true. Columns count from 0.
  std::int64_t Integer(int column) const;
  std::optional<std::int64_t> OptionalInteger(int column) const;
  std::string Text(int column) const;

 private:
  void Reset();
  void Bind(int place, std::int64_t value);
  void Bind(int place, const std::optional<std::int64_t>& value);
  void Bind(int place, const std::string& value);
  void Check(int code) const;

  Database& database_;
  sqlite3_stmt* statement_ = nullptr;
};

// Makes writes until Commit() atomic, and undoes them without it. Other writers wait.
class Transaction {
 public:
  explicit Transaction(Database& database);
  ~Transaction();

  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  void Commit();

 private:
  Database& database_;
  bool open_ = true;
};

}  // namespace schedbench::history

// Database: the part of SQLite that the journal needs. Statements take their values by position,
// and text is stored byte for byte. The SQL function `checksum_of(a, b, ...)` returns a number that
// changes with any byte of its values. If the disk is full or the file is damaged, the Error says
// what to do; nothing is retried silently.
//
// For one thread at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <variant>

#include "reference/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace histolab::batch {

using Value = std::variant<std::nullptr_t, std::int64_t, double, std::string>;

// The current row of a query. Valid only during the callback.
class Row {
 public:
  explicit Row(sqlite3_stmt* statement) : statement_(statement) {}
  [[nodiscard]] std::string text(int column) const;  // empty if NULL
  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] double real(int column) const;
  [[nodiscard]] bool is_null(int column) const;

 private:
  sqlite3_stmt* statement_;
};

class Database {
 public:
  // `read` never changes a file, and works on a read-only file system.
  enum class Mode { create, read };
  static Result<Database> open(const std::string& path, Mode mode);
  Database(Database&& other) noexcept
      : path_(std::move(other.path_)), handle_(std::exchange(other.handle_, nullptr)) {}
  Database& operator=(Database&& other) noexcept {
    std::swap(path_, other.path_), std::swap(handle_, other.handle_);
    return *this;
  }
  ~Database();

  [[nodiscard]] Status run(const std::string& sql, std::initializer_list<Value> values = {});
  // Calls `row` for each row, in the order of the query. Its Error ends the query.
  [[nodiscard]] Status each(const std::string& sql, std::initializer_list<Value> values,
                            const std::function<Status(const Row&)>& row);
  [[nodiscard]] Result<std::int64_t> number(const std::string& sql,
                                            std::initializer_list<Value> values = {});

 private:
  Database(std::string path, sqlite3* handle) : path_(std::move(path)), handle_(handle) {}
  [[nodiscard]] Error error(int code) const;
  std::string path_;
  sqlite3* handle_ = nullptr;
};

// A transaction: commit() keeps its changes; without commit() they are rolled back.
class Transaction {
 public:
  explicit Transaction(Database& database)
      : database_(database), begun_(database.run("BEGIN IMMEDIATE")) {}
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();
  [[nodiscard]] const Status& begun() const { return begun_; }
  [[nodiscard]] Status commit();

 private:
  Database& database_;
  Status begun_;
  bool open_ = true;
};

}  // namespace histolab::batch

#include "grader/batch/sqlite.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <bit>
#include <filesystem>
#include <memory>

#include "reference/fnv1a.h"

namespace histolab::batch {
namespace {

struct Finalize {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

int bind(sqlite3_stmt* statement, int at, const Value& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value))
    return sqlite3_bind_int64(statement, at, *number);
  if (const auto* number = std::get_if<double>(&value))
    return sqlite3_bind_double(statement, at, *number);
  // The caller's strings outlive the statement.
  if (const auto* text = std::get_if<std::string>(&value))
    return sqlite3_bind_text64(statement, at, text->data(), text->size(), SQLITE_STATIC,
                               SQLITE_UTF8);
  return sqlite3_bind_null(statement, at);
}

// FNV-1a of the values, each with its type and length. Each step is invertible, so one changed byte
// changes the number. SQLite stores -0.0 as 0.
void checksum_of(sqlite3_context* context, int count, sqlite3_value** values) {
  reference::Fnv1a hash;
  for (int i = 0; i < count; ++i) {
    sqlite3_value* value = values[i];
    const int type = sqlite3_value_type(value);
    hash.add(static_cast<std::uint64_t>(type));
    if (type == SQLITE_INTEGER) hash.add(static_cast<std::uint64_t>(sqlite3_value_int64(value)));
    if (type == SQLITE_FLOAT)
      hash.add(std::bit_cast<std::uint64_t>(sqlite3_value_double(value) + 0.0));
    if (type != SQLITE_TEXT && type != SQLITE_BLOB) continue;
    const auto* bytes = static_cast<const char*>(sqlite3_value_blob(value));
    const auto size = static_cast<std::size_t>(sqlite3_value_bytes(value));
    hash.add(size);
    if (bytes != nullptr) hash.add(std::string_view{bytes, size});
  }
  sqlite3_result_int64(context, static_cast<std::int64_t>(hash.value()));
}

std::string as_uri(const std::string& path) {
  std::string uri = "file:";
  for (const char c : path)
    uri += (std::string_view{"%?# "}.find(c) != std::string_view::npos) ? fmt::format("%{:02X}", c)
                                                                        : std::string(1, c);
  return uri + "?immutable=1";
}

}  // namespace

std::string Row::text(int column) const {
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_, column));
  return bytes == nullptr
             ? std::string{}
             : std::string(bytes,
                           static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)));
}
std::int64_t Row::integer(int column) const { return sqlite3_column_int64(statement_, column); }
double Row::real(int column) const { return sqlite3_column_double(statement_, column); }
bool Row::is_null(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

Error Database::error(int code) const {
  switch (code & 0xff) {
    case SQLITE_FULL:
      return Error{
          fmt::format("{}: the disk is full; the results so far are kept. Free some space, then "
                      "continue with --resume",
                      path_)};
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return Error{fmt::format(
          "{}: is damaged, or not a histolab journal; left unchanged. Restore a backup, or "
          "choose another --out",
          path_)};
    case SQLITE_BUSY:
      return Error{
          fmt::format("{}: another program is using it; try again when that has ended", path_)};
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
      return Error{fmt::format("{}: cannot be opened: {}", path_, sqlite3_errmsg(handle_))};
    case SQLITE_IOERR:
      return Error{
          fmt::format("{}: reading or writing failed: {} (a full disk, or a limit on the size of "
                      "files?); the results so far are kept, continue with --resume",
                      path_, sqlite3_errmsg(handle_))};
    default: return Error{fmt::format("{}: {}", path_, sqlite3_errmsg(handle_))};
  }
}

Result<Database> Database::open(const std::string& path, Mode mode) {
  const auto attempt = [&](const std::string& name, int flags) {
    sqlite3* handle = nullptr;
    int code = sqlite3_open_v2(name.c_str(), &handle, flags | SQLITE_OPEN_NOMUTEX, nullptr);
    if (code == SQLITE_OK)
      code =
          sqlite3_create_function_v2(handle, "checksum_of", -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC,
                                     nullptr, checksum_of, nullptr, nullptr, nullptr);
    return std::pair{Database{path, handle}, code};
  };
  auto [database, code] =
      attempt(path, mode == Mode::create ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
                                         : SQLITE_OPEN_READONLY);
  if (code != SQLITE_OK) return database.error(code);
  sqlite3_extended_result_codes(database.handle_, 1);
  sqlite3_busy_timeout(database.handle_, 10'000);
  if (mode != Mode::read) return std::move(database);
  // A reader of a database in WAL mode creates a file in its folder, which fails if the folder is
  // read-only. Then there is no writer either.
  if (database.number("SELECT count(*) FROM sqlite_master").ok()) return std::move(database);
  // But if a writer was killed before, the newest results are only in the WAL, which an immutable
  // open ignores.
  if (std::error_code ignored; std::filesystem::file_size(path + "-wal", ignored) > 0 && !ignored)
    return Error{
        fmt::format("{0}: a batch was interrupted, and its last results are in {0}-wal, which "
                    "cannot be read in a "
                    "read-only folder: copy the folder to a writable one",
                    path)};
  auto [still, again] = attempt(as_uri(path), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
  if (again != SQLITE_OK) return still.error(again);
  TRY(still.number("SELECT count(*) FROM sqlite_master"));
  return std::move(still);
}

Database::~Database() {
  if (handle_ != nullptr) sqlite3_close(handle_);
}

Status Database::each(const std::string& sql, std::initializer_list<Value> values,
                      const std::function<Status(const Row&)>& row) {
  sqlite3_stmt* made = nullptr;
  int code = sqlite3_prepare_v2(handle_, sql.c_str(), -1, &made, nullptr);
  const Statement statement{made};
  int at = 0;
  for (const Value& value : values)
    if (code == SQLITE_OK) code = bind(made, ++at, value);
  if (code != SQLITE_OK) return error(code);
  while ((code = sqlite3_step(made)) == SQLITE_ROW) TRY(row(Row{made}));
  if (code != SQLITE_DONE) return error(code);
  return Done{};
}

Status Database::run(const std::string& sql, std::initializer_list<Value> values) {
  return each(sql, values, [](const Row&) { return Done{}; });
}

Result<std::int64_t> Database::number(const std::string& sql, std::initializer_list<Value> values) {
  std::int64_t found = 0;
  TRY(each(sql, values, [&](const Row& row) -> Status {
    found = row.integer(0);
    return Done{};
  }));
  return found;
}

Transaction::~Transaction() {
  if (open_ && begun_)
    (void)database_.run("ROLLBACK");  // fails if a failed statement has already rolled back
}

Status Transaction::commit() {
  Status done = database_.run("COMMIT");
  open_ = !done.ok();
  return done;
}

}  // namespace histolab::batch

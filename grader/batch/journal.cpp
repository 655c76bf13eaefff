#include "grader/batch/journal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "grader/files/sha256.h"
#include "grader/report/report_json.h"
#include "reference/nesting.h"

namespace histolab::batch {
namespace {

namespace fs = std::filesystem;

// "hist": identifies the database as a journal, also for `file`.
constexpr std::int64_t application = 0x68697374;

constexpr const char* hand_mark_table =
    "CREATE TABLE hand_mark(number INTEGER PRIMARY KEY, student TEXT, lab TEXT, points REAL, "
    "reason TEXT, author TEXT, at INTEGER, grading TEXT)";

constexpr const char* tables[] = {
    "CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID",
    "CREATE TABLE lab(position INTEGER PRIMARY KEY, name TEXT UNIQUE, title TEXT, max_score "
    "INTEGER, stub TEXT, solution TEXT)",
    "CREATE TABLE student(key TEXT PRIMARY KEY, name TEXT, id TEXT, sis_id TEXT, login TEXT, "
    "section TEXT, email TEXT, problem TEXT) WITHOUT ROWID",
    "CREATE TABLE source(sha256 TEXT PRIMARY KEY, text TEXT)",
    "CREATE TABLE work(student TEXT, lab TEXT, path TEXT, kernel TEXT, sheet TEXT, problem TEXT, "
    "at INTEGER, late INTEGER, grading TEXT, sharing TEXT,"
    " PRIMARY KEY(student, lab)) WITHOUT ROWID",
    "CREATE TABLE result(student TEXT, lab TEXT, grading TEXT, kernel TEXT, status TEXT, score "
    "REAL, report TEXT, seconds REAL, sharing TEXT, node TEXT, dispute TEXT, checksum INTEGER,"
    " PRIMARY KEY(student, lab, grading))",
    hand_mark_table,
    "CREATE INDEX result_sharing ON result(sharing)",
    "CREATE INDEX work_grading ON work(grading)",
};

constexpr const char* count_settings = "SELECT count(*) FROM meta WHERE name NOT LIKE 'checksum%'";

// The parts of the class with a checksum in `meta`, which is the sum of the checksums of their
// rows.
constexpr struct {
  const char *name, *row, *table;
} checked_parts[] = {
    {"checksum", "name, value", "meta WHERE name NOT LIKE 'checksum%'"},
    {"checksum of labs", "position, name, title, max_score, stub", "lab"},
    {"checksum of solutions", "name, solution", "lab"},
    {"checksum of students", "key, name, id, sis_id, login, section, email, problem", "student"},
    {"checksum of works", "student, lab, path, kernel, sheet, problem, at, late, grading, sharing",
     "work"},
    {"checksum of hand marks", "number, student, lab, points, reason, author, at, grading",
     "hand_mark"},
};

Result<std::string> checksum_of(Database& database, const std::string& row,
                                const std::string& table) {
  std::uint64_t sum = 0;
  TRY(database.each(fmt::format("SELECT checksum_of({}) FROM {}", row, table), {},
                    [&](const Row& each) -> Status {
                      sum += static_cast<std::uint64_t>(each.integer(0));
                      return histolab::Done{};
                    }));
  return std::to_string(sum);
}

constexpr const char* work_columns =
    "work.student, work.lab, work.kernel, work.sheet, work.problem, work.path, work.grading, "
    "work.sharing";

Task task_of(const Row& row) {
  return {row.text(0), row.text(1), row.text(2), row.text(3),
          row.text(4), row.text(5), row.text(6), row.text(7)};
}

Value sha256_or_null(const std::optional<std::string>& text) {
  return text ? Value{grader::sha256(*text)} : Value{nullptr};
}

Error cannot_be_created(const std::string& out, int number) {
  return Error{fmt::format("{}: cannot be created: {}", out, std::strerror(number))};
}

// Returns an Error if OUT contains other files.
Status check_no_other_files(const std::string& out) {
  std::error_code failure;
  for (fs::directory_iterator at{out, failure}, end; !failure && at != end; at.increment(failure)) {
    const std::string name = at->path().filename().string();
    if (name.starts_with("journal.")) continue;
    return Error{fmt::format(
        "{}: is not empty and has no journal (it contains {}); name an empty or new folder", out,
        name)};
  }
  if (failure) return Error{fmt::format("{}: cannot be read: {}", out, failure.message())};
  return Done{};
}

// Returns an Error if the path exists but is not a regular file: reading a pipe would never end,
// and a link may lead to another file.
Status check_is_file(const std::string& path) {
  std::error_code failure;
  const fs::file_type type = fs::symlink_status(path, failure).type();
  if (type == fs::file_type::regular || type == fs::file_type::not_found) return Done{};
  return Error{
      fmt::format("{}: is not a regular file, so it is not a journal; left unchanged", path)};
}

Result<std::int64_t> is_empty(Database& database) {
  return database.number("SELECT count(*) = 0 FROM sqlite_master");
}

// Returns an Error if the database is not a journal, or has a newer schema.
Status check_is_journal(Database& database, const std::string& path) {
  const std::int64_t application_id = TRY(database.number("PRAGMA application_id"));
  const std::int64_t version = TRY(database.number("PRAGMA user_version"));
  if (application_id != application)
    return Error{
        fmt::format("{}: is an SQLite database but not a histolab journal; left unchanged", path)};
  if (version > journal_schema)
    return Error{fmt::format(
        "{}: was written by a newer histolab (its schema is {}, this version has {}); use "
        "that version. Left unchanged",
        path, version, journal_schema)};
  return Done{};
}

Status check_whole(Database& database, const std::string& path) {
  std::string found;
  TRY(database.each("PRAGMA integrity_check(1)", {}, [&](const Row& row) -> Status {
    found = row.text(0);
    return histolab::Done{};
  }));
  if (found == "ok") return histolab::Done{};
  return Error{
      fmt::format("{}: is damaged ({}); left unchanged. Restore a backup, or choose another --out",
                  path, found)};
}

// Adds the columns and tables that older schemas lack.
Status update_tables(Database& database) {
  const auto version = TRY(database.number("PRAGMA user_version"));
  if (version >= journal_schema) return Done{};
  Transaction all{database};
  if (!all.begun()) return all.begun();
  std::vector<const char*> changes;
  if (version < 2)
    changes = {"ALTER TABLE result ADD COLUMN node TEXT",
               "ALTER TABLE result ADD COLUMN dispute TEXT",
               "CREATE INDEX IF NOT EXISTS work_grading ON work(grading)"};
  if (version < 3) changes.push_back("ALTER TABLE result ADD COLUMN checksum INTEGER");
  changes.push_back(hand_mark_table);
  for (const char* change : changes) TRY(database.run(change));
  TRY(database.run(fmt::format("PRAGMA user_version = {}", journal_schema)));
  return all.commit();
}

Status make_tables(Database& database) {
  Transaction all{database};
  if (!all.begun()) return all.begun();
  for (const char* table : tables) TRY(database.run(table));
  TRY(database.run(fmt::format("PRAGMA application_id = {}", application)));
  TRY(database.run(fmt::format("PRAGMA user_version = {}", journal_schema)));
  return all.commit();
}

}  // namespace

class Journal::Lock {
 public:
  explicit Lock(int fd) : fd_(fd) {}
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  ~Lock() { close(fd_); }

 private:
  int fd_;
};

bool is_without_mark(std::string_view status) {
  return status == name(grader::Verdict::needs_review) ||
         status == name(grader::Verdict::infrastructure_error);
}

std::string journal_path(const std::string& out) { return out + "/journal.sqlite"; }

Journal::Journal(Database database, std::shared_ptr<Lock> lock, bool is_new)
    : database_(std::move(database)), lock_(std::move(lock)), is_new_(is_new) {}

Result<Journal> Journal::begin(const std::string& given, bool resume) {
  std::string out = given;
  while (out.size() > 1 && (out.ends_with('/') || out.ends_with("/.")))
    out.pop_back();  // else the parent of `out/` would be `out`, created with other permissions
  const std::string path = journal_path(out);
  std::error_code failure;
  fs::create_directories(fs::path(out).parent_path(), failure);  // mkdir() reports a failure
  if (mkdir(out.c_str(), 0700) != 0 && errno != EEXIST) return cannot_be_created(out, errno);
  if (!fs::is_directory(out, failure)) return Error{fmt::format("{}: is not a folder", out)};
  TRY(check_is_file(path));
  const bool exists = fs::exists(path, failure);
  if (!exists) TRY(check_no_other_files(out));

  const std::string lock_path = out + "/journal.lock";
  const int fd = open(lock_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0)
    return Error{fmt::format("{}: cannot be created: {}", lock_path, std::strerror(errno))};
  auto lock = std::make_shared<Lock>(fd);
  if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK)
      return Error{fmt::format(
          "{}: another batch is using it; wait until it ends, or choose another --out", out)};
    return Error{fmt::format("{}: cannot be locked: {}{}", lock_path, std::strerror(errno),
                             errno == ENOSYS || errno == EOPNOTSUPP
                                 ? "; this file system has no locks (Lustre: mount it with -o "
                                   "flock), so choose an --out on another one"
                                 : "")};
  }

  // Check the file before opening it for writing, which might change a damaged or foreign file.
  bool empty = true;
  if (exists && fs::file_size(path, failure) > 0) {
    Database seen = TRY(Database::open(path, Database::Mode::read));
    empty = TRY(is_empty(seen)) != 0;
    if (!empty) {
      TRY(check_is_journal(seen, path));
      TRY(check_whole(seen, path));
      const auto settings = TRY(seen.number(count_settings));
      if (!resume && settings > 0)
        return Error{
            fmt::format("{}: has the results of a batch. --resume continues it and grades only new "
                        "submissions; another --out starts a new batch",
                        out)};
    }
  }
  Database database = TRY(Database::open(path, Database::Mode::create));
  chmod(path.c_str(), 0600);  // it contains the class's seed
  TRY(database.run("PRAGMA journal_mode = WAL"));
  TRY(database.run("PRAGMA synchronous = FULL"));
  TRY(empty ? make_tables(database) : update_tables(database));
  const auto settings = TRY(database.number(count_settings));
  Journal journal{std::move(database), std::move(lock), settings == 0};
  TRY(journal.detect_checksums());
  const std::string damaged = fmt::format("FROM result WHERE NOT {}", journal.result_is_intact());
  const auto count = TRY(journal.database_.number("SELECT count(*) " + damaged));
  journal.deleted_results_ = count;
  if (count > 0) TRY(journal.database_.run("DELETE " + damaged));
  return journal;
}

Status Journal::detect_checksums() {
  const auto has_them = TRY(
      database_.number("SELECT count(*) FROM pragma_table_info('result') WHERE name = 'checksum'"));
  has_checksums_ = has_them > 0;
  return histolab::Done{};
}

std::string Journal::result_is_intact(const std::string& wanted, const std::string& sharing) const {
  if (!has_checksums_) return "1";
  return fmt::format(
      "(result.checksum IS NULL OR result.checksum = checksum_of({}, result.kernel, result.status, "
      "result.score, result.report, result.seconds, {}, result.node, result.dispute))",
      wanted, sharing);
}

Status Journal::set_checksums(std::string_view table) {
  for (const auto& part : checked_parts) {
    if (!table.empty() && !std::string_view{part.table}.starts_with(table)) continue;
    const std::string now = TRY(checksum_of(database_, part.row, part.table));
    TRY(database_.run("INSERT OR REPLACE INTO meta VALUES(?, ?)", {std::string{part.name}, now}));
  }
  return histolab::Done{};
}

Status Journal::check_class() {
  for (const auto& part : checked_parts) {
    std::optional<std::string> then;
    TRY(database_.each("SELECT value FROM meta WHERE name = ?", {std::string{part.name}},
                       [&](const Row& row) -> Status {
                         then = row.text(0);
                         return histolab::Done{};
                       }));
    if (!then) continue;  // an older schema
    if (TRY(checksum_of(database_, part.row, part.table)) != *then)
      return Error{
          "the journal is damaged: its class or its settings have changed. Restore a backup, or "
          "run `histolab batch` with --resume on the same class"};
  }
  return histolab::Done{};
}

Result<Journal> Journal::read(const std::string& out) {
  const std::string path = journal_path(out);
  std::error_code failure;
  TRY(check_is_file(path));
  if (!fs::exists(path, failure))
    return Error{
        fmt::format("{}: has no journal; `histolab batch DIR --out {}` creates one", out, out)};
  Database database = TRY(Database::open(path, Database::Mode::read));
  TRY(check_is_journal(database, path));
  Journal journal{std::move(database), nullptr, false};
  TRY(journal.detect_checksums());
  return journal;
}

namespace {

// The texts of a Meta (const or not) with their names in the table.
template <class M>
auto text_fields(M& meta) {
  return std::to_array<std::pair<std::string_view, decltype(&meta.version)>>(
      {{"version", &meta.version},
       {"device", &meta.device},
       {"device_kind", &meta.device_kind},
       {"device_name", &meta.device_name},
       {"engine", &meta.engine},
       {"sandbox", &meta.sandbox},
       {"compiler", &meta.compiler},
       {"shard", &meta.shard},
       {"gpu_name", &meta.gpu_name},
       {"gpu_driver", &meta.gpu_driver},
       {"rubric", &meta.rubric},
       {"roster", &meta.roster},
       {"extensions", &meta.extensions},
       {"rubric_file", &meta.rubric_file},
       {"roster_file", &meta.roster_file},
       {"extensions_file", &meta.extensions_file},
       {"remarks", &meta.remarks}});
}

}  // namespace

Result<Meta> Journal::meta() {
  Meta meta;
  meta.data_version = 1;  // for an old journal without this value
  TRY(database_.each("SELECT name, value FROM meta", {}, [&](const Row& row) -> Status {
    const std::string name = row.text(0);
    for (const auto& [field, text] : text_fields(meta))
      if (name == field) *text = row.text(1);
    const std::string value = row.text(1);
    const auto read_number = [&](auto& number) {
      const auto [end, failure] =
          std::from_chars(value.data(), value.data() + value.size(), number);
      return failure == std::errc{} && end == value.data() + value.size();
    };
    if (name == "seed" && !read_number(meta.seed))
      return Error{"the journal is damaged: its seed is not a number"};
    if (name == "data_version" && !read_number(meta.data_version))
      return Error{"the journal is damaged: its data_version is not a number"};
    return histolab::Done{};
  }));
  return meta;
}

Status Journal::set_meta(const Meta& meta) {
  const std::lock_guard lock{*busy_};
  Transaction all{database_};
  if (!all.begun()) return all.begun();
  const auto put = [&](std::string_view name, const std::string& text) {
    return database_.run("INSERT OR REPLACE INTO meta VALUES(?, ?)", {std::string{name}, text});
  };
  for (const auto& [name, text] : text_fields(meta)) TRY(put(name, *text));
  TRY(put("seed", std::to_string(meta.seed)));
  TRY(put("data_version", std::to_string(meta.data_version)));
  TRY(set_checksums("meta"));
  return all.commit();
}

Status Journal::set_class(const std::vector<Lab>& labs, const HandIns& class_,
                          const HashesOf& hashes) {
  const std::lock_guard lock{*busy_};
  Transaction all{database_};
  if (!all.begun()) return all.begun();
  for (const char* table : {"DELETE FROM lab", "DELETE FROM student", "DELETE FROM work"})
    TRY(database_.run(table));
  for (std::size_t i = 0; i < labs.size(); ++i)
    TRY(database_.run("INSERT INTO lab VALUES(?, ?, ?, ?, ?, NULL)",
                      {static_cast<std::int64_t>(i), labs[i].name, labs[i].title,
                       std::int64_t{labs[i].max_score}, labs[i].stub}));
  const auto keep_source = [&](const std::optional<std::string>& text) -> Status {
    if (!text) return histolab::Done{};
    return database_.run("INSERT OR IGNORE INTO source VALUES(?, ?)",
                         {grader::sha256(*text), *text});
  };
  for (std::size_t i = 0; i < class_.count; ++i) {
    const HandIn each = class_.at(i);
    const Student& student = each.student;
    TRY(database_.run("INSERT INTO student VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
                      {student.key, student.name, student.id, student.sis_id, student.login,
                       student.section, student.email, each.problem}));
    for (const Lab& lab : labs) {
      const auto found = each.works.find(lab.name);
      const Work work = found == each.works.end() ? Work{} : found->second;
      for (const auto* text : {&work.kernel, &work.sheet}) TRY(keep_source(*text));
      const Hashes of = hashes(lab.name, work);
      const std::string& path = work.path.empty() ? each.path : work.path;
      TRY(database_.run(
          "INSERT INTO work VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
          {student.key, lab.name, path, sha256_or_null(work.kernel), sha256_or_null(work.sheet),
           work.problem, work.at ? Value{*work.at} : Value{nullptr},
           work.marked_late ? Value{std::int64_t{*work.marked_late}} : Value{nullptr}, of.grading,
           of.sharing}));
    }
  }
  TRY(set_checksums({}));
  return all.commit();
}

Status Journal::set_solution(const std::string& lab, const std::string& report) {
  const std::lock_guard lock{*busy_};
  Transaction all{database_};
  if (!all.begun()) return all.begun();
  TRY(database_.run("UPDATE lab SET solution = ? WHERE name = ?", {report, lab}));
  TRY(set_checksums("lab"));
  return all.commit();
}

namespace {
Result<std::vector<Task>> tasks_where(Database& database, const std::string& condition,
                                      std::initializer_list<Value> values) {
  std::vector<Task> tasks;
  TRY(database.each(fmt::format("SELECT {} FROM work JOIN lab ON lab.name = work.lab "
                                "WHERE {} ORDER BY lab.position, work.student",
                                work_columns, condition),
                    values, [&](const Row& row) -> Status {
                      tasks.push_back(task_of(row));
                      return histolab::Done{};
                    }));
  return tasks;
}
}  // namespace

Result<std::vector<Task>> Journal::outstanding() {
  const std::lock_guard lock{*busy_};
  return tasks_where(
      database_,
      fmt::format("NOT EXISTS (SELECT 1 FROM result WHERE result.student = work.student AND "
                  "result.lab = work.lab AND result.grading = work.grading"
                  " AND (result.status NOT IN {} OR work.problem <> '' OR result.dispute <> ''))",
                  without_mark),
      {});
}

Result<std::vector<Task>> Journal::works() {
  const std::lock_guard lock{*busy_};
  return tasks_where(database_, "1", {});
}

Result<std::vector<Task>> Journal::works_of(const std::string& student) {
  const std::lock_guard lock{*busy_};
  return tasks_where(database_, "work.student = ?", {student});
}

Result<std::vector<Task>> Journal::works_with(const std::string& grading) {
  const std::lock_guard lock{*busy_};
  return tasks_where(database_, "work.grading = ?", {grading});
}

Result<std::string> Journal::source(const std::string& sha256) {
  const std::lock_guard lock{*busy_};
  std::optional<std::string> text;
  TRY(database_.each("SELECT text FROM source WHERE sha256 = ?", {sha256},
                     [&](const Row& row) -> Status {
                       text = row.text(0);
                       return histolab::Done{};
                     }));
  if (!text || grader::sha256(*text) != sha256)
    return Error{fmt::format("the journal is damaged: the source {} is missing", sha256)};
  return *text;
}

namespace {
Result<std::optional<Outcome>> one_outcome(Database& database, const std::string& condition,
                                           std::initializer_list<Value> values) {
  std::optional<Outcome> found;
  TRY(database.each(
      "SELECT status, score, report, seconds FROM result WHERE " + condition + " LIMIT 1", values,
      [&](const Row& row) -> Status {
        found = Outcome{row.text(0), row.real(1), row.text(2), row.real(3)};
        return histolab::Done{};
      }));
  return found;
}
}  // namespace

Result<std::optional<Outcome>> Journal::finished(const Task& task) {
  const std::lock_guard lock{*busy_};
  return one_outcome(database_, "student = ? AND lab = ? AND grading = ?",
                     {task.student, task.lab, task.grading});
}

Result<bool> Journal::is_disputed(const Task& task) {
  const std::lock_guard lock{*busy_};
  const std::int64_t found = TRY(database_.number(
      "SELECT count(*) FROM result WHERE student = ? AND lab = ? AND grading = ? AND dispute <> ''",
      {task.student, task.lab, task.grading}));
  return found > 0;
}

Result<std::string> Journal::node_of(const Task& task) {
  const std::lock_guard lock{*busy_};
  std::string node;
  TRY(database_.each("SELECT node FROM result WHERE student = ? AND lab = ? AND grading = ?",
                     {task.student, task.lab, task.grading}, [&](const Row& row) -> Status {
                       node = row.text(0);
                       return histolab::Done{};
                     }));
  return node;
}

Result<std::optional<Outcome>> Journal::finished_with_sharing(const std::string& sharing) {
  const std::lock_guard lock{*busy_};
  return one_outcome(
      database_,
      fmt::format(
          "sharing = ?1 AND status IN ('passed', 'failed') AND {} ORDER BY student, grading",
          result_is_intact(result_key, "?1")),
      {sharing});
}

namespace {
// Returns the report with another submission's hash.
Result<std::string> report_for(const std::string& report, const std::string& sha256) {
  nlohmann::ordered_json json = nests_too_deep(report)
                                    ? nlohmann::ordered_json()
                                    : nlohmann::ordered_json::parse(report, nullptr, false);
  if (!json.is_object() || !json.contains("submission") || !json["submission"].is_object())
    return Error{"the journal is damaged: it has an invalid result"};
  json["submission"]["sha256"] = sha256;
  return grader::text_of(json, true);
}
}  // namespace

Status Journal::add(const std::vector<Done>& results) {
  const std::lock_guard lock{*busy_};
  Transaction all{database_};
  if (!all.begun()) return all.begun();
  for (const Done& each : results) {
    const Task& task = *each.task;
    const Outcome& outcome = *each.outcome;
    const std::string report = TRY(each.of_another ? report_for(outcome.report, task.kernel)
                                                   : Result<std::string>{outcome.report});
    TRY(database_.run(
        "INSERT OR REPLACE INTO result VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, "
        "checksum_of(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11))",
        {task.student, task.lab, task.grading, task.kernel, outcome.status, outcome.score, report,
         each.seconds, task.sharing, outcome.node, outcome.dispute}));
  }
  return all.commit();
}

Result<std::vector<Student>> Journal::students() {
  const std::lock_guard lock{*busy_};
  std::vector<Student> students;
  TRY(database_.each(
      "SELECT key, name, id, sis_id, login, section, email FROM student ORDER BY key", {},
      [&](const Row& row) -> Status {
        students.push_back({row.text(0), row.text(1), row.text(2), row.text(3), row.text(4),
                            row.text(5), row.text(6)});
        return histolab::Done{};
      }));
  return students;
}

Status Journal::add(const HandMark& mark) {
  const std::lock_guard lock{*busy_};
  Transaction all{database_};
  if (!all.begun()) return all.begun();
  TRY(
      database_.run("INSERT INTO hand_mark(student, lab, points, reason, author, at, grading) "
                    "VALUES(?, ?, ?, ?, ?, ?, ?)",
                    {mark.student, mark.lab, mark.points ? Value{*mark.points} : Value{nullptr},
                     mark.reason, mark.author, mark.at, mark.grading}));
  TRY(set_checksums("hand_mark"));
  return all.commit();
}

Result<std::vector<HandMark>> Journal::hand_marks() {
  const std::lock_guard lock{*busy_};
  const auto has_table =
      TRY(database_.number("SELECT count(*) FROM sqlite_master WHERE name = 'hand_mark'"));
  std::vector<HandMark> marks;
  if (has_table == 0) return marks;  // an older schema
  TRY(database_.each(
      "SELECT student, lab, points, reason, author, at, grading FROM hand_mark ORDER BY number", {},
      [&](const Row& row) -> Status {
        marks.push_back({row.text(0), row.text(1),
                         row.is_null(2) ? std::nullopt : std::optional{row.real(2)}, row.text(3),
                         row.text(4), row.integer(5), row.text(6)});
        return histolab::Done{};
      }));
  return marks;
}

Status Journal::fold() {
  const std::lock_guard lock{*busy_};
  return database_.run("PRAGMA wal_checkpoint(TRUNCATE)");
}

}  // namespace histolab::batch

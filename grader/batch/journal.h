// Journal: OUT/journal.sqlite, the one place where a batch keeps what it has done.
//
// SQLite in WAL mode with synchronous=FULL: after a kill, a power cut or a full disk each result is
// there whole or not at all, and all that was said to be done is done. One writer at a time, by a
// lock on OUT/journal.lock that ends with its process; readers may read while it grows.
// `user_version` tells the schema; a journal of a newer one, or a damaged file, is an Error and is
// not changed.
//
//   meta     name, value                           what holds for the class: Meta
//   lab      position, name, title, max_score, stub, solution        solution: its report, as JSON
//   student  key, name, ...                        Student, and Entry::problem
//   source   sha256, text                          kernels and answers, each once
//   work     student, lab, path, kernel, sheet, problem, at, late, grading, sharing      what is
//   handed in now result   student, lab, grading, kernel, status, score, report, seconds, sharing,
//   node, dispute, checksum      every result ever made hand_mark  number, student, lab, points,
//   reason, author, at, grading      marks set by hand, each entry ever made
//
// `grading` is the hash of all that a result depends on: kernel, answers, seed, version, lab,
// rubric. A work is finished when there is a result of its grading; another submission has another
// one. `sharing` leaves comments out (same_source.h). A result without a mark is the machine's
// doing, or a file's that cannot be read: --resume tries the former again.
//
// Checksums find what SQLite does not: a changed byte within a value. Each result has its own;
// `meta` has those of itself, the students and works, and the solutions. begin() deletes a damaged
// result, so that it is graded again, and set_class() replaces the class. A reader returns an
// Error.
//
// Schema 1 had no `node` and no `dispute`, schema 2 no checksums, schema 3 no `hand_mark`; begin()
// adds them. A result without a checksum is believed.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/datasets.h"
#include "grader/batch/class_results.h"
#include "grader/batch/hand_in.h"
#include "grader/batch/sqlite.h"

namespace histolab::batch {

inline constexpr std::int64_t journal_schema = 4;
[[nodiscard]] std::string journal_path(const std::string& out);

struct Meta {
  std::string version;
  std::uint64_t seed = 0;
  std::uint32_t data_version = datasets::data_version;
  std::string engine = "local";  // or "slurm"
  std::string device;            // what --device said
  std::string device_kind, device_name, sandbox, gpu_name, gpu_driver;
  std::string compiler;            // "g++ 12.2.0"; empty in older journals
  std::string shard;               // "2/5"; empty if the journal is for the whole class (shard.h)
  std::string rubric;              // the overlay's text; empty: there is none
  std::string roster, extensions;  // CSV; may be empty
  std::string rubric_file, roster_file,
      extensions_file;  // where they were read, as full paths; may be empty
  std::string remarks;  // of intake, a line each
};

// A mark that a person set, or took back. The last entry for a student and a lab counts.
struct HandMark {
  std::string student, lab;      // the key, the lab's name
  std::optional<double> points;  // none: the earlier entries no longer count
  std::string reason, author;
  std::int64_t at = 0;  // seconds since 1970
  std::string grading;  // of the hand-in at that time
};

// One (student, lab) as the engine sees it; hashes are empty where there is nothing.
struct Task {
  std::string student, lab;
  std::string kernel, sheet;  // sha256 in `source`
  std::string problem;
  std::string path;
  std::string grading, sharing;
};

struct Outcome {
  std::string status;
  double score = 0;
  std::string report;  // JSON of the lab
  double seconds = 0;
  std::string node = {};  // of a cluster; empty: this machine
  // Where two nodes disagree: both reports, a line each; a person has to look, and --resume leaves
  // it.
  std::string dispute = {};
};
// A status that is no mark: needs_review, infrastructure_error.
[[nodiscard]] bool is_without_mark(std::string_view status);
inline constexpr const char* without_mark =
    "('needs_review', 'infrastructure_error')";  // the same in SQL

class Journal {
 public:
  // Makes OUT where it is missing. Error: OUT holds something else; it holds a journal and `resume`
  // is false; another batch has it; the journal is damaged or of a newer version.
  static Result<Journal> begin(const std::string& out, bool resume);
  // To read only. Error: there is no journal, or none that can be read.
  static Result<Journal> read(const std::string& out);
  [[nodiscard]] bool is_new() const { return is_new_; }
  // How many damaged results begin() has deleted.
  [[nodiscard]] std::int64_t deleted_results() const { return deleted_results_; }
  // Returns an Error if the labs, students, works or settings have changed since they were written.
  [[nodiscard]] Status check_class();
  // SQL that is true for an unchanged row of `result`. If the query looks for a key, pass that key:
  // an index may be damaged, and lead to another row.
  static constexpr const char* result_key = "result.student, result.lab, result.grading";
  [[nodiscard]] std::string result_is_intact(const std::string& wanted = result_key,
                                             const std::string& sharing = "result.sharing") const;

  [[nodiscard]] Result<Meta> meta();
  [[nodiscard]] Result<std::vector<Student>> students();  // by key
  [[nodiscard]] Status set_meta(const Meta& meta);
  // Replaces the labs, students and works by these, in one transaction; results stay. `hashes`
  // gives grading and sharing.
  struct Hashes {
    std::string grading, sharing;
  };
  using HashesOf = std::function<Hashes(const std::string& lab, const Work& work)>;
  [[nodiscard]] Status set_class(const std::vector<Lab>& labs, const HandIns& class_,
                                 const HashesOf& hashes);
  [[nodiscard]] Status set_solution(const std::string& lab, const std::string& report);

  // Works without a result, by lab, then by student. What the machine failed at (no mark for a file
  // that could be read) is tried again.
  [[nodiscard]] Result<std::vector<Task>> outstanding();
  [[nodiscard]] Result<std::vector<Task>> works();  // all, by lab, then by student
  [[nodiscard]] Result<std::vector<Task>> works_of(const std::string& student);
  [[nodiscard]] Result<std::vector<Task>> works_with(const std::string& grading);
  [[nodiscard]] Result<std::string> source(const std::string& sha256);
  [[nodiscard]] Result<std::optional<Outcome>> finished(
      const Task& task);  // as it is kept, changed or not: a replay compares it
  [[nodiscard]] Result<bool> is_disputed(const Task& task);
  [[nodiscard]] Result<std::string> node_of(const Task& task);  // of its result
  // A result that sources alike may share: one that passed or failed.
  [[nodiscard]] Result<std::optional<Outcome>> finished_alike(const std::string& sharing);
  struct Done {
    const Task* task = nullptr;
    std::shared_ptr<const Outcome> outcome;  // of one grading, which thousands of works may share
    double seconds = 0;                      // of this work
    bool of_another = false;  // the report names another submission: the task's own hash is put in
  };
  // In one transaction, one report in memory at a time.
  [[nodiscard]] Status add(const std::vector<Done>& results);

  [[nodiscard]] Status add(const HandMark& mark);
  // All entries, oldest first.
  [[nodiscard]] Result<std::vector<HandMark>> hand_marks();

  // Students by key; labs in their order. The database is for whoever reads the whole class
  // (class_results.cpp).
  [[nodiscard]] Database& database() { return database_; }
  // Writes what the WAL holds into the journal itself, so that one file is all there is.
  [[nodiscard]] Status fold();

 private:
  class Lock;
  Journal(Database database, std::shared_ptr<Lock> lock, bool is_new);
  [[nodiscard]] Status know_checksums();
  [[nodiscard]] Status set_checksums(std::string_view table);  // of all, if it is empty
  Database database_;
  std::shared_ptr<Lock> lock_;
  std::unique_ptr<std::mutex> busy_ = std::make_unique<std::mutex>();
  bool is_new_ = false;
  std::int64_t deleted_results_ = 0;
  bool has_checksums_ = false;
};

}  // namespace histolab::batch

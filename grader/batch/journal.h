// Journal: OUT/journal.sqlite, which stores everything that a batch has done. docs/versions.md
// describes its tables.
//
// Results are whole or absent after a kill, a power cut or a full disk. One process writes at a
// time; readers may read meanwhile. A damaged or newer journal is an Error and is left unchanged.
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
  std::string device;            // value of --device
  std::string device_kind, device_name, sandbox, gpu_name, gpu_driver;
  std::string compiler;                                   // "g++ 12.2.0"; may be empty
  std::string shard;                                      // "2/5", or empty (shard.h)
  std::string rubric;                                     // text; may be empty
  std::string roster, extensions;                         // CSV; may be empty
  std::string rubric_file, roster_file, extensions_file;  // their full paths; may be empty
  std::string remarks;                                    // from intake, one line each
};

// A mark that an instructor set or removed. The last entry for a student and lab counts.
struct HandMark {
  std::string student, lab;      // the key, the lab's name
  std::optional<double> points;  // missing if the mark was removed
  std::string reason, author;
  std::int64_t at = 0;  // seconds since 1970
  std::string grading;  // grading hash of the submission at that time
};

// One student's work for one lab. A hash is empty if the file is missing.
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
  std::string node = {};  // name of the cluster's node; empty for this machine
  // Both reports, one per line, if two nodes disagree. An instructor has to decide; --resume does
  // not grade it again.
  std::string dispute = {};
};
// True for a status without a mark: needs_review, infrastructure_error.
[[nodiscard]] bool is_without_mark(std::string_view status);
// The same as a list in SQL.
inline constexpr const char* without_mark = "('needs_review', 'infrastructure_error')";

class Journal {
 public:
  // Opens the journal for writing; creates OUT if it is missing. Returns an Error if OUT contains
  // other files, if it has a journal and `resume` is false, if another batch has locked it, or if
  // the journal is damaged or of a newer version.
  static Result<Journal> begin(const std::string& out, bool resume);
  // Opens the journal for reading. Returns an Error if it is missing or unreadable.
  static Result<Journal> read(const std::string& out);
  [[nodiscard]] bool is_new() const { return is_new_; }
  // Number of damaged results that begin() has deleted.
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
  // Replaces the labs, students and works in one transaction; results stay. `hashes` computes the
  // hashes of a work.
  struct Hashes {
    std::string grading, sharing;
  };
  using HashesOf = std::function<Hashes(const std::string& lab, const Work& work)>;
  [[nodiscard]] Status set_class(const std::vector<Lab>& labs, const HandIns& class_,
                                 const HashesOf& hashes);
  [[nodiscard]] Status set_solution(const std::string& lab, const std::string& report);

  // Works without a result, by lab, then by student. Includes failures of the machine: results
  // without a mark for a readable file.
  [[nodiscard]] Result<std::vector<Task>> outstanding();
  [[nodiscard]] Result<std::vector<Task>> works();  // all, by lab, then by student
  [[nodiscard]] Result<std::vector<Task>> works_of(const std::string& student);
  [[nodiscard]] Result<std::vector<Task>> works_with(const std::string& grading);
  [[nodiscard]] Result<std::string> source(const std::string& sha256);
  // The stored result, without verifying its checksum: a replay compares it.
  [[nodiscard]] Result<std::optional<Outcome>> finished(const Task& task);
  [[nodiscard]] Result<bool> is_disputed(const Task& task);
  [[nodiscard]] Result<std::string> node_of(const Task& task);  // that graded it
  // A result with this sharing key that passed or failed.
  [[nodiscard]] Result<std::optional<Outcome>> finished_with_sharing(const std::string& sharing);
  struct Done {
    const Task* task = nullptr;
    std::shared_ptr<const Outcome> outcome;  // may be shared by thousands of works
    double seconds = 0;                      // for this work
    bool of_another = false;  // the report is of another submission: add() replaces its hash
  };
  // Adds results in one transaction, with one report in memory at a time.
  [[nodiscard]] Status add(const std::vector<Done>& results);

  [[nodiscard]] Status add(const HandMark& mark);
  // All entries, oldest first.
  [[nodiscard]] Result<std::vector<HandMark>> hand_marks();

  // For code that reads the whole class (class_results.cpp).
  [[nodiscard]] Database& database() { return database_; }
  // Writes the WAL into the journal, so that it is a single file.
  [[nodiscard]] Status fold();

 private:
  class Lock;
  Journal(Database database, std::shared_ptr<Lock> lock, bool is_new);
  [[nodiscard]] Status detect_checksums();
  [[nodiscard]] Status set_checksums(std::string_view table);  // of all tables if empty
  Database database_;
  std::shared_ptr<Lock> lock_;
  std::unique_ptr<std::mutex> busy_ = std::make_unique<std::mutex>();
  bool is_new_ = false;
  std::int64_t deleted_results_ = 0;
  bool has_checksums_ = false;
};

}  // namespace histolab::batch

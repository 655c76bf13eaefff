// ClassToGrade: the input of `batch`, for every engine: the submissions, the labs that count, the
// rubric, and the journal that stores the results.
#pragma once

#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grader/batch/groups.h"
#include "grader/batch/intake.h"
#include "grader/batch/journal.h"
#include "grader/batch/rubric.h"
#include "grader/batch/shard.h"
#include "grader/cli/context.h"
#include "grader/lab/lab.h"

namespace histolab::cli {

struct BatchFlags {
  std::string dir, out;
  std::vector<std::string> words, earlier;
  unsigned jobs = 0;  // 0 if not given
  bool resume = false, file_times = false, unsafe = false;
  std::string engine = "local", device = "emulator", rubric, roster, extensions;
  std::optional<std::uint64_t> seed;
  std::string shard;               // "2/5"
  std::vector<std::string> merge;  // --out folders of shards
  // --engine slurm
  std::string partition, timing_partition, account, gres, sbatch, cancel;
  std::size_t chunk = 0, most_tasks = 0;
};

struct CsvText {
  std::string file;  // for messages
  std::string text;  // may be empty
  std::string path;  // the full path of the file; may be empty
};

struct ClassToGrade {
  batch::Rubric rubric;
  std::string rubric_path;  // the full path; may be empty
  CsvText roster, extensions;
  std::vector<grader::LabSpec> labs;
  batch::Intake intake;
  // nullopt keeps the journal's
  std::optional<std::vector<batch::KnownSource>> earlier;
  std::uint64_t seed = 0;
  batch::Shard shard;
  // nullopt before open_journal(), unless the batch is resumed
  std::optional<batch::Journal> journal;

  // Writes the entries that concern the class as a whole.
  void put_into(batch::Meta& meta) const;
};

// class_to_grade() opens an existing journal first, because it decides what is graded. A new
// journal is created last, by open_journal(), once nothing can be missing any more.
[[nodiscard]] Result<ClassToGrade> class_to_grade(const Context& context, const BatchFlags& flags);
[[nodiscard]] Status open_journal(ClassToGrade& of, const BatchFlags& flags);
// Writes the class into the journal, and reports results of the last run that are no longer shown.
[[nodiscard]] Status begin_class(ClassToGrade& of, const BatchFlags& flags, const batch::Meta& meta,
                                 const std::string& figures);
// Takes the results of --merge into the journal, and prints how many.
[[nodiscard]] Status merge_shards(ClassToGrade& of, const BatchFlags& flags);
// Closes the journal into one file and prints the overview. Returns the exit code. A shard prints
// only its own numbers; its exit code is 0 if its submissions are graded, whatever the marks.
[[nodiscard]] int end_class(ClassToGrade& of, const BatchFlags& flags);

// The command that resumes this batch, quoted for a shell: the options as typed, except those that
// resuming does not need.
[[nodiscard]] std::string command_to_go_on(const Context& context, const BatchFlags& flags);

// Progress on the standard error: one live line on a terminal, otherwise a line per tenth.
class ProgressLine {
 public:
  // `more` is appended if the line is live.
  void show(const batch::Standing& now, const std::string& more = {});
  // Names what the batch waits for before there is anything to count: at once on a terminal,
  // otherwise once, after some seconds.
  void wait_for(const std::string& what);
  // Prints a sentence on a line of its own.
  void tell(const std::string& text);

 private:
  void show_live(const std::string& text);
  bool live_ = isatty(STDERR_FILENO) != 0;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now(), shown_{};
  std::size_t last_tenth_ = 0;
  bool reported_waiting_ = false;
};

// `batch --engine slurm` and `batch --cancel`. Both return the exit code.
[[nodiscard]] int run_on_slurm(const Context& context, const BatchFlags& flags);
[[nodiscard]] int cancel_on_slurm(const BatchFlags& flags);

}  // namespace histolab::cli

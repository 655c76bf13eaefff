// ClassToGrade: what `batch` is to grade, whoever does it: who handed in what, which labs count and
// how, and the journal that keeps it.
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
  unsigned jobs = 0;  // 0: nobody said
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
  std::optional<std::vector<batch::KnownSource>> earlier;  // none: those that the journal has stay
  std::uint64_t seed = 0;
  batch::Shard shard;
  std::optional<batch::Journal> journal;  // none before open_journal(), unless there was one

  // What a journal keeps of the class as a whole.
  void put_into(batch::Meta& meta) const;
};

// What is there already is taken up first, as it decides what is graded; what is not is made last
// (open_journal), when nothing can be missing any more.
[[nodiscard]] Result<ClassToGrade> class_to_grade(const Context& context, const BatchFlags& flags);
[[nodiscard]] Status open_journal(ClassToGrade& of, const BatchFlags& flags);
// The class, put into the journal; tells what of the last run is not shown any more.
[[nodiscard]] Status begin_class(ClassToGrade& of, const BatchFlags& flags, const batch::Meta& meta,
                                 const std::string& figures);
// Takes the results of --merge into the journal, and prints how many.
[[nodiscard]] Status merge_shards(ClassToGrade& of, const BatchFlags& flags);
// The journal in one file, and the overview; the exit code. A shard prints only its own numbers;
// its exit code is 0 if all of its submissions are graded, whatever the marks.
[[nodiscard]] int end_class(ClassToGrade& of, const BatchFlags& flags);

// For a shell, as it was typed but for what is not wanted again.
[[nodiscard]] std::string command_to_go_on(const Context& context, const BatchFlags& flags);

// One live line at a terminal, else a line for every tenth.
class ProgressLine {
 public:
  // `more` is said after it where the line is live.
  void show(const batch::Standing& now, const std::string& more = {});
  // What is waited for before there is anything to count: at a terminal at once, else once, after
  // some seconds.
  void wait_for(const std::string& what);
  // A sentence of its own.
  void tell(const std::string& text);

 private:
  void show_live(const std::string& text);
  bool live_ = isatty(STDERR_FILENO) != 0;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now(), shown_{};
  std::size_t told_ = 0;
  bool told_of_waiting_ = false;
};

// --engine slurm and --cancel.
[[nodiscard]] int run_on_slurm(const Context& context, const BatchFlags& flags);
[[nodiscard]] int cancel_on_slurm(const BatchFlags& flags);

}  // namespace histolab::cli

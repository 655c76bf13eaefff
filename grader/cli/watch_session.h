// WatchSession: the state of `histolab watch`. It handles one event at a time: a save, a key, a
// result.
//
// It owns the watched lab, its file and its grading, and a View of them for the screen
// (grader/watch/screen.h). It never writes to the student's file. It creates a missing file from
// the lab's stub (grader/lab/work_folder.h).
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "grader/cli/context.h"
#include "grader/cli/terminal.h"
#include "grader/watch/file_watch.h"
#include "grader/watch/grading.h"
#include "grader/watch/screen.h"

namespace histolab::cli {

struct WatchOptions {
  bool poll = false;  // check the file periodically instead of using inotify
  unsigned jobs = 1;
};

class WatchSession {
 public:
  // `labs` must outlive the session. Returns an Error if the machine cannot grade.
  static Result<std::unique_ptr<WatchSession>> make(const Context& context,
                                                    const std::vector<grader::LabSpec>& labs,
                                                    Terminal& terminal,
                                                    const WatchOptions& options);

  // Creates the file in work/ from the stub if it is missing, and grades the file. Returns an Error
  // if that fails.
  [[nodiscard]] Status open(std::size_t lab);
  // The first lab that is not passed, or the last lab if all are passed.
  [[nodiscard]] std::size_t first_unfinished() const;

  // These return true if the screen has changed.
  [[nodiscard]] bool look_at_file();
  [[nodiscard]] bool take_step();
  [[nodiscard]] bool press(char key);
  [[nodiscard]] bool wants_to_end() const { return ended_; }

  [[nodiscard]] const grader::View& view() const { return view_; }
  [[nodiscard]] const grader::FileWatch& file() const { return *file_; }
  // Readable if take_step() has something to take.
  [[nodiscard]] int steps() const { return news_; }
  ~WatchSession();

 private:
  using Found = Result<std::optional<grader::Submission>>;
  WatchSession(const Context& context, const std::vector<grader::LabSpec>& labs, Terminal& terminal,
               const WatchOptions& options);
  [[nodiscard]] const grader::LabSpec& lab() const { return labs_[current_]; }
  [[nodiscard]] Found read_file() const;
  void grade(Found found);
  void end_grading();
  [[nodiscard]] std::optional<grader::GradingStep> next_step();
  void keep_progress();
  void count_progress();
  void go_to(std::size_t lab);
  void show_hint();
  void show_lesson();
  void show_solution();
  void run_in_front(const std::string& command);
  void open_viewer();
  void show_page(const std::string& text);

  const Context& context_;
  const std::vector<grader::LabSpec>& labs_;
  Terminal& terminal_;
  WatchOptions options_;
  // The steps that the grading's threads have finished; `news_` counts them (eventfd).
  std::mutex lock_;
  std::deque<grader::GradingStep> steps_;
  int news_;
  std::unique_ptr<grader::GradingQueue> gradings_;
  std::optional<grader::FileWatch> file_;
  grader::View view_;
  std::size_t current_ = 0;
  std::string graded_;   // the text that `view_` describes or will describe
  std::string answers_;  // the quiz answers, likewise
  std::size_t hints_shown_ = 0;
  bool solution_asked_ = false, ended_ = false;
  std::chrono::steady_clock::time_point begun_;
};

}  // namespace histolab::cli

#include "grader/cli/watch_session.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "grader/checks/quiz_check.h"
#include "grader/checks/recorded.h"
#include "grader/cli/command.h"
#include "grader/cli/console.h"
#include "grader/cli/devices.h"
#include "grader/cli/signals.h"
#include "grader/feedback/advice.h"
#include "grader/feedback/progress.h"
#include "grader/files/read_file.h"
#include "grader/lab/submission.h"
#include "grader/lab/work_folder.h"
#include "grader/lessons/hints.h"
#include "grader/lessons/markdown.h"
#include "grader/quiz/answers.h"
#include "grader/words/words.h"
#include "kernels/worker/processes/program_start.h"

namespace histolab::cli {
namespace {

using grader::LabSpec;

std::string text_in(const std::string& path) {
  const Result<std::string> text = grader::read_text_file(path, "file");
  return text ? *text : std::string{};
}

bool is_program(const std::string& path) { return access(path.c_str(), X_OK) == 0; }

// The path of `less`. Empty if it is missing.
std::string pager() {
  for (const char* path : {"/usr/bin/less", "/bin/less"})
    if (is_program(path)) return path;
  return {};
}

}  // namespace

Result<std::unique_ptr<WatchSession>> WatchSession::make(const Context& context,
                                                         const std::vector<LabSpec>& labs,
                                                         Terminal& terminal,
                                                         const WatchOptions& options) {
  std::unique_ptr<WatchSession> session{new WatchSession(context, labs, terminal, options)};
  session->gradings_ = TRY(make_gradings(context, options.jobs));
  session->count_progress();
  return session;
}

WatchSession::WatchSession(const Context& context, const std::vector<LabSpec>& labs,
                           Terminal& terminal, const WatchOptions& options)
    : context_(context),
      labs_(labs),
      terminal_(terminal),
      options_(options),
      news_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK | EFD_SEMAPHORE)) {
  view_.labs = labs.size();
  for (const LabSpec& each : labs) view_.max_points += each.max_score;
}

WatchSession::~WatchSession() {
  gradings_.reset();
  if (news_ >= 0) close(news_);
}

std::size_t WatchSession::first_unfinished() const {
  const Result<grader::Progress> progress = grader::read_progress(work_folder);
  if (!progress) return 0;
  for (std::size_t i = 0; i < labs_.size(); ++i)
    if (const auto known = progress->find(labs_[i].name);
        known == progress->end() || !known->second.passed)
      return i;
  return labs_.size() - 1;
}

Status WatchSession::open(std::size_t lab_number) {
  end_grading();
  current_ = lab_number;
  const bool made = TRY(grader::start_lab(lab(), work_folder));
  view_.lab = &lab();
  view_.next = current_ + 1 < labs_.size() ? &labs_[current_ + 1] : nullptr;
  view_.path = grader::work_path(lab(), work_folder);
  view_.just_started = made;
  view_.result.reset();
  view_.note.clear();
  if (const Result<bool> settings = write_settings_of_editor(context_); !settings)
    view_.note = settings.error().message + "\n";
  hints_shown_ = 0;
  solution_asked_ = false;
  file_.emplace(view_.path, options_.poll);
  graded_.clear();
  grade(read_file());
  return Done{};
}

WatchSession::Found WatchSession::read_file() const {
  return grader::find_submission(work_folder, lab().name, grader::Links::followed);
}

void WatchSession::grade(Found found) {
  begun_ = std::chrono::steady_clock::now();
  end_grading();
  view_.result.reset();  // a verdict on another text would be misread as one on this
  if (!found || !*found) {
    view_.problem =
        found ? fmt::format("{} is missing: restore it, or make a new one with `histolab start {}`",
                            view_.path, lab().name)
              : found.error().message;
    graded_.clear();
    return;
  }
  view_.problem.clear();
  graded_ = (*found)->text;
  const std::string sheet = quiz::sheet_in(work_folder, lab().name);
  answers_ = text_in(sheet);
  Result<std::optional<quiz::Outcome>> outcome =
      grader::quiz_outcome(lab(), sheet, context_.paths.measurements);
  if (!outcome) view_.note = grader::paragraph(outcome.error().message, 0, terminal_.width());
  const auto keep = [this](const grader::GradingNews& news) {
    const auto* const step = std::get_if<grader::GradingStep>(&news);
    if (step == nullptr) return;
    const std::lock_guard lock{lock_};
    steps_.push_back(*step);
    const std::uint64_t one = 1;
    static_cast<void>(!write(news_, &one, sizeof one));
  };
  gradings_->add({}, {&lab(), std::move(**found), outcome ? std::move(*outcome) : std::nullopt},
                 keep);
}

// Ends the running grading and discards its results.
void WatchSession::end_grading() {
  gradings_->end({});
  while (next_step()) continue;
}

std::optional<grader::GradingStep> WatchSession::next_step() {
  const std::lock_guard lock{lock_};
  std::uint64_t one = 0;
  static_cast<void>(!read(news_, &one, sizeof one));
  if (steps_.empty()) return std::nullopt;
  grader::GradingStep step = std::move(steps_.front());
  steps_.pop_front();
  return step;
}

bool WatchSession::look_at_file() {
  if (!file_->changed()) return false;
  Found found = read_file();
  const bool same = found && *found && (*found)->text == graded_ && view_.problem.empty();
  if (same) return false;  // touched, or saved without a change
  view_.note.clear();
  view_.just_started = false;
  grade(std::move(found));
  return true;
}

bool WatchSession::take_step() {
  std::optional<grader::GradingStep> step = next_step();
  if (!step) return false;
  view_.result = std::move(step->result);
  view_.quick = step->quick;
  view_.running = step->more;
  view_.elapsed_ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begun_).count();
  if (!view_.quick) keep_progress();
  return true;
}

void WatchSession::keep_progress() {
  const Result<std::string> kept = grader::record_progress(work_folder, {*view_.result});
  if (!kept)
    view_.note = grader::paragraph(
        fmt::format("the progress was not saved: {}", kept.error().message), 0, terminal_.width());
  else if (!kept->empty())
    view_.note = grader::paragraph(fmt::format("{} was not a progress file; it is now {}",
                                               grader::progress_path(work_folder), *kept),
                                   0, terminal_.width());
  count_progress();
}

void WatchSession::count_progress() {
  const Result<grader::Progress> progress = grader::read_progress(work_folder);
  view_.labs_passed = 0;
  view_.points = 0;
  if (!progress) return;
  for (const LabSpec& each : labs_)
    if (const auto known = progress->find(each.name); known != progress->end()) {
      view_.labs_passed += known->second.passed ? 1 : 0;
      view_.points += known->second.score;
    }
}

bool WatchSession::press(char key) {
  view_.note.clear();
  switch (key) {
    case 'h': show_hint(); break;
    case 'l': show_lesson(); break;
    case 's': show_solution(); break;
    case 'r': grade(read_file()); break;
    case 'n': go_to(current_ + 1); break;
    case 'p': go_to(current_ - 1); break;
    case 'd': run_in_front("debug"); break;
    case 'z': run_in_front("quiz"); break;
    case 'v': open_viewer(); break;
    case 'q': ended_ = true; break;
    default: break;  // after any other key, just redraw the screen
  }
  return true;
}

void WatchSession::go_to(std::size_t lab_number) {
  if (lab_number >= labs_.size()) {
    view_.note = fmt::format("{} is the {} lab\n", lab().name, current_ == 0 ? "first" : "last");
    return;
  }
  const std::size_t before = current_;
  const Status opened = open(lab_number);
  if (opened) return;
  const Status back = open(before);
  view_.note =
      grader::paragraph(back ? opened.error().message : back.error().message, 0, terminal_.width());
}

void WatchSession::show_hint() {
  const Result<std::string> page =
      grader::read_text_file(lab().directory + "/hints.md", "page of a lab");
  if (!page) {
    view_.note = page.error().message + "\n";
    return;
  }
  const std::vector<grader::lessons::Hint> hints = grader::lessons::hints_of(*page);
  if (hints.empty()) {
    view_.note = fmt::format("{} has no hints\n", lab().name);
    return;
  }
  hints_shown_ = std::min(hints_shown_ + 1, hints.size());
  const grader::lessons::Hint& hint = hints.at(hints_shown_ - 1);
  view_.note =
      grader::lessons::for_terminal(fmt::format("## Hint {} of {}: {}\n\n{}\n", hints_shown_,
                                                hints.size(), hint.title, hint.text),
                                    terminal_.width());
  view_.note += hints_shown_ < hints.size() ? "\npress h again for the next one\n"
                : grader::has_recorded_only(lab())
                    ? "\nthat was the last hint\n"
                    : "\nthat was the last hint; s shows the solution\n";
}

void WatchSession::show_lesson() {
  const Result<std::string> page =
      grader::read_text_file(lab().directory + "/lesson.md", "page of a lab");
  if (page)
    show_page(grader::lessons::for_terminal(*page, std::min<std::size_t>(terminal_.width(), 80)));
  else
    view_.note = page.error().message + "\n";
}

void WatchSession::show_solution() {
  const bool passed =
      view_.result && !view_.quick && view_.result->status == grader::Verdict::passed;
  if (!passed && !solution_asked_ && !grader::has_recorded_only(lab())) {
    solution_asked_ = true;
    view_.note = "this lab is not passed yet: s again shows its solution, h gives a hint\n";
    return;
  }
  const Result<grader::Submission> solution = grader::read_solution(lab());
  if (solution)
    show_page(fmt::format("// {}\n{}", solution->path, solution->text));
  else
    view_.note = solution.error().message + "\n";
}

// In a pager if it is longer than the screen.
void WatchSession::show_page(const std::string& text) {
  const std::string program = pager();
  const bool is_long =
      static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 8 > terminal_.height();
  if (!is_long || program.empty() || !terminal_.clears() || !terminal_.has_keys()) {
    view_.note = text;
    return;
  }
  // -R: colours; -X: the text stays on the screen; LESSSECURE: no shell, no editor.
  const Result<int> shown =
      terminal_.run({"/usr/bin/env", "LESSSECURE=1", program, "-R", "-P", "q goes back"}, text);
  if (!shown) view_.note = text;
}

void WatchSession::run_in_front(const std::string& command) {
  if (!terminal_.has_keys()) return;
  std::vector<std::string> words = {grader::own_executable(), "--labs", context_.paths.labs};
  const std::string debug =
      command == "debug" && view_.result ? grader::debug_words(*view_.result) : std::string{};
  std::istringstream typed(debug.empty() ? command + " " + lab().name : debug);
  for (std::string word; typed >> word;) words.push_back(word);
  const Result<int> ended = terminal_.run(words);
  if (!ended)
    view_.note = ended.error().message + "\n";
  else if (terminal_.clears())
    // Its last output is about to be cleared.
    terminal_.wait_for_key("press any key to continue watching");
  if (command == "quiz" && text_in(quiz::sheet_in(work_folder, lab().name)) != answers_)
    grade(read_file());
}

void WatchSession::open_viewer() {
  const bool display =
      std::getenv("DISPLAY") != nullptr || std::getenv("WAYLAND_DISPLAY") != nullptr;
  if (!is_program(context_.paths.viewer))
    view_.note =
        "the viewer is not built: `./histolab setup viewer` in another terminal builds it\n";
  else if (!display)
    view_.note = "there is no display for a window (neither DISPLAY nor WAYLAND_DISPLAY is set)\n";
  if (!view_.note.empty()) return;
  // In a session of its own: the window stays open when this program ends.
  const pid_t child = kernels::worker::start_program(
      {.command = {context_.paths.viewer, "--labs", context_.paths.labs, "--lab", lab().name},
       .paths = {context_.paths.viewer},
       .descriptors = {{-1, 0}, {-1, 1}, {-1, 2}},
       .own_session = true});
  if (child >= 0) kernels::worker::reap_when_ended(child);
  view_.note =
      child < 0 ? "the viewer could not be started\n" : "the viewer opens in its own window\n";
}

}  // namespace histolab::cli

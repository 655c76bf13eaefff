#include "grader/course/check_course.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "grader/checks/expectation.h"
#include "grader/course/new_lab.h"
#include "grader/feedback/advice.h"
#include "grader/lab/attempt.h"
#include "grader/lab/lab_kernels.h"
#include "grader/quiz/answers.h"
#include "grader/words/words.h"

namespace histolab::grader {
namespace {

// A kernel to grade, and the expected result.
struct Trial {
  std::size_t lab = 0;
  GradeJob job;
  Expectation expected;
  bool is_solution = false;
};

void add_trial(std::vector<Trial>& trials, CourseLab& course, const LabSpec& lab, std::size_t index,
               const std::string& kernel, Expectation expected, bool is_solution) {
  Result<Submission> submission = read_submission(kernel);
  if (submission)
    trials.push_back({index, {&lab, std::move(*submission)}, std::move(expected), is_solution});
  else
    course.problems.push_back({stored_path(kernel), submission.error().message});
}

// The quiz, answered by its own computed answers. Returns nullopt without a quiz, or if it is
// faulty.
std::optional<quiz::Outcome> solved_quiz(CourseLab& course, const LabSpec& lab,
                                         const std::string& measurements) {
  const std::string file = lab.directory + "/quiz.json";
  const auto problem = [&](const std::string& message) {
    course.problems.push_back({file, message});
    return std::nullopt;
  };
  if (!quiz::has_quiz(lab.directory))
    return lab.has_check(CheckKind::quiz) ? problem("is missing; lab.json has a check of it")
                                          : std::nullopt;
  const Result<quiz::Quiz> quiz = quiz::load_quiz(lab.directory, measurements);
  if (!quiz) return problem(quiz.error().message);
  if (Status proof = quiz::check_drawn_questions(*quiz); !proof)
    return problem(proof.error().message);
  course.questions = quiz->questions.size();
  Result<quiz::Outcome> outcome = quiz::solved(*quiz);
  if (!outcome) return problem(outcome.error().message);
  return std::move(*outcome);
}

bool mixes_warps(const CaseSpec& spec) {
  return spec.block > 32 && (spec.schedule == kernels::Schedule::random ||
                             spec.schedule == kernels::Schedule::adversarial);
}

// Requires cases that fail kernels which are correct only because blocks, or warps, run in
// ascending order.
void require_other_orders(CourseLab& course, const LabSpec& lab) {
  for (std::size_t kernel = 0; kernel < lab.kernels.size(); ++kernel) {
    bool other_order = false, mixed = false;
    for (const CaseSpec& spec : lab.cases) {
      if (spec.kernel != kernel) continue;
      other_order |= spec.block_order != kernels::BlockOrder::ascending;
      mixed |= mixes_warps(spec);
    }
    const auto require = [&](bool there, const char* what, const char* whose) {
      if (!there)
        course.problems.push_back(
            {lab.directory + "/lab.json",
             fmt::format("no case of {} has {}; a kernel that relies on the order of {} would pass",
                         lab.kernels[kernel].name, what, whose)});
    };
    require(other_order, "\"block_order\": \"random\" or \"descending\"", "blocks");
    require(mixed,
            "\"schedule\": \"random\" or \"adversarial\" and more than 32 threads in a block",
            "warps");
  }
}

// The advice has six lines. A hint of more than two would push out the reason why the kernel is
// wrong.
void require_short_hints(CourseLab& course, const LabSpec& lab) {
  constexpr std::ptrdiff_t most_lines = 2;
  for (const CheckSpec& check : lab.checks) {
    std::vector<std::string> hints = {check.hint};
    for (const auto& [ignored, hint] : check.hints) hints.push_back(hint);
    for (const std::string& hint : hints)
      if (std::ranges::count(paragraph("try: " + hint, 2), '\n') > most_lines)
        course.problems.push_back(
            {lab.directory + "/lab.json",
             fmt::format("{}: this hint takes more than {} lines, so the advice has no room for "
                         "the reason; shorten it: {}",
                         check.id, most_lines, hint)});
  }
}

void collect(std::vector<Trial>& trials, CourseLab& course, const LabSpec& lab, std::size_t index) {
  require_other_orders(course, lab);
  require_short_hints(course, lab);
  Expectation stub;
  stub.status = lab.stub_status, stub.check = lab.stub_check;
  add_trial(trials, course, lab, index, lab.stub_path(), stub, false);
  Expectation full;
  full.status = name(Verdict::passed);
  add_trial(trials, course, lab, index, lab.solution_path(), full, true);
  for (const std::string& folder : attempts_of(lab)) {
    const std::string file = folder + "/expect.json";
    Result<Expectation> expected = load_expectation(file, lab);
    if (!expected) {
      course.problems.push_back({file, expected.error().message});
      continue;
    }
    ++course.attempts;
    add_trial(trials, course, lab, index, folder + "/kernel.cu", std::move(*expected), false);
  }
}

}  // namespace

Result<std::vector<CourseLab>> check_course(kernels::Device& device,
                                            const std::vector<LabSpec>& labs,
                                            const GradeOptions& options,
                                            const lessons::Sources& sources) {
  std::vector<CourseLab> course(labs.size());
  std::vector<Trial> trials;
  for (std::size_t i = 0; i < labs.size(); ++i) {
    course[i].lab = labs[i].name;
    course[i].max_score = labs[i].max_score;
    collect(trials, course[i], labs[i], i);
  }
  std::vector<GradeJob> jobs;
  std::vector<std::optional<quiz::Outcome>> quizzes;
  for (std::size_t i = 0; i < labs.size(); ++i)
    quizzes.push_back(solved_quiz(course[i], labs[i], sources.measurements));
  for (Trial& trial : trials) {
    trial.job.quiz = quizzes[trial.lab];
    jobs.push_back(trial.job);
  }
  const std::vector<LabResult> results = grade_labs(device, jobs, options);
  for (std::size_t i = 0; i < trials.size(); ++i) {
    const Trial& trial = trials[i];
    const LabResult& got = results[i];
    CourseLab& lab = course[trial.lab];
    const std::string& file = trial.job.submission->path;
    if (got.status == Verdict::infrastructure_error)
      return Error{fmt::format("{}: {}", file, got.message)};
    if (trial.is_solution) lab.solution_score = got.score;
    // A stub must get its verdict and its failing check. Its findings do not matter: its author
    // chooses what to leave undone.
    const bool is_stub = file == labs[trial.lab].stub_path();
    LabResult judged = got;
    if (is_stub) judged.findings.clear();
    if (const std::optional<Advice> advice = advice_for(got); advice && advice->shortened)
      lab.problems.push_back(
          {file, fmt::format("{}: the advice takes more than {} lines; shorten the hint",
                             advice->headline, most_advice_lines)});
    for (const std::string& message : unmet(trial.expected, judged, labs[trial.lab]))
      lab.problems.push_back({file, message});
  }
  std::vector<lessons::LabPages> pages =
      TRY(lessons::check_pages(device, labs, sources, options.jobs));
  for (std::size_t i = 0; i < labs.size(); ++i) {
    course[i].problems.insert(course[i].problems.end(), pages[i].problems.begin(),
                              pages[i].problems.end());
    for (CourseProblem& each : unwritten(labs[i])) course[i].problems.push_back(std::move(each));
    course[i].misconceptions = std::move(pages[i].misconceptions);
  }
  return course;
}

std::string to_text(const std::vector<CourseLab>& course) {
  std::string out;
  std::size_t problems = 0, attempts = 0, questions = 0;
  for (const CourseLab& lab : course) {
    out += fmt::format("{:<26} solution {:>2}/{:<3} {:>11}, {:>17}  {}\n", lab.lab,
                       lab.solution_score, lab.max_score, counted(lab.attempts, "attempt"),
                       counted(lab.misconceptions.size(), "misconception"),
                       lab.problems.empty() ? "holds" : counted(lab.problems.size(), "problem"));
    problems += lab.problems.size(), attempts += lab.attempts, questions += lab.questions;
  }
  for (const CourseLab& lab : course)
    for (const CourseProblem& problem : lab.problems) {
      out += fmt::format("\n{}: {}\n", lab.lab, problem.file);
      for (const std::string& line : wrapped(problem.message, 78)) out += "  " + line + "\n";
    }
  if (problems == 0)
    out += fmt::format("\nthe course holds: {}, {}, {}\n", counted(course.size(), "lab"),
                       counted(attempts, "attempt"), counted(questions, "question"));
  else
    out += fmt::format("\nthe course does not hold: {}\n", counted(problems, "problem"));
  return out;
}

std::string coverage_text(const std::vector<CourseLab>& course) {
  std::string out;
  for (const CourseLab& lab : course) {
    out += (out.empty() ? "" : "\n") + lab.lab + "\n";
    for (const lessons::Misconception& one : lab.misconceptions) {
      out += paragraph(one.title, 2);
      std::string attempts;
      for (const std::string& attempt : one.attempts)
        attempts += (attempts.empty() ? "" : ", ") + attempt;
      out += paragraph(attempts, 6);
    }
  }
  return out;
}

}  // namespace histolab::grader
